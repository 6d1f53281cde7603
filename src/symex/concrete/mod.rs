//! Concrete runs: one call with given arguments, in one version, without forks. With concrete inputs the engine is a JVM.

pub(in crate::symex) mod concrete_input;
pub(in crate::symex) mod initialised;

use crate::bytecode::class_file::Insn;
use crate::expr::{Arith, Model, Pool};
use crate::model::reason::Reason;
use crate::model::{Inputs, MethodRef, Outcome, Spelling, Version};
use crate::symex::class::linker::Program;
use crate::symex::concrete::concrete_input::{drive, driver};
use crate::symex::concrete::initialised::initialised;
use crate::symex::explore::predict::predict;
use crate::symex::explore::stop_of;
use crate::symex::input::Built;
use crate::symex::interp::fork::act;
use crate::symex::interp::run::{Turn, driver_frame, next_turn};
use crate::symex::interp::step::step;
use crate::symex::state::bounds::Bounds;
use crate::symex::state::interruption::{Act, Interruption, Stop};
use crate::symex::state::shape::InputShape;
use crate::symex::state::strategy::Strategy;
use crate::symex::state::{Frame, Mode, State, Thread};
use crate::symex::vm::Vm;
use crate::symex::vm::view::freeze_heap;
use std::sync::Arc;

/// Runs calls one after the other, each from the state that the initialiser of the called class leaves.
pub struct Interpreter {
    vm: Vm,
    instructions: u64,
    initialised: Option<(String, State)>,
}

/// Terms after which the pool is emptied.
const MAX_TERMS: usize = 1_000_000;

/// How a concrete run ended.
#[derive(Debug)]
pub enum RunEnd {
    /// The call returned or threw.
    Ended(Box<Outcome>),
    /// Building the input threw.
    NoInput,
    /// It was given up, in these methods (innermost first).
    GaveUp(Stop, Vec<String>),
}

impl Interpreter {
    /// An interpreter of a program's new version.
    pub fn new(program: Arc<Program>, bounds: Bounds) -> Interpreter {
        let vm = Vm::new(Arith::Java, program, bounds, Strategy::default());
        Interpreter {
            vm,
            instructions: 0,
            initialised: None,
        }
    }

    /// Instructions executed so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Runs one call.
    pub fn run(&mut self, entry: &MethodRef, inputs: &Inputs) -> RunEnd {
        let known = self
            .initialised
            .as_ref()
            .is_some_and(|(class, _)| entry.class == *class);
        if !known || self.vm.pool.len() > MAX_TERMS {
            self.vm.pool = Pool::new(Arith::Java);
            self.initialised = self
                .initialise(&entry.class)
                .map(|s| (entry.class.to_string(), s));
        }
        match self.begin(entry, inputs) {
            Ok(state) => self.drive(state),
            Err(interruption) => RunEnd::GaveUp(stop_of(interruption), Vec::new()),
        }
    }

    /// The state in which the class is initialised; `None` where its initialiser fails or gives up: then each call tries itself.
    fn initialise(&mut self, class: &str) -> Option<State> {
        let name: Arc<str> = Arc::from(class.internal());
        let id = self.vm.library(&name).ok()?;
        let driver = driver(&mut self.vm, vec![Insn::Return(None)], 0).ok()?;
        let state = self.fresh(driver_frame(driver, Vec::new()), InputShape::nothing());
        initialised(&mut self.vm, state, id, &mut self.instructions)
    }

    fn begin(&mut self, entry: &MethodRef, inputs: &Inputs) -> Built<State> {
        let (frame, shape) = drive(&mut self.vm, entry, inputs)?;
        Ok(match &self.initialised {
            Some((_, state)) => State {
                thread: Thread::new(frame),
                shape: Arc::new(shape),
                ..state.clone()
            },
            None => self.fresh(frame, shape),
        })
    }

    fn fresh(&mut self, frame: Frame, shape: InputShape) -> State {
        State {
            shape: Arc::new(shape),
            concrete: true,
            // Both versions are the same program.
            ..State::at_start(&mut self.vm.pool, Mode::Both, Thread::new(frame))
        }
    }

    fn drive(&mut self, mut state: State) -> RunEnd {
        let budget = self.instructions + self.vm.bounds.max_instructions;
        loop {
            match next_turn(&mut self.vm, &mut state) {
                Ok(Turn::Again) => continue,
                Ok(Turn::NoInput) => return RunEnd::NoInput,
                Ok(Turn::Ended) => return self.outcome(state),
                Ok(Turn::Instruction) => {}
                Err(interruption) => return gave_up(&state, stop_of(interruption)),
            }
            self.instructions += 1;
            if self.instructions > budget {
                let stop = Stop::unsupported(Reason::InstructionBudget, String::new());
                return gave_up(&state, stop);
            }
            match step(&mut self.vm, &mut state) {
                Ok(()) => {}
                Err(Interruption::Raise(class)) => {
                    match act(&mut self.vm, state, &Act::Raise(class)) {
                        Ok(next) => state = next,
                        Err(dropped) => return gave_up(&dropped.0, dropped.1.stop()),
                    }
                }
                Err(interruption) => return gave_up(&state, stop_of(interruption)),
            }
        }
    }

    fn outcome(&mut self, mut state: State) -> RunEnd {
        freeze_heap(&mut self.vm, &mut state);
        match &state.thread.end {
            Some(end) => {
                if let Some(reason) = state.chance {
                    return gave_up(&state, Stop::unsupported(reason, "differs from run to run"));
                }
                let model = Model::default();
                let outcome = predict(&mut self.vm, &state, end, Version::New, &model);
                RunEnd::Ended(Box::new(outcome))
            }
            None => gave_up(
                &state,
                Stop::unsupported(Reason::Internal, "a run without an end"),
            ),
        }
    }
}

fn gave_up(state: &State, stop: Stop) -> RunEnd {
    let frames = state.thread.frames.iter().rev();
    let names = frames.map(|f| format!("{}.{}", f.method.class_name.dotted(), f.method.name));
    RunEnd::GaveUp(stop, names.collect())
}
