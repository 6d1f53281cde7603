//! Array instructions: bounds as conditions, symbolic indices as formulas over the elements (JVMS §6.5).

use crate::bytecode::class_file::Prim;
use crate::expr::{CmpOp, Term};
use crate::model::reason::Reason;
use crate::semantics::narrow;
use crate::symex::class::linker::class_name_of;
use crate::symex::state::State;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Value};
use crate::symex::vm::arithmetic::{check, check_index};
use crate::symex::vm::assemble::parts;
use crate::symex::vm::memory::{definite, null_or_object, prim_of};
use crate::symex::vm::{Vm, logged_array, per_version};
use std::sync::Arc;

/// Longest array that a symbolic index is spelled out over.
const MAX_SPELLED_OUT: usize = 512;
/// Longest array of references of which every element is tried at a symbolic index.
const MAX_FORKED: usize = 16;
/// Longest array that is made at all.
pub(in crate::symex) const MAX_LENGTH: i64 = 4_000_000;

const NULL_POINTER: &str = "java/lang/NullPointerException";

/// Descriptor of a primitive.
pub(in crate::symex) fn descriptor(prim: Prim) -> &'static str {
    match prim {
        Prim::Boolean => "Z",
        Prim::Byte => "B",
        Prim::Char => "C",
        Prim::Short => "S",
        Prim::Int => "I",
        Prim::Long => "J",
        Prim::Float => "F",
        Prim::Double => "D",
    }
}

/// Descriptor of a class named as in a constant pool.
pub(in crate::symex) fn element_descriptor(class: &str) -> Arc<str> {
    if class.starts_with('[') {
        Arc::from(class)
    } else {
        Arc::from(format!("L{class};"))
    }
}

pub(in crate::symex) fn array_length(vm: &mut Vm, state: &mut State) -> Step<()> {
    let id = definite(vm, state, 0, NULL_POINTER)?;
    let (len, _) = array(state, id)?;
    state.pop();
    state.push_same(Value::Prim(len));
    state.advance();
    Ok(())
}

fn array(state: &State, id: ObjId) -> Step<(Term, usize)> {
    match &state.heap.get(id).body {
        Body::Array { len, values, .. } => Ok((*len, values.len())),
        Body::Logged(array) => Ok((array.len, array.capacity())),
        _ => Err(
            Stop::unsupported(Reason::MalformedCode, "array instruction on another object").into(),
        ),
    }
}

/// The index `depth` entries below the top, checked against the length.
fn index(vm: &mut Vm, state: &State, depth: usize, len: Term) -> Step<Term> {
    let Shadow::Same(Value::Prim(index)) = state.peek(depth) else {
        return Err(per_version(state));
    };
    check_index(
        vm,
        state,
        index,
        len,
        "java/lang/ArrayIndexOutOfBoundsException",
    )?;
    Ok(index)
}

fn element(state: &State, id: ObjId) -> Option<&Arc<str>> {
    match &state.heap.get(id).body {
        Body::Array { element, .. } => Some(element),
        Body::Logged(array) => Some(&array.element),
        _ => None,
    }
}

/// Makes a symbolic index concrete, by cases.
fn pin_index(vm: &mut Vm, depth: usize, index: Term, capacity: usize) -> Interruption {
    if capacity > MAX_SPELLED_OUT {
        return Stop::unsupported(
            Reason::SymbolicIndex,
            format!("into an array of {capacity} elements"),
        )
        .into();
    }
    let choices = (0..capacity)
        .map(|i| {
            let i = vm.pool.int(i as i32);
            (
                Shadow::Same(vm.pool.eq(index, i)),
                Act::Pin(depth, Value::Prim(i)),
            )
        })
        .collect();
    Interruption::Choose(choices)
}

pub(in crate::symex) fn array_load(vm: &mut Vm, state: &mut State) -> Step<()> {
    let id = definite(vm, state, 1, NULL_POINTER)?;
    let (len, capacity) = array(state, id)?;
    let index = index(vm, state, 0, len)?;
    let primitive = element(state, id).is_some_and(|e| prim_of(e).is_some());
    let value = match (&state.heap.get(id).body, vm.pool.as_i64(index)) {
        (Body::Array { values, .. }, Some(i)) => values.get(i as usize).map(|s| state.view(s)),
        (Body::Array { values, .. }, None) if primitive && capacity <= MAX_SPELLED_OUT => {
            let values: Vec<Slot> = values.iter().map(|s| state.view(s)).collect();
            Some(chosen(vm, &values, index))
        }
        (Body::Array { .. }, None) if capacity <= MAX_FORKED => {
            return Err(pin_index(vm, 0, index, capacity));
        }
        _ => match logged_array::load(vm, state, id, index)? {
            None => return Err(pin_index(vm, 0, index, capacity)),
            value => value,
        },
    };
    state.pop();
    state.pop();
    // No element: the bounds check left no feasible index.
    state.push(value.unwrap_or(Shadow::Same(Value::Undef)));
    state.advance();
    Ok(())
}

