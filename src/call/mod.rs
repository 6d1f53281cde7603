//! Calls in Java-like text, as reports print them and users write them, converted into an entry method and its inputs.

mod answer;
mod expression;
mod fit;
mod hierarchy;
mod lexer;
mod literal;
mod parse;
mod resolve;
mod shared;
#[cfg(test)]
mod tests;

pub use expression::{Answer, Expression, TypeText};
pub use parse::parse;
pub use resolve::{Call, Classes, resolve};

/// Why a text is no call that can be made; says what would be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CallError(pub String);

impl CallError {
    fn new(why: impl Into<String>) -> CallError {
        CallError(why.into())
    }
}
