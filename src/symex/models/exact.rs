//! `Math.multiplyExact` by a constant: overflow is a comparison with two bounds, instead of a multiplication and a division.

use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use crate::bytecode::class_file::{BinOp, Cmp, Const, Insn, InvokeKind, Prim};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::synthetic::invoke;
use std::sync::Arc;

/// The body for two longs of which one is constant and the other is not.
pub(super) fn multiply_by_constant(vm: &Vm, state: &State) -> Option<Vec<Insn>> {
    const OVERFLOW: u32 = 12;
    let constant = |depth: usize| match state.peek(depth) {
        Shadow::Same(Value::Prim(term)) => vm.pool.as_i64(term),
        _ => None,
    };
    let (open, by) = match (constant(1), constant(0)) {
        (None, Some(by)) => (0, by),
        (Some(by), None) => (2, by),
        _ => return None,
    };
    let (least, greatest) = factors(by)?;
    let beyond = |bound: i64, cmp: Cmp| {
        [
            Insn::Load(Some(Prim::Long), open),
            Insn::Const(Const::Long(bound)),
            Insn::Lcmp,
            Insn::If(cmp, OVERFLOW),
        ]
    };
    let mut insns = Vec::from(beyond(least, Cmp::Lt));
    insns.extend(beyond(greatest, Cmp::Gt));
    insns.extend([
        Insn::Load(Some(Prim::Long), 0),
        Insn::Load(Some(Prim::Long), 2),
        Insn::Bin(BinOp::Mul, Prim::Long),
        Insn::Return(Some(Some(Prim::Long))),
    ]);
    insns.extend(overflow());
    Some(insns)
}

fn overflow() -> [Insn; 5] {
    let class: Arc<str> = Arc::from("java/lang/ArithmeticException");
    let text = "long overflow".encode_utf16().collect();
    let descriptor = "(Ljava/lang/String;)V";
    [
        Insn::New(class.clone()),
        Insn::Dup,
        Insn::Const(Const::Str(text)),
        invoke(InvokeKind::Special, &class, "<init>", descriptor),
        Insn::Athrow,
    ]
}

/// The least and greatest long whose product with `by` is one; `None` for zero.
fn factors(by: i64) -> Option<(i64, i64)> {
    let (by, least, greatest) = (i128::from(by), i128::from(i64::MIN), i128::from(i64::MAX));
    let bounds = match by {
        0 => return None,
        1.. => (least / by, greatest / by),
        _ => (greatest / by, (least / by).min(greatest)),
    };
    Some((i64::try_from(bounds.0).ok()?, i64::try_from(bounds.1).ok()?))
}

#[cfg(test)]
mod tests {
    use super::factors;

    #[test]
    fn the_factors_of_a_constant_are_those_whose_product_fits() {
        for by in [1, -1, 2, -2, 3, -3, 1000, i64::MAX, i64::MIN, i64::MIN + 1] {
            let (least, greatest) = factors(by).unwrap();
            for n in [least, greatest, least / 2 + greatest / 2] {
                assert!(n.checked_mul(by).is_some(), "{n} * {by}");
            }
            for n in least.checked_sub(1).iter().chain(&greatest.checked_add(1)) {
                assert!(n.checked_mul(by).is_none(), "{n} * {by}");
            }
        }
        assert_eq!(factors(0), None);
    }
}