fn chosen(vm: &mut Vm, values: &[Slot], index: Term) -> Slot {
    let mut result = values.last().copied().unwrap_or(Shadow::Same(Value::Undef));
    for (i, slot) in values.iter().enumerate().rev().skip(1) {
        let i = vm.pool.int(i as i32);
        let here = vm.pool.eq(index, i);
        result = slot.zip(&result, |a, b| choose(vm, here, a, b));
    }
    result
}

fn choose(vm: &mut Vm, cond: Term, yes: &Value, no: &Value) -> Value {
    match (yes, no) {
        (Value::Prim(a), Value::Prim(b)) => Value::Prim(vm.pool.ite(cond, *a, *b)),
        _ => *yes,
    }
}

pub(in crate::symex) fn array_store(
    vm: &mut Vm,
    state: &mut State,
    prim: Option<Prim>,
) -> Step<()> {
    let id = definite(vm, state, 2, NULL_POINTER)?;
    let (len, capacity) = array(state, id)?;
    let index = index(vm, state, 1, len)?;
    if prim.is_none() {
        may_store(vm, state, id)?;
    }
    let kind = element(state, id).and_then(|e| prim_of(e));
    let at = vm.pool.as_i64(index);
    let most = kind.map_or(MAX_FORKED, |_| MAX_SPELLED_OUT);
    let logged = match &state.heap.get(id).body {
        Body::Logged(_) => true,
        _ => at.is_none() && capacity > most,
    };
    if at.is_none() && !logged && kind.is_none() {
        return Err(pin_index(vm, 1, index, capacity));
    }
    let mut value = state.pop();
    state.pop();
    state.pop();
    if let Some(kind) = kind {
        value = value.map(|v| match v {
            Value::Prim(t) => Value::Prim(narrow(&mut vm.pool, kind, *t)),
            v => *v,
        });
    }
    if logged {
        logged_array::store(vm, state, id, index, value)?;
        state.advance();
        return Ok(());
    }
    let Body::Array { values, .. } = &state.heap.get(id).body else {
        return Ok(());
    };
    let updates: Vec<(usize, Slot)> = match at {
        Some(i) => values
            .get(i as usize)
            .map(|b| (i as usize, state.merge(b, value)))
            .into_iter()
            .collect(),
        None => {
            let values = values.clone();
            spread(vm, state, &values, index, &value)
        }
    };
    state.split_seen |= updates.iter().any(|u| u.1.is_split());
    if let Body::Array { values, .. } = &mut state.heap.get_mut(id).body {
        for (i, slot) in updates {
            values[i] = slot;
        }
    }
    state.advance();
    Ok(())
}

/// A store at a symbolic index changes every element conditionally.
fn spread(
    vm: &mut Vm,
    state: &State,
    values: &[Slot],
    index: Term,
    value: &Slot,
) -> Vec<(usize, Slot)> {
    values
        .iter()
        .enumerate()
        .map(|(i, before)| {
            let constant = vm.pool.int(i as i32);
            let here = vm.pool.eq(index, constant);
            let seen = state.view(before);
            let after = value.zip(&seen, |new, old| choose(vm, here, new, old));
            (i, state.merge(before, after))
        })
        .collect()
}

/// The `aastore` type check.
fn may_store(vm: &mut Vm, state: &State, array: ObjId) -> Step<()> {
    let Some((id, null)) = parts(vm, state, 0)? else {
        return Ok(());
    };
    let Some(name) = element(state, array).and_then(|e| class_name_of(e)) else {
        return Ok(());
    };
    let target = vm.resolve(state, &Arc::from(name))?;
    if crate::symex::vm::type_test::is_instance(vm, state, id, target)? {
        return Ok(());
    }
    match null {
        Some(null) => Err(null_or_object(&mut vm.pool, 0, null, id)),
        None => Err(Interruption::Raise("java/lang/ArrayStoreException")),
    }
}

