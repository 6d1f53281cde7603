//! Tests that the tool's self-description is complete and can be used as it is.

use crate::support;
use crate::support::fixture;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(args)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).to_string()
}

#[test]
fn every_shell_gets_a_script_that_knows_the_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&run(&["completions", shell]));
        for word in ["fail-on", "print-config", "replay"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn the_manual_has_the_tool_and_each_command() {
    let page = stdout(&run(&["man"]));
    assert!(page.contains(".TH shadow-ci 1") && page.contains("print\\-config"));
    let page = stdout(&run(&["man", "replay"]));
    assert!(page.contains("shadow\\-ci replay"), "{page}");
    assert_eq!(run(&["man", "nothing"]).status.code(), Some(2));
}

#[test]
fn the_options_in_force_are_a_configuration_file_that_sets_them() {
    let repo = fixture("foo");
    let file = repo.path().join("shadow-ci.toml");
    std::fs::write(
        &file,
        "max-string = 7\nmax-array = 2\nint-range = \"0..9\"\n",
    )
    .unwrap();
    let print = |args: &[&str]| {
        let output = support::shadow_ci(repo.path()).args(args).output().unwrap();
        stdout(&output)
    };
    let first = print(&[
        "--print-config",
        "--max-array",
        "5",
        "--fail-on",
        "changed,incomplete",
        "--method",
        "a.B#*",
    ]);
    for line in [
        "max-string = 7",
        "max-array = 5",
        "int-range = \"0..9\"",
        "fail-on = [\"changed\", \"incomplete\"]",
        "method = [\"a.B#*\"]",
        "loop-bound = 12",
    ] {
        assert!(
            first.lines().any(|l| l == line),
            "{line} is not in\n{first}"
        );
    }
    std::fs::write(&file, &first).unwrap();
    assert_eq!(print(&["--print-config"]), first);
}

#[test]
fn a_bad_range_in_the_configuration_is_named() {
    let repo = fixture("foo");
    std::fs::write(repo.path().join("shadow-ci.toml"), "int-range = \"many\"\n").unwrap();
    let output = support::shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("LO..HI"), "{message}");
}

#[test]
fn quiet_says_nothing_and_verbose_more_in_logs_too() {
    let repo = fixture("foo");
    let run = |option: &str| {
        let mut command = support::exploring(repo.path());
        command.args(["HEAD~1", "HEAD", option]).output().unwrap()
    };
    let quiet = run("--quiet");
    assert_eq!(
        (quiet.status.code(), quiet.stdout.len(), quiet.stderr.len()),
        (Some(1), 0, 0)
    );
    let verbose = run("--verbose");
    assert!(String::from_utf8_lossy(&verbose.stdout).contains("solver queries"));
    assert!(
        String::from_utf8_lossy(&verbose.stderr).contains("shadow-ci: compiling both versions")
    );
}
