//! The control-flow graph of a method body, at instruction granularity.

use crate::bytecode::class_file::{BinOp, Code, Const, Insn, Prim};

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

/// Entries of the handlers that an exception of this instruction may come to.
pub fn handlers(code: &Code, pc: u32) -> Vec<u32> {
    let throws = code.insns.get(pc as usize).is_some_and(may_throw);
    let mut out: Vec<u32> = code
        .handlers
        .iter()
        .filter(|h| throws && h.start <= pc && pc < h.end)
        .map(|h| h.target)
        .filter(|t| (*t as usize) < code.insns.len())
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// All edges, exceptional ones where the exception table has them (paper 004, definition 4.1). What leaves the method by an
/// exception has no edge: it would make all that follows depend on every call.
pub fn edges(code: &Code) -> Vec<Vec<u32>> {
    (0..code.insns.len() as u32)
        .map(|pc| {
            let mut all = successors(code, pc);
            all.extend(handlers(code, pc));
            all.sort_unstable();
            all.dedup();
            all
        })
        .collect()
}

/// Whether the JVM may throw at an instruction (JVMS §6.5; asynchronous and linkage errors left aside where no code is run).
pub fn may_throw(insn: &Insn) -> bool {
    match insn {
        Insn::Bin(BinOp::Div | BinOp::Rem, Prim::Int | Prim::Long) => true,
        Insn::Const(c) => matches!(
            c,
            Const::Class(_) | Const::Dynamic(_) | Const::MethodHandle(_) | Const::MethodType(_)
        ),
        Insn::Nop
        | Insn::AconstNull
        | Insn::Load(..)
        | Insn::Store(..)
        | Insn::Pop
        | Insn::Pop2
        | Insn::Dup
        | Insn::DupX1
        | Insn::DupX2
        | Insn::Dup2
        | Insn::Dup2X1
        | Insn::Dup2X2
        | Insn::Swap
        | Insn::Bin(..)
        | Insn::Neg(_)
        | Insn::Iinc(..)
        | Insn::Convert(..)
        | Insn::Lcmp
        | Insn::Fcmp(..)
        | Insn::If(..)
        | Insn::IfIcmp(..)
        | Insn::IfAcmp(..)
        | Insn::IfNull(..)
        | Insn::Goto(_)
        | Insn::Jsr(_)
        | Insn::Ret(_)
        | Insn::Switch(..)
        | Insn::InstanceOf(_)
        | Insn::Return(_) => false,
        _ => true,
    }
}
