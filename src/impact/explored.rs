//! *Explored* and *prune* of directed symbolic execution (paper 004, figure 7).

use bit_set::BitSet;

/// Which impacted nodes were explored, and when. Time is counted in nodes.
#[derive(Debug, Default)]
pub struct Explored {
    explored: BitSet,
    now: u64,
    finished: u64,
}

impl Explored {
    /// Line 6: a path comes to an impacted node. The time, if the node was not explored.
    pub fn visit(&mut self, node: usize) -> Option<u64> {
        self.now += 1;
        self.explored.insert(node).then_some(self.now)
    }

    /// A path came to its end.
    pub fn finish(&mut self) {
        self.now += 1;
        self.finished = self.now;
    }

    /// Lines 11 to 17, for a state from which these impacted nodes are reachable, the one where it stands included; `reached` tells
    /// what is reached from one of them, itself included. A path that has come to something new (at `visited`) since the last one
    /// was finished is followed to its end even so: it is the one path of its sequence.
    pub fn prunes(
        &mut self,
        reachable: &BitSet,
        visited: u64,
        reached: impl Fn(usize) -> BitSet,
    ) -> bool {
        let unexplored: Vec<usize> = reachable.difference(&self.explored).collect();
        for node in &unexplored {
            self.explored.difference_with(&reached(*node));
        }
        unexplored.is_empty() && visited <= self.finished
    }
}

#[cfg(test)]
mod tests {
    use super::Explored;
    use bit_set::BitSet;

    /// Paper 004, figure 4(b).
    const NEXT: [&[usize]; 15] = [
        &[1, 2],
        &[5],
        &[3, 4],
        &[5],
        &[5],
        &[6],
        &[7, 8],
        &[10],
        &[9, 10],
        &[10],
        &[11, 12],
        &[],
        &[13, 14],
        &[],
        &[],
    ];
    const IMPACTED: [usize; 11] = [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14];

    /// Impacted nodes reached from a node, itself included.
    fn impacted_from(node: usize) -> BitSet {
        let (mut seen, mut work) = (BitSet::new(), vec![node]);
        while let Some(n) = work.pop() {
            if seen.insert(n) {
                work.extend(NEXT[n]);
            }
        }
        seen.iter().filter(|n| IMPACTED.contains(n)).collect()
    }

    fn set(nodes: &[usize]) -> BitSet {
        nodes.iter().copied().collect()
    }

    /// The path conditions and the prunings of a depth-first exploration. With n4 the command is greater than 2: n14 follows.
    fn explore(
        of: &mut Explored,
        path: &mut Vec<usize>,
        visited: u64,
        swap: bool,
        out: &mut (usize, Vec<usize>),
    ) {
        let node = path[path.len() - 1];
        let visited = if IMPACTED.contains(&node) {
            of.visit(node).unwrap_or(visited)
        } else {
            visited
        };
        let mut next = NEXT[node].to_vec();
        next.retain(|n| !path.contains(&4) || ![11, 13].contains(n));
        if swap {
            next.reverse();
        }
        if NEXT[node].is_empty() {
            out.0 += 1;
            of.finish();
        }
        for n in next {
            if of.prunes(&impacted_from(n), visited, impacted_from) {
                out.1.push(n);
                continue;
            }
            path.push(n);
            explore(of, path, visited, swap, out);
            path.pop();
        }
    }

    #[test]
    fn table_1_line_by_line() {
        let mut of = Explored::default();
        let lines: [(&[usize], &[usize]); 8] = [
            (&[0], &[0]),
            (&[1], &[0, 1]),
            (&[5], &[0, 1, 5]),
            (&[6, 7, 10], &[0, 1, 5, 10]),
            (&[11], &[0, 1, 5, 10, 11]),
            (&[12], &[0, 1, 5, 10, 11, 12]),
            (&[13], &[0, 1, 5, 10, 11, 12, 13]),
            (&[14], &[0, 1, 5, 10, 11, 12, 13, 14]),
        ];
        for (nodes, expected) in lines {
            for node in nodes {
                assert!(
                    !of.prunes(&impacted_from(*node), 0, impacted_from),
                    "n{node} leads to something new"
                );
                if IMPACTED.contains(node) {
                    of.visit(*node);
                }
            }
            assert_eq!(of.explored, set(expected));
            if nodes.last() > Some(&10) && nodes[0] != 12 {
                of.finish();
            }
        }
        // Line 10: no path.
        assert!(of.prunes(&impacted_from(8), 1, impacted_from));
        assert_eq!(of.explored, set(&[0, 1, 5, 10, 11, 12, 13, 14]));
        // Line 11: what lies behind n2 is unexplored again.
        assert!(!of.prunes(&impacted_from(2), 1, impacted_from));
        of.visit(2);
        assert_eq!(of.explored, set(&[0, 1, 2]));
    }

    #[test]
    fn the_example_has_seven_path_conditions_of_twenty_one_in_either_order() {
        for swap in [false, true] {
            let mut out = (0, Vec::new());
            explore(&mut Explored::default(), &mut vec![0], 1, swap, &mut out);
            assert_eq!(out.0, 7, "{out:?}");
            if !swap {
                assert_eq!(out.1[0], 8, "table I, line 10");
            }
        }
    }

    #[test]
    fn without_impacted_nodes_one_path_is_followed() {
        let mut of = Explored::default();
        assert!(!of.prunes(&BitSet::new(), 1, impacted_from));
        of.finish();
        assert!(of.prunes(&BitSet::new(), 1, impacted_from));
    }
}
