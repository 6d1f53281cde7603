//! Methods that read the fields which a changed method or constructor may leave otherwise: they show what no question without arguments does.

use super::callers::{accessible, id};
use crate::bytecode::access::{PUBLIC, STATIC};
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::bytecode::{BOXES, parameter_descriptors};
use crate::model::{MethodRef, Spelling};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Up to `most` accessible instance methods of the changed method's class that use an instance field which that method uses too: public
/// ones first, and of these the ones that take something. `classes` has both versions.
pub fn state_readers(
    classes: &[Arc<ClassFile>],
    changed: &MethodRef,
    is_one_sided: impl Fn(&MethodRef) -> bool,
    most: usize,
) -> Vec<MethodRef> {
    let name = changed.class.internal();
    let versions: Vec<&Arc<ClassFile>> = classes.iter().filter(|c| *c.name == *name).collect();
    let mut touched = BTreeSet::new();
    for class in &versions {
        let method = class.method(&changed.name, &changed.descriptor);
        let method = method.filter(|m| m.access & STATIC == 0);
        touched.extend(method.into_iter().flat_map(|m| fields(class, m)));
    }
    let Some(class) = versions.first().filter(|_| !touched.is_empty()) else {
        return Vec::new();
    };
    let reads = |m: &&Method| {
        let is_other = !m.is_named(&changed.name, &changed.descriptor);
        let is_instance = m.access & STATIC == 0 && !m.name.starts_with('<');
        is_other
            && is_instance
            && accessible(class, m)
            && fields(class, m).any(|f| touched.contains(&f))
    };
    let mut readers: Vec<&Method> = class.methods.iter().filter(reads).collect();
    let takes = |m: &Method| parameter_descriptors(&m.descriptor).len();
    readers.sort_by_key(|m| (m.access & PUBLIC == 0, takes(m) == 0, takes(m)));
    let named = readers.into_iter().map(|m| id(class, m));
    named.filter(|m| !is_one_sided(m)).take(most).collect()
}

/// Whether a method, in either version, puts objects into instance fields of its class of which not all is seen: others than texts and boxed
/// values.
pub fn keeps_objects(classes: &[Arc<ClassFile>], method: &MethodRef) -> bool {
    let name = method.class.internal();
    let versions = classes.iter().filter(|c| *c.name == *name);
    let mut bodies = versions.filter_map(|c| c.method(&method.name, &method.descriptor));
    bodies.any(|m| {
        let mut insns = m.code.iter().flat_map(|code| &code.insns);
        insns.any(|insn| match insn {
            Insn::PutField(f) => {
                let class = f.descriptor.strip_prefix('L');
                let class = class.and_then(|c| c.strip_suffix(';'));
                *f.class == *name && class.is_some_and(|c| !is_plain(c))
            }
            _ => false,
        })
    })
}

/// Whether objects of a class are seen whole.
fn is_plain(class: &str) -> bool {
    class == "java/lang/String" || BOXES.iter().any(|b| b.1 == class)
}

/// Names of the class's own instance fields that a method reads or writes.
fn fields<'a>(class: &'a ClassFile, method: &'a Method) -> impl Iterator<Item = Arc<str>> + 'a {
    let insns = method.code.iter().flat_map(|code| &code.insns);
    insns.filter_map(|insn| match insn {
        Insn::GetField(f) | Insn::PutField(f) if f.class == class.name => Some(f.name.clone()),
        _ => None,
    })
}
