//! Type tests of dynamic proxies (`java.lang.reflect.Proxy`).

use crate::symex::state::State;
use crate::symex::state::heap::Proxy;
use crate::symex::state::interruption::Step;
use crate::symex::vm::Vm;
use crate::symex::vm::declared::declared;
use std::sync::Arc;

/// The class of all proxies.
pub(in crate::symex) const PROXY: &str = "java/lang/reflect/Proxy";

/// Whether a proxy is of a class or interface: of its interfaces, of what they extend, and of `Proxy`.
pub(in crate::symex) fn is_instance(
    vm: &Vm,
    state: &State,
    proxy: &Proxy,
    target: &Arc<str>,
) -> Step<bool> {
    if [PROXY, "java/lang/Object", "java/io/Serializable"].contains(&&**target) {
        return Ok(true);
    }
    let mut todo = proxy.interfaces.clone();
    while let Some(name) = todo.pop() {
        if name == *target {
            return Ok(true);
        }
        todo.extend(declared(vm, state, &name)?.interfaces.iter().cloned());
    }
    Ok(false)
}
