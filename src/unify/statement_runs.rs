//! The alignment of two statement sequences: pairs that belong together, and the statements of one version between them.

use super::writer::Writer;
use crate::java::Node;
use std::ops::Range;

/// What follows in two aligned sequences.
pub(super) enum Run {
    /// Two statements that belong together.
    Pair(usize, usize),
    /// Statements of one version alone.
    Gap(Range<usize>, Range<usize>),
}

impl Writer<'_> {
    /// Pairs of statements in order that share most (a weighted longest common subsequence).
    pub(super) fn aligned(&self, xs: &[&Node], ys: &[&Node]) -> Vec<Run> {
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

    /// The common beginning and end, and one gap between them.
    pub(super) fn ends(&self, xs: &[&Node], ys: &[&Node]) -> Vec<Run> {
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

    /// Whether at least half of the tokens of both are in common.
    pub(super) fn mostly_shared(&self, olds: &[&Node], news: &[&Node]) -> bool {
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
}

fn gap(runs: &mut Vec<Run>, olds: Range<usize>, news: Range<usize>) {
    if !olds.is_empty() || !news.is_empty() {
        runs.push(Run::Gap(olds, news));
    }
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
