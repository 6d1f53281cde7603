//! Requests to the compiler, and its answers.

use std::path::{Path, PathBuf};

/// Where Lombok's settings for a folder and those below it stand.
const LOMBOK_SETTINGS: &str = "lombok.config";

/// Sources to compile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompileRequest {
    /// Source files.
    pub sources: Vec<PathBuf>,
    /// Roots in which further sources are found by name.
    pub source_path: Vec<PathBuf>,
    /// Class path.
    pub class_path: Vec<PathBuf>,
    /// Folder the classes go to.
    pub out: PathBuf,
    /// Further options of javac. Annotation processors run only where one of them says so.
    pub flags: Vec<String>,
}

impl CompileRequest {
    /// Whether annotation processors run: code of the project's.
    pub fn runs_processors(&self) -> bool {
        let named = |f: &String| f.starts_with("-proc") && f != "-proc:none";
        self.flags.iter().any(named)
    }

    /// All that the compiler and annotation processors read.
    pub(super) fn reads(&self) -> Vec<PathBuf> {
        let at = self.flags.iter().position(|f| f == "-processorpath");
        let processors = at.and_then(|at| self.flags.get(at + 1));
        let processors = processors.iter().flat_map(std::env::split_paths);
        let sources = self.sources.iter().chain(&self.source_path);
        let named = sources.chain(&self.class_path).cloned();
        // Lombok looks for its settings in the folders above a source.
        let above = self.source_path.iter().flat_map(|root| root.ancestors());
        let settings = above.map(|folder| folder.join(LOMBOK_SETTINGS));
        let all = named.chain(processors).chain(settings);
        all.filter(|p| p.exists()).collect()
    }
}

/// A compiler message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

impl Diagnostic {
    /// The message on one line, with the symbol that it is about.
    pub fn summary(&self) -> String {
        let mut lines = self.message.lines().map(str::trim);
        let first = lines.next().unwrap_or_default();
        let symbol = lines.find_map(|l| l.strip_prefix("symbol:"));
        match symbol {
            Some(symbol) => {
                let words: Vec<&str> = symbol.split_whitespace().collect();
                format!("{first}: {}", words.join(" "))
            }
            None => first.to_string(),
        }
    }
}

/// What the compiler said.
#[derive(Clone, Debug, Default)]
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
            let first = d.summary();
            match (d.file.is_empty(), d.line) {
                (true, _) => format!("  {first}"),
                (_, 0) => format!("  {file}: {first}"),
                (_, line) => format!("  {file}:{line}: {first}"),
            }
        });
        shown.collect::<Vec<_>>().join("\n")
    }
}
