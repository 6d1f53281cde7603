//! Clusters of findings: of several findings of one difference, one is reported, and the others refer to it.

use crate::check::{inner_state, outside};
use crate::model::{
    Decision, DivergenceClass, End, Finding, FoundBy, Input, Label, Location, MethodRef,
    MethodResult, Outcome, Seen,
};
use std::collections::{BTreeMap, BTreeSet};

/// Findings kept of one difference that shows as another result of the same way: further inputs are worth having in the report,
/// though not in its text. The rest is counted.
const MAX_ALIKE: usize = 3;

/// Ranks the findings of one method: regressions first (assertion errors before others), then changes, then fixes; small inputs
/// first. The first of each difference tells the rest. The method itself tells before those that enter it, unless it is inside a private
/// class.
pub(super) fn rank(method: &MethodRef, is_inside: bool, findings: &mut Vec<Finding>) {
    let size = |f: &Finding| format!("{:?}", f.inputs).len();
    findings.sort_by_cached_key(|f| {
        (
            f.class,
            !f.new_only_assertion(),
            // What a caller sees at once stands for what only shows in the state of objects, never the other way round.
            outside::is_of_state(f),
            (f.entry == *method) == is_inside,
            // What also shows without null, or where a version returns, is no matter of null or of failing.
            f.both_throw(),
            f.inputs.has_null(),
            size(f),
            format!("{:?}", f.inputs),
        )
    });
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings.iter_mut() {
        // An input of the search may take a path that was explored as well.
        if finding.found_by != FoundBy::Exploration {
            finding.represents = 0;
        }
    }
    for mut finding in findings.drain(..) {
        let key = Difference::of(&finding);
        let most = if key.parts.is_some() { 1 } else { MAX_ALIKE };
        let mut alike = (0..kept.len()).filter(|i| Difference::of(&kept[*i]) == key);
        let (first, others) = (alike.next(), alike.count());
        match first {
            None => kept.push(finding),
            Some(first) => {
                kept[first].represents += finding.represents;
                keep_common(
                    &mut kept[first].telling.decisions,
                    &finding.telling.decisions,
                );
                if others + 1 < most {
                    finding.telling.told_by = Some(method.clone());
                    kept.push(finding);
                }
            }
        }
    }
    for finding in &mut kept {
        finding.represents = finding.represents.max(1);
    }
    *findings = kept;
}

/// Of findings of one method that the same answer of an object shows, one tells it: where nothing was thrown, if there is such a one.
pub(super) fn fold_shown(method: &MethodRef, findings: &mut [Finding]) {
    let threw = |f: &Finding| matches!(f.new.end, End::Threw { .. });
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|i| (threw(&findings[*i]), *i));
    for (at, i) in order.iter().enumerate() {
        let this = &findings[*i];
        let is_it = |j: &&usize| {
            let other = &findings[**j];
            let shown = this.telling.shown.is_some() && this.telling.shown == other.telling.shown;
            shown
                && this.class == other.class
                && this.diverges_at == other.diverges_at
                && this.is_told()
                && other.is_told()
        };
        if let Some(first) = order[..at].iter().find(is_it).copied() {
            let decisions = this.telling.decisions.clone();
            let paths = match this.found_by {
                FoundBy::Exploration => this.represents,
                _ => 0,
            };
            findings[*i].telling.told_by = Some(method.clone());
            findings[first].represents += paths;
            keep_common(&mut findings[first].telling.decisions, &decisions);
        }
    }
}

/// Puts findings that matter to few callers behind the others of their class, and those that are not shown last.
pub(super) fn order(methods: &mut [MethodResult]) {
    for m in methods {
        m.findings.sort_by_key(|f| {
            let is_unpassed = f.telling.labels.contains(&Label::Unpassed);
            (!f.is_told(), !f.is_relevant(), f.class, is_unpassed)
        });
    }
}

