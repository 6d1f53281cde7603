//! Copies of whole folders.

use std::path::Path;

/// Copies what is in a folder into another, which is made; where `from` is no folder, there is nothing to copy.
///
/// # Errors
/// The file system's.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    copy_wanted(from, to, &|_| true)
}

/// Copies what the other folder does not have, likewise.
///
/// # Errors
/// The file system's.
pub fn copy_new(from: &Path, to: &Path) -> std::io::Result<()> {
    let is_new = |file: &Path| file.strip_prefix(from).is_ok_and(|f| !to.join(f).exists());
    copy_wanted(from, to, &is_new)
}

/// Copies the wanted files of a folder, likewise.
///
/// # Errors
/// The file system's.
pub fn copy_wanted(from: &Path, to: &Path, wanted: &dyn Fn(&Path) -> bool) -> std::io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (file, dest) = (entry.path(), to.join(entry.file_name()));
        if file.is_dir() {
            copy_wanted(&file, &dest, wanted)?;
        } else if wanted(&file) {
            std::fs::copy(&file, &dest)?;
        }
    }
    Ok(())
}
