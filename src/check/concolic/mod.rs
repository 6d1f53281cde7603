//! The check's concolic mode (papers 002, 003): its concrete inputs, from the command line and from the project's tests.

mod args;
mod seeds;

pub use args::{ConcolicArgs, ConcolicOptions, Mode};
pub use seeds::Seeds;
