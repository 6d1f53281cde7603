//! Matching of two syntax trees in the manner of GumTree (Falleri et al., ASE 2014): identical subtrees top-down, containers
//! bottom-up by common descendants, and recovery inside matched containers.

use crate::java::Node;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Subtrees lower than this are only matched inside matched containers (GumTree's *minHeight*).
const MIN_HEIGHT: u32 = 2;

/// Containers with a smaller share of common descendants stay apart (GumTree's *minDice*).
const MIN_DICE: f64 = 0.3;

/// Two trees with more nodes than this in their product are matched without recovery.
const MAX_PRODUCT: usize = 4_000_000;

/// Which node of the old tree is which of the new one, by the byte ranges of the nodes.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    forth: BTreeMap<NodeKey, NodeKey>,
}

/// A node's byte range and kind: a node and its only child may share the range.
type NodeKey = (usize, usize, &'static str);

fn place(node: &Node) -> NodeKey {
    (node.start, node.end, node.kind)
}

impl Matching {
    /// Matches two trees; the roots always match.
    pub fn of(old: (&Node, &str), new: (&Node, &str)) -> Matching {
        let (a, b) = (Tree::of(old.0, old.1), Tree::of(new.0, new.1));
        let mut matcher = Matcher {
            to_new: vec![None; a.nodes.len()],
            to_old: vec![None; b.nodes.len()],
            a: &a,
            b: &b,
        };
        matcher.top_down();
        matcher.bottom_up();
        let forth = matcher.to_new.iter().enumerate();
        Matching {
            forth: forth
                .filter_map(|(i, j)| Some((place(a.nodes[i].node), place(b.nodes[(*j)?].node))))
                .collect(),
        }
    }

    /// Whether the two nodes are matched with each other.
    pub fn pairs(&self, old: &Node, new: &Node) -> bool {
        self.forth.get(&place(old)) == Some(&place(new))
    }

    /// The byte range of the partner of the old node with that byte range and kind.
    pub fn partner_of(&self, old: (usize, usize), kind: &'static str) -> Option<(usize, usize)> {
        self.forth.get(&(old.0, old.1, kind)).map(|p| (p.0, p.1))
    }
}

struct Entry<'a> {
    node: &'a Node,
    parent: Option<usize>,
    children: Vec<usize>,
    height: u32,
    /// Nodes below, this one included.
    size: usize,
    hash: u64,
}

/// A tree as a table in postorder.
struct Tree<'a> {
    nodes: Vec<Entry<'a>>,
}

impl<'a> Tree<'a> {
    fn of(root: &'a Node, source: &str) -> Tree<'a> {
        let mut tree = Tree { nodes: Vec::new() };
        tree.add(root, source);
        for at in 0..tree.nodes.len() {
            for child in tree.nodes[at].children.clone() {
                tree.nodes[child].parent = Some(at);
            }
        }
        tree
    }

    fn add(&mut self, node: &'a Node, source: &str) -> usize {
        let children: Vec<usize> = node.named().map(|c| self.add(c, source)).collect();
        let mut hasher = DefaultHasher::new();
        node.kind.hash(&mut hasher);
        node.flat(source).hash(&mut hasher);
        let height = children
            .iter()
            .map(|c| self.nodes[*c].height)
            .max()
            .unwrap_or(0)
            + 1;
        let size = children.iter().map(|c| self.nodes[*c].size).sum::<usize>() + 1;
        self.nodes.push(Entry {
            node,
            parent: None,
            children,
            height,
            size,
            hash: hasher.finish(),
        });
        self.nodes.len() - 1
    }

    fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Nodes of the subtree, itself included: a range, because the order is postorder.
    fn below(&self, at: usize) -> std::ops::RangeInclusive<usize> {
        at + 1 - self.nodes[at].size..=at
    }
}

struct Matcher<'t, 'a> {
    a: &'t Tree<'a>,
    b: &'t Tree<'a>,
    to_new: Vec<Option<usize>>,
    to_old: Vec<Option<usize>>,
}

impl Matcher<'_, '_> {
    fn link(&mut self, i: usize, j: usize) {
        self.to_new[i] = Some(j);
        self.to_old[j] = Some(i);
    }

    fn free(&self, i: usize, j: usize) -> bool {
        self.to_new[i].is_none() && self.to_old[j].is_none()
    }

