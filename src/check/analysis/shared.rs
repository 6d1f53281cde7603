//! Explorations of one entry that several changed methods have: done once, and taken over by the others.

use super::explore_entry::Explored;
use crate::check::changed_method::ChangedMethod;
use crate::check::collector::Collector;
use crate::model::MethodRef;
use crate::symex::Bounds;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Steps below which an exploration is done again rather than kept: a tenth of a second's worth.
const WORTH_KEEPING: u64 = 100_000;

/// What an exploration depends on beside the patch and the options: the entry, the bounds, how many paths the method has seen, and
/// whether anything was found of it.
type Key = (MethodRef, String, u64, bool);

/// What came of it: what a method gathers that had seen nothing, and the rest.
pub(super) type Kept = (Collector, Explored);

/// Waits until the first that asks has explored.
pub(super) type Slot = Arc<Mutex<Option<Kept>>>;

/// The explorations of a round, and the entries that more than one method has.
#[derive(Default)]
pub(super) struct SharedExplorations {
    methods: BTreeMap<MethodRef, usize>,
    known: Mutex<BTreeMap<Key, Slot>>,
}

impl SharedExplorations {
    /// Counts the methods of each entry.
    pub fn of(methods: &[ChangedMethod]) -> SharedExplorations {
        let mut shared = SharedExplorations::default();
        for entry in methods.iter().flat_map(ChangedMethod::entries) {
            *shared.methods.entry(entry.clone()).or_default() += 1;
        }
        shared
    }

    /// The place of an exploration within these bounds, and what the method begins it with; `None` where no other method could want
    /// it.
    pub fn slot(
        &self,
        entry: &MethodRef,
        bounds: &Bounds,
        collector: &Collector,
    ) -> Option<(Slot, Collector)> {
        if self.methods.get(entry).copied().unwrap_or(0) < 2 {
            return None;
        }
        let begun = collector.emptied();
        // The clock is a safety net, and no part of what is asked.
        let bounds = Bounds {
            deadline: None,
            ..bounds.clone()
        };
        let bounds = format!("{bounds:?}");
        let key = (
            entry.clone(),
            bounds,
            begun.paths_seen(),
            begun.has_findings(),
        );
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Some((known.entry(key).or_default().clone(), begun))
    }

    /// Forgets all explorations, since another round explores with more effort.
    pub fn clear(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.clear();
    }
}

/// Whether an exploration is kept: one that the clock ended may come farther next time.
pub(super) fn is_kept(explored: &Explored) -> bool {
    explored.effort >= WORTH_KEEPING && !explored.limits.is_cut_by_a_net()
}
