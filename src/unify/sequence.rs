//! Statements of two blocks in one: shared ones once, the others under `execute`, declarations where all that use them see them.

use super::insertion::{Piece, mark};
use super::writer::{Grain, NEW, OLD, Refusal, Writer, Written, default_of};
use crate::java::{Node, erased};
use crate::model::Level;
use std::ops::Range;

/// What follows in two aligned sequences.
enum Run {
    /// Two statements that belong together.
    Pair(usize, usize),
    /// Statements of one version alone.
    Gap(Range<usize>, Range<usize>),
}

impl Writer<'_> {
    /// Two blocks, or constructor bodies.
    pub(super) fn blocks(&mut self, a: &Node, b: &Node) -> Written {
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (a.named().collect(), b.named().collect());
        let (xs, ys) = self.constructor_calls(b, (&xs, &ys));
        self.sequences(xs, ys, b.end.saturating_sub(1))
    }

    /// Two sequences of statements; `end` is where the new one's block ends.
    pub(super) fn sequences(&mut self, xs: &[&Node], ys: &[&Node], end: usize) -> Written {
        let runs = if self.grain == Grain::Coarse {
            self.ends(xs, ys)
        } else {
            self.aligned(xs, ys)
        };
        let differs =
            |w: &Self, run: &Run| !matches!(run, Run::Pair(i, j) if w.same(xs[*i], ys[*j]));
        let last = runs.iter().rposition(|r| differs(self, r));
        for (at, run) in runs.iter().enumerate() {
            let before = self.mark();
            let (i, j) = match run {
                Run::Pair(i, j) => (*i, *j),
                Run::Gap(olds, news) => (olds.start, news.start),
            };
            let written = match run {
                Run::Pair(i, j) if self.same(xs[*i], ys[*j]) => {
                    if last.is_some_and(|l| at < l) {
                        self.defined(ys[*j]);
                    }
                    Ok(())
                }
                Run::Pair(i, j) => match self.attempt(|w| w.pair(xs[*i], ys[*j])) {
                    Err(Refusal::Apart) => self.gap((xs, *i..*i + 1), (ys, *j..*j + 1), end),
                    done => done,
                },
                Run::Gap(olds, news) => {
                    let wrapped = self.grain == Grain::Deep
                        && self
                            .attempt(|w| w.made_conditional(&xs[olds.clone()], &ys[news.clone()]))
                            .is_ok();
                    if wrapped {
                        Ok(())
                    } else {
                        self.gap((xs, olds.clone()), (ys, news.clone()), end)
                    }
                }
            };
            match written {
                Ok(()) => {}
                Err(Refusal::Leaks | Refusal::Apart) => {
                    self.back_to(before);
                    return self.apart(&xs[i..], &ys[j..], end);
                }
            }
        }
        Ok(())
    }

    /// Pairs of statements in order that share most (a weighted longest common subsequence).
    fn aligned(&self, xs: &[&Node], ys: &[&Node]) -> Vec<Run> {
        let (p, q) = (self.words(xs, self.old), self.words(ys, self.new));
        let mut best = vec![vec![0u64; ys.len() + 1]; xs.len() + 1];
        let mut weight = vec![vec![0u64; ys.len()]; xs.len()];
        for i in (0..xs.len()).rev() {
            for j in (0..ys.len()).rev() {
                weight[i][j] = self.likeness((xs[i], &p[i]), (ys[j], &q[j]));
                let paired = if weight[i][j] > 0 {
                    best[i + 1][j + 1] + weight[i][j]
                } else {
                    0
                };
                best[i][j] = paired.max(best[i + 1][j]).max(best[i][j + 1]);
            }
        }
        let mut runs = Vec::new();
        let (mut i, mut j, mut s, mut t) = (0, 0, 0, 0);
        while i < xs.len() && j < ys.len() {
            if weight[i][j] > 0 && best[i][j] == best[i + 1][j + 1] + weight[i][j] {
                gap(&mut runs, s..i, t..j);
                runs.push(Run::Pair(i, j));
                (i, j) = (i + 1, j + 1);
                (s, t) = (i, j);
            } else if best[i][j] == best[i + 1][j] {
                i += 1;
            } else {
                j += 1;
            }
        }
        gap(&mut runs, s..xs.len(), t..ys.len());
        runs
    }

    fn words(&self, nodes: &[&Node], source: &str) -> Vec<Vec<String>> {
        let sorted = |n: &&Node| {
            let mut tokens = Vec::new();
            n.tokens(source, &mut tokens);
            let mut words: Vec<String> = tokens.into_iter().map(str::to_string).collect();
            words.sort();
            words
        };
        nodes.iter().map(sorted).collect()
    }

    /// How much two statements have in common, in tokens; 0 when they are better kept apart.
    fn likeness(&self, (a, p): (&Node, &[String]), (b, q): (&Node, &[String])) -> u64 {
        if a.kind != b.kind {
            return 0;
        }
        let common = common(p, q) as u64;
        if self.same(a, b) {
            return 4 * common + 2;
        }
        let dice = 200 * common / (p.len() + q.len()).max(1) as u64;
        let declares = a.kind == "local_variable_declaration"
            && self.declared(a, self.old) == self.declared(b, self.new);
        if declares {
            return 3 * common + 2;
        }
        let matched = self.matching.pairs(a, b);
        if matched && dice >= 30 || dice >= 60 {
            2 * common
        } else {
            0
        }
    }

    /// The common beginning and end, and one gap between them.
    fn ends(&self, xs: &[&Node], ys: &[&Node]) -> Vec<Run> {
        let most = xs.len().min(ys.len());
        let head = (0..most).take_while(|k| self.same(xs[*k], ys[*k])).count();
        let tail = (0..most - head)
            .take_while(|k| self.same(xs[xs.len() - 1 - k], ys[ys.len() - 1 - k]))
            .count();
        let mut runs: Vec<Run> = (0..head).map(|k| Run::Pair(k, k)).collect();
        gap(&mut runs, head..xs.len() - tail, head..ys.len() - tail);
        runs.extend(
            (0..tail)
                .rev()
                .map(|k| Run::Pair(xs.len() - 1 - k, ys.len() - 1 - k)),
        );
        runs
    }

    /// A shared declaration without a value gets one: what follows may assign it in one version only, which javac can't know.
    fn defined(&mut self, node: &Node) {
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

    fn declared(&self, node: &Node, source: &str) -> Vec<String> {
        let declarators = node
            .children
            .iter()
            .filter(|c| c.kind == "variable_declarator");
        declarators
            .filter_map(|d| d.child("name"))
            .map(|n| n.text(source).to_string())
            .collect()
    }

    /// Statements of one version each, between shared ones.
    fn gap(
        &mut self,
        (xs, olds): (&[&Node], Range<usize>),
        (ys, news): (&[&Node], Range<usize>),
        end: usize,
    ) -> Written {
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
    fn parts(&mut self, o: &[Part], n: &[Part], at: usize) -> Written {
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

    /// A declaration of the old version alone: the new version leaves its variable at the default.
    fn old_declaration(&self, node: &Node, pieces: &mut Vec<Piece>) -> Written {
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
    fn new_declaration(&mut self, node: &Node) -> Written {
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

    /// All that is left of a block, one version's or the other's: always possible, and the least shared.
    fn apart(&mut self, olds: &[&Node], news: &[&Node], end: usize) -> Written {
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

    /// Statements that became the body of an `if`, or no longer are (paper 003, §3.1, 2c-2f).
    fn made_conditional(&mut self, olds: &[&Node], news: &[&Node]) -> Written {
        let lone = |n: &Node| n.kind == "if_statement" && n.child("alternative").is_none();
        match (olds, news) {
            (olds, [b]) if lone(b) && !olds.is_empty() => {
                let (Some(body), Some(condition)) = (
                    b.child("consequence"),
                    b.child("condition").and_then(|c| c.named().next()),
                ) else {
                    return Err(Refusal::Apart);
                };
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
            ([a], news) if lone(a) && !news.is_empty() => {
                let (Some(body), Some(condition)) = (
                    a.child("consequence"),
                    a.child("condition").and_then(|c| c.named().next()),
                ) else {
                    return Err(Refusal::Apart);
                };
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
            _ => Err(Refusal::Apart),
        }
    }

    /// Whether at least half of the tokens of both are in common.
    fn mostly_shared(&self, olds: &[&Node], news: &[&Node]) -> bool {
        let all = |words: Vec<Vec<String>>| {
            let mut all: Vec<String> = words.concat();
            all.sort();
            all
        };
        let (p, q) = (
            all(self.words(olds, self.old)),
            all(self.words(news, self.new)),
        );
        4 * common(&p, &q) >= p.len() + q.len()
    }
}

/// Part of a run of statements of one version.
enum Part<'n> {
    Statements(Vec<&'n Node>),
    /// Its variables are used behind the run.
    Declaration(&'n Node),
}

fn gap(runs: &mut Vec<Run>, olds: Range<usize>, news: Range<usize>) {
    if !olds.is_empty() || !news.is_empty() {
        runs.push(Run::Gap(olds, news));
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

/// Size of the intersection of two sorted multisets.
fn common(p: &[String], q: &[String]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < p.len() && j < q.len() {
        match p[i].cmp(&q[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, count) = (i + 1, j + 1, count + 1),
        }
    }
    count
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
