//! Values that last: those of locals with one definition, as far as they are computed from others of that kind.

use super::context::ProofContext;
use crate::expr::{Node, Term};
use rustc_hash::FxHashSet;

/// Most nodes of a value that is kept.
const LARGEST: usize = 16;

/// Values that are kept at an anchor.
#[derive(Default)]
pub(super) struct Settled {
    values: FxHashSet<Term>,
}

impl Settled {
    /// Adds a value.
    pub(super) fn keep(&mut self, value: Term) {
        self.values.insert(value);
    }

    /// Whether a value is a short term that does not depend on the heap or on calls of other code.
    pub(super) fn is_short(&self, context: &ProofContext, value: Term) -> bool {
        self.is_function(context, value, true)
    }

    /// Whether a value is a short term over the values that are kept, and constants.
    pub(super) fn gives(&self, context: &ProofContext, value: Term) -> bool {
        self.is_function(context, value, false)
    }

    fn is_function(&self, context: &ProofContext, value: Term, of_any: bool) -> bool {
        let s = &context.symbols;
        let (mut todo, mut seen) = (vec![value], FxHashSet::default());
        while let Some(term) = todo.pop() {
            if self.values.contains(&term) || !seen.insert(term) {
                continue;
            }
            if seen.len() > LARGEST || s.is_anonymous(term) || s.class_of(term).is_some() {
                return false;
            }
            match (s.pool.node(term), s.parts(term)) {
                (Node::Const(_), _) => {}
                (Node::Var(_), _) if s.units(term).is_some() => {}
                // What a name tells the time of is another value later.
                (Node::Var(_), Some((name, args))) => {
                    let timed = name.contains(['@', '#']);
                    if timed || args.is_empty() && !of_any {
                        return false;
                    }
                    todo.extend(args);
                }
                (Node::Var(_), None) => return false,
                (node, _) => todo.extend(node.children()),
            }
        }
        true
    }
}