/// The array length `depth` entries below the top: not negative, and concrete.
pub(in crate::symex) fn length(vm: &mut Vm, state: &State, depth: usize, level: u8) -> Step<i64> {
    let Shadow::Same(Value::Prim(len)) = state.peek(depth) else {
        return Err(per_version(state));
    };
    let zero = vm.pool.int(0);
    let ok = vm.pool.cmp(CmpOp::Sle, zero, len);
    check(
        vm,
        state,
        level,
        Shadow::Same(ok),
        "java/lang/NegativeArraySizeException",
    )?;
    match vm.pool.as_i64(len) {
        Some(n) if n > MAX_LENGTH => Err(Stop::bound(
            Reason::ArrayLength,
            format!("more than {MAX_LENGTH} elements"),
        )
        .into()),
        Some(n) => Ok(n),
        None => {
            let (mut choices, most) = (Vec::new(), longest(vm, state));
            for n in 0..=most {
                let n = vm.pool.int(n);
                choices.push((
                    Shadow::Same(vm.pool.eq(len, n)),
                    Act::Pin(depth, Value::Prim(n)),
                ));
            }
            let most = vm.pool.int(most);
            let more = vm.pool.cmp(CmpOp::Slt, most, len);
            let stop = Stop::bound(Reason::MaxArray, "length of a new array");
            choices.push((Shadow::Same(more), Act::GiveUp(stop)));
            Err(Interruption::Choose(choices))
        }
    }
}

/// The greatest length tried of an array that the running code makes: the digits of a number are never more than its bits,
/// and the library copies strings into arrays.
fn longest(vm: &Vm, state: &State) -> i32 {
    let bounds = &vm.bounds;
    let most = match state.frame().map(|f| &f.method) {
        Some(method) if &*method.class_name == "java/lang/Integer" => 32,
        Some(method) if &*method.class_name == "java/lang/Long" => 64,
        Some(method) if !method.project => bounds.max_array.max(bounds.max_string),
        _ => bounds.max_array,
    };
    most as i32
}

pub(in crate::symex) fn new_array(vm: &mut Vm, state: &mut State, element: &Arc<str>) -> Step<()> {
    let len = length(vm, state, 0, 1)?;
    let id = allocate(vm, state, element, len)?;
    state.pop();
    state.push_same(Value::obj(id));
    state.advance();
    Ok(())
}

/// A new array of default values.
pub(in crate::symex) fn allocate(
    vm: &mut Vm,
    state: &mut State,
    element: &Arc<str>,
    len: i64,
) -> Step<ObjId> {
    let class = vm.resolve(state, &Arc::from(format!("[{element}")))?;
    let value = Shadow::Same(vm.default_value(element));
    let body = Body::Array {
        element: element.clone(),
        len: vm.pool.int(len as i32),
        values: vec![value; len as usize],
    };
    Ok(state.heap.alloc(class, body))
}

/// A new array of these values.
pub(in crate::symex) fn filled(
    vm: &mut Vm,
    state: &mut State,
    element: &str,
    values: &[Value],
) -> Step<Value> {
    let id = allocate(vm, state, &Arc::from(element), values.len() as i64)?;
    if let Body::Array { values: slots, .. } = &mut state.heap.get_mut(id).body {
        *slots = values.iter().map(|v| Shadow::Same(*v)).collect();
    }
    Ok(Value::obj(id))
}

/// A new array of these bytes.
pub(in crate::symex) fn of_bytes(vm: &mut Vm, state: &mut State, bytes: &[u8]) -> Step<Value> {
    let each = bytes.iter().map(|b| vm.pool.int(i32::from(*b as i8)));
    let each: Vec<Value> = each.map(Value::Prim).collect();
    filled(vm, state, "B", &each)
}

pub(in crate::symex) fn new_multi_array(
    vm: &mut Vm,
    state: &mut State,
    array: &Arc<str>,
    dimensions: u8,
) -> Step<()> {
    let dimensions = usize::from(dimensions);
    let mut lens = Vec::new();
    for d in (0..dimensions).rev() {
        lens.push(length(vm, state, d, (dimensions - d) as u8)?);
    }
    if lens.iter().product::<i64>() > MAX_LENGTH {
        return Err(Stop::bound(Reason::ArrayLength, "multi-dimensional").into());
    }
    let id = nested(vm, state, array, &lens)?;
    for _ in 0..dimensions {
        state.pop();
    }
    state.push_same(Value::obj(id));
    state.advance();
    Ok(())
}

fn nested(vm: &mut Vm, state: &mut State, array: &str, lens: &[i64]) -> Step<ObjId> {
    let element: Arc<str> = Arc::from(array.get(1..).unwrap_or("I"));
    let id = allocate(vm, state, &element, lens[0])?;
    if lens.len() > 1 {
        for i in 0..lens[0] as usize {
            let inner = nested(vm, state, &element, &lens[1..])?;
            if let Body::Array { values, .. } = &mut state.heap.get_mut(id).body {
                values[i] = Shadow::Same(Value::obj(inner));
            }
        }
    }
    Ok(id)
}
