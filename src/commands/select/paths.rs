//! The paths of the changed methods, and the tests on them.

use super::classify::{Taken, begin, classify_inputs};
use super::{AffectedPath, ClassifiedTest, Selection, Test, TestInput};
use crate::check::analysis::Analysis;
use crate::check::changed_method::{Changed, ChangedMethod};
use crate::check::limits::Limits;
use crate::error::Error;
use crate::java_text::call::call;
use crate::jvm::Worker;
use crate::model::reason::Reason;
use crate::model::{Input, Inputs, MethodRef, PriorCall};
use crate::replay::mismatch;
use crate::symex::{Explorer, FinishedPath, PathEnd, Stop};

/// Explores all changed methods and classifies the tests.
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
        let mut limits = Limits::default();
        for entry in method.entries() {
            if generated {
                add_generated(analysis, entry, changed, &mut limits, selection);
            }
            entry_paths(analysis, method, entry, worker, &mut limits, selection)?;
        }
        for limit in limits.list() {
            selection.limits.push((method.id.clone(), limit));
        }
    }
    Ok(())
}

/// The old version's tests, the paper's way: one for each of its paths.
fn add_generated(
    analysis: &Analysis,
    entry: &MethodRef,
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
    entry: &MethodRef,
    worker: &mut Worker,
    limits: &mut Limits,
    selection: &mut Selection,
) -> Result<(), Error> {
    let (explorer, found) = match analysis.unpruned(entry) {
        Ok(explorer) => finished(explorer, limits),
        Err(stop) => {
            limits.add(stop, None);
            return unknown(entry, selection);
        }
    };
    let is_static = explorer.entry_is_static();
    let Selection {
        tests, paths: all, ..
    } = selection;
    let mut known = |path: &FinishedPath, all: &mut Vec<AffectedPath>| -> Result<Taken, Error> {
        if !path.affected {
            return Ok(None);
        }
        let at = (method, entry, is_static);
        all.push(affected(analysis, at, worker, path, limits)?);
        Ok(Some(all.len() - 1))
    };
    let mut paths = Vec::new();
    for path in found {
        let number = known(&path, all)?;
        paths.push((path, number));
    }
    // Tests often pass the same.
    let mut followed: Vec<(Inputs, Option<Taken>)> = Vec::new();
    for (i, classified) in tests.iter_mut().enumerate() {
        let mut along = |inputs: &Inputs| {
            if let Some((_, taken)) = followed.iter().find(|f| f.0 == *inputs) {
                return Ok(*taken);
            }
            let taken = match path_of(analysis, entry, inputs) {
                Some(path) => match all.iter().position(|p| p.is_same_path(entry, &path)) {
                    Some(same) => Some(Some(same)),
                    None => Some(known(&path, all)?),
                },
                None => None,
            };
            followed.push((inputs.clone(), taken));
            Ok(taken)
        };
        for path in classify_inputs(classified, entry, &explorer, &paths, &mut along)? {
            all[path].covered_by.push(i);
        }
    }
    Ok(())
}

impl AffectedPath {
    /// Whether it is that path, found another time.
    fn is_same_path(&self, entry: &MethodRef, path: &FinishedPath) -> bool {
        self.entry == *entry
            && self.condition == path.condition
            && made_alike(&self.inputs, &path.inputs)
    }
}

/// Whether inputs are made in the same way, whatever the values: conditions name only these.
fn made_alike(a: &Inputs, b: &Inputs) -> bool {
    let receivers = match (&a.receiver, &b.receiver) {
        (Some(a), Some(b)) => alike(a, b),
        (None, None) => true,
        _ => false,
    };
    receivers && all_alike(&a.args, &b.args)
}

fn all_alike(a: &[Input], b: &[Input]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
}

fn alike(a: &Input, b: &Input) -> bool {
    use Input::{Array, Boxed, Class, Enum, Field, Lambda, Null, Object, Result, Str};
    match (a, b) {
        (Object { .. } | Result { .. } | Lambda { .. }, _) => made_by(a, b),
        (Enum { .. } | Field { .. } | Class(_), _) => a == b,
        (Array { values: a, .. }, Array { values: b, .. }) => all_alike(a, b),
        // Which of these it is, is part of the condition.
        (Null | Str(_) | Boxed(_) | Array { .. }, other) => {
            matches!(other, Null | Str(_) | Boxed(_) | Array { .. })
        }
        _ => true,
    }
}

fn made_by(a: &Input, b: &Input) -> bool {
    use Input::{Lambda, Object, Result};
    match (a, b) {
        (
            Object {
                method: m,
                args: a,
                calls: c,
            },
            Object {
                method: n,
                args: b,
                calls: d,
            },
        ) => m == n && all_alike(a, b) && calls_alike(c, d),
        (
            Result {
                receiver: a,
                method: m,
                args: c,
                calls: e,
            },
            Result {
                receiver: b,
                method: n,
                args: d,
                calls: f,
            },
        ) => m == n && alike(a, b) && all_alike(c, d) && calls_alike(e, f),
        (Lambda { .. }, Lambda { .. }) => a == b,
        _ => false,
    }
}

fn calls_alike(a: &[PriorCall], b: &[PriorCall]) -> bool {
    let mut both = a.iter().zip(b);
    a.len() == b.len() && both.all(|(a, b)| a.0 == b.0 && all_alike(&a.1, &b.1))
}

/// The path that an input takes, found by following it: it may be made in a way that is not explored, or be larger.
fn path_of(analysis: &Analysis, entry: &MethodRef, inputs: &Inputs) -> Option<FinishedPath> {
    let mut explorer = analysis.just(entry, inputs).ok()?;
    explorer.find_map(|end| match end {
        PathEnd::Finished(path) => Some(*path),
        _ => None,
    })
}

/// An entry that can't be explored: every test that calls it is run again.
fn unknown(entry: &MethodRef, selection: &mut Selection) -> Result<(), Error> {
    let calls = |t: &&mut ClassifiedTest| t.test.inputs.iter().any(|i| i.entry == *entry);
    for classified in selection.tests.iter_mut().filter(calls) {
        let why = format!(
            "calls {}#{}, which could not be explored",
            entry.class, entry.name
        );
        classified.reasons.push(super::Reason::Unknown(why));
    }
    Ok(())
}

fn affected(
    analysis: &Analysis,
    (method, entry, is_static): (&ChangedMethod, &MethodRef, bool),
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
        let reason = path.chance.unwrap_or(Reason::PredictionMismatch);
        limits.add(Stop::unsupported(reason, what), None);
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
            PathEnd::GaveUp { stop, at } => limits.add(stop, at),
            PathEnd::NoInput | PathEnd::Pruned => {}
        }
    }
    for (reason, detail) in explorer.touched() {
        limits.add(Stop::bound(reason, detail), None);
    }
    (explorer, paths)
}
