//! Look-ups of members at run time, by `Class.getMethod` and its kin.

use super::changes::{MarkedInstructions, reflection};
use crate::bytecode::access::PUBLIC;
use crate::bytecode::class_file::{ClassFile, Code, Const, Insn};
use crate::impact::{self};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Members that differ between the versions, by what look-ups at run time tell apart.
#[derive(Clone, Debug, Default)]
pub struct OtherMembers {
    /// Names of all.
    pub names: BTreeSet<String>,
    kinds: Kinds,
}

/// The kinds of members of which some differ.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds {
    fields: bool,
    public_fields: bool,
    methods: bool,
    public_methods: bool,
}

impl OtherMembers {
    /// Adds the members that only one of two classes has, or that differ in descriptor or access. Says whether there are some.
    pub(super) fn compare(&mut self, a: &ClassFile, b: &ClassFile) -> bool {
        let fields: Vec<_> =
            differing(&a.fields, &b.fields, |f| (&f.name, &f.descriptor, f.access));
        let methods: Vec<_> = differing(&a.methods, &b.methods, |m| {
            (&m.name, &m.descriptor, m.access)
        });
        let is_public = |(_, access): &(Arc<str>, u16)| access & PUBLIC != 0;
        let kinds = &mut self.kinds;
        kinds.fields |= !fields.is_empty();
        kinds.public_fields |= fields.iter().any(is_public);
        // Constructors are looked up by their own methods.
        let plain = || methods.iter().filter(|m| !m.0.starts_with('<'));
        kinds.methods |= plain().next().is_some();
        kinds.public_methods |= plain().any(is_public);
        let differs = !fields.is_empty() || !methods.is_empty();
        let names = fields.into_iter().chain(methods);
        self.names.extend(names.map(|m| m.0.to_string()));
        differs
    }

    /// Adds names of members of which no more is known.
    pub(super) fn add(&mut self, names: impl IntoIterator<Item = String>) {
        for name in names {
            self.names.insert(name);
            self.kinds = Kinds {
                fields: true,
                public_fields: true,
                methods: true,
                public_methods: true,
            };
        }
    }
}

/// Name and access of the members that only one of two lists has.
fn differing<'a, T>(
    a: &'a [T],
    b: &'a [T],
    parts: impl Fn(&'a T) -> (&'a Arc<str>, &'a Arc<str>, u16),
) -> Vec<(Arc<str>, u16)> {
    let all = |members: &'a [T]| -> BTreeSet<_> { members.iter().map(&parts).collect() };
    let (x, y) = (all(a), all(b));
    let others = x.symmetric_difference(&y);
    others.map(|m| (m.0.clone(), m.2)).collect()
}

/// Whether an instruction looks up members at run time. A look-up by a literal name counts only if that member changed, and a list
/// only if members of its kind did.
pub fn looks_up(insns: &[Insn], at: usize, others: &OtherMembers) -> bool {
    let Some(Insn::Invoke(_, member)) = insns.get(at) else {
        return false;
    };
    if &*member.class != "java/lang/Class" {
        return false;
    }
    let kinds = &others.kinds;
    match &*member.name {
        "getFields" => kinds.public_fields,
        "getDeclaredFields" | "getRecordComponents" => kinds.fields,
        "getMethods" => kinds.public_methods,
        "getDeclaredMethods" => kinds.methods,
        "getConstructors"
        | "getDeclaredConstructors"
        | "getConstructor"
        | "getDeclaredConstructor" => others.names.contains("<init>"),
        "getInterfaces" | "getClasses" | "getDeclaredClasses" => true,
        "getMethod" | "getDeclaredMethod" | "getField" | "getDeclaredField" => {
            let name = literal_before(&insns[..at]);
            name.is_none_or(|name| others.names.contains(&name))
        }
        _ => false,
    }
}

/// The text that is the name in a look-up behind these instructions, if it is a literal.
fn literal_before(insns: &[Insn]) -> Option<String> {
    let part = |insn: &&Insn| {
        matches!(
            insn,
            Insn::Const(_)
                | Insn::AconstNull
                | Insn::ANewArray(_)
                | Insn::CheckCast(_)
                | Insn::Dup
                | Insn::ArrayStore(None)
                | Insn::GetStatic(_)
        )
    };
    let mut parts = insns.iter().rev().take_while(part);
    parts.find_map(|insn| match insn {
        Insn::Const(Const::Str(units)) => Some(String::from_utf16_lossy(units)),
        _ => None,
    })
}

/// Whether code contains the name of a changed member as a literal.
fn names_member(code: &Code, members: &BTreeSet<String>) -> bool {
    let mut insns = code.insns.iter();
    insns.any(|i| match i {
        Insn::Const(Const::Str(units)) => members.contains(&String::from_utf16_lossy(units)),
        _ => false,
    })
}

/// The instructions that may look up a changed member.
pub(super) fn lookups(
    classes: &[Arc<ClassFile>],
    members: &OtherMembers,
    reshaped: &BTreeSet<Arc<str>>,
) -> MarkedInstructions {
    let mut out = MarkedInstructions::new();
    if members.names.is_empty() {
        return out;
    }
    let names = |code: &Code| {
        let mut insns = code.insns.iter();
        insns.any(|i| matches!(i, Insn::Const(Const::Class(c)) if reshaped.contains(c)))
    };
    for class in classes {
        for method in &class.methods {
            let Some(code) = &method.code else { continue };
            // What lists the members of any class is taken not to be given one that was reshaped.
            let near = reshaped.contains(&class.name) || names(code);
            if !near && !names_member(code, &members.names) {
                continue;
            }
            for at in 0..code.insns.len() {
                if looks_up(&code.insns, at, members) {
                    let marks = out.entry(impact::id(class, method)).or_default();
                    marks.insert(at as u32, reflection());
                }
            }
        }
    }
    out
}
