//! The exploration of one entry method: an iterator over its paths, each with both versions' outcomes.

pub(in crate::symex) mod budget;
pub(in crate::symex) mod difference;
pub(in crate::symex) mod dise;
pub(in crate::symex) mod entry;
pub(in crate::symex) mod evaluation;
pub(in crate::symex) mod executed;
pub(in crate::symex) mod finish;
pub(in crate::symex) mod input_budget;
mod part;
mod parts;
mod path;
mod paths;
pub(in crate::symex) mod predict;
pub(in crate::symex) mod reach_pruning;
pub(in crate::symex) mod reachable_marks;
pub(in crate::symex) mod samples;
pub(in crate::symex) mod search;
mod turns;

pub use path::{FinishedPath, PathEnd, PathTerms};
pub use paths::Paths;

use crate::expr::Arith;
use crate::model::MethodRef;
use crate::model::reason::Reason;
use crate::model::tree::{Leaf, Tree};
use crate::solver::{LayeredSolver, Solver, SolverOptions, Stats};
use crate::symex::class::Method;
use crate::symex::class::linker::Program;
use crate::symex::explore::dise::Dise;
use crate::symex::explore::entry::placeholder;
use crate::symex::explore::input_budget::InputBudget;
use crate::symex::explore::reach_pruning::ReachPruning;
use crate::symex::explore::samples::Samples;
use crate::symex::explore::search::{Searcher, searcher};
use crate::symex::explore::turns::Turns;
use crate::symex::input::specs::EntryShape;
use crate::symex::interp::annotation::at_argument;
use crate::symex::interp::fork::{Dropped, Successor, act, fork};
use crate::symex::interp::run::{Turn, enter_region, next_turn};
use crate::symex::interp::step::step;
use crate::symex::state::State;
use crate::symex::state::bounds::Bounds;
use crate::symex::state::interruption::{Act, Interruption, Stop};
use crate::symex::state::shape::InputShape;
use crate::symex::state::strategy::{ExploreMode, Prune, Strategy};
use crate::symex::state::tree::Recorder;
use crate::symex::vm::Vm;
use crate::symex::vm::reruns::Reruns;
use crate::util::memory::MemoryLimit;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::Arc;

/// Explores one entry method.
pub struct Explorer {
    pub(in crate::symex) vm: Vm,
    pub(in crate::symex) solver: LayeredSolver,
    pub(in crate::symex) entry: Arc<Method>,
    pub(in crate::symex) names: Vec<String>,
    /// Ways to make an input that were not begun, with their numbers.
    pub(in crate::symex) shapes: VecDeque<(usize, EntryShape)>,
    /// The state before any input is built, once it is known.
    pub(in crate::symex) ground: Option<State>,
    pub(in crate::symex) begun: Vec<(usize, Arc<InputShape>)>,
    states: Box<dyn Searcher>,
    reach: Option<ReachPruning>,
    pub(in crate::symex) dise: Option<Dise>,
    pub(in crate::symex) ready: VecDeque<PathEnd>,
    made: u64,
    instructions: u64,
    pub(in crate::symex) input_budget: InputBudget,
    pub(in crate::symex) finished: u64,
    /// Paths that were finished before this one, a part, began.
    finished_before: u64,
    pub(in crate::symex) tree: Recorder,
    exhausted: bool,
    /// What was spent when the last shape was begun, in parts of the budget.
    pub(in crate::symex) begun_at: f64,
    /// The part of the budget that the shapes share, each as much before the next one is begun.
    pub(in crate::symex) budget_of_shapes: f64,
    /// Steps of work done elsewhere for its paths.
    pub(in crate::symex) charged: u64,
    /// Work on terms when the budgets were last looked at.
    pub(in crate::symex) looked: Cell<u64>,
    /// What the process may have in memory.
    pub(in crate::symex) memory: MemoryLimit,
    pub(in crate::symex) samples: Samples,
    turns: Turns,
    absorbed: Absorbed,
}

/// Counts of parts that have ended.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::symex) struct Absorbed {
    states: u64,
    infeasible: u64,
    solver: Stats,
}

impl Explorer {
    /// Prepares the exploration of `entry` in a program.
    ///
    /// # Errors
    /// The entry method is not there, or no input of it can be made.
    pub fn new(
        program: Arc<Program>,
        entry: &MethodRef,
        bounds: Bounds,
        arith: Arith,
        solver: &SolverOptions,
        strategy: Strategy,
    ) -> Result<Explorer, Stop> {
        let by_impact = strategy.prune == Prune::Dise;
        let states = searcher(strategy.order, by_impact);
        let mut chain = LayeredSolver::new(&budget::within(solver, &bounds));
        chain.end_at(bounds.deadline);
        let memory = MemoryLimit::begin(bounds.memory);
        let vm = Vm::new(arith, program, bounds, strategy);
        let mut explorer = Explorer {
            vm,
            solver: chain,
            entry: placeholder(),
            names: Vec::new(),
            shapes: VecDeque::new(),
            ground: None,
            begun: Vec::new(),
            states,
            reach: None,
            dise: None,
            ready: VecDeque::new(),
            made: 0,
            instructions: 0,
            input_budget: InputBudget::default(),
            finished: 0,
            finished_before: 0,
            tree: Recorder::default(),
            exhausted: false,
            begun_at: 0.0,
            budget_of_shapes: 0.5,
            charged: 0,
            looked: Cell::new(0),
            memory,
            samples: Samples::default(),
            turns: Turns::default(),
            absorbed: Absorbed::default(),
        };
        explorer.find_entry(entry).map_err(stop_of)?;
        if by_impact {
            explorer.direct();
        }
        Ok(explorer)
    }

