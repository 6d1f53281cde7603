//! `java.lang.reflect.Array`: arrays of types that are known at run time only.

use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::Vm;
use super::boxing;
use super::mirror::{mirrored, prim_named};
use super::object;
use super::prim;
use crate::model::reason::Reason;
use crate::symex::class::linker::class_name_of;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::vm::Model;
use crate::symex::vm::array::{allocate, element_descriptor, length};
use crate::symex::vm::memory::{descriptor, null_or_object, prim_of};
use std::sync::Arc;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    Some(match (name, descriptor) {
        ("getLength", _) => |vm, state, args| {
            let id = object(vm, args, 0)?;
            match &state.heap.get(id).body {
                Body::Array { len, .. } => Ok(Some(Value::Prim(*len))),
                _ => Err(Interruption::Raise("java/lang/IllegalArgumentException")),
            }
        },
        ("newArray", _) => new_array,
        ("set", "(Ljava/lang/Object;ILjava/lang/Object;)V") => set,
        ("get", "(Ljava/lang/Object;I)Ljava/lang/Object;") => get,
        _ => return None,
    })
}

fn new_array(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let name = mirrored(vm, state, args, 0)?;
    // A negative length counts before the type.
    let len = length(vm, state, 0, 1)?;
    let element: Arc<str> = match prim_named(&name) {
        Some(Some(prim)) => Arc::from(descriptor(prim)),
        Some(None) => return Err(Interruption::Raise("java/lang/IllegalArgumentException")),
        None => element_descriptor(&name),
    };
    allocate(vm, state, &element, len).map(|id| Some(Value::obj(id)))
}

/// `Array.set` of what fits without conversion.
fn set(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id: ObjId = object(vm, args, 0)?;
    let index = prim(vm, args, 1);
    let Body::Array { element, len, .. } = &state.heap.get(id).body else {
        return Err(Interruption::Raise("java/lang/IllegalArgumentException"));
    };
    let element = element.clone();
    let (Some(index), Some(len)) = (vm.pool.as_i64(index), vm.pool.as_i64(*len)) else {
        return Err(Stop::unsupported(Reason::SymbolicIndex, "Array.set").into());
    };
    let outside = index < 0 || index >= len;
    if outside && prim_of(&element).is_none() {
        return Err(Interruption::Raise(
            "java/lang/ArrayIndexOutOfBoundsException",
        ));
    }
    let given = args.get(2).copied().unwrap_or(Value::NULL);
    let value = match (prim_of(&element), &given) {
        (None, Value::Ref(Ref::Obj(value))) => {
            let class = vm.library(&class_name_of(&element).unwrap_or_default())?;
            crate::symex::vm::type_test::is_instance(vm, state, *value, class)?.then_some(given)
        }
        (None, Value::Ref(Ref::Null)) => Some(given),
        (_, Value::Ref(Ref::Maybe { null, obj })) => {
            return Err(null_or_object(&mut vm.pool, 0, *null, *obj));
        }
        (Some(prim), Value::Ref(Ref::Obj(value))) => boxing::content(vm, state, *value, prim)?,
        _ => None,
    };
    let Some(value) = value else {
        return Err(Interruption::Raise("java/lang/IllegalArgumentException"));
    };
    if outside {
        return Err(Interruption::Raise(
            "java/lang/ArrayIndexOutOfBoundsException",
        ));
    }
    super::unsafe_memory::store(state, id, index as usize, value);
    Ok(None)
}

fn get(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id: ObjId = object(vm, args, 0)?;
    let index = prim(vm, args, 1);
    let Body::Array {
        element,
        len,
        values,
    } = &state.heap.get(id).body
    else {
        return Err(Interruption::Raise("java/lang/IllegalArgumentException"));
    };
    let (Some(index), Some(len)) = (vm.pool.as_i64(index), vm.pool.as_i64(*len)) else {
        return Err(Stop::unsupported(Reason::SymbolicIndex, "Array.get").into());
    };
    if index < 0 || index >= len {
        return Err(Interruption::Raise(
            "java/lang/ArrayIndexOutOfBoundsException",
        ));
    }
    let slot = values.get(index as usize).map(|s| state.view(s));
    let Some(value) = slot.and_then(|s| s.same().copied()) else {
        return Err(super::super::vm::per_version(state));
    };
    match (prim_of(element), value) {
        (Some(prim), Value::Prim(term)) => boxing::boxed(vm, state, prim, term).map(Some),
        _ => Ok(Some(value)),
    }
}
