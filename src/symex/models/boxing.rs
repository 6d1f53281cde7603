//! Boxes: `valueOf`, and identity of cached ones (JLS §5.1.7).

use super::super::effect::{Act, Effect, Step, Stop};
use super::super::heap::{Body, Slot};
use super::super::input::box_prim;
use super::super::shadow::Shadow;
use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use super::{Model, prim, primitive_text, string};
use crate::expr::{CmpOp, Node, Term};

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
    let settled = state.frame().is_some_and(|f| f.passed >= 1);
    if !settled && !matches!(vm.pool.node(x), Node::Var(_) | Node::Const(_)) {
        let nan = vm.pool.is_nan(x);
        if vm.pool.as_bool(nan) != Some(false) {
            let number = vm.pool.not(nan);
            let stop = Stop::unsupported("unsupported-native", "raw bits of a computed NaN");
            return Err(Effect::Choose(vec![
                (Shadow::Same(number), Act::Pass(1)),
                (Shadow::Same(nan), Act::GiveUp(stop)),
            ]));
        }
    }
    Ok(Some(Value::Prim(vm.pool.f_bits(x))))
}

fn to_string(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    descriptor: &str,
) -> Step<Option<Value>> {
    let term = prim(vm, args, 0);
    let text = primitive_text(vm, descriptor, term)?;
    string(vm, state, text)
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

/// Whether two different box objects of one class are the same cached box.
pub(in super::super) fn same_box(
    vm: &mut Vm,
    state: &State,
    class: &str,
    a: &[Slot],
    b: &[Slot],
) -> Step<Term> {
    let Some(primitive) = box_prim(class) else {
        return Ok(vm.pool.bool(false));
    };
    let value = |slots: &[Slot]| {
        slots
            .last()
            .map(|s| state.view(s))
            .and_then(|s| s.same().copied())
    };
    let (Some(Value::Prim(a)), Some(Value::Prim(b))) = (value(a), value(b)) else {
        return Ok(vm.pool.bool(false));
    };
    let equal = vm.pool.eq(a, b);
    let (low, high) = match primitive {
        b'F' | b'D' => return Ok(vm.pool.bool(false)),
        b'J' => (vm.pool.long(-128), vm.pool.long(127)),
        _ => (vm.pool.int(-128), vm.pool.int(127)),
    };
    let above = vm.pool.cmp(CmpOp::Sle, low, a);
    let below = vm.pool.cmp(CmpOp::Sle, a, high);
    let cached = vm.pool.and(above, below);
    Ok(vm.pool.and(cached, equal))
}
