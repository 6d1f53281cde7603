//! The end of a run: reports, tests and files for other tools are written.

use crate::check::shard::Shard;
use crate::commands::actions;
use crate::commands::inert::Inert;
use crate::commands::outputs::Outputs;
use crate::commands::shard_file;
use crate::error::Error;
use crate::options::FailOn;
use crate::report::{Report, html, json};
use crate::testgen::{self, JUnit};
use serde_json::Value;
use std::io::Write;
use std::path::Path;

/// What is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Deliverables<'a> {
    /// The report as JSON; `-` for standard output.
    pub json: Option<&'a str>,
    /// The report as HTML; `-` for standard output.
    pub html: Option<&'a str>,
    /// The folder of generated tests.
    pub tests_dir: Option<&'a Path>,
    /// Files for other tools.
    pub outputs: &'a Outputs,
    /// What makes the exit code 1.
    pub fail_on: &'a [FailOn],
    /// Which JUnit the tests are for.
    pub junit: JUnit,
    /// The part that the result is of; the whole when `None`.
    pub shard: Option<Shard>,
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// Whether standard output holds a report.
    pub to_stdout: bool,
    /// Workflow commands that annotate the diff.
    pub commands: String,
}

impl Deliverables<'_> {
    /// Refuses two reports on one stream.
    ///
    /// # Errors
    /// Both are wanted on standard output.
    pub fn check(&self) -> Result<(), Error> {
        match (self.json, self.html) {
            (Some("-"), Some("-")) => {
                let both = "--json and --html both on standard output";
                Err(Error::Usage(both.into()))
            }
            _ => Ok(()),
        }
    }
}

/// Writes what is wanted of a result.
///
/// # Errors
/// A file can't be written.
pub fn write(report: &mut Report, wanted: &Deliverables) -> Result<Finished, Error> {
    // What other shards show may change what is told, and the names of tests: these come after the merge.
    let part = wanted
        .shard
        .map(|shard| shard_file::part(shard, report, wanted.junit));
    let part = part.transpose()?;
    testgen::show(report, wanted.junit);
    if let Some(dir) = wanted.tests_dir {
        testgen::write(report, dir, wanted.junit)?;
    }
    let mut to_stdout = false;
    if let Some(file) = wanted.json {
        let mut rendered = json::render(report);
        if let Some(part) = part {
            rendered["shard"] = part;
        }
        to_stdout |= write_json(file, &rendered)?;
    }
    if let Some(file) = wanted.html {
        to_stdout |= write_out(file, &html::render(report))?;
    }
    let mut outputs = wanted.outputs.clone();
    outputs.annotations |= actions::running();
    let commands = outputs.write(report, wanted.fail_on, &actions::markdown_context())?;
    Ok(Finished {
        to_stdout,
        commands,
    })
}

/// Writes JSON as [`write_out`] does.
///
/// # Errors
/// The file can't be written.
pub fn write_json(file: &str, value: &Value) -> Result<bool, Error> {
    let text = format!("{value:#}\n");
    if file == "-" {
        let mut out = Inert::new(std::io::stdout().lock());
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        return Ok(true);
    }
    write_out(file, &text)
}

/// Writes a report to a file, or for `-` to standard output; returns whether that was the latter.
///
/// # Errors
/// The file can't be written.
pub fn write_out(file: &str, text: &str) -> Result<bool, Error> {
    if file == "-" {
        // A reader that went away is no error.
        let _ = std::io::stdout().write_all(text.as_bytes());
        return Ok(true);
    }
    std::fs::write(file, text).map_err(|e| Error::Io {
        what: format!("cannot write {file}"),
        why: e.to_string(),
    })?;
    Ok(false)
}
