//! Entries of a folder, in the order of their names: the same on every machine.

use std::path::{Path, PathBuf};

/// The paths of all entries right in a folder, by name; none where it can't be read.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    all.sort();
    all
}

/// The number of Java files below a folder, counted up to `most`.
pub fn java_files(folder: &Path, most: usize) -> usize {
    let mut count = 0;
    for entry in entries(folder) {
        count += match entry.is_dir() {
            true => java_files(&entry, most - count),
            false => usize::from(entry.extension().is_some_and(|e| e == "java")),
        };
        if count >= most {
            break;
        }
    }
    count
}
