//! Arithmetic and conversions on the operand stack, lifted over both versions; `semantics` has the terms.

use crate::bytecode::class_file::{BinOp, Prim};
use crate::expr::{CmpOp, Pool, Sort, Term};
use crate::semantics;
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
        semantics::binary(pool, op, prim, a, b)
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

/// `ineg` … `dneg`.
pub(in crate::symex) fn negate(vm: &mut Vm, state: &mut State, prim: Prim) {
    unary(vm, state, |pool, t| semantics::negate(pool, prim, t));
}

/// `i2l` … `d2f`.
pub(in crate::symex) fn convert(vm: &mut Vm, state: &mut State, from: Prim, to: Prim) {
    unary(vm, state, |pool, t| semantics::convert(pool, from, to, t));
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
