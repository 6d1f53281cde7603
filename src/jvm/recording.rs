//! The project's own tests, recorded: what is asked of them, and which call the methods of interest, with what.
//!
//! The methods have probes (`bytecode::probe`), which write down their arguments in the tests' own process.

use crate::model::{Inputs, MethodRef};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The class that probes call, internal name.
pub const LISTENER: &str = "com/shadowci/tests/Probe";
/// What runs with the tests, and is compiled with them.
pub const SOURCES: [(&str, &str); 3] = [
    ("Probe.java", include_str!("worker/tests/Probe.java")),
    (
        "Recording.java",
        include_str!("worker/tests/Recording.java"),
    ),
    ("Inputs.java", include_str!("worker/tests/Inputs.java")),
];
/// The runner of JUnit 5, compiled against the project's own.
pub const PLATFORM: (&str, &str) = ("Platform.java", include_str!("worker/tests/Platform.java"));
/// JUnit 4's.
pub const JUNIT4: (&str, &str) = ("JUnit4.java", include_str!("worker/tests/JUnit4.java"));

/// A method that is watched, by the number of its probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The method.
    pub method: MethodRef,
    /// Whether what it is called with is recorded as an input.
    pub entry: bool,
    /// Whether calling it touches the patch.
    pub changed: bool,
    /// Whether a caller outside of its class can't call it.
    pub private: bool,
    /// Its parameters' descriptors.
    pub parameters: Vec<String>,
}

/// Which tests to run, and what to watch.
#[derive(Clone, Debug)]
pub struct RecordRequest<'a> {
    /// The version's classes, its tests', and what they need.
    pub class_path: &'a [PathBuf],
    /// The folder the tests run in.
    pub folder: &'a Path,
    /// Main classes of the runners.
    pub runners: &'a [String],
    /// Classes that may hold tests.
    pub classes: &'a [String],
    /// What to watch.
    pub watches: &'a [Watch],
    /// Limit of one test.
    pub test_limit: Duration,
    /// Limit of all.
    pub limit: Duration,
    /// Inputs kept per method and test.
    pub most_inputs: u32,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestEnd {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was skipped or aborted.
    Skipped,
    /// It did not end within its limit, and was killed.
    Hung,
    /// The process ended under it.
    Died,
}

/// What a test called.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedTest {
    /// Its class.
    pub class: String,
    /// Its method, or what its framework calls it.
    pub name: String,
    /// How it ended.
    pub end: TestEnd,
    /// Changed methods it called.
    pub touched: Vec<MethodRef>,
    /// Inputs of entry methods.
    pub inputs: Vec<RecordedInput>,
}

/// One call of an entry method.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedInput {
    /// The method.
    pub entry: MethodRef,
    /// The input; else what in it can't be written as one.
    pub inputs: Result<Inputs, String>,
    /// Whether it is sure to be what the test passed: no object in it was under way, or can have been changed from outside.
    pub exact: bool,
}

/// What running the tests showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// Tests that began, in order; the invocations of a parameterized one are one test.
    pub tests: Vec<RecordedTest>,
    /// Classes that no test of was run, or not all, and why.
    pub not_run: Vec<(String, String)>,
    /// Why running them failed; empty when it did not.
    pub failed: String,
    /// Classes that there was no time for.
    pub late: Vec<String>,
}

impl RecordedTest {
    /// What one test did in several invocations is put together.
    pub(super) fn absorb(&mut self, other: RecordedTest) {
        if matches!(self.end, TestEnd::Passed | TestEnd::Skipped) {
            self.end = other.end;
        }
        for method in other.touched {
            if !self.touched.contains(&method) {
                self.touched.push(method);
            }
        }
        for input in other.inputs {
            if !self.inputs.contains(&input) {
                self.inputs.push(input);
            }
        }
    }
}
