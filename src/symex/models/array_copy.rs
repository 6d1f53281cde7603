//! `System.arraycopy`; where places or lengths are open, of primitives every element as a formula, of references by cases.

use super::super::effect::{Act, Effect, Step, Stop};
use super::super::heap::{Body, Slot};
use super::super::linker::class_name_of;
use super::super::memory::{is_instance, prim_of};
use super::super::shadow::Shadow;
use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::{Vm, per_version};
use super::search::check_count;
use super::{object, prim};
use crate::expr::{BvOp, CmpOp, Term};
use crate::verdict::Version;
use std::sync::Arc;

const OUTSIDE: &str = "java/lang/ArrayIndexOutOfBoundsException";
/// Longest arrays that are spelled out.
const MOST: usize = 256;
/// Longest arrays of references whose places are decided by cases.
const MOST_CASES: usize = 32;

/// `System.arraycopy`.
pub(super) fn array_copy(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (from, to) = (object(vm, args, 0)?, object(vm, args, 2)?);
    let Parts { at, dest, count } = Parts::of(vm, args);
    let (a, b) = (&state.heap.get(from).body, &state.heap.get(to).body);
    let (
        Body::Array {
            element: x, len: m, ..
        },
        Body::Array {
            element: y, len: n, ..
        },
    ) = (a, b)
    else {
        return Err(Effect::Raise("java/lang/ArrayStoreException"));
    };
    let known = |vm: &Vm, t: Term| vm.pool.as_i64(t);
    let [Some(at), Some(dest), Some(count), Some(m), Some(n)] =
        [at, dest, count, *m, *n].map(|t| known(vm, t))
    else {
        return copy_open(vm, state, args, (from, to));
    };
    if x != y && (prim_of(x).is_some() || prim_of(y).is_some()) {
        return Err(Effect::Raise("java/lang/ArrayStoreException"));
    }
    if at < 0 || dest < 0 || count < 0 || at + count > m || dest + count > n {
        return Err(Effect::Raise(OUTSIDE));
    }
    shift(
        vm,
        state,
        (from, at as usize),
        (to, dest as usize),
        count as usize,
    )
}

/// Places and number of the elements.
struct Parts {
    at: Term,
    dest: Term,
    count: Term,
}

impl Parts {
    fn of(vm: &mut Vm, args: &[Value]) -> Parts {
        Parts {
            at: prim(vm, args, 1),
            dest: prim(vm, args, 3),
            count: prim(vm, args, 4),
        }
    }
}

/// Moves elements that are there, between places that are there.
fn shift(
    vm: &mut Vm,
    state: &mut State,
    (from, at): (ObjId, usize),
    (to, dest): (ObjId, usize),
    count: usize,
) -> Step<Option<Value>> {
    let (Some(source), Some(target)) = (array(state, from), array(state, to)) else {
        return Err(unsupported());
    };
    let copied = source.1.get(at..at + count).ok_or_else(unsupported)?;
    let copied: Vec<Slot> = copied.iter().map(|s| state.view(s)).collect();
    if source.0 != target.0 {
        let (x, y) = (source.0.clone(), target.0.clone());
        all_fit(vm, state, &x, &y, &copied)?;
    }
    let before = target.1.get(dest..dest + count).ok_or_else(unsupported)?;
    let both = before.iter().zip(copied);
    let merged: Vec<Slot> = both.map(|(b, c)| state.merge(b, c)).collect();
    state.split_seen |= merged.iter().any(|s| s.is_split());
    if let Body::Array { values, .. } = &mut state.heap.get_mut(to).body {
        values[dest..dest + count].copy_from_slice(&merged);
    }
    Ok(None)
}

