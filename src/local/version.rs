//! One version of the program as local proofs see it: classes, what a call may come to, and which changed methods that reaches.

use super::body::{Body, MAX_NESTED, body_of, code_text, lambda_body};
use super::callbacks::Callee;
use super::cut_code::CutNumbers;
use super::footprints::Footprints;
use super::moved_fields::MovedFields;
use super::uncompiled::{UncompiledCode, UncompiledSources};
use crate::bytecode::access::{ABSTRACT, FINAL, INTERFACE, PRIVATE};
use crate::bytecode::class_file::{
    ClassFile, Code, Const, Insn, InvokeKind, MemberRef, Method, MethodHandle,
};
use crate::bytecode::{ClassPath, is_jdk};
use crate::impact::{Hierarchy, Marks, Reach};
use crate::model::{MethodRef, Spelling};
use bit_set::BitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// The declaration to which a field reference resolves.
pub struct DeclaredField {
    /// The class that declares it, or that stands for that one where the field moved.
    pub owner: Arc<str>,
    /// Access flags.
    pub access: u16,
}

/// One version of the program.
pub struct Version {
    classes: FxHashMap<Arc<str>, Arc<ClassFile>>,
    library: Arc<ClassPath>,
    pub(super) hierarchy: Arc<Hierarchy>,
    pub(super) reach: Reach,
    pub(super) outside: UncompiledCode,
    /// Changed methods, and instructions that look up members, by method.
    pub(super) marks: Marks,
    /// The number of the first changed method; those before it stand for instructions.
    pub(super) first_method: usize,
    /// Loops that copy elements, by the arrays' class and whether they return the new array.
    pub(super) copy_bodies: RefCell<FxHashMap<(String, bool), Body>>,
    moved_fields: MovedFields,
    collections: OnceCell<bool>,
    finalizers: OnceCell<bool>,
    /// Whether its collections are empty when their size is 0, and whether it has sequences of characters.
    pub(super) counting: OnceCell<bool>,
    pub(super) texts: OnceCell<bool>,
    /// Whether the project has entries of maps of its own.
    entries: OnceCell<bool>,
    /// Whether the JDK may find character sets of the project.
    pub(super) character_sets: OnceCell<bool>,
    pub(super) traces: OnceCell<bool>,
    /// Types of loggers that the project has its own of.
    pub(super) own_loggers: OnceCell<Vec<&'static str>>,
    /// Answers about fields, by class and name.
    pub(super) never_null: RefCell<FxHashMap<String, bool>>,
    /// What calls of code read that only reads.
    pub(super) footprints: RefCell<Footprints>,
    pub(super) reachable_cache: RefCell<FxHashMap<(InvokeKind, Arc<MemberRef>), BitSet>>,
    pub(super) callees: RefCell<FxHashMap<*const Code, Option<Vec<Callee>>>>,
}

impl Version {
    /// Classes of the project.
    pub(super) fn own_classes(&self) -> impl Iterator<Item = &Arc<ClassFile>> {
        self.classes.values()
    }