/// Lets a relevant finding tell its difference, where one told it that labels of its own input make minor.
pub(super) fn tell_relevant(methods: &mut [MethodResult]) {
    const OF_INPUTS: [Label; 2] = [Label::UnpassedNull, Label::FurtherParameter];
    for m in methods {
        for i in 0..m.findings.len() {
            let told = &m.findings[i];
            let is_of_input = |l: &&Label| OF_INPUTS.contains(l);
            let minor = told.telling.labels.iter().filter(|l| l.is_minor());
            if !told.is_told()
                || minor.clone().count() == 0
                || !minor.clone().all(|l| is_of_input(&l))
            {
                continue;
            }
            let better = m.findings.iter().position(|f| {
                let is_alike = Difference::of(f) == Difference::of(told) && f.entry == told.entry;
                let is_behind = f.telling.told_by.as_ref() == Some(&m.method);
                is_alike && is_behind && f.is_relevant()
            });
            if let Some(better) = better {
                let (all, by) = (told.represents, m.method.clone());
                m.findings[i].represents = m.findings[better].represents;
                m.findings[i].telling.told_by = Some(by);
                m.findings[better].represents = all;
                m.findings[better].telling.told_by = None;
            }
        }
    }
}

/// Leaves of each finding's decisions those up to the change: what is decided behind it separates no inputs, unless the versions part
/// at the same place with another end, or with none that differs (`harmless`).
pub(super) fn end_at_change(findings: &mut [Finding], harmless: &BTreeSet<(Location, Location)>) {
    let separates = |f: &Finding| {
        let parts = f.diverges_at.as_ref();
        let has_other_end = |o: &&Finding| {
            o.diverges_at.as_ref() == parts && (o.class, Pair::of(o)) != (f.class, Pair::of(f))
        };
        parts.is_some_and(|at| harmless.contains(at)) || findings.iter().any(|o| has_other_end(&o))
    };
    let ends: Vec<bool> = findings.iter().map(|f| !separates(f)).collect();
    for (finding, ends) in findings.iter_mut().zip(ends) {
        let decisions = &mut finding.telling.decisions;
        if let (true, Some(at)) = (ends, decisions.iter().position(|d| d.differs)) {
            decisions.truncate(at + 1);
        }
    }
}

/// Leaves the decisions that all inputs of a difference share: what else one of them decided does not matter for it.
pub(super) fn keep_common(decisions: &mut Vec<Decision>, others: &[Decision]) {
    let same = |d: &Decision| others.iter().find(|o| d.is_same(o));
    // Of an input that nobody followed, no decisions are known.
    if !others.is_empty() {
        // They part at the same place.
        decisions.retain(|d| d.differs || same(d).is_some());
        // What implied it may be gone.
        for decision in decisions.iter_mut() {
            decision.is_implied &= same(decision).is_none_or(|o| o.is_implied);
        }
    }
}

/// Of a difference that several changed methods show, the one tells it in whose lines the versions part, or that is called.
pub(super) fn fold(methods: &mut [MethodResult]) {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for (i, m) in methods.iter().enumerate() {
        let told = m.findings.iter().enumerate().filter(|(_, f)| f.is_told());
        all.extend(told.map(|(j, _)| (i, j)));
    }
    all.sort_by_cached_key(|(i, j)| {
        (
            state_fields(&methods[*i].findings[*j]).is_some(),
            inner_state::is_deep(&methods[*i].findings[*j]),
            rank_of_place(&methods[*i], &methods[*i].findings[*j]),
            *i,
            !is_answer(&methods[*i].findings[*j]),
            *j,
        )
    });
    let mut told: Vec<(usize, usize)> = Vec::new();
    for at in all {
        let (this, of) = (&methods[at.0].findings[at.1], &methods[at.0].method);
        let by = told.iter().find(|by| {
            let (m, f) = (&methods[by.0].method, &methods[by.0].findings[by.1]);
            let is_one = match by.0 == at.0 {
                true => is_part_of(f, this),
                false => is_same((m, f), (of, this)),
            };
            is_one || is_state_behind(f, this)
        });
        match by.copied() {
            None => told.push(at),
            Some(by) => {
                let id = methods[by.0].method.clone();
                methods[at.0].findings[at.1].telling.told_by = Some(id);
            }
        }
    }
}

