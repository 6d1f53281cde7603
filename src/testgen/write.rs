//! Writing of generated tests; it never overwrites a file that shadow-ci did not write.

use super::merge;
use super::source::{JUnit, MARKER, generate};
use crate::error::Error;
use crate::model::{Spelling, Version};
use crate::report::{MergeTests, Report};
use crate::util::file;
use std::path::Path;

/// Writes one test class per tested class below `dir`, with what it needs that the project does not have, and notes the paths in
/// the report.
///
/// # Errors
/// A file can't be written, or is there and not ours.
pub fn write(report: &mut Report, dir: &Path, junit: JUnit) -> Result<(), Error> {
    for file in generate(&report.methods, junit, &report.failed_tests) {
        let path = dir.join(&file.path);
        put(&path, &file.source)?;
        for (class, source) in &report.stand_ins {
            let simple = class.rsplit('.').next().unwrap_or(class);
            if file.source.contains(simple) {
                let beside = dir.join(format!("{}.java", class.internal()));
                put(&beside, &format!("{MARKER}\n{source}"))?;
            }
        }
        for at in file.findings {
            report.tests.insert(at, path.display().to_string());
        }
    }
    Ok(())
}

fn put(path: &Path, source: &str) -> Result<(), Error> {
    let failed = |e: std::io::Error| Error::Io {
        what: format!("cannot write {}", path.display()),
        why: e.to_string(),
    };
    if let Ok(before) = std::fs::read_to_string(path)
        && !before.contains(MARKER)
    {
        let why = "there is a file that shadow-ci did not generate".to_string();
        return Err(Error::Io {
            what: format!("cannot write {}", path.display()),
            why,
        });
    }
    file::write(path, source).map_err(failed)
}

/// Notes each finding's test method in the report, for those who read it rather than run it, and those that can be merged.
pub fn show(report: &mut Report, junit: JUnit) {
    let style = merge::Style::new(junit);
    for (i, method) in report.methods.iter().enumerate() {
        for (j, f) in method.findings.iter().enumerate().filter(|f| f.1.is_told()) {
            let text = |pins| merge::test(f, pins, &style).map(|test| unindented(&test.text));
            let tests = MergeTests {
                keeps_old: text(Version::Old),
                pins_new: text(Version::New),
            };
            let tried = !report.failed_tests.contains_key(&(i, j));
            if tried && tests != MergeTests::default() {
                report.merge_tests.insert((i, j), tests);
            }
        }
    }
    for file in generate(&report.methods, junit, &report.failed_tests) {
        for (at, method) in file.findings.into_iter().zip(&file.methods) {
            report.test_texts.insert(at, unindented(method));
        }
    }
}

/// The lines of a method without the indentation that it has in its class.
fn unindented(method: &str) -> String {
    let lines = method.trim_matches('\n').lines();
    let text: Vec<&str> = lines.map(|l| l.strip_prefix("    ").unwrap_or(l)).collect();
    text.join("\n")
}
