//! The control-flow graph of a method body, at instruction granularity.

use crate::bytecode::class_file::{Code, Insn};

/// Normal (not exceptional) successors of an instruction.
pub fn successors(code: &Code, pc: u32) -> Vec<u32> {
    let next = pc + 1;
    let mut out = match &code.insns[pc as usize] {
        Insn::Goto(t) => vec![*t],
        Insn::If(_, t) | Insn::IfIcmp(_, t) | Insn::IfAcmp(_, t) | Insn::IfNull(_, t) => {
            vec![next, *t]
        }
        Insn::Switch(default, cases) => std::iter::once(*default)
            .chain(cases.iter().map(|c| c.1))
            .collect(),
        Insn::Return(_) | Insn::Athrow | Insn::Ret(_) => Vec::new(),
        Insn::Jsr(t) => vec![*t, next],
        _ => vec![next],
    };
    out.retain(|s| (*s as usize) < code.insns.len());
    out.sort_unstable();
    out.dedup();
    out
}
