//! The fields of a linked class, and the versions that have them.

use crate::bytecode::class_file::Field;
use crate::model::Version;
use crate::symex::class::{Class, FieldSlot, StaticSlot, access};
use crate::symex::value::shadow::Shadow;

/// Whether references to one mean the other (JVMS §5.4.3.2).
pub(in crate::symex) fn same_field(a: &Field, b: &Field) -> bool {
    a.name == b.name && a.descriptor == b.descriptor && (a.access ^ b.access) & access::STATIC == 0
}

/// Inherited fields of a class whose superclass is another in each version: each is there for the versions that inherit it.
pub(in crate::symex) fn joined_layout(old: &[FieldSlot], new: &[FieldSlot]) -> Vec<FieldSlot> {
    let inherits = |layout: &[FieldSlot], slot: &FieldSlot| layout.iter().any(|s| s.is_same(slot));
    let alone = |slot: &FieldSlot, version: Version| FieldSlot {
        only: Some(version),
        ..slot.clone()
    };
    let of_new = new.iter().filter_map(|slot| match slot.only {
        _ if inherits(old, slot) => Some(slot.clone()),
        Some(Version::Old) => None,
        _ => Some(alone(slot, Version::New)),
    });
    let of_old = old.iter().filter(|slot| !inherits(new, slot));
    let of_old = of_old.filter(|slot| slot.only != Some(Version::New));
    of_new
        .chain(of_old.map(|slot| alone(slot, Version::Old)))
        .collect()
}

/// Adds declared fields; `other` says whose fields these are and what the other version has.
pub(in crate::symex) fn add_fields(
    class: &mut Class,
    fields: &[Field],
    other: Option<(Version, &[Field])>,
) {
    for field in fields {
        let twin = other.and_then(|(_, fields)| fields.iter().find(|f| same_field(f, field)));
        if field.access & access::STATIC != 0 {
            let constant = match (other, twin) {
                (Some(_), Some(twin)) => {
                    Shadow::join(twin.constant.clone(), field.constant.clone())
                }
                _ => Shadow::Same(field.constant.clone()),
            };
            let (name, descriptor) = (field.name.clone(), field.descriptor.clone());
            class.statics.push(StaticSlot {
                name,
                descriptor,
                is_final: field.access & access::FINAL != 0,
                constant,
            });
        } else {
            let only = other.and_then(|(v, _)| if twin.is_some() { None } else { Some(v) });
            class.layout.push(FieldSlot {
                class: class.name.clone(),
                name: field.name.clone(),
                descriptor: field.descriptor.clone(),
                access: field.access,
                only,
            });
        }
    }
}
