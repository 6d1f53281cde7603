//! `shadow-ci conformance`: with concrete inputs the engine is a JVM. Calls public methods on boundary and random inputs in
//! the engine and on the JVM, and compares their outcomes; with `--symbolic` those of every path that the engine finds.

mod args;
mod inputs;
mod library;
mod session;
mod symbolic;
mod tally;

pub use crate::util::random::Random;
pub use args::ConformanceArgs;
pub use tally::{ClassTally, text};

use crate::bytecode::ClassPath;
use crate::bytecode::access::{ABSTRACT, PUBLIC, STATIC, SYNTHETIC};
use crate::bytecode::class_file::Method;
use crate::contain::Containment;
use crate::error::Error;
use crate::jvm::Jdk;
use crate::model::{MethodRef, Spelling};
use crate::util::parallel::parallel_map;
use session::Session;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What is called, and how often.
#[derive(Clone, Debug)]
pub struct ConformanceOptions {
    /// `pkg.Class` or `pkg.Class#method-glob`, each.
    pub targets: Vec<String>,
    /// Folders and jars of classes that are not the JDK's; those of the first count as a project's own.
    pub class_path: Vec<PathBuf>,
    /// Calls of each method; paths, where they are symbolic.
    pub calls: usize,
    /// Calls with symbolic arguments: one of each path that they can take.
    pub symbolic: bool,
    /// What inputs are drawn from.
    pub seed: u64,
    /// Constructors and instance methods too, on receivers made by public constructors.
    pub instances: bool,
    /// Instructions per call.
    pub max_instructions: u64,
    /// How long the paths of a method are looked for; then it is cut off by the name `method-timeout`.
    pub method_timeout: Duration,
    /// Methods are shared out among so many threads, each with a JVM of its own.
    pub threads: usize,
    /// JDK to use, else the one on the PATH.
    pub java_home: Option<PathBuf>,
    /// The PATH.
    pub path: Option<std::ffi::OsString>,
    /// Cache folder.
    pub cache: Option<PathBuf>,
    /// What the processes may do to the world.
    pub containment: Containment,
}

/// Runs everything. The tallies come in the order of the targets, whatever the number of threads.
///
/// # Errors
/// There is no such class or JDK, or the JVM can't be run.
pub fn run(options: &ConformanceOptions) -> Result<Vec<ClassTally>, Error> {
    let setting = Setting::of(options)?;
    let mut tallies: Vec<ClassTally> = Vec::new();
    let mut methods = Vec::new();
    for (at, target) in options.targets.iter().enumerate() {
        let wanted = setting.methods(target)?;
        tallies.push(ClassTally::new(target));
        methods.extend(wanted.into_iter().map(|method| (at, method)));
    }
    let work =
        |session: &mut _, (_, wanted): &(usize, CheckedMethod)| tally(&setting, session, wanted);
    let results = parallel_map(options.threads, &methods, || None, work)?;
    for ((at, _), tally) in methods.iter().zip(results) {
        tallies[*at].add(tally?);
    }
    Ok(tallies)
}

/// One method's tally, by the session of its thread.
fn tally<'a>(
    setting: &'a Setting,
    session: &mut Option<Session<'a>>,
    wanted: &CheckedMethod,
) -> Result<ClassTally, Error> {
    let session = match session {
        Some(running) => running,
        None => session.insert(Session::start(setting)?),
    };
    session.method(wanted)
}

/// A method that is checked.
struct CheckedMethod {
    id: MethodRef,
    is_static: bool,
}

/// What all sessions share.
struct Setting<'a> {
    options: &'a ConformanceOptions,
    jdk: Jdk,
    /// Classes of the first folder, which count as a project's own.
    project: Arc<ClassPath>,
    /// All classes.
    library: Arc<ClassPath>,
    /// The class path as the worker takes it: with a first folder that holds a project's classes, or none.
    class_path: Vec<PathBuf>,
    _empty: tempfile::TempDir,
}

impl<'a> Setting<'a> {
    fn of(options: &'a ConformanceOptions) -> Result<Setting<'a>, Error> {
        let jdk = Jdk::find(options.java_home.as_deref(), options.path.as_deref())?;
        let empty = crate::util::temporary::folder("empty").map_err(|e| Error::Io {
            what: "cannot make a temporary folder".into(),
            why: e.to_string(),
        })?;
        let mut class_path = options.class_path.clone();
        if !class_path.first().is_some_and(|p| p.is_dir()) {
            class_path.insert(0, empty.path().to_path_buf());
        }
        Ok(Setting {
            options,
            project: Arc::new(ClassPath::of(&class_path[..1])?),
            library: Arc::new(ClassPath::of(&class_path)?.with_jdk(&jdk.modules())?),
            jdk,
            class_path,
            _empty: empty,
        })
    }

    /// The methods of `pkg.Class` or `pkg.Class#glob` that can be called.
    fn methods(&self, target: &str) -> Result<Vec<CheckedMethod>, Error> {
        let (name, glob) = target.split_once('#').unwrap_or((target, "*"));
        let glob = globset::Glob::new(glob)
            .map_err(|e| Error::Usage(format!("{target}: {e}")))?
            .compile_matcher();
        let missing = || Error::Usage(format!("{name}: class not found"));
        let file = self.library.find(&name.internal())?.ok_or_else(missing)?;
        let methods = file.methods.iter();
        let wanted = methods.filter(|m| self.is_wanted(m) && glob.is_match(&*m.name));
        Ok(wanted
            .map(|method| CheckedMethod {
                id: MethodRef {
                    class: name.into(),
                    name: method.name.to_string(),
                    descriptor: method.descriptor.to_string(),
                },
                is_static: method.access & STATIC != 0,
            })
            .collect())
    }

    fn is_wanted(&self, method: &Method) -> bool {
        let public = method.access & PUBLIC != 0 && method.access & (SYNTHETIC | ABSTRACT) == 0;
        let callable = method.access & STATIC != 0 || self.options.instances;
        public && callable && &*method.name != "<clinit>"
    }
}
