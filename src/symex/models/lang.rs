//! `Object`, `Throwable`, `Class`, `System` and `Math` where they are native or reach into the JVM.

use super::super::effect::{Effect, Step, Stop};
use super::super::heap::{Body, Slot};
use super::super::memory::prim_of;
use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use super::{Model, object, prim};

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    Some(match (class, name) {
        ("java/lang/Object", "<init>")
        | ("java/lang/Number", "<init>")
        | ("java/lang/Record", "<init>") => |_, _, _| Ok(None),
        ("java/lang/Throwable", "fillInStackTrace") => |_, _, args| Ok(args.first().copied()),
        (
            "java/lang/Throwable",
            "getStackTrace" | "printStackTrace" | "setStackTrace" | "addSuppressed",
        ) => |_, _, _| Err(Stop::unsupported("unsupported-native", "stack traces").into()),
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
        ("java/lang/Class", "desiredAssertionStatus") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let Body::Mirror(name) = &state.heap.get(id).body else {
                return Ok(None);
            };
            let name = name.clone();
            let class = vm.linker.resolve_for(&name, crate::verdict::Version::New)?;
            let on = i32::from(vm.linker.class(class).project);
            Ok(Some(Value::Prim(vm.pool.int(on))))
        },
        ("java/lang/Class", "getPrimitiveClass") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let Body::Str(text) = state.heap.get(id).body.clone() else {
                return Ok(None);
            };
            let name = String::from_utf16_lossy(&text.units(&vm.pool).unwrap_or_default());
            vm.mirror(state, &std::sync::Arc::from(name)).map(Some)
        },
        (
            "java/lang/Class",
            "isInstance" | "getName" | "getSimpleName" | "cast" | "getComponentType",
        ) => |_, _, _| Err(Stop::unsupported("unsupported-native", "java.lang.Class").into()),
        (_, "registerNatives") => |_, _, _| Ok(None),
        // Without an archive of class data, everything is made as the JDK's own code makes it.
        (
            "jdk/internal/misc/CDS",
            "isDumpingClassList0" | "isDumpingArchive0" | "isSharingEnabled0",
        ) => |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0)))),
        ("jdk/internal/misc/CDS", "initializeFromArchive") => |_, _, _| Ok(None),
        ("java/lang/reflect/Array", "getLength") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            match &state.heap.get(id).body {
                Body::Array { len, .. } => Ok(Some(Value::Prim(*len))),
                _ => Err(Effect::Raise("java/lang/IllegalArgumentException")),
            }
        },
        // Replays run without a security manager, as programs do today.
        ("java/lang/System", "getSecurityManager") => |_, _, _| Ok(Some(Value::NULL)),
        ("java/lang/System", "arraycopy") => array_copy,
        ("java/lang/Math" | "java/lang/StrictMath", "sqrt") => |vm, _, args| {
            let x = prim(vm, args, 0);
            Ok(Some(Value::Prim(vm.pool.fsqrt(x))))
        },
        ("java/lang/Math", "abs") if descriptor == "(D)D" || descriptor == "(F)F" => {
            |vm, _, args| {
                let x = prim(vm, args, 0);
                Ok(Some(Value::Prim(vm.pool.fabs(x))))
            }
        }
        _ => return None,
    })
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
    if x != y && &**y != "Ljava/lang/Object;" {
        return Err(Stop::unsupported(
            "symbolic-array-copy",
            "System.arraycopy between array types",
        )
        .into());
    }
    if at < 0 || dest < 0 || count < 0 || at + count > m || dest + count > n {
        return Err(Effect::Raise("java/lang/ArrayIndexOutOfBoundsException"));
    }
    let copied: Vec<Slot> = values[at as usize..(at + count) as usize]
        .iter()
        .map(|s| state.view(s))
        .collect();
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
