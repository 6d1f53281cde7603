//! Interfaces and superclasses that classes of the patch gained or lost: which code can tell, so that only its proofs are stopped.

use super::callbacks::{Callee, is_throwable, jdk_callees};
use super::changes::{Changes, MarkedInstructions, pseudo_method};
use super::reliance::{is_leaf, is_plain};
use super::superclasses::{Builds, Inheritance, Key};
use super::uncompiled::Identifiers;
use super::version::simple_name;
use crate::bytecode::class_file::{
    ClassFile, Const, DynamicRef, Insn, InvokeKind, MemberRef, MethodHandle,
};
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::impact;
use crate::model::{MethodRef, class_in};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Name of the pseudo-method that stands for code which can tell: nothing is proved of it.
pub(super) const SUPERTYPES: &str = "code that can tell other supertypes";

const CLONEABLE: &str = "java/lang/Cloneable";

/// Methods of `Class` that tell supertypes, or whether a class is abstract.
const TELLING: [&str; 11] = [
    "asSubclass",
    "cast",
    "getAnnotatedInterfaces",
    "getAnnotatedSuperclass",
    "getGenericInterfaces",
    "getGenericSuperclass",
    "getInterfaces",
    "getModifiers",
    "getSuperclass",
    "isAssignableFrom",
    "isInstance",
];

/// Classes of the JDK whose own methods ask nothing of the objects that inherit them.
const UNASKING: [&str; 3] = ["java/lang/Object", "java/lang/Enum", "java/lang/Record"];

/// Interfaces and superclasses that some class has in one version only.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherSupertypes {
    /// What objects inherit in one version only, or from another class in each.
    inherited: Inheritance,
    /// Whether a class is abstract in one version only.
    abstracts: bool,
    /// Whether arrays of such types are made, which refuse other elements in each version.
    arrays: bool,
    /// Names of the project's classes, in either version.
    own: BTreeSet<Arc<str>>,
    /// Methods by which code of the project runs code of a library that is not named where it is called.
    by_inheritance: BTreeSet<Key>,
}

/// Classes of one version by name.
type Classes<'a> = &'a FxHashMap<Arc<str>, Arc<ClassFile>>;

impl OtherSupertypes {
    /// Whether no class has others.
    pub(super) fn is_empty(&self) -> bool {
        self.inherited.lone.is_empty() && !self.abstracts
    }

    /// Notes that a class is abstract in one version only: code that makes objects of any class can tell.
    pub(super) fn add_abstract(&mut self) {
        self.abstracts = true;
    }

    /// Adds the interfaces and superclasses that one of two versions of a class alone has. Returns whether all code that can tell will
    /// be known: all types above can be read, and no code names the added ones that was not compiled.
    pub(super) fn add(
        &mut self,
        own: [Classes; 2],
        class: &ClassFile,
        library: &ClassPath,
        outside: &Identifiers,
    ) -> bool {
        let builds = Builds { own, library };
        let Some(other) = builds.compare(class) else {
            return false;
        };
        if other.lone.iter().any(|n| outside.contains(simple_name(n))) {
            return false;
        }
        self.inherited.extend(other);
        true
    }

    /// Finds what tells the added types indirectly, after all were added.
    pub(super) fn complete(&mut self, both: [Classes; 2], library: &ClassPath) {
        if self.is_empty() {
            return;
        }
        let all = || both.iter().flat_map(|own| own.values());
        let methods = all().flat_map(|c| &c.methods);
        let insns = methods
            .filter_map(|m| m.code.as_ref())
            .flat_map(|c| &c.insns);
        let insns: Vec<&Insn> = insns.collect();
        self.arrays = insns.iter().any(|insn| match insn {
            Insn::ANewArray(of) | Insn::MultiANewArray(of, _) => self.has(element(of)),
            _ => false,
        });
        self.own = all().map(|c| c.name.clone()).collect();
        for class in all() {
            self.inherit(class, library);
        }
        let sites = insns.iter().filter_map(|i| match i {
            Insn::InvokeDynamic(site) => Some(site),
            _ => None,
        });
        // What implements an interface by a method that tells is called by the interface's name.
        let adapters: Vec<Key> = sites
            .filter(|site| {
                site.args
                    .iter()
                    .any(|a| matches!(a, Const::MethodHandle(h) if self.is_told_by_handle(h)))
            })
            .filter_map(|site| match site.args.first() {
                Some(Const::MethodType(d)) => Some((site.name.clone(), d.clone())),
                _ => None,
            })
            .collect();
        self.inherited.methods.extend(adapters);
    }

