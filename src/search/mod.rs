//! The search beyond the bounds (docs/architecture.md): what inputs are made of, which words the program compares with, and where it is watched.
//!
//! The runs themselves are made in the worker (`jvm/worker/search`): both versions in one process, inputs changed by what they cover and
//! compare. Also here: boundary and random values, and variations of known inputs.

mod grammar;
mod kinds;
mod patterns;
mod quoted;
mod values;
mod variation;
mod vocabulary;
mod woven;

pub use grammar::{Sources, entry_kinds};
pub use kinds::EntryKinds;
pub use values::{primitive, text};
pub use variation::{Dictionary, Variation, simpler};
pub use vocabulary::Vocabulary;
pub use woven::{WeaveError, Woven, changed_places};
