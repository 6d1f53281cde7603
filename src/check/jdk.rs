//! The JDK of a run: the one that the project's level asks for.

use crate::error::Error;
use crate::git::Repo;
use crate::jvm::Jdk;
use crate::options::{Options, Revisions};
use crate::project::{Build, declared_level};

/// The JDK that compiles and runs both versions: the usual one, unless the new version's build files ask for a newer one that is
/// installed. Without an old version, all Java files of the new one count.
///
/// # Errors
/// There is no JDK, or the one that was asked for is none.
pub fn jdk(options: &Options, revisions: &Revisions) -> Result<Jdk, Error> {
    Ok(options.builds.jdks.find(level(options, revisions))?)
}

/// The declared level. What can't be read here is told where it is needed.
fn level(options: &Options, revisions: &Revisions) -> Option<u32> {
    if options.builds.build == Some(Build::None) {
        return None;
    }
    let repo = Repo::open(&options.repo).ok()?;
    let new = repo.resolve(&revisions.new).ok()?;
    let files = repo.files(&new).ok()?;
    let is_java = |p: &str| p.ends_with(".java");
    let changed = match repo.resolve(&revisions.old) {
        Ok(old) => repo.changed_paths(&old, &new, &is_java).ok()?,
        Err(_) => {
            let all = files.iter().map(|f| f.0.clone());
            all.filter(|p| is_java(p)).collect()
        }
    };
    let read = |path: &str| {
        let bytes = repo.read(&new, path).ok()??;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    declared_level(&files, &changed, &read)
}
