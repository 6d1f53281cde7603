//! Java source as syntax trees: the only module that knows tree-sitter.

mod declarations;
mod tree;

pub use declarations::{Field, Method, SourceFile, Type, erased};
pub use tree::{JavaError, Node};
