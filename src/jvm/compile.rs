//! What the compiler is asked, and what it says.

use std::path::{Path, PathBuf};

/// Sources to compile.
#[derive(Clone, Debug, Default)]
pub struct CompileRequest {
    /// Source files.
    pub sources: Vec<PathBuf>,
    /// Roots in which further sources are found by name.
    pub source_path: Vec<PathBuf>,
    /// Class path.
    pub class_path: Vec<PathBuf>,
    /// Folder the classes go to.
    pub out: PathBuf,
}

/// A compiler message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Source file, as given to the compiler.
    pub file: String,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Offset in the file in UTF-16 units; `u32::MAX` when unknown.
    pub position: u32,
    /// The text.
    pub message: String,
    /// Whether it is an error.
    pub error: bool,
}

/// What the compiler said.
#[derive(Clone, Debug)]
pub struct CompileResult {
    /// Whether all went well.
    pub success: bool,
    /// Its messages; of a crash, the file it was at and the exception.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it failed by a bug of its own.
    pub crashed: bool,
}

impl CompileResult {
    /// The first errors, a line each; files as they are called below the folder.
    pub fn messages(&self, base: &Path) -> String {
        let errors = self.diagnostics.iter().filter(|d| d.error).take(5);
        let shown = errors.map(|d| {
            let file = Path::new(&d.file);
            let file = file.strip_prefix(base).unwrap_or(file).display();
            let first = d.message.lines().next().unwrap_or_default();
            match (d.file.is_empty(), d.line) {
                (true, _) => format!("  {first}"),
                (_, 0) => format!("  {file}: {first}"),
                (_, line) => format!("  {file}:{line}: {first}"),
            }
        });
        shown.collect::<Vec<_>>().join("\n")
    }
}
