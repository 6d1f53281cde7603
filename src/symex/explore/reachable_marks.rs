//! The marked instructions that a state can still reach, by the frames on its stack.

use crate::bytecode::class_file::Code;
use crate::impact::{self, successors};
use crate::symex::class::Method;
use crate::symex::state::{Frame, OnReturn, Pending, Thread};
use crate::symex::vm::side_table::SideTable;
use bit_set::BitSet;
use std::sync::Arc;

/// Answers for states, from those for program points.
pub(in crate::symex) struct ReachableMarks {
    reach: Arc<impact::Reach>,
    /// What is reachable from each instruction of a method.
    known: SideTable<Arc<[BitSet]>>,
}

impl ReachableMarks {
    pub(in crate::symex) fn new(reach: Arc<impact::Reach>) -> ReachableMarks {
        ReachableMarks {
            reach,
            known: SideTable::default(),
        }
    }

    pub(in crate::symex) fn reach(&self) -> &Arc<impact::Reach> {
        &self.reach
    }

    fn from(&mut self, method: &Arc<Method>) -> Arc<[BitSet]> {
        if let Some(known) = self.known.get(method) {
            return known.clone();
        }
        let sets = method.code.as_ref().map(|c| self.reach.from(c));
        let computed: Arc<[BitSet]> = sets.unwrap_or_default().into();
        self.known.insert(method, computed.clone());
        computed
    }

    /// The marks reachable from where a thread is.
    pub(in crate::symex) fn of(&mut self, thread: &Thread) -> BitSet {
        let mut all = BitSet::new();
        for (_, set) in self.frames(thread) {
            all.union_with(&set);
        }
        all
    }

    /// The marks reachable in each frame, outermost first, with its code.
    pub(in crate::symex) fn frames(&mut self, thread: &Thread) -> Vec<(*const Code, BitSet)> {
        let mut frames = Vec::with_capacity(thread.frames.len());
        for (i, frame) in thread.frames.iter().enumerate() {
            let from = self.from(&frame.method);
            let mut reachable = BitSet::new();
            for pc in next(thread, i, frame) {
                if let Some(set) = from.get(pc as usize) {
                    reachable.union_with(set);
                }
            }
            let code = frame
                .method
                .code
                .as_ref()
                .map_or(std::ptr::null(), Arc::as_ptr);
            frames.push((code, reachable));
        }
        frames
    }
}

/// Where a frame goes on: the top one where it stands, the others behind their calls.
pub(in crate::symex) fn next(thread: &Thread, at: usize, frame: &Frame) -> Vec<u32> {
    let Some(code) = &frame.method.code else {
        return Vec::new();
    };
    match (thread.frames.get(at + 1), &thread.pending) {
        // The instruction runs again once the class is initialised.
        (Some(callee), _) if callee.on_return != OnReturn::Push => vec![frame.pc],
        (Some(_), _) => {
            let mut next = successors(code, frame.pc);
            next.extend(handlers(code, frame.pc));
            next
        }
        (None, Pending::None) => vec![frame.pc],
        (None, Pending::Throw(_)) => handlers(code, frame.pc),
        (None, Pending::Returned(_)) => Vec::new(),
    }
}

fn handlers(code: &Code, pc: u32) -> Vec<u32> {
    let covers = |h: &&crate::bytecode::class_file::Handler| (h.start..h.end).contains(&pc);
    code.handlers
        .iter()
        .filter(covers)
        .map(|h| h.target)
        .collect()
}
