//! Fields, statics, objects, casts and identity (JVMS §6.5), on references that may be null or differ by version.

use crate::bytecode::class_file::{MemberRef, Prim};
use crate::bytecode::is_jdk;
use crate::expr::{Pool, Term};
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::state::heap::{Body, Identity, Slot};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::state::{Frame, State};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::assemble::settled;
use crate::symex::vm::{Vm, per_version, view};
use std::sync::Arc;

pub(in crate::symex) use crate::symex::vm::array::array_length;
pub(in crate::symex) use crate::symex::vm::array::array_load;
pub(in crate::symex) use crate::symex::vm::array::array_store;
pub(in crate::symex) use crate::symex::vm::array::descriptor;
pub(in crate::symex) use crate::symex::vm::array::element_descriptor;
pub(in crate::symex) use crate::symex::vm::array::new_array;
pub(in crate::symex) use crate::symex::vm::array::new_multi_array;

/// The object of the reference `depth` entries below the top; raises `exception` when it is null.
pub(in crate::symex) fn definite(
    vm: &mut Vm,
    state: &State,
    depth: usize,
    exception: &'static str,
) -> Step<ObjId> {
    match state.peek(depth) {
        Shadow::Same(Value::Ref(Ref::Obj(id))) => {
            let id = settled(vm, state, id)?;
            touch(vm, state, id);
            Ok(id)
        }
        Shadow::Same(Value::Ref(Ref::Maybe { null, obj })) => {
            Err(null_or_object(&mut vm.pool, depth, null, obj))
        }
        Shadow::Same(_) => Err(Interruption::Raise(exception)),
        Shadow::Split { .. } => Err(per_version(state)),
    }
}

/// Decides first whether an input reference is null.
pub(in crate::symex) fn null_or_object(
    pool: &mut Pool,
    depth: usize,
    null: Term,
    obj: ObjId,
) -> Interruption {
    let not = pool.not(null);
    Interruption::Choose(vec![
        (Shadow::Same(not), Act::Pin(depth, Value::obj(obj))),
        (Shadow::Same(null), Act::Pin(depth, Value::NULL)),
    ])
}

/// Notes that the path depends on an input whose size is bounded.
fn touch(vm: &mut Vm, state: &State, id: ObjId) {
    let obj = state.heap.get(id);
    match &obj.body {
        Body::Array { len, .. } if !vm.pool.is_const(*len) => {
            vm.touched.insert((Reason::MaxArray, String::new()));
        }
        Body::Str(text) if text.chars().is_some_and(|(len, _)| !vm.pool.is_const(len)) => {
            vm.touched.insert((Reason::MaxString, String::new()));
        }
        _ => {}
    }
}

const NULL_POINTER: &str = "java/lang/NullPointerException";

pub(in crate::symex) fn get_field(vm: &mut Vm, state: &mut State, field: &MemberRef) -> Step<()> {
    let id = definite(vm, state, 0, NULL_POINTER)?;
    let index = field_index(vm, state, field, id)?;
    let obj = state.heap.get(id);
    let slot = match &obj.body {
        Body::Fields(slots) => slots.get(index).copied(),
        _ => None,
    };
    if obj.jvm_made && &*field.name == "detailMessage" && slot == Some(NULL) {
        return Err(Stop::unsupported(
            Reason::JvmMadeMessage,
            "the program reads a message that the JVM made",
        )
        .into());
    }
    let slot = match slot {
        // The JVM's own exceptions are not constructed; their list of suppressed ones is as `Throwable` begins it.
        Some(slot) if obj.jvm_made && &*field.name == "suppressedExceptions" && slot == NULL => {
            no_suppressed(vm, state)?
        }
        Some(slot) => slot,
        None => match view::read(vm, state, id, &field.name, index)? {
            Some(slot) => slot,
            None => return Err(hidden(field)),
        },
    };
    if state.is_receiver(id) {
        vm.touched
            .insert((Reason::ReceiverAsConstructed, field.class.dotted()));
    }
    let value = state.view(&slot);
    state.pop();
    state.push(value);
    state.advance();
    Ok(())
}

const NULL: Slot = Shadow::Same(Value::NULL);

fn no_suppressed(vm: &mut Vm, state: &mut State) -> Step<Slot> {
    let class = vm.library("java/lang/Throwable")?;
    let object = vm.initialise(state, class)?;
    let statics = &vm.linker.class(class).statics;
    let index = statics
        .iter()
        .position(|s| &*s.name == "SUPPRESSED_SENTINEL");
    let sentinel = match (&state.heap.get(object).body, index) {
        (Body::Fields(slots), Some(index)) => slots.get(index).copied(),
        _ => None,
    };
    Ok(sentinel.unwrap_or(NULL))
}

pub(in crate::symex) fn put_field(vm: &mut Vm, state: &mut State, field: &MemberRef) -> Step<()> {
    let id = definite(vm, state, 1, NULL_POINTER)?;
    let index = field_index(vm, state, field, id)?;
    if matches!(state.heap.get(id).body, Body::Str(_) | Body::Mirror(_)) {
        let value = state.peek(0);
        if !view::write(vm, state, id, &field.name, &value)? {
            return Err(hidden(field));
        }
        state.pop();
        state.pop();
        state.advance();
        return Ok(());
    }
    view::thaw(vm, state, id)?;
    let before = match &state.heap.get(id).body {
        Body::Fields(slots) => slots.get(index).copied(),
        _ => None,
    };
    let Some(before) = before else {
        return Err(hidden(field));
    };
    let value = state.pop();
    state.pop();
    let after = state.merge(&before, value);
    state.split_seen |= after.is_split();
    if let Body::Fields(slots) = &mut state.heap.get_mut(id).body
        && let Some(slot) = slots.get_mut(index)
    {
        *slot = after;
    }
    state.advance();
    Ok(())
}

