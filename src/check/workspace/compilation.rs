//! Compilation of a workspace: one version, package descriptions, and the unified program.

use super::{Workspace, io, name};
use crate::bytecode::SCOPES;
use crate::bytecode::{ClassPathError, Retired, with_retired};
use crate::error::Error;
use crate::jvm::{CompileRequest, CompileResult, Worker};
use crate::model::Version;
use crate::unify::{self, UnifiedFile};
use crate::util::file::write;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

impl Workspace {
    /// What compiles files of a version and what they need.
    pub(super) fn request(&self, version: Version, paths: &[String], out: &Path) -> CompileRequest {
        let base = self.path(name(version));
        let (_, roots) = self.files_and_roots(version);
        CompileRequest {
            sources: paths.iter().map(|p| base.join(p)).collect(),
            source_path: roots.to_vec(),
            class_path: self.class_path_of(version),
            out: out.to_path_buf(),
            flags: self.flags(version),
        }
    }

    pub(super) fn compile(
        &self,
        worker: &mut Worker,
        version: Version,
        folder: &str,
        paths: &[String],
        roots: &[PathBuf],
    ) -> Result<PathBuf, Error> {
        let (which, version) = (version, name(version));
        let out = self.path(&format!("{version}-{folder}"));
        std::fs::create_dir_all(&out).map_err(|e| io("temporary folder", &e))?;
        if paths.is_empty() {
            return Ok(out);
        }
        let base = self.path(version);
        let request = CompileRequest {
            source_path: roots.to_vec(),
            ..self.request(which, paths, &out)
        };
        let result = worker.compile(&request)?;
        if result.success {
            let packages = annotated_packages(&request.sources);
            self.compile_packages(worker, packages, roots, &out)?;
            return Ok(out);
        }
        let messages = result.messages(&base);
        Err(match result.crashed {
            true => Error::CompilerCrash { messages },
            false => Error::Compile { version, messages },
        })
    }

    /// Compiles descriptions of packages beside the classes. What the classes do without may be missing: then these do too.
    pub(super) fn compile_packages(
        &self,
        worker: &mut Worker,
        sources: Vec<PathBuf>,
        roots: &[PathBuf],
        out: &Path,
    ) -> Result<(), Error> {
        if sources.is_empty() {
            return Ok(());
        }
        let mut class_path = vec![out.to_path_buf()];
        class_path.extend(self.class_path.iter().cloned());
        worker.compile(&CompileRequest {
            sources,
            source_path: roots.to_vec(),
            class_path,
            out: out.to_path_buf(),
            flags: Vec::new(),
        })?;
        Ok(())
    }

    /// Writes the class files that unified files are compiled against.
    pub(crate) fn write_union(
        &self,
        retired: &Retired,
        builds: (&Path, &Path),
    ) -> Result<(), Error> {
        let base = self.path("union-classes");
        for class in retired.classes() {
            let made = with_retired(&class, retired, builds);
            let malformed = |error| ClassPathError::Malformed {
                class: class.to_string(),
                error,
            };
            if let Some(bytes) = made.map_err(malformed)? {
                let file = base.join(format!("{class}.class"));
                write(&file, bytes).map_err(|e| io("temporary folder", &e))?;
            }
        }
        Ok(())
    }

    /// Compiles unified files against both versions' classes, the new ones first.
    pub(crate) fn compile_unified(
        &self,
        worker: &mut Worker,
        files: &BTreeMap<String, UnifiedFile>,
        (old, new): (&Path, &Path),
    ) -> Result<(PathBuf, CompileResult), Error> {
        let (base, out) = (self.path("unified"), self.path("unified-classes"));
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir_all(&out).map_err(|e| io("temporary folder", &e))?;
        let put = |path: &str, text: &str| -> Result<PathBuf, Error> {
            let file = base.join(path);
            write(&file, text).map_err(|e| io("temporary folder", &e))?;
            Ok(file)
        };
        let mut sources = vec![put("com/shadowci/Shadow.java", unify::SHADOW_JAVA)?];
        for (path, file) in files {
            sources.push(put(path, &file.source)?);
        }
        let union = self.path("union-classes");
        let mut class_path = vec![union, new.to_path_buf(), old.to_path_buf()];
        class_path.extend(self.class_path.iter().cloned());
        class_path.push(self.stand_in());
        let request = CompileRequest {
            sources,
            source_path: vec![base.join("none")],
            class_path,
            out: out.clone(),
            flags: self.flags(Version::New),
        };
        let result = worker.compile(&request)?;
        Ok((out, result))
    }
}

/// The descriptions of the files' packages that say what may be null in them.
pub(super) fn annotated_packages(files: &[PathBuf]) -> Vec<PathBuf> {
    let folders: BTreeSet<&Path> = files.iter().filter_map(|f| f.parent()).collect();
    let descriptions = folders.into_iter().map(|f| f.join("package-info.java"));
    let says = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        SCOPES.iter().any(|scope| text.contains(scope))
    };
    descriptions.filter(says).collect()
}
