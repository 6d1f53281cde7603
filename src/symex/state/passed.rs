//! Decisions that turn on which object a caller passes: the ways to make an object are states of their own, so that no formula names
//! them.

use crate::bytecode::class_file::Insn;
use crate::model::Version;
use crate::symex::state::heap::Slot;
use crate::symex::state::{State, decision};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{Ref, Value};

/// Classes of the JDK that compare two objects for their callers.
const COMPARING: [&str; 3] = ["java/lang/Enum", "java/lang/Object", "java/util/Objects"];

/// Notes a comparison of references whose result is known in both versions, before its operands are popped, where one of them is an
/// argument. That an argument is not null is worth no word, save where the versions part.
pub(in crate::symex) fn compared(state: &mut State, insn: &Insn, jumped: [bool; 2]) {
    let operands = match insn {
        Insn::IfNull(..) => 1,
        Insn::IfAcmp(..) => 2,
        _ => return,
    };
    let is_told = |slot: &Slot| {
        let is_null = *slot == Shadow::Same(Value::NULL);
        is_passed(state, slot) && (operands == 2 || is_null || jumped[0] != jumped[1])
    };
    if is_in_reach(state) && (0..operands).any(|i| is_told(&state.peek(i))) {
        decision::known(state, jumped);
    }
}

/// Notes that the class of an argument is asked for; the branch behind it says the answer.
pub(in crate::symex) fn class_asked(state: &mut State) {
    if is_in_reach(state) && is_passed(state, &state.peek(0)) {
        decision::asked(state);
    }
}

/// Notes that a switch asks which constant of an enum it is, of a type that the entry takes (javac, JLS 14.11: a table at the ordinal).
pub(in crate::symex) fn switched(state: &mut State) {
    let Some(frame) = state.frame() else { return };
    let before = frame.pc.checked_sub(2).map(|at| at as usize);
    let insns = frame.method.code.as_ref().map(|code| &code.insns);
    let asks = before.zip(insns).and_then(|(at, insns)| insns.get(at));
    if let Some(Insn::Invoke(_, method)) = asks
        && *method.name == *"ordinal"
        && takes(state, &method.class)
    {
        decision::asked(state);
    }
}

/// Whether the entry has a parameter of that class, by its internal name.
fn takes(state: &State, class: &str) -> bool {
    let descriptor = &state.shape.entry.descriptor;
    let parameters = descriptor.split(')').next().unwrap_or_default();
    parameters.contains(&format!("L{class};"))
}

/// Whether the project's own code runs, or what compares for it.
fn is_in_reach(state: &State) -> bool {
    state.frame().is_some_and(|frame| {
        let method = &frame.method;
        method.project || COMPARING.contains(&&*method.class_name)
    })
}

/// Whether it is an argument of the input, in one of the versions.
fn is_passed(state: &State, slot: &Slot) -> bool {
    let Some(driver) = state.thread.frames.first() else {
        return false;
    };
    let is_it = |argument: &Slot| {
        let is_object = matches!(argument, Shadow::Same(Value::Ref(Ref::Null | Ref::Obj(_))));
        let is_seen = |v: &Version| argument.get(*v) == slot.get(*v);
        is_object && Version::BOTH.iter().any(is_seen)
    };
    let mut locals = state.shape.arg_locals.iter();
    locals.any(|i| driver.locals.get(*i).is_some_and(is_it))
}
