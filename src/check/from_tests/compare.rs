//! The comparison of the same tests' calls in both versions.

use crate::jvm::recording::{ObservedCall, Recorded, RecordedTest, TestEnd};
use crate::model::{End, MethodRef, Outcome, Seen};
use crate::replay::{Observed, same_outcome, without_changing};
use std::collections::{BTreeMap, BTreeSet};

/// A difference that a test shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The test's class.
    pub class: String,
    /// Its method.
    pub name: String,
    /// The call that ends differently, by method and place among its calls; `None` where the test itself does.
    pub call: Option<(MethodRef, usize)>,
    /// What the old version did.
    pub old: Outcome,
    /// What the new version did.
    pub new: Outcome,
    /// Whether the patch adds or changes the test.
    pub is_of_patch: bool,
}

/// All differences between two runs of the same tests: of each test and method the first, and whether only one version passes it. Whether
/// the tests are those of the patch stands with each.
pub fn differences(old: &Recorded, new: &Recorded, is_of_patch: bool) -> Vec<Shown> {
    let mut all = Vec::new();
    for (a, b) in pairs(old, new) {
        let shown = |call, (old, new)| Shown {
            class: a.class.clone(),
            name: a.name.clone(),
            call,
            old,
            new,
            is_of_patch,
        };
        if let Some(ends) = turned(a, b) {
            all.push(shown(None, ends));
        }
        let entries: BTreeSet<&MethodRef> = a.calls.iter().map(|c| &c.entry).collect();
        for entry in entries {
            let (x, y) = (calls(a, entry), calls(b, entry));
            if let Some(at) = first_difference(&x, &y) {
                let ends = outcomes(x[at], y[at]);
                all.push(shown(Some((entry.clone(), at)), ends));
            }
        }
    }
    all
}

/// What the tests that ran a method's changed code in both versions came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// How many they are.
    pub tests: u64,
    /// Calls of the method's entries in them that were compared.
    pub calls: u64,
}

impl Evidence {
    /// Adds that of further tests.
    pub fn add(&mut self, other: Evidence) {
        self.tests += other.tests;
        self.calls += other.calls;
    }
}

/// What the tests came to of a method with these entries.
pub fn evidence(
    old: &Recorded,
    new: &Recorded,
    (method, entries): (&MethodRef, &[MethodRef]),
) -> Evidence {
    let mut all = Evidence::default();
    for (a, b) in pairs(old, new) {
        if a.reached.contains(method) && b.reached.contains(method) {
            all.tests += 1;
            let compared = |e| compared(&calls(a, e), &calls(b, e)) as u64;
            all.calls += entries.iter().map(compared).sum::<u64>();
        }
    }
    all
}

/// How many calls were compared.
fn compared(old: &[&ObservedCall], new: &[&ObservedCall]) -> usize {
    let calls = old.iter().zip(new);
    let compared = calls.take_while(|(a, b)| is_same_call(a, b));
    compared.filter(|(a, b)| is_known_to_be_same(a, b)).count()
}

/// A test in the old and the new version.
type TestPair<'a> = (&'a RecordedTest, &'a RecordedTest);
/// A call in the old and the new version.
type CallPair<'a> = (&'a ObservedCall, &'a ObservedCall);

/// What all of these runs in both versions show of a difference that the first one shows, without what is another thing in each run of
/// one version, such as a time: perhaps at a later call. `None` where nothing is left.
pub fn steady(shown: &Shown, runs: &[(Recorded, Recorded)]) -> Option<Shown> {
    let is_that_test = |t: &TestPair| t.0.class == shown.class && t.0.name == shown.name;
    let mut tests = Vec::new();
    for (old, new) in runs {
        tests.push(pairs(old, new).into_iter().find(is_that_test)?);
    }
    match &shown.call {
        None => tests
            .iter()
            .all(|test| turns_again(shown, test))
            .then(|| shown.clone()),
        Some((entry, first)) => steady_call(shown, (entry, *first), &tests),
    }
}

