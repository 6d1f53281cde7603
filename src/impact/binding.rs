//! Whether shared code of a unified method means in it what it meant in each version: overloads, conversions, types.

use crate::bytecode::class_file::{Code, Const, Insn, Method};
use std::collections::BTreeSet;

/// Whether the unified method refers to exactly what the old and the new one refer to together. Where it does not, javac
/// has bound some shared text differently (another overload, another conversion), and the unified body must not be used.
pub fn same_bindings(old: &Method, new: &Method, unified: &Method) -> bool {
    let (Some(old), Some(new), Some(unified)) = (&old.code, &new.code, &unified.code) else {
        return false;
    };
    let both: BTreeSet<String> = references(old).union(&references(new)).cloned().collect();
    references(unified) == both
}

fn references(code: &Code) -> BTreeSet<String> {
    let mut out: BTreeSet<String> = code.insns.iter().filter_map(reference).collect();
    out.extend(code.handlers.iter().map(|h| format!("catch {:?}", h.catch)));
    out
}

fn reference(insn: &Insn) -> Option<String> {
    Some(match insn {
        Insn::Invoke(_, m) | Insn::GetStatic(m) if m.class.starts_with("com/shadowci/Shadow") => {
            return None;
        }
        Insn::Invoke(..)
        | Insn::GetStatic(_)
        | Insn::PutStatic(_)
        | Insn::GetField(_)
        | Insn::PutField(_)
        | Insn::Convert(..)
        | Insn::New(_)
        | Insn::CheckCast(_)
        | Insn::InstanceOf(_)
        | Insn::ANewArray(_)
        | Insn::NewArray(_)
        | Insn::MultiANewArray(..)
        | Insn::Const(Const::Str(_) | Const::Class(_)) => format!("{insn:?}"),
        // Lambdas are numbered by their place in the file; their own bodies tell them apart.
        Insn::InvokeDynamic(site) => {
            let args: Vec<String> = site
                .args
                .iter()
                .map(|a| match a {
                    Const::MethodHandle(h) if h.name.starts_with("lambda$") => {
                        format!("lambda {}", h.descriptor)
                    }
                    other => format!("{other:?}"),
                })
                .collect();
            format!(
                "{} {} {} {args:?}",
                site.bootstrap.name, site.name, site.descriptor
            )
        }
        _ => return None,
    })
}
