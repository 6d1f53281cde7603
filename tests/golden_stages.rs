//! Printed stages compared with what is written in `tests/golden`; `BLESS=1` writes them anew.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
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

fn compare(file: &Path, seen: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file, seen).unwrap();
    }
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    assert_eq!(
        expected,
        seen,
        "{} differs; BLESS=1 writes it anew",
        file.display()
    );
}

#[test]
fn annotate_prints_the_papers_patterns() {
    compare(
        &support::root().join("tests/golden/annotate/expected.txt"),
        &stage("annotate", &["annotate"]),
    );
}

#[test]
fn every_pattern_is_at_expression_or_statement_level() {
    let text = stage("annotate", &["dump", "projection"]);
    assert!(text.contains("projection mismatches: 0"), "{text}");
    assert!(!text.contains(" level: "), "{text}");
}
