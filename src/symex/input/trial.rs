//! A trial run of one way to build a value: ways that never end are not used in inputs.

use super::Spec;
use super::driver::drive;
use crate::model::reason::Reason;
use crate::solver::{Constraints, LayeredSolver, Solver, SolverOptions};
use crate::symex::class::Method;
use crate::symex::interp::annotation::at_argument;
use crate::symex::interp::fork::{Successor, act, fork};
use crate::symex::interp::run::{Turn, enter_region, next_turn};
use crate::symex::interp::step::step;
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::state::{Mode, State, Thread};
use crate::symex::vm::Vm;
use std::sync::Arc;

/// Most instructions of one trial, and of all of them.
const MAX_INSTRUCTIONS: u64 = 3_000_000;
const MAX_ALL: u64 = 30_000_000;
/// Most questions to the solver in one trial, and in all of them.
const MAX_QUERIES: u64 = 12;
const MAX_ALL_QUERIES: u64 = 100;
/// What Z3 may spend on one of them.
const RESOURCES: u32 = 50_000;

/// What came of a trial.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::symex) enum Verdict {
    /// There is such a value.
    Possible,
    /// It could not be told in short time.
    Slow,
    /// Every path threw, or was given up for such a reason.
    Impossible(Option<Stop>),
}

/// Tries ways to build values.
pub(in crate::symex) struct Trial {
    /// One that soon gives up: what is hard to make is not worth trying.
    solver: LayeredSolver,
    entry: Arc<Method>,
    /// What trials begin with: classes that one of them has initialised stay so for the others.
    ground: State,
    instructions: u64,
    queries: u64,
    /// Whether the solver left open what a trial could do.
    unsure: bool,
}

impl Trial {
    /// Trials that begin in that state, of inputs of that method.
    pub fn new(entry: Arc<Method>, ground: State) -> Trial {
        let options = SolverOptions {
            rlimit: RESOURCES,
            ..SolverOptions::default()
        };
        Trial {
            solver: LayeredSolver::new(&options),
            entry,
            ground,
            instructions: 0,
            queries: 0,
            unsure: false,
        }
    }

    /// Follows the making of a value until one path comes to its end.
    pub fn of(&mut self, vm: &mut Vm, spec: &Spec) -> Verdict {
        let over = self.instructions > MAX_ALL || self.queries > MAX_ALL_QUERIES;
        if spec.is_cheap() || over {
            return Verdict::Possible;
        }
        let before = self.solver.stats().queries;
        // What trials come across says nothing of the paths that are explored.
        let touched = std::mem::take(&mut vm.touched);
        let verdict = self.search(vm, spec);
        vm.touched = touched;
        self.queries += self.solver.stats().queries - before;
        // What can't even be begun is left to the exploration to tell.
        verdict.unwrap_or(Verdict::Slow)
    }

    fn search(&mut self, vm: &mut Vm, spec: &Spec) -> Step<Verdict> {
        let mut heap = self.ground.heap.clone();
        let (frame, shape) = drive(vm, &mut heap, &self.entry, &[], Some(spec), &[])?;
        let mut todo = vec![State {
            thread: Thread::new(frame),
            heap,
            constraints: Constraints::initial(&vm.pool),
            shape: Arc::new(shape),
            ..self.ground.clone()
        }];
        let until = self.instructions + MAX_INSTRUCTIONS;
        let asked = self.solver.stats().queries + MAX_QUERIES;
        let mut why = None;
        self.unsure = false;
        while let Some(state) = todo.pop() {
            if self.instructions > until || self.solver.stats().queries > asked {
                return Ok(Verdict::Slow);
            }
            match self.run(vm, state, until) {
                Run::Made(state) => {
                    self.keep(*state);
                    return Ok(Verdict::Possible);
                }
                Run::Threw => {}
                Run::Slow => return Ok(Verdict::Slow),
                Run::Forked(next) => todo.extend(next.into_iter().rev()),
                Run::GaveUp(stop) => why = why.or(Some(stop)),
            }
        }
        Ok(match self.unsure {
            true => Verdict::Slow,
            false => Verdict::Impossible(why),
        })
    }

    /// Runs one state until it forks, ends, or has made the value.
    fn run(&mut self, vm: &mut Vm, mut state: State, until: u64) -> Run {
        loop {
            match next_turn(vm, &mut state) {
                Ok(Turn::Again) => {}
                Ok(Turn::NoInput) => return Run::Threw,
                Ok(Turn::Ended) => return Run::Slow,
                Ok(Turn::Instruction) if !state.makes_input() => return Run::Made(Box::new(state)),
                Ok(Turn::Instruction) if self.instructions > until => return Run::Slow,
                Ok(Turn::Instruction) if at_argument(vm, &mut state) => {}
                Ok(Turn::Instruction) => {
                    self.instructions += 1;
                    match step(vm, &mut state) {
                        Ok(()) => {}
                        Err(Interruption::Region { old, new, at }) => {
                            enter_region(&mut state, old, new, at)
                        }
                        Err(Interruption::Raise(class)) => match act(vm, state, &Act::Raise(class))
                        {
                            Ok(next) => state = next,
                            Err(dropped) => return Run::GaveUp(dropped.1.stop()),
                        },
                        Err(Interruption::Choose(choices)) => {
                            let next = fork(vm, &mut self.solver, state, choices);
                            return self.forked(next);
                        }
                        Err(Interruption::GiveUp(stop)) => return Run::GaveUp(stop),
                        Err(Interruption::Exclude) => return Run::Threw,
                        Err(
                            Interruption::OwnCode
                            | Interruption::Tabulate(_)
                            | Interruption::Initialising,
                        ) => {
                            return Run::Slow;
                        }
                    }
                }
                Err(Interruption::GiveUp(stop)) => return Run::GaveUp(stop),
                Err(_) => return Run::Slow,
            }
        }
    }

    fn forked(&mut self, successors: Vec<Successor>) -> Run {
        let (mut next, mut why) = (Vec::new(), None);
        for successor in successors {
            match successor {
                Ok(state) => next.push(state),
                Err(dropped) => {
                    let stop = dropped.1.stop();
                    self.unsure |= stop.reason == Reason::SolverUnknown;
                    why = Some(stop);
                }
            }
        }
        match (next.is_empty(), why) {
            (true, Some(stop)) => Run::GaveUp(stop),
            _ => Run::Forked(next),
        }
    }

    /// Classes that are initialised now need not be in the next trial.
    fn keep(&mut self, state: State) {
        let plain = matches!(state.mode, Mode::Both)
            && state.constraints.terms().is_empty()
            && !state.split_seen;
        if plain {
            self.ground.heap = state.heap;
            self.ground.statics = state.statics;
            self.ground.singletons = state.singletons;
        }
    }
}

enum Run {
    Made(Box<State>),
    Threw,
    Slow,
    Forked(Vec<State>),
    GaveUp(Stop),
}
