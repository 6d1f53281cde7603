//! Changed initialisers and constructors by the fields that they write.

use super::cut_code::{CutCode, DIFFERING_CUT, calls_cut_code};
use super::moved_fields::MovedFields;
use crate::bytecode::class_file::{ClassFile, Insn};
use crate::model::{MethodRef, Spelling};
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

type Classes<'a> = &'a FxHashMap<Arc<str>, Arc<ClassFile>>;

/// The changed initialisers and constructors by the fields of their class that either version of them writes: those that were cut
/// out may write any.
pub(super) fn writers(
    numbers: &[MethodRef],
    both: [Classes; 2],
    (cut, moved): (&CutCode, &[MovedFields; 2]),
) -> BTreeMap<String, BitSet> {
    let mut out: BTreeMap<String, BitSet> = BTreeMap::new();
    let mut all_fields = |name: &str, number: usize| {
        let classes = both.iter().filter_map(|all| all.get(name));
        for field in classes.flat_map(|c| &c.fields) {
            let field = format!("{name}.{}", field.name);
            out.entry(field).or_default().insert(number);
        }
    };
    for (number, id) in numbers.iter().enumerate() {
        let name = id.class.internal();
        let classes = both.iter().filter_map(|all| all.get(name.as_str()));
        let mut code = classes
            .filter_map(|c| c.method(&id.name, &id.descriptor))
            .filter_map(|m| m.code.as_ref());
        let initialises = id.name.starts_with('<');
        if initialises && code.any(|c| calls_cut_code(c)) {
            all_fields(&name, number);
        }
        if id.name == DIFFERING_CUT {
            let differing = cut.initialisers.iter().filter(|c| *c.1);
            differing.for_each(|(class, _)| all_fields(class, number));
        }
    }
    for (number, id) in numbers.iter().enumerate() {
        if !id.name.starts_with('<') {
            continue;
        }
        let name = id.class.internal();
        let classes = both.iter().filter_map(|all| all.get(name.as_str()));
        let code = classes
            .filter_map(|c| c.method(&id.name, &id.descriptor))
            .filter_map(|m| m.code.as_ref());
        for insn in code.flat_map(|c| &c.insns) {
            if let Insn::PutStatic(m) | Insn::PutField(m) = insn
                && *m.class == *name
            {
                let field = format!("{}.{}", m.class, m.name);
                out.entry(field).or_default().insert(number);
            }
        }
    }
    // A field that moved is known by the class above.
    for (field, other) in moved.iter().flat_map(MovedFields::names) {
        let more = out.get(&field).cloned();
        out.entry(other)
            .or_default()
            .union_with(&more.unwrap_or_default());
    }
    out
}
