//! The operand stack, abstractly: which instructions produced the value that an instruction consumes.

use crate::bytecode::class_file::{BinOp, Code, Const, Insn, InvokeKind, Prim};
use crate::bytecode::{parameter_descriptors, restack};
use std::collections::BTreeSet;

/// Producers of one stack slot; empty for a caught exception. A long or double takes two slots, as in the JVM.
pub type Producers = Vec<u32>;

/// What each instruction consumes.
#[derive(Debug, Clone)]
pub struct OperandStack {
    consumed: Vec<Vec<Producers>>,
    depth: Vec<Option<usize>>,
}

impl OperandStack {
    /// Interprets a body abstractly until nothing changes. `dup` and its kin pass producers on.
    pub fn of(code: &Code, edges: &[Vec<u32>]) -> OperandStack {
        let n = code.insns.len();
        let mut entry: Vec<Option<Vec<Producers>>> = vec![None; n];
        let mut out = OperandStack {
            consumed: vec![Vec::new(); n],
            depth: vec![None; n],
        };
        if n == 0 {
            return out;
        }
        entry[0] = Some(Vec::new());
        let mut work = BTreeSet::from([0u32]);
        while let Some(pc) = work.pop_first() {
            let Some(mut stack) = entry[pc as usize].clone() else {
                continue;
            };
            out.depth[pc as usize] = Some(stack.len());
            out.consumed[pc as usize] = step(&code.insns[pc as usize], pc, &mut stack);
            let caught = super::cfg::handlers(code, pc);
            for &next in &edges[pc as usize] {
                // A handler begins with the exception alone on the stack.
                let incoming = if caught.contains(&next) {
                    vec![Vec::new()]
                } else {
                    stack.clone()
                };
                if merge(&mut entry[next as usize], incoming) {
                    work.insert(next);
                }
            }
        }
        out
    }

    /// What an instruction pops, bottom first, slot by slot.
    pub fn consumed(&self, pc: u32) -> &[Producers] {
        self.consumed.get(pc as usize).map_or(&[], Vec::as_slice)
    }

    /// Slots on the stack before an instruction; `None` where no path leads.
    pub fn depth(&self, pc: u32) -> Option<usize> {
        self.depth.get(pc as usize).copied().flatten()
    }
}

fn merge(known: &mut Option<Vec<Producers>>, incoming: Vec<Producers>) -> bool {
    let Some(known) = known else {
        *known = Some(incoming);
        return true;
    };
    let mut changed = false;
    for (slot, more) in known.iter_mut().zip(incoming) {
        for p in more {
            if let Err(at) = slot.binary_search(&p) {
                slot.insert(at, p);
                changed = true;
            }
        }
    }
    changed
}

/// Slots of a kind of value.
fn width(kind: Option<Prim>) -> usize {
    match kind {
        Some(Prim::Long | Prim::Double) => 2,
        _ => 1,
    }
}

/// Slots of a value of that descriptor.
pub fn slots(descriptor: &str) -> usize {
    match descriptor.as_bytes().first() {
        Some(b'J' | b'D') => 2,
        Some(b'V') | None => 0,
        _ => 1,
    }
}

/// Slots of a call's arguments and of its result, without a receiver.
fn call(descriptor: &str) -> (usize, usize) {
    let result = descriptor.rsplit(')').next().unwrap_or_default();
    let arguments = parameter_descriptors(descriptor);
    (arguments.iter().map(|d| slots(d)).sum(), slots(result))
}

