//! Scopes of a method: its local variables, their declarations and uses (JLS §6.3), and other meanings of a name.

use crate::java::{Node, erased};
use std::collections::BTreeSet;

/// A local variable or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Local {
    pub name: String,
    /// Kind of the declaring node, and the type as written without type arguments; `var` and inferred types are empty.
    pub declared_as: (&'static str, String),
    /// Byte ranges of the name, the declaration first.
    pub places: Vec<(usize, usize)>,
    /// The block, loop or lambda it is declared in: byte range and kind.
    pub block: (usize, usize, &'static str),
}

/// All identifiers below a node.
pub(super) fn identifiers(node: &Node, source: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    node.walk(&mut |n| {
        if n.kind == "identifier" {
            all.insert(n.text(source).to_string());
        }
    });
    all
}

/// Parameters and local variables with their uses, in order of declaration (JLS §6.3).
pub(super) fn locals(method: &Node, source: &str) -> Vec<Local> {
    let mut walker = Walker {
        source,
        all: Vec::new(),
        scope: Vec::new(),
        block: (0, 0, method.kind),
    };
    walker.visit_children(method);
    walker.all
}

struct Walker<'a> {
    source: &'a str,
    all: Vec<Local>,
    /// Names in scope; `None` for a member of a local class, which hides.
    scope: Vec<(String, Option<usize>)>,
    block: (usize, usize, &'static str),
}

impl Walker<'_> {
    fn declare(&mut self, name: &Node, ty: Option<&Node>, kind: &'static str) {
        let text = name.text(self.source).to_string();
        let mut ty = ty.map(|t| erased(&t.flat(self.source))).unwrap_or_default();
        if ty == "var" {
            ty.clear();
        }
        self.scope.push((text.clone(), Some(self.all.len())));
        self.all.push(Local {
            name: text,
            declared_as: (kind, ty),
            places: vec![(name.start, name.end)],
            block: self.block,
        });
    }

    fn scoped(&mut self, node: &Node, inside: impl FnOnce(&mut Self)) {
        let depth = self.scope.len();
        let around = std::mem::replace(&mut self.block, (node.start, node.end, node.kind));
        inside(self);
        self.block = around;
        self.scope.truncate(depth);
    }

    fn visit_children(&mut self, node: &Node) {
        for child in &node.children {
            self.visit(child);
        }
    }

    fn visit(&mut self, node: &Node) {
        match node.kind {
            "identifier" => self.used(node),
            "annotation" | "marker_annotation" | "scoped_identifier" | "break_statement"
            | "continue_statement" => {}
            "block"
            | "constructor_body"
            | "switch_block"
            | "for_statement"
            | "catch_clause"
            | "method_declaration"
            | "constructor_declaration"
            | "try_with_resources_statement"
            | "switch_rule" => {
                self.scoped(node, |w| w.but_name(node));
            }
            "lambda_expression" => self.scoped(node, |w| w.lambda(node)),
            "enhanced_for_statement" => self.scoped(node, |w| w.for_each(node)),
            "local_variable_declaration" => self.declaration(node),
            "formal_parameter" | "catch_formal_parameter" | "resource" => self.parameter(node),
            "spread_parameter" => {
                let name = node
                    .of_kind("variable_declarator")
                    .and_then(|d| d.child("name"));
                if let Some(name) = name {
                    let ty = node
                        .named()
                        .find(|c| c.kind.ends_with("type") || c.kind == "type_identifier");
                    self.declare(name, ty, node.kind);
                }
            }
            "instanceof_expression" => self.instance_of(node),
            "type_pattern" | "record_pattern_component" => {
                let names: Vec<&Node> = node
                    .children
                    .iter()
                    .filter(|c| c.kind == "identifier")
                    .collect();
                if let Some(name) = names.last() {
                    self.declare(name, node.named().next(), node.kind);
                }
            }
            "record_pattern" => node
                .children
                .iter()
                .filter(|c| c.kind != "identifier")
                .for_each(|c| self.visit(c)),
            "class_body" | "enum_body" | "interface_body" => self.scoped(node, |w| w.members(node)),
            "method_reference" => {
                if let Some(first) = node.children.first() {
                    self.visit(first);
                }
            }
            "labeled_statement" => node.children.iter().skip(1).for_each(|c| self.visit(c)),
            _ => self.but_name(node),
        }
    }

    /// Children that are not the name of a member.
    fn but_name(&mut self, node: &Node) {
        let name = |c: &&Node| !matches!(c.field, Some("name" | "field"));
        node.children
            .iter()
            .filter(name)
            .for_each(|c| self.visit(c));
    }

    fn used(&mut self, node: &Node) {
        let text = node.text(self.source);
        if let Some((_, Some(local))) = self.scope.iter().rev().find(|s| s.0 == text) {
            self.all[*local].places.push((node.start, node.end));
        }
    }

    fn lambda(&mut self, node: &Node) {
        for child in &node.children {
            match (child.field, child.kind) {
                (Some("parameters"), "identifier") => self.declare(child, None, "lambda_parameter"),
                (Some("parameters"), "inferred_parameters") => {
                    child
                        .named()
                        .for_each(|c| self.declare(c, None, "lambda_parameter"));
                }
                _ => self.visit(child),
            }
        }
    }

    fn for_each(&mut self, node: &Node) {
        if let Some(value) = node.child("value") {
            self.visit(value);
        }
        if let Some(name) = node.child("name") {
            self.declare(name, node.child("type"), node.kind);
        }
        if let Some(body) = node.child("body") {
            self.visit(body);
        }
    }

    fn declaration(&mut self, node: &Node) {
        for declarator in node
            .children
            .iter()
            .filter(|c| c.kind == "variable_declarator")
        {
            if let Some(name) = declarator.child("name") {
                self.declare(name, node.child("type"), node.kind);
            }
            if let Some(value) = declarator.child("value") {
                self.visit(value);
            }
        }
    }

    fn parameter(&mut self, node: &Node) {
        match node.child("name") {
            Some(name) => {
                let ty = node.child("type").or_else(|| node.of_kind("catch_type"));
                let kind = if node.kind == "catch_formal_parameter" {
                    "catch"
                } else {
                    node.kind
                };
                // A caught type may change without the variable becoming another.
                self.declare(name, ty.filter(|_| kind != "catch"), kind);
                if let Some(value) = node.child("value") {
                    self.visit(value);
                }
            }
            None => self.visit_children(node),
        }
    }

    fn instance_of(&mut self, node: &Node) {
        for child in &node.children {
            match child.field {
                Some("name") => self.declare(child, node.child("right"), node.kind),
                _ => self.visit(child),
            }
        }
    }

    fn members(&mut self, body: &Node) {
        for field in body
            .children
            .iter()
            .filter(|c| c.kind == "field_declaration")
        {
            for name in field.children.iter().filter_map(|d| d.child("name")) {
                self.scope.push((name.text(self.source).to_string(), None));
            }
        }
        for member in &body.children {
            match member.kind {
                "field_declaration" => {
                    member
                        .children
                        .iter()
                        .filter_map(|d| d.child("value"))
                        .for_each(|v| self.visit(v));
                }
                _ => self.visit(member),
            }
        }
    }
}

/// Places where one of the names may stand for a field.
pub(super) fn member_uses(
    node: &Node,
    source: &str,
    names: &BTreeSet<String>,
    bound: &BTreeSet<(usize, usize)>,
    simple: bool,
    out: &mut Vec<(usize, usize)>,
) {
    let named = matches!(
        node.kind,
        "method_invocation"
            | "method_declaration"
            | "class_declaration"
            | "constructor_declaration"
    );
    for child in &node.children {
        let skipped = named && child.field == Some("name")
            || simple && child.field == Some("field")
            || matches!(
                node.kind,
                "break_statement"
                    | "continue_statement"
                    | "annotation"
                    | "marker_annotation"
                    | "scoped_identifier"
            );
        if child.kind != "identifier" {
            if !skipped {
                member_uses(child, source, names, bound, simple, out);
            }
            continue;
        }
        let place = (child.start, child.end);
        if !skipped && names.contains(child.text(source)) && !bound.contains(&place) {
            out.push(place);
        }
    }
}
