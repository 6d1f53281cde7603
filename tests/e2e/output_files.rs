//! The outputs of a real run, as a runner and other tools would get them.

use crate::support::{fixture, git, shadow_ci};
use serde_json::Value;
use std::path::Path;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_run_on_githubs_runner_leaves_all_its_outputs() {
    let repo = fixture("foo");
    let out = tempfile::tempdir().unwrap();
    let file = |name: &str| out.path().join(name);
    std::fs::write(file("summary.md"), "an earlier step\n").unwrap();
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD", "--json"])
        .arg(file("report.json"))
        .arg("--sarif")
        .arg(file("report.sarif"))
        .arg("--junit-xml")
        .arg(file("report.xml"))
        .arg("--gitlab")
        .arg(file("gitlab.json"))
        .arg("--summary")
        .arg(file("summary.md"))
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_SERVER_URL", "https://github.com")
        .env("GITHUB_REPOSITORY", "owner/name")
        .env("GITHUB_REF", "refs/pull/12/merge")
        .env("GITHUB_RUN_ID", "34")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    // All that is for people is framed; then come the annotations.
    let word = stdout
        .lines()
        .next()
        .unwrap()
        .strip_prefix("::stop-commands::")
        .unwrap();
    let (framed, commands) = stdout.split_once(&format!("\n::{word}::\n")).unwrap();
    assert!(framed.contains("demo.Foo#foo"));
    let path = "src/main/java/demo/Foo.java";
    let mut count = 0;
    for command in commands.lines() {
        assert!(command.starts_with("::"), "{command}");
        assert!(
            command.contains(&format!(" file={path},line=")),
            "{command}"
        );
        count += 1;
    }
    assert!(count > 0 && commands.starts_with("::error "));

    let report: Value = serde_json::from_str(&read(&file("report.json"))).unwrap();
    let changed = &report["methods"]
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["method"] == "foo")
        .unwrap();
    assert!(changed["line"].as_u64().unwrap() > 1);
    assert!(
        changed["findings"][0]["test_source"]
            .as_str()
            .unwrap()
            .contains("@Test")
    );
    assert!(
        changed["findings"][0]["call"]
            .as_str()
            .unwrap()
            .contains("foo(")
    );
    let sarif: Value = serde_json::from_str(&read(&file("report.sarif"))).unwrap();
    let first = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(first["artifactLocation"]["uri"], path);
    let gitlab: Value = serde_json::from_str(&read(&file("gitlab.json"))).unwrap();
    assert_eq!(gitlab[0]["location"]["path"], path);
    assert!(read(&file("report.xml")).contains("<failure"));
    let summary = read(&file("summary.md"));
    assert!(summary.starts_with("an earlier step\n<!-- shadow-ci -->\n### shadow-ci: "));
    assert!(summary.contains("https://github.com/owner/name/pull/12/files#diff-"));
    assert!(summary.contains("[full report](https://github.com/owner/name/actions/runs/34)"));
}

#[test]
fn what_the_compiler_quotes_is_no_command() {
    let repo = fixture("foo");
    let source = repo.path().join("src/main/java/demo/Foo.java");
    let broken = read(&source) + "\n::error::from the patch\n##[add-mask]x\n";
    std::fs::write(&source, broken).unwrap();
    git(repo.path(), &["commit", "-qam", "broken"]);
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD"])
        .env("GITHUB_ACTIONS", "true")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    let word = text
        .lines()
        .next()
        .unwrap()
        .strip_prefix("::stop-commands::")
        .unwrap();
    assert!(text.ends_with(&format!("\n::{word}::\n")), "{text}");
}

#[test]
fn json_on_standard_output_stays_json() {
    let repo = fixture("foo");
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD", "--json", "-", "--annotations"])
        .env_remove("GITHUB_ACTIONS")
        .output()
        .unwrap();
    serde_json::from_slice::<Value>(&output.stdout).unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("::error "));
}

#[test]
fn the_report_of_a_real_run_shows_the_sources_where_they_part_and_a_line_to_replay() {
    let repo = fixture("foo");
    let file = repo.path().join("report.html");
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD", "-q", "--html"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let page = read(&file);
    for part in [
        "<h1>2 regressions</h1>",
        "y = <mark>-</mark>x;",
        "◆ the versions part here",
        "✗ throws",
        "<span class=\"n new impacted\">",
        "the patch can show on this line",
        "java.lang.AssertionError",
        "shadow-ci replay ",
        "Execution tree</h3> <span class=\"dim\">8 ends",
        "<text class=\"condition\"",
        "regression: returned 1 → throws AssertionError",
        "&#39;new demo.Foo().foo(0)&#39;",
        "@Test",
    ] {
        assert!(
            page.contains(part) || page.contains(&part.replace("&#39;", "'")),
            "{part}"
        );
    }
}
