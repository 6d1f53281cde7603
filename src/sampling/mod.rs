//! Inputs drawn at random: boundary and random values, and variations of known inputs.

mod random;
mod values;
mod variation;

pub use random::Random;
pub use values::{primitive, text};
pub use variation::{Dictionary, Variation, simpler};
