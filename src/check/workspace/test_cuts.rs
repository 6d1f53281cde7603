//! Parts of sources that keep a version's tests from compiling: cut out of the tests, and of copies of the project's own files.

use crate::java::{Cut, CutScope, NOT_COMPILED, SourceFile, cut};
use crate::jvm::CompileResult;
use crate::jvm::recording::NOT_COMPILED_TEST;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where such sources are.
pub(super) struct TestCuts<'a> {
    /// The version's files.
    pub base: &'a Path,
    /// The folders of its own sources.
    pub main_roots: &'a [PathBuf],
    /// The folder for copies of these, which comes before them on the source path.
    pub copies: &'a Path,
}

impl TestCuts<'_> {
    /// Cuts what the errors are about out of test files: what comes to it fails, the same in both versions. Whether anything was cut.
    pub fn in_tests<'f>(
        &self,
        result: &CompileResult,
        tests: impl Iterator<Item = &'f str>,
    ) -> bool {
        let mut cut_any = false;
        for test in tests {
            let file = self.base.join(test);
            cut_any |= cut_out(result, &file, &file, false);
        }
        cut_any
    }

    /// The same of the project's own files: their copies are changed, for what was compiled of the project is compared.
    pub fn in_main(&self, result: &CompileResult) -> bool {
        let errors = result.diagnostics.iter().filter(|d| d.error);
        let files: BTreeSet<&Path> = errors.map(|d| Path::new(&d.file)).collect();
        let mut cut_any = false;
        for file in files {
            if file.starts_with(self.copies) {
                // javac tells of a library that is missing bit by bit: all code of a file that needs one goes at the second time.
                cut_any |= cut_out(result, file, file, true);
                continue;
            }
            let below = |root: &PathBuf| file.strip_prefix(root).ok();
            if let Some(place) = self.main_roots.iter().find_map(below) {
                cut_any |= cut_out(result, file, &self.copies.join(place), false);
            }
        }
        cut_any
    }
}

/// Writes a file without what its errors are about, or without that and all bodies of methods, if no whole types go.
fn cut_out(result: &CompileResult, file: &Path, into: &Path, all_bodies: bool) -> bool {
    let errors = result.diagnostics.iter();
    let own = errors.filter(|d| d.error && Path::new(&d.file) == file);
    let positions: BTreeSet<usize> = own.map(|d| d.position as usize).collect();
    let text = std::fs::read_to_string(file).ok();
    let Some(text) = text.filter(|_| !positions.is_empty()) else {
        return false;
    };
    let path = file.to_string_lossy();
    let bodies = match all_bodies {
        true => bodies(&path, &text),
        false => Vec::new(),
    };
    let positions: Vec<usize> = positions.into_iter().chain(bodies).collect();
    let Ok((text, cuts)) = cut(&path, &text, &positions, "test") else {
        return false;
    };
    let is_small = |c: &Cut| matches!(c.part, CutScope::Name | CutScope::Body | CutScope::Member);
    let text = text.replace(NOT_COMPILED, NOT_COMPILED_TEST);
    let folder = into.parent().map(std::fs::create_dir_all);
    cuts.iter().all(is_small)
        && folder.is_some_and(|made| made.is_ok())
        && std::fs::write(into, text).is_ok()
}

/// A position in each body of a method, in UTF-16 units.
fn bodies(path: &str, text: &str) -> Vec<usize> {
    let Ok(source) = SourceFile::parse(path, text.as_bytes()) else {
        return Vec::new();
    };
    let methods = source.types.iter().flat_map(|t| &t.methods);
    let bodies = methods.filter_map(|m| m.body.as_ref());
    let before = bodies.filter_map(|body| text.get(..=body.start));
    before.map(|before| before.encode_utf16().count()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvm::Diagnostic;

    #[test]
    fn all_bodies_of_a_file_go_at_the_second_time() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("A.java");
        let text =
            "class A { /* \u{1F600} */ int n = 1; A() { b(); } int f() { return 1; } int g(); }";
        std::fs::write(&file, text).unwrap();
        let at = text.encode_utf16().count() - "b(); } int f() { return 1; } int g(); }".len();
        let result = CompileResult {
            diagnostics: vec![Diagnostic {
                error: true,
                file: file.to_string_lossy().into_owned(),
                position: u32::try_from(at).unwrap(),
                ..Diagnostic::default()
            }],
            ..CompileResult::default()
        };
        let cut = |all| {
            let into = dir.path().join("B.java");
            assert!(cut_out(&result, &file, &into, all));
            std::fs::read_to_string(into).unwrap()
        };
        let (one, all) = (cut(false), cut(true));
        assert!(one.contains("return 1") && !one.contains("b();"), "{one}");
        assert!(
            all.contains("int n = 1") && all.contains("int g()"),
            "{all}"
        );
        assert!(!all.contains("return 1") && !all.contains("b();"), "{all}");
    }
}
