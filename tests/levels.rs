//! The level at which versions are unified is a matter of effort, never of the verdict.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Per method, its verdict and the outcomes that its findings part into.
type Verdicts = BTreeMap<String, (String, Vec<String>)>;

#[test]
fn every_level_comes_to_the_same_verdict() {
    let mut names: Vec<String> = std::fs::read_dir(support::root().join("fixtures"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().to_string())
        .collect();
    names.sort();
    let (next, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(|| {
                // A quarter of the fixtures, which one after the other are of all kinds.
                while let Some(name) = names.get(4 * next.fetch_add(1, Ordering::SeqCst)) {
                    if expectations(name).contains_key("jdk") {
                        continue;
                    }
                    let (fine, coarse) = (verdicts(name, "expression"), verdicts(name, "method"));
                    for (method, a) in &fine {
                        let b = coarse.get(method).expect("the same methods");
                        let open = |v: &str| v == "incomplete" || v == "bounded";
                        if open(&a.0) || open(&b.0) {
                            continue;
                        }
                        compared.fetch_add(1, Ordering::SeqCst);
                        if a != b {
                            let line = format!("{name}: {method}: {a:?}, at method level {b:?}");
                            failures.lock().unwrap().push(line);
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared.into_inner() >= 20, "too few methods to compare");
}

fn expectations(name: &str) -> toml::Table {
    let file = support::root()
        .join("fixtures")
        .join(name)
        .join("expect.toml");
    toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn verdicts(name: &str, finest: &str) -> Verdicts {
    let expect = expectations(name);
    let args = expect.get("args").and_then(|a| a.as_array());
    let args = args.into_iter().flatten().map(|a| a.as_str().unwrap());
    let repo = support::fixture(name);
    let output = support::shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD", "--json", "-", "--finest", finest])
        .args(args)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let method = |m: &Value| {
        let key = format!("{}#{}{}", m["class"], m["method"], m["descriptor"]);
        let mut outcomes: Vec<String> = m["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| format!("{} {} {}", f["class"], end(&f["old"]), end(&f["new"])))
            .collect();
        outcomes.sort();
        outcomes.dedup();
        (key, (m["verdict"].as_str().unwrap().to_string(), outcomes))
    };
    report["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(method)
        .collect()
}

fn end(outcome: &Value) -> String {
    format!("{} {}", outcome["outcome"], outcome["exception"])
}
