//! `java.lang.invoke.VarHandle` over fields and array elements, with `MethodHandles.Lookup` as far as it makes them.
//!
//! One thread runs, so that ordering does not matter. A handle is the field that it was made of; of an array, its class alone.

use super::super::state::{Singleton, State};
use super::super::value::{ObjId, Value};
use super::super::vm::Vm;
use super::mirror;
use super::object;
use super::prim;
use super::text;
use super::unsafe_memory::{Exchange, exchange, slot, store};
use crate::expr::{BvOp, Sort};
use crate::model::reason::Reason;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::vm::Model;

/// Factories of `MethodHandles` and `Lookup`.
pub(super) fn find_lookup(name: &str) -> Option<Model> {
    Some(match name {
        "lookup" | "privateLookupIn" => |vm, state, _| {
            const LOOKUP: Singleton = Singleton::Named("lookup");
            if let Some(id) = state.singletons.get(&LOOKUP) {
                return Ok(Some(Value::obj(*id)));
            }
            let class = vm.library("java/lang/invoke/MethodHandles$Lookup")?;
            let id = vm.instantiate(state, class);
            state.singletons.insert_mut(LOOKUP, id);
            Ok(Some(Value::obj(id)))
        },
        "findVarHandle" | "findStaticVarHandle" => |vm, state, args| {
            let (class, name) = (args.get(1).copied(), args.get(2).copied());
            handle(vm, state, class, name)
        },
        "arrayElementVarHandle" => |vm, state, args| handle(vm, state, args.first().copied(), None),
        _ => |_, _, _| Err(Stop::unsupported(Reason::Reflection, "MethodHandles.Lookup").into()),
    })
}

fn handle(
    vm: &mut Vm,
    state: &mut State,
    class: Option<Value>,
    name: Option<Value>,
) -> Step<Option<Value>> {
    let field = vm.library("java/lang/reflect/Field")?;
    let id = vm.instantiate(state, field);
    vm.set_field(state, id, "clazz", class.unwrap_or(Value::NULL));
    vm.set_field(state, id, "name", name.unwrap_or(Value::NULL));
    Ok(Some(Value::obj(id)))
}

/// The access modes (`VarHandle.AccessMode`), whose arguments are the handle, the coordinates, and values.
pub(in crate::symex) fn find_access(name: &str) -> Option<Model> {
    let plain = ["Volatile", "Acquire", "Release", "Opaque", "Plain"]
        .iter()
        .find_map(|order| name.strip_suffix(order))
        .unwrap_or(name);
    Some(match plain {
        "get" => |vm, state, args| {
            let (id, at, _) = place(vm, state, args)?;
            slot(state, id, at).map(Some)
        },
        "set" => |vm, state, args| {
            let (id, at, values) = place(vm, state, args)?;
            let value = fitting(vm, state, (id, at), values.first())?;
            store(state, id, at, value);
            Ok(None)
        },
        "compareAndSet" | "weakCompareAndSet" => |vm, state, args| {
            let found = compare_and_set(vm, state, args)?;
            Ok(Some(Value::Prim(found.done)))
        },
        "compareAndExchange" => |vm, state, args| {
            let found = compare_and_set(vm, state, args)?;
            Ok(Some(found.before))
        },
        "getAndSet" => |vm, state, args| update(vm, state, args, |_, _, new| new),
        "getAndAdd" => {
            |vm, state, args| update(vm, state, args, |vm, a, b| bits(vm, BvOp::Add, a, b))
        }
        "getAndBitwiseOr" => {
            |vm, state, args| update(vm, state, args, |vm, a, b| bits(vm, BvOp::Or, a, b))
        }
        "getAndBitwiseAnd" => {
            |vm, state, args| update(vm, state, args, |vm, a, b| bits(vm, BvOp::And, a, b))
        }
        "getAndBitwiseXor" => {
            |vm, state, args| update(vm, state, args, |vm, a, b| bits(vm, BvOp::Xor, a, b))
        }
        _ => return None,
    })
}

