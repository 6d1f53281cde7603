//! The pull request of a commit of a branch, as GitHub reports it; a `workflow_run` event of a fork does not name it.

use super::client::{Client, Page};
use super::error::GitHubError;
use serde::Deserialize;

/// A pull request, as far as it is asked for.
#[derive(Deserialize)]
pub(super) struct Pull {
    pub(super) number: Option<u64>,
    pub(super) head: Head,
}

/// What a pull request's branch ends in.
#[derive(Deserialize)]
pub(super) struct Head {
    pub(super) sha: String,
}

/// The number of the open pull request of `owner/name` from `branch` (`owner:branch`) whose head is that commit.
///
/// # Errors
/// GitHub refuses, can't be reached, or knows no such pull request.
pub fn find_pull(
    client: &Client,
    repository: &str,
    branch: &str,
    head: &str,
) -> Result<u64, GitHubError> {
    let path = format!(
        "/repos/{repository}/pulls?state=open&head={}&per_page=100",
        encoded(branch)
    );
    let pulls: Page<Pull> = client.get(&path)?;
    let ours = pulls.items.iter();
    let numbers: Vec<u64> = ours
        .filter(|pull| pull.head.sha.eq_ignore_ascii_case(head))
        .filter_map(|pull| pull.number)
        .collect();
    match numbers[..] {
        [number] => Ok(number),
        _ => Err(GitHubError::NoPull {
            branch: branch.to_string(),
            head: head.to_string(),
            found: numbers.len(),
        }),
    }
}

/// As the value of a query: a branch may be called `a&b#c`.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
