//! The options of concolic runs and of running the project's tests.

use crate::error::Error;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Which runs the check explores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckMode {
    /// Both versions on all inputs.
    #[default]
    Complete,
    /// Both versions along concrete inputs, and all inputs behind each divergence from them.
    Concolic,
}

/// The command line's part.
#[derive(Clone, Debug, Args)]
pub struct ConcolicArgs {
    /// Which runs are explored
    #[arg(long, value_enum, default_value = "complete")]
    pub mode: CheckMode,
    /// A concrete input of concolic mode, written as for `replay`: 'demo.Foo.bar(3)' (repeatable)
    #[arg(long, value_name = "CALL")]
    pub input: Vec<String>,
    /// Use the arguments that the project's tests pass to changed methods as concrete inputs of concolic mode
    #[arg(long)]
    pub inputs_from_tests: bool,
    /// Jars and folders that the tests need in addition to --classpath, such as JUnit
    #[arg(long, value_name = "CP")]
    pub test_classpath: Option<String>,
    /// Time limit of one test in seconds [default: 30]
    #[arg(long, value_name = "SECONDS")]
    pub test_timeout: Option<u64>,
    /// Time limit of all tests in seconds [default: 600]
    #[arg(long, value_name = "SECONDS")]
    pub suite_timeout: Option<u64>,
}

/// What they mean.
#[derive(Clone, Debug)]
pub struct ConcolicOptions {
    /// Which runs.
    pub mode: CheckMode,
    /// Calls, as written.
    pub inputs: Vec<String>,
    /// Whether the project's tests are recorded.
    pub from_tests: bool,
    /// What tests need besides the class path.
    pub test_class_path: Vec<PathBuf>,
    /// Limit of one test.
    pub test_limit: Duration,
    /// Limit of all tests.
    pub suite_limit: Duration,
}

impl ConcolicArgs {
    /// The options, checked; `test_class_path` is what `shadow-ci.toml` says.
    ///
    /// # Errors
    /// Two of them contradict each other.
    pub fn options(&self, test_class_path: Option<String>) -> Result<ConcolicOptions, Error> {
        let given = !self.input.is_empty() || self.inputs_from_tests;
        match (self.mode, given) {
            (CheckMode::Concolic, false) => {
                return Err(Error::Concolic("there is no concrete input".into()));
            }
            (CheckMode::Complete, true) => {
                let why = "--input and --inputs-from-tests go with --mode concolic";
                return Err(Error::Concolic(why.into()));
            }
            _ => {}
        }
        let path = self.test_classpath.clone().or(test_class_path);
        let seconds = |given: Option<u64>, default| Duration::from_secs(given.unwrap_or(default));
        Ok(ConcolicOptions {
            mode: self.mode,
            inputs: self.input.clone(),
            from_tests: self.inputs_from_tests,
            test_class_path: std::env::split_paths(&path.unwrap_or_default())
                .filter(|p| !p.as_os_str().is_empty())
                .collect(),
            test_limit: seconds(self.test_timeout, 30),
            suite_limit: seconds(self.suite_timeout, 600),
        })
    }
}
