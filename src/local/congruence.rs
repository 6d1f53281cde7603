//! Consequences of equal arguments: fields, elements and results of one function are the same for them.

use super::context::ProofContext;
use super::state::Unproved;
use crate::expr::{Node, Sort, Term};
use crate::solver::Constraints;
use rustc_hash::FxHashMap;

/// Most values that are looked at for one question.
const MOST: usize = 400;

/// Terms that are known to be equal, each with one that stands for all.
#[derive(Default)]
struct Classes(FxHashMap<Term, Term>);

impl Classes {
    fn of(&self, term: Term) -> Term {
        let mut at = term;
        while let Some(next) = self.0.get(&at) {
            at = *next;
        }
        at
    }

    /// Makes two terms equal. Returns whether they were not known to be.
    fn join(&mut self, a: Term, b: Term) -> bool {
        let (a, b) = (self.of(a), self.of(b));
        if a != b {
            self.0.insert(a, b);
        }
        a != b
    }
}

/// What follows from equal arguments.
#[derive(Default)]
struct Consequences {
    /// Values that are equal.
    equal: Vec<(Term, Term)>,
    /// Tests of types that hold.
    tests: Vec<Term>,
}

impl ProofContext {
    /// Whether a condition, and another if given, hold never, since equal references and numbers have equal fields, elements and
    /// results.
    ///
    /// # Errors
    /// The solver gives up.
    pub(super) fn contradicts(
        &mut self,
        condition: &Constraints,
        more: Option<Term>,
    ) -> Result<bool, Unproved> {
        let mut terms = condition.terms().to_vec();
        terms.extend(more);
        let found = self.consequences(&terms);
        if found.equal.is_empty() && found.tests.is_empty() {
            return Ok(false);
        }
        let pool = &mut self.symbols.pool;
        let equal = found.equal.iter().map(|(a, b)| pool.eq(*a, *b));
        let equal: Vec<Term> = equal.collect();
        let all = pool.and_all(equal.into_iter().chain(found.tests).chain(more));
        Ok(self.assume(condition, all)?.is_none())
    }

    /// What follows from the equalities that stand in the terms.
    fn consequences(&self, terms: &[Term]) -> Consequences {
        let pool = &self.symbols.pool;
        let mut classes = Classes::default();
        let mut todo = terms.to_vec();
        let mut known = Vec::new();
        while let Some(next) = todo.pop() {
            match pool.node(next) {
                Node::And(a, b) => todo.extend([a, b]),
                Node::Eq(a, b)
                    if !pool.is_const(a)
                        && !pool.is_const(b)
                        && matches!(pool.sort(a), Sort::Bv(_))
                        && classes.join(a, b) =>
                {
                    known.extend([a, b]);
                }
                _ => {}
            }
        }
        let vars = pool.vars_of_all(terms);
        if known.is_empty() || vars.len() > MOST {
            return Consequences::default();
        }
        let values: Vec<Term> = vars.into_iter().map(|v| pool.var_term(v)).collect();
        let mut out = Consequences::default();
        loop {
            let mut first: FxHashMap<(&str, Sort, Vec<Term>), Term> = FxHashMap::default();
            let before = out.equal.len();
            for value in &values {
                let Some((function, args)) = self.symbols.parts(*value) else {
                    continue;
                };
                // Of computed strings and boxes, and of lambdas, it matters how often they were made.
                if args.is_empty() || self.symbols.is_anonymous(*value) {
                    continue;
                }
                let args = args.iter().map(|a| classes.of(*a)).collect();
                let key = (function, pool.sort(*value), args);
                let twin = *first.entry(key).or_insert(*value);
                if classes.join(twin, *value) {
                    out.equal.push((twin, *value));
                }
            }
            if out.equal.len() == before {
                break;
            }
        }
        // What is declared to be of a class is an instance of it, and so is what equals it.
        let is_of = |value: &Term| {
            let (test, args) = self.symbols.parts(*value)?;
            let (class, object) = (test.strip_prefix("instanceof ")?, args.first()?);
            let mut twins = known
                .iter()
                .filter(|t| classes.of(**t) == classes.of(*object));
            let is_it = twins.any(|t| self.symbols.type_of(*t).is_some_and(|c| **c == *class));
            is_it.then_some(*value)
        };
        out.tests = values.iter().filter_map(is_of).collect();
        out
    }
}
