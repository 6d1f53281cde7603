//! Equality of static initialisers, ignoring the field that javac adds to classes with assertions.

use super::class_file::{Code, Insn, Method};
use super::retarget::retarget;
use super::same_code::same_code;
use std::sync::Arc;

/// The field that `assert` asks.
const FIELD: &str = "$assertionsDisabled";

/// Whether two versions' static initialisers do the same but for setting that field. A class without one does nothing.
pub fn same_but_for_assertions(old: Option<&Method>, new: Option<&Method>) -> bool {
    match (old.map(without), new.map(without)) {
        (Some(a), Some(b)) => same_code(&a, &b),
        (Some(one), None) | (None, Some(one)) => {
            let code = one.code.as_ref();
            code.is_some_and(|c| matches!(c.insns[..], [Insn::Return(_)]))
        }
        (None, None) => true,
    }
}

/// The method without setting the field, which javac puts in front of everything else.
fn without(method: &Method) -> Method {
    let code = method.code.as_ref();
    let Some((code, end)) = code.and_then(|c| Some((c, end_of_setting(&c.insns)?))) else {
        return method.clone();
    };
    let back = |pc: u32| pc.saturating_sub(end);
    let mut rest = Code::clone(code);
    rest.insns = rest.insns.split_off((end as usize).min(rest.insns.len()));
    rest.insns.iter_mut().for_each(|insn| retarget(insn, back));
    rest.lines = rest.lines.split_off((end as usize).min(rest.lines.len()));
    for handler in &mut rest.handlers {
        handler.start = back(handler.start);
        handler.end = back(handler.end);
        handler.target = back(handler.target);
    }
    Method {
        code: Some(Arc::new(rest)),
        ..method.clone()
    }
}

/// Where the setting of the field ends, if the code begins with it.
fn end_of_setting(insns: &[Insn]) -> Option<u32> {
    let asks = |i: &Insn| matches!(i, Insn::Invoke(_, m) if &*m.name == "desiredAssertionStatus");
    let sets = |i: &Insn| matches!(i, Insn::PutStatic(f) if &*f.name == FIELD);
    let at = insns.iter().take(8).position(sets)?;
    let begins = insns.iter().take(2).any(asks);
    begins.then_some(at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::access::STATIC;
    use crate::bytecode::class_file::{Cmp, Const, InvokeKind, MemberRef};

    fn member(class: &str, name: &str, descriptor: &str) -> Arc<MemberRef> {
        Arc::new(MemberRef {
            class: class.into(),
            name: name.into(),
            descriptor: descriptor.into(),
        })
    }

    fn initialiser(insns: Vec<Insn>) -> Method {
        Method {
            name: "<clinit>".into(),
            descriptor: "()V".into(),
            access: STATIC,
            code: Some(Arc::new(Code {
                max_locals: 0,
                lines: vec![0; insns.len()],
                insns,
                handlers: Vec::new(),
                locals: Vec::new(),
            })),
            signature: None,
            annotations: Vec::new(),
            parameter_annotations: Vec::new(),
            parameter_names: Vec::new(),
            reflected: Default::default(),
        }
    }

    /// What javac puts in front for `assert`.
    fn setting() -> Vec<Insn> {
        let asked = member("java/lang/Class", "desiredAssertionStatus", "()Z");
        vec![
            Insn::Const(Const::Class("a/A".into())),
            Insn::Invoke(InvokeKind::Virtual, asked),
            Insn::If(Cmp::Ne, 5),
            Insn::Const(Const::Int(1)),
            Insn::Goto(6),
            Insn::Const(Const::Int(0)),
            Insn::PutStatic(member("a/A", FIELD, "Z")),
        ]
    }

    /// `static int n = condition ? value : 0`, at that place of the code.
    fn sets(value: i32, at: u32) -> Vec<Insn> {
        vec![
            Insn::GetStatic(member("a/B", "condition", "Z")),
            Insn::If(Cmp::Eq, at + 4),
            Insn::Const(Const::Int(value)),
            Insn::Goto(at + 5),
            Insn::Const(Const::Int(0)),
            Insn::PutStatic(member("a/A", "n", "I")),
            Insn::Return(None),
        ]
    }

    #[test]
    fn the_field_of_assertions_is_no_difference() {
        let with = |value| initialiser([setting(), sets(value, 7)].concat());
        let plain = initialiser(sets(3, 0));
        assert!(same_but_for_assertions(Some(&with(3)), Some(&plain)));
        assert!(same_but_for_assertions(Some(&plain), Some(&with(3))));
        assert!(!same_but_for_assertions(Some(&with(4)), Some(&plain)));
    }

    #[test]
    fn an_initialiser_of_nothing_else_may_be_gone() {
        let only = initialiser([setting(), vec![Insn::Return(None)]].concat());
        assert!(same_but_for_assertions(Some(&only), None));
        assert!(!same_but_for_assertions(
            None,
            Some(&initialiser(sets(3, 0)))
        ));
        assert!(same_but_for_assertions(None, None));
    }
}
