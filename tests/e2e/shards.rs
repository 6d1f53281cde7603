//! A patch on several machines: each shard a process of its own on a folder of its own, and one report of all.

use crate::support;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What the search does is not the matter here.
const FEW: [&str; 2] = ["--search-runs", "1000"];

fn class(name: &str, limit: i32) -> String {
    format!(
        "package demo;
public class {name} {{
    public static int f(int n) {{ return n > {limit} ? 1 : 0; }}
    public static int g(int n) {{ if (n == {limit}) throw new IllegalStateException(); return n; }}
}}
"
    )
}

/// Two changed overloads, one of which differs only by what the other one does.
fn overloads(limit: i32) -> String {
    let blank = if limit == 3 { "" } else { "char blank = ' '; " };
    let called = if limit == 3 { "' '" } else { "blank" };
    let more = if limit == 3 { "" } else { "fill + " };
    format!(
        "package demo;
public class Pad {{
    public static String pad(String text) {{ {blank}return pad(text, {called}); }}
    public static String pad(String text, char fill) {{ return {more}text + fill; }}
}}
"
    )
}

fn without_seconds(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("seconds");
            map.values_mut().for_each(without_seconds);
        }
        Value::Array(all) => all.iter_mut().for_each(without_seconds),
        _ => {}
    }
}

/// A report, but for its durations and the folder of the checkout, which each shard has its own of.
fn json(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).unwrap();
    let mut value = serde_json::from_str(&without_checkouts(&text)).unwrap();
    without_seconds(&mut value);
    value
}

/// A text without the folders of the checkouts in its replay lines.
fn without_checkouts(text: &str) -> String {
    let mut parts = text.split("--repo ");
    let mut out = parts.next().unwrap().to_string();
    for part in parts {
        let end = part.find([' ', '"', '\\']).unwrap();
        out.push_str(&part[end..]);
    }
    out
}

fn run(mut command: Command) -> (String, Option<i32>) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    (text + &error, output.status.code())
}

/// A repository of two versions of five classes.
fn origin() -> tempfile::TempDir {
    let origin = tempfile::tempdir().unwrap();
    support::git(origin.path(), &["init", "-q"]);
    for limit in [3, 4] {
        for name in ["A", "B", "C", "D"] {
            let file = origin.path().join(format!("src/demo/{name}.java"));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, class(name, limit)).unwrap();
        }
        std::fs::write(origin.path().join("src/demo/Pad.java"), overloads(limit)).unwrap();
        support::git(origin.path(), &["add", "-A"]);
        support::git(origin.path(), &["commit", "-q", "-m", "version"]);
    }
    origin
}

fn clone(origin: &Path, to: &Path) {
    let (from, to) = (origin.to_str().unwrap(), to.to_str().unwrap());
    support::git(origin, &["clone", "-q", from, to]);
}

/// The shards of the plan, whose builds go to a folder.
fn plan(origin: &Path, builds: &Path) -> Vec<String> {
    let mut plan = Command::new(env!("CARGO_BIN_EXE_shadow-ci"));
    plan.args(["plan", "HEAD~1", "HEAD", "--shards", "9", "--repo"]);
    plan.arg(origin).arg("--builds").arg(builds);
    let (text, code) = run(plan);
    assert_eq!(code, Some(0), "{text}");
    let plan: Value = serde_json::from_str(&text).unwrap();
    let shards = plan["include"].as_array().unwrap().iter();
    let shards = shards.map(|s| s["shard"].as_str().unwrap().to_string());
    shards.collect()
}

/// An HTML report but for its durations and the folders of checkouts.
fn page(file: &Path) -> String {
    let text = without_checkouts(&std::fs::read_to_string(file).unwrap());
    let words = text.split(' ');
    // `0.4` before ` s`.
    let words = words.filter(|w| {
        !w.trim_end_matches('\u{a0}')
            .ends_with(|c: char| c.is_ascii_digit())
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn merged_shards_are_the_report_of_the_whole_and_a_lost_one_is_named() {
    let origin = origin();
    let folder = tempfile::tempdir().unwrap();
    let builds = folder.path().join("builds");
    let shards = plan(origin.path(), &builds);
    let expected = ["1/5", "2/5", "3/5", "4/5", "5/5"];
    assert_eq!(shards, expected, "no more than there are classes");

    let mut files = Vec::new();
    for (i, shard) in shards.iter().enumerate() {
        let checkout = folder.path().join(format!("checkout-{i}"));
        clone(origin.path(), &checkout);
        let file = folder.path().join(format!("{i}.json"));
        let mut check = support::shadow_ci(&checkout);
        check.args(FEW);
        check.args(["HEAD~1", "HEAD", "--shard", shard, "--quiet", "--json"]);
        check.arg(&file);
        // Half of them compile by themselves: it must not matter.
        if i % 2 == 0 {
            check.arg("--builds").arg(&builds);
        }
        let (text, code) = run(check);
        assert_eq!(code, Some(0), "{text}");
        assert_eq!(json(&file)["methods"].as_array().unwrap().len(), 2);
        files.push(file);
    }
    let at = |name: &str| folder.path().join(name);
    let mut check = support::shadow_ci(origin.path());
    check.args(FEW);
    check.args(["HEAD~1", "HEAD", "--quiet", "--json"]);
    check.arg(at("whole.json"));
    check.arg("--html").arg(at("whole.html"));
    check.arg("--sarif").arg(at("whole.sarif"));
    run(check);
    let merge = |files: &[std::path::PathBuf], fail_on: &str| {
        let mut merge = Command::new(env!("CARGO_BIN_EXE_shadow-ci"));
        merge.args(["merge", "--fail-on", fail_on]).args(files);
        for kind in ["json", "html", "sarif"] {
            merge
                .arg(format!("--{kind}"))
                .arg(at(&format!("merged.{kind}")));
        }
        run(merge)
    };
    let backwards: Vec<_> = files.iter().rev().cloned().collect();
    let (text, code) = merge(&backwards, "exception");
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(json(&at("merged.json")), json(&at("whole.json")));
    let told_by = json(&at("whole.json")).to_string();
    assert!(
        told_by.contains(r#""told_by":{"class":"demo.Pad""#),
        "{told_by}"
    );
    assert_eq!(json(&at("merged.sarif")), json(&at("whole.sarif")));
    let pages = [page(&at("merged.html")), page(&at("whole.html"))];
    assert!(pages[0].contains("IllegalStateException"));
    assert_eq!(pages[0], pages[1]);

    let (text, code) = merge(&files[1..], "incomplete");
    assert_eq!(code, Some(1), "{text}");
    let lost = "the report of shard 1 is missing: the result is incomplete";
    assert!(text.contains(lost), "{text}");
    assert!(page(&at("merged.html")).contains("is missing: the result is incomplete"));
    let merged = json(&at("merged.json"));
    assert_eq!(merged["lost_shards"], serde_json::json!([1]));
    let skipped = merged["skipped"].to_string();
    assert!(skipped.contains("shard 1/5"), "{skipped}");
    let (text, code) = merge(&[files[1].clone(), files[1].clone()], "never");
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn builds_of_other_commits_are_refused() {
    let origin = origin();
    let folder = tempfile::tempdir().unwrap();
    let builds = folder.path().join("builds");
    plan(origin.path(), &builds);
    support::git(
        origin.path(),
        &["commit", "-q", "--allow-empty", "-m", "more"],
    );
    let mut check = support::shadow_ci(origin.path());
    check.args(["HEAD~2", "HEAD", "--builds"]).arg(&builds);
    let (text, code) = run(check);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("they are of other commits"), "{text}");
}