/// Whether the test itself ends in both versions as in the first run.
fn turns_again(shown: &Shown, (old, new): &TestPair) -> bool {
    turned(old, new).is_some_and(|(old, new)| {
        thrown(&old.end) == thrown(&shown.old.end) && thrown(&new.end) == thrown(&shown.new.end)
    })
}

/// The first call of the entry, from that one on, at which all runs show a difference.
fn steady_call(
    shown: &Shown,
    (entry, first): (&MethodRef, usize),
    tests: &[TestPair],
) -> Option<Shown> {
    let calls = tests
        .iter()
        .map(|(a, b)| (calls(a, entry), calls(b, entry)));
    let calls: Vec<_> = calls.collect();
    let most = calls.iter().map(|(x, y)| x.len().min(y.len())).min()?;
    for at in first..most {
        let pairs: Vec<CallPair> = calls.iter().map(|(x, y)| (x[at], y[at])).collect();
        // What was called with something else in each run changes by time or chance.
        let is_same = |pair: &CallPair| {
            is_same_call(pair.0, pair.1)
                && is_same_call(pairs[0].0, pair.0)
                && is_same_call(pairs[0].1, pair.1)
        };
        if !pairs.iter().all(is_same) {
            return None;
        }
        if let Some(Observed { old, new }) = kept(&pairs) {
            return Some(Shown {
                call: Some((entry.clone(), at)),
                old,
                new,
                ..shown.clone()
            });
        }
    }
    None
}

/// The difference that stays in all runs of a call.
fn kept(pairs: &[CallPair]) -> Option<Observed> {
    if !pairs.iter().all(|(a, b)| is_known_to_be_same(a, b)) {
        return None;
    }
    let is_brief = pairs.iter().any(|(a, b)| a.is_brief || b.is_brief);
    let seen = pairs.iter().map(|(a, b)| Observed {
        old: outcome(a, is_brief),
        new: outcome(b, is_brief),
    });
    let seen: Vec<Observed> = seen.collect();
    let kept = without_changing(&seen[0], &seen[1..])?;
    differs(&kept.old, &kept.new).then_some(kept)
}

/// The tests that both ran.
fn pairs<'a>(old: &'a Recorded, new: &'a Recorded) -> Vec<TestPair<'a>> {
    let key = |t: &'a RecordedTest| (&t.class, &t.name);
    let others: BTreeMap<_, _> = new.tests.iter().map(|t| (key(t), t)).collect();
    let tests = old.tests.iter();
    tests
        .filter_map(|t| Some((t, *others.get(&key(t))?)))
        .collect()
}

/// The ends of a test that passes in one version only. What a version does not have at all is not what it does.
fn turned(old: &RecordedTest, new: &RecordedTest) -> Option<(Outcome, Outcome)> {
    let of = |test: &RecordedTest| match test.end {
        TestEnd::Passed => Some(End::Returned(Seen::Void)),
        TestEnd::Failed => test.failure.clone().filter(|why| !is_linkage(why)),
        _ => None,
    };
    let one_passed = (old.end == TestEnd::Passed) != (new.end == TestEnd::Passed);
    let (old, new) = (of(old)?, of(new)?);
    one_passed.then(|| (Outcome::of(old), Outcome::of(new)))
}

/// Whether a test failed as a version lacks a member or class, also where the test's framework says so.
fn is_linkage(failure: &End) -> bool {
    const LINKAGE: [&str; 8] = [
        "java.lang.NoSuchMethodError",
        "java.lang.NoSuchFieldError",
        "java.lang.NoClassDefFoundError",
        "java.lang.AbstractMethodError",
        "java.lang.IllegalAccessError",
        "java.lang.IncompatibleClassChangeError",
        "java.lang.VerifyError",
        "java.lang.ClassNotFoundException",
    ];
    let End::Threw { class, message, .. } = failure else {
        return false;
    };
    let message = String::from_utf16_lossy(message.as_deref().unwrap_or_default());
    let is_named = |name: &&str| *class == **name || message.contains(*name);
    LINKAGE.iter().any(is_named)
}

