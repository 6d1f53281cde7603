//! Loops whose turns are counted beforehand: over an array that the code itself made, such as variable arguments.

use super::run::Runner;
use super::state::State;
use crate::bytecode::class_file::Insn;
use std::collections::BTreeSet;

/// Longest array whose loops are run turn by turn.
const LONGEST: i64 = 16;

/// Most turns of one way through a segment.
const MOST: u32 = 64;

impl Runner<'_> {
    /// Whether a state at a loop's head goes on, rather than that the loop is proved by induction: there is an array that this
    /// version made of a known small length, and all that the loop counts is known. It is always sound to go on.
    pub(super) fn takes_turn(&self, state: &State) -> bool {
        let Some(frame) = state.frames.last().filter(|_| state.turns < MOST) else {
            return false;
        };
        let s = &self.shared.symbols;
        let counters: BTreeSet<usize> = (frame.body.code.insns.iter())
            .filter_map(|insn| match insn {
                Insn::Iinc(slot, _) => Some(usize::from(*slot)),
                _ => None,
            })
            .collect();
        let (mut longest, mut counts) = (None, Vec::new());
        for (slot, term) in frame.locals.iter().enumerate() {
            let cuts = &self.shared.cuts;
            let Some(term) = term.filter(|_| cuts.is_live(&frame.body.code, frame.pc, slot)) else {
                continue;
            };
            if counters.contains(&slot) {
                counts.push(s.pool.as_i64(term));
            }
            let length = state.heap.length(term).and_then(|l| s.pool.as_i64(l));
            longest = longest.max(length.filter(|l| *l <= LONGEST));
        }
        longest.is_some_and(|most| {
            let known = |c: &Option<i64>| c.is_some_and(|c| (0..=most).contains(&c));
            !counts.is_empty() && counts.iter().all(known)
        })
    }
}
