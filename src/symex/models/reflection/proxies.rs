//! `java.lang.reflect.Proxy`: objects of classes that are made at run time.

use super::super::super::class::access;
use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::super::vm::{Vm, per_version};
use super::super::mirror::mirrored;
use super::super::object;
use super::{declaration, unsupported};
use crate::symex::state::heap::{Body, Proxy};
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Model;
use std::sync::Arc;

pub(super) fn find(name: &str) -> Option<Model> {
    Some(match name {
        "newProxyInstance" => new_instance,
        "isProxyClass" => |vm, state, args| {
            // No object tells the class of a proxy.
            mirrored(vm, state, args, 0)?;
            Ok(Some(Value::Prim(vm.pool.int(0))))
        },
        "getInvocationHandler" => |vm, state, args| {
            let id = object(vm, args, 0)?;
            match &state.heap.get(id).body {
                Body::Proxy(proxy) => Ok(Some(Value::obj(proxy.handler))),
                _ => Err(Interruption::Raise("java/lang/IllegalArgumentException")),
            }
        },
        _ => |_, _, _| Err(unsupported("a proxy class")),
    })
}

fn new_instance(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let handler = object(vm, args, 2)?;
    let interfaces = interfaces(vm, state, args)?;
    let Some(first) = interfaces.first().cloned() else {
        return Err(unsupported("a proxy without an interface"));
    };
    let class = vm.resolve(state, &first)?;
    let proxy = Proxy {
        interfaces,
        handler,
    };
    let id = state.heap.alloc(class, Body::Proxy(Arc::new(proxy)));
    Ok(Some(Value::obj(id)))
}

/// The names in the array of interfaces. What the JDK would refuse gives up.
fn interfaces(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Vec<Arc<str>>> {
    let array = object(vm, args, 1)?;
    let Body::Array { len, values, .. } = &state.heap.get(array).body else {
        return Err(unsupported("a proxy's interfaces"));
    };
    let len = vm.pool.as_i64(*len).and_then(|n| usize::try_from(n).ok());
    let Some(slots) = len.and_then(|len| values.get(..len)) else {
        return Err(unsupported("a proxy of an open number of interfaces"));
    };
    let each: Vec<_> = slots.iter().map(|s| state.view(s)).collect();
    let mut all: Vec<Arc<str>> = Vec::new();
    for slot in each {
        let Shadow::Same(value) = slot else {
            return Err(per_version(state));
        };
        let one = [value];
        let name = match value {
            Value::Ref(super::super::super::value::Ref::Obj(_)) => mirrored(vm, state, &one, 0)?,
            _ => return Err(unsupported("a proxy's interface that is null")),
        };
        let file = declaration(vm, state, &one, 0)?;
        let fits = file
            .is_some_and(|f| f.access & access::INTERFACE != 0 && f.reflected.permitted.is_none());
        if !fits || all.contains(&name) {
            return Err(unsupported("a proxy of what is no interface of its own"));
        }
        all.push(name);
    }
    Ok(all)
}
