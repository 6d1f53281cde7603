//! Receivers: objects that the entry method is called on, also after other calls on them.

use super::Built;
use super::makers::makers;
use super::spec::Spec;
use super::typed::Typed;
use super::ways::{EXACT, MAX_CLASSES, NONE, SOME, Ways};
use crate::bytecode::is_numbered;
use crate::model::{Spelling, Version};
use crate::symex::class::{Class, ClassId, Key, Method};
use std::sync::Arc;

impl Ways<'_> {
    /// The ways to build a receiver on which the call runs `entry`.
    pub fn receivers(&mut self, id: ClassId, entry: &Arc<Method>) -> Built<Vec<Spec>> {
        let class = self.vm.linker.class(id).clone();
        let of = Typed::raw(&format!("L{};", class.name));
        // Whether it matters how a receiver was made is seen when one of its fields is read.
        let exact = (EXACT, class.name.dotted());
        let mut found = self.noting(
            |ways| {
                if is_numbered(&class.name) {
                    ways.given(&class)
                } else if class.is_abstract() && makers(&class).is_empty() {
                    ways.receivers_below(&class, entry)
                } else {
                    ways.objects(id, &of, 0)
                }
            },
            |missing| *missing != exact,
        )?;
        if found.is_empty() {
            found = self.take_failed();
        }
        if found.is_empty() {
            let why = if class.is_abstract() {
                "is abstract"
            } else {
                "has no accessible constructor"
            };
            self.note(NONE, format!("{} {why}", class.name.dotted()));
        }
        if self.vm.bounds.prior_calls > 0 {
            found.extend(self.after_calls(&class, &found, 1)?);
        }
        Ok(found)
    }

    /// Objects of a class without a name, as fields hold them and static methods give them to others.
    fn given(&mut self, class: &Class) -> Built<Vec<Spec>> {
        let (mut found, methods) = self.implementations.given(self.vm, &class.name)?;
        found.truncate(MAX_CLASSES);
        found.extend(self.made(class, methods, 0)?);
        if !found.is_empty() {
            self.note(SOME, class.name.dotted());
        }
        Ok(found)
    }

    /// Objects of classes below an abstract one that do not override the entry method.
    fn receivers_below(&mut self, class: &Class, entry: &Arc<Method>) -> Built<Vec<Spec>> {
        let key: Key = (entry.name.clone(), entry.descriptor.clone());
        let mut found = Vec::new();
        for id in self.implementations.below(self.vm, &class.name)? {
            let runs = self.vm.linker.select(id, &key, Version::New);
            if found.len() < MAX_CLASSES && runs.is_some_and(|m| m == *entry) {
                let below = self.vm.linker.class(id).clone();
                let made = self.made(&below, makers(&below), 0)?;
                found.extend(made.into_iter().take(1));
            }
        }
        if found.is_empty() {
            found.extend(
                self.implementations
                    .held_constants(self.vm, class)
                    .into_iter()
                    .take(1),
            );
        }
        let of = Typed::raw(&format!("L{};", class.name));
        if entry.code.is_some()
            && let Some(lambda) = self.lambda(class, &of, 0)?
        {
            found.push(lambda);
        }
        if !found.is_empty() {
            self.note(SOME, class.name.dotted());
        }
        Ok(found)
    }
}
