//! The identity of strings, as far as it is known; the library decides which strings share an object.

use crate::expr::Term;
use crate::model::reason::Reason;
use crate::symex::state::State;
use crate::symex::state::heap::{Body, Identity};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::Vm;

/// Whether the running method compares objects by identity only to spare itself a call of `equals`, which follows.
pub(in crate::symex) fn is_shortcut(state: &State) -> bool {
    const SHORTCUTS: [&str; 7] = [
        "java/util/Objects",
        "java/util/HashMap",
        "java/util/HashMap$Node",
        "java/util/HashMap$TreeNode",
        "java/util/concurrent/ConcurrentHashMap",
        "java/util/concurrent/ConcurrentHashMap$Node",
        "sun/util/locale/LocaleUtils",
    ];
    state
        .frame()
        .is_some_and(|f| SHORTCUTS.contains(&&*f.method.class_name))
}

/// Whether it is known which strings are the same object as one.
fn is_settled(state: &State, id: ObjId) -> bool {
    state.heap.get(id).identity != Identity::Unknown
}

/// The condition that a string is a literal; `None` where the library decides.
fn is_literal(vm: &mut Vm, state: &State, id: ObjId) -> Option<Term> {
    Some(match state.heap.get(id).identity {
        Identity::Unknown => return None,
        Identity::New => vm.pool.bool(false),
        Identity::Literal => vm.pool.bool(true),
        Identity::Input(copied) => vm.pool.not(copied),
    })
}

/// Whether two strings at different places of the heap are one object.
pub(in crate::symex) fn same_string(vm: &mut Vm, state: &State, a: ObjId, b: ObjId) -> Step<Term> {
    let no = vm.pool.bool(false);
    if is_shortcut(state) || state.frame().is_some_and(|f| f.passed >= 1) {
        return Ok(no);
    }
    let literal = |vm: &mut Vm| Some((is_literal(vm, state, a)?, is_literal(vm, state, b)?));
    let both = literal(vm).map(|(a, b)| vm.pool.and(a, b));
    if both.is_some_and(|both| vm.pool.as_bool(both) == Some(false)) {
        return Ok(no);
    }
    let equal = equal_text(vm, state, a, b);
    match (equal.and_then(|t| vm.pool.as_bool(t)), equal, both) {
        (Some(false), ..) => Ok(no),
        (_, Some(equal), Some(both)) => Ok(vm.pool.and(equal, both)),
        _ => Err(unknown().into()),
    }
}

fn unknown() -> Stop {
    Stop::unsupported(Reason::StringIdentity, "strings compared by ==")
}

fn equal_text(vm: &mut Vm, state: &State, a: ObjId, b: ObjId) -> Option<Term> {
    let (Body::Str(x), Body::Str(y)) = (&state.heap.get(a).body, &state.heap.get(b).body) else {
        return None;
    };
    x.equals(&mut vm.pool, y)
}

/// Before two references are compared that both versions share: strings of different content are different objects, so only
/// the side where they are equal is given up.
pub(in crate::symex) fn decide(vm: &mut Vm, state: &State, a: &Value, b: &Value) -> Step<()> {
    let object = |v: &Value| match v {
        Value::Ref(Ref::Obj(id) | Ref::Maybe { obj: id, .. }) => Some(*id),
        _ => None,
    };
    let (Some(a), Some(b)) = (object(a), object(b)) else {
        return Ok(());
    };
    let settled = is_settled(state, a) && is_settled(state, b);
    let passed = state.frame().is_some_and(|f| f.passed >= 1);
    if a == b || settled || passed || is_shortcut(state) {
        return Ok(());
    }
    match equal_text(vm, state, a, b) {
        Some(equal) if !vm.pool.is_const(equal) => {
            let differ = vm.pool.not(equal);
            Err(Interruption::Choose(vec![
                (Shadow::Same(differ), Act::Pass(1)),
                (Shadow::Same(equal), Act::GiveUp(unknown())),
            ]))
        }
        _ => Ok(()),
    }
}

/// A static field whose value differs from run to run: the iteration order of `Set.of` and `Map.of`.
pub(in crate::symex) fn differs_by_run(class: &str, field: &str) -> bool {
    class == "java/util/ImmutableCollections" && matches!(field, "SALT32L" | "REVERSE" | "SALT")
}
