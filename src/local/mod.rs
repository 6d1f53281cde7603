//! Local proofs: whether a changed method does the same in both versions, from every state.
//!
//! Each version is run on its own, symbolically, from the same arbitrary state to the next cut (a loop's head, a return, an
//! exception). What code outside could see is compared: the ends, the order and arguments of calls to it, and the heap at each.

mod anchors;
mod attempt;
mod budget;
mod call;
mod callbacks;
mod changes;
mod condition;
mod cuts;
mod heap;
mod known;
mod lambdas;
mod memory;
mod pair;
mod proof;
mod reliance;
mod renames;
mod run;
mod segment;
mod state;
mod step;
mod strings;
mod symbols;
mod task;
mod texts;
mod turns;
mod unproved;
mod version;
mod wording;

pub use callbacks::is_throwable;
pub use proof::{Outcome, Proofs, Question, prove};
pub use unproved::Condition;
pub use version::{Names, UncompiledWords};
