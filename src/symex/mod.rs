//! The symbolic JVM over product states: both versions in one state (DESIGN §5).
//!
//! `explore` drives: it takes a state, lets `run` settle what is pending and `step` execute one instruction, and hands
//! choices to `fork`, the only place that asks the solver for feasibility.

mod ahead;
mod annotation;
mod arithmetic;
mod array;
mod bootstraps;
mod bounds;
mod budget;
mod class;
mod concrete;
mod concrete_input;
mod content;
mod declared;
mod depth;
mod difference;
mod digits;
mod dise;
mod dynamic;
mod effect;
mod entry;
mod exception;
mod executed;
mod explore;
mod finish;
mod fork;
mod heap;
mod identity;
mod initialised;
mod input;
mod invoke;
mod judge;
mod layout;
mod linker;
mod machine;
mod making;
mod memory;
mod models;
mod predict;
mod proxy;
mod reach;
mod run;
mod samples;
mod search;
mod seed;
mod shadow;
mod specs;
mod state;
mod step;
mod strategy;
mod subtypes;
mod surrogates;
mod synthetic;
mod table;
mod text;
mod tree;
mod units;
#[cfg(test)]
mod units_laws;
mod value;
mod vm;
mod written;

pub use bounds::Bounds;
pub use class::{mergeable, shape_change};
pub use concrete::{Interpreter, Run};
pub use effect::Stop;
pub use explore::{Explorer, FinishedPath, PathEnd, PathTerms};
pub use input::{Typed, recipe_texts, typed_parameters, typed_result};
pub use linker::Program;
pub use machine::Machine;
pub use shadow::Shadow;
pub use strategy::{Annotations, Impacted, Mode as ExploreMode, Order, Prune, Strategy};
