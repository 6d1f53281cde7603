//! A unified file: its text, its changed methods, and the mapping of compiler messages to them.

use super::insertion::{Line, Member};
use super::key::MethodKey;
use crate::model::Level;
use serde::{Deserialize, Serialize};

/// The unified text of a file; its lines are the new version's lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnifiedFile {
    /// Compilable Java.
    pub source: String,
    /// The changed methods.
    pub methods: Vec<UnifiedMethod>,
    /// Old members that were added, with their byte ranges in the source.
    pub(super) members: Vec<Member>,
    /// The bodies of all methods: their lines, and where the new version's text has them.
    pub(super) bodies: Vec<Body>,
}

/// The body of a method: first and last line, and byte offset in the new version's text.
pub(super) type Body = (u32, u32, usize);

/// A changed method in a unified file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnifiedMethod {
    /// Which.
    pub key: MethodKey,
    /// How finely the versions share it.
    pub level: Level,
    /// Why not more finely; empty at expression level.
    pub reason: String,
    /// Whether the versions have a method each, not one that changed: to the JVM, methods with another result type, static or not, are
    /// others, and one without a body has nothing that could change.
    pub is_two: bool,
    /// Its first line.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Its text for people, with the lines of both versions.
    pub text: Vec<Line>,
}

impl UnifiedMethod {
    /// Whether its body is the unified one.
    pub fn is_fine(&self) -> bool {
        matches!(self.level, Level::Expression | Level::Statement)
    }
}

impl UnifiedFile {
    /// The unified methods that a compiler message on that line may be about.
    pub fn at_line(&self, line: u32) -> Vec<MethodKey> {
        let covers =
            |m: &&UnifiedMethod| m.is_fine() && (m.start_line..=m.end_line).contains(&line);
        self.methods
            .iter()
            .filter(covers)
            .map(|m| m.key.clone())
            .collect()
    }

    /// Whether old members were added.
    pub fn has_members(&self) -> bool {
        !self.members.is_empty()
    }

    /// The body that a compiler message on that line is about, if it is of a method that is not unified.
    pub fn body_at(&self, line: u32) -> Option<usize> {
        let covers = |b: &&Body| (b.0..=b.1).contains(&line);
        let inner = self.bodies.iter().filter(covers).max_by_key(|b| b.0);
        inner.map(|b| b.2)
    }

    /// The added old member that a compiler message is about, by the offset of the message in UTF-16 units.
    pub fn member_at(&self, position: u32) -> Option<&str> {
        let mut units = 0;
        let at = self.source.char_indices().find(|(_, c)| {
            units += c.len_utf16();
            units > position as usize
        });
        let (at, _) = at?;
        self.members
            .iter()
            .find(|m| m.1.contains(&at))
            .map(|m| m.0.as_str())
    }

    /// All methods with a unified body.
    pub fn fine(&self) -> Vec<MethodKey> {
        self.methods
            .iter()
            .filter(|m| m.is_fine())
            .map(|m| m.key.clone())
            .collect()
    }
}
