//! Trial of generated tests: compiled against both versions and run in both; only correct tests are offered.

use crate::error::Error;
use crate::jvm::{CompileRequest, Worker};
use crate::model::{DivergenceClass, End, Input, Inputs, MethodRef, MethodResult, Version};
use crate::replay::{ClassPaths, Observed, observe};
use crate::testgen::{self, Index, JUnit, TestFile};
use crate::util::deadline::Deadline;
use crate::util::file;
use crate::util::temporary;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Limit of a trial where one version does not end.
const SOON: Duration = Duration::from_secs(2);

/// Compilations of one set of tests: each leaves out what the one before could not compile.
const ROUNDS: u32 = 3;

/// The longest test that is offered, in bytes: nobody reads a longer one, and a constant has 65535 at most (JVMS 4.4.7).
const LONGEST: usize = 40_000;

/// Why a test was not tried behind the deadline.
const NO_TIME: &str = "there was no time to try it";

/// Findings whose tests don't do what they say, and why.
pub type Failed = BTreeMap<Index, String>;

/// What tests are compiled against.
pub struct Against<'a> {
    /// Both versions, and what they need.
    pub builds: &'a ClassPaths,
    /// Whether javac makes the same of a test in both: it is compiled once then.
    pub looks_the_same: bool,
    /// Whose annotations and assertions they use.
    pub junit: JUnit,
    /// Where they are written, compiled and run.
    pub folder: &'a Path,
}

/// A folder for one trial, made before any code runs: a JVM may read only what was there when it was started.
///
/// # Errors
/// It can't be made.
pub fn folder() -> Result<tempfile::TempDir, Error> {
    temporary::folder("trial").map_err(|e| io(&e))
}

/// Tries the tests of all findings but those of `outside`.
///
/// # Errors
/// A test can't be written, or the process that runs them does not start.
pub fn failing(
    (worker, deadline): (&mut Worker, Deadline),
    against: &Against,
    methods: &[MethodResult],
    outside: Failed,
) -> Result<Failed, Error> {
    let junit = against.junit;
    let mut failed = with_files(methods);
    failed.extend(outside);
    for file in testgen::generate(methods, junit, &failed) {
        let long = file.methods.iter().zip(&file.findings);
        let long = long.filter(|(text, _)| text.len() > LONGEST);
        failed.extend(long.map(|(_, at)| (*at, "it would be too long to read".to_string())));
    }
    let dir = against.folder;
    let stand_in = dir.join("junit");
    for round in 0..ROUNDS {
        if deadline.is_over() {
            break;
        }
        let files = testgen::generate(methods, junit, &failed);
        if files.is_empty() {
            return Ok(failed);
        }
        if round == 0 {
            compile_stand_in(worker, junit, &stand_in)?;
        }
        let place = dir.join(round.to_string());
        let trial = Trial {
            against,
            files: &files,
            place: &place,
            stand_in: &stand_in,
        };
        let errors = trial.compile(worker)?;
        if errors.is_empty() {
            trial.run((worker, deadline), methods, &mut failed)?;
            return Ok(failed);
        }
        failed.extend(errors);
    }
    for file in testgen::generate(methods, junit, &failed) {
        let why = match deadline.is_over() {
            true => NO_TIME,
            false => "the test class does not compile",
        };
        failed.extend(file.findings.iter().map(|at| (*at, why.to_string())));
    }
    Ok(failed)
}

/// Findings whose runs leave files: a test has no working folder of its own.
fn with_files(methods: &[MethodResult]) -> Failed {
    let mut failed = Failed::new();
    for (i, method) in methods.iter().enumerate() {
        for (j, finding) in method.findings.iter().enumerate() {
            if !finding.old.files.is_empty() || !finding.new.files.is_empty() {
                let why = "it leaves files in its working folder, and a test has none of its own";
                failed.insert((i, j), why.into());
            }
        }
    }
    failed
}

/// Compiles the part of JUnit that tests use apart from them: it is the same in each run, so that the cache has it.
fn compile_stand_in(worker: &mut Worker, junit: JUnit, out: &Path) -> Result<(), Error> {
    let sources = write(&out.join("src"), testgen::stand_in(junit))?;
    let out = out.join("classes");
    std::fs::create_dir_all(&out).map_err(|e| io(&e))?;
    worker.compile(&CompileRequest {
        sources,
        out,
        ..CompileRequest::default()
    })?;
    Ok(())
}

/// Writes files below a folder; their places.
fn write(
    folder: &Path,
    files: impl IntoIterator<Item = (String, String)>,
) -> Result<Vec<PathBuf>, Error> {
    let write = |(path, text): (String, String)| -> std::io::Result<PathBuf> {
        let file = folder.join(path);
        file::write(&file, text)?;
        Ok(file)
    };
    let files: std::io::Result<_> = files.into_iter().map(write).collect();
    files.map_err(|e| io(&e))
}

