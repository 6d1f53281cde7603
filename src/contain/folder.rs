//! The private folder of a process: the only place it can write in, removed when nobody is left who could.

use crate::util::temporary;
use std::io;
use std::path::{Path, PathBuf};

/// A folder in the system's temporary folder, with a home, a temporary and a working folder in it.
#[derive(Debug)]
pub struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    /// Makes one.
    ///
    /// # Errors
    /// The file system's.
    pub fn new() -> io::Result<Folder> {
        let dir = temporary::folder("run")?;
        let folder = Folder { dir };
        for part in [folder.home(), folder.temporary(), folder.work()] {
            std::fs::create_dir(part)?;
        }
        Ok(folder)
    }

    /// All of it.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// What tested code takes for its user's home.
    pub fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// Where its temporary files go.
    pub fn temporary(&self) -> PathBuf {
        self.path().join("tmp")
    }

    /// Where it is started.
    pub fn work(&self) -> PathBuf {
        self.path().join("work")
    }
}

impl Drop for Folder {
    /// Folders are taken out of each other first: they may be nested deeper than anything recursive can follow.
    fn drop(&mut self) {
        let _ = temporary::empty(self.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_however_deep_it_is_and_links_out_of_it_are_not_followed() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("kept"), "kept").unwrap();
        let folder = Folder::new().unwrap();
        let path = folder.path().to_path_buf();
        // Deeper than a path can be long, made by nesting what is there.
        for _ in 0..3000 {
            let (inner, outer) = (folder.work().join("d"), folder.work().join("e"));
            std::fs::create_dir_all(&outer).unwrap();
            if inner.exists() {
                std::fs::rename(&inner, outer.join("d")).unwrap();
            }
            std::fs::write(outer.join("f"), "").unwrap();
            std::fs::rename(&outer, &inner).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path(), folder.work().join("link")).unwrap();
        drop(folder);
        assert!(!path.exists());
        assert!(outside.path().join("kept").exists());
    }
}
