//! `shadow-ci replay`: the lines that reports print run as they are, and say what the report said.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use support::fixture;

fn report(repo: &Path) -> Value {
    let output = support::shadow_ci(repo)
        .args(["HEAD~1", "HEAD", "--json", "-"])
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// As a user would: pasted into a shell, in another folder.
fn pasted(line: &str) -> Output {
    let binary = env!("CARGO_BIN_EXE_shadow-ci");
    let line = line.replacen("shadow-ci", &format!("'{binary}'"), 1);
    Command::new("sh")
        .args(["-c", &line])
        .current_dir("/")
        .output()
        .unwrap()
}

fn replay(repo: &Path, call: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["replay", "HEAD~1", "HEAD", call, "--repo"])
        .arg(repo)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).to_string()
}

#[test]
fn every_finding_is_replayed_by_its_line() {
    let names = [
        "foo",
        "receiver-state",
        "enum-parameter",
        "string-parameter",
        "object-parameter",
        "boxed-parameter",
        "nested-class",
        "array-argument",
        "varargs",
        "overload-added",
        "constructor",
        "char-arithmetic",
        "null-argument",
        "printed-only",
        "exception-message",
        "record",
    ];
    std::thread::scope(|scope| {
        for half in names.chunks(4) {
            scope.spawn(move || half.iter().for_each(|name| replays(name)));
        }
    });
}

fn replays(name: &str) {
    let repo = fixture(name);
    let report = report(repo.path());
    let methods = report["methods"].as_array().unwrap();
    for finding in methods
        .iter()
        .flat_map(|m| m["findings"].as_array().unwrap())
    {
        let line = finding["replay_command"].as_str().unwrap();
        let output = pasted(line);
        let out = text(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{name}: {line}\n{out}{}",
            text(&output.stderr)
        );
        let class = finding["class"].as_str().unwrap();
        assert!(
            out.lines().last().unwrap().ends_with(class),
            "{name}: {out}"
        );
        for version in ["old", "new"] {
            let outcome = &finding[version];
            let said = match outcome["outcome"].as_str() {
                Some("threw") => outcome["exception"].as_str().unwrap().replace('$', "."),
                _ => outcome["value"].as_str().unwrap().replace("nothing", ""),
            };
            let shown = out
                .lines()
                .find(|l| l.starts_with(&format!("    {version} ")))
                .unwrap();
            assert!(shown.contains(&said), "{name}: {said} is not in {shown}");
        }
    }
}

#[test]
fn another_input_can_be_tried_and_the_exit_code_says_whether_it_matters() {
    let repo = fixture("foo");
    let same = replay(repo.path(), "new Foo().foo(1)");
    assert_eq!(same.status.code(), Some(0), "{}", text(&same.stderr));
    assert!(text(&same.stdout).ends_with("same outcome\n"));
    let different = replay(repo.path(), "new demo.Foo().foo(0)");
    assert_eq!(different.status.code(), Some(1));
    assert!(text(&different.stdout).ends_with("different: a regression\n"));
}

#[test]
fn what_can_not_run_says_why() {
    let repo = fixture("foo");
    for (call, part) in [
        ("new demo.Foo().foo(", "unexpected end"),
        ("new demo.Foo().foo(\"a\")", "there is foo(int)"),
        ("new demo.Foo().bar()", "demo.Foo has no bar"),
        ("demo.Foo.foo(1)", "no static method foo"),
        ("new demo.Nowhere()", "class demo.Nowhere"),
        ("new demo.Foo(1, 2)", "do not fit"),
        ("7", "a value, not a call"),
        ("new demo.Foo() after foo(1)", "nothing is called"),
    ] {
        let output = replay(repo.path(), call);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{call}: {message}");
        assert!(message.contains(part), "{call}: {message}");
    }
}

#[test]
fn the_terminal_report_prints_the_line() {
    let repo = fixture("foo");
    let output = support::shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD"])
        .output()
        .unwrap();
    let out = text(&output.stdout);
    let line = out
        .lines()
        .find(|l| l.trim_start().starts_with("shadow-ci replay "))
        .unwrap();
    assert_eq!(pasted(line.trim()).status.code(), Some(1));
}
