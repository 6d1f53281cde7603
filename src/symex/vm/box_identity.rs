//! Identity of boxes that the JDK caches (JLS §5.1.7).

use crate::expr::{CmpOp, Term};
use crate::symex::state::State;
use crate::symex::state::heap::Slot;
use crate::symex::state::interruption::Step;
use crate::symex::value::Value;
use crate::symex::value::primitive::box_prim;
use crate::symex::vm::Vm;

/// Whether two different box objects of one class are the same cached box.
pub(in crate::symex) fn same_box(
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