    /// A version made of the classes of a build and a library. `marks` are the changed methods, by number, `cut` those of code
    /// that was cut out.
    pub fn new(
        classes: &[Arc<ClassFile>],
        library: Arc<ClassPath>,
        (marks, first_method): (&Marks, usize),
        (uncompiled, cut): (UncompiledSources, Option<CutNumbers>),
        moved_fields: MovedFields,
    ) -> Version {
        let names = &uncompiled.names;
        let memory: RefCell<FxHashMap<Arc<str>, Option<Overridable>>> = RefCell::default();
        let has = |class: &str, method: &Method| {
            let mut memory = memory.borrow_mut();
            let known = memory
                .entry(Arc::from(class))
                .or_insert_with(|| overridable(&library, class));
            let key = (method.name.clone(), method.descriptor.clone());
            known.as_ref().is_none_or(|all| all.contains(&key))
        };
        // The proof of a changed method relies on what that calls.
        let reach = Reach::knowing(classes.to_vec(), marks, has, |mark| mark >= first_method);
        let differing = cut.as_ref().and_then(|c| c.differing);
        let mut comes_to: BitSet = differing.into_iter().collect();
        if !names.is_empty() {
            for class in classes {
                for method in &class.methods {
                    let name = match &*method.name {
                        // What names a class may make objects of it and initialise it.
                        "<init>" | "<clinit>" => simple_name(&class.name),
                        name => name,
                    };
                    if names.contains(name)
                        && let Some(code) = &method.code
                        && let Some(first) = reach.from_entry(code)
                    {
                        comes_to.union_with(first);
                    }
                }
            }
        }
        Version {
            classes: by_name(classes),
            library,
            hierarchy: reach.hierarchy(),
            reach,
            outside: UncompiledCode {
                words: uncompiled,
                comes_to,
                cut,
            },
            marks: marks.clone(),
            first_method,
            copy_bodies: RefCell::default(),
            moved_fields,
            reachable_cache: RefCell::default(),
            callees: RefCell::default(),
            collections: OnceCell::new(),
            finalizers: OnceCell::new(),
            counting: OnceCell::new(),
            texts: OnceCell::new(),
            entries: OnceCell::new(),
            character_sets: OnceCell::new(),
            traces: OnceCell::new(),
            own_loggers: OnceCell::new(),
            never_null: RefCell::default(),
            footprints: RefCell::default(),
        }
    }

    /// Whether all subclasses of a class of the project are known.
    pub(super) fn is_closed(&self, class: &str) -> bool {
        let words = &self.outside.words;
        if words.names.is_empty() {
            return true;
        }
        let open = |c: &Arc<ClassFile>| {
            let lambda = words.has_lambdas && self.is_functional(c);
            lambda || words.extended.contains(simple_name(&c.name))
        };
        let below = |c: &Arc<ClassFile>| self.is_subclass(&c.name, class) != Some(false);
        let mut all = self.classes.values();
        !all.any(|c| open(c) && below(c))
    }

    /// Whether a lambda may implement an interface: it has one method to implement, or may have.
    fn is_functional(&self, class: &ClassFile) -> bool {
        if class.access & INTERFACE == 0 {
            return false;
        }
        let (all, whole) = self.ancestors(&class.name);
        let methods = all.iter().flat_map(|c| &c.methods);
        let names = methods
            .filter(|m| m.access & ABSTRACT != 0)
            .map(|m| &m.name);
        !whole || names.collect::<FxHashSet<_>>().len() == 1
    }

    /// The class of that internal name, of the project or not; none if it can't be read.
    pub fn class(&self, name: &str) -> Option<Arc<ClassFile>> {
        match self.classes.get(name) {
            Some(own) => Some(own.clone()),
            None => self.library.find(name).ok().flatten(),
        }
    }

    /// Whether the project has the class.
    pub fn is_own(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }

    /// The method of that id.
    pub fn method(&self, id: &MethodRef) -> Option<Body> {
        let class = self.classes.get(id.class.internal().as_str())?;
        body_of(class, class.method(&id.name, &id.descriptor)?)
    }

    /// The same; for a class without an initialiser, one that does nothing.
    pub fn body_of(&self, id: &MethodRef) -> Option<Body> {
        let found = self.method(id);
        if found.is_some() || id.name != "<clinit>" {
            return found;
        }
        let class = self.classes.get(id.class.internal().as_str())?;
        let nothing = vec![Insn::Return(None)];
        Some(Body::synthetic(
            class,
            ("<clinit>", "()V".into()),
            0,
            (0, nothing),
        ))
    }

    /// The class and those of its ancestors that can be read, superclasses first; and whether all can.
    pub(super) fn ancestors(&self, name: &str) -> (Vec<Arc<ClassFile>>, bool) {
        let (mut found, mut whole) = (Vec::new(), true);
        let mut todo: Vec<Arc<str>> = vec![Arc::from(name)];
        let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
        while let Some(next) = todo.pop() {
            if !seen.insert(next.clone()) {
                continue;
            }
            match self.class(&next) {
                Some(class) => {
                    todo.extend(class.interfaces.iter().cloned());
                    todo.extend(class.super_name.clone());
                    found.push(class);
                }
                None => whole = false,
            }
        }
        (found, whole)
    }

