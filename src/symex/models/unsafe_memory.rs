//! `jdk.internal.misc.Unsafe`: fields and array elements by offset, as the JDK's concurrent collections and atomics use them.
//!
//! One thread runs, so that ordering does not matter. An instance field's offset is made from its index in the layout.

use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::{Vm, per_version};
use super::mirror;
use super::object;
use super::prim;
use super::reflection;
use super::text;
use crate::bytecode::class_file::Prim;
use crate::expr::{BvOp, CmpOp, Sort, Term};
use crate::model::reason::Reason;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::memory::{identical, prim_of};
use crate::symex::vm::{Model, logged_array};

const ARRAY_BASE: i64 = 16;
pub(super) const FIELD_BASE: i64 = 16;
pub(super) const FIELD_SIZE: i64 = 8;
/// Stands for the width of whatever field is there.
const ANY_WIDTH: i64 = 0;
/// Longest array that an open offset is spelled out over.
const MAX_CASES: i64 = 512;

pub(super) fn find(name: &str) -> Option<Model> {
    let plain = ["Volatile", "Acquire", "Release", "Opaque"]
        .iter()
        .find_map(|order| name.strip_suffix(order))
        .unwrap_or(name);
    Some(match plain {
        "registerNatives" | "loadFence" | "storeFence" | "fullFence" => |_, _, _| Ok(None),
        "arrayBaseOffset0" => |vm, _, _| int(vm, ARRAY_BASE as i32),
        "arrayIndexScale0" => |vm, state, args| {
            let class = mirror::class_of(vm, state, args, 1)?;
            let name = class.map(|c| vm.linker.class(c).name.clone());
            let scale = name.map_or(0, |n| scale(n.strip_prefix('[').unwrap_or("")));
            int(vm, scale as i32)
        },
        "objectFieldOffset1" => field_offset,
        // The JVM tells these, and writes them over what the class says.
        "addressSize" => |vm, _, _| int(vm, 8),
        "pageSize" | "dataCacheLineFlushSize" | "allocateMemory" | "reallocateMemory" => {
            |_, _, _| Err(unsupported("memory outside of objects"))
        }
        "shouldBeInitialized0" => |vm, _, _| int(vm, 0),
        "ensureClassInitialized0" => |vm, state, args| {
            if let Some(class) = mirror::class_of(vm, state, args, 1)? {
                vm.initialise(state, class)?;
            }
            Ok(None)
        },
        "getReference" => |vm, state, args| get(vm, state, args, 4, false),
        "getBoolean" | "getByte" => |vm, state, args| get(vm, state, args, 1, false),
        "getShort" => |vm, state, args| get(vm, state, args, 2, false),
        "getChar" => |vm, state, args| get(vm, state, args, 2, true),
        "getInt" => |vm, state, args| get(vm, state, args, 4, false),
        "getLong" => |vm, state, args| get(vm, state, args, 8, false),
        "getFloat" => |vm, state, args| get_float(vm, state, args, 4),
        "getDouble" => |vm, state, args| get_float(vm, state, args, 8),
        "putBoolean" | "putByte" => |vm, state, args| put(vm, state, args, 1),
        "putShort" | "putChar" => |vm, state, args| put(vm, state, args, 2),
        "putReference" | "putInt" | "putFloat" => |vm, state, args| put(vm, state, args, 4),
        "putLong" | "putDouble" => |vm, state, args| put(vm, state, args, 8),
        "compareAndSetReference"
        | "compareAndSetInt"
        | "compareAndSetLong"
        | "weakCompareAndSetReference"
        | "weakCompareAndSetInt"
        | "weakCompareAndSetLong" => |vm, state, args| {
            let found = compare_and_set(vm, state, args)?;
            Ok(Some(Value::Prim(found.done)))
        },
        "compareAndExchangeReference" | "compareAndExchangeInt" | "compareAndExchangeLong" => {
            |vm, state, args| compare_and_set(vm, state, args).map(|found| Some(found.before))
        }
        _ => return reflection::of_unsafe(name),
    })
}

fn int(vm: &mut Vm, n: i32) -> Step<Option<Value>> {
    Ok(Some(Value::Prim(vm.pool.int(n))))
}

