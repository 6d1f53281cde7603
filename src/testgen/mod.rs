//! JUnit tests written from findings.

mod direct;
mod expected;
pub mod merge;
mod reflective;
mod source;
mod stand_in;
mod wrapped;
mod write;

pub use source::{Index, JUnit, TestFile, generate};
pub use stand_in::stand_in;
pub use write::{show, write};
