//! Unrolling of short loops: those over an array that the code itself created, such as variable arguments.

use super::executor::Executor;
use super::state::State;
use crate::bytecode::class_file::Insn;
use std::collections::BTreeSet;

/// Longest array whose loops are unrolled.
const LONGEST: i64 = 16;

/// Most unrolled iterations on one path.
const MOST: u32 = 64;

impl Executor<'_> {
    /// Whether the loop at whose head a state stands is unrolled, not proved by induction. It is if it reads an array of a
    /// known short length that this version created, and all counters have known values. Unrolling is always sound.
    pub(super) fn unrolls(&self, state: &State) -> bool {
        let Some(frame) = state.frames.last().filter(|_| state.unrolled < MOST) else {
            return false;
        };
        let s = &self.context.symbols;
        let counters: BTreeSet<usize> = (frame.body.code.insns.iter())
            .filter_map(|insn| match insn {
                Insn::Iinc(slot, _) => Some(usize::from(*slot)),
                _ => None,
            })
            .collect();
        let (mut longest, mut counts) = (None, Vec::new());
        for (slot, term) in frame.locals.iter().enumerate() {
            let cuts = &self.context.cuts;
            let Some(term) = term.filter(|_| cuts.is_live(&frame.body.code, frame.pc, slot)) else {
                continue;
            };
            if counters.contains(&slot) {
                counts.push(s.pool.as_i64(term));
            }
            // An array that the loop does not look at says nothing of it.
            if !cuts.is_read_in_loop(&frame.body.code, frame.pc, slot) {
                continue;
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
