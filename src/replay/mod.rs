//! Replay of predicted inputs on the real JVM in both versions and comparison with the prediction.

mod changing;
mod functions;
mod places;

pub use places::{agrees_but_for_folders, moved, name_folders, names_builds};

pub use crate::jvm::ended_the_process;

use crate::jvm::{CallKind, ReplayRequest, Worker, WorkerError};
use crate::model::{End, Inputs, MethodRef, Outcome};
pub use changing::without_changing;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// What both builds need to run.
#[derive(Clone, Debug)]
pub struct ClassPaths {
    /// Class path of the old version, its own classes first.
    pub old: Vec<PathBuf>,
    /// Class path of the new version.
    pub new: Vec<PathBuf>,
    /// Limit of one run.
    pub limit: Duration,
}

/// What the JVM did on one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// In the old version.
    pub old: Outcome,
    /// In the new version.
    pub new: Outcome,
}

/// Runs an input in both versions, each in a class loader of its own.
///
/// # Errors
/// The JVM does not start.
pub fn observe(
    worker: &mut Worker,
    builds: &ClassPaths,
    entry: &MethodRef,
    is_static: bool,
    inputs: &Inputs,
) -> Result<Observed, WorkerError> {
    let call = (entry, CallKind::of(is_static), inputs);
    let mut seen = observe_times(worker, builds, call, (1, None))?;
    let broken = || WorkerError::Broken("a run has no outcome".into());
    seen.pop().ok_or_else(broken)
}

/// Runs an input in both versions, so many times, each version first every other time: what depends on which of them runs first is
/// then another each time, such as the number of a thread. Where it is known what was seen of it, the first run that can't be made or
/// does not end is the last, unless those seen did not either: then they are not alike, and each further one might take as long. So is
/// the one during which the whole run's time ends: what was not seen again each time is not steady.
fn observe_times(
    worker: &mut Worker,
    builds: &ClassPaths,
    (entry, call, inputs): (&MethodRef, CallKind, &Inputs),
    (times, known): (usize, Option<&Observed>),
) -> Result<Vec<Observed>, WorkerError> {
    let request = |class_path| ReplayRequest {
        class_path,
        entry,
        call,
        inputs,
        limit: builds.limit,
    };
    let (old, new) = (request(&builds.old), request(&builds.new));
    let is_old = |at: usize| matches!(at % 4, 0 | 3);
    let version = |at: usize| if is_old(at) { &old } else { &new };
    let requests: Vec<ReplayRequest> = (0..2 * times).map(|at| version(at).clone()).collect();
    let end = worker.end();
    let goes_on = |at: usize, outcome: &Outcome| {
        let known = known.map(|k| if is_old(at) { &k.old } else { &k.new });
        known.is_none_or(|known| (has_end(outcome) || !has_end(known)) && !end.is_over())
    };
    let mut outcomes = worker.replay_while(&requests, goes_on)?;
    if let Some(last) = outcomes.last().cloned() {
        outcomes.resize(requests.len(), last);
    }
    let mut outcomes = outcomes.into_iter();
    let mut seen = Vec::with_capacity(times);
    let own = |path: &[PathBuf]| {
        let own = path.first().cloned().unwrap_or_default();
        std::path::absolute(&own).unwrap_or(own)
    };
    let (from, to) = (own(&builds.old), own(&builds.new));
    while let (Some(first), Some(second)) = (outcomes.next(), outcomes.next()) {
        let (old, new) = match is_old(2 * seen.len()) {
            true => (first, second),
            false => (second, first),
        };
        seen.push(functions::comparable(&Observed {
            old: moved(old, &from, &to),
            new: moved(new, &to, &to),
        }));
    }
    Ok(seen)
}

/// Whether a run could be made, and ended.
fn has_end(outcome: &Outcome) -> bool {
    !matches!(outcome.end, End::TimedOut | End::Failed(_))
}

/// Further runs that must show the same where chance may decide: what hash codes or the order of a set decide is the same in two
/// runs one time in a few.
const REPEATS: usize = 8;
/// Those of them after which it is looked whether anything is left; an even number, as each version is the first of every other run.
const FIRST_REPEATS: usize = 2;

