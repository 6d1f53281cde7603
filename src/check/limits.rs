//! Limits that paths met, counted.

use crate::model::reason::Reason;
use crate::model::{Limit, Location};
use crate::symex::Stop;
use std::collections::{BTreeMap, BTreeSet};

type Key = (Reason, String, bool, Option<Location>);

/// Limits, counted by reason and place.
#[derive(Clone, Debug, Default)]
pub struct Limits(BTreeMap<Key, u64>);

/// Whether a limit of that reason and detail may fall with more effort.
pub fn more_may_help(reason: Reason, detail: &str) -> bool {
    let effort = Reason::EffortBudget;
    reason == effort || reason == Reason::Narrowed && detail.contains(effort.name())
}

impl Limits {
    /// Counts one more path that met a limit.
    pub fn add(&mut self, stop: Stop, at: Option<Location>) {
        let key = (stop.reason, stop.detail, stop.bound, at);
        *self.0.entry(key).or_default() += 1;
    }

    /// Adds all of others.
    pub fn append(&mut self, others: Limits) {
        for (key, count) in others.0 {
            *self.0.entry(key).or_default() += count;
        }
    }

    /// Takes those out that more effort, or less to explore, would have avoided.
    pub fn take_effort(&mut self) -> Limits {
        let of_effort = |key: &Key| !key.2 && key.0.is_of_effort();
        let all = std::mem::take(&mut self.0);
        let (effort, rest) = all.into_iter().partition(|(key, _)| of_effort(key));
        self.0 = rest;
        Limits(effort)
    }

    /// Whether more effort may show more.
    pub fn is_open(&self) -> bool {
        self.0.keys().any(|key| more_may_help(key.0, &key.1))
    }

    /// Whether any path was given up, or left.
    pub fn gave_up(&self) -> bool {
        self.0.keys().any(|key| !key.2)
    }

    /// Whether a safety net ended anything, which another run may not meet.
    pub fn is_cut_by_a_net(&self) -> bool {
        let nets = [Reason::MethodTimeout, Reason::MemoryLimit];
        self.0.keys().any(|key| nets.contains(&key.0))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The reasons, each once, sorted.
    pub fn reasons(&self) -> BTreeSet<Reason> {
        self.0.keys().map(|key| key.0).collect()
    }

    /// Whether all of them bound the inputs alone, or the making of them.
    pub fn are_of_inputs(&self) -> bool {
        // Limits of the inputs stand at no place of the program, but those of making them.
        let of_inputs = |(reason, _, bound, at): &Key| {
            *bound && (at.is_none() || *reason == Reason::InputMaking)
        };
        self.0.keys().all(of_inputs)
    }

    /// All of them, sorted.
    pub fn list(self) -> Vec<Limit> {
        let limit = |((reason, detail, bound, at), count)| Limit {
            reason,
            detail,
            bound,
            at,
            count,
        };
        self.0.into_iter().map(limit).collect()
    }
}
