//! Failed proofs: the reason, and the condition under which the versions may differ.

use std::collections::BTreeSet;

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// The versions may differ; in which way, and a condition under which they do, where it can be said.
    Differs(String, Condition),
    /// Something that proofs don't cover.
    Unsupported(String),
    /// Too many paths or steps.
    Budget(&'static str),
}

/// A state in which the versions may differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// As Java, where that can be read.
    pub text: Option<String>,
    /// Numbers that some state has in which it holds, or that it compares with.
    pub numbers: BTreeSet<i64>,
    /// Texts that it compares with.
    pub texts: BTreeSet<Vec<u16>>,
}
