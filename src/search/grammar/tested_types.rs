//! The types that code near the change asks an object for, by `instanceof`, a cast or a pattern: of what may be anything, inputs are such objects.

use super::{Grammar, INTS, Lookup, OBJECT, STRING, boxed, class_of};
use crate::bytecode::class_file::{ClassFile, Const, Insn};
use crate::bytecode::is_jdk;
use crate::model::{MethodRef, Spelling};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Classes that are looked through, nearest first.
const MAX_CLASSES: usize = 12;
/// Types that one kind takes.
pub(super) const MAX_TESTED: usize = 6;

/// Names of types, arrays by their descriptors.
type Tested = Vec<Arc<str>>;

impl Grammar<'_> {
    /// The types, those nearest the change first, and of each class those of tests before those of casts; and those that the two
    /// methods' classes ask for, in either version: the patch may have taken one of them away.
    pub(super) fn find_tested(&self, near: [&MethodRef; 2]) -> Lookup<(Tested, Tested)> {
        let near = near.map(|m| m.class.internal());
        let mut queue: VecDeque<String> = near.iter().cloned().collect();
        let (mut seen, mut found, mut found_near) = (BTreeSet::new(), Vec::new(), Vec::new());
        while let Some(name) = queue.pop_front() {
            if seen.len() >= MAX_CLASSES || !seen.insert(name.clone()) {
                continue;
            }
            let Some(class) = self.sources.new.find(&name)? else {
                continue;
            };
            let is_near = near.contains(&name);
            let before = is_near.then(|| self.sources.old.find(&name)).transpose()?;
            for asked in [tests, casts] {
                for version in [Some(&class), before.as_ref().and_then(Option::as_ref)] {
                    let types = version.into_iter().flat_map(|class| insns(class));
                    for name in types.flat_map(asked).filter(|name| is_taken(name)) {
                        if !found.contains(&name) {
                            found.push(name);
                        }
                    }
                }
            }
            if is_near {
                found_near.clone_from(&found);
            }
            queue.extend(insns(&class).filter_map(called_class));
        }
        Ok((found, found_near))
    }

    /// The types that the code of the two methods casts to, in either version: where that is without a question, no other object passes.
    pub(super) fn find_cast(&self, near: [&MethodRef; 2]) -> Lookup<Tested> {
        let mut found = Vec::new();
        for at in near {
            let class = at.class.internal();
            for file in [
                self.sources.new.find(&class)?,
                self.sources.old.find(&class)?,
            ] {
                let method = file
                    .as_ref()
                    .and_then(|f| f.method(&at.name, &at.descriptor));
                let code = method.and_then(|m| m.code.as_ref());
                let insns = code.into_iter().flat_map(|code| &code.insns);
                found.extend(insns.flat_map(casts).filter(|name| is_taken(name)));
            }
        }
        Ok(found)
    }

    /// Those of the types that are below a class, or all for `Object`; arrays by their descriptors.
    pub(super) fn tested_below(&self, class: &str) -> Lookup<Vec<Arc<str>>> {
        let mut below = Vec::new();
        for name in &self.tested {
            if below.len() < MAX_TESTED && **name != *class && self.is_kind_of(name, class)? {
                below.push(name.clone());
            }
        }
        Ok(below)
    }

    fn is_kind_of(&self, name: &str, class: &str) -> Lookup<bool> {
        if name.starts_with('[') {
            return Ok(class_of(OBJECT) == Some(class));
        }
        let Some(file) = self.find(name)? else {
            return Ok(false);
        };
        Ok(class_of(OBJECT) == Some(class) || self.above(&file)?.contains(class))
    }
}

fn insns(class: &ClassFile) -> impl Iterator<Item = &Insn> {
    let codes = class.methods.iter().filter_map(|m| m.code.as_ref());
    codes.flat_map(|code| &code.insns)
}

fn tests(insn: &Insn) -> Vec<Arc<str>> {
    match insn {
        Insn::InstanceOf(name) => vec![name.clone()],
        Insn::InvokeDynamic(site)
            if &*site.bootstrap.class == "java/lang/runtime/SwitchBootstraps" =>
        {
            let classes = site.args.iter().filter_map(|arg| match arg {
                Const::Class(name) => Some(name.clone()),
                _ => None,
            });
            classes.collect()
        }
        _ => Vec::new(),
    }
}

fn casts(insn: &Insn) -> Vec<Arc<str>> {
    match insn {
        Insn::CheckCast(name) => vec![name.clone()],
        _ => Vec::new(),
    }
}

/// Whether a type says more than what anything is made of already.
fn is_taken(name: &str) -> bool {
    let plain = [
        "java/lang/Object",
        "java/lang/Number",
        "java/lang/Comparable",
    ];
    name != INTS
        && boxed(name).is_none()
        && class_of(STRING) != Some(name)
        && !plain.contains(&name)
}

fn called_class(insn: &Insn) -> Option<String> {
    match insn {
        Insn::Invoke(_, m) | Insn::GetStatic(m) => {
            let is_own = !m.class.starts_with('[') && !is_jdk(&m.class);
            is_own.then(|| m.class.to_string())
        }
        _ => None,
    }
}
