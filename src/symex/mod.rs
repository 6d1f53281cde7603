//! The symbolic JVM over product states: both versions in one state (DESIGN §5).
//!
//! `explore` drives: it takes a state, lets `run` settle what is pending and `step` execute one instruction, and hands
//! choices to `fork`, the only place that asks the solver for feasibility.

mod arithmetic;
mod array;
mod class;
mod difference;
mod effect;
mod explore;
mod fork;
mod heap;
mod input;
mod invoke;
mod linker;
mod memory;
mod models;
mod predict;
mod run;
mod shadow;
mod specs;
mod state;
mod step;
mod synthetic;
mod text;
mod value;
mod vm;

pub use class::{mergeable, shape_change};
pub use effect::Stop;
pub use explore::{Explorer, FinishedPath, PathEnd};
pub use linker::Program;
pub use shadow::Shadow;
pub use vm::Bounds;
