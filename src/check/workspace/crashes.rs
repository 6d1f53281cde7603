//! Compilation without annotation processors and plugins that can't be loaded, or crash.

use super::Workspace;
use super::tolerant::clear;
use crate::error::Error;
use crate::jvm::{CompileRequest, CompileResult, Worker};
use crate::model::Version;
use crate::project::{loadable, processors};
use std::path::PathBuf;

/// What notes about them begin with.
const WHAT: &str = "annotation processors";

/// Whether javac failed, but for nothing that stands in a source file.
pub(super) fn is_in_no_file(result: &CompileResult) -> bool {
    let mut errors = result.diagnostics.iter().filter(|d| d.error);
    result.crashed || errors.any(|d| d.file.is_empty())
}

impl Workspace {
    /// Compiles again without processors that are made for a newer JDK, then without any; what is left out is noted. The result so far
    /// stays where neither compiles more.
    pub(super) fn with_loadable_processors(
        &self,
        worker: &mut Worker,
        version: Version,
        (request, first): (&mut CompileRequest, CompileResult),
    ) -> Result<CompileResult, Error> {
        let jdk = worker.jdk().version;
        let (path, others) = split(&request.flags);
        let (kept, newer) = loadable(&path, jdk);
        let mut ways = Vec::new();
        if !newer.is_empty() {
            let name = |(jar, release): &(PathBuf, u32)| {
                let file = jar.file_name().unwrap_or_default().to_string_lossy();
                format!("{file} needs Java {release}")
            };
            let names: Vec<String> = newer.iter().map(name).collect();
            let why = format!("{}: left out on JDK {jdk}", names.join(", "));
            ways.push(([others.clone(), processors(&kept)].concat(), why));
        }
        let crash = first.diagnostics.iter().find(|d| d.error);
        let crash = crash.map_or("it crashed".into(), |d| d.summary());
        ways.push((
            others,
            format!("left out, for javac failed with them: {crash}"),
        ));
        for (flags, why) in ways {
            clear(&request.out)?;
            let tried = CompileRequest {
                flags,
                ..request.clone()
            };
            let result = worker.compile(&tried)?;
            if result.success || !is_in_no_file(&result) {
                self.set_flags(version, tried.flags.clone());
                self.note((WHAT.into(), why));
                *request = tried;
                return Ok(result);
            }
        }
        clear(&request.out)?;
        Ok(first)
    }
}

/// The processor path that options name, and the options without it and the processors named for it.
fn split(flags: &[String]) -> (Vec<PathBuf>, Vec<String>) {
    let (mut path, mut others) = (Vec::new(), Vec::new());
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-processorpath" => path.extend(words.next().iter().flat_map(std::env::split_paths)),
            "-processor" => drop(words.next()),
            _ => others.push(word.clone()),
        }
    }
    (path, others)
}
