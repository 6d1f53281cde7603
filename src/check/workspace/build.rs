//! What the project's build says of a version: its class path, source roots and options of javac.

use super::Side;
use crate::check::jdk;
use crate::check::patch::Patch;
use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::model::Version;
use crate::options::Options;
use crate::project::{Build, Model, Needs, Tree, Wish, find};
use std::path::{Path, PathBuf};

/// Asks the build tool; a class path given by hand makes that needless.
pub(super) fn needs(
    repo: &Repo,
    (commit, version): (&Commit, Version),
    patch: &Patch,
    options: &Options,
    dest: &Path,
) -> Result<(Model, Needs), Error> {
    if !options.class_path.is_empty() && options.build == Build::Auto {
        return Ok(Default::default());
    }
    let jdk = jdk::of(options)?;
    let files = patch.files.iter().filter_map(|f| match version {
        Version::Old => f.old.as_ref(),
        Version::New => f.new.as_ref(),
    });
    let changed: Vec<String> = files.map(|f| f.path.clone()).collect();
    let listed = repo.files(commit)?;
    let write = |to: &Path| repo.write_all(commit, to).map_err(|e| e.to_string());
    let tree = Tree {
        files: &listed,
        write: &write,
    };
    let wish = Wish {
        build: options.build,
        offline: options.offline,
        cache: options.cache.clone(),
        home: options.home.clone(),
        path: options.path.clone(),
        javac: jdk.javac(),
        jdk: jdk.version,
    };
    let model = find(&tree, &changed, &wish, dest);
    let places: Vec<PathBuf> = changed.iter().map(|f| dest.join(f)).collect();
    let needs = model.needs(&places, jdk.version);
    Ok((model, needs))
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
