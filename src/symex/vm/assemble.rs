//! Values that the driver puts together without looking at them: arrays of symbolic length, and choices that are settled when
//! the program looks.

use crate::bytecode::class_file::{Const, Insn, InvokeKind};
use crate::expr::Term;
use crate::model::Spelling;
use crate::model::reason::Reason;
use crate::symex::state::State;
use crate::symex::state::assembly::Assembly;
use crate::symex::state::heap::{Body, Choice, Slot};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::{Vm, per_version, synthetic};
use std::sync::Arc;

/// The class of the driver's own instruction, which no class file can name.
const CLASS: &str = "<driver>";

/// The instructions that put the topmost operands together as the `index`th assembly of the input says.
pub(in crate::symex) fn instructions(index: usize) -> [Insn; 2] {
    [
        Insn::Const(Const::Int(index as i32)),
        synthetic::invoke(
            InvokeKind::Static,
            CLASS,
            "assemble",
            "(I)Ljava/lang/Object;",
        ),
    ]
}

/// Whether an invocation is the driver's own instruction.
pub(in crate::symex) fn is_assembly(class: &str) -> bool {
    class == CLASS
}

/// Runs the driver's own instruction.
pub(in crate::symex) fn assemble(vm: &mut Vm, state: &mut State) -> Step<()> {
    let index = match state.peek(0) {
        Shadow::Same(Value::Prim(t)) => vm.pool.as_i64(t),
        _ => None,
    };
    let shape = state.shape.clone();
    let assembly = index.and_then(|i| shape.assemblies.get(i as usize));
    let Some(assembly) = assembly else {
        return Err(Stop::unsupported(Reason::Internal, "unknown part of an input").into());
    };
    let (null, body, class, count) = match assembly {
        Assembly::Array {
            null,
            element,
            len,
            capacity,
        } => {
            let class = vm.resolve(state, &Arc::from(format!("[{element}")))?;
            let values = (0..*capacity).rev().map(|i| state.peek(i + 1)).collect();
            let body = Body::Array {
                element: element.clone(),
                len: *len,
                values,
            };
            (*null, body, class, *capacity)
        }
        Assembly::Choice {
            null,
            conditions,
            bound,
        } => {
            let of = alternatives(state, conditions)?;
            let class = vm.library("java/lang/Object")?;
            let bound = bound.clone();
            let body = Body::Choice(Choice { of, bound });
            (*null, body, class, conditions.len())
        }
        Assembly::Lambda {
            class,
            method,
            has_result,
        } => {
            let class = vm.resolve(state, &class.clone())?;
            let body = Body::Constantly {
                method: method.name.clone(),
                result: has_result.then(|| state.peek(1)),
            };
            (vm.pool.bool(false), body, class, usize::from(*has_result))
        }
    };
    for _ in 0..=count {
        state.pop();
    }
    let obj = state.heap.alloc(class, body);
    let value = match vm.pool.as_bool(null) {
        Some(false) => Value::obj(obj),
        _ => Value::Ref(Ref::Maybe { null, obj }),
    };
    state.push_same(value);
    state.advance();
    Ok(())
}

fn alternatives(state: &State, conditions: &[Term]) -> Step<Vec<(Term, ObjId)>> {
    let slots = (0..conditions.len()).rev().map(|i| state.peek(i + 1));
    let alternative = |(condition, slot): (&Term, Slot)| match slot {
        Shadow::Same(Value::Ref(Ref::Obj(id))) => Ok((*condition, id)),
        Shadow::Split { .. } => Err(per_version(state)),
        Shadow::Same(_) => Err(Stop::unsupported(Reason::Internal, "a choice of null").into()),
    };
    conditions.iter().zip(slots).map(alternative).collect()
}

/// The object that `id` stands for; where that is an open choice, the driver decides it first.
pub(in crate::symex) fn settled(vm: &mut Vm, state: &State, id: ObjId) -> Step<ObjId> {
    let choice = match state.heap.chosen(id) {
        Ok(id) => return Ok(id),
        Err(choice) => choice,
    };
    if let Some(bound) = &choice.bound {
        vm.touched.insert((Reason::InputVariety, bound.dotted()));
    }
    let each = choice.of.iter();
    Err(Interruption::Choose(
        each.map(|(condition, to)| (Shadow::Same(*condition), Act::Settle(id, *to)))
            .collect(),
    ))
}

/// Whether it is open what the object is.
pub(in crate::symex) fn is_open(state: &State, id: ObjId) -> bool {
    state.heap.chosen(id).is_err()
}

/// A reference's object once settled, for looking at a class; `None` for null. Null is decided before the choice.
pub(in crate::symex) fn parts(
    vm: &mut Vm,
    state: &State,
    depth: usize,
) -> Step<Option<(ObjId, Option<Term>)>> {
    Ok(match state.peek(depth) {
        Shadow::Same(Value::Ref(Ref::Obj(id))) => Some((settled(vm, state, id)?, None)),
        Shadow::Same(Value::Ref(Ref::Maybe { null, obj })) if is_open(state, obj) => {
            return Err(crate::symex::vm::memory::null_or_object(
                &mut vm.pool,
                depth,
                null,
                obj,
            ));
        }
        Shadow::Same(Value::Ref(Ref::Maybe { null, obj })) => {
            Some((settled(vm, state, obj)?, Some(null)))
        }
        Shadow::Same(_) => None,
        Shadow::Split { .. } => return Err(per_version(state)),
    })
}