/// The smaller, the better a place to tell it: a call that tells by itself before one whose object is asked afterwards.
fn rank_of_place(m: &MethodResult, f: &Finding) -> (bool, bool, bool, bool) {
    let (first, line) = (m.line.unwrap_or(u32::MAX), f.diverges_at.as_ref());
    let is_before = line.is_some_and(|(_, new)| new.line < first);
    let (elsewhere, asked) = (f.entry != m.method, f.telling.shown.is_some());
    (is_made_by_javac(&m.method), elsewhere, asked, is_before)
}

/// Whether two methods' findings are one difference: seen at the same call, at the same place in the code, in how objects of the
/// same class begin, or by the same answers of an object.
fn is_same(a: (&MethodRef, &Finding), b: (&MethodRef, &Finding)) -> bool {
    let kinds = (Pair::of(a.1), Pair::of(b.1));
    if a.1.class != b.1.class {
        return false;
    }
    let asked = a.1.telling.shown.is_some() || b.1.telling.shown.is_some();
    if asked && Answer::of(a.1) == Answer::of(b.1) {
        return true;
    }
    if is_thrown_at_one_line(a.1, b.1) || inner_state::is_told(a.1, b.1) {
        return true;
    }
    if kinds.0 != kinds.1 {
        return false;
    }
    if is_state_of_one_class(a.1, b.1) {
        return true;
    }
    let place = a.1.diverges_at.is_some() && a.1.diverges_at == b.1.diverges_at;
    let call =
        a.1.entry == b.1.entry && (a.1.inputs == b.1.inputs || a.1.diverges_at == b.1.diverges_at);
    let begin = begins_objects(a.0) && begins_objects(b.0) && a.0.class == b.0.class;
    place || call || begin
}

/// An exception's class, and where it was thrown.
type Thrown = (String, String);

/// What the version that fails throws, or what both do, and where; `None` where that is not known.
pub(super) fn thrown_at(
    class: DivergenceClass,
    [old, new]: [&End; 2],
) -> Option<(Option<Thrown>, Thrown)> {
    let thrown = |end: &End| match end {
        End::Threw {
            class,
            at: Some(at),
            ..
        } => Some((class.clone(), at.clone())),
        _ => None,
    };
    match class {
        DivergenceClass::Regression => Some((None, thrown(new)?)),
        DivergenceClass::Fix => Some((None, thrown(old)?)),
        _ => Some((Some(thrown(old)?), thrown(new)?)),
    }
}

/// Whether one version only fails, or both do in other ways, at lines that both methods come to: of a helper that they share.
fn is_thrown_at_one_line(a: &Finding, b: &Finding) -> bool {
    let both = |f: &Finding| thrown_at(f.class, [&f.old.end, &f.new.end]);
    // Where a test fails is its framework's line, or its own: other tests fail there, too.
    let test = |f: &Finding| {
        let of = f.situation.as_ref().filter(|of| of.is_whole_test())?;
        Some(of.test.clone())
    };
    test(a) == test(b) && both(a).is_some() && both(a) == both(b)
}

/// Whether nothing but fields of a receiver differs, of the same class and in the same fields, or in more of them in the second one;
/// no answer of the object shows it.
fn is_state_of_one_class(a: &Finding, b: &Finding) -> bool {
    match (state_fields(a), state_fields(b)) {
        (Some((of, first)), Some((class, second))) => of == class && first.is_subset(&second),
        _ => false,
    }
}

/// Whether what a call ends with differs.
fn is_answer(f: &Finding) -> bool {
    differing(&f.old, &f.new)[0]
}

