//! Equality of method bodies up to what the constant pool, lines and slots are called.

use super::class_file::{Code, Insn, Method};
use rustc_hash::FxHashMap;

/// Whether two methods have the same instructions, up to line numbers, names of locals and the numbering of their slots.
/// Members named by the same numbered synthetic name (`lambda$f$0`) count as the same: their own bodies are compared on
/// their own.
pub fn same_code(a: &Method, b: &Method) -> bool {
    match (&a.code, &b.code) {
        (None, None) => true,
        (Some(a), Some(b)) => same_body(a, b),
        _ => false,
    }
}

fn same_body(a: &Code, b: &Code) -> bool {
    let handlers = |c: &Code| -> Vec<_> {
        c.handlers
            .iter()
            .map(|h| (h.start, h.end, h.target, h.catch.clone()))
            .collect()
    };
    if a.insns.len() != b.insns.len() || handlers(a) != handlers(b) {
        return false;
    }
    let (mut forth, mut back) = (FxHashMap::default(), FxHashMap::default());
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
