//! The bounds of an exploration: sizes of inputs, and effort.

use crate::model::reason::Reason;
use std::collections::BTreeSet;
use std::time::Instant;

/// Bounds of an exploration, all deterministic but `deadline` and `memory`.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Greatest length of input strings.
    pub max_string: u32,
    /// Greatest length of input arrays, and of arrays whose length the input decides.
    pub max_array: u32,
    /// How often one branch of one activation may fork.
    pub loop_bound: u32,
    /// Activations on the stack in which the input decided a branch; ten times as many in all.
    pub max_depth: usize,
    /// Finished paths.
    pub max_paths: u64,
    /// Instructions over all paths.
    pub max_instructions: u64,
    /// Range of int inputs, `None` for all.
    pub int_range: Option<(i64, i64)>,
    /// Calls of mutating methods on a receiver before the entry method.
    pub prior_calls: u32,
    /// Queries that may reach Z3.
    pub max_queries: u64,
    /// Steps of all kinds of work (see `Explorer::effort`).
    pub max_effort: u64,
    /// Safety net in wall-clock time.
    pub deadline: Option<Instant>,
    /// Safety net in bytes of this process's memory.
    pub memory: Option<u64>,
}

/// Sizes of inputs that are tried in turn where greater ones can't be explored to the end: lengths, and the greatest magnitude
/// of whole numbers.
const NARROWER: [(u32, Option<i64>); 2] = [(2, None), (1, Some(8))];

/// How many times as many questions are allowed there: they are easier.
const MORE_QUERIES: u64 = 3;

impl Bounds {
    /// Narrower bounds of the inputs, the widest first.
    pub fn narrowed(&self) -> Vec<Bounds> {
        let narrower = |(length, magnitude): (u32, Option<i64>)| Bounds {
            max_string: self.max_string.min(length),
            max_array: self.max_array.min(length),
            int_range: magnitude.map_or(self.int_range, |m| self.within(m)),
            prior_calls: magnitude.map_or(self.prior_calls, |_| 0),
            max_queries: self.max_queries.saturating_mul(MORE_QUERIES),
            ..self.clone()
        };
        let is_narrower = |b: &Bounds| b.sizes() != self.sizes();
        NARROWER
            .map(narrower)
            .into_iter()
            .filter(is_narrower)
            .collect()
    }

    /// The same with this much effort.
    pub fn with_effort(&self, max_effort: u64) -> Bounds {
        Bounds {
            max_effort,
            ..self.clone()
        }
    }

    fn sizes(&self) -> (u32, u32, Option<(i64, i64)>) {
        (self.max_string, self.max_array, self.int_range)
    }

    /// The range of whole numbers, cut to those of this magnitude; as it is where that leaves none.
    fn within(&self, magnitude: i64) -> Option<(i64, i64)> {
        let (low, high) = self.int_range.unwrap_or((i64::MIN, i64::MAX));
        let cut = (low.max(-magnitude), high.min(magnitude));
        if cut.0 <= cut.1 {
            Some(cut)
        } else {
            self.int_range
        }
    }

    /// Those sizes of inputs that paths depended on (the reasons they touched), for people.
    pub fn described(&self, touched: &BTreeSet<Reason>) -> String {
        let mut parts = Vec::new();
        if touched.contains(&Reason::MaxString) {
            parts.push(format!("strings of at most {}", self.max_string));
        }
        if touched.contains(&Reason::MaxArray) {
            parts.push(format!("arrays of at most {}", self.max_array));
        }
        if let Some((low, high)) = self
            .int_range
            .filter(|_| touched.contains(&Reason::IntRange))
        {
            parts.push(format!("whole numbers in {low}..{high}"));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(max_string: u32, max_array: u32, int_range: Option<(i64, i64)>) -> Bounds {
        Bounds {
            max_string,
            max_array,
            loop_bound: 12,
            max_depth: 200,
            max_paths: 1,
            max_instructions: 1,
            int_range,
            prior_calls: 1,
            max_queries: 1,
            max_effort: 1,
            deadline: None,
            memory: None,
        }
    }

    #[test]
    fn narrower_bounds_never_widen_what_was_asked_for() {
        let narrowed = bounds(1, 3, Some((100, 200))).narrowed();
        let sizes: Vec<_> = narrowed.iter().map(Bounds::sizes).collect();
        assert_eq!(sizes, [(1, 2, Some((100, 200))), (1, 1, Some((100, 200)))]);
    }

    #[test]
    fn bounds_that_can_not_be_narrowed_have_no_narrower_ones() {
        assert!(bounds(1, 1, Some((0, 3))).narrowed().is_empty());
        assert_eq!(bounds(1, 1, None).narrowed().len(), 1);
    }
}
