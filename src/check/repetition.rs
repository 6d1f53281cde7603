//! Detection of repeating paths: a stretch without a new kind of end and without a new branch of the project's code.

use super::replays::PathKind;
use crate::model::reason::Reason;
use crate::model::{Location, MethodRef};
use crate::symex::PathEnd;
use std::collections::BTreeSet;

/// Paths in a row that show nothing new before a method that has findings gets no more effort.
pub(super) const STRETCH: u64 = 300;

/// What a path came to.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Came {
    NoInput,
    GaveUp(Reason, Option<Location>),
    Finished(PathKind),
}

/// What was seen, and for how many paths nothing else.
#[derive(Default)]
pub(super) struct Repetition {
    seen: BTreeSet<Came>,
    branches: usize,
    since: u64,
}

impl Repetition {
    /// Takes in a path, and how many branches were gone in all.
    pub fn path(&mut self, entry: &MethodRef, end: &PathEnd, branches: usize) {
        let came = match end {
            PathEnd::NoInput => Some(Came::NoInput),
            // What is cut costs little, and could show no difference.
            PathEnd::Pruned => None,
            PathEnd::GaveUp { stop, at } => Some(Came::GaveUp(stop.reason, at.clone())),
            PathEnd::Finished(path) => Some(Came::Finished(PathKind::of(entry, path))),
        };
        let counts = came.is_some();
        let is_new = came.is_some_and(|c| self.seen.insert(c)) | (branches > self.branches);
        self.branches = branches;
        self.since = if is_new {
            0
        } else {
            self.since + u64::from(counts)
        };
    }

    /// Whether the last stretch showed nothing new.
    pub fn is_enough(&self) -> bool {
        self.since >= STRETCH
    }

    /// Begins another stretch.
    pub fn again(&mut self) {
        self.since = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_branch_or_end_begins_another_stretch() {
        let entry = MethodRef {
            class: "A".into(),
            name: "f".into(),
            descriptor: "()V".into(),
        };
        let mut repetition = Repetition::default();
        for _ in 0..STRETCH {
            repetition.path(&entry, &PathEnd::NoInput, 1);
        }
        assert!(!repetition.is_enough());
        for _ in 0..STRETCH {
            repetition.path(&entry, &PathEnd::Pruned, 1);
        }
        assert!(!repetition.is_enough());
        repetition.path(&entry, &PathEnd::NoInput, 1);
        assert!(repetition.is_enough());
        repetition.path(&entry, &PathEnd::NoInput, 2);
        assert!(!repetition.is_enough());
    }
}
