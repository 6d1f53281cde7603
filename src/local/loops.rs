//! Natural loops of a body: what they contain, which locals they write, and whether they may write the heap.

use super::definitions::written;
use crate::bytecode::class_file::{Code, Insn};
use bit_set::BitSet;
use std::collections::BTreeMap;

/// One loop.
struct Loop {
    body: BitSet,
    written: BitSet,
    read: BitSet,
    has_effects: bool,
}

/// The loops of a body, the smallest first.
pub(super) struct Loops {
    all: Vec<Loop>,
}

impl Loops {
    /// The loops of a body with these edges: for each target of a back edge, what reaches the back edge's source without it.
    pub(super) fn of(code: &Code, edges: &[Vec<u32>], back: &[(u32, u32)]) -> Loops {
        let mut before = vec![Vec::new(); edges.len()];
        for (from, all) in edges.iter().enumerate() {
            for to in all {
                before[*to as usize].push(from as u32);
            }
        }
        let mut bodies: BTreeMap<u32, BitSet> = BTreeMap::new();
        for (source, head) in back {
            let body = bodies.entry(*head).or_default();
            body.insert(*head as usize);
            let mut todo = vec![*source];
            while let Some(pc) = todo.pop() {
                if body.insert(pc as usize) {
                    todo.extend(&before[pc as usize]);
                }
            }
        }
        let mut all: Vec<Loop> = bodies
            .into_values()
            .map(|body| {
                let insns = || body.iter().filter_map(|pc| code.insns.get(pc));
                Loop {
                    written: insns().flat_map(written).collect(),
                    read: insns().filter_map(read).collect(),
                    has_effects: insns().any(has_effect),
                    body,
                }
            })
            .collect();
        all.sort_by_key(|l| l.body.len());
        Loops { all }
    }

    fn innermost(&self, pc: u32) -> Option<&Loop> {
        self.all.iter().find(|l| l.body.contains(pc as usize))
    }

    /// Whether an instruction is in a loop whose innermost one does not write a local.
    pub(super) fn keeps(&self, pc: u32, slot: usize) -> bool {
        self.innermost(pc)
            .is_some_and(|l| !l.written.contains(slot))
    }

    /// Whether an instruction is in a loop whose innermost one reads a local.
    pub(super) fn reads(&self, pc: u32, slot: usize) -> bool {
        self.innermost(pc).is_some_and(|l| l.read.contains(slot))
    }

    /// Whether an instruction is in a loop whose innermost one neither writes the heap nor runs other code.
    pub(super) fn keeps_heap(&self, pc: u32) -> bool {
        self.innermost(pc).is_some_and(|l| !l.has_effects)
    }
}

fn read(insn: &Insn) -> Option<usize> {
    match insn {
        Insn::Load(_, slot) => Some(usize::from(*slot)),
        _ => None,
    }
}

fn has_effect(insn: &Insn) -> bool {
    matches!(
        insn,
        Insn::PutField(_)
            | Insn::PutStatic(_)
            | Insn::GetStatic(_)
            | Insn::ArrayStore(_)
            | Insn::Invoke(..)
            | Insn::InvokeDynamic(_)
            | Insn::New(_)
            | Insn::MonitorEnter
            | Insn::MonitorExit
    )
}