/// What of a run both versions show again in all of several further runs; `None` where a caller sees something else then. Files
/// whose name or content is another each time don't count, nor printed text that is, as long as the versions differ without them.
///
/// # Errors
/// The JVM does not start.
pub fn steady(
    worker: &mut Worker,
    builds: &ClassPaths,
    entry: &MethodRef,
    is_static: bool,
    inputs: &Inputs,
    seen: &Observed,
) -> Result<Option<Observed>, WorkerError> {
    let call = (entry, CallKind::of(is_static), inputs);
    again(worker, builds, call, seen, |again| repeated(seen, again))
}

/// What is left of a run after several further ones; where nothing is after the first of them, there is no need of the others.
fn again<T>(
    worker: &mut Worker,
    builds: &ClassPaths,
    call: (&MethodRef, CallKind, &Inputs),
    seen: &Observed,
    left: impl Fn(&[Observed]) -> Option<T>,
) -> Result<Option<T>, WorkerError> {
    let mut again = observe_times(worker, builds, call, (FIRST_REPEATS, Some(seen)))?;
    if left(&again).is_none() {
        return Ok(None);
    }
    let others = REPEATS - FIRST_REPEATS;
    again.extend(observe_times(worker, builds, call, (others, Some(seen)))?);
    Ok(left(&again))
}

/// As [`steady`], and where state or messages are another in each run (a time, a hash), what is left without them, as long as the
/// versions differ there. Whether that is all of what a caller sees stands beside it.
///
/// # Errors
/// The JVM does not start.
pub fn steady_part(
    worker: &mut Worker,
    builds: &ClassPaths,
    (entry, is_static): (&MethodRef, bool),
    inputs: &Inputs,
    seen: &Observed,
) -> Result<Option<(Observed, bool)>, WorkerError> {
    let call = (entry, CallKind::of(is_static), inputs);
    again(worker, builds, call, seen, |again| part(seen, again))
}

/// What all of these runs show of one, and whether that is all of it.
fn part(seen: &Observed, again: &[Observed]) -> Option<(Observed, bool)> {
    if let Some(whole) = repeated(seen, again) {
        return Some((whole, true));
    }
    if let Some(part) = without_changing(seen, again) {
        return Some((part, false));
    }
    let less: [fn(&Outcome) -> Outcome; 2] = [without_state, without_state_and_message];
    let parts = less.iter().find_map(|part| {
        let of = |one: &Observed| Observed {
            old: part(&one.old),
            new: part(&one.new),
        };
        let again: Vec<Observed> = again.iter().map(of).collect();
        let seen = of(seen);
        let differs = !same_outcome(&seen.old, &seen.new);
        repeated(&seen, &again).filter(|_| differs)
    });
    parts.map(|part| (part, false))
}

fn without_state(outcome: &Outcome) -> Outcome {
    Outcome {
        receiver: None,
        args: Vec::new(),
        ..outcome.clone()
    }
}

/// As where the JVM words a message: only the exception's class says something.
fn without_state_and_message(outcome: &Outcome) -> Outcome {
    let mut less = without_state(outcome);
    if let End::Threw {
        message,
        jvm_made,
        held,
        ..
    } = &mut less.end
    {
        (*message, *jvm_made) = (None, true);
        held.clear();
    }
    less
}

/// What a method tells of its receiver, whose last call may have thrown, in both versions: where that `tells` them apart, and again in
/// further runs.
///
/// # Errors
/// The JVM does not start.
pub fn ask(
    worker: &mut Worker,
    builds: &ClassPaths,
    (method, inputs): (&MethodRef, &Inputs),
    tells: impl Fn(&Observed) -> bool,
) -> Result<Option<Observed>, WorkerError> {
    let call = (method, CallKind::Asked, inputs);
    let mut first = observe_times(worker, builds, call, (1, None))?;
    let Some(seen) = first.pop().filter(&tells) else {
        return Ok(None);
    };
    let again = observe_times(worker, builds, call, (REPEATS, Some(&seen)))?;
    // What is left without that which is another each time may tell nothing.
    Ok(repeated(&seen, &again).filter(tells))
}

