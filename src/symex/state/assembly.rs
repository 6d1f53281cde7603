//! Instructions by which a driver assembles an input from parts.

use crate::expr::Term;
use crate::symex::class::Method;
use std::sync::Arc;

/// What is made of the topmost operands.
#[derive(Clone, Debug)]
pub(in crate::symex) enum Assembly {
    /// An array of symbolic length.
    Array {
        /// Null under this condition.
        null: Term,
        /// Descriptor of an element.
        element: Arc<str>,
        /// Its length.
        len: Term,
        /// How many operands it takes.
        capacity: usize,
    },
    /// One of the operands, none of which is null.
    Choice {
        /// Null under this condition.
        null: Term,
        /// Each operand's condition.
        conditions: Vec<Term>,
        /// The type that has more values than these.
        bound: Option<Arc<str>>,
    },
    /// A lambda that gives the operand on every call.
    Lambda {
        /// The functional interface.
        class: Arc<str>,
        /// The interface's method.
        method: Arc<Method>,
        /// Whether there is an operand; not where the method is void.
        has_result: bool,
    },
}
