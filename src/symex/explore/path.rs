//! Paths of an exploration: finished ones with both outcomes, and ends of others.

use crate::expr::{Term, VarId};
use crate::model::reason::Reason;
use crate::model::{Decision, Inputs, Location, Outcome};
use crate::symex::state::interruption::Stop;

/// A finished path, or the reason why it has no end.
#[derive(Debug)]
pub enum PathEnd {
    /// Both versions came to their end.
    Finished(Box<FinishedPath>),
    /// The path can't diverge, so it was cut.
    Pruned,
    /// The path, or a decision on it, was given up.
    GaveUp {
        /// Why.
        stop: Stop,
        /// Where.
        at: Option<Location>,
    },
    /// The input can't be built on this path (its constructor throws).
    NoInput,
}

/// A path that both versions finished.
#[derive(Debug)]
pub struct FinishedPath {
    /// An input that takes it; one on which the outcomes differ, if there is one.
    pub inputs: Inputs,
    /// Predicted outcome of the old version on that input; `None` when it was not run behind the divergence, or not at all.
    pub old: Option<Outcome>,
    /// Predicted outcome of the new version.
    pub new: Outcome,
    /// Whether the outcomes differ on that input; `None` when the old version's is not known.
    pub differs: Option<bool>,
    /// Whether the versions' control flow differed.
    pub control: bool,
    /// Where they parted.
    pub diverged_at: Option<(Location, Location)>,
    /// The path condition, as text.
    pub condition: String,
    /// What it decided in the project's own code, where its outcomes differ.
    pub decisions: Vec<Decision>,
    /// Whether anything, be it a value or the control flow, ever differed between the versions: without it, the path does not
    /// run what the patch changed, or that came to the same there.
    pub affected: bool,
    /// What differs from run to run and was taken as one run may have it: where the JVM does something else, that decided.
    pub chance: Option<Reason>,
    /// The same as terms of the explorer.
    pub terms: PathTerms,
}

/// What decides whether an input takes a path, and whether it diverges there.
#[derive(Clone, Debug)]
pub struct PathTerms {
    pub(in crate::symex) condition: Box<[Term]>,
    pub(in crate::symex) differs: Option<Term>,
    pub(in crate::symex) args: Box<[VarId]>,
    /// Which of the explorer's shapes.
    pub(in crate::symex) shape: usize,
}

impl PathTerms {
    pub(in crate::symex) fn new(
        condition: &[Term],
        differs: Option<Term>,
        args: Vec<VarId>,
        shape: usize,
    ) -> PathTerms {
        PathTerms {
            condition: condition.into(),
            differs,
            args: args.into(),
            shape,
        }
    }
}
