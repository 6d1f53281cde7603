//! Rewriting of floating-point terms: only rules that hold for NaN, infinities, subnormal numbers and both zeros.
//!
//! Not among them, because they are wrong: `x + 0.0` is `x` (-0.0; see `float_zero`), `x * 0` is `0` (NaN, infinities, signs), `x - x` is `0` and
//! `x == x` is true (NaN, infinities), reassociation, and `!(a < b)` is `b <= a`.

use super::pool::Pool;
use super::term::{Arith, CmpOp, FCmp, FOp, Node, Sort, Term, Value};

impl Pool {
    /// The simpler term; a constant operand of what commutes is on the right.
    pub(super) fn simplify_fbin(&mut self, op: FOp, a: Term, b: Term) -> Option<Term> {
        if self.is_const(a) && self.is_const(b) {
            return None;
        }
        let sort = self.sort(a);
        if let Some(c) = self.as_float(b) {
            let minus_zero = c == 0.0 && c.is_sign_negative();
            let plus_zero = c == 0.0 && c.is_sign_positive();
            match op {
                FOp::Add if minus_zero => return Some(a),
                FOp::Add if plus_zero => return Some(self.plus_zero(a)),
                FOp::Sub if plus_zero => return Some(a),
                FOp::Mul | FOp::Div if c == 1.0 => return Some(a),
                FOp::Mul | FOp::Div if c == -1.0 => return Some(self.fneg(a)),
                FOp::Div => {
                    let factor = reciprocal(sort, c)?;
                    let factor = self.float_of(sort, factor);
                    return Some(self.fbin(FOp::Mul, a, factor));
                }
                _ => {}
            }
        }
        if op == FOp::Sub && self.as_float(a) == Some(0.0) {
            let is_minus = self.as_float(a).is_some_and(f64::is_sign_negative);
            let minus = self.fneg(b);
            return Some(if is_minus {
                minus
            } else {
                self.plus_zero(minus)
            });
        }
        match (op, self.node(a), self.node(b)) {
            // Both sides are the same real number, rounded once; of zeros, both are the zero of that sign.
            (FOp::Add, ..) if a == b => {
                let two = self.float_of(sort, 2.0);
                Some(self.fbin(FOp::Mul, a, two))
            }
            (FOp::Add, _, Node::FNeg(y)) => Some(self.fbin(FOp::Sub, a, y)),
            (FOp::Add, Node::FNeg(x), _) => Some(self.fbin(FOp::Sub, b, x)),
            (FOp::Sub, _, Node::FNeg(y)) => Some(self.fbin(FOp::Add, a, y)),
            // Rounding to nearest is symmetric, and the sign of a product is that of both factors.
            (FOp::Mul | FOp::Div, Node::FNeg(x), Node::FNeg(y)) => Some(self.fbin(op, x, y)),
            (FOp::Mul, Node::FAbs(x), Node::FAbs(y)) if x == y => Some(self.fbin(op, x, x)),
            (FOp::Mul | FOp::Div, Node::FNeg(x), _) => {
                let positive = self.fbin(op, x, b);
                Some(self.fneg(positive))
            }
            (FOp::Mul | FOp::Div, _, Node::FNeg(y)) => {
                let positive = self.fbin(op, a, y);
                Some(self.fneg(positive))
            }
            _ => None,
        }
    }

    /// A comparison that is decided, or is one of narrower operands.
    pub(super) fn simplify_fcmp(&mut self, op: FCmp, a: Term, b: Term) -> Option<Term> {
        if a == b && !self.is_const(a) {
            return match op {
                FCmp::Lt => Some(self.bool(false)),
                FCmp::Le => Some(self.fcmp(FCmp::Eq, a, a)),
                // Not NaN.
                FCmp::Eq => match self.node(a) {
                    Node::IToF(..) => Some(self.bool(true)),
                    Node::FToF(_, x) | Node::FNeg(x) | Node::FAbs(x) => {
                        Some(self.fcmp(FCmp::Eq, x, x))
                    }
                    _ => None,
                },
            };
        }
        for (x, y, flip) in [(a, b, false), (b, a, true)] {
            let pair = |t: Term, u: Term| if flip { (u, t) } else { (t, u) };
            let number = self.as_float(y);
            if number.is_some_and(f64::is_nan) {
                return Some(self.bool(false));
            }
            if let Some(x) = self.without_plus_zero(x) {
                let (x, y) = pair(x, y);
                return Some(self.fcmp(op, x, y));
            }
            if number == Some(0.0)
                && let Some(decided) = self.simplify_sign(op, x, flip)
            {
                return Some(decided);
            }
            match (self.node(x), self.node(y)) {
                (Node::FNeg(p), Node::FNeg(q)) => {
                    let (a, b) = pair(q, p);
                    return Some(self.fcmp(op, a, b));
                }
                (Node::FNeg(p), Node::Const(_)) => {
                    let minus = self.float_of(self.sort(y), -number?);
                    let (a, b) = pair(minus, p);
                    return Some(self.fcmp(op, a, b));
                }
                (Node::Ite(c, p, q), _) if number.is_some() && self.is_const(p) => {
                    let ((p1, p2), (q1, q2)) = (pair(p, y), pair(q, y));
                    let (yes, no) = (self.fcmp(op, p1, p2), self.fcmp(op, q1, q2));
                    return Some(self.ite(c, yes, no));
                }
                (Node::FToF(Sort::F64, p), Node::FToF(Sort::F64, q)) => {
                    let (p, q) = pair(p, q);
                    return Some(self.fcmp(op, p, q));
                }
                (Node::FToF(Sort::F64, p), Node::Const(_)) => {
                    let c = number?;
                    if f64::from(c as f32) == c {
                        let c = self.float_of(Sort::F32, c);
                        let (p, q) = pair(p, c);
                        return Some(self.fcmp(op, p, q));
                    }
                    if op == FCmp::Eq {
                        return Some(self.bool(false));
                    }
                }
                (Node::IToF(Sort::F64, p), Node::IToF(Sort::F64, q))
                    if self.exact_in_double(p) && self.exact_in_double(q) =>
                {
                    let (p, q) = pair(p, q);
                    return Some(self.integer_cmp(op, p, q));
                }
                (Node::IToF(Sort::F64, p), Node::Const(_)) if self.exact_in_double(p) => {
                    return Some(self.integer_against(op, p, number?, flip));
                }
                _ => {}
            }
        }
        None
    }

