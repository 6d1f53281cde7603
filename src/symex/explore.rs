//! The exploration of one entry method: an iterator over its paths, each with both versions' outcomes.

use super::class::{Class, Key, Method, access};
use super::difference::difference;
use super::effect::{Effect, Stop};
use super::fork::{Successor, act, fork};
use super::heap::Heap;
use super::input::drive;
use super::linker::{Linker, Program};
use super::predict::predict;
use super::run::{Turn, enter_region, settle};
use super::shadow::Shadow;
use super::specs::{EntryShape, entry_shapes, key_of};
use super::state::{Ended, Mode, State, Thread};
use super::step::step;
use super::text::Text;
use super::vm::{Bounds, Vm};
use crate::expr::{Arith, Pool};
use crate::solver::{Constraints, Feasible, LayeredSolver, Solver, SolverOptions, Stats, minimise};
use crate::verdict::{Inputs, Location, MethodId, Outcome, Version};
use std::collections::VecDeque;
use std::rc::Rc;

/// A finished path, or the reason why it has no end.
#[derive(Debug)]
pub enum PathEnd {
    /// Both versions came to their end.
    Finished(Box<FinishedPath>),
    /// The path can't diverge, so it was cut.
    Pruned,
    /// The path, or a decision on it, was given up.
    GaveUp {
        /// Why.
        stop: Stop,
        /// Where.
        at: Option<Location>,
    },
    /// The input can't be built on this path (its constructor throws).
    NoInput,
}

/// A path that both versions finished.
#[derive(Debug)]
pub struct FinishedPath {
    /// An input that takes it; one on which the outcomes differ, if there is one.
    pub inputs: Inputs,
    /// Predicted outcome of the old version on that input.
    pub old: Outcome,
    /// Predicted outcome of the new version.
    pub new: Outcome,
    /// Whether the outcomes differ on that input.
    pub differs: bool,
    /// Whether the versions' control flow differed.
    pub control: bool,
    /// Where they parted.
    pub diverged_at: Option<(Location, Location)>,
    /// The path condition, as text.
    pub condition: String,
}

/// Explores one entry method.
pub struct Explorer {
    vm: Vm,
    solver: LayeredSolver,
    entry: Rc<Method>,
    names: Vec<String>,
    shapes: VecDeque<EntryShape>,
    states: Vec<State>,
    ready: VecDeque<PathEnd>,
    made: u64,
    instructions: u64,
    finished: u64,
    exhausted: bool,
}

impl Explorer {
    /// Prepares the exploration of `entry` in a program.
    pub fn new(
        program: Rc<Program>,
        entry: &MethodId,
        bounds: Bounds,
        arith: Arith,
        solver: &SolverOptions,
    ) -> Result<Explorer, Stop> {
        let vm = Vm {
            pool: Pool::new(arith),
            linker: Linker::new(program),
            bounds,
            touched: Default::default(),
        };
        let mut explorer = Explorer {
            vm,
            solver: LayeredSolver::new(solver),
            entry: placeholder(),
            names: Vec::new(),
            shapes: VecDeque::new(),
            states: Vec::new(),
            ready: VecDeque::new(),
            made: 0,
            instructions: 0,
            finished: 0,
            exhausted: false,
        };
        explorer.find_entry(entry).map_err(stop_of)?;
        Ok(explorer)
    }

    fn find_entry(&mut self, entry: &MethodId) -> Result<(), Effect> {
        let class = self
            .vm
            .linker
            .resolve_for(&entry.class.replace('.', "/"), Version::New)?;
        let linked = self.vm.linker.class(class).clone();
        let key = key_of(entry);
        let found = self
            .vm
            .linker
            .select(class, &key, Version::New)
            .or_else(|| self.vm.linker.select(class, &key, Version::Old));
        let Some(method) = found else {
            return Err(Stop::unsupported("method-not-found", entry.name.clone()).into());
        };
        if linked.is_abstract() && !method.is_static() {
            return Err(
                Stop::unsupported("input-type", format!("{} is abstract", entry.class)).into(),
            );
        }
        self.names = names(&linked, &key, &method);
        self.entry = method.clone();
        let (shapes, missing) = entry_shapes(&mut self.vm, &method, class)?;
        for (reason, detail) in missing {
            self.ready.push_back(PathEnd::GaveUp {
                stop: Stop {
                    reason,
                    detail,
                    bound: matches!(reason, "input-shapes" | "input-objects"),
                },
                at: None,
            });
        }
        self.shapes = shapes.into();
        Ok(())
    }

