//! The interface by which a run reports its progress.

use crate::model::{Finding, MethodRef, MethodResult};
use std::time::Duration;

/// Told what happens while it happens.
pub trait Progress: Sync {
    /// A stage begins.
    fn stage(&self, name: &str);
    /// Method `done` of `all` is finished.
    fn method(&self, done: usize, all: usize, name: &str);
    /// The JVM has just confirmed the first divergence of its kind.
    fn finding(&self, _method: &MethodRef, _finding: &Finding) {}
    /// A part of the analysis took so long, over all methods and threads.
    fn spent(&self, _part: &'static str, _time: Duration) {}
    /// What was found of a method, when all is known of it: also for those who may not live to see the report.
    fn found(&self, _: &MethodResult) {}
}

/// Says nothing.
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _: &str) {}
    fn method(&self, _: usize, _: usize, _: &str) {}
}
