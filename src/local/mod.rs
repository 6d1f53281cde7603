//! Local proofs: whether a changed method does the same in both versions, from every state.
//!
//! Each version is run on its own, symbolically, from the same arbitrary state to the next cut (a loop's head, a return, an
//! exception). What code outside could see is compared: the ends, the order and arguments of calls to it, and the heap at each.

mod abstract_state;
mod abstraction;
mod anchors;
mod attempt;
mod bits;
mod body;
mod budget;
mod call;
mod callbacks;
mod changes;
mod charsets;
mod class_renames;
mod collections;
mod condition;
mod constants;
mod context;
mod cut_code;
mod cuts;
mod definitions;
mod dynamic;
mod escape;
mod executor;
mod function_objects;
mod heap;
mod lambdas;
mod lookups;
mod loops;
mod memory;
mod method_families;
mod moved;
mod never_null;
mod numbers;
mod obligation;
mod pairing_requests;
mod pairings;
mod product;
mod proof;
mod reliance;
mod renames;
mod settled;
mod slots;
mod state;
mod step;
mod strings;
mod summary;
mod superclasses;
mod supertypes;
mod symbols;
mod task;
mod texts;
mod uncompiled;
mod unproved;
mod unrolling;
mod version;
mod widened;
mod wording;
mod writers;

pub use callbacks::is_throwable;
pub use cut_code::{CutCode, SameBody};
pub use proof::{Outcome, ProofRequest, Proofs, prove};
pub use renames::{Renames, is_accessor};
pub use uncompiled::{Identifiers, UncompiledSources};
pub use unproved::Condition;
