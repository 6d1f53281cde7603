//! Unified statements of the same kind: shared heads and bodies, `change` in the expressions that differ.

use super::insertion::{Piece, mark};
use super::writer::{ExprPosition, Grain, NEW, OLD, Refusal, WriteResult, Writer, default_of};
use crate::java::{Node, erased};
use crate::model::Level;

impl Writer<'_> {
    /// Two statements of the same kind.
    pub(super) fn pair(&mut self, a: &Node, b: &Node) -> WriteResult {
        if self.same(a, b) {
            return Ok(());
        }
        if a.kind != b.kind {
            return Err(Refusal::Apart);
        }
        match a.kind {
            "block" | "constructor_body" => self.blocks(a, b),
            "if_statement" => self.conditional(a, b),
            "while_statement" | "do_statement" => {
                self.condition(a, b)?;
                self.body_of(a, b)
            }
            "for_statement" => self.for_loop(a, b),
            "enhanced_for_statement" => {
                if !self.same_part(a, b, "type") || !self.same_part(a, b, "name") {
                    return Err(Refusal::Apart);
                }
                self.part(a, b, "value", ExprPosition::Whole)?;
                self.body_of(a, b)
            }
            "labeled_statement" => self.labelled(a, b),
            "synchronized_statement" => {
                self.lock(a, b)?;
                self.body_of(a, b)
            }
            "local_variable_declaration" => self.declaration(a, b),
            "expression_statement" => self.statement_expression(a, b),
            "explicit_constructor_invocation" => self.inside(a, b, ExprPosition::Whole),
            "return_statement" | "yield_statement" => match (a.named().next(), b.named().next()) {
                (Some(x), Some(y)) => self.expression(x, y, ExprPosition::Whole),
                _ => Err(Refusal::Apart),
            },
            "throw_statement" => match (a.named().next(), b.named().next()) {
                (Some(x), Some(y)) if self.grain == Grain::Deep => {
                    self.inside(x, y, ExprPosition::Whole)
                }
                _ => Err(Refusal::Apart),
            },
            "assert_statement" => self.assertion(a, b),
            "switch_expression" => self.switch(a, b, false),
            "try_statement" | "try_with_resources_statement" => self.protected(a, b),
            _ => Err(Refusal::Apart),
        }
    }

    fn part(&mut self, a: &Node, b: &Node, role: &str, place: ExprPosition) -> WriteResult {
        match (a.child(role), b.child(role)) {
            (Some(x), Some(y)) => self.expression(x, y, place),
            (None, None) => Ok(()),
            _ => Err(Refusal::Apart),
        }
    }

    fn condition(&mut self, a: &Node, b: &Node) -> WriteResult {
        self.part(a, b, "condition", ExprPosition::Condition)
    }

    fn body_of(&mut self, a: &Node, b: &Node) -> WriteResult {
        match (a.child("body"), b.child("body")) {
            (Some(x), Some(y)) => self.body(x, y),
            _ => Err(Refusal::Apart),
        }
    }

    /// Two statements that stand where a block could.
    pub(super) fn body(&mut self, a: &Node, b: &Node) -> WriteResult {
        if self.same(a, b) {
            return Ok(());
        }
        if b.kind == "if_statement" && a.kind == b.kind && self.attempt(|w| w.pair(a, b)).is_ok() {
            return Ok(());
        }
        let (xs, ys) = (statements(a), statements(b));
        if b.kind == "block" {
            return self.sequences(&xs, &ys, b.end - 1);
        }
        self.insert_mark(b.start, "{ ");
        self.sequences(&xs, &ys, if ys.is_empty() { b.start } else { b.end })?;
        self.insert_mark(b.end, " }");
        Ok(())
    }

    fn conditional(&mut self, a: &Node, b: &Node) -> WriteResult {
        self.condition(a, b)?;
        let (Some(x), Some(y)) = (a.child("consequence"), b.child("consequence")) else {
            return Err(Refusal::Apart);
        };
        match (a.child("alternative"), b.child("alternative")) {
            (None, None) => self.body(x, y),
            (Some(p), Some(q)) => {
                self.body(x, y)?;
                self.body(p, q)
            }
            (None, Some(q)) => {
                self.body(x, y)?;
                self.level = Level::Statement;
                self.insert_mark(q.start, format!("if ({NEW}) "));
                if q.kind != "block" {
                    self.insert_mark(q.start, "{ ");
                    self.insert_mark(q.end, " }");
                }
                Ok(())
            }
            (Some(p), None) => {
                // An `else` behind a consequence without braces could belong to an `if` inside it.
                if y.kind != "block" {
                    self.insert_mark(y.start, "{ ");
                }
                self.body(x, y)?;
                self.level = Level::Statement;
                let closing = if y.kind == "block" { "" } else { " }" };
                let before = format!("{closing} else if ({OLD}) {{ ");
                self.insert(
                    y.end,
                    vec![mark(before), Piece::Old(p.start, p.end), mark(" }")],
                );
                Ok(())
            }
        }
    }

    fn for_loop(&mut self, a: &Node, b: &Node) -> WriteResult {
        let parts = |n: &Node, role: &str| {
            n.children
                .iter()
                .filter(|c| c.field == Some(role))
                .cloned()
                .collect::<Vec<_>>()
        };
        for role in ["init", "update"] {
            let (xs, ys) = (parts(a, role), parts(b, role));
            if xs.len() != ys.len() {
                return Err(Refusal::Apart);
            }
            for (x, y) in xs.iter().zip(&ys) {
                if self.same(x, y) {
                    continue;
                }
                match x.kind {
                    "local_variable_declaration" if y.kind == x.kind => self.declaration(x, y)?,
                    _ => self.inside(x, y, ExprPosition::Whole)?,
                }
            }
        }
        self.condition(a, b)?;
        self.body_of(a, b)
    }

    fn labelled(&mut self, a: &Node, b: &Node) -> WriteResult {
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (a.named().collect(), b.named().collect());
        match (&xs[..], &ys[..]) {
            ([l, x], [m, y]) if self.same(l, m) => self.pair(x, y),
            _ => Err(Refusal::Apart),
        }
    }

    fn lock(&mut self, a: &Node, b: &Node) -> WriteResult {
        match (
            a.of_kind("parenthesized_expression"),
            b.of_kind("parenthesized_expression"),
        ) {
            (Some(x), Some(y)) => self.expression(x, y, ExprPosition::Whole),
            _ => Err(Refusal::Apart),
        }
    }

    fn assertion(&mut self, a: &Node, b: &Node) -> WriteResult {
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (a.named().collect(), b.named().collect());
        if xs.len() != ys.len() {
            return Err(Refusal::Apart);
        }
        for (i, (x, y)) in xs.into_iter().zip(ys).enumerate() {
            self.expression(
                x,
                y,
                if i == 0 {
                    ExprPosition::Condition
                } else {
                    ExprPosition::Whole
                },
            )?;
        }
        Ok(())
    }

    fn statement_expression(&mut self, a: &Node, b: &Node) -> WriteResult {
        let (Some(x), Some(y)) = (a.named().next(), b.named().next()) else {
            return Err(Refusal::Apart);
        };
        let assigns = x.kind == "assignment_expression" && y.kind == x.kind;
        if assigns || self.grain == Grain::Deep {
            self.inside(x, y, ExprPosition::Whole)
        } else {
            Err(Refusal::Apart)
        }
    }

    /// Declarations of the same variables.
    pub(super) fn declaration(&mut self, a: &Node, b: &Node) -> WriteResult {
        let all = |n: &Node| {
            n.children
                .iter()
                .filter(|c| c.kind == "variable_declarator")
                .cloned()
                .collect::<Vec<_>>()
        };
        let (xs, ys) = (all(a), all(b));
        let types = |n: &Node, s: &str| {
            n.child("type")
                .map(|t| erased(&t.flat(s)))
                .unwrap_or_default()
        };
        let (p, q) = (types(a, self.old), types(b, self.new));
        if xs.len() != ys.len() || p != q && p != "var" && q != "var" {
            return Err(Refusal::Apart);
        }
        let constant = ys.iter().any(|y| {
            y.child("value")
                .is_some_and(|v| super::declaration::is_literal(v, self.new))
        });
        if !constant {
            self.release(a, b);
        }
        for (x, y) in xs.iter().zip(&ys) {
            if !self.same_part(x, y, "name") || !self.same_part(x, y, "dimensions") {
                return Err(Refusal::Apart);
            }
            let default = if y.child("dimensions").is_some() {
                "null"
            } else {
                default_of(&q)
            };
            match (x.child("value"), y.child("value")) {
                (Some(v), Some(w))
                    if v.kind == "array_initializer" || w.kind == "array_initializer" =>
                {
                    if !self.same(v, w) {
                        self.inside(v, w, ExprPosition::Whole)?;
                    }
                }
                (Some(v), Some(w)) => self.expression(v, w, ExprPosition::Whole)?,
                (Some(v), None) if v.kind != "array_initializer" => {
                    self.level = Level::Statement;
                    self.insert(
                        y.end,
                        vec![
                            mark(format!(" = {OLD} ? ")),
                            Piece::Old(v.start, v.end),
                            mark(format!(" : {default}")),
                        ],
                    );
                }
                (None, Some(w)) if w.kind != "array_initializer" => {
                    self.level = Level::Statement;
                    self.insert_mark(w.start, format!("{NEW} ? "));
                    self.insert_mark(w.end, format!(" : {default}"));
                }
                (None, None) => {}
                _ => return Err(Refusal::Apart),
            }
        }
        Ok(())
    }

    /// `switch` with the same labels in the same order.
    pub(super) fn switch(&mut self, a: &Node, b: &Node, value: bool) -> WriteResult {
        self.part(a, b, "condition", ExprPosition::Whole)?;
        let (Some(x), Some(y)) = (a.child("body"), b.child("body")) else {
            return Err(Refusal::Apart);
        };
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (x.named().collect(), y.named().collect());
        let labels = |n: &Node, s: &str| -> Vec<String> {
            n.children
                .iter()
                .filter(|c| c.kind == "switch_label")
                .map(|c| c.flat(s))
                .collect()
        };
        let alike = |(p, q): (&&Node, &&Node)| {
            p.kind == q.kind && labels(p, self.old) == labels(q, self.new)
        };
        if xs.len() != ys.len() || !xs.iter().zip(&ys).all(alike) {
            return Err(Refusal::Apart);
        }
        for (p, q) in xs.into_iter().zip(ys) {
            if !self.same(p, q) {
                self.switch_case(p, q, value)?;
            }
        }
        Ok(())
    }

    fn switch_case(&mut self, a: &Node, b: &Node, value: bool) -> WriteResult {
        let rest = |n: &Node| {
            n.named()
                .filter(|c| c.kind != "switch_label")
                .cloned()
                .collect::<Vec<_>>()
        };
        let (xs, ys) = (rest(a), rest(b));
        if a.kind == "switch_block_statement_group" {
            let (xs, ys): (Vec<&Node>, Vec<&Node>) = (xs.iter().collect(), ys.iter().collect());
            return self.sequences(&xs, &ys, b.end);
        }
        let ([x], [y]) = (&xs[..], &ys[..]) else {
            return Err(Refusal::Apart);
        };
        if x.kind != y.kind {
            return Err(Refusal::Apart);
        }
        match (x.kind, x.named().next(), y.named().next()) {
            ("expression_statement", Some(p), Some(q)) if value => {
                self.expression(p, q, ExprPosition::Whole)
            }
            _ => self.pair(x, y),
        }
    }

    /// `try` with the same resources and the same exceptions caught.
    fn protected(&mut self, a: &Node, b: &Node) -> WriteResult {
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (a.named().collect(), b.named().collect());
        if xs.len() != ys.len() || xs.iter().zip(&ys).any(|(x, y)| x.kind != y.kind) {
            return Err(Refusal::Apart);
        }
        for (x, y) in xs.into_iter().zip(ys) {
            match x.kind {
                _ if self.same(x, y) => {}
                "block" => self.blocks(x, y)?,
                "catch_clause" => {
                    match (
                        x.of_kind("catch_formal_parameter"),
                        y.of_kind("catch_formal_parameter"),
                    ) {
                        (Some(p), Some(q)) if self.same(p, q) => self.body_of(x, y)?,
                        _ => return Err(Refusal::Apart),
                    }
                }
                "finally_clause" => match (x.of_kind("block"), y.of_kind("block")) {
                    (Some(p), Some(q)) => self.blocks(p, q)?,
                    _ => return Err(Refusal::Apart),
                },
                _ => return Err(Refusal::Apart),
            }
        }
        Ok(())
    }
}

/// The statements of a block, or the one statement that stands for one.
fn statements(node: &Node) -> Vec<&Node> {
    match node.kind {
        "block" => node.named().collect(),
        ";" => Vec::new(),
        _ => vec![node],
    }
}
