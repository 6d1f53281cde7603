//! What an exploration may spend, and how the ways to call its entry share it.

use crate::solver::Solver;
use crate::symex::explore::Explorer;
use crate::symex::state::effect::Stop;

impl Explorer {
    /// What was spent, in parts of the budget. A question that the solver can't answer takes as long as many others.
    pub(in crate::symex) fn spent(&self) -> f64 {
        let (stats, bounds) = (self.solver.stats(), &self.vm.bounds);
        let part = |n: u64, of: u64| n as f64 / of.max(1) as f64;
        let queries = part(stats.queries + 25 * stats.unknown, bounds.max_queries);
        let instructions = part(self.instructions(), bounds.max_instructions);
        queries
            .max(instructions)
            .max(part(self.finished, bounds.max_paths))
    }

    /// Whether the shapes begun had their share, so that the next one is begun before they are done.
    pub(in crate::symex) fn had_its_share(&self) -> bool {
        let all = self.shapes.len() + self.begun.len();
        !self.shapes.is_empty() && self.spent() - self.begun_at > 0.5 / all as f64
    }

    /// Which budget ends a path here.
    pub(in crate::symex) fn is_over(&self, makes_input: bool) -> Option<&'static str> {
        match makes_input {
            true => self.making.is_over(&self.vm.bounds),
            false => self.out_of_budget().then_some("instruction-budget"),
        }
    }

    pub(in crate::symex) fn out_of_budget(&self) -> bool {
        self.instructions() - self.making.instructions() > self.vm.bounds.max_instructions
    }

    /// What is left unexplored when a budget ends the exploration.
    pub(in crate::symex) fn budget(&mut self) -> Option<Stop> {
        let late = self
            .vm
            .bounds
            .deadline
            .is_some_and(|d| std::time::Instant::now() > d);
        if self.finished >= self.vm.bounds.max_paths {
            return Some(Stop::unsupported("path-budget", String::new()));
        }
        if self.out_of_budget() {
            return Some(Stop::unsupported("instruction-budget", String::new()));
        }
        if self.solver.stats().queries - self.making.queries() >= self.vm.bounds.max_queries {
            return Some(Stop::unsupported("solver-budget", String::new()));
        }
        late.then(|| Stop::unsupported("method-timeout", String::new()))
    }
}
