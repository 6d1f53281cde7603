//! `System.exit`: an uncatchable throwable that carries the exit code to the end of the path.

use crate::bytecode::class_file::{Insn, InvokeKind, MemberRef, Prim};
use crate::symex::state::State;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Value};
use crate::symex::vm::Vm;
use std::sync::Arc;

/// The class of what carries it. No program can make one that does: a number is in the place of its message.
const CARRIER: &str = "java/lang/UnknownError";
const MESSAGE: (&str, &str) = ("detailMessage", "Ljava/lang/String;");

/// The code that a thrown object carries.
pub(in crate::symex) fn code(vm: &Vm, state: &State, id: ObjId) -> Option<Slot> {
    let obj = state.heap.get(id);
    let class = vm.linker.class(obj.class);
    if &*class.name != CARRIER {
        return None;
    }
    let Body::Fields(slots) = &obj.body else {
        return None;
    };
    let slot = slots.get(class.field(MESSAGE.0, MESSAGE.1)?)?;
    // Where one version runs alone, the other's side is as it was.
    let number = |value: &Value| matches!(value, Value::Prim(_));
    let carried = match slot {
        Shadow::Same(value) => number(value),
        Shadow::Split { old, new } => number(old) || number(new),
    };
    carried.then_some(*slot)
}

/// What stands for the body of a method that exits with the code in that local.
pub(in crate::symex) fn body(local: u16) -> Vec<Insn> {
    let member = |class: &str, name: &str, descriptor: &str| {
        Arc::new(MemberRef {
            class: Arc::from(class),
            name: Arc::from(name),
            descriptor: Arc::from(descriptor),
        })
    };
    vec![
        Insn::New(Arc::from(CARRIER)),
        Insn::Dup,
        Insn::Invoke(InvokeKind::Special, member(CARRIER, "<init>", "()V")),
        Insn::Dup,
        Insn::Load(Some(Prim::Int), local),
        Insn::PutField(member("java/lang/Throwable", MESSAGE.0, MESSAGE.1)),
        Insn::Athrow,
    ]
}
