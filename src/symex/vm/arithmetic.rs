//! Arithmetic, conversions and comparisons on primitives (JVMS §2.11.3, §2.11.4), lifted over both versions.

use crate::bytecode::class_file::{BinOp, Cmp, Prim};
use crate::expr::{BvOp, CmpOp, FCmp, FOp, Pool, Sort, Term};
use crate::symex::state::State;
use crate::symex::state::heap::Slot;
use crate::symex::state::interruption::{Act, Interruption, Step};
use crate::symex::value::Value;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Vm;

/// The term of a primitive. Verified bytecode has no other value here.
pub(in crate::symex) fn term(pool: &mut Pool, value: &Value) -> Term {
    match value {
        Value::Prim(t) => *t,
        _ => pool.int(0),
    }
}

/// The terms of a primitive slot.
pub(in crate::symex) fn terms(pool: &mut Pool, slot: &Slot) -> Shadow<Term> {
    slot.map(|v| term(pool, v))
}

fn lift(a: &Slot, b: &Slot, pool: &mut Pool, f: impl Fn(&mut Pool, Term, Term) -> Term) -> Slot {
    a.zip(b, |a, b| {
        let (a, b) = (term(pool, a), term(pool, b));
        Value::Prim(f(pool, a, b))
    })
}

/// `iadd` … `lxor`, `fadd` … `drem`.
pub(in crate::symex) fn binary(vm: &mut Vm, state: &mut State, op: BinOp, prim: Prim) -> Step<()> {
    let (b, a) = (state.peek(0), state.peek(1));
    if matches!(prim, Prim::Int | Prim::Long) && matches!(op, BinOp::Div | BinOp::Rem) {
        divisor_is_not_zero(vm, state, &b)?;
    }
    let result = lift(&a, &b, &mut vm.pool, |pool, a, b| {
        compute(pool, op, prim, a, b)
    });
    state.pop();
    state.pop();
    state.push(result);
    state.advance();
    Ok(())
}

fn divisor_is_not_zero(vm: &mut Vm, state: &State, divisor: &Slot) -> Step<()> {
    let ok = terms(&mut vm.pool, divisor).map(|d| {
        let zero = match vm.pool.sort(*d) {
            Sort::Bv(64) => vm.pool.long(0),
            _ => vm.pool.int(0),
        };
        vm.pool.ne(*d, zero)
    });
    check(vm, state, 1, ok, "java/lang/ArithmeticException")
}

/// Goes on when `ok` holds in every running version; else leaves a choice between that and the exception.
pub(in crate::symex) fn check(
    vm: &mut Vm,
    state: &State,
    level: u8,
    ok: Shadow<Term>,
    exception: &'static str,
) -> Step<()> {
    if state.frame().is_some_and(|f| f.passed >= level) {
        return Ok(());
    }
    match ok.same().and_then(|t| vm.pool.as_bool(*t)) {
        Some(true) => Ok(()),
        Some(false) => Err(Interruption::Raise(exception)),
        None => {
            let fails = ok.map(|t| vm.pool.not(*t));
            Err(Interruption::Choose(vec![
                (ok, Act::Pass(level)),
                (fails, Act::Raise(exception)),
            ]))
        }
    }
}

/// `check` that `0 <= index < len`.
pub(in crate::symex) fn check_index(
    vm: &mut Vm,
    state: &State,
    index: Term,
    len: Term,
    exception: &'static str,
) -> Step<()> {
    let zero = vm.pool.int(0);
    let low = vm.pool.cmp(CmpOp::Sle, zero, index);
    let high = vm.pool.cmp(CmpOp::Slt, index, len);
    let inside = vm.pool.and(low, high);
    check(vm, state, 1, Shadow::Same(inside), exception)
}

fn compute(pool: &mut Pool, op: BinOp, prim: Prim, a: Term, b: Term) -> Term {
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

/// `ineg` … `dneg`.
pub(in crate::symex) fn negate(vm: &mut Vm, state: &mut State, prim: Prim) {
    unary(vm, state, |pool, t| match prim {
        Prim::Float | Prim::Double => pool.fneg(t),
        _ => pool.neg(t),
    });
}

/// `i2l` … `d2f`.
pub(in crate::symex) fn convert(vm: &mut Vm, state: &mut State, from: Prim, to: Prim) {
    unary(vm, state, |pool, t| match (from, to) {
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
    });
}

/// An int cut to a smaller type and widened again, as stores into arrays and `i2b` … do.
pub(in crate::symex) fn narrow(pool: &mut Pool, to: Prim, t: Term) -> Term {
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

fn unary(vm: &mut Vm, state: &mut State, f: impl Fn(&mut Pool, Term) -> Term) {
    let a = state.pop();
    let result = a.map(|v| {
        let t = term(&mut vm.pool, v);
        Value::Prim(f(&mut vm.pool, t))
    });
    state.push(result);
    state.advance();
}

/// The condition `a cmp b` on ints or longs.
pub(in crate::symex) fn condition(pool: &mut Pool, cmp: Cmp, a: Term, b: Term) -> Term {
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
pub(in crate::symex) fn float_condition(
    pool: &mut Pool,
    cmp: Cmp,
    nan: i32,
    a: Term,
    b: Term,
) -> Term {
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

/// `lcmp` or `fcmp*` whose result is used as a number.
pub(in crate::symex) fn three_way(pool: &mut Pool, nan: Option<i32>, a: Term, b: Term) -> Term {
    let (less, equal) = match nan {
        None => (pool.cmp(CmpOp::Slt, a, b), pool.eq(a, b)),
        Some(_) => (pool.fcmp(FCmp::Lt, a, b), pool.fcmp(FCmp::Eq, a, b)),
    };
    let (minus, zero, one) = (pool.int(-1), pool.int(0), pool.int(1));
    let above = match nan {
        None => one,
        Some(nan) => {
            let greater = pool.fcmp(FCmp::Lt, b, a);
            let nan = pool.int(nan);
            pool.ite(greater, one, nan)
        }
    };
    let rest = pool.ite(equal, zero, above);
    pool.ite(less, minus, rest)
}
