//! Parallel work over items.

use super::deep_stack::STACK;
use crate::error::Error;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Processors that this process may use; two where the system does not tell.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get())
}

/// What `work` makes of every item, in the items' order, whatever the number of threads. Each worker has a state of its own.
///
/// Its threads have room for deep terms. Where fewer threads than asked for can be started, they do all the work.
///
/// # Errors
/// Not a single thread can be started.
pub fn parallel_map<T: Sync, S, R: Send>(
    threads: usize,
    items: &[T],
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Result<Vec<R>, Error> {
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, R>> = Mutex::default();
    let worker = || {
        let mut state = start();
        loop {
            let at = next.fetch_add(1, Ordering::SeqCst);
            let Some(item) = items.get(at) else { break };
            let result = work(&mut state, item);
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.insert(at, result);
        }
    };
    std::thread::scope(|scope| {
        for nth in 0..threads.clamp(1, items.len().max(1)) {
            let started = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, worker);
            match started {
                Ok(_) => {}
                // Fewer threads take longer, and leave nothing out.
                Err(_) if nth > 0 => break,
                Err(e) => {
                    return Err(Error::Io {
                        what: "cannot start a thread".into(),
                        why: e.to_string(),
                    });
                }
            }
        }
        Ok(())
    })?;
    let results = results.into_inner();
    let results = results.unwrap_or_else(PoisonError::into_inner);
    Ok(results.into_values().collect())
}

/// Both results, of work side by side if asked for, else one after the other.
pub fn both<A: Send, B>(
    side_by_side: bool,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    if !side_by_side {
        return (first(), second());
    }
    std::thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        match first.join() {
            Ok(first) => (first, second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::parallel_map;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        for threads in [0, 1, 3, 500] {
            let squares = parallel_map(threads, &items, || 0, |_, n| n * n).unwrap();
            let expected: Vec<u32> = items.iter().map(|n| n * n).collect();
            assert_eq!(squares, expected);
        }
    }
}