/// What all of these runs show.
fn repeated(seen: &Observed, again: &[Observed]) -> Option<Observed> {
    if again.iter().all(|one| one == seen) {
        return Some(seen.clone());
    }
    let mut chance = BTreeSet::new();
    for one in again {
        note_changing(&seen.old, &one.old, &mut chance);
        note_changing(&seen.new, &one.new, &mut chance);
    }
    // Such as a stack trace that names a loader by its hash.
    let is_printed_anew = again
        .iter()
        .any(|one| one.old.printed != seen.old.printed || one.new.printed != seen.new.printed);
    let without = |outcome: &Outcome| {
        let files = outcome.files.iter().filter(|f| !chance.contains(&f.path));
        Outcome {
            files: files.cloned().collect(),
            printed: match is_printed_anew {
                true => Vec::new(),
                false => outcome.printed.clone(),
            },
            end: without_top(&outcome.end),
            ..outcome.clone()
        }
    };
    let both = |one: &Observed| Observed {
        old: without(&one.old),
        new: without(&one.new),
    };
    let kept = both(seen);
    let same = again.iter().all(|one| both(one) == kept);
    (same && !same_outcome(&kept.old, &kept.new)).then_some(kept)
}

/// The end, but for where a stack overflowed: which of the methods that call each other was on top is chance.
fn without_top(end: &End) -> End {
    let mut end = end.clone();
    if let End::Threw { class, at, .. } = &mut end
        && class == "java.lang.StackOverflowError"
    {
        *at = None;
    }
    end
}

/// Adds the paths at which two runs of a version leave something else.
fn note_changing(a: &Outcome, b: &Outcome, paths: &mut BTreeSet<String>) {
    for (one, other) in [(a, b), (b, a)] {
        let changing = one.files.iter().filter(|f| !other.files.contains(f));
        paths.extend(changing.map(|f| f.path.clone()));
    }
}

/// Whether a caller sees the same of both runs.
pub fn same_outcome(old: &Outcome, new: &Outcome) -> bool {
    old.end.same_as(&new.end) && old.leaves_the_same(new)
}

