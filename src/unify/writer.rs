//! The writer of one unified method: its state, and the forms that it writes.

use super::insertion::{Insertion, Piece, mark};
use super::pure::Scope;
use crate::align::Matching;
use crate::java::Node;
use crate::model::Level;

pub(super) const OLD: &str = "com.shadowci.Shadow.execute(com.shadowci.Shadow.OLD)";
pub(super) const NEW: &str = "com.shadowci.Shadow.execute(com.shadowci.Shadow.NEW)";

/// How finely a method is unified; each step is tried when javac or the projection refuses the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grain {
    /// As deep in the expressions as possible.
    #[default]
    Deep,
    /// Whole expressions.
    Plain,
    /// One region of statements.
    Coarse,
    /// Not at all: a body per version.
    Method,
}

impl Grain {
    /// The next coarser one.
    pub fn coarser(self) -> Grain {
        match self {
            Grain::Deep => Grain::Plain,
            Grain::Plain => Grain::Coarse,
            Grain::Coarse | Grain::Method => Grain::Method,
        }
    }
}

/// Why two pieces of syntax have no common form at the place at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Not as one; the statements around may be kept side by side.
    Apart,
    /// A declaration's scope does not end with the statements: the rest of the block has to go with them.
    Leaks,
}

pub(super) type WriteResult = Result<(), Refusal>;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExprPosition {
    /// It decides a branch.
    Condition,
    /// Nothing stands beside it: an argument, an initialiser, a result.
    Whole,
    /// It is an operand.
    Operand,
}

/// Writes the insertions that make the new text the unified one.
pub(super) struct Writer<'a> {
    pub old: &'a str,
    pub new: &'a str,
    pub scope: Scope,
    pub matching: Matching,
    pub grain: Grain,
    pub insertions: Vec<Insertion>,
    pub level: Level,
}

/// What to go back to when a form does not work out.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize, Level);

impl Writer<'_> {
    pub(super) fn mark(&self) -> Mark {
        Mark(self.insertions.len(), self.level)
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.insertions.truncate(mark.0);
        self.level = mark.1;
    }

    /// Runs `form`; what it wrote is taken back when it refuses.
    pub(super) fn attempt(&mut self, form: impl FnOnce(&mut Self) -> WriteResult) -> WriteResult {
        let mark = self.mark();
        form(self).inspect_err(|_| self.back_to(mark))
    }

    pub(super) fn insert(&mut self, at: usize, pieces: Vec<Piece>) {
        self.insertions.push(Insertion::new(at, pieces));
    }

    pub(super) fn insert_mark(&mut self, at: usize, text: impl Into<String>) {
        self.insert(at, vec![mark(text)]);
    }

    pub(super) fn same(&self, a: &Node, b: &Node) -> bool {
        a.kind == b.kind && a.flat(self.old) == b.flat(self.new)
    }

    /// Whether two optional parts are both missing or the same.
    pub(super) fn same_part(&self, a: &Node, b: &Node, role: &str) -> bool {
        match (a.child(role), b.child(role)) {
            (None, None) => true,
            (Some(x), Some(y)) => self.same(x, y),
            _ => false,
        }
    }

    /// Takes away a `final` that the old version does not have: its code may assign the variable.
    pub(super) fn release(&mut self, a: &Node, b: &Node) {
        let word = |n: &Node, s: &str| {
            let modifiers = n.of_kind("modifiers");
            modifiers
                .and_then(|m| m.children.iter().find(|c| c.text(s) == "final"))
                .map(|c| (c.start, c.end))
        };
        if let (None, Some((start, end))) = (word(a, self.old), word(b, self.new)) {
            self.insert_mark(start, "/*");
            self.insert_mark(end, "*/");
        }
    }

    pub(super) fn old_flat(&self, node: &Node) -> String {
        node.flat(self.old)
    }

    pub(super) fn new_flat(&self, node: &Node) -> String {
        node.flat(self.new)
    }
}

/// The value a variable of that type has before it is assigned.
pub(super) fn default_of(ty: &str) -> &'static str {
    match ty {
        "boolean" => "false",
        "byte" => "(byte) 0",
        "short" => "(short) 0",
        "char" => "(char) 0",
        "int" => "0",
        "long" => "0L",
        "float" => "0f",
        "double" => "0d",
        _ => "null",
    }
}
