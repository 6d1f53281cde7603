//! The check's concolic mode (papers 002, 003): its concrete inputs, from the command line and from the project's tests.

mod args;
mod concrete_inputs;

pub use args::{CheckMode, ConcolicArgs, ConcolicOptions};
pub use concrete_inputs::ConcreteInputs;
