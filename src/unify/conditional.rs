//! Statements that became the body of an `if`, or no longer are (paper 003, §3.1, 2c-2f).

use super::insertion::{Piece, mark};
use super::writer::{OLD, Refusal, WriteResult, Writer};
use crate::java::Node;
use crate::model::Level;

impl Writer<'_> {
    /// One side is a lone `if` whose body shares most with the other side: the condition is true in the version without it.
    pub(super) fn made_conditional(&mut self, olds: &[&Node], news: &[&Node]) -> WriteResult {
        let lone = |n: &Node| n.kind == "if_statement" && n.child("alternative").is_none();
        match (olds, news) {
            (olds, [b]) if lone(b) && !olds.is_empty() => self.guarded(olds, b),
            ([a], news) if lone(a) && !news.is_empty() => self.unguarded(a, news),
            _ => Err(Refusal::Apart),
        }
    }

    /// The new version puts the statements under a condition.
    fn guarded(&mut self, olds: &[&Node], b: &Node) -> WriteResult {
        let (body, condition) = parts_of_if(b)?;
        let inside: Vec<&Node> = body.named().collect();
        if body.kind != "block" || !self.mostly_shared(olds, &inside) {
            return Err(Refusal::Apart);
        }
        self.level = Level::Statement;
        if self.scope.pure(condition, self.new).is_some() {
            self.insert_mark(condition.start, "com.shadowci.Shadow.change(true, ");
        } else {
            self.insert_mark(
                condition.start,
                format!("com.shadowci.Shadow.condition({OLD} ? true : "),
            );
        }
        self.insert_mark(condition.end, ")");
        self.sequences(olds, &inside, body.end - 1)
    }

    /// The new version runs the statements without the condition.
    fn unguarded(&mut self, a: &Node, news: &[&Node]) -> WriteResult {
        let (body, condition) = parts_of_if(a)?;
        let inside: Vec<&Node> = if body.kind == "block" {
            body.named().collect()
        } else {
            vec![body]
        };
        if !self.mostly_shared(&inside, news)
            || news.iter().any(|n| n.kind.ends_with("_declaration"))
        {
            return Err(Refusal::Apart);
        }
        self.level = Level::Statement;
        let old = Piece::Old(condition.start, condition.end);
        let pieces = if self.scope.pure(condition, self.old).is_some() {
            vec![
                mark("if (com.shadowci.Shadow.change("),
                old,
                mark(", true)) { "),
            ]
        } else {
            vec![
                mark(format!("if (com.shadowci.Shadow.condition({OLD} ? ")),
                old,
                mark(" : true)) { "),
            ]
        };
        self.insert(news[0].start, pieces);
        let end = news[news.len() - 1].end;
        self.sequences(&inside, news, end)?;
        self.insert_mark(end, " }");
        Ok(())
    }
}

/// What an `if` guards, and its condition.
fn parts_of_if(node: &Node) -> Result<(&Node, &Node), Refusal> {
    let condition = node.child("condition").and_then(|c| c.named().next());
    let parts = node.child("consequence").zip(condition);
    parts.ok_or(Refusal::Apart)
}
