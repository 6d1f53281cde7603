//! Static methods of the boxes that compute with numbers, by what the JDK's documentation says they return.

use super::bits::bits_method;
use super::symbols::Symbols;
use crate::expr::{BvOp, CmpOp, FCmp, Sort, Term};

/// The result of such a method, where it is one; `parameters` are its descriptors.
pub(super) fn number_method(
    s: &mut Symbols,
    name: &str,
    parameters: &[String],
    args: &[Term],
) -> Option<Term> {
    if let Some(term) = bits_method(s, name, parameters, args) {
        return Some(term);
    }
    let types: Vec<&str> = parameters.iter().map(|p| &**p).collect();
    let (zero, one) = (s.pool.int(0), s.pool.int(1));
    if let ([a], "hashCode", [of]) = (args, name, &types[..]) {
        return hash_method(s, of, *a);
    }
    if let ([a], ["D" | "F"]) = (args, &types[..]) {
        let holds = float_test(s, name, *a)?;
        return Some(s.pool.ite(holds, one, zero));
    }
    let ([a, b], [of, other]) = (args, &types[..]) else {
        return None;
    };
    if of != other {
        return None;
    }
    let less = |s: &mut Symbols, x, y| s.pool.cmp(CmpOp::Slt, x, y);
    match (name, *of) {
        ("compare", "I" | "J") => {
            let (before, behind) = (less(s, *a, *b), less(s, *b, *a));
            let minus = s.pool.int(-1);
            let rest = s.pool.ite(behind, one, zero);
            Some(s.pool.ite(before, minus, rest))
        }
        ("compare", "Z") => {
            let (a_false, b_false) = (s.pool.eq(*a, zero), s.pool.eq(*b, zero));
            let minus = s.pool.int(-1);
            let (below, above) = (
                s.pool.ite(b_false, zero, minus),
                s.pool.ite(b_false, one, zero),
            );
            Some(s.pool.ite(a_false, below, above))
        }
        ("compare", "C" | "S" | "B") => Some(s.pool.bin(BvOp::Sub, *a, *b)),
        ("max", "I" | "J") => {
            let first = less(s, *a, *b);
            Some(s.pool.ite(first, *b, *a))
        }
        ("min", "I" | "J") => {
            let first = less(s, *b, *a);
            Some(s.pool.ite(first, *b, *a))
        }
        ("sum", "I" | "J") => Some(s.pool.bin(BvOp::Add, *a, *b)),
        ("logicalAnd", "Z") => Some(s.pool.bin(BvOp::And, *a, *b)),
        ("logicalOr", "Z") => Some(s.pool.bin(BvOp::Or, *a, *b)),
        ("logicalXor", "Z") => Some(s.pool.bin(BvOp::Xor, *a, *b)),
        _ => None,
    }
}

/// The hash code of a number or truth value; that of a `double` is made of its bits, which are those that `doubleToLongBits` gives.
fn hash_method(s: &mut Symbols, of: &str, a: Term) -> Option<Term> {
    match of {
        "I" | "S" | "B" | "C" => Some(a),
        "J" => Some(folded(s, a)),
        "D" => {
            let bits = s.value("Double.doubleToLongBits(D)J", &[a], "J");
            Some(folded(s, bits))
        }
        "F" => Some(s.value("Float.floatToIntBits(F)I", &[a], "I")),
        "Z" => {
            let zero = s.pool.int(0);
            let is_false = s.pool.eq(a, zero);
            let (yes, no) = (s.pool.int(1231), s.pool.int(1237));
            Some(s.pool.ite(is_false, no, yes))
        }
        _ => None,
    }
}

/// Both halves of 64 bits, put into one by exclusive or.
fn folded(s: &mut Symbols, long: Term) -> Term {
    let half = s.pool.int(32);
    let upper = s.pool.shift(BvOp::Ushr, long, half);
    let both = s.pool.bin(BvOp::Xor, long, upper);
    s.pool.trunc(32, both)
}

/// What `isNaN`, `isInfinite` and `isFinite` say.
fn float_test(s: &mut Symbols, name: &str, of: Term) -> Option<Term> {
    let is_double = s.pool.sort(of) == Sort::F64;
    let mut constant = |double: f64, float: f32| match is_double {
        true => s.pool.f64(double.to_bits()),
        false => s.pool.f32(float.to_bits()),
    };
    let (infinite, largest) = (
        constant(f64::INFINITY, f32::INFINITY),
        constant(f64::MAX, f32::MAX),
    );
    let size = s.pool.fabs(of);
    match name {
        "isNaN" => Some(s.pool.is_nan(of)),
        "isInfinite" => Some(s.pool.fcmp(FCmp::Eq, size, infinite)),
        "isFinite" => Some(s.pool.fcmp(FCmp::Le, size, largest)),
        _ => None,
    }
}
