//! Statements of one version alone, under `execute`.

use super::insertion::{Piece, mark};
use super::writer::{NEW, OLD, Refusal, WriteResult, Writer};
use crate::java::Node;
use crate::model::Level;
use std::ops::Range;

/// Part of a run of statements of one version.
enum Part<'n> {
    Statements(Vec<&'n Node>),
    /// Its variables are used behind the run.
    Declaration(&'n Node),
}

impl Writer<'_> {
    /// Statements of one version each, between shared ones.
    pub(super) fn gap(
        &mut self,
        (xs, olds): (&[&Node], Range<usize>),
        (ys, news): (&[&Node], Range<usize>),
        end: usize,
    ) -> WriteResult {
        let (o, n) = (&xs[olds.clone()], &ys[news.clone()]);
        self.level = Level::Statement;
        let at = ys.get(news.start).map_or(end, |s| s.start);
        let o = self.parted(o, &xs[olds.end..], self.old)?;
        let n = self.parted(n, &ys[news.end..], self.new)?;
        // One name for two declarations that do not stand at one place.
        let hoisted = |parts: &[Part], source: &str| -> Vec<String> {
            let declarations = parts.iter().filter_map(|p| match p {
                Part::Declaration(d) => Some(self.declared(d, source)),
                Part::Statements(_) => None,
            });
            declarations.flatten().collect()
        };
        let clash = hoisted(&o, self.old)
            .iter()
            .any(|name| declares(&ys[news.start..], name, self.new))
            || hoisted(&n, self.new)
                .iter()
                .any(|name| declares(&xs[olds.start..], name, self.old));
        if clash {
            return Err(Refusal::Leaks);
        }
        self.parts(&o, &n, at)
    }

    /// All that is left of a block, one version's or the other's: always possible, and the least shared.
    pub(super) fn apart(&mut self, olds: &[&Node], news: &[&Node], end: usize) -> WriteResult {
        self.level = Level::Statement;
        match (olds, news) {
            ([], news) => self.new_run(news),
            (olds, []) => {
                let mut pieces = Vec::new();
                self.old_run(olds, &mut pieces);
                self.insert(end, pieces);
            }
            (olds, news) => self.either(olds, news),
        }
        Ok(())
    }

    /// Statements split at declarations that what follows uses.
    fn parted<'n>(
        &self,
        nodes: &[&'n Node],
        later: &[&Node],
        source: &str,
    ) -> Result<Vec<Part<'n>>, Refusal> {
        let used = |name: &str, nodes: &[&Node]| {
            let mut found = false;
            for node in nodes {
                node.walk(&mut |n| {
                    found |=
                        matches!(n.kind, "identifier" | "type_identifier") && n.text(source) == name
                });
            }
            found
        };
        // From the end: a declaration that is taken out parts what stands before it from what stands behind it.
        let mut out = vec![false; nodes.len()];
        let mut behind = nodes.len();
        for (i, node) in nodes.iter().enumerate().rev() {
            let names = match node.kind {
                "local_variable_declaration" => self.declared(node, source),
                kind if kind.ends_with("_declaration") => node
                    .child("name")
                    .map(|n| n.text(source).to_string())
                    .into_iter()
                    .collect(),
                _ => pattern_variables(node, source),
            };
            if names
                .iter()
                .any(|n| used(n, later) || used(n, &nodes[behind..]))
            {
                if node.kind != "local_variable_declaration" {
                    return Err(Refusal::Leaks);
                }
                (out[i], behind) = (true, i);
            }
        }
        let mut parts: Vec<Part> = vec![Part::Statements(Vec::new())];
        for (node, out) in nodes.iter().zip(out) {
            if out {
                parts.push(Part::Declaration(node));
                parts.push(Part::Statements(Vec::new()));
            } else if let Some(Part::Statements(run)) = parts.last_mut() {
                run.push(node);
            }
        }
        Ok(parts)
    }

    /// Writes the parts in order; the last runs of both versions become `if … else …`.
    fn parts(&mut self, o: &[Part], n: &[Part], at: usize) -> WriteResult {
        let (
            Some((Part::Statements(old_end), old_parts)),
            Some((Part::Statements(new_end), new_parts)),
        ) = (o.split_last(), n.split_last())
        else {
            return Err(Refusal::Leaks);
        };
        let mut pieces = Vec::new();
        for part in old_parts {
            match part {
                Part::Statements(run) => self.old_run(run, &mut pieces),
                Part::Declaration(node) => self.old_declaration(node, &mut pieces)?,
            }
        }
        if !pieces.is_empty() {
            self.insert(at, pieces);
        }
        for part in new_parts {
            match part {
                Part::Statements(run) => self.new_run(run),
                Part::Declaration(node) => self.new_declaration(node)?,
            }
        }
        match (&old_end[..], &new_end[..]) {
            ([], run) => self.new_run(run),
            (run, []) => {
                // Behind the new version's declarations, if there are any.
                let last = new_parts.iter().rev().find_map(|p| match p {
                    Part::Declaration(d) => Some(d.end),
                    Part::Statements(_) => None,
                });
                let mut pieces = Vec::new();
                self.old_run(run, &mut pieces);
                self.insert(last.unwrap_or(at), pieces);
            }
            (olds, news) => self.either(olds, news),
        }
        Ok(())
    }

    fn either(&mut self, olds: &[&Node], news: &[&Node]) {
        self.level = Level::Statement;
        let pieces = vec![
            mark(format!("if ({OLD}) {{ ")),
            span(olds),
            mark(" } else { "),
        ];
        self.insert(news[0].start, pieces);
        self.insert_mark(news[news.len() - 1].end, " }");
    }

    fn old_run(&self, run: &[&Node], pieces: &mut Vec<Piece>) {
        if !run.is_empty() {
            pieces.extend([mark(format!("if ({OLD}) {{ ")), span(run), mark(" } ")]);
        }
    }

    fn new_run(&mut self, run: &[&Node]) {
        if let (Some(first), Some(last)) = (run.first(), run.last()) {
            self.insert_mark(first.start, format!("if ({NEW}) {{ "));
            self.insert_mark(last.end, " }");
        }
    }
}

/// Whether a variable of that name is declared in or below the statements.
fn declares(nodes: &[&Node], name: &str, source: &str) -> bool {
    let mut found = false;
    for node in nodes {
        node.walk(&mut |n| {
            let declaring = matches!(
                n.kind,
                "variable_declarator"
                    | "enhanced_for_statement"
                    | "catch_formal_parameter"
                    | "resource"
                    | "instanceof_expression"
            );
            found |= declaring && n.child("name").is_some_and(|n| n.text(source) == name);
        });
    }
    found
}

fn span(nodes: &[&Node]) -> Piece {
    Piece::Old(nodes[0].start, nodes[nodes.len() - 1].end)
}

/// Names that patterns below a statement bring into the scope of what follows it (JLS §6.3.2.2).
fn pattern_variables(node: &Node, source: &str) -> Vec<String> {
    let mut names = Vec::new();
    node.walk(&mut |n| {
        let name = match n.kind {
            "instanceof_expression" => n.child("name"),
            "type_pattern" | "record_pattern_component" => {
                n.children.iter().rev().find(|c| c.kind == "identifier")
            }
            _ => None,
        };
        names.extend(name.map(|n| n.text(source).to_string()));
    });
    names
}