    /// Links two identical subtrees node by node.
    fn link_all(&mut self, i: usize, j: usize) {
        for (x, y) in self.a.below(i).zip(self.b.below(j)) {
            if self.free(x, y) {
                self.link(x, y);
            }
        }
    }

    /// Identical subtrees, the highest first; of several candidates the ones whose surroundings are most alike.
    fn top_down(&mut self) {
        let mut by_hash: BTreeMap<u64, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (i, n) in self
            .a
            .nodes
            .iter()
            .enumerate()
            .filter(|n| n.1.height >= MIN_HEIGHT)
        {
            by_hash.entry(n.hash).or_default().0.push(i);
        }
        for (j, n) in self
            .b
            .nodes
            .iter()
            .enumerate()
            .filter(|n| n.1.height >= MIN_HEIGHT)
        {
            by_hash.entry(n.hash).or_default().1.push(j);
        }
        let mut groups: Vec<(Vec<usize>, Vec<usize>)> = by_hash
            .into_values()
            .filter(|g| !g.0.is_empty() && !g.1.is_empty())
            .collect();
        let ambiguous = |g: &(Vec<usize>, Vec<usize>)| g.0.len() * g.1.len() > 1;
        groups.sort_by_key(|g| {
            (
                ambiguous(g),
                std::cmp::Reverse(self.a.nodes[g.0[0]].size),
                g.0[0],
            )
        });
        for (xs, ys) in groups {
            let mut pairs: Vec<(u64, usize, usize, usize)> = Vec::new();
            for &i in &xs {
                for &j in &ys {
                    let alike = (self.surroundings(i, j) * 1000.0) as u64;
                    let distance = (i * self.b.nodes.len()).abs_diff(j * self.a.nodes.len());
                    pairs.push((1000 - alike.min(1000), distance, i, j));
                }
            }
            pairs.sort_unstable();
            for (_, _, i, j) in pairs {
                if self.free(i, j) {
                    self.link_all(i, j);
                }
            }
        }
    }

    /// How alike the parents of two nodes are, by their matched descendants.
    fn surroundings(&self, i: usize, j: usize) -> f64 {
        match (self.a.nodes[i].parent, self.b.nodes[j].parent) {
            (Some(p), Some(q)) if self.a.nodes[p].node.kind == self.b.nodes[q].node.kind => {
                self.dice(p, q)
            }
            (None, None) => 1.0,
            _ => 0.0,
        }
    }

    /// Share of descendants matched with each other.
    fn dice(&self, i: usize, j: usize) -> f64 {
        let inside = self.b.below(j);
        let common = self
            .a
            .below(i)
            .filter(|x| self.to_new[*x].is_some_and(|y| inside.contains(&y)));
        let all = self.a.nodes[i].size + self.b.nodes[j].size - 2;
        if all == 0 {
            0.0
        } else {
            2.0 * common.count() as f64 / all as f64
        }
    }

    fn bottom_up(&mut self) {
        for i in 0..self.a.nodes.len() {
            if self.to_new[i].is_some() || self.a.nodes[i].children.is_empty() {
                continue;
            }
            let partner = if i == self.a.root() {
                Some(self.b.root())
            } else {
                self.container(i)
            };
            if let Some(j) = partner.filter(|j| self.free(i, *j)) {
                self.link(i, j);
                self.recover(i, j);
            }
        }
        let (i, j) = (self.a.root(), self.b.root());
        if self.free(i, j) {
            self.link(i, j);
            self.recover(i, j);
        }
    }

    /// The free new node of the same kind above matched descendants that shares most with `i`.
    fn container(&self, i: usize) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        let mut tried = std::collections::BTreeSet::new();
        for x in self.a.below(i) {
            let mut at = self.to_new[x].and_then(|y| self.b.nodes[y].parent);
            while let Some(j) = at {
                if !tried.insert(j) {
                    break;
                }
                let same_kind = self.b.nodes[j].node.kind == self.a.nodes[i].node.kind;
                if same_kind && self.to_old[j].is_none() && j != self.b.root() {
                    let dice = self.dice(i, j);
                    if dice >= MIN_DICE && best.is_none_or(|b| dice > b.0) {
                        best = Some((dice, j));
                    }
                }
                at = self.b.nodes[j].parent;
            }
        }
        best.map(|b| b.1)
    }

