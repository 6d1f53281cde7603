//! `System.arraycopy`, also with symbolic positions and lengths.

use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::{Vm, per_version};
use super::text_access::check_count;
use super::{object, prim};
use crate::expr::{BvOp, CmpOp, Term};
use crate::model::Version;
use crate::model::reason::Reason;
use crate::symex::class::linker::class_name_of;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::assemble::settled;
use crate::symex::vm::memory::prim_of;
use crate::symex::vm::type_test::is_instance;
use std::sync::Arc;

const OUTSIDE: &str = "java/lang/ArrayIndexOutOfBoundsException";
const MISFIT: &str = "java/lang/ArrayStoreException";
/// Longest arrays whose elements or places are spelled out.
const MOST: usize = 256;

/// `System.arraycopy(source, at, target, dest, count)`.
pub(super) fn array_copy(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (from, to) = (object(vm, args, 0)?, object(vm, args, 2)?);
    let (Some(source), Some(target)) = (elements(state, from), elements(state, to)) else {
        return Err(Interruption::Raise(MISFIT));
    };
    let is_prim = |element: &str| prim_of(element).is_some();
    if source.0 != target.0 && (is_prim(&source.0) || is_prim(&target.0)) {
        return Err(Interruption::Raise(MISFIT));
    }
    let places = (prim(vm, args, 1), prim(vm, args, 3), prim(vm, args, 4));
    let (at, dest, count) = places;
    check_count(vm, state, 1, (at, count, source.1), OUTSIDE)?;
    check_count(vm, state, 2, (dest, count, target.1), OUTSIDE)?;
    let number = |vm: &Vm, t: Term| vm.pool.as_i64(t).and_then(|n| usize::try_from(n).ok());
    if let (Some(at), Some(dest), Some(count)) =
        (number(vm, at), number(vm, dest), number(vm, count))
    {
        return copy_elements(vm, state, (from, to), (at, dest, count));
    }
    let longest = source.2.max(target.2);
    if is_prim(&source.0) && longest <= MOST {
        return copy_terms(vm, state, (from, to), places);
    }
    let open = [(3, at), (1, dest), (0, count)]
        .into_iter()
        .find(|(_, t)| !vm.pool.is_const(*t));
    match open {
        Some((depth, place)) if longest < MOST => Err(pin(vm, depth, place, longest)),
        _ => {
            let what = "System.arraycopy with symbolic positions";
            Err(Stop::unsupported(Reason::SymbolicArrayCopy, what).into())
        }
    }
}

/// Makes a place or a count concrete, by cases.
fn pin(vm: &mut Vm, depth: usize, place: Term, most: usize) -> Interruption {
    let case = |n: usize| {
        let n = vm.pool.int(n as i32);
        let is_here = vm.pool.eq(place, n);
        (Shadow::Same(is_here), Act::Pin(depth, Value::Prim(n)))
    };
    Interruption::Choose((0..=most).map(case).collect())
}

fn copy_elements(
    vm: &mut Vm,
    state: &mut State,
    (from, to): (ObjId, ObjId),
    (at, dest, count): (usize, usize, usize),
) -> Step<Option<Value>> {
    let (
        Body::Array {
            element: x, values, ..
        },
        Body::Array {
            element: y,
            values: before,
            ..
        },
    ) = (&state.heap.get(from).body, &state.heap.get(to).body)
    else {
        return Ok(None);
    };
    // No element: the checks left no feasible place.
    let (Some(source), Some(before)) = (values.get(at..at + count), before.get(dest..dest + count))
    else {
        return Ok(None);
    };
    let mut copied: Vec<Slot> = source.iter().map(|s| state.view(s)).collect();
    let before = before.to_vec();
    let fitting = if x == y {
        count
    } else {
        let (x, y) = (x.clone(), y.clone());
        fitting(vm, state, (&x, &y), &copied)?
    };
    copied.truncate(fitting);
    let merged: Vec<Slot> = before
        .into_iter()
        .zip(copied)
        .map(|(b, c)| state.merge(&b, c))
        .collect();
    state.split_seen |= merged.iter().any(Shadow::is_split);
    if let Body::Array { values, .. } = &mut state.heap.get_mut(to).body {
        values[dest..dest + fitting].copy_from_slice(&merged);
    }
    if fitting < count {
        return Err(Interruption::Raise(MISFIT));
    }
    Ok(None)
}

