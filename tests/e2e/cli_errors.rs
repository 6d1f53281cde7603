//! Bad input and a bad environment give one clear message and exit code 2.

use crate::support::{exploring, fixture, git, javac, shadow_ci};
use std::process::{Command, Output};

fn assert_one_message(output: &Output, parts: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        !message.contains("panicked") && !message.contains("backtrace"),
        "{message}"
    );
    for part in parts {
        assert!(message.contains(part), "'{part}' is missing in: {message}");
    }
}

#[test]
fn an_unknown_revision_is_named() {
    let repo = fixture("foo");
    let output = shadow_ci(repo.path())
        .args(["nonsense", "HEAD"])
        .output()
        .unwrap();
    assert_one_message(&output, &["unknown revision 'nonsense'", "help:"]);
}

#[test]
fn a_folder_outside_git_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let output = shadow_ci(dir.path())
        .args(["HEAD~1", "HEAD"])
        .output()
        .unwrap();
    assert_one_message(&output, &["not in a git repository", "--repo"]);
}

#[test]
fn a_folder_that_is_no_jdk_is_named() {
    let repo = fixture("foo");
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD"])
        .env("JAVA_HOME", repo.path())
        .output()
        .unwrap();
    assert_one_message(&output, &["is not a JDK"]);
}

#[test]
fn broken_java_is_located() {
    let repo = fixture("foo");
    std::fs::write(
        repo.path().join("src/main/java/demo/Foo.java"),
        "package demo;\nclass Foo {\n  int f( { }\n}\n",
    )
    .unwrap();
    git(repo.path(), &["commit", "-q", "-a", "-m", "broken"]);
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD"])
        .output()
        .unwrap();
    assert_one_message(
        &output,
        &["does not compile", "src/main/java/demo/Foo.java:3"],
    );
}

#[test]
fn a_compile_error_is_quoted_with_its_place() {
    let repo = fixture("foo");
    let file = repo.path().join("src/main/java/demo/Foo.java");
    let text = std::fs::read_to_string(&file)
        .unwrap()
        .replace("return 1;", "return missing.size();");
    std::fs::write(file, text).unwrap();
    git(
        repo.path(),
        &["commit", "-q", "-a", "-m", "needs a dependency"],
    );
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD"])
        .output()
        .unwrap();
    assert_one_message(
        &output,
        &[
            "the new version does not compile",
            "Foo.java:18",
            "--classpath",
        ],
    );
}

/// Source on which javac 17 dies (JDK-8291657), and newer ones do not.
const FATAL: &str = "package demo;
public class Fatal {
    static class A { }
    interface B { }
    static B f(int o) { return (B) switch (o) { default -> new A(); }; }
}
";

#[test]
fn a_compiler_that_crashes_is_named_with_the_file_and_its_exception() {
    let repo = fixture("foo");
    let file = repo.path().join("src/main/java/demo/Fatal.java");
    std::fs::write(&file, FATAL).unwrap();
    git(repo.path(), &["add", "-A"]);
    git(repo.path(), &["commit", "-q", "-m", "kills the compiler"]);
    let classes = tempfile::tempdir().unwrap();
    let said = javac()
        .arg("-d")
        .args([classes.path(), &file])
        // Its report of the crash goes to the current folder.
        .current_dir(classes.path())
        .output()
        .unwrap();
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD"])
        .output()
        .unwrap();
    if said.status.success() {
        assert_ne!(output.status.code(), Some(2), "a JDK without that bug");
        return;
    }
    assert_one_message(
        &output,
        &[
            "the compiler crashed",
            "src/main/java/demo/Fatal.java: javac ",
            "java.lang.AssertionError",
            "JAVA_HOME",
        ],
    );
}

#[test]
fn an_unknown_key_in_the_configuration_is_named() {
    let repo = fixture("foo");
    std::fs::write(repo.path().join("shadow-ci.toml"), "max-strin = 3\n").unwrap();
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD"])
        .output()
        .unwrap();
    assert_one_message(&output, &["shadow-ci.toml", "max-strin"]);
}

#[test]
fn what_is_not_supported_yet_says_so() {
    let repo = fixture("foo");
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .current_dir(repo.path())
        .args(["dump", "nothing", "HEAD~1", "HEAD"])
        .output()
        .unwrap();
    assert_one_message(&output, &["not supported"]);
}

#[test]
fn one_revision_is_not_enough() {
    let repo = fixture("foo");
    let output = shadow_ci(repo.path()).arg("HEAD").output().unwrap();
    assert_one_message(&output, &["an old and a new one"]);
}

