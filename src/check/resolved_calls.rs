//! The methods to which javac resolved the calls of a source line: overloads and like names of other classes are told apart.

use crate::bytecode::access::SYNTHETIC;
use crate::bytecode::class_file::{ClassFile, Insn};
use crate::bytecode::parameter_descriptors;
use crate::model::{MethodRef, Spelling};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Class, name and descriptor of a called method, as the class file has them.
type Called = (Arc<str>, Arc<str>, Arc<str>);

/// The calls in the classes of one version, by the last part of the source's path and line.
pub(super) struct ResolvedCalls {
    calls: BTreeMap<(Arc<str>, u32), Vec<Called>>,
    classes: BTreeMap<Arc<str>, Arc<ClassFile>>,
}

impl ResolvedCalls {
    /// Of these classes.
    pub fn of(classes: Vec<Arc<ClassFile>>) -> ResolvedCalls {
        let mut calls: BTreeMap<(Arc<str>, u32), Vec<Called>> = BTreeMap::new();
        for class in &classes {
            let Some(file) = &class.source_file else {
                continue;
            };
            for code in class.methods.iter().filter_map(|m| m.code.as_ref()) {
                for (insn, line) in code.insns.iter().zip(&code.lines) {
                    if let Insn::Invoke(_, m) = insn {
                        let called = (m.class.clone(), m.name.clone(), m.descriptor.clone());
                        let at = calls.entry((file.clone(), *line)).or_default();
                        at.push(called);
                    }
                }
            }
        }
        let classes = classes.into_iter().map(|c| (c.name.clone(), c)).collect();
        ResolvedCalls { calls, classes }
    }

    /// Whether the calls of that name on a line of a file all go to other methods: other overloads, or methods of classes that are
    /// neither above nor below. Of code that is not compiled nothing is known.
    pub fn are_others(&self, path: &str, line: u32, method: &MethodRef) -> bool {
        let file = path.rsplit('/').next().unwrap_or_default();
        let Some(all) = self.calls.get(&(file.into(), line)) else {
            return false;
        };
        let arity = parameter_descriptors(&method.descriptor).len();
        let mut like = all
            .iter()
            .filter(|(_, name, d)| {
                **name == *method.name && parameter_descriptors(d).len() == arity
            })
            .peekable();
        like.peek().is_some() && like.all(|called| self.is_other(called, method))
    }

    fn is_other(&self, (class, name, descriptor): &Called, method: &MethodRef) -> bool {
        let own = method.class.internal();
        if !self.is_below(class, &own) && !self.is_below(&own, class) {
            return true;
        }
        // A method of another type above may be the same one before erasure.
        **descriptor != *method.descriptor
            && self.classes.get(&*own).is_some_and(|c| {
                c.method(name, descriptor)
                    .is_some_and(|m| m.access & SYNTHETIC == 0)
            })
    }

    /// Whether a class is another one or extends or implements it.
    fn is_below(&self, class: &str, above: &str) -> bool {
        let mut todo = vec![class.to_string()];
        let mut seen = BTreeSet::new();
        while let Some(name) = todo.pop() {
            if name == above {
                return true;
            }
            if !seen.insert(name.clone()) || name == "java/lang/Object" {
                continue;
            }
            // A class of a library is below none of the project's.
            if let Some(class) = self.classes.get(&*name) {
                let above = class.super_name.iter().chain(&class.interfaces);
                todo.extend(above.map(|n| n.to_string()));
            }
        }
        false
    }
}
