//! Resources: files that the program reads from its class path.

use super::{Workspace, io};
use crate::check::patch::is_test;
use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::project::{Model, Needs};
use crate::util::copy::copy_wanted;
use std::path::{Path, PathBuf};

/// Writes a version's resources below `dest`, and gives their folders: those that the build files name, those of the usual names,
/// and without a build tool the source roots, since compilers and IDEs copy what lies beside sources.
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
    folders.retain(|folder| {
        let below = folder.strip_prefix(dest).unwrap_or(folder);
        !is_test(&below.join("file").to_string_lossy())
    });
    Ok(folders)
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
