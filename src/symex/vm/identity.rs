//! The identity of strings, as far as it is known; the library decides which strings share an object.

use crate::expr::Term;
use crate::model::reason::Reason;
use crate::symex::state::State;
use crate::symex::state::heap::Body;
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

/// Whether a string is an object that nothing else in the program is: a literal, an input, or made by `new`.
fn is_settled(state: &State, id: ObjId) -> bool {
    state.heap.get(id).distinct
}

/// Whether two strings at different places of the heap are one object.
pub(in crate::symex) fn same_string(vm: &mut Vm, state: &State, a: ObjId, b: ObjId) -> Step<Term> {
    let no = vm.pool.bool(false);
    if is_shortcut(state) || state.frame().is_some_and(|f| f.passed >= 1) {
        return Ok(no);
    }
    if is_settled(state, a) && is_settled(state, b) {
        if [a, b].iter().any(|id| state.shape.objects.contains(&id.0)) {
            let why = "an input string is no literal and no other input";
            vm.touched.insert((Reason::Aliasing, why.into()));
        }
        return Ok(no);
    }
    match equal_text(vm, state, a, b).and_then(|t| vm.pool.as_bool(t)) {
        Some(false) => Ok(no),
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
