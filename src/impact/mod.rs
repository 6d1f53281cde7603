//! Static impact analysis: control-flow graphs and post-dominators, dependences, the impact rules of paper 004, reachability of a change.

mod alignment;
mod body;
mod call;
mod callers;
mod cfg;
mod change_set;
mod control;
mod dependence_graph;
mod dot;
mod enum_switch;
mod explored;
mod front_doors;
mod hierarchy;
mod json;
mod post_dominators;
mod projection;
pub mod reach;
mod result;
mod rules;
mod sources;
mod stack;
mod statement;
#[cfg(test)]
mod testing;
mod text;
mod variable;

pub use alignment::{Alignment, Fate, align};
pub use body::{Body, Carrier};
pub use callers::{accessible, entries, id, public_callers, reaches};
pub use cfg::{edges, successors};
pub use control::control_dependents;
pub use dependence_graph::{DependenceGraph, Link, Node, NodeKind};
pub use dot::dot;
pub use explored::Explored;
pub use front_doors::FrontDoors;
pub use hierarchy::{Hierarchy, Targets};
pub use json::json;
pub use post_dominators::PostDominators;
pub use projection::{Mismatch, check_projection};
pub use reach::{Marks, NEVER, Reach, distances};
pub use result::{Caller, Cause, Impact, ImpactedMethod, Origin, Statement, Status, analyse};
pub use rules::{Dependences, Rule, Step, impact};
pub use sources::Sources;
pub use stack::OperandStack;
pub use text::text;
pub use variable::{DefUse, ElementType, Flow, Variable};
