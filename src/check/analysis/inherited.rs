//! Methods that a class has from above, and which of them become others when its superclass or interfaces change.

use crate::bytecode::access::INTERFACE;
use crate::bytecode::access::{ABSTRACT, PRIVATE, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{ClassPath, is_numbered, same_code};
use crate::error::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A version's classes and what they stand on.
pub(super) struct Build<'a> {
    pub classes: &'a ClassPath,
    pub library: &'a ClassPath,
}

/// Methods by name and descriptor, with the class that declares each.
type Inherited = BTreeMap<(Arc<str>, Arc<str>), (Arc<str>, Method)>;

impl Build<'_> {
    /// Whether a class without the method inherits one with a body, so that adding or removing it changes what a call does.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn inherits(&self, class: &ClassFile, method: &Method) -> Result<bool, Error> {
        if matches!(&*method.name, "<init>" | "<clinit>") || method.access & (PRIVATE | STATIC) != 0
        {
            return Ok(&*method.name == "<clinit>");
        }
        let mut at = class.super_name.clone();
        while let Some(name) = at {
            let Some(parent) = self.find(&name)? else {
                return Ok(false);
            };
            let twin = parent.method(&method.name, &method.descriptor);
            if twin.is_some_and(|m| m.code.is_some()) {
                return Ok(true);
            }
            at = parent.super_name.clone();
        }
        let key = (method.name.clone(), method.descriptor.clone());
        let of_interface = self.inherited(class)?.remove(&key);
        Ok(of_interface.is_some_and(|(_, m)| m.code.is_some()))
    }

    fn find(&self, name: &str) -> Result<Option<Arc<ClassFile>>, Error> {
        match self.classes.find(name)? {
            Some(own) => Ok(Some(own)),
            None => Ok(self.library.find(name)?),
        }
    }

    /// What the class inherits and could run, superclasses before interfaces (JVMS §5.4.6).
    fn inherited(&self, class: &ClassFile) -> Result<Inherited, Error> {
        let mut all = Inherited::new();
        let mut interfaces = class.interfaces.clone();
        let mut at = class.super_name.clone();
        while let Some(parent) = at.map(|name| self.find(&name)).transpose()?.flatten() {
            add(&mut all, &parent);
            interfaces.extend(parent.interfaces.iter().cloned());
            at = parent.super_name.clone();
        }
        let mut next = 0;
        while let Some(name) = interfaces.get(next).cloned() {
            next += 1;
            if let Some(interface) = self.find(&name)? {
                add(&mut all, &interface);
                let above = interface.interfaces.iter();
                let more: Vec<_> = above.filter(|i| !interfaces.contains(i)).cloned().collect();
                interfaces.extend(more);
            }
        }
        Ok(all)
    }
}

/// Whether a class without a name has that of quite another one: of a class that the source does not name, the number tells its place
/// alone (JLS §13.1).
fn are_others(
    (old, a): (&Build, &ClassFile),
    (new, b): (&Build, &ClassFile),
) -> Result<bool, Error> {
    if !is_numbered(&b.name) {
        return Ok(false);
    }
    let over_a = a.above(|name| old.find(name))?;
    let over_b = b.above(|name| new.find(name))?;
    let within = |class: &ClassFile, all: &BTreeSet<Arc<str>>| {
        class.parents().all(|name| all.contains(name))
    };
    Ok(!within(a, &over_b) && !within(b, &over_a))
}

fn add(all: &mut Inherited, class: &ClassFile) {
    let closed = PRIVATE | STATIC | ABSTRACT | SYNTHETIC;
    let open = |m: &&Method| m.access & closed == 0 && !m.name.starts_with('<');
    for method in class.methods.iter().filter(open) {
        all.entry((method.name.clone(), method.descriptor.clone()))
            .or_insert_with(|| (class.name.clone(), method.clone()));
    }
}

/// Methods that neither version of a class declares and that it inherits from elsewhere in the new one, with other code.
///
/// # Errors
/// A class file can't be read.
pub(super) fn inherited_anew(
    (old, a): (&Build, &ClassFile),
    (new, b): (&Build, &ClassFile),
) -> Result<Vec<Method>, Error> {
    if (a.access | b.access) & INTERFACE != 0
        || a.super_name == b.super_name && a.interfaces == b.interfaces
        || are_others((old, a), (new, b))?
    {
        return Ok(Vec::new());
    }
    let (before, after) = (old.inherited(a)?, new.inherited(b)?);
    let declared =
        |key: &(Arc<str>, Arc<str>)| [a, b].iter().any(|c| c.method(&key.0, &key.1).is_some());
    let others = after.into_iter().filter(|(key, (owner, method))| {
        let twin = before.get(key);
        let other = |(from, m): &(Arc<str>, Method)| from != owner && !same_code(m, method);
        !declared(key) && twin.is_some_and(other)
    });
    Ok(others.map(|(_, (_, method))| method).collect())
}
