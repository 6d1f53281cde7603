//! Inputs: how receivers and arguments are built symbolically, and what they are under a model (docs/architecture.md).

pub(in crate::symex) mod seed;
pub(in crate::symex) mod specs;

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
pub(super) mod spec;
mod subtypes;
pub(super) mod trial;
pub(super) mod typed;
pub(super) mod ways;

pub(super) use driver::{Built, drive, symbolic_arguments};
pub use recipes::texts as recipe_texts;
pub(super) use spec::Spec;
pub use subtypes::as_below as typed_below;
pub use typed::{
    CLASS, Typed, called_with as typed_call, parameters as typed_parameters,
    result as typed_result, supertype as typed_supertype,
};

/// Descriptor of `java.lang.String`.
pub(super) const STRING: &str = "Ljava/lang/String;";

/// Descriptor of `java.lang.CharSequence`.
pub(super) const CHARS: &str = "Ljava/lang/CharSequence;";
