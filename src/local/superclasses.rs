//! Classes with other supertypes: what their objects inherit in one version only, and what another class gives them in each.

use super::changes::{Classes, is_above};
use crate::bytecode::access::{INTERFACE, PRIVATE, STATIC};
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::{ClassPath, is_jdk};
use crate::impact;
use crate::model::MethodRef;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The method that the JVM calls on objects that have it.
const CALLED_BY_NAME: &str = "finalize";

/// Interfaces without methods that the JDK looks at in few places: writing objects, which may come to anything (`impact::call`),
/// and `Object.clone`.
const MARKERS: [&str; 2] = ["java/io/Serializable", "java/lang/Cloneable"];

/// A member's name and descriptor.
pub(super) type Key = (Arc<str>, Arc<str>);

/// What classes with other supertypes mean for a patch.
#[derive(Clone, Debug, Default)]
pub(super) struct Inheritance {
    /// Types above them in one version only.
    pub(super) lone: BTreeSet<Arc<str>>,
    /// Bodies that objects run in one version where they run another in the other version.
    pub(super) bodies: BTreeSet<MethodRef>,
    /// Names of members that are inherited in one version only.
    pub(super) members: BTreeSet<String>,
    /// Methods that may be other ones in each version, which no mark of a body tells.
    pub(super) methods: BTreeSet<Key>,
    /// Fields that may be other ones in each version.
    pub(super) fields: BTreeSet<Key>,
    /// Classes whose first use runs another initialiser in one version.
    pub(super) started: BTreeSet<Arc<str>>,
    /// Whether some of the types are a library's, which may ask for them anywhere.
    pub(super) of_library: bool,
}

impl Inheritance {
    pub(super) fn extend(&mut self, more: Inheritance) {
        self.lone.extend(more.lone);
        self.bodies.extend(more.bodies);
        self.members.extend(more.members);
        self.methods.extend(more.methods);
        self.fields.extend(more.fields);
        self.started.extend(more.started);
        self.of_library |= more.of_library;
    }
}

/// Two builds that are compared.
pub(super) struct Builds<'a> {
    pub(super) own: [Classes<'a>; 2],
    pub(super) library: &'a ClassPath,
}

/// A class and all above it, in the order in which members are looked for.
struct Line {
    all: Vec<Arc<ClassFile>>,
}

impl Line {
    fn names(&self) -> BTreeSet<Arc<str>> {
        self.all.iter().map(|c| c.name.clone()).collect()
    }

    /// Superclasses, the class itself included, without some.
    fn spine(&self, without: &BTreeSet<Arc<str>>) -> Vec<Arc<str>> {
        let classes = self.all.iter().filter(|c| c.access & INTERFACE == 0);
        let names = classes.map(|c| c.name.clone());
        names.filter(|n| !without.contains(n)).collect()
    }

    /// The class whose method objects of this class run, or that a static call runs.
    fn selected(&self, (name, descriptor): &Key) -> Option<&Arc<ClassFile>> {
        let has = |c: &&Arc<ClassFile>| {
            let found = c.method(name, descriptor);
            found.is_some_and(|m| m.code.is_some() && m.access & PRIVATE == 0)
        };
        self.all.iter().find(has)
    }

    /// Whether no class but several interfaces have a method with a body.
    fn has_several_defaults(&self, key: &Key) -> bool {
        let has = |c: &&Arc<ClassFile>| {
            let found = c.method(&key.0, &key.1);
            found.is_some_and(|m| m.code.is_some() && m.access & (PRIVATE | STATIC) == 0)
        };
        let is_interface = |c: &Arc<ClassFile>| c.access & INTERFACE != 0;
        let selected = self.selected(key);
        selected.is_some_and(is_interface) && self.all.iter().filter(has).count() > 1
    }

    /// The types that declare a field.
    fn declaring(&self, (name, descriptor): &Key) -> Vec<&Arc<str>> {
        let has = |c: &&Arc<ClassFile>| {
            let mut fields = c.fields.iter();
            fields.any(|f| f.name == *name && f.descriptor == *descriptor)
        };
        let all = self.all.iter().filter(has);
        all.map(|c| &c.name).collect()
    }
}

