//! The files a run leaves for other tools, and the annotations it prints.

use crate::error::Error;
use crate::options::FailOn;
use crate::report::document::Document;
use crate::report::markdown::{self, Context};
use crate::report::{Report, annotations, gitlab, junit_xml, sarif, step_outputs};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Which of them are wanted.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Outputs {
    /// Write SARIF 2.1.0, for code scanning
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write JUnit XML with one test case per method, which fails on findings that --fail-on names
    #[arg(long, value_name = "FILE")]
    pub junit_xml: Option<PathBuf>,
    /// Write GitLab's code-quality report
    #[arg(long, value_name = "FILE")]
    pub gitlab: Option<PathBuf>,
    /// Append a summary in Markdown, e.g. to $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// Append verdict and counts as NAME=VALUE lines, e.g. to $GITHUB_OUTPUT
    #[arg(long, value_name = "FILE")]
    pub step_outputs: Option<PathBuf>,
    /// Print GitHub workflow commands that annotate the diff [default: on if GITHUB_ACTIONS is true]
    #[arg(long)]
    pub annotations: bool,
}

impl Outputs {
    /// Writes the files and returns the annotations, empty unless wanted.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn write(
        &self,
        report: &Report,
        fail_on: &[FailOn],
        context: &Context,
    ) -> Result<String, Error> {
        let document = &Document::of(report)?;
        if let Some(file) = &self.sarif {
            put(file, &format!("{:#}\n", sarif::render(document)))?;
        }
        if let Some(file) = &self.junit_xml {
            let text = junit_xml::render(document, fail_on).map_err(|why| Error::Io {
                what: format!("cannot write {}", file.display()),
                why,
            })?;
            put(file, &text)?;
        }
        if let Some(file) = &self.gitlab {
            put(file, &format!("{:#}\n", gitlab::render(document)))?;
        }
        if let Some(file) = &self.summary {
            append(file, &markdown::render(document, context))?;
        }
        if let Some(file) = &self.step_outputs {
            append(file, &step_outputs::of(document))?;
        }
        if self.annotations {
            return Ok(annotations::render(document));
        }
        Ok(String::new())
    }
}

impl Outputs {
    /// Whether anything but a summary is wanted.
    pub fn are_more_than_a_summary(&self) -> bool {
        let files = [
            &self.sarif,
            &self.junit_xml,
            &self.gitlab,
            &self.step_outputs,
        ];
        self.annotations || files.iter().any(|f| f.is_some())
    }

    /// Appends a text to the summary, where one is wanted.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn append_summary(&self, text: &str) -> Result<(), Error> {
        match &self.summary {
            Some(file) => append(file, text),
            None => Ok(()),
        }
    }
}

fn put(file: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(file, text).map_err(|e| failed(file, &e))
}

/// Other steps write to the same summary.
fn append(file: &Path, text: &str) -> Result<(), Error> {
    std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .and_then(|mut f| f.write_all(text.as_bytes()))
        .map_err(|e| failed(file, &e))
}

fn failed(file: &Path, e: &std::io::Error) -> Error {
    Error::Io {
        what: format!("cannot write {}", file.display()),
        why: e.to_string(),
    }
}
