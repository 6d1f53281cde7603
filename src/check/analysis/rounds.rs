//! Rounds of growing effort over all methods: a small round for each first, then more effort for open ones.

use super::{Analysis, Effort, begin, begin_with_tests, finish};
use crate::check::changed_method::ChangedMethod;
use crate::check::collector::Collector;
use crate::check::limits::more_may_help;
use crate::check::progress::Progress;
use crate::error::Error;
use crate::jvm::Worker;
use crate::model::reason::Reason;
use crate::model::{Finding, MethodRef, MethodResult};
use crate::util::deep_stack::on_a_deep_stack;
use crate::util::parallel::parallel_map;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The part of the effort that a method gets in each round. A round begins anew: so the last one alone decides, and the rounds
/// before cost an eighth of it.
const ROUNDS: [u64; 2] = [8, 1];

/// What comes of the methods, by their numbers.
type Results<T = MethodResult> = BTreeMap<usize, T>;

/// What is done for a method, by its number.
type Work<'a, T> = dyn Fn(usize, &mut Option<Worker>) -> Result<T, Error> + Sync + 'a;

/// What runs for each method of a round.
struct Round<'a, T> {
    threads: usize,
    workers: &'a Mutex<Vec<Worker>>,
    span: &'a (dyn Fn(usize) -> tracing::Span + Sync),
    run: &'a Work<'a, T>,
    /// What is done when that has ended.
    ended: &'a (dyn Fn(usize, &T) + Sync),
}

/// Searches each method for a moment, so that what is easily found is told within seconds. It needs nothing of the project's tests.
///
/// # Errors
/// A class file can't be read, or no thread or process can be started.
pub(in crate::check) fn search_first(
    analysis: &Analysis,
    methods: &[ChangedMethod],
) -> Result<Vec<Collector>, Error> {
    let all: Vec<usize> = (0..methods.len()).collect();
    let round = Round {
        threads: analysis.options.budgets.threads,
        workers: &analysis.workers,
        span: &|i| span(&methods[i]),
        run: &|i, worker| begin(analysis, &methods[i], worker),
        ended: &|_, _| {},
    };
    // All methods, so their places are their numbers.
    Ok(round.all(&all)?.into_values().collect())
}

/// Whether the first search showed what most callers would want to know of each method: then tests, which the project runs itself, have
/// little to add.
pub(in crate::check) fn all_shown(
    analysis: &Analysis,
    methods: &[ChangedMethod],
    begun: &[Collector],
) -> bool {
    let is_shown = |(method, begun): (&ChangedMethod, &Collector)| {
        let is_open = method.is_analysed() && !analysis.is_proved(&method.id);
        !is_open || begun.has_settled_findings()
    };
    !analysis.options.budgets.exhaustive && methods.iter().zip(begun).all(is_shown)
}

