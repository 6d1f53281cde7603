//! `Object` and `Throwable` where they are native or reach into the JVM.

use super::super::effect::{Effect, Step, Stop};
use super::super::heap::Body;
use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use super::{
    Model, array_mismatch, class_loader, math, mirror, object, reflect_array, system,
    unsafe_memory, var_handle,
};

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    Some(match (class, name) {
        ("java/lang/Object", "<init>")
        | ("java/lang/Number", "<init>")
        | ("java/lang/Record", "<init>") => |_, _, _| Ok(None),
        ("java/lang/Throwable", "fillInStackTrace") => |_, _, args| Ok(args.first().copied()),
        (
            "java/lang/Throwable",
            "getStackTrace" | "printStackTrace" | "setStackTrace" | "getOurStackTrace",
        ) => |_, _, _| Err(Stop::unsupported("stack-trace", "java.lang.Throwable").into()),
        ("java/lang/Object", "getClass") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            if matches!(
                state.heap.get(id).body,
                Body::Lambda(_) | Body::Constantly { .. }
            ) {
                return Err(Stop::unsupported("unsupported-native", "class of a lambda").into());
            }
            let class = state.heap.get(id).class;
            let name = vm.linker.class(class).name.clone();
            vm.mirror(state, &name).map(Some)
        },
        ("java/lang/Object", "clone") => clone,
        ("java/lang/Class", _) => return mirror::find(name, descriptor),
        ("java/lang/reflect/Array", _) => return reflect_array::find(name, descriptor),
        (
            "java/lang/ClassLoader" | "java/security/SecureClassLoader" | "java/net/URLClassLoader",
            _,
        ) => {
            return class_loader::find(name);
        }
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
        _ => return system::find(class, name, descriptor),
    })
}

/// `Object.clone`: a shallow copy (arrays are copied where they are invoked on).
fn clone(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    let cloneable = vm.library("java/lang/Cloneable")?;
    if !super::super::memory::is_instance(vm, state, id, cloneable)? {
        return Err(Effect::Raise("java/lang/CloneNotSupportedException"));
    }
    let copy = state.heap.get(id).clone();
    Ok(Some(Value::obj(state.heap.push(copy))))
}
