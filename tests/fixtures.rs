//! Every fixture, end to end: a real repository, the real binary, the expectations of its `expect.toml`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fixtures on which the default pruning cut something.
static PRUNED: AtomicUsize = AtomicUsize::new(0);

#[test]
fn every_fixture_meets_its_expectations() {
    let mut names: Vec<String> = std::fs::read_dir(support::root().join("fixtures"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().to_string())
        .collect();
    names.sort();
    assert!(names.len() >= 60, "fixtures are missing");
    let only = std::env::var("FIXTURE").ok();
    let only_one = only.is_some();
    names.retain(|n| only.as_ref().is_none_or(|o| n == o));
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::SeqCst)) {
                    for failure in check(name) {
                        failures.lock().unwrap().push(format!("{name}: {failure}"));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let pruned = PRUNED.load(Ordering::SeqCst);
    assert!(
        pruned >= 5 || only_one,
        "pruning was compared on {pruned} fixtures"
    );
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// What is wrong with a fixture's result.
fn check(name: &str) -> Vec<String> {
    let folder = support::root().join("fixtures").join(name);
    let expect: toml::Value =
        toml::from_str(&std::fs::read_to_string(folder.join("expect.toml")).unwrap()).unwrap();
    let repo = support::fixture(name);
    let args: Vec<String> = expect
        .get("args")
        .and_then(|a| a.as_array())
        .map(|a| a.iter().map(|s| s.as_str().unwrap().to_string()).collect())
        .unwrap_or_default();
    let mut java_home = None;
    if let Some(wanted) = expect.get("jdk").and_then(|j| j.as_integer()) {
        // The language of a newer JDK than the one all else runs on: not checked where none is installed.
        match support::jdk_of_at_least(wanted) {
            Some(jdk) => java_home = Some(jdk),
            None => return Vec::new(),
        }
    }
    let run = |args: &[String]| run(repo.path(), java_home.as_deref(), args);
    let (report, code) = match run(&args) {
        Ok(run) => run,
        Err(why) => return vec![why],
    };
    let mut wrong = Vec::new();
    let exit = expect.get("exit").and_then(|e| e.as_integer()).unwrap();
    if code.map(i64::from) != Some(exit) {
        wrong.push(format!("exit code {code:?}, expected {exit}"));
    }
    // Pruning by reachability, the default, loses nothing. Where it cut nothing, there is nothing to compare.
    let cut = |m: &Value| m["paths"]["pruned"] != 0;
    if report["methods"].as_array().unwrap().iter().any(cut) {
        PRUNED.fetch_add(1, Ordering::SeqCst);
        let all = run(&[&args[..], &["--prune".into(), "none".into()]].concat());
        match all {
            Ok((all, _)) => compare_pruned(&report, &all, &mut wrong),
            Err(why) => wrong.push(why),
        }
    }
    let summary = &report["summary"];
    if summary["predictions"] != summary["predictions_confirmed"] {
        wrong.push(format!(
            "predictions: {} of {} confirmed: {}",
            summary["predictions_confirmed"],
            summary["predictions"],
            mismatches(&report)
        ));
    }
    let empty = Vec::new();
    let expected = expect
        .get("method")
        .and_then(|m| m.as_array())
        .unwrap_or(&empty);
    let methods = report["methods"].as_array().unwrap();
    for method in expected {
        let wanted = method["name"].as_str().unwrap();
        let found = methods
            .iter()
            .find(|m| format!("{}#{}", text(&m["class"]), text(&m["method"])) == wanted);
        match found {
            Some(found) => compare(method, found, &mut wrong),
            None => wrong.push(format!("no result for {wanted}")),
        }
    }
    if expected.is_empty() && !methods.is_empty() {
        wrong.push(format!("{} methods, expected none", methods.len()));
    }
    wrong
}

/// The report of a check, and its exit code.
fn run(
    repo: &Path,
    java_home: Option<&Path>,
    args: &[String],
) -> Result<(Value, Option<i32>), String> {
    let mut command = support::shadow_ci(repo);
    if let Some(jdk) = java_home {
        command.env("JAVA_HOME", jdk);
    }
    let output = command
        .args(["HEAD~1", "HEAD", "--json", "-", "--threads", "1"])
        .args(args)
        .output()
        .unwrap();
    let report = serde_json::from_str(&String::from_utf8_lossy(&output.stdout));
    let report =
        report.map_err(|_| format!("no report: {}", String::from_utf8_lossy(&output.stderr)))?;
    Ok((report, output.status.code()))
}

/// What pruned and full exploration must have in common: verdicts and findings.
fn compare_pruned(pruned: &Value, all: &Value, wrong: &mut Vec<String>) {
    let results = |report: &Value| -> Vec<Value> {
        let methods = report["methods"].as_array().unwrap().iter();
        methods
            .map(|m| serde_json::json!([m["class"], m["method"], m["verdict"], m["findings"]]))
            .collect()
    };
    let (pruned, all) = (results(pruned), results(all));
    if pruned != all {
        wrong.push(format!("pruned by reach: {pruned:?}\nnot pruned: {all:?}"));
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn mismatches(report: &Value) -> String {
    report["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["mismatches"].to_string())
        .collect()
}

fn compare(expected: &toml::Value, found: &Value, wrong: &mut Vec<String>) {
    let verdict = expected["verdict"].as_str().unwrap();
    if text(&found["verdict"]) != verdict {
        wrong.push(format!(
            "verdict {}, expected {verdict}; limits {}; findings {}",
            found["verdict"], found["limits"], found["findings"]
        ));
    }
    if let Some(level) = expected.get("level").and_then(|l| l.as_str())
        && text(&found["level"]) != level
    {
        wrong.push(format!(
            "level {} ({}), expected {level}",
            found["level"], found["level_reason"]
        ));
    }
    let named = expected.get("limits").and_then(|l| l.as_array());
    for reason in named.into_iter().flatten() {
        let of = |l: &Value| l["reason"].as_str() == reason.as_str();
        if !found["limits"].as_array().unwrap().iter().any(of) {
            wrong.push(format!("no limit {reason} among {}", found["limits"]));
        }
    }
    let findings = found["findings"].as_array().unwrap();
    let empty = Vec::new();
    let wanted = expected
        .get("finding")
        .and_then(|f| f.as_array())
        .unwrap_or(&empty);
    for finding in wanted {
        if !findings.iter().any(|f| matches(finding, f)) {
            wrong.push(format!("no finding like {finding} among {findings:?}"));
        }
    }
    // A finding of a class that the fixture does not name is a false alarm or a gap in the fixture: both are to be looked at.
    for finding in findings {
        let named = |w: &toml::Value| w["class"].as_str() == Some(text(&finding["class"]));
        if !wanted.is_empty() && text(&finding["class"]) != "changed" && !wanted.iter().any(named) {
            wrong.push(format!("unexpected {finding}"));
        }
    }
}

fn matches(expected: &toml::Value, finding: &Value) -> bool {
    let outcome = |side: &str| {
        let o = &finding[side];
        match text(&o["outcome"]) {
            "returned" => format!("returned {}", text(&o["value"])),
            other => format!("{other} {}", text(&o["exception"])),
        }
    };
    let get = |key: &str| expected.get(key).and_then(|v| v.as_str());
    let mut numbers = BTreeMap::new();
    for input in finding["inputs"].as_array().unwrap() {
        let java = text(&input["java"]).trim_end_matches('L');
        let value = match java {
            "true" => Some(1),
            "false" => Some(0),
            n => n.parse().ok(),
        };
        if let Some(value) = value {
            numbers.insert(text(&input["name"]).to_string(), value);
        }
    }
    get("class") == Some(text(&finding["class"]))
        && get("old").is_none_or(|o| o == outcome("old"))
        && get("new").is_none_or(|n| n == outcome("new"))
        && get("where").is_none_or(|w| support::predicate::holds(w, &numbers))
}
