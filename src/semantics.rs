//! Arithmetic, conversions and comparisons of the JVM as terms (JVMS §2.11.3, §2.11.4), for the engine and for local proofs.

use crate::bytecode::class_file::{BinOp, Cmp, Prim};
use crate::expr::{BvOp, CmpOp, FCmp, FOp, Pool, Sort, Term};

/// The result of `iadd` … `lxor`, `fadd` … `drem`. Integer division by zero is the caller's.
pub fn binary(pool: &mut Pool, op: BinOp, prim: Prim, a: Term, b: Term) -> Term {
    if matches!(prim, Prim::Float | Prim::Double) {
        let op = match op {
            BinOp::Add => FOp::Add,
            BinOp::Sub => FOp::Sub,
            BinOp::Mul => FOp::Mul,
            BinOp::Div => FOp::Div,
            _ => FOp::Rem,
        };
        return pool.fbin(op, a, b);
    }
    match op {
        BinOp::Shl => pool.shift(BvOp::Shl, a, b),
        BinOp::Shr => pool.shift(BvOp::Shr, a, b),
        BinOp::Ushr => pool.shift(BvOp::Ushr, a, b),
        BinOp::Add => pool.bin(BvOp::Add, a, b),
        BinOp::Sub => pool.bin(BvOp::Sub, a, b),
        BinOp::Mul => pool.bin(BvOp::Mul, a, b),
        BinOp::Div => pool.bin(BvOp::Div, a, b),
        BinOp::Rem => pool.bin(BvOp::Rem, a, b),
        BinOp::And => pool.bin(BvOp::And, a, b),
        BinOp::Or => pool.bin(BvOp::Or, a, b),
        BinOp::Xor => pool.bin(BvOp::Xor, a, b),
    }
}

/// The result of `ineg` … `dneg`.
pub fn negate(pool: &mut Pool, prim: Prim, t: Term) -> Term {
    match prim {
        Prim::Float | Prim::Double => pool.fneg(t),
        _ => pool.neg(t),
    }
}

/// The result of `i2l` … `d2f`.
pub fn convert(pool: &mut Pool, from: Prim, to: Prim, t: Term) -> Term {
    match (from, to) {
        (_, Prim::Byte | Prim::Char | Prim::Short) => narrow(pool, to, t),
        (Prim::Int, Prim::Long) => pool.sext(64, t),
        (Prim::Long, Prim::Int) => pool.trunc(32, t),
        (Prim::Int | Prim::Long, Prim::Float) => pool.i_to_f(Sort::F32, t),
        (Prim::Int | Prim::Long, Prim::Double) => pool.i_to_f(Sort::F64, t),
        (Prim::Float | Prim::Double, Prim::Int) => pool.f_to_i(32, t),
        (Prim::Float | Prim::Double, Prim::Long) => pool.f_to_i(64, t),
        (_, Prim::Float) => pool.f_to_f(Sort::F32, t),
        (_, Prim::Double) => pool.f_to_f(Sort::F64, t),
        _ => t,
    }
}

/// An int cut to a smaller type and widened again, as stores into arrays and `i2b` … do.
pub fn narrow(pool: &mut Pool, to: Prim, t: Term) -> Term {
    match to {
        Prim::Byte => {
            let low = pool.trunc(8, t);
            pool.sext(32, low)
        }
        Prim::Short => {
            let low = pool.trunc(16, t);
            pool.sext(32, low)
        }
        Prim::Char => {
            let low = pool.trunc(16, t);
            pool.zext(32, low)
        }
        Prim::Boolean => {
            let one = pool.int(1);
            pool.bin(BvOp::And, t, one)
        }
        _ => t,
    }
}

/// The condition `a cmp b` on ints or longs.
pub fn condition(pool: &mut Pool, cmp: Cmp, a: Term, b: Term) -> Term {
    match cmp {
        Cmp::Eq => pool.eq(a, b),
        Cmp::Ne => pool.ne(a, b),
        Cmp::Lt => pool.cmp(CmpOp::Slt, a, b),
        Cmp::Ge => pool.cmp(CmpOp::Sle, b, a),
        Cmp::Gt => pool.cmp(CmpOp::Slt, b, a),
        Cmp::Le => pool.cmp(CmpOp::Sle, a, b),
    }
}

/// The condition of `fcmp*`/`dcmp*` followed by `if<cmp>`, NaN included.
pub fn float_condition(pool: &mut Pool, cmp: Cmp, nan: i32, a: Term, b: Term) -> Term {
    let (op, a, b) = match cmp {
        Cmp::Eq => return pool.fcmp(FCmp::Eq, a, b),
        Cmp::Ne => {
            let equal = pool.fcmp(FCmp::Eq, a, b);
            return pool.not(equal);
        }
        Cmp::Lt => (FCmp::Lt, a, b),
        Cmp::Le => (FCmp::Le, a, b),
        Cmp::Gt => (FCmp::Lt, b, a),
        Cmp::Ge => (FCmp::Le, b, a),
    };
    let nan_counts = matches!(cmp, Cmp::Lt | Cmp::Le) == (nan < 0);
    if !nan_counts {
        return pool.fcmp(op, a, b);
    }
    // With NaN on its side, a comparison is what the opposite one without NaN leaves.
    let opposite = if op == FCmp::Lt { FCmp::Le } else { FCmp::Lt };
    let opposite = pool.fcmp(opposite, b, a);
    pool.not(opposite)
}

/// The result of `lcmp`, or of `fcmp*` and `dcmp*` with their result for NaN.
pub fn three_way(pool: &mut Pool, nan: Option<i32>, a: Term, b: Term) -> Term {
    let (minus, zero, one) = (pool.int(-1), pool.int(0), pool.int(1));
    // Decided first, and what is left when the operands are not equal either: the other order, or NaN.
    let (first, then, equal, rest) = match nan {
        None => {
            let less = pool.cmp(CmpOp::Slt, a, b);
            (less, minus, pool.eq(a, b), one)
        }
        Some(nan) => {
            let equal = pool.fcmp(FCmp::Eq, a, b);
            match nan > 0 {
                true => (pool.fcmp(FCmp::Lt, a, b), minus, equal, one),
                false => (pool.fcmp(FCmp::Lt, b, a), one, equal, minus),
            }
        }
    };
    let inner = pool.ite(equal, zero, rest);
    pool.ite(first, then, inner)
}
