//! Methods that make an object of a class and return it as a type above that class.

use super::{
    ABSTRACT, CALLS_OF_PROGRAM, Generator, Grammar, Lookup, PRIVATE, STATIC, SYNTHETIC, class_of,
    descriptor_of, parameter_types,
};
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::bytecode::is_numbered;
use crate::symex::Typed;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Factories of one class that are taken.
const MAX_FACTORIES: usize = 4;
/// Calls between a factory and the method that constructs the object.
const MAX_STEPS: usize = 3;

/// A method's name and descriptor: which class a call means is left open.
type Named = (Arc<str>, Arc<str>);

/// A method that makes an object of a class, and how far it is from the construction.
struct Factory<'a> {
    class: &'a Arc<ClassFile>,
    method: &'a Method,
    steps: usize,
}

impl Grammar<'_> {
    /// Objects of the class as factories give them, one generator for each type that these declare.
    pub(super) fn factories(&mut self, file: &ClassFile) -> Lookup<Vec<Generator>> {
        let above = self.above(file)?;
        if above.is_empty() {
            return Ok(Vec::new());
        }
        let classes = self.sources.classes;
        let mut found = makers_of(classes, &file.name, above);
        found.sort_by_key(|f| {
            (
                f.method.access & STATIC == 0,
                f.steps,
                parameter_types(f.method).len(),
                f.class.name.clone(),
                f.method.name.clone(),
                f.method.descriptor.clone(),
            )
        });
        let mut by_type: BTreeMap<String, Vec<Factory>> = BTreeMap::new();
        for factory in found.into_iter().take(MAX_FACTORIES) {
            let declared = result_class(factory.method).unwrap_or_default().to_string();
            by_type.entry(declared).or_default().push(factory);
        }
        let mut generators = Vec::new();
        for (declared, factories) in by_type {
            let mut makers = Vec::new();
            for factory in factories {
                makers.extend(self.producer(factory.class, factory.method)?);
            }
            let calls = match self.find(&declared)? {
                Some(of) => self.calls(&of, &Typed::raw(&descriptor_of(&declared)))?,
                None => Vec::new(),
            };
            if !makers.is_empty() {
                generators.push(Generator::Objects {
                    makers,
                    calls,
                    most_calls: CALLS_OF_PROGRAM,
                });
            }
        }
        Ok(generators)
    }

    /// Classes and interfaces above a class, but for `Object`.
    pub(super) fn above(&self, file: &ClassFile) -> Lookup<BTreeSet<Arc<str>>> {
        file.above(|name| self.find(name))
    }
}

/// The class of what a method returns.
fn result_class(method: &Method) -> Option<&str> {
    class_of(method.descriptor.rsplit(')').next()?)
}

/// Methods that construct an object of the class, or come to one that does, and return one of these types above it.
fn makers_of<'a>(
    classes: &'a [Arc<ClassFile>],
    class: &str,
    mut types: BTreeSet<Arc<str>>,
) -> Vec<Factory<'a>> {
    types.insert(Arc::from(class));
    let constructs = |insn: &Insn| matches!(insn, Insn::Invoke(_, m) if &*m.name == "<init>" && *m.class == *class);
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut last = BTreeSet::new();
    for steps in 0..=MAX_STEPS {
        let calls = |insn: &Insn| matches!(insn, Insn::Invoke(_, m) if last.contains(&(m.name.clone(), m.descriptor.clone())));
        let mut next: BTreeSet<Named> = BTreeSet::new();
        for owner in classes.iter().filter(|c| !is_numbered(&c.name)) {
            for method in owner.methods.iter().filter(|m| gives(m, &types)) {
                let Some(code) = &method.code else { continue };
                let leads = match steps {
                    0 => code.insns.iter().any(constructs),
                    _ => code.insns.iter().any(calls),
                };
                if leads && seen.insert((&owner.name, &method.name, &method.descriptor)) {
                    next.insert((method.name.clone(), method.descriptor.clone()));
                    found.push(Factory {
                        class: owner,
                        method,
                        steps,
                    });
                }
            }
        }
        last = next;
    }
    // Those that declare the class itself are known without their code.
    found.retain(|f| {
        let own = *f.class.name == *class && f.method.access & STATIC == 0;
        f.method.access & (PRIVATE | SYNTHETIC | ABSTRACT) == 0
            && !own
            && result_class(f.method) != Some(class)
    });
    found
}

/// Whether a method returns one of these types; what it calls may be private.
fn gives(method: &Method, types: &BTreeSet<Arc<str>>) -> bool {
    !method.name.starts_with('<') && result_class(method).is_some_and(|c| types.contains(c))
}
