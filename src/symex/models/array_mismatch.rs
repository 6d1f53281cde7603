//! `ArraysSupport.mismatch`: the first place at which two primitive arrays differ, as one formula. `Arrays.equals`, `compare` and
//! `mismatch` ask for it; the JDK's own code reads several elements at once through `Unsafe`.

use super::super::state::State;
use super::super::value::{ObjId, Value};
use super::super::vm::Vm;
use super::array_copy::terms;
use super::{object, prim};
use crate::expr::{BvOp, CmpOp, Term};
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step};

/// Longest stretch that is spelled out where elements are open.
const MOST: usize = 512;

/// The least index below the count at which the elements differ as `Double.equals` and its like have it, else -1: of two arrays
/// and a count, or of two arrays, each with the place to begin at, and a count.
pub(super) fn mismatch(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let count = prim(vm, args, args.len() - 1);
    let whole = args.len() == 3;
    let (a, b) = (
        object(vm, args, 0)?,
        object(vm, args, if whole { 1 } else { 2 })?,
    );
    let (a, b) = (elements(state, a)?, elements(state, b)?);
    let zero = vm.pool.int(0);
    let (from, to) = match whole {
        true => (zero, zero),
        false => (prim(vm, args, 1), prim(vm, args, 3)),
    };
    let differences = differences(vm, (&a, from), (&b, to), count)?;
    let mut found = vm.pool.int(-1);
    for (i, here) in differences.into_iter().enumerate().rev() {
        let i = vm.pool.int(i as i32);
        found = vm.pool.ite(here, i, found);
    }
    Ok(Some(Value::Prim(found)))
}

/// For each index whether it counts and the elements differ there, up to the first where they do for certain.
fn differences(
    vm: &mut Vm,
    a: (&[Term], Term),
    b: (&[Term], Term),
    count: Term,
) -> Step<Vec<Term>> {
    let most = vm.pool.as_i64(count).unwrap_or(i64::MAX);
    let (mut all, mut open) = (Vec::new(), 0);
    for i in 0..most {
        let i = vm.pool.int(i as i32);
        // The caller has seen to it that all that counts is there.
        let (Some(x), Some(y)) = (element(vm, a, i)?, element(vm, b, i)?) else {
            break;
        };
        let counts = vm.pool.cmp(CmpOp::Slt, i, count);
        let other = vm.pool.ne(x, y);
        let here = vm.pool.and(counts, other);
        all.push(here);
        match vm.pool.as_bool(here) {
            Some(true) => break,
            Some(false) => {}
            None => open += 1,
        }
        if open > MOST {
            return Err(Interruption::OwnCode);
        }
    }
    Ok(all)
}

fn elements(state: &State, id: ObjId) -> Step<Vec<Term>> {
    match &state.heap.get(id).body {
        Body::Array { values, .. } => terms(state, values),
        _ => Err(Interruption::OwnCode),
    }
}

/// The element `i` behind the array's beginning; `None` where the array has none.
fn element(vm: &mut Vm, (of, from): (&[Term], Term), i: Term) -> Step<Option<Term>> {
    let index = vm.pool.bin(BvOp::Add, from, i);
    if let Some(index) = vm.pool.as_i64(index) {
        return Ok(usize::try_from(index).ok().and_then(|n| of.get(n)).copied());
    }
    let steps = vm.pool.as_i64(i).unwrap_or(0);
    let beyond = usize::try_from(steps).is_ok_and(|n| n >= of.len());
    let last = match of.last() {
        Some(last) if !beyond => *last,
        _ => return Ok(None),
    };
    if of.len() > MOST {
        return Err(Interruption::OwnCode);
    }
    let mut value = last;
    for (j, other) in of.iter().enumerate() {
        let j = vm.pool.int(j as i32);
        let this = vm.pool.eq(index, j);
        value = vm.pool.ite(this, *other, value);
    }
    Ok(Some(value))
}