    /// Whether a class is the other or a subclass of it; `None` if an ancestor can't be read.
    pub fn is_subclass(&self, class: &str, of: &str) -> Option<bool> {
        if class == of || of == "java/lang/Object" {
            return Some(true);
        }
        if class.starts_with('[') || of.starts_with('[') {
            return None;
        }
        let (all, whole) = self.ancestors(class);
        let found = all.iter().any(|c| *c.name == *of);
        (found || whole).then_some(found)
    }

    /// Whether objects of some class of the project are told that they are no longer in use.
    pub(super) fn has_finalizers(&self) -> bool {
        *self.finalizers.get_or_init(|| {
            let mut all = self.classes.values();
            all.any(|c| c.method("finalize", "()V").is_some())
        })
    }

    /// Whether the project has collections or maps of its own, also in files that were not compiled.
    pub fn has_collections(&self) -> bool {
        const OF: [&str; 2] = ["java/util/Collection", "java/util/Map"];
        *self.collections.get_or_init(|| self.has_own(&OF))
    }

    /// Whether the project has entries of maps of its own, also in files that were not compiled.
    pub(super) fn has_entries(&self) -> bool {
        let of = ["java/util/Map$Entry"];
        *self.entries.get_or_init(|| self.has_own(&of))
    }

    /// Whether a class of the project may be below one of these types of `java.util`. Of files that were not compiled the simple names of what
    /// they extend are known.
    fn has_own(&self, of: &[&str]) -> bool {
        const AROUND: [&str; 4] = [
            "java/util/",
            "java/util/concurrent/",
            "java/util/AbstractMap$",
            "java/util/Map$",
        ];
        let below = |class: &str| {
            of.iter()
                .map(|t| self.is_subclass(class, t))
                .collect::<Vec<_>>()
        };
        let outside = self.outside.words.extended.iter();
        let mut names = outside.flat_map(|name| AROUND.map(|around| format!("{around}{name}")));
        names.any(|name| below(&name).contains(&Some(true)))
            || self
                .classes
                .values()
                .any(|c| below(&c.name).iter().any(|b| *b != Some(false)))
    }

    /// Where a field is declared (JVMS §5.4.3.2).
    pub fn field(&self, member: &MemberRef) -> Option<DeclaredField> {
        let (all, _) = self.ancestors(&member.class);
        all.iter().find_map(|class| {
            let fields = class.fields.iter();
            let mut named =
                fields.filter(|f| f.name == member.name && f.descriptor == member.descriptor);
            named.next().map(|f| DeclaredField {
                owner: self.moved_fields.owner(&class.name, f),
                access: f.access,
            })
        })
    }

    /// Where the method that a call names is declared, with a body or without.
    pub fn declaration(&self, member: &MemberRef) -> Option<(Arc<ClassFile>, u16)> {
        let (mut all, _) = self.ancestors(&member.class);
        // Superclasses go before interfaces.
        all.sort_by_key(|c| c.access & INTERFACE != 0);
        all.iter().find_map(|class| {
            let found = class.method(&member.name, &member.descriptor)?;
            Some((class.clone(), found.access))
        })
    }

    /// Whether a part of a class's initialiser does not compile.
    pub(super) fn lost_initialiser(&self, class: &str) -> bool {
        self.outside.words.cut.initialisers.contains_key(class)
    }

    /// Whether an initialiser of the class or of an ancestor may run when the class is first used. Those of the JDK are assumed to
    /// have no visible effect.
    pub fn needs_initialising(&self, name: &str) -> bool {
        let (all, whole) = self.ancestors(name);
        let runs = |c: &&Arc<ClassFile>| {
            let has = || c.methods.iter().any(|m| &*m.name == "<clinit>");
            !is_jdk(&c.name) && (self.lost_initialiser(&c.name) || has())
        };
        !whole || all.iter().any(|c| runs(&c))
    }

