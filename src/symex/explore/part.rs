//! A part of an exploration: some of its waiting states, followed by a thread that has terms and a solver of its own.

use crate::model::reason::Reason;
use crate::solver::{LayeredSolver, SolverOptions};
use crate::symex::class::Method;
use crate::symex::explore::budget::Counts;
use crate::symex::explore::input_budget::InputBudget;
use crate::symex::explore::reach_pruning::ReachPruning;
use crate::symex::explore::samples::Samples;
use crate::symex::explore::search::searcher;
use crate::symex::explore::turns::Turns;
use crate::symex::explore::{Absorbed, Explorer, PathEnd};
use crate::symex::input::specs::EntryShape;
use crate::symex::state::State;
use crate::symex::state::interruption::Stop;
use crate::symex::state::shape::InputShape;
use crate::symex::state::strategy::{ExploreMode, Order, Prune};
use crate::symex::state::tree::Recorder;
use crate::symex::vm::{Branch, Vm};
use crate::util::deep_stack::STACK;
use crate::util::memory::MemoryLimit;
use crate::util::permits::Permits;
use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Terms that are copied for another part at most: some 20 MB.
pub(super) const MOST_TERMS: usize = 200_000;

/// What a part begins with: states that wait, ways to make an input, and what they stand on.
pub(super) struct Share {
    vm: Vm,
    solver: SolverOptions,
    entry: Arc<Method>,
    names: Vec<String>,
    shapes: VecDeque<(usize, EntryShape)>,
    ground: Option<State>,
    begun: Vec<(usize, Arc<InputShape>)>,
    states: Vec<State>,
    memory: MemoryLimit,
    /// Paths that were finished before.
    finished_before: u64,
    tree: Recorder,
    reach: Option<ReachPruning>,
    /// The part of the budget that the ways to make an input share.
    budget_of_shapes: f64,
}

/// What a slice of a part's work came to.
pub(super) struct Slice {
    pub ends: Vec<PathEnd>,
    /// Branches gone since the last slice.
    pub branches: Vec<Branch>,
    /// What the part took so far.
    pub counts: Counts,
    /// States and ways to make an input that wait.
    pub waiting: usize,
    /// Of these, the ways to make an input.
    pub shapes: usize,
    /// Terms it has.
    pub terms: usize,
    /// The safety net that ends the exploration.
    pub net: Option<Reason>,
}

/// What a part leaves beside the ends of paths.
pub(super) struct Left {
    /// Steps that it took.
    pub effort: u64,
    pub touched: BTreeSet<(Reason, String)>,
    pub absorbed: Absorbed,
    pub tree: Recorder,
    pub samples: Samples,
}

/// What a part is asked.
enum Ask {
    /// To work for so many steps; to begin the next way to make an input first.
    Slice(u64, bool, Sender<Slice>),
    /// To give away half of what waits, to another part.
    Halve(Sender<Share>),
    /// To end; whether what waits is left as inputs to try.
    End(bool, Sender<Left>),
}

/// A part, as it is known to those that give it work.
pub(super) struct Part {
    asks: Sender<Ask>,
    /// Steps of the slices that were asked for, and where they come.
    ahead: VecDeque<(u64, Receiver<Slice>)>,
}

impl Part {
    /// Starts a part with what it is sent first. It works when it has one of the permits.
    ///
    /// # Errors
    /// No thread can be started.
    fn start(permits: &Arc<Permits>) -> Result<(Part, Sender<Share>), Stop> {
        let (asks, asked) = channel();
        let (to, share) = channel();
        let permits = permits.clone();
        let started = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || work(&share, &asked, &permits));
        match started {
            Ok(_) => Ok((
                Part {
                    asks,
                    ahead: VecDeque::new(),
                },
                to,
            )),
            Err(e) => {
                let why = format!("a thread of the exploration can't be started: {e}");
                Err(Stop::unsupported(Reason::Internal, why))
            }
        }
    }

    /// Starts a part with all that waits in an exploration.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn of(explorer: &mut Explorer, permits: &Arc<Permits>) -> Result<Part, Stop> {
        let (part, to) = Part::start(permits)?;
        // Nobody listens any more where its thread has ended, as the first slice tells.
        to.send(explorer.share(false)).ok();
        Ok(part)
    }

    /// Starts a part with half of what waits in this one, once that has done what it was asked before.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn halve(&self, permits: &Arc<Permits>) -> Result<Part, Stop> {
        let (part, to) = Part::start(permits)?;
        self.asks.send(Ask::Halve(to)).ok();
        Ok(part)
    }

    /// Lets it work for so many steps, once it has done what it was asked before.
    pub fn begin_slice(&mut self, steps: u64, begin: bool) {
        let (to, slice) = channel();
        self.asks.send(Ask::Slice(steps, begin, to)).ok();
        self.ahead.push_back((steps, slice));
    }

    /// Slices that it was asked for, with their steps.
    pub fn ahead(&self) -> (usize, u64) {
        let steps = self.ahead.iter().map(|(steps, _)| steps).sum();
        (self.ahead.len(), steps)
    }

    /// What it came to in the first of the slices that it was asked for; `None` where its thread is no more.
    pub fn slice(&mut self) -> Option<Slice> {
        self.ahead.pop_front()?.1.recv().ok()
    }

    /// Ends it.
    pub fn end(&self, leave: bool) -> Option<Left> {
        let (to, left) = channel();
        self.asks.send(Ask::End(leave, to)).ok()?;
        left.recv().ok()
    }
}

