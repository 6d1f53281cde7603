//! Shapes of the operand stack before each instruction of a body, for code as javac writes it.

use crate::bytecode::class_file::{Code, Const, Insn, InvokeKind, Prim};
use crate::bytecode::restack;
use crate::impact::successors;
use crate::symex::class::split_descriptor;

/// One flag per operand: whether it is a long or a double.
type Operands = Vec<bool>;

/// Operands on the stack before each instruction; `None` where the instruction is not reached.
pub(in crate::symex) fn depths(code: &Code) -> Vec<Option<usize>> {
    let mut before: Vec<Option<Operands>> = vec![None; code.insns.len()];
    let mut todo: Vec<(u32, Operands)> = vec![(0, Vec::new())];
    todo.extend(code.handlers.iter().map(|h| (h.target, vec![false])));
    while let Some((pc, stack)) = todo.pop() {
        let Some(slot) = before.get_mut(pc as usize) else {
            continue;
        };
        if slot.is_some() {
            continue;
        }
        *slot = Some(stack.clone());
        let mut after = stack;
        apply(&code.insns[pc as usize], &mut after);
        todo.extend(successors(code, pc).into_iter().map(|s| (s, after.clone())));
    }
    before.into_iter().map(|s| s.map(|s| s.len())).collect()
}

fn is_wide(prim: Prim) -> bool {
    matches!(prim, Prim::Long | Prim::Double)
}

fn wide_descriptor(descriptor: &str) -> bool {
    matches!(descriptor, "J" | "D")
}

fn replace(stack: &mut Operands, pops: usize, push: Option<bool>) {
    stack.truncate(stack.len().saturating_sub(pops));
    stack.extend(push);
}

fn apply(insn: &Insn, stack: &mut Operands) {
    match insn {
        Insn::Nop | Insn::Goto(_) | Insn::Iinc(..) | Insn::Ret(_) | Insn::CheckCast(_) => {}
        Insn::AconstNull | Insn::Jsr(_) | Insn::New(_) => stack.push(false),
        Insn::Const(c) => stack.push(matches!(c, Const::Long(_) | Const::Double(_))),
        Insn::Load(prim, _) => stack.push(prim.is_some_and(is_wide)),
        Insn::ArrayLoad(prim) => replace(stack, 2, Some(prim.is_some_and(is_wide))),
        Insn::ArrayStore(_) => replace(stack, 3, None),
        Insn::Bin(_, prim) => replace(stack, 2, Some(is_wide(*prim))),
        Insn::Neg(prim) => replace(stack, 1, Some(is_wide(*prim))),
        Insn::Convert(_, to) => replace(stack, 1, Some(is_wide(*to))),
        Insn::Lcmp | Insn::Fcmp(..) => replace(stack, 2, Some(false)),
        Insn::IfIcmp(..) | Insn::IfAcmp(..) => replace(stack, 2, None),
        Insn::Store(..)
        | Insn::If(..)
        | Insn::IfNull(..)
        | Insn::Switch(..)
        | Insn::Athrow
        | Insn::MonitorEnter
        | Insn::MonitorExit
        | Insn::PutStatic(_) => replace(stack, 1, None),
        Insn::PutField(_) => replace(stack, 2, None),
        Insn::NewArray(_) | Insn::ANewArray(_) | Insn::ArrayLength | Insn::InstanceOf(_) => {
            replace(stack, 1, Some(false));
        }
        Insn::MultiANewArray(_, n) => replace(stack, usize::from(*n), Some(false)),
        Insn::Return(_) => stack.clear(),
        Insn::GetStatic(f) => stack.push(wide_descriptor(&f.descriptor)),
        Insn::GetField(f) => replace(stack, 1, Some(wide_descriptor(&f.descriptor))),
        Insn::Invoke(kind, m) => {
            call(
                stack,
                &m.descriptor,
                usize::from(*kind != InvokeKind::Static),
            );
        }
        Insn::InvokeDynamic(site) => call(stack, &site.descriptor, 0),
        _ => {
            restack(insn, stack, |wide| 1 + usize::from(*wide));
        }
    }
}

fn call(stack: &mut Operands, descriptor: &str, receiver: usize) {
    let (params, result) = split_descriptor(descriptor);
    let push = (&*result != "V").then(|| wide_descriptor(&result));
    replace(stack, params.len() + receiver, push);
}
