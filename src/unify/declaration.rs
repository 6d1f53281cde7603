//! Declarations of locals: those of one version are visible to both, with a default value in the other version.

use super::insertion::{Piece, mark};
use super::writer::{Grain, NEW, OLD, Refusal, WriteResult, Writer, default_of};
use crate::java::{Node, erased};

impl Writer<'_> {
    /// A shared declaration without a value gets one: what follows may assign it in one version only, which javac can't know.
    pub(super) fn defined(&mut self, node: &Node) {
        let is_final = node
            .of_kind("modifiers")
            .is_some_and(|m| m.text(self.new).contains("final"));
        if self.grain != Grain::Deep || node.kind != "local_variable_declaration" || is_final {
            return;
        }
        let ty = node
            .child("type")
            .map(|t| self.new_flat(t))
            .unwrap_or_default();
        for d in node
            .children
            .iter()
            .filter(|c| c.kind == "variable_declarator" && c.child("value").is_none())
        {
            let default = if d.child("dimensions").is_some() {
                "null"
            } else {
                default_of(&ty)
            };
            self.insert_mark(d.end, format!(" = {default}"));
        }
    }

    pub(super) fn declared(&self, node: &Node, source: &str) -> Vec<String> {
        let declarators = node
            .children
            .iter()
            .filter(|c| c.kind == "variable_declarator");
        declarators
            .filter_map(|d| d.child("name"))
            .map(|n| n.text(source).to_string())
            .collect()
    }

    /// A declaration of the old version alone: the new version leaves its variable at the default.
    pub(super) fn old_declaration(&self, node: &Node, pieces: &mut Vec<Piece>) -> WriteResult {
        let Some(ty) = node.child("type") else {
            return Err(Refusal::Leaks);
        };
        let text = self.old_flat(ty);
        let modifier = if node
            .of_kind("modifiers")
            .is_some_and(|m| m.text(self.old).contains("final"))
        {
            "final "
        } else {
            ""
        };
        for d in node
            .children
            .iter()
            .filter(|c| c.kind == "variable_declarator")
        {
            let Some(name) = d.child("name") else {
                return Err(Refusal::Leaks);
            };
            let dimensions = d
                .child("dimensions")
                .map(|d| self.old_flat(d))
                .unwrap_or_default();
            let default = if dimensions.is_empty() {
                default_of(&erased(&text))
            } else {
                "null"
            };
            let head = format!("{text} {}{dimensions} = ", name.text(self.old));
            match d.child("value") {
                None => pieces.push(mark(format!("{head}{default}; "))),
                Some(v) if is_literal(v, self.old) => {
                    pieces.extend([
                        mark(format!("{modifier}{head}")),
                        Piece::Old(v.start, v.end),
                        mark("; "),
                    ]);
                }
                Some(v) => {
                    let array = if v.kind == "array_initializer" {
                        format!("new {text}{dimensions} ")
                    } else {
                        String::new()
                    };
                    let before = mark(format!("{modifier}{head}{OLD} ? {array}"));
                    pieces.extend([
                        before,
                        Piece::Old(v.start, v.end),
                        mark(format!(" : {default}; ")),
                    ]);
                }
            }
        }
        Ok(())
    }

    /// A declaration of the new version alone, in its place.
    pub(super) fn new_declaration(&mut self, node: &Node) -> WriteResult {
        let Some(ty) = node.child("type") else {
            return Err(Refusal::Leaks);
        };
        let text = self.new_flat(ty);
        for d in node
            .children
            .iter()
            .filter(|c| c.kind == "variable_declarator")
        {
            let dimensions = d
                .child("dimensions")
                .map(|d| self.new_flat(d))
                .unwrap_or_default();
            let default = if dimensions.is_empty() {
                default_of(&erased(&text))
            } else {
                "null"
            };
            match d.child("value") {
                None => self.insert_mark(d.end, format!(" = {default}")),
                Some(v) if is_literal(v, self.new) => {}
                Some(v) => {
                    let array = if v.kind == "array_initializer" {
                        format!("new {text}{dimensions} ")
                    } else {
                        String::new()
                    };
                    self.insert_mark(v.start, format!("{NEW} ? {array}"));
                    self.insert_mark(v.end, format!(" : {default}"));
                }
            }
        }
        Ok(())
    }
}

/// Whether evaluating it in the other version too does no harm.
pub(super) fn is_literal(node: &Node, source: &str) -> bool {
    let text = node.kind == "string_literal"
        || node.kind == "character_literal"
        || node.kind == "null_literal";
    text || matches!(node.kind, "true" | "false")
        || node.kind.ends_with("_integer_literal")
        || node.kind.ends_with("_floating_point_literal")
        || node.kind == "unary_expression"
            && !node.text(source).contains(['(', '!'])
            && node.named().last().is_some_and(|n| is_literal(n, source))
}
