//! The judge in Java's own semantics: every input in a square, run on the JVM in both versions of a subject.

use super::{class_of, options};
use shadow_ci::explore::{ExploreOptions, Session};
use shadow_ci::jvm::Jdk;
use shadow_ci::options::{Arithmetic, Oracle};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const RANGE: (i64, i64) = (-100, 100);

/// Runs `CLASS#METHOD`s given as arguments on all inputs, in the versions found below two folders; prints where outcomes differ.
const RUNNER: &str = include_str!("Runner.java");

/// The assumption some subjects state. Excluded inputs are excluded on the JVM by an exception in both versions.
const VERIFY: &str = "package gov.nasa.jpf.vm;\npublic class Verify {\n  public static void ignoreIf(boolean b) {\n    if (b) throw new IllegalStateException();\n  }\n}\n";

/// Compares for each subject with at most two int parameters; the number of subjects that differ.
pub fn compare<'a>(root: &Path, subjects: impl Iterator<Item = &'a str>) -> Result<u64, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut chosen = BTreeMap::new();
    for subject in subjects.filter(|s| judged(s)) {
        let (class, method) = class_of(subject).ok_or("unknown subject")?;
        project(root, dir.path(), &class)?;
        chosen.insert(subject.to_string(), (class, method));
    }
    let Some((class, method)) = chosen.values().next() else {
        return Err("no subject has at most two int parameters".into());
    };
    let conditions = |class: &str, method: &str| ExploreOptions {
        from: None,
        arith: Arithmetic::Java,
        oracle: Oracle::Both,
        enumerate: Some(RANGE),
        loop_bound: 12,
        ..options(root, class, method, 12)
    };
    let first = conditions(class, method);
    let jdk =
        Jdk::find(first.java_home.as_deref(), first.path.as_deref()).map_err(|e| e.to_string())?;
    let on_jvm = run(&jdk, dir.path(), chosen.values())?;
    let mut session = Session::start(&first).map_err(|e| e.to_string())?;
    println!("| subject | divergent inputs on the JVM | by our path conditions | verdict |");
    println!("|---|---|---|---|");
    let mut differ = 0;
    for (subject, (class, method)) in &chosen {
        let found = session
            .run(&conditions(class, method))
            .map_err(|e| format!("{subject}: {e}"))?;
        let none = BTreeSet::new();
        let judge = on_jvm.get(class).unwrap_or(&none);
        let (ours, _) = found.enumerated.unwrap_or_default();
        let verdict = if ours == *judge { "equal" } else { "different" };
        differ += u64::from(ours != *judge);
        println!(
            "| {subject} | {} | {} | {verdict} |",
            judge.len(),
            ours.len()
        );
    }
    println!("\n{differ} of {} subjects differ", chosen.len());
    Ok(differ)
}

/// Subjects with at most two int parameters whose both versions end on the JVM.
fn judged(subject: &str) -> bool {
    let whole = ["Rational.abs", "Rational.gcd", "foo", "Joda"];
    whole.iter().any(|s| subject.starts_with(s)) && subject != "Rational.gcd_8"
}

/// Writes the subject as either version: its annotations return one side, which side decides the version.
fn project(root: &Path, dir: &Path, class: &str) -> Result<(), String> {
    let file = format!("{}.java", class.replace('.', "/"));
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

fn run<'a>(
    jdk: &Jdk,
    dir: &Path,
    subjects: impl Iterator<Item = &'a (String, &'static str)>,
) -> Result<BTreeMap<String, BTreeSet<Vec<i64>>>, String> {
    let subjects: Vec<String> = subjects.map(|(c, m)| format!("{c}#{m}")).collect();
    for version in ["old", "new"] {
        let sources = dir.join(format!("{version}-src"));
        write(&sources.join("gov/nasa/jpf/vm/Verify.java"), VERIFY)?;
        let files = subjects.iter().map(|s| {
            let class = s.split('#').next().unwrap_or_default();
            sources.join(format!("{}.java", class.replace('.', "/")))
        });
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
        .args(&subjects);
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
