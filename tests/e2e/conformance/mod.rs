//! With concrete inputs the engine is a JVM: library methods, and corners where the library reaches into the JVM.

use crate::support;
use shadow_ci::commands::conformance::{ClassTally, ConformanceOptions, run, text};
use shadow_ci::contain::Containment;
use std::path::{Path, PathBuf};
use std::process::Command;

fn options(targets: &[&str], class_path: &[&Path], calls: usize) -> ConformanceOptions {
    ConformanceOptions {
        targets: targets.iter().map(|t| t.to_string()).collect(),
        class_path: class_path.iter().map(|p| p.to_path_buf()).collect(),
        calls,
        seed: 7,
        symbolic: false,
        instances: false,
        max_instructions: 2_000_000,
        method_timeout: std::time::Duration::from_secs(20),
        threads: 1,
        java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
        path: std::env::var_os("PATH"),
        cache: None,
        containment: Containment::none(),
    }
}

/// No mismatch, and that share executed to the end.
fn check(tallies: &[ClassTally], least_calls: usize, percent: usize) {
    let report = text(tallies, true);
    let calls: usize = tallies.iter().map(ClassTally::calls).sum();
    let given_up: usize = tallies.iter().map(ClassTally::given_up).sum();
    assert!(tallies.iter().all(|t| t.mismatches.is_empty()), "{report}");
    assert!(calls >= least_calls, "{calls} calls");
    assert!(given_up * 100 <= calls * (100 - percent), "{report}");
}

#[test]
fn library_methods_do_in_the_engine_what_they_do_on_the_jvm() {
    let classes = [
        "java.lang.Math",
        "java.lang.Integer",
        "java.lang.Long",
        "java.lang.Character",
        "java.lang.Double",
        "java.lang.String",
        "java.util.Arrays",
        "java.util.Objects",
        "java.util.Collections",
    ];
    check(&run(&options(&classes, &[], 1)).unwrap(), 500, 93);
}

/// The classes of a Java file of this folder.
fn compiled(file: &str) -> tempfile::TempDir {
    let out = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let status = support::javac()
        .arg("-d")
        .arg(out.path())
        .arg(source.join(file))
        .status()
        .unwrap();
    assert!(status.success());
    out
}

#[test]
fn corners_of_the_jvm_are_as_the_jvm_has_them() {
    let classes = compiled("Corners.java");
    let tallies = run(&options(&["Corners"], &[classes.path()], 12)).unwrap();
    check(&tallies, 200, 90);
}

#[test]
fn texts_and_patterns_are_as_the_jvm_has_them() {
    let classes = compiled("Texts.java");
    let tallies = run(&options(&["Texts"], &[classes.path()], 4)).unwrap();
    check(&tallies, 250, 99);
}

#[test]
fn numbers_dates_formats_and_streams_are_as_the_jvm_has_them() {
    let classes = compiled("Values.java");
    let tallies = run(&options(&["Values"], &[classes.path()], 3)).unwrap();
    check(&tallies, 130, 75);
}

#[test]
fn what_is_said_of_each_path_of_the_texts_methods_the_jvm_does() {
    let classes = compiled("Texts.java");
    let symbolic = ConformanceOptions {
        symbolic: true,
        ..options(&["Texts#[a-c]*"], &[classes.path()], 4)
    };
    check(&run(&symbolic).unwrap(), 40, 70);
}

#[test]
fn the_command_prints_counts_and_the_reasons_for_giving_up() {
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args([
            "conformance",
            "java.lang.Integer#toString",
            "java.lang.Math#random",
            "--calls",
            "3",
        ])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("java.lang.Integer#toString: 2 methods"),
        "{text}"
    );
    assert!(
        text.contains("6 calls, 6 executed to the end (100.0 %), 0 mismatches"),
        "{text}"
    );
    assert!(text.contains("3 calls, 0 executed to the end"), "{text}");
    assert!(
        text.contains("    3  environment: differs from run to run"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(0));
}
