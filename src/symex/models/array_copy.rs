//! `System.arraycopy` at places, or of arrays of lengths, that are open: every element as a formula.

use super::super::effect::{Step, Stop};
use super::super::heap::{Body, Slot};
use super::super::memory::prim_of;
use super::super::shadow::Shadow;
use super::super::state::State;
use super::super::value::{ObjId, Value};
use super::super::vm::{Vm, per_version};
use super::prim;
use super::search::check_count;
use crate::expr::{BvOp, CmpOp, Term};

const OUTSIDE: &str = "java/lang/ArrayIndexOutOfBoundsException";
/// Longest arrays that are spelled out.
const MOST: usize = 256;

/// Copies between arrays of one primitive type; gives up on others, and on long ones.
pub(super) fn copy(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    (from, to): (ObjId, ObjId),
) -> Step<Option<Value>> {
    let (Some(source), Some(target)) = (elements(state, from), elements(state, to)) else {
        return Err(unsupported());
    };
    let same_type = source.0 == target.0 && source.2.len().max(target.2.len()) <= MOST;
    if !same_type || prim_of(&source.0).is_none() {
        return Err(unsupported());
    }
    let (at, dest, count) = (prim(vm, args, 1), prim(vm, args, 3), prim(vm, args, 4));
    check_count(vm, state, 1, (at, count, source.1), OUTSIDE)?;
    check_count(vm, state, 2, (dest, count, target.1), OUTSIDE)?;
    let source = terms(state, &source.2)?;
    let before = terms(state, &target.2)?;
    let behind = vm.pool.bin(BvOp::Add, dest, count);
    let shift = vm.pool.bin(BvOp::Sub, at, dest);
    let mut after = Vec::with_capacity(before.len());
    for (i, (old, slot)) in before.iter().zip(&target.2).enumerate() {
        let i = vm.pool.int(i as i32);
        let low = vm.pool.cmp(CmpOp::Sle, dest, i);
        let high = vm.pool.cmp(CmpOp::Slt, i, behind);
        let here = vm.pool.and(low, high);
        let index = vm.pool.bin(BvOp::Add, i, shift);
        let mut value = *old;
        for (j, copied) in source.iter().enumerate() {
            let j = vm.pool.int(j as i32);
            let this = vm.pool.eq(index, j);
            let this = vm.pool.and(here, this);
            value = vm.pool.ite(this, *copied, value);
        }
        after.push(state.merge(slot, Shadow::Same(Value::Prim(value))));
    }
    state.split_seen |= after.iter().any(Shadow::is_split);
    if let Body::Array { values, .. } = &mut state.heap.get_mut(to).body {
        *values = after;
    }
    Ok(None)
}

fn unsupported() -> super::super::effect::Effect {
    Stop::unsupported(
        "symbolic-array-copy",
        "System.arraycopy with symbolic positions",
    )
    .into()
}

/// Element type, length and elements.
fn elements(state: &State, id: ObjId) -> Option<(std::sync::Arc<str>, Term, Vec<Slot>)> {
    match &state.heap.get(id).body {
        Body::Array {
            element,
            len,
            values,
        } => Some((element.clone(), *len, values.clone())),
        _ => None,
    }
}

/// The elements that slots hold, where versions do not differ.
pub(super) fn terms(state: &State, slots: &[Slot]) -> Step<Vec<Term>> {
    let each = slots.iter().map(|slot| match state.view(slot) {
        Shadow::Same(Value::Prim(t)) => Ok(t),
        _ => Err(per_version(state)),
    });
    each.collect()
}
