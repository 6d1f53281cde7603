//! Switches over enums: javac maps constants to case numbers in tables, so a case's meaning is read from its table.

use crate::bytecode::class_file::{ClassFile, Insn, MemberRef};
use crate::bytecode::{ClassPath, Projected};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a case of a switch stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Case {
    /// The number itself.
    Number(i32),
    /// The enum constant of that name.
    Constant(Arc<str>),
}

/// The targets of the switch at `at`, by what its keys stand for; `None` where its table has no such number.
pub(super) fn cases(
    path: &ClassPath,
    code: &Projected,
    at: u32,
    keys: &[(i32, u32)],
) -> Option<BTreeMap<Case, u32>> {
    let table = match table_of(code, at) {
        Some(table) => Some(constants(&*path.find(&table.class).ok()??, table)),
        None => None,
    };
    let case = |key: &i32| match &table {
        Some(constants) => constants.get(key).cloned().map(Case::Constant),
        None => Some(Case::Number(*key)),
    };
    keys.iter()
        .map(|(key, to)| Some((case(key)?, *to)))
        .collect()
}

/// Whether the class is one that javac makes for such tables.
pub(super) fn is_of_tables(class: &ClassFile) -> bool {
    class.fields.iter().any(|f| is_table(&f.name))
}

fn is_table(field: &str) -> bool {
    field.starts_with("$SwitchMap$")
}

/// The table whose element is switched over: `table[selector.ordinal()]`, where the selector may hold such switches itself.
fn table_of(code: &Projected, at: u32) -> Option<&MemberRef> {
    let insn = |at: u32| code.insn(at);
    let is_read = |at: u32| {
        let ordinal = |i: &Insn| matches!(i, Insn::Invoke(_, m) if &*m.name == "ordinal");
        matches!(insn(at), Some(Insn::ArrayLoad(Some(_))))
            && at.checked_sub(1).and_then(insn).is_some_and(ordinal)
    };
    let read = at.checked_sub(1).filter(|before| is_read(*before))?;
    let mut inner = 0;
    for at in (0..read).rev() {
        match insn(at) {
            _ if is_read(at) => inner += 1,
            Some(Insn::GetStatic(field)) if is_table(&field.name) => match inner {
                0 => return Some(field),
                _ => inner -= 1,
            },
            _ => {}
        }
    }
    None
}

/// The constants by their numbers, as the class's initialiser fills the table.
fn constants(class: &ClassFile, table: &MemberRef) -> BTreeMap<i32, Arc<str>> {
    let codes = class.methods.iter().filter_map(|m| m.code.as_ref());
    let rows = codes.flat_map(|code| {
        code.insns.windows(4).filter_map(|row| match row {
            [
                Insn::GetStatic(into),
                Insn::GetStatic(constant),
                Insn::Invoke(..),
                Insn::Const(crate::bytecode::class_file::Const::Int(number)),
            ] if into.name == table.name => Some((*number, constant.name.clone())),
            _ => None,
        })
    });
    rows.collect()
}
