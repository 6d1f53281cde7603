//! Compilation without annotation processors and plugins that can't be loaded, or crash.

use super::tolerant::{clear, compile_text, errors};
use super::{Workspace, name};
use crate::error::Error;
use crate::jvm::{CompileRequest, CompileResult, Worker};
use crate::model::Version;
use crate::project::{loadable, processors};
use std::path::PathBuf;

/// What notes about them begin with.
const WHAT: &str = "annotation processors";

/// An annotation that JDKs had until Java 10 (JEP 320): processors of that time name it in what they generate.
const GENERATED: &str = "javax.annotation.Generated";
/// That annotation (JSR 250 §2.1), for processors and for what they generate.
const GENERATED_JAVA: &str = "package javax.annotation;

public @interface Generated {
    String[] value();

    String date() default \"\";

    String comments() default \"\";
}
";

/// Whether javac failed, but for nothing that stands in a source file.
pub(super) fn is_in_no_file(result: &CompileResult) -> bool {
    let mut errors = result.diagnostics.iter().filter(|d| d.error);
    result.crashed || errors.any(|d| d.file.is_empty())
}

impl Workspace {
    /// Compiles again with what processors may lack of older JDKs, then without those that are made for a newer JDK, then without any;
    /// what is left out is noted. The result so far stays where none compiles more.
    pub(super) fn with_loadable_processors(
        &self,
        worker: &mut Worker,
        version: Version,
        (request, first): (&mut CompileRequest, CompileResult),
    ) -> Result<CompileResult, Error> {
        let jdk = worker.jdk().version;
        let (path, others) = split(&request.flags);
        let (kept, newer) = loadable(&path, jdk);
        let crash = first.diagnostics.iter().find(|d| d.error);
        let crash = crash.map_or("it crashed".into(), |d| d.summary());
        let mut ways = Vec::new();
        if is_for_want_of_generated(&crash) {
            let folder = self.write_generated(worker, version)?;
            request.class_path = self.class_path_of(version);
            let path = [&path[..], &[folder]].concat();
            ways.push(([others.clone(), processors(&path)].concat(), None));
        }
        if !newer.is_empty() {
            let name = |(jar, release): &(PathBuf, u32)| {
                let file = jar.file_name().unwrap_or_default().to_string_lossy();
                format!("{file} needs Java {release}")
            };
            let names: Vec<String> = newer.iter().map(name).collect();
            let why = format!("{}: left out on JDK {jdk}", names.join(", "));
            ways.push(([others.clone(), processors(&kept)].concat(), Some(why)));
        }
        let why = format!("left out, for javac failed with them: {crash}");
        ways.push((others, Some(why)));
        for (flags, why) in ways {
            clear(&request.out)?;
            let tried = CompileRequest {
                flags,
                ..request.clone()
            };
            let result = worker.compile(&tried)?;
            if result.success || !is_in_no_file(&result) {
                self.keep(version, request, (tried, why));
                return Ok(result);
            }
        }
        clear(&request.out)?;
        Ok(first)
    }

    /// Compiles again without processors, which stay left out where javac refuses less of the files then: some, which the build runs on each
    /// module by itself, refuse what they see of several at once. What is left out is noted.
    pub(super) fn without_refusing_processors(
        &self,
        worker: &mut Worker,
        version: Version,
        (request, first): (&mut CompileRequest, CompileResult),
    ) -> Result<CompileResult, Error> {
        clear(&request.out)?;
        let tried = CompileRequest {
            flags: split(&request.flags).1,
            ..request.clone()
        };
        let result = worker.compile(&tried)?;
        if is_in_no_file(&result) || errors(&result) >= errors(&first) {
            clear(&request.out)?;
            return Ok(first);
        }
        let refused = first.diagnostics.iter().find(|d| d.error);
        let refused = refused.map_or_else(String::new, |d| d.summary());
        let why = format!("left out, for javac refuses more with them: {refused}");
        self.keep(version, request, (tried, Some(why)));
        Ok(result)
    }

    /// From now on the version is compiled so; what is left out is noted.
    fn keep(
        &self,
        version: Version,
        request: &mut CompileRequest,
        (tried, why): (CompileRequest, Option<String>),
    ) {
        self.set_flags(version, tried.flags.clone());
        if let Some(why) = why {
            self.note((WHAT.into(), why));
        }
        *request = tried;
    }

    /// The folder with the annotation that a version's processors look for, where it was written.
    pub(super) fn generated(&self, version: Version) -> Option<PathBuf> {
        let folder = self.generated_folder(version);
        folder.is_dir().then_some(folder)
    }

    fn generated_folder(&self, version: Version) -> PathBuf {
        self.path(&format!("{}-annotation", name(version)))
    }

    fn write_generated(&self, worker: &mut Worker, version: Version) -> Result<PathBuf, Error> {
        let source = self.path(&format!("{}-annotation-source", name(version)));
        let out = self.generated_folder(version);
        compile_text(worker, (&source, "Generated.java", GENERATED_JAVA), &out)?;
        Ok(out)
    }
}

/// Whether a processor did not find that annotation.
fn is_for_want_of_generated(crash: &str) -> bool {
    crash.contains(GENERATED) || crash.contains(&GENERATED.replace('.', "/"))
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
