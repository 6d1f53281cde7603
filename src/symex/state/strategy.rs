//! The strategy of an exploration: the versions it runs, the order of paths, and the paths it may leave out.

use crate::model::{Inputs, MethodRef};
use std::collections::BTreeMap;

/// The order in which waiting states are explored (docs/architecture.md; paper 004 §4.2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Depth first.
    #[default]
    Dfs,
    /// Breadth first.
    Bfs,
    /// Any, by a seeded generator.
    Random(u64),
    /// The state nearest to a change that no path has run yet.
    Greedy,
}

/// Which runs are explored.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ExploreMode {
    /// Both versions, on all inputs (*complete* shadow symbolic execution, paper 000 §3).
    #[default]
    Complete,
    /// Both versions along one concrete input, and all inputs behind each divergence from it (papers 002 and 003).
    /// The primitive arguments in order, booleans as 0 or 1; none: those that the concrete caller passes.
    Concolic(Vec<i64>),
    /// The same from an input of any type, objects and strings included.
    Along(Inputs),
    /// Both versions on one input and no other: no branch is asked about, the input decides them all.
    Just(Inputs),
    /// The same; the ways that its branches did not go are noted, to be asked about afterwards (generational search: Godefroid,
    /// Levin, Molnar, SAGE, NDSS 2008 §3).
    Turn(Inputs),
    /// The new version alone: ordinary symbolic execution, the papers' baseline.
    NewOnly,
}

impl ExploreMode {
    /// The one input that is followed and no other, where there is one.
    pub fn single_input(&self) -> Option<&Inputs> {
        match self {
            ExploreMode::Just(inputs) | ExploreMode::Turn(inputs) => Some(inputs),
            _ => None,
        }
    }

    /// The concrete input of a run along one.
    pub fn input(&self) -> Option<&Inputs> {
        match self {
            ExploreMode::Along(inputs) => Some(inputs),
            other => other.single_input(),
        }
    }
}

/// Which calls are annotations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Annotations {
    /// Those of `com.shadowci.Shadow`, in unified programs: the versions part at them and join again where they can.
    #[default]
    Unified,
    /// Any project method `change(T, T)` or `execute(X)` too, with the meaning of paper 000 §3: a branch on two different
    /// constants is a divergence, and each version evaluates its own argument only.
    Declared,
}

/// Which states are cut (docs/architecture.md).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prune {
    /// None.
    None,
    /// Those that carry no difference and can't reach a change (paper 000 §3): no divergence is lost.
    #[default]
    Reach,
    /// Also those whose sequence of impacted statements was seen (paper 004, figure 7), depth first: as far as its theorem goes.
    Dise,
}

/// Impacted statements of the program that is run, by their first instructions.
pub type Impacted = BTreeMap<MethodRef, Vec<u32>>;

/// All of these.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    /// Search order.
    pub order: Order,
    /// Which runs.
    pub mode: ExploreMode,
    /// Which calls are annotations.
    pub annotations: Annotations,
    /// Which states are cut.
    pub prune: Prune,
    /// The impact set that pruning by it uses, where it is known; else that of the changes in the program as it is run.
    pub impacted: Option<Impacted>,
    /// Diff paths end with the new version; the old one is not run behind the divergence.
    pub new_oracle: bool,
    /// Runs start at the entry method with concrete values, and the first call of this method gets symbolic arguments.
    pub symbolic_call: Option<MethodRef>,
    /// Whether each parameter of the entry method gets no null.
    pub never_null: Vec<bool>,
    /// Whether annotations keep null from what makes inputs, too.
    pub heeds_nullness: bool,
    /// Whether it is checked that instructions which are run again leave the state as it was; slow, for tests.
    pub check_reruns: bool,
}
