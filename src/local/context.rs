//! Data of one attempt at a proof, and its questions to the solver.

use super::budget::Budget;
use super::changes::Changes;
use super::cuts::CutPoints;
use super::lambdas::Closure;
use super::obligation::Obligations;
use super::pairings::Pairings;
use super::state::Unproved;
use super::symbols::Symbols;
use crate::expr::{FOp, Node, Term};
use crate::model::MethodRef;
use crate::solver::{Constraints, Feasible, LayeredSolver, Solver};
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most queries to Z3 of an attempt with abstracted floats and products, and of an exact one.
const MOST_ABSTRACTED: u64 = 1_000;
const MOST_EXACT: u64 = 150;

/// Most queries to Z3 about floating-point numbers: each takes as long as dozens of others.
const MOST_OF_FLOATS: u64 = 40;

/// Data of one attempt at a proof, used by the execution of both versions.
pub struct ProofContext {
    /// Terms.
    pub symbols: Symbols,
    /// Decides conditions.
    pub solver: LayeredSolver,
    /// Queries to Z3 about floating-point numbers.
    pub float_queries: u64,
    /// Whether floats and products are abstracted to unknowns in conditions.
    pub abstracts: bool,
    /// The steps, paths and queries that are left.
    pub budget: Budget,
    /// Numbers of the changed methods that events may reach.
    pub relies_on: BitSet,
    /// Numbers of the changed methods that were called.
    pub met: BitSet,
    /// Changed methods that are not assumed equal: calls of them are entered, not abstracted to events.
    pub inlined_changed: BitSet,
    /// Unchanged methods that are entered too, because an earlier attempt saw only one version call them.
    pub inlined_common: BTreeSet<MethodRef>,
    /// Unchanged methods that the next attempt should enter.
    pub to_inline: BTreeSet<MethodRef>,
    /// Whether methods that took each other's place count as one.
    pub pairs: bool,
    /// Those that do.
    pub(super) pairings: Rc<Pairings>,
    /// Those that should in the next attempt.
    pub(super) to_pair: Pairings,
    /// Whether calls of code that only reads are functions, not events.
    pub reads: bool,
    /// Whether such a call was an event.
    pub met_reader: bool,
    /// Whether a `StringBuffer` counts as a `StringBuilder`, as long as no other code knows it; and whether some code may.
    pub buffers: bool,
    pub leaked: Cell<bool>,
    /// Whether a method that only one version has was called.
    pub met_lone: bool,
    /// Whether fields that are final may still be unset.
    pub constructs: bool,
    /// The segment being run.
    pub segment: u32,
    /// Where segments end.
    pub cuts: CutPoints,
    /// The changed methods.
    pub changes: Rc<Changes>,
    /// Closures, by the reference to the functional object and whether the old version created it.
    pub lambdas: FxHashMap<(Term, bool), Closure>,
    /// The old version's terms by the new version's terms that equal them: results of one function for equal arguments, and
    /// functional objects that are assumed equal.
    pub equated: FxHashMap<Term, Term>,
    /// What has to be proved for these assumptions.
    pub obligations: Obligations,
    /// Further assumptions of the proof, as the report tells them.
    pub assumed: BTreeSet<&'static str>,
}

impl ProofContext {
    /// A path condition with another conjunct; `None` if that is infeasible.
    ///
    /// # Errors
    /// The solver gives up.
    pub fn assume(
        &mut self,
        condition: &Constraints,
        more: Term,
    ) -> Result<Option<Constraints>, Unproved> {
        self.budget.question()?;
        let most = if self.abstracts {
            MOST_ABSTRACTED
        } else {
            MOST_EXACT
        };
        if self.solver.stats().queries > most || self.float_queries > MOST_OF_FLOATS {
            return Err(Unproved::Budget("questions to Z3"));
        }
        let before = self.solver.stats().queries;
        let answer = self.solver.assume(&mut self.symbols.pool, condition, more);
        if self.symbols.pool.has_floats(more) {
            self.float_queries += self.solver.stats().queries - before;
        }
        match answer {
            Feasible::Yes(c) => Ok(Some(c)),
            Feasible::No => Ok(None),
            Feasible::Unknown(_) => Err(Unproved::Budget("solver")),
        }
    }