fn float_bits() -> Interruption {
    unsupported("the bits of a floating-point number")
}

fn too_many() -> Interruption {
    Stop::unsupported(Reason::SymbolicIndex, "into a large array").into()
}

fn unsupported(what: &str) -> Interruption {
    Stop::unsupported(
        Reason::UnsupportedNative,
        format!("jdk.internal.misc.Unsafe: {what}"),
    )
    .into()
}

fn scale(element: &str) -> i64 {
    match prim_of(element) {
        Some(Prim::Boolean | Prim::Byte) => 1,
        Some(Prim::Char | Prim::Short) => 2,
        Some(Prim::Long | Prim::Double) => 8,
        _ => 4,
    }
}

fn field_offset(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let class = mirror::class_of(vm, state, args, 1)?;
    let name = text(vm, state, args, 2)?.units(&vm.pool);
    let (Some(class), Some(name)) = (class, name) else {
        return Err(unsupported("a field that is not named"));
    };
    let name = String::from_utf16_lossy(&name);
    let layout = &vm.linker.class(class).layout;
    match layout.iter().rposition(|f| *f.name == *name) {
        Some(index) => {
            let offset = FIELD_BASE + FIELD_SIZE * index as i64;
            Ok(Some(Value::Prim(vm.pool.long(offset))))
        }
        None => Err(unsupported(&name)),
    }
}

/// What an offset in an object means.
enum OffsetTarget {
    /// The field or element of that index.
    Slot(ObjId, usize),
    /// The byte of that index in a byte array, where something wider begins.
    Bytes(ObjId, usize),
    /// The element of that symbolic index in a large array.
    Open(ObjId, Term),
}

/// The object that an offset is in: without one it is an address.
fn base(vm: &mut Vm, args: &[Value]) -> Step<ObjId> {
    match args.get(1) {
        Some(Value::Ref(Ref::Obj(_) | Ref::Maybe { .. })) => object(vm, args, 1),
        _ => Err(unsupported("an address")),
    }
}

fn place(vm: &mut Vm, state: &State, args: &[Value], width: i64) -> Step<OffsetTarget> {
    let id = base(vm, args)?;
    let offset = prim(vm, args, 2);
    let Some(offset) = vm.pool.as_i64(offset) else {
        return open_offset(vm, state, id, offset, args.len() - 3);
    };
    reflection::note_receiver(vm, state, id);
    let obj = state.heap.get(id);
    let (at, len, bytes) = match &obj.body {
        Body::Fields(_) if vm.linker.is_parted(obj.class) => {
            return Err(unsupported("a field of a class with another superclass"));
        }
        Body::Fields(slots) => {
            let at = (offset - FIELD_BASE) / FIELD_SIZE;
            let layout = &vm.linker.class(obj.class).layout;
            let field = usize::try_from(at).ok().and_then(|at| layout.get(at));
            if field.is_some_and(|f| width != ANY_WIDTH && scale(&f.descriptor) != width) {
                return Err(unsupported("a field accessed as another type"));
            }
            (at, slots.len(), false)
        }
        Body::Array {
            element, values, ..
        } => {
            let scale = scale(element);
            let at = (offset - ARRAY_BASE) / scale;
            if scale == width && (offset - ARRAY_BASE) % scale == 0 {
                (at, values.len(), false)
            } else if scale == 1 {
                (at, values.len(), true)
            } else {
                return Err(unsupported("an array accessed as another type"));
            }
        }
        _ => return Err(unsupported("a field of a modelled class")),
    };
    match usize::try_from(at) {
        Ok(at) if bytes && at + width as usize <= len => Ok(OffsetTarget::Bytes(id, at)),
        Ok(at) if !bytes && at < len => Ok(OffsetTarget::Slot(id, at)),
        _ => Err(unsupported("an offset outside")),
    }
}

