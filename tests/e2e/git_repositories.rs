//! Any revision of any kind of checkout, and nothing of the user's touched.

use crate::support;
use crate::support::git;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no report: {}", String::from_utf8_lossy(&output.stderr)))
}

fn check(repo: &Path, old: &str, new: &str) -> Output {
    support::exploring(repo)
        .args([old, new, "--json", "-"])
        .output()
        .unwrap()
}

fn assert_finds_foo(output: &Output) {
    assert_eq!(report(output)["methods"][0]["method"], "foo");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn tags_branches_and_short_hashes_are_revisions() {
    let repo = support::fixture("foo");
    git(repo.path(), &["tag", "v1", "HEAD~1"]);
    git(repo.path(), &["tag", "-a", "v2", "-m", "annotated"]);
    git(repo.path(), &["branch", "old", "HEAD~1"]);
    let short = git(repo.path(), &["rev-parse", "--short", "HEAD"]);
    for (old, new) in [("v1", "v2"), ("old", "HEAD"), ("HEAD~1", short.as_str())] {
        assert_finds_foo(&check(repo.path(), old, new));
    }
}

#[test]
fn bare_repositories_linked_worktrees_and_subfolders_work() {
    let repo = support::fixture("foo");
    let place = tempfile::tempdir().unwrap();
    let bare = place.path().join("bare.git");
    git(
        place.path(),
        &[
            "clone",
            "-q",
            "--bare",
            repo.path().to_str().unwrap(),
            bare.to_str().unwrap(),
        ],
    );
    assert_finds_foo(&check(&bare, "HEAD~1", "HEAD"));
    let linked = place.path().join("linked");
    git(
        repo.path(),
        &[
            "worktree",
            "add",
            "-q",
            "--detach",
            linked.to_str().unwrap(),
        ],
    );
    assert_finds_foo(&check(&linked, "HEAD~1", "HEAD"));
    assert_finds_foo(&check(&repo.path().join("src/main"), "HEAD~1", "HEAD"));
}

#[test]
fn a_shallow_clone_without_the_old_commit_says_how_to_fetch_it() {
    let repo = support::fixture("foo");
    let place = tempfile::tempdir().unwrap();
    let shallow = place.path().join("shallow");
    let url = format!("file://{}", repo.path().display());
    git(
        place.path(),
        &[
            "clone",
            "-q",
            "--depth",
            "1",
            &url,
            shallow.to_str().unwrap(),
        ],
    );
    let output = check(&shallow, "HEAD~1", "HEAD");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        message.contains("shallow") && message.contains("fetch-depth: 0"),
        "{message}"
    );
}

#[test]
fn a_merge_commit_can_be_the_new_version() {
    let repo = support::fixture("foo");
    git(repo.path(), &["branch", "side"]);
    git(repo.path(), &["reset", "-q", "--hard", "HEAD~1"]);
    std::fs::write(repo.path().join("notes.txt"), "on the other side").unwrap();
    git(repo.path(), &["add", "-A"]);
    git(repo.path(), &["commit", "-q", "-m", "notes"]);
    git(
        repo.path(),
        &["merge", "-q", "--no-ff", "-m", "merge", "side"],
    );
    assert_finds_foo(&check(repo.path(), "HEAD~1", "HEAD"));
}

#[test]
fn added_and_deleted_files_have_nothing_to_compare() {
    let repo = support::fixture("threshold");
    let folder = repo.path().join("src/main/java/demo");
    std::fs::write(
        folder.join("More.java"),
        "package demo;\nclass More { int g() { return 1; } }\n",
    )
    .unwrap();
    git(repo.path(), &["add", "-A"]);
    git(repo.path(), &["commit", "-q", "-m", "add"]);
    let added = report(&check(repo.path(), "HEAD~1", "HEAD"));
    assert_eq!(added["methods"].as_array().map(Vec::len), Some(0));
    assert!(added["added"].to_string().contains("demo.More"), "{added}");
    let removed = report(&check(repo.path(), "HEAD", "HEAD~1"));
    assert!(
        removed["removed"].to_string().contains("demo.More"),
        "{removed}"
    );
}

