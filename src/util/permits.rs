//! Permits to run: so many threads at a time, however many there are.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A number of permits that threads take and give back. Who asks first is first served: else one that gives its permit back would have
/// it again before the others wake up.
#[derive(Debug)]
pub struct Permits {
    permits: u64,
    turns: Mutex<Turns>,
    given_back: Condvar,
}

/// How many permits were asked for, and given back.
#[derive(Debug, Default)]
struct Turns {
    asked: u64,
    given_back: u64,
}

/// A permit, given back when it is dropped.
#[derive(Debug)]
pub struct Permit<'p>(&'p Permits);

impl Permits {
    /// So many permits; one at least.
    pub fn new(permits: usize) -> Permits {
        Permits {
            permits: permits.max(1) as u64,
            turns: Mutex::default(),
            given_back: Condvar::new(),
        }
    }

    /// Waits for a permit.
    pub fn take(&self) -> Permit<'_> {
        let mut turns = self.turns();
        let turn = turns.asked;
        turns.asked += 1;
        let waits = |turns: &mut Turns| turn >= turns.given_back + self.permits;
        let turns = self.given_back.wait_while(turns, waits);
        drop(turns.unwrap_or_else(PoisonError::into_inner));
        Permit(self)
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.turns().given_back += 1;
        self.0.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::Permits;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_threads_run_at_a_time_than_there_are_permits() {
        let (permits, now, most) = (Permits::new(2), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _permit = permits.take();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!((1..=2).contains(&most.load(Ordering::SeqCst)));
        assert_eq!(now.load(Ordering::SeqCst), 0);
    }
}
