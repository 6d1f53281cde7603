//! The execution tree: each state carries its branches, and each end of a path adds the new ones.

use crate::expr::{Pool, Term};
use crate::model::tree::{Decision, Leaf, Node, Tree, Way};
use crate::model::{Location, Version};
use crate::symex::state::State;
use crate::symex::state::shape::InputShape;
use std::sync::Arc;

/// Ends that are recorded, and decisions on the way to one; more is counted, for nobody looks at it.
const MAX_LEAVES: u64 = 300;
const MAX_DECISIONS: usize = 48;

/// Longer conditions are cut.
const MAX_CONDITION: usize = 160;

/// A point with several feasible ways.
#[derive(Debug)]
pub struct Fork {
    /// Where.
    pub at: Option<Location>,
    /// Which version decides alone.
    pub version: Option<Version>,
    /// How many ways are infeasible.
    pub infeasible: usize,
    /// Whether the versions go different ways, and under which condition.
    pub ways: Vec<(bool, Term)>,
}

/// The ways that led to a state, the latest first.
pub type Trail = rpds::ListSync<(Arc<Fork>, usize)>;

/// The trail behind one of the ways of a fork.
pub(in crate::symex) fn further(trail: &Trail, fork: &Arc<Fork>, way: usize) -> Trail {
    if trail.len() < MAX_DECISIONS {
        trail.push_front((fork.clone(), way))
    } else {
        trail.clone()
    }
}

/// A point of the tree that is being recorded.
#[derive(Default)]
struct Point {
    fork: Option<(Arc<Fork>, Vec<Option<Recorded>>)>,
    leaves: Vec<Leaf>,
}

/// A way that a path took: its condition, for people, and the point that it leads to.
#[derive(Clone)]
struct Recorded {
    condition: String,
    to: usize,
}

/// The tree as far as paths have ended.
#[derive(Default)]
pub(in crate::symex) struct Recorder {
    points: Vec<Point>,
    /// One tree for each kind of input.
    roots: Vec<(Arc<InputShape>, usize)>,
    /// Ends of paths.
    leaves: u64,
    /// How many of them are recorded.
    recorded: u64,
    /// Ends that were recorded before this recorder began.
    before: u64,
}

impl Recorder {
    /// A recorder that goes on where this one is.
    pub(in crate::symex) fn further(&self) -> Recorder {
        Recorder {
            before: self.before + self.recorded,
            ..Recorder::default()
        }
    }

    /// A path ended.
    pub(in crate::symex) fn add(&mut self, pool: &Pool, state: &State, leaf: Leaf) {
        self.leaves += 1;
        if self.before + self.recorded >= MAX_LEAVES {
            return;
        }
        self.recorded += 1;
        let mut at = self.root(&state.shape);
        let mut taken: Vec<&(Arc<Fork>, usize)> = state.trail.iter().collect();
        taken.reverse();
        for (fork, way) in taken {
            at = self.behind(at, fork, *way, || cut(pool.show(fork.ways[*way].1)));
        }
        self.points[at].leaves.push(leaf);
    }

    /// The point behind a way of a fork.
    fn behind(
        &mut self,
        at: usize,
        fork: &Arc<Fork>,
        way: usize,
        condition: impl FnOnce() -> String,
    ) -> usize {
        let fresh = self.points.len();
        let ways = self.points[at]
            .fork
            .get_or_insert_with(|| (fork.clone(), vec![None; fork.ways.len()]));
        if let Some(known) = &ways.1[way] {
            return known.to;
        }
        let condition = condition();
        ways.1[way] = Some(Recorded {
            condition,
            to: fresh,
        });
        self.points.push(Point::default());
        fresh
    }

    /// Takes in what another recorder has of the same exploration.
    pub(in crate::symex) fn merge(&mut self, other: &Recorder) {
        self.leaves += other.leaves;
        for (shape, root) in &other.roots {
            let at = self.root(shape);
            self.merge_point(at, other, *root);
        }
    }

    fn merge_point(&mut self, at: usize, other: &Recorder, from: usize) {
        let point = &other.points[from];
        for leaf in &point.leaves {
            if self.recorded < MAX_LEAVES {
                self.recorded += 1;
                self.points[at].leaves.push(leaf.clone());
            }
        }
        let Some((fork, ways)) = &point.fork else {
            return;
        };
        for (way, recorded) in ways.iter().enumerate() {
            let Some(recorded) = recorded.as_ref().filter(|_| self.recorded < MAX_LEAVES) else {
                continue;
            };
            let next = self.behind(at, fork, way, || recorded.condition.clone());
            self.merge_point(next, other, recorded.to);
        }
    }

    fn root(&mut self, shape: &Arc<InputShape>) -> usize {
        let known = self.roots.iter().find(|r| Arc::ptr_eq(&r.0, shape));
        if let Some((_, root)) = known {
            return *root;
        }
        self.points.push(Point::default());
        self.roots.push((shape.clone(), self.points.len() - 1));
        self.points.len() - 1
    }

    /// The tree. Kinds of input are ways of a first decision that no instruction makes.
    pub(in crate::symex) fn tree(&self) -> Tree {
        let kinds = self.roots.iter().enumerate().map(|(i, root)| Way {
            differs: false,
            condition: format!("kind of input {}", i + 1),
            to: self.node(root.1),
        });
        let mut kinds: Vec<Way> = kinds.collect();
        let root = match kinds.len() {
            0 => None,
            1 => kinds.pop().map(|way| way.to),
            _ => Some(Node::Decision(Decision {
                ways: kinds,
                ..Decision::default()
            })),
        };
        Tree {
            root,
            left_out: self.leaves - self.recorded,
        }
    }

    /// At most `MAX_DECISIONS` deep.
    fn node(&self, at: usize) -> Node {
        let point = &self.points[at];
        let mut ways: Vec<Way> = Vec::new();
        let mut decision = Decision::default();
        if let Some((fork, to)) = &point.fork {
            decision.at = fork.at.clone();
            decision.version = fork.version;
            decision.infeasible = fork.infeasible as u32;
            let recorded = fork.ways.iter().zip(to);
            ways.extend(recorded.filter_map(|((differs, _), way)| {
                let way = way.as_ref()?;
                Some(Way {
                    differs: *differs,
                    condition: way.condition.clone(),
                    to: self.node(way.to),
                })
            }));
        }
        ways.extend(point.leaves.iter().map(|leaf| Way {
            differs: false,
            condition: String::new(),
            to: Node::Leaf(leaf.clone()),
        }));
        match ways.len() {
            1 if point.fork.is_none() => ways.remove(0).to,
            _ => Node::Decision(Decision { ways, ..decision }),
        }
    }
}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_CONDITION) {
        text.truncate(end);
        text.push('…');
    }
    text
}