    /// Whether an integer has no more bits than a double's significand.
    pub(super) fn exact_in_double(&self, term: Term) -> bool {
        self.arith() == Arith::Java && self.width(term) <= 32
    }

    fn integer_cmp(&mut self, op: FCmp, a: Term, b: Term) -> Term {
        let width = self.width(a).max(self.width(b));
        let (a, b) = (self.sext(width, a), self.sext(width, b));
        match op {
            FCmp::Eq => self.eq(a, b),
            FCmp::Lt => self.cmp(CmpOp::Slt, a, b),
            FCmp::Le => self.cmp(CmpOp::Sle, a, b),
        }
    }

    /// `i op c` (`c op i` when `flip`) of an integer and a number that is not NaN.
    fn integer_against(&mut self, op: FCmp, i: Term, c: f64, flip: bool) -> Term {
        let width = self.width(i);
        let limit = (1i64 << (width - 1)) as f64;
        if op == FCmp::Eq {
            if c.fract() != 0.0 || c < -limit || c >= limit {
                return self.bool(false);
            }
            let c = self.bv(width, c as i64);
            return self.eq(i, c);
        }
        // `i < c` and `i < ceil(c)`, `i <= c` and `i <= floor(c)` are the same of an integer i.
        let whole = if (op == FCmp::Lt) != flip {
            c.ceil()
        } else {
            c.floor()
        };
        if whole >= limit {
            return self.bool(!flip);
        }
        if whole < -limit {
            return self.bool(flip);
        }
        let c = self.bv(width, whole as i64);
        let (a, b) = if flip { (c, i) } else { (i, c) };
        self.integer_cmp(op, a, b)
    }

    /// `Node::Eq` where floats or their bits are compared; a constant is on the right.
    pub(super) fn simplify_float_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.node(a), self.node(b)) {
            // `FBits` has one NaN, as `Node::Eq` has: it tells apart exactly what that does.
            (Node::FBits(x), Node::FBits(y)) if self.sort(x) == self.sort(y) => Some(self.eq(x, y)),
            (Node::FBits(x), Node::Const(Value::Bv(_, n))) => {
                let value = match self.sort(x) {
                    Sort::F32 => Value::F32(n as u32),
                    _ => Value::F64(n as u64),
                };
                if super::eval::canonical(value) != value {
                    return Some(self.bool(false));
                }
                let value = self.constant(value);
                Some(self.eq(x, value))
            }
            (Node::FNeg(x), Node::FNeg(y)) => Some(self.eq(x, y)),
            (Node::IToF(Sort::F64, p), Node::IToF(Sort::F64, q))
                if self.exact_in_double(p) && self.exact_in_double(q) =>
            {
                Some(self.integer_cmp(FCmp::Eq, p, q))
            }
            (Node::IToF(Sort::F64, p), Node::Const(_)) if self.exact_in_double(p) => {
                let c = self.as_float(b)?;
                // No integer becomes -0.0.
                if c.is_nan() || (c == 0.0 && c.is_sign_negative()) {
                    return Some(self.bool(false));
                }
                Some(self.integer_against(FCmp::Eq, p, c, false))
            }
            (Node::FToF(Sort::F64, p), Node::FToF(Sort::F64, q)) => Some(self.eq(p, q)),
            _ => None,
        }
    }
}

/// `1 / c` where that is exact: dividing by `c` and multiplying by it then round the same real number.
fn reciprocal(sort: Sort, c: f64) -> Option<f64> {
    let r = 1.0 / c;
    let power = c.is_normal() && c.to_bits() << 12 == 0;
    let fits = r.is_normal() && (sort == Sort::F64 || (r as f32).is_normal());
    (power && fits).then_some(r)
}
