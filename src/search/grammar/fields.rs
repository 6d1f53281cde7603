//! Instance fields that an input's objects get other values in, as code outside of their classes may set them.

use super::type_arguments::passed;
use super::{Grammar, Lookup, MAX_FIELDS, Maker, PRIVATE, STATIC, SYNTHETIC};
use crate::bytecode::access::{FINAL, PUBLIC};
use crate::bytecode::class_file::{ClassFile, Field, Insn, MemberRef};
use crate::model::{ClassName, MethodRef, Spelling};
use crate::symex::{Typed, typed_parameters};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the program's code does with a field.
#[derive(Default)]
struct Use {
    is_read: bool,
    /// The classes whose code writes it.
    writers: BTreeSet<Arc<str>>,
}

/// The fields of a program, by the names of class and field that instructions have.
pub(super) struct Uses(BTreeMap<(Arc<str>, Arc<str>), Use>);

/// Fields of one class and of those above it.
#[derive(Default)]
pub(super) struct Fields {
    /// Those that can be set.
    pub(super) set: Vec<Maker>,
    /// Names that were seen: they hide those of classes above.
    seen: BTreeSet<Arc<str>>,
}

impl Uses {
    fn of(classes: &[Arc<ClassFile>]) -> Uses {
        let mut all: BTreeMap<_, Use> = BTreeMap::new();
        let key = |m: &MemberRef| (m.class.clone(), m.name.clone());
        for class in classes {
            let code = class.methods.iter().filter_map(|m| m.code.as_ref());
            for insn in code.flat_map(|c| &c.insns) {
                match insn {
                    Insn::GetField(m) => all.entry(key(m)).or_default().is_read = true,
                    Insn::PutField(m) => {
                        let writers = &mut all.entry(key(m)).or_default().writers;
                        writers.insert(class.name.clone());
                    }
                    _ => {}
                }
            }
        }
        Uses(all)
    }
}

fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |p| p.0)
}

impl Grammar<'_> {
    /// Adds the fields of a class that can be set: public ones that any code reads; others that the entry's package sees, and that
    /// another class of the package sets already. What only its own class sets is its own matter.
    pub(super) fn fields(
        &mut self,
        (file, of): (&ClassFile, &Typed),
        out: &mut Fields,
    ) -> Lookup<()> {
        const CLOSED: u16 = PRIVATE | STATIC | FINAL | SYNTHETIC;
        for field in &file.fields {
            let is_first = out.seen.insert(field.name.clone());
            let is_open = is_first && field.access & CLOSED == 0 && out.set.len() < MAX_FIELDS;
            if is_open && self.is_set_outside(file, field) {
                out.set.extend(self.set((file, of), field)?);
            }
        }
        Ok(())
    }

    fn is_set_outside(&self, file: &ClassFile, field: &Field) -> bool {
        let Uses(uses) = self.uses.get_or_init(|| Uses::of(self.sources.classes));
        // Code that has an object of a class below names that class (JLS 13.1).
        let named = uses
            .iter()
            .filter(|((class, name), _)| *name == field.name && self.is_below(class, &file.name));
        let (mut is_read, mut is_set) = (false, field.access & PUBLIC != 0);
        for (_, used) in named {
            is_read |= used.is_read;
            let mut writers = used.writers.iter();
            // All in a top-level class may use each other's private members.
            is_set |= writers
                .any(|w| w.outermost() != file.name.outermost() && !self.is_below(w, &file.name));
        }
        let home = package(&file.name) == package(&self.entry);
        is_read && is_set && (home || field.access & PUBLIC != 0)
    }

    /// Whether a class of the program is another one, or below it.
    fn is_below(&self, class: &str, above: &str) -> bool {
        let mut name = class.to_string();
        loop {
            if name == above {
                return true;
            }
            let mut files = self.sources.classes.iter();
            match files.find(|f| *f.name == *name).map(|f| &f.super_name) {
                Some(Some(next)) => name = next.to_string(),
                _ => return false,
            }
        }
    }

    /// A step that sets a field, where both versions have it. Nothing but a value: without one it has its first.
    fn set(&mut self, (file, of): (&ClassFile, &Typed), field: &Field) -> Lookup<Option<Maker>> {
        let same = |g: &Field| {
            g.name == field.name
                && g.descriptor == field.descriptor
                && g.access & (PRIVATE | STATIC | FINAL) == 0
        };
        if !self.is_in_both(&file.name, |f| f.fields.iter().any(same))? {
            return Ok(None);
        }
        let signature = field.reflected.signature.as_ref();
        let signature = signature.map(|s| format!("({s})V"));
        let typed = typed_parameters(
            std::slice::from_ref(&field.descriptor),
            signature.as_deref(),
        );
        let typed = passed((file, of), typed, signature.as_deref());
        let typed = typed
            .into_iter()
            .next()
            .unwrap_or_else(|| Typed::raw(&field.descriptor));
        let kind = self.kind(&typed)?;
        Ok(Some(Maker {
            receiver: None,
            method: MethodRef {
                class: ClassName::of_internal(&file.name),
                name: field.name.to_string(),
                descriptor: field.descriptor.to_string(),
            },
            args: vec![self.not_null(kind)],
        }))
    }
}
