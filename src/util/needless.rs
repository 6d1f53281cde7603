//! A sign that work going on beside other work has become needless.

use std::sync::atomic::{AtomicBool, Ordering};

/// Given by the work whose result makes other work needless, and looked at by that other work.
#[derive(Debug, Default)]
pub struct Needless(AtomicBool);

impl Needless {
    /// Gives the sign, for good.
    pub fn tell(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was given.
    pub fn is_told(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
