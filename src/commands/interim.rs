//! The interim state of a run, for the case that a signal ends it before its report.

use crate::model::{MethodRef, MethodResult};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the run came to.
#[derive(Default)]
pub struct Known {
    /// The stage it is in.
    pub stage: Option<String>,
    /// How far that stage is, in words.
    pub step: Option<String>,
    /// Methods that are done.
    pub methods: Vec<MethodResult>,
    /// Confirmed findings in a line each, with the method that shows them.
    findings: Vec<(MethodRef, String)>,
}

impl Known {
    /// Takes a confirmed finding down.
    pub fn finding(&mut self, method: &MethodRef, line: String) {
        self.findings.push((method.clone(), line));
    }

    /// Findings of methods that are not done, a line each.
    pub fn unfinished(&self) -> String {
        let is_done = |m: &MethodRef| self.methods.iter().any(|r| r.method == *m);
        let open = self.findings.iter().filter(|f| !is_done(&f.0));
        open.map(|(_, line)| format!("{line}\n")).collect()
    }

    /// Where the run is: ` while exploring (2 of 3 methods, last demo.Foo#bar)`.
    pub fn place(&self) -> String {
        let stage = self.stage.as_ref().map(|s| format!(" while {s}"));
        let step = self.step.as_ref().map(|s| format!(" ({s})"));
        stage.unwrap_or_default() + &step.unwrap_or_default()
    }
}

/// The same for the thread that runs and the one that waits for signals.
#[derive(Clone, Default)]
pub struct Interim(Arc<Mutex<Known>>);

impl Interim {
    /// What is known now.
    pub fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