/// Copies where a place, the number of elements or an array's length is open, if the arrays are not long.
fn copy_open(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    (from, to): (ObjId, ObjId),
) -> Step<Option<Value>> {
    let (Some(source), Some(target)) = (elements(state, from), elements(state, to)) else {
        return Err(unsupported());
    };
    let [x, y] = [&source.0, &target.0].map(|e| prim_of(e).is_some());
    let longest = source.2.len().max(target.2.len());
    if longest > MOST || (x || y) && source.0 != target.0 {
        return Err(unsupported());
    }
    let parts = Parts::of(vm, args);
    check_count(vm, state, 1, (parts.at, parts.count, source.1), OUTSIDE)?;
    check_count(vm, state, 2, (parts.dest, parts.count, target.1), OUTSIDE)?;
    if x {
        return spell_out(vm, state, (&source.2, &target.2), to, &parts);
    }
    let count = decided(vm, args, 4, longest)?;
    let at = decided(vm, args, 1, longest)?;
    let dest = decided(vm, args, 3, longest)?;
    shift(vm, state, (from, at), (to, dest), count)
}

/// A number that the bounds were checked for: which one is decided by cases, for references move as they are.
fn decided(vm: &mut Vm, args: &[Value], n: usize, most: usize) -> Step<usize> {
    let number = prim(vm, args, n);
    if let Some(number) = vm.pool.as_i64(number) {
        return usize::try_from(number).map_err(|_| unsupported());
    }
    if most > MOST_CASES {
        return Err(unsupported());
    }
    let mut choices = Vec::new();
    for i in 0..=most {
        let i = vm.pool.int(i as i32);
        let here = vm.pool.eq(number, i);
        let pinned = Act::Pin(args.len() - 1 - n, Value::Prim(i));
        choices.push((Shadow::Same(here), pinned));
    }
    Err(Effect::Choose(choices))
}

/// Every element of the target as a formula.
fn spell_out(
    vm: &mut Vm,
    state: &mut State,
    (source, slots): (&[Slot], &[Slot]),
    to: ObjId,
    parts: &Parts,
) -> Step<Option<Value>> {
    let source = terms(state, source)?;
    let before = terms(state, slots)?;
    let behind = vm.pool.bin(BvOp::Add, parts.dest, parts.count);
    let shift = vm.pool.bin(BvOp::Sub, parts.at, parts.dest);
    let mut after = Vec::with_capacity(before.len());
    for (i, (old, slot)) in before.iter().zip(slots).enumerate() {
        let i = vm.pool.int(i as i32);
        let low = vm.pool.cmp(CmpOp::Sle, parts.dest, i);
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

/// Element type and elements.
fn array(state: &State, id: ObjId) -> Option<(&Arc<str>, &[Slot])> {
    match &state.heap.get(id).body {
        Body::Array {
            element, values, ..
        } => Some((element, values)),
        _ => None,
    }
}

/// Element type, length and elements.
fn elements(state: &State, id: ObjId) -> Option<(Arc<str>, Term, Vec<Slot>)> {
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

/// The check of each element where the arrays' types differ (`System.arraycopy`: what precedes a misfit is copied).
fn all_fit(vm: &mut Vm, state: &State, from: &str, to: &str, copied: &[Slot]) -> Step<()> {
    let class = |vm: &mut Vm, descriptor: &str| {
        let name = class_name_of(descriptor).unwrap_or_default();
        vm.resolve(state, &Arc::from(name))
    };
    let (from, target) = (class(vm, from)?, class(vm, to)?);
    let version = state.version().unwrap_or(Version::New);
    if vm.linker.is_subclass(from, target, version)? {
        return Ok(());
    }
    for slot in copied {
        let fits = match slot {
            Shadow::Same(Value::Ref(Ref::Null)) => true,
            Shadow::Same(Value::Ref(Ref::Obj(id))) => is_instance(vm, state, *id, target)?,
            _ => false,
        };
        if !fits {
            let what = "System.arraycopy between array types";
            return Err(Stop::unsupported("symbolic-array-copy", what).into());
        }
    }
    Ok(())
}
