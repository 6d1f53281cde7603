//! `shadow-ci comment`: posts a report of unknown origin as a comment on a pull request.

use crate::error::Error;
use crate::github::{self, CheckRun, Client, Conclusion, Note, Posted, Severity};
use crate::model::DivergenceClass;
use crate::report::annotations::{self, Annotation};
use crate::report::document::{Document, MAX_BYTES};
use crate::report::fingerprint;
use crate::report::markdown::{self, Context, MARKER};
use crate::report::site::{Site, is_repository};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The name of the check run.
const CHECK: &str = "shadow-ci";

/// How a report is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum As {
    /// The one comment of shadow-ci on the pull request.
    Comment,
    /// A check run of the commit, with annotations.
    Check,
}

/// What is commented where.
#[derive(Clone, Debug, clap::Args)]
pub struct Comment {
    /// The report that --json wrote
    #[arg(value_name = "REPORT.json")]
    pub report: PathBuf,
    /// The repository of the pull request
    #[arg(long, value_name = "OWNER/NAME", value_parser = repository)]
    pub repository: String,
    /// The pull request's number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), required_unless_present_any = ["branch", "head"])]
    pub pull: Option<u64>,
    /// Instead of --pull: the source branch of the open pull request with that --head
    #[arg(long, value_name = "OWNER:BRANCH", requires = "head", conflicts_with_all = ["pull", "dry_run"], value_parser = branch)]
    pub branch: Option<String>,
    /// The API of GitHub Enterprise, e.g. https://HOST/api/v3 [default: $GITHUB_API_URL, or GitHub's]
    #[arg(long, value_name = "URL")]
    pub api_url: Option<String>,
    /// The environment variable that holds the token
    #[arg(long, value_name = "NAME", default_value = "GITHUB_TOKEN")]
    pub token_env: String,
    /// The address of the full report, for a link
    #[arg(long, value_name = "URL", value_parser = address)]
    pub report_url: Option<String>,
    /// Refuse unless this is the head of the pull request, so that no older or forged report is posted
    #[arg(long, value_name = "SHA")]
    pub head: Option<String>,
    /// The account that comments [default: the token's, or `github-actions[bot]`]
    #[arg(long, value_name = "LOGIN")]
    pub author: Option<String>,
    /// Post a comment on the pull request, or a check run with annotations on its head (needs `checks: write`)
    #[arg(
        long = "as",
        value_name = "WHAT",
        value_enum,
        default_value = "comment"
    )]
    pub publish_as: As,
    /// The conclusion of the check run [default: failure with regressions, neutral with other findings, otherwise success]
    #[arg(long, value_name = "HOW", value_enum)]
    pub conclusion: Option<Conclusion>,
    /// Comment even if there is nothing to report
    #[arg(long)]
    pub always: bool,
    /// Print the comment instead of posting it
    #[arg(long)]
    pub dry_run: bool,
}

fn repository(text: &str) -> Result<String, String> {
    match is_repository(text) {
        true => Ok(text.to_string()),
        false => Err("write it as owner/name".into()),
    }
}

fn address(text: &str) -> Result<String, String> {
    match markdown::is_address(text) {
        true => Ok(text.to_string()),
        false => Err("write it as https://…, other characters than a URL's encoded".into()),
    }
}

fn branch(text: &str) -> Result<String, String> {
    let parts = text
        .split_once(':')
        .filter(|(o, b)| !o.is_empty() && !b.is_empty());
    match parts.is_some() && !text.contains(|c: char| c.is_control() || c == ' ') {
        true => Ok(text.to_string()),
        false => Err("write it as owner:branch".into()),
    }
}

/// Posts, or prints, the comment; returns what to tell the user. `token` is asked for only when it is needed.
///
/// # Errors
/// The report can't be read, the token is missing, or GitHub refuses.
pub fn run(
    comment: &Comment,
    api_url: &str,
    token: impl FnOnce() -> Option<String>,
) -> Result<String, Error> {
    let document = Document::read(&read(&comment.report)?)?;
    let body = |pull| {
        let context = Context {
            site: Site::new(&web_address(api_url), &comment.repository, pull),
            full_report: comment.report_url.clone(),
        };
        markdown::render(&document, &context)
    };
    if comment.dry_run {
        return Ok(body(comment.pull));
    }
    if comment.publish_as == As::Check {
        return check(comment, api_url, &document, body(comment.pull), token);
    }
    let token = token().ok_or_else(|| Error::NoToken(comment.token_env.clone()))?;
    let client = Client::new(api_url, &token)?;
    let pull = pull(comment, &client)?;
    let body = body(Some(pull));
    let request = github::Request {
        repository: &comment.repository,
        pull,
        body: &body,
        marker: MARKER,
        author: comment.author.as_deref(),
        head: comment.head.as_deref(),
        create: comment.always || !document.is_clean(),
    };
    let posted = github::post(&client, &request)?;
    let what = match posted {
        Posted::Created => "commented on",
        Posted::Updated => "updated the comment on",
        Posted::Unchanged => "nothing new to say on",
        Posted::NotNeeded => "nothing to comment on",
    };
    Ok(format!("{what} {}#{pull}\n", comment.repository))
}

