//! Fields behind `java.lang.reflect.Field`: by offset for `Unsafe`, which accessors use up to release 21, and behind the method
//! handles that they use since.

use super::super::super::class::{Method, access};
use super::super::super::state::State;
use super::super::super::value::{ObjId, Ref, Value};
use super::super::super::vm::{Vm, per_version, runs_no_initialiser};
use super::super::mirror::{class_of, mirrored, prim_named};
use super::super::object;
use super::super::text;
use super::super::unsafe_memory::{FIELD_BASE, FIELD_SIZE, slot, store};
use super::{field, unsupported};
use crate::bytecode::class_file::{Const, Insn, InvokeKind, Prim};
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::memory::descriptor;
use crate::symex::vm::synthetic::invoke;
use crate::symex::vm::type_test::is_instance;
use crate::symex::vm::{Model, synthetic};
use std::sync::Arc;

/// What `Unsafe` asks of a `Field`.
pub(in crate::symex) fn of_unsafe(name: &str) -> Option<Model> {
    Some(match name {
        "objectFieldOffset0" | "staticFieldOffset0" => |vm, state, args| {
            let member = object(vm, args, 1)?;
            let index = index(vm, state, member)?;
            let offset = FIELD_BASE + FIELD_SIZE * index as i64;
            Ok(Some(Value::Prim(vm.pool.long(offset))))
        },
        "staticFieldBase0" => |vm, state, args| {
            let member = object(vm, args, 1)?;
            statics(vm, state, member).map(|id| Some(Value::obj(id)))
        },
        _ => return None,
    })
}

/// `MethodHandle.invokeExact` on what stands for a field's getter or setter: the field itself.
pub(in super::super::super) fn by_handle(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
) -> Step<Option<Value>> {
    let member = object(vm, args, 0)?;
    let at = index(vm, state, member)?;
    let (id, values) = if is_static(vm, state, member)? {
        (statics(vm, state, member)?, &args[1..])
    } else {
        let id = object(vm, args, 1)?;
        let class = field(vm, state, member, "clazz")?;
        let Some(class) = class_of(vm, state, &[class], 0)? else {
            return Err(unsupported("a field of a primitive type"));
        };
        if !is_instance(vm, state, id, class)? {
            return Err(Interruption::Raise("java/lang/ClassCastException"));
        }
        if vm.linker.is_parted(state.heap.get(id).class) {
            return Err(unsupported("a field of a class with another superclass"));
        }
        note_receiver(vm, state, id);
        (id, &args[2..])
    };
    let Some(value) = values.first() else {
        return slot(state, id, at).map(Some);
    };
    let kind = field(vm, state, member, "type")?;
    if let (Value::Ref(Ref::Obj(given)), Some(class)) = (value, class_of(vm, state, &[kind], 0)?)
        && !is_instance(vm, state, *given, class)?
    {
        return Err(Interruption::Raise("java/lang/ClassCastException"));
    }
    store(state, id, at, *value);
    Ok(None)
}

/// A path that looks into the receiver depends on how that was made.
pub(in crate::symex) fn note_receiver(vm: &mut Vm, state: &State, id: ObjId) {
    if state.is_receiver(id) {
        let class = vm.linker.class(state.heap.get(id).class).name.dotted();
        vm.touched.insert((Reason::ReceiverAsConstructed, class));
    }
}

fn is_static(vm: &Vm, state: &State, member: ObjId) -> Step<bool> {
    match field(vm, state, member, "modifiers")? {
        Value::Prim(flags) => {
            let flags = vm.pool.as_i64(flags).unwrap_or(0);
            Ok(flags & i64::from(access::STATIC) != 0)
        }
        _ => Ok(false),
    }
}