/// The first difference between a prediction and what was observed; `None` when they agree.
pub fn mismatch(predicted: &Outcome, observed: &Outcome) -> Option<String> {
    if predicted.agrees_with(observed) {
        return None;
    }
    let ends = Outcome {
        end: predicted.end.clone(),
        ..observed.clone()
    };
    let part = if !ends.agrees_with(observed) {
        (
            "end",
            format!("{:?}", predicted.end),
            format!("{:?}", observed.end),
        )
    } else if predicted.receiver != observed.receiver {
        (
            "receiver",
            format!("{:?}", predicted.receiver),
            format!("{:?}", observed.receiver),
        )
    } else if predicted.args != observed.args {
        (
            "arguments",
            format!("{:?}", predicted.args),
            format!("{:?}", observed.args),
        )
    } else if predicted.files != observed.files {
        (
            "files",
            format!("{:?}", predicted.files),
            format!("{:?}", observed.files),
        )
    } else {
        (
            "printed",
            format!("{:?}", predicted.printed),
            format!("{:?}", observed.printed),
        )
    };
    Some(format!(
        "{}: predicted {}, observed {}",
        part.0, part.1, part.2
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{End, Left, Seen};

    #[test]
    fn printed_text_that_is_another_each_time_hides_no_other_difference() {
        let run = |end: i32, printed: &str| Outcome {
            printed: printed.encode_utf16().collect(),
            ..Outcome::of(End::Returned(Seen::Int(end)))
        };
        let seen = |old: i32, new: i32, n: u32| Observed {
            old: run(old, &format!("loader@{n}")),
            new: run(new, &format!("loader@{}", n + 1)),
        };
        let found = repeated(&seen(1, 2, 0), &[seen(1, 2, 10), seen(1, 2, 20)]);
        assert!(found.is_some_and(|f| f.old.printed.is_empty() && f.new == run(2, "")));
        assert_eq!(repeated(&seen(1, 1, 0), &[seen(1, 1, 10)]), None);
    }

    #[test]
    fn where_a_stack_overflowed_is_chance_and_where_another_exception_is_thrown_is_not() {
        let seen = |class: &str, at: &str| Observed {
            old: Outcome::of(End::Threw {
                class: class.into(),
                message: None,
                jvm_made: true,
                at: Some(at.into()),
                held: Vec::new(),
            }),
            new: Outcome::of(End::Returned(Seen::Void)),
        };
        let steady = |class: &str| repeated(&seen(class, "A.java:1"), &[seen(class, "A.java:2")]);
        assert!(steady("java.lang.StackOverflowError").is_some());
        assert_eq!(steady("java.lang.IllegalStateException"), None);
    }

    #[test]
    fn a_prediction_that_knows_the_class_only_agrees_with_what_such_an_object_holds() {
        let with = |first: Seen, second: Seen| Outcome {
            args: vec![first, second],
            ..Outcome::of(End::Returned(Seen::Void))
        };
        let opaque = Seen::Opaque {
            class: "java.util.Vector".into(),
        };
        let holds = |class: &str, values: Vec<Seen>| Seen::Content {
            class: class.into(),
            values,
        };
        let text = |t: &str| Seen::Str(t.encode_utf16().collect());
        let agree = |seen: Seen, predicted: Seen, met: Seen| {
            mismatch(&with(opaque.clone(), predicted), &with(seen, met)).is_none()
        };
        let texts = holds("java.util.Vector", vec![text("a")]);
        assert!(agree(texts.clone(), Seen::Ref(0), Seen::Ref(0)));
        assert!(!agree(texts.clone(), Seen::Ref(0), Seen::Ref(1)));
        assert!(!agree(texts, Seen::Int(1), Seen::Int(2)));
        assert!(!agree(
            holds("java.util.Stack", vec![]),
            Seen::Int(1),
            Seen::Int(1)
        ));
        // Objects in it have numbers that the prediction does not count.
        let objects = holds(
            "java.util.Vector",
            vec![holds("java.util.ArrayList", vec![])],
        );
        assert!(agree(objects, Seen::Ref(0), Seen::Ref(1)));
    }

    fn threw(class: &str, message: &str, at: &str) -> Outcome {
        Outcome::of(End::Threw {
            class: class.into(),
            message: Some(message.encode_utf16().collect()),
            jvm_made: false,
            at: Some(at.into()),
            held: Vec::new(),
        })
    }

    #[test]
    fn files_that_are_others_each_time_do_not_count() {
        let left = |names: &[&str]| Outcome {
            files: names
                .iter()
                .map(|name| Left {
                    path: name.to_string(),
                    content: None,
                })
                .collect(),
            ..Outcome::of(End::Returned(Seen::Void))
        };
        let run = |old: &[&str], new: &[&str]| Observed {
            old: left(old),
            new: left(new),
        };
        let seen = run(&["a", "x1"], &["b", "x2"]);
        let again = [run(&["a", "x3"], &["b", "x4"]), run(&["a", "x5"], &["b"])];
        assert_eq!(repeated(&seen, &again), Some(run(&["a"], &["b"])));
        // Nothing else differs.
        let seen = run(&["a", "x1"], &["a", "x2"]);
        assert_eq!(repeated(&seen, &[run(&["a", "x3"], &["a", "x4"])]), None);
        // What differs is not there each time.
        let seen = run(&["a"], &["b"]);
        assert_eq!(repeated(&seen, &[run(&["a"], &["a"])]), None);
        assert_eq!(
            repeated(&seen, std::slice::from_ref(&seen)),
            Some(seen.clone())
        );
    }

    #[test]
    fn positions_and_the_jvms_own_wording_do_not_count_but_the_programs_does() {
        let worded = |message, at, by_jvm| {
            let mut outcome = threw("java.lang.NullPointerException", message, at);
            if let End::Threw { jvm_made, .. } = &mut outcome.end {
                *jvm_made = by_jvm;
            }
            outcome
        };
        let a = worded(
            "Cannot invoke \"a.B.c()\" because \"x\" is null",
            "A.java:1",
            true,
        );
        let b = worded(
            "Cannot invoke \"a.B.c()\" because \"y\" is null",
            "A.java:2",
            true,
        );
        assert!(same_outcome(&a, &b));
        let own = worded("x is missing", "A.java:1", false);
        assert!(!same_outcome(&a, &own));
        assert!(same_outcome(
            &own,
            &worded("x is missing", "A.java:2", false)
        ));
        let illegal = |m| threw("java.lang.IllegalArgumentException", m, "A.java:1");
        assert!(!same_outcome(&illegal("a"), &illegal("b")));
    }
}
