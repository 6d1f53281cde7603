//! `invokedynamic` (JVMS §6.5): string concatenation, lambdas and method references, records' methods, pattern switches.

use crate::bytecode::class_file::{Const, DynamicRef};
use crate::model::Spelling;
use crate::model::reason::Reason;
use crate::symex::class::linker::class_name_of;
use crate::symex::class::{Key, Origin, split_descriptor};
use crate::symex::interp::annotation::has_changes;
use crate::symex::interp::bootstraps;
use crate::symex::interp::invoke::{call, frame};
use crate::symex::state::heap::{Body, Lambda, Slot};
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::state::{Singleton, State};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Value};
use crate::symex::vm::{Vm, synthetic};
use std::sync::Arc;

/// Runs an `invokedynamic` instruction.
pub(in crate::symex) fn dynamic(
    vm: &mut Vm,
    state: &mut State,
    site: &Arc<DynamicRef>,
) -> Step<()> {
    let (params, result) = split_descriptor(&site.descriptor);
    let (name, body) = match (&*site.bootstrap.class, &*site.bootstrap.name) {
        ("java/lang/invoke/StringConcatFactory", _) => {
            ("concat", synthetic::concat(site, &params)?)
        }
        ("java/lang/invoke/LambdaMetafactory", _) => {
            return lambda(vm, state, site, &params, &result);
        }
        ("java/lang/runtime/ObjectMethods", _) => {
            let simple = match site.args.first() {
                Some(Const::Class(record)) => vm.linker.simple_name(record)?,
                _ => String::new(),
            };
            ("record", bootstraps::record_method(site, &simple)?)
        }
        ("java/lang/runtime/SwitchBootstraps", _) => ("switch", bootstraps::pattern_switch(site)?),
        (class, name) => {
            let what = format!("{}.{}", class.dotted(), name);
            return Err(Stop::unsupported(Reason::UnsupportedInvokedynamic, what).into());
        }
    };
    let (class, origin) = synthetic::caller(vm, state)?;
    let method = synthetic::method(name, class, origin, body.0, body.1);
    call(vm, state, &method, params.len())
}

/// `LambdaMetafactory.metafactory` and `altMetafactory`: an object with the captured values.
fn lambda(
    vm: &mut Vm,
    state: &mut State,
    site: &DynamicRef,
    params: &[Arc<str>],
    result: &str,
) -> Step<()> {
    let (Some(Const::MethodHandle(target)), Some(Const::MethodType(instantiated))) =
        (site.args.get(1), site.args.get(2))
    else {
        let what = "lambda without a target";
        return Err(Stop::unsupported(Reason::UnsupportedInvokedynamic, what).into());
    };
    let interface: Arc<str> = Arc::from(class_name_of(result).unwrap_or_default());
    let class = vm.resolve(state, &interface)?;
    let origin = state.frame().map_or(Origin::Library, |f| f.method.origin);
    let mut captured: Vec<Slot> = params.iter().map(|_| state.pop()).collect();
    captured.reverse();
    let lambda = Lambda {
        method: site.name.clone(),
        target: target.clone(),
        instantiated: instantiated.clone(),
        markers: markers(site),
        captured,
        origin,
    };
    // Whoever holds it holds something else in each version, though it is one object.
    let own = target.name.starts_with("lambda$");
    if !state.split_seen
        && (lambda.captured.iter().any(Shadow::is_split) || own && has_changes(vm, target))
    {
        state.split_seen = true;
    }
    let place = params.is_empty().then(|| place(state));
    let known = place.as_ref().and_then(|p| state.singletons.get(p));
    let id = match known {
        Some(id) => *id,
        None => state.heap.alloc(class, Body::Lambda(Arc::new(lambda))),
    };
    if let Some(place) = place {
        state.singletons.insert_mut(place, id);
    }
    state.push_same(Value::obj(id));
    state.advance();
    Ok(())
}

/// Further interfaces that `altMetafactory` gives a lambda (its flags: 1 serialisable, 2 marker interfaces).
fn markers(site: &DynamicRef) -> Vec<Arc<str>> {
    let Some(Const::Int(flags)) = site.args.get(3) else {
        return Vec::new();
    };
    let serialisable = (flags & 1 != 0).then(|| Arc::from("java/io/Serializable"));
    let count = match site.args.get(4) {
        Some(Const::Int(count)) if flags & 2 != 0 => *count as usize,
        _ => 0,
    };
    let named = site.args.iter().skip(5).take(count);
    let named = named.filter_map(|arg| match arg {
        Const::Class(name) => Some(name.clone()),
        _ => None,
    });
    serialisable.into_iter().chain(named).collect()
}

/// The name of the call site the state stands at: without captured values, it gives one object every time (as HotSpot does;
/// JLS §15.27.4 leaves it open).
fn place(state: &State) -> Singleton {
    let site = state.frame().map_or_else(String::new, |f| {
        format!("{} {:?} {}", f.method.display(), f.method.origin, f.pc)
    });
    Singleton::Lambda(site)
}

/// The call of a lambda that gives the same value on every call.
fn give(state: &mut State, key: &Key, result: Option<Slot>) -> Step<()> {
    for _ in 0..=split_descriptor(&key.1).0.len() {
        state.pop();
    }
    if let Some(value) = result {
        let value = state.view(&value);
        state.push(value);
    }
    state.advance();
    Ok(())
}

/// Runs a lambda's interface method.
pub(in crate::symex) fn call_lambda(
    vm: &mut Vm,
    state: &mut State,
    id: ObjId,
    key: &Key,
) -> Step<()> {
    if let Body::Constantly { result, .. } = state.heap.get(id).body.clone() {
        return give(state, key, result);
    }
    let Body::Lambda(lambda) = state.heap.get(id).body.clone() else {
        return Ok(());
    };
    let (params, result) = split_descriptor(&key.1);
    let (class, _) = synthetic::caller(vm, state)?;
    let (locals, insns) = synthetic::adapter(&lambda, &params, &result)?;
    let method = synthetic::method("lambda", class, lambda.origin, locals, insns);
    let mut args: Vec<Slot> = params.iter().map(|_| state.pop()).collect();
    state.pop();
    args.reverse();
    let captured = lambda.captured.iter().map(|c| state.view(c));
    let all: Vec<Slot> = captured.chain(args).collect();
    let frame = frame(vm, method, usize::from(locals), &all);
    state.thread.frames.push(Arc::new(frame));
    Ok(())
}
