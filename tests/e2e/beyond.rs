//! The search beyond the bounds: patches whose difference lies at long strings, large sizes or late turns are found with default
//! options, and refactorings show nothing.

use crate::support::{git, root, shadow_ci};
use serde_json::Value;
use std::path::Path;

/// Cases of one repository: every so many-th of the table, the rest only where `BEYOND` is set.
const EVERY: usize = 24;

/// The classes of a table, by name, with the text of one side.
fn cases(table: &str, new: bool) -> Vec<(String, String)> {
    let blocks = table.split("\n== ").skip(1);
    let case = |block: &str| {
        let (name, body) = block.split_once('\n').unwrap();
        let mut text = String::new();
        let mut rest = body;
        while let Some((before, after)) = rest.split_once('«') {
            let (both, behind) = after.split_once('»').unwrap();
            let (old, changed) = both.rsplit_once('|').unwrap();
            text.push_str(before);
            text.push_str(if new { changed } else { old });
            rest = behind;
        }
        text.push_str(rest);
        let class = format!("package demo;\n\nclass {name} {{\n{text}\n}}\n");
        (name.to_string(), class)
    };
    blocks.map(case).collect()
}

fn write(repo: &Path, classes: &[(String, String)]) {
    let folder = repo.join("src/main/java/demo");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in classes {
        std::fs::write(folder.join(format!("{name}.java")), text).unwrap();
    }
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "version"]);
}

/// A repository with some of a table's patches.
fn repository(table: &str, every: usize) -> tempfile::TempDir {
    let text = std::fs::read_to_string(root().join("tests/beyond").join(table)).unwrap();
    let repo = tempfile::tempdir().unwrap();
    git(repo.path(), &["init", "-q"]);
    for new in [false, true] {
        let chosen: Vec<_> = cases(&text, new).into_iter().step_by(every).collect();
        write(repo.path(), &chosen);
    }
    repo
}

/// The report on some of a table's patches.
fn report(table: &str, every: usize, options: &[&str]) -> Value {
    checked(repository(table, every).path(), options)
}

fn checked(repo: &Path, options: &[&str]) -> Value {
    let output = shadow_ci(repo)
        .args(["HEAD~1", "HEAD", "--json", "-"])
        .args(options)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn methods(report: &Value) -> &Vec<Value> {
    report["methods"].as_array().unwrap()
}

fn every() -> usize {
    if std::env::var("BEYOND").is_ok() {
        1
    } else {
        EVERY
    }
}

#[test]
fn patches_beyond_the_bounds_are_found() {
    let report = report("cases.txt", every(), &[]);
    let missed: Vec<&str> = methods(&report)
        .iter()
        .filter(|m| m["findings"].as_array().unwrap().is_empty())
        .map(|m| m["class"].as_str().unwrap())
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
    assert!(methods(&report).len() >= 100 / EVERY);
    let by_search = methods(&report)
        .iter()
        .flat_map(|m| m["findings"].as_array().unwrap())
        .filter(|f| f["found_by"] == "search")
        .count();
    assert!(by_search >= 100 / EVERY / 2, "{by_search}");
    let summary = &report["summary"];
    assert_eq!(summary["predictions"], summary["predictions_confirmed"]);
}

#[test]
fn refactorings_show_nothing() {
    // What differs at all differs within the first inputs.
    let report = report("refactorings.txt", 1, &["--search-runs", "3000"]);
    assert!(methods(&report).len() >= 10, "{report:#}");
    for method in methods(&report) {
        assert_eq!(method["findings"], serde_json::json!([]), "{method:#}");
        if method["verdict"] != "equivalent" {
            assert!(
                method["evidence"]["runs"].as_u64() > Some(1000),
                "{method:#}"
            );
            assert_eq!(method["evidence"]["reached"], true, "{method:#}");
        }
    }
}

#[test]
fn a_search_says_the_same_twice_and_with_any_number_of_threads() {
    let repo = repository("cases.txt", 50);
    let run = |threads: &str| {
        let options = ["--threads", threads, "--search-runs", "4000"];
        let mut report = checked(repo.path(), &options);
        for method in report["methods"].as_array_mut().unwrap() {
            method["seconds"] = Value::Null;
        }
        report["methods"].take()
    };
    assert_eq!(run("1"), run("4"));
}

#[test]
fn an_input_that_is_the_only_one_does_not_run_again_and_again() {
    let repo = tempfile::tempdir().unwrap();
    git(repo.path(), &["init", "-q"]);
    for all in ["a.size() + b.size()", "b.size() + a.size()"] {
        let text = format!(
            "package demo;\n\nimport java.util.*;\n\nclass Only {{\n    static int count() {{\n        \
             Map<Object, Object> a = System.getProperties(), b = new TreeMap<>(System.getenv());\n        return {all};\n    }}\n}}\n"
        );
        write(repo.path(), &[("Only".to_string(), text)]);
    }
    let report = checked(repo.path(), &["--proofs", "off"]);
    let method = &methods(&report)[0];
    let runs = method["evidence"]["runs"].as_u64().unwrap();
    assert!((1..20).contains(&runs), "{method:#}");
}

/// A method alone is searched by two processes, which tell each other several times what they kept.
#[test]
fn processes_that_share_a_search_come_to_the_same_each_time() {
    let repo = tempfile::tempdir().unwrap();
    git(repo.path(), &["init", "-q"]);
    for all in ["depth + longest", "longest + depth"] {
        let text = format!(
            "package demo;\n\nclass Steps {{\n    static int of(String text, int[] widths) {{\n        int depth = 0, longest = 0;\n        \
             for (int i = 0; i < text.length(); i++) {{\n            char c = text.charAt(i);\n            \
             if (c == 'a' + depth) depth++;\n            else if (depth > 0 && c == '}}') depth--;\n            \
             else if (widths.length > depth && widths[depth] == c) longest += depth;\n            \
             if (depth > longest) longest = depth;\n        }}\n        return {all};\n    }}\n}}\n"
        );
        write(repo.path(), &[("Steps".to_string(), text)]);
    }
    let run = || {
        let mut report = checked(repo.path(), &["--proofs", "off"]);
        let mut method = report["methods"][0].take();
        method["seconds"] = Value::Null;
        method
    };
    let method = run();
    let runs = method["evidence"]["runs"].as_u64().unwrap();
    assert!(runs > 16_000, "{method:#}");
    assert_eq!(method["findings"], serde_json::json!([]), "{method:#}");
    assert_eq!(method, run());
}
