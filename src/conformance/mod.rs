//! `shadow-ci conformance`: with concrete inputs the engine is a JVM. Calls public methods on boundary and random inputs in
//! the engine and on the JVM, and compares their outcomes; with `--symbolic` those of every path that the engine finds.

mod args;
mod inputs;
mod symbolic;
mod tally;

pub use crate::sampling::Random;
pub use args::ConformanceArgs;
pub use tally::{ClassTally, text};

use crate::bytecode::ClassPath;
use crate::bytecode::class_file::Method;
use crate::deep_stack::on_a_deep_stack;
use crate::error::Error;
use crate::jvm::{Jdk, ReplayRequest, Worker};
use crate::report::call_text;
use crate::symex::{Bounds, Interpreter, Machine, Program, Run};
use crate::verdict::{Inputs, MethodId, Outcome};
use inputs::Inventory;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
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
    /// JDK to use, else the one on the PATH.
    pub java_home: Option<PathBuf>,
    /// The PATH.
    pub path: Option<std::ffi::OsString>,
    /// Cache folder.
    pub cache: Option<PathBuf>,
}

/// Runs everything, class by class. A thread's default stack is too small for deep values.
pub fn run(options: &ConformanceOptions) -> Result<Vec<ClassTally>, Error> {
    on_a_deep_stack(|| Session::start(options)?.run())
}

/// How long the JVM may take for one call.
const CALL_LIMIT: Duration = Duration::from_secs(10);

struct Session<'a> {
    options: &'a ConformanceOptions,
    library: Arc<ClassPath>,
    program: Rc<Program>,
    engine: Interpreter,
    worker: Worker,
    /// The class path as the worker takes it: with a first folder that holds a project's classes, or none.
    class_path: Vec<PathBuf>,
    _empty: tempfile::TempDir,
}

impl<'a> Session<'a> {
    fn start(options: &'a ConformanceOptions) -> Result<Session<'a>, Error> {
        let jdk = Jdk::find(options.java_home.as_deref(), options.path.as_deref())?;
        let empty = tempfile::tempdir().map_err(|e| Error::Io {
            what: "cannot make a temporary folder".into(),
            why: e.to_string(),
        })?;
        let mut class_path = options.class_path.clone();
        if !class_path.first().is_some_and(|p| p.is_dir()) {
            class_path.insert(0, empty.path().to_path_buf());
        }
        let project = Arc::new(ClassPath::of(&class_path[..1])?);
        let library = Arc::new(ClassPath::of(&class_path)?.with_jdk(&jdk.modules())?);
        let program = Rc::new(Program {
            old: project.clone(),
            new: project.clone(),
            unified: Arc::new(ClassPath::empty()),
            library: library.clone(),
            levels: BTreeMap::new(),
            machine: Machine::default(),
        });
        Ok(Session {
            options,
            library,
            engine: Interpreter::new(program.clone(), bounds(options.max_instructions)),
            program,
            worker: Worker::start(&jdk, options.cache.as_deref())?,
            class_path,
            _empty: empty,
        })
    }

    fn run(mut self) -> Result<Vec<ClassTally>, Error> {
        let targets = &self.options.targets;
        targets.iter().map(|target| self.class(target)).collect()
    }

    fn class(&mut self, target: &str) -> Result<ClassTally, Error> {
        let (name, glob) = target.split_once('#').unwrap_or((target, "*"));
        let glob = globset::Glob::new(glob)
            .map_err(|e| Error::NotSupported(format!("{target}: {e}")))?
            .compile_matcher();
        let missing = || Error::NotSupported(format!("{name}: there is no such class"));
        let file = self
            .library
            .find(&name.replace('.', "/"))?
            .ok_or_else(missing)?;
        let mut tally = ClassTally::new(target);
        for method in &file.methods {
            if !self.is_wanted(method) || !glob.is_match(&*method.name) {
                continue;
            }
            let id = MethodId {
                class: name.to_string(),
                name: method.name.to_string(),
                descriptor: method.descriptor.to_string(),
            };
            let is_static = method.access & STATIC != 0;
            tally.methods += 1;
            if self.options.symbolic {
                self.paths(&id, is_static, &mut tally)?;
            } else {
                self.method(&id, is_static, &mut tally)?;
            }
        }
        Ok(tally)
    }

    fn is_wanted(&self, method: &Method) -> bool {
        let public = method.access & PUBLIC != 0 && method.access & (SYNTHETIC | ABSTRACT) == 0;
        let callable = method.access & STATIC != 0 || self.options.instances;
        public && callable && &*method.name != "<clinit>"
    }

    fn method(
        &mut self,
        id: &MethodId,
        is_static: bool,
        tally: &mut ClassTally,
    ) -> Result<(), Error> {
        let name = format!("{}#{}{}", id.class, id.name, id.descriptor);
        let random = Random::new(self.options.seed, &name);
        let library = self.library.clone();
        let mut inventory = Inventory::new(&library, random);
        for _ in 0..self.options.calls {
            match inventory.inputs(id, is_static) {
                Some(inputs) => self.call(id, is_static, &inputs, tally)?,
                None => {
                    tally.not_called.insert(name);
                    break;
                }
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        id: &MethodId,
        is_static: bool,
        inputs: &Inputs,
        tally: &mut ClassTally,
    ) -> Result<(), Error> {
        let before = self.engine.instructions();
        let run = self.engine.run(id, inputs);
        tally.instructions += self.engine.instructions() - before;
        let predicted = match run {
            Run::NoInput => return Ok(()),
            Run::GaveUp(stop, trace) => {
                tally.gave_up(&stop, || {
                    format!("{} in {}", call_text::call(id, inputs), trace.join(" < "))
                });
                return Ok(());
            }
            Run::Ended(outcome) => outcome,
        };
        self.compare(id, is_static, inputs, &predicted, tally)
    }

    /// What the JVM does on the input is what the engine says.
    fn compare(
        &mut self,
        id: &MethodId,
        is_static: bool,
        inputs: &Inputs,
        predicted: &Outcome,
        tally: &mut ClassTally,
    ) -> Result<(), Error> {
        let observed = self.worker.replay(&ReplayRequest {
            class_path: &self.class_path,
            entry: id,
            is_static,
            inputs,
            limit: CALL_LIMIT,
        })?;
        match crate::replay::mismatch(predicted, &observed) {
            None => tally.agreed += 1,
            Some(why) => tally
                .mismatches
                .push(format!("{}\n        {why}", call_text::call(id, inputs))),
        }
        Ok(())
    }
}

const PUBLIC: u16 = 0x0001;
const STATIC: u16 = 0x0008;
const ABSTRACT: u16 = 0x0400;
const SYNTHETIC: u16 = 0x1000;

/// Bounds that no concrete run meets but by recursing or running for too long.
fn bounds(max_instructions: u64) -> Bounds {
    Bounds {
        max_string: u32::MAX,
        max_array: u32::MAX,
        loop_bound: u32::MAX,
        max_depth: 200,
        max_paths: 1,
        max_instructions,
        int_range: None,
        prior_calls: 0,
        max_queries: 0,
        deadline: None,
    }
}
