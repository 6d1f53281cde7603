//! `accept --with-test` under real JUnit: the test goes among those of its class, passes in the new version and fails in the old.

use crate::support::{QUICK, commit, git, javac, junit_jars, root, shadow_ci};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const TEST: &str = "src/test/java/demo/FooTest.java";

const FIVE: &str = "package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FooTest {
  @Test
  void three() {
    assertEquals(0, new Foo().foo(3));
  }
}
";

const FOUR: &str = "package demo;

import org.junit.Assert;
import org.junit.Test;

public class FooTest {
    @Test
    public void testThree() {
        Assert.assertEquals(0, new Foo().foo(3));
    }
}
";

/// A repository whose versions both have that test class.
fn repository(test: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let repo = dir.path();
    git(repo, &["init", "-q"]);
    for side in ["old", "new"] {
        commit(repo, &root().join("fixtures/foo").join(side));
        let file = repo.join(TEST);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, test).unwrap();
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "--amend", "--no-edit"]);
    }
    dir
}

/// Accepts all findings with tests; how many there were.
fn accept_all(repo: &Path) -> usize {
    let output = shadow_ci(repo)
        .args(["HEAD~1", "HEAD", "--show", "all"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("shadow-ci accept "));
    let ids: Vec<&str> = lines.map(|l| l.split('\'').nth(1).unwrap()).collect();
    for id in &ids {
        let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
            .current_dir(repo)
            .args(["accept", id, "--reason", "squares", "--with-test"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(TEST), "{output:?}");
    }
    ids.len()
}

/// How many tests pass and fail with the sources that are checked out.
fn run(repo: &Path, engine: &str) -> (usize, usize) {
    let out = tempfile::tempdir().unwrap();
    let jars = junit_jars().display();
    let path = format!(
        "{}:{jars}/junit-platform-console-standalone-1.10.2.jar:{jars}/junit-4.13.2.jar:{jars}/hamcrest-core-1.3.jar",
        out.path().display()
    );
    let compiled = javac()
        .args(["-d", out.path().to_str().unwrap(), "-cp", &path])
        .arg(repo.join("src/main/java/demo/Foo.java"))
        .arg(repo.join(TEST))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let ran = Command::new("java")
        .args(QUICK)
        .args(["-ea", "-cp", &path])
        .args(["org.junit.platform.console.ConsoleLauncher", "execute"])
        .args(["--scan-classpath", out.path().to_str().unwrap()])
        .args(["--include-engine", engine, "--details", "summary"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let count = |what: &str| {
        let line = text.lines().find(|l| l.contains(what));
        let line = line.unwrap_or_else(|| panic!("{text}"));
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        digits.parse().unwrap()
    };
    (count("tests successful"), count("tests failed"))
}

#[test]
fn tests_that_pin_the_new_behaviour_pass_in_it_and_fail_in_the_old() {
    for (class, engine) in [(FIVE, "junit-jupiter"), (FOUR, "junit-vintage")] {
        let dir = repository(class);
        let repo = dir.path();
        let many = accept_all(repo);
        assert!(many >= 3);
        let text = std::fs::read_to_string(repo.join(TEST)).unwrap();
        for reflection in ["java.lang.reflect", "setAccessible", "text(", "outcome("] {
            assert!(!text.contains(reflection), "{text}");
        }
        assert!(text.contains("Foo receiver = new Foo();"), "{text}");
        assert_eq!(run(repo, engine), (many + 1, 0), "{text}");
        // The old version's sources with the new tests.
        let old = root().join("fixtures/foo/old/src/main/java/demo/Foo.java");
        std::fs::copy(old, repo.join("src/main/java/demo/Foo.java")).unwrap();
        assert_eq!(run(repo, engine), (1, many), "{text}");
    }
}
