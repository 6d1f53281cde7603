//! Hand-over of a workspace between machines: compiled versions in a folder, which another machine uses without compiling.
//!
//! The folder holds all of the workspace, copies of the class path's jars and folders, and `builds.json`, in which every path is
//! relative to one of the two.

use super::{Builds, Uncompiled, Workspace, io};
use crate::check::patch::Patch;
use crate::check::results::OtherResult;
use crate::error::Error;
use crate::jvm::Jdk;
use crate::model::{Level, Version};
use crate::unify::UnifiedFile;
use crate::util::copy::copy;
use crate::util::temporary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

const MANIFEST: &str = "builds.json";
const WORK: &str = "work";
const LIBRARIES: &str = "libraries";

/// A path that means the same on another machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    /// Below the workspace.
    Work(PathBuf),
    /// Below the copies of libraries.
    Library(PathBuf),
}

/// What a build is of: another machine may take it for this only.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Of {
    tool: String,
    old: String,
    new: String,
    jdk: u32,
    finest: Level,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    of: Of,
    class_path: Vec<Place>,
    old_class_path: Vec<Place>,
    test_class_path: Vec<Place>,
    #[serde(default)]
    opens: Vec<String>,
    #[serde(default)]
    test_roots: [Vec<Place>; 2],
    #[serde(default)]
    roots_for_tests: [Vec<Place>; 2],
    old_roots: Vec<Place>,
    new_roots: Vec<Place>,
    old_files: Vec<String>,
    new_files: Vec<String>,
    notes: Vec<(String, String)>,
    left_out: Vec<String>,
    flags: BTreeMap<Version, Vec<String>>,
    old: Place,
    new: Place,
    unified: Place,
    builds_class_path: Vec<Place>,
    files: BTreeMap<String, UnifiedFile>,
    uncompiled: Vec<Uncompiled>,
    #[serde(default)]
    stand_ins: BTreeMap<String, String>,
    other_results: Vec<OtherResult>,
}

fn of(patch: &Patch, jdk: &Jdk, finest: Level) -> Of {
    Of {
        tool: env!("CARGO_PKG_VERSION").into(),
        old: patch.old.id.clone(),
        new: patch.new.id.clone(),
        jdk: jdk.version,
        finest,
    }
}

impl Workspace {
    /// Writes what was built into a folder that is not there yet, or empty.
    ///
    /// # Errors
    /// The folder holds something, or can't be written.
    pub fn hand_over(
        &self,
        builds: &Builds,
        patch: &Patch,
        jdk: &Jdk,
        to: &Path,
    ) -> Result<(), Error> {
        let failed = |e: std::io::Error| io(&format!("cannot write {}", to.display()), &e);
        std::fs::create_dir_all(to).map_err(failed)?;
        if std::fs::read_dir(to).map_err(failed)?.next().is_some() {
            let what = format!("cannot write the builds to {}", to.display());
            let why = "it is not empty".into();
            return Err(Error::Io { what, why });
        }
        copy(self.dir.path(), &to.join(WORK)).map_err(failed)?;
        let mut libraries = Libraries {
            work: self.dir.path(),
            to: &to.join(LIBRARIES),
            known: BTreeMap::new(),
        };
        let manifest = self.manifest(builds, of(patch, jdk, self.finest), &mut libraries);
        let manifest = manifest.map_err(failed)?;
        let text = serde_json::to_vec(&manifest).map_err(|e| failed(e.into()))?;
        std::fs::write(to.join(MANIFEST), text).map_err(failed)
    }

