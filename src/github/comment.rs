//! The one sticky comment: found by its marker and author, updated in place, made where there is none.

use super::client::{Client, Page};
use super::error::GitHubError;
use super::pull::Pull;
use serde::Deserialize;
use serde_json::json;

/// Comments on one page, the most that GitHub gives.
const PER_PAGE: usize = 100;

/// Pages looked through; who has more comments than this gets a second sticky one.
const MAX_PAGES: usize = 100;

/// The account that workflows comment as; their token may not ask who it is.
const WORKFLOWS: &str = "github-actions[bot]";

/// What to post where.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// `owner/name`, checked.
    pub repository: &'a str,
    /// The pull request's number.
    pub pull: u64,
    /// The comment.
    pub body: &'a str,
    /// What the comment starts with, by which it is found.
    pub marker: &'a str,
    /// Who writes the comment; asked from GitHub when not given.
    pub author: Option<&'a str>,
    /// The commit the pull request's head has to be.
    pub head: Option<&'a str>,
    /// Whether to make a comment where there is none.
    pub create: bool,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// There was none.
    Created,
    /// It said something else.
    Updated,
    /// It said the same.
    Unchanged,
    /// There was none, and none was wanted.
    NotNeeded,
}

#[derive(Deserialize)]
struct Comment {
    id: u64,
    body: Option<String>,
    user: Option<User>,
}

#[derive(Deserialize)]
struct User {
    login: String,
}

/// Posts.
///
/// # Errors
/// GitHub refuses, or can't be reached.
pub fn post(client: &Client, request: &Request) -> Result<Posted, GitHubError> {
    if let Some(head) = request.head {
        check_head(client, request, head)?;
    }
    let author = match request.author {
        Some(login) => login.to_string(),
        None => author(client)?,
    };
    let found = find(client, request, &author)?;
    if found.is_none() && !request.create {
        return Ok(Posted::NotNeeded);
    }
    if let Some(comment) = found
        && let Some(done) = update(client, request, &comment)?
    {
        return Ok(done);
    }
    create(client, request, &author)
}

/// A report must not stand on another commit's, or another pull request's, page.
fn check_head(client: &Client, request: &Request, expected: &str) -> Result<(), GitHubError> {
    let path = format!("/repos/{}/pulls/{}", request.repository, request.pull);
    let found = client.get::<Pull>(&path)?.head.sha;
    if found.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    let hash = |c: &char| c.is_ascii_hexdigit();
    Err(GitHubError::Stale {
        expected: expected.to_string(),
        found: found.chars().filter(hash).take(64).collect(),
    })
}

fn author(client: &Client) -> Result<String, GitHubError> {
    match client.get::<User>("/user") {
        Ok(user) => Ok(user.login),
        Err(GitHubError::Forbidden(_) | GitHubError::NotFound { .. }) => Ok(WORKFLOWS.into()),
        Err(other) => Err(other),
    }
}

/// Others can write the marker too, so the author has to be ours.
fn find(client: &Client, request: &Request, author: &str) -> Result<Option<Comment>, GitHubError> {
    let path = comments(request);
    for page in 1..=MAX_PAGES {
        // Pages are counted here: an address from an answer is no place to send a token to.
        let path = format!("{path}?per_page={PER_PAGE}&page={page}");
        let answer: Page<Comment> = client.get(&path)?;
        let more = answer.next.is_some();
        let ours = answer.items.into_iter().find(|c| {
            let by_us = c
                .user
                .as_ref()
                .is_some_and(|u| u.login.eq_ignore_ascii_case(author));
            by_us
                && c.body
                    .as_ref()
                    .is_some_and(|b| b.starts_with(request.marker))
        });
        if ours.is_some() || !more {
            return Ok(ours);
        }
    }
    Ok(None)
}

/// Nothing when the comment was deleted meanwhile.
fn update(
    client: &Client,
    request: &Request,
    comment: &Comment,
) -> Result<Option<Posted>, GitHubError> {
    // GitHub may give line ends back as it likes.
    let same = |text: &str| text.replace("\r\n", "\n").trim_end() == request.body.trim_end();
    if comment.body.as_deref().is_some_and(same) {
        return Ok(Some(Posted::Unchanged));
    }
    let path = format!(
        "/repos/{}/issues/comments/{}",
        request.repository, comment.id
    );
    match client.patch(&path, &json!({ "body": request.body })) {
        Ok(_) => Ok(Some(Posted::Updated)),
        Err(GitHubError::NotFound { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// After a failure that may have been none, looks first whether the comment is there.
fn create(client: &Client, request: &Request, author: &str) -> Result<Posted, GitHubError> {
    let mut attempt = 1;
    loop {
        match client.post(&comments(request), &json!({ "body": request.body })) {
            Ok(_) => return Ok(Posted::Created),
            Err(error) if error.may_have_worked() && attempt < 3 => {
                client.back_off(attempt);
                if let Some(comment) = find(client, request, author)?
                    && update(client, request, &comment)?.is_some()
                {
                    return Ok(Posted::Created);
                }
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

fn comments(request: &Request) -> String {
    format!(
        "/repos/{}/issues/{}/comments",
        request.repository, request.pull
    )
}
