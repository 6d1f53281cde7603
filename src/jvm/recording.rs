//! Recording of the project's tests: the request, and the recorded calls of the methods of interest.
//!
//! The methods have probes (`bytecode::probe`), which write down their arguments in the tests' own process.

use crate::model::{End, Inputs, MethodRef, Outcome};
use crate::util::deadline::Deadline;
use crate::util::needless::Needless;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The class that probes call, internal name.
pub const LISTENER: &str = "com/shadowci/tests/Probe";
/// The class whose method stands for tests that do not compile.
pub const NOT_COMPILED_TEST: &str = "com.shadowci.tests.NotCompiled";
/// What runs with the tests, and is compiled with them.
pub const SOURCES: [(&str, &str); 17] = [
    ("Probe.java", include_str!("worker/tests/Probe.java")),
    (
        "Recording.java",
        include_str!("worker/tests/Recording.java"),
    ),
    ("Inputs.java", include_str!("worker/tests/Inputs.java")),
    (
        "Observation.java",
        include_str!("worker/tests/Observation.java"),
    ),
    ("Library.java", include_str!("worker/tests/Library.java")),
    ("Bounded.java", include_str!("worker/Bounded.java")),
    ("Visible.java", include_str!("worker/Visible.java")),
    ("Stateless.java", include_str!("worker/Stateless.java")),
    ("Contents.java", include_str!("worker/Contents.java")),
    ("Extended.java", include_str!("worker/Extended.java")),
    ("Getters.java", include_str!("worker/Getters.java")),
    ("Given.java", include_str!("worker/Given.java")),
    ("Wrapped.java", include_str!("worker/Wrapped.java")),
    ("Behind.java", include_str!("worker/Behind.java")),
    ("JvmText.java", include_str!("worker/JvmText.java")),
    ("TraceText.java", include_str!("worker/TraceText.java")),
    (
        "NotCompiled.java",
        include_str!("worker/tests/NotCompiled.java"),
    ),
];
/// The runner of JUnit 5, compiled against the project's own.
pub const PLATFORM: (&str, &str) = ("Platform.java", include_str!("worker/tests/Platform.java"));
/// JUnit 4's.
pub const JUNIT4: (&str, &str) = ("JUnit4.java", include_str!("worker/tests/JUnit4.java"));

/// JUnit 3's, for where there is no later one.
pub const JUNIT3: (&str, &str) = ("JUnit3.java", include_str!("worker/tests/JUnit3.java"));

/// TestNG's.
pub const TESTNG: (&str, &str) = ("TestNg.java", include_str!("worker/tests/TestNg.java"));

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
    /// Options of the JVM that open packages to the tests.
    pub opens: &'a [String],
    /// The folder the tests run in.
    pub folder: &'a Path,
    /// Main classes of the runners.
    pub runners: &'a [String],
    /// Classes that may hold tests.
    pub classes: &'a [String],
    /// The only tests to run, as `class#method`; all of the classes where there is none. TestNG runs whole classes.
    pub only: &'a [String],
    /// What to watch.
    pub watches: &'a [Watch],
    /// Limit of one test.
    pub test_limit: Duration,
    /// Limit of all.
    pub limit: Duration,
    /// When all has to be over, however busy the machine is.
    pub deadline: Deadline,
    /// Told where nobody wants the result any more: then it ends, with whatever it has.
    pub needless: &'a Needless,
    /// Inputs kept per method and test.
    pub most_inputs: u32,
    /// Whether calls of entries are observed to their end.
    pub observes: bool,
    /// Top-level classes that belong to the tests: their calls of entries come from no code of the project.
    pub test_types: &'a [String],
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
    /// Changed methods whose changed instructions it ran; those without any, which it called.
    pub reached: Vec<MethodRef>,
    /// Inputs of entry methods.
    pub inputs: Vec<RecordedInput>,
    /// Calls of entry methods, observed: those of one method in the order in which they began.
    pub calls: Vec<ObservedCall>,
    /// What it failed with.
    pub failure: Option<End>,
}

/// What a caller saw of one call of an entry method.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedCall {
    /// The method.
    pub entry: MethodRef,
    /// The number of such calls before, in this test.
    pub number: u32,
    /// Whether a class of the tests called it.
    pub is_direct: bool,
    /// Digests of what a caller sees of the arguments and of the receiver, before.
    pub digests: (i64, i64),
    /// Whether arguments and receiver hold nothing that could not be looked at.
    pub is_whole: bool,
    /// Whether no changed method was called before in this test: then they are the same in both versions, seen or not.
    pub is_first: bool,
    /// Whether they, or what a caller sees behind the call, are too large to be told: the outcome has only the result.
    pub is_brief: bool,
    /// The input, where it can be written as one.
    pub inputs: Option<Inputs>,
    /// How it ended.
    pub outcome: Outcome,
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

impl Recorded {
    /// Adds what other tests showed.
    pub fn append(&mut self, other: Recorded) {
        self.tests.extend(other.tests);
        self.not_run.extend(other.not_run);
        self.late.extend(other.late);
        if self.failed.is_empty() {
            self.failed = other.failed;
        }
    }
}

impl RecordedTest {
    /// What one test did in several invocations is put together.
    pub(super) fn absorb(&mut self, other: RecordedTest) {
        if matches!(self.end, TestEnd::Passed | TestEnd::Skipped) {
            self.end = other.end;
            self.failure = other.failure;
        }
        self.calls.extend(other.calls);
        for method in other.touched {
            if !self.touched.contains(&method) {
                self.touched.push(method);
            }
        }
        for method in other.reached {
            if !self.reached.contains(&method) {
                self.reached.push(method);
            }
        }
        for input in other.inputs {
            if !self.inputs.contains(&input) {
                self.inputs.push(input);
            }
        }
    }
}
