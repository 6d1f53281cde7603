//! Type tests: `checkcast` and `instanceof`, on references that may be null or differ by version (JVMS §6.5).

use crate::model::Version;
use crate::symex::class::ClassId;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::state::{State, passed};
use crate::symex::value::{ObjId, Value};
use crate::symex::vm::assemble::parts;
use crate::symex::vm::memory::null_or_object;
use crate::symex::vm::{Vm, per_version};
use std::sync::Arc;

pub(in crate::symex) fn check_cast(vm: &mut Vm, state: &mut State, name: &Arc<str>) -> Step<()> {
    let Some((id, null)) = parts(vm, state, 0)? else {
        state.advance();
        return Ok(());
    };
    let target = vm.resolve(state, name)?;
    if is_instance(vm, state, id, target)? {
        state.advance();
        return Ok(());
    }
    match null {
        Some(null) => Err(null_or_object(&mut vm.pool, 0, null, id)),
        None => Err(Interruption::Raise("java/lang/ClassCastException")),
    }
}

/// Whether the object's class is `target` or below it; the versions part where they do not agree.
pub(in crate::symex) fn is_instance(
    vm: &mut Vm,
    state: &State,
    id: ObjId,
    target: ClassId,
) -> Step<bool> {
    let class = state.heap.get(id).class;
    if let Body::Lambda(lambda) = &state.heap.get(id).body
        && lambda.markers.contains(&vm.linker.class(target).name)
    {
        return Ok(true);
    }
    if let Body::Proxy(proxy) = &state.heap.get(id).body {
        let target = vm.linker.class(target).name.clone();
        return crate::symex::vm::proxy_types::is_instance(vm, state, proxy, &target);
    }
    if let Some(version) = state.version() {
        return Ok(vm.linker.is_subclass(class, target, version)?);
    }
    let old = vm.linker.is_subclass(class, target, Version::Old)?;
    let new = vm.linker.is_subclass(class, target, Version::New)?;
    if old == new {
        Ok(new)
    } else {
        Err(per_version(state))
    }
}

pub(in crate::symex) fn instance_of(vm: &mut Vm, state: &mut State, name: &Arc<str>) -> Step<()> {
    let found = parts(vm, state, 0)?;
    let (id, null) = found.map_or((None, None), |(id, null)| (Some(id), null));
    let target = vm.resolve(state, name)?;
    let (zero, one) = (vm.pool.int(0), vm.pool.int(1));
    let is = match id {
        Some(id) => is_instance(vm, state, id, target)?,
        None => false,
    };
    let result = match (is, null) {
        (false, _) => zero,
        (true, None) => one,
        (true, Some(null)) => vm.pool.ite(null, zero, one),
    };
    passed::class_asked(state);
    state.pop();
    state.push_same(Value::Prim(result));
    state.advance();
    Ok(())
}
