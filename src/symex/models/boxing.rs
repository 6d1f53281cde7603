//! Boxes: `valueOf`, and identity of cached ones (JLS §5.1.7).

use super::super::state::State;
use super::super::value::{ObjId, Value};
use super::super::vm::Vm;
use super::made;
use super::prim;
use super::primitive_text;
use crate::bytecode::class_file::Prim;
use crate::expr::{Node, Term};
use crate::model::reason::Reason;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::primitive::box_prim;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Model;
use std::sync::Arc;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    let primitive = box_prim(class)? as char;
    if name == "valueOf" && descriptor == format!("({primitive})L{class};") {
        return Some(match class {
            "java/lang/Boolean" => |vm, state, args| value_of(vm, state, args, "java/lang/Boolean"),
            "java/lang/Byte" => |vm, state, args| value_of(vm, state, args, "java/lang/Byte"),
            "java/lang/Character" => {
                |vm, state, args| value_of(vm, state, args, "java/lang/Character")
            }
            "java/lang/Short" => |vm, state, args| value_of(vm, state, args, "java/lang/Short"),
            "java/lang/Integer" => |vm, state, args| value_of(vm, state, args, "java/lang/Integer"),
            "java/lang/Long" => |vm, state, args| value_of(vm, state, args, "java/lang/Long"),
            "java/lang/Float" => |vm, state, args| value_of(vm, state, args, "java/lang/Float"),
            _ => |vm, state, args| value_of(vm, state, args, "java/lang/Double"),
        });
    }
    if name == "toString" && descriptor == format!("({primitive})Ljava/lang/String;") {
        return Some(match primitive {
            'Z' => |vm, state, args| to_string(vm, state, args, "Z"),
            'C' => |vm, state, args| to_string(vm, state, args, "C"),
            'F' | 'D' => |vm, state, args| to_string(vm, state, args, "D"),
            _ => |vm, state, args| to_string(vm, state, args, "I"),
        });
    }
    let float: Option<Model> = match (class, name, descriptor) {
        ("java/lang/Double", "doubleToLongBits", _) | ("java/lang/Float", "floatToIntBits", _) => {
            Some(|vm, _, args| {
                let x = prim(vm, args, 0);
                Ok(Some(Value::Prim(vm.pool.f_bits(x))))
            })
        }
        ("java/lang/Double", "doubleToRawLongBits", _)
        | ("java/lang/Float", "floatToRawIntBits", _) => Some(raw_bits),
        ("java/lang/Double", "longBitsToDouble", _) => Some(|vm, _, args| {
            let x = prim(vm, args, 0);
            Ok(Some(Value::Prim(vm.pool.bits_f(crate::expr::Sort::F64, x))))
        }),
        ("java/lang/Float", "intBitsToFloat", _) => Some(|vm, _, args| {
            let x = prim(vm, args, 0);
            Ok(Some(Value::Prim(vm.pool.bits_f(crate::expr::Sort::F32, x))))
        }),
        _ => None,
    };
    float
}

/// Raw bits; of a NaN that was computed they depend on the processor and on what the JIT compiled, so that side gives up.
fn raw_bits(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let x = prim(vm, args, 0);
    let passed = state.frame().is_some_and(|f| f.passed >= 1);
    if !passed && !matches!(vm.pool.node(x), Node::Var(_)) && shows_bits(state) {
        let nan = vm.pool.is_nan(x);
        let stop = Stop::unsupported(Reason::NanBits, "raw bits of a NaN that may be computed");
        if vm.pool.as_bool(nan) == Some(true) {
            return Err(stop.into());
        }
        if vm.pool.as_bool(nan).is_none() {
            let number = vm.pool.not(nan);
            return Err(Interruption::Choose(vec![
                (Shadow::Same(number), Act::Pass(1)),
                (Shadow::Same(nan), Act::GiveUp(stop)),
            ]));
        }
    }
    Ok(Some(Value::Prim(vm.pool.f_bits(x))))
}

/// Whether the asking method may give a NaN's bits away: rounding has one result for all of them.
fn shows_bits(state: &State) -> bool {
    let mut asking = state.thread.frames.iter().rev().map(|f| {
        let method = &f.method;
        (&*method.class_name, &*method.name)
    });
    match asking.next() {
        Some(("java/lang/Math", "round")) => false,
        Some(("java/lang/Math", "copySign")) => {
            asking.next() != Some(("java/lang/StrictMath", "rint"))
        }
        _ => true,
    }
}

fn to_string(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    descriptor: &str,
) -> Step<Option<Value>> {
    let term = prim(vm, args, 0);
    let text = primitive_text(vm, descriptor, term)?;
    if descriptor == "Z"
        && let Some(units) = text.units(&vm.pool)
    {
        return vm.literal(state, &Arc::from(units)).map(Some);
    }
    made(vm, state, text)
}

/// What a box of exactly that type holds; `None` for other objects.
pub(super) fn content(vm: &mut Vm, state: &State, id: ObjId, prim: Prim) -> Step<Option<Value>> {
    let obj = state.heap.get(id);
    let class = vm.linker.class(obj.class).name.clone();
    let wanted = crate::symex::vm::memory::descriptor(prim)
        .as_bytes()
        .first()
        .copied();
    match (box_prim(&class), &obj.body) {
        (None, _) => Ok(None),
        (found, Body::Fields(slots)) if found == wanted => {
            Ok(slots.last().and_then(|s| state.view(s).same().copied()))
        }
        _ => Err(Stop::unsupported(Reason::Reflection, "Array.set that widens").into()),
    }
}

/// A primitive of an array as its box.
pub(super) fn boxed(vm: &mut Vm, state: &mut State, prim: Prim, term: Term) -> Step<Value> {
    let class = match prim {
        Prim::Boolean => "java/lang/Boolean",
        Prim::Byte => "java/lang/Byte",
        Prim::Char => "java/lang/Character",
        Prim::Short => "java/lang/Short",
        Prim::Int => "java/lang/Integer",
        Prim::Long => "java/lang/Long",
        Prim::Float => "java/lang/Float",
        Prim::Double => "java/lang/Double",
    };
    let value = value_of(vm, state, &[Value::Prim(term)], class)?;
    Ok(value.unwrap_or(Value::NULL))
}

fn value_of(vm: &mut Vm, state: &mut State, args: &[Value], class: &str) -> Step<Option<Value>> {
    let term = prim(vm, args, 0);
    let class = vm.library(class)?;
    let layout = vm.linker.class(class).layout.clone();
    let slots = layout
        .iter()
        .map(|f| {
            Shadow::Same(if &*f.name == "value" {
                Value::Prim(term)
            } else {
                vm.default_value(&f.descriptor)
            })
        })
        .collect();
    Ok(Some(Value::obj(
        state.heap.alloc(class, Body::Fields(slots)),
    )))
}
