//! The temporary folder of a run: both versions' sources, the unified program, and their builds.

use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::jvm::{CompileRequest, CompileResult, Worker};
use crate::options::Options;
use crate::pipeline::{Patch, is_test};
use crate::unify::{self, MethodKey, UnifiedFile};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How often the unified program is compiled before everything falls to the method level.
const ROUNDS: usize = 4;

/// Sources of both versions on disk.
pub struct Workspace {
    dir: tempfile::TempDir,
    class_path: Vec<PathBuf>,
    old_roots: Vec<PathBuf>,
    new_roots: Vec<PathBuf>,
}

/// Compiled classes of the three builds.
pub struct Builds {
    /// Old classes.
    pub old: PathBuf,
    /// New classes.
    pub new: PathBuf,
    /// Classes of the unified program.
    pub unified: PathBuf,
    /// Dependencies.
    pub class_path: Vec<PathBuf>,
    /// The unified files, by path.
    pub files: BTreeMap<String, UnifiedFile>,
}

impl Workspace {
    /// Writes both snapshots.
    pub fn new(repo: &Repo, patch: &Patch, options: &Options) -> Result<Workspace, Error> {
        let dir = tempfile::Builder::new()
            .prefix("shadow-ci-")
            .tempdir()
            .map_err(|e| io("temporary folder", &e))?;
        let snapshot = |commit: &Commit, name: &str| -> Result<Vec<PathBuf>, Error> {
            let dest = dir.path().join(name);
            let files = repo.snapshot(commit, &dest)?;
            let roots = if options.source_roots.is_empty() {
                source_roots(&dest, &files)
            } else {
                options.source_roots.clone()
            };
            Ok(roots.iter().map(|r| dest.join(r)).collect())
        };
        let old_roots = snapshot(&patch.old, "old")?;
        let new_roots = snapshot(&patch.new, "new")?;
        Ok(Workspace {
            class_path: options.class_path.clone(),
            old_roots,
            new_roots,
            dir,
        })
    }

    fn path(&self, part: &str) -> PathBuf {
        self.dir.path().join(part)
    }

    /// Compiles old and new version.
    pub fn build_versions(
        &self,
        worker: &mut Worker,
        patch: &Patch,
    ) -> Result<(PathBuf, PathBuf), Error> {
        let old: Vec<&str> = patch
            .files
            .iter()
            .filter_map(|f| f.old.as_ref())
            .map(|f| f.path.as_str())
            .collect();
        let new: Vec<&str> = patch
            .files
            .iter()
            .filter_map(|f| f.new.as_ref())
            .map(|f| f.path.as_str())
            .collect();
        let old = self.compile(worker, "old", &old, &self.old_roots)?;
        let new = self.compile(worker, "new", &new, &self.new_roots)?;
        Ok((old, new))
    }

    /// Compiles old, new and unified program.
    pub fn build(&self, worker: &mut Worker, patch: &Patch) -> Result<Builds, Error> {
        let (old, new) = self.build_versions(worker, patch)?;
        let (unified, files) = self.unify(worker, patch, &new)?;
        // The builds outlive this value's borrow: the folder goes when the workspace does.
        Ok(Builds {
            old,
            new,
            unified,
            class_path: self.class_path.clone(),
            files,
        })
    }

    fn compile(
        &self,
        worker: &mut Worker,
        version: &'static str,
        paths: &[&str],
        roots: &[PathBuf],
    ) -> Result<PathBuf, Error> {
        let out = self.path(&format!("{version}-classes"));
        std::fs::create_dir_all(&out).map_err(|e| io("temporary folder", &e))?;
        if paths.is_empty() {
            return Ok(out);
        }
        let base = self.path(version);
        let request = CompileRequest {
            sources: paths.iter().map(|p| base.join(p)).collect(),
            source_path: roots.to_vec(),
            class_path: self.class_path.clone(),
            out: out.clone(),
        };
        let result = worker.compile(&request)?;
        if result.success {
            return Ok(out);
        }
        Err(Error::Compile {
            version,
            messages: messages(&result, &base),
        })
    }

