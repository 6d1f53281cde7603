//! Fields that moved up or down a class hierarchy: objects of a class have such a field in both versions, declared by one class or the
//! other, so each is read and written as the one that the class above declares.
//!
//! No object may have two fields that become one.

use super::uncompiled::Identifiers;
use crate::bytecode::access::{FINAL, STATIC, VOLATILE};
use crate::bytecode::class_file::{ClassFile, Field};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Classes of one version by name.
type Classes<'a> = &'a FxHashMap<Arc<str>, Arc<ClassFile>>;

/// A field's class, name and descriptor.
type Key = (Arc<str>, Arc<str>, Arc<str>);

/// The classes above that declare fields in the other version, by the fields of this one.
#[derive(Clone, Debug, Default)]
pub(super) struct MovedFields(BTreeMap<Key, Arc<str>>);

impl MovedFields {
    /// Finds the fields of one version that the other version declares above, except those that code outside the builds may name.
    pub(super) fn of(mine: Classes, theirs: Classes, outside: &Identifiers) -> MovedFields {
        let mut out = MovedFields::default();
        for class in mine.values() {
            let Some(twin) = theirs.get(&class.name) else {
                continue;
            };
            for field in &class.fields {
                if field.access & STATIC == 0
                    && !outside.contains(&*field.name)
                    && let Some(above) = moved_to((mine, class), (theirs, twin), field)
                {
                    let key = (
                        class.name.clone(),
                        field.name.clone(),
                        field.descriptor.clone(),
                    );
                    out.0.insert(key, above);
                }
            }
        }
        // Of two such fields in one object each would hide the other.
        let lines = mine.values().map(|c| line(mine, c));
        let doubled: Vec<Key> = lines.flat_map(|l| out.doubled(&l)).collect();
        out.0.retain(|(_, name, descriptor), to| {
            !doubled.contains(&(to.clone(), name.clone(), descriptor.clone()))
        });
        out
    }

    /// Fields that would be doubled in an object whose classes are these, by the class above.
    fn doubled(&self, line: &[Arc<ClassFile>]) -> Vec<Key> {
        let mut count: BTreeMap<Key, usize> = BTreeMap::new();
        for class in line {
            for field in &class.fields {
                let (name, descriptor) = (field.name.clone(), field.descriptor.clone());
                let key = (class.name.clone(), name.clone(), descriptor.clone());
                let owner = self.0.get(&key).unwrap_or(&class.name).clone();
                *count.entry((owner, name, descriptor)).or_default() += 1;
            }
        }
        count.into_iter().filter(|c| c.1 > 1).map(|c| c.0).collect()
    }

    /// The class that stands for the one which declares a field.
    pub(super) fn owner(&self, class: &Arc<str>, field: &Field) -> Arc<str> {
        let key = (class.clone(), field.name.clone(), field.descriptor.clone());
        self.0.get(&key).unwrap_or(class).clone()
    }

    /// Each field with the class that stands for its own, by class and name.
    pub(super) fn names(&self) -> impl Iterator<Item = (String, String)> {
        let all = self.0.iter();
        all.map(|((class, name, _), to)| (format!("{class}.{name}"), format!("{to}.{name}")))
    }
}

/// A class and those of the project above it, in order.
fn line(own: Classes, class: &Arc<ClassFile>) -> Vec<Arc<ClassFile>> {
    let mut out = vec![class.clone()];
    let mut at = class.super_name.as_ref();
    while let Some(above) = at.and_then(|name| own.get(name)) {
        out.push(above.clone());
        at = above.super_name.as_ref();
    }
    out
}

/// The only class above that declares a field in the other version, where the class itself and all above it do not in this one.
fn moved_to(
    (mine, class): (Classes, &Arc<ClassFile>),
    (theirs, twin): (Classes, &Arc<ClassFile>),
    field: &Field,
) -> Option<Arc<str>> {
    let declares = |c: &&Arc<ClassFile>| c.fields.iter().any(|f| f.name == field.name);
    let (before, after) = (line(mine, class), line(theirs, twin));
    let mut others = after.iter().filter(declares);
    let (above, more) = (others.next()?, others.next());
    let fixed = STATIC | FINAL | VOLATILE;
    let same = |f: &Field| {
        f.name == field.name
            && f.descriptor == field.descriptor
            && (f.access ^ field.access) & fixed == 0
    };
    let lacks = |own: Classes| own.get(&above.name).is_none_or(|c| !declares(&c));
    let alone = before.iter().filter(declares).count() == 1;
    let fits = more.is_none() && above.name != twin.name && above.fields.iter().any(same);
    (fits && alone && lacks(mine)).then(|| above.name.clone())
}
