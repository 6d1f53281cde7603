//! GitHub's runner: its environment variables, and text that is safe in its log.

use crate::report::annotations;
use crate::report::markdown::Context;
use crate::report::site::Site;

/// An environment variable that is set to something.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

/// Whether this runs as a step of GitHub Actions.
pub fn running() -> bool {
    variable("GITHUB_ACTIONS").as_deref() == Some("true")
}

/// What the runner says of where a summary will stand.
pub fn markdown_context() -> Context {
    let server = variable("GITHUB_SERVER_URL").unwrap_or_default();
    let repository = variable("GITHUB_REPOSITORY").unwrap_or_default();
    let pull = variable("GITHUB_REF").and_then(|r| {
        r.strip_prefix("refs/pull/")?
            .split('/')
            .next()?
            .parse()
            .ok()
    });
    let site = Site::new(&server, &repository, pull);
    let run = variable("GITHUB_RUN_ID").filter(|_| site.is_some());
    Context {
        full_report: run.map(|id| format!("{server}/{repository}/actions/runs/{id}")),
        site,
    }
}

/// Text with parts of the code under test: on the runner, framed so that no line of it is a command.
pub fn for_log(text: &str) -> String {
    if !running() {
        return text.to_string();
    }
    // Random keys are all that the standard library has to make a word that nobody can foresee.
    let word = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
    annotations::framed(text, &format!("shadow-ci-{word:016x}"))
}
