//! Generated tests under real JUnit: they compile, and pass and fail in the versions they say.

use crate::support;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn run(mut program: Command, args: &[&str]) -> (bool, String) {
    let output = program.args(args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).to_string()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

fn java_files(dir: &Path, out: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            java_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "java") {
            out.push(path.display().to_string());
        }
    }
}

/// What JUnit says of each generated test in one version: its name and whether it passed.
fn outcomes(sources: &Path, tests: &Path, junit4: bool) -> Vec<(String, bool)> {
    let out = tempfile::tempdir().unwrap();
    let dir = support::junit_jars().display();
    let jar = format!(
        "{dir}/junit-platform-console-standalone-1.10.2.jar:{dir}/junit-4.13.2.jar:{dir}/hamcrest-core-1.3.jar"
    );
    let mut files = Vec::new();
    java_files(sources, &mut files);
    java_files(tests, &mut files);
    let target = out.path().to_str().unwrap();
    let mut args: Vec<&str> = vec!["-nowarn", "-d", target, "-cp", &jar];
    args.extend(files.iter().map(String::as_str));
    let (compiled, text) = run(support::javac(), &args);
    assert!(compiled, "generated tests do not compile:\n{text}");
    let path = format!("{target}:{jar}");
    let engine = if junit4 {
        "junit-vintage"
    } else {
        "junit-jupiter"
    };
    let reports = out.path().join("reports");
    let mut java = Command::new("java");
    java.args(support::QUICK);
    let (_, text) = run(
        java,
        &[
            "-ea",
            "-cp",
            &path,
            "org.junit.platform.console.ConsoleLauncher",
            "execute",
            "--scan-classpath",
            target,
            "--include-classname",
            ".*ShadowTest",
            "--include-engine",
            engine,
            "--reports-dir",
            reports.to_str().unwrap(),
            "--details",
            "none",
        ],
    );
    let xml = std::fs::read_to_string(reports.join(format!("TEST-{engine}.xml")))
        .unwrap_or_else(|_| panic!("{text}"));
    xml.split("<testcase ")
        .skip(1)
        .map(|case| {
            let name = case
                .split("name=\"")
                .nth(1)
                .unwrap()
                .split(['"', '('])
                .next()
                .unwrap()
                .to_string();
            let own = case.split("</testcase>").next().unwrap();
            (name, !own.contains("<failure") && !own.contains("<error"))
        })
        .collect()
}

fn verify(fixture: &str, junit4: bool) {
    let repo = support::fixture(fixture);
    let place = tempfile::tempdir().unwrap();
    let tests = place.path().join("tests");
    if junit4 {
        std::fs::write(
            repo.path().join("pom.xml"),
            "<project><dependency><artifactId>junit</artifactId></dependency></project>",
        )
        .unwrap();
    }
    let output = support::shadow_ci(repo.path())
        .args([
            "HEAD~1",
            "HEAD",
            "--json",
            "-",
            "--build",
            "none",
            "--search-runs",
            "4000",
            "--tests-dir",
            tests.to_str().unwrap(),
        ])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings: Vec<&Value> = report["methods"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|m| m["findings"].as_array().unwrap())
        .collect();
    assert!(!findings.is_empty());
    assert!(
        findings.iter().all(|f| f["test"].is_string()),
        "every finding names its test"
    );
    let folder = support::root().join("fixtures").join(fixture);
    let old = outcomes(&folder.join("old"), &tests, junit4);
    let new = outcomes(&folder.join("new"), &tests, junit4);
    assert_eq!(old.len(), findings.len(), "one test per finding");
    let fixes = findings.iter().filter(|f| f["class"] == "fix").count();
    let failing = |outcomes: &[(String, bool)]| outcomes.iter().filter(|o| !o.1).count();
    assert_eq!(
        failing(&old),
        fixes,
        "in the old version exactly the tests of fixes fail: {old:?}"
    );
    assert_eq!(
        failing(&new),
        findings.len() - fixes,
        "in the new version all others fail: {new:?}"
    );
}

#[test]
fn generated_tests_say_what_they_show_under_junit_5() {
    for fixture in [
        "receiver-field",
        "enum-parameter",
        "private-method",
        "outcome-optional",
        "search-shared-references",
        "override-added",
        "outcome-beside-own-objects",
    ] {
        verify(fixture, false);
    }
}

#[test]
fn generated_tests_say_what_they_show_under_junit_4() {
    for fixture in ["array-argument", "exception-type", "input-forms"] {
        verify(fixture, true);
    }
}

#[test]
fn a_file_that_is_not_ours_is_never_overwritten() {
    let repo = support::fixture("foo");
    let tests = tempfile::tempdir().unwrap();
    let run = || {
        support::shadow_ci(repo.path())
            .args([
                "HEAD~1",
                "HEAD",
                "--tests-dir",
                tests.path().to_str().unwrap(),
            ])
            .output()
            .unwrap()
    };
    assert_eq!(run().status.code(), Some(1));
    let file = tests.path().join("demo/FooShadowTest.java");
    let first = std::fs::read(&file).unwrap();
    assert_eq!(
        run().status.code(),
        Some(1),
        "our own file is written again"
    );
    assert_eq!(
        std::fs::read(&file).unwrap(),
        first,
        "byte for byte the same"
    );
    std::fs::write(&file, "class FooShadowTest {}").unwrap();
    let output = run();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did not generate"));
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "class FooShadowTest {}"
    );
}
