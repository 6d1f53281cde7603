//! JUnit tests written from findings.

mod direct;
mod reflective;
mod source;
mod write;

pub use source::{JUnit, TestFile, generate};
pub use write::{show, write};
