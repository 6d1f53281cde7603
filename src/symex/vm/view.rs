//! Strings and builders as the JDK's own code sees them: fields `value`, `coder` and `count` over bytes (JEP 254).
//!
//! Models work on texts, the class files' code on bytes. A string keeps its text and lends out its bytes; a builder *thaws* to
//! an object with fields when own code touches it and *freezes* to a text again before a model does.

use crate::expr::BvOp;
use crate::model::Version;
use crate::symex::state::heap::{Body, Slot, View};
use crate::symex::state::interruption::Step;
use crate::symex::state::{Frame, State};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::array::allocate;
use crate::symex::vm::class_caches::cache;
use crate::symex::vm::logged_array::flatten;
use crate::symex::vm::{Vm, per_version};
use std::sync::Arc;

/// A field of a string or builder; `None` where its content is not constant, or the field is another's.
pub(in crate::symex) fn read(
    vm: &mut Vm,
    state: &mut State,
    id: ObjId,
    field: &str,
    index: usize,
) -> Step<Option<Slot>> {
    if thaw(vm, state, id)? {
        return Ok(match &state.heap.get(id).body {
            Body::Fields(slots) => slots.get(index).copied(),
            _ => None,
        });
    }
    let obj = state.heap.get(id);
    let text = match &obj.body {
        Body::Str(text) => text,
        // What a `Class` only caches.
        Body::Mirror(class) => {
            let kept = cache(state, class, field).map(|key| state.singletons.get(&key).copied());
            return Ok(match kept {
                Some(kept) => Some(Shadow::Same(kept.map_or(Value::NULL, Value::obj))),
                None if field == "classRedefinedCount" => {
                    Some(Shadow::Same(Value::Prim(vm.pool.int(0))))
                }
                None => is_cache(field).then_some(Shadow::Same(Value::NULL)),
            });
        }
        _ => return Ok(None),
    };
    let known = obj.view;
    let number = |vm: &mut Vm, n: i32| Ok(Some(Shadow::Same(Value::Prim(vm.pool.int(n)))));
    match field {
        // Caches that are not filled yet.
        "hash" | "hashIsZero" => number(vm, 0),
        "coder" | "value" => {
            let view = match known {
                Some(view @ View { value: Some(_), .. }) => view,
                _ => {
                    let Some(units) = text.units(&vm.pool) else {
                        return Ok(None);
                    };
                    let view = bytes(vm, state, &units)?;
                    state.heap.get_mut(id).view = Some(view);
                    view
                }
            };
            if field == "coder" {
                return number(vm, i32::from(view.utf16));
            }
            Ok(view.value.map(|id| Shadow::Same(Value::obj(id))))
        }
        _ => Ok(None),
    }
}

fn is_cache(field: &str) -> bool {
    matches!(
        field,
        "name" | "packageName" | "enumConstants" | "enumConstantDirectory" | "cachedConstructor"
    )
}

/// Units as compact bytes in a new array.
fn bytes(vm: &mut Vm, state: &mut State, units: &[u16]) -> Step<View> {
    let utf16 = units.iter().any(|u| *u > 0xff);
    let id = bytes_in(vm, state, units, utf16, 0)?;
    Ok(View {
        value: Some(id),
        utf16,
    })
}

