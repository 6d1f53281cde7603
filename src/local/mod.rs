//! Local proofs: whether a changed method does the same in both versions, from every state.
//!
//! Each version is run on its own, symbolically, from the same arbitrary state to the next cut (a loop's head, a return, an
//! exception). What code outside could see is compared: the ends, the order and arguments of calls to it, and the heap at each.

mod abstract_state;
mod anchors;
mod attempt;
mod budget;
mod call;
mod callbacks;
mod changes;
mod condition;
mod cuts;
mod executor;
mod heap;
mod lambdas;
mod memory;
mod product;
mod proof;
mod reliance;
mod renames;
mod state;
mod step;
mod strings;
mod summary;
mod symbols;
mod task;
mod texts;
mod unproved;
mod unrolling;
mod version;
mod wording;

pub use callbacks::is_throwable;
pub use proof::{Outcome, ProofRequest, Proofs, prove};
pub use unproved::Condition;
pub use version::{Identifiers, UncompiledSources};
