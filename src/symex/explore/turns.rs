//! Branches along one input that go the other way: the inputs for which they do (generational search, SAGE, NDSS 2008 §3).

use crate::expr::Term;
use crate::model::Inputs;
use crate::solver::{Constraints, Feasible, Solver};
use crate::symex::explore::Explorer;
use crate::symex::explore::reach_pruning::ReachPruning;
use crate::symex::state::State;
use crate::symex::state::shape::InputShape;
use crate::symex::state::strategy::ExploreMode;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Branches noted along one input; a loop of more turns repeats itself.
const MOST: usize = 3_000;

/// Inputs that are made of one at most.
const MOST_TURNED: usize = 24;

/// Branches asked about for each input that is wanted.
const ASKED: usize = 4;

/// A way that a branch did not go.
struct Turn {
    /// Its place among all that were noted.
    at: usize,
    /// Instructions from the branch to the next change; behind a change whose effect is still there, none.
    distance: u32,
    shape: Arc<InputShape>,
    /// The path condition at the branch.
    before: Constraints,
    /// The condition of the way.
    condition: Term,
}

/// The ways that the branches along an input did not go: those that are asked about first, since each holds a path condition and a
/// model, which can be megabytes.
#[derive(Default)]
pub(in crate::symex) struct Turns {
    kept: Vec<Turn>,
    noted: usize,
}

impl Turns {
    fn note(&mut self, turn: Turn) {
        self.kept.push(turn);
        self.noted += 1;
        if self.kept.len() >= 2 * ASKED * MOST_TURNED {
            self.keep_first();
        }
    }

    /// Leaves those nearest to a change, and of equally near ones the latest, in this order.
    fn keep_first(&mut self) {
        self.kept.sort_by_key(|t| (t.distance, Reverse(t.at)));
        self.kept.truncate(ASKED * MOST_TURNED);
    }
}

impl Explorer {
    /// The place of a branch along the input that is followed; `None` of other explorations, and of too long ones.
    pub(in crate::symex) fn turning(&mut self, state: &State) -> Option<(u32, Arc<InputShape>)> {
        let is_wanted = matches!(self.vm.strategy.mode, ExploreMode::Turn(_));
        if !is_wanted || self.turns.noted >= MOST {
            return None;
        }
        let distance = match state.split_seen || state.version().is_some() {
            true => 0,
            false => {
                let vm = &mut self.vm;
                let reach = self.reach.get_or_insert_with(|| ReachPruning::of(vm));
                reach.distance(vm, &state.thread)
            }
        };
        Some((distance, state.shape.clone()))
    }

    /// Notes the ways that were not taken at a branch.
    pub(in crate::symex) fn note_turns(&mut self, at: Option<(u32, Arc<InputShape>)>) {
        let ways = self.vm.turned.drain(..);
        let Some((distance, shape)) = at else { return };
        for (before, condition) in ways {
            self.turns.note(Turn {
                at: self.turns.noted,
                distance,
                shape: shape.clone(),
                before,
                condition,
            });
        }
    }

    /// Inputs that go another way than the one that was followed: at the branches nearest to a change first, and of equally near
    /// ones at the latest. At most 24; the branches asked about are at most four times as many.
    pub fn turned(&mut self) -> Vec<Inputs> {
        let mut turns = std::mem::take(&mut self.turns);
        turns.keep_first();
        let (mut inputs, mut known) = (Vec::new(), BTreeSet::new());
        for turn in turns.kept {
            if inputs.len() >= MOST_TURNED || self.budget().is_some() {
                break;
            }
            let asked = self
                .solver
                .assume(&mut self.vm.pool, &turn.before, turn.condition);
            if let Feasible::Yes(constraints) = asked {
                let found = turn.shape.concrete(&self.vm.pool, constraints.model());
                if known.insert(format!("{found:?}")) {
                    inputs.push(found);
                }
            }
        }
        inputs
    }
}
