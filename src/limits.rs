//! Limits that paths met, counted.

use crate::symex::Stop;
use crate::verdict::{Limit, Location};
use std::collections::BTreeMap;

/// Limits, counted by reason and place.
#[derive(Debug, Default)]
pub struct Limits(BTreeMap<(String, String, bool, Option<Location>), u64>);

impl Limits {
    /// Counts one more path that met a limit.
    pub fn add(&mut self, stop: Stop, at: Option<Location>) {
        let key = (stop.reason.to_string(), stop.detail, stop.bound, at);
        *self.0.entry(key).or_default() += 1;
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