    /// Parameter names of the entry method.
    pub fn parameter_names(&self) -> &[String] {
        &self.names
    }

    /// Whether the entry method is static.
    pub fn entry_is_static(&self) -> bool {
        self.entry.is_static()
    }

    /// States made so far.
    pub fn states(&self) -> u64 {
        self.made
    }

    /// The solver's counts.
    pub fn solver_stats(&self) -> Stats {
        self.solver.stats()
    }

    /// Bounds of the input that paths depended on: `(reason, detail)`.
    pub fn touched(&self) -> Vec<(&'static str, String)> {
        self.vm.touched.iter().cloned().collect()
    }

    fn begin(&mut self, shape: &EntryShape) -> Result<State, Effect> {
        let mut heap = Heap::default();
        let (receiver, args) = shape;
        let (frame, shape) = drive(
            &mut self.vm,
            &mut heap,
            &self.entry,
            &self.names,
            receiver.as_ref(),
            args,
        )?;
        let empty = Text::constant(&mut self.vm.pool, &[]);
        Ok(State {
            mode: Mode::Both,
            thread: Thread::new(frame),
            parked: None,
            heap,
            statics: rpds::HashTrieMap::new(),
            singletons: rpds::HashTrieMap::new(),
            printed: Shadow::Same(empty),
            constraints: Constraints::initial(&self.vm.pool),
            split_seen: false,
            diverged_at: None,
            shape: Rc::new(shape),
        })
    }

    /// Runs one state until it forks or ends.
    fn run(&mut self, mut state: State) {
        loop {
            match settle(&mut self.vm, &mut state) {
                Ok(Turn::Again) => {}
                Ok(Turn::NoInput) => return self.ready.push_back(PathEnd::NoInput),
                Ok(Turn::Ended) => match self.end(state) {
                    Some(next) => state = next,
                    None => return,
                },
                Ok(Turn::Instruction) => {
                    self.instructions += 1;
                    if self.out_of_budget() {
                        return self.give_up(
                            &state,
                            Stop::unsupported("instruction-budget", String::new()),
                        );
                    }
                    match step(&mut self.vm, &mut state) {
                        Effect::Next => {}
                        Effect::Region { old, new, at } => enter_region(&mut state, old, new, at),
                        Effect::Raise(class) => {
                            let raised =
                                act(&mut self.vm, state, &super::effect::Act::Raise(class));
                            match self.one(raised) {
                                Some(next) => state = next,
                                None => return,
                            }
                        }
                        Effect::GiveUp(stop) => return self.give_up(&state, stop),
                        Effect::Choose(choices) => {
                            let next = fork(&mut self.vm, &mut self.solver, state, choices);
                            return self.push_all(next);
                        }
                    }
                }
                Err(effect) => return self.give_up(&state, stop_of(effect)),
            }
        }
    }

    fn one(&mut self, successor: Successor) -> Option<State> {
        match successor {
            Ok(state) => Some(state),
            Err(ended) => {
                self.give_up(&ended.0, ended.1);
                None
            }
        }
    }

    /// Depth first: the first successor is explored next.
    fn push_all(&mut self, successors: Vec<Successor>) {
        self.made += successors.len() as u64;
        for successor in successors.into_iter().rev() {
            if let Some(state) = self.one(successor) {
                self.states.push(state);
            }
        }
    }

    fn out_of_budget(&self) -> bool {
        self.instructions > self.vm.bounds.max_instructions
    }

    fn give_up(&mut self, state: &State, stop: Stop) {
        let at = state.location();
        self.ready.push_back(PathEnd::GaveUp { stop, at });
    }

    /// The running version ended: the parked one follows, or the path is finished.
    fn end(&mut self, mut state: State) -> Option<State> {
        if let (Mode::Diverged(Version::New), Some(parked)) = (&state.mode, state.parked.clone()) {
            let new = std::mem::replace(&mut state.thread, (*parked).clone());
            state.parked = Some(Rc::new(new));
            state.mode = Mode::Diverged(Version::Old);
            return Some(state);
        }
        let (old, new) = match (&state.mode, &state.parked) {
            (Mode::Diverged(_), Some(new)) => (state.thread.end.clone(), new.end.clone()),
            _ => (state.thread.end.clone(), state.thread.end.clone()),
        };
        if let (Some(old), Some(new)) = (old, new) {
            self.finish(&state, &old, &new);
        }
        None
    }

