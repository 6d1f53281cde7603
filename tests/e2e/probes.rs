//! Probes in compiled methods: the program does the same, and what it calls is told.

use crate::support;
use shadow_ci::bytecode::decode;
use shadow_ci::bytecode::probe::{Listener, probe};
use shadow_ci::jvm::Jdk;
use std::path::Path;
use std::process::{Command, Output};

fn java(tool: &str, dir: &Path, args: &[&str]) -> Output {
    let home = std::env::var_os("JAVA_HOME");
    let path = std::env::var_os("PATH");
    let jdk = Jdk::find(home.as_deref().map(Path::new), path.as_deref()).unwrap();
    let tool = jdk.home.join("bin").join(tool);
    let output = Command::new(tool).current_dir(dir).args(args).output();
    output.unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Puts probes into all methods of the program's classes; the methods by their numbers.
fn put_probes(dir: &Path) -> Vec<String> {
    let mut all: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .collect();
    all.retain(|f| {
        f.to_string_lossy().contains("Program") && f.extension().is_some_and(|e| e == "class")
    });
    all.sort();
    let mut names = Vec::new();
    for file in all {
        let bytes = std::fs::read(&file).unwrap();
        let class = decode(&bytes).unwrap();
        let first = names.len();
        let methods = class
            .methods
            .iter()
            .map(|m| (m.name.to_string(), m.descriptor.to_string()));
        let methods: Vec<_> = methods.collect();
        names.extend(
            methods
                .iter()
                .map(|m| format!("{}.{}{}", class.name, m.0, m.1)),
        );
        let number = |name: &str, descriptor: &str| {
            let at = methods
                .iter()
                .position(|m| m.0 == name && m.1 == descriptor)?;
            u16::try_from(first + at).ok()
        };
        let probed = probe(&bytes, &number, Listener("Trace")).unwrap();
        assert!(probed.left_out.is_empty(), "{:?}", probed.left_out);
        std::fs::write(&file, probed.bytes).unwrap();
    }
    names
}

#[test]
fn a_program_with_probes_does_the_same_and_tells_its_calls() {
    let dir = tempfile::tempdir().unwrap();
    let sources = support::root().join("tests/probes");
    let files = ["Program.java", "Trace.java"].map(|f| sources.join(f).display().to_string());
    let compiled = java(
        "javac",
        dir.path(),
        &["-g", "-d", ".", &files[0], &files[1]],
    );
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    let plain = java("java", dir.path(), &["-cp", ".", "Program"]);
    assert_eq!(text(&plain.stderr), "");
    let names = put_probes(dir.path());
    let probed = java("java", dir.path(), &["-cp", ".", "Program"]);
    let trace = text(&probed.stderr);
    assert_eq!(text(&probed.stdout), text(&plain.stdout), "{trace}");

    let line = |what: &str, method: &str, rest: &str| {
        let number = names.iter().position(|n| n == method).expect(method);
        format!("{what} {number} {rest}")
    };
    for expected in [
        line(
            "enter",
            "Program.wide(JLjava/lang/Object;D)J",
            "null 1099511627776 a int[] 2.5",
        ),
        line(
            "enter",
            "Program$Inner.sum(DFBSZ)I",
            "a Inner 1.5 2.5 3 4 true",
        ),
        line("enter", "Program$Point.<init>(IJ)V", "null -1 0"),
        line("made", "Program$Derived.<init>()V", "a Derived"),
        line(
            "enter",
            "Program$Shape.name(I)Ljava/lang/String;",
            "a Point 1",
        ),
    ] {
        assert!(trace.lines().any(|l| l == expected), "{expected}\n{trace}");
    }
    // `while (true)` begins at the method's first instruction, and is entered once.
    let calls = |what: String| trace.lines().filter(|l| l.starts_with(&what)).count();
    assert_eq!(calls(line("enter", "Program.loop(I)I", "")), 1);
    // A constructor whose super constructor's argument throws began, and never got an object.
    let derived = "Program$Derived.<init>(I)V";
    assert_eq!(calls(line("enter", derived, "")), 3);
    assert_eq!(calls(line("made", derived, "")), 2);
    let last = trace.lines().last().unwrap();
    assert_eq!(last, "exit 1", "that one is all that did not end: {trace}");
}
