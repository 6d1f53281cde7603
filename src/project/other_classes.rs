//! Classes that a build tool made while it was asked: of Kotlin's, Groovy's and Scala's sources, which it compiles before Java's.

use super::model::Model;
use std::path::{Path, PathBuf};

/// Where they are put, below a module's folder.
const FOLDER: &str = "target/shadow-ci-other-classes";

/// Notes them in each module whose output folder holds some; those of Java's sources are left out, since both versions compile their own.
pub fn note(model: &mut Model) {
    for module in &mut model.modules {
        let is_java = |below: &Path| has_source(&module.source_roots, below);
        let mut found: Vec<(PathBuf, PathBuf)> = Vec::new();
        for output in outputs(&module.output) {
            for class in classes_below(&output) {
                let below = class.strip_prefix(&output).unwrap_or(&class).to_path_buf();
                if !is_java(&below) {
                    found.push((class, below));
                }
            }
        }
        if found.is_empty() {
            continue;
        }
        let folder = module.dir.join(FOLDER);
        let taken = found.iter().try_for_each(|(class, below)| {
            let to = folder.join(below);
            std::fs::create_dir_all(to.parent().unwrap_or(&folder))?;
            std::fs::copy(class, to).map(|_| ())
        });
        match taken {
            Ok(()) => module.other_classes = Some(folder),
            Err(e) => model.notes.push(format!("classes of other languages: {e}")),
        }
    }
}

/// Where a module's classes go: Maven has one folder for all languages, Gradle one for each.
fn outputs(of_java: &Path) -> Vec<PathBuf> {
    let mut all = vec![of_java.to_path_buf()];
    let languages = of_java.parent().filter(|p| p.ends_with("classes/java"));
    if let (Some(folder), Some(set)) = (languages, of_java.file_name()) {
        let others = ["kotlin", "groovy", "scala"];
        all.extend(others.map(|language| folder.with_file_name(language).join(set)));
    }
    all
}

/// Class files below a folder.
pub fn classes_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|e| e.path()) {
        if path.is_dir() {
            found.extend(classes_below(&path));
        } else if path.extension().is_some_and(|e| e == "class") {
            found.push(path);
        }
    }
    found
}

/// Whether a class, by its path below an output folder, is of a Java file of its top-level name.
fn has_source(roots: &[PathBuf], class: &Path) -> bool {
    let name = class.file_stem().unwrap_or_default().to_string_lossy();
    let top = name.split('$').next().unwrap_or_default();
    let file = class.with_file_name(format!("{top}.java"));
    roots.iter().any(|root| root.join(&file).is_file())
}

#[cfg(test)]
mod tests {
    use super::super::model::Module;
    use super::*;
    use crate::util::test_files;

    #[test]
    fn only_classes_without_a_java_file_are_taken() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str| test_files::write(dir.path(), path, "");
        write("src/p/A.java");
        for name in ["A", "A$B", "AKt", "C$D"] {
            write(&format!("target/classes/p/{name}.class"));
        }
        write("target/classes/p/text.properties");
        let gradle = Path::new("build/classes/java/main");
        assert_eq!(outputs(gradle)[2], Path::new("build/classes/groovy/main"));
        let mut model = Model {
            modules: vec![Module {
                dir: dir.path().to_path_buf(),
                output: dir.path().join("target/classes"),
                source_roots: vec![dir.path().join("src")],
                ..Module::default()
            }],
            ..Model::default()
        };
        note(&mut model);
        let folder = dir.path().join(FOLDER);
        assert_eq!(model.modules[0].other_classes, Some(folder.clone()));
        let mut found = classes_below(&folder);
        found.sort();
        assert_eq!(
            found,
            ["p/AKt.class", "p/C$D.class"].map(|f| folder.join(f))
        );
    }
}
