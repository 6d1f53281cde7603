//! Every fixture, end to end: a real repository, the real binary, the expectations of its `expect.toml`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn every_fixture_meets_its_expectations() {
    let mut names: Vec<String> = std::fs::read_dir(support::root().join("fixtures"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().to_string())
        .collect();
    names.sort();
    assert!(names.len() >= 60, "fixtures are missing");
    let only = std::env::var("FIXTURE").ok();
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
    let mut command = support::shadow_ci(repo.path());
    if let Some(wanted) = expect.get("jdk").and_then(|j| j.as_integer()) {
        // The language of a newer JDK than the one all else runs on: not checked where none is installed.
        match support::jdk_of_at_least(wanted) {
            Some(jdk) => command.env("JAVA_HOME", jdk),
            None => return Vec::new(),
        };
    }
    let output = command
        .args(["HEAD~1", "HEAD", "--json", "-", "--threads", "1"])
        .args(&args)
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let Ok(report) = serde_json::from_str::<Value>(&stdout) else {
        return vec![format!(
            "no report: {}",
            String::from_utf8_lossy(&output.stderr)
        )];
    };
    let mut wrong = Vec::new();
    let exit = expect.get("exit").and_then(|e| e.as_integer()).unwrap();
    if output.status.code().map(i64::from) != Some(exit) {
        wrong.push(format!(
            "exit code {:?}, expected {exit}",
            output.status.code()
        ));
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
