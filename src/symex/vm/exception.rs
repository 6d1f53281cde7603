//! The message of an exception.

use crate::model::Version;
use crate::symex::state::State;
use crate::symex::state::heap::Body;
use crate::symex::value::{ObjId, Value};
use crate::symex::vm::Vm;
use std::sync::Arc;

/// The message of an exception the program made, unless its class computes it.
pub(in crate::symex) fn message(
    vm: &mut Vm,
    state: &State,
    id: ObjId,
    version: Version,
) -> Option<Value> {
    let obj = state.heap.get(id);
    let class = vm.linker.class(obj.class).clone();
    let key = (Arc::from("getMessage"), Arc::from("()Ljava/lang/String;"));
    // A null pointer exception words its message itself only where the JVM made it.
    let plain = vm
        .linker
        .select(obj.class, &key, version)
        .is_some_and(|m| match &*m.class_name {
            "java/lang/Throwable" => true,
            "java/lang/NullPointerException" => !obj.jvm_made,
            _ => false,
        });
    if !plain {
        return None;
    }
    let index = class.field("detailMessage", "Ljava/lang/String;")?;
    let message = match &obj.body {
        Body::Fields(slots) => slots.get(index).map(|s| s.get(version)),
        _ => None,
    };
    message.filter(|m| !obj.jvm_made || *m != Value::NULL)
}
