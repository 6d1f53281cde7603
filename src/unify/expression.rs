//! Unified expressions: `change` or a choice by version, as deep as both expressions have the same form.

use super::insertion::{Piece, mark};
use super::pure::Type;
use super::writer::{ExprPosition, Grain, OLD, Refusal, WriteResult, Writer};
use crate::java::Node;
use similar::{Algorithm, DiffOp, capture_diff_slices};

impl Writer<'_> {
    /// Two expressions at the same place of otherwise shared code.
    pub(super) fn expression(&mut self, a: &Node, b: &Node, place: ExprPosition) -> WriteResult {
        if self.same(a, b) {
            return Ok(());
        }
        if self.grain == Grain::Deep && self.attempt(|w| w.inside(a, b, place)).is_ok() {
            return Ok(());
        }
        if a.kind == "parenthesized_expression" && b.kind == a.kind {
            return match (a.named().next(), b.named().next()) {
                (Some(x), Some(y)) => self.choice(
                    x,
                    y,
                    if place == ExprPosition::Condition {
                        place
                    } else {
                        ExprPosition::Whole
                    },
                ),
                _ => Err(Refusal::Apart),
            };
        }
        self.choice(a, b, place)
    }

    /// `change(old, new)` where nothing can go wrong in evaluating both, else `execute(OLD) ? old : new`.
    fn choice(&mut self, a: &Node, b: &Node, place: ExprPosition) -> WriteResult {
        let refused = |n: &Node| {
            matches!(
                n.kind,
                "array_initializer" | "super" | "assignment_expression"
            )
        };
        if refused(a) || refused(b) {
            return Err(Refusal::Apart);
        }
        let old = Piece::Old(a.start, a.end);
        let pure = (self.scope.pure(a, self.old), self.scope.pure(b, self.new));
        if let (Some(p), Some(q)) = pure
            && p == q
            && p != Type::Small
        {
            self.insert(
                b.start,
                vec![mark("com.shadowci.Shadow.change("), old, mark(", ")],
            );
            self.insert_mark(b.end, ")");
            return Ok(());
        }
        let (before, after) = match place {
            ExprPosition::Condition => ("com.shadowci.Shadow.condition(", ")"),
            ExprPosition::Whole => ("", ""),
            ExprPosition::Operand => ("(", ")"),
        };
        self.insert(
            b.start,
            vec![mark(format!("{before}{OLD} ? ")), old, mark(" : ")],
        );
        self.insert_mark(b.end, after);
        Ok(())
    }

    /// Goes down where both are of the same form.
    pub(super) fn inside(&mut self, a: &Node, b: &Node, place: ExprPosition) -> WriteResult {
        let connective = |n: &Node, s: &str| {
            let op = n
                .child("operator")
                .map(|o| o.text(s).to_string())
                .filter(|_| n.kind == "binary_expression");
            op.filter(|o| o == "&&" || o == "||")
        };
        let (p, q) = (connective(a, self.old), connective(b, self.new));
        if let Some(op) = p.clone().or(q.clone())
            && (p.is_none() || q.is_none() || p == q)
        {
            return self.chain(a, b, &op, place);
        }
        if a.kind != b.kind {
            return Err(Refusal::Apart);
        }
        match a.kind {
            "parenthesized_expression" => {
                let inner = if place == ExprPosition::Condition {
                    place
                } else {
                    ExprPosition::Whole
                };
                self.named_pairs(a, b, inner)
            }
            "binary_expression" => {
                let plus = a.child("operator").is_some_and(|o| o.text(self.old) == "+");
                let numbers = self.scope.pure(a, self.old).is_some()
                    && self.scope.pure(b, self.new).is_some();
                // The operands of a string concatenation are put together by javac's own recipe.
                if !self.same_part(a, b, "operator") || plus && !numbers {
                    return Err(Refusal::Apart);
                }
                self.named_pairs(a, b, ExprPosition::Operand)
            }
            "unary_expression" if self.same_part(a, b, "operator") => {
                self.named_pairs(a, b, ExprPosition::Operand)
            }
            "cast_expression" if self.same_part(a, b, "type") => {
                self.roles(a, b, &[("value", ExprPosition::Operand)])
            }
            "ternary_expression" => self.ternary(a, b),
            "field_access" if self.same_part(a, b, "field") => self.object(a, b),
            "array_access" => self.named_pairs(a, b, ExprPosition::Operand),
            "instanceof_expression" => {
                let rest = ["right", "name", "pattern"]
                    .iter()
                    .all(|r| self.same_part(a, b, r));
                if rest {
                    self.roles(a, b, &[("left", ExprPosition::Operand)])
                } else {
                    Err(Refusal::Apart)
                }
            }
            "method_invocation"
            | "object_creation_expression"
            | "explicit_constructor_invocation" => self.call(a, b),
            "array_creation_expression" | "dimensions_expr" => {
                if self.same_part(a, b, "type") {
                    self.named_pairs(a, b, ExprPosition::Whole)
                } else {
                    Err(Refusal::Apart)
                }
            }
            "array_initializer" => self.named_pairs(a, b, ExprPosition::Whole),
            "assignment_expression" => self.assignment(a, b),
            "lambda_expression" if self.same_part(a, b, "parameters") => {
                match (a.child("body"), b.child("body")) {
                    (Some(x), Some(y)) if x.kind == "block" && y.kind == "block" => {
                        self.blocks(x, y)
                    }
                    (Some(x), Some(y)) if x.kind != "block" && y.kind != "block" => {
                        self.inside(x, y, ExprPosition::Whole)
                    }
                    _ => Err(Refusal::Apart),
                }
            }
            "switch_expression" => self.switch(a, b, true),
            "class_body" => self.members(a, b),
            _ => Err(Refusal::Apart),
        }
    }

    /// All named children are expressions, in pairs.
    fn named_pairs(&mut self, a: &Node, b: &Node, place: ExprPosition) -> WriteResult {
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (a.named().collect(), b.named().collect());
        if xs.len() != ys.len() {
            return Err(Refusal::Apart);
        }
        for (x, y) in xs.into_iter().zip(ys) {
            if x.kind == "array_initializer" || x.kind == "dimensions_expr" {
                if !self.same(x, y) {
                    self.inside(x, y, place)?;
                }
            } else {
                self.expression(x, y, place)?;
            }
        }
        Ok(())
    }

    /// Expressions in the given roles; everything else has to be the same.
    fn roles(&mut self, a: &Node, b: &Node, roles: &[(&str, ExprPosition)]) -> WriteResult {
        for (role, place) in roles {
            match (a.child(role), b.child(role)) {
                (Some(x), Some(y)) => self.expression(x, y, *place)?,
                (None, None) => {}
                _ => return Err(Refusal::Apart),
            }
        }
        Ok(())
    }

    fn ternary(&mut self, a: &Node, b: &Node) -> WriteResult {
        self.roles(
            a,
            b,
            &[
                ("condition", ExprPosition::Condition),
                ("consequence", ExprPosition::Operand),
                ("alternative", ExprPosition::Operand),
            ],
        )
    }

    /// What stands before the dot; a class name is not an expression.
    fn object(&mut self, a: &Node, b: &Node) -> WriteResult {
        let (Some(x), Some(y)) = (a.child("object"), b.child("object")) else {
            return if a.child("object").is_none() && b.child("object").is_none() {
                Ok(())
            } else {
                Err(Refusal::Apart)
            };
        };
        if self.same(x, y) {
            return Ok(());
        }
        let class = |text: String| {
            text.rsplit([' ', '.'])
                .next()
                .is_some_and(|last| last.starts_with(|c: char| c.is_uppercase()))
        };
        let names = |n: &Node| {
            matches!(
                n.kind,
                "identifier" | "field_access" | "scoped_identifier" | "super"
            )
        };
        if names(x) && class(self.old_flat(x)) || names(y) && class(self.new_flat(y)) {
            return Err(Refusal::Apart);
        }
        self.expression(x, y, ExprPosition::Operand)
    }

    /// Calls of the same method: receiver and arguments in pairs.
    fn call(&mut self, a: &Node, b: &Node) -> WriteResult {
        let fixed = |n: &Node, s: &str| -> Vec<String> {
            let part = |c: &&Node| {
                !matches!(c.kind, "argument_list" | "class_body") && c.field != Some("object")
            };
            n.children.iter().filter(part).map(|c| c.flat(s)).collect()
        };
        if fixed(a, self.old) != fixed(b, self.new) {
            return Err(Refusal::Apart);
        }
        self.object(a, b)?;
        match (a.child("arguments"), b.child("arguments")) {
            (Some(x), Some(y)) => self.named_pairs(x, y, ExprPosition::Whole)?,
            (None, None) => {}
            _ => return Err(Refusal::Apart),
        }
        match (a.of_kind("class_body"), b.of_kind("class_body")) {
            (Some(x), Some(y)) if !self.same(x, y) => self.members(x, y),
            (Some(_), Some(_)) | (None, None) => Ok(()),
            _ => Err(Refusal::Apart),
        }
    }

    /// An anonymous class: the same members, bodies of methods unified.
    fn members(&mut self, a: &Node, b: &Node) -> WriteResult {
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (a.named().collect(), b.named().collect());
        if xs.len() != ys.len() {
            return Err(Refusal::Apart);
        }
        let head = |n: &Node, s: &str| -> Vec<String> {
            n.children
                .iter()
                .filter(|c| c.field != Some("body"))
                .map(|c| c.flat(s))
                .collect()
        };
        for (x, y) in xs.into_iter().zip(ys) {
            if self.same(x, y) {
                continue;
            }
            if x.kind != "method_declaration"
                || y.kind != x.kind
                || head(x, self.old) != head(y, self.new)
            {
                return Err(Refusal::Apart);
            }
            match (x.child("body"), y.child("body")) {
                (Some(p), Some(q)) => self.blocks(p, q)?,
                _ => return Err(Refusal::Apart),
            }
        }
        Ok(())
    }

    /// Assignment to the same variable.
    pub(super) fn assignment(&mut self, a: &Node, b: &Node) -> WriteResult {
        if !self.same_part(a, b, "left") || !self.same_part(a, b, "operator") {
            return Err(Refusal::Apart);
        }
        let (Some(x), Some(y)) = (a.child("right"), b.child("right")) else {
            return Err(Refusal::Apart);
        };
        let plain = a.child("operator").is_some_and(|o| o.text(self.old) == "=");
        let pure = self.scope.pure(x, self.old).is_some() && self.scope.pure(y, self.new).is_some();
        // `+=` may be string concatenation.
        if plain || pure {
            self.expression(x, y, ExprPosition::Whole)
        } else {
            Err(Refusal::Apart)
        }
    }

    /// Conditions joined by `&&` (`||`): those of one version alone become `true` (`false`) in the other (paper 003, §3.1 (e)-(j)).
    fn chain(&mut self, a: &Node, b: &Node, op: &str, place: ExprPosition) -> WriteResult {
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        operands(a, op, self.old, &mut xs);
        operands(b, op, self.new, &mut ys);
        if place != ExprPosition::Condition && (xs.len() == 1 || ys.len() == 1) {
            return Err(Refusal::Apart);
        }
        let p: Vec<String> = xs.iter().map(|n| self.old_flat(n)).collect();
        let q: Vec<String> = ys.iter().map(|n| self.new_flat(n)).collect();
        let neutral = if op == "&&" { "true" } else { "false" };
        let mut shared = false;
        for part in capture_diff_slices(Algorithm::Myers, &p, &q) {
            let (olds, news) = (&xs[part.old_range()], &ys[part.new_range()]);
            match part {
                DiffOp::Equal { .. } => shared = true,
                DiffOp::Replace { .. } if olds.len() == news.len() => {
                    for (x, y) in olds.iter().zip(news) {
                        self.expression(x, y, ExprPosition::Condition)?;
                        shared |= x.kind == y.kind;
                    }
                }
                DiffOp::Replace { .. } => return Err(Refusal::Apart),
                DiffOp::Insert { .. } => news.iter().for_each(|y| self.new_operand(y, neutral)),
                DiffOp::Delete { new_index, .. } => {
                    for x in olds {
                        self.old_operand(x, neutral, op, &ys, new_index);
                    }
                }
            }
        }
        if shared { Ok(()) } else { Err(Refusal::Apart) }
    }

    fn new_operand(&mut self, node: &Node, neutral: &str) {
        let form = if self.scope.pure(node, self.new).is_some() {
            format!("com.shadowci.Shadow.change({neutral}, ")
        } else {
            format!("com.shadowci.Shadow.condition({OLD} ? {neutral} : ")
        };
        self.insert_mark(node.start, form);
        self.insert_mark(node.end, ")");
    }

    fn old_operand(&mut self, node: &Node, neutral: &str, op: &str, news: &[&Node], index: usize) {
        let old = Piece::Old(node.start, node.end);
        let mut pieces = if self.scope.pure(node, self.old).is_some() {
            vec![
                mark("com.shadowci.Shadow.change("),
                old,
                mark(format!(", {neutral})")),
            ]
        } else {
            vec![
                mark(format!("com.shadowci.Shadow.condition({OLD} ? ")),
                old,
                mark(format!(" : {neutral})")),
            ]
        };
        match news.get(index) {
            Some(next) => {
                pieces.push(mark(format!(" {op} ")));
                self.insert(next.start, pieces);
            }
            None => {
                pieces.insert(0, mark(format!(" {op} ")));
                self.insert(news.last().map_or(0, |n| n.end), pieces);
            }
        }
    }
}

/// The operands of a left-associative chain of one connective.
fn operands<'n>(node: &'n Node, op: &str, source: &str, out: &mut Vec<&'n Node>) {
    let joined = node.kind == "binary_expression"
        && node.child("operator").is_some_and(|o| o.text(source) == op);
    match (node.child("left"), node.child("right")) {
        (Some(left), Some(right)) if joined => {
            operands(left, op, source, out);
            out.push(right);
        }
        _ => out.push(node),
    }
}
