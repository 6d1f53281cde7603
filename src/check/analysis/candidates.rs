//! Candidates of the search: inputs on which both versions are run again, and what becomes of a difference that stays.

use super::searcher::{Entry, Searcher};
use crate::check::collector::Collector;
use crate::error::Error;
use crate::jvm::Worker;
use crate::model::{DivergenceClass, End, FoundBy, Inputs};
use crate::replay::{self, Observed, same_outcome};
use std::time::Duration;

/// Limit of one replay of a candidate.
const LIMIT: Duration = Duration::from_millis(3000);
/// Limit of further ones where the first showed that one version never seems to end.
const SOON: Duration = Duration::from_millis(500);
/// Longest path condition that is shown of an input found so, in bytes.
const MAX_CONDITION: usize = 400;

impl Searcher<'_> {
    /// Takes a candidate that all replays show: with the prediction of the engine where it can follow that input, else as the JVM
    /// shows it. Where something is known already, only regressions count. Whether replays show it, known or not.
    pub(super) fn confirm(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        entry: &Entry,
        inputs: Inputs,
        known: bool,
    ) -> Result<bool, Error> {
        let builds = self.builds();
        let seen: Observed =
            replay::observe(worker, &builds, self.entry, entry.is_static, &inputs)?;
        let shows = class(&seen);
        tracing::debug!(?inputs, old = ?seen.old.end, new = ?seen.new.end, ?shows, "candidate");
        if shows.is_none() || known && shows != Some(DivergenceClass::Regression) {
            return Ok(shows.is_some());
        }
        if collector.knows_alike(self.entry, &inputs, &seen) {
            return Ok(true);
        }
        let is_static = entry.is_static;
        let again = match hangs(&seen) {
            false => builds,
            // The other version ended in a moment: so it has to each time.
            true => replay::ClassPaths {
                limit: builds.limit.min(SOON),
                ..builds
            },
        };
        let called = (self.entry, is_static);
        let steady = replay::steady_part(worker, &again, called, &inputs, &seen)?;
        let Some((seen, is_whole)) = steady else {
            tracing::debug!("not steady");
            return Ok(false);
        };
        // What is left may be of another class, and that one known.
        if known && class(&seen) != Some(DivergenceClass::Regression) {
            return Ok(true);
        }
        if is_whole
            && !hangs(&seen)
            && let Some(mut path) = self.analysis.path_of(self.entry, &inputs)
        {
            // Of a long run the condition is no explanation.
            if path.condition.len() > MAX_CONDITION {
                path.condition.clear();
            }
            let before = collector.result.findings.len();
            collector.path(
                self.entry,
                is_static,
                &entry.names,
                *path,
                Some(seen.clone()),
            );
            if collector.result.findings.len() > before {
                return Ok(true);
            }
        }
        collector.observed(self.entry, (is_static, &entry.names), inputs, seen);
        Ok(true)
    }

    /// The builds in which candidates run again.
    fn builds(&self) -> replay::ClassPaths {
        replay::ClassPaths {
            limit: self.analysis.replay.limit.min(LIMIT),
            ..self.analysis.replay.clone()
        }
    }

    /// Takes one of the inputs with which the entry ended the JVM of a search by a fault, where replays show that one version does so
    /// each time: one with which the other version returns, if any, or one without a `null`.
    pub(super) fn confirm_faults(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        entry: &Entry,
        mut crashing: Vec<Inputs>,
    ) -> Result<(), Error> {
        crashing.sort_by_key(Inputs::has_null);
        let mut best: Option<(Inputs, Observed)> = None;
        for inputs in crashing {
            if self.deadline.is_over() {
                break;
            }
            let part = || self.fault_of_one(worker, entry, &inputs);
            let seen = self.analysis.spent.on("confirming inputs", part)?;
            let returns = seen.as_ref().is_some_and(|seen| !both_fail(seen));
            if returns || best.is_none() {
                best = seen.map(|seen| (inputs, seen)).or(best);
            }
            if returns {
                break;
            }
        }
        let Some((inputs, seen)) = best else {
            return Ok(());
        };
        collector.by = FoundBy::Search;
        let before = collector.result.findings.len();
        collector.observed(self.entry, (entry.is_static, &entry.names), inputs, seen);
        collector.by = FoundBy::Exploration;
        self.analysis.found_behind(before, &collector.result);
        Ok(())
    }

    /// What stays of such an input where one version ends its JVM.
    fn fault_of_one(
        &self,
        worker: &mut Worker,
        entry: &Entry,
        inputs: &Inputs,
    ) -> Result<Option<Observed>, Error> {
        let (builds, is_static) = (self.builds(), entry.is_static);
        let seen = replay::observe(worker, &builds, self.entry, is_static, inputs)?;
        tracing::debug!(?inputs, old = ?seen.old.end, new = ?seen.new.end, "a fault");
        if !is_fault_of_one(&seen) {
            return Ok(None);
        }
        let called = (self.entry, is_static);
        let steady = replay::steady_part(worker, &builds, called, inputs, &seen)?;
        Ok(steady.map(|(seen, _)| seen).filter(is_fault_of_one))
    }
}

/// Whether one version ended its JVM, and the other one ended as programs do.
fn is_fault_of_one(seen: &Observed) -> bool {
    let is_usual = |end: &End| matches!(end, End::Returned(_) | End::Threw { .. });
    let (old, new) = (&seen.old.end, &seen.new.end);
    replay::ended_the_process(old) && is_usual(new)
        || is_usual(old) && replay::ended_the_process(new)
}

fn both_fail(seen: &Observed) -> bool {
    DivergenceClass::of(true, &seen.old.end, &seen.new.end) == DivergenceClass::Changed
}

fn hangs(seen: &Observed) -> bool {
    [&seen.old, &seen.new]
        .iter()
        .any(|o| o.end == End::TimedOut)
}

/// The class of a divergence, where one is seen. That one version hangs or overflows the stack is one where the other does not;
/// runs that could not be made, or ran out of memory, show none.
fn class(seen: &Observed) -> Option<DivergenceClass> {
    let threw = |end: &End, what: &str| matches!(end, End::Threw { class, .. } if class == what);
    let says_nothing =
        |end: &End| matches!(end, End::Failed(_)) || threw(end, "java.lang.OutOfMemoryError");
    let never_ends =
        |end: &End| *end == End::TimedOut || threw(end, "java.lang.StackOverflowError");
    let (old, new) = (&seen.old.end, &seen.new.end);
    if says_nothing(old) || says_nothing(new) || never_ends(old) && never_ends(new) {
        return None;
    }
    (!same_outcome(&seen.old, &seen.new)).then(|| DivergenceClass::of(true, old, new))
}
