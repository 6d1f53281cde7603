//! Look-ups of members at run time, by `Class.getMethod` and its kin.

use super::changes::{MarkedInstructions, reflection};
use crate::bytecode::class_file::{ClassFile, Code, Const, Insn};
use crate::impact::{self};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether an instruction looks up members at run time. A look-up by a literal name counts only if that member changed.
pub fn looks_up(insns: &[Insn], at: usize, changed: &BTreeSet<String>) -> bool {
    let Some(Insn::Invoke(_, member)) = insns.get(at) else {
        return false;
    };
    if &*member.class != "java/lang/Class" {
        return false;
    }
    let by_name = matches!(
        &*member.name,
        "getMethod" | "getDeclaredMethod" | "getField" | "getDeclaredField"
    );
    let listed = ["s", "Classes"].iter().any(|e| member.name.ends_with(e))
        && [
            "getMethod",
            "getDeclared",
            "getField",
            "getConstructor",
            "getInterface",
            "getClass",
        ]
        .iter()
        .any(|b| member.name.starts_with(b));
    let constructor = member.name.ends_with("Constructor") && changed.contains("<init>");
    if !by_name {
        return listed || constructor;
    }
    for insn in insns[..at].iter().rev() {
        match insn {
            Insn::Const(Const::Str(units)) => {
                return changed.contains(&String::from_utf16_lossy(units));
            }
            Insn::Const(_)
            | Insn::AconstNull
            | Insn::ANewArray(_)
            | Insn::CheckCast(_)
            | Insn::Dup
            | Insn::ArrayStore(None)
            | Insn::GetStatic(_) => {}
            _ => return true,
        }
    }
    true
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
    members: &BTreeSet<String>,
    reshaped: &BTreeSet<Arc<str>>,
) -> MarkedInstructions {
    let mut out = MarkedInstructions::new();
    if members.is_empty() {
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
            if !near && !names_member(code, members) {
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
