//! The budget of an exploration, and its shares for the ways to call the entry.
//!
//! Effort is counted in steps that do not depend on the machine: a step is about a microsecond on one core of 2024. The weights
//! are measured (docs/performance.md); results depend on them, never on a clock.

use crate::model::reason::Reason;
use crate::solver::{Solver, SolverOptions};
use crate::symex::explore::Explorer;
use crate::symex::state::bounds::Bounds;
use crate::symex::state::interruption::Stop;
use crate::util::deadline::Deadline;

/// Instructions that make a step.
const INSTRUCTIONS: u64 = 2;
/// Steps of a state: its making, and what is decided of it.
const STATE: u64 = 40;
/// Steps of a question to the solver, whichever layer answers it.
const QUESTION: u64 = 20;
/// Steps of a question that comes to Z3, beside the resources it takes there.
const QUERY: u64 = 600;
/// Z3's resource units, and nodes evaluated by trying values, that make a step.
const UNITS: u64 = 4;
const NODES: u64 = 40;
/// Terms asked for or evaluated that make a step: models of strings and arrays do more of it in one instruction than others in many.
const TERMS: u64 = 8;
/// Steps of a finished path: its outcomes and its condition are written down.
const PATH: u64 = 200;
/// Instructions, or else terms, between two looks at the effort and the clock, which is a safety net.
const LOOK: u64 = 1 << 14;
const LOOK_AT_TERMS: u64 = 1 << 18;

/// The solver's options for an exploration: one question takes no more than all of the effort.
pub(super) fn within(solver: &SolverOptions, bounds: &Bounds) -> SolverOptions {
    let most = bounds.max_effort.saturating_mul(UNITS);
    SolverOptions {
        rlimit: u32::try_from(most).map_or(solver.rlimit, |most| most.min(solver.rlimit).max(1)),
        ..solver.clone()
    }
}

/// What an exploration, or a part of it, took in the units of its bounds.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::symex) struct Counts {
    /// Finished paths.
    pub finished: u64,
    /// Instructions, beside those that make inputs.
    pub instructions: u64,
    /// Questions that came to Z3, beside those of making inputs.
    pub queries: u64,
    /// Steps of all work.
    pub effort: u64,
}

impl Counts {
    /// Which of the bounds is reached.
    pub fn over(&self, bounds: &Bounds) -> Option<Reason> {
        let over = [
            (self.finished >= bounds.max_paths, Reason::PathBudget),
            (
                self.instructions > bounds.max_instructions,
                Reason::InstructionBudget,
            ),
            (self.queries >= bounds.max_queries, Reason::SolverBudget),
            (self.effort > bounds.max_effort, Reason::EffortBudget),
        ];
        let first = over.into_iter().find(|(is_over, _)| *is_over);
        first.map(|(_, reason)| reason)
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.finished += other.finished;
        self.instructions += other.instructions;
        self.queries += other.queries;
        self.effort += other.effort;
    }
}

impl Explorer {
    /// What it took so far.
    pub(in crate::symex) fn counts(&self) -> Counts {
        Counts {
            finished: self.finished,
            instructions: self.instructions() - self.input_budget.instructions(),
            queries: self.solver.stats().queries - self.input_budget.queries(),
            effort: self.effort(),
        }
    }

    /// Steps of work so far: instructions, terms, states, questions to the solver and what they took, finished paths, and what was charged.
    pub fn effort(&self) -> u64 {
        let stats = self.solver.stats();
        let solving = QUESTION * stats.asked + QUERY * stats.queries + stats.units / UNITS;
        let states = STATE * self.made + PATH * self.finished;
        let terms = stats.nodes / NODES + self.vm.pool.work() / TERMS;
        self.instructions() / INSTRUCTIONS + states + solving + terms + self.charged
    }

    /// Adds steps of work that is done elsewhere for its paths, such as their replay.
    pub fn charge(&mut self, steps: u64) {
        self.charged += steps;
    }

    /// What was spent, in parts of the budget. A question that the solver can't answer takes as long as many others.
    pub(in crate::symex) fn spent(&self) -> f64 {
        let (stats, bounds) = (self.solver.stats(), &self.vm.bounds);
        let part = |n: u64, of: u64| n as f64 / of.max(1) as f64;
        let queries = part(stats.queries + 25 * stats.unknown, bounds.max_queries);
        let instructions = part(self.instructions(), bounds.max_instructions);
        queries
            .max(instructions)
            .max(part(self.effort(), bounds.max_effort))
            .max(part(self.finished, bounds.max_paths))
    }

    /// Whether the shapes begun had their share, so that the next one is begun before they are done.
    pub(in crate::symex) fn had_its_share(&self) -> bool {
        let all = self.shapes.len() + self.begun.len();
        let share = self.budget_of_shapes / all as f64;
        !self.shapes.is_empty() && self.spent() - self.begun_at > share
    }

    /// Which budget ends a path here.
    pub(in crate::symex) fn is_over(&self, makes_input: bool) -> Option<Reason> {
        let terms = self.vm.pool.work();
        if self.instructions().is_multiple_of(LOOK) || terms > self.looked.get() + LOOK_AT_TERMS {
            self.looked.set(terms);
            if self.is_late() {
                return Some(Reason::MethodTimeout);
            }
            if self.memory.is_over() {
                return Some(Reason::MemoryLimit);
            }
            if self.effort() > self.vm.bounds.max_effort {
                return Some(Reason::EffortBudget);
            }
        }
        match makes_input {
            true => self.input_budget.is_over(&self.vm.bounds),
            false => self.out_of_budget().then_some(Reason::InstructionBudget),
        }
    }

    pub(in crate::symex) fn out_of_budget(&self) -> bool {
        self.instructions() - self.input_budget.instructions() > self.vm.bounds.max_instructions
    }

    /// What is left unexplored when a budget ends the exploration.
    pub(in crate::symex) fn budget(&mut self) -> Option<Stop> {
        let over = self.counts().over(&self.vm.bounds);
        let over = over.or_else(|| self.net())?;
        Some(Stop::unsupported(over, String::new()))
    }

    /// Which of the safety nets ends the exploration.
    pub(in crate::symex) fn net(&self) -> Option<Reason> {
        match self.is_late() {
            true => Some(Reason::MethodTimeout),
            false => self.memory.is_over().then_some(Reason::MemoryLimit),
        }
    }

    fn is_late(&self) -> bool {
        Deadline::at(self.vm.bounds.deadline).is_over()
    }
}
