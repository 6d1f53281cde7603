//! Unchanged files that are compiled too: concrete classes below the abstract ones that the patch's methods are called on or take,
//! without which no input could be made.

use super::{Workspace, io, name};
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::check::patch::{Patch, is_test};
use crate::error::Error;
use crate::jvm::{CompileRequest, Worker};
use crate::model::Version;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files taken for one abstract class, and in all.
const MOST_EACH: usize = 3;
const MOST: usize = 16;
/// Longest way below an abstract class, in files.
const ROUNDS: usize = 2;

/// `ACC_INTERFACE` and `ACC_ABSTRACT` (JVMS table 4.1-B).
const INTERFACE: u16 = 0x0200;
const ABSTRACT: u16 = 0x0400;

impl Workspace {
    /// Compiles into both builds what stands below abstract classes of the patch, where the build has nothing there. What does not
    /// compile is left out: then such inputs can't be made, and the report says so.
    ///
    /// # Errors
    /// The worker fails, or a class file can't be read.
    pub(super) fn add_relatives(
        &self,
        worker: &mut Worker,
        patch: &Patch,
        (old, new): (&Path, &Path),
    ) -> Result<(), Error> {
        let changed: BTreeSet<&str> = patch
            .files
            .iter()
            .filter_map(|f| f.new.as_ref()?.path.rsplit('/').next())
            .collect();
        let mut texts = None;
        let mut taken = BTreeSet::new();
        for _ in 0..ROUNDS {
            let wanted = wanted(&all_classes(new)?, &changed);
            if wanted.is_empty() || taken.len() >= MOST {
                return Ok(());
            }
            let texts = texts.get_or_insert_with(|| self.unchanged_texts(patch));
            let mut files: Vec<&String> = Vec::new();
            for class in &wanted {
                let below = texts.iter().filter(|(_, text)| extends(text, class));
                let mut below: Vec<&String> = below.map(|(path, _)| path).collect();
                below.sort_by_key(|path| (path.len(), *path));
                files.extend(below.into_iter().take(MOST_EACH));
            }
            files.retain(|path| taken.len() < MOST && taken.insert((*path).clone()));
            if files.is_empty() {
                return Ok(());
            }
            let files: Vec<String> = files.into_iter().cloned().collect();
            // What one version lacks is in neither: the two builds differ by the patch alone.
            if let Some(files) = self.compile_beside(worker, Version::New, files, new)? {
                self.compile_beside(worker, Version::Old, files, old)?;
            }
        }
        Ok(())
    }

    /// Source files that both versions have and the patch does not change, tests left out, with their text.
    fn unchanged_texts(&self, patch: &Patch) -> BTreeMap<String, String> {
        let changed: BTreeSet<&str> = patch
            .files
            .iter()
            .flat_map(|f| [&f.old, &f.new])
            .filter_map(|f| Some(&*f.as_ref()?.path))
            .collect();
        let old: BTreeSet<&String> = self.old_files.iter().collect();
        let base = self.path(name(Version::New));
        let in_roots = |f: &str| self.new_roots.iter().any(|r| base.join(f).starts_with(r));
        let files = self.new_files.iter().filter(|f| {
            f.ends_with(".java")
                && !is_test(f)
                && !changed.contains(&***f)
                && old.contains(*f)
                && in_roots(f)
        });
        let read = |f: &String| {
            let bytes = std::fs::read(base.join(f)).ok()?;
            Some((f.clone(), String::from_utf8_lossy(&bytes).into_owned()))
        };
        files.filter_map(read).collect()
    }

