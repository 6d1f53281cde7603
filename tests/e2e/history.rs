//! A range of commits: one report each, one table and page of all, in one go, in parts, and on several machines.

use crate::support;
use std::path::Path;
use std::process::Command;

/// Commits by what they do to `f`; one of them touches no Java.
fn repository() -> tempfile::TempDir {
    let repo = tempfile::tempdir().unwrap();
    support::git(repo.path(), &["init", "-q"]);
    let source = |body: &str| {
        format!(
            "package demo;\npublic class A {{\n    public static int f(int n) {{ {body} }}\n}}\n"
        )
    };
    let same = "return n + n;";
    let versions = [
        ("begin", source("return 2 * n;")),
        ("the same | in other words", source(same)),
        ("a text only", source(same)),
        ("does not compile", source("return x;")),
        ("compiles again", source(same)),
        (
            "throws",
            source("if (n == 7) throw new IllegalStateException(); return n + n;"),
        ),
    ];
    for (message, text) in versions {
        let file = repo.path().join("src/demo/A.java");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        std::fs::write(repo.path().join("README"), message).unwrap();
        support::git(repo.path(), &["add", "-A"]);
        support::git(repo.path(), &["commit", "-q", "-m", message]);
    }
    repo
}

fn history(repo: &Path, out: &Path, more: &[&str]) -> (String, Option<i32>) {
    let mut history = Command::new(env!("CARGO_BIN_EXE_shadow-ci"));
    history.args([
        "history",
        "HEAD~5..HEAD",
        "--build",
        "none",
        "--search-runs",
        "500",
    ]);
    history
        .arg("--repo")
        .arg(repo)
        .arg("--out")
        .arg(out)
        .args(more);
    history.env_remove("GITHUB_ACTIONS");
    let output = history.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    (text + &error, output.status.code())
}

/// A table without its seconds, whose width is that of the numbers.
fn without_seconds(table: &str) -> String {
    let rows = table.lines().map(|line| {
        let cells = line.split(" | ").map(str::trim);
        cells
            .enumerate()
            .filter(|(i, _)| *i != 6)
            .map(|(_, c)| c)
            .collect::<Vec<_>>()
            .join("|")
    });
    rows.filter(|line| !line.starts_with("| -"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn written(file: &Path) -> std::time::SystemTime {
    std::fs::metadata(file).unwrap().modified().unwrap()
}

#[test]
fn a_range_goes_on_where_it_was_ended_and_shards_make_the_same_table() {
    let repo = repository();
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let (table, code) = history(repo.path(), &whole, &["--fail-on", "exception"]);
    assert_eq!(code, Some(1), "{table}");
    let rows: Vec<&str> = table.lines().skip(2).take(5).collect();
    assert!(
        rows[0].contains("| diverges") && rows[0].contains("`throws`"),
        "{table}"
    );
    assert!(rows[4].contains("| equivalent"), "{table}");
    assert!(
        rows[4].contains("the same \\u007c in other words"),
        "{table}"
    );
    assert!(rows[3].contains("nothing to compare"), "{table}");
    let page = std::fs::read_to_string(whole.join("history.html")).unwrap();
    assert!(page.contains("IllegalStateException") && page.contains("a text only"));

    // A report that is gone is made again, and no other one.
    let commit = |revision: &str| {
        support::git(repo.path(), &["rev-parse", revision])
            .trim()
            .to_string()
    };
    let of = |revision: &str| whole.join(format!("{}.json", commit(revision)));
    let (gone, kept) = (of("HEAD~4"), of("HEAD"));
    let before = written(&kept);
    std::fs::remove_file(&gone).unwrap();
    let (text, code) = history(
        repo.path(),
        &whole,
        &["--collect", "--fail-on", "incomplete"],
    );
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("1 is missing: the result is incomplete"),
        "{text}"
    );
    let (again, _) = history(repo.path(), &whole, &["--fail-on", "exception"]);
    assert_eq!(without_seconds(&again), without_seconds(&table));
    assert_eq!(written(&kept), before);
    assert!(gone.is_file());
    let (text, code) = history(repo.path(), &whole, &["--max-string", "2"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("reports of other options"), "{text}");

    // Three machines, each with a folder of its own.
    let (plan, _) = history(repo.path(), &whole, &["--shards", "3"]);
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let shards = plan["include"].as_array().unwrap();
    assert_eq!(shards.len(), 3);
    let all = folder.path().join("all");
    std::fs::create_dir(&all).unwrap();
    for shard in shards {
        let name = shard["shard"].as_str().unwrap();
        let part = folder.path().join(name.replace('/', "-"));
        let (text, code) = history(repo.path(), &part, &["--shard", name, "--fail-on", "never"]);
        assert_eq!(code, Some(0), "{text}");
        for file in std::fs::read_dir(&part).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), all.join(file.file_name())).unwrap();
        }
    }
    let (merged, code) = history(repo.path(), &all, &["--collect", "--fail-on", "exception"]);
    assert_eq!(code, Some(1), "{merged}");
    assert_eq!(without_seconds(&merged), without_seconds(&table));
}
