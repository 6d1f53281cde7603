//! Lookups of symbolic strings in hash tables: by equality with the keys, not by the bucket of the hash code.

use super::super::class::Method;
use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::Vm;
use super::content;
use super::object;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::interruption::{Act, Interruption, Step};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::vm::Model;

/// Most entries of a table that is looked into.
const MAX_ENTRIES: usize = 4_096;

/// The model of a lookup, whose last argument is the key.
pub(super) fn find(class: &str, name: &str) -> Option<Model> {
    match (class, name) {
        ("java/util/HashMap", "getNode") | ("java/util/concurrent/ConcurrentHashMap", "get") => {
            Some(lookup)
        }
        _ => None,
    }
}

/// Whether the key is a symbolic string; all others are looked up by the class file's own code.
pub(super) fn applies(vm: &Vm, state: &State, method: &Method) -> bool {
    if find(&method.class_name, &method.name).is_none() {
        return true;
    }
    let Shadow::Same(key) = state.peek(0) else {
        return false;
    };
    let text = key.object().map(|id| &state.heap.get(id).body);
    matches!(text, Some(Body::Str(text)) if text.units(&vm.pool).is_none())
}

/// Puts the equal key in the place of the symbolic one, by cases; null where there is none.
fn lookup(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let key = object(vm, args, args.len() - 1)?;
    if state.frame().is_some_and(|f| f.passed > 0) {
        return Ok(Some(Value::NULL));
    }
    let map = object(vm, args, 0)?;
    let text = content(vm, state, key)?;
    let keys = keys(vm, state, map).ok_or(Interruption::OwnCode)?;
    let (mut choices, mut none) = (Vec::new(), vm.pool.bool(true));
    for (id, other) in keys {
        let equal = text
            .equals(&mut vm.pool, &other)
            .ok_or(Interruption::OwnCode)?;
        if vm.pool.as_bool(equal) == Some(false) {
            continue;
        }
        let not = vm.pool.not(equal);
        none = vm.pool.and(none, not);
        choices.push((Shadow::Same(equal), Act::Pin(0, Value::obj(id))));
    }
    choices.push((Shadow::Same(none), Act::Pass(1)));
    Err(Interruption::Choose(choices))
}

/// The constant strings among a table's keys; `None` where the table can't be read, or has a symbolic one.
fn keys(vm: &Vm, state: &State, map: ObjId) -> Option<Vec<(ObjId, Text)>> {
    let Value::Ref(Ref::Obj(table)) = field(vm, state, map, "table")? else {
        return None;
    };
    let Body::Array { values, .. } = &state.heap.get(table).body else {
        return None;
    };
    let mut found = Vec::new();
    for bucket in values {
        let mut node = same(state, bucket)?;
        while let Value::Ref(Ref::Obj(id)) = node {
            match field(vm, state, id, "key")? {
                Value::Ref(Ref::Obj(key)) => {
                    if let Body::Str(text) = &state.heap.get(key).body {
                        text.units(&vm.pool)?;
                        found.push((key, text.clone()));
                    }
                }
                // An input that may be null, so a symbolic one.
                Value::Ref(Ref::Maybe { .. }) => return None,
                _ => {}
            }
            node = field(vm, state, id, "next")?;
            if found.len() > MAX_ENTRIES {
                return None;
            }
        }
        if node != Value::NULL {
            return None;
        }
    }
    Some(found)
}

/// A field of a table or of one of its nodes. Nodes without a key of their own, such as those of trees, can't be read.
fn field(vm: &Vm, state: &State, id: ObjId, name: &str) -> Option<Value> {
    let class = vm.linker.class(state.heap.get(id).class);
    if class.name.ends_with("TreeBin") || class.name.ends_with("ForwardingNode") {
        return None;
    }
    vm.shared_field(state, id, name)
}

/// What both running versions see.
fn same(state: &State, slot: &Slot) -> Option<Value> {
    match state.view(slot) {
        Shadow::Same(value) => Some(value),
        Shadow::Split { .. } => None,
    }
}
