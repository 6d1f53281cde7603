//! The projects of a Gradle build that hold some files, told from where the files lie and what the build files declare.

use super::files::Files;
use crate::project::declared::{Declared, with_siblings};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The projects of these files and those they are built from.
pub fn projects(
    build: &Files,
    tree: &Path,
    root: &Path,
    files: &[String],
) -> BTreeMap<PathBuf, Declared> {
    let mut next: Vec<PathBuf> = Vec::new();
    for file in files {
        let path = tree.join(file);
        let above = path.ancestors().skip(1).take_while(|d| d.starts_with(root));
        let of_sources = above
            .clone()
            .find(|d| d.ends_with("src"))
            .and_then(Path::parent);
        let with_build = above
            .clone()
            .find(|d| d.join("build.gradle").is_file() || d.join("build.gradle.kts").is_file());
        let dir = of_sources.or(with_build).unwrap_or(root);
        next.extend(dir.strip_prefix(root).map(Path::to_path_buf));
    }
    with_siblings(next, |dir| build.project(dir))
}
