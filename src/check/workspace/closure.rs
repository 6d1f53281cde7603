//! The source files that some files need, told from the names in them: annotation processors see only files that javac is given by
//! name, not those that it finds by itself.

use crate::java::identifiers;
use crate::model::Spelling;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Source files below the roots that these files name, directly or through others; without these files themselves.
pub(super) fn needed(files: &[PathBuf], roots: &[PathBuf]) -> Vec<PathBuf> {
    let known = index(roots);
    let mut seen: BTreeSet<PathBuf> = files.iter().cloned().collect();
    let mut next: Vec<PathBuf> = files.to_vec();
    while let Some(file) = next.pop() {
        let text = std::fs::read(&file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let own = file.parent().unwrap_or(&file);
        for word in identifiers(&text).collect::<BTreeSet<_>>() {
            for (package, path) in known.get(word).into_iter().flatten() {
                let is_named = || {
                    own.ends_with(package.internal().as_str())
                        || text.contains(&format!("{package}.{word}"))
                        || text.contains(&format!("{package}.*"))
                };
                if !seen.contains(path) && is_named() {
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

/// Files below the roots by the name of their class, with their packages.
fn index(roots: &[PathBuf]) -> BTreeMap<String, Vec<(String, PathBuf)>> {
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

    #[test]
    fn what_is_named_is_needed_and_what_it_names() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let file = dir.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, text).unwrap();
            file
        };
        let a = write("p/A.java", "package p; import q.*; class A { B b; C c; }");
        let b = write("p/B.java", "package p; class B { r.D d; }");
        let c = write("q/C.java", "package q; public class C {}");
        let d = write("r/D.java", "package r; public class D { A a; }");
        write("r/A.java", "package r; public class A {}");
        write("r/B.java", "package r; public class B {}");
        let found = needed(std::slice::from_ref(&a), &[dir.path().to_path_buf()]);
        let other = dir.path().join("r/A.java");
        assert_eq!(found, [b, c, other, d].map(|p| p.to_path_buf()).to_vec());
    }
}
