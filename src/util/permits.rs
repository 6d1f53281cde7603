//! Permits to run: so many threads at a time, however many there are.

use std::sync::{Condvar, Mutex, PoisonError};

/// A number of permits that threads take and give back.
#[derive(Debug)]
pub struct Permits {
    left: Mutex<usize>,
    given_back: Condvar,
}

/// A permit, given back when it is dropped.
#[derive(Debug)]
pub struct Permit<'p>(&'p Permits);

impl Permits {
    /// So many permits; one at least.
    pub fn new(permits: usize) -> Permits {
        Permits {
            left: Mutex::new(permits.max(1)),
            given_back: Condvar::new(),
        }
    }

    /// Waits for a permit.
    pub fn take(&self) -> Permit<'_> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.given_back.wait_while(left, |left| *left == 0);
        *left.unwrap_or_else(PoisonError::into_inner) -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left += 1;
        self.0.given_back.notify_one();
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
