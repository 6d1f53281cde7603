//! Java source as syntax trees: the only module that knows tree-sitter.
