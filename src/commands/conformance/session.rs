//! One engine and one JVM, used for all calls of a thread.

use super::inputs::Inventory;
use super::tally::ClassTally;
use super::{CheckedMethod, Setting};
use crate::bytecode::ClassPath;
use crate::error::Error;
use crate::jvm::{CallKind, ReplayRequest, Worker};
use crate::model::{Inputs, Outcome};
use crate::symex::{Bounds, Interpreter, Machine, Program, RunEnd};
use crate::util::memory;
use crate::util::random::Random;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How long the JVM may take for one call.
const CALL_LIMIT: Duration = Duration::from_secs(10);

pub(super) struct Session<'a> {
    pub setting: &'a Setting<'a>,
    pub program: Arc<Program>,
    engine: Interpreter,
    worker: Worker,
}

impl<'a> Session<'a> {
    pub fn start(setting: &'a Setting<'a>) -> Result<Session<'a>, Error> {
        let options = setting.options;
        let program = Arc::new(Program {
            old: setting.project.clone(),
            new: setting.project.clone(),
            unified: Arc::new(ClassPath::empty()),
            library: setting.library.clone(),
            levels: BTreeMap::new(),
            machine: Machine::default(),
            sources: Arc::default(),
        });
        Ok(Session {
            setting,
            engine: Interpreter::new(program.clone(), bounds(options.max_instructions)),
            program,
            worker: Worker::start(&setting.jdk, options.cache.as_deref(), &options.containment)?,
        })
    }

    /// What the calls of one method, or its paths, come to.
    pub fn method(&mut self, wanted: &CheckedMethod) -> Result<ClassTally, Error> {
        let mut tally = ClassTally {
            methods: 1,
            ..ClassTally::default()
        };
        if self.setting.options.symbolic {
            self.paths(wanted, &mut tally)?;
        } else {
            self.calls(wanted, &mut tally)?;
        }
        Ok(tally)
    }

    fn calls(&mut self, wanted: &CheckedMethod, tally: &mut ClassTally) -> Result<(), Error> {
        let (options, library) = (self.setting.options, &self.setting.library);
        let id = &wanted.id;
        let name = format!("{}#{}{}", id.class, id.name, id.descriptor);
        let mut inventory = Inventory::new(library, Random::new(options.seed, &name));
        for _ in 0..options.calls {
            match inventory.inputs(id, wanted.is_static) {
                Some(inputs) => self.call(wanted, &inputs, tally)?,
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
        wanted: &CheckedMethod,
        inputs: &Inputs,
        tally: &mut ClassTally,
    ) -> Result<(), Error> {
        let before = self.engine.instructions();
        let run = self.engine.run(&wanted.id, inputs);
        tally.instructions += self.engine.instructions() - before;
        let predicted = match run {
            RunEnd::NoInput => return Ok(()),
            RunEnd::GaveUp(stop, trace) => {
                let trace = trace.join(" < ");
                let call = || {
                    format!(
                        "{} in {trace}",
                        crate::java_text::call::call(&wanted.id, inputs)
                    )
                };
                tally.gave_up(&stop, call);
                return Ok(());
            }
            RunEnd::Ended(outcome) => outcome,
        };
        self.compare(wanted, inputs, &predicted, tally)
    }

    /// What the JVM does on the input is what the engine says.
    pub fn compare(
        &mut self,
        wanted: &CheckedMethod,
        inputs: &Inputs,
        predicted: &Outcome,
        tally: &mut ClassTally,
    ) -> Result<(), Error> {
        let observed = self.worker.replay(&ReplayRequest {
            class_path: &self.setting.class_path,
            entry: &wanted.id,
            call: CallKind::of(wanted.is_static),
            inputs,
            limit: CALL_LIMIT,
        })?;
        match crate::replay::mismatch(predicted, &observed) {
            None => tally.agreed += 1,
            Some(why) => {
                let call = crate::java_text::call::call(&wanted.id, inputs);
                tally.mismatches.push(format!("{call}\n        {why}"));
            }
        }
        Ok(())
    }
}

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
        max_effort: u64::MAX,
        deadline: None,
        memory: memory::quarter(),
    }
}
