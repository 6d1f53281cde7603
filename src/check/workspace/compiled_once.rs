//! Patches that change nothing that other files see: javac makes the same of all these in both versions, so that one compilation of
//! them does for both.

use super::build::add;
use super::compilation::annotated_packages;
use super::{Compiled, Workspace, io, name};
use crate::check::patch::{ChangedFile, Patch, is_test};
use crate::error::Error;
use crate::java::{Field, Method, SourceFile, Type, differ_in_layout_only, identifiers};
use crate::jvm::Worker;
use crate::model::{Spelling, Version};
use crate::util::copy::copy_wanted;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Types of constants (JLS §15.29).
const CONSTANTS: [&str; 9] = [
    "boolean", "byte", "char", "double", "float", "int", "long", "short", "String",
];

/// Where a version's sources and dependencies lie.
#[derive(PartialEq)]
struct Places {
    roots: Vec<PathBuf>,
    class_path: Vec<PathBuf>,
}

impl Workspace {
    /// Whether both versions are compiled alike, and all that other files see of the changed ones is the same: bodies are no
    /// part of it (JLS §13.4.22).
    pub(super) fn looks_the_same_to_others(&self, patch: &Patch) -> bool {
        !patch.files.is_empty()
            && self.raised.is_none()
            && self.flags(Version::Old) == self.flags(Version::New)
            && !self
                .request(Version::New, &[], Path::new(""))
                .runs_processors()
            && patch.files.iter().all(looks_the_same)
            && self.has_one_place()
            && self.differing_sources().is_some_and(|differing| {
                let changed: BTreeSet<&str> = patch.paths().collect();
                differing.iter().all(|path| changed.contains(&**path))
            })
    }

    /// Whether javac makes the same of other files in both versions, as it turned out when they were compiled.
    pub fn gives_others_the_same(&self) -> bool {
        self.compiled_apart.get().is_some()
    }

    /// Whether source roots and class path are the same: what lies in the versions' folders, such as what their builds compiled, has the
    /// same content in both.
    fn has_one_place(&self) -> bool {
        let bases = Version::BOTH.map(|version| self.path(name(version)));
        let [old, new] = Version::BOTH.map(|version| self.places(version, &bases));
        let (Some(old), Some(new)) = (old, new) else {
            return false;
        };
        let own = || old.class_path.iter().filter(|entry| entry.is_relative());
        old == new && own().all(|e| have_same_files(&bases[0].join(e), &bases[1].join(e)))
    }

    /// Source roots and class path of a version, where places below the versions' folders are relative; `None` where a root lies
    /// elsewhere.
    fn places(&self, version: Version, bases: &[PathBuf; 2]) -> Option<Places> {
        let (_, roots) = self.files_and_roots(version);
        let roots = roots.iter().map(|root| {
            let below = root.strip_prefix(&bases[version as usize]);
            below.ok().map(Path::to_path_buf)
        });
        let mut class_path: Vec<PathBuf> = Vec::new();
        for entry in self.class_path_of(version) {
            let below = bases.iter().find_map(|base| entry.strip_prefix(base).ok());
            add(&mut class_path, &[below.unwrap_or(&entry).to_path_buf()]);
        }
        Some(Places {
            roots: roots.collect::<Option<Vec<PathBuf>>>()?,
            class_path,
        })
    }

    /// Sources that are not the same in both versions, tests aside, by their paths; `None` where one version has what the other lacks.
    fn differing_sources(&self) -> Option<Vec<String>> {
        let [old, new] = Version::BOTH.map(|version| {
            let base = self.path(name(version));
            let (_, roots) = self.files_and_roots(version);
            let found: BTreeSet<String> = roots.iter().flat_map(|r| sources(r, &base)).collect();
            (base, found)
        });
        let read = |base: &Path, file: &String| std::fs::read(base.join(file)).ok();
        let differs = |file: &&String| !is_test(file) && read(&old.0, file) != read(&new.0, file);
        (old.1 == new.1).then(|| new.1.iter().filter(differs).cloned().collect())
    }

