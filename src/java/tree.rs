//! Our own syntax tree, made from tree-sitter's: comments dropped, texts by byte range.

use tree_sitter::{Language, Parser, TreeCursor};

/// Deeper sources are refused: no person writes them.
const MAX_DEPTH: usize = 2000;

/// The kind of what the grammar does not know.
pub(super) const UNKNOWN: &str = "ERROR";

/// Java source that can't be read.
#[derive(Debug, Clone, thiserror::Error, miette::Diagnostic)]
pub enum JavaError {
    /// A syntax error.
    #[error("{file}:{line}: not valid Java")]
    #[diagnostic(help("shadow-ci analyses commits that compile; check this file in this commit"))]
    Syntax {
        /// Path.
        file: String,
        /// Line, from 1.
        line: u32,
    },
    /// Too deeply nested, or the parser gave up.
    #[error("{file}: {why}")]
    #[diagnostic(help("this file can't be analysed; exclude it, or report this"))]
    Refused {
        /// Path.
        file: String,
        /// Why.
        why: &'static str,
    },
}

/// A node of a syntax tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// tree-sitter-java's kind, e.g. `if_statement`.
    pub kind: &'static str,
    /// Its role in the parent, e.g. `condition`.
    pub field: Option<&'static str>,
    /// Byte range.
    pub start: usize,
    /// End of the byte range.
    pub end: usize,
    /// First line, from 1.
    pub line: u32,
    /// Whether it is more than punctuation.
    pub named: bool,
    /// Children without comments.
    pub children: Vec<Node>,
}

impl Node {
    /// The child in that role.
    pub fn child(&self, field: &str) -> Option<&Node> {
        self.children.iter().find(|c| c.field == Some(field))
    }

    /// Children that are more than punctuation.
    pub fn named(&self) -> impl Iterator<Item = &Node> {
        self.children.iter().filter(|c| c.named)
    }

    /// The first child of that kind.
    pub fn of_kind(&self, kind: &str) -> Option<&Node> {
        self.children.iter().find(|c| c.kind == kind)
    }

    /// The source text.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// The tokens, annotations left out.
    pub fn tokens<'a>(&self, source: &'a str, out: &mut Vec<&'a str>) {
        if matches!(self.kind, "marker_annotation" | "annotation") {
            return;
        }
        if self.children.is_empty() || self.kind.ends_with("_literal") || self.kind == "text_block"
        {
            let text = self.text(source);
            if !text.is_empty() {
                out.push(text);
            }
            return;
        }
        self.children.iter().for_each(|c| c.tokens(source, out));
    }

    /// The tokens on one line, without comments.
    pub fn flat(&self, source: &str) -> String {
        let mut tokens = Vec::new();
        self.tokens(source, &mut tokens);
        tokens.join(" ")
    }

    /// The package that a whole file declares; empty for none.
    pub(super) fn package(&self, source: &str) -> String {
        let declared = self.of_kind("package_declaration");
        let name = declared.and_then(|p| p.named().last());
        name.map_or(String::new(), |n| n.flat(source).replace(' ', ""))
    }

    /// Whether there is something in it that the grammar does not know.
    pub fn is_unknown(&self) -> bool {
        self.kind == UNKNOWN || self.children.iter().any(Node::is_unknown)
    }

    /// All nodes below, this one first.
    pub fn walk(&self, visit: &mut impl FnMut(&Node)) {
        visit(self);
        self.children.iter().for_each(|c| c.walk(visit));
    }
}

/// The grammar; names of kinds live as long as it does.
fn language() -> &'static Language {
    static LANGUAGE: std::sync::OnceLock<Language> = std::sync::OnceLock::new();
    LANGUAGE.get_or_init(|| tree_sitter_java::LANGUAGE.into())
}

/// Parses a compilation unit; gives the line of the first part that the grammar does not know as well.
pub(super) fn parse(file: &str, source: &str) -> Result<(Node, Option<u32>), JavaError> {
    let refused = |why| JavaError::Refused {
        file: file.to_string(),
        why,
    };
    let mut parser = Parser::new();
    parser
        .set_language(language())
        .map_err(|_| refused("the Java grammar does not load"))?;
    let tree = parser
        .parse(source, None)
        .ok_or_else(|| refused("the parser gave up"))?;
    let mut cursor = tree.walk();
    let unknown = tree
        .root_node()
        .has_error()
        .then(|| error_line(&mut tree.walk()));
    let root = convert(&mut cursor, 0).ok_or_else(|| refused("nested too deeply"))?;
    Ok((root, unknown))
}

fn convert(cursor: &mut TreeCursor, depth: usize) -> Option<Node> {
    if depth > MAX_DEPTH {
        return None;
    }
    let node = cursor.node();
    let mut out = Node {
        kind: language()
            .node_kind_for_id(node.kind_id())
            .filter(|_| !node.is_error() && !node.is_missing())
            .unwrap_or(UNKNOWN),
        field: cursor.field_name().and_then(role),
        start: node.start_byte(),
        end: node.end_byte(),
        line: node.start_position().row as u32 + 1,
        named: node.is_named(),
        children: Vec::new(),
    };
    if cursor.goto_first_child() {
        loop {
            if !cursor.node().kind().ends_with("_comment") {
                out.children.push(convert(cursor, depth + 1)?);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }
    Some(out)
}

/// The roles anyone asks for.
const ROLES: [&str; 21] = [
    "name",
    "type",
    "body",
    "parameters",
    "condition",
    "consequence",
    "alternative",
    "left",
    "right",
    "operator",
    "value",
    "declarator",
    "dimensions",
    "arguments",
    "object",
    "init",
    "update",
    "field",
    "pattern",
    "resources",
    "element",
];

fn role(name: &str) -> Option<&'static str> {
    ROLES.iter().find(|r| **r == name).copied()
}

fn error_line(cursor: &mut TreeCursor) -> u32 {
    let mut line = 1;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            return node.start_position().row as u32 + 1;
        }
        if node.has_error() {
            line = node.start_position().row as u32 + 1;
            if cursor.goto_first_child() {
                continue;
            }
        }
        if !cursor.goto_next_sibling() {
            return line;
        }
    }
}