    /// Matches what is still free below two matched containers: identical children in order, then children of the same kind
    /// and role in order, then kinds that occur once.
    fn recover(&mut self, i: usize, j: usize) {
        if self.a.nodes.len() * self.b.nodes.len() > MAX_PRODUCT * 16 {
            return;
        }
        let (a, b) = (self.a, self.b);
        self.in_order(i, j, &|x: &Entry, _: bool| x.hash);
        self.in_order(i, j, &|x: &Entry, _: bool| {
            let mut hasher = DefaultHasher::new();
            (x.node.kind, x.node.field).hash(&mut hasher);
            hasher.finish()
        });
        let alone = |tree: &Tree, children: &[usize], kind: &str| {
            children
                .iter()
                .filter(|c| tree.nodes[**c].node.kind == kind)
                .count()
                == 1
        };
        let (xs, ys) = (a.nodes[i].children.clone(), b.nodes[j].children.clone());
        for &x in &xs {
            let kind = a.nodes[x].node.kind;
            let twin = ys.iter().copied().find(|y| b.nodes[*y].node.kind == kind);
            if let Some(y) = twin
                && self.free(x, y)
                && alone(a, &xs, kind)
                && alone(b, &ys, kind)
            {
                self.pair_up(x, y);
            }
        }
    }

    fn in_order(&mut self, i: usize, j: usize, key: &dyn Fn(&Entry, bool) -> u64) {
        let (a, b) = (self.a, self.b);
        let xs: Vec<usize> = a.nodes[i]
            .children
            .iter()
            .copied()
            .filter(|x| self.to_new[*x].is_none())
            .collect();
        let ys: Vec<usize> = b.nodes[j]
            .children
            .iter()
            .copied()
            .filter(|y| self.to_old[*y].is_none())
            .collect();
        let p: Vec<u64> = xs.iter().map(|x| key(&a.nodes[*x], true)).collect();
        let q: Vec<u64> = ys.iter().map(|y| key(&b.nodes[*y], false)).collect();
        for op in capture_diff_slices(Algorithm::Myers, &p, &q) {
            if let DiffOp::Equal {
                old_index,
                new_index,
                len,
            } = op
            {
                for k in 0..len {
                    let (x, y) = (xs[old_index + k], ys[new_index + k]);
                    if self.free(x, y) {
                        self.pair_up(x, y);
                    }
                }
            }
        }
    }

    fn pair_up(&mut self, x: usize, y: usize) {
        if self.a.nodes[x].hash == self.b.nodes[y].hash {
            self.link_all(x, y);
        } else {
            self.link(x, y);
            self.recover(x, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java::SourceFile;

    fn body(text: &str) -> (SourceFile, Node) {
        let file = SourceFile::parse("A.java", format!("class A {{ {text} }}").as_bytes()).unwrap();
        let node = file.types[0].methods[0].body.clone().unwrap();
        (file, node)
    }

    fn matched(old: &str, new: &str) -> Vec<(String, String)> {
        let ((a, x), (b, y)) = (body(old), body(new));
        let matching = Matching::of((&x, &a.text), (&y, &b.text));
        let pairs = x.named().filter_map(|n| {
            let (start, end) = matching.partner_of((n.start, n.end), n.kind)?;
            Some((n.text(&a.text).to_string(), b.text[start..end].to_string()))
        });
        pairs.collect()
    }

    #[test]
    fn statements_keep_their_partner_when_others_come_between() {
        let pairs = matched(
            "void f() { a(1); b(2); }",
            "void f() { c(3); a(1); d(4); b(2); }",
        );
        assert_eq!(
            pairs,
            [
                ("a(1);".into(), "a(1);".into()),
                ("b(2);".into(), "b(2);".into())
            ]
        );
    }

    #[test]
    fn a_renamed_declaration_stays_the_same_declaration() {
        let pairs = matched(
            "int f(int x) { int a = x * 2; return a + 1; }",
            "int f(int x) { int b = x * 2; return b + 1; }",
        );
        assert_eq!(pairs[0], ("int a = x * 2;".into(), "int b = x * 2;".into()));
        assert_eq!(pairs[1], ("return a + 1;".into(), "return b + 1;".into()));
    }

    #[test]
    fn a_container_is_found_by_what_it_holds() {
        let pairs = matched(
            "void f(int x) { if (x > 1) { a(x); b(x); c(x); } }",
            "void f(int x) { g(); if (x > 2 && h()) { a(x); b(x); c(x); d(); } }",
        );
        assert!(pairs[0].1.starts_with("if (x > 2"), "{pairs:?}");
    }
}
