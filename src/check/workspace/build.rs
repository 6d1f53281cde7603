//! The build model of a version: its class path, source roots and options of javac.

use super::{Side, name};
use crate::bytecode::ClassPath;
use crate::check::patch::{ChangedFile, Patch};
use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::java::SourceFile;
use crate::jvm::Jdk;
use crate::model::Version;
use crate::options::Options;
use crate::project::{
    Model, NONE, Needs, Tree, Wish, carry_over, find, processors, release_of_jar,
};
use crate::util::deadline::Deadline;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How much of a run's time a build tool may take, where that is limited: without any left nothing is analysed, whatever it answers.
const SHARE: f64 = 0.6;

/// Asks the build tool, if any is to be asked. The old version's answer in its folder holds for the new one too, if both have one build.
pub(super) fn needs(
    repo: &Repo,
    version: Version,
    patch: &Patch,
    (jdk, options, end): (&Jdk, &Options, Deadline),
    (dest, old): (&Path, Option<(&Model, &Path)>),
) -> Result<(Model, Needs), Error> {
    let commit = patch.commit(version);
    let changed = changed_files(patch, version);
    let tests: Vec<String> = patch.tests().map(str::to_string).collect();
    let carried = match old {
        Some((model, from)) => {
            let trees = [repo.files(&patch.old)?, repo.files(commit)?];
            let asked = |files: &[String]| [files, &*tests].concat();
            let before = asked(&changed_files(patch, Version::Old));
            carry_over(
                model,
                [&trees[0], &trees[1]],
                [&before, &asked(&changed)],
                (from, dest),
            )
        }
        None => None,
    };
    let model = match carried {
        Some(model) => {
            write_libraries(repo, commit, &model, dest)?;
            model
        }
        None => model(repo, commit, (&changed, &tests), (jdk, options, end), dest)?,
    };
    let places: Vec<PathBuf> = changed.iter().map(|f| dest.join(f)).collect();
    let mut needs = model.needs(&places, jdk.version);
    if model.modules.is_empty() || model.tool == NONE {
        // As javac does that is told nothing of processors.
        let class_path = options.builds.class_path.iter().chain(&needs.class_path);
        needs.flags = processors(&class_path.cloned().collect::<Vec<_>>());
    }
    Ok((model, needs))
}

/// The paths of the changed files in a version.
fn changed_files(patch: &Patch, version: Version) -> Vec<String> {
    patch.paths_in(version).map(str::to_string).collect()
}

/// The build model of the modules that these files of a commit belong to, and of those that hold their tests; its tree is in `dest`, or is
/// written there.
///
/// # Errors
/// The commit can't be read.
pub(crate) fn model(
    repo: &Repo,
    commit: &Commit,
    (sources, tests): (&[String], &[String]),
    (jdk, options, end): (&Jdk, &Options, Deadline),
    dest: &Path,
) -> Result<Model, Error> {
    let files = repo.files(commit)?;
    let write = |to: &Path| repo.write_all(commit, to).map_err(|e| e.to_string());
    let tree = Tree {
        files: &files,
        tests,
        write: &write,
    };
    let wish = Wish {
        end: Deadline::after(end.left().map(|left| left.mul_f64(SHARE))),
        build: options.builds.tool(),
        offline: options.builds.offline,
        cache: options.environment.cache.clone(),
        home: options.environment.home.clone(),
        path: options.environment.path.clone(),
        maven_options: options.environment.maven_options.clone(),
        jvm_options: options.environment.jvm_options.clone(),
        javac: jdk.javac(),
        jdk: jdk.version,
    };
    let mut model = find(&tree, sources, &wish, dest);
    write_libraries(repo, commit, &model, dest)?;
    leave_out_broken(&mut model, dest);
    leave_out_newer(&mut model, jdk.version);
    Ok(model)
}

/// Leaves jars of the commit out of a model's class paths that are none: what tests read is also called so.
fn leave_out_broken(model: &mut Model, dest: &Path) {
    let is_own = |p: &Path| p.starts_with(dest) && p.extension().is_some_and(|e| e == "jar");
    let broken = leave_out(model, |entry| {
        is_own(entry) && ClassPath::of(std::slice::from_ref(&entry.to_path_buf())).is_err()
    });
    let names = broken.iter().filter_map(|p| p.strip_prefix(dest).ok());
    if let Some(which) = first_of(names.map(|p| p.display().to_string())) {
        model
            .notes
            .push(format!("left out, as it is no jar: {which}"));
    }
}