    /// The only method that a call can reach, if there is one: in the project, or in a class without subclasses.
    pub fn only_target(&self, kind: InvokeKind, member: &MemberRef) -> Option<Body> {
        if matches!(kind, InvokeKind::Static | InvokeKind::Special) {
            return self.declared(member);
        }
        if !self.is_own(&member.class) {
            let body = self.declared(member)?;
            let is_final = (body.method.access | body.class.access) & FINAL != 0;
            return is_final.then_some(body);
        }
        let insn = Insn::Invoke(kind, Arc::new(member.clone()));
        let targets = self.hierarchy.targets(&insn);
        let [only] = targets.known[..] else {
            return None;
        };
        if targets.unknown {
            return None;
        }
        let (class, method) = self.hierarchy.method(only)?;
        let class = self.classes.get(&class.name)?;
        let is_final = (method.access & (PRIVATE | FINAL)) | (class.access & FINAL) != 0;
        // What overrides it has its name.
        let may_be_named = self
            .outside
            .may_implement(&self.class(&member.class), &member.name);
        if !is_final && may_be_named && !self.is_closed(&member.class) {
            return None;
        }
        body_of(class, method)
    }

    /// The method of the superclass chain that a static or special call names.
    pub(super) fn declared(&self, member: &MemberRef) -> Option<Body> {
        let mut at = Some(member.class.clone());
        while let Some(name) = at {
            let class = self.class(&name)?;
            if let Some(method) = class.method(&member.name, &member.descriptor) {
                return body_of(&class, method);
            }
            at = class.super_name.clone();
        }
        None
    }

    /// Code of a lambda's body, where a handle is to one.
    pub fn lambda(&self, handle: &MethodHandle) -> Option<Body> {
        let class = self.classes.get(&handle.class)?;
        body_of(class, lambda_body(class, handle)?)
    }

    /// A body as text for comparison, with each lambda's body in place of its number.
    pub fn text(&self, body: &Body) -> Option<String> {
        code_text(&self.classes, &body.code, 0)
    }

    /// Instructions of a lambda's body and of those in it.
    pub fn instructions(&self, body: &Body) -> Vec<Insn> {
        let mut out = Vec::new();
        let mut todo = vec![(body.clone(), 0)];
        while let Some((next, depth)) = todo.pop() {
            for insn in &next.code.insns {
                if let Insn::InvokeDynamic(site) = insn
                    && depth < MAX_NESTED
                {
                    let handles = site.args.iter().filter_map(|a| match a {
                        Const::MethodHandle(h) => self.lambda(h),
                        _ => None,
                    });
                    todo.extend(handles.map(|b| (b, depth + 1)));
                }
                out.push(insn.clone());
            }
        }
        out
    }
}

/// Names and descriptors of methods.
type Overridable = FxHashSet<(Arc<str>, Arc<str>)>;

/// The methods of a library class and its ancestors that a subclass may override; `None` if a class can't be read.
fn overridable(library: &ClassPath, class: &str) -> Option<Overridable> {
    let (mut all, mut seen) = (Overridable::default(), FxHashSet::default());
    let mut todo: Vec<Arc<str>> = vec![Arc::from(class)];
    while let Some(name) = todo.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let class = library.find(&name).ok().flatten()?;
        let open = class.methods.iter().filter(|m| m.access & PRIVATE == 0);
        all.extend(open.map(|m| (m.name.clone(), m.descriptor.clone())));
        todo.extend(class.interfaces.iter().cloned());
        todo.extend(class.super_name.clone());
    }
    Some(all)
}

/// The simple name of a class, without its outer classes.
pub(super) fn simple_name(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

pub(super) fn by_name(classes: &[Arc<ClassFile>]) -> FxHashMap<Arc<str>, Arc<ClassFile>> {
    classes
        .iter()
        .map(|c| (c.name.clone(), c.clone()))
        .collect()
}
