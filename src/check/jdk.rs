//! The JDK of a run: the one that the project's level asks for.

use crate::error::Error;
use crate::git::Repo;
use crate::jvm::Jdk;
use crate::options::Options;
use crate::project::{Build, declared_level};

/// The JDK that compiles and runs both versions: the usual one, unless the new version's build files ask for a newer one that is
/// installed.
///
/// # Errors
/// There is no JDK, or the one that was asked for is none.
pub fn of(options: &Options) -> Result<Jdk, Error> {
    Ok(options.jdks.find(level(options))?)
}

/// The declared level. What can't be read here is told where it is needed.
fn level(options: &Options) -> Option<u32> {
    if options.build == Build::None {
        return None;
    }
    let repo = Repo::open(&options.repo).ok()?;
    let new = repo.resolve(&options.new).ok()?;
    let is_java = |p: &str| p.ends_with(".java");
    let changed = match repo.resolve(&options.old) {
        Ok(old) => repo.changed_paths(&old, &new, &is_java).ok()?,
        Err(_) => Vec::new(),
    };
    let files = repo.files(&new).ok()?;
    let read = |path: &str| {
        let bytes = repo.read(&new, path).ok()??;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    declared_level(&files, &changed, &read)
}
