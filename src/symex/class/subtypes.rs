//! Subtypes and method selection of linked classes, per version (JVMS §5.4.6, §6.5).

use crate::model::Version;
use crate::symex::class::linker::{Linked, Linker, class_name_of};
use crate::symex::class::{ClassId, Key, Method};
use crate::symex::value::shadow::Shadow;
use std::sync::Arc;

impl Linker {
    /// Whether `class` is `target` or below it (JVMS §6.5 *instanceof*), arrays included.
    pub fn is_subclass(
        &mut self,
        class: ClassId,
        target: ClassId,
        version: Version,
    ) -> Linked<bool> {
        if class == target {
            return Ok(true);
        }
        let (from, to) = (self.class(class).clone(), self.class(target).clone());
        if from.name.starts_with('[') {
            return self.is_array_subclass(&from.name, &to.name, version);
        }
        let parents = from
            .superclass
            .get(version)
            .into_iter()
            .chain(from.interfaces.get(version));
        for parent in parents {
            if self.is_subclass(parent, target, version)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_array_subclass(&mut self, from: &str, to: &str, version: Version) -> Linked<bool> {
        if matches!(
            to,
            "java/lang/Object" | "java/lang/Cloneable" | "java/io/Serializable"
        ) {
            return Ok(true);
        }
        let (Some(a), Some(b)) = (from.strip_prefix('['), to.strip_prefix('[')) else {
            return Ok(false);
        };
        if a == b {
            return Ok(true);
        }
        match (class_name_of(a), class_name_of(b)) {
            (Some(a), Some(b)) => {
                let a = self.resolve_for(&a, version)?;
                let b = self.resolve_for(&b, version)?;
                self.is_subclass(a, b, version)
            }
            _ => Ok(false),
        }
    }

    /// Whether the class or one above it has another superclass in each version: its fields have no common places then.
    pub fn is_parted(&self, class: ClassId) -> bool {
        match self.class(class).superclass {
            Shadow::Same(parent) => parent.is_some_and(|p| self.is_parted(p)),
            Shadow::Split { .. } => true,
        }
    }

    /// The method that an invocation of `key` on an object of `class` runs in `version` (JVMS §5.4.6): superclasses first,
    /// then the most specific default method.
    pub fn select(&self, class: ClassId, key: &Key, version: Version) -> Option<Arc<Method>> {
        let mut at = Some(class);
        while let Some(id) = at {
            if let Some(method) = self.class(id).declared(key).get(version) {
                return Some(method);
            }
            at = self.class(id).superclass.get(version);
        }
        let mut candidates = Vec::new();
        self.collect_defaults(class, key, version, &mut candidates);
        let specific = |m: &Arc<Method>| {
            candidates
                .iter()
                .all(|o| Arc::ptr_eq(o, m) || !self.extends(o.class, m.class, version))
        };
        candidates
            .iter()
            .find(|m| m.code.is_some() && specific(m))
            .or(candidates.first())
            .cloned()
    }

    fn collect_defaults(
        &self,
        class: ClassId,
        key: &Key,
        version: Version,
        found: &mut Vec<Arc<Method>>,
    ) {
        let class = self.class(class);
        for parent in class
            .superclass
            .get(version)
            .iter()
            .chain(&class.interfaces.get(version))
        {
            if self.class(*parent).is_interface()
                && let Some(method) = self.class(*parent).declared(key).get(version)
                && !found.iter().any(|m| Arc::ptr_eq(m, &method))
            {
                found.push(method);
            }
            self.collect_defaults(*parent, key, version, found);
        }
    }

    fn extends(&self, class: ClassId, target: ClassId, version: Version) -> bool {
        let c = self.class(class);
        let parents = c.superclass.get(version).into_iter();
        let mut parents = parents.chain(c.interfaces.get(version));
        parents.any(|p| p == target || self.extends(p, target, version))
    }

    /// `select` for both versions.
    pub fn select_both(&self, class: ClassId, key: &Key) -> Shadow<Option<Arc<Method>>> {
        let old = self.select(class, key, Version::Old);
        let new = self.select(class, key, Version::New);
        match (&old, &new) {
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => Shadow::Same(new),
            (None, None) => Shadow::Same(None),
            _ => Shadow::Split { old, new },
        }
    }
}
