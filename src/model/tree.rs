//! The four-way execution tree of a method, as plain data (paper 000, figure 1): decisions where more than one way was feasible, and ends.

use super::{DivergenceClass, End, Location, Version};
use serde::{Deserialize, Serialize};

/// What was explored from one entry method.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// The first decision, or the only end.
    pub root: Option<Node>,
    /// Ends beyond those that are recorded.
    pub left_out: u64,
}

/// A point of the exploration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Node {
    /// Several ways were feasible.
    Decision(Decision),
    /// A path ended, or was given up.
    Leaf(Leaf),
}

/// A point with several feasible ways.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Where.
    pub at: Option<Location>,
    /// The version that decides alone, behind a divergence or inside its own part; `None` for both together.
    pub version: Option<Version>,
    /// Ways that no input takes.
    pub infeasible: u32,
    /// The feasible ways.
    pub ways: Vec<Way>,
}

/// A way from a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Way {
    /// Whether the versions go different ways.
    pub differs: bool,
    /// The condition, as text.
    pub condition: String,
    /// Where it leads.
    pub to: Node,
}

/// How a path ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Leaf {
    /// Both versions came to their end, as the engine predicts it.
    Finished {
        /// What the difference is; `None` where outcome and way are the same.
        class: Option<DivergenceClass>,
        /// The old version's end, `None` where it was not run.
        old: Option<End>,
        /// The new version's end.
        new: End,
    },
    /// It was cut, as it can't diverge.
    Pruned,
    /// It was given up, for that reason.
    GaveUp(String),
}

impl Node {
    /// The ends that can be reached from here.
    pub fn leaves(&self) -> Vec<&Leaf> {
        let (mut all, mut todo) = (Vec::new(), vec![self]);
        while let Some(node) = todo.pop() {
            match node {
                Node::Leaf(leaf) => all.push(leaf),
                Node::Decision(d) => todo.extend(d.ways.iter().rev().map(|w| &w.to)),
            }
        }
        all
    }
}
