//! Fields and methods of the classes of both versions, as callers see them.

use super::values;
use crate::bytecode::ClassPath;
use crate::bytecode::access::{FINAL, PRIVATE, PROTECTED, PUBLIC, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Field, Method};
use crate::bytecode::parameter_descriptors;
use crate::model::{MethodRef, Spelling, captured_name};
use std::sync::Arc;

/// Parameters of a method that is asked.
const MOST_PARAMETERS: usize = 2;

/// Where classes are looked for: the two versions, and what both use.
pub(in crate::check) struct Classes<'a> {
    pub(in crate::check) old: &'a ClassPath,
    pub(in crate::check) new: &'a ClassPath,
    pub(in crate::check) library: &'a ClassPath,
}

impl Classes<'_> {
    pub(super) fn find(&self, path: &ClassPath, class: &str) -> Option<Arc<ClassFile>> {
        path.find(&class.internal()).ok().flatten()
    }

    /// The flags and the type of a field, `class.name`.
    pub(super) fn field(&self, path: &ClassPath, field: &str) -> Option<(u16, Arc<str>)> {
        let (class, name) = field.rsplit_once('.')?;
        let class = self.find(path, class)?;
        let is_told = |f: &&Field| match f.access & SYNTHETIC {
            0 => *f.name == *name,
            _ => captured_name(&f.name, &f.descriptor).is_some_and(|told| told == name),
        };
        let field = class.fields.iter().find(is_told)?;
        Some((field.access, field.descriptor.clone()))
    }

    pub(super) fn has(&self, path: &ClassPath, field: &str) -> bool {
        self.field(path, field).is_some()
    }

    /// The flags of a field where it is.
    pub(super) fn flags(&self, field: &str) -> Vec<u16> {
        let paths = [self.old, self.new, self.library];
        let found = paths.into_iter().filter_map(|p| self.field(p, field));
        found.map(|f| f.0).collect()
    }

    /// Whether no code outside of its package sees a field, `class.name`, in both versions that have it, and one has: it is neither
    /// public nor protected, or its class is not public, or that is final and the field protected.
    pub(super) fn is_private(&self, field: &str) -> bool {
        let owner = field.rsplit_once('.').map_or("", |f| f.0);
        let is_seen = |path: &ClassPath| {
            let (flags, class) = (self.field(path, field)?.0, self.find(path, owner)?);
            let is_inherited = flags & PROTECTED != 0 && class.access & FINAL == 0;
            Some(class.access & PUBLIC != 0 && (flags & PUBLIC != 0 || is_inherited))
        };
        let paths = [self.old, self.new, self.library];
        let seen: Vec<bool> = paths.into_iter().filter_map(is_seen).collect();
        !seen.is_empty() && !seen.contains(&true)
    }

    /// Whether every caller may read a field, in a version that has it; one that is not found counts as such.
    pub(super) fn is_public(&self, field: &str) -> bool {
        let flags = self.flags(field);
        flags.is_empty() || flags.iter().any(|f| f & PUBLIC != 0)
    }

    /// Whether only one version's objects have a field, and not every caller may read it there: its declaration differs, and no code sees
    /// both.
    pub(super) fn is_of_one_version(&self, field: &str) -> bool {
        let has = |path| self.field(path, field).is_some_and(|f| f.0 & STATIC == 0);
        has(self.old) != has(self.new) && !self.is_public(field)
    }

    /// Whether a field is not the same one in both versions: missing in one, or of another type.
    pub(super) fn is_another(&self, field: &str) -> bool {
        let of = |path: &ClassPath| self.field(path, field).map(|f| f.1);
        of(self.old) != of(self.new)
    }

    /// Whether no method but those asked, and the one that was called, could tell of the object.
    pub(super) fn is_all_asked(&self, class: &str, entry: &MethodRef) -> bool {
        let mut next = Some(class.to_string());
        while let Some(of) = next.take().and_then(|name| self.find(self.new, &name)) {
            let mut methods = of.methods.iter();
            let unasked = |m: &Method| {
                let may = m.access & (PRIVATE | STATIC | SYNTHETIC) == 0 && &*m.name != "<init>";
                let is_entry = *m.name == *entry.name && *m.descriptor == *entry.descriptor;
                may && !is_asked(m) && !is_entry
            };
            if methods.any(unasked) {
                return false;
            }
            next = of.super_name.as_ref().map(|s| s.dotted());
        }
        true
    }

    /// Methods with a result that both versions of a class have in the project's own code, public ones first, then those without
    /// parameters.
    pub(super) fn shared_methods(&self, class: &str) -> Vec<MethodRef> {
        let old = self.methods(self.old, class);
        let mut both = self.methods(self.new, class);
        both.retain(|m| old.iter().any(|o| o.1 == m.1));
        both.sort_by_key(|(public, m)| {
            let parameters = parameter_descriptors(&m.descriptor).len();
            (!public, parameters, m.name.clone())
        });
        both.into_iter().map(|m| m.1).collect()
    }

    /// Each with whether it is public.
    pub(super) fn methods(&self, path: &ClassPath, class: &str) -> Vec<(bool, MethodRef)> {
        let mut all: Vec<(bool, MethodRef)> = Vec::new();
        let mut next = Some(class.to_string());
        while let Some(of) = next.take().and_then(|name| self.find(path, &name)) {
            for method in of.methods.iter().filter(|m| is_asked(m)) {
                let id = MethodRef {
                    class: class.into(),
                    name: method.name.to_string(),
                    descriptor: method.descriptor.to_string(),
                };
                if !all.iter().any(|known| known.1 == id) {
                    all.push((method.access & PUBLIC != 0, id));
                }
            }
            next = of.super_name.as_ref().map(|s| s.dotted());
        }
        all
    }
}

fn is_asked(method: &Method) -> bool {
    let parameters = parameter_descriptors(&method.descriptor);
    let returns = !method.descriptor.ends_with(")V");
    method.access & (PRIVATE | STATIC | SYNTHETIC) == 0
        && returns
        && parameters.len() <= MOST_PARAMETERS
        && parameters.iter().all(|p| !values(p).is_empty())
}