    /// A condition that holds whenever another does, and that the solver decides together with a path condition.
    pub fn decidable(&mut self, path: &Constraints, condition: Term) -> Term {
        let all = path.terms().iter().copied().chain([condition]);
        match self.abstracts || self.symbols.are_heavy(all) {
            true => self.symbols.abstracted(condition),
            false => condition,
        }
    }

    /// Whether two values are of one function, and of equal arguments.
    fn are_congruent(
        &mut self,
        condition: &Constraints,
        a: Term,
        b: Term,
    ) -> Result<bool, Unproved> {
        if let Some(equal) = self.are_congruent_floats(condition, a, b)? {
            return Ok(equal);
        }
        let (Some((f, x)), Some((g, y))) = (self.symbols.parts(a), self.symbols.parts(b)) else {
            return Ok(false);
        };
        let sorts = [a, b].map(|t| self.symbols.pool.sort(t));
        if f != g || x.len() != y.len() || x.is_empty() || sorts[0] != sorts[1] {
            return Ok(false);
        }
        let pairs: Vec<(Term, Term)> = x.iter().copied().zip(y.iter().copied()).collect();
        for (p, q) in pairs {
            if !self.are_equal(condition, p, q)? {
                return Ok(false);
            }
        }
        self.equated.insert(b, a);
        Ok(true)
    }

    /// The same of two results of floating-point arithmetic; `None` if they are no such.
    fn are_congruent_floats(
        &mut self,
        condition: &Constraints,
        a: Term,
        b: Term,
    ) -> Result<Option<bool>, Unproved> {
        // With exact terms, each operand may cost as much as the whole.
        if !self.abstracts {
            return Ok(None);
        }
        let pool = &self.symbols.pool;
        let (x, y, commutes) = match (pool.node(a), pool.node(b)) {
            (Node::FBin(f, p, q), Node::FBin(g, r, s)) if f == g => {
                let commutes = matches!(f, FOp::Add | FOp::Mul);
                (vec![p, q], vec![r, s], commutes)
            }
            (Node::FSqrt(p), Node::FSqrt(q)) => (vec![p], vec![q], false),
            (Node::FToF(f, p), Node::FToF(g, q)) if f == g => (vec![p], vec![q], false),
            (Node::IToF(f, p), Node::IToF(g, q)) if f == g => (vec![p], vec![q], false),
            (Node::FToI(f, p), Node::FToI(g, q)) if f == g => (vec![p], vec![q], false),
            _ => return Ok(None),
        };
        let mut equal = self.are_all_equal(condition, &x, &y)?;
        if !equal && commutes && (x[0] == y[1] || x[1] == y[0]) {
            equal = self.are_all_equal(condition, &x, &[y[1], y[0]])?;
        }
        // Other operands may still give the same.
        Ok(equal.then_some(true))
    }

    fn are_all_equal(
        &mut self,
        condition: &Constraints,
        x: &[Term],
        y: &[Term],
    ) -> Result<bool, Unproved> {
        for (p, q) in x.iter().zip(y) {
            if !self.are_equal(condition, *p, *q)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two values are equal whenever a condition holds.
    ///
    /// # Errors
    /// The solver gives up.
    pub fn are_equal(
        &mut self,
        condition: &Constraints,
        a: Term,
        b: Term,
    ) -> Result<bool, Unproved> {
        if a == b {
            return Ok(true);
        }
        if self.are_equal_lambdas(condition, a, b)? || self.are_congruent(condition, a, b)? {
            return Ok(true);
        }
        if self.symbols.pool.sort(a) != self.symbols.pool.sort(b) {
            return Ok(false);
        }
        let equal = self.symbols.pool.eq(a, b);
        let differ = self.symbols.pool.not(equal);
        let differ = self.decidable(condition, differ);
        Ok(self.assume(condition, differ)?.is_none()
            || self.contradicts(condition, Some(differ))?)
    }
}