    fn manifest(
        &self,
        builds: &Builds,
        of: Of,
        libraries: &mut Libraries,
    ) -> std::io::Result<Manifest> {
        let flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Manifest {
            of,
            class_path: libraries.places(&self.class_path)?,
            old_class_path: libraries.places(&self.old_class_path)?,
            test_class_path: libraries.places(&self.test_class_path)?,
            opens: self.opens.clone(),
            test_roots: [
                libraries.places(&self.test_roots[0])?,
                libraries.places(&self.test_roots[1])?,
            ],
            roots_for_tests: [
                libraries.places(&self.roots_for_tests[0])?,
                libraries.places(&self.roots_for_tests[1])?,
            ],
            old_roots: libraries.places(&self.old_roots)?,
            new_roots: libraries.places(&self.new_roots)?,
            old_files: self.old_files.clone(),
            new_files: self.new_files.clone(),
            notes: self.notes(),
            left_out: self.left_out.clone(),
            flags: flags.clone(),
            old: libraries.place(&builds.old)?,
            new: libraries.place(&builds.new)?,
            unified: libraries.place(&builds.unified)?,
            builds_class_path: libraries.places(&builds.class_path)?,
            files: builds.files.clone(),
            uncompiled: builds.uncompiled.clone(),
            stand_ins: builds.stand_ins.clone(),
            other_results: builds.other_results.clone(),
        })
    }

    /// Takes what another machine built; its folder is only read.
    ///
    /// # Errors
    /// It is no such folder, or was built of other commits or by another JDK.
    pub fn take_over(
        from: &Path,
        patch: &Patch,
        finest: Level,
        jdk: &Jdk,
    ) -> Result<(Workspace, Builds), Error> {
        let failed = |why: String| Error::Input {
            what: format!("cannot take the builds from {}", from.display()),
            why,
        };
        let from = std::path::absolute(from).map_err(|e| failed(e.to_string()))?;
        let bytes = std::fs::read(from.join(MANIFEST)).map_err(|e| failed(e.to_string()))?;
        let manifest: Manifest =
            serde_json::from_slice(&bytes).map_err(|e| failed(e.to_string()))?;
        if manifest.of != of(patch, jdk, finest) {
            let why = "they are of other commits, or made with another JDK, shadow-ci or --finest";
            return Err(failed(why.into()));
        }
        let dir = temporary::folder("builds").map_err(|e| failed(e.to_string()))?;
        copy(&from.join(WORK), dir.path()).map_err(|e| failed(e.to_string()))?;
        let libraries = from.join(LIBRARIES);
        let path = |place: &Place| -> Result<PathBuf, Error> {
            let (base, below) = match place {
                Place::Work(below) => (dir.path(), below),
                Place::Library(below) => (&*libraries, below),
            };
            let stays = below
                .components()
                .all(|c| matches!(c, Component::Normal(_)));
            match stays {
                true => Ok(base.join(below)),
                false => Err(failed(format!("{} is a path out of it", below.display()))),
            }
        };
        let paths = |all: &[Place]| all.iter().map(path).collect::<Result<Vec<_>, _>>();
        let mut builds = Builds {
            old: path(&manifest.old)?,
            new: path(&manifest.new)?,
            unified: path(&manifest.unified)?,
            class_path: paths(&manifest.builds_class_path)?,
            files: manifest.files,
            uncompiled: manifest.uncompiled,
            stand_ins: manifest.stand_ins,
            other_results: manifest.other_results,
            exports: Vec::new(),
            sources: Arc::default(),
        };
        let workspace = Workspace {
            class_path: paths(&manifest.class_path)?,
            finest: manifest.of.finest,
            old_roots: paths(&manifest.old_roots)?,
            new_roots: paths(&manifest.new_roots)?,
            old_files: manifest.old_files,
            new_files: manifest.new_files,
            // The builds hold them already.
            resources: Default::default(),
            test_class_path: paths(&manifest.test_class_path)?,
            opens: manifest.opens,
            test_roots: [
                paths(&manifest.test_roots[0])?,
                paths(&manifest.test_roots[1])?,
            ],
            roots_for_tests: [
                paths(&manifest.roots_for_tests[0])?,
                paths(&manifest.roots_for_tests[1])?,
            ],
            old_class_path: paths(&manifest.old_class_path)?,
            notes: Mutex::new(manifest.notes),
            lacks_time: false,
            left_out: manifest.left_out,
            flags: Mutex::new(manifest.flags),
            raised: None,
            modules: jdk.modules(),
            // What is handed over is compiled.
            threads: 1,
            stand_in: Mutex::default(),
            uncut: Mutex::default(),
            compiled_apart: OnceLock::new(),
            refused_once: OnceLock::new(),
            dir,
        };
        builds.sources = Arc::new(workspace.sources_of_both());
        builds.exports = workspace.exports();
        Ok((workspace, builds))
    }
}

/// Copies what a class path names outside of the workspace, each once.
struct Libraries<'a> {
    work: &'a Path,
    to: &'a Path,
    known: BTreeMap<PathBuf, PathBuf>,
}

impl Libraries<'_> {
    fn places(&mut self, paths: &[PathBuf]) -> std::io::Result<Vec<Place>> {
        paths.iter().map(|p| self.place(p)).collect()
    }

    fn place(&mut self, path: &Path) -> std::io::Result<Place> {
        if let Ok(below) = path.strip_prefix(self.work) {
            return Ok(Place::Work(below.to_path_buf()));
        }
        if let Some(known) = self.known.get(path) {
            return Ok(Place::Library(known.clone()));
        }
        // Names recur: `classes`, or a jar's of two groups.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = PathBuf::from(format!("{}-{name}", self.known.len()));
        std::fs::create_dir_all(self.to)?;
        if path.is_file() {
            std::fs::copy(path, self.to.join(&name))?;
        } else {
            copy(path, &self.to.join(&name))?;
        }
        self.known.insert(path.to_path_buf(), name.clone());
        Ok(Place::Library(name))
    }
}