fn thrown(end: &End) -> &str {
    match end {
        End::Threw { class, .. } => class,
        _ => "",
    }
}

fn calls<'a>(test: &'a RecordedTest, entry: &MethodRef) -> Vec<&'a ObservedCall> {
    test.calls.iter().filter(|c| c.entry == *entry).collect()
}

/// The first call with the same input and another outcome. Behind a call whose input differs nothing is compared: the tests went
/// other ways before. A call of whose input not all was seen says nothing, unless it is the first that comes to the patch.
fn first_difference(old: &[&ObservedCall], new: &[&ObservedCall]) -> Option<usize> {
    for (at, (a, b)) in old.iter().zip(new).enumerate() {
        if !is_same_call(a, b) {
            return None;
        }
        let (old, new) = outcomes(a, b);
        if is_known_to_be_same(a, b) && differs(&old, &new) {
            return Some(at);
        }
    }
    None
}

/// Whether what is not seen of the inputs is the same too: there is nothing, or nothing that changed ran before.
fn is_known_to_be_same(a: &ObservedCall, b: &ObservedCall) -> bool {
    a.is_whole && b.is_whole || a.is_first && b.is_first
}

/// Whether both are called with the same.
fn is_same_call(a: &ObservedCall, b: &ObservedCall) -> bool {
    let same_receiver = a.digests.1 == b.digests.1 || a.is_direct && b.is_direct;
    a.number == b.number && a.digests.0 == b.digests.0 && same_receiver
}

/// The outcomes as far as both are told: where objects are too large in one of them, the results.
fn outcomes(old: &ObservedCall, new: &ObservedCall) -> (Outcome, Outcome) {
    let is_brief = old.is_brief || new.is_brief;
    (outcome(old, is_brief), outcome(new, is_brief))
}

/// The outcome of a call, or its result alone.
fn outcome(call: &ObservedCall, is_brief: bool) -> Outcome {
    match is_brief {
        true => Outcome::of(call.outcome.end.clone()),
        false => call.outcome.clone(),
    }
}

/// Whether a caller sees the difference. Where classes have other fields now, only what needs none of them is compared.
fn differs(old: &Outcome, new: &Outcome) -> bool {
    if same_outcome(old, new) {
        return false;
    }
    let (a, b) = (fields(old), fields(new));
    let reshaped = |(class, names): (&&str, &Vec<&str>)| b.get(class).is_some_and(|n| n != names);
    if !a.iter().any(reshaped) {
        return true;
    }
    let is_plain = |end: &End| !matches!(end, End::Returned(value) if has_fields(value));
    is_plain(&old.end)
        && is_plain(&new.end)
        && !same_outcome(&Outcome::of(old.end.clone()), &Outcome::of(new.end.clone()))
}

fn has_fields(value: &Seen) -> bool {
    let mut found = BTreeMap::new();
    add_fields(value, &mut found);
    !found.is_empty()
}

/// The fields' names by class, of all objects in an outcome.
fn fields(outcome: &Outcome) -> BTreeMap<&str, Vec<&str>> {
    let mut found = BTreeMap::new();
    if let End::Returned(value) = &outcome.end {
        add_fields(value, &mut found);
    }
    for value in outcome.receiver.iter().chain(&outcome.args) {
        add_fields(value, &mut found);
    }
    found
}

fn add_fields<'a>(value: &'a Seen, found: &mut BTreeMap<&'a str, Vec<&'a str>>) {
    match value {
        Seen::Object { class, fields } => {
            found
                .entry(class)
                .or_insert_with(|| fields.iter().map(|f| f.0.as_str()).collect());
            fields.iter().for_each(|f| add_fields(&f.1, found));
        }
        Seen::Array { values, .. } | Seen::Content { values, .. } => {
            values.iter().for_each(|v| add_fields(v, found));
        }
        _ => {}
    }
}
