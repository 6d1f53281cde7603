//! A build of a version that compiles only in part: javac's rejects are cut out of the private copy, and reported.

use super::compilation::annotated_packages;
use super::levels;
use super::lost_types::LostTypes;
use super::{Workspace, crashes, io, name};
use crate::align::{FileDiff, compare};
use crate::check::patch::{ChangedFile, Patch};
use crate::error::Error;
use crate::java::{Cut, CutScope, NOT_COMPILED_JAVA, SourceFile, cut};
use crate::jvm::{CompileRequest, CompileResult, Diagnostic, Worker};
use crate::model::Version;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How often what is refused is cut out before the version is given up.
const ROUNDS: usize = 40;

/// Code of one version that does not compile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncompiled {
    /// Which version's.
    pub version: Version,
    /// Its file.
    pub path: String,
    /// What was left out of the build because of it.
    pub cut: Cut,
    /// javac's message, with its place.
    pub message: String,
    /// Whether javac itself failed there.
    pub crashed: bool,
}

impl Uncompiled {
    /// The error that ends a run in which nothing could be analysed.
    pub fn error(all: &[Uncompiled]) -> Option<Error> {
        let first = all.first()?;
        let of_version = all.iter().filter(|u| u.version == first.version);
        let mut lines: Vec<String> = Vec::new();
        for one in of_version {
            let line = format!("  {}", one.message);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines.truncate(5);
        let messages = lines.join("\n");
        Some(match first.crashed {
            true => Error::CompilerCrash { messages },
            false => Error::Compile {
                version: name(first.version),
                messages,
            },
        })
    }
}

impl Workspace {
    /// Options of javac that a version's sources were found to need.
    pub(super) fn flags(&self, version: Version) -> Vec<String> {
        let flags = self.flags.lock();
        let flags = flags.unwrap_or_else(std::sync::PoisonError::into_inner);
        flags.get(&version).cloned().unwrap_or_default()
    }

    /// The options that export packages of the JDK to what is compiled, and open those to it that the project runs with.
    pub fn exports(&self) -> Vec<String> {
        let both = [Version::Old, Version::New].map(|version| self.flags(version));
        let exports = both.concat().into_iter();
        let mut found: Vec<String> = exports
            .filter(|f| f.starts_with("--add-exports="))
            .chain(self.opens.iter().cloned())
            .collect();
        found.sort();
        found.dedup();
        found
    }

    pub(super) fn set_flags(&self, version: Version, found: Vec<String>) {
        let flags = self.flags.lock();
        let mut flags = flags.unwrap_or_else(std::sync::PoisonError::into_inner);
        flags.insert(version, found);
    }

    /// The folder with the class that stands for what does not compile.
    pub(super) fn stand_in(&self) -> PathBuf {
        self.path("not-compiled")
    }

    /// Compiles files of a version and what they need, without what does not compile.
    ///
    /// # Errors
    /// The worker fails, or javac refuses something that stands in no file.
    pub(super) fn compile_what_can_be(
        &self,
        worker: &mut Worker,
        version: Version,
        paths: &[String],
    ) -> Result<(PathBuf, Vec<Uncompiled>), Error> {
        let base = self.path(name(version));
        let out = self.classes_folder(version);
        std::fs::create_dir_all(&out).map_err(|e| io("temporary folder", &e))?;
        if paths.is_empty() {
            return Ok((out, Vec::new()));
        }
        let (_, roots) = self.files_and_roots(version);
        let mut request = self.request(version, paths, &out);
        request.name_needed(&[]);
        let mut result = self.compile_at_some_level(worker, version, &mut request)?;
        if !result.success && request.runs_processors() && crashes::is_in_no_file(&result) {
            result = self.with_loadable_processors(worker, version, (&mut request, result))?;
        }
        if !result.success {
            result = self.with_auxiliary(worker, (&mut request, result))?;
        }
        if !result.success {
            result = self.with_siblings(worker, version, (&mut request, result))?;
        }
        if !result.success && request.runs_processors() {
            result = self.with_whole_modules(worker, version, paths, (&mut request, result))?;
        }
        if !result.success && request.runs_processors() {
            let refused = (&mut request, result);
            result = self.without_refusing_processors(worker, version, refused)?;
        }
        let mut uncompiled: Vec<Uncompiled> = Vec::new();
        let mut lost = LostTypes::new(&base, roots);
        for round in 0.. {
            if result.success {
                break;
            }
            lost.note(&request, &result);
            tracing::debug!(round, said = result.messages(&base), "does not compile");
            let mut found = match round < ROUNDS {
                true => cut_out(version, &base, &result, &mut self.uncut())?,
                false => Vec::new(),
            };
            if found.is_empty() {
                let messages = result.messages(&base);
                return Err(match result.crashed {
                    true => Error::CompilerCrash { messages },
                    false => Error::Compile {
                        version: name(version),
                        messages,
                    },
                });
            }
            while !found.is_empty() {
                let told = lost.errors(&found, &request);
                uncompiled.append(&mut found);
                found = cut_out(version, &base, &told, &mut self.uncut())?;
            }
            if round == 0 {
                self.write_stand_in(worker)?;
                request.class_path.push(self.stand_in());
            }
            clear(&out)?;
            request.sources.retain(|file| file.is_file());
            if request.sources.is_empty() {
                break;
            }
            result = worker.compile(&request)?;
        }
        let packages = annotated_packages(&request.sources);
        self.compile_packages(worker, packages, roots, &out)?;
        Ok((out, uncompiled))
    }