/// One set of tests.
struct Trial<'a> {
    against: &'a Against<'a>,
    files: &'a [TestFile],
    /// Where its sources and classes lie.
    place: &'a Path,
    /// Where the part of JUnit lies that they use.
    stand_in: &'a Path,
}

impl Trial<'_> {
    /// What each version's tests are compiled against and run with.
    fn class_paths(&self) -> ClassPaths {
        let builds = self.against.builds;
        let with = |version, rest: &[PathBuf]| {
            let own = [self.classes(version), self.stand_in.join("classes")];
            [&own, rest].concat()
        };
        ClassPaths {
            old: with(Version::Old, &builds.old),
            new: with(Version::New, &builds.new),
            limit: builds.limit,
        }
    }

    fn classes(&self, version: Version) -> PathBuf {
        self.place.join(match version {
            Version::New if !self.against.looks_the_same => "new",
            _ => "old",
        })
    }

    /// Compiles the files against each version, or once for both; tests with errors in them, and the errors.
    fn compile(&self, worker: &mut Worker) -> Result<Failed, Error> {
        let source = |f: &TestFile| (f.path.clone(), f.source.clone());
        let base = self.place.join("src");
        let sources = write(&base, self.files.iter().map(source))?;
        let builds = self.class_paths();
        let mut failed = Failed::new();
        for (version, class_path) in [(Version::Old, builds.old), (Version::New, builds.new)] {
            if version == Version::New && self.against.looks_the_same {
                continue;
            }
            let out = self.classes(version);
            std::fs::create_dir_all(&out).map_err(|e| io(&e))?;
            let result = worker.compile(&CompileRequest {
                sources: sources.clone(),
                source_path: Vec::new(),
                class_path,
                out,
                flags: worker.exports(),
            })?;
            for error in result.diagnostics.iter().filter(|d| d.error) {
                let is_in = |f: &&TestFile| base.join(&f.path) == Path::new(&error.file);
                let Some(test) = self.files.iter().find(is_in) else {
                    continue;
                };
                let why = format!("it does not compile: {}", error.message);
                match test.at_line(error.line) {
                    Some(at) => drop(failed.insert(at, why)),
                    // Outside of all tests: none of the class can be had.
                    None => failed.extend(test.findings.iter().map(|at| (*at, why.clone()))),
                }
            }
        }
        Ok(failed)
    }

    /// Runs each test in both versions; it has to pass in one of them and to fail in the other.
    fn run(
        &self,
        (worker, deadline): (&mut Worker, Deadline),
        methods: &[MethodResult],
        failed: &mut Failed,
    ) -> Result<(), Error> {
        let builds = self.class_paths();
        for file in self.files {
            let class = file.class();
            for (at, name) in file.findings.iter().zip(&file.names) {
                if deadline.is_over() {
                    failed.insert(*at, NO_TIME.into());
                    continue;
                }
                let method = |name: &str| MethodRef {
                    class: class.as_str().into(),
                    name: name.into(),
                    descriptor: "()V".into(),
                };
                let inputs = Inputs {
                    receiver: Some(Input::Object {
                        method: method("<init>"),
                        args: Vec::new(),
                        calls: Vec::new(),
                    }),
                    args: Vec::new(),
                };
                let finding = &methods[at.0].findings[at.1];
                let hangs = [&finding.old, &finding.new].map(|o| o.end == End::TimedOut);
                let builds = match hangs.contains(&true) {
                    false => builds.clone(),
                    // The other version ended in a moment.
                    true => ClassPaths {
                        limit: builds.limit.min(SOON),
                        ..builds.clone()
                    },
                };
                let Observed { old, new } =
                    observe(worker, &builds, &method(name), false, &inputs)?;
                let (passes, fails) = match finding.class {
                    DivergenceClass::Fix => (new, old),
                    _ => (old, new),
                };
                let what = match (&passes.end, &fails.end) {
                    (End::Returned(_), End::Threw { .. } | End::TimedOut) => continue,
                    (End::Exited(_) | End::Failed(_), _) | (_, End::Exited(_) | End::Failed(_)) => {
                        "the program ends the process, and JUnit with it"
                    }
                    (End::Returned(_), _) => "it passes in both versions",
                    _ => "it fails where it has to pass",
                };
                tracing::debug!(name, passes = ?passes.end, fails = ?fails.end, "a generated test is left out");
                failed.insert(*at, what.into());
            }
        }
        Ok(())
    }
}

fn io(e: &std::io::Error) -> Error {
    Error::Io {
        what: "cannot write the tests that are tried".into(),
        why: e.to_string(),
    }
}
