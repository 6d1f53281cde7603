//! The level at which each method may be unified, and members of the old version that a file leaves out.

use super::key::MethodKey;
use super::writer::Grain;
use crate::model::Level;
use std::collections::{BTreeMap, BTreeSet};

/// What is left out of an old member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Omission {
    /// Nothing.
    Nothing,
    /// Its body; of a constructor, all but the call of another one.
    Body,
    /// That call too.
    Call,
    /// All of it.
    All,
}

/// How finely each method may be unified, with the reason; what is not named is unified as finely as possible.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// Where every method starts.
    finest: Grain,
    steps: BTreeMap<MethodKey, (Grain, String)>,
    /// Classes whose shape changed, with the reason.
    apart: BTreeMap<String, String>,
    /// How much of old members is left out.
    without: BTreeMap<String, Omission>,
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

    /// Leaves more of an old member out; `false` when all of it is out already.
    pub fn leave_out(&mut self, member: &str) -> bool {
        let out = self.left_out(member);
        let more = match out {
            Omission::Nothing => Omission::Body,
            Omission::Body => Omission::Call,
            Omission::Call | Omission::All => Omission::All,
        };
        self.without.insert(member.to_string(), more);
        out != Omission::All
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

    pub(super) fn left_out(&self, member: &str) -> Omission {
        self.without
            .get(member)
            .copied()
            .unwrap_or(Omission::Nothing)
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
