//! The judge in Java's own semantics: every input in a square, run on the JVM in both versions of a subject.

use super::Args;
use super::complete::{COLUMNS, TABLE};
use super::subject::Subject;
use super::table::read;
use shadow_ci::commands::explore::{ExploreOptions, Session};
use shadow_ci::jvm::Jdk;
use shadow_ci::options::{Arithmetic, Oracle};
use shadow_ci::symex::ExploreMode;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const RANGE: (i64, i64) = (-100, 100);

/// Runs `CLASS#METHOD`s given as arguments on all inputs, in the versions found below two folders; prints where outcomes differ.
const RUNNER: &str = include_str!("Runner.java");

/// The assumption some subjects state. Excluded inputs are excluded on the JVM by an exception in both versions.
const VERIFY: &str = "package gov.nasa.jpf.vm;\npublic class Verify {\n  public static void ignoreIf(boolean b) {\n    if (b) throw new IllegalStateException();\n  }\n}\n";

/// Compares for each subject with at most two int parameters; the number of subjects that differ.
pub fn compare(args: &Args, root: &Path) -> Result<u64, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let rows = read(&args.reference.join(TABLE), &COLUMNS)?;
    let names = rows.iter().map(|r| r.text("subject"));
    let chosen: Vec<Subject> = names
        .filter(|n| args.wants(n) && judged(n))
        .filter_map(Subject::complete)
        .collect();
    let Some(first) = chosen.first() else {
        return Err("no subject has at most two int parameters".into());
    };
    for subject in &chosen {
        project(root, dir.path(), subject)?;
    }
    let conditions = |subject: &Subject| ExploreOptions {
        from: None,
        arith: Arithmetic::Java,
        oracle: Oracle::Both,
        enumerate: Some(RANGE),
        ..subject.options(root, ExploreMode::Complete)
    };
    let first = conditions(first);
    let jdk =
        Jdk::find(first.java_home.as_deref(), first.path.as_deref()).map_err(|e| e.to_string())?;
    let on_jvm = run(&jdk, dir.path(), &chosen)?;
    let mut session = Session::start(&first).map_err(|e| e.to_string())?;
    println!("| subject | divergent inputs on the JVM | by our path conditions | verdict |");
    println!("|---|---|---|---|");
    let mut differ = 0;
    for subject in &chosen {
        let found = session
            .run(&conditions(subject))
            .map_err(|e| format!("{}: {e}", subject.name))?;
        let none = BTreeSet::new();
        let judge = on_jvm.get(&subject.class).unwrap_or(&none);
        let (ours, _) = found.enumerated.unwrap_or_default();
        let verdict = if ours == *judge { "equal" } else { "different" };
        differ += u64::from(ours != *judge);
        println!(
            "| {} | {} | {} | {verdict} |",
            subject.name,
            judge.len(),
            ours.len()
        );
    }
    println!("\n{differ} of {} subjects differ", chosen.len());
    Ok(differ)
}

/// Subjects with at most two int parameters whose both versions end on the JVM.
fn judged(subject: &str) -> bool {
    let endless = ["Rational.gcd_8", "Rational.simplify_12"];
    !subject.starts_with("WBS") && !endless.contains(&subject)
}

/// Writes the subject as either version: its annotations return one side, which side decides the version.
fn project(root: &Path, dir: &Path, subject: &Subject) -> Result<(), String> {
    let file = subject.file();
    let text = std::fs::read_to_string(root.join(&file)).map_err(|e| format!("{file}: {e}"))?;
    let new = text
        .replace("return oldVal", "return newVal")
        .replace("return executionMode", "return !executionMode");
    write(&dir.join("old-src").join(&file), &text)?;
    write(&dir.join("new-src").join(&file), &new)
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent).map_err(|e| e.to_string())?;
    }
    std::fs::write(file, text).map_err(|e| e.to_string())
}

fn run(
    jdk: &Jdk,
    dir: &Path,
    subjects: &[Subject],
) -> Result<BTreeMap<String, BTreeSet<Vec<i64>>>, String> {
    for version in ["old", "new"] {
        let sources = dir.join(format!("{version}-src"));
        write(&sources.join("gov/nasa/jpf/vm/Verify.java"), VERIFY)?;
        let files = subjects.iter().map(|s| sources.join(s.file()));
        let mut javac = Command::new(jdk.javac());
        javac.arg("-nowarn").arg("-sourcepath").arg(&sources);
        javac.arg("-d").arg(dir.join(version)).args(files);
        finish(&mut javac)?;
    }
    let runner = dir.join("Runner.java");
    write(&runner, RUNNER)?;
    let mut java = Command::new(jdk.home.join("bin/java"));
    let folder = |v: &str| format!("{}/", dir.join(v).display());
    java.arg(&runner)
        .arg(folder("old"))
        .arg(folder("new"))
        .args(subjects.iter().map(|s| format!("{}#{}", s.class, s.method)));
    let mut found: BTreeMap<String, BTreeSet<Vec<i64>>> = BTreeMap::new();
    for line in finish(&mut java)?.lines() {
        let mut words = line.split(' ');
        let class = words.next().unwrap_or_default().to_string();
        let input = words.filter_map(|w| w.parse().ok()).collect();
        found.entry(class).or_default().insert(input);
    }
    Ok(found)
}

fn finish(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).to_string());
    }
    Err(String::from_utf8_lossy(&output.stderr).to_string())
}
