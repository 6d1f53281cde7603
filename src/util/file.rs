//! Files written with the folders that they lie in.

use std::io;
use std::path::Path;

/// Writes a file, in folders that are made where they are not there.
///
/// # Errors
/// A folder can't be made, or the file not be written.
pub fn write(file: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    std::fs::write(file, content)
}