    fn finish(&mut self, state: &State, old: &Ended, new: &Ended) {
        let differs = match difference(&mut self.vm, state, old, new) {
            Ok(term) => term,
            Err(stop) => return self.give_up(state, stop),
        };
        let (constraints, differs) =
            match self
                .solver
                .assume(&mut self.vm.pool, &state.constraints, differs)
            {
                Feasible::Yes(constraints) => (constraints, true),
                Feasible::No => (state.constraints.clone(), false),
                Feasible::Unknown(why) => {
                    self.give_up(state, Stop::unsupported("solver-unknown", why));
                    return;
                }
            };
        let vars = state.shape.vars(&self.vm.pool);
        let small = if differs {
            minimise(&mut self.solver, &mut self.vm.pool, &constraints, &vars)
        } else {
            constraints
        };
        let model = small.model();
        let condition: Vec<String> = state
            .constraints
            .terms()
            .iter()
            .map(|t| self.conjunct(*t))
            .collect();
        let path = FinishedPath {
            inputs: state.shape.concrete(&self.vm.pool, model),
            old: predict(&mut self.vm, state, old, Version::Old, model),
            new: predict(&mut self.vm, state, new, Version::New, model),
            differs,
            control: matches!(state.mode, Mode::Diverged(_)),
            diverged_at: state.diverged_at.clone(),
            condition: condition.join(" && "),
        };
        self.finished += 1;
        self.ready.push_back(PathEnd::Finished(Box::new(path)));
    }

    fn conjunct(&self, term: crate::expr::Term) -> String {
        let text = self.vm.pool.show(term);
        if matches!(self.vm.pool.node(term), crate::expr::Node::Or(..)) {
            format!("({text})")
        } else {
            text
        }
    }

    /// What is left unexplored when a budget ends the exploration.
    fn budget(&mut self) -> Option<Stop> {
        let late = self
            .vm
            .bounds
            .deadline
            .is_some_and(|d| std::time::Instant::now() > d);
        if self.finished >= self.vm.bounds.max_paths {
            return Some(Stop::unsupported("path-budget", String::new()));
        }
        if self.out_of_budget() {
            return Some(Stop::unsupported("instruction-budget", String::new()));
        }
        if self.solver.stats().queries >= self.vm.bounds.max_queries {
            return Some(Stop::unsupported("solver-budget", String::new()));
        }
        late.then(|| Stop::unsupported("method-timeout", String::new()))
    }
}

impl Iterator for Explorer {
    type Item = PathEnd;

    fn next(&mut self) -> Option<PathEnd> {
        loop {
            if let Some(end) = self.ready.pop_front() {
                return Some(end);
            }
            if self.exhausted {
                return None;
            }
            if (!self.states.is_empty() || !self.shapes.is_empty())
                && let Some(stop) = self.budget()
            {
                self.exhausted = true;
                self.states.clear();
                return Some(PathEnd::GaveUp { stop, at: None });
            }
            match self.states.pop() {
                Some(state) => self.run(state),
                None => {
                    let shape = self.shapes.pop_front()?;
                    self.made += 1;
                    match self.begin(&shape) {
                        Ok(state) => self.states.push(state),
                        Err(effect) => {
                            let stop = stop_of(effect);
                            self.ready.push_back(PathEnd::GaveUp { stop, at: None });
                        }
                    }
                }
            }
        }
    }
}

fn stop_of(effect: Effect) -> Stop {
    match effect {
        Effect::GiveUp(stop) => stop,
        other => Stop::unsupported("internal", format!("unexpected {other:?}")),
    }
}

fn placeholder() -> Rc<Method> {
    let class = (super::class::ClassId(0), std::sync::Arc::from(""));
    super::synthetic::method("", class, super::class::Origin::Library, 0, Vec::new())
}

/// Names of the parameters from the class file, `arg0` … where it has none.
fn names(class: &Class, key: &Key, method: &Method) -> Vec<String> {
    let code = method
        .code
        .as_ref()
        .or_else(|| class.unified.get(key).and_then(|m| m.code.as_ref()));
    let mut slot = u16::from(method.access & access::STATIC == 0);
    let mut names = Vec::new();
    for (i, param) in method.params.iter().enumerate() {
        let named = code.and_then(|c| c.locals.iter().find(|v| v.slot == slot && v.start == 0));
        names.push(named.map_or_else(|| format!("arg{i}"), |v| v.name.to_string()));
        slot += super::synthetic::size(param);
    }
    names
}
