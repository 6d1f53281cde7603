//! The source files that some files need, told from the names in them: annotation processors see only files that javac is given by
//! name, not those that it finds by itself.

use crate::java::identifiers;
use crate::jvm::CompileRequest;
use crate::model::Spelling;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

impl CompileRequest {
    /// Adds what its sources need where processors run, but for files whose classes are in one of these folders already.
    pub(super) fn name_needed(&mut self, classes: &[&Path]) {
        if self.runs_processors() {
            let more = needed(&self.sources, &self.source_path, classes);
            self.sources.extend(more);
        }
    }
}

/// Source files below the roots that these files name, directly or through others; without these files themselves, and without those
/// whose classes are there.
fn needed(files: &[PathBuf], roots: &[PathBuf], classes: &[&Path]) -> Vec<PathBuf> {
    let known = index(roots, classes);
    let mut seen: BTreeSet<PathBuf> = files.iter().cloned().collect();
    // Of two modules with the same class the first one's counts, as on a source path.
    let mut named: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (name, places) in &known {
        let own = places.iter().filter(|(_, path)| seen.contains(path));
        named.extend(own.map(|(package, _)| (package.as_str(), name.as_str())));
    }
    let mut next: Vec<PathBuf> = files.to_vec();
    while let Some(file) = next.pop() {
        let text = std::fs::read(&file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let own = file.parent().unwrap_or(&file);
        for word in identifiers(&text).collect::<BTreeSet<_>>() {
            let Some((name, places)) = known.get_key_value(word) else {
                continue;
            };
            for (package, path) in places {
                let is_named = || {
                    own.ends_with(package.internal().as_str())
                        || text.contains(&format!("{package}.{word}"))
                        || text.contains(&format!("{package}.*"))
                };
                let class = (package.as_str(), name.as_str());
                if !named.contains(&class) && is_named() {
                    named.insert(class);
                    seen.insert(path.clone());
                    next.push(path.clone());
                }
            }
        }
    }
    for file in files {
        seen.remove(file);
    }
    seen.into_iter().collect()
}

/// Files below the roots by the name of their class, with their packages, but for those whose classes are in the folders.
fn index(roots: &[PathBuf], compiled: &[&Path]) -> BTreeMap<String, Vec<(String, PathBuf)>> {
    let mut all: BTreeMap<String, Vec<(String, PathBuf)>> = BTreeMap::new();
    for root in roots {
        let mut next = vec![root.clone()];
        while let Some(folder) = next.pop() {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            for path in entries.map(|e| e.path()) {
                if path.is_dir() {
                    next.push(path);
                } else if let Some(name) = class_name(&path) {
                    let below = folder.strip_prefix(root).unwrap_or(Path::new(""));
                    let class = below.join(format!("{name}.class"));
                    if compiled.iter().any(|dir| dir.join(&class).is_file()) {
                        continue;
                    }
                    let package = below.to_string_lossy().dotted();
                    all.entry(name).or_default().push((package, path));
                }
            }
        }
    }
    all
}

/// The class that a file is called after; `None` where it is no class's.
fn class_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.strip_suffix(".java")?;
    (!name.contains('-')).then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::test_files;

    #[test]
    fn what_is_named_is_needed_and_what_it_names() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| test_files::write(dir.path(), path, text);
        let a = write("p/A.java", "package p; import q.*; class A { B b; C c; }");
        let b = write("p/B.java", "package p; class B { r.D d; }");
        let c = write("q/C.java", "package q; public class C {}");
        let d = write("r/D.java", "package r; public class D { A a; }");
        write("r/A.java", "package r; public class A {}");
        write("r/B.java", "package r; public class B {}");
        let found = needed(std::slice::from_ref(&a), &[dir.path().to_path_buf()], &[]);
        let other = dir.path().join("r/A.java");
        assert_eq!(found, [b.clone(), c, other, d]);
        let roots = [dir.path().to_path_buf()];
        let classes = dir.path().join("classes");
        for there in ["q/C", "r/D"] {
            write(&format!("classes/{there}.class"), "");
        }
        assert_eq!(needed(&[a], &roots, &[&classes]), [b]);
    }

    #[test]
    fn of_a_class_that_two_modules_have_the_first_is_needed() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| test_files::write(dir.path(), path, text);
        let user = write("one/p/User.java", "package p; class User { Both both; }");
        let first = write("one/p/Both.java", "package p; class Both {}");
        write("two/p/Both.java", "package p; class Both {}");
        write("two/p/User.java", "package p; class User {}");
        let roots = ["one", "two"].map(|r| dir.path().join(r));
        assert_eq!(needed(&[user], &roots, &[]), std::slice::from_ref(&first));
        let both = needed(&[first], &roots, &[]);
        assert!(both.is_empty(), "{both:?}");
    }
}
