//! Members by name: candidate methods for a call, and fields, of a class and of all its supertypes.

use super::CallError;
use super::expression::Expression;
use super::fit::{fits, value};
use super::resolve::{Classes, Kind};
use crate::bytecode::access::{ABSTRACT, INTERFACE, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Field, Method};
use crate::java_text::type_name;
use crate::model::{ClassName, MethodRef, PriorCall, Spelling};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Classes {
    /// The one abstract method of the interface that the descriptor names, as called on that interface; `Object`'s own do not
    /// count (JLS §9.8).
    pub(super) fn single_method(&self, descriptor: &str) -> Option<MethodRef> {
        let class = self.find(descriptor.strip_prefix('L')?.strip_suffix(';')?)?;
        if class.access & INTERFACE == 0 {
            return None;
        }
        let own = ["equals", "hashCode", "toString"];
        let names: BTreeSet<Arc<str>> = self
            .above(&class)
            .iter()
            .flat_map(|c| &c.methods)
            .filter(|m| m.access & ABSTRACT != 0 && !own.contains(&&*m.name))
            .map(|m| m.name.clone())
            .collect();
        let abstracts = names
            .iter()
            .flat_map(|n| self.candidates(&class, n, Kind::Instance));
        let abstracts: Vec<MethodRef> = abstracts.filter(|id| self.is_abstract(id)).collect();
        match &abstracts[..] {
            [one] => Some(MethodRef {
                class: ClassName::of_internal(&class.name),
                ..one.clone()
            }),
            _ => None,
        }
    }

    fn is_abstract(&self, id: &MethodRef) -> bool {
        self.find(&id.class).is_some_and(|c| {
            c.method(&id.name, &id.descriptor)
                .is_some_and(|m| m.access & ABSTRACT != 0)
        })
    }

    /// The class and all above it.
    fn above(&self, class: &Arc<ClassFile>) -> Vec<Arc<ClassFile>> {
        let mut all = vec![class.clone()];
        let mut at = 0;
        while let Some(class) = all.get(at).cloned() {
            for name in class.super_name.iter().chain(&class.interfaces) {
                let found = self.paths.iter().find_map(|p| p.find(name).ok().flatten());
                all.extend(found.filter(|f| all.iter().all(|c| c.name != f.name)));
            }
            at += 1;
        }
        all
    }

    /// Methods of that name in the class and above it, without those they override.
    pub(super) fn candidates(
        &self,
        class: &Arc<ClassFile>,
        name: &str,
        kind: Kind,
    ) -> Vec<MethodRef> {
        let fits_kind = |m: &Method| match kind {
            Kind::Constructor => true,
            Kind::Static => m.access & STATIC != 0,
            Kind::Instance => m.access & STATIC == 0,
        };
        let parameters = |d: &str| d.split(')').next().map(String::from);
        let classes = match kind {
            Kind::Constructor => vec![class.clone()],
            _ => self.above(class),
        };
        let mut found: Vec<MethodRef> = Vec::new();
        for class in classes {
            for m in class.methods.iter().filter(|m| *m.name == *name) {
                let overridden = found
                    .iter()
                    .any(|f| parameters(&f.descriptor) == parameters(&m.descriptor));
                if m.access & SYNTHETIC == 0 && fits_kind(m) && !overridden {
                    found.push(MethodRef {
                        class: ClassName::of_internal(&class.name),
                        name: name.to_string(),
                        descriptor: m.descriptor.to_string(),
                    });
                }
            }
        }
        found
    }

    /// An instance field that is set.
    pub(super) fn set(
        &self,
        class: &Arc<ClassFile>,
        name: &str,
        set: &Expression,
    ) -> Result<PriorCall, CallError> {
        let is = |f: &&Field| *f.name == *name && f.access & STATIC == 0;
        let above = self.above(class);
        let mut found = above
            .iter()
            .flat_map(|c| c.fields.iter().filter(is).map(move |f| (c, f)));
        let Some((declares, field)) = found.next() else {
            return Err(CallError::new(format!(
                "{} has no field {name} that is not static",
                class.name.dotted()
            )));
        };
        let field = MethodRef {
            class: ClassName::of_internal(&declares.name),
            name: name.to_string(),
            descriptor: field.descriptor.to_string(),
        };
        if fits(self, set, &field.descriptor)?.is_none() {
            let ty = type_name(&field.descriptor);
            return Err(CallError::new(format!("{name} is of type {ty}")));
        }
        let value = value(self, set, &field.descriptor)?;
        Ok((field, vec![value]))
    }
}
