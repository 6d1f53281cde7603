//! Native and JVM-internal methods of `Object` and `Throwable`.

use super::super::state::{Frame, State};
use super::super::value::Value;
use super::super::vm::Vm;
use super::array_mismatch;
use super::class_loader;
use super::math;
use super::mirror;
use super::object;
use super::reflect_array;
use super::reflection;
use super::system;
use super::unsafe_memory;
use super::var_handle;
use crate::model::reason::Reason;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::vm::Model;
use std::sync::Arc;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    Some(match (class, name) {
        ("java/lang/Object", "<init>")
        | ("java/lang/Number", "<init>")
        | ("java/lang/Record", "<init>") => |_, _, _| Ok(None),
        ("java/lang/Throwable", "fillInStackTrace") => |_, _, args| Ok(args.first().copied()),
        (
            "java/lang/Throwable",
            "getStackTrace" | "printStackTrace" | "setStackTrace" | "getOurStackTrace",
        ) => |_, _, _| Err(Stop::unsupported(Reason::StackTrace, "java.lang.Throwable").into()),
        ("java/lang/Object", "getClass") => get_class,
        ("java/lang/Object", "clone") => clone,
        ("java/lang/Class", _) => {
            return mirror::find(name, descriptor)
                .or_else(|| reflection::find(class, name, descriptor));
        }
        ("java/lang/reflect/Array", _) => return reflect_array::find(name, descriptor),
        (
            "java/lang/ClassLoader" | "java/security/SecureClassLoader" | "java/net/URLClassLoader",
            _,
        ) => {
            return class_loader::find(name);
        }
        (
            "jdk/internal/loader/BuiltinClassLoader"
            | "jdk/internal/loader/ClassLoaders$PlatformClassLoader",
            _,
        ) => class_loader::unknown,
        ("java/lang/invoke/MethodHandles$Lookup", _)
        | (
            "java/lang/invoke/MethodHandles",
            "lookup" | "privateLookupIn" | "arrayElementVarHandle",
        ) => {
            return var_handle::find_lookup(name);
        }
        (
            "sun/util/locale/provider/CalendarDataUtility",
            "retrieveFirstDayOfWeek" | "retrieveMinimalDaysInFirstWeek",
        ) => system::week_data,
        ("jdk/internal/misc/Unsafe", _) => return unsafe_memory::find(name),
        ("java/lang/Math" | "java/lang/StrictMath", _) => {
            return math::find(class, name, descriptor);
        }
        ("java/lang/System", "arraycopy") => super::array_copy::array_copy,
        ("jdk/internal/util/ArraysSupport", "mismatch") => array_mismatch::mismatch,
        _ => {
            return system::find(class, name, descriptor)
                .or_else(|| reflection::find(class, name, descriptor));
        }
    })
}

fn get_class(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    let object = state.heap.get(id);
    let hidden = matches!(
        object.body,
        Body::Lambda(_) | Body::Constantly { .. } | Body::Proxy(_)
    );
    let name = vm.linker.class(object.class).name.clone();
    if !hidden {
        return vm.mirror(state, &name).map(Some);
    }
    // Only the superclass counts where an invocation by reflection asks, for protected methods (JLS §6.6.2).
    let invokes = |f: &Frame| &*f.method.class_name == "java/lang/reflect/Method";
    if state.frame().is_some_and(invokes) {
        return vm.mirror(state, &Arc::from("java/lang/Object")).map(Some);
    }
    Err(Stop::unsupported(Reason::UnsupportedNative, "class of a lambda or proxy").into())
}

/// `Object.clone`: a shallow copy (arrays are copied where they are invoked on).
fn clone(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    let cloneable = vm.library("java/lang/Cloneable")?;
    if !crate::symex::vm::type_test::is_instance(vm, state, id, cloneable)? {
        return Err(Interruption::Raise("java/lang/CloneNotSupportedException"));
    }
    let copy = state.heap.get(id).clone();
    Ok(Some(Value::obj(state.heap.push(copy))))
}
