//! A check run with annotations (GitHub's Checks API), the alternative to the comment: made once for a commit, told apart by its report.

use super::client::Client;
use super::comment::Posted;
use super::error::GitHubError;
use serde::Deserialize;
use serde_json::{Value, json};

/// Annotations that one request may carry; more follow in further requests.
const PER_REQUEST: usize = 50;

/// Longest summary and message in bytes, and title in characters, that the Checks API takes.
const MAX_TEXT: usize = 65_535;
const MAX_MESSAGE: usize = 60_000;
const MAX_TITLE: usize = 255;

/// How a check run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Conclusion {
    /// Nothing to look at.
    Success,
    /// Something to look at.
    Neutral,
    /// Something that fails the build.
    Failure,
}

/// How much an annotation matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A fix, or something to know.
    Notice,
    /// A change.
    Warning,
    /// A regression.
    Failure,
}

/// A text at a line of the new version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The file, from the repository's root.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// How much it matters.
    pub severity: Severity,
    /// One line.
    pub title: String,
    /// What is said.
    pub message: String,
}

/// What is published.
#[derive(Clone, Debug)]
pub struct CheckRun<'a> {
    /// `owner/name`, checked.
    pub repository: &'a str,
    /// The commit it is about.
    pub head: &'a str,
    /// Its name in the list of checks.
    pub name: &'a str,
    /// What tells this report from others of the same commit.
    pub report_id: &'a str,
    /// How it ends.
    pub conclusion: Conclusion,
    /// One line.
    pub title: &'a str,
    /// Markdown.
    pub summary: &'a str,
    /// Where the full report can be had.
    pub details_url: Option<&'a str>,
    /// Texts at lines.
    pub notes: &'a [Note],
}

#[derive(Deserialize)]
struct Runs {
    check_runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    id: u64,
    external_id: Option<String>,
}

/// Publishes it, unless the commit has a check run of the same name and report.
///
/// # Errors
/// What GitHub refuses; the token needs `checks: write`, and GitHub gives that to Apps and workflows only.
pub fn publish(client: &Client, run: &CheckRun) -> Result<Posted, GitHubError> {
    if find(client, run)?.is_some() {
        return Ok(Posted::Unchanged);
    }
    let id = create(client, run)?;
    let path = format!("/repos/{}/check-runs/{id}", run.repository);
    for notes in run.notes.chunks(PER_REQUEST).skip(1) {
        // GitHub adds annotations to those that are there.
        client.patch(&path, &json!({ "output": output(run, notes) }))?;
    }
    Ok(Posted::Created)
}

/// After a failure that may have been none, looks first whether the check run is there.
fn create(client: &Client, run: &CheckRun) -> Result<u64, GitHubError> {
    let path = format!("/repos/{}/check-runs", run.repository);
    let first = run.notes.chunks(PER_REQUEST).next().unwrap_or_default();
    let mut body = json!({
        "name": run.name,
        "head_sha": run.head,
        "external_id": run.report_id,
        "status": "completed",
        "conclusion": match run.conclusion {
            Conclusion::Success => "success",
            Conclusion::Neutral => "neutral",
            Conclusion::Failure => "failure",
        },
        "output": output(run, first),
    });
    if let Some(url) = run.details_url {
        body["details_url"] = json!(url);
    }
    let mut attempt = 1;
    loop {
        match client.post(&path, &body) {
            Ok(made) => return id(&made, &path),
            Err(error) if error.may_have_worked() && attempt < 3 => {
                client.back_off(attempt);
                if let Some(made) = find(client, run)? {
                    return Ok(made.id);
                }
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

fn id(made: &Value, path: &str) -> Result<u64, GitHubError> {
    made["id"].as_u64().ok_or_else(|| GitHubError::Answer {
        what: path.to_string(),
        why: "there is no id".into(),
    })
}

/// The check run of this report, if the commit has it. GitHub lists the newest of a name first.
fn find(client: &Client, run: &CheckRun) -> Result<Option<Run>, GitHubError> {
    let path = format!(
        "/repos/{}/commits/{}/check-runs?check_name={}&filter=all&per_page=100",
        run.repository, run.head, run.name
    );
    let runs: Runs = client.get(&path)?;
    let is_ours = |r: &Run| r.external_id.as_deref() == Some(run.report_id);
    Ok(runs.check_runs.into_iter().find(is_ours))
}

fn output(run: &CheckRun, notes: &[Note]) -> Value {
    let notes: Vec<Value> = notes.iter().map(annotation).collect();
    json!({
        "title": cut(run.title, MAX_TITLE),
        "summary": cut(run.summary, MAX_TEXT),
        "annotations": notes,
    })
}

fn annotation(note: &Note) -> Value {
    json!({
        "path": note.path,
        "start_line": note.line,
        "end_line": note.line,
        "annotation_level": match note.severity {
            Severity::Notice => "notice",
            Severity::Warning => "warning",
            Severity::Failure => "failure",
        },
        "title": cut(&note.title, MAX_TITLE),
        "message": cut(&note.message, MAX_MESSAGE),
    })
}

/// At most so many bytes.
fn cut(text: &str, most: usize) -> &str {
    let end = text.floor_char_boundary(most);
    &text[..end]
}
