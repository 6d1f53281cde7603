//! The build model, from build tools that run here: Maven where it is installed, and Gradle.

use crate::support::{fixture, git, shadow_ci};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn has(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success())
}

fn write(repo: &Path, path: &str, text: &str) {
    let file = repo.join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// Two modules, of which the second is built from the first and changes in the last commit.
fn two_modules(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    for (path, text) in files {
        write(repo, path, text);
    }
    let core = "package demo; public class Core { public static int three() { return 3; } }";
    write(repo, "core/src/main/java/demo/Core.java", core);
    let web = "package demo; public class Web { public static int f(int x) { return x > Core.three() ? 1 : 2; } }";
    write(repo, "web/src/main/java/demo/Web.java", web);
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "old"]);
    write(
        repo,
        "web/src/main/java/demo/Web.java",
        &web.replace(": 2", ": 4"),
    );
    git(repo, &["commit", "-q", "-a", "-m", "new"]);
    dir
}

fn model(repo: &Path, cache: &Path) -> Value {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .env("XDG_CACHE_HOME", cache)
        .args(["project", "--json", "--offline", "--repo"])
        .arg(repo)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn gradle_says_what_a_module_is_built_from() {
    if !has("gradle") {
        eprintln!("no gradle here: not run");
        return;
    }
    let dir = two_modules(&[
        ("settings.gradle", "include 'core', 'web'\n"),
        (
            "build.gradle",
            "subprojects { apply plugin: 'java'\n sourceCompatibility = 8\n tasks.withType(JavaCompile) { options.encoding = 'ISO-8859-1'\n options.compilerArgs << '-parameters' } }\n",
        ),
        (
            "web/build.gradle",
            "dependencies { compile project(':core') }\n",
        ),
    ]);
    let cache = tempfile::tempdir().unwrap();
    let found = model(dir.path(), cache.path());
    assert_eq!(found["tool"], "gradle", "{found:#}");
    let web = found["modules"].as_array().unwrap().iter();
    let web = web.clone().find(|m| m["dir"] == "web").expect("a module");
    assert_eq!(
        web["source_roots"],
        serde_json::json!(["web/src/main/java"])
    );
    assert_eq!(
        web["class_path"],
        serde_json::json!(["core/build/classes/java/main"])
    );
    assert_eq!(web["source"], 8);
    assert_eq!(web["encoding"], "ISO-8859-1");
    assert_eq!(web["arguments"], serde_json::json!(["-parameters"]));
    let output = shadow_ci(dir.path())
        .env("XDG_CACHE_HOME", cache.path())
        .args(["HEAD~1", "HEAD", "--offline", "--json", "-"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    assert!(!dir.path().join(".gradle").exists() && !dir.path().join("web/build").exists());
}

#[test]
fn a_build_tool_that_fails_is_named_and_the_rest_goes_on() {
    let dir = two_modules(&[("core/pom.xml", "<project>"), ("web/pom.xml", "<project>")]);
    let cache = tempfile::tempdir().unwrap();
    let output = shadow_ci(dir.path())
        .env("XDG_CACHE_HOME", cache.path())
        .args(["HEAD~1", "HEAD", "--offline", "--json", "-"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("the build's class path"), "{skipped}");
}

/// A run that has nothing to do says why, in green where there are colours, and fails nothing.
#[test]
fn nothing_to_do_is_said_and_fails_nothing() {
    let dir = two_modules(&[]);
    let repo = dir.path();
    let run = |arguments: &[&str]| {
        let output = shadow_ci(repo)
            .args(["HEAD~1", "HEAD", "--build", "none"])
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let nothing = "nothing to compare: --path and --exclude leave no changed Java file";
    assert!(run(&["--path", "web"]).contains("1 method: 1 diverges"));
    assert!(run(&["--path", "core"]).contains(nothing));
    assert!(run(&["--exclude", "**/Web.java"]).contains(nothing));
    write(repo, "web/src/main/kotlin/demo/K.kt", "class K");
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "Kotlin"]);
    let text = run(&[]);
    assert!(
        text.contains("nothing to compare: no Java file changed, and other languages"),
        "{text}"
    );
    assert!(text.contains("K.kt (only Java is analysed"), "{text}");
}