impl Builds<'_> {
    /// A class and all above it, superclasses first; `None` if one can't be read.
    fn line(&self, version: usize, class: &Arc<str>) -> Option<Line> {
        let read = |name: &Arc<str>| match self.own[version].get(name) {
            Some(own) => Some(own.clone()),
            None => self.library.find(name).ok().flatten(),
        };
        let mut all: Vec<Arc<ClassFile>> = Vec::new();
        let mut at = Some(class.clone());
        while let Some(name) = at {
            let found = read(&name)?;
            at = found.super_name.clone();
            all.push(found);
        }
        let mut todo: Vec<Arc<str>> = all.iter().flat_map(|c| c.interfaces.clone()).collect();
        while let Some(name) = todo.pop() {
            if all.iter().any(|c| c.name == name) {
                continue;
            }
            let found = read(&name)?;
            todo.extend(found.interfaces.iter().cloned());
            all.push(found);
        }
        Some(Line { all })
    }

    /// What it means that a class has other supertypes; `None` if not all is known of that.
    pub(super) fn compare(&self, class: &ClassFile) -> Option<Inheritance> {
        let mut out = Inheritance::default();
        let is_it = |c: &ClassFile| c.name == class.name;
        for name in self.own[0].keys().filter(|n| self.own[1].contains_key(*n)) {
            let below = |own: &Classes| {
                let own = *own;
                own.get(name)
                    .is_some_and(|c| is_it(c) || is_above(self.library, |n| own.get(n), c, &is_it))
            };
            if self.own.iter().any(below) {
                self.compare_lines(name, &mut out)?;
            }
        }
        Some(out)
    }

    fn compare_lines(&self, class: &Arc<str>, out: &mut Inheritance) -> Option<()> {
        let lines = [self.line(0, class)?, self.line(1, class)?];
        let names = [lines[0].names(), lines[1].names()];
        let lone: BTreeSet<Arc<str>> = names[0].symmetric_difference(&names[1]).cloned().collect();
        if lines[0].spine(&lone) != lines[1].spine(&lone) {
            return None;
        }
        let (mut methods, mut fields) = (BTreeSet::new(), BTreeSet::new());
        for version in [0, 1] {
            for above in lines[version].all.iter().filter(|c| lone.contains(&c.name)) {
                let is_own = self.own[version].contains_key(&above.name);
                out.of_library |= !is_own && !MARKERS.contains(&&*above.name);
                if !is_jdk(&above.name) && above.method("<clinit>", "()V").is_some() {
                    out.started.insert(class.clone());
                }
                out.lone.insert(above.name.clone());
                let seen = above.methods.iter().filter(|m| m.access & PRIVATE == 0);
                let seen: Vec<_> = seen.filter(|m| !m.name.starts_with('<')).collect();
                if seen.iter().any(|m| &*m.name == CALLED_BY_NAME) {
                    return None;
                }
                let seen = seen.into_iter();
                methods.extend(seen.map(|m| ((m.name.clone(), m.descriptor.clone()), m.access)));
                let all = above.fields.iter();
                fields.extend(all.map(|f| (f.name.clone(), f.descriptor.clone())));
            }
        }
        for key in fields {
            out.members.insert(key.0.to_string());
            if !has_one_meaning(&lines, &key) {
                out.fields.insert(key);
            }
        }
        let keys: BTreeMap<Key, u16> = methods.into_iter().collect();
        for (key, access) in keys {
            out.members.insert(key.0.to_string());
            match self.compare_methods(&lines, &key) {
                Some(bodies) if access & STATIC == 0 || bodies.is_empty() => {
                    out.bodies.extend(bodies);
                }
                _ => {
                    out.methods.insert(key);
                }
            }
        }
        Some(())
    }

    /// The bodies that objects of a class run in one version each, if these are not compared as one method that moved.
    fn compare_methods(&self, lines: &[Line; 2], key: &Key) -> Option<Vec<MethodRef>> {
        // Which of several interfaces gives an object its method is not looked into.
        if lines.iter().any(|l| l.has_several_defaults(key)) {
            return None;
        }
        let [Some(a), Some(b)] = [0, 1].map(|v| lines[v].selected(key)) else {
            return Some(Vec::new());
        };
        let lost = |version: usize, owner: &Arc<ClassFile>| {
            let twin = self.own[version].get(&owner.name);
            twin.is_some_and(|t| t.method(&key.0, &key.1).is_none())
        };
        // A class that has the method in one version only is compared with what its own objects run in the other.
        let moved = |version: usize, owner: &Arc<ClassFile>, other: &Arc<ClassFile>| {
            let line = self.line(version, &owner.name);
            let selects = |l: &Line| l.selected(key).is_some_and(|c| c.name == other.name);
            lost(version, owner) && line.as_ref().is_some_and(selects)
        };
        if a.name == b.name || moved(1, a, b) || moved(0, b, a) {
            return Some(Vec::new());
        }
        let bodies = [(0, a), (1, b)].into_iter().filter_map(|(version, owner)| {
            let owner = self.own[version].get(&owner.name)?;
            Some(impact::id(owner, owner.method(&key.0, &key.1)?))
        });
        let bodies: Vec<MethodRef> = bodies.collect();
        (!bodies.is_empty()).then_some(bodies)
    }
}

/// Whether a field that a type has in one version only is not hidden by another, nor hides one.
fn has_one_meaning(lines: &[Line; 2], key: &Key) -> bool {
    lines.iter().all(|l| l.declaring(key).len() < 2)
}
