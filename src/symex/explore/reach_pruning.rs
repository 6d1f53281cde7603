//! Pruning by reachability (directed exploration, paper 000 §3; docs/architecture.md): the states that can still reach a difference.

use crate::impact::{self, NEVER, distances};
use crate::symex::class::Method;
use crate::symex::explore::executed::Executed;
use crate::symex::explore::reachable_marks::{ReachableMarks, next};
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::{Mode, Pending, State, Thread};
use crate::symex::vm::Vm;
use crate::symex::vm::side_table::SideTable;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where changes are, and from where they are reached.
pub(in crate::symex) struct ReachPruning {
    reachable: ReachableMarks,
    executed: Arc<Executed>,
    /// How far each instruction of a method is from a change that no path has run yet.
    distances: SideTable<Arc<[u32]>>,
    /// How many annotations had been run when they were computed.
    visited: usize,
}

impl ReachPruning {
    /// Of the program that the VM runs.
    pub(in crate::symex) fn of(vm: &mut Vm) -> ReachPruning {
        let executed = Executed::of(vm);
        let mark = |pcs: &BTreeSet<u32>| pcs.iter().map(|pc| (*pc, 0)).collect();
        let marks = executed
            .changes
            .iter()
            .map(|(id, pcs)| (id.clone(), mark(pcs)));
        let reach = impact::Reach::new(executed.classes.clone(), &marks.collect());
        ReachPruning {
            reachable: ReachableMarks::new(Arc::new(reach)),
            executed: Arc::new(executed),
            distances: SideTable::default(),
            visited: 0,
        }
    }

    /// One that answers the same. What it remembers is its own.
    pub(in crate::symex) fn further(&self) -> ReachPruning {
        ReachPruning {
            reachable: ReachableMarks::new(self.reachable.reach().clone()),
            executed: self.executed.clone(),
            distances: SideTable::default(),
            visited: 0,
        }
    }

    /// The program that its answers are about.
    pub(in crate::symex) fn executed(&self) -> &Executed {
        &self.executed
    }

    /// Whether the state can't come to a difference any more: it has none, and reaches no change.
    pub(in crate::symex) fn is_cut(&mut self, state: &State) -> bool {
        matches!(state.mode, Mode::Both)
            && !self.executed.anywhere
            && !carries_difference(state)
            && self.reachable.of(&state.thread).is_empty()
    }

    /// Instructions to the nearest change that no path has run yet, in the frames of a thread; `NEVER` when there is none.
    pub(in crate::symex) fn distance(&mut self, vm: &Vm, thread: &Thread) -> u32 {
        if self.visited != vm.visited.len() {
            self.visited = vm.visited.len();
            self.distances = SideTable::default();
        }
        let mut left: u32 = 0;
        for (i, frame) in thread.frames.iter().enumerate().rev() {
            let of = self.distances(vm, &frame.method);
            let ways = next(thread, i, frame).into_iter();
            let nearest = ways.filter_map(|pc| of.get(pc as usize)).min();
            if let Some(here) = nearest.filter(|d| **d != NEVER) {
                return here.saturating_add(left);
            }
            left = left.saturating_add(1000);
        }
        NEVER
    }

    fn distances(&mut self, vm: &Vm, method: &Arc<Method>) -> Arc<[u32]> {
        if let Some(known) = self.distances.get(method) {
            return known.clone();
        }
        let key = Arc::as_ptr(method) as usize;
        let id = crate::symex::class::linker::method_id(
            &method.class_name,
            &(method.name.clone(), method.descriptor.clone()),
        );
        let changes = self.executed.changes.get(&id);
        let computed: Arc<[u32]> = match &method.code {
            Some(code) => distances(code, |pc| {
                let here =
                    changes.is_some_and(|c| c.contains(&pc)) && !vm.visited.contains(&(key, pc));
                let insn = code.insns.get(pc as usize);
                here || insn.is_some_and(|i| !self.reachable.reach().by_calls(i).is_empty())
            })
            .into(),
            None => Arc::from([]),
        };
        self.distances.insert(method, computed.clone());
        computed
    }
}

/// Whether any value of the state differs between the versions.
fn carries_difference(state: &State) -> bool {
    if !state.split_seen {
        return false;
    }
    let any = |slots: &[Slot]| slots.iter().any(|s| s.is_split());
    let pending = match &state.thread.pending {
        Pending::None | Pending::Returned(None) => false,
        Pending::Throw(slot) | Pending::Returned(Some(slot)) => slot.is_split(),
    };
    pending
        || state.printed.is_split()
        || state.files.is_split()
        || state.statics.values().any(|s| s.ready.is_split())
        || state
            .thread
            .frames
            .iter()
            .any(|f| any(&f.locals) || any(&f.stack))
        || state.heap.any(|obj| match &obj.body {
            Body::Fields(slots) => any(slots),
            Body::Array { values, .. } => any(values),
            Body::Logged(array) => array.is_split(),
            Body::Builder(text) => text.is_split(),
            Body::Lambda(lambda) => any(&lambda.captured),
            Body::Constantly { result, .. } => result.is_some_and(|r| r.is_split()),
            Body::Str(_) | Body::Mirror(_) | Body::Stream | Body::Proxy(_) | Body::Choice(_) => {
                false
            }
        })
}
