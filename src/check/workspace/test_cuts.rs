//! Parts of sources that keep a version's tests from compiling: cut out of the tests, and of copies of the project's own files.

use crate::java::{Cut, CutScope, NOT_COMPILED, cut};
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
            cut_any |= cut_out(result, &file, &file);
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
                cut_any |= cut_out(result, file, file);
                continue;
            }
            let below = |root: &PathBuf| file.strip_prefix(root).ok();
            if let Some(place) = self.main_roots.iter().find_map(below) {
                cut_any |= cut_out(result, file, &self.copies.join(place));
            }
        }
        cut_any
    }
}

/// Writes a file without what its errors are about, if these are no whole types.
fn cut_out(result: &CompileResult, file: &Path, into: &Path) -> bool {
    let errors = result.diagnostics.iter();
    let own = errors.filter(|d| d.error && Path::new(&d.file) == file);
    let positions: BTreeSet<usize> = own.map(|d| d.position as usize).collect();
    let positions: Vec<usize> = positions.into_iter().collect();
    let text = std::fs::read_to_string(file).ok();
    let Some(text) = text.filter(|_| !positions.is_empty()) else {
        return false;
    };
    let path = file.to_string_lossy();
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
