//! State that Maven's compiler plugin keeps of a run, by which the next one compiles nothing that has not changed.

use std::path::Path;

/// The folder below a module's build folder.
const KEPT: &str = "maven-status";

/// Folders that hold no module's build folder.
const PASSED: [&str; 3] = ["src", ".git", "node_modules"];

/// How far below a reactor build folders are looked for.
const DEEPEST: usize = 8;

/// Forgets the state of all modules below a folder: what a later run compiles is asked for, whatever an earlier one did.
pub fn forget(folder: &Path) {
    below(folder, DEEPEST);
}

fn below(folder: &Path, levels: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        // A link is no folder here.
        if !entry.file_type().is_ok_and(|t| t.is_dir()) || PASSED.iter().any(|p| *p == name) {
            continue;
        }
        match name == KEPT {
            true => drop(std::fs::remove_dir_all(path)),
            false if levels > 0 => below(&path, levels - 1),
            false => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_each_module_goes_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let kept = ["target", "core/target", "web/build"].map(|t| dir.path().join(t));
        for target in &kept {
            std::fs::create_dir_all(target.join("maven-status/compile")).unwrap();
            std::fs::write(target.join("maven-status/compile/inputFiles.lst"), "").unwrap();
            std::fs::create_dir_all(target.join("classes")).unwrap();
        }
        let source = dir.path().join("core/src/maven-status");
        std::fs::create_dir_all(&source).unwrap();
        forget(dir.path());
        for target in kept {
            assert!(!target.join("maven-status").exists());
            assert!(target.join("classes").exists());
        }
        assert!(source.exists());
    }
}
