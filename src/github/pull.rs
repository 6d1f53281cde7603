//! The pull request that a commit of a branch belongs to, as GitHub itself says: a `workflow_run` event of a fork does not.

use super::client::Client;
use super::error::GitHubError;
use serde_json::Value;

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
    let pulls = client.get(&path)?.json;
    let is_ours = |pull: &&Value| {
        let sha = pull["head"]["sha"].as_str();
        sha.is_some_and(|sha| sha.eq_ignore_ascii_case(head))
    };
    let all = pulls.as_array().map(Vec::as_slice).unwrap_or_default();
    let numbers: Vec<u64> = all
        .iter()
        .filter(is_ours)
        .filter_map(|pull| pull["number"].as_u64())
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
