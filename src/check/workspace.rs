//! The temporary folder of a run: both versions' sources, the unified program, and their builds.

mod build;
mod build_stamps;
mod builds;
mod closure;
mod companions;
mod compilation;
mod compiled_once;
mod crashes;
mod dependents;
mod frameworks;
mod handover;
pub(crate) use build::model;

mod implementations;
mod levels;
mod lost_types;
mod quiet;
mod resources;
mod retries;
mod stand_in_source;
pub(super) mod stand_ins;
mod suite;
mod test_cuts;
mod tolerant;
mod unreferenced;
mod users;
mod values;

pub use builds::{Builds, ChangedBuilds, TwoBuilds};
pub use suite::TestBuild;
pub use tolerant::Uncompiled;

use crate::check::ladder;
use crate::check::patch::{Patch, is_test};
use crate::check::results;
use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::java::{SourceFile, identifiers};
use crate::jvm::{CompileRequest, CompileResult, Jdk, Worker};
use crate::model::{Level, Version};
use crate::options::Options;
use crate::project::{Model, Needs};
use crate::util::deadline::Deadline;
use crate::util::package;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Source files of a project that is compiled by two processes: their start takes less than javac does.
const MANY_FILES: usize = 60;

/// How long compiling the versions may take even if the time limit of the run ends before: without classes there is no report at all.
const LEAST_COMPILING: Duration = Duration::from_secs(30);

/// Where a version's classes are, and what of it does not compile.
type Compiled = (PathBuf, Vec<Uncompiled>);

/// Sources of both versions on disk.
pub struct Workspace {
    dir: tempfile::TempDir,
    class_path: Vec<PathBuf>,
    finest: Level,
    old_roots: Vec<PathBuf>,
    new_roots: Vec<PathBuf>,
    old_files: Vec<String>,
    new_files: Vec<String>,
    /// Folders of the old and the new version's resources.
    resources: [Vec<PathBuf>; 2],
    test_class_path: Vec<PathBuf>,
    /// Options that open packages of the JDK to what runs: those of the old version's tests.
    opens: Vec<String>,
    /// Where the build says that the old and the new version's tests begin.
    test_roots: [Vec<PathBuf>; 2],
    /// Source roots of the modules that only the old and the new version's tests are built from.
    roots_for_tests: [Vec<PathBuf>; 2],
    old_class_path: Vec<PathBuf>,
    notes: Mutex<Vec<(String, String)>>,
    lacks_time: bool,
    /// Changed files that the build does not compile.
    left_out: Vec<String>,
    flags: Mutex<BTreeMap<Version, Vec<String>>>,
    /// The options of the version whose Java level is lower, with the other one's level.
    raised: Option<(Version, Vec<String>)>,
    /// The JDK's runtime image.
    modules: PathBuf,
    threads: usize,
    /// Held while the class that stands for what does not compile is made.
    stand_in: Mutex<()>,
    /// Texts of files, as they were before something was cut out of them.
    uncut: Mutex<BTreeMap<PathBuf, String>>,
    /// Top-level classes of the changed files, by internal name, where javac makes the same of all others in both versions.
    compiled_apart: OnceLock<BTreeSet<String>>,
    /// The compilation by which that was tried, where it failed.
    refused_once: OnceLock<(CompileRequest, CompileResult)>,
}

