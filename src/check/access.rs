//! Whom a method is open to.

use crate::bytecode::access::{PROTECTED, PUBLIC, STATIC};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::model::{MethodRef, Spelling};
use std::collections::BTreeSet;

/// The access flags of a method as callers elsewhere meet them: nothing is public in a class that is not, or inside of such a class, but
/// for what they can call by a public type above.
pub(super) fn access(classes: &ClassPath, id: &MethodRef) -> Option<u16> {
    let name = id.class.internal();
    let class = classes.find(&name).ok()??;
    let flags = class.method(&id.name, &id.descriptor)?.access;
    let is_met = is_public_class(classes, &name)
        || flags & (PUBLIC | STATIC) == PUBLIC && is_called_from_above(classes, &class, id);
    match is_met {
        true => Some(flags),
        false => Some(flags & !(PUBLIC | PROTECTED)),
    }
}

/// Whether a class and those around it are public; those that are not known count as such.
fn is_public_class(classes: &ClassPath, name: &str) -> bool {
    let mut all = name
        .match_indices('$')
        .map(|(at, _)| &name[..at])
        .chain([name]);
    all.all(|name| match classes.find(name) {
        Ok(Some(class)) => class.access & PUBLIC != 0,
        _ => true,
    })
}

/// Whether a public type above the class has a method that this one overrides. What every object has makes nothing public.
fn is_called_from_above(classes: &ClassPath, class: &ClassFile, id: &MethodRef) -> bool {
    let parameters = parameter_descriptors(&id.descriptor).len();
    // By its parameters' number: where the type above is generic, their descriptors are others.
    let is_that = |m: &Method| {
        *m.name == *id.name
            && m.access & PUBLIC != 0
            && m.access & STATIC == 0
            && parameter_descriptors(&m.descriptor).len() == parameters
    };
    let above = |class: &ClassFile| -> Vec<_> {
        let names = class.super_name.iter().chain(&class.interfaces);
        names
            .filter(|n| &***n != "java/lang/Object")
            .cloned()
            .collect()
    };
    let (mut next, mut seen) = (above(class), BTreeSet::new());
    while let Some(name) = next.pop() {
        let Ok(Some(at)) = classes.find(&name) else {
            continue;
        };
        if is_public_class(classes, &name) && at.methods.iter().any(is_that) {
            return true;
        }
        if seen.insert(name) {
            next.extend(above(&at));
        }
    }
    false
}
