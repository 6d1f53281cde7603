//! Pairs of fields that were renamed: those of a type that only one version has, in order, where there are as many.

use crate::bytecode::access::{STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Field};
use crate::model::CAPTURED;

/// The pairs of a class, each field once.
pub(super) fn fields_of<'a>(old: &'a ClassFile, new: &'a ClassFile) -> Vec<(&'a Field, &'a Field)> {
    let lacks = |f: &&Field, c: &ClassFile| !c.fields.iter().any(|g| g.name == f.name);
    let mine: Vec<&Field> = old.fields.iter().filter(|f| lacks(f, new)).collect();
    let theirs: Vec<&Field> = new.fields.iter().filter(|f| lacks(f, old)).collect();
    let mut out: Vec<(&Field, &Field)> = Vec::new();
    for a in &mine {
        let twin = theirs.iter().find(|b| is_captured_as(a, b));
        out.extend(twin.map(|b| (*a, *b)));
    }
    let done = out.clone();
    let is_left = |f: &&&Field| {
        !done
            .iter()
            .any(|p| p.0.name == f.name || p.1.name == f.name)
    };
    for a in mine.iter().filter(is_left) {
        let alike = |b: &&&Field| {
            let flags = match is_of_javac(a) || is_of_javac(b) {
                true => STATIC,
                false => STATIC | SYNTHETIC,
            };
            a.descriptor == b.descriptor && (a.access ^ b.access) & flags == 0
        };
        let before: Vec<_> = mine.iter().filter(is_left).filter(alike).collect();
        let after: Vec<_> = theirs.iter().filter(is_left).filter(alike).collect();
        let at = before.iter().position(|f| f.name == a.name);
        if let (Some(at), true) = (at, before.len() == after.len())
            && !out.iter().any(|p| p.1.name == after[at].name)
        {
            out.push((*a, *after[at]));
        }
    }
    out
}

/// Whether one of two fields is what an anonymous class captured, by javac's name, and the other has the variable's own name.
fn is_captured_as(a: &Field, b: &Field) -> bool {
    let names = [(&a.name, &b.name), (&b.name, &a.name)];
    a.descriptor == b.descriptor
        && (a.access ^ b.access) & STATIC == 0
        && names
            .iter()
            .any(|(x, y)| x.strip_prefix(CAPTURED) == Some(&***y))
}

/// Whether javac gave the field its name: it is a captured value, or the object around.
fn is_of_javac(field: &Field) -> bool {
    field.name.starts_with(CAPTURED) || field.name.starts_with("this$")
}