    /// Compiles the new version, and the changed files of the old one with what that gives of the others; `None` where something does
    /// not compile so.
    ///
    /// # Errors
    /// The worker fails, or files can't be written.
    pub(super) fn compile_others_once(
        &self,
        worker: &mut Worker,
        patch: &Patch,
    ) -> Result<Option<[Compiled; 2]>, Error> {
        let files = patch.files.iter().filter_map(|f| f.new.as_ref());
        let paths: Vec<String> = files.map(|f| f.path.clone()).collect();
        let [old, new] = Version::BOTH.map(|version| self.classes_folder(version));
        let own: BTreeSet<String> = patch.files.iter().flat_map(own_classes).collect();
        let mut request = self.request(Version::New, &paths, &new);
        let failed = |e: std::io::Error| io("temporary folder", &e);
        std::fs::create_dir_all(&new).map_err(failed)?;
        let result = worker.compile(&request)?;
        if !result.success {
            // What follows begins with the very same compilation.
            let _ = self.refused_once.set((request, result));
            return Ok(None);
        }
        copy_others(&own, [&old, &new])?;
        request = self.request(Version::Old, &paths, &old);
        request.class_path.insert(0, old.clone());
        if !worker.compile(&request)?.success {
            return Ok(None);
        }
        for (version, out) in [(Version::Old, &old), (Version::New, &new)] {
            let base = self.path(name(version));
            let files: Vec<PathBuf> = paths.iter().map(|p| base.join(p)).collect();
            let (_, roots) = self.files_and_roots(version);
            self.compile_packages(worker, annotated_packages(&files), roots, out)?;
        }
        let _ = self.compiled_apart.set(own);
        Ok(Some([(old, Vec::new()), (new, Vec::new())]))
    }
}

/// Copies classes of unchanged files that only the new version's folder has. The other ones are given by their top-level classes.
pub(super) fn copy_others(changed: &BTreeSet<String>, [old, new]: [&Path; 2]) -> Result<(), Error> {
    let is_missing = |file: &Path| {
        let below = file.strip_prefix(new).unwrap_or(file);
        let class = below.to_string_lossy();
        let class = class.strip_suffix(".class").unwrap_or(&class);
        !changed.contains(class.outermost()) && !old.join(below).exists()
    };
    copy_wanted(new, old, &is_missing).map_err(|e| io("temporary folder", &e))
}

/// Whether two files, or folders, hold the same; a link is the same as nothing.
fn have_same_files(one: &Path, other: &Path) -> bool {
    let names = |folder: &Path| -> Option<BTreeSet<_>> {
        let entries = std::fs::read_dir(folder).ok()?;
        entries.map(|e| e.ok().map(|e| e.file_name())).collect()
    };
    let kinds = [one, other].map(|path| path.symlink_metadata().ok());
    match kinds {
        [Some(a), Some(b)] if a.is_dir() && b.is_dir() => match (names(one), names(other)) {
            (Some(a), Some(b)) if a == b => a
                .iter()
                .all(|n| have_same_files(&one.join(n), &other.join(n))),
            _ => false,
        },
        [Some(a), Some(b)] if a.is_file() && b.is_file() => {
            let read = |path: &Path| std::fs::read(path).ok();
            a.len() == b.len() && read(one).is_some_and(|text| Some(text) == read(other))
        }
        _ => false,
    }
}

/// Whether other files see the same of a file in both versions.
fn looks_the_same(file: &ChangedFile) -> bool {
    let (Some(old), Some(new)) = (&file.old, &file.new) else {
        return false;
    };
    let is_known = |f: &SourceFile| f.unknown.is_none() && !f.types.is_empty();
    let is_same =
        old.path == new.path && old.package == new.package && is_known(old) && is_known(new);
    let [before, after] = [old, new].map(seen_by_others);
    is_same && differ_in_layout_only(&before, &after) && has_imports_of_unseen(old, new, &after)
}

/// A file's text behind its imports, without what no other file sees of it.
fn seen_by_others(file: &SourceFile) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for one in &file.types {
        ranges.extend(one.methods.iter().filter_map(unseen_of_method));
        ranges.extend(
            one.fields
                .iter()
                .flat_map(|f| unseen_of_field(one, f, file)),
        );
    }
    ranges.sort();
    let (mut text, mut at) = (String::new(), file.imports_end);
    for (start, end) in ranges
        .into_iter()
        .filter(|range| range.0 >= file.imports_end)
    {
        text.push_str(file.text.get(at..start).unwrap_or_default());
        at = at.max(end);
    }
    text.push_str(file.text.get(at..).unwrap_or_default());
    text
}

/// What no other file sees of a method: its body, and all of a private one (JLS §6.6.1). A private constructor stays, as without any
/// there is a default one.
fn unseen_of_method(method: &Method) -> Option<(usize, usize)> {
    let is_private = method.head.split(' ').any(|word| word == "private");
    let body = || method.body.as_ref().map(|b| (b.start, b.end));
    match is_private && method.name != "<init>" {
        true => Some((method.node.start, method.node.end)),
        false => body(),
    }
}

/// What no other file sees of a field: values that are no constants (JLS §15.29), all of a private one, and initialiser blocks. A private
/// field hides those that its class inherits (JLS §8.3).
fn unseen_of_field(of: &Type, field: &Field, file: &SourceFile) -> Vec<(usize, usize)> {
    let has = |modifier| field.has_modifier(modifier, &file.text);
    let mut words = of.header.split(' ');
    let inherits = words.any(|word| matches!(word, "extends" | "implements"));
    if field.names.is_empty() || has("private") && !inherits {
        return vec![(field.node.start, field.node.end)];
    }
    let erased = field.erased_type(&file.text);
    let simple = erased.rsplit('.').next().unwrap_or_default();
    let may_be_constant = CONSTANTS.contains(&simple) && (of.is_interface || has("final"));
    let declarators = field.node.children.iter();
    let declarators = declarators.filter(|c| c.kind == "variable_declarator" && !may_be_constant);
    let values = declarators.filter_map(|d| d.child("value"));
    values.map(|value| (value.start, value.end)).collect()
}

