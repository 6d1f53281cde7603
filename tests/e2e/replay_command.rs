//! `shadow-ci replay`: the lines that reports print run as they are, and say what the report said.

use crate::support;
use crate::support::fixture;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn report(repo: &Path) -> Value {
    let output = support::shadow_ci(repo)
        .args(["HEAD~1", "HEAD", "--json", "-", "--search-runs", "4000"])
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// As a user would: pasted into a shell, in another folder.
fn pasted(line: &str) -> Output {
    let binary = env!("CARGO_BIN_EXE_shadow-ci");
    let line = line.replacen("shadow-ci", &format!("'{binary}'"), 1);
    Command::new("sh")
        .args(["-c", &line])
        .current_dir("/")
        .output()
        .unwrap()
}

fn replay(repo: &Path, call: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["replay", "HEAD~1", "HEAD", call, "--repo"])
        .arg(repo)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).to_string()
}

#[test]
fn every_finding_is_replayed_by_its_line() {
    let names = [
        "foo",
        "array-argument",
        "overload-added",
        "input-forms",
        "search-shared-references",
        "static-values-read",
    ];
    std::thread::scope(|scope| {
        for some in names.chunks(2) {
            scope.spawn(move || some.iter().for_each(|name| replays(name)));
        }
    });
}

fn replays(name: &str) {
    let repo = fixture(name);
    let report = report(repo.path());
    let methods = report["methods"].as_array().unwrap();
    for finding in methods
        .iter()
        .flat_map(|m| m["findings"].as_array().unwrap())
    {
        let line = finding["replay_command"].as_str().unwrap();
        let output = pasted(line);
        let out = text(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{name}: {line}\n{out}{}",
            text(&output.stderr)
        );
        let class = finding["class"].as_str().unwrap();
        assert!(
            out.lines().last().unwrap().ends_with(class),
            "{name}: {out}"
        );
        let lines = ["old", "new"].map(|version| {
            let begins = format!("    {version} ");
            out.lines().find(|l| l.starts_with(&begins)).unwrap()
        });
        for (version, shown) in ["old", "new"].into_iter().zip(lines) {
            let outcome = &finding[version];
            // Where both throw the same, what differs beside it is told, and the exception by its simple name.
            let same = |part: &str| finding["old"][part] == finding["new"][part];
            let said = match outcome["outcome"].as_str() {
                Some("threw") if same("exception") && same("message") => {
                    let name = outcome["exception"].as_str().unwrap();
                    name.rsplit(['.', '$']).next().unwrap().to_string()
                }
                Some("threw") => outcome["exception"].as_str().unwrap().replace('$', "."),
                _ => outcome["value"].as_str().unwrap().replace("nothing", ""),
            };
            if said.len() > 80 && shown.contains('…') {
                // Long values are cut around what differs.
                let [old, new] = lines.map(|l| l.split_once(": ").unwrap().1);
                assert_ne!(old, new, "{name}");
                continue;
            }
            assert!(shown.contains(&said), "{name}: {said} is not in {shown}");
        }
    }
}

#[test]
fn another_input_can_be_tried_and_the_exit_code_says_whether_it_matters() {
    let repo = fixture("foo");
    let same = replay(repo.path(), "new Foo().foo(1)");
    assert_eq!(same.status.code(), Some(0), "{}", text(&same.stderr));
    assert!(text(&same.stdout).ends_with("same outcome\n"));
    let different = replay(repo.path(), "new demo.Foo().foo(0)");
    assert_eq!(different.status.code(), Some(1));
    assert!(text(&different.stdout).ends_with("different: a regression\n"));
}

#[test]
fn what_a_static_field_holds_makes_inputs() {
    let repo = fixture("search-copying-methods");
    let call = "new demo.Printer(new StringBuilder(\"\"), demo.Format.DEFAULT.withHeader(new String[] {\"a\"}).withSeparator(';'))";
    let output = replay(repo.path(), call);
    let out = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{out}{}",
        text(&output.stderr)
    );
    assert!(out.contains("argument 1 \"a;\""), "{out}");
}

#[test]
fn a_program_that_uses_the_process_s_own_streams_disturbs_nothing() {
    let repo = fixture("file-descriptor");
    let output = replay(repo.path(), "demo.Subject.f(3)");
    let out = text(&output.stdout);
    assert!(out.contains(": returned 2\n"), "{out}");
    assert!(out.contains(": returned -4\n"), "{out}");
}

