//! Equality of method bodies, ignoring numbering in the constant pool, line numbers and slots.

use super::class_file::{Code, Insn, Method};
use super::parameter_descriptors;
use rustc_hash::FxHashMap;

/// Whether two methods have the same instructions, up to line numbers, names of locals and the numbering of their slots.
/// Members named by the same numbered synthetic name (`lambda$f$0`) count as the same: their own bodies are compared on
/// their own.
pub fn same_code(a: &Method, b: &Method) -> bool {
    match (&a.code, &b.code) {
        (None, None) => true,
        (Some(x), Some(y)) => same_body(x, y, parameter_slots(a)),
        _ => false,
    }
}

/// Slots that the receiver and the parameters take.
fn parameter_slots(method: &Method) -> u16 {
    let receiver = u16::from(method.access & super::access::STATIC == 0);
    let wide = |d: &String| if matches!(&**d, "J" | "D") { 2 } else { 1 };
    let parameters = parameter_descriptors(&method.descriptor);
    parameters
        .iter()
        .fold(receiver, |sum: u16, d| sum.saturating_add(wide(d)))
}

fn same_body(a: &Code, b: &Code, parameter_slots: u16) -> bool {
    let handlers = |c: &Code| -> Vec<_> {
        c.handlers
            .iter()
            .map(|h| (h.start, h.end, h.target, h.catch.clone()))
            .collect()
    };
    if a.insns.len() != b.insns.len() || handlers(a) != handlers(b) {
        return false;
    }
    // Which parameter is which, the caller decides: only other locals can trade slots.
    let same = (0..parameter_slots).map(|s| (s, s));
    let mut forth: FxHashMap<u16, u16> = same.collect();
    let mut back = forth.clone();
    let mut paired =
        |x: u16, y: u16| *forth.entry(x).or_insert(y) == y && *back.entry(y).or_insert(x) == x;
    a.insns.iter().zip(&b.insns).all(|(x, y)| match (x, y) {
        (Insn::Load(k, s), Insn::Load(l, t)) | (Insn::Store(k, s), Insn::Store(l, t)) => {
            k == l && paired(*s, *t)
        }
        (Insn::Iinc(s, m), Insn::Iinc(t, n)) => m == n && paired(*s, *t),
        _ => x == y,
    })
}

#[cfg(test)]
mod tests {
    use super::same_code;
    use crate::bytecode::access::STATIC;
    use crate::bytecode::class_file::{Code, Insn, Method, Prim};
    use std::sync::Arc;

    /// A static method of that descriptor which returns the int in a slot.
    fn returns(slot: u16, descriptor: &str) -> Method {
        let int = Some(Prim::Int);
        Method {
            name: "f".into(),
            descriptor: descriptor.into(),
            access: STATIC,
            code: Some(Arc::new(Code {
                max_locals: 4,
                insns: vec![Insn::Load(int, slot), Insn::Return(Some(int))],
                lines: vec![0; 2],
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

    #[test]
    fn locals_can_trade_slots() {
        assert!(same_code(&returns(2, "(II)I"), &returns(3, "(II)I")));
    }

    #[test]
    fn another_parameter_is_another_method() {
        assert!(!same_code(&returns(0, "(II)I"), &returns(1, "(II)I")));
        assert!(!same_code(&returns(0, "(I)I"), &returns(1, "(I)I")));
    }
}
