//! How finely each method may be unified, and what of the old version is left out of a file.

use super::key::MethodKey;
use super::writer::Grain;
use crate::verdict::Level;
use std::collections::{BTreeMap, BTreeSet};

/// How finely each method may be unified, with the reason; what is not named is unified as finely as possible.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// Where every method starts.
    finest: Grain,
    steps: BTreeMap<MethodKey, (Grain, String)>,
    /// Classes whose shape changed, with the reason.
    apart: BTreeMap<String, String>,
    /// Old members that are added without bodies, or (`true`) not at all.
    without: BTreeMap<String, bool>,
    /// Methods that nobody unifies whose bodies are left out: path and byte offset in the new version's text.
    hollow: BTreeSet<(String, usize)>,
    /// Files whose classes don't implement what only the old version implements.
    unrelated: BTreeSet<String>,
    /// Files to which no old members and initialisers are added.
    bare: BTreeSet<String>,
}

impl Ladder {
    /// A ladder on which no method stands on a finer level.
    pub fn below(finest: Level) -> Ladder {
        let finest = match finest {
            Level::Expression => Grain::Deep,
            Level::Statement => Grain::Coarse,
            Level::Method | Level::Class => Grain::Method,
        };
        Ladder {
            finest,
            ..Ladder::default()
        }
    }

    /// Lets a method fall to the next coarser grain.
    pub fn fall(&mut self, key: &MethodKey, reason: &str) {
        let coarser = self.step(key).0.coarser();
        self.steps
            .insert(key.clone(), (coarser, reason.to_string()));
    }

    /// Lets a method fall to the method level.
    pub fn give_up(&mut self, key: &MethodKey, reason: &str) {
        self.steps
            .insert(key.clone(), (Grain::Method, reason.to_string()));
    }

    /// Gives a class (binary name with dots) a body per version throughout.
    pub fn class_per_version(&mut self, class: &str, reason: &str) {
        self.apart.insert(class.to_string(), reason.to_string());
    }

    /// Leaves out the body of an old member, then the member; `false` when it is out already.
    pub fn leave_out(&mut self, member: &str) -> bool {
        let out = self.without.get(member).map(|_| true);
        self.without
            .insert(member.to_string(), out.unwrap_or_default())
            != Some(true)
    }

    /// Leaves out the body of a method that is not unified; `false` when it is out already.
    pub fn hollow(&mut self, path: &str, body: usize) -> bool {
        self.hollow.insert((path.to_string(), body))
    }

    /// Leaves more of what only the old version declares out of a file: its interfaces, then its members and initialisers; `false` when
    /// they are out already.
    pub fn strip(&mut self, path: &str) -> bool {
        self.unrelated.insert(path.to_string()) || self.bare.insert(path.to_string())
    }

    pub(super) fn class_level(&self, class: &str) -> Option<&String> {
        self.apart.get(class)
    }

    pub(super) fn adds(&self, member: &str) -> bool {
        self.without.get(member) != Some(&true)
    }

    pub(super) fn adds_body(&self, member: &str) -> bool {
        !self.without.contains_key(member)
    }

    pub(super) fn is_bare(&self, path: &str) -> bool {
        self.bare.contains(path)
    }

    pub(super) fn is_related(&self, path: &str) -> bool {
        !self.unrelated.contains(path)
    }

    pub(super) fn is_hollow(&self, path: &str, body: usize) -> bool {
        self.hollow.contains(&(path.to_string(), body))
    }

    pub(super) fn step(&self, key: &MethodKey) -> (Grain, &str) {
        match self.steps.get(key) {
            Some((grain, reason)) => (*grain, reason),
            None if self.finest == Grain::Deep => (Grain::Deep, ""),
            None => (self.finest, "as --finest says"),
        }
    }
}