/// Whether a call's result differs and other things too, which are all that differs in the second one: no other branch shows there.
fn is_part_of(answer: &Finding, other: &Finding) -> bool {
    let (mut all, part) = (
        differing(&answer.old, &answer.new),
        differing(&other.old, &other.new),
    );
    // What its result shares with the arguments is told with the result.
    let args = |o: &Outcome| o.arguments_first().args;
    all[2] |= args(&answer.old) != args(&answer.new);
    answer.class == other.class
        && answer.diverges_at == other.diverges_at
        && (end(&answer.old.end), end(&answer.new.end))
            == (end(&other.old.end), end(&other.new.end))
        && all[0]
        && !part[0]
        && part.iter().zip(all).all(|(part, whole)| whole || !part)
}

/// Whether a call's result differs, and in it, or behind it in the receiver, the fields of an object that are all that differs in the second
/// one.
fn is_state_behind(answer: &Finding, state: &Finding) -> bool {
    let Some((class, fields)) = state_fields(state).filter(|_| answer.class == state.class) else {
        return false;
    };
    let (End::Returned(old), End::Returned(new)) = (&answer.old.end, &answer.new.end) else {
        return false;
    };
    let holds = |old: &Seen, new: &Seen| {
        differing_fields(old, new).is_some_and(|(c, all)| c == class && fields.is_subset(&all))
    };
    let receivers = (answer.old.receiver.as_ref(), answer.new.receiver.as_ref());
    let behind = matches!(receivers, (Some(old), Some(new)) if holds(old, new));
    old != new && (behind || holds(old, new))
}

/// The receiver's class and the fields that differ, where nothing else does and no answer shows it.
fn state_fields(f: &Finding) -> Option<(&str, BTreeSet<&str>)> {
    let is_only = f.telling.labels.contains(&Label::ReceiverState);
    if !is_only || f.telling.shown.is_some() {
        return None;
    }
    differing_fields(f.old.receiver.as_ref()?, f.new.receiver.as_ref()?)
}

/// The class of two objects, and the fields in which they differ.
fn differing_fields<'a>(old: &'a Seen, new: &'a Seen) -> Option<(&'a str, BTreeSet<&'a str>)> {
    let (
        Seen::Object { class, fields },
        Seen::Object {
            class: other,
            fields: others,
        },
    ) = (old, new)
    else {
        return None;
    };
    let of = |all: &'a [(String, Seen)]| all.iter().map(|(name, value)| (&**name, value));
    let (old, new): (BTreeMap<_, _>, BTreeMap<_, _>) = (of(fields).collect(), of(others).collect());
    let names = old.keys().chain(new.keys()).copied();
    let differing: BTreeSet<&str> = names.filter(|n| old.get(n) != new.get(n)).collect();
    (class == other && !differing.is_empty()).then_some((class, differing))
}

/// What a call shows: of an object that was asked, or else the finding's own.
#[derive(PartialEq)]
struct Answer<'a> {
    method: &'a MethodRef,
    args: &'a [Input],
    ends: [&'a End; 2],
}

impl Answer<'_> {
    fn of(f: &Finding) -> Answer<'_> {
        match &f.telling.shown {
            Some(shown) => Answer {
                method: &shown.method,
                args: &shown.args,
                ends: [&shown.old.end, &shown.new.end],
            },
            None => Answer {
                method: &f.entry,
                args: &f.inputs.args,
                ends: [&f.old.end, &f.new.end],
            },
        }
    }
}

/// Whether it runs while a class or its objects are made.
fn begins_objects(method: &MethodRef) -> bool {
    matches!(method.name.as_str(), "<init>" | "<clinit>" | "$values")
}

/// Whether it has no name in the source.
fn is_made_by_javac(method: &MethodRef) -> bool {
    method.name == "<clinit>" || method.name.contains('$')
}

/// What findings of one difference in one method have in common.
#[derive(PartialEq)]
struct Difference<'a> {
    class: DivergenceClass,
    parts: Option<&'a (Location, Location)>,
    ends: Pair<'a>,
}