    fn direct(&mut self) {
        let single = self.vm.strategy.mode == ExploreMode::NewOnly;
        let reach = self.reach.insert(ReachPruning::of(&mut self.vm));
        let given = self.vm.strategy.impacted.as_ref();
        self.dise = Some(Dise::new(reach.executed(), given, single));
    }

    /// Impacted statements that the entry method can come to, where pruning is by impact.
    pub fn impacted(&self) -> Option<usize> {
        self.dise.as_ref().map(Dise::reachable_impacted)
    }

    /// Parameter names of the entry method.
    pub fn parameter_names(&self) -> &[String] {
        &self.names
    }

    /// Whether the entry method is static.
    pub fn entry_is_static(&self) -> bool {
        self.entry.is_static()
    }

    /// The execution tree so far.
    pub fn tree(&self) -> Tree {
        self.tree.tree()
    }

    /// States made so far.
    pub fn states(&self) -> u64 {
        self.made + self.absorbed.states
    }

    /// Instructions executed so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    pub(in crate::symex) fn count(&mut self, instructions: u64) {
        self.instructions += instructions;
    }

    /// What the check of instructions that are run again saw (`Strategy::check_reruns`).
    pub fn reruns(&self) -> &Reruns {
        &self.vm.reruns
    }

    /// Choices that turned out infeasible so far.
    pub fn infeasible(&self) -> u64 {
        self.vm.infeasible + self.absorbed.infeasible
    }

    /// Ways taken in the project's own code where several were feasible.
    pub fn branches(&self) -> usize {
        self.vm.branches.len()
    }

    /// Begins the next way to make an input; whether there is one.
    pub fn begin_another(&mut self) -> bool {
        self.begin_next().is_some()
    }

    /// The solver's counts.
    pub fn solver_stats(&self) -> Stats {
        let mut all = self.solver.stats();
        all += self.absorbed.solver;
        all
    }

    /// Bounds of the input that paths depended on: `(reason, detail)`.
    pub fn touched(&self) -> Vec<(Reason, String)> {
        self.vm.touched.iter().cloned().collect()
    }

    /// Inputs met: of paths that were given up or left, and of finished ones.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    fn leave_untried(&mut self, state: &State) {
        if !state.makes_input() {
            let model = state.constraints.model();
            let inputs = state.shape.concrete(&self.vm.pool, model);
            self.samples.untried(self.number_of(&state.shape), inputs);
        }
    }

    /// Begins the next shape; nothing is left of them where there is `None`.
    fn begin_next(&mut self) -> Option<()> {
        let (number, shape) = self.shapes.pop_front()?;
        self.input_budget.begin();
        self.made += 1;
        self.begun_at = self.spent();
        match self.begin(number, &shape) {
            Ok(state) => self.push_first(state),
            Err(interruption) => {
                let stop = stop_of(interruption);
                self.ready.push_back(PathEnd::GaveUp { stop, at: None });
            }
        }
        Some(())
    }

    /// States and ways to make an input that wait.
    fn waiting(&self) -> usize {
        self.states.len() + self.shapes.len()
    }

    /// Leaves all that waits.
    fn leave_all(&mut self) {
        while let Some(state) = self.states.next() {
            self.leave_untried(&state);
        }
        self.shapes.clear();
    }

    /// Goes on with a state that waits, or else with the next way to make an input; `None` where there is neither.
    fn advance(&mut self) -> Option<()> {
        if self.had_its_share() {
            return self.begin_next();
        }
        match self.states.next() {
            Some(state) if self.dise.as_mut().is_some_and(|d| d.prunes(&state)) => {
                if self.vm.strategy.mode != ExploreMode::NewOnly {
                    self.vm.touched.insert((Reason::PruneDise, String::new()));
                }
                self.ready.push_back(PathEnd::Pruned);
            }
            Some(state) => self.run(state),
            None => self.begin_next()?,
        }
        Some(())
    }

    /// Runs one state until it forks or ends.
    fn run(&mut self, mut state: State) {
        loop {
            match next_turn(&mut self.vm, &mut state) {
                Ok(Turn::Again) => {}
                Ok(Turn::NoInput) => return self.ready.push_back(PathEnd::NoInput),
                Ok(Turn::Ended) => match self.end(state) {
                    Some(next) => state = next,
                    None => return,
                },
                Ok(Turn::Instruction) if at_argument(&mut self.vm, &mut state) => {}
                Ok(Turn::Instruction) => {
                    self.instructions += 1;
                    let makes_input = state.makes_input();
                    self.input_budget.run(makes_input);
                    if let Some(dise) = &mut self.dise {
                        dise.visit(&mut state);
                    }
                    if let Some(reason) = self.is_over(makes_input) {
                        let stop = Stop::unsupported(reason, String::new());
                        return self.give_up(&state, stop);
                    }
                    match step(&mut self.vm, &mut state) {
                        Ok(()) => {}
                        Err(Interruption::Region { old, new, at }) => {
                            enter_region(&mut state, old, new, at)
                        }
                        Err(Interruption::Raise(class)) => {
                            let raised = act(&mut self.vm, state, &Act::Raise(class));
                            match self.keep(raised) {
                                Some(next) => state = next,
                                None => return,
                            }
                        }
                        Err(Interruption::Exclude) => {
                            return self.ready.push_back(PathEnd::NoInput);
                        }
                        Err(Interruption::Choose(choices)) => {
                            let before = self.solver.stats().queries;
                            let turning = self.turning(&state);
                            let next = fork(&mut self.vm, &mut self.solver, state, choices);
                            self.note_turns(turning);
                            let asked = self.solver.stats().queries - before;
                            self.input_budget.ask(makes_input, asked);
                            return self.push_all(next);
                        }
                        Err(interruption) => return self.give_up(&state, stop_of(interruption)),
                    }
                }
                Err(interruption) => return self.give_up(&state, stop_of(interruption)),
            }
        }
    }

    fn keep(&mut self, successor: Successor) -> Option<State> {
        match successor {
            Ok(state) => Some(state),
            Err(dropped) => {
                match dropped.1 {
                    Dropped::Excluded => self.ready.push_back(PathEnd::NoInput),
                    Dropped::GaveUp(stop) => self.give_up(&dropped.0, stop),
                }
                None
            }
        }
    }

    fn push_all(&mut self, successors: Vec<Successor>) {
        self.made += successors.len() as u64;
        let mut waiting = Vec::with_capacity(successors.len());
        for successor in successors {
            if let Some(state) = self.keep(successor) {
                if self.is_cut(&state) {
                    self.prune(&state);
                } else {
                    waiting.push(state);
                }
            }
        }
        self.add(waiting);
    }

    fn add(&mut self, waiting: Vec<State>) {
        let (vm, reach) = (&mut self.vm, &mut self.reach);
        self.states.add(waiting, &mut |state| {
            let reach = reach.get_or_insert_with(|| ReachPruning::of(vm));
            reach.distance(vm, &state.thread)
        });
    }

    fn push_first(&mut self, state: State) {
        if self.is_cut(&state) {
            self.prune(&state);
        } else {
            self.states.add(vec![state], &mut |_| 0);
        }
    }

    fn is_cut(&mut self, state: &State) -> bool {
        if self.vm.strategy.prune == Prune::None || self.vm.strategy.mode == ExploreMode::NewOnly {
            return false;
        }
        let vm = &mut self.vm;
        self.reach
            .get_or_insert_with(|| ReachPruning::of(vm))
            .is_cut(state)
    }

    fn prune(&mut self, state: &State) {
        self.tree.add(&self.vm.pool, state, Leaf::Pruned);
        self.ready.push_back(PathEnd::Pruned);
    }

    pub(in crate::symex) fn give_up(&mut self, state: &State, stop: Stop) {
        // What can't be made is no input: that bounds the inputs, and says nothing of what runs on others.
        let stop = if state.makes_input() && !stop.bound {
            Stop::bound(
                Reason::InputMaking,
                format!("{}: {}", stop.reason, stop.detail),
            )
        } else {
            stop
        };
        if !stop.bound {
            self.leave_untried(state);
        }
        let leaf = Leaf::GaveUp(stop.reason.to_string());
        self.tree.add(&self.vm.pool, state, leaf);
        let at = state.location();
        self.ready.push_back(PathEnd::GaveUp { stop, at });
    }
}

impl Iterator for Explorer {
    type Item = PathEnd;

    fn next(&mut self) -> Option<PathEnd> {
        loop {
            if let Some(end) = self.ready.pop_front() {
                return Some(end);
            }
            if self.exhausted {
                return None;
            }
            if self.waiting() > 0
                && let Some(stop) = self.budget()
            {
                self.exhausted = true;
                self.leave_all();
                return Some(PathEnd::GaveUp { stop, at: None });
            }
            self.advance()?;
        }
    }
}

pub(in crate::symex) fn stop_of(interruption: Interruption) -> Stop {
    match interruption {
        Interruption::GiveUp(stop) => stop,
        other => Stop::unsupported(Reason::Internal, format!("unexpected {other:?}")),
    }
}