/// Leaves jars out whose classes the JDK can't read: javac ends at the first one that code names, and says nothing of the others.
fn leave_out_newer(model: &mut Model, jdk: u32) {
    let newer = leave_out(model, |entry| {
        entry.is_file() && release_of_jar(entry).is_some_and(|release| release > jdk)
    });
    let names = newer.iter().filter_map(|p| p.file_name());
    if let Some(which) = first_of(names.map(|n| n.to_string_lossy().into_owned())) {
        let note = format!("left out, as it is compiled for a newer Java than {jdk}: {which}");
        model.notes.push(note);
    }
}

/// Leaves such entries out of all class paths, and gives them.
fn leave_out(model: &mut Model, is_of_no_use: impl Fn(&Path) -> bool) -> BTreeSet<PathBuf> {
    let mut known: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for module in &mut model.modules {
        for path in [&mut module.class_path, &mut module.test_class_path] {
            path.retain(|entry| {
                let gone = known.entry(entry.clone());
                !*gone.or_insert_with_key(|entry| is_of_no_use(entry))
            });
        }
    }
    let gone = known.into_iter().filter(|(_, gone)| *gone);
    gone.map(|(entry, _)| entry).collect()
}

/// The first name, and how many more there are.
fn first_of(mut names: impl Iterator<Item = String>) -> Option<String> {
    let first = names.next()?;
    Some(match names.count() {
        0 => first,
        more => format!("{first}, and {more} more"),
    })
}

/// Writes the jars of a model that are files of the commit.
fn write_libraries(repo: &Repo, commit: &Commit, model: &Model, dest: &Path) -> Result<(), Error> {
    let named = model.modules.iter().flat_map(|m| {
        let processors = m.processors.iter().flatten();
        m.class_path
            .iter()
            .chain(&m.test_class_path)
            .chain(processors)
    });
    let is_missing = |p: &&PathBuf| p.extension().is_some_and(|e| e == "jar") && !p.exists();
    for jar in named.filter(is_missing) {
        let Some(path) = jar.strip_prefix(dest).ok().and_then(Path::to_str) else {
            continue;
        };
        if let Some(bytes) = repo.read(commit, path)? {
            std::fs::create_dir_all(jar.parent().unwrap_or(dest))
                .and_then(|()| std::fs::write(jar, bytes))
                .map_err(|e| super::io(path, &e))?;
        }
    }
    Ok(())
}

/// Changed files that the build compiles in no version.
pub(super) fn left_out(patch: &Patch, (old, new): (&Side, &Side), dir: &Path) -> Vec<String> {
    let is_compiled = |file: &SourceFile, side: &Side, version: Version| {
        let place = dir.join(name(version)).join(&file.path);
        !side.model.leaves_out(&place)
    };
    let is_left_out = |f: &&ChangedFile| {
        let in_old = f
            .old
            .as_ref()
            .is_some_and(|f| is_compiled(f, old, Version::Old));
        let in_new = f
            .new
            .as_ref()
            .is_some_and(|f| is_compiled(f, new, Version::New));
        !in_old && !in_new
    };
    let files = patch.files.iter().filter(is_left_out);
    let paths = files.flat_map(|f| [&f.old, &f.new]).flatten();
    let paths: BTreeSet<String> = paths.map(|f| f.path.clone()).collect();
    paths.into_iter().collect()
}

/// What could not be had, and why, of both versions.
pub(super) fn notes(old: &Side, new: &Side) -> Vec<(String, String)> {
    let mut notes: Vec<(String, String)> = Vec::new();
    for side in [new, old] {
        for note in &side.model.notes {
            let what = "the build's class path".to_string();
            let note = (what, note.clone());
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    let jars = |side: &Side| {
        let names = side.needs.class_path.iter().filter_map(|p| p.file_name());
        let mut names: Vec<_> = names.map(|n| n.to_owned()).collect();
        names.sort();
        names
    };
    if !old.model.modules.is_empty() && !new.model.modules.is_empty() && jars(old) != jars(new) {
        let why = "both versions are run with the new version's, and with those that only the old one has";
        notes.push(("dependencies that changed".into(), why.into()));
    }
    notes
}

/// Adds what is not there yet.
pub(super) fn add(all: &mut Vec<PathBuf>, more: &[PathBuf]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}
