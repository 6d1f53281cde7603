//! Rewriting around zero: sums with it, and comparisons of sums, products and roots with it.
//!
//! Rounding keeps the sign of a sum: two floats that differ have a difference of at least the smallest subnormal number. A product
//! may round to zero, so only factors of at least one leave its sign as it is.

use super::pool::Pool;
use super::term::{FCmp, FOp, Node, Sort, Term};

/// How deep a term is looked into for its sign.
const DEPTH: u32 = 6;

impl Pool {
    /// `0.0 + a`: the number itself, but that -0.0 becomes 0.0.
    pub(super) fn plus_zero(&mut self, a: Term) -> Term {
        if self.is_never_minus_zero(a, DEPTH) {
            return a;
        }
        let zero = self.float_of(self.sort(a), 0.0);
        let may_be = self.may_be_minus_zero(a);
        self.ite(may_be, zero, a)
    }

    /// A condition that holds where a float is -0.0, and nowhere where it is another number than zero.
    fn may_be_minus_zero(&mut self, a: Term) -> Term {
        let zero = self.float_of(self.sort(a), 0.0);
        match self.node(a) {
            Node::FBin(FOp::Add | FOp::Sub, x, y) => {
                let (x, y) = (self.fcmp(FCmp::Eq, x, zero), self.fcmp(FCmp::Eq, y, zero));
                self.and(x, y)
            }
            _ => self.fcmp(FCmp::Eq, a, zero),
        }
    }

    /// The number of which a term is `0.0 + a`: comparisons do not tell the zeros apart.
    pub(super) fn without_plus_zero(&mut self, term: Term) -> Option<Term> {
        let Node::Ite(c, zero, a) = self.node(term) else {
            return None;
        };
        let is_zero = self.as_float(zero) == Some(0.0);
        (is_zero && self.may_be_minus_zero(a) == c).then_some(a)
    }

    /// Whether a float is another than -0.0 under every model.
    fn is_never_minus_zero(&self, term: Term, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        match self.node(term) {
            Node::Const(_) => self
                .as_float(term)
                .is_some_and(|c| c != 0.0 || c.is_sign_positive()),
            Node::IToF(..) | Node::FAbs(_) => true,
            Node::FBin(FOp::Mul, x, y) => x == y,
            // A sum is -0.0 only if both terms are, a difference if it is that of -0.0 and 0.0; and rounding makes none.
            Node::FBin(FOp::Add, x, y) => {
                self.is_never_minus_zero(x, depth) || self.is_never_minus_zero(y, depth)
            }
            Node::FBin(FOp::Sub, x, _) | Node::FToF(Sort::F64, x) | Node::FSqrt(x) => {
                self.is_never_minus_zero(x, depth)
            }
            Node::Ite(_, x, y) => {
                self.is_never_minus_zero(x, depth) && self.is_never_minus_zero(y, depth)
            }
            _ => false,
        }
    }

    /// Whether a float is neither infinite nor NaN under every model.
    fn is_finite(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Const(_) => self.as_float(term).is_some_and(f64::is_finite),
            // The largest `float` is beyond every `long`.
            Node::IToF(..) => true,
            Node::FNeg(x) | Node::FAbs(x) | Node::FToF(Sort::F64, x) => self.is_finite(x),
            _ => false,
        }
    }

    /// `a op 0`, or `0 op a` if `flip`, without the arithmetic.
    pub(super) fn simplify_sign(&mut self, op: FCmp, a: Term, flip: bool) -> Option<Term> {
        let zero = self.float_of(self.sort(a), 0.0);
        match self.node(a) {
            Node::FBin(FOp::Sub, x, y) => Some(self.order(op, x, y, flip)),
            Node::FBin(FOp::Add, x, y) => {
                let y = self.fneg(y);
                Some(self.order(op, x, y, flip))
            }
            Node::FBin(FOp::Mul, x, y) if x == y => match (op, flip) {
                (FCmp::Lt, false) => Some(self.bool(false)),
                (FCmp::Le, true) => Some(self.fcmp(FCmp::Eq, x, x)),
                _ => None,
            },
            Node::FBin(FOp::Mul, x, y) => {
                let factor = self.as_float(y)?;
                let (p, q) = if flip { (zero, x) } else { (x, zero) };
                (factor.is_finite() && factor >= 1.0).then(|| self.fcmp(op, p, q))
            }
            Node::FSqrt(x) => match (op, flip) {
                (FCmp::Lt, false) => Some(self.bool(false)),
                (FCmp::Le, false) | (FCmp::Eq, _) => Some(self.fcmp(FCmp::Eq, x, zero)),
                (_, true) => Some(self.fcmp(op, zero, x)),
            },
            Node::FAbs(x) => match (op, flip) {
                (FCmp::Lt, false) => Some(self.bool(false)),
                (FCmp::Le, true) => Some(self.fcmp(FCmp::Eq, x, x)),
                (FCmp::Le, false) | (FCmp::Eq, _) => Some(self.fcmp(FCmp::Eq, x, zero)),
                (FCmp::Lt, true) => {
                    let (less, more) = (self.fcmp(FCmp::Lt, x, zero), self.fcmp(FCmp::Lt, zero, x));
                    Some(self.or(less, more))
                }
            },
            _ => None,
        }
    }

    /// `x - y op 0`, or `0 op x - y` if `flip`.
    fn order(&mut self, op: FCmp, x: Term, y: Term, flip: bool) -> Term {
        let (p, q) = if flip { (y, x) } else { (x, y) };
        let less = self.fcmp(FCmp::Lt, p, q);
        if op == FCmp::Lt {
            return less;
        }
        // Infinite numbers are equal, but their difference is NaN.
        let mut equal = self.fcmp(FCmp::Eq, x, y);
        if !self.is_finite(x) && !self.is_finite(y) {
            let sort = self.sort(x);
            let largest = match sort {
                Sort::F32 => f64::from(f32::MAX),
                _ => f64::MAX,
            };
            let (size, largest) = (self.fabs(x), self.float_of(sort, largest));
            let is_finite = self.fcmp(FCmp::Le, size, largest);
            equal = self.and(equal, is_finite);
        }
        match op {
            FCmp::Eq => equal,
            _ => self.or(less, equal),
        }
    }
}
