//! Givers of objects of anonymous and local classes to code outside of these: fields that hold one, and methods that return one.

use super::access::{PRIVATE, STATIC, SYNTHETIC};
use super::class_file::{ClassFile, Field, Insn, MemberRef, Method};
use super::{is_numbered, is_within};
use std::sync::Arc;

/// A static field, or a method, that a test in its package can name.
#[derive(Clone, Copy, Debug)]
pub enum Giver<'a> {
    /// An initialiser puts a new object into the field.
    Field(&'a ClassFile, &'a Field),
    /// The method makes an object and gives it back.
    Method(&'a ClassFile, &'a Method),
}

/// The givers of a class without a name of its own (JLS §15.9.5, §14.3), fields first. Only code around its declaration makes objects
/// of it, so its top-level class is looked through.
pub fn givers<'a>(classes: &'a [Arc<ClassFile>], class: &str) -> Vec<Giver<'a>> {
    if !is_numbered(class) {
        return Vec::new();
    }
    let top = class.split('$').next().unwrap_or_default();
    let is_around = |c: &&Arc<ClassFile>| is_within(&c.name, top) && !is_numbered(&c.name);
    let (mut fields, mut methods) = (Vec::new(), Vec::new());
    for around in classes.iter().filter(is_around) {
        for method in &around.methods {
            for after in after_construction(method, class) {
                match after {
                    Insn::PutStatic(into) => {
                        fields.extend(open_field(around, into).map(|f| Giver::Field(around, f)));
                    }
                    Insn::Return(Some(None)) if is_open(method.access) => {
                        methods.push(Giver::Method(around, method));
                    }
                    _ => {}
                }
            }
        }
    }
    fields.extend(methods);
    fields
}

/// Methods that use what instance or static fields hold, where those got an object of a class without a name as it was made: whatever calls
/// its methods in between, such as a container that asks an override, does so because of them.
pub fn users_of_made<'a>(
    classes: &'a [Arc<ClassFile>],
    class: &str,
) -> Vec<(&'a ClassFile, &'a Method)> {
    if !is_numbered(class) {
        return Vec::new();
    }
    let top = class.split('$').next().unwrap_or_default();
    let is_around = |c: &&Arc<ClassFile>| c.name.split('$').next() == Some(top);
    let around: Vec<&Arc<ClassFile>> = classes.iter().filter(is_around).collect();
    let mut holders: Vec<&MemberRef> = Vec::new();
    for method in around.iter().flat_map(|c| &c.methods) {
        holders.extend(
            after_construction(method, class).filter_map(|after| match after {
                Insn::PutField(into) | Insn::PutStatic(into) => Some(&**into),
                _ => None,
            }),
        );
    }
    let reads = |insn: &Insn| match insn {
        Insn::GetField(m) | Insn::GetStatic(m) => holders.contains(&&**m),
        _ => false,
    };
    let mut users = Vec::new();
    for owner in around {
        let uses = |m: &&Method| m.code.iter().flat_map(|c| &c.insns).any(reads);
        users.extend(owner.methods.iter().filter(uses).map(|m| (&**owner, m)));
    }
    users
}

/// The instructions behind those that construct an object of the class.
fn after_construction<'a>(
    method: &'a Method,
    class: &'a str,
) -> impl Iterator<Item = &'a Insn> + 'a {
    let insns = method.code.iter().flat_map(|c| c.insns.windows(2));
    let constructs = |insn: &Insn| matches!(insn, Insn::Invoke(_, m) if *m.class == *class && &*m.name == "<init>");
    insns.filter_map(move |two| constructs(&two[0]).then_some(&two[1]))
}

fn open_field<'a>(class: &'a ClassFile, named: &MemberRef) -> Option<&'a Field> {
    let own = |f: &&Field| *f.name == *named.name && *f.descriptor == *named.descriptor;
    let found = class
        .fields
        .iter()
        .find(own)
        .filter(|_| *class.name == *named.class);
    found.filter(|f| f.access & STATIC != 0 && is_open(f.access))
}

fn is_open(access: u16) -> bool {
    access & (PRIVATE | SYNTHETIC) == 0
}
