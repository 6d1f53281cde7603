//! Forking: the only place that asks which choices are feasible (docs/architecture.md; paper 000 §3).

use crate::expr::Term;
use crate::model::Version;
use crate::model::reason::Reason;
use crate::solver::{Feasible, Solver, satisfied};
use crate::symex::class::Origin;
use crate::symex::state::decision;
use crate::symex::state::interruption::{Act, Stop};
use crate::symex::state::strategy::Annotations;
use crate::symex::state::tree::{Fork, further};
use crate::symex::state::{Mode, Pending, State, Thread, strategy};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Vm;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Why a choice leads to no state.
#[derive(Debug)]
pub(in crate::symex) enum Dropped {
    /// The program's own assumption excludes the input.
    Excluded,
    /// The path can't be followed.
    GaveUp(Stop),
}

impl Dropped {
    /// Why the path can't be followed, for drivers that have an input already.
    pub(in crate::symex) fn stop(self) -> Stop {
        match self {
            Dropped::Excluded => {
                Stop::unsupported(Reason::NoInput, "the program's own assumption excludes it")
            }
            Dropped::GaveUp(stop) => stop,
        }
    }
}

impl From<Stop> for Dropped {
    fn from(stop: Stop) -> Dropped {
        Dropped::GaveUp(stop)
    }
}

/// A successor, or a path that ends here.
pub(in crate::symex) type Successor = Result<State, Box<(State, Dropped)>>;

/// The feasible successors of `state`: two-way on shared conditions, four-way where the versions' conditions differ.
pub(in crate::symex) fn fork(
    vm: &mut Vm,
    solver: &mut dyn Solver,
    state: State,
    choices: Vec<(Shadow<Term>, Act)>,
) -> Vec<Successor> {
    let mut out: Vec<Successor> = Vec::new();
    let pairs = pairs(&state, &choices);
    let tried = pairs.len();
    let ways = feasible(vm, solver, &state, &choices, pairs, &mut out);
    let forks = ways.len() > 1;
    let jumps = choices.iter().any(|(_, a)| matches!(a, Act::Jump(_)));
    if jumps && forks && turns(&state) >= vm.bounds.loop_bound {
        out.push(Err(Box::new((
            state,
            Stop::bound(Reason::LoopBound, String::new()).into(),
        ))));
        return out;
    }
    if forks {
        note_branches(vm, &state, &ways);
    }
    let point = forks.then(|| {
        Arc::new(Fork {
            at: state.location(),
            version: state.version(),
            infeasible: tried - ways.len(),
            ways: ways.iter().map(|w| (w.new != w.old, w.condition)).collect(),
        })
    });
    let last = ways.len().saturating_sub(1);
    // A single input has one way; that there are others is what it decides.
    let decides = forks || has_one_input(vm) && tried > 1;
    let known = state.constraints.terms().len();
    let mut state = Some(state);
    for (i, way) in ways.into_iter().enumerate() {
        // The last successor takes the state itself.
        let next = if i == last {
            state.take()
        } else {
            state.clone()
        };
        let Some(mut next) = next else { break };
        next.constraints = way.constraints;
        next.concrete = way.concrete;
        if let Some(point) = &point {
            next.trail = further(&next.trail, point, i);
        }
        let parts = way.new != way.old;
        if parts || decides && vm.pool.as_bool(way.condition).is_none() {
            let term = (way.condition, known);
            decision::note(&mut next, &choices, (way.new, way.old), term);
        }
        if jumps && forks {
            count_turn(&mut next);
        }
        out.push(if way.new == way.old {
            act(vm, next, &choices[way.new].1)
        } else {
            diverge(vm, next, &choices[way.new].1, &choices[way.old].1)
        });
    }
    out
}

/// A feasible pair of choices.
struct ChoicePair {
    constraints: Constraints,
    condition: Term,
    /// The new version's choice, and the old one's.
    new: usize,
    old: usize,
    /// Whether a concolic run's input goes this way.
    concrete: bool,
}

/// The choices of the new and the old version that are asked about: the same ones first, and where conditions differ in the
/// versions, all others.
fn pairs(state: &State, choices: &[(Shadow<Term>, Act)]) -> Vec<(usize, usize)> {
    let n = choices.len();
    let same = (0..n).map(|i| (i, i));
    if state.version().is_some() || !choices.iter().any(|(c, _)| c.is_split()) {
        return same.collect();
    }
    let rest = (0..n)
        .flat_map(|i| (0..n).map(move |j| (i, j)))
        .filter(|(i, j)| i != j);
    same.chain(rest).collect()
}

/// Asks about each pair; where the solver gives up, so does a successor.
fn feasible(
    vm: &mut Vm,
    solver: &mut dyn Solver,
    state: &State,
    choices: &[(Shadow<Term>, Act)],
    pairs: Vec<(usize, usize)>,
    out: &mut Vec<Successor>,
) -> Vec<ChoicePair> {
    let mut ways = Vec::new();
    for (new, old) in pairs {
        let condition = condition(vm, state, choices, new, old);
        if is_beside_input(vm, state, condition) {
            note_turn(vm, state, condition);
            continue;
        }
        if new == old && leaves_input(vm, state, condition) {
            continue;
        }
        let answer = match has_one_input(vm) {
            true => satisfied(&mut vm.pool, &state.constraints, condition),
            false => solver.assume(&mut vm.pool, &state.constraints, condition),
        };
        match answer {
            Feasible::Yes(constraints) => ways.push(ChoicePair {
                constraints,
                condition,
                new,
                old,
                concrete: follows(vm, state, condition),
            }),
            Feasible::No => vm.infeasible += 1,
            Feasible::Unknown(why) => out.push(Err(Box::new((
                state.clone(),
                Stop::unsupported(Reason::SolverUnknown, why).into(),
            )))),
        }
    }
    ways
}

