//! Class-hierarchy analysis: possible bodies of a call, and the class that declares a field.

use crate::bytecode::access::{ABSTRACT, INTERFACE, NATIVE, PRIVATE, STATIC};
use crate::bytecode::class_file::{ClassFile, Const, Insn, InvokeKind, MemberRef, Method};
use crate::model::{MethodRef, Spelling, class_in};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

const OBJECT: &str = "java/lang/Object";

/// Bodies a call may come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Targets {
    /// Methods with a body among the known classes, in ascending order.
    pub known: Vec<u32>,
    /// Whether code outside the known classes may run.
    pub unknown: bool,
}

/// Known classes by name, with their subtypes. Methods are numbered by class name, then in order of declaration.
pub struct Hierarchy {
    classes: Vec<Arc<ClassFile>>,
    by_name: FxHashMap<Arc<str>, usize>,
    children: FxHashMap<Arc<str>, Vec<usize>>,
    /// Of each class itself and its known ancestors, superclasses first.
    above: Vec<Vec<usize>>,
    /// Those with an ancestor that isn't known, `Object` aside: they may be subtypes of any unknown type.
    open: BTreeSet<usize>,
    /// Classes that declare a method of a name, in ascending order.
    declaring: FxHashMap<Arc<str>, Vec<usize>>,
    methods: Vec<(usize, usize)>,
    first_method: Vec<u32>,
    lambdas: FxHashMap<(Arc<str>, Arc<str>), BTreeSet<u32>>,
}

impl Hierarchy {
    /// Of these classes; the first of a name counts.
    pub fn of(mut classes: Vec<Arc<ClassFile>>) -> Hierarchy {
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        classes.dedup_by(|a, b| a.name == b.name);
        let mut out = Hierarchy {
            by_name: FxHashMap::default(),
            children: FxHashMap::default(),
            above: Vec::new(),
            open: BTreeSet::new(),
            declaring: FxHashMap::default(),
            methods: Vec::new(),
            first_method: Vec::new(),
            lambdas: FxHashMap::default(),
            classes,
        };
        for (i, class) in out.classes.iter().enumerate() {
            out.by_name.insert(class.name.clone(), i);
            for parent in class.super_name.iter().chain(&class.interfaces) {
                out.children.entry(parent.clone()).or_default().push(i);
            }
            out.first_method.push(out.methods.len() as u32);
            out.methods.extend((0..class.methods.len()).map(|m| (i, m)));
            for method in &class.methods {
                let all = out.declaring.entry(method.name.clone()).or_default();
                if all.last() != Some(&i) {
                    all.push(i);
                }
            }
        }
        out.above = (0..out.classes.len()).map(|c| out.line(c)).collect();
        let is_unknown = |name: &Arc<str>| **name != *OBJECT && !out.by_name.contains_key(name);
        let is_open = |c: &usize| {
            let above = out.above[*c].iter().map(|c| &out.classes[*c]);
            let mut parents = above.flat_map(|c| c.super_name.iter().chain(&c.interfaces));
            parents.any(is_unknown)
        };
        out.open = (0..out.classes.len()).filter(is_open).collect();
        out.lambdas = out.find_lambdas();
        out
    }

    /// Bodies behind `invokedynamic`, by the interface and the name of the method that they implement.
    fn find_lambdas(&self) -> FxHashMap<(Arc<str>, Arc<str>), BTreeSet<u32>> {
        let mut out: FxHashMap<_, BTreeSet<u32>> = FxHashMap::default();
        let codes = self.classes.iter().flat_map(|c| &c.methods);
        for insn in codes.filter_map(|m| m.code.as_ref()).flat_map(|c| &c.insns) {
            if let Insn::InvokeDynamic(site) = insn {
                let result = site.descriptor.rsplit(')').next().unwrap_or_default();
                let interface = class_in(result);
                let bodies = out
                    .entry((Arc::from(interface), site.name.clone()))
                    .or_default();
                bodies.extend(self.handles(insn).known);
            }
        }
        out
    }

