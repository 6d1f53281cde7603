//! Classes that the program names, by literals or texts, as values of parameters of type `Class`.

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
/// Texts of the program that are taken for names of classes, the shortest one, and the packages in which such a class is looked for.
const MAX_TEXTS: usize = 64;
const SHORTEST: usize = 4;
const PACKAGES: [&str; 8] = [
    "java/io/",
    "java/lang/",
    "java/math/",
    "java/net/",
    "java/rmi/",
    "java/sql/",
    "java/time/",
    "java/util/",
];
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

    /// Public classes that the entry's class names as values, `Character.class`, or that have a name which it has a text for.
    ///
    /// # Errors
    /// A class file can't be read.
    pub(super) fn named_classes(&self) -> Lookup<Vec<String>> {
        let Some(file) = self.find(&self.entry)? else {
            return Ok(Vec::new());
        };
        let codes = file.methods.iter().filter_map(|m| m.code.as_ref());
        let (mut literals, mut texts) = (BTreeSet::new(), BTreeSet::new());
        for insn in codes.flat_map(|c| &c.insns) {
            match insn {
                Insn::Const(Const::Class(name)) if !name.starts_with('[') => {
                    literals.insert(name.to_string());
                }
                Insn::Const(Const::Str(units)) => {
                    texts.extend(Some(String::from_utf16_lossy(units)).filter(|t| is_name(t)));
                }
                _ => {}
            }
        }
        for text in texts.iter().take(MAX_TEXTS) {
            literals.extend(PACKAGES.map(|package| format!("{package}{text}")));
            let classes = self.sources.classes.iter();
            let named = classes.filter(|c| simple_name(&c.name).contains(text.as_str()));
            literals.extend(named.map(|c| c.name.to_string()));
        }
        let mut names = BTreeSet::new();
        for name in literals {
            if self.find(&name)?.is_some_and(|c| c.access & PUBLIC != 0) && !is_numbered(&name) {
                names.insert(name.dotted());
            }
        }
        Ok(names.into_iter().take(MAX_NAMED).collect())
    }
}

/// Whether a text may be the simple name of a class, or a part of it.
fn is_name(text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric());
    text.len() >= SHORTEST && is_word && text.starts_with(|c: char| c.is_ascii_uppercase())
}

fn simple_name(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}