/// Where the field is among the instance fields, or the static ones, of the class that declares it. A field that is made by its
/// name alone (for a `VarHandle`) has no type.
fn index(vm: &mut Vm, state: &State, member: ObjId) -> Step<usize> {
    let parts = [
        field(vm, state, member, "clazz")?,
        field(vm, state, member, "name")?,
        field(vm, state, member, "type")?,
    ];
    let Some(class) = class_of(vm, state, &parts, 0)? else {
        return Err(unsupported("a field of a primitive type"));
    };
    let name = text(vm, state, &parts, 1)?.units(&vm.pool);
    let name = String::from_utf16_lossy(&name.unwrap_or_default());
    let wanted: Option<Arc<str>> = match parts[2] {
        Value::Ref(Ref::Null) => None,
        _ => Some(type_descriptor(&mirrored(vm, state, &parts, 2)?)),
    };
    let fits = |n: &str, d: &Arc<str>| *n == *name && wanted.as_ref().is_none_or(|w| w == d);
    let linked = vm.linker.class(class).clone();
    if is_static(vm, state, member)? {
        let found = linked
            .statics
            .iter()
            .position(|f| fits(&f.name, &f.descriptor));
        return found.ok_or_else(|| unsupported(format!("a field {name}")));
    }
    let of = |version: Version| {
        linked.layout.iter().rposition(|f| {
            fits(&f.name, &f.descriptor) && f.only.is_none_or(|only| only == version)
        })
    };
    let found = match state.version() {
        Some(version) => of(version),
        None if of(Version::Old) != of(Version::New) => return Err(per_version(state)),
        None => of(Version::New),
    };
    found.ok_or_else(|| unsupported(format!("a field {name}")))
}

fn type_descriptor(name: &Arc<str>) -> Arc<str> {
    match prim_named(name) {
        Some(Some(prim)) => Arc::from(descriptor(prim)),
        _ if name.starts_with('[') => name.clone(),
        _ => Arc::from(format!("L{name};")),
    }
}

/// The object that holds the static fields of the class that declares the field.
fn statics(vm: &mut Vm, state: &mut State, member: ObjId) -> Step<ObjId> {
    let at = index(vm, state, member)?;
    let class = field(vm, state, member, "clazz")?;
    let Some(class) = class_of(vm, state, &[class], 0)? else {
        return Err(unsupported("a field of a primitive type"));
    };
    let linked = vm.linker.class(class).clone();
    if runs_no_initialiser(&linked.name) {
        return Err(unsupported(
            "a static field of a class that sets up the JVM",
        ));
    }
    if linked.project && linked.statics.get(at).is_some_and(|s| !s.is_final) {
        let name = linked.statics.get(at).map_or("", |s| &s.name);
        let name = format!("{}.{name}", linked.name.dotted());
        vm.touched.insert((Reason::StaticStateAsInitialised, name));
    }
    vm.initialise(state, class)
}

/// `MethodHandleAccessorFactory.newFieldAccessor`: the JDK's accessor for the field's type, which has the field in place of both
/// method handles. Its operands are the field and whether it is read only.
pub(super) fn accessor(vm: &mut Vm, state: &State, method: &Arc<Method>) -> Step<Arc<Method>> {
    let Shadow::Same(Value::Ref(Ref::Obj(member))) = state.peek(1) else {
        return Err(per_version(state));
    };
    let kind = field(vm, state, member, "type")?;
    let kind = match prim_named(&mirrored(vm, state, &[kind], 0)?) {
        Some(Some(Prim::Boolean)) => "Boolean",
        Some(Some(Prim::Byte)) => "Byte",
        Some(Some(Prim::Short)) => "Short",
        Some(Some(Prim::Char)) => "Character",
        Some(Some(Prim::Int)) => "Integer",
        Some(Some(Prim::Long)) => "Long",
        Some(Some(Prim::Float)) => "Float",
        Some(Some(Prim::Double)) => "Double",
        _ => "Object",
    };
    let is_static = is_static(vm, state, member)?;
    let made = format!("jdk/internal/reflect/MethodHandle{kind}FieldAccessorImpl");
    let handle = "Ljava/lang/invoke/MethodHandle;";
    let constructor = format!("(Ljava/lang/reflect/Field;{handle}{handle}ZZ)V");
    let insns = vec![
        Insn::Load(None, 0),
        invoke(
            InvokeKind::Virtual,
            "java/lang/reflect/Field",
            "getDeclaringClass",
            "()Ljava/lang/Class;",
        ),
        invoke(
            InvokeKind::Static,
            "jdk/internal/access/SharedSecrets",
            "ensureClassInitialized",
            "(Ljava/lang/Class;)V",
        ),
        Insn::New(Arc::from(made.as_str())),
        Insn::Dup,
        Insn::Load(None, 0),
        Insn::Load(None, 0),
        Insn::Load(None, 0),
        Insn::Load(Some(Prim::Int), 1),
        Insn::Const(Const::Int(i32::from(is_static))),
        invoke(InvokeKind::Special, &made, "<init>", &constructor),
        Insn::Return(Some(None)),
    ];
    Ok(synthetic::instead(method, 2, insns))
}
