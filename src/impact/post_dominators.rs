//! Immediate post-dominators (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, on the reversed graph).

use super::cfg::successors;
use crate::bytecode::class_file::Code;

/// The immediate post-dominator of each instruction; the virtual exit stands behind returns, throws and endless loops.
#[derive(Debug, Clone)]
pub struct PostDominators {
    ipdom: Vec<u32>,
    exit: u32,
}

const NONE: u32 = u32::MAX;

impl PostDominators {
    /// Computes them for a body.
    pub fn of(code: &Code) -> PostDominators {
        let n = code.insns.len() as u32;
        let graph: Vec<Vec<u32>> = (0..n).map(|pc| successors(code, pc)).collect();
        PostDominators::of_graph(&graph)
    }

    /// Computes them for a graph given by successor lists.
    pub fn of_graph(graph: &[Vec<u32>]) -> PostDominators {
        let exit = graph.len() as u32;
        let mut forward: Vec<Vec<u32>> = graph
            .iter()
            .map(|s| if s.is_empty() { vec![exit] } else { s.clone() })
            .collect();
        forward.push(Vec::new());
        let mut order = reverse_order(&forward, exit);
        // What can't reach the exit (an endless loop) is given an edge to it.
        for node in (0..exit).rev() {
            if !order.contains_node(node) {
                forward[node as usize].push(exit);
                order = reverse_order(&forward, exit);
            }
        }
        let mut ipdom = vec![NONE; exit as usize + 1];
        ipdom[exit as usize] = exit;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.nodes.iter().rev().filter(|n| **n != exit) {
                let mut best = NONE;
                for &s in &forward[node as usize] {
                    if ipdom[s as usize] == NONE {
                        continue;
                    }
                    best = if best == NONE {
                        s
                    } else {
                        meet(&ipdom, &order.rank, s, best)
                    };
                }
                if ipdom[node as usize] != best {
                    ipdom[node as usize] = best;
                    changed = true;
                }
            }
        }
        PostDominators { ipdom, exit }
    }

    /// The immediate post-dominator of an instruction; `None` when that is the method's exit.
    pub fn ipdom(&self, pc: u32) -> Option<u32> {
        self.ipdom
            .get(pc as usize)
            .copied()
            .filter(|p| *p != self.exit && *p != NONE)
    }
}

struct Order {
    /// Nodes in postorder of the reversed graph, from the exit.
    nodes: Vec<u32>,
    rank: Vec<u32>,
}

impl Order {
    fn contains_node(&self, node: u32) -> bool {
        self.rank[node as usize] != NONE
    }
}

fn reverse_order(forward: &[Vec<u32>], exit: u32) -> Order {
    let mut backward: Vec<Vec<u32>> = vec![Vec::new(); forward.len()];
    for (node, next) in forward.iter().enumerate() {
        for s in next {
            backward[*s as usize].push(node as u32);
        }
    }
    let mut order = Order {
        nodes: Vec::new(),
        rank: vec![NONE; forward.len()],
    };
    let mut seen = vec![false; forward.len()];
    let mut stack = vec![(exit, 0usize)];
    seen[exit as usize] = true;
    while let Some((node, i)) = stack.pop() {
        match backward[node as usize].get(i) {
            Some(&p) => {
                stack.push((node, i + 1));
                if !std::mem::replace(&mut seen[p as usize], true) {
                    stack.push((p, 0));
                }
            }
            None => {
                order.rank[node as usize] = order.nodes.len() as u32;
                order.nodes.push(node);
            }
        }
    }
    order
}

fn meet(ipdom: &[u32], rank: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while rank[a as usize] < rank[b as usize] {
            a = ipdom[a as usize];
        }
        while rank[b as usize] < rank[a as usize] {
            b = ipdom[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::PostDominators;

    #[test]
    fn a_diamond_joins_at_its_end() {
        let dominators = PostDominators::of_graph(&[vec![1, 2], vec![3], vec![3], vec![]]);
        assert_eq!(dominators.ipdom(0), Some(3));
    }

    #[test]
    fn an_early_return_joins_at_the_exit() {
        let dominators = PostDominators::of_graph(&[vec![1, 2], vec![], vec![3], vec![]]);
        assert_eq!(dominators.ipdom(0), None);
    }

    #[test]
    fn an_endless_loop_counts_as_reaching_the_exit() {
        let dominators = PostDominators::of_graph(&[vec![1, 3], vec![2], vec![1], vec![]]);
        assert_eq!(dominators.ipdom(0), None);
    }
}
