//! Data of one attempt at a proof, and its questions to the solver.

use super::budget::Budget;
use super::changes::Changes;
use super::cuts::CutPoints;
use super::lambdas::{Closure, Obligations};
use super::state::Unproved;
use super::symbols::Symbols;
use crate::expr::Term;
use crate::model::MethodRef;
use crate::solver::{Feasible, LayeredSolver, Solver};
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most queries to Z3 of an attempt with abstracted floats and products, and of an exact one.
const MOST_ABSTRACTED: u64 = 1_000;
const MOST_EXACT: u64 = 150;

/// Data of one attempt at a proof, used by the execution of both versions.
pub struct ProofContext {
    /// Terms.
    pub symbols: Symbols,
    /// Decides conditions.
    pub solver: LayeredSolver,
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
        condition: &crate::solver::Constraints,
        more: Term,
    ) -> Result<Option<crate::solver::Constraints>, Unproved> {
        self.budget.question()?;
        let most = if self.abstracts {
            MOST_ABSTRACTED
        } else {
            MOST_EXACT
        };
        if self.solver.stats().queries > most {
            return Err(Unproved::Budget("questions to Z3"));
        }
        match self.solver.assume(&mut self.symbols.pool, condition, more) {
            Feasible::Yes(c) => Ok(Some(c)),
            Feasible::No => Ok(None),
            Feasible::Unknown(_) => Err(Unproved::Budget("solver")),
        }
    }

    /// Whether two values are of one function, and of equal arguments.
    fn are_congruent(
        &mut self,
        condition: &crate::solver::Constraints,
        a: Term,
        b: Term,
    ) -> Result<bool, Unproved> {
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

    /// Whether two values are equal whenever a condition holds.
    ///
    /// # Errors
    /// The solver gives up.
    pub fn are_equal(
        &mut self,
        condition: &crate::solver::Constraints,
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
        let mut differ = self.symbols.pool.not(equal);
        if self.abstracts {
            differ = self.symbols.abstracted(differ);
        }
        Ok(self.assume(condition, differ)?.is_none())
    }
}