    /// Adds the methods of libraries that objects of a class have: calls by the name of a class of the project come to them.
    fn inherit(&mut self, class: &ClassFile, library: &ClassPath) {
        let mut todo: Vec<Arc<str>> = class.interfaces.clone();
        todo.extend(class.super_name.clone());
        let mut seen = BTreeSet::new();
        while let Some(name) = todo.pop() {
            let quiet = UNASKING.contains(&&*name) || is_throwable(&name);
            if quiet || self.own.contains(&name) || !seen.insert(name.clone()) {
                continue;
            }
            if let Some(above) = library.find(&name).ok().flatten() {
                let bodies = above.methods.iter().filter(|m| m.code.is_some());
                let keys = bodies.map(|m| (m.name.clone(), m.descriptor.clone()));
                self.by_inheritance.extend(keys);
                todo.extend(above.interfaces.iter().cloned());
                todo.extend(above.super_name.clone());
            }
        }
    }

    /// Whether an instruction can tell that a class has other supertypes.
    pub(super) fn are_told_by(&self, insn: &Insn) -> bool {
        if self.is_empty() {
            return false;
        }
        match insn {
            Insn::InstanceOf(of) | Insn::CheckCast(of) => {
                self.has(element(of)) || self.arrays && of.starts_with('[')
            }
            Insn::Const(Const::Class(of)) => self.has(element(of)),
            Insn::ArrayStore(None) => self.arrays,
            Insn::New(class) => self.inherited.started.contains(class),
            Insn::GetField(m) | Insn::PutField(m) => self.is_of_another(m),
            Insn::GetStatic(m) | Insn::PutStatic(m) => {
                self.is_of_another(m) || self.inherited.started.contains(&m.class)
            }
            Insn::Invoke(kind, m) => self.is_told_by_call(Some(*kind), m),
            Insn::InvokeDynamic(site) => self.is_told_by_site(site),
            _ => false,
        }
    }

    fn is_of_another(&self, field: &MemberRef) -> bool {
        let key = (field.name.clone(), field.descriptor.clone());
        self.inherited.fields.contains(&key)
    }

    fn is_told_by_call(&self, kind: Option<InvokeKind>, m: &MemberRef) -> bool {
        let key = (m.name.clone(), m.descriptor.clone());
        let is_clone = &*m.name == "clone" && !m.class.starts_with('[');
        is_clone && kind != Some(InvokeKind::Static) && self.has(CLONEABLE)
            || &*m.class == "java/lang/Class" && TELLING.contains(&&*m.name)
            || self.inherited.methods.contains(&key)
            || self.inherited.started.contains(&m.class)
                && (kind != Some(InvokeKind::Virtual) || &*m.name == "<init>")
            || (self.inherited.of_library || self.arrays) && self.may_be_asked(m, &key)
    }

    /// Whether a call runs code of a library that may ask an object for a type: it is given one, or holds one.
    fn may_be_asked(&self, m: &MemberRef, key: &Key) -> bool {
        if self.own.contains(&m.class) {
            return self.by_inheritance.contains(key);
        }
        let plain = || {
            let all = parameter_descriptors(&m.descriptor);
            all.iter().all(|p| is_plain(p) && !p.starts_with('['))
        };
        let unasking = is_leaf(m)
            || m.class.starts_with('[')
            || &*m.name == "<init>" && plain()
            || is_throwable(&m.class)
            || UNASKING.contains(&&*m.class) && plain()
            || matches!(jdk_callees(m), Some(Callee::ContainerMethods)) && plain();
        !unasking
    }

