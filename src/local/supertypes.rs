//! Interfaces and superclasses that classes of the patch gained or lost: which code can tell, so that only its proofs are stopped.

use super::changes::MarkedInstructions;
use super::superclasses::Builds;
use super::uncompiled::Identifiers;
use super::version::simple_name;
use crate::bytecode::ClassPath;
use crate::bytecode::access::{ABSTRACT, INTERFACE, PRIVATE, STATIC};
use crate::bytecode::class_file::{ClassFile, Const, Insn, InvokeKind};
use crate::impact;
use crate::model::MethodRef;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Name of the pseudo-method that stands for code which can tell: nothing is proved of it.
pub(super) const SUPERTYPES: &str = "code that can tell other supertypes";

/// Interfaces without methods that the JDK looks at in few places: writing objects, which may come to anything (`impact::call`),
/// and `Object.clone`.
const MARKERS: [&str; 2] = ["java/io/Serializable", CLONEABLE];
const CLONEABLE: &str = "java/lang/Cloneable";

/// Methods of `Class` that tell supertypes.
const TELLING: [&str; 10] = [
    "asSubclass",
    "cast",
    "getAnnotatedInterfaces",
    "getAnnotatedSuperclass",
    "getGenericInterfaces",
    "getGenericSuperclass",
    "getInterfaces",
    "getSuperclass",
    "isAssignableFrom",
    "isInstance",
];

/// Interfaces and superclasses that some class has in one version only.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherSupertypes {
    names: BTreeSet<Arc<str>>,
    /// Bodies that objects run in one version only: what comes to them can tell.
    bodies: BTreeSet<MethodRef>,
    /// Names of members that are inherited in one version only.
    pub(super) members: BTreeSet<String>,
}

/// Classes of one version by name.
type Classes<'a> = &'a FxHashMap<Arc<str>, Arc<ClassFile>>;

impl OtherSupertypes {
    /// Whether no class has others.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Adds the interfaces and superclasses that one of two versions of a class alone has. Returns whether all code that can tell will
    /// be known: the interfaces are markers or the project's own, without fields and bodies of methods, the superclasses are the
    /// project's own (`superclasses`), and neither arrays of them are made nor does code name them that was not compiled.
    pub(super) fn add(
        &mut self,
        both: [Classes; 2],
        [old, new]: [&ClassFile; 2],
        library: &ClassPath,
        outside: &Identifiers,
    ) -> bool {
        let above = [(both[0], old), (both[1], new)].map(|(own, c)| interfaces(own, library, c));
        let [Some(a), Some(b)] = above else {
            return false;
        };
        let mut lone: BTreeSet<Arc<str>> = a.symmetric_difference(&b).cloned().collect();
        let is_plain = |name: &Arc<str>| {
            let own: Vec<_> = both.iter().filter_map(|all| all.get(name)).collect();
            let bare = |c: &&&Arc<ClassFile>| {
                let abstracts = |m: u16| m & (ABSTRACT | STATIC | PRIVATE) != 0;
                c.fields.is_empty() && c.methods.iter().all(|m| abstracts(m.access))
            };
            let known = MARKERS.contains(&&**name) || !own.is_empty();
            known && own.iter().all(|c| bare(&c)) && !outside.contains(simple_name(name))
        };
        let plain = lone.iter().all(is_plain);
        if old.super_name != new.super_name {
            let builds = Builds { own: both, library };
            let Some(other) = builds.compare(old) else {
                return false;
            };
            self.bodies.extend(other.bodies);
            self.members.extend(other.members);
            if other.lone.iter().any(|n| outside.contains(simple_name(n))) {
                return false;
            }
            lone.extend(other.lone);
        }
        let all = both.iter().flat_map(|own| own.values());
        let made = all.flat_map(|c| &c.methods).filter_map(|m| m.code.as_ref());
        let mut insns = made.flat_map(|c| &c.insns);
        let makes_array = |insn: &Insn| match insn {
            Insn::ANewArray(of) => lone.contains(element(of)),
            Insn::MultiANewArray(of, _) => lone.contains(element(of)),
            _ => false,
        };
        let known = plain && !insns.any(makes_array);
        self.names.extend(lone);
        known
    }

    /// Whether an instruction can tell that a class has one of these interfaces.
    pub(super) fn are_told_by(&self, insn: &Insn) -> bool {
        if self.is_empty() {
            return false;
        }
        match insn {
            Insn::InstanceOf(of) | Insn::CheckCast(of) => self.names.contains(element(of)),
            Insn::Const(Const::Class(of)) => self.names.contains(element(of)),
            Insn::Invoke(InvokeKind::Special, m) if &*m.name == "clone" => {
                self.names.contains(CLONEABLE)
            }
            Insn::Invoke(_, m) => &*m.class == "java/lang/Class" && TELLING.contains(&&*m.name),
            // The adapter of a method reference casts, and so does one of a lambda.
            Insn::InvokeDynamic(site) => site.args.iter().any(|a| match a {
                Const::MethodType(d) => self.names.iter().any(|t| d.contains(&format!("L{t};"))),
                Const::MethodHandle(h) => {
                    &*h.class == "java/lang/Class" && TELLING.contains(&&*h.name)
                }
                _ => false,
            }),
            _ => false,
        }
    }

    /// Whether some class has this supertype in one version only.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether one of these methods is among the bodies that objects run in one version only.
    pub(super) fn selects<'a>(&self, mut all: impl Iterator<Item = &'a MethodRef>) -> bool {
        all.any(|id| self.bodies.contains(id))
    }

    /// The instructions of classes that can tell.
    pub(super) fn places(
        &self,
        classes: &[Arc<ClassFile>],
        told: &MethodRef,
    ) -> MarkedInstructions {
        let mut out = MarkedInstructions::new();
        for class in classes.iter().filter(|_| !self.is_empty()) {
            for method in &class.methods {
                let id = impact::id(class, method);
                if self.bodies.contains(&id) {
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

/// All interfaces of a class; `None` if an ancestor can't be read, or is none.
fn interfaces(own: Classes, library: &ClassPath, class: &ClassFile) -> Option<BTreeSet<Arc<str>>> {
    let mut out = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut todo: Vec<Arc<str>> = class.interfaces.clone();
    todo.extend(class.super_name.clone());
    while let Some(name) = todo.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let found = match own.get(&name) {
            Some(own) => own.clone(),
            None => library.find(&name).ok().flatten()?,
        };
        todo.extend(found.interfaces.iter().cloned());
        todo.extend(found.super_name.clone());
        if found.access & INTERFACE != 0 {
            out.insert(name);
        }
    }
    Some(out)
}

/// The class of an array's elements, or the class itself.
fn element(name: &str) -> &str {
    match name.trim_start_matches('[') {
        same if same.len() == name.len() => name,
        of => of.trim_start_matches('L').trim_end_matches(';'),
    }
}