/// An open offset means an element of an array: which one is decided by cases. It stands `depth` operands below the top.
fn open_offset(
    vm: &mut Vm,
    state: &State,
    id: ObjId,
    offset: Term,
    depth: usize,
) -> Step<OffsetTarget> {
    let (scale, count) = match &state.heap.get(id).body {
        Body::Array {
            element, values, ..
        } => (scale(element), values.len() as i64),
        _ => return Err(unsupported("a symbolic offset")),
    };
    if count > MAX_CASES {
        let index = inside(vm, state, offset, scale, count)?;
        return Ok(OffsetTarget::Open(id, index));
    }
    let mut outside = vm.pool.bool(true);
    let mut choices = Vec::new();
    for i in 0..count {
        let at = vm.pool.long(ARRAY_BASE + scale * i);
        let here = vm.pool.eq(offset, at);
        let other = vm.pool.not(here);
        outside = vm.pool.and(outside, other);
        choices.push((Shadow::Same(here), Act::Pin(depth, Value::Prim(at))));
    }
    choices.push((Shadow::Same(outside), beyond()));
    Err(Interruption::Choose(choices))
}

fn beyond() -> Act {
    Act::GiveUp(Stop::unsupported(
        Reason::UnsupportedNative,
        "jdk.internal.misc.Unsafe: an offset outside",
    ))
}

/// The index that an offset means, once it is known to be that of an element.
fn inside(vm: &mut Vm, state: &State, offset: Term, scale: i64, count: i64) -> Step<Term> {
    let base = vm.pool.long(ARRAY_BASE);
    let from = vm.pool.bin(BvOp::Sub, offset, base);
    // Scales are powers of two.
    let shift = vm.pool.int(scale.trailing_zeros() as i32);
    let index = vm.pool.shift(BvOp::Shr, from, shift);
    let index = vm.pool.trunc(32, index);
    if state.frame().is_none_or(|f| f.passed == 0) {
        let (end, within) = (vm.pool.long(scale * count), vm.pool.long(scale - 1));
        let rest = vm.pool.bin(BvOp::And, from, within);
        let zero = vm.pool.long(0);
        let whole = vm.pool.eq(rest, zero);
        let below = vm.pool.cmp(CmpOp::Ult, from, end);
        let ok = vm.pool.and(whole, below);
        let not = vm.pool.not(ok);
        return Err(Interruption::Choose(vec![
            (Shadow::Same(ok), Act::Pass(1)),
            (Shadow::Same(not), beyond()),
        ]));
    }
    Ok(index)
}

pub(super) fn slot(state: &State, id: ObjId, at: usize) -> Step<Value> {
    let slot = match &state.heap.get(id).body {
        Body::Fields(values) | Body::Array { values, .. } => values.get(at),
        _ => None,
    };
    match slot.map(|s| state.view(s)) {
        Some(Shadow::Same(value)) => Ok(value),
        _ => Err(per_version(state)),
    }
}

/// A floating-point number, where others are stored too.
fn get_float(vm: &mut Vm, state: &mut State, args: &[Value], width: i64) -> Step<Option<Value>> {
    if let OffsetTarget::Slot(id, at) = place(vm, state, args, width)? {
        let value = slot(state, id, at)?;
        if is_float(vm, &value) {
            return Ok(Some(value));
        }
    }
    let found = get(vm, state, args, width, false)?;
    let Some(Value::Prim(bits)) = found else {
        return Ok(found);
    };
    let sort = if width == 4 { Sort::F32 } else { Sort::F64 };
    Ok(Some(Value::Prim(vm.pool.bits_f(sort, bits))))
}

fn is_float(vm: &Vm, value: &Value) -> bool {
    matches!(value, Value::Prim(t) if matches!(vm.pool.sort(*t), Sort::F32 | Sort::F64))
}