/// Publishes the report as a check run of the commit that it is about.
fn check(
    comment: &Comment,
    api_url: &str,
    document: &Document,
    body: String,
    token: impl FnOnce() -> Option<String>,
) -> Result<String, Error> {
    let token = token().ok_or_else(|| Error::NoToken(comment.token_env.clone()))?;
    let client = Client::new(api_url, &token)?;
    let head = comment.head.as_deref().unwrap_or(&document.new);
    if !head.bytes().all(|b| b.is_ascii_hexdigit()) || !(40..=64).contains(&head.len()) {
        return Err(Error::Usage(
            "--head must be the full hash of a commit".into(),
        ));
    }
    let summary = body.trim_start_matches(MARKER).trim_start();
    let title = summary.lines().next().unwrap_or_default();
    let title = title.trim_start_matches("### shadow-ci: ");
    let notes: Vec<Note> = annotations::all(document)
        .into_iter()
        .filter_map(note)
        .collect();
    let posted = github::publish(
        &client,
        &CheckRun {
            repository: &comment.repository,
            head,
            name: CHECK,
            report_id: &what_it_says(document, title, &notes),
            conclusion: comment.conclusion.unwrap_or(conclusion(document)),
            title,
            summary,
            details_url: comment.report_url.as_deref(),
            notes: &notes,
        },
    )?;
    let what = match posted {
        Posted::Unchanged => "the same check run is there on",
        _ => "published a check run on",
    };
    let short: String = head.chars().take(10).collect();
    Ok(format!("{what} {}@{short}\n", comment.repository))
}

/// What a report says, whatever time it took and whichever job wrote it: of a job that is run again, the check run is there.
fn what_it_says(document: &Document, title: &str, notes: &[Note]) -> String {
    let verdicts = document.methods.iter().map(|m| (m.name.short(), m.verdict));
    let verdicts: Vec<_> = verdicts.collect();
    fingerprint::of_text(&format!("{title}\n{verdicts:?}\n{notes:?}"))
}

fn conclusion(document: &Document) -> Conclusion {
    if document.findings(DivergenceClass::Regression) > 0 {
        Conclusion::Failure
    } else if document.is_clean() {
        Conclusion::Success
    } else {
        Conclusion::Neutral
    }
}

/// What has no line is in the summary only.
fn note(annotation: Annotation) -> Option<Note> {
    let place = annotation.place?;
    Some(Note {
        path: place.path,
        line: place.line,
        severity: match annotation.kind {
            "error" => Severity::Failure,
            "warning" => Severity::Warning,
            _ => Severity::Notice,
        },
        title: annotation.title,
        message: annotation.text,
    })
}

fn pull(comment: &Comment, client: &Client) -> Result<u64, Error> {
    match (comment.pull, &comment.branch, &comment.head) {
        (Some(number), ..) => Ok(number),
        (None, Some(branch), Some(head)) => Ok(github::find_pull(
            client,
            &comment.repository,
            branch,
            head,
        )?),
        _ => Err(Error::Usage(
            "neither --pull nor --branch with --head".into(),
        )),
    }
}

/// The bytes of a report: no more of the file than may be in it.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .and_then(|f| f.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|e| Error::Input {
            what: format!("cannot read {}", file.display()),
            why: e.to_string(),
        })?;
    Ok(bytes)
}

/// The web site that belongs to an API: GitHub's, that of Enterprise Cloud with data residency, or Enterprise Server's.
fn web_address(api_url: &str) -> String {
    let url = api_url.trim_end_matches('/');
    if let Some(host) = url.strip_prefix("https://api.") {
        return format!("https://{host}");
    }
    url.strip_suffix("/api/v3").unwrap_or(url).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_api_has_its_web_site() {
        for (api, web) in [
            ("https://api.github.com", "https://github.com"),
            ("https://api.acme.ghe.com/", "https://acme.ghe.com"),
            ("https://git.acme.org/api/v3", "https://git.acme.org"),
        ] {
            assert_eq!(web_address(api), web);
        }
    }
}
