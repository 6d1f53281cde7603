//! The jars that a project without a build tool holds itself.

use super::Tree;
use super::model::{Model, Module};
use std::path::Path;

/// Folders for libraries.
const FOLDERS: [&str; 4] = ["lib", "libs", "jars", "third_party"];

/// Most jars that are taken.
const MOST: usize = 200;

/// A module with the jars of the commit on its class path, and all of them on that of tests; `None` where there are none.
pub(super) fn module(tree: &Tree, dest: &Path) -> Option<Module> {
    let jars = tree.files.iter().map(|f| &f.0).filter(|f| is_library(f));
    let all: Vec<&String> = jars.take(MOST).collect();
    let main = all.iter().filter(|jar| !is_of_tests(jar));
    (!all.is_empty()).then(|| Module {
        dir: dest.to_path_buf(),
        class_path: main.map(|jar| dest.join(jar)).collect(),
        test_class_path: all.iter().map(|jar| dest.join(jar)).collect(),
        ..Module::default()
    })
}

/// Adds them to a model's only module, or as one.
pub(super) fn add(model: &mut Model, tree: &Tree, dest: &Path) {
    let Some(own) = module(tree, dest) else {
        return;
    };
    match model.modules.first_mut() {
        Some(first) => {
            first.class_path.extend(own.class_path);
            first.test_class_path.extend(own.test_class_path);
        }
        None => model.modules.push(own),
    }
}

/// Whether a file lies in a folder for tests.
pub(super) fn is_of_tests(path: &str) -> bool {
    path.split('/').any(|f| matches!(f, "test" | "tests"))
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
            "test/lib/e.jar",
        ]
        .map(|f| (f.to_string(), String::new()))
        .into();
        let tree = Tree {
            files: &files,
            tests: &[],
            write: &|_| Ok(()),
        };
        let module = module(&tree, Path::new("/new")).unwrap();
        let expected = ["lib/a.jar", "core/lib/junit/b.jar"].map(|f| Path::new("/new").join(f));
        assert_eq!(module.class_path, expected);
        let of_tests = [&expected[..], &[Path::new("/new/test/lib/e.jar").into()]].concat();
        assert_eq!(module.test_class_path, of_tests);
    }
}
