//! The kinds of values that an entry is called with.

use crate::bytecode::access::{PRIVATE, PUBLIC};
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
        let classes: BTreeSet<_> = self.members().map(|m| &m.class).collect();
        let is_abroad = |name: &String| !own.contains(name) && !is_jdk(name);
        let abroad = classes.into_iter().filter(|c| is_abroad(&c.internal()));
        abroad.map(|c| c.to_string()).collect()
    }

    /// What to do without where inputs break the JVM, as code does that writes into memory by addresses: calls on what was made, and of
    /// what makes objects the least open members where others are there, for they bypass what those check.
    pub fn risks(
        kinds: &[ValueKind],
        access: impl Fn(&MethodRef) -> Option<u16>,
    ) -> BTreeSet<MethodRef> {
        let openness = |maker: &Maker| match access(&maker.method) {
            Some(flags) if flags & PRIVATE != 0 => 0,
            Some(flags) if flags & PUBLIC == 0 => 1,
            _ => 2,
        };
        let mut all = BTreeSet::new();
        for kind in kinds {
            let Generator::Objects { makers, calls, .. } = &kind.generator else {
                continue;
            };
            all.extend(calls.iter().map(|m| m.method.clone()));
            let least = makers.iter().map(openness).min();
            // What is left has to begin with something.
            let begins = |m: &Maker| Some(openness(m)) != least && m.receiver.is_none();
            if makers.iter().any(begins) {
                let of_least = makers.iter().filter(|m| Some(openness(m)) == least);
                all.extend(of_least.map(|m| m.method.clone()));
            }
        }
        all
    }

    /// The members that make objects, or are called on them, and are much like a method: they have its name and parameters, in any class
    /// where it is no constructor. It may be declared by a class above, and what the classes of a library do alike has one name.
    pub fn like(&self, method: &MethodRef) -> BTreeSet<MethodRef> {
        let parameters = |m: &MethodRef| m.descriptor.split(')').next().map(str::to_string);
        let is_it = |m: &&MethodRef| {
            let is_named = m.name == method.name && parameters(m) == parameters(method);
            is_named && (m.name != "<init>" || m.class == method.class)
        };
        self.members().filter(is_it).cloned().collect()
    }

    /// All that makes objects, or is called on them.
    fn members(&self) -> impl Iterator<Item = &MethodRef> {
        let members = self.kinds.iter().flat_map(|kind| match &kind.generator {
            Generator::Objects { makers, calls, .. } => [makers.as_slice(), calls],
            _ => [&[][..]; 2],
        });
        members.flatten().map(|m| &m.method)
    }

    /// All kinds, without these members.
    pub fn without(&self, avoided: &BTreeSet<MethodRef>) -> Vec<ValueKind> {
        let mut all = self.kinds.clone();
        let is_kept = |maker: &Maker| !avoided.contains(&maker.method);
        for kind in &mut all {
            if let Generator::Objects { makers, calls, .. } = &mut kind.generator {
                makers.retain(is_kept);
                calls.retain(is_kept);
            }
        }
        all
    }
}
