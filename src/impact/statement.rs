//! Statements, read off the bytecode: the nodes that the impact rules work on.

use super::cfg::{handlers, successors};
use super::stack::OperandStack;
use crate::bytecode::class_file::{Code, Insn};
use std::ops::Range;

/// Splits a body where the operand stack is empty, and at the leaders of basic blocks. What javac makes of one simple
/// statement, of the condition of one branch, or of one operand of `&&` and `||`, is then one node.
pub fn statements(code: &Code, stack: &OperandStack) -> Vec<Range<u32>> {
    let n = code.insns.len() as u32;
    let mut leader = vec![false; code.insns.len() + 1];
    let mut target = vec![false; code.insns.len() + 1];
    for pc in 0..n {
        let next = successors(code, pc);
        let falls_through = next == [pc + 1];
        if !falls_through || matches!(code.insns[pc as usize], Insn::Goto(_)) {
            leader[pc as usize + 1] = true;
            for t in next {
                leader[t as usize] = true;
                // The way on from a branch is no jump.
                target[t as usize] |= t != pc + 1 || is_jump_to_next(code, pc);
            }
        }
        for handler in handlers(code, pc) {
            leader[handler as usize] = true;
            target[handler as usize] = true;
        }
        if stack.depth(pc).unwrap_or(0) == 0 {
            leader[pc as usize] = true;
        }
    }
    let starts: Vec<u32> = (0..n)
        .filter(|&pc| pc == 0 || (leader[pc as usize] && !belongs_before(code, pc, &target)))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([n]);
    starts.iter().zip(ends).map(|(a, b)| *a..b).collect()
}

fn is_jump_to_next(code: &Code, pc: u32) -> bool {
    matches!(code.insns[pc as usize], Insn::Goto(t) if t == pc + 1)
}

/// A jump over an `else` is the end of the statement before it, not a statement of its own.
fn belongs_before(code: &Code, pc: u32, target: &[bool]) -> bool {
    matches!(code.insns[pc as usize], Insn::Goto(_))
        && !target[pc as usize]
        && pc > 0
        && successors(code, pc - 1) == [pc]
}

#[cfg(test)]
mod tests {
    use super::super::cfg::edges;
    use super::super::stack::OperandStack;
    use super::super::testing::code;
    use super::statements;
    use crate::bytecode::class_file::{Cmp, Const, Insn, Prim};

    #[test]
    fn a_branch_with_two_assignments_is_four_statements() {
        let int = Some(Prim::Int);
        let code = code(vec![
            Insn::Load(int, 0),
            Insn::If(Cmp::Eq, 5),
            Insn::Const(Const::Int(1)),
            Insn::Store(int, 1),
            Insn::Goto(7),
            Insn::Const(Const::Int(2)),
            Insn::Store(int, 1),
            Insn::Return(None),
        ]);
        let stack = OperandStack::of(&code, &edges(&code));
        assert_eq!(statements(&code, &stack), [0..2, 2..5, 5..7, 7..8]);
    }

    #[test]
    fn an_empty_body_has_none() {
        let code = code(Vec::new());
        let stack = OperandStack::of(&code, &edges(&code));
        assert!(statements(&code, &stack).is_empty());
    }
}