    /// Unifies and compiles, letting rejected methods fall to the next level, in few rounds.
    fn unify(
        &self,
        worker: &mut Worker,
        patch: &Patch,
        new: &Path,
    ) -> Result<(PathBuf, BTreeMap<String, UnifiedFile>), Error> {
        let mut fallback: BTreeSet<MethodKey> = BTreeSet::new();
        let out = self.path("unified-classes");
        for round in 0..=ROUNDS {
            let mut files = BTreeMap::new();
            for file in &patch.files {
                if let (Some(old), Some(new)) = (&file.old, &file.new) {
                    let unified =
                        unify::unify_file(old, new, &file.diff, &fallback, round == ROUNDS);
                    if unified.methods.iter().any(|m| m.is_fine()) {
                        files.insert(new.path.clone(), unified);
                    }
                }
            }
            let _ = std::fs::remove_dir_all(&out);
            std::fs::create_dir_all(&out).map_err(|e| io("temporary folder", &e))?;
            if files.is_empty() {
                return Ok((out, all_files(patch, &fallback, round)));
            }
            let result = self.compile_unified(worker, &files, new, &out)?;
            if result.success {
                let mut all = all_files(patch, &fallback, round);
                all.extend(files);
                return Ok((out, all));
            }
            let before = fallback.len();
            for d in result.diagnostics.iter().filter(|d| d.error) {
                for (path, file) in files.iter().filter(|(p, _)| d.file.ends_with(p.as_str())) {
                    let _ = path;
                    let hit: Vec<MethodKey> = file.at_line(d.line);
                    fallback.extend(if hit.is_empty() { file.fine() } else { hit });
                }
            }
            if fallback.len() == before {
                fallback.extend(files.values().flat_map(|f| f.fine()));
            }
        }
        Ok((out, all_files(patch, &fallback, ROUNDS)))
    }

    fn compile_unified(
        &self,
        worker: &mut Worker,
        files: &BTreeMap<String, UnifiedFile>,
        new: &Path,
        out: &Path,
    ) -> Result<CompileResult, Error> {
        let base = self.path("unified");
        let write = |path: &str, text: &str| -> Result<PathBuf, Error> {
            let file = base.join(path);
            if let Some(parent) = file.parent() {
                std::fs::create_dir_all(parent).map_err(|e| io("temporary folder", &e))?;
            }
            std::fs::write(&file, text).map_err(|e| io("temporary folder", &e))?;
            Ok(file)
        };
        let mut sources = vec![write("com/shadowci/Shadow.java", unify::SHADOW_JAVA)?];
        for (path, file) in files {
            sources.push(write(path, &file.source)?);
        }
        let mut class_path = vec![new.to_path_buf()];
        class_path.extend(self.class_path.iter().cloned());
        let request = CompileRequest {
            sources,
            source_path: vec![base.join("none")],
            class_path,
            out: out.to_path_buf(),
        };
        Ok(worker.compile(&request)?)
    }
}

fn all_files(
    patch: &Patch,
    fallback: &BTreeSet<MethodKey>,
    round: usize,
) -> BTreeMap<String, UnifiedFile> {
    let mut all = BTreeMap::new();
    for file in &patch.files {
        if let (Some(old), Some(new)) = (&file.old, &file.new) {
            all.insert(
                new.path.clone(),
                unify::unify_file(old, new, &file.diff, fallback, round == ROUNDS),
            );
        }
    }
    all
}

fn io(what: &str, why: &std::io::Error) -> Error {
    Error::Io {
        what: what.into(),
        why: why.to_string(),
    }
}

fn messages(result: &CompileResult, base: &Path) -> String {
    let base = base.display().to_string();
    let shown = result
        .diagnostics
        .iter()
        .filter(|d| d.error)
        .take(5)
        .map(|d| {
            let file = d
                .file
                .strip_prefix(&base)
                .unwrap_or(&d.file)
                .trim_start_matches('/');
            format!(
                "  {file}:{}: {}",
                d.line,
                d.message.lines().next().unwrap_or_default()
            )
        });
    shown.collect::<Vec<_>>().join("\n")
}

/// Folders that packages begin in, from the files' package declarations; test roots last.
fn source_roots(base: &Path, files: &[String]) -> Vec<String> {
    let mut roots = BTreeSet::new();
    for file in files {
        let text = std::fs::read(base.join(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let package = text
            .lines()
            .find_map(|l| {
                l.trim()
                    .strip_prefix("package ")?
                    .split(';')
                    .next()
                    .map(|p| p.trim().replace('.', "/"))
            })
            .unwrap_or_default();
        let folder = file.rsplit_once('/').map_or("", |f| f.0);
        if let Some(root) = folder.strip_suffix(package.as_str()) {
            roots.insert((is_test(file), root.trim_end_matches('/').to_string()));
        }
    }
    roots
        .into_iter()
        .filter(|(test, _)| !test)
        .map(|r| r.1)
        .collect()
}
