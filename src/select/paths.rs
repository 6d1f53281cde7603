//! The paths of the changed methods, and the tests on them.

use super::judge::{begin, judge};
use super::{AffectedPath, Judged, Selection, Test, TestInput};
use crate::analyse::{Analysis, Changed, ChangedMethod};
use crate::error::Error;
use crate::jvm::Worker;
use crate::replay::mismatch;
use crate::report::call_text::call;
use crate::symex::{Explorer, FinishedPath, PathEnd, Stop};
use crate::verdict::{Limit, Location, MethodId};
use std::collections::BTreeMap;

/// Deep terms need more room than a thread's default.
pub(super) fn on_a_deep_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, work);
        let broken = |why: String| Error::Io {
            what: "cannot run the exploration".into(),
            why,
        };
        match spawned.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(broken("it ended unexpectedly".into())),
            Err(e) => Err(broken(e.to_string())),
        }
    })
}

/// Limits of one method, counted.
type Limits = BTreeMap<(String, String, bool, Option<Location>), u64>;

/// Explores all changed methods and judges the tests.
pub(super) fn explore(
    analysis: &Analysis,
    changed: &Changed,
    worker: &mut Worker,
    generated: bool,
    tests: Vec<Test>,
    selection: &mut Selection,
) -> Result<(), Error> {
    selection.tests = tests.into_iter().map(|t| begin(t, changed)).collect();
    for method in changed.methods.iter().filter(|m| m.is_analysed()) {
        let mut limits = Limits::new();
        for entry in method.entries() {
            if generated {
                add_generated(analysis, entry, changed, &mut limits, selection);
            }
            entry_paths(analysis, method, entry, worker, &mut limits, selection)?;
        }
        for ((reason, detail, bound, at), count) in limits {
            let limit = Limit {
                reason,
                detail,
                bound,
                at,
                count,
            };
            selection.limits.push((method.id.clone(), limit));
        }
    }
    Ok(())
}

/// The old version's tests, the paper's way: one for each of its paths.
fn add_generated(
    analysis: &Analysis,
    entry: &MethodId,
    changed: &Changed,
    limits: &mut Limits,
    selection: &mut Selection,
) {
    let (_, paths) = match analysis.old_alone(entry).map(|e| finished(e, limits)) {
        Ok(found) => found,
        // It has no such method, so no tests of it.
        Err(_) => return,
    };
    for path in paths {
        let name = call(entry, &path.inputs);
        if selection.tests.iter().any(|t| t.test.name == name) {
            continue;
        }
        let input = TestInput {
            entry: entry.clone(),
            inputs: Ok(path.inputs),
            exact: true,
        };
        let test = Test {
            name,
            touched: Vec::new(),
            inputs: vec![input],
            anyway: None,
        };
        selection.tests.push(begin(test, changed));
    }
}

fn entry_paths(
    analysis: &Analysis,
    method: &ChangedMethod,
    entry: &MethodId,
    worker: &mut Worker,
    limits: &mut Limits,
    selection: &mut Selection,
) -> Result<(), Error> {
    let (explorer, found) = match analysis.explorer(entry, analysis.all_paths()) {
        Ok(explorer) => finished(explorer, limits),
        Err(stop) => {
            add(limits, stop, None);
            return unknown(entry, selection);
        }
    };
    let mut paths = Vec::new();
    for path in found {
        let number = path.affected.then_some(selection.paths.len());
        if path.affected {
            let is_static = explorer.entry_is_static();
            let known = affected(analysis, (method, entry, is_static), worker, &path, limits)?;
            selection.paths.push(known);
        }
        paths.push((path, number));
    }
    for (i, judged) in selection.tests.iter_mut().enumerate() {
        for path in judge(judged, entry, &explorer, &paths) {
            selection.paths[path].covered_by.push(i);
        }
    }
    Ok(())
}

/// An entry that can't be explored: every test that calls it is run again.
fn unknown(entry: &MethodId, selection: &mut Selection) -> Result<(), Error> {
    let calls = |t: &&mut Judged| t.test.inputs.iter().any(|i| i.entry == *entry);
    for judged in selection.tests.iter_mut().filter(calls) {
        let why = format!(
            "calls {}#{}, which could not be explored",
            entry.class, entry.name
        );
        judged.reasons.push(super::Reason::Unknown(why));
    }
    Ok(())
}

fn affected(
    analysis: &Analysis,
    (method, entry, is_static): (&ChangedMethod, &MethodId, bool),
    worker: &mut Worker,
    path: &FinishedPath,
    limits: &mut Limits,
) -> Result<AffectedPath, Error> {
    let seen = analysis.observe(worker, entry, is_static, &path.inputs)?;
    let wrong = seen.as_ref().and_then(|seen| {
        let old = path.old.as_ref().and_then(|old| mismatch(old, &seen.old));
        old.or_else(|| mismatch(&path.new, &seen.new))
    });
    if wrong.is_some() {
        let what = "the JVM did something else";
        add(limits, Stop::unsupported("prediction-mismatch", what), None);
    }
    Ok(AffectedPath {
        method: method.id.clone(),
        entry: entry.clone(),
        inputs: path.inputs.clone(),
        condition: path.condition.clone(),
        differs: path.differs.unwrap_or(true),
        seen,
        covered_by: Vec::new(),
    })
}

/// Runs an exploration to its end.
fn finished(mut explorer: Explorer, limits: &mut Limits) -> (Explorer, Vec<FinishedPath>) {
    let mut paths = Vec::new();
    for end in explorer.by_ref() {
        match end {
            PathEnd::Finished(path) => paths.push(*path),
            PathEnd::GaveUp { stop, at } => add(limits, stop, at),
            PathEnd::NoInput | PathEnd::Pruned => {}
        }
    }
    for (reason, detail) in explorer.touched() {
        add(limits, Stop::bound(reason, detail), None);
    }
    (explorer, paths)
}

fn add(limits: &mut Limits, stop: Stop, at: Option<Location>) {
    let key = (stop.reason.to_string(), stop.detail, stop.bound, at);
    *limits.entry(key).or_default() += 1;
}
