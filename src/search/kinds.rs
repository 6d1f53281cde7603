//! The kinds of values that an entry is called with.

use crate::bytecode::is_jdk;
use crate::jvm::search::{Generator, Maker, ValueKind};
use crate::model::{MethodRef, Spelling};
use std::collections::BTreeSet;

/// How an entry is called.
pub struct EntryKinds {
    /// All kinds.
    pub kinds: Vec<ValueKind>,
    /// That of the receiver.
    pub receiver: Option<u32>,
    /// Those of the arguments.
    pub parameters: Vec<u32>,
}

impl EntryKinds {
    /// Classes whose members make objects, without the project's own, by internal name, and the JDK's.
    pub fn libraries(&self, own: &BTreeSet<String>) -> Vec<String> {
        let makers = self.kinds.iter().flat_map(|kind| match &kind.generator {
            Generator::Objects { makers, calls, .. } => [makers.as_slice(), calls],
            _ => [&[][..]; 2],
        });
        let classes: BTreeSet<_> = makers.flatten().map(|m| &m.method.class).collect();
        let is_abroad = |name: &String| !own.contains(name) && !is_jdk(name);
        let abroad = classes.into_iter().filter(|c| is_abroad(&c.internal()));
        abroad.map(|c| c.to_string()).collect()
    }

    /// All kinds, without what once did not end while it made a part of an input.
    pub fn without(&self, endless: &BTreeSet<MethodRef>) -> Vec<ValueKind> {
        let mut all = self.kinds.clone();
        let ends = |maker: &Maker| !endless.contains(&maker.method);
        for kind in &mut all {
            if let Generator::Objects { makers, calls, .. } = &mut kind.generator {
                makers.retain(ends);
                calls.retain(ends);
            }
        }
        all
    }
}
