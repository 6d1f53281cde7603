//! Inputs: how receivers and arguments are built symbolically, and what they are under a model (DESIGN §5, *Inputs*).

pub(super) mod assemble;
mod combinations;
mod driver;
mod fresh;
mod functional;
mod given;
mod implementations;
mod library;
mod made;
mod makers;
mod members;
mod receivers;
mod recipes;
mod shape;
pub(super) mod spec;
mod symbolic;
pub(super) mod trial;
pub(super) mod typed;
pub(super) mod ways;

pub(super) use driver::{Built, drive, symbolic_arguments};
pub(super) use makers::is_jdk;
pub use recipes::texts as recipe_texts;
pub use shape::InputShape;
pub(super) use spec::Spec;
pub(super) use symbolic::{Symbolic, units};
pub use typed::{Typed, parameters as typed_parameters, result as typed_result};

/// Descriptor of `java.lang.String`.
pub(super) const STRING: &str = "Ljava/lang/String;";

/// Descriptor of `java.lang.CharSequence`.
pub(super) const CHARS: &str = "Ljava/lang/CharSequence;";

/// The primitive that a box class holds.
pub(super) fn box_prim(class: &str) -> Option<u8> {
    Some(match class {
        "java/lang/Boolean" => b'Z',
        "java/lang/Byte" => b'B',
        "java/lang/Character" => b'C',
        "java/lang/Short" => b'S',
        "java/lang/Integer" => b'I',
        "java/lang/Long" => b'J',
        "java/lang/Float" => b'F',
        "java/lang/Double" => b'D',
        _ => return None,
    })
}
