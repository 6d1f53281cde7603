//! The parameters that a change is about: those that the versions of a method read differently often.

use crate::bytecode::access::STATIC;
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::bytecode::parameter_descriptors;
use crate::model::{MethodRef, Spelling};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Descriptors of such parameters.
pub(super) struct Touched(BTreeSet<String>);

impl Touched {
    /// Those of a method; `classes` has both versions of its class.
    pub fn of(classes: &[Arc<ClassFile>], method: &MethodRef) -> Touched {
        let name = method.class.internal();
        let versions = classes.iter().filter(|c| *c.name == *name);
        let bodies: Vec<&Method> = versions
            .filter_map(|c| c.method(&method.name, &method.descriptor))
            .collect();
        let [one, other] = bodies[..] else {
            return Touched(BTreeSet::new());
        };
        let (old, new) = (reads(one), reads(other));
        let mut slot = u16::from(one.access & STATIC == 0);
        let mut found = BTreeSet::new();
        for descriptor in parameter_descriptors(&method.descriptor) {
            if old.get(&slot) != new.get(&slot) {
                found.insert(descriptor.to_string());
            }
            slot += if matches!(&*descriptor, "J" | "D") {
                2
            } else {
                1
            };
        }
        Touched(found)
    }

    /// Whether a caller has a parameter of such a type, which it may pass on.
    pub fn is_taken_by(&self, caller: &Method) -> bool {
        let parameters = parameter_descriptors(&caller.descriptor);
        parameters.iter().any(|d| self.0.contains(&**d))
    }
}

/// How often a method's code reads each local.
fn reads(method: &Method) -> BTreeMap<u16, usize> {
    let mut all = BTreeMap::new();
    for insn in method.code.iter().flat_map(|code| &code.insns) {
        if let Insn::Load(_, slot) = insn {
            *all.entry(*slot).or_default() += 1;
        }
    }
    all
}