/// Where the object `id` has the field (JVMS §5.4.3.2).
fn field_index(vm: &mut Vm, state: &State, field: &MemberRef, id: ObjId) -> Step<usize> {
    let named = vm.resolve(state, &field.class)?;
    let named = vm.linker.class(named);
    let of = |version| named.field_of(&field.name, &field.descriptor, version);
    let index = match state.version() {
        Some(version) => of(version),
        None if of(Version::Old) != of(Version::New) => return Err(per_version(state)),
        None => of(Version::New),
    };
    let class = vm.linker.class(state.heap.get(id).class);
    let found = index.and_then(|i| class.place(i, &named.layout[i]));
    found.ok_or_else(|| {
        Stop::unsupported(
            Reason::FieldNotFound,
            format!("{}.{}", field.class.dotted(), field.name),
        )
        .into()
    })
}

/// The field belongs to a class whose objects are modelled without it.
pub(super) fn hidden(field: &MemberRef) -> Interruption {
    let reason = match &*field.class {
        "java/lang/Class" | "jdk/internal/reflect/Reflection" => Reason::Reflection,
        _ => Reason::UnsupportedNative,
    };
    let name = format!("{}.{}", field.class.dotted(), field.name);
    Stop::unsupported(reason, name).into()
}

/// Exceptions of the JDK's index checks, whose texts are the JDK's own.
const BOUNDS: [&str; 3] = [
    "java/lang/IndexOutOfBoundsException",
    "java/lang/StringIndexOutOfBoundsException",
    "java/lang/ArrayIndexOutOfBoundsException",
];

pub(in crate::symex) fn new_object(vm: &mut Vm, state: &mut State, name: &Arc<str>) -> Step<()> {
    let class = vm.resolve(state, name)?;
    vm.initialise(state, class)?;
    let id = vm.instantiate(state, class);
    if matches!(state.heap.get(id).body, Body::Str(_)) {
        state.heap.get_mut(id).identity = Identity::New;
    }
    if BOUNDS.contains(&&**name) {
        let by_jdk = |frame: &Frame| is_jdk(&frame.method.class_name);
        state.heap.get_mut(id).jvm_made = state.frame().is_some_and(by_jdk);
    }
    state.push_same(Value::obj(id));
    state.advance();
    Ok(())
}

/// `a == b` on the two references on top.
pub(in crate::symex) fn same_object(vm: &mut Vm, state: &State) -> Step<Shadow<Term>> {
    let (b, a) = (state.peek(0), state.peek(1));
    Ok(match (a, b) {
        (Shadow::Same(a), Shadow::Same(b)) => {
            crate::symex::vm::identity::decide(vm, state, &a, &b)?;
            Shadow::Same(identical(vm, state, &a, &b)?)
        }
        _ => {
            use crate::model::Version::{New, Old};
            let old = identical(vm, state, &a.get(Old), &b.get(Old))?;
            let new = identical(vm, state, &a.get(New), &b.get(New))?;
            Shadow::join(old, new)
        }
    })
}

pub(in crate::symex) fn identical(vm: &mut Vm, state: &State, a: &Value, b: &Value) -> Step<Term> {
    let parts = |vm: &mut Vm, v: &Value| match v {
        Value::Ref(Ref::Obj(id)) => (vm.pool.bool(false), Some(*id)),
        Value::Ref(Ref::Maybe { null, obj }) => (*null, Some(*obj)),
        _ => (vm.pool.bool(true), None),
    };
    let ((a_null, a), (b_null, b)) = (parts(vm, a), parts(vm, b));
    let both_null = vm.pool.and(a_null, b_null);
    let (Some(a), Some(b)) = (a, b) else {
        return Ok(both_null);
    };
    // Which of its objects an open choice is does not matter where both are the same choice.
    let same = if a == b {
        vm.pool.bool(true)
    } else {
        let (a, b) = (settled(vm, state, a)?, settled(vm, state, b)?);
        same_identity(vm, state, a, b)?
    };
    let (a_some, b_some) = (vm.pool.not(a_null), vm.pool.not(b_null));
    let both_some = vm.pool.and(a_some, b_some);
    let same = vm.pool.and(both_some, same);
    Ok(vm.pool.or(both_null, same))
}

fn same_identity(vm: &mut Vm, state: &State, a: ObjId, b: ObjId) -> Step<Term> {
    if a == b {
        return Ok(vm.pool.bool(true));
    }
    let inputs = &state.shape.objects;
    if inputs.contains(&a.0)
        && inputs.contains(&b.0)
        && !crate::symex::vm::identity::is_shortcut(state)
    {
        vm.touched
            .insert((Reason::Aliasing, "two inputs are never one object".into()));
    }
    let (x, y) = (state.heap.get(a), state.heap.get(b));
    match (&x.body, &y.body) {
        (Body::Str(_), Body::Str(_)) => crate::symex::vm::identity::same_string(vm, state, a, b),
        (Body::Fields(p), Body::Fields(q)) if x.class == y.class => {
            let name = vm.linker.class(x.class).name.clone();
            crate::symex::vm::box_identity::same_box(vm, state, &name, p, q)
        }
        _ => Ok(vm.pool.bool(false)),
    }
}

/// Kinds of primitive arrays by their element descriptor.
pub(in crate::symex) fn prim_of(descriptor: &str) -> Option<Prim> {
    Some(match descriptor {
        "Z" => Prim::Boolean,
        "B" => Prim::Byte,
        "C" => Prim::Char,
        "S" => Prim::Short,
        "I" => Prim::Int,
        "J" => Prim::Long,
        "F" => Prim::Float,
        "D" => Prim::Double,
        _ => return None,
    })
}
