//! The search orders (docs/architecture.md; paper 004 §4.2.3). All orders find the same paths when nothing ends them early.

use crate::symex::state::State;
use crate::symex::state::strategy::Order;
use crate::util::random::Random as Draw;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

/// States that wait.
pub(in crate::symex) trait Searcher {
    /// Adds the successors of one state, in the order of its choices; `distance` tells how far one is from the next change.
    fn add(&mut self, states: Vec<State>, distance: &mut dyn FnMut(&State) -> u32);

    /// The state to explore next.
    fn next(&mut self) -> Option<State>;

    /// How many wait.
    fn len(&self) -> usize;
}

/// The searcher of an order; `depth_first`: the order is that of one state's successors, which are explored depth first.
pub(in crate::symex) fn searcher(order: Order, depth_first: bool) -> Box<dyn Searcher> {
    match order {
        _ if depth_first => Box::new(DepthFirst {
            states: Vec::new(),
            arrange: Arrange::of(order),
        }),
        Order::Dfs => Box::new(DepthFirst {
            states: Vec::new(),
            arrange: Arrange::AsTheyCome,
        }),
        Order::Bfs => Box::new(BreadthFirst(VecDeque::new())),
        Order::Random(seed) => Box::new(Random {
            states: Vec::new(),
            draw: Draw::new(seed, ""),
        }),
        Order::Greedy => Box::new(Greedy::default()),
    }
}

/// How the successors of one state are ordered (paper 004 §4.2.3).
enum Arrange {
    AsTheyCome,
    Shuffled(Draw),
    NearestFirst,
}

impl Arrange {
    fn of(order: Order) -> Arrange {
        match order {
            Order::Dfs | Order::Bfs => Arrange::AsTheyCome,
            Order::Random(seed) => Arrange::Shuffled(Draw::new(seed, "")),
            Order::Greedy => Arrange::NearestFirst,
        }
    }

    fn apply(&mut self, states: &mut [State], distance: &mut dyn FnMut(&State) -> u32) {
        match self {
            Arrange::AsTheyCome => {}
            Arrange::Shuffled(draw) => {
                for i in (1..states.len()).rev() {
                    states.swap(i, draw.below(i + 1));
                }
            }
            Arrange::NearestFirst => states.sort_by_cached_key(distance),
        }
    }
}

struct DepthFirst {
    states: Vec<State>,
    arrange: Arrange,
}

impl Searcher for DepthFirst {
    fn add(&mut self, mut states: Vec<State>, distance: &mut dyn FnMut(&State) -> u32) {
        self.arrange.apply(&mut states, distance);
        self.states.extend(states.into_iter().rev());
    }

    fn next(&mut self) -> Option<State> {
        self.states.pop()
    }

    fn len(&self) -> usize {
        self.states.len()
    }
}

struct BreadthFirst(VecDeque<State>);

impl Searcher for BreadthFirst {
    fn add(&mut self, states: Vec<State>, _: &mut dyn FnMut(&State) -> u32) {
        self.0.extend(states);
    }

    fn next(&mut self) -> Option<State> {
        self.0.pop_front()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

struct Random {
    states: Vec<State>,
    draw: Draw,
}

impl Searcher for Random {
    fn add(&mut self, states: Vec<State>, _: &mut dyn FnMut(&State) -> u32) {
        self.states.extend(states);
    }

    fn next(&mut self) -> Option<State> {
        if self.states.is_empty() {
            return None;
        }
        let at = self.draw.below(self.states.len());
        Some(self.states.swap_remove(at))
    }

    fn len(&self) -> usize {
        self.states.len()
    }
}

/// Nearest first; of equally near ones the latest, so that it goes deep where distance says nothing.
#[derive(Default)]
struct Greedy {
    states: BTreeMap<(u32, Reverse<u64>), State>,
    added: u64,
}

impl Searcher for Greedy {
    fn add(&mut self, states: Vec<State>, distance: &mut dyn FnMut(&State) -> u32) {
        for state in states.into_iter().rev() {
            self.added += 1;
            let key = (distance(&state), Reverse(self.added));
            self.states.insert(key, state);
        }
    }

    fn next(&mut self) -> Option<State> {
        self.states.pop_first().map(|(_, state)| state)
    }

    fn len(&self) -> usize {
        self.states.len()
    }
}
