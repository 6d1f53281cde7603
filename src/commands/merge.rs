//! `shadow-ci merge`: the reports of all shards of a patch as one.

use crate::check::merge::merge;
use crate::commands::exit_code;
use crate::commands::finish::{self, Deliverables, Finished};
use crate::commands::outputs::Outputs;
use crate::commands::{actions, shard_file};
use crate::error::Error;
use crate::options::FailOn;
use crate::report::document::Document;
use crate::report::markdown;
use crate::testgen::JUnit;
use std::path::PathBuf;

/// Which reports, and what is written.
#[derive(Clone, Debug, clap::Args)]
pub struct Merge {
    /// The reports that the shards' --json wrote
    #[arg(value_name = "REPORT.json", required = true)]
    pub reports: Vec<PathBuf>,
    /// Write the one report as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Write the one report as one HTML file (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub html: Option<String>,
    /// Write JUnit tests into this folder
    #[arg(long, value_name = "DIR")]
    pub tests_dir: Option<PathBuf>,
    /// Files for other tools
    #[command(flatten)]
    pub outputs: Outputs,
    /// What sets the exit code to 1 [default: assertion]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub fail_on: Vec<FailOn>,
}

/// What was merged.
pub struct Merged {
    /// What was written.
    pub finished: Finished,
    /// Which shards are missing, in a sentence.
    pub lost: Option<String>,
    /// The exit code.
    pub code: u8,
    /// The summary, with text of the code under test.
    pub text: String,
}

/// Merges, and writes the files.
///
/// # Errors
/// A report can't be read, they are not of one patch, or a file can't be written.
pub fn run(asked: &Merge) -> Result<Merged, Error> {
    let default = [FailOn::Assertion];
    let fail_on = match asked.fail_on.is_empty() {
        true => &default[..],
        false => &asked.fail_on,
    };
    let mut wanted = Deliverables {
        json: asked.json.as_deref(),
        html: asked.html.as_deref(),
        tests_dir: asked.tests_dir.as_deref(),
        outputs: &asked.outputs,
        fail_on,
        junit: JUnit::Five,
        shard: None,
    };
    wanted.check()?;
    let mut parts = Vec::new();
    for file in &asked.reports {
        let (shard, part) = shard_file::read(file)?;
        wanted.junit = part.junit;
        parts.push((shard, part.report));
    }
    let mut report = merge(parts).map_err(|why| Error::Input {
        what: "cannot merge the reports".into(),
        why: why.to_string(),
    })?;
    let finished = finish::write(&mut report, &wanted)?;
    let document = Document::of(&report)?;
    Ok(Merged {
        finished,
        lost: report.lost(),
        code: exit_code::of(&report, fail_on),
        text: markdown::render(&document, &actions::markdown_context()),
    })
}
