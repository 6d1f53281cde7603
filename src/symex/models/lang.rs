//! `Object`, `Throwable` and `System.arraycopy` where they are native or reach into the JVM.

use super::super::effect::{Effect, Step, Stop};
use super::super::heap::{Body, Slot};
use super::super::linker::class_name_of;
use super::super::memory::prim_of;
use super::super::shadow::Shadow;
use super::super::state::State;
use super::super::value::{Ref, Value};
use super::super::vm::Vm;
use super::{
    Model, class_loader, math, mirror, object, prim, reflect_array, reflection, system,
    unsafe_memory, var_handle,
};
use crate::verdict::Version;

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
                Body::Lambda(_) | Body::Constantly { .. } | Body::Proxy(_)
            ) {
                let what = "class of a lambda or proxy";
                return Err(Stop::unsupported("unsupported-native", what).into());
            }
            let class = state.heap.get(id).class;
            let name = vm.linker.class(class).name.clone();
            vm.mirror(state, &name).map(Some)
        },
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
        ("java/lang/System", "arraycopy") => array_copy,
        _ => {
            return system::find(class, name, descriptor)
                .or_else(|| reflection::find(class, name, descriptor));
        }
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

fn array_copy(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (from, to) = (object(vm, args, 0)?, object(vm, args, 2)?);
    let number = |vm: &mut Vm, n: usize| {
        let t = prim(vm, args, n);
        vm.pool.as_i64(t)
    };
    let (Some(at), Some(dest), Some(count)) = (number(vm, 1), number(vm, 3), number(vm, 4)) else {
        return super::array_copy::copy(vm, state, args, (from, to));
    };
    let (a, b) = (state.heap.get(from), state.heap.get(to));
    let (
        Body::Array {
            element: x,
            len: m,
            values,
        },
        Body::Array {
            element: y, len: n, ..
        },
    ) = (&a.body, &b.body)
    else {
        return Err(Effect::Raise("java/lang/ArrayStoreException"));
    };
    let (Some(m), Some(n)) = (vm.pool.as_i64(*m), vm.pool.as_i64(*n)) else {
        return super::array_copy::copy(vm, state, args, (from, to));
    };
    if x != y && (prim_of(x).is_some() || prim_of(y).is_some()) {
        return Err(Effect::Raise("java/lang/ArrayStoreException"));
    }
    let (x, y) = (x.clone(), y.clone());
    if at < 0 || dest < 0 || count < 0 || at + count > m || dest + count > n {
        return Err(Effect::Raise("java/lang/ArrayIndexOutOfBoundsException"));
    }
    let copied: Vec<Slot> = values[at as usize..(at + count) as usize]
        .iter()
        .map(|s| state.view(s))
        .collect();
    if x != y {
        all_fit(vm, state, &x, &y, &copied)?;
    }
    let Body::Array { values: before, .. } = &state.heap.get(to).body else {
        return Ok(None);
    };
    let merged: Vec<Slot> = before[dest as usize..(dest + count) as usize]
        .iter()
        .zip(copied)
        .map(|(b, c)| state.merge(b, c))
        .collect();
    state.split_seen |= merged.iter().any(|s| s.is_split());
    if let Body::Array { values, .. } = &mut state.heap.get_mut(to).body {
        values[dest as usize..(dest + count) as usize].copy_from_slice(&merged);
    }
    Ok(None)
}

/// The check of each element where the arrays' types differ (`System.arraycopy`: what precedes a misfit is copied).
fn all_fit(vm: &mut Vm, state: &State, from: &str, to: &str, copied: &[Slot]) -> Step<()> {
    let class = |vm: &mut Vm, descriptor: &str| {
        let name = class_name_of(descriptor).unwrap_or_default();
        vm.resolve(state, &std::sync::Arc::from(name))
    };
    let (from, target) = (class(vm, from)?, class(vm, to)?);
    let version = state.version().unwrap_or(Version::New);
    if vm.linker.is_subclass(from, target, version)? {
        return Ok(());
    }
    for slot in copied {
        let fits = match slot {
            Shadow::Same(Value::Ref(Ref::Null)) => true,
            Shadow::Same(Value::Ref(Ref::Obj(id))) => {
                super::super::memory::is_instance(vm, state, *id, target)?
            }
            _ => false,
        };
        if !fits {
            let what = "System.arraycopy between array types";
            return Err(Stop::unsupported("symbolic-array-copy", what).into());
        }
    }
    Ok(())
}