    /// Compiles files into a build that is there already; those that do not compile are left out. The files that were compiled.
    fn compile_beside(
        &self,
        worker: &mut Worker,
        version: Version,
        mut files: Vec<String>,
        out: &Path,
    ) -> Result<Option<Vec<String>>, Error> {
        let base = self.path(name(version));
        let roots = match version {
            Version::Old => &self.old_roots,
            Version::New => &self.new_roots,
        };
        let mut class_path = vec![out.to_path_buf()];
        class_path.extend(self.class_path_of(version));
        // Into a folder of its own first: a build must not hold a part of what failed.
        for _ in 0..2 {
            let made =
                tempfile::tempdir_in(self.dir.path()).map_err(|e| io("temporary folder", &e))?;
            let result = worker.compile(&CompileRequest {
                sources: files.iter().map(|p| base.join(p)).collect(),
                source_path: roots.clone(),
                class_path: class_path.clone(),
                out: made.path().to_path_buf(),
                flags: self.flags(version),
            })?;
            if result.success {
                add_new(made.path(), out).map_err(|e| io("temporary folder", &e))?;
                return Ok(Some(files));
            }
            let refused: BTreeSet<PathBuf> = result
                .diagnostics
                .iter()
                .filter(|d| d.error)
                .map(|d| PathBuf::from(&d.file))
                .collect();
            let before = files.len();
            files.retain(|f| !refused.contains(&base.join(f)));
            if files.is_empty() || files.len() == before || result.crashed {
                break;
            }
        }
        Ok(None)
    }
}

fn all_classes(build: &Path) -> Result<Vec<Arc<ClassFile>>, Error> {
    let path = ClassPath::of(&[build.to_path_buf()])?;
    let mut all = Vec::new();
    for name in path.list_dirs() {
        all.extend(path.find(&name)?);
    }
    Ok(all)
}

/// Simple names of abstract classes that the changed files declare or whose methods take, and that nothing concrete in the build
/// stands below.
fn wanted(classes: &[Arc<ClassFile>], changed: &BTreeSet<&str>) -> BTreeSet<String> {
    let is_abstract = |c: &ClassFile| c.access & (INTERFACE | ABSTRACT) != 0;
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut types: BTreeSet<String> = BTreeSet::new();
    for class in classes {
        let file = class.source_file.as_deref();
        if !file.is_some_and(|f| changed.contains(f)) {
            continue;
        }
        if is_abstract(class) {
            names.insert(&class.name);
        }
        for method in &class.methods {
            types.extend(parameter_descriptors(&method.descriptor));
        }
    }
    for class in classes.iter().filter(|c| is_abstract(c)) {
        if types.contains(&format!("L{};", class.name)) {
            names.insert(&class.name);
        }
    }
    names
        .into_iter()
        .filter(|name| !has_concrete(classes, name))
        .filter_map(|name| name.rsplit(['/', '$']).next().map(str::to_string))
        .collect()
}

/// Whether a class that can be made stands below.
fn has_concrete(classes: &[Arc<ClassFile>], above: &str) -> bool {
    let mut found = BTreeSet::from([above]);
    loop {
        let before = found.len();
        for class in classes {
            let mut parents = class.super_name.iter().chain(&class.interfaces);
            if parents.any(|p| found.contains(&**p)) {
                if class.access & (INTERFACE | ABSTRACT) == 0
                    && !crate::bytecode::is_numbered(&class.name)
                {
                    return true;
                }
                found.insert(&class.name);
            }
        }
        if found.len() == before {
            return false;
        }
    }
}

/// Whether a text has a class below that one, by its simple name.
fn extends(text: &str, class: &str) -> bool {
    if !text.contains(class) {
        return false;
    }
    ["extends ", "implements "].iter().any(|keyword| {
        text.match_indices(keyword).any(|(at, _)| {
            let rest = &text[at + keyword.len()..];
            let clause = rest.split(['{', ';', '*']).next().unwrap_or_default();
            let mut words = clause.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            words.any(|w| w == class)
        })
    })
}

/// Copies what the build does not have yet.
pub(super) fn add_new(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let (path, place) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() {
            std::fs::create_dir_all(&place)?;
            add_new(&path, &place)?;
        } else if !place.exists() {
            std::fs::copy(&path, &place)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::extends;

    #[test]
    fn a_class_below_is_seen_by_its_clause() {
        assert!(extends("class A<T> extends B<T>\n implements C, D {", "D"));
        assert!(extends("class A extends B {", "B"));
        assert!(!extends("class A extends Bee { B b; }", "B"));
        assert!(!extends("// extends it;\nB b;", "B"));
    }
}
