//! Shapes of the operand stack before each instruction of a body, for code as javac writes it.

use crate::bytecode::class_file::{Code, Const, Insn, InvokeKind, Prim};
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
        | Insn::Pop
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
        _ => shuffle(insn, stack),
    }
}

fn call(stack: &mut Operands, descriptor: &str, receiver: usize) {
    let (params, result) = split_descriptor(descriptor);
    let push = (&*result != "V").then(|| wide_descriptor(&result));
    replace(stack, params.len() + receiver, push);
}

/// The stack instructions (JVMS §6.5 *dup2* and its like, by form).
fn shuffle(insn: &Insn, stack: &mut Operands) {
    let a = stack.pop().unwrap_or(false);
    let taken = |stack: &mut Operands| stack.pop().unwrap_or(false);
    match insn {
        Insn::Pop2 => {
            if !a {
                taken(stack);
            }
        }
        Insn::Dup => stack.extend([a, a]),
        Insn::Swap => {
            let b = taken(stack);
            stack.extend([a, b]);
        }
        Insn::DupX1 => {
            let b = taken(stack);
            stack.extend([a, b, a]);
        }
        Insn::Dup2 if a => stack.extend([a, a]),
        Insn::Dup2 => {
            let b = taken(stack);
            stack.extend([b, a, b, a]);
        }
        Insn::DupX2 | Insn::Dup2X1 if a || matches!(insn, Insn::DupX2) => {
            let b = taken(stack);
            if b || a {
                stack.extend([a, b, a]);
            } else {
                let c = taken(stack);
                stack.extend([a, c, b, a]);
            }
        }
        Insn::Dup2X1 => {
            let (b, c) = (taken(stack), taken(stack));
            stack.extend([b, a, c, b, a]);
        }
        _ => {
            let b = taken(stack);
            match (a, b) {
                (true, true) => stack.extend([a, b, a]),
                (true, false) => {
                    let c = taken(stack);
                    stack.extend([a, c, b, a]);
                }
                _ => {
                    let c = taken(stack);
                    if c {
                        stack.extend([b, a, c, b, a]);
                    } else {
                        let d = taken(stack);
                        stack.extend([b, a, d, c, b, a]);
                    }
                }
            }
        }
    }
}
