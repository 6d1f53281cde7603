//! The changed methods that the differences of tests are told of, and the runs that confirm these.

use super::compare::{self, Shown};
use super::run::{SUITE_LIMIT, Suite, Which};
use crate::check::changed_method::ChangedMethod;
use crate::error::Error;
use crate::jvm::Jdk;
use crate::jvm::recording::{Recorded, RecordedTest};
use crate::model::{DivergenceClass, MethodRef, Version};
use crate::util::parallel::both;
use std::collections::{BTreeMap, BTreeSet};

/// Differences told of one method and class, and those that are looked at for it: of some nothing is left.
const MOST_TOLD: usize = 2;
const MOST_TRIED: usize = 8;
/// Further runs of the tests in both versions that must show the same: with the first one, five.
const REPEATS: usize = 4;

/// The differences by the changed method that they are told of, a few of each class.
pub(super) fn attributed(
    found: &[Shown],
    old: &Recorded,
    new: &Recorded,
    open: &[&ChangedMethod],
) -> BTreeMap<MethodRef, Vec<Shown>> {
    let mut all: BTreeMap<MethodRef, Vec<Shown>> = BTreeMap::new();
    // A test that fails says the most.
    let (tests, calls): (Vec<&Shown>, Vec<&Shown>) = found.iter().partition(|s| s.call.is_none());
    for shown in tests.into_iter().chain(calls) {
        let touched = touched(shown, old, new);
        let Some(method) = told_of(shown, found, &touched, open) else {
            continue;
        };
        let known = all.entry(method.clone()).or_default();
        push(known, shown.clone(), MOST_TRIED);
    }
    all
}

/// Adds a difference, but no more than so many of a kind.
fn push(all: &mut Vec<Shown>, shown: Shown, most: usize) {
    let kind = |s: &Shown| {
        let class = DivergenceClass::of(true, &s.old.end, &s.new.end);
        (s.call.is_none(), class)
    };
    if all.iter().filter(|s| kind(s) == kind(&shown)).count() < most {
        all.push(shown);
    }
}

/// Changed methods that the test calls in some version, in order.
fn touched(shown: &Shown, old: &Recorded, new: &Recorded) -> Vec<MethodRef> {
    let is_that_test = |t: &&RecordedTest| t.class == shown.class && t.name == shown.name;
    let tests = old
        .tests
        .iter()
        .find(is_that_test)
        .into_iter()
        .chain(new.tests.iter().find(is_that_test));
    tests.flat_map(|t| t.touched.iter().cloned()).collect()
}

/// The changed method that a difference is told of: the one that was called, else one that is entered so and that the test comes to.
fn told_of<'a>(
    shown: &Shown,
    found: &[Shown],
    touched: &[MethodRef],
    open: &[&'a ChangedMethod],
) -> Option<&'a MethodRef> {
    let entry = match &shown.call {
        Some((entry, _)) => Some(entry),
        // What differs in the test's calls is why it fails.
        None => {
            let same = |s: &&Shown| s.class == shown.class && s.name == shown.name;
            found
                .iter()
                .filter(same)
                .find_map(|s| s.call.as_ref())
                .map(|c| &c.0)
        }
    };
    if let Some(entry) = entry {
        if let Some(own) = open.iter().find(|m| m.id == *entry) {
            return Some(&own.id);
        }
        let through = |m: &&&ChangedMethod| m.entries().contains(entry) && touched.contains(&m.id);
        return open.iter().find(through).map(|m| &m.id);
    }
    let is_open = |id: &MethodRef| open.iter().find(|m| m.id == *id).map(|m| &m.id);
    touched.iter().find_map(is_open)
}

/// What is left of them in all of several further runs of both versions, side by side if asked for; `first` is the first run.
pub(super) fn confirmed(
    mut told: BTreeMap<MethodRef, Vec<Shown>>,
    suite: &Suite,
    first: (Recorded, Recorded),
    (jdk, side_by_side): (&Jdk, bool),
) -> Result<BTreeMap<MethodRef, Vec<Shown>>, Error> {
    let mut runs = vec![first];
    for _ in 0..REPEATS {
        let shown = told.values().flatten();
        let tests: Vec<String> = shown.map(|s| format!("{}#{}", s.class, s.name)).collect();
        if tests.is_empty() {
            break;
        }
        let run = |version| suite.run(jdk, version, (Which::Only(&tests), SUITE_LIMIT));
        let (old, new) = both(side_by_side, || run(Version::Old), || run(Version::New));
        runs.push((old?, new?));
        for shown in told.values_mut() {
            let steady = shown.iter().filter_map(|s| compare::steady(s, &runs));
            *shown = steady.collect();
        }
    }
    for shown in told.values_mut() {
        *shown = chosen(std::mem::take(shown));
    }
    told.retain(|_, shown| !shown.is_empty());
    Ok(told)
}

/// A few of each kind. Of a test of the patch the call that differs says why it ends otherwise; but where the test passes in the new
/// version only, what a call of it throws there is what the patch wants, and the test says so.
fn chosen(steady: Vec<Shown>) -> Vec<Shown> {
    let class = |s: &Shown| DivergenceClass::of(true, &s.old.end, &s.new.end);
    let test = |s: &Shown| (s.class.clone(), s.name.clone());
    let is_wanted = |s: &&Shown| s.call.is_none() && class(s) == DivergenceClass::Fix;
    let wanted: BTreeSet<_> = steady.iter().filter(is_wanted).map(test).collect();
    let (of_patch, others): (Vec<Shown>, Vec<Shown>) =
        steady.into_iter().partition(|s| s.is_of_patch);
    let (calls, tests): (Vec<Shown>, Vec<Shown>) =
        of_patch.into_iter().partition(|s| s.call.is_some());
    let is_against = |s: &Shown| class(s) == DivergenceClass::Regression;
    let calls = calls.into_iter();
    let calls: Vec<Shown> = calls
        .filter(|s| !(is_against(s) && wanted.contains(&test(s))))
        .collect();
    let explained: BTreeSet<_> = calls.iter().map(test).collect();
    let tests = tests.into_iter().filter(|s| !explained.contains(&test(s)));
    let mut all = Vec::new();
    for shown in others.into_iter().chain(tests).chain(calls) {
        push(&mut all, shown, MOST_TOLD);
    }
    all
}
