//! Printed stages compared with the snapshots in `tests/golden`.

use crate::golden;
use crate::support;
use std::process::Command;

/// Runs a stage on the two folders as commits of one repository.
fn stage(name: &str, arguments: &[&str]) -> String {
    let folder = support::root().join("tests/golden").join(name);
    let repo = tempfile::tempdir().unwrap();
    support::git(repo.path(), &["init", "-q"]);
    support::commit(repo.path(), &folder.join("old"));
    support::commit(repo.path(), &folder.join("new"));
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(arguments)
        .args(["HEAD~1", "HEAD", "--repo"])
        .arg(repo.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).to_string()
}

#[test]
fn annotate_prints_the_papers_patterns() {
    golden::compare("annotate", &stage("annotate", &["annotate"]));
}

#[test]
fn every_pattern_is_at_expression_or_statement_level() {
    let text = stage("annotate", &["dump", "projection"]);
    assert!(text.contains("projection mismatches: 0"), "{text}");
    assert!(!text.contains(" level: "), "{text}");
}
