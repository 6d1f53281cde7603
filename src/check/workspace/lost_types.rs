//! Uses of types that were cut out: javac tells them one compilation after the other, imports first, then signatures, then bodies.

use super::tolerant::Uncompiled;
use crate::bytecode::ClassPath;
use crate::java::{CutScope, TypeUse, uses_of_types};
use crate::jvm::{CompileRequest, CompileResult, Diagnostic};
use crate::model::Spelling;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What becomes of the uses of types that a version lost.
pub(super) struct LostTypes<'a> {
    /// The version's files.
    base: &'a Path,
    roots: &'a [PathBuf],
    /// Read when the first type is lost.
    class_path: OnceCell<Option<ClassPath>>,
    /// Files that javac compiles.
    files: BTreeSet<PathBuf>,
}

impl<'a> LostTypes<'a> {
    /// Of a version with these files and roots of sources.
    pub fn new(base: &'a Path, roots: &'a [PathBuf]) -> LostTypes<'a> {
        LostTypes {
            base,
            roots,
            class_path: OnceCell::new(),
            files: BTreeSet::new(),
        }
    }

    /// Notes which files javac compiles: those it was given, and those it found errors in.
    pub fn note(&mut self, request: &CompileRequest, result: &CompileResult) {
        let errors = result.diagnostics.iter().filter(|d| d.error);
        let named = errors.map(|d| PathBuf::from(&d.file));
        let named = named.filter(|f| f.starts_with(self.base));
        self.files
            .extend(request.sources.iter().cloned().chain(named));
    }

    /// What javac would say of uses of the types that went with these cuts. No errors where nothing was lost.
    pub fn errors(&self, cuts: &[Uncompiled], request: &CompileRequest) -> CompileResult {
        let mut result = CompileResult::default();
        let mut lost: BTreeSet<&str> = cuts.iter().filter_map(lost).collect();
        lost.retain(|name| !self.is_elsewhere(name, request));
        let lost = lost.into_iter();
        let lost: Vec<(&str, &str)> = lost
            .map(|w| w.rsplit_once('.').unwrap_or(("", w)))
            .collect();
        for file in &self.files {
            let Ok(text) = std::fs::read_to_string(file) else {
                continue;
            };
            if !lost.iter().any(|(_, name)| text.contains(name)) {
                continue;
            }
            let path = file.to_string_lossy();
            let error = |one: TypeUse| Diagnostic {
                file: path.to_string(),
                line: one.line,
                position: u32::try_from(one.at).unwrap_or(u32::MAX),
                message: format!("cannot find symbol\n  symbol: class {}", one.name),
                error: true,
            };
            let uses = uses_of_types(&path, &text, &lost).unwrap_or_default();
            result.diagnostics.extend(uses.into_iter().map(error));
        }
        result
    }

    /// Whether the type is still found in another folder of sources or on the class path.
    fn is_elsewhere(&self, name: &str, request: &CompileRequest) -> bool {
        let class = name.internal();
        let source = format!("{class}.java");
        if self.roots.iter().any(|root| root.join(&source).is_file()) {
            return true;
        }
        let read = || ClassPath::of(&request.class_path).ok();
        let class_path = self.class_path.get_or_init(read).as_ref();
        class_path.is_none_or(|path| !matches!(path.find(&class), Ok(None)))
    }
}

/// The top-level type that went with a cut.
fn lost(cut: &Uncompiled) -> Option<&str> {
    match cut.cut.part {
        CutScope::Type if !cut.cut.class.contains('$') => Some(&cut.cut.class),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java::cut;
    use crate::model::Version;
    use crate::util::test_files;

    #[test]
    fn uses_of_a_lost_type_are_errors_unless_it_is_found_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| test_files::write(dir.path(), path, text);
        let text = "package p;\npublic class A extends Gone {}\n";
        let at = text.find("Gone").unwrap();
        let (_, cuts) = cut("p/A.java", text, &[at], "old").unwrap();
        let cuts: Vec<Uncompiled> = cuts
            .into_iter()
            .map(|cut| Uncompiled {
                version: Version::Old,
                path: "p/A.java".into(),
                cut,
                message: String::new(),
                crashed: false,
            })
            .collect();
        let user = write(
            "src/q/B.java",
            "package q;\nimport p.A;\nclass B {\n  int f(A a) { return 1; }\n}\n",
        );
        let roots = [dir.path().join("src"), dir.path().join("other")];
        let request = CompileRequest {
            sources: vec![user],
            ..CompileRequest::default()
        };
        let errors = || {
            let mut types = LostTypes::new(dir.path(), &roots);
            types.note(&request, &CompileResult::default());
            let found = types.errors(&cuts, &request).diagnostics;
            found.iter().map(|d| d.line).collect::<Vec<_>>()
        };
        assert_eq!(errors(), [2, 4]);
        write("other/p/A.java", text);
        assert!(errors().is_empty());
    }
}
