//! `scripts/install.sh` with a release of the binary under test.

use crate::action::release;
use crate::support::root;
use std::path::Path;
use std::process::{Command, Output};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn install(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.arg(root().join("scripts/install.sh")).args(args);
    command.env("HOME", home).output().unwrap()
}

fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[test]
fn the_newest_and_a_named_release_are_installed_and_replaced() {
    let home = tempfile::tempdir().unwrap();
    let releases = release();
    let named = ["--releases", &releases, "--version", VERSION];
    for args in [&named[..2], &named] {
        let output = install(home.path(), args);
        assert!(output.status.success(), "{}", said(&output));
        let program = home.path().join(".local/bin/shadow-ci");
        let version = Command::new(program).arg("--version").output().unwrap();
        let printed = String::from_utf8_lossy(&version.stdout).into_owned();
        assert_eq!(printed.trim(), format!("shadow-ci {VERSION}"));
        let share = home.path().join(".local/share");
        assert_eq!(std::fs::read_dir(share).unwrap().count(), 1);
    }
    assert!(said(&install(home.path(), &named)).contains("add it to your PATH"));
}

#[test]
fn what_has_another_checksum_or_stands_in_the_way_is_not_touched() {
    let home = tempfile::tempdir().unwrap();
    let releases = release();
    let wrong = "0".repeat(64);
    let args = ["--releases", &releases, "--version", VERSION];
    let output = install(home.path(), &[&args[..], &["--sha256", &wrong]].concat());
    assert!(!output.status.success() && said(&output).contains("it is not used"));
    assert!(!home.path().join(".local/bin/shadow-ci").exists());
    let mine = home.path().join("mine");
    std::fs::create_dir(&mine).unwrap();
    std::fs::write(mine.join("file"), "").unwrap();
    let to = mine.to_str().unwrap();
    let output = install(home.path(), &[&args[..], &["--to", to]].concat());
    assert!(!output.status.success() && said(&output).contains("is something else"));
    assert!(mine.join("file").exists());
    for (args, text) in [
        (["--version", "9.9.9"], "cannot fetch"),
        (["--colour", "red"], "there is no option"),
    ] {
        let output = install(
            home.path(),
            &[&["--releases", &releases], &args[..]].concat(),
        );
        assert!(!output.status.success() && said(&output).contains(text));
    }
}
