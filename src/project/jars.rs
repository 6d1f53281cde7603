//! The jars that a project without a build tool holds itself.

use super::Tree;
use super::model::Module;
use std::path::{Path, PathBuf};

/// Folders for libraries.
const FOLDERS: [&str; 4] = ["lib", "libs", "jars", "third_party"];

/// Most jars that are taken.
const MOST: usize = 200;

/// A module with the jars of the commit on its class path, those of tests too; `None` where there are none.
pub(super) fn module(tree: &Tree, dest: &Path) -> Option<Module> {
    let jars = tree.files.iter().map(|f| &f.0).filter(|f| is_library(f));
    let class_path: Vec<PathBuf> = jars.take(MOST).map(|jar| dest.join(jar)).collect();
    (!class_path.is_empty()).then(|| Module {
        dir: dest.to_path_buf(),
        test_class_path: class_path.clone(),
        class_path,
        ..Module::default()
    })
}

/// Whether a file is a jar in a folder for libraries, and none of a build's or test's own data.
fn is_library(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |p| p.0);
    let mut folders = folders.split('/');
    let is_data = ["src", "target", "build", "wrapper"];
    path.ends_with(".jar")
        && folders.clone().any(|f| FOLDERS.contains(&f))
        && !folders.any(|f| is_data.contains(&f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jars_in_folders_for_libraries_are_the_class_path() {
        let files: Vec<(String, String)> = [
            "lib/a.jar",
            "core/lib/junit/b.jar",
            "src/test/lib/c.jar",
            "d.jar",
        ]
        .map(|f| (f.to_string(), String::new()))
        .into();
        let tree = Tree {
            files: &files,
            write: &|_| Ok(()),
        };
        let module = module(&tree, Path::new("/new")).unwrap();
        let expected = ["lib/a.jar", "core/lib/junit/b.jar"].map(|f| Path::new("/new").join(f));
        assert_eq!(module.class_path, expected);
    }
}
