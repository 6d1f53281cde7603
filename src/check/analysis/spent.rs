//! The time that the parts of the analysis take, over all methods and threads.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time by part. It shows in `--profile` only, and decides nothing.
#[derive(Default)]
pub struct Spent(Mutex<BTreeMap<&'static str, Duration>>);

impl Spent {
    /// Runs a part, and adds the time it takes.
    pub fn on<T>(&self, part: &'static str, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = work();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all.entry(part).or_default() += begun.elapsed();
        result
    }

    /// The parts in order of their names.
    pub fn all(&self) -> BTreeMap<&'static str, Duration> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
