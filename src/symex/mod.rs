//! The symbolic JVM over product states: both versions in one state.
//!
//! Its rooms, each of which uses only those before it:
//!
//! - `value`: terms as Java values, shadows of both versions, texts.
//! - `class`: classes as they are linked, one for both versions where they can share it.
//! - `state`: heap, frames and constraints of a path; what an instruction asks of its driver; bounds.
//! - `vm`: what all states share, and the memory's rules.
//! - `models`: what replaces natives and hot library code.
//! - `interp`: one instruction, one call, one fork. `interp::fork` is the only place that asks for feasibility.
//! - `input`: receivers and arguments, and how Java code makes them.
//! - `explore`: picks states, and compares what the versions did at the ends.
//! - `concrete`: the same machine as a plain interpreter.

mod class;
mod concrete;
mod explore;
mod input;
mod interp;
mod models;
mod state;
mod value;
mod vm;

pub use class::linker::Program;
pub use class::machine::Machine;
pub use class::{mergeable, shape_change};
pub use concrete::{Interpreter, RunEnd};
pub use explore::{Explorer, FinishedPath, PathEnd, PathTerms, Paths};
pub use input::{
    CLASS, Typed, recipe_texts, typed_below, typed_call, typed_parameters, typed_result,
    typed_supertype,
};
pub use state::bounds::Bounds;
pub use state::interruption::Stop;
pub use state::strategy::{Annotations, ExploreMode, Impacted, Order, Prune, Strategy};
pub use value::shadow::Shadow;
pub use vm::reruns::Reruns;
