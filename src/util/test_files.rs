//! Files that unit tests write into a temporary folder of their own.

use std::path::{Path, PathBuf};

/// Writes a file below a folder, with the folders that it lies in, and gives its whole path.
pub fn write(dir: &Path, path: &str, text: &str) -> PathBuf {
    let file = dir.join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    file
}