/// Notes the ways taken in the project's own code.
fn note_branches(vm: &mut Vm, state: &State, ways: &[ChoicePair]) {
    if let Some(frame) = state.frame()
        && frame.method.origin != Origin::Library
    {
        let m = &frame.method;
        let method = FxBuildHasher.hash_one((&m.class_name, &m.name, &m.descriptor, m.origin));
        let taken = ways.iter().map(|w| (method, frame.pc, w.new, w.old));
        vm.branches.extend(taken);
    }
}

/// Whether the run is one of a single input.
fn has_one_input(vm: &Vm) -> bool {
    vm.strategy.mode.single_input().is_some()
}

/// Whether the run is one of a single input, which does not take this choice.
fn is_beside_input(vm: &Vm, state: &State, cond: Term) -> bool {
    has_one_input(vm) && !follows(vm, state, cond)
}

/// Notes a way that the one input does not take.
fn note_turn(vm: &mut Vm, state: &State, condition: Term) {
    if matches!(vm.strategy.mode, strategy::ExploreMode::Turn(_)) {
        vm.turned.push((state.constraints.clone(), condition));
    }
}

/// Whether a concolic run must not go on with both versions here: they would leave its concrete input without a divergence
/// (paper 003 §3.2). Inside what one version alone evaluates, all choices are tried: together with the other version's they
/// decide whether there is a divergence.
fn leaves_input(vm: &Vm, state: &State, cond: Term) -> bool {
    let both = matches!(state.mode, Mode::Both);
    both && vm.seed.is_some() && !follows(vm, state, cond) && !is_behind(vm, state)
}

/// Whether a run that left the concrete input goes on with both versions: inside an annotation of a unified program they went
/// ways that the input does not go, and it has made their values differ. That is as good as a branch that went two ways; the
/// research subjects' own annotations are followed by the letter of the papers.
pub(in crate::symex) fn is_behind(vm: &Vm, state: &State) -> bool {
    vm.strategy.annotations == Annotations::Unified && !state.concrete && state.split_seen
}

/// Whether a concolic run's concrete input takes this choice.
fn follows(vm: &Vm, state: &State, cond: Term) -> bool {
    let seed = vm.seed.as_ref();
    state.concrete && seed.is_some_and(|seed| seed.holds(&vm.pool, cond))
}

type Constraints = crate::solver::Constraints;

fn condition(
    vm: &mut Vm,
    state: &State,
    choices: &[(Shadow<Term>, Act)],
    new: usize,
    old: usize,
) -> Term {
    match state.version() {
        Some(v) => choices[new].0.get(v),
        None => {
            let a = choices[new].0.get(Version::New);
            let b = choices[old].0.get(Version::Old);
            vm.pool.and(a, b)
        }
    }
}

fn turns(state: &State) -> u32 {
    state.frame().map_or(0, |f| {
        f.turns.iter().find(|t| t.0 == f.pc).map_or(0, |t| t.1)
    })
}

fn count_turn(state: &mut State) {
    let frame = state.top();
    let pc = frame.pc;
    match frame.turns.iter_mut().find(|t| t.0 == pc) {
        Some(turn) => turn.1 += 1,
        None => frame.turns.push((pc, 1)),
    }
}

/// Applies a choice to the running thread.
pub(in crate::symex) fn act(vm: &mut Vm, mut state: State, act: &Act) -> Successor {
    match act {
        Act::Jump(pc) => state.goto(*pc),
        Act::Pass(level) => state.top().passed = *level,
        Act::Pin(depth, value) => {
            let stack = &mut state.top().stack;
            if let Some(i) = stack.len().checked_sub(depth + 1) {
                stack[i] = Shadow::Same(*value);
            }
        }
        Act::Settle(choice, to) => state.heap.settle(*choice, *to),
        Act::Raise(class) => match vm.raise(&mut state, class) {
            Ok(exception) => state.thread.pending = Pending::Throw(exception),
            Err(_) => {
                let stop = Stop::unsupported(Reason::ClassNotFound, *class);
                return Err(Box::new((state, stop.into())));
            }
        },
        Act::Ignore => return Err(Box::new((state, Dropped::Excluded))),
        Act::GiveUp(stop) => return Err(Box::new((state, stop.clone().into()))),
    }
    Ok(state)
}

/// The versions make different choices: the new one goes first, the old one is parked.
fn diverge(vm: &mut Vm, mut state: State, new: &Act, old: &Act) -> Successor {
    let here = state.location();
    let before = state.thread.clone();
    let mut state_old = act(vm, state, old)?;
    let parked: Thread = std::mem::replace(&mut state_old.thread, before);
    state = act(vm, state_old, new)?;
    state.parked = Some(Arc::new(parked));
    state.mode = Mode::Diverged(Version::New);
    state.diverged_at = here.map(|l| (l.clone(), l));
    Ok(state)
}
