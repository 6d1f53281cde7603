//! GitHub's REST API, as far as one sticky comment on a pull request, or one check run of a commit, needs it.

mod check;
mod client;
mod comment;
mod error;
mod pull;
mod retry;

pub use check::{CheckRun, Conclusion, Note, Severity, publish};
pub use client::Client;
pub use comment::{Posted, Request, post};
pub use error::GitHubError;
pub use pull::find_pull;
