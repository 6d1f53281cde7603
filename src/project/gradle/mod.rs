//! Gradle: a task of an init script reports the compilation of each Java source set as arguments of javac.

mod files;
mod locks;
mod managed;
mod names;
mod platform;
mod projects;
mod published;
mod roots;
mod settings;
mod text;

use super::arguments::{self, Call};
use super::maven::Maven;
use super::model::Model;
use super::process::{NO_JVM, run};
use super::{Wish, made_poms};
use crate::util::folder::entries;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use locks::FILES as LOCKS;

/// Options that a JVM does not know are passed over.
const IGNORING: &str = "-XX:+IgnoreUnrecognizedVMOptions";

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
        let program = match program(root, wish) {
            Ok(program) => program,
            Err(why) => {
                translate(&mut model, (tree, notes, root), files, wish, why);
                continue;
            }
        };
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
        let mut ran = run(&command, root, wish.end);
        // The build's settings may name options that the JVM in use no longer has, such as `-XX:MaxPermSize`; Gradle's own JVM gets them.
        if ran.output.contains(NO_JVM) {
            let options = format!("{} {IGNORING}", wish.jvm_options);
            command.env("JAVA_TOOL_OPTIONS", options.trim_start());
            ran = run(&command, root, wish.end);
        }
        let found = arguments::modules(read(&calls), tree, "");
        let lines = format!("gradle shadowCiModel: {}", ran.last_lines());
        if found.is_empty() {
            translate(&mut model, (tree, notes, root), files, wish, lines);
        } else if !ran.success {
            model.notes.push(lines);
        }
        model.modules.extend(found);
    }
    model.modules.sort_by(|a, b| a.dir.cmp(&b.dir));
    model
}

/// The level that build scripts say, with the version catalogs that they may name.
pub fn declared_level(scripts: &[String], catalogs: &[String]) -> Option<u32> {
    let mut names = names::Names::default();
    for catalog in catalogs {
        names.read_catalog("libs", catalog);
    }
    let all: Vec<text::Statement> = scripts.iter().flat_map(|s| text::statements(s)).collect();
    names.note(&all);
    files::level_of(&all, &names)
}

/// What the script noted; jars of modules become the folders of their classes.
fn read(folder: &Path) -> Vec<Call> {
    let files = entries(folder);
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

/// What the build files declare, where Gradle can't be asked.
fn translate(
    model: &mut Model,
    (tree, notes, root): (&Path, &Path, &Path),
    files: &[String],
    wish: &Wish,
    why: String,
) {
    let below = |f: &&String| tree.join(f).starts_with(root);
    let files: Vec<String> = files.iter().filter(below).cloned().collect();
    let maven = Maven::of(tree, notes, wish);
    let projects = projects::projects(&files::Files::read(root), tree, root, &files);
    let made = made_poms::resolve(&maven, root, &projects, wish.jdk);
    model.notes.push(format!("{why}; {}", made.note));
    model.is_complete |= made.is_complete;
    model.modules.extend(made.modules);
}

/// The wrapper's Gradle where it is there already, else the one on the `PATH`, unless it is too old for the build.
fn program(root: &Path, wish: &Wish) -> Result<PathBuf, String> {
    let name = distribution(root);
    let folder = name.as_deref().map(folder_of);
    if let (Some(name), Some(folder), Some(home)) = (&name, folder, &wish.home) {
        let dists = home.join(".gradle/wrapper/dists").join(name);
        let hashes = std::fs::read_dir(dists).into_iter().flatten().flatten();
        let mut programs = hashes.map(|hash| hash.path().join(folder).join("bin/gradle"));
        if let Some(program) = programs.find(|p| p.is_file()) {
            return Ok(program);
        }
    }
    let Some((program, installed)) = installed(wish) else {
        return Err("there is no gradle".into());
    };
    let wanted = name.as_deref().and_then(version_of);
    match (wanted, installed) {
        (Some(wanted), Some(installed)) if major(wanted) > major(&installed) => Err(format!(
            "the build wants Gradle {wanted}, here is {installed}"
        )),
        _ => Ok(program),
    }
}

/// The distribution that a build's wrapper names, such as `gradle-6.9.2-bin`.
fn distribution(root: &Path) -> Option<String> {
    let properties = root.join("gradle/wrapper/gradle-wrapper.properties");
    let text = std::fs::read_to_string(properties).ok()?;
    let mut lines = text.lines();
    let url = lines.find_map(|l| l.strip_prefix("distributionUrl="))?;
    Some(url.rsplit('/').next()?.strip_suffix(".zip")?.to_string())
}

/// The folder in a distribution: `gradle-6.9.2`.
fn folder_of(distribution: &str) -> &str {
    distribution
        .trim_end_matches("-bin")
        .trim_end_matches("-all")
}

/// The version of a distribution: `6.9.2`.
fn version_of(distribution: &str) -> Option<&str> {
    folder_of(distribution).strip_prefix("gradle-")
}

/// The Gradle on the `PATH`, and its version as the names of its jars tell it.
fn installed(wish: &Wish) -> Option<(PathBuf, Option<String>)> {
    let folders = std::env::split_paths(wish.path.as_ref()?);
    let program = folders.map(|d| d.join("gradle")).find(|p| p.is_file())?;
    let real = std::fs::canonicalize(&program).unwrap_or(program.clone());
    let lib = real.parent().and_then(Path::parent).map(|h| h.join("lib"));
    let jars = lib.and_then(|lib| std::fs::read_dir(lib).ok());
    let version = jars.into_iter().flatten().flatten().find_map(|jar| {
        let name = jar.file_name().to_string_lossy().into_owned();
        let rest = name.strip_prefix("gradle-base-services-")?;
        let version = rest.strip_suffix(".jar")?;
        version
            .starts_with(|c: char| c.is_ascii_digit())
            .then(|| version.to_string())
    });
    Some((program, version))
}

/// The first number of a version.
fn major(version: &str) -> u32 {
    let digits = version.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|d| d.parse().ok()).unwrap_or(0)
}
