//! Rewriting at construction: each rule keeps the value under every model.

use super::pool::Pool;
use super::term::{Arith, BvOp, CmpOp, Node, Sort, Term, Value};

impl Pool {
    fn zero_of(&mut self, like: Term) -> Term {
        let sort = self.sort(like);
        self.constant(Value::zero(sort))
    }

    /// The simpler term, or the operands in canonical order (a constant goes right).
    pub(super) fn simplify_bin(
        &mut self,
        op: BvOp,
        a: Term,
        b: Term,
    ) -> Result<Term, (BvOp, Term, Term)> {
        let commutes = matches!(op, BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor);
        let (a, b) = if commutes && (self.is_const(a) || (!self.is_const(b) && a > b)) {
            (b, a)
        } else {
            (a, b)
        };
        if self.is_const(a) {
            return Err((op, a, b));
        }
        match (op, self.as_i64(b)) {
            (
                BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor | BvOp::Shl | BvOp::Shr | BvOp::Ushr,
                Some(0),
            ) => Ok(a),
            (BvOp::Mul | BvOp::Div, Some(1)) | (BvOp::And, Some(-1)) => Ok(a),
            (BvOp::Mul | BvOp::And, Some(0)) => Ok(b),
            (BvOp::Or, Some(-1)) => Ok(b),
            (BvOp::Sub, Some(n)) if self.arith() == Arith::Java && n != i64::MIN => {
                let sort = self.sort(a);
                let Sort::Bv(width) = sort else {
                    return Err((op, a, b));
                };
                let minus = self.bv(width, n.wrapping_neg());
                Ok(self.bin(BvOp::Add, a, minus))
            }
            (BvOp::Shl, Some(n)) if self.arith() == Arith::Java => {
                let Sort::Bv(width) = self.sort(a) else {
                    return Err((op, a, b));
                };
                let factor = self.bv(width, 1i64.wrapping_shl(n as u32));
                Ok(self.bin(BvOp::Mul, a, factor))
            }
            (BvOp::Add, Some(n)) => match self.node(a) {
                Node::Bin(BvOp::Add, x, y) if self.arith() == Arith::Java => match self.as_i64(y) {
                    Some(m) => {
                        let Sort::Bv(width) = self.sort(a) else {
                            return Err((op, a, b));
                        };
                        let sum = self.bv(width, n.wrapping_add(m));
                        Ok(self.bin(BvOp::Add, x, sum))
                    }
                    None => Err((op, a, b)),
                },
                _ => Err((op, a, b)),
            },
            _ if a == b => match op {
                BvOp::Sub | BvOp::Xor => Ok(self.zero_of(a)),
                BvOp::And | BvOp::Or => Ok(a),
                BvOp::Add if self.arith() == Arith::Java => {
                    let Sort::Bv(width) = self.sort(a) else {
                        return Err((op, a, b));
                    };
                    let two = self.bv(width, 2);
                    Ok(self.bin(BvOp::Mul, a, two))
                }
                _ => Err((op, a, b)),
            },
            _ => Err((op, a, b)),
        }
    }

    pub(super) fn simplify_cmp(&mut self, op: CmpOp, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bool(matches!(op, CmpOp::Sle | CmpOp::Ule)));
        }
        // A choice between constants compared with a constant is the choice's condition.
        for (x, y, flip) in [(a, b, false), (b, a, true)] {
            if let Node::Ite(c, p, q) = self.node(x)
                && self.is_const(y)
                && self.is_const(p)
            {
                let pair = |t: Term| if flip { (y, t) } else { (t, y) };
                let ((p1, p2), (q1, q2)) = (pair(p), pair(q));
                let (yes, no) = (self.cmp(op, p1, p2), self.cmp(op, q1, q2));
                return Some(self.ite(c, yes, no));
            }
        }
        None
    }

    pub(super) fn simplify_eq(&mut self, a: Term, b: Term) -> Result<Term, (Term, Term)> {
        if a == b {
            return Ok(self.bool(true));
        }
        let (a, b) = if self.is_const(a) || (!self.is_const(b) && a > b) {
            (b, a)
        } else {
            (a, b)
        };
        if let Some(truth) = self.as_bool(b) {
            return Ok(if truth { a } else { self.not(a) });
        }
        if let Some(term) = self.simplify_float_eq(a, b) {
            return Ok(term);
        }
        if self.is_const(a) || !self.is_const(b) {
            return Err((a, b));
        }
        match self.node(a) {
            Node::Ite(c, p, q) if self.is_const(p) || self.is_const(q) => {
                Ok(self.eq_of_choice(a, (c, p, q), b))
            }
            Node::Sext(_, x) if self.arith() == Arith::Java => {
                let (Sort::Bv(width), Some(n)) = (self.sort(x), self.as_i64(b)) else {
                    return Err((a, b));
                };
                let narrow = self.bv(width, n);
                if self.as_i64(narrow) != Some(n) {
                    return Ok(self.bool(false));
                }
                Ok(self.eq(x, narrow))
            }
            // Adding a constant is a bijection on wrapping integers, and on unbounded ones.
            Node::Bin(BvOp::Add, x, y) if self.is_const(y) && self.arith() == Arith::Java => {
                let rest = self.bin(BvOp::Sub, b, y);
                Ok(self.eq(x, rest))
            }
            _ => Err((a, b)),
        }
    }

    pub(super) fn simplify_junction(&mut self, a: Term, b: Term, and: bool) -> Term {
        for (x, y) in [(a, b), (b, a)] {
            match self.as_bool(x) {
                Some(truth) if truth == and => return y,
                Some(_) => return x,
                None => {}
            }
        }
        if a == b {
            return a;
        }
        if self.not(a) == b {
            return self.bool(!and);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(
            if and { Node::And(a, b) } else { Node::Or(a, b) },
            Sort::Bool,
        )
    }

    pub(super) fn simplify_ite(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if let Some(c) = self.as_bool(c) {
            return Some(if c { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        if self.sort(a) == Sort::Bool {
            // Boolean choices become junctions, which the other rules know.
            let not = self.not(c);
            let (yes, no) = (self.and(c, a), self.and(not, b));
            return Some(self.or(yes, no));
        }
        if let Node::Not(c) = self.node(c) {
            return Some(self.ite(c, b, a));
        }
        None
    }
}