/// Slots popped and pushed, for all but the instructions that only move slots.
fn effect(insn: &Insn) -> (usize, usize) {
    let w = |p: Prim| width(Some(p));
    match insn {
        Insn::Const(Const::Long(_) | Const::Double(_)) => (0, 2),
        Insn::Const(Const::Dynamic(d)) => (0, slots(&d.descriptor)),
        Insn::AconstNull | Insn::Const(_) | Insn::New(_) | Insn::Jsr(_) => (0, 1),
        Insn::Load(k, _) => (0, width(*k)),
        Insn::Store(k, _) => (width(*k), 0),
        Insn::ArrayLoad(k) => (2, width(*k)),
        Insn::ArrayStore(k) => (2 + width(*k), 0),
        Insn::Bin(BinOp::Shl | BinOp::Shr | BinOp::Ushr, p) => (w(*p) + 1, w(*p)),
        Insn::Bin(_, p) => (2 * w(*p), w(*p)),
        Insn::Neg(p) => (w(*p), w(*p)),
        Insn::Convert(a, b) => (w(*a), w(*b)),
        Insn::Lcmp => (4, 1),
        Insn::Fcmp(p, _) => (2 * w(*p), 1),
        Insn::If(..) | Insn::IfNull(..) | Insn::Switch(..) | Insn::Athrow => (1, 0),
        Insn::MonitorEnter | Insn::MonitorExit => (1, 0),
        Insn::IfIcmp(..) | Insn::IfAcmp(..) => (2, 0),
        Insn::Return(kind) => (kind.map_or(0, width), 0),
        Insn::GetStatic(f) => (0, slots(&f.descriptor)),
        Insn::PutStatic(f) => (slots(&f.descriptor), 0),
        Insn::GetField(f) => (1, slots(&f.descriptor)),
        Insn::PutField(f) => (1 + slots(&f.descriptor), 0),
        Insn::Invoke(kind, m) => {
            let (arguments, result) = call(&m.descriptor);
            let receiver = usize::from(*kind != InvokeKind::Static);
            (arguments + receiver, result)
        }
        Insn::InvokeDynamic(site) => call(&site.descriptor),
        Insn::NewArray(_) | Insn::ANewArray(_) | Insn::ArrayLength => (1, 1),
        Insn::CheckCast(_) | Insn::InstanceOf(_) => (1, 1),
        Insn::MultiANewArray(_, n) => (usize::from(*n), 1),
        _ => (0, 0),
    }
}

/// Executes one instruction on the abstract stack; what it consumes.
fn step(insn: &Insn, pc: u32, stack: &mut Vec<Producers>) -> Vec<Producers> {
    match insn {
        Insn::Pop
        | Insn::Pop2
        | Insn::Dup
        | Insn::DupX1
        | Insn::DupX2
        | Insn::Dup2
        | Insn::Dup2X1
        | Insn::Dup2X2
        | Insn::Swap => {
            restack(insn, stack, |_| 1);
            Vec::new()
        }
        _ => {
            let (pops, pushes) = effect(insn);
            let consumed = stack.split_off(stack.len().saturating_sub(pops));
            stack.extend(std::iter::repeat_n(vec![pc], pushes));
            consumed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cfg::edges;
    use super::super::testing::code;
    use super::OperandStack;
    use crate::bytecode::class_file::{BinOp, Cmp, Const, Insn, Prim};

    fn stack(insns: Vec<Insn>) -> OperandStack {
        let code = code(insns);
        OperandStack::of(&code, &edges(&code))
    }

    #[test]
    fn a_sum_consumes_what_its_operands_pushed() {
        let s = stack(vec![
            Insn::Load(Some(Prim::Int), 0),
            Insn::Const(Const::Int(1)),
            Insn::Bin(BinOp::Add, Prim::Int),
            Insn::Return(Some(Some(Prim::Int))),
        ]);
        assert_eq!(s.consumed(2), [vec![0], vec![1]]);
        assert_eq!(s.consumed(3), [vec![2]]);
        assert_eq!(s.depth(2), Some(2));
    }

    #[test]
    fn a_conditional_expression_has_two_producers() {
        let s = stack(vec![
            Insn::Load(Some(Prim::Int), 0),
            Insn::If(Cmp::Eq, 4),
            Insn::Const(Const::Int(1)),
            Insn::Goto(5),
            Insn::Const(Const::Int(2)),
            Insn::Return(Some(Some(Prim::Int))),
        ]);
        assert_eq!(s.consumed(5), [vec![2, 4]]);
    }

    #[test]
    fn duplicated_wide_values_keep_their_producer() {
        let s = stack(vec![
            Insn::Const(Const::Long(1)),
            Insn::Dup2,
            Insn::Bin(BinOp::Add, Prim::Long),
            Insn::Return(Some(Some(Prim::Long))),
        ]);
        assert_eq!(s.consumed(2), [vec![0], vec![0], vec![0], vec![0]]);
        assert_eq!(s.consumed(3), [vec![2], vec![2]]);
    }

    #[test]
    fn malformed_code_is_no_panic() {
        let s = stack(vec![
            Insn::Swap,
            Insn::Dup2X2,
            Insn::Pop2,
            Insn::Lcmp,
            Insn::Athrow,
        ]);
        assert_eq!(s.depth(0), Some(0));
    }
}