impl Difference<'_> {
    fn of(f: &Finding) -> Difference<'_> {
        Difference {
            class: f.class,
            parts: f.diverges_at.as_ref(),
            ends: Pair::of(f),
        }
    }
}

/// How both versions end, in kind, and where the versions part not at all, what else differs.
#[derive(PartialEq)]
struct Pair<'a> {
    old: &'a str,
    new: &'a str,
    seen: Option<[bool; 5]>,
}

impl Pair<'_> {
    fn of(f: &Finding) -> Pair<'_> {
        Pair {
            old: end(&f.old.end),
            new: end(&f.new.end),
            seen: f.diverges_at.is_none().then(|| differing(&f.old, &f.new)),
        }
    }
}

fn end(end: &End) -> &str {
    match end {
        End::Returned(_) => "returned",
        End::Threw { class, .. } => class,
        End::Exited(_) => "exited",
        _ => "other",
    }
}

/// Whether the ends, the receivers, the arguments, and what was printed differ.
fn differing(old: &Outcome, new: &Outcome) -> [bool; 5] {
    [
        old.end != new.end,
        old.receiver != new.receiver,
        old.arguments_beside(new) != new.arguments_beside(old),
        old.printed != new.printed,
        old.files != new.files,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Inputs, Kind, Replay, Situation};

    /// Only the new version throws, at the same line each time.
    fn seen_in(test: &str, is_written: bool) -> Finding {
        let thrown = End::Threw {
            class: "java.lang.AssertionError".into(),
            message: None,
            jvm_made: false,
            at: Some("Assert.java:89".into()),
            held: Vec::new(),
        };
        Finding {
            class: DivergenceClass::Regression,
            kind: Kind::Data,
            entry: MethodRef {
                class: "demo.Foo".into(),
                name: "f".into(),
                descriptor: "()V".into(),
            },
            entry_static: true,
            direct: true,
            inputs: Inputs {
                receiver: None,
                args: Vec::new(),
            },
            parameter_names: Vec::new(),
            old: Outcome::of(End::Returned(Seen::Void)),
            new: Outcome::of(thrown),
            path_condition: String::new(),
            diverges_at: None,
            replay: Replay::Confirmed,
            represents: 1,
            found_by: Default::default(),
            situation: Some(Situation {
                test: test.into(),
                call: None,
                is_written,
                is_of_patch: false,
            }),
            telling: Default::default(),
        }
    }

    #[test]
    fn whole_tests_that_fail_at_one_line_are_no_one_difference_and_inputs_of_tests_are() {
        let is_one = |is_written| {
            let [a, b] = ["demo.FooTest#a", "demo.FooTest#b"].map(|test| seen_in(test, is_written));
            is_thrown_at_one_line(&a, &b)
        };
        assert!(!is_one(false));
        assert!(is_one(true));
        let same = seen_in("demo.FooTest#a", false);
        assert!(is_thrown_at_one_line(&same, &same));
    }

    #[test]
    fn fields_of_a_new_object_that_a_call_also_gives_are_told_by_the_call() {
        let object = |pattern| Seen::Object {
            class: "demo.Parser".into(),
            fields: vec![("pattern".into(), Seen::Int(pattern))],
        };
        let finding = |old: Outcome, new: Outcome| Finding {
            class: DivergenceClass::Changed,
            old,
            new,
            situation: None,
            ..seen_in("", true)
        };
        let made = |of| Outcome {
            receiver: Some(object(of)),
            ..Outcome::of(End::Returned(Seen::Void))
        };
        let given = |of| Outcome::of(End::Returned(object(of)));
        let mut constructor = finding(made(1), made(2));
        constructor.telling.labels.push(Label::ReceiverState);
        assert!(is_state_behind(&finding(given(1), given(2)), &constructor));
        assert!(!is_state_behind(&finding(given(1), given(1)), &constructor));
        let number = |n| Outcome::of(End::Returned(Seen::Int(n)));
        assert!(!is_state_behind(
            &finding(number(1), number(2)),
            &constructor
        ));
    }
}
