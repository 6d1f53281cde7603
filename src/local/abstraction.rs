//! Abstraction of conditions: results of floating-point arithmetic and products become unknowns, so that a solver decides at once.

use super::symbols::Symbols;
use crate::expr::{BvOp, FOp, Node, Term};
use rustc_hash::FxHashSet;

/// Most floating-point arithmetic of conditions that are decided exactly; a product counts as several sums.
const MOST_ARITHMETIC: u32 = 8;
const PRODUCT: u32 = 4;

impl Symbols {
    /// An abstraction of a condition: results of floating-point arithmetic and of conversions, and products and quotients of
    /// unknowns, become unknowns. Comparisons stay. It holds whenever the original does, and a solver decides it at once.
    pub fn abstracted(&mut self, term: Term) -> Term {
        if let Some(done) = self.abstracted.get(&term) {
            return *done;
        }
        let out = match self.pool.node(term) {
            Node::Const(_) | Node::Var(_) => term,
            Node::FBin(..)
            | Node::FSqrt(_)
            | Node::FToF(..)
            | Node::IToF(..)
            | Node::FToI(..)
            | Node::FBits(_)
            | Node::BitsF(..) => self.unknown(term),
            Node::FCmp(op, a, b) => {
                let (a, b) = (self.abstracted(a), self.abstracted(b));
                self.pool.fcmp(op, a, b)
            }
            Node::FNeg(a) => {
                let a = self.abstracted(a);
                self.pool.fneg(a)
            }
            Node::FAbs(a) => {
                let a = self.abstracted(a);
                self.pool.fabs(a)
            }
            Node::Bin(BvOp::Mul | BvOp::Div | BvOp::Rem, _, b) if !self.pool.is_const(b) => {
                self.unknown(term)
            }
            Node::Not(a) => {
                let a = self.abstracted(a);
                self.pool.not(a)
            }
            Node::Neg(a) => {
                let a = self.abstracted(a);
                self.pool.neg(a)
            }
            Node::Sext(w, a) => {
                let a = self.abstracted(a);
                self.pool.sext(w, a)
            }
            Node::Zext(w, a) => {
                let a = self.abstracted(a);
                self.pool.zext(w, a)
            }
            Node::Trunc(w, a) => {
                let a = self.abstracted(a);
                self.pool.trunc(w, a)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.abstracted(c), self.abstracted(a), self.abstracted(b));
                self.pool.ite(c, a, b)
            }
            Node::And(a, b) => {
                let (a, b) = (self.abstracted(a), self.abstracted(b));
                self.pool.and(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.abstracted(a), self.abstracted(b));
                self.pool.or(a, b)
            }
            Node::Eq(a, b) => {
                let (a, b) = (self.abstracted(a), self.abstracted(b));
                self.pool.eq(a, b)
            }
            Node::Bin(op, a, b) => {
                let (a, b) = (self.abstracted(a), self.abstracted(b));
                self.pool.bin(op, a, b)
            }
            Node::Cmp(op, a, b) => {
                let (a, b) = (self.abstracted(a), self.abstracted(b));
                self.pool.cmp(op, a, b)
            }
        };
        self.abstracted.insert(term, out);
        out
    }

    fn unknown(&mut self, term: Term) -> Term {
        let sort = self.pool.sort(term);
        self.app("", &[term], sort)
    }

    /// Whether conditions have more floating-point arithmetic than a solver decides in reasonable time.
    pub fn are_heavy(&self, conditions: impl IntoIterator<Item = Term>) -> bool {
        let mut todo: Vec<Term> = conditions.into_iter().collect();
        let mut seen = FxHashSet::default();
        let mut cost = 0;
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.pool.node(term);
            cost += match node {
                Node::FBin(FOp::Add | FOp::Sub, ..) => 1,
                Node::FBin(..) | Node::FSqrt(_) => PRODUCT,
                _ => 0,
            };
            if cost > MOST_ARITHMETIC {
                return true;
            }
            todo.extend(node.children());
        }
        false
    }
}
