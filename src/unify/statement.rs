//! Statements of both versions in one body: shared where they are the same, else `change` inside or `execute` around.

use super::expression::{Scope, Type};
use crate::java::Node;
use crate::verdict::Level;
use similar::{Algorithm, DiffOp, capture_diff_slices};

const OLD: &str = "if (com.shadowci.Shadow.execute(com.shadowci.Shadow.OLD)) { ";
const NEW: &str = "if (com.shadowci.Shadow.execute(com.shadowci.Shadow.NEW)) { ";

/// Writes edits of the new text.
pub(super) struct Writer<'a> {
    pub old: &'a str,
    pub new: &'a str,
    pub scope: Scope,
    pub edits: &'a mut Vec<(usize, usize, String)>,
    pub level: Level,
}

type Written = Result<(), &'static str>;

impl Writer<'_> {
    /// Unifies two blocks (or constructor bodies) statement by statement.
    pub(super) fn blocks(&mut self, a: &Node, b: &Node) -> Written {
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (a.named().collect(), b.named().collect());
        let texts = |nodes: &[&Node], source: &str| {
            nodes.iter().map(|n| n.flat(source)).collect::<Vec<_>>()
        };
        let (p, q) = (texts(&xs, self.old), texts(&ys, self.new));
        for op in capture_diff_slices(Algorithm::Myers, &p, &q) {
            match op {
                DiffOp::Equal { .. } => {}
                DiffOp::Delete {
                    old_index,
                    old_len,
                    new_index,
                } => {
                    let at = ys
                        .get(new_index)
                        .map_or(b.end.saturating_sub(1), |n| n.start);
                    self.only_old(&xs[old_index..old_index + old_len], at)?;
                }
                DiffOp::Insert {
                    new_index, new_len, ..
                } => self.only_new(&ys[new_index..new_index + new_len])?,
                DiffOp::Replace {
                    old_index,
                    old_len,
                    new_index,
                    new_len,
                } => {
                    self.replaced(
                        &xs[old_index..old_index + old_len],
                        &ys[new_index..new_index + new_len],
                    )?;
                }
            }
        }
        Ok(())
    }

    fn replaced(&mut self, old: &[&Node], new: &[&Node]) -> Written {
        let paired = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.kind == b.kind);
        if paired {
            let mark = self.edits.len();
            if old
                .iter()
                .zip(new)
                .try_for_each(|(a, b)| self.pair(a, b))
                .is_ok()
            {
                return Ok(());
            }
            self.edits.truncate(mark);
        }
        let mark = (self.edits.len(), self.level);
        if old.len() + new.len() > 2 && self.by_kind(old, new).is_ok() {
            return Ok(());
        }
        self.edits.truncate(mark.0);
        self.level = mark.1;
        self.wrapped(old, new)
    }

    /// Statements of one kind in the same order are unified pair by pair, the rest belongs to one version.
    fn by_kind(&mut self, old: &[&Node], new: &[&Node]) -> Written {
        let kinds = |nodes: &[&Node]| nodes.iter().map(|n| n.kind).collect::<Vec<_>>();
        let mut paired = false;
        for op in capture_diff_slices(Algorithm::Myers, &kinds(old), &kinds(new)) {
            match op {
                DiffOp::Equal {
                    old_index,
                    new_index,
                    len,
                } => {
                    paired = true;
                    for i in 0..len {
                        self.body(old[old_index + i], new[new_index + i])?;
                    }
                }
                DiffOp::Delete {
                    old_index,
                    old_len,
                    new_index,
                } => {
                    let at = new
                        .get(new_index)
                        .map(|n| n.start)
                        .or(new.last().map(|n| n.end))
                        .unwrap_or_default();
                    self.only_old(&old[old_index..old_index + old_len], at)?;
                }
                DiffOp::Insert {
                    new_index, new_len, ..
                } => self.only_new(&new[new_index..new_index + new_len])?,
                DiffOp::Replace {
                    old_index,
                    old_len,
                    new_index,
                    new_len,
                } => {
                    self.wrapped(
                        &old[old_index..old_index + old_len],
                        &new[new_index..new_index + new_len],
                    )?;
                }
            }
        }
        if paired {
            Ok(())
        } else {
            Err("no statement of the same kind")
        }
    }

    /// One version's statements, else the other's.
    fn wrapped(&mut self, old: &[&Node], new: &[&Node]) -> Written {
        declares_nothing(old)?;
        declares_nothing(new)?;
        self.level = Level::Statement;
        let (first, last) = (new[0], new[new.len() - 1]);
        let before = format!("{OLD}{} }} else {{ ", self.flat(old));
        self.edits.push((first.start, first.start, before));
        self.edits.push((last.end, last.end, " }".into()));
        Ok(())
    }

    fn only_old(&mut self, old: &[&Node], at: usize) -> Written {
        declares_nothing(old)?;
        self.level = Level::Statement;
        self.edits
            .push((at, at, format!("{OLD}{} }} ", self.flat(old))));
        Ok(())
    }

    fn only_new(&mut self, new: &[&Node]) -> Written {
        declares_nothing(new)?;
        self.level = Level::Statement;
        self.edits.push((new[0].start, new[0].start, NEW.into()));
        let end = new[new.len() - 1].end;
        self.edits.push((end, end, " }".into()));
        Ok(())
    }

    fn flat(&self, nodes: &[&Node]) -> String {
        nodes
            .iter()
            .map(|n| n.flat(self.old))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn same(&self, a: &Node, b: &Node) -> bool {
        a.flat(self.old) == b.flat(self.new)
    }

    /// Two statements of one kind.
    fn pair(&mut self, a: &Node, b: &Node) -> Written {
        if self.same(a, b) {
            return Ok(());
        }
        match a.kind {
            "block" => self.blocks(a, b),
            "if_statement" | "while_statement" | "do_statement" => self.parts(
                a,
                b,
                &["condition"],
                &["consequence", "alternative", "body"],
            ),
            "for_statement" => self.parts(a, b, &["condition"], &["body"]),
            "expression_statement" => self.assignment(a, b),
            "local_variable_declaration" => self.declaration(a, b),
            "return_statement" => match (a.named().next(), b.named().next()) {
                (Some(x), Some(y)) => self.expression(x, y),
                _ => Err("return with and without a value"),
            },
            "labeled_statement" | "synchronized_statement" | "enhanced_for_statement" => {
                self.parts(a, b, &[], &["body"])
            }
            _ => Err("statements of this kind are unified as a whole"),
        }
    }

    /// Children in the named roles are unified as expressions or statements; everything else has to be the same.
    fn parts(&mut self, a: &Node, b: &Node, expressions: &[&str], statements: &[&str]) -> Written {
        if a.children.len() != b.children.len() {
            return Err("the statements have different parts");
        }
        for (x, y) in a.children.iter().zip(&b.children) {
            if self.same(x, y) {
                continue;
            }
            match x.field {
                Some(role) if x.field == y.field && expressions.contains(&role) => {
                    self.expression(x, y)?
                }
                Some(role) if x.field == y.field && statements.contains(&role) => {
                    self.body(x, y)?
                }
                _ => return Err("parts of the statement differ that have no common form"),
            }
        }
        Ok(())
    }

    fn body(&mut self, a: &Node, b: &Node) -> Written {
        let mark = (self.edits.len(), self.level);
        if a.kind == b.kind && self.pair(a, b).is_ok() {
            return Ok(());
        }
        self.edits.truncate(mark.0);
        self.level = mark.1;
        self.wrapped(&[a], &[b])
    }

    fn assignment(&mut self, a: &Node, b: &Node) -> Written {
        let (Some(x), Some(y)) = (a.named().next(), b.named().next()) else {
            return Err("no expression");
        };
        if x.kind != "assignment_expression" || y.kind != x.kind {
            return Err("not an assignment in both versions");
        }
        let shared = ["left", "operator"]
            .iter()
            .all(|f| matches!((x.child(f), y.child(f)), (Some(p), Some(q)) if self.same(p, q)));
        match (x.child("right"), y.child("right")) {
            (Some(p), Some(q)) if shared => self.expression(p, q),
            _ => Err("another variable is assigned"),
        }
    }

    fn declaration(&mut self, a: &Node, b: &Node) -> Written {
        let one = |n: &Node| {
            let mut all = n
                .named()
                .filter(|c| c.kind == "variable_declarator")
                .cloned();
            all.next().filter(|_| all.next().is_none())
        };
        let (Some(x), Some(y)) = (one(a), one(b)) else {
            return Err("several variables declared at once");
        };
        let shared = |f: &str, p: &Node, q: &Node| matches!((p.child(f), q.child(f)), (Some(p), Some(q)) if self.same(p, q));
        if !shared("type", a, b) || !shared("name", &x, &y) {
            return Err("a declaration changed its type or name");
        }
        match (x.child("value"), y.child("value")) {
            (Some(p), Some(q)) => self.expression(p, q),
            _ => Err("a variable is initialised in one version only"),
        }
    }

    /// `change(a, b)`, as deep as one side of the same operator holds all of the difference.
    fn expression(&mut self, a: &Node, b: &Node) -> Written {
        if a.kind == b.kind
            && matches!(a.kind, "binary_expression" | "parenthesized_expression")
            && a.children.len() == b.children.len()
        {
            let differing: Vec<(&Node, &Node)> = a
                .children
                .iter()
                .zip(&b.children)
                .filter(|(x, y)| !self.same(x, y))
                .collect();
            if let [(x, y)] = differing[..]
                && x.named
                && y.named
            {
                let mark = self.edits.len();
                if self.expression(x, y).is_ok() {
                    return Ok(());
                }
                self.edits.truncate(mark);
            }
        }
        let (p, q) = (self.scope.pure(a, self.old), self.scope.pure(b, self.new));
        match (p, q) {
            (Some(p), Some(q)) if p == q && p != Type::Small => {
                let inner = |n: &Node, s: &str| {
                    let flat = n.flat(s);
                    match flat.strip_prefix("( ").and_then(|f| f.strip_suffix(" )")) {
                        Some(inside) if n.kind == "parenthesized_expression" => inside.to_string(),
                        _ => flat,
                    }
                };
                let text = format!(
                    "com.shadowci.Shadow.change({}, {})",
                    inner(a, self.old),
                    inner(b, self.new)
                );
                let text = if b.kind == "parenthesized_expression" {
                    format!("({text})")
                } else {
                    text
                };
                self.edits.push((b.start, b.end, text));
                Ok(())
            }
            _ => Err("the expressions may have side effects, throw, or differ in type"),
        }
    }
}

/// A declaration inside `execute` would hide its variable from what follows.
fn declares_nothing(nodes: &[&Node]) -> Written {
    let declares =
        |n: &&Node| n.kind.ends_with("_declaration") || n.kind == "explicit_constructor_invocation";
    if nodes.iter().any(declares) {
        return Err("a local declaration was added, removed or changed");
    }
    Ok(())
}
