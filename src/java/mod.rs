//! Java source as syntax trees: the only module that knows tree-sitter.

mod cut;
mod declarations;
mod descriptor;
mod erasure;
mod lexemes;
mod meaning;
mod source_file;
mod tree;
mod type_uses;

pub use cut::{Cut, CutScope, NOT_COMPILED, NOT_COMPILED_JAVA, cut};
pub use descriptor::{class_named, descriptor};
pub use erasure::erased;
pub use lexemes::{Lexeme, identifiers, is_identifier_part, lexemes};
pub use meaning::{differ_in_layout_only, mean_the_same};
pub use source_file::{Field, Method, SourceFile, Type};
pub use tree::{JavaError, Node};
pub use type_uses::{TypeUse, uses_of_types};