    /// The first result that is a success, else that of the level with the fewest errors.
    fn compile_at_some_level(
        &self,
        worker: &mut Worker,
        version: Version,
        request: &mut CompileRequest,
    ) -> Result<CompileResult, Error> {
        if let Some(result) = self.compile_at_the_other_level(worker, version, request)? {
            return Ok(result);
        }
        let first = match self.refused_once.get() {
            Some((same, result)) if same == request => result.clone(),
            _ => worker.compile(request)?,
        };
        if first.success {
            return Ok(first);
        }
        let mut best = self.compile_exporting(worker, request, first)?;
        for flags in levels::others(&best.0, &best.1) {
            clear(&request.out)?;
            request.flags = flags;
            let result = worker.compile(request)?;
            let in_files = result
                .diagnostics
                .iter()
                .all(|d| !d.error || !d.file.is_empty());
            if result.success || in_files && errors(&result) < errors(&best.1) {
                best = (request.flags.clone(), result);
            }
            if best.1.success {
                break;
            }
        }
        request.flags = best.0.clone();
        self.set_flags(version, best.0);
        Ok(best.1)
    }

    /// The last result, and its options, of exporting packages of the JDK to sources as long as javac names some more.
    fn compile_exporting(
        &self,
        worker: &mut Worker,
        request: &mut CompileRequest,
        first: CompileResult,
    ) -> Result<(Vec<String>, CompileResult), Error> {
        let mut best = (request.flags.clone(), first);
        while let Some(flags) = levels::exporting(&best.0, &best.1) {
            tracing::debug!(flags = flags.join(" "), "packages of the JDK are hidden");
            clear(&request.out)?;
            request.flags.clone_from(&flags);
            best = (flags, worker.compile(request)?);
        }
        Ok(best)
    }

    /// Compiles the version of the lower Java level at the level of the other one; `None` where its sources don't compile there.
    fn compile_at_the_other_level(
        &self,
        worker: &mut Worker,
        version: Version,
        request: &mut CompileRequest,
    ) -> Result<Option<CompileResult>, Error> {
        let Some((_, raised)) = self.raised.as_ref().filter(|(v, _)| *v == version) else {
            return Ok(None);
        };
        let own = std::mem::replace(&mut request.flags, raised.clone());
        let result = worker.compile(request)?;
        if result.success {
            self.set_flags(version, raised.clone());
            let why = "each version has its own: both are compiled at the higher one";
            self.note(("Java level".into(), why.into()));
            return Ok(Some(result));
        }
        request.flags = own;
        clear(&request.out)?;
        Ok(None)
    }

    fn write_stand_in(&self, worker: &mut Worker) -> Result<(), Error> {
        let _one_at_a_time = self.stand_in.lock();
        let folder = self.path("stand-in");
        let source = (&*folder, "NotCompiled.java", NOT_COMPILED_JAVA);
        compile_text(worker, source, &self.stand_in())
    }

    /// Puts back what an earlier build has cut out: it is looked at once more, and told again.
    pub(super) fn restore(&self) -> Result<(), Error> {
        for (file, text) in std::mem::take(&mut *self.uncut()) {
            std::fs::write(&file, text).map_err(|e| io(&file.to_string_lossy(), &e))?;
        }
        Ok(())
    }