/// Analyses all methods that were begun with, several at a time; the result does not depend on how many. Where something was found
/// already, one small round of exploration shows what else there is.
///
/// # Errors
/// A class file can't be read, or no thread or process can be started.
pub(in crate::check) fn analyse(
    analysis: &Analysis,
    methods: &[ChangedMethod],
    begun: Vec<Collector>,
    progress: &dyn Progress,
) -> Result<Vec<MethodResult>, Error> {
    let done = AtomicUsize::new(0);
    let name = |i: usize| name(&methods[i]);
    let span = |i: usize| span(&methods[i]);
    let threads = analysis.options.budgets.threads;
    let mut open: Vec<usize> = (0..methods.len()).collect();
    let tested = Round {
        threads,
        workers: &analysis.workers,
        span: &span,
        run: &|i, worker| begin_with_tests(analysis, &methods[i], begun[i].clone(), worker),
        ended: &|_, _| {},
    };
    let mut begun: Vec<Collector> = tested.all(&open)?.into_values().collect();
    let is_found = |begun: &[Collector], i: usize| {
        !analysis.options.budgets.exhaustive && begun[i].has_settled_findings()
    };
    let numbers: BTreeMap<&MethodRef, usize> = methods.iter().map(|m| &m.id).zip(0..).collect();
    // One method alone waits for no other. How many threads there are must not matter here.
    let rounds = &ROUNDS[usize::from(analysis.open == 1)..];
    let mut results = Results::new();
    for (number, part) in rounds.iter().enumerate() {
        let is_last = number + 1 == rounds.len();
        let stays_open =
            |i: usize, result: &MethodResult| is_open(result) && !is_found(&begun, i) && !is_last;
        // What the methods show on which a proof rests is known from the rounds before.
        let shows = |other: &MethodRef| {
            numbers.get(other).is_some_and(|i| {
                let before: Option<&MethodResult> = results.get(i);
                is_found(&begun, *i)
                    || before.is_some_and(|r| r.findings.iter().any(Finding::is_told))
            })
        };
        let run = |i: usize, worker: &mut Option<Worker>| {
            let known = is_found(&begun, i);
            let others = analysis.but_for(&methods[i].id);
            let rests = !analysis.options.budgets.exhaustive
                && others.is_some_and(|all| all.iter().all(shows))
                && !analysis.asserts(&methods[i].id);
            let effort = Effort {
                part: if known { ROUNDS[0] } else { *part },
                comes_again: !is_last && !known,
                rests,
            };
            finish(analysis, &methods[i], begun[i].clone(), effort, worker)
        };
        let ended = |i: usize, result: &MethodResult| {
            if !stays_open(i, result) {
                let done = done.fetch_add(1, Ordering::SeqCst) + 1;
                progress.method(done, methods.len(), &name(i));
                progress.found(result);
            }
        };
        let round = Round {
            threads,
            workers: &analysis.workers,
            span: &span,
            run: &run,
            ended: &ended,
        };
        let came = round.all(&open)?;
        analysis.shared.clear();
        open.retain(|i| came.get(i).is_some_and(|r| stays_open(*i, r)));
        for (i, result) in came {
            take(&mut results, i, result);
        }
        if open.is_empty() || analysis.deadline.is_over() {
            break;
        }
        // The seconds of its beginning are counted already.
        begun.iter_mut().for_each(|b| b.result.seconds = 0.0);
    }
    Ok(results.into_values().collect())
}

/// Whether more effort may show more.
fn is_open(result: &MethodResult) -> bool {
    let mut limits = result.limits.iter();
    limits.any(|l| more_may_help(l.reason, &l.detail))
}

/// Takes a later round's result for an earlier one, unless the clock cut it short.
fn take(results: &mut Results, i: usize, mut result: MethodResult) {
    if let Some(before) = results.remove(&i) {
        let late = result
            .limits
            .iter()
            .any(|l| l.reason == Reason::MethodTimeout);
        let seconds = before.seconds + result.seconds;
        if late && before.findings.len() >= result.findings.len() {
            result = before;
        }
        result.seconds = seconds;
    }
    results.insert(i, result);
}

impl<T: Send> Round<'_, T> {
    /// Runs the work for each of these numbers; a worker process is handed from one to the next.
    fn all(&self, numbers: &[usize]) -> Result<Results<T>, Error> {
        let work = |_: &mut (), i: &usize| {
            let mut worker = locked(self.workers).pop();
            // A thread of its own has a solver context of its own: what it finds does not depend on what ran before.
            let result =
                on_a_deep_stack(|| (self.span)(*i).in_scope(|| (self.run)(*i, &mut worker)));
            if let Some(worker) = &mut worker {
                worker.end_searches();
            }
            locked(self.workers).extend(worker);
            if let Ok(result) = &result {
                (self.ended)(*i, result);
            }
            (*i, result)
        };
        let results = parallel_map(self.threads, numbers, || (), work)?.into_iter();
        results.map(|(i, result)| Ok((i, result?))).collect()
    }
}

fn name(method: &ChangedMethod) -> String {
    format!("{}#{}", method.id.class, method.id.name)
}

fn span(method: &ChangedMethod) -> tracing::Span {
    let name = name(method);
    tracing::info_span!("method", name)
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
