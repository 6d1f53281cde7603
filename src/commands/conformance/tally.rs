//! The tally of one class's calls, and its printed form.

use crate::symex::Stop;
use crate::util::counted::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Counts of one target.
#[derive(Clone, Debug, Default)]
pub struct ClassTally {
    /// `pkg.Class` or `pkg.Class#glob`, as asked for.
    pub target: String,
    /// Methods that were called, or could not be.
    pub methods: usize,
    /// Calls whose outcome the JVM confirmed.
    pub agreed: usize,
    /// Calls given up, by reason: how many, and one of them.
    pub gave_up: BTreeMap<String, (usize, String)>,
    /// Calls on which the JVM did something else: the call, and what differs.
    pub mismatches: Vec<String>,
    /// Methods with a parameter no value can be built for.
    pub not_called: BTreeSet<String>,
    /// Instructions the engine executed.
    pub instructions: u64,
}

impl ClassTally {
    pub(super) fn new(target: &str) -> ClassTally {
        ClassTally {
            target: target.to_string(),
            ..ClassTally::default()
        }
    }

    pub(super) fn gave_up(&mut self, stop: &Stop, call: impl FnOnce() -> String) {
        let reason = match stop.detail.as_str() {
            "" => stop.reason.to_string(),
            detail => format!("{}: {detail}", stop.reason),
        };
        let entry = self.gave_up.entry(reason).or_insert_with(|| (0, call()));
        entry.0 += 1;
    }

    /// Adds what other calls of the same target came to.
    pub(super) fn add(&mut self, other: ClassTally) {
        self.methods += other.methods;
        self.agreed += other.agreed;
        self.instructions += other.instructions;
        self.not_called.extend(other.not_called);
        self.mismatches.extend(other.mismatches);
        for (reason, (n, example)) in other.gave_up {
            self.gave_up.entry(reason).or_insert((0, example)).0 += n;
        }
    }

    /// Calls given up.
    pub fn given_up(&self) -> usize {
        self.gave_up.values().map(|(n, _)| n).sum()
    }

    /// All calls.
    pub fn calls(&self) -> usize {
        self.agreed + self.mismatches.len() + self.given_up()
    }
}

/// The tallies as text; reasons with an example call each when `verbose`.
pub fn text(tallies: &[ClassTally], verbose: bool) -> String {
    let mut out = String::new();
    let mut all = ClassTally::default();
    for tally in tallies {
        line(&mut out, tally, verbose);
        all.add(tally.clone());
    }
    all.target = "all".into();
    if tallies.len() > 1 {
        summary(&mut out, &all);
    }
    out
}

fn line(out: &mut String, tally: &ClassTally, verbose: bool) {
    summary(out, tally);
    let mut reasons: Vec<_> = tally.gave_up.iter().collect();
    reasons.sort_by_key(|(reason, (n, _))| (std::cmp::Reverse(*n), reason.as_str()));
    for (reason, (n, example)) in reasons {
        let _ = writeln!(out, "    {n:5}  {reason}");
        if verbose {
            let _ = writeln!(out, "           {example}");
        }
    }
    for mismatch in &tally.mismatches {
        let _ = writeln!(out, "    mismatch  {mismatch}");
    }
    if verbose {
        for method in &tally.not_called {
            let _ = writeln!(out, "    not called  {method}");
        }
    }
}

fn summary(out: &mut String, tally: &ClassTally) {
    let (calls, mismatches) = (tally.calls(), tally.mismatches.len());
    let executed = calls - tally.given_up();
    let percent = executed as f64 * 100.0 / calls.max(1) as f64;
    let _ = writeln!(
        out,
        "{}: {} ({} not callable), {}, {executed} executed to the end ({percent:.1} %), {}, {}",
        tally.target,
        counted(tally.methods, "method", "methods"),
        tally.not_called.len(),
        counted(calls, "call", "calls"),
        counted(mismatches, "mismatch", "mismatches"),
        counted(tally.instructions, "instruction", "instructions"),
    );
}
