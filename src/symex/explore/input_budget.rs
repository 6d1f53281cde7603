//! Separate budgets for constructing inputs.

use crate::model::reason::Reason;
use crate::symex::state::bounds::Bounds;

/// Most questions to the solver while one way to make an input is followed.
const MAX_QUERIES: u64 = 200;

/// Instructions, and questions to the solver.
#[derive(Clone, Copy, Default)]
struct Spent {
    instructions: u64,
    queries: u64,
}

/// What the making of inputs took.
#[derive(Default)]
pub(in crate::symex) struct InputBudget {
    all: Spent,
    /// For the way that is followed now.
    here: Spent,
}

impl InputBudget {
    /// Another way is followed.
    pub(in crate::symex) fn begin(&mut self) {
        self.here = Spent::default();
    }

    /// An instruction ran.
    pub(in crate::symex) fn run(&mut self, makes_input: bool) {
        self.all.instructions += u64::from(makes_input);
        self.here.instructions += u64::from(makes_input);
    }

    /// The solver was asked.
    pub(in crate::symex) fn ask(&mut self, makes_input: bool, queries: u64) {
        if makes_input {
            self.all.queries += queries;
            self.here.queries += queries;
        }
    }

    /// Instructions of all ways.
    pub(in crate::symex) fn instructions(&self) -> u64 {
        self.all.instructions
    }

    /// Questions of all ways.
    pub(in crate::symex) fn queries(&self) -> u64 {
        self.all.queries
    }

    /// Why the present way is not followed any further.
    pub(in crate::symex) fn is_over(&self, bounds: &Bounds) -> Option<Reason> {
        if self.here.instructions > bounds.max_instructions {
            return Some(Reason::InstructionBudget);
        }
        (self.here.queries >= MAX_QUERIES).then_some(Reason::SolverBudget)
    }
}
