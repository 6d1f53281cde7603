//! Values that the driver puts together without looking at them: arrays of symbolic length, and choices that are settled when
//! the program looks.

use super::super::class::Method;
use super::super::effect::{Act, Effect, Step, Stop};
use super::super::heap::{Body, Choice, Slot};
use super::super::shadow::Shadow;
use super::super::state::State;
use super::super::synthetic;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::{Vm, per_version};
use crate::bytecode::class_file::{Const, Insn, InvokeKind};
use crate::expr::Term;
use std::rc::Rc;
use std::sync::Arc;

/// The class of the driver's own instruction, which no class file can name.
const CLASS: &str = "<driver>";

/// What is made of the topmost operands.
#[derive(Clone, Debug)]
pub(in super::super) enum Assembly {
    /// An array of symbolic length.
    Array {
        /// Null under this condition.
        null: Term,
        /// Descriptor of an element.
        element: Arc<str>,
        /// Its length.
        len: Term,
        /// How many operands it takes.
        capacity: usize,
    },
    /// One of the operands, none of which is null.
    Choice {
        /// Null under this condition.
        null: Term,
        /// Each operand's condition.
        conditions: Vec<Term>,
        /// The type that has more values than these.
        bound: Option<Arc<str>>,
    },
    /// A lambda that gives the operand on every call.
    Lambda {
        /// The functional interface.
        class: Arc<str>,
        /// The interface's method.
        method: Rc<Method>,
        /// Whether there is an operand; not where the method is void.
        has_result: bool,
    },
}

/// The instructions that put the topmost operands together as the `index`th assembly of the input says.
pub(in super::super) fn instructions(index: usize) -> [Insn; 2] {
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
pub(in super::super) fn is_assembly(class: &str) -> bool {
    class == CLASS
}

/// Runs the driver's own instruction.
pub(in super::super) fn assemble(vm: &mut Vm, state: &mut State) -> Step<()> {
    let index = match state.peek(0) {
        Shadow::Same(Value::Prim(t)) => vm.pool.as_i64(t),
        _ => None,
    };
    let shape = state.shape.clone();
    let assembly = index.and_then(|i| shape.assemblies.get(i as usize));
    let Some(assembly) = assembly else {
        return Err(Stop::unsupported("internal", "unknown part of an input").into());
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
    let one = |(condition, slot): (&Term, Slot)| match slot {
        Shadow::Same(Value::Ref(Ref::Obj(id))) => Ok((*condition, id)),
        Shadow::Split { .. } => Err(per_version(state)),
        Shadow::Same(_) => Err(Stop::unsupported("internal", "a choice of null").into()),
    };
    conditions.iter().zip(slots).map(one).collect()
}

/// The object that `id` stands for; where that is an open choice, the driver decides it first.
pub(in super::super) fn settled(vm: &mut Vm, state: &State, id: ObjId) -> Step<ObjId> {
    let choice = match state.heap.chosen(id) {
        Ok(id) => return Ok(id),
        Err(choice) => choice,
    };
    if let Some(bound) = &choice.bound {
        vm.touched
            .insert(("input-variety", bound.replace('/', ".")));
    }
    let each = choice.of.iter();
    Err(Effect::Choose(
        each.map(|(condition, to)| (Shadow::Same(*condition), Act::Settle(id, *to)))
            .collect(),
    ))
}

/// Whether it is open what the object is.
pub(in super::super) fn is_open(state: &State, id: ObjId) -> bool {
    state.heap.chosen(id).is_err()
}

/// A reference's object once settled, for looking at a class; `None` for null. Null is decided before the choice.
pub(in super::super) fn parts(
    vm: &mut Vm,
    state: &State,
    depth: usize,
) -> Step<Option<(ObjId, Option<Term>)>> {
    Ok(match state.peek(depth) {
        Shadow::Same(Value::Ref(Ref::Obj(id))) => Some((settled(vm, state, id)?, None)),
        Shadow::Same(Value::Ref(Ref::Maybe { null, obj })) if is_open(state, obj) => {
            return Err(super::super::memory::settle(&mut vm.pool, depth, null, obj));
        }
        Shadow::Same(Value::Ref(Ref::Maybe { null, obj })) => {
            Some((settled(vm, state, obj)?, Some(null)))
        }
        Shadow::Same(_) => None,
        Shadow::Split { .. } => return Err(per_version(state)),
    })
}