/// Whether the imports that only one version has are of single types that are named only in what no other file sees.
fn has_imports_of_unseen(old: &SourceFile, new: &SourceFile, shell: &str) -> bool {
    let words: BTreeSet<&str> = identifiers(shell).collect();
    let [before, after] = [old, new].map(|f| f.imports.iter().collect::<BTreeSet<_>>());
    before.symmetric_difference(&after).all(|import| {
        let parts: Vec<&str> = identifiers(import).collect();
        let is_single = !import.contains('*') && !import.contains('/');
        is_single && !parts.contains(&"static") && parts.last().is_some_and(|p| !words.contains(p))
    })
}

/// Top-level classes of a changed file, by internal name.
fn own_classes(file: &ChangedFile) -> BTreeSet<String> {
    let types = [&file.old, &file.new]
        .into_iter()
        .flatten()
        .flat_map(|f| &f.types);
    types
        .map(|t| t.name.internal().outermost().to_string())
        .collect()
}

/// Java files below a root, by their paths from the base.
fn sources(root: &Path, base: &Path) -> Vec<String> {
    let (mut next, mut found) = (vec![root.to_path_buf()], Vec::new());
    while let Some(folder) = next.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            let path = entry.path();
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                next.push(path);
            } else if path.extension().is_some_and(|e| e == "java") {
                let below = path.strip_prefix(base).unwrap_or(&path);
                found.push(below.to_string_lossy().into_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::FileDiff;

    fn changed(old: &str, new: &str) -> ChangedFile {
        let read = |text: &str| SourceFile::read("p/A.java", text.as_bytes()).ok();
        ChangedFile {
            old: read(old),
            new: read(new),
            diff: FileDiff::default(),
        }
    }

    #[test]
    fn what_other_files_do_not_see_is_the_same_to_them() {
        let old = "package p; import q.B; class A { int f = 1; A() { f = 2; } static int g(int i) { return i; } private int h; final B b = B.of(1); }";
        for (from, to) in [
            (
                "return i;",
                "class L { int h() { return i; } } return new L().h();",
            ),
            ("f = 2;", "f = 3;"),
            ("import q.B;", "import q.B; import q.C;"),
            ("int f = 1;", "/* one */ int f  = 1;"),
            ("int f = 1;", "int f = 2;"),
            ("int f = 1;", "int f = 1; { f = 3; } static { g(4); }"),
            ("private int h;", "private static final String H = \"h\";"),
            (
                "private int h;",
                "private int h; @Deprecated private static int k(B b) { return 1; }",
            ),
            ("B.of(1)", "B.of(2)"),
        ] {
            let new = old.replace(from, to);
            assert_ne!(old, new);
            assert!(looks_the_same(&changed(old, &new)), "{to}");
        }
    }

    #[test]
    fn files_and_folders_are_compared_by_what_they_hold() {
        let dir = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|n| dir.path().join(n));
        let write = |base: &Path, text: &str| {
            std::fs::create_dir_all(base.join("lib")).unwrap();
            std::fs::write(base.join("lib/a.jar"), text).unwrap();
        };
        assert!(!have_same_files(&one, &other), "neither is there");
        write(&one, "a");
        write(&other, "b");
        assert!(!have_same_files(&one, &other));
        write(&other, "a");
        assert!(have_same_files(&one, &other));
        std::fs::write(other.join("lib/b.jar"), "").unwrap();
        assert!(!have_same_files(&one, &other));
    }

    #[test]
    fn declarations_are_seen_by_other_files() {
        let old = "package p; import q.B; class A { static final int F = 1; B b; int g(int i) { return i; } private A() {} class C extends A { private int h; } interface D { int E = 1; } }";
        for (from, to) in [
            ("F = 1", "F = 2"),
            ("int g(int i)", "long g(int i)"),
            ("int g(int i)", "@Deprecated int g(int i)"),
            ("class A", "final class A"),
            ("import q.B;", "import r.B;"),
            ("import q.B;", "import q.B; import r.*;"),
            ("import q.B;", "import q.B; import static r.C.i;"),
            ("class A", "class E {} class A"),
            ("private A() {}", ""),
            ("private int h;", "private int F;"),
            ("int E = 1", "int E = 2"),
            ("B b;", "B b, c;"),
        ] {
            let new = old.replace(from, to);
            assert_ne!(old, new);
            assert!(!looks_the_same(&changed(old, &new)), "{to}");
        }
    }
}
