//! The access flags of a method as code outside of its class meets them.

use crate::bytecode::access::{PROTECTED, PUBLIC, STATIC};
use crate::bytecode::class_file::Method;
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::model::{MethodRef, Spelling};

/// The access flags of a method as callers elsewhere meet them: nothing is public in a class that is not, or inside of such a class, but
/// for what they can call by a public type above.
pub(super) fn access(classes: &ClassPath, id: &MethodRef) -> Option<u16> {
    let name = id.class.internal();
    let class = classes.find(&name).ok()??;
    let flags = class.method(&id.name, &id.descriptor)?.access;
    let is_met = is_public_class(classes, &name)
        || flags & (PUBLIC | STATIC) == PUBLIC && is_called_from_above(classes, id);
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
fn is_called_from_above(classes: &ClassPath, id: &MethodRef) -> bool {
    let parameters = parameter_descriptors(&id.descriptor).len();
    // By its parameters' number: where the type above is generic, their descriptors are others.
    let is_that = |m: &Method| {
        *m.name == *id.name
            && m.access & PUBLIC != 0
            && m.access & STATIC == 0
            && parameter_descriptors(&m.descriptor).len() == parameters
    };
    let line = classes.line(&id.class.internal());
    let mut above = line.iter().skip(1).filter(|n| &***n != "java/lang/Object");
    above.any(|name| {
        let found = classes.find(name).ok().flatten();
        is_public_class(classes, name) && found.is_some_and(|c| c.methods.iter().any(is_that))
    })
}
