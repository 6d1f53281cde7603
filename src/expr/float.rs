//! Floating-point terms: constructors, each of which rewrites only where every value, NaN and both zeros included, stays.

use super::pool::Pool;
use super::term::{FCmp, FOp, Node, Sort, Term, Value};

impl Pool {
    /// Floating-point arithmetic, rounding to nearest even; `Rem` truncates as Java's `%` does.
    pub fn fbin(&mut self, op: FOp, a: Term, b: Term) -> Term {
        // IEEE addition and multiplication commute (not the payload of a NaN, which nothing here can see).
        let swap =
            matches!(op, FOp::Add | FOp::Mul) && (self.is_const(a) || (!self.is_const(b) && a > b));
        let (a, b) = if swap { (b, a) } else { (a, b) };
        if let Some(term) = self.simplify_fbin(op, a, b) {
            return term;
        }
        let sort = self.sort(a);
        self.make(Node::FBin(op, a, b), sort)
    }

    /// IEEE comparison.
    pub fn fcmp(&mut self, op: FCmp, a: Term, b: Term) -> Term {
        let swap = op == FCmp::Eq && (self.is_const(a) || (!self.is_const(b) && a > b));
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.simplify_fcmp(op, a, b)
            .unwrap_or_else(|| self.make(Node::FCmp(op, a, b), Sort::Bool))
    }

    /// Whether a float is NaN.
    pub fn is_nan(&mut self, a: Term) -> Term {
        let ordered = self.fcmp(FCmp::Eq, a, a);
        self.not(ordered)
    }

    /// Floating-point negation.
    pub fn fneg(&mut self, a: Term) -> Term {
        if let Node::FNeg(x) = self.node(a) {
            return x;
        }
        let sort = self.sort(a);
        self.make(Node::FNeg(a), sort)
    }

    /// Floating-point absolute value.
    pub fn fabs(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::FAbs(_) => return a,
            Node::FNeg(x) => return self.fabs(x),
            _ => {}
        }
        let sort = self.sort(a);
        self.make(Node::FAbs(a), sort)
    }

    /// Square root.
    pub fn fsqrt(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        self.make(Node::FSqrt(a), sort)
    }

    /// Between float and double.
    pub fn f_to_f(&mut self, to: Sort, a: Term) -> Term {
        if self.sort(a) == to {
            return a;
        }
        match self.node(a) {
            // Widening keeps every value, so what was widened comes back as it was.
            Node::FToF(Sort::F64, x) => return x,
            // An int is exact as a double: only the second conversion rounds.
            Node::IToF(Sort::F64, x) if self.exact_in_double(x) => return self.i_to_f(to, x),
            _ => {}
        }
        self.make(Node::FToF(to, a), to)
    }

    /// From a signed integer.
    pub fn i_to_f(&mut self, to: Sort, a: Term) -> Term {
        match self.node(a) {
            Node::Sext(_, x) => self.i_to_f(to, x),
            _ => self.make(Node::IToF(to, a), to),
        }
    }

    /// To a signed integer as Java casts: saturating, NaN is 0 (JLS §5.1.3).
    pub fn f_to_i(&mut self, width: u8, a: Term) -> Term {
        if let Node::IToF(Sort::F64, x) = self.node(a)
            && self.exact_in_double(x)
            && self.width(x) <= width
        {
            return self.sext(width, x);
        }
        if let Node::FToF(Sort::F64, x) = self.node(a) {
            return self.f_to_i(width, x);
        }
        self.make(Node::FToI(width, a), Sort::Bv(width))
    }

    /// Raw bits with the canonical NaN.
    pub fn f_bits(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.make(Node::FBits(a), Sort::Bv(width))
    }

    /// The float with these raw bits.
    pub fn bits_f(&mut self, to: Sort, a: Term) -> Term {
        if let Node::FBits(x) = self.node(a)
            && self.sort(x) == to
        {
            return x;
        }
        self.make(Node::BitsF(to, a), to)
    }

    /// The number of a float constant.
    pub(super) fn as_float(&self, term: Term) -> Option<f64> {
        match self.value(term)? {
            Value::F32(b) => Some(f64::from(f32::from_bits(b))),
            Value::F64(b) => Some(f64::from_bits(b)),
            _ => None,
        }
    }

    /// The float constant of that sort; only for numbers that it holds exactly.
    pub(super) fn float_of(&mut self, sort: Sort, number: f64) -> Term {
        match sort {
            Sort::F32 => self.f32((number as f32).to_bits()),
            _ => self.f64(number.to_bits()),
        }
    }
}