fn unsupported(what: &str) -> crate::symex::state::interruption::Interruption {
    Stop::unsupported(
        Reason::UnsupportedNative,
        format!("java.lang.invoke.VarHandle: {what}"),
    )
    .into()
}

/// The field or element that a handle with these coordinates means, and the values behind them.
fn place<'a>(
    vm: &mut Vm,
    state: &mut State,
    args: &'a [Value],
) -> Step<(ObjId, usize, &'a [Value])> {
    let field = object(vm, args, 0)?;
    let of = |vm: &mut Vm, name: &str| {
        let class = vm.linker.class(state.heap.get(field).class);
        let at = class.layout.iter().position(|f| &*f.name == name);
        match (&state.heap.get(field).body, at) {
            (Body::Fields(slots), Some(at)) => slots.get(at).and_then(|s| s.same().copied()),
            _ => None,
        }
    };
    let (class, name) = (of(vm, "clazz"), of(vm, "name"));
    let named = [class.unwrap_or(Value::NULL), name.unwrap_or(Value::NULL)];
    if named[1] == Value::NULL {
        return element(vm, state, args);
    }
    let name = text(vm, state, &named, 1)?.units(&vm.pool);
    let name = String::from_utf16_lossy(&name.unwrap_or_default());
    let Some(class) = mirror::class_of(vm, state, &named, 0)? else {
        return Err(unsupported("of a primitive"));
    };
    let linked = vm.linker.class(class).clone();
    if let Some(at) = linked.layout.iter().rposition(|f| *f.name == *name) {
        let id = object(vm, args, 1)?;
        return Ok((id, at, &args[2..]));
    }
    match linked.statics.iter().position(|f| *f.name == *name) {
        Some(at) => Ok((vm.initialise(state, class)?, at, &args[1..])),
        None => Err(unsupported(&name)),
    }
}

fn element<'a>(vm: &mut Vm, state: &State, args: &'a [Value]) -> Step<(ObjId, usize, &'a [Value])> {
    let id = object(vm, args, 1)?;
    let index = prim(vm, args, 2);
    let (at, len) = match &state.heap.get(id).body {
        Body::Array { values, .. } => (vm.pool.as_i64(index), values.len()),
        _ => return Err(unsupported("an array of another kind")),
    };
    match at.and_then(|at| usize::try_from(at).ok()) {
        Some(at) if at < len => Ok((id, at, &args[3..])),
        _ => Err(unsupported("an open index, or one outside")),
    }
}

/// The value to write, which has to be of the variable's own type: conversions are the call site's.
fn fitting(vm: &Vm, state: &State, (id, at): (ObjId, usize), value: Option<&Value>) -> Step<Value> {
    match (slot(state, id, at)?, value) {
        (Value::Prim(a), Some(Value::Prim(b))) if vm.pool.sort(a) != vm.pool.sort(*b) => {
            Err(unsupported("a value of another type"))
        }
        (_, Some(value)) => Ok(*value),
        (_, None) => Err(unsupported("no value")),
    }
}

fn compare_and_set(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Exchange> {
    let (id, at, values) = place(vm, state, args)?;
    let expected = fitting(vm, state, (id, at), values.first())?;
    let new = fitting(vm, state, (id, at), values.get(1))?;
    exchange(vm, state, (id, at), expected, new)
}

/// Writes what `of` makes of the value there and the one given; the result is what was there.
fn update(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    of: fn(&mut Vm, Value, Value) -> Value,
) -> Step<Option<Value>> {
    let (id, at, values) = place(vm, state, args)?;
    let given = fitting(vm, state, (id, at), values.first())?;
    let before = slot(state, id, at)?;
    let after = of(vm, before, given);
    if after == Value::Undef {
        return Err(unsupported("arithmetic on another type"));
    }
    store(state, id, at, after);
    Ok(Some(before))
}

fn bits(vm: &mut Vm, op: BvOp, a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Prim(a), Value::Prim(b)) if matches!(vm.pool.sort(a), Sort::Bv(_)) => {
            Value::Prim(vm.pool.bin(op, a, b))
        }
        _ => Value::Undef,
    }
}