    /// Number of methods.
    pub fn len(&self) -> u32 {
        self.methods.len() as u32
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// A method and its class.
    pub fn method(&self, number: u32) -> Option<(&ClassFile, &Method)> {
        let (class, method) = self.methods.get(number as usize)?;
        let class = self.classes.get(*class)?;
        Some((class, class.methods.get(*method)?))
    }

    /// The number of a method.
    pub fn number(&self, id: &MethodRef) -> Option<u32> {
        let class = *self.by_name.get(id.class.internal().as_str())?;
        self.declared(class, &id.name, &id.descriptor)
    }

    fn declared(&self, class: usize, name: &str, descriptor: &str) -> Option<u32> {
        let at = self.classes[class]
            .methods
            .iter()
            .position(|m| m.is_named(name, descriptor))?;
        Some(self.first_method[class] + at as u32)
    }

    /// Of each method, whether code outside the known classes may call it although nothing known hands it to that: what overrides a
    /// method of a type that isn't known, if that may have it, what a lambda stands for, initialisers.
    pub fn called_back(&self, has: impl Fn(&str, &Method) -> bool) -> Vec<bool> {
        const OF_OBJECT: [&str; 5] = ["toString", "equals", "hashCode", "clone", "finalize"];
        let handed_out: BTreeSet<u32> = self.lambdas.values().flatten().copied().collect();
        let outside: Vec<Vec<Arc<str>>> =
            self.classes.iter().map(|c| self.outside(&c.name)).collect();
        let mut all = Vec::with_capacity(self.methods.len());
        for (at, class) in self.classes.iter().enumerate() {
            // Of all types below it, itself included.
            let below = self.subtypes(&class.name);
            let above = below.iter().flat_map(|c| &outside[*c]).map(|a| &**a);
            let above: BTreeSet<&str> = above.filter(|a| *a != OBJECT).collect();
            for (number, method) in (self.first_method[at]..).zip(&class.methods) {
                let overrides =
                    || OF_OBJECT.contains(&&*method.name) || above.iter().any(|a| has(a, method));
                let is_virtual =
                    method.access & (PRIVATE | STATIC) == 0 && &*method.name != "<init>";
                let is_handed_out = handed_out.contains(&number);
                all.push(&*method.name == "<clinit>" || is_handed_out || is_virtual && overrides());
            }
        }
        all
    }

    /// Types that aren't known from which a class inherits, itself if it isn't known.
    pub fn outside(&self, class: &str) -> Vec<Arc<str>> {
        if !self.by_name.contains_key(class) {
            return vec![Arc::from(class)];
        }
        let ancestors = self.ancestors(class).iter();
        let parents = ancestors.flat_map(|c| {
            let class = &self.classes[*c];
            class.super_name.iter().chain(&class.interfaces).cloned()
        });
        parents.filter(|p| !self.by_name.contains_key(p)).collect()
    }

    /// Whether a known class declares what a call names as a native method.
    pub fn is_native(&self, member: &MemberRef) -> bool {
        let ancestors = self.ancestors(&member.class).iter();
        let mut declared =
            ancestors.filter_map(|c| self.declared(*c, &member.name, &member.descriptor));
        declared.any(|m| self.method(m).is_some_and(|(_, m)| m.access & NATIVE != 0))
    }

    fn has_body(&self, number: u32) -> bool {
        self.method(number).is_some_and(|(_, m)| m.code.is_some())
    }

    /// The class that declares a field: up the known superclasses and interfaces, else the owner as written.
    pub fn field_owner(&self, field: &MemberRef) -> Arc<str> {
        self.ancestors(&field.class)
            .iter()
            .copied()
            .find(|c| {
                let declared = self.classes[*c].field(&field.name, &field.descriptor);
                declared.is_some()
            })
            .map_or(field.class.clone(), |c| self.classes[c].name.clone())
    }

    /// A class and its known ancestors, superclasses first.
    fn line(&self, class: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = Some(class);
        while let Some(c) = at.filter(|c| !found.contains(c)) {
            found.push(c);
            let parent = self.classes[c].super_name.as_ref();
            at = parent.and_then(|p| self.by_name.get(p).copied());
        }
        let mut i = 0;
        while let Some(&c) = found.get(i) {
            for interface in &self.classes[c].interfaces {
                if let Some(&known) = self.by_name.get(interface)
                    && !found.contains(&known)
                {
                    found.push(known);
                }
            }
            i += 1;
        }
        found
    }

    /// The same by name; empty for a class that isn't known.
    fn ancestors(&self, class: &str) -> &[usize] {
        let known = self.by_name.get(class);
        known.map_or(&[], |c| &self.above[*c])
    }

    /// Whether a class has an ancestor that isn't known, `Object` aside: it may then be a subtype of any unknown type.
    fn has_unknown_ancestor(&self, class: &str) -> bool {
        let known = self.by_name.get(class);
        known.is_some_and(|c| self.open.contains(c))
    }

    /// All known subtypes of a type, itself included where it is known.
    fn subtypes(&self, class: &str) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = self.by_name.get(class).copied().into_iter().collect();
        let mut work: Vec<Arc<str>> = vec![Arc::from(class)];
        while let Some(name) = work.pop() {
            for &child in self.children.get(&name).into_iter().flatten() {
                if found.insert(child) {
                    work.push(self.classes[child].name.clone());
                }
            }
        }
        found
    }

