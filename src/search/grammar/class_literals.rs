//! Class literals of the program, as values of parameters of type `Class`.

use super::{Grammar, Lookup, class_of};
use crate::bytecode::access::PUBLIC;
use crate::bytecode::class_file::{Const, Insn};
use crate::bytecode::is_numbered;
use crate::jvm::search::Generator;
use crate::model::Spelling;
use crate::symex::Typed;
use std::collections::BTreeSet;

/// Classes taken at most.
const MAX_NAMED: usize = 32;
/// Classes that are passed for any.
const KNOWN: [&str; 4] = [
    "java.lang.Object",
    "java.lang.Integer",
    "java.lang.String",
    "int",
];

impl Grammar<'_> {
    /// The class that a type argument names, else well-known ones and those that the entry's class names.
    ///
    /// # Errors
    /// A class file can't be read.
    pub(super) fn class_literals(&self, of: &Typed) -> Lookup<Generator> {
        let argument = of.argument(0);
        let declared = class_of(&argument.descriptor).filter(|c| *c != "java/lang/Object");
        if let Some(class) = declared {
            return Ok(Generator::Classes(vec![class.dotted()]));
        }
        let known = KNOWN.into_iter().map(String::from);
        Ok(Generator::Classes(
            known.chain(self.named_classes()?).collect(),
        ))
    }

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