/// How many elements fit into an array of another type; what precedes a misfit is copied (`System.arraycopy`).
fn fitting(vm: &mut Vm, state: &State, types: (&str, &str), copied: &[Slot]) -> Step<usize> {
    let class = |vm: &mut Vm, descriptor: &str| {
        let name = class_name_of(descriptor).unwrap_or_default();
        vm.resolve(state, &Arc::from(name))
    };
    let (from, target) = (class(vm, types.0)?, class(vm, types.1)?);
    let version = state.version().unwrap_or(Version::New);
    if vm.linker.is_subclass(from, target, version)? {
        return Ok(copied.len());
    }
    // Which elements were decided to be null, or the one that was decided not to be, is told by the level passed.
    let passed = state.frame().map_or(0, |f| f.passed);
    for (n, slot) in copied.iter().enumerate() {
        let null = match slot {
            Shadow::Same(Value::Ref(Ref::Null)) => continue,
            Shadow::Same(Value::Ref(Ref::Obj(_))) => None,
            Shadow::Same(Value::Ref(Ref::Maybe { null, .. })) => Some(*null),
            _ => return Err(per_version(state)),
        };
        let Shadow::Same(Value::Ref(Ref::Obj(id) | Ref::Maybe { obj: id, .. })) = slot else {
            continue;
        };
        let id = settled(vm, state, *id)?;
        if is_instance(vm, state, id, target)? {
            continue;
        }
        let levels = u8::try_from(2 * n + 3).ok().filter(|l| *l < u8::MAX);
        match (null, levels) {
            (Some(_), Some(is_null)) if passed > is_null + 1 || passed == is_null => {}
            (Some(null), Some(is_null)) if passed < is_null => {
                let not = vm.pool.not(null);
                return Err(Interruption::Choose(vec![
                    (Shadow::Same(not), Act::Pass(is_null + 1)),
                    (Shadow::Same(null), Act::Pass(is_null)),
                ]));
            }
            (Some(_), None) => {
                let what = "System.arraycopy between array types";
                return Err(Stop::unsupported(Reason::SymbolicArrayCopy, what).into());
            }
            _ => return Ok(n),
        }
    }
    Ok(copied.len())
}

/// Copies between arrays of one primitive type at any places: every element as a formula.
fn copy_terms(
    vm: &mut Vm,
    state: &mut State,
    (from, to): (ObjId, ObjId),
    (at, dest, count): (Term, Term, Term),
) -> Step<Option<Value>> {
    let (source, target) = (slots(state, from), slots(state, to));
    let source = terms(state, &source)?;
    let before = terms(state, &target)?;
    let behind = vm.pool.bin(BvOp::Add, dest, count);
    let shift = vm.pool.bin(BvOp::Sub, at, dest);
    let mut after = Vec::with_capacity(before.len());
    for (i, (old, slot)) in before.iter().zip(&target).enumerate() {
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

/// Element type, length and capacity.
fn elements(state: &State, id: ObjId) -> Option<(Arc<str>, Term, usize)> {
    match &state.heap.get(id).body {
        Body::Array {
            element,
            len,
            values,
        } => Some((element.clone(), *len, values.len())),
        _ => None,
    }
}

fn slots(state: &State, id: ObjId) -> Vec<Slot> {
    match &state.heap.get(id).body {
        Body::Array { values, .. } => values.clone(),
        _ => Vec::new(),
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
