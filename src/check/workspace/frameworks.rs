//! The frameworks that a project's tests are written for, and what runs them.

use crate::bytecode::ClassPath;
use crate::error::Error;
use crate::jvm::recording::{JUNIT3, JUNIT4, PLATFORM, SOURCES, TESTNG};
use std::path::PathBuf;

/// Said where JUnit 5 can't be run.
const NO_LAUNCHER: &str = "JUnit 5 is on the test class path, its launcher is not: add junit-platform-launcher (or junit-platform-console-standalone) of the same release";

/// Those on a test class path.
pub(super) struct Frameworks {
    /// Main classes of what runs their tests.
    pub runners: Vec<String>,
    /// Names and texts of its source files.
    pub sources: Vec<(&'static str, &'static str)>,
    /// Tests that can't be run, and why.
    pub left_out: Vec<(String, String)>,
}

impl Frameworks {
    /// Those that these dependencies hold.
    ///
    /// # Errors
    /// A jar can't be read, or there is no framework that is known.
    pub fn of(dependencies: &[PathBuf]) -> Result<Frameworks, Error> {
        let path = ClassPath::of(dependencies)?;
        let has = |class: &str| path.find(class).map(|found| found.is_some());
        let launcher = has("org/junit/platform/launcher/core/LauncherFactory")?;
        let jupiter = has("org/junit/jupiter/api/Test")?;
        let four = has("org/junit/runner/JUnitCore")?;
        let three = has("junit/framework/TestCase")?;
        let vintage = has("org/junit/vintage/engine/VintageTestEngine")?;
        let testng = has("org/testng/ITestListener")?;
        let testng_engine = has("org/junit/support/testng/engine/TestNGTestEngine")?;
        let all = [
            (launcher, "Platform", PLATFORM),
            (four && !(launcher && vintage), "JUnit4", JUNIT4),
            (three && !four, "JUnit3", JUNIT3),
            (testng && !(launcher && testng_engine), "TestNg", TESTNG),
        ];
        let mut found = Frameworks {
            runners: Vec::new(),
            sources: SOURCES.to_vec(),
            left_out: Vec::new(),
        };
        for (_, runner, source) in all.into_iter().filter(|f| f.0) {
            found.runners.push(format!("com.shadowci.tests.{runner}"));
            found.sources.push(source);
        }
        match (found.runners.is_empty(), jupiter && !launcher) {
            (true, true) => return Err(Error::Tests(NO_LAUNCHER.into())),
            (true, false) => {
                let why = "there is no JUnit and no TestNG on the test class path";
                return Err(Error::Tests(why.into()));
            }
            (false, true) => found
                .left_out
                .push(("tests of JUnit 5".into(), NO_LAUNCHER.into())),
            (false, false) => {}
        }
        Ok(found)
    }
}