fn get(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    width: i64,
    unsigned: bool,
) -> Step<Option<Value>> {
    let (id, at) = match place(vm, state, args, width)? {
        OffsetTarget::Slot(id, at) => {
            let value = slot(state, id, at)?;
            return match is_float(vm, &value) {
                true => Err(float_bits()),
                false => Ok(Some(value)),
            };
        }
        OffsetTarget::Bytes(id, at) => (id, at),
        OffsetTarget::Open(id, index) => {
            return match logged_array::load(vm, state, id, index)? {
                Some(Shadow::Same(value)) if is_float(vm, &value) => Err(float_bits()),
                Some(Shadow::Same(value)) => Ok(Some(value)),
                Some(Shadow::Split { .. }) => Err(per_version(state)),
                None => Err(too_many()),
            };
        }
    };
    let bits = width as u8 * 8;
    let mut all = vm.pool.bv(bits, 0);
    // x86 and ARM keep the low byte first.
    for i in (0..width as usize).rev() {
        let Value::Prim(byte) = slot(state, id, at + i)? else {
            return Err(unsupported("bytes"));
        };
        let byte = vm.pool.trunc(8, byte);
        let byte = vm.pool.zext(bits, byte);
        let eight = vm.pool.bv(bits, 8);
        let above = vm.pool.bin(BvOp::Shl, all, eight);
        all = vm.pool.bin(BvOp::Or, above, byte);
    }
    let all = match (bits, unsigned) {
        (16, true) => vm.pool.zext(32, all),
        (16, false) => vm.pool.sext(32, all),
        _ => all,
    };
    Ok(Some(Value::Prim(all)))
}

/// Writes a field or an element as the running version.
pub(super) fn store(state: &mut State, id: ObjId, at: usize, value: Value) {
    let before = match &state.heap.get(id).body {
        Body::Fields(values) | Body::Array { values, .. } => values.get(at).copied(),
        _ => None,
    };
    let Some(before) = before else { return };
    let after: Slot = state.merge(&before, Shadow::Same(value));
    state.split_seen |= after.is_split();
    if let Body::Fields(values) | Body::Array { values, .. } = &mut state.heap.get_mut(id).body {
        values[at] = after;
    }
}

fn put(vm: &mut Vm, state: &mut State, args: &[Value], width: i64) -> Step<Option<Value>> {
    let value = args.get(3).copied().unwrap_or(Value::Undef);
    match place(vm, state, args, width)? {
        OffsetTarget::Slot(id, at)
            if is_float(vm, &slot(state, id, at)?) == is_float(vm, &value) =>
        {
            store(state, id, at, value);
        }
        OffsetTarget::Slot(..) => return Err(unsupported("a number stored as another type")),
        OffsetTarget::Bytes(..) => return Err(unsupported("bytes written as another type")),
        OffsetTarget::Open(..) => return Err(too_many()),
    }
    Ok(None)
}

/// Whether an exchange happens, as an int, and what was there before.
pub(super) struct Exchange {
    /// One where it does.
    pub done: Term,
    /// The value before.
    pub before: Value,
}

fn compare_and_set(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Exchange> {
    let (expected, new) = (
        args.get(3).copied().unwrap_or(Value::Undef),
        args.get(4).copied().unwrap_or(Value::Undef),
    );
    let id = base(vm, args)?;
    let width = match &state.heap.get(id).body {
        Body::Array { element, .. } => scale(element),
        _ => ANY_WIDTH,
    };
    let (id, at) = match place(vm, state, args, width)? {
        OffsetTarget::Slot(id, at) => (id, at),
        OffsetTarget::Bytes(..) => return Err(unsupported("bytes compared as another type")),
        OffsetTarget::Open(..) => return Err(too_many()),
    };
    exchange(vm, state, (id, at), expected, new)
}

/// Writes `new` where `expected` is; where it is open whether that is there, as a formula over both.
pub(super) fn exchange(
    vm: &mut Vm,
    state: &mut State,
    (id, at): (ObjId, usize),
    expected: Value,
    new: Value,
) -> Step<Exchange> {
    let before = slot(state, id, at)?;
    let same = match (&before, &expected) {
        (Value::Prim(a), Value::Prim(b)) => vm.pool.eq(*a, *b),
        (a, b) => identical(vm, state, a, b)?,
    };
    match (vm.pool.as_bool(same), &before, &new) {
        (Some(true), ..) => store(state, id, at, new),
        (Some(false), ..) => {}
        (None, Value::Prim(a), Value::Prim(b)) => {
            let after = vm.pool.ite(same, *b, *a);
            store(state, id, at, Value::Prim(after));
        }
        _ => return Err(unsupported("a symbolic value compared")),
    }
    let (zero, one) = (vm.pool.int(0), vm.pool.int(1));
    let done = vm.pool.ite(same, one, zero);
    Ok(Exchange { done, before })
}
