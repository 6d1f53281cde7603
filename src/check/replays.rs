//! The choice of predicted paths to run on the JVM: every kind of divergence, and a sample of the others that is the same in every run.

use crate::model::{DivergenceClass, End, Input, Location, MethodRef};
use crate::symex::FinishedPath;
use std::collections::BTreeMap;

/// Paths of a method that are replayed whatever they show.
const ALL_OF_THE_FIRST: u64 = 200;

/// Of those behind them, one in so many is.
const ONE_IN: u64 = 64;

/// More than inputs that are read take up, in characters.
const LARGE: usize = 1 << 20;

/// What divergent paths of one kind have in common: class, entry, where the versions part, and how both end, as predicted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PathKind {
    class: DivergenceClass,
    entry: MethodRef,
    parts: Option<(Location, Location)>,
    old: String,
    new: String,
}

impl PathKind {
    /// Of a path of that entry.
    pub fn of(entry: &MethodRef, path: &FinishedPath) -> PathKind {
        let end = |end: &End| match end {
            End::Returned(_) => "returned".to_string(),
            End::Threw { class, .. } => class.clone(),
            _ => "other".to_string(),
        };
        let old = path.old.as_ref().unwrap_or(&path.new);
        PathKind {
            class: DivergenceClass::of(path.differs == Some(true), &old.end, &path.new.end),
            entry: entry.clone(),
            parts: path.diverged_at.clone(),
            old: end(&old.end),
            new: end(&path.new.end),
        }
    }
}

/// A kind that the JVM has confirmed.
#[derive(Clone)]
struct Confirmed {
    /// Size of the smallest input that shows it.
    size: usize,
    /// Which of the method's findings it became first.
    finding: usize,
}

/// The choice, path by path.
#[derive(Clone, Default)]
pub(super) struct Replays {
    /// Paths so far.
    paths: u64,
    confirmed: BTreeMap<PathKind, Confirmed>,
}

/// How large an input reads; one without null arguments reads better than any with one.
pub(super) fn size(path: &FinishedPath) -> usize {
    let has_null = path.inputs.args.contains(&Input::Null);
    let large = if has_null { LARGE } else { 0 };
    large + format!("{:?}", path.inputs).len()
}

impl Replays {
    /// Whether the JVM has to run this path: it judges what the engine can't, the first of each kind of divergence, any that
    /// reads better than those before, and the sample.
    pub fn wants(&mut self, entry: &MethodRef, path: &FinishedPath) -> bool {
        self.paths += 1;
        let sampled = self.paths <= ALL_OF_THE_FIRST || self.paths.is_multiple_of(ONE_IN);
        if sampled || path.chance.is_some() {
            return true;
        }
        match path.differs {
            None => true,
            Some(false) => false,
            Some(true) => {
                let known = self.confirmed.get(&PathKind::of(entry, path));
                known.is_none_or(|k| size(path) < k.size)
            }
        }
    }

    /// Takes down that the JVM showed a path of that kind, which is now a finding.
    pub fn confirm(&mut self, kind: PathKind, size: usize, finding: usize) {
        let known = self
            .confirmed
            .entry(kind)
            .or_insert(Confirmed { size, finding });
        known.size = known.size.min(size);
    }

    /// Paths so far.
    pub fn paths(&self) -> u64 {
        self.paths
    }

    /// The choice after as many paths, of which none was confirmed.
    pub fn emptied(&self) -> Replays {
        Replays {
            paths: self.paths,
            confirmed: BTreeMap::new(),
        }
    }

    /// Goes on from what was emptied of this; the findings of that come behind so many.
    pub fn go_on(&mut self, from: Replays, behind: usize) {
        self.paths = from.paths;
        let moved = from.confirmed.into_iter().map(|(kind, known)| {
            let finding = known.finding + behind;
            (kind, Confirmed { finding, ..known })
        });
        self.confirmed.extend(moved);
    }

    /// The finding that a path stands behind.
    pub fn finding(&self, kind: &PathKind) -> Option<usize> {
        self.confirmed.get(kind).map(|k| k.finding)
    }
}
