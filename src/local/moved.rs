//! Methods that moved up or down a class hierarchy: code that both versions share may call them by the same name.

use super::attempt::Attempt;
use super::body::{Body, body_of};
use super::proof::Prover;
use super::state::Unproved;
use super::version::Version;
use crate::bytecode::access::{ABSTRACT, INTERFACE, PRIVATE, STATIC};
use crate::impact;
use crate::model::{MethodRef, Spelling};
use bit_set::BitSet;

/// The method that objects of exactly one class have under a name.
enum Selection {
    /// This one.
    Method(Body),
    /// None that could be called.
    Nothing,
    /// It is not known.
    Unknown,
}

impl Version {
    /// The method of that name that objects of a class have, itself declared or inherited (JVMS §5.4.6).
    fn selection(&self, class: &str, id: &MethodRef) -> Selection {
        let (all, whole) = self.ancestors(class);
        if !whole || id.name.starts_with('<') {
            return Selection::Unknown;
        }
        let mut at = Some(class.to_string());
        while let Some(found) = at.and_then(|name| self.class(&name)) {
            if let Some(method) = found.method(&id.name, &id.descriptor) {
                return match body_of(&found, method) {
                    Some(body) if method.access & (PRIVATE | STATIC) == 0 => {
                        Selection::Method(body)
                    }
                    None if method.access & ABSTRACT != 0 => Selection::Nothing,
                    _ => Selection::Unknown,
                };
            }
            at = found.super_name.as_ref().map(|n| n.to_string());
        }
        let declares = |c: &&std::sync::Arc<_>| {
            let class: &crate::bytecode::class_file::ClassFile = c;
            class.access & INTERFACE != 0 && class.method(&id.name, &id.descriptor).is_some()
        };
        match all.iter().any(|c| declares(&c)) {
            true => Selection::Unknown,
            false => Selection::Nothing,
        }
    }
}

impl Prover {
    /// The bodies of a method in both versions, each of which may inherit it.
    pub(super) fn bodies(&self, id: &MethodRef) -> Option<[Body; 2]> {
        let class = id.class.internal();
        let either = |version: &Version| {
            version
                .body_of(id)
                .or_else(|| match version.selection(&class, id) {
                    Selection::Method(body) if version.is_own(&body.class.name) => Some(body),
                    _ => None,
                })
        };
        Some([either(&self.old)?, either(&self.new)?])
    }

    /// A method that one version has not, not even inherited: the same as the methods that its objects have there, which all
    /// differ themselves. `None` if that is not so.
    pub(super) fn attempt_moved(&self, id: &MethodRef) -> Option<Attempt> {
        let (mine, theirs) = match (self.old.body_of(id), self.new.body_of(id)) {
            (Some(_), None) => (&self.old, &self.new),
            (None, Some(_)) => (&self.new, &self.old),
            _ => return None,
        };
        let declaring = id.class.internal();
        let mut relies_on = BitSet::new();
        for class in mine.own_classes() {
            match mine.is_subclass(&class.name, &declaring) {
                Some(false) => continue,
                Some(true) => {}
                None => return None,
            }
            let selects = match mine.selection(&class.name, id) {
                Selection::Method(body) => impact::id(&body.class, &body.method) == *id,
                Selection::Nothing => false,
                Selection::Unknown => return None,
            };
            // What only one version has is made by changed code alone.
            if !selects || !theirs.is_own(&class.name) {
                continue;
            }
            match theirs.selection(&class.name, id) {
                Selection::Nothing => {}
                Selection::Method(body) => {
                    let other = impact::id(&body.class, &body.method);
                    relies_on.insert(self.changes.number(&other)?);
                }
                Selection::Unknown => return None,
            }
        }
        let mut attempt = Attempt::failed(Unproved::Budget("attempts"));
        attempt.result = Ok(());
        attempt.relies_on = relies_on;
        attempt.is_one_sided = true;
        Some(attempt)
    }
}