/// Units as bytes of that coder, with room for `least` units.
fn bytes_in(
    vm: &mut Vm,
    state: &mut State,
    units: &[u16],
    utf16: bool,
    least: usize,
) -> Step<ObjId> {
    let width = 1 + usize::from(utf16);
    let room = units.len().max(least) * width;
    let id = allocate(vm, state, &Arc::from("B"), room as i64)?;
    let each = units
        .iter()
        .flat_map(|u| u.to_le_bytes().into_iter().take(width));
    let bytes: Vec<Slot> = each
        .map(|b| Shadow::Same(Value::Prim(vm.pool.int(i32::from(b as i8)))))
        .collect();
    if let Body::Array { values, .. } = &mut state.heap.get_mut(id).body {
        values[..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(id)
}

/// The string that a constructor fills for the running version alone: one of its own, in place of the one that both versions
/// have. Only operands and locals can refer to an object before it is constructed (JVMS §4.10.2.4).
pub(in crate::symex) fn own_string(state: &mut State, id: ObjId) -> ObjId {
    let Some(version) = state.version() else {
        return id;
    };
    let copy = state.heap.get(id).clone();
    let own = state.heap.push(copy);
    let (shared, value) = (Value::obj(id), Value::obj(own));
    for frame in &mut state.thread.frames {
        let slots = |frame: &Frame| {
            frame
                .stack
                .iter()
                .chain(&frame.locals)
                .any(|s| s.get(version) == shared)
        };
        if !slots(frame) {
            continue;
        }
        let frame = Arc::make_mut(frame);
        for slot in frame.stack.iter_mut().chain(&mut frame.locals) {
            if slot.get(version) == shared {
                *slot = slot.with(version, value);
            }
        }
    }
    state.split_seen = true;
    own
}

/// A constructor's write to a string's field, or to what a `Class` caches; false where it has no such field or what is written
/// is not plain.
pub(in crate::symex) fn write(
    vm: &mut Vm,
    state: &mut State,
    id: ObjId,
    field: &str,
    value: &Slot,
) -> Step<bool> {
    let obj = state.heap.get(id);
    if let Body::Mirror(class) = &obj.body {
        return Ok(match (cache(state, class, field), state.view(value)) {
            (Some(key), Shadow::Same(Value::Ref(Ref::Obj(kept)))) => {
                state.singletons.insert_mut(key, kept);
                true
            }
            _ => is_cache(field),
        });
    }
    let mut view = obj.view.unwrap_or_default();
    if value.is_split() && state.version().is_none() {
        return Err(per_version(state));
    }
    let value = &state.view(value);
    match (field, value) {
        ("hash" | "hashIsZero", _) => return Ok(true),
        ("value", Shadow::Same(Value::Ref(Ref::Obj(bytes)))) => view.value = Some(*bytes),
        ("coder", Shadow::Same(Value::Prim(coder))) => match vm.pool.as_i64(*coder) {
            Some(coder) => view.utf16 = coder != 0,
            None => return Ok(false),
        },
        _ => return Ok(false),
    }
    if let Some(bytes) = view.value {
        let version = state.version().unwrap_or(Version::New);
        let Some(text) = decode(vm, state, bytes, view.utf16, None, version) else {
            return Ok(false);
        };
        let both = state.version().is_none();
        if both && decode(vm, state, bytes, view.utf16, None, Version::Old).as_ref() != Some(&text)
        {
            return Err(per_version(state));
        }
        let id = own_string(state, id);
        state.heap.get_mut(id).body = Body::Str(text);
        state.heap.get_mut(id).view = Some(view);
        return Ok(true);
    }
    let id = own_string(state, id);
    state.heap.get_mut(id).view = Some(view);
    Ok(true)
}

/// The text of an array's bytes, or of its first `count` units; `None` where the length is open.
fn decode(
    vm: &mut Vm,
    state: &State,
    bytes: ObjId,
    utf16: bool,
    count: Option<i64>,
    version: Version,
) -> Option<Text> {
    let Body::Array { len, values, .. } = &state.heap.get(bytes).body else {
        return None;
    };
    let width = 1 + usize::from(utf16);
    let len = match count {
        Some(count) => usize::try_from(count).ok()? * width,
        None => usize::try_from(vm.pool.as_i64(*len)?).ok()?,
    };
    let mut units = Vec::with_capacity(len / width);
    for unit in values.get(..len)?.chunks_exact(width) {
        let mut parts = unit.iter().map(|slot| match slot.get(version) {
            Value::Prim(byte) => {
                let low = vm.pool.trunc(8, byte);
                Some(vm.pool.zext(16, low))
            }
            _ => None,
        });
        let low = parts.next()??;
        let high = parts.next();
        units.push(match high {
            Some(high) => {
                let eight = vm.pool.bv(16, 8);
                let high = vm.pool.bin(BvOp::Shl, high?, eight);
                vm.pool.bin(BvOp::Or, high, low)
            }
            None => low,
        });
    }
    let len = vm.pool.int(units.len() as i32);
    Some(Text::of(len, units.into()))
}

/// Whether the `count` topmost operands, and what arrays among them hold, have no text that is not constant.
pub(in crate::symex) fn plain(vm: &Vm, state: &State, count: usize) -> bool {
    (0..count).all(|depth| is_plain(vm, state, &state.peek(depth)))
}

fn is_plain(vm: &Vm, state: &State, slot: &Slot) -> bool {
    match slot {
        Shadow::Same(Value::Ref(Ref::Obj(id))) => match &state.heap.get(*id).body {
            Body::Str(text) | Body::Builder(Shadow::Same(text)) => text.units(&vm.pool).is_some(),
            Body::Builder(_) | Body::Choice(_) => false,
            Body::Array {
                element, values, ..
            } if &**element == "Ljava/lang/String;" => {
                values.iter().all(|v| is_plain(vm, state, v))
            }
            _ => true,
        },
        Shadow::Same(Value::Prim(term)) => vm.pool.is_const(*term),
        Shadow::Same(Value::Ref(Ref::Null)) => true,
        _ => false,
    }
}

fn is_builder(vm: &Vm, state: &State, id: ObjId) -> bool {
    let class = vm.linker.class(state.heap.get(id).class);
    matches!(
        &*class.name,
        "java/lang/StringBuilder" | "java/lang/StringBuffer"
    )
}

/// Units a new builder has room for.
const CAPACITY: usize = 16;

/// Makes a builder of constant content an object with fields; false for everything else.
pub(in crate::symex) fn thaw(vm: &mut Vm, state: &mut State, id: ObjId) -> Step<bool> {
    let Body::Builder(text) = &state.heap.get(id).body else {
        return Ok(false);
    };
    let units = match text {
        Shadow::Same(text) => text.units(&vm.pool).map(Shadow::Same),
        Shadow::Split { old, new } => {
            let sides = (old.units(&vm.pool), new.units(&vm.pool));
            sides
                .0
                .zip(sides.1)
                .map(|(old, new)| Shadow::join(old, new))
        }
    };
    let fields = match units {
        None => return Ok(false),
        Some(Shadow::Same(units)) => fields(vm, state, id, &units)?,
        Some(Shadow::Split { old, new }) => {
            let (old, new) = (fields(vm, state, id, &old)?, fields(vm, state, id, &new)?);
            let sides = old.iter().zip(&new);
            sides
                .map(|(a, b)| Shadow::join(a.get(Version::Old), b.get(Version::New)))
                .collect()
        }
    };
    state.heap.get_mut(id).body = Body::Fields(fields);
    Ok(true)
}

/// The fields of a builder that holds these units.
fn fields(vm: &mut Vm, state: &mut State, id: ObjId, units: &[u16]) -> Step<Vec<Slot>> {
    let utf16 = units.iter().any(|u| *u > 0xff);
    let value = bytes_in(vm, state, units, utf16, CAPACITY)?;
    let class = vm.linker.class(state.heap.get(id).class).clone();
    let fields = class.layout.iter().map(|f| {
        Shadow::Same(match &*f.name {
            "value" => Value::obj(value),
            "coder" => Value::Prim(vm.pool.int(i32::from(utf16))),
            "count" => Value::Prim(vm.pool.int(units.len() as i32)),
            // `maybeLatin1` of later releases is only a hint.
            _ => vm.default_value(&f.descriptor),
        })
    });
    Ok(fields.collect())
}

/// Gives the builders among `args` their texts back, and the arrays their elements.
pub(in crate::symex) fn freeze_all(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<()> {
    for arg in args {
        let Value::Ref(Ref::Obj(id) | Ref::Maybe { obj: id, .. }) = arg else {
            continue;
        };
        if matches!(state.heap.get(*id).body, Body::Fields(_)) && is_builder(vm, state, *id) {
            freeze(vm, state, *id);
        }
        flatten(vm, state, *id)?;
    }
    Ok(())
}

/// Gives every builder its text back, for whoever looks at the heap from outside.
pub(in crate::symex) fn freeze_heap(vm: &mut Vm, state: &mut State) {
    let thawed = |id: &ObjId| {
        matches!(state.heap.get(*id).body, Body::Fields(_)) && is_builder(vm, state, *id)
    };
    let all: Vec<ObjId> = (0..state.heap.len()).map(ObjId).filter(thawed).collect();
    for id in all {
        freeze(vm, state, id);
    }
}

/// A builder whose bytes can't be read stays as it is; models then give up on it.
fn freeze(vm: &mut Vm, state: &mut State, id: ObjId) {
    let old = frozen(vm, state, id, Version::Old);
    let new = frozen(vm, state, id, Version::New);
    if let (Some(old), Some(new)) = (old, new) {
        state.heap.get_mut(id).body = Body::Builder(Shadow::join(old, new));
    }
}

/// The text of a builder that own code may have thawed; `None` for what is none, and where its bytes can't be read.
pub(in crate::symex) fn builder_text(
    vm: &mut Vm,
    state: &State,
    id: ObjId,
    version: Version,
) -> Option<Text> {
    match &state.heap.get(id).body {
        Body::Builder(text) => Some(text.get(version)),
        Body::Fields(_) if is_builder(vm, state, id) => frozen(vm, state, id, version),
        _ => None,
    }
}

fn frozen(vm: &mut Vm, state: &State, id: ObjId, version: Version) -> Option<Text> {
    let obj = state.heap.get(id);
    let Body::Fields(slots) = &obj.body else {
        return None;
    };
    let class = vm.linker.class(obj.class).clone();
    let at = |name: &str| {
        let index = class.layout.iter().position(|f| &*f.name == name)?;
        slots.get(index).map(|s| s.get(version))
    };
    let number = |vm: &Vm, value: Option<Value>| match value {
        Some(Value::Prim(t)) => vm.pool.as_i64(t),
        _ => None,
    };
    let (coder, count) = (number(vm, at("coder"))?, number(vm, at("count"))?);
    match at("value")? {
        Value::Ref(Ref::Obj(bytes)) => decode(vm, state, bytes, coder != 0, Some(count), version),
        // Not even constructed.
        _ => Some(Text::constant(&mut vm.pool, &[])),
    }
}
