//! `benchmarks CHECKOUT`: decisions of shadow-ci on the pairs of a public benchmark of equivalence checking, EqBench or ARDiff's.
//!
//! A pair is two files `oldV.java` and `newV.java` below a folder `Eq` or `Neq`. Each becomes a repository of two commits. A pair is
//! decided if every changed method is proved equivalent, or one differs in a replay.

use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const USAGE: &str =
    "usage: benchmarks CHECKOUT [--every N] [--binary FILE] [-- OPTIONS OF shadow-ci]";

/// What came of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Decision {
    ProvedLocally,
    ProvedByExploration,
    Different,
    Open,
    Failed,
}

struct Settings {
    checkout: PathBuf,
    binary: PathBuf,
    every: usize,
    options: Vec<String>,
}

struct Row {
    pair: String,
    is_equal: bool,
    decision: Decision,
    why: String,
    took: Duration,
}

fn settings() -> Result<Settings, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut settings = Settings {
        checkout: args.next().ok_or(USAGE)?.into(),
        binary: "target/release/shadow-ci".into(),
        every: 1,
        options: Vec::new(),
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--every" => settings.every = args.next().ok_or(USAGE)?.parse()?,
            "--binary" => settings.binary = args.next().ok_or(USAGE)?.into(),
            "--" => settings.options = args.by_ref().collect(),
            _ => return Err(USAGE.into()),
        }
    }
    settings.binary = settings.binary.canonicalize()?;
    Ok(settings)
}

/// Folders that hold both versions, sorted.
fn pairs(dir: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if dir.join("oldV.java").is_file() && dir.join("newV.java").is_file() {
        found.push(dir.to_path_buf());
    }
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with(".git") {
            pairs(&path, found)?;
        }
    }
    found.sort();
    Ok(())
}

/// Both versions as commits of one class `Pair`.
fn commit(pair: &Path, repo: &Path) -> Result<(), Box<dyn Error>> {
    let git = |args: &[&str]| -> Result<(), Box<dyn Error>> {
        let mut command = Command::new("git");
        let identity = ["-c", "user.name=b", "-c", "user.email=b@b"];
        command.arg("-C").arg(repo).args(identity).args(args);
        match command.output()?.status.success() {
            true => Ok(()),
            false => Err(format!("git {}", args.join(" ")).into()),
        }
    };
    git(&["init", "-q"])?;
    for (number, version) in ["oldV", "newV"].iter().enumerate() {
        let bytes = std::fs::read(pair.join(format!("{version}.java")))?;
        let text = String::from_utf8_lossy(&bytes);
        let lines = text
            .lines()
            .filter(|l| !l.trim_start().starts_with("package "));
        let text: Vec<String> = lines.map(named_pair).collect();
        std::fs::write(repo.join("Pair.java"), text.join("\n") + "\n")?;
        git(&["add", "-A"])?;
        git(&["commit", "-q", "--allow-empty", "-m", &number.to_string()])?;
    }
    Ok(())
}

/// A line of a version whose class is called `Pair`; one file of EqBench has its class by the other version's name.
fn named_pair(line: &str) -> String {
    line.replace("oldV", "Pair").replace("newV", "Pair")
}

fn check(settings: &Settings, pair: &Path) -> Result<(Decision, String), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    commit(pair, dir.path())?;
    let mut command = Command::new(&settings.binary);
    command.args(["HEAD~1", "HEAD", "--build", "none", "--fail-on", "never"]);
    command.arg("--repo").arg(dir.path()).args(["--json", "-"]);
    let output = command.args(&settings.options).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(start) = text.find('{') else {
        let said = String::from_utf8_lossy(&output.stderr);
        return Ok((
            Decision::Failed,
            said.lines().next().unwrap_or_default().into(),
        ));
    };
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    let report = values.next().ok_or("no report")??;
    Ok(decision(&report))
}

fn decision(report: &Value) -> (Decision, String) {
    let methods = report["methods"].as_array().cloned().unwrap_or_default();
    let verdict = |m: &Value| m["verdict"].as_str().unwrap_or_default().to_string();
    let outcome = |m: &&Value| {
        let all = m["findings"].as_array().into_iter().flatten();
        all.clone().any(|f| f["class"] != "control-only")
    };
    if methods.iter().any(|m| outcome(&m)) {
        return (Decision::Different, String::new());
    }
    if let Some(open) = methods.iter().find(|m| verdict(m) != "equivalent") {
        let limits = open["limits"].as_array().into_iter().flatten();
        let reasons: Vec<&str> = limits.filter_map(|l| l["reason"].as_str()).collect();
        return (
            Decision::Open,
            format!("{} {}", verdict(open), reasons.join(",")),
        );
    }
    let local = |m: &Value| m["proof"] != "exhaustive";
    match methods.iter().all(local) {
        true => (Decision::ProvedLocally, String::new()),
        false => (Decision::ProvedByExploration, String::new()),
    }
}

fn print(rows: &[Row]) {
    println!("label | pairs | proved locally | proved by exploration | different | open | failed");
    for is_equal in [true, false] {
        let of: Vec<&Row> = rows.iter().filter(|r| r.is_equal == is_equal).collect();
        let mut count: BTreeMap<Decision, usize> = BTreeMap::new();
        for row in &of {
            *count.entry(row.decision).or_default() += 1;
        }
        let n = |d| count.get(&d).copied().unwrap_or_default();
        let label = if is_equal { "equivalent" } else { "different" };
        println!(
            "{label} | {} | {} | {} | {} | {} | {}",
            of.len(),
            n(Decision::ProvedLocally),
            n(Decision::ProvedByExploration),
            n(Decision::Different),
            n(Decision::Open),
            n(Decision::Failed)
        );
    }
    let mut times: Vec<Duration> = rows.iter().map(|r| r.took).collect();
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    println!("median {:.1} s", median.as_secs_f64());
}

fn main() -> Result<(), Box<dyn Error>> {
    let settings = settings()?;
    let mut found = Vec::new();
    pairs(&settings.checkout, &mut found)?;
    let mut rows = Vec::new();
    for pair in found.iter().step_by(settings.every.max(1)) {
        let is_equal = pair.iter().any(|part| part == "Eq");
        let started = Instant::now();
        let (decision, why) = check(&settings, pair)?;
        let name = pair.strip_prefix(&settings.checkout)?.display().to_string();
        let row = Row {
            pair: name,
            is_equal,
            decision,
            why,
            took: started.elapsed(),
        };
        // A label and a decision that contradict each other: the replay is right, or shadow-ci is wrong.
        let word = match (row.is_equal, row.decision) {
            (true, Decision::Different) => "LABEL REFUTED BY REPLAY",
            (false, Decision::ProvedLocally | Decision::ProvedByExploration) => {
                "PROVED AGAINST LABEL"
            }
            (_, Decision::Open) => "open",
            (_, Decision::Failed) => "failed",
            _ => "",
        };
        if !word.is_empty() {
            eprintln!(
                "{}: {word} {} ({:.1} s)",
                row.pair,
                row.why,
                row.took.as_secs_f64()
            );
        }
        rows.push(row);
    }
    print(&rows);
    Ok(())
}
