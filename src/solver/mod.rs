//! Feasibility of path conditions: cheap layers in front of Z3.

mod constraints;
mod enumerate;
mod floats;
mod layered;
mod minimise;
mod repair;
#[cfg(test)]
mod tests;
mod z3;

pub use constraints::Constraints;
pub use layered::{LayeredSolver, SolverOptions, Stats, satisfied};
pub use minimise::minimise;

use crate::expr::{Pool, Term};

/// Whether a condition can hold beside a path condition.
#[derive(Clone, Debug)]
pub enum Feasible {
    /// It can; the path condition with it, and a model.
    Yes(Constraints),
    /// It can't.
    No,
    /// The solver gave up, for that reason.
    Unknown(String),
}

/// Decides feasibility.
pub trait Solver {
    /// `c ∧ cond`.
    fn assume(&mut self, pool: &mut Pool, c: &Constraints, cond: Term) -> Feasible;

    /// The same for a question that may as well stay open: with `units` of Z3's resource units at most.
    fn assume_within(
        &mut self,
        units: u32,
        pool: &mut Pool,
        c: &Constraints,
        cond: Term,
    ) -> Feasible;

    /// Counts so far.
    fn stats(&self) -> Stats;
}
