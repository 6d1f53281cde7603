//! Families of methods that were renamed together: a method, and all that override it or are overridden by it.

use super::changes::is_above;
use super::uncompiled::Identifiers;
use crate::bytecode::ClassPath;
use crate::bytecode::access::{ANNOTATION, NATIVE};
use crate::bytecode::class_file::ClassFile;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Methods that the JVM and the JDK find by their names, without a literal in the project.
pub(super) const FOUND_BY_NAME: [&str; 8] = [
    "finalize",
    "main",
    "premain",
    "readObject",
    "readObjectNoData",
    "readResolve",
    "writeObject",
    "writeReplace",
];

/// A family that can take another name.
pub(super) struct Family {
    /// The classes through which its methods can be called.
    pub(super) users: Vec<Arc<str>>,
    /// These, and all above them.
    pub(super) all: Vec<Arc<str>>,
    /// Descriptors of its methods.
    pub(super) descriptors: BTreeSet<Arc<str>>,
}

/// The classes of one build with what is above and below each.
pub(super) struct Families<'a> {
    classes: BTreeMap<&'a str, &'a Arc<ClassFile>>,
    /// Direct supertypes and subtypes among them.
    above: BTreeMap<&'a str, Vec<&'a str>>,
    below: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Families<'a> {
    /// The families of a build.
    pub(super) fn of(classes: &'a [Arc<ClassFile>]) -> Families<'a> {
        let mut out = Families {
            classes: classes.iter().map(|c| (&*c.name, c)).collect(),
            above: BTreeMap::new(),
            below: BTreeMap::new(),
        };
        for class in classes {
            for parent in class.super_name.iter().chain(&class.interfaces) {
                if out.classes.contains_key(&**parent) {
                    out.above.entry(&class.name).or_default().push(parent);
                    out.below.entry(parent).or_default().push(&class.name);
                }
            }
        }
        out
    }

    /// The family of a class's methods of one name, if all of it can take another name: no class of the build among its users or
    /// above has a method of that one, none beyond the build has one of either name, and no code outside names them.
    pub(super) fn renamable(
        &self,
        (class, from, to): (&str, &str, &str),
        library: &ClassPath,
        outside: &Identifiers,
    ) -> Option<Family> {
        let is_fixed = |name: &str| FOUND_BY_NAME.contains(&name) || outside.contains(name);
        if is_fixed(from) || is_fixed(to) {
            return None;
        }
        let has = |name: &str, method: &str| {
            let class = self.classes.get(name);
            class.is_some_and(|c| declares(c, method))
        };
        let mut declaring: BTreeSet<&str> = self
            .classes
            .get_key_value(class)
            .map(|c| *c.0)
            .into_iter()
            .collect();
        let (users, all) = loop {
            let users = closure(&declaring, &self.below);
            let all = closure(&users, &self.above);
            let found: BTreeSet<&str> = all.iter().filter(|n| has(n, from)).copied().collect();
            if found == declaring {
                break (users, all);
            }
            declaring.extend(found);
        };
        let in_build = |name: &str| self.classes.get(name).copied();
        let beyond = |c: &ClassFile| {
            !self.classes.contains_key(&*c.name) && (declares(c, from) || declares(c, to))
        };
        let takes = |name: &&str| {
            let class = self.classes[*name];
            !has(name, to)
                && class.access & ANNOTATION == 0
                && !is_above(library, in_build, class, &beyond)
        };
        if !all.iter().all(takes) {
            return None;
        }
        let methods = declaring.iter().flat_map(|n| &self.classes[n].methods);
        let named: Vec<_> = methods.filter(|m| *m.name == *from).collect();
        if named.iter().any(|m| m.access & NATIVE != 0) {
            return None;
        }
        let names = |of: &BTreeSet<&str>| of.iter().map(|n| Arc::from(*n)).collect();
        Some(Family {
            users: names(&users),
            all: names(&all),
            descriptors: named.iter().map(|m| m.descriptor.clone()).collect(),
        })
    }
}

fn declares(class: &ClassFile, method: &str) -> bool {
    class.methods.iter().any(|m| *m.name == *method)
}

/// What can be reached from classes along a relation, those included.
fn closure<'a>(
    from: &BTreeSet<&'a str>,
    relation: &BTreeMap<&'a str, Vec<&'a str>>,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut todo: Vec<&'a str> = from.iter().copied().collect();
    while let Some(name) = todo.pop() {
        if found.insert(name) {
            todo.extend(relation.get(name).into_iter().flatten());
        }
    }
    found
}
