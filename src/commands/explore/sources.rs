//! The given sources, compiled by the user's JDK; what they name is found beside them.

use super::ExploreOptions;
use crate::bytecode::ClassPath;
use crate::error::Error;
use crate::jvm::{CompileRequest, Worker};
use crate::model::Spelling;
use crate::unify::SHADOW_JAVA;
use crate::util::{file, package};
use std::path::{Path, PathBuf};

/// What the research subjects use of Java PathFinder: the engine knows the assumption by name, javac needs to see all.
const VERIFY: (&str, &str) = (
    "gov/nasa/jpf/vm/Verify",
    "package gov.nasa.jpf.vm;\n\npublic final class Verify {\n    public static void ignoreIf(boolean condition) {}\n    public static void beginAtomic() {}\n    public static void endAtomic() {}\n}\n",
);

/// Compiles into a temporary folder.
pub(super) fn compile(
    worker: &mut Worker,
    options: &ExploreOptions,
    sources: &[PathBuf],
) -> Result<tempfile::TempDir, Error> {
    let dir = crate::util::temporary::folder("sources").map_err(|e| io(&e))?;
    let stubs = crate::util::temporary::folder("sources").map_err(|e| io(&e))?;
    let known = ClassPath::of(&options.class_path)?;
    for (name, text) in [("com/shadowci/Shadow", SHADOW_JAVA), VERIFY] {
        if known.find(name)?.is_none() {
            write(&stubs.path().join(format!("{name}.java")), text)?;
        }
    }
    let mut request = CompileRequest {
        class_path: options.class_path.clone(),
        out: dir.path().to_path_buf(),
        ..CompileRequest::default()
    };
    for source in sources {
        let files = files(source, &options.target.class)?;
        for file in files {
            let root = root_of(&file);
            if !request.source_path.contains(&root) {
                request.source_path.push(root);
            }
            request.sources.push(file);
        }
    }
    request.source_path.push(stubs.path().to_path_buf());
    let result = worker.compile(&request)?;
    if result.success {
        return Ok(dir);
    }
    let messages = result.messages(Path::new(""));
    Err(match result.crashed {
        true => Error::CompilerCrash { messages },
        false => Error::Sources { messages },
    })
}

/// The file itself; of a folder, the file that should hold the class, else all.
fn files(source: &Path, class: &str) -> Result<Vec<PathBuf>, Error> {
    if source.is_file() {
        return Ok(vec![source.to_path_buf()]);
    }
    let mut all = Vec::new();
    list(source, &mut all);
    all.sort();
    if all.is_empty() {
        return Err(Error::NoTarget(format!(
            "--source {}: no .java files found",
            source.display()
        )));
    }
    let mut outer = class.outermost().internal();
    loop {
        let ending = format!("{outer}.java");
        let holds = |f: &&PathBuf| f.ends_with(&ending);
        let found: Vec<PathBuf> = all.iter().filter(holds).cloned().collect();
        if !found.is_empty() {
            return Ok(found);
        }
        // A nested class stands in its outer class's file.
        match outer.rfind('/') {
            Some(at) => outer.truncate(at),
            None => return Ok(all),
        }
    }
}

fn list(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        // Links could lead back to a folder above.
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            list(&path, out);
        } else if path.extension().is_some_and(|e| e == "java") {
            out.push(path);
        }
    }
}

/// The folder that the file's package begins in.
fn root_of(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let package = package::folder(&text);
    let levels = package.split('/').filter(|p| !p.is_empty()).count();
    if folder.ends_with(&package) {
        let root = folder.ancestors().nth(levels).unwrap_or(&folder);
        if root.as_os_str().is_empty() {
            return PathBuf::from(".");
        }
        return root.to_path_buf();
    }
    folder
}

fn write(file: &Path, text: &str) -> Result<(), Error> {
    file::write(file, text).map_err(|e| io(&e))
}

fn io(why: &std::io::Error) -> Error {
    Error::Io {
        what: "temporary folder".into(),
        why: why.to_string(),
    }
}
