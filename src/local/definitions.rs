//! Definitions that reach an instruction: whether a local can only hold what one store wrote, or what the method was called with.

use crate::bytecode::class_file::{Code, Insn, Prim};

/// What reaches an instruction for one local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reaching {
    /// The instruction is not reached.
    Nothing,
    /// One definition: the store at that instruction, or `None` for the method's entry.
    One(Option<u32>),
    Several,
}

/// Reaching definitions of all locals at all instructions of a body.
pub(super) struct Definitions {
    at: Vec<Vec<Reaching>>,
}

impl Reaching {
    fn joined(self, other: Reaching) -> Reaching {
        match (self, other) {
            (Reaching::Nothing, x) | (x, Reaching::Nothing) => x,
            (x, y) if x == y => x,
            _ => Reaching::Several,
        }
    }
}

impl Definitions {
    /// The definitions of a body with these edges, by the usual forward fixpoint.
    pub(super) fn of(code: &Code, edges: &[Vec<u32>]) -> Definitions {
        let width = usize::from(code.max_locals);
        let mut at = vec![vec![Reaching::Nothing; width]; edges.len()];
        if let Some(entry) = at.first_mut() {
            entry.fill(Reaching::One(None));
        }
        let mut todo: Vec<u32> = vec![0];
        while let Some(pc) = todo.pop() {
            let (Some(insn), Some(before)) = (code.insns.get(pc as usize), at.get(pc as usize))
            else {
                continue;
            };
            let mut after = before.clone();
            for slot in written(insn) {
                if let Some(held) = after.get_mut(slot) {
                    *held = Reaching::One(Some(pc));
                }
            }
            for to in &edges[pc as usize] {
                let mut changed = false;
                for (held, more) in at[*to as usize].iter_mut().zip(&after) {
                    let joined = held.joined(*more);
                    changed |= joined != *held;
                    *held = joined;
                }
                if changed {
                    todo.push(*to);
                }
            }
        }
        Definitions { at }
    }

    /// Whether a local holds what one definition gave it, whichever way led to the instruction.
    pub(super) fn is_single(&self, pc: u32, slot: usize) -> bool {
        let held = self.at.get(pc as usize).and_then(|all| all.get(slot));
        matches!(held, Some(Reaching::One(_)))
    }
}

/// The slots that an instruction writes; a wide value takes two.
fn written(insn: &Insn) -> impl Iterator<Item = usize> {
    let (slot, width) = match insn {
        Insn::Store(Some(Prim::Long | Prim::Double), slot) => (*slot, 2),
        Insn::Store(_, slot) | Insn::Iinc(slot, _) => (*slot, 1),
        _ => (0, 0),
    };
    (0..width).map(move |n| usize::from(slot) + n)
}
