//! All methods in rounds of growing effort: a little for each first, then more for those that are open.

use super::{Analysis, ChangedMethod, one};
use crate::check::limits::more_may_help;
use crate::check::progress::Progress;
use crate::error::Error;
use crate::jvm::Worker;
use crate::model::MethodResult;
use crate::model::reason::Reason;
use crate::util::deep_stack::on_a_deep_stack;
use crate::util::parallel::parallel_map;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The part of the effort that a method gets in each round. A round begins anew: so the last one alone decides, and the rounds
/// before cost an eighth of it.
const ROUNDS: [u64; 2] = [8, 1];

/// What is done for a method, by its number.
type Work<'a> = dyn Fn(usize, &mut Option<Worker>) -> Result<MethodResult, Error> + Sync + 'a;

/// Results by the number of the method.
type Results = BTreeMap<usize, MethodResult>;

/// Analyses all methods, several at a time; the result does not depend on how many.
///
/// # Errors
/// A class file can't be read, or no thread or process can be started.
pub fn analyse(
    analysis: &Analysis,
    methods: &[ChangedMethod],
    files: &BTreeMap<String, String>,
    progress: &dyn Progress,
) -> Result<Vec<MethodResult>, Error> {
    // One method alone waits for no other. How many threads there are must not matter here.
    let rounds = &ROUNDS[usize::from(methods.len() == 1)..];
    let (workers, done) = (Mutex::default(), AtomicUsize::new(0));
    let mut results = Results::new();
    let mut open: Vec<usize> = (0..methods.len()).collect();
    for (number, part) in rounds.iter().enumerate() {
        let is_last = number + 1 == rounds.len();
        let ended = |result: &MethodResult| {
            if is_last || !is_open(result) {
                let id = &result.method;
                let name = format!("{}#{}", id.class, id.name);
                let done = done.fetch_add(1, Ordering::SeqCst) + 1;
                progress.method(done, methods.len(), &name);
                progress.found(result);
            }
        };
        let run = |i: usize, worker: &mut Option<Worker>| {
            one(analysis, &methods[i], files, *part, worker)
        };
        let span = |i: usize| {
            let id = &methods[i].id;
            let name = format!("{}#{}", id.class, id.name);
            tracing::info_span!("method", name)
        };
        let threads = analysis.options.budgets.threads;
        for (i, result) in side_by_side(threads, &open, &workers, &span, &run, &ended)? {
            take(&mut results, i, result);
        }
        open.retain(|i| results.get(i).is_some_and(is_open));
        if open.is_empty() || analysis.is_over() {
            break;
        }
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

/// Runs the work for each of these numbers on so many threads; a worker process is handed from one to the next.
fn side_by_side(
    threads: usize,
    all: &[usize],
    workers: &Mutex<Vec<Worker>>,
    span: &(dyn Fn(usize) -> tracing::Span + Sync),
    run: &Work,
    ended: &(dyn Fn(&MethodResult) + Sync),
) -> Result<Results, Error> {
    let work = |_: &mut (), i: &usize| {
        let mut worker = locked(workers).pop();
        // A thread of its own has a solver context of its own: what it finds does not depend on what ran before.
        let result = on_a_deep_stack(|| span(*i).in_scope(|| run(*i, &mut worker)));
        locked(workers).extend(worker);
        if let Ok(result) = &result {
            ended(result);
        }
        (*i, result)
    };
    let results = parallel_map(threads, all, || (), work)?.into_iter();
    results.map(|(i, result)| Ok((i, result?))).collect()
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Analysis<'_> {
    /// Whether the time for the whole run is over.
    fn is_over(&self) -> bool {
        let limit = self.options.budgets.timeout;
        let end = limit.and_then(|all| self.started.checked_add(all));
        end.is_some_and(|end| Instant::now() > end)
    }
}
