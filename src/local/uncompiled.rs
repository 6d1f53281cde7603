//! Source files of the project that were not compiled, as far as a proof must know of them.

use super::cut_code::{CutCode, CutNumbers};
use super::version::simple_name;
use crate::bytecode::access::{INTERFACE, PRIVATE, STATIC};
use crate::bytecode::class_file::{ClassFile, Field};
use bit_set::BitSet;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Identifiers of source files that were not compiled: names of what code there may extend or call.
pub type Identifiers = FxHashSet<String>;

/// What is known of source files that were not compiled.
#[derive(Clone, Debug, Default)]
pub struct UncompiledSources {
    /// All words of their code and literals.
    pub names: Identifiers,
    /// Words of their literals: a class may be looked up by these.
    pub quoted: Identifiers,
    /// Those of them that may name a field of an object: behind a dot, and no call; words of literals; all words of what was
    /// cut out.
    pub qualified: Identifiers,
    /// Words of the parts of compiled files that were left out: only these may name a private field.
    pub left_out: Identifiers,
    /// Simple names of what they extend or implement.
    pub extended: Identifiers,
    /// Whether they make lambdas or method references: these may implement any interface.
    pub has_lambdas: bool,
    /// Words of the code that the JDK may come to: comparisons, texts, containers, lambdas, and what these name.
    pub called_back: Identifiers,
    /// Parts of compiled files that were left out, because they do not compile.
    pub cut: CutCode,
}

impl UncompiledSources {
    /// Whether they may name a field, which they can without a dot where they extend its class or one below; `below` are all of
    /// these. A static field may be imported, and a constant of an enum stands alone in a `case`. A private field is known in its own
    /// file only, which was compiled.
    pub(super) fn may_name_field<'a>(
        &self,
        field: &Field,
        mut below: impl Iterator<Item = &'a str>,
    ) -> bool {
        let words = if field.access & PRIVATE != 0 {
            &self.left_out
        } else if field.access & STATIC != 0
            || below.any(|class| self.extended.contains(simple_name(class)))
        {
            &self.names
        } else {
            &self.qualified
        };
        words.contains(&*field.name)
    }
}

/// What the project's uncompiled code may do.
pub(super) struct UncompiledCode {
    pub(super) words: UncompiledSources,
    /// Numbers of the changed methods that it may come to.
    pub(super) comes_to: BitSet,
    /// What is known of code that was cut out.
    pub(super) cut: Option<CutNumbers>,
}

impl UncompiledCode {
    /// Whether such code may have a method of that name below a type: its name stands there, or it is a lambda's.
    pub(super) fn may_implement(&self, of: &Option<Arc<ClassFile>>, name: &str) -> bool {
        let lambda = of.as_ref().is_none_or(|c| c.access & INTERFACE != 0);
        self.words.names.contains(name) || self.words.has_lambdas && lambda
    }

    /// A set of changed methods with those that cut code comes to, where it comes to cut code.
    pub(super) fn widened(&self, mut all: BitSet) -> BitSet {
        if let Some(cut) = &self.cut
            && all.remove(cut.met)
        {
            all.union_with(&cut.comes_to);
        }
        all
    }

    /// Whether the JDK may come to code that has a word.
    pub(super) fn calls_back(&self, word: &str) -> bool {
        self.words.called_back.contains(word)
    }
}