    /// Bodies that an instruction may enter: by a call, by a lambda or method reference it makes, or by initialising a class.
    pub fn targets(&self, insn: &Insn) -> Targets {
        match insn {
            Insn::Invoke(kind, member) => {
                let mut out = self.invoked(*kind, member);
                if *kind == InvokeKind::Static {
                    self.add_initialiser(&member.class, &mut out);
                }
                out
            }
            Insn::InvokeDynamic(_) => self.handles(insn),
            Insn::GetStatic(f) | Insn::PutStatic(f) => {
                let mut out = Targets::default();
                self.add_initialiser(&self.field_owner(f), &mut out);
                out
            }
            Insn::New(class) => {
                let mut out = Targets::default();
                self.add_initialiser(class, &mut out);
                out
            }
            // Its bootstrap method runs.
            Insn::Const(Const::Dynamic(_)) => Targets {
                known: Vec::new(),
                unknown: true,
            },
            _ => Targets::default(),
        }
    }

    /// Initialisers run the first time a class is used: its own, and those of its superclasses and interfaces.
    fn add_initialiser(&self, class: &str, out: &mut Targets) {
        out.unknown |= !self.by_name.contains_key(class) || self.has_unknown_ancestor(class);
        for c in self.ancestors(class) {
            out.known.extend(self.declared(*c, "<clinit>", "()V"));
        }
        out.known.sort_unstable();
        out.known.dedup();
    }

    fn invoked(&self, kind: InvokeKind, member: &MemberRef) -> Targets {
        let mut out = Targets::default();
        // Cloning an array and making a plain object run nothing else.
        let is_object = &*member.class == OBJECT && &*member.name == "<init>";
        if is_object || (member.class.starts_with('[') && &*member.name == "clone") {
            return out;
        }
        let ancestors = self.ancestors(&member.class);
        let resolved = ancestors
            .iter()
            .find_map(|c| self.declared(*c, &member.name, &member.descriptor));
        let mut known: BTreeSet<u32> = resolved.into_iter().collect();
        if matches!(kind, InvokeKind::Virtual | InvokeKind::Interface) {
            known.extend(self.overriders(member));
        }
        let is_abstract = resolved.is_some_and(|r| {
            self.method(r)
                .is_some_and(|(_, m)| m.access & ABSTRACT != 0)
        });
        known.retain(|m| self.has_body(*m));
        out.unknown = match resolved {
            None => true,
            Some(_) if is_abstract => known.is_empty(),
            // A native method, or what only a subclass declares.
            Some(r) => !self.has_body(r),
        };
        out.known = known.into_iter().collect();
        out
    }

    fn overriders(&self, member: &MemberRef) -> BTreeSet<u32> {
        let mut found: BTreeSet<u32> = BTreeSet::new();
        if let Some(declaring) = self.declaring.get(&member.name) {
            let mut receivers = self.subtypes(&member.class);
            if !self.by_name.contains_key(&member.class) {
                receivers.extend(&self.open);
            }
            let selected = receivers
                .iter()
                .flat_map(|c| self.selected(*c, member, declaring));
            found.extend(selected);
        }
        let lambda = self
            .lambdas
            .get(&(member.class.clone(), member.name.clone()));
        found.extend(lambda.into_iter().flatten());
        found
    }

    /// What a call selects in an object of a class (JVMS §5.4.6): a superclass's method goes before those of interfaces,
    /// which are all taken, as their order of precedence is not worth the exactness. `declaring` are the classes with a method of the
    /// name.
    fn selected(&self, class: usize, member: &MemberRef, declaring: &[usize]) -> Vec<u32> {
        let mut from_interfaces = Vec::new();
        let above = self.above[class].iter().copied();
        for c in above.filter(|c| declaring.binary_search(c).is_ok()) {
            let Some(found) = self.declared(c, &member.name, &member.descriptor) else {
                continue;
            };
            if self.classes[c].access & INTERFACE == 0 && from_interfaces.is_empty() {
                return vec![found];
            }
            from_interfaces.push(found);
        }
        from_interfaces
    }

    /// Bodies whose handles an `invokedynamic` passes to its bootstrap method. Who calls them is not known here.
    fn handles(&self, insn: &Insn) -> Targets {
        let mut out = Targets::default();
        let Insn::InvokeDynamic(site) = insn else {
            return out;
        };
        // Strings are joined by calling `toString` on any object.
        out.unknown = !matches!(&*site.bootstrap.name, "metafactory" | "altMetafactory");
        for argument in &site.args {
            if let Const::MethodHandle(handle) = argument {
                let member = MemberRef {
                    class: handle.class.clone(),
                    name: handle.name.clone(),
                    descriptor: handle.descriptor.clone(),
                };
                let kind = match handle.kind {
                    5 | 9 => InvokeKind::Virtual,
                    6 => InvokeKind::Static,
                    7 | 8 => InvokeKind::Special,
                    _ => continue,
                };
                let mut more = self.invoked(kind, &member);
                if matches!(handle.kind, 6 | 8) {
                    self.add_initialiser(&member.class, &mut more);
                }
                out.known.extend(more.known);
                out.unknown |= more.unknown;
            }
        }
        out.known.sort_unstable();
        out.known.dedup();
        out
    }
}

#[cfg(test)]
mod tests;
