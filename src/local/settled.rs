//! Values that last: those of locals that are not written again, as far as they are computed from others of that kind.

use super::context::ProofContext;
use crate::expr::{Node, Term};
use rustc_hash::FxHashSet;

/// Most nodes of a value that is kept.
const LARGEST: usize = 16;

/// Values that are kept at an anchor.
pub(super) struct Settled {
    /// Whether the heap stays as it is, too.
    pub(super) knows_heap: bool,
    values: FxHashSet<Term>,
}

impl Settled {
    /// None yet.
    pub(super) fn new(knows_heap: bool) -> Settled {
        Settled {
            knows_heap,
            values: FxHashSet::default(),
        }
    }

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

    /// Whether a condition is about values that are kept, or about those of locals without partner, alone.
    pub(super) fn is_about(&self, context: &ProofContext, condition: Term, lone: &[Term]) -> bool {
        let pool = &context.symbols.pool;
        let kept = self.values.iter().chain(lone);
        let known: FxHashSet<_> = kept.flat_map(|t| pool.vars_of(*t).to_vec()).collect();
        pool.vars_of(condition).iter().all(|v| known.contains(v))
    }

    fn is_function(&self, context: &ProofContext, value: Term, of_any: bool) -> bool {
        let s = &context.symbols;
        let (mut todo, mut seen) = (vec![value], FxHashSet::default());
        while let Some(term) = todo.pop() {
            if self.values.contains(&term) || !seen.insert(term) {
                continue;
            }
            // A computed text that one version keeps and the other computes anew may be looked at, but not given out (`escape`).
            let is_text = || s.type_of(term).is_some_and(|t| &**t == "java/lang/String");
            let has_identity = s.is_anonymous(term) && (of_any || !is_text());
            if seen.len() > LARGEST || has_identity || s.class_of(term).is_some() {
                return false;
            }
            match (s.pool.node(term), s.parts(term)) {
                (Node::Const(_), _) => {}
                (Node::Var(_), _) if s.units(term).is_some() => {}
                // What a name tells the time of is another value later.
                (Node::Var(_), Some((name, args))) => {
                    let timed = name.contains('#') || name.contains('@') && !self.knows_heap;
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