    fn is_told_by_handle(&self, handle: &MethodHandle) -> bool {
        let member = MemberRef {
            class: handle.class.clone(),
            name: handle.name.clone(),
            descriptor: handle.descriptor.clone(),
        };
        self.is_told_by_call(None, &member)
    }

    fn is_told_by_site(&self, site: &DynamicRef) -> bool {
        let texts = &*site.bootstrap.class == "java/lang/invoke/StringConcatFactory";
        let lambda = &*site.bootstrap.class == "java/lang/invoke/LambdaMetafactory";
        let key: Key = ("toString".into(), "()Ljava/lang/String;".into());
        let asked = self.inherited.of_library && !texts && !lambda;
        let by_text = texts && self.inherited.methods.contains(&key);
        asked
            || by_text
            || site.args.iter().any(|a| match a {
                // The adapter of a method reference casts, and so does one of a lambda.
                Const::MethodType(d) => {
                    let mut lone = self.inherited.lone.iter();
                    lone.any(|t| d.contains(&format!("L{t};")))
                }
                Const::MethodHandle(h) => self.is_told_by_handle(h),
                Const::Class(of) => self.has(element(of)),
                _ => false,
            })
    }

    /// Whether some class has this supertype in one version only.
    pub(super) fn has(&self, name: &str) -> bool {
        self.inherited.lone.contains(name)
    }

    /// Names of members that are inherited in one version only.
    pub(super) fn members(&self) -> impl Iterator<Item = String> {
        self.inherited.members.iter().cloned()
    }

    /// The instructions of classes that can tell, and a mark that is nowhere: code that may run anything can tell.
    pub(super) fn places(
        &self,
        classes: &[Arc<ClassFile>],
        told: &MethodRef,
    ) -> MarkedInstructions {
        let mut out = MarkedInstructions::new();
        if self.is_empty() {
            return out;
        }
        out.entry(told.clone()).or_default().insert(0, told.clone());
        for class in classes {
            for method in &class.methods {
                let id = impact::id(class, method);
                let handlers = method.code.iter().flat_map(|c| &c.handlers);
                let mut caught = handlers.filter_map(|h| h.catch.as_ref());
                if self.inherited.bodies.contains(&id) || caught.any(|of| self.has(of)) {
                    out.entry(id).or_default().insert(0, told.clone());
                }
                let insns = method.code.iter().flat_map(|c| &c.insns).enumerate();
                for (pc, _) in insns.filter(|(_, i)| self.are_told_by(i)) {
                    let marks = out.entry(impact::id(class, method)).or_default();
                    marks.insert(pc as u32, told.clone());
                }
            }
        }
        out
    }
}

impl Changes {
    /// The number of what an instruction itself comes to, if it can tell that a class has other supertypes.
    pub(super) fn told_by(&self, insn: &Insn) -> Option<usize> {
        let tells = self.supertypes.are_told_by(insn);
        self.number_of_supertypes().filter(|_| tells)
    }

    /// The same of a handler of exceptions, by the class that it catches.
    pub(super) fn told_by_handler(&self, catch: &str) -> Option<usize> {
        let tells = self.supertypes.has(catch);
        self.number_of_supertypes().filter(|_| tells)
    }

    fn number_of_supertypes(&self) -> Option<usize> {
        self.number(&pseudo_method(SUPERTYPES))
    }
}

/// The class of an array's elements, or the class itself.
fn element(name: &str) -> &str {
    match name.trim_start_matches('[') {
        same if same.len() == name.len() => name,
        of => class_in(of),
    }
}
