//! Inputs drawn at random: boundary and random values, and variations of known inputs.

mod values;
mod variation;

pub use values::{primitive, text};
pub use variation::{Dictionary, Variation, simpler};
