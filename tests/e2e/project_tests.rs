//! The project's own tests, JUnit 4 and 5: their inputs in concolic mode, and which of them to run again.

use crate::support;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

fn class_path(names: &[&str]) -> String {
    let jars = names.iter().map(|n| support::junit_jars().join(n));
    let path = std::env::join_paths(jars).unwrap();
    path.to_string_lossy().into_owned()
}

const LAUNCHER: &str = "junit-platform-console-standalone-1.10.2.jar";
const FOUR: [&str; 2] = ["junit-4.13.2.jar", "hamcrest-core-1.3.jar"];

/// A repository whose last commit is a patch, with tests in both frameworks, good and bad ones.
fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    support::git(dir.path(), &["init", "-q"]);
    for version in ["old", "new"] {
        let from = support::root().join("tests/project").join(version);
        support::commit(dir.path(), &from);
    }
    dir
}

fn run(repo: &Path, args: &[&str]) -> Output {
    // The folder comes behind a subcommand's name.
    let mut words: Vec<&str> = args.to_vec();
    let at = usize::from(!args[0].starts_with('H'));
    let folder = repo.to_str().unwrap();
    words.splice(at..at, ["--repo", folder]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_shadow-ci"));
    command.env_remove("GITHUB_ACTIONS");
    command.args(words).output().unwrap()
}

fn json(repo: &Path, args: &[&str], code: i32) -> Value {
    let output = run(repo, &[args, &["--json", "-"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn all() -> String {
    class_path(&[LAUNCHER, FOUR[0], FOUR[1]])
}

fn method<'a>(report: &'a Value, name: &str) -> &'a Value {
    let methods = report["methods"].as_array().unwrap();
    methods.iter().find(|m| m["method"] == name).unwrap()
}

fn reasons(method: &Value) -> BTreeSet<&str> {
    let limits = method["limits"].as_array().unwrap();
    limits
        .iter()
        .map(|l| l["reason"].as_str().unwrap())
        .collect()
}

/// What of the suite could not be had, by name.
fn missing(list: &Value) -> BTreeSet<&str> {
    let rows = list.as_array().unwrap().iter();
    rows.map(|r| r["what"].as_str().unwrap()).collect()
}

#[test]
fn a_concolic_check_starts_from_what_the_projects_tests_pass() {
    let repo = project();
    let report = json(
        repo.path(),
        &[
            "HEAD~1",
            "HEAD",
            "--mode",
            "concolic",
            "--inputs-from-tests",
            "--test-timeout",
            "3",
            "--test-classpath",
            &all(),
        ],
        0,
    );
    let foo = method(&report, "foo");
    assert_eq!(foo["verdict"], "diverges");
    // No test has an x for which the versions differ: 8 and 7 lie between 0 and 15 (paper 003 §2.2).
    let found = foo["findings"][0]["inputs"][0]["java"].as_str().unwrap();
    let x: i64 = found.parse().unwrap();
    assert!((7..=8).contains(&x) || x == i64::from(i32::MAX), "{x}");
    let over = method(&report, "over");
    let inputs = over["findings"][0]["inputs"].to_string();
    assert!(
        inputs.contains("deposit"),
        "the account as the test made it: {inputs}"
    );
    assert!(reasons(over).contains("concolic"), "never proved");
    let total = method(&report, "total");
    assert_eq!(total["verdict"], "incomplete");
    assert!(
        reasons(total).contains("concolic-input"),
        "a list is no input"
    );
    let summary = &report["summary"];
    assert_eq!(summary["predictions"], summary["predictions_confirmed"]);
    let expected = BTreeSet::from([
        "demo.HangingTest#hangs",
        "demo.QuittingTest#quits",
        "src/test/java/demo/BrokenTest.java",
        "src/test/java/demo/BrokenTooTest.java",
    ]);
    assert_eq!(missing(&report["skipped"]), expected);
}

#[test]
fn tests_on_paths_that_the_patch_shows_on_are_run_again_and_missing_ones_added() {
    let repo = project();
    let args = ["select", "HEAD~1", "HEAD", "--test-timeout", "3"];
    let path = all();
    let selection = json(
        repo.path(),
        &[&args[..], &["--test-classpath", &path]].concat(),
        0,
    );
    let tests = selection["tests"].as_array().unwrap();
    let named = |again: bool| -> BTreeSet<&str> {
        let of = tests.iter().filter(|t| t["rerun"] == again);
        of.map(|t| t["name"].as_str().unwrap()).collect()
    };
    let again = BTreeSet::from([
        "demo.AccountTest#poor",
        "demo.AccountTest#rich",
        "demo.AccountTest#total",
        "demo.AccountTest#words",
        "demo.FooTest#fifteen",
        "demo.FooTest#zero",
        "demo.FooTest$Inside#resource",
        "demo.HangingTest#hangs",
        "demo.QuittingTest#quits",
    ]);
    assert_eq!(named(true), again);
    // Longer than what is explored of arrays, and the patch does not show on it; nor where x < 0.
    let not = BTreeSet::from([
        "demo.AccountTest#nothing",
        "demo.FooTest#negative",
        "demo.FooTest#unrelated",
    ]);
    assert_eq!(named(false), not);
    let rich = tests.iter().find(|t| t["name"] == "demo.AccountTest#rich");
    let why = &rich.unwrap()["reasons"][0];
    assert!(why["covers"].is_u64(), "two deposits are followed: {why}");
    let paths = selection["paths"].as_array().unwrap();
    let differ = |p: &&Value| p["method"] == "foo" && p["differs"] == true && p["add"] == true;
    let add = paths
        .iter()
        .find(differ)
        .expect("no test shows the difference");
    let call = add["call"].as_str().unwrap();
    let replayed = run(repo.path(), &["replay", "HEAD~1", "HEAD", call]);
    assert_eq!(replayed.status.code(), Some(1), "{call} differs on the JVM");
    for path in paths {
        let covered = !path["covered_by"].as_array().unwrap().is_empty();
        assert_eq!(path["add"], !covered);
    }
    let text = run(
        repo.path(),
        &[&args[..], &["--test-classpath", &path]].concat(),
    );
    let text = String::from_utf8_lossy(&text.stdout);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("9 of 12 tests to re-run · "), "{text}");
}

#[test]
fn the_paths_of_the_old_version_serve_as_its_tests() {
    let repo = project();
    let args = [
        "select",
        "HEAD~1",
        "HEAD",
        "--generated",
        "--method",
        "*foo",
    ];
    let selection = json(repo.path(), &args, 0);
    let summary = &selection["summary"];
    // x < 0, y > 7 (or the other way) in the old version; behind x >= 0 the patch shows.
    assert_eq!(
        (summary["tests"].as_u64(), summary["rerun"].as_u64()),
        (Some(3), Some(2))
    );
    let paths = selection["paths"].as_array().unwrap();
    let added = paths.iter().filter(|p| p["add"] == true);
    assert!(added.clone().count() > 0 && added.clone().all(|p| p["differs"] == true));
}

#[test]
fn junit_4_alone_runs_its_tests_and_the_others_are_named() {
    let repo = project();
    let path = class_path(&FOUR);
    let args = ["select", "HEAD~1", "HEAD", "--test-classpath", &path];
    let selection = json(repo.path(), &args, 0);
    let tests = selection["tests"].as_array().unwrap().iter();
    let names: Vec<&str> = tests.map(|t| t["name"].as_str().unwrap()).collect();
    let expected = ["nothing", "poor", "rich", "total", "words"];
    let expected = expected.map(|name| format!("demo.AccountTest#{name}"));
    let expected = expected.iter().map(String::as_str);
    assert_eq!(BTreeSet::from_iter(names), BTreeSet::from_iter(expected));
    assert!(missing(&selection["left_out"]).contains("src/test/java/demo/FooTest.java"));
}

#[test]
fn concolic_runs_follow_calls_of_the_command_line() {
    let repo = project();
    let call =
        "(new demo.Account(\"x\") after deposit(3) after deposit(4)).over(demo.Account.Level.LOW)";
    let args = ["HEAD~1", "HEAD", "--mode", "concolic", "--input", call];
    let report = json(repo.path(), &args, 0);
    let over = method(&report, "over");
    let inputs = over["findings"][0]["inputs"].to_string();
    assert_eq!(
        inputs.matches("deposit").count(),
        2,
        "made the same way: {inputs}"
    );
    assert_eq!(method(&report, "foo")["verdict"], "incomplete");
    // Words.starts is private: it is run through Words.starting.
    let call = "demo.Words.starting(new String[] {\"longer than the bound\"}, 'l')";
    let args = ["HEAD~1", "HEAD", "--mode", "concolic", "--input", call];
    let starts = json(repo.path(), &args, 0);
    assert_eq!(method(&starts, "starts")["verdict"], "diverges");
}

#[test]
fn what_is_missing_is_said() {
    let repo = project();
    let check = ["HEAD~1", "HEAD"];
    for (args, part) in [
        (vec!["--mode", "concolic"], "there is no concrete input"),
        (
            vec!["--input", "demo.Foo.foo(1)"],
            "go with --mode concolic",
        ),
        (
            vec!["--mode", "concolic", "--input", "demo.Foo.foo("],
            "unexpected end",
        ),
        (
            vec!["--mode", "concolic", "--input", "new demo.Account(\"a\")"],
            "calls no changed method",
        ),
        (
            vec!["--mode", "concolic", "--inputs-from-tests"],
            "there is no JUnit and no TestNG on the test class path",
        ),
    ] {
        let output = run(repo.path(), &[&check[..], &args].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(part) && error.contains("help: "), "{error}");
    }
    let bare = support::fixture("foo");
    let path = class_path(&FOUR);
    let output = run(
        bare.path(),
        &["select", "HEAD~1", "HEAD", "--test-classpath", &path],
    );
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("has no test sources"), "{error}");
}
