//! Reflection: the natives behind `java.lang.Class` and `java.lang.reflect`, whose own Java code runs on top of them.

mod access_rules;
mod accessors;
mod annotations;
mod facts;
mod fields;
mod members;
mod proxies;

pub(super) use access_rules::declared_access;
pub(in crate::symex) use fields::by_handle;
pub(super) use fields::{note_receiver, of_unsafe};
pub(in crate::symex) use members::shows_members;

use super::super::class::{Key, Method};
use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::{Vm, per_version};
use super::mirror::{mirrored, prim_named};
use crate::bytecode::class_file::ClassFile;
use crate::model::reason::Reason;
use crate::symex::class::linker::class_name_of;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::value::primitive::primitive_name;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Model;
use crate::symex::vm::array::of_bytes;
use crate::symex::vm::class_caches::cache;
use crate::symex::vm::declared::declared;
pub(super) use facts::jdk_module;
use std::sync::Arc;

/// The model of a method of reflection's own classes.
pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    match class {
        "java/lang/Class" => members::find(name, descriptor)
            .or_else(|| facts::find(name))
            .or_else(|| annotations::of_class(name)),
        "java/lang/Class$Atomic" => match name {
            "casReflectionData" | "casAnnotationType" | "casAnnotationData" => Some(keep),
            _ => None,
        },
        "jdk/internal/reflect/ConstantPool" => annotations::of_pool(name),
        // A module here has a name, and nothing else.
        "java/lang/Module" => match name {
            "getName" | "isNamed" | "toString" | "hashCode" | "equals" | "<init>" => None,
            "isExported" => Some(access_rules::is_exported),
            _ => Some(|_, _, _| Err(unsupported("java.lang.Module"))),
        },
        "java/lang/ModuleLayer" if name == "boot" => {
            Some(|_, _, _| Err(unsupported("the modules of the JVM")))
        }
        // They ask a table of the modules that its initialiser would have made.
        "java/lang/SecurityManager" => match name {
            "checkPackageAccess" | "checkPackageDefinition" => {
                Some(|_, _, _| Err(unsupported("java.lang.SecurityManager")))
            }
            _ => None,
        },
        "java/lang/reflect/Proxy" => proxies::find(name),
        "java/lang/reflect/Executable" => members::of_executable(name),
        "java/lang/reflect/Method" | "java/lang/reflect/Constructor" => accessors::find(name),
        "java/lang/reflect/AccessibleObject" | "jdk/internal/reflect/Reflection" => {
            access_rules::find(name, descriptor)
        }
        _ => None,
    }
}

/// The body that runs instead of a method of reflection's own classes, whose `count` arguments are on the stack.
pub(super) fn body(
    vm: &mut Vm,
    state: &State,
    method: &Arc<Method>,
    count: usize,
) -> Step<Option<Arc<Method>>> {
    match (&*method.class_name, &*method.descriptor) {
        ("java/lang/reflect/AccessibleObject", "(Ljava/lang/Class;Ljava/lang/Class;Z)Z") => {
            access_rules::can_set_accessible(vm, state, method).map(Some)
        }
        (
            "jdk/internal/reflect/MethodHandleAccessorFactory",
            "(Ljava/lang/reflect/Field;Z)Ljdk/internal/reflect/FieldAccessorImpl;",
        ) => fields::accessor(vm, state, method).map(Some),
        _ => accessors::body(vm, state, method, count),
    }
}

/// The declaration of the class whose mirror is the `n`th argument, as the running version has it; `None` for arrays and
/// primitive types.
pub(super) fn declaration(
    vm: &mut Vm,
    state: &State,
    args: &[Value],
    n: usize,
) -> Step<Option<Arc<ClassFile>>> {
    let name = mirrored(vm, state, args, n)?;
    if name.starts_with('[') || prim_named(&name).is_some() {
        return Ok(None);
    }
    declared(vm, state, &name).map(Some)
}

/// The method of that name and descriptor, which `class` declares for the running version, as an object.
pub(in crate::symex) fn method_object(
    vm: &mut Vm,
    state: &mut State,
    class: &Arc<str>,
    key: &Key,
) -> Step<ObjId> {
    let file = declared(vm, state, class)?;
    let mut each = file.methods.iter().enumerate();
    let found = each.find(|(_, m)| m.is_named(&key.0, &key.1));
    let method = found.ok_or_else(|| unsupported(format!("no method {}", key.0)))?;
    let mirror = vm.mirror(state, class)?;
    members::method_object(vm, state, mirror, method)
}

/// The `Class` of a type's descriptor.
fn class_named(vm: &mut Vm, state: &mut State, descriptor: &str) -> Step<Value> {
    let name = match class_name_of(descriptor) {
        Some(class) => Arc::from(class),
        None => Arc::from(primitive_name(descriptor)),
    };
    vm.mirror(state, &name)
}

/// Bytes as an array; null where there are none.
fn bytes(vm: &mut Vm, state: &mut State, bytes: Option<&[u8]>) -> Step<Value> {
    bytes.map_or(Ok(Value::NULL), |bytes| of_bytes(vm, state, bytes))
}

/// An interned string.
fn name(vm: &mut Vm, state: &mut State, text: &str) -> Step<Value> {
    let units: Vec<u16> = text.encode_utf16().collect();
    vm.literal(state, &Arc::from(units))
}

/// The same, null where there is none.
fn name_or_null(vm: &mut Vm, state: &mut State, text: Option<&Arc<str>>) -> Step<Value> {
    text.map_or(Ok(Value::NULL), |text| name(vm, state, text))
}

/// A field of one of reflection's own objects, as the running version sees it.
fn field(vm: &Vm, state: &State, id: ObjId, name: &str) -> Step<Value> {
    let object = state.heap.get(id);
    let layout = &vm.linker.class(object.class).layout;
    let at = layout.iter().rposition(|f| &*f.name == name);
    let slot = match (&object.body, at) {
        (Body::Fields(slots), Some(at)) => slots.get(at).map(|s| state.view(s)),
        _ => None,
    };
    match slot {
        Some(Shadow::Same(value)) => Ok(value),
        Some(Shadow::Split { .. }) => Err(per_version(state)),
        None => Err(unsupported(format!("a field {name}"))),
    }
}

fn unsupported(what: impl Into<String>) -> Interruption {
    Stop::unsupported(Reason::Reflection, what).into()
}

/// `Class.Atomic.cas…`: the class keeps the new value, whatever it had.
fn keep(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let class = mirrored(vm, state, args, 0)?;
    let field = state.frame().map_or("", |f| match &*f.method.name {
        "reflectionData" | "newReflectionData" => "reflectionData",
        "annotationData" => "annotationData",
        _ => "annotationType",
    });
    if let (Some(key), Some(Value::Ref(Ref::Obj(id)))) = (cache(state, &class, field), args.get(2))
    {
        state.singletons.insert_mut(key, *id);
    }
    Ok(Some(Value::Prim(vm.pool.int(1))))
}
