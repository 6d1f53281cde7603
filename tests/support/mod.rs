//! Real git repositories made from folders, for end-to-end tests.
#![allow(dead_code)]

pub mod predicate;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The repository's root folder.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Whether a program is installed here: it says its version.
pub fn has(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success())
}

/// javac, as fast as it gets for a few files.
pub fn javac() -> Command {
    let javac = std::env::var_os("JAVA_HOME")
        .map_or("javac".into(), |home| PathBuf::from(home).join("bin/javac"));
    let mut command = Command::new(javac);
    command.args(QUICK.map(|option| format!("-J{option}")));
    command
}

/// Options of a JVM that lives for a moment.
pub const QUICK: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// Compiles files of a folder there, which has to succeed.
pub fn compiles(folder: &Path, args: &[&str]) {
    ends_well(javac().current_dir(folder).args(args));
}

/// A cache of its own that knows nothing of builds; the worker and compilations are those of the usual cache.
pub fn cache() -> tempfile::TempDir {
    static USUAL: OnceLock<PathBuf> = OnceLock::new();
    let usual = USUAL.get_or_init(|| {
        // Whoever comes first compiles the worker, once for all.
        let repo = fixture("foo");
        let output = shadow_ci(repo.path())
            .args(["HEAD~1", "HEAD", "--search-runs", "0"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache");
        cache.unwrap_or_else(home).join("shadow-ci")
    });
    let cache = tempfile::tempdir().unwrap();
    let own = cache.path().join("shadow-ci");
    std::fs::create_dir(&own).unwrap();
    for entry in std::fs::read_dir(usual).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("worker-") || name == "compiled" {
            std::os::unix::fs::symlink(entry.path(), own.join(name)).unwrap();
        }
    }
    cache
}

/// Writes a file of a repository, and the folders that it lies in.
pub fn write(repo: &Path, path: &str, text: &str) {
    let file = repo.join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// Runs git in a folder, with an identity and no user configuration.
pub fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(dir)
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "commit.gpgsign=false",
        ])
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(args)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

/// Replaces the work tree by the content of `from` and commits it.
pub fn commit(repo: &Path, from: &Path) {
    for entry in std::fs::read_dir(repo).unwrap().flatten() {
        if entry.file_name() != ".git" {
            if entry.path().is_dir() {
                std::fs::remove_dir_all(entry.path()).unwrap();
            } else {
                std::fs::remove_file(entry.path()).unwrap();
            }
        }
    }
    copy(from, repo);
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "--allow-empty", "-m", "version"]);
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A repository whose last two commits are the fixture's old and new version.
pub fn fixture(name: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "-q"]);
    commit(dir.path(), &root().join("fixtures").join(name).join("old"));
    commit(dir.path(), &root().join("fixtures").join(name).join("new"));
    dir
}

/// The binary, to be run on a repository.
pub fn shadow_ci(repo: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shadow-ci"));
    command.arg("--repo").arg(repo);
    // Also where these tests run on GitHub, a run says what it says elsewhere.
    command.env_remove("GITHUB_ACTIONS");
    command
}

/// The binary, without the search: to be run where what is asked shows in what is explored.
pub fn exploring(repo: &Path) -> Command {
    let mut command = shadow_ci(repo);
    command.args(["--search-runs", "0"]);
    command
}

/// The report's schema, as the program prints it.
pub fn schema() -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .arg("schema")
        .output()
        .unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The folder with the JUnit jars, fetched once.
pub fn junit_jars() -> &'static Path {
    static JARS: OnceLock<PathBuf> = OnceLock::new();
    JARS.get_or_init(|| {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("junit");
        let script = root().join("scripts/junit-jars");
        let output = Command::new(script).arg(&dir).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}");
        dir
    })
}

/// Runs a program in a folder, which has to succeed.
pub fn succeeds(folder: &Path, program: &str, args: &[&str]) {
    ends_well(Command::new(program).current_dir(folder).args(args));
}

fn ends_well(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}

/// An installed JDK of that feature version or a newer one.
pub fn jdk_of_at_least(wanted: i64) -> Option<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/jvm").ok()?;
    let version = |home: &Path| -> Option<i64> {
        let release = std::fs::read_to_string(home.join("release")).ok()?;
        let line = release
            .lines()
            .find_map(|l| l.strip_prefix("JAVA_VERSION=\""))?;
        line.split(['.', '"', '-']).next()?.parse().ok()
    };
    let mut homes: Vec<_> = installed.filter_map(|e| Some(e.ok()?.path())).collect();
    homes.sort();
    homes
        .into_iter()
        .find(|h| h.join("bin/javac").exists() && version(h).is_some_and(|v| v >= wanted))
}
