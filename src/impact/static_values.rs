//! The static fields that a changed class initialiser sets otherwise.

use crate::bytecode::access::ENUM;
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::model::{MethodRef, Spelling};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Names of such fields of one class.
pub struct StaticValues {
    class: String,
    fields: BTreeSet<Arc<str>>,
}

/// Instructions up to the one that sets a field, with those of the class's own methods that they call, and the class's own fields that
/// all of these read.
#[derive(Default, PartialEq)]
struct Setting {
    code: String,
    reads: BTreeSet<Arc<str>>,
}

impl StaticValues {
    /// Those of an initialiser; none if it can't be told, or for an enum, whose constants are best seen together. `classes` has both
    /// versions of its class.
    pub fn of(classes: &[Arc<ClassFile>], initialiser: &MethodRef) -> StaticValues {
        let class = initialiser.class.internal();
        let is_one = |c: &&Arc<ClassFile>| *c.name == *class && c.access & ENUM == 0;
        let versions: Vec<_> = classes
            .iter()
            .filter(is_one)
            .map(|c| settings(c, initialiser))
            .collect();
        let fields = match &versions[..] {
            [one, other] => changed(one, other),
            _ => BTreeSet::new(),
        };
        StaticValues { class, fields }
    }

    /// Whether a field is one of them.
    pub fn has(&self, name: &str) -> bool {
        self.fields.contains(name)
    }

    /// Whether a method reads one of them.
    pub fn are_read_by(&self, method: &Method) -> bool {
        let mut insns = instructions(method);
        insns.any(|insn| read(insn, &self.class).is_some_and(|name| self.fields.contains(name)))
    }
}

/// The field of a class that an instruction reads.
fn read<'i>(insn: &'i Insn, class: &str) -> Option<&'i Arc<str>> {
    match insn {
        Insn::GetStatic(field) if *field.class == *class => Some(&field.name),
        _ => None,
    }
}

impl Setting {
    /// Adds an instruction, and those of a method of the class that it calls.
    fn add(&mut self, class: &ClassFile, insn: &Insn) {
        self.add_own(class, insn);
        if let Insn::Invoke(_, called) = insn
            && *called.class == *class.name
            && let Some(method) = class.method(&called.name, &called.descriptor)
        {
            for insn in instructions(method) {
                self.add_own(class, insn);
            }
        }
    }

    fn add_own(&mut self, class: &ClassFile, insn: &Insn) {
        self.reads.extend(read(insn, &class.name).cloned());
        self.code += &format!("{insn:?};");
    }
}

fn instructions(method: &Method) -> impl Iterator<Item = &Insn> {
    method.code.iter().flat_map(|code| &code.insns)
}

/// How each field is set, and under no name what is done behind the last one.
fn settings(class: &ClassFile, initialiser: &MethodRef) -> BTreeMap<Option<Arc<str>>, Setting> {
    let mut all: BTreeMap<Option<Arc<str>>, Setting> = BTreeMap::new();
    let mut next = Setting::default();
    let initialiser = class.method(&initialiser.name, &initialiser.descriptor);
    for insn in initialiser.into_iter().flat_map(instructions) {
        next.add(class, insn);
        if let Insn::PutStatic(field) = insn
            && field.class == class.name
        {
            let set = all.entry(Some(field.name.clone())).or_default();
            let Setting { code, reads } = std::mem::take(&mut next);
            set.code += &code;
            set.reads.extend(reads);
        }
    }
    all.insert(None, next);
    all
}

/// Fields that are set by other code, or whose objects such code may change, and those whose code reads them.
fn changed(
    one: &BTreeMap<Option<Arc<str>>, Setting>,
    other: &BTreeMap<Option<Arc<str>>, Setting>,
) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    let names: BTreeSet<_> = one.keys().chain(other.keys()).collect();
    for name in names {
        let versions = [one.get(name), other.get(name)];
        if versions[0] != versions[1] {
            let reads = versions.iter().flatten().flat_map(|s| &s.reads);
            found.extend(name.iter().chain(reads).cloned());
        }
    }
    loop {
        let before = found.len();
        for (name, setting) in one.iter().chain(other) {
            if !setting.reads.is_disjoint(&found) {
                found.extend(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::class_file::{Const, MemberRef};
    use crate::impact::testing::{class, code, member, method};

    fn field(name: &str) -> Arc<MemberRef> {
        member("p/A", name, "I")
    }

    /// `A = a; B = 2; C = A;`, and a method that reads each.
    fn version(a: i32) -> Arc<ClassFile> {
        let number = |n| Insn::Const(Const::Int(n));
        let set = |name| Insn::PutStatic(field(name));
        let insns = vec![
            number(a),
            set("A"),
            number(2),
            set("B"),
            Insn::GetStatic(field("A")),
            set("C"),
            Insn::Return(None),
        ];
        let reader = |name: &str| {
            let insns = vec![Insn::GetStatic(field(name)), Insn::Return(None)];
            method(name, "()V", true, Some(code(insns)))
        };
        let initialiser = method("<clinit>", "()V", true, Some(code(insns)));
        let methods = vec![initialiser, reader("A"), reader("B"), reader("C")];
        class("p/A", "java/lang/Object", &[], methods)
    }

    fn readers(classes: &[Arc<ClassFile>]) -> Vec<&str> {
        let initialiser = MethodRef {
            class: "p.A".into(),
            name: "<clinit>".into(),
            descriptor: "()V".into(),
        };
        let values = StaticValues::of(classes, &initialiser);
        let methods = classes[0].methods[1..].iter();
        let read = methods.filter(|m| values.are_read_by(m));
        read.map(|m| &*m.name).collect()
    }

    #[test]
    fn fields_set_from_changed_ones_are_changed_too() {
        assert_eq!(readers(&[version(1), version(3)]), ["A", "C"]);
        assert_eq!(readers(&[version(1), version(1)]), [""; 0]);
        assert_eq!(readers(&[version(1)]), [""; 0]);
    }
}
