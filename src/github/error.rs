//! GitHub's refusals, and what to do about them.

use miette::Diagnostic;
use thiserror::Error;

/// Why a comment could not be posted.
#[derive(Debug, Error, Diagnostic)]
pub enum GitHubError {
    /// Not an address that a token may be sent to.
    #[error("'{0}' can't be the API's address")]
    #[diagnostic(help(
        "give --api-url as https://HOST/api/v3 for GitHub Enterprise Server, https://api.github.com else; http works for this machine only"
    ))]
    Address(String),
    /// The token can't stand in a header.
    #[error("the token is empty or holds characters that no token has")]
    #[diagnostic(help("check the variable that --token-env names"))]
    Token,
    /// 401.
    #[error("GitHub does not accept the token (401: {0})")]
    #[diagnostic(help(
        "it is expired, revoked, or of another server; in a workflow use secrets.GITHUB_TOKEN"
    ))]
    Unauthorized(String),
    /// 403.
    #[error("the token may not do this (403: {0})")]
    #[diagnostic(help(
        "give the job `permissions: pull-requests: write`; a `pull_request` run from a fork never has it: post from a `workflow_run` job"
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
    #[diagnostic(help("see what `--dry-run` prints; if that looks right, please report this"))]
    Invalid(String),
    /// Redirects: tokens are not sent after them.
    #[error("the repository has moved (GitHub answers {0})")]
    #[diagnostic(help("give its present name with --repository"))]
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
    #[diagnostic(help("see whether GitHub has an outage, and run the job again"))]
    Status {
        /// The status.
        status: u16,
        /// GitHub's message.
        message: String,
    },
    /// No answer at all.
    #[error("can't reach {host}: {why}")]
    #[diagnostic(help("check --api-url and the network; a proxy is taken from HTTPS_PROXY"))]
    Network {
        /// The server.
        host: String,
        /// Why.
        why: String,
    },
    /// An answer that is not GitHub's.
    #[error("the answer to {what} is not what GitHub's API gives: {why}")]
    #[diagnostic(help("check --api-url; GitHub Enterprise Server has its API below /api/v3"))]
    Answer {
        /// The path asked for.
        what: String,
        /// What was wrong.
        why: String,
    },
    /// The pull request moved on.
    #[error("the pull request's head is {found} by now, the report is about {expected}")]
    #[diagnostic(help("nothing to do: the run for the newer commit posts its own report"))]
    Stale {
        /// The head that --head named.
        expected: String,
        /// The head there is.
        found: String,
    },
    /// Not exactly one pull request.
    #[error("{found} open pull requests from {branch} have the head {head}")]
    #[diagnostic(help(
        "nothing to do when it was closed or has a newer commit; else name the pull request with --pull"
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
