//! Character runs that models read from strings, builders and arrays, and write into arrays.

use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::{Vm, per_version};
use super::text_access::{STRING_BOUNDS, check_count, check_range};
use super::{content, object, prim, spelled, text};
use crate::expr::{BvOp, CmpOp, Term};
use crate::model::Spelling;
use crate::model::reason::Reason;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::value::units::Units;
use crate::symex::vm::arithmetic::check_index;

/// The units of the `n`th argument, a string or builder.
pub(super) fn units(vm: &mut Vm, state: &State, args: &[Value], n: usize) -> Step<Units> {
    let text = text(vm, state, args, n)?;
    spelled(vm, &text)
}

/// Length and elements of the `n`th argument, an array of primitives.
pub(super) fn array_terms(
    vm: &mut Vm,
    state: &State,
    args: &[Value],
    n: usize,
) -> Step<(Term, Vec<Term>)> {
    let (len, values) = elements(vm, state, args, n)?;
    let terms = values.iter().map(|slot| term(state, slot));
    Ok((len, terms.collect::<Step<_>>()?))
}

/// Length and elements of the `n`th argument, an array, as they are held.
pub(super) fn elements<'a>(
    vm: &mut Vm,
    state: &'a State,
    args: &[Value],
    n: usize,
) -> Step<(Term, &'a [Slot])> {
    match &state.heap.get(object(vm, args, n)?).body {
        Body::Array { len, values, .. } => Ok((*len, values)),
        _ => Err(Stop::unsupported(Reason::MalformedCode, "not an array").into()),
    }
}

/// A number that an array holds, the same in both versions.
fn term(state: &State, slot: &Slot) -> Step<Term> {
    match state.view(slot) {
        Shadow::Same(Value::Prim(term)) => Ok(term),
        _ => Err(per_version(state)),
    }
}

/// The content of the `n`th argument, a `char[]`.
pub(super) fn array_units(vm: &mut Vm, state: &State, args: &[Value], n: usize) -> Step<Units> {
    let (len, terms) = array_terms(vm, state, args, n)?;
    let units = terms.into_iter().map(|t| vm.pool.trunc(16, t)).collect();
    Ok(Units { len, units })
}

/// A part of the `n`th argument, a `char[]`, from one index, in its bounds, up to another. What reads from a long buffer takes a part of
/// it each time: where the bounds are known, the rest is not looked at.
pub(super) fn array_part(
    vm: &mut Vm,
    state: &State,
    (args, n): (&[Value], usize),
    (begin, end): (Term, Term),
) -> Step<Units> {
    let known = vm.pool.as_i64(begin).zip(vm.pool.as_i64(end));
    let known = known.and_then(|(b, e)| Some(usize::try_from(b).ok()?..usize::try_from(e).ok()?));
    let (_, values) = elements(vm, state, args, n)?;
    let Some(part) = known.and_then(|range| values.get(range)) else {
        let whole = array_units(vm, state, args, n)?;
        return Ok(whole.slice(&mut vm.pool, begin, end));
    };
    let terms = part.iter().map(|slot| term(state, slot));
    let terms = terms.collect::<Step<Vec<_>>>()?;
    let units: Vec<Term> = terms.into_iter().map(|t| vm.pool.trunc(16, t)).collect();
    Ok(Units::all(&mut vm.pool, units.into()))
}

/// What `String.valueOf` makes of a reference to a string: `"null"` where it is null.
pub(super) fn text_or_null(vm: &mut Vm, state: &State, value: &Value) -> Step<Text> {
    let null = Units::constant(&mut vm.pool, "null");
    match value {
        Value::Ref(Ref::Obj(id)) => content(vm, state, *id),
        Value::Ref(Ref::Maybe { null: is_null, obj }) => {
            let there = content(vm, state, *obj)?;
            let there = spelled(vm, &there)?;
            let some = vm.pool.not(*is_null);
            let parts = [
                there.only_if(&mut vm.pool, some),
                null.only_if(&mut vm.pool, *is_null),
            ];
            Ok(Units::join(&mut vm.pool, parts).text())
        }
        _ => Ok(null.text()),
    }
}

/// `getChars(int srcBegin, int srcEnd, char[] dst, int dstBegin)`; `outside` is what a range outside `dst` raises.
pub(super) fn get_chars(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    outside: &'static str,
) -> Step<Option<Value>> {
    let source = units(vm, state, args, 0)?;
    let (begin, end, at) = (prim(vm, args, 1), prim(vm, args, 2), prim(vm, args, 4));
    check_range(vm, state, 1, (begin, end, source.len), STRING_BOUNDS)?;
    let array = object(vm, args, 3)?;
    let (len, values) = elements(vm, state, args, 3)?;
    let before = values.to_vec();
    let count = vm.pool.bin(BvOp::Sub, end, begin);
    check_count(vm, state, 2, (at, count, len), outside)?;
    let behind = vm.pool.bin(BvOp::Add, at, count);
    let shift = vm.pool.bin(BvOp::Sub, begin, at);
    let known = vm.pool.as_i64(at).zip(vm.pool.as_i64(behind));
    let stays = |i: usize| known.is_some_and(|(at, behind)| !(at..behind).contains(&(i as i64)));
    let written: Vec<Slot> = before
        .iter()
        .enumerate()
        .map(|(i, slot)| {
            if stays(i) {
                return *slot;
            }
            let i = vm.pool.int(i as i32);
            let low = vm.pool.cmp(CmpOp::Sle, at, i);
            let high = vm.pool.cmp(CmpOp::Slt, i, behind);
            let here = vm.pool.and(low, high);
            let from = vm.pool.bin(BvOp::Add, i, shift);
            let unit = source.at(&mut vm.pool, from);
            let unit = vm.pool.zext(32, unit);
            let after = state.view(slot).map(|old| match old {
                Value::Prim(old) => Value::Prim(vm.pool.ite(here, unit, *old)),
                other => *other,
            });
            state.merge(slot, after)
        })
        .collect();
    state.split_seen |= written.iter().any(Shadow::is_split);
    if let Body::Array { values, .. } = &mut state.heap.get_mut(array).body {
        *values = written;
    }
    Ok(None)
}

/// A builder's content becomes `after`, in the running version.
pub(super) fn write(vm: &mut Vm, state: &mut State, id: ObjId, after: Text) -> Step<Option<Value>> {
    let version = state.version();
    if let Body::Builder(slot) = &mut state.heap.get_mut(id).body {
        *slot = match version {
            Some(v) => slot.with(v, after),
            None => Shadow::Same(after),
        };
        let split = slot.is_split();
        state.split_seen |= split;
        return Ok(Some(Value::obj(id)));
    }
    let name = vm.linker.class(state.heap.get(id).class).name.clone();
    Err(Stop::unsupported(Reason::UnsupportedCharSequence, name.dotted()).into())
}

/// The builder the model runs on, its units, and the index that is its first argument, checked.
pub(super) fn indexed(vm: &mut Vm, state: &State, args: &[Value]) -> Step<(ObjId, Units, Term)> {
    let id = object(vm, args, 0)?;
    let before = units(vm, state, args, 0)?;
    let index = prim(vm, args, 1);
    check_index(vm, state, index, before.len, STRING_BOUNDS)?;
    Ok((id, before, index))
}
