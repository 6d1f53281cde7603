//! Control dependence (paper 004, definition 4.7), from the post-dominators.

use super::post_dominators::PostDominators;

/// For each node of a graph given by successor lists, the nodes that are control dependent on it, in ascending order: those
/// that post-dominate one of its successors and not another. A loop's condition is not listed under itself.
pub fn control_dependents(graph: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let dominators = PostDominators::of_graph(graph);
    let mut out = vec![Vec::new(); graph.len()];
    for (node, next) in graph.iter().enumerate().filter(|(_, n)| n.len() > 1) {
        let node = node as u32;
        let join = dominators.ipdom(node);
        let dependents: &mut Vec<u32> = &mut out[node as usize];
        for &successor in next {
            let mut at = Some(successor);
            while at != join {
                let Some(n) = at else { break };
                dependents.push(n);
                at = dominators.ipdom(n);
            }
        }
        dependents.retain(|n| *n != node);
        dependents.sort_unstable();
        dependents.dedup();
    }
    out
}

/// The same relation the other way round.
pub fn reversed(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut out = vec![Vec::new(); edges.len()];
    for (from, to) in edges.iter().enumerate() {
        for t in to {
            if let Some(list) = out.get_mut(*t as usize) {
                list.push(from as u32);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{control_dependents, reversed};

    #[test]
    fn both_sides_of_a_diamond_depend_on_its_head_and_the_join_does_not() {
        let dependents = control_dependents(&[vec![1, 2], vec![3], vec![3], vec![]]);
        assert_eq!(dependents, [vec![1, 2], vec![], vec![], vec![]]);
        assert_eq!(reversed(&dependents)[2], [0]);
    }

    #[test]
    fn what_follows_an_early_return_depends_on_its_condition() {
        let dependents = control_dependents(&[vec![1, 2], vec![], vec![3], vec![]]);
        assert_eq!(dependents[0], [1, 2, 3]);
    }

    #[test]
    fn a_loop_body_depends_on_the_condition_and_what_follows_does_not() {
        let dependents = control_dependents(&[vec![1, 2], vec![0], vec![]]);
        assert_eq!(dependents[0], [1]);
    }

    #[test]
    fn nested_branches_depend_on_the_nearest_one_only() {
        let graph = [vec![1, 4], vec![2, 3], vec![4], vec![4], vec![]];
        let dependents = control_dependents(&graph);
        assert_eq!(dependents[0], [1]);
        assert_eq!(dependents[1], [2, 3]);
    }
}
