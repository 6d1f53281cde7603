//! Class literals of the program, as values of parameters of type `Class`.

use super::{Grammar, Lookup};
use crate::bytecode::access::PUBLIC;
use crate::bytecode::class_file::{Const, Insn};
use crate::bytecode::is_numbered;
use crate::model::Spelling;
use std::collections::BTreeSet;

/// Classes taken at most.
const MAX_NAMED: usize = 32;

impl Grammar<'_> {
    /// Public classes that the entry's class names as values, `Character.class`.
    ///
    /// # Errors
    /// A class file can't be read.
    pub(super) fn named_classes(&self) -> Lookup<Vec<String>> {
        let Some(file) = self.find(&self.entry)? else {
            return Ok(Vec::new());
        };
        let codes = file.methods.iter().filter_map(|m| m.code.as_ref());
        let literals = codes.flat_map(|c| &c.insns).filter_map(|insn| match insn {
            Insn::Const(Const::Class(name)) if !name.starts_with('[') => Some(name.clone()),
            _ => None,
        });
        let mut names = BTreeSet::new();
        for name in literals.collect::<BTreeSet<_>>() {
            if self.find(&name)?.is_some_and(|c| c.access & PUBLIC != 0) && !is_numbered(&name) {
                names.insert(name.dotted());
            }
        }
        Ok(names.into_iter().take(MAX_NAMED).collect())
    }
}
