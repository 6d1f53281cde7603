//! GitHub's refusals, and what to do about them.

use miette::Diagnostic;
use thiserror::Error;

/// Why a comment could not be posted.
#[derive(Debug, Error, Diagnostic)]
pub enum GitHubError {
    /// Not an address that a token may be sent to.
    #[error("'{0}' is not a valid address of the API")]
    #[diagnostic(help(
        "for GitHub Enterprise Server, pass --api-url https://HOST/api/v3, otherwise https://api.github.com; http works for this machine only"
    ))]
    Address(String),
    /// The token can't stand in a header.
    #[error("the token is empty or has invalid characters")]
    #[diagnostic(help("check the variable that --token-env names"))]
    Token,
    /// 401.
    #[error("GitHub does not accept the token (401: {0})")]
    #[diagnostic(help(
        "it is expired, revoked, or for another server; in a workflow, use secrets.GITHUB_TOKEN"
    ))]
    Unauthorized(String),
    /// 403.
    #[error("the token may not do this (403: {0})")]
    #[diagnostic(help(
        "give the job `permissions: pull-requests: write`; a `pull_request` run from a fork never has it, so post from a `workflow_run` job"
    ))]
    Forbidden(String),
    /// 404.
    #[error("no such pull request, or the token can't see it: {what} (404: {message})")]
    #[diagnostic(help(
        "check --repository, --pull and --api-url; for a private repository the token needs access to it"
    ))]
    NotFound {
        /// The path asked for.
        what: String,
        /// GitHub's message.
        message: String,
    },
    /// 422.
    #[error("GitHub refuses the comment (422: {0})")]
    #[diagnostic(help("check the output of `--dry-run`; if it looks right, please report this"))]
    Invalid(String),
    /// Redirects: tokens are not sent after them.
    #[error("the repository has moved (GitHub answers {0})")]
    #[diagnostic(help("pass its new name with --repository"))]
    Moved(u16),
    /// 429, or 403 with a rate limit, for longer than we wait.
    #[error("GitHub's rate limit is used up ({message}); it asks to wait {seconds} s")]
    #[diagnostic(help("run the job again later"))]
    RateLimited {
        /// GitHub's message.
        message: String,
        /// How long it asks to wait.
        seconds: u64,
    },
    /// Other answers, 5xx after all attempts among them.
    #[error("GitHub answers {status}: {message}")]
    #[diagnostic(help("check whether GitHub has an outage, and run the job again"))]
    Status {
        /// The status.
        status: u16,
        /// GitHub's message.
        message: String,
    },
    /// No answer at all.
    #[error("can't reach {host}: {why}")]
    #[diagnostic(help("check --api-url and the network; HTTPS_PROXY names a proxy"))]
    Network {
        /// The server.
        host: String,
        /// Why.
        why: String,
    },
    /// An answer that is not GitHub's.
    #[error("the answer to {what} does not have the form of GitHub's API: {why}")]
    #[diagnostic(help("check --api-url; the API of GitHub Enterprise Server is below /api/v3"))]
    Answer {
        /// The path asked for.
        what: String,
        /// What was wrong.
        why: String,
    },
    /// The pull request moved on.
    #[error("the head of the pull request is now {found}; the report is about {expected}")]
    #[diagnostic(help("nothing to do: the run of the newer commit posts its own report"))]
    Stale {
        /// The head that --head named.
        expected: String,
        /// The head there is.
        found: String,
    },
    /// Not exactly one pull request.
    #[error("{found} open pull requests from {branch} have the head {head}")]
    #[diagnostic(help(
        "nothing to do if it was closed or has a newer commit; otherwise name the pull request with --pull"
    ))]
    NoPull {
        /// `owner:branch`.
        branch: String,
        /// The head that --head named.
        head: String,
        /// How many there are.
        found: usize,
    },
}

impl GitHubError {
    /// Whether the request may have been carried out although there is no good answer.
    pub(super) fn may_have_worked(&self) -> bool {
        matches!(
            self,
            GitHubError::Network { .. } | GitHubError::Status { status: 500.., .. }
        )
    }
}
