//! The documented workflows of several machines, run here: each job's script as a process in a folder of its own.

use crate::support;
use serde::Deserialize;
use serde_yaml_ng::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn workflow(name: &str) -> Vec<Value> {
    let file = support::root().join("docs/workflows").join(name);
    let text = std::fs::read_to_string(file).unwrap();
    let documents = serde_yaml_ng::Deserializer::from_str(&text);
    documents.map(|d| Value::deserialize(d).unwrap()).collect()
}

/// A repository of two versions of two classes, and the two commits.
fn repository() -> (tempfile::TempDir, [String; 2]) {
    let repo = tempfile::tempdir().unwrap();
    support::git(repo.path(), &["init", "-q"]);
    let commit = |limit: i32| {
        for name in ["A", "B"] {
            let file = repo.path().join(format!("src/demo/{name}.java"));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            let text = format!(
                "package demo;\npublic class {name} {{\n    public static int f(int n) {{ return n > {limit} ? 1 : 0; }}\n}}\n"
            );
            std::fs::write(file, text).unwrap();
        }
        support::git(repo.path(), &["add", "-A"]);
        support::git(repo.path(), &["commit", "-q", "-m", "version"]);
        support::git(repo.path(), &["rev-parse", "HEAD"])
            .trim()
            .to_string()
    };
    let commits = [commit(3), commit(4)];
    (repo, commits)
}

fn run(script: &str, folder: &Path, environment: &[(&str, &str)]) {
    let binary = Path::new(env!("CARGO_BIN_EXE_shadow-ci")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("/bin/sh")
        .args(["-ec", script])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", binary.display()))
        .env_remove("GITHUB_ACTIONS")
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}\n{text}{error}");
}

fn copy(from: &Path, to: &Path) {
    let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
    assert!(
        Command::new("cp")
            .args(["-R", from, to])
            .status()
            .unwrap()
            .success()
    );
}

fn report(file: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn gitlabs_jobs_make_one_report() {
    let (repo, [old, new]) = repository();
    let folder = tempfile::tempdir().unwrap();
    let workflow = &workflow("gitlab-shards.yml")[0];
    let script = |job: &str| {
        let lines = workflow[job]["script"].as_sequence().unwrap().iter();
        lines
            .map(|l| l.as_str().unwrap())
            .collect::<Vec<_>>()
            .join("\n")
    };
    let checkout = |name: &str| -> PathBuf {
        let to = folder.path().join(name);
        support::git(
            folder.path(),
            &[
                "clone",
                "-q",
                repo.path().to_str().unwrap(),
                to.to_str().unwrap(),
            ],
        );
        to
    };
    let commits = [
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", &*old),
        ("CI_COMMIT_SHA", &*new),
    ];
    let plan = checkout("plan");
    run(&script("shadow-ci-plan"), &plan, &commits);
    let last = checkout("last");
    let total = workflow["shadow-ci-shards"]["parallel"].as_u64().unwrap();
    for index in 1..=total {
        let place = checkout(&format!("shard-{index}"));
        copy(&plan.join("shadow-ci-builds"), &place);
        let (index, total) = (index.to_string(), total.to_string());
        let node = [("CI_NODE_INDEX", &*index), ("CI_NODE_TOTAL", &*total)];
        run(
            &script("shadow-ci-shards"),
            &place,
            &[&commits[..], &node].concat(),
        );
        let file = format!("shadow-ci-{index}.json");
        copy(&place.join(&file), &last.join(&file));
    }
    run(&script("shadow-ci"), &last, &commits);
    let report = report(&last.join("shadow-ci.json"));
    assert_eq!(report["summary"]["diverges"], 2);
    for file in ["shadow-ci.html", "gl-code-quality.json", "shadow-ci.xml"] {
        assert!(last.join(file).is_file(), "{file}");
    }
}

#[test]
fn kubernetes_pods_make_one_report() {
    let (repo, [old, new]) = repository();
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().join("reports");
    std::fs::create_dir(&reports).unwrap();
    let jobs = workflow("kubernetes-shards.yaml");
    // Each pod has a file system of its own, but for the claim.
    let pod = |job: &Value, index: u64| {
        let own = tempfile::tempdir().unwrap();
        let container = &job["spec"]["template"]["spec"]["containers"][0];
        let script = container["args"][0].as_str().unwrap();
        let script = script.replace("/tmp/", &format!("{}/", own.path().display()));
        let script = script.replace("/reports", reports.to_str().unwrap());
        let index = index.to_string();
        let environment = [
            ("REPOSITORY", repo.path().to_str().unwrap()),
            ("OLD", &old),
            ("NEW", &new),
            ("JOB_COMPLETION_INDEX", &index),
        ];
        run(&script, own.path(), &environment);
    };
    pod(&jobs[0], 0);
    let pods = jobs[1]["spec"]["completions"].as_u64().unwrap();
    (0..pods).for_each(|index| pod(&jobs[1], index));
    let merge = "shadow-ci merge reports/*.json --json all.json --fail-on never";
    run(merge, folder.path(), &[]);
    let report = report(&folder.path().join("all.json"));
    assert_eq!(report["summary"]["diverges"], 2);
    assert!(report.get("lost_shards").is_none());
}
