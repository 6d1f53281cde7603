//! A patch on several machines: each shard a process of its own on a folder of its own, and one report of all.

use crate::support;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

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
    let mut parts = text.split(" --repo ");
    let mut text = parts.next().unwrap().to_string();
    for part in parts {
        text.push_str(part.split_once(' ').unwrap().1);
    }
    let mut value = serde_json::from_str(&text).unwrap();
    without_seconds(&mut value);
    value
}

fn run(mut command: Command) -> (String, Option<i32>) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    (text + &error, output.status.code())
}

#[test]
fn merged_shards_are_the_report_of_the_whole_and_a_lost_one_is_named() {
    let origin = tempfile::tempdir().unwrap();
    support::git(origin.path(), &["init", "-q"]);
    for limit in [3, 4] {
        for name in ["A", "B", "C"] {
            let file = origin.path().join(format!("src/demo/{name}.java"));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, class(name, limit)).unwrap();
        }
        support::git(origin.path(), &["add", "-A"]);
        support::git(origin.path(), &["commit", "-q", "-m", "version"]);
    }
    let mut plan = Command::new(env!("CARGO_BIN_EXE_shadow-ci"));
    plan.args(["plan", "HEAD~1", "HEAD", "--shards", "9", "--repo"]);
    plan.arg(origin.path());
    let (text, code) = run(plan);
    assert_eq!(code, Some(0), "{text}");
    let plan: Value = serde_json::from_str(&text).unwrap();
    let shards: Vec<&str> = plan["include"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["shard"].as_str().unwrap())
        .collect();
    assert_eq!(
        shards,
        ["1/3", "2/3", "3/3"],
        "no more than there are classes"
    );

    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (i, shard) in shards.iter().enumerate() {
        let checkout = folder.path().join(format!("checkout-{i}"));
        let (from, to) = (origin.path().to_str().unwrap(), checkout.to_str().unwrap());
        support::git(folder.path(), &["clone", "-q", from, to]);
        let file = folder.path().join(format!("{i}.json"));
        let mut check = support::shadow_ci(&checkout);
        check.args(["HEAD~1", "HEAD", "--shard", shard, "--quiet", "--json"]);
        check.arg(&file);
        let (text, code) = run(check);
        assert_eq!(code, Some(0), "{text}");
        assert_eq!(json(&file)["methods"].as_array().unwrap().len(), 2);
        files.push(file);
    }
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    let mut check = support::shadow_ci(origin.path());
    check
        .args(["HEAD~1", "HEAD", "--quiet", "--json"])
        .arg(&whole);
    run(check);
    let merge = |files: &[std::path::PathBuf], fail_on: &str| {
        let mut merge = Command::new(env!("CARGO_BIN_EXE_shadow-ci"));
        merge.args(["merge", "--fail-on", fail_on, "--json"]);
        merge.arg(&merged).args(files);
        run(merge)
    };
    let backwards: Vec<_> = files.iter().rev().cloned().collect();
    let (text, code) = merge(&backwards, "exception");
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(json(&merged), json(&whole));

    let (text, code) = merge(&files[1..], "incomplete");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("shard 1"), "{text}");
    assert_eq!(json(&merged)["lost_shards"], serde_json::json!([1]));
}
