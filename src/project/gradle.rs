//! Gradle: a task that an init script adds says how each Java source set would be compiled, as arguments of javac.

use super::Wish;
use super::arguments::{self, Call};
use super::model::Model;
use super::process::{LIMIT, run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The modules of the builds that hold these files.
pub fn model(tree: &Path, notes: &Path, files: &[String], wish: &Wish) -> Model {
    let mut model = Model {
        tool: "gradle".into(),
        ..Model::default()
    };
    let mut roots: Vec<PathBuf> = files.iter().filter_map(|f| root(tree, f)).collect();
    roots.sort();
    roots.dedup();
    for (number, root) in roots.iter().enumerate() {
        let calls = notes.join(format!("calls-{number}"));
        let script = notes.join("init.gradle");
        let written = std::fs::create_dir_all(&calls)
            .and_then(|()| std::fs::write(&script, include_str!("init.gradle")));
        if let Err(e) = written {
            model.notes.push(format!("gradle: {e}"));
            continue;
        }
        let program = program(root, wish.home.as_deref());
        let mut command = Command::new(&program);
        command
            .args(["--no-daemon", "--quiet", "--continue", "--init-script"])
            .arg(&script)
            .arg(format!("-Dshadowci.calls={}", calls.display()))
            .args([
                "-Dorg.gradle.configuration-cache=false",
                "-Dorg.gradle.unsafe.configuration-cache=false",
                "-Dorg.gradle.configureondemand=false",
            ]);
        if wish.offline {
            command.arg("--offline");
        }
        command.arg("shadowCiModel");
        let ran = run(&mut command, root, LIMIT);
        let found = read(&calls);
        if found.is_empty() || !ran.success {
            let lines = ran.last_lines();
            model.notes.push(format!("gradle shadowCiModel: {lines}"));
        }
        model.modules.extend(arguments::modules(found, tree, ""));
    }
    model.modules.sort_by(|a, b| a.dir.cmp(&b.dir));
    model
}

/// What the script noted; jars of modules become the folders of their classes.
fn read(folder: &Path) -> Vec<Call> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    files.sort();
    let mut calls: Vec<Call> = files.iter().filter_map(|f| arguments::noted(f)).collect();
    let jars: BTreeMap<PathBuf, PathBuf> = calls
        .iter()
        .filter_map(|c| Some((c.jar.clone()?, c.output.clone())))
        .collect();
    for entry in calls.iter_mut().flat_map(|c| &mut c.module.class_path) {
        if let Some(output) = jars.get(entry) {
            entry.clone_from(output);
        }
    }
    calls
}

/// The folder a build begins in: the nearest with settings, else the nearest with a build file.
fn root(tree: &Path, file: &str) -> Option<PathBuf> {
    let path = tree.join(file);
    let holds = |names: [&str; 2]| {
        let mut above = path.ancestors().skip(1).take_while(|d| d.starts_with(tree));
        above
            .find(|d| names.iter().any(|n| d.join(n).is_file()))
            .map(Path::to_path_buf)
    };
    holds(["settings.gradle", "settings.gradle.kts"])
        .or_else(|| holds(["build.gradle", "build.gradle.kts"]))
}

/// The wrapper's Gradle where it is there already, else the one on the `PATH`.
fn program(root: &Path, home: Option<&Path>) -> PathBuf {
    let wrapped = || -> Option<PathBuf> {
        let properties = root.join("gradle/wrapper/gradle-wrapper.properties");
        let text = std::fs::read_to_string(properties).ok()?;
        let url = text
            .lines()
            .find_map(|l| l.strip_prefix("distributionUrl="))?;
        let name = url.rsplit('/').next()?.strip_suffix(".zip")?;
        let folder = name.trim_end_matches("-bin").trim_end_matches("-all");
        let dists = home?.join(".gradle/wrapper/dists").join(name);
        let hashes = std::fs::read_dir(dists).ok()?.flatten();
        let mut programs = hashes.map(|hash| hash.path().join(folder).join("bin/gradle"));
        programs.find(|p| p.is_file())
    };
    wrapped().unwrap_or_else(|| "gradle".into())
}
