//! Temporary folders named after their run, so that later runs can tell leftovers of a killed run from folders in use.

use super::folder::entries;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::Duration;
use tempfile::{Builder, TempDir};

const BEGIN: &str = "shadow-ci-";
const LOCK: &str = ".lock";

/// A run: its name, and the lock that it holds until its process is gone, however that ends.
struct RunLock {
    name: String,
    lock: Option<(PathBuf, File)>,
}

static RUN: OnceLock<RunLock> = OnceLock::new();

/// Whether the run's folders are being removed.
static ENDED: RwLock<bool> = RwLock::new(false);

/// How often removing them is tried, and the pause between: two seconds in all.
const ATTEMPTS: u32 = 40;
const PAUSE: Duration = Duration::from_millis(50);

fn run() -> &'static RunLock {
    RUN.get_or_init(|| {
        let named = Builder::new().prefix(BEGIN).suffix(LOCK).tempfile();
        let kept = named.ok().and_then(|file| file.keep().ok());
        match kept {
            Some((file, path)) if file.try_lock().is_ok() => RunLock {
                name: stem(&path).unwrap_or_default().to_string(),
                lock: Some((path, file)),
            },
            // Its folders are removed at its end all the same, if it has one.
            _ => RunLock {
                name: format!("{BEGIN}{}", std::process::id()),
                lock: None,
            },
        }
    })
}

fn stem(lock: &Path) -> Option<&str> {
    let name = lock.file_name()?.to_str()?;
    name.strip_suffix(LOCK).filter(|n| n.starts_with(BEGIN))
}

/// What the paths of this run's folders begin with.
pub fn begin() -> PathBuf {
    std::env::temp_dir().join(format!("{}-", run().name))
}

/// A fresh folder of this run.
///
/// # Errors
/// The file system's, and `Interrupted` once the run's folders are being removed.
pub fn folder(kind: &str) -> io::Result<TempDir> {
    let ended = ENDED.read().unwrap_or_else(PoisonError::into_inner);
    if *ended {
        return Err(io::Error::from(io::ErrorKind::Interrupted));
    }
    let prefix = format!("{}-{kind}-", run().name);
    Builder::new().prefix(&prefix).tempdir()
}

/// Removes what this run left: at its end, or when a signal ends it. No other is made after that.
pub fn remove() {
    *ENDED.write().unwrap_or_else(PoisonError::into_inner) = true;
    if let Some(run) = RUN.get() {
        let place = std::env::temp_dir();
        // A process that is still at work may put a file in a folder that is just being removed.
        for _ in 0..ATTEMPTS {
            if remove_folders(&place, &run.name) {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        if let Some((path, _)) = &run.lock {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes what killed runs left: their locks are free.
pub fn sweep() {
    let place = std::env::temp_dir();
    let own = run().name.as_str();
    for path in entries(&place) {
        let Some(name) = stem(&path).filter(|n| *n != own) else {
            continue;
        };
        let free = File::open(&path).is_ok_and(|f| f.try_lock().is_ok());
        if free {
            remove_folders(&place, name);
            let _ = std::fs::remove_file(&path);
        }
    }
}

/// Whether none is left. What a later run can't remove is another user's: nothing is to be done about it.
fn remove_folders(place: &Path, run: &str) -> bool {
    let prefix = format!("{run}-");
    let mut all = true;
    for path in entries(place) {
        let name = path.file_name().and_then(|n| n.to_str());
        // A link is removed as a link.
        if name.is_some_and(|n| n.starts_with(&prefix)) {
            if !path.is_symlink() {
                let _ = empty(&path);
            }
            all &= std::fs::remove_dir_all(&path).is_ok() || !path.exists();
        }
    }
    all
}

/// Empties a folder, however deep it is: files are removed, folders become empty ones directly in it, and go. Links are removed as links.
///
/// # Errors
/// The file system's; another process that works in the folder makes some.
pub fn empty(top: &Path) -> io::Result<()> {
    let mut next = 0_u64;
    let mut folders: Vec<PathBuf> = vec![top.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                std::fs::remove_file(entry.path())?;
                continue;
            }
            let mut flat = entry.path();
            while folder != top && flat.parent() != Some(top) {
                let name = top.join(format!("shadow-ci-{next}"));
                next += 1;
                if !name.exists() {
                    std::fs::rename(&flat, &name)?;
                    flat = name;
                }
            }
            folders.push(flat);
        }
        if folder != top {
            std::fs::remove_dir(&folder)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_runs_folders_go_and_a_living_ones_stay() {
        let mine = folder("test").unwrap();
        let place = std::env::temp_dir();
        let (free, held) = (
            Builder::new()
                .prefix(BEGIN)
                .suffix(LOCK)
                .tempfile()
                .unwrap(),
            Builder::new()
                .prefix(BEGIN)
                .suffix(LOCK)
                .tempfile()
                .unwrap(),
        );
        held.as_file().lock().unwrap();
        let of = |lock: &Path| place.join(format!("{}-x-1", stem(lock).unwrap()));
        let (gone, stays) = (of(free.path()), of(held.path()));
        std::fs::create_dir_all(gone.join("in")).unwrap();
        std::fs::create_dir(&stays).unwrap();
        sweep();
        assert!(!gone.exists() && stays.is_dir() && mine.path().is_dir());
        std::fs::remove_dir(stays).unwrap();
    }
}
