//! The worked example of docs/architecture.md: what it says the stages print is what they print.

use crate::support::{commit, git, root, shadow_ci};
use std::process::Command;

#[test]
fn the_worked_example_is_what_the_stages_print() {
    let repo = tempfile::tempdir().unwrap();
    git(repo.path(), &["init", "-q"]);
    for version in ["old", "new"] {
        commit(
            repo.path(),
            &root().join("tests/golden/architecture").join(version),
        );
    }
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let blocks: Vec<&str> = page.split("```text shadow-ci ").skip(1).collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        let (command, rest) = block.split_once('\n').unwrap();
        let (expected, _) = rest.split_once("```").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
            .args(command.split(' '))
            .args(["HEAD~1", "HEAD", "--repo"])
            .arg(repo.path())
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            expected,
            "{command}"
        );
    }
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD", "--json", "-"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let method = &report["methods"][0];
    assert_eq!(method["verdict"], "diverges");
    assert_eq!(method["level"], "expression");
    assert_eq!(method["findings"][0]["class"], "changed");
}
