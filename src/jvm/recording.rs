//! The project's own tests, run under the debugger interface: which of them call the methods of interest, and with what.
//!
//! The Java Debug Interface is part of every JDK and shows the arguments of any method at its first instruction, without
//! instrumenting a class or needing a library for it; what tests print, load or replace can't get into its way.

use super::jdk::Jdk;
use super::wire::{Reader, Writer};
use crate::verdict::{Input, Inputs, MethodId};
use std::path::PathBuf;
use std::time::Duration;

/// The runners' sources, which are compiled with the project's tests against its own JUnit.
pub const HOOKS: (&str, &str) = ("Hooks.java", include_str!("worker/tests/Hooks.java"));
/// JUnit 5's.
pub const PLATFORM: (&str, &str) = ("Platform.java", include_str!("worker/tests/Platform.java"));
/// JUnit 4's.
pub const JUNIT4: (&str, &str) = ("JUnit4.java", include_str!("worker/tests/JUnit4.java"));

/// A method that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The method.
    pub method: MethodId,
    /// Whether what it is called with is recorded as an input.
    pub entry: bool,
    /// Whether calling it touches the patch.
    pub changed: bool,
}

/// Which tests to run, and what to watch.
#[derive(Clone, Debug)]
pub struct RecordRequest<'a> {
    /// The version's classes, its tests', and what they need.
    pub class_path: &'a [PathBuf],
    /// The folder the tests run in.
    pub folder: &'a std::path::Path,
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
    pub touched: Vec<MethodId>,
    /// Inputs of entry methods.
    pub inputs: Vec<RecordedInput>,
}

/// One call of an entry method.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedInput {
    /// The method.
    pub entry: MethodId,
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
    /// Classes of which no test began because the time was over or the process failed.
    pub not_run: Vec<String>,
    /// Why the process failed; empty when it did not.
    pub failed: String,
}

impl RecordRequest<'_> {
    /// The bytes of the request.
    pub(super) fn write(&self, jdk: &Jdk) -> Vec<u8> {
        let mut w = Writer::default();
        let path = std::env::join_paths(self.class_path).unwrap_or_default();
        let millis = |d: Duration| i32::try_from(d.as_millis()).unwrap_or(i32::MAX);
        let words = [
            jdk.java().display().to_string(),
            "-ea".into(),
            "-XX:+UseSerialGC".into(),
            "-XX:TieredStopAtLevel=1".into(),
            "-Dfile.encoding=UTF-8".into(),
            "-Djava.awt.headless=true".into(),
            "-cp".into(),
            path.to_string_lossy().into_owned(),
        ];
        w.byte(b'J');
        w.strings(words.iter());
        w.string(&self.folder.to_string_lossy());
        w.strings(self.runners.iter());
        w.strings(self.classes.iter());
        w.int(millis(self.test_limit));
        w.int(millis(self.limit));
        w.int(i32::try_from(self.most_inputs).unwrap_or(i32::MAX));
        w.int(self.watches.len() as i32);
        for watch in self.watches {
            w.method(&watch.method);
            w.byte(u8::from(watch.entry));
            w.byte(u8::from(watch.changed));
        }
        w.0
    }
}

/// An answer in which methods are still numbers of watches.
pub(super) struct Numbered {
    tests: Vec<NumberedTest>,
    rest: Recorded,
}

type NumberedTest = (RecordedTest, Vec<i32>, Vec<(i32, RecordedInput)>);

impl Numbered {
    /// Reads an answer behind its letter.
    pub(super) fn read<R: std::io::Read>(r: &mut Reader<R>) -> std::io::Result<Numbered> {
        let failed = r.string()?;
        let n = r.int()?;
        let not_run = (0..n).map(|_| r.string()).collect::<Result<_, _>>()?;
        let n = r.int()?;
        let tests = (0..n).map(|_| test(r)).collect::<Result<_, _>>()?;
        let rest = Recorded {
            tests: Vec::new(),
            not_run,
            failed,
        };
        Ok(Numbered { tests, rest })
    }

    /// With the methods' names; what one test did in several invocations is put together.
    pub(super) fn named(self, watches: &[Watch]) -> Recorded {
        let name = |i: i32| {
            let watch = usize::try_from(i).ok().and_then(|i| watches.get(i));
            watch.map(|w| w.method.clone())
        };
        let mut all = self.rest;
        for (mut test, touched, inputs) in self.tests {
            test.touched = touched.into_iter().filter_map(name).collect();
            let inputs = inputs.into_iter().filter_map(|(i, input)| {
                let entry = name(i)?;
                Some(RecordedInput { entry, ..input })
            });
            test.inputs = inputs.collect();
            let same = |t: &&mut RecordedTest| t.class == test.class && t.name == test.name;
            match all.tests.iter_mut().find(same) {
                Some(first) => first.absorb(test),
                None => all.tests.push(test),
            }
        }
        all
    }
}

impl RecordedTest {
    fn absorb(&mut self, other: RecordedTest) {
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

fn test<R: std::io::Read>(r: &mut Reader<R>) -> std::io::Result<NumberedTest> {
    let test = RecordedTest {
        class: r.string()?,
        name: r.string()?,
        end: match r.string()?.as_str() {
            "passed" => TestEnd::Passed,
            "failed" => TestEnd::Failed,
            "skipped" => TestEnd::Skipped,
            "hung" => TestEnd::Hung,
            _ => TestEnd::Died,
        },
        touched: Vec::new(),
        inputs: Vec::new(),
    };
    let n = r.int()?;
    let touched = (0..n).map(|_| r.int()).collect::<Result<_, _>>()?;
    let n = r.int()?;
    let inputs = (0..n).map(|_| input(r)).collect::<Result<_, _>>()?;
    Ok((test, touched, inputs))
}

fn input<R: std::io::Read>(r: &mut Reader<R>) -> std::io::Result<(i32, RecordedInput)> {
    let at = r.int()?;
    let exact = r.bool()?;
    let reason = r.string()?;
    let inputs = if reason.is_empty() {
        let receiver: Option<Input> = if r.bool()? { Some(r.input(0)?) } else { None };
        let args = r.inputs(0)?;
        Ok(Inputs { receiver, args })
    } else {
        Err(reason)
    };
    let entry = MethodId {
        class: String::new(),
        name: String::new(),
        descriptor: String::new(),
    };
    let input = RecordedInput {
        entry,
        inputs,
        exact,
    };
    Ok((at, input))
}
