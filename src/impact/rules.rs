//! The impact rules of DiSE (paper 004, figure 5), to a fixpoint, with a record of which step brought each node in.

use std::collections::{BTreeMap, BTreeSet};

/// The four rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// (1): control dependent on an impacted node.
    ControlForward,
    /// (2): uses what an impacted node defines.
    DataForward,
    /// (3): an impacted node is control dependent on it.
    ControlBackward,
    /// (4): defines what an impacted node uses.
    DataBackward,
}

impl Rule {
    /// Its number in the paper.
    pub fn number(self) -> u8 {
        match self {
            Rule::ControlForward => 1,
            Rule::DataForward => 2,
            Rule::ControlBackward => 3,
            Rule::DataBackward => 4,
        }
    }
}

/// Dependences between nodes. `How` says what carries one.
pub trait Dependences {
    /// A node; the order is that of the program text.
    type Node: Copy + Ord;
    /// What carries a dependence.
    type How: Clone;
    /// Whether control may go more than one way behind it.
    fn is_branch(&self, node: Self::Node) -> bool;
    /// What depends on a node: by rule (1) or (2).
    fn forward(&self, node: Self::Node) -> Vec<(Self::Node, Rule, Self::How)>;
    /// What a node is control dependent on.
    fn controlled_by(&self, node: Self::Node) -> Vec<(Self::Node, Self::How)>;
    /// What defines that a node uses.
    fn definers_for(&self, node: Self::Node) -> Vec<(Self::Node, Self::How)>;
}

/// One line of figure 6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step<N, H> {
    /// The node that came in.
    pub node: N,
    /// The rule and the node that brought it in; `None` for a changed node.
    pub by: Option<(N, Rule, H)>,
}

/// Nodes that could come in, each with the first node, in program order, that would bring it in.
type Candidates<N, H> = BTreeMap<N, (N, Rule, H)>;

/// The impact set of the changed nodes, in the order in which it is built: rules (1) and (2) to a fixpoint, then (3), then
/// (4) (§4.1.2). The fixpoint takes turns as figure 6 does: one condition, then all other nodes that the set now brings in.
pub fn impact<D: Dependences>(
    changed: impl IntoIterator<Item = D::Node>,
    of: &D,
) -> Vec<Step<D::Node, D::How>> {
    let seeds: BTreeSet<D::Node> = changed.into_iter().collect();
    let mut set = Set {
        of,
        known: seeds.clone(),
        steps: Vec::new(),
        branches: BTreeMap::new(),
        others: BTreeMap::new(),
    };
    for node in seeds {
        set.add(node, None);
    }
    while !(set.branches.is_empty() && set.others.is_empty()) {
        if let Some((node, by)) = set.branches.pop_first() {
            set.add(node, Some(by));
        }
        for (node, by) in std::mem::take(&mut set.others) {
            set.add(node, Some(by));
        }
    }
    let Set { known, steps, .. } = set;
    let (known, steps) = backward(known, steps, Rule::ControlBackward, |n| of.controlled_by(n));
    backward(known, steps, Rule::DataBackward, |n| of.definers_for(n)).1
}

struct Set<'a, D: Dependences> {
    of: &'a D,
    known: BTreeSet<D::Node>,
    steps: Vec<Step<D::Node, D::How>>,
    branches: Candidates<D::Node, D::How>,
    others: Candidates<D::Node, D::How>,
}

impl<D: Dependences> Set<'_, D> {
    fn add(&mut self, node: D::Node, by: Option<(D::Node, Rule, D::How)>) {
        self.known.insert(node);
        self.branches.remove(&node);
        self.others.remove(&node);
        self.steps.push(Step { node, by });
        for (dependent, rule, how) in self.of.forward(node) {
            if self.known.contains(&dependent) {
                continue;
            }
            let candidates = if self.of.is_branch(dependent) {
                &mut self.branches
            } else {
                &mut self.others
            };
            let best = candidates
                .get(&dependent)
                .is_some_and(|(n, r, _)| (*n, *r) <= (node, rule));
            if !best {
                candidates.insert(dependent, (node, rule, how));
            }
        }
    }
}

type Grown<N, H> = (BTreeSet<N>, Vec<Step<N, H>>);

/// A backward rule to its fixpoint.
fn backward<N: Copy + Ord, H>(
    mut known: BTreeSet<N>,
    mut steps: Vec<Step<N, H>>,
    rule: Rule,
    sources: impl Fn(N) -> Vec<(N, H)>,
) -> Grown<N, H> {
    let mut work = known.clone();
    while let Some(node) = work.pop_first() {
        for (source, how) in sources(node) {
            if known.insert(source) {
                work.insert(source);
                let by = Some((node, rule, how));
                steps.push(Step { node: source, by });
            }
        }
    }
    (known, steps)
}