impl Workspace {
    /// Writes both snapshots.
    ///
    /// # Errors
    /// A commit can't be read, or the temporary folder not be written.
    pub fn new(
        repo: &Repo,
        patch: &Patch,
        jdk: &Jdk,
        (options, end): (&Options, Deadline),
    ) -> Result<Workspace, Error> {
        let dir =
            crate::util::temporary::folder("builds").map_err(|e| io("temporary folder", &e))?;
        let old_folder = dir.path().join(name(Version::Old));
        let snapshot = |commit: &Commit, version, old: Option<&Model>| -> Result<Side, Error> {
            let dest = dir.path().join(name(version));
            let files = repo.snapshot(commit, &dest)?;
            let old = old.map(|model| (model, &*old_folder));
            let (model, mut needs) =
                build::needs(repo, version, patch, (jdk, options, end), (&dest, old))?;
            let found = |r: &String| dest.join(r);
            let roots = match (
                options.builds.source_roots.is_empty(),
                needs.source_roots.is_empty(),
            ) {
                (false, _) => options.builds.source_roots.iter().map(found).collect(),
                (true, false) => needs.source_roots.clone(),
                (true, true) => {
                    let mut roots = roots(&dest, &files, false);
                    // Of classes of one name those beside the changed files are meant.
                    roots.sort_by_key(|r| !patch.paths().any(|p| is_below(p, r)));
                    roots.iter().map(found).collect()
                }
            };
            needs.flags = levels::above_stubs(needs.flags, &roots);
            let resources = resources::of(repo, commit, (&model, &needs), &roots, &dest)?;
            Ok(Side {
                files,
                roots,
                resources,
                model,
                needs,
            })
        };
        let old = snapshot(&patch.old, Version::Old, None)?;
        let new = snapshot(&patch.new, Version::New, Some(&old.model))?;
        let notes = build::notes(&old, &new);
        let folder = |version| dir.path().join(name(version));
        build_stamps::make_alike((&old, &folder(Version::Old)), (&new, &folder(Version::New)));
        let lacks_time = old.model.lacks_time || new.model.lacks_time;
        let left_out = match options.builds.source_roots.is_empty() {
            true => build::left_out(patch, (&old, &new), dir.path()),
            false => Vec::new(),
        };
        // What both versions run with: a dependency of the new version wins.
        let mut class_path = options.builds.class_path.clone();
        build::add(&mut class_path, &new.needs.class_path);
        build::add(&mut class_path, &old.needs.class_path);
        let mut old_class_path = options.builds.class_path.clone();
        build::add(&mut old_class_path, &old.needs.class_path);
        let raised = levels::raised(&old.needs.flags, &new.needs.flags)
            .map(|flags| (Version::Old, flags))
            .or_else(|| {
                let flags = levels::raised(&new.needs.flags, &old.needs.flags)?;
                Some((Version::New, flags))
            });
        let flags = [
            (Version::Old, old.needs.flags),
            (Version::New, new.needs.flags),
        ];
        Ok(Workspace {
            class_path,
            old_class_path,
            test_class_path: new.needs.test_class_path,
            opens: old.model.opens,
            test_roots: [old.needs.test_source_roots, new.needs.test_source_roots],
            roots_for_tests: [old.needs.roots_for_tests, new.needs.roots_for_tests],
            notes: Mutex::new(notes),
            lacks_time,
            left_out,
            finest: options.exploration.finest,
            old_roots: old.roots,
            new_roots: new.roots,
            resources: [old.resources, new.resources],
            old_files: old.files,
            new_files: new.files,
            flags: Mutex::new(BTreeMap::from(flags)),
            raised,
            modules: jdk.modules(),
            threads: options.budgets.threads,
            stand_in: Mutex::default(),
            uncut: Mutex::default(),
            compiled_apart: OnceLock::new(),
            refused_once: OnceLock::new(),
            dir,
        })
    }

    /// Whether a build tool was ended by the time limit of the whole run.
    pub fn lacks_time(&self) -> bool {
        self.lacks_time
    }

