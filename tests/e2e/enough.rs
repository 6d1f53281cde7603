//! A method whose findings repeat gets no more effort; `--exhaustive` goes on and replays all.

use crate::support;
use serde_json::Value;

fn escape(more: &str) -> String {
    format!(
        "package demo;
public class Escape {{
    public static String escape(String text) {{
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {{
            char c = text.charAt(i);
            if (c == '\"' || c == '\\\\'{more}) out.append('\\\\').append(c);
            else if (c == '\\n') out.append(\"\\\\n\");
            else if (c < ' ') out.append('?');
            else out.append(c);
        }}
        return out.toString();
    }}
}}
"
    )
}

fn run(repo: &std::path::Path, more: &[&str]) -> Value {
    let output = support::shadow_ci(repo)
        .args(["HEAD~1", "HEAD", "--json", "-", "--search-runs", "0"])
        .args(more)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    report["methods"][0].clone()
}

fn reasons(method: &Value) -> Vec<&str> {
    let limits = method["limits"].as_array().unwrap().iter();
    limits.map(|l| l["reason"].as_str().unwrap()).collect()
}

/// Class and ends of the findings: which kinds there are.
fn kinds(method: &Value) -> std::collections::BTreeSet<String> {
    let findings = method["findings"].as_array().unwrap().iter();
    findings
        .map(|f| {
            let ends = (&f["old"]["outcome"], &f["new"]["outcome"]);
            format!("{} {ends:?}", f["class"])
        })
        .collect()
}

/// A repository in which a slash is escaped too.
fn repository() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    support::git(dir.path(), &["init", "-q"]);
    let file = dir.path().join("src/demo/Escape.java");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for text in [escape(""), escape(" || c == '/'")] {
        std::fs::write(&file, text).unwrap();
        support::git(dir.path(), &["add", "-A"]);
        support::git(dir.path(), &["commit", "-q", "-m", "version"]);
    }
    dir
}

#[test]
fn a_method_that_needs_more_memory_than_there_is_ends_with_what_was_found() {
    let dir = repository();
    let wide = ["--exhaustive", "--max-string", "9", "--effort", "60"];
    let some = run(dir.path(), &[&wide[..], &["--memory", "16"]].concat());
    assert!(
        reasons(&some).contains(&"memory-limit"),
        "{:?}",
        reasons(&some)
    );
    assert_eq!(some["verdict"], "diverges");
    let confirmed = &some["predictions_confirmed"];
    assert_eq!(&some["predictions"], confirmed);
    let all = run(dir.path(), &["--exhaustive", "--max-string", "3"]);
    assert!(
        !reasons(&all).contains(&"memory-limit"),
        "{:?}",
        reasons(&all)
    );
}

#[test]
fn what_repeats_gets_no_more_effort_unless_all_is_asked_for() {
    let dir = repository();
    let events = dir.path().join("events");
    let some = run(dir.path(), &["--events", events.to_str().unwrap()]);
    assert!(reasons(&some).contains(&"repeats"), "{:?}", reasons(&some));
    let all = run(dir.path(), &["--exhaustive", "--max-string", "3"]);
    assert!(!reasons(&all).contains(&"repeats"), "{:?}", reasons(&all));
    let figure = |m: &Value, name: &str| m[name].as_u64().unwrap();
    let finished = |m: &Value| m["paths"]["finished"].as_u64().unwrap();
    // Predicted and not replayed, or both.
    assert!(figure(&some, "predictions") >= 200);
    assert!(figure(&some, "predictions") < finished(&some));
    assert_eq!(figure(&all, "predictions"), finished(&all));
    for method in [&some, &all] {
        let confirmed = figure(method, "predictions_confirmed");
        assert_eq!(figure(method, "predictions"), confirmed);
    }
    assert_eq!(kinds(&some), kinds(&all));

    let text = std::fs::read_to_string(&events).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let of = |kind: &str| lines.iter().position(|l| l["event"] == kind);
    let (finding, method) = (of("finding").unwrap(), of("method").unwrap());
    assert!(of("stage").unwrap() < finding && finding < method);
    let at = |line: usize| lines[line]["at"].as_f64().unwrap();
    assert!(0.0 <= at(0) && at(0) <= at(finding) && at(finding) <= at(method));
    assert_eq!(lines[finding]["finding"]["class"], "changed");
    assert_eq!(lines[method]["verdict"], "diverges");
}

#[test]
fn what_is_proved_but_for_another_method_that_differs_is_not_explored_further() {
    let dir = support::fixture("proved-but-for-another");
    let output = support::shadow_ci(dir.path())
        .args(["HEAD~1", "HEAD", "--json", "-"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let methods = report["methods"].as_array().unwrap();
    let of = |name: &str| methods.iter().find(|m| m["method"] == name).unwrap();
    assert_eq!(of("discount")["verdict"], "diverges", "{report:#}");
    assert!(reasons(of("total")).contains(&"rests-on"), "{report:#}");
    assert_eq!(of("total")["states"], 0, "{report:#}");
}