#[test]
fn a_moved_file_keeps_its_identity_and_odd_encodings_are_read() {
    let repo = support::fixture("threshold");
    let (from, to) = (
        repo.path().join("src/main/java"),
        repo.path().join("core/src/main/java"),
    );
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::rename(&from, &to).unwrap();
    let file = to.join("demo/Subject.java");
    let text = std::fs::read_to_string(&file)
        .unwrap()
        .replace("20", "30")
        .replace('\n', "\r\n");
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(text.as_bytes());
    bytes.extend(b"// caf\xe9\r\n");
    // A byte-order mark is no Java to javac; the tool is to say so or to cope, not to fall over.
    std::fs::write(&file, &bytes[3..]).unwrap();
    git(repo.path(), &["add", "-A"]);
    git(repo.path(), &["commit", "-q", "-m", "move"]);
    let moved = report(&check(repo.path(), "HEAD~1", "HEAD"));
    assert_eq!(moved["methods"][0]["verdict"], "diverges", "{moved}");
}

#[test]
fn work_tree_and_index_stay_as_they_are() {
    let repo = support::fixture("foo");
    std::fs::write(
        repo.path().join("src/main/java/demo/Foo.java"),
        "not java at all",
    )
    .unwrap();
    std::fs::write(repo.path().join("staged.txt"), "staged").unwrap();
    git(repo.path(), &["add", "staged.txt"]);
    let index = std::fs::read(repo.path().join(".git/index")).unwrap();
    let before = git(repo.path(), &["status", "--porcelain"]);
    assert_finds_foo(&check(repo.path(), "HEAD~1", "HEAD"));
    assert_eq!(git(repo.path(), &["status", "--porcelain"]), before);
    assert_eq!(
        std::fs::read_to_string(repo.path().join("src/main/java/demo/Foo.java")).unwrap(),
        "not java at all"
    );
    assert!(!index.is_empty());
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let repo = support::fixture("receiver-state");
    let run = |threads: &str| {
        let output = support::shadow_ci(repo.path())
            .args(["HEAD~1", "HEAD", "--json", "-", "--threads", threads])
            .args(["--search-runs", "4000"])
            .output()
            .unwrap();
        let mut report = report(&output);
        report["summary"]["seconds"] = Value::Null;
        for method in report["methods"].as_array_mut().unwrap() {
            method["seconds"] = Value::Null;
        }
        report
    };
    assert_eq!(run("1"), run("4"));
}

/// A tree as git writes it, whatever its names are: git itself makes none that leads out of its folder.
fn tree(repo: &git2::Repository, entries: &[(&str, &str, git2::Oid)]) -> git2::Oid {
    let mut bytes = Vec::new();
    for (mode, name, id) in entries {
        bytes.extend(format!("{mode} {name}\0").bytes());
        bytes.extend(id.as_bytes());
    }
    let odb = repo.odb().unwrap();
    odb.write(git2::ObjectType::Tree, &bytes).unwrap()
}

#[test]
fn neither_a_link_nor_a_name_leads_out_of_the_snapshot() {
    let dir = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir_in(dir.path().parent().unwrap()).unwrap();
    let secret = outside.path().join("Secret.java");
    std::fs::write(
        &secret,
        "class Secret { int f(int secretly) { return secretly; } }",
    )
    .unwrap();
    let repo = git2::Repository::init(dir.path()).unwrap();
    let mut parents = Vec::new();
    for number in ["1", "2"] {
        let blob = |text: &str| repo.blob(text.as_bytes()).unwrap();
        let class = blob(&format!(
            "public class A {{ static int f() {{ return {number}; }} }}"
        ));
        let mut up = tree(&repo, &[("100644", "A.java", class)]);
        for _ in 0..8 {
            up = tree(&repo, &[("40000", "..", up)]);
        }
        let target = format!("{}/{}", ".".repeat(number.len()), secret.display());
        let root = tree(
            &repo,
            &[
                ("40000", "..", up),
                ("100644", "A.java", class),
                ("120000", "Secret.java", blob(&target)),
                ("120000", number, blob(&target)),
            ],
        );
        let who = git2::Signature::now("a", "a@example.org").unwrap();
        let root = repo.find_tree(root).unwrap();
        let commits: Vec<git2::Commit> = parents
            .iter()
            .map(|id| repo.find_commit(*id).unwrap())
            .collect();
        let behind: Vec<&git2::Commit> = commits.iter().collect();
        let made = repo.commit(Some("HEAD"), &who, &who, number, &root, &behind);
        parents = vec![made.unwrap()];
    }
    let output = check(dir.path(), "HEAD~1", "HEAD");
    let told = report(&output);
    let methods: Vec<&str> = told["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["class"].as_str().unwrap())
        .collect();
    assert_eq!(methods, ["A"], "{told:#}");
    assert!(!told.to_string().contains("secretly"), "{told:#}");
    assert!(!Path::new("/A.java").exists());
}
