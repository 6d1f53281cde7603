//! Projects without a build tool that hold their libraries' jars themselves.

use super::Tree;
use super::model::{Model, Module, NONE};
use std::path::{Path, PathBuf};

/// Folders that such projects keep them in.
const FOLDERS: [&str; 4] = ["lib", "libs", "jars", "third_party"];

/// Most jars that are taken.
const MOST: usize = 200;

/// A model whose one module has the jars of the commit on its class path, those of tests too. Without jars there is no module.
pub(super) fn model(tree: &Tree, dest: &Path) -> Model {
    let jars = tree.files.iter().map(|f| &f.0).filter(|f| is_library(f));
    let class_path: Vec<PathBuf> = jars.take(MOST).map(|jar| dest.join(jar)).collect();
    let modules = match class_path.is_empty() {
        true => Vec::new(),
        false => vec![Module {
            dir: dest.to_path_buf(),
            test_class_path: class_path.clone(),
            class_path,
            ..Module::default()
        }],
    };
    Model {
        tool: NONE.into(),
        modules,
        ..Model::default()
    }
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
        let model = model(&tree, Path::new("/new"));
        let expected = ["lib/a.jar", "core/lib/junit/b.jar"].map(|f| Path::new("/new").join(f));
        assert_eq!(model.modules[0].class_path, expected);
    }
}