/// What a part's thread does. Nobody listens any more where an answer can't be sent, and then no further ask comes.
fn work(share: &Receiver<Share>, asked: &Receiver<Ask>, permits: &Permits) {
    let Ok(share) = share.recv() else { return };
    let mut explorer = Explorer::of(share);
    for ask in asked {
        match ask {
            Ask::Slice(steps, begin, to) => {
                let permit = permits.take();
                let slice = explorer.slice(steps, begin);
                drop(permit);
                to.send(slice).ok();
            }
            Ask::Halve(to) => {
                to.send(explorer.share(true)).ok();
            }
            Ask::End(leave, to) => {
                if leave {
                    explorer.leave_all();
                }
                to.send(explorer.left()).ok();
                return;
            }
        }
    }
}

impl Explorer {
    /// Whether what waits may be followed by several: where no path depends on which ones went before.
    pub(super) fn is_divisible(&self) -> bool {
        let strategy = &self.vm.strategy;
        matches!(strategy.mode, ExploreMode::Complete | ExploreMode::NewOnly)
            && strategy.prune != Prune::Dise
            && !matches!(strategy.order, Order::Random(_))
            && !strategy.check_reruns
            && self.waiting() > 1
            && self.vm.pool.len() < MOST_TERMS
    }

    /// Splits off what waits: all of it, or every second of all.
    pub(super) fn share(&mut self, half: bool) -> Share {
        let (states, shapes) = self.split_off(half);
        let mut vm = self.vm.clone();
        vm.pool.forget_work();
        vm.branches.clear();
        vm.infeasible = 0;
        Share {
            vm,
            solver: self.solver.options().clone(),
            entry: self.entry.clone(),
            names: self.names.clone(),
            shapes,
            ground: self.ground.clone(),
            begun: self.begun.clone(),
            states,
            memory: self.memory.clone(),
            finished_before: self.finished_before + self.finished,
            tree: self.tree.further(),
            reach: self.reach.as_ref().map(ReachPruning::further),
            budget_of_shapes: self.budget_of_shapes,
        }
    }

    fn split_off(&mut self, half: bool) -> (Vec<State>, VecDeque<(usize, EntryShape)>) {
        let (mut kept, mut given) = (Vec::new(), Vec::new());
        let mut number = 0;
        let mut next_is_kept = || {
            number += 1;
            half && number % 2 == 1
        };
        while let Some(state) = self.states.next() {
            let to = if next_is_kept() {
                &mut kept
            } else {
                &mut given
            };
            to.push(state);
        }
        self.add(kept);
        let shapes = std::mem::take(&mut self.shapes).into_iter();
        let (kept, shapes) = shapes.partition(|_| next_is_kept());
        self.shapes = kept;
        (given, shapes)
    }

    /// One that goes on with a share. Its thread is the one that has its solver.
    fn of(share: Share) -> Explorer {
        let strategy = &share.vm.strategy;
        let mut solver = LayeredSolver::new(&share.solver);
        solver.end_at(share.vm.bounds.deadline);
        let mut explorer = Explorer {
            states: searcher(strategy.order, false),
            vm: share.vm,
            solver,
            entry: share.entry,
            names: share.names,
            shapes: share.shapes,
            ground: share.ground,
            begun: share.begun,
            reach: share.reach,
            dise: None,
            ready: VecDeque::new(),
            made: 0,
            instructions: 0,
            input_budget: InputBudget::default(),
            finished: 0,
            finished_before: share.finished_before,
            tree: share.tree,
            exhausted: false,
            begun_at: 0.0,
            budget_of_shapes: share.budget_of_shapes,
            charged: 0,
            looked: Cell::new(0),
            memory: share.memory,
            samples: Samples::default(),
            turns: Turns::default(),
            absorbed: Absorbed::default(),
        };
        explorer.add(share.states);
        explorer
    }

    /// Works for so many steps, or until nothing waits.
    fn slice(&mut self, steps: u64, begin: bool) -> Slice {
        let until = self.effort() + steps;
        let mut net = None;
        if begin {
            self.begin_next();
        }
        while net.is_none() && self.effort() < until && self.advance().is_some() {
            net = self.net();
        }
        Slice {
            ends: self.ready.drain(..).collect(),
            branches: self.vm.branches.drain().collect(),
            counts: self.counts(),
            waiting: self.waiting(),
            shapes: self.shapes.len(),
            terms: self.vm.pool.len(),
            net,
        }
    }

    fn left(self) -> Left {
        Left {
            effort: self.effort(),
            absorbed: Absorbed {
                states: self.made,
                infeasible: self.vm.infeasible,
                solver: self.solver_stats(),
            },
            touched: self.vm.touched,
            tree: self.tree,
            samples: self.samples,
        }
    }

    /// Takes in what a part left.
    pub(super) fn absorb(&mut self, left: Left) {
        self.vm.touched.extend(left.touched);
        self.tree.merge(&left.tree);
        self.samples.merge(left.samples);
        self.absorbed.states += left.absorbed.states;
        self.absorbed.infeasible += left.absorbed.infeasible;
        self.absorbed.solver += left.absorbed.solver;
        self.charge(left.effort);
    }

    /// Leaves to each of so many parts its part of the budget that the ways to make an input share.
    pub(super) fn divide_budget_of_shapes(&mut self, parts: usize) {
        self.budget_of_shapes /= parts as f64;
    }
}