    /// The patch as it was compiled: without what was cut out.
    pub(super) fn as_compiled(&self, patch: &Patch) -> Result<Patch, Error> {
        let read = |version: Version, file: &Option<SourceFile>| -> Result<_, Error> {
            let Some(file) = file else { return Ok(None) };
            let place = self.path(name(version)).join(&file.path);
            if !place.exists() {
                return Ok(None);
            }
            let bytes = std::fs::read(place).map_err(|e| io(&file.path, &e))?;
            Ok(Some(SourceFile::read(&file.path, &bytes)?))
        };
        let mut files = Vec::new();
        for file in &patch.files {
            let (old, new) = (
                read(Version::Old, &file.old)?,
                read(Version::New, &file.new)?,
            );
            let diff = match (&old, &new) {
                (Some(a), Some(b)) => compare(a, b),
                _ => FileDiff::default(),
            };
            files.push(ChangedFile { old, new, diff });
        }
        Ok(Patch {
            old: patch.old.clone(),
            new: patch.new.clone(),
            files,
            skipped: Vec::new(),
            overloads: patch.overloads.clone(),
        })
    }
}

/// Writes a source file into a folder, and compiles it into another one.
pub(super) fn compile_text(
    worker: &mut Worker,
    (folder, file, text): (&Path, &str, &str),
    out: &Path,
) -> Result<(), Error> {
    let source = folder.join(file);
    let write = || {
        std::fs::create_dir_all(folder)?;
        std::fs::create_dir_all(out)?;
        std::fs::write(&source, text)
    };
    write().map_err(|e| io("temporary folder", &e))?;
    worker.compile(&CompileRequest {
        sources: vec![source.clone()],
        out: out.to_path_buf(),
        ..CompileRequest::default()
    })?;
    Ok(())
}

pub(super) fn errors(result: &CompileResult) -> usize {
    result.diagnostics.iter().filter(|d| d.error).count()
}

/// Cuts what the errors are about out of the files below `base`, and keeps their texts.
fn cut_out(
    version: Version,
    base: &Path,
    result: &CompileResult,
    uncut: &mut BTreeMap<PathBuf, String>,
) -> Result<Vec<Uncompiled>, Error> {
    let mut by_file: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for error in result.diagnostics.iter().filter(|d| d.error) {
        if Path::new(&error.file).starts_with(base) {
            by_file.entry(&error.file).or_default().push(error);
        }
    }
    let mut all = Vec::new();
    for (file, errors) in by_file {
        let failed = |e: std::io::Error| io(file, &e);
        let text = std::fs::read_to_string(file).map_err(failed)?;
        uncut.entry(file.into()).or_insert_with(|| text.clone());
        let path = Path::new(file)
            .strip_prefix(base)
            .unwrap_or(Path::new(file));
        let path = path.to_string_lossy().replace('\\', "/");
        let place = |d: &Diagnostic| match d.position {
            u32::MAX => usize::MAX,
            at => at as usize,
        };
        let positions: BTreeSet<usize> = errors.iter().map(|d| place(d)).collect();
        let positions: Vec<usize> = positions.into_iter().collect();
        let (text, cuts) = cut(&path, &text, &positions, name(version))?;
        // A file without its class ends javac at each use; without the file all uses are told at once.
        let lost = cuts.iter().any(|cut| cut.part >= CutScope::Type);
        match lost && SourceFile::read(&path, text.as_bytes())?.types.is_empty() {
            true => std::fs::remove_file(file).map_err(failed)?,
            false => std::fs::write(file, text).map_err(failed)?,
        }
        for cut in cuts {
            let error = errors.iter().find(|d| place(d) == cut.at);
            let message = error.map_or(String::new(), |d| match d.line {
                0 => format!("{path}: {}", d.summary()),
                line => format!("{path}:{line}: {}", d.summary()),
            });
            all.push(Uncompiled {
                version,
                path: path.clone(),
                cut,
                message,
                crashed: result.crashed,
            });
        }
    }

    Ok(all)
}

/// Empties a folder of classes: what an earlier try wrote there fits nothing.
pub(super) fn clear(out: &Path) -> Result<(), Error> {
    let _ = std::fs::remove_dir_all(out);
    std::fs::create_dir_all(out).map_err(|e| io("temporary folder", &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_lost_its_class_is_gone_and_one_that_lost_a_method_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let error = |name: &str, text: &str, wrong: &str| {
            let file = dir.path().join(name);
            std::fs::write(&file, text).unwrap();
            Diagnostic {
                error: true,
                file: file.to_string_lossy().into_owned(),
                position: text.find(wrong).unwrap() as u32,
                message: "cannot find symbol".into(),
                ..Diagnostic::default()
            }
        };
        let result = CompileResult {
            diagnostics: vec![
                error("A.java", "class A extends Gone {}", "Gone"),
                error("B.java", "class B { int f() { return Gone.x; } }", "Gone"),
            ],
            ..CompileResult::default()
        };
        let mut uncut = BTreeMap::new();
        let found = cut_out(Version::Old, dir.path(), &result, &mut uncut).unwrap();
        let parts: Vec<CutScope> = found.iter().map(|u| u.cut.part).collect();
        assert_eq!(parts, [CutScope::Type, CutScope::Body]);
        assert!(!dir.path().join("A.java").exists());
        assert!(dir.path().join("B.java").exists());
    }
}