#[test]
fn a_program_that_never_ends_does_not_hang_the_tool() {
    let repo = fixture("threshold");
    let file = repo.path().join("src/main/java/demo/Subject.java");
    std::fs::write(&file, "package demo;\npublic class Subject { static boolean f(int x) { int i = 0; while (x == 5) { i++; } return i == 0; } }\n").unwrap();
    git(repo.path(), &["commit", "-q", "-a", "-m", "loops"]);
    let output = shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD", "--method-timeout", "20"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        ["effort-budget", "instruction-budget", "method-timeout"]
            .iter()
            .any(|reason| text.contains(reason)),
        "{text}"
    );
    assert!(!text.contains("equivalent  "), "{text}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let repo = fixture("foo");
    let script = format!(
        "'{}' --repo '{}' HEAD~1 HEAD | true",
        env!("CARGO_BIN_EXE_shadow-ci"),
        repo.path().display()
    );
    let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn annotate_prints_the_unified_method_and_its_level() {
    let repo = fixture("threshold");
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .current_dir(repo.path())
        .args(["annotate", "HEAD~1", "HEAD"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("if (x > Shadow.change(10, 20))") && text.contains("expression level"),
        "{text}"
    );
}

/// Runs the check on two versions of one file, with so many runs of the search, and reads the report.
fn report_of(old: &[u8], new: &[u8], runs: &str) -> serde_json::Value {
    let repo = fixture("foo");
    let file = repo.path().join("src/main/java/demo/Mixed.java");
    for (text, what) in [(old, "old"), (new, "new")] {
        std::fs::write(&file, text).unwrap();
        git(repo.path(), &["add", "-A"]);
        git(repo.path(), &["commit", "-q", "-m", what]);
    }
    report_of_last(repo.path(), runs)
}

/// Runs the check on the last commit.
fn report_of_last(repo: &std::path::Path, runs: &str) -> serde_json::Value {
    let output = shadow_ci(repo)
        .args(["HEAD~1", "HEAD", "--json", "-", "--search-runs", runs])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn method<'a>(report: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let methods = report["methods"].as_array().unwrap();
    methods.iter().find(|m| m["method"] == name).expect(name)
}

const MIXED: &str = "package demo;
import org.missing.Log;
@org.missing.Marked
public class Mixed {
    private static final Log LOG = Log.of(Mixed.class);
    public static int lost(int x) { LOG.say(\"x\"); return x + 1; }
    public static int kept(int x) { return x > 3 ? 1 : 2; }
    public static int calls(int x) { return x > 5 ? lost(x) : 7; }
    public static int gone(Log log) { return 1; }
}
";

#[test]
fn what_does_not_compile_costs_its_own_methods_only() {
    let new = MIXED
        .replace("x + 1", "x + 2")
        .replace("? 1 : 2", "? 1 : 3")
        .replace(": 7", ": 8")
        .replace("return 1;", "return 2;");
    let report = report_of(MIXED.as_bytes(), new.as_bytes(), "0");
    let reason = |name: &str| &method(&report, name)["limits"][0]["reason"];
    assert_eq!(method(&report, "kept")["verdict"], "diverges");
    assert_eq!(method(&report, "calls")["verdict"], "diverges");
    let limits = method(&report, "calls")["limits"].to_string();
    assert!(limits.contains("does-not-compile"), "{limits}");
    assert_eq!(reason("lost"), "does-not-compile");
    assert_eq!(reason("gone"), "does-not-compile");
    let detail = method(&report, "gone")["limits"][0]["detail"].to_string();
    for part in ["src/main/java/demo/Mixed.java:", "class Log", "dependency"] {
        assert!(detail.contains(part), "'{part}' is missing in: {detail}");
    }
}

#[test]
fn what_does_not_compile_is_told_also_where_the_patch_is_built_once_more() {
    let further = "package demo;
public class Further extends org.missing.Base {
    public static int sum(int x) { return x; }
}
";
    let repo = fixture("foo");
    let folder = repo.path().join("src/main/java/demo");
    // What gets a parameter does not compile: without the overload both versions are built again.
    for (x, parameters, what) in [("1", "int x", "old"), ("2", "int x, int y", "new")] {
        let mixed = MIXED.replace("x + 1", &format!("x + {x}"));
        let mixed = mixed.replace("? 1 : 2", &format!("? {x} : 7"));
        std::fs::write(folder.join("Mixed.java"), mixed).unwrap();
        std::fs::write(
            folder.join("Further.java"),
            further.replace("int x", parameters),
        )
        .unwrap();
        git(repo.path(), &["add", "-A"]);
        git(repo.path(), &["commit", "-q", "-m", what]);
    }
    let report = report_of_last(repo.path(), "0");
    let lost = &method(&report, "lost")["limits"][0]["reason"];
    assert_eq!(lost, "does-not-compile");
    assert_eq!(method(&report, "kept")["verdict"], "diverges");
}

#[test]
fn a_search_goes_on_behind_runs_that_come_to_what_does_not_compile() {
    let old = "package demo;
public class Mixed {
    public static int lost(int x) { return org.missing.Log.say(x); }
    public static int kept(String s, int x) {
        if (x < 0) try { return lost(x); } catch (Throwable e) { return 9; }
        return s.length() > 40 && s.endsWith(\"ab\") ? 1 : 2;
    }
}
";
    let new = old.replace("? 1 : 2", "? 3 : 2");
    let report = report_of(old.as_bytes(), new.as_bytes(), "12000");
    let kept = method(&report, "kept");
    assert_eq!(kept["verdict"], "diverges");
    assert!(
        !kept["limits"].to_string().contains("search-input"),
        "{}",
        kept["limits"]
    );
    assert!(
        kept["evidence"]["runs"].as_u64() > Some(100),
        "{}",
        kept["evidence"]
    );
    let findings = kept["findings"].as_array().unwrap();
    assert!(
        findings.iter().all(|f| f["old"]["brief"] == "returned 1"),
        "{findings:?}"
    );
}

#[test]
fn a_static_part_beside_what_does_not_compile_is_not_lost() {
    // The initialiser's source is the same; javac writes another constant into it.
    let old = "package demo;
public class Mixed {
    static int size = Limits.SIZE;
    public static int lost(int x) { assert x > 0; return org.missing.Log.say(x); }
    public static int kept(int x) { return x > 3 ? 1 : 2; }
}
class Limits { static final int SIZE = 3; }
class Asserts {
    static int size = 5;
    public static int lost(int x) { assert x > 0; return x; }
}
";
    let new = old
        .replace("SIZE = 3", "SIZE = 4")
        .replace("? 1 : 2", "? 1 : 3")
        .replace("return x;", "return org.missing.Log.say(x);");
    let report = report_of(old.as_bytes(), new.as_bytes(), "0");
    let methods = report["methods"].as_array().unwrap();
    let initialisers = methods.iter().filter(|m| m["method"] == "<clinit>");
    let named: Vec<_> = initialisers
        .map(|m| (&m["class"], &m["limits"][0]["reason"]))
        .collect();
    // That of `Asserts` only lacks the field that its assertion asks.
    assert_eq!(named.len(), 1, "{named:?}");
    assert_eq!(named[0].0, "demo.Mixed");
    assert_eq!(named[0].1, "does-not-compile");
}

#[test]
fn sources_in_latin_1_and_of_java_8_are_read() {
    let old = b"package demo;
import demo.old.*;
/** H\xf6he */
public class Mixed {
    static String name() { return \"\xfc\"; }
    static int f(int x) { Record r = new Record(); return x > 3 ? r.one() : 2; }
}
";
    let repo = fixture("foo");
    let folder = repo.path().join("src/main/java/demo");
    std::fs::create_dir_all(folder.join("old")).unwrap();
    let record = "package demo.old; public class Record { public int one() { return 1; } }";
    std::fs::write(folder.join("old/Record.java"), record).unwrap();
    let new: Vec<u8> = String::from_utf8(
        old.iter()
            .map(|b| if *b > 127 { b'?' } else { *b })
            .collect(),
    )
    .unwrap()
    .replace("? r.one() : 2", "? r.one() : 3")
    .into_bytes();
    for (text, what) in [(old.to_vec(), "old"), (new, "new")] {
        std::fs::write(folder.join("Mixed.java"), text).unwrap();
        git(repo.path(), &["add", "-A"]);
        git(repo.path(), &["commit", "-q", "-m", what]);
    }
    let output = exploring(repo.path())
        .args(["HEAD~1", "HEAD", "--json", "-"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(method(&report, "f")["verdict"], "diverges");
    assert_eq!(method(&report, "name")["verdict"], "diverges");
}

#[test]
fn a_configuration_that_cannot_be_read_is_no_missing_one() {
    let repo = fixture("foo");
    std::fs::create_dir(repo.path().join("shadow-ci.toml")).unwrap();
    let output = shadow_ci(repo.path()).args(["HEAD~1", "HEAD"]).output();
    assert_one_message(&output.unwrap(), &["shadow-ci.toml", "can't be read"]);
}