    /// What could not be had of the build, and why.
    pub fn notes(&self) -> Vec<(String, String)> {
        let notes = self.notes.lock();
        notes.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changed files that the build does not compile.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    fn note(&self, note: (String, String)) {
        let notes = self.notes.lock();
        let mut notes = notes.unwrap_or_else(PoisonError::into_inner);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// What both versions need: dependencies of the project.
    pub fn class_path(&self) -> &[PathBuf] {
        &self.class_path
    }

    /// What the build says that its tests need beside the classes.
    pub fn test_class_path(&self) -> &[PathBuf] {
        &self.test_class_path
    }

    /// What a version is compiled with.
    fn class_path_of(&self, version: Version) -> Vec<PathBuf> {
        let mut path = match version {
            Version::Old => self.old_class_path.clone(),
            Version::New => self.class_path.clone(),
        };
        path.extend(self.generated(version));
        path
    }

    /// The finest level that methods may be unified at.
    pub(crate) fn finest(&self) -> Level {
        self.finest
    }

    /// Where the classes of a version lie while tests of one version are recorded.
    pub(crate) fn seeds_folder(&self, tests: Version, version: Version) -> PathBuf {
        self.path(&format!("{}-with-{}-tests", name(version), name(tests)))
    }

    /// A version's files, and its source roots.
    fn files_and_roots(&self, version: Version) -> (&[String], &[PathBuf]) {
        match version {
            Version::Old => (&self.old_files, &self.old_roots),
            Version::New => (&self.new_files, &self.new_roots),
        }
    }

    /// Whether a version has a source file for a top-level class, by its internal name, that is no test.
    pub(crate) fn is_main_class(&self, version: Version, class: &str) -> bool {
        let (_, roots) = self.files_and_roots(version);
        let file = format!("{class}.java");
        roots.iter().any(|r| r.join(&file).is_file())
    }

    /// Whether a version has a source file, by its place below some source root.
    pub(crate) fn has_source(&self, version: Version, below: &str) -> bool {
        let mut ends = self
            .files_and_roots(version)
            .0
            .iter()
            .filter_map(|f| f.strip_suffix(below));
        ends.any(|before| before.is_empty() || before.ends_with('/'))
    }

    /// Whether a file lies beside the tests that the build compiles, and is none of them: tests of parsers read such sources.
    pub(crate) fn is_test_data(&self, version: Version, file: &str) -> bool {
        let file = self.path(name(version)).join(file);
        let roots = &self.test_roots[version as usize];
        if roots.iter().any(|root| file.starts_with(root)) {
            return false;
        }
        let Some(tests) = suite::tests_around(&file) else {
            return false;
        };
        let of_build = roots.iter().any(|root| root.parent() == Some(tests));
        let usual = tests.join("java");
        let is_resource = file.starts_with(tests.join("resources"));
        is_resource || of_build || !file.starts_with(&usual) && usual.is_dir()
    }

    /// Source files that both versions have and that are no tests, with their new text.
    fn texts_of_both(&self) -> impl Iterator<Item = (&String, String)> {
        let old: BTreeSet<&String> = self.old_files.iter().collect();
        let base = self.path(name(Version::New));
        let of_both = move |f: &&String| old.contains(f) && !is_test(f);
        self.new_files
            .iter()
            .filter(of_both)
            .filter_map(move |file| {
                let bytes = std::fs::read(base.join(file)).ok()?;
                Some((file, String::from_utf8_lossy(&bytes).into_owned()))
            })
    }

    /// Whether both versions have the same bytes at a path.
    fn is_unchanged(&self, file: &str) -> bool {
        let read = |version| std::fs::read(self.path(name(version)).join(file)).ok();
        let old = read(Version::Old);
        old.is_some() && old == read(Version::New)
    }

    /// Unchanged files that are wanted for their words: those for which that is `Some(true)` first. A changed file is compiled already.
    fn unchanged_files(
        &self,
        wants: impl Fn(&str, &BTreeSet<&str>) -> Option<bool>,
    ) -> Vec<String> {
        let mut found = Vec::new();
        for (file, text) in self.texts_of_both() {
            let words: BTreeSet<&str> = identifiers(&text).collect();
            let wanted = wants(file, &words).filter(|_| self.is_unchanged(file));
            found.extend(wanted.map(|is_first| (!is_first, file.clone())));
        }
        found.sort();
        found.into_iter().map(|f| f.1).collect()
    }

    fn path(&self, part: &str) -> PathBuf {
        self.dir.path().join(part)
    }

    /// Writes another text of a version's source file.
    ///
    /// # Errors
    /// The file system's.
    pub(super) fn rewrite(&self, version: Version, file: &SourceFile) -> Result<(), Error> {
        let place = self.path(name(version)).join(&file.path);
        self.uncut().remove(&place);
        std::fs::write(place, &file.text).map_err(|e| io(&file.path, &e))
    }

    fn uncut(&self) -> MutexGuard<'_, BTreeMap<PathBuf, String>> {
        self.uncut.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compiles old, new and unified program.
    ///
    /// # Errors
    /// Nothing of a version compiles, or the compiler process fails.
    pub fn build(&self, worker: &mut Worker, patch: &Patch) -> Result<Builds, Error> {
        let both = self.build_both(worker, patch)?;
        self.build_unified(worker, patch, both)
    }

    /// Compiles the unified program beside the two versions.
    ///
    /// # Errors
    /// The compiler process fails, or a file can't be written.
    pub fn build_unified(
        &self,
        worker: &mut Worker,
        patch: &Patch,
        both: ChangedBuilds,
    ) -> Result<Builds, Error> {
        let dirs = (&*both.old, &*both.new);
        let (unified, files) = match both.uncompiled.is_empty() {
            true => ladder::unify(self, worker, patch, dirs)?,
            // What is unified is what was compiled.
            false => ladder::unify(self, worker, &self.as_compiled(patch)?, dirs)?,
        };
        results::widen_unified(&unified, &both.other_results)?;
        // The builds outlive this value's borrow: the folder goes when the workspace does.
        Ok(Builds {
            old: both.old,
            new: both.new,
            unified,
            class_path: both.class_path,
            files,
            uncompiled: both.uncompiled,
            stand_ins: both.stand_ins,
            other_results: both.other_results,
            exports: self.exports(),
            sources: Arc::new(self.sources_of_both()),
        })
    }

    /// Compiles the changed files of both versions, and what they need.
    ///
    /// # Errors
    /// Nothing of a version compiles, or the compiler process fails.
    pub fn build_both(&self, worker: &mut Worker, patch: &Patch) -> Result<ChangedBuilds, Error> {
        let left = worker.end().left();
        worker.compile_by(Deadline::after(left.map(|left| left.max(LEAST_COMPILING))));
        let [(old, mut uncompiled), (new, others)] = self.compile_versions(worker, patch)?;
        uncompiled.extend(others);
        self.copy_resources([&old, &new])?;
        let mut class_path = self.class_path.clone();
        if let Some(quiet) = self.quiet_libraries(worker, &class_path)? {
            class_path.insert(0, quiet);
        }
        if !uncompiled.is_empty() {
            class_path.push(self.stand_in());
        }
        class_path.extend(Version::BOTH.into_iter().find_map(|v| self.generated(v)));
        self.add_dependents(worker, patch, (&old, &new))?;
        self.add_users(worker, patch, (&old, &new))?;
        let mut stand_ins = self.add_companions(worker, patch, (&old, &new))?;
        stand_ins.extend(self.add_value_readers(worker, patch, (&old, &new))?);
        self.add_unreferenced(worker, (&old, &new))?;
        worker.end_second();
        worker.compile_by(Deadline::default());
        let around = (&*class_path, &*self.modules);
        let other_results = results::widen(patch, [&old, &new], around)?;
        Ok(ChangedBuilds {
            other_results,
            old,
            new,
            class_path,
            uncompiled,
            stand_ins,
        })
    }

    /// Compiles changed files of both versions, and what they need.
    fn compile_versions(&self, worker: &mut Worker, patch: &Patch) -> Result<[Compiled; 2], Error> {
        self.restore()?;
        if self.looks_the_same_to_others(patch) {
            if let Some(both) = self.compile_others_once(worker, patch)? {
                tracing::debug!("one compilation for the unchanged files of both versions");
                return Ok(both);
            }
            for version in Version::BOTH {
                tolerant::clear(&self.classes_folder(version))?;
            }
        }
        let path = |f: &Option<SourceFile>| f.as_ref().map(|f| f.path.clone());
        let old: Vec<String> = patch.files.iter().filter_map(|f| path(&f.old)).collect();
        let new: Vec<String> = patch.files.iter().filter_map(|f| path(&f.new)).collect();
        let (old, new) = self.in_both(worker, |worker, version| {
            let files = if version == Version::Old { &old } else { &new };
            self.compile_what_can_be(worker, version, files)
        });
        Ok([old?, new?])
    }

    /// Where a version's classes go.
    fn classes_folder(&self, version: Version) -> PathBuf {
        self.path(&format!("{}-classes", name(version)))
    }

    /// What is compiled of each version: of a large project both at once, where there are threads for it.
    fn in_both<T: Send>(
        &self,
        worker: &mut Worker,
        compile: impl Fn(&mut Worker, Version) -> T + Sync,
    ) -> (T, T) {
        if self.threads < 2 || self.new_files.len() < MANY_FILES {
            let old = compile(worker, Version::Old);
            return (old, compile(worker, Version::New));
        }
        worker.both(
            |worker| compile(worker, Version::Old),
            |worker| compile(worker, Version::New),
        )
    }

    /// Compiles files of both versions beside what is there.
    ///
    /// # Errors
    /// The worker fails.
    fn compile_beside_both(
        &self,
        worker: &mut Worker,
        files: [&[String]; 2],
        outs: [&Path; 2],
    ) -> Result<(), Error> {
        if files.iter().all(|files| files.is_empty()) {
            return Ok(());
        }
        if let (Some(changed), true) = (self.compiled_apart.get(), files[0] == files[1]) {
            self.compile_beside(worker, Version::New, files[1], outs[1])?;
            return compiled_once::copy_others(changed, outs);
        }
        let (old, new) = self.in_both(worker, |worker, version| {
            let at = version as usize;
            self.compile_beside(worker, version, files[at], outs[at])
        });
        old.and(new)
    }

    /// Compiles all of both versions but the tests, so that callers in unchanged files are seen; where that fails, the changed
    /// files and what they need.
    ///
    /// # Errors
    /// Nothing of a version compiles, or the compiler process fails.
    pub fn build_whole(&self, worker: &mut Worker, patch: &Patch) -> Result<TwoBuilds, Error> {
        let ChangedBuilds { old, new, .. } = self.build_both(worker, patch)?;
        let mut whole = |version, files: &[String], roots: &[PathBuf]| {
            let base = self.path(name(version));
            let below = |f: &&String| {
                !is_test(f)
                    && !f.ends_with("package-info.java")
                    && roots.iter().any(|r| base.join(f).starts_with(r))
                    && base.join(f).is_file()
            };
            let files: Vec<String> = files.iter().filter(below).cloned().collect();
            self.compile(worker, version, "all-classes", &files, roots)
        };
        let all = whole(Version::Old, &self.old_files, &self.old_roots).and_then(|old| {
            let new = whole(Version::New, &self.new_files, &self.new_roots)?;
            Ok((old, new))
        });
        match all {
            Ok((old, new)) => Ok(TwoBuilds {
                old,
                new,
                partial: None,
            }),
            Err(why @ (Error::Compile { .. } | Error::CompilerCrash { .. })) => Ok(TwoBuilds {
                old,
                new,
                partial: Some(why.to_string()),
            }),
            Err(other) => Err(other),
        }
    }

    /// Paths of a version's source files, and their text.
    pub fn sources(&self, version: Version) -> (&[String], impl Fn(&str) -> Option<String>) {
        let files = match version {
            Version::Old => &self.old_files,
            Version::New => &self.new_files,
        };
        let base = self.path(name(version));
        let read = move |path: &str| {
            let bytes = std::fs::read(base.join(path)).ok()?;
            Some(String::from_utf8_lossy(&bytes).to_string())
        };
        (files, read)
    }
}

/// A version as it was found.
struct Side {
    files: Vec<String>,
    roots: Vec<PathBuf>,
    resources: Vec<PathBuf>,
    model: Model,
    needs: Needs,
}

/// The folder of a version's sources.
fn name(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}

fn io(what: &str, why: &std::io::Error) -> Error {
    Error::Io {
        what: what.into(),
        why: why.to_string(),
    }
}

/// Whether a path lies in a folder, empty for the repository's.
fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|p| p.starts_with('/'))
}

/// Folders that packages begin in, from the package declarations of the files, either of the tests or of all others.
fn roots(base: &Path, files: &[String], tests: bool) -> Vec<String> {
    let mut roots = BTreeSet::new();
    for file in files.iter().filter(|f| is_test(f) == tests) {
        let text = std::fs::read(base.join(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let package = package::folder(&text);
        let folder = file.rsplit_once('/').map_or("", |f| f.0);
        if let Some(root) = folder.strip_suffix(package.as_str()) {
            roots.insert(root.trim_end_matches('/').to_string());
        }
    }
    roots.into_iter().collect()
}
