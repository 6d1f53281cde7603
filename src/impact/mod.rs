//! Static impact analysis: control-flow graphs and post-dominators, dependences, the impact rules of paper 004, reachability of a change.

mod alignment;
mod binding;
mod body;
mod callers;
mod cfg;
mod control;
mod post_dominators;
mod rules;
mod stack;
mod statement;
#[cfg(test)]
mod testing;
mod variable;

pub use alignment::{Alignment, Fate, align};
pub use binding::same_bindings;
pub use body::{Body, Carrier};
pub use callers::{entries, id};
pub use cfg::{edges, successors};
pub use control::control_dependents;
pub use post_dominators::PostDominators;
pub use rules::{Dependences, Rule, Step, impact};
pub use stack::OperandStack;
pub use variable::{DefUse, ElementType, Flow, Variable};
