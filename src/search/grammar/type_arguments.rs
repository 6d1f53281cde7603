//! Type arguments along a hierarchy: what members that a class inherits take, and what classes below a type with arguments are.

use super::{Grammar, Lookup, OBJECT};
use crate::bytecode::class_file::ClassFile;
use crate::symex::{Typed, typed_below, typed_call};
use std::sync::Arc;

/// What a member of a type takes, as its class declares it and by its signature, with the type's arguments for the variables of its class:
/// else a class that extends `Base<Text>` would get anything for what `Base` declares.
pub(super) fn passed(
    (file, of): (&ClassFile, &Typed),
    declared: Vec<Typed>,
    signature: Option<&str>,
) -> Vec<Typed> {
    if of.arguments.is_empty() {
        return declared;
    }
    let params: Vec<Arc<str>> = declared.iter().map(|p| p.descriptor.clone()).collect();
    let typed = typed_call(of, file.signature.as_deref(), signature, &params);
    // A variable of a class around it stands for anything there; what is written in the class file may say more.
    let known = |(typed, declared): (Typed, Typed)| match &*typed.descriptor {
        OBJECT => declared,
        _ => typed,
    };
    typed.into_iter().zip(declared).map(known).collect()
}

impl Grammar<'_> {
    /// A class below a type as one of that type; `None` where it has other type arguments.
    pub(super) fn as_below(&self, name: &str, of: &Typed) -> Lookup<Option<Typed>> {
        typed_below(name, of, &mut |class| self.find(class))
    }
}
