//! Resources: files that the program reads from its class path.

use super::{Workspace, io};
use crate::check::patch::is_test;
use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::project::{Filtered, Model, Needs};
use crate::util::copy::copy_wanted;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders in which a module has its sources, and what is made of them.
const PARTS: [&str; 3] = ["src", "target", "build"];

/// Writes a version's resources below `dest`, and gives their folders: those that the build files name, those of the usual names in modules
/// with source roots, and without a build tool the source roots, since compilers and IDEs copy what lies beside sources.
///
/// # Errors
/// The commit can't be read, or a file not be written.
pub(super) fn of(
    repo: &Repo,
    commit: &Commit,
    (model, needs): (&Model, &Needs),
    roots: &[PathBuf],
    dest: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let named = match model.modules.is_empty() {
        true => roots,
        false => &needs.resources,
    };
    let named = named.iter().filter_map(|f| f.strip_prefix(dest).ok());
    // A repository is no folder of resources.
    let named = named.filter(|f| !f.as_os_str().is_empty());
    let named: Vec<PathBuf> = named.map(Path::to_path_buf).collect();
    let mut folders = repo.snapshot_resources(commit, dest, &named)?;
    let modules = modules(roots, dest);
    folders.retain(|folder| {
        let below = folder.strip_prefix(dest).unwrap_or(folder);
        let is_here = || {
            model.modules.is_empty()
                || named.iter().any(|n| n == below)
                || is_of(&modules, folder, dest)
        };
        !is_of_tests(folder, dest) && is_here()
    });
    let is_below = |f: &Filtered| f.folder != dest && f.folder.starts_with(dest);
    let filtered = needs.filtered.iter().filter(|f| is_below(f));
    for filtered in filtered.filter(|f| f.folder.is_dir()) {
        filtered.apply().map_err(|e| io("resources", &e))?;
    }
    Ok(folders)
}

/// Whether a folder of a version's files is one of tests.
pub(super) fn is_of_tests(folder: &Path, base: &Path) -> bool {
    let below = folder.strip_prefix(base).unwrap_or(folder);
    is_test(&below.join("file").to_string_lossy())
}

/// The folders of the modules that source roots lie in.
pub(super) fn modules(roots: &[PathBuf], base: &Path) -> BTreeSet<PathBuf> {
    let of = |root: &PathBuf| match above(root, base) {
        Some(module) => module,
        None => root.parent().unwrap_or(root).to_path_buf(),
    };
    roots.iter().map(of).collect()
}

/// Whether a folder lies in one of these modules, and in none below it.
pub(super) fn is_of(modules: &BTreeSet<PathBuf>, folder: &Path, base: &Path) -> bool {
    match above(folder, base) {
        Some(module) => modules.contains(&module),
        None => modules.iter().any(|m| folder.starts_with(m)),
    }
}

/// What is above the part of a module that a folder belongs to.
fn above(folder: &Path, base: &Path) -> Option<PathBuf> {
    let below = folder.strip_prefix(base).ok()?;
    let is_part = |name: &&std::ffi::OsStr| PARTS.iter().any(|part| *name == *part);
    let at = below.iter().position(|name| is_part(&name))?;
    Some(
        below
            .iter()
            .take(at)
            .fold(base.to_path_buf(), |dir, name| dir.join(name)),
    )
}

impl Workspace {
    /// Copies both versions' resources beside their classes.
    ///
    /// # Errors
    /// The file system's.
    pub(super) fn copy_resources(&self, builds: [&Path; 2]) -> Result<(), Error> {
        let roots = || self.old_roots.iter().chain(&self.new_roots);
        let is_source = |file: &Path| {
            file.extension().is_some_and(|e| e == "java") && roots().any(|r| file.starts_with(r))
        };
        for (folders, build) in self.resources.iter().zip(builds) {
            let mut copied = folders
                .iter()
                .map(|f| copy_wanted(f, build, &|file| !is_source(file)));
            copied
                .try_for_each(|done| done)
                .map_err(|e| io("resources", &e))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_belong_to_the_module_right_above_their_part() {
        let base = Path::new("/v");
        let roots = ["/v/core/src/main/java", "/v/plain/java", "/v/src/main/java"];
        let modules = modules(&roots.map(PathBuf::from), base);
        let of = |folder: &str| is_of(&modules, Path::new(folder), base);
        assert!(of("/v/core/src/main/resources"));
        assert!(of("/v/src/main/resources"));
        assert!(of("/v/plain/resources"));
        assert!(!of("/v/scala/src/main/resources"));
        assert!(!of("/v/core/part/src/main/resources"));
    }
}