#[cfg(test)]
mod tests {
    use super::super::control::{control_dependents, reversed};
    use super::{Dependences, Rule, impact};

    /// A graph whose nodes define and use one variable each.
    struct Toy {
        next: Vec<Vec<u32>>,
        defines: Vec<Option<char>>,
        uses: Vec<Option<char>>,
    }

    impl Toy {
        fn is_path(&self, from: u32, to: u32) -> bool {
            let (mut work, mut seen) = (self.next[from as usize].clone(), Vec::new());
            while let Some(n) = work.pop() {
                if n == to {
                    return true;
                }
                if !seen.contains(&n) {
                    seen.push(n);
                    work.extend(&self.next[n as usize]);
                }
            }
            false
        }

        fn data(&self) -> Vec<(u32, u32)> {
            let all = || 0..self.next.len() as u32;
            let flows = |i: u32, j: u32| {
                let v = self.defines[i as usize];
                i != j && v.is_some() && v == self.uses[j as usize] && self.is_path(i, j)
            };
            all()
                .flat_map(|i| all().map(move |j| (i, j)))
                .filter(|(i, j)| flows(*i, *j))
                .collect()
        }
    }

    impl Dependences for Toy {
        type Node = u32;
        type How = ();

        fn is_branch(&self, node: u32) -> bool {
            self.next[node as usize].len() > 1
        }

        fn forward(&self, node: u32) -> Vec<(u32, Rule, ())> {
            let control = control_dependents(&self.next)[node as usize].clone();
            let control = control.into_iter().map(|n| (n, Rule::ControlForward, ()));
            let data = self.data().into_iter().filter(|(i, _)| *i == node);
            control
                .chain(data.map(|(_, j)| (j, Rule::DataForward, ())))
                .collect()
        }

        fn controlled_by(&self, node: u32) -> Vec<(u32, ())> {
            let all = reversed(&control_dependents(&self.next));
            all[node as usize].iter().map(|n| (*n, ())).collect()
        }

        fn definers_for(&self, node: u32) -> Vec<(u32, ())> {
            let data = self.data().into_iter().filter(|(_, j)| *j == node);
            data.map(|(i, _)| (i, ())).collect()
        }
    }

    /// The control-flow graph of paper 004, figure 4(b), and its definitions and uses of PedalCmd.
    fn figure_4() -> Toy {
        let mut toy = Toy {
            next: vec![
                vec![1, 2],
                vec![5],
                vec![3, 4],
                vec![5],
                vec![5],
                vec![6],
                vec![7, 8],
                vec![10],
                vec![9, 10],
                vec![10],
                vec![11, 12],
                vec![],
                vec![13, 14],
                vec![],
                vec![],
            ],
            defines: vec![None; 15],
            uses: vec![None; 15],
        };
        for n in [1, 3, 4, 5] {
            toy.defines[n] = Some('c');
        }
        for n in [1, 3, 5, 10, 12] {
            toy.uses[n] = Some('c');
        }
        toy
    }

    #[test]
    fn figure_6_line_by_line() {
        let steps = impact([0], &figure_4());
        let lines: Vec<(u32, u32, u8)> = steps
            .iter()
            .filter_map(|s| s.by.map(|(n, r, ())| (n, s.node, r.number())))
            .collect();
        let figure = [
            (0, 2, 1),
            (0, 1, 1),
            (2, 3, 1),
            (2, 4, 1),
            (1, 10, 2),
            (1, 5, 2),
            (10, 11, 1),
            (1, 12, 2),
            (12, 13, 1),
            (12, 14, 1),
        ];
        assert_eq!(steps[0].node, 0);
        assert_eq!(lines, figure);
    }

    #[test]
    fn backward_rules_come_last_and_bring_in_nothing_forward() {
        // 0: x =; 1: if; 2: use x, the change; 3: use x; the definition comes in by (4), the condition by (3), 3 not at all.
        let toy = Toy {
            next: vec![vec![1], vec![2, 3], vec![3], vec![]],
            defines: vec![Some('x'), None, None, None],
            uses: vec![None, None, Some('x'), Some('x')],
        };
        let steps = impact([2], &toy);
        let numbers: Vec<(u32, u8)> = steps
            .iter()
            .filter_map(|s| s.by.map(|b| (s.node, b.1.number())))
            .collect();
        assert_eq!(numbers, [(1, 3), (0, 4)]);
    }

    #[test]
    fn nothing_changed_impacts_nothing() {
        assert!(impact([], &figure_4()).is_empty());
    }
}
