//! Findings that a team says are intended, from the finding to the stale entry, on real repositories.

use crate::action::{Origin, checkout, job, origin, pull_request};
use crate::runner::Outcome;
use crate::support::{fixture, git, shadow_ci};
use serde_json::json;
use std::path::Path;
use std::process::Command;

const FILE: &str = ".shadow-ci/accepted.toml";
const FOO: &str = "src/main/java/demo/Foo.java";

/// The exit code and what was printed.
fn check(repo: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = shadow_ci(repo).args(args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() != Some(2), "{output:?}");
    (output.status.code(), text)
}

/// The ids that the printed accept commands name.
fn offered(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("shadow-ci accept "));
    let ids = lines.map(|l| l.split('\'').nth(1).unwrap().to_string());
    ids.collect()
}

fn accept(repo: &Path, ids: &[String]) {
    for id in ids {
        let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
            .current_dir(repo)
            .args(["accept", id, "--reason", "squares from now on"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn what_is_accepted_is_green_until_its_method_is_edited() {
    let dir = fixture("foo");
    let repo = dir.path();
    let (code, text) = check(repo, &["HEAD~1", "HEAD"]);
    let ids = offered(&text);
    assert!(code == Some(1) && !ids.is_empty(), "{text}");
    accept(repo, &ids);
    let (code, text) = check(repo, &["HEAD~1", "HEAD"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("accepted: regression") && text.contains("squares from now on"));
    assert_eq!(offered(&text), Vec::<String>::new());
    // What a patch brings itself counts only where that is asked for.
    git(repo, &["add", FILE]);
    git(repo, &["commit", "-q", "--amend", "--no-edit"]);
    let (code, text) = check(repo, &["HEAD~1", "HEAD", "--accepted-from", "old"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("which does not count: squares from now on"));
    let (code, _) = check(repo, &["HEAD~1", "HEAD", "--accepted-from", "new"]);
    assert_eq!(code, Some(0));
    // Other lines of the file may come and go.
    let file = repo.join(FOO);
    let source = std::fs::read_to_string(&file).unwrap();
    let moved = source.replace("public class", "// A comment.\n\n\npublic class");
    std::fs::write(&file, &moved).unwrap();
    git(repo, &["commit", "-q", "-a", "-m", "a comment"]);
    let (code, text) = check(repo, &["HEAD~2", "HEAD"]);
    assert_eq!(code, Some(0), "{text}");
    // The method may not.
    std::fs::write(&file, moved.replace("y = y + 1;", "y = y + 2 - 1;")).unwrap();
    git(repo, &["commit", "-q", "-a", "-m", "an edit"]);
    let (code, text) = check(repo, &["HEAD~3", "HEAD"]);
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(text.matches("stale: demo.Foo#foo:").count(), ids.len());
    assert!(offered(&text).iter().all(|id| !ids.contains(id)));
}

/// The Action's run on a pull request that brings a regression together with what accepts it.
fn self_accepting(more: &[(&'static str, &str)], labels: &[&str]) -> Outcome {
    let origin = with_acceptance(origin(0));
    let workspace = checkout(&origin, "");
    let mut event = pull_request(&origin, "stranger/name");
    let labels = labels.iter().map(|name| json!({ "name": name }));
    event["pull_request"]["labels"] = labels.collect();
    let mut job = job(&origin, workspace, event);
    let more = more.iter().map(|(name, value)| (*name, value.to_string()));
    job.with.extend(more);
    job.run()
}

/// The pull request's head becomes a commit that also accepts all that is found.
fn with_acceptance(mut origin: Origin) -> Origin {
    let repo = origin.path();
    git(&repo, &["checkout", "-q", "-b", "topic", &origin.head]);
    let (_, text) = check(&repo, &["HEAD~1", "HEAD"]);
    accept(&repo, &offered(&text));
    git(&repo, &["add", FILE]);
    git(&repo, &["commit", "-q", "--amend", "--no-edit"]);
    origin.head = git(&repo, &["rev-parse", "HEAD"]);
    git(&repo, &["update-ref", "refs/pull/7/head", "HEAD"]);
    git(&repo, &["checkout", "-q", "main"]);
    git(&repo, &["branch", "-q", "-D", "topic"]);
    origin
}

#[test]
fn a_pull_request_cannot_accept_its_own_regression() {
    let outcome = self_accepting(&[], &["shadow-ci: accepted"]);
    assert_eq!(outcome.code(), 1, "{:?}", outcome.steps);
    let log = &outcome.step("Check the patch").log;
    assert!(log.contains("accepted by this change itself, which does not count"));
    assert!(outcome.outputs["regressions"].parse::<u64>().unwrap() > 0);
}

#[test]
fn a_label_lets_it_where_the_workflow_says_so() {
    let option = [("accept-label", "shadow-ci: accepted")];
    let outcome = self_accepting(&option, &["bug", "shadow-ci: accepted"]);
    assert_eq!(outcome.code(), 0, "{:?}", outcome.steps);
    assert_eq!(outcome.outputs["regressions"], "0");
    let outcome = self_accepting(&option, &["bug"]);
    assert_eq!(outcome.code(), 1, "{:?}", outcome.steps);
}