#[test]
fn of_outcomes_that_are_too_large_only_that_is_told() {
    let repo = fixture("foo");
    for value in ["1", "2"] {
        let main = format!(
            "package demo; public class Big {{ public static int[] of(int n) {{
                int[] all = new int[n]; java.util.Arrays.fill(all, {value}); return all; }} }}"
        );
        support::write(repo.path(), "src/main/java/demo/Big.java", &main);
        support::git(repo.path(), &["add", "-A"]);
        support::git(repo.path(), &["commit", "-q", "-m", "next"]);
    }
    let small = replay(repo.path(), "demo.Big.of(3)");
    assert_eq!(small.status.code(), Some(1), "{}", text(&small.stdout));
    let large = replay(repo.path(), "demo.Big.of(3000000)");
    let out = text(&large.stdout) + &text(&large.stderr);
    assert!(
        out.contains("what it leaves takes more than 6 MB to tell"),
        "{out}"
    );
}

#[test]
fn what_can_not_run_says_why() {
    let repo = fixture("foo");
    for (call, part) in [
        ("new demo.Foo().foo(", "unexpected end"),
        ("new demo.Foo().foo(\"a\")", "there is foo(int)"),
        ("new demo.Foo().bar()", "demo.Foo has no bar"),
        ("demo.Foo.foo(1)", "no static method foo"),
        ("new demo.Nowhere()", "class demo.Nowhere"),
        ("new demo.Foo(1, 2)", "do not fit"),
        ("7", "a value, not a call"),
        ("new demo.Foo() after foo(1)", "there is no call at the end"),
    ] {
        let output = replay(repo.path(), call);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{call}: {message}");
        assert!(message.contains(part), "{call}: {message}");
    }
}

#[test]
fn the_terminal_report_prints_the_line() {
    let repo = fixture("foo");
    let output = support::exploring(repo.path())
        .args(["HEAD~1", "HEAD"])
        .output()
        .unwrap();
    let out = text(&output.stdout);
    let line = out
        .lines()
        .find(|l| l.trim_start().starts_with("shadow-ci replay "))
        .unwrap();
    assert_eq!(pasted(line.trim()).status.code(), Some(1));
}

#[test]
fn options_that_the_build_needs_are_repeated_and_a_long_class_path_only_named() {
    let repo = fixture("foo");
    let lines = |class_path: &str| {
        let mut command = support::exploring(repo.path());
        command.args([
            "HEAD~1",
            "HEAD",
            "--source-root",
            "src/main/java",
            "--classpath",
            class_path,
        ]);
        text(&command.output().unwrap().stdout)
    };
    let out = lines("/no where/a.jar");
    assert!(
        out.contains("--source-root src/main/java --classpath '/no where/a.jar' 'new"),
        "{out}"
    );
    let long = "/nowhere/a.jar:".repeat(30);
    let out = lines(&long);
    assert!(
        out.contains("--classpath \"$CLASSPATH\" 'new") && out.contains("export it first"),
        "{out}"
    );
    assert!(!out.contains(&long));
}

/// A class whose names, texts and file name try to get out of whatever they stand in.
#[test]
fn a_hostile_program_stays_text_and_can_be_replayed() {
    let repo = tempfile::tempdir().unwrap();
    support::git(repo.path(), &["init", "-q"]);
    let file = repo
        .path()
        .join("A'<img src=x onerror=alert(1)>`$(id)`.java");
    let source = |exception: &str| {
        format!(
            "package demo; class Evil$π {{ enum K {{ A, B }}\n// </style></pre><script>alert(1)</script> \u{202e}\n\
             static int f(String s, K k) {{ if (s != null && s.equals(\"'\\\"<b>`$(id)`\"))\n\
             throw new {exception}(\"<script>alert(2)</script> \u{202e} ::error::x\\n\\033[31m\");\n return 0; }} }}\n"
        )
    };
    for exception in ["IllegalStateException", "IllegalArgumentException"] {
        std::fs::write(&file, source(exception)).unwrap();
        support::git(repo.path(), &["add", "-A"]);
        support::git(repo.path(), &["commit", "-q", "-m", "version"]);
    }
    let page = repo.path().join("report.html");
    let output = support::shadow_ci(repo.path())
        .args(["HEAD~1", "HEAD", "--max-string", "12", "--html"])
        .arg(&page)
        .output()
        .unwrap();
    let out = text(&output.stdout);
    let page = std::fs::read_to_string(page).unwrap();
    for bad in ["<script", "<img", "\u{202e}", "\u{1b}"] {
        assert!(!page.contains(bad), "{bad:?}");
        // To a terminal markup is text like any other.
        assert!(bad.starts_with('<') || !out.contains(bad), "{bad:?}");
    }
    assert_eq!(page.matches("</style>").count(), 1);
    let lines: Vec<&str> = out
        .lines()
        .filter(|l| l.trim_start().starts_with("shadow-ci replay "))
        .collect();
    assert!(!lines.is_empty(), "{out}{}", text(&output.stderr));
    for line in lines {
        let output = pasted(line.trim());
        assert_eq!(
            output.status.code(),
            Some(1),
            "{line}: {}",
            text(&output.stderr)
        );
    }
}
