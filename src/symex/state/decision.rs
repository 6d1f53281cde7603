//! A path's decisions in the project's own code: the branches that a reader would name as its condition.

use crate::bytecode::class_file::Insn;
use crate::expr::{Pool, Term};
use crate::model::{Decision, Location, Version};
use crate::solver::{Constraints, Feasible, Solver};
use crate::symex::class::{Method, Origin};
use crate::symex::state::interruption::Act;
use crate::symex::state::{Frame, State};
use crate::symex::value::shadow::Shadow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Decisions kept of a path: those beyond are loops.
const MOST: usize = 200;

/// Decisions told of a path.
const TOLD: usize = 12;

/// Longer terms are not told.
const LONGEST: usize = 160;

/// Z3's resource units for the question whether a decision goes without saying, and for all such questions of a path: they serve the
/// reader only.
const UNITS_OF_ONE: u32 = 100_000;
const UNITS: u64 = 300_000;

/// Whether the versions go different ways at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parting {
    /// They go the same way.
    None,
    /// As the input has it.
    ByInput,
    /// Whatever the input is: by values that are known, and differ. They may meet again.
    Known,
}

impl Parting {
    fn by_input(parts: bool) -> Parting {
        match parts {
            true => Parting::ByInput,
            false => Parting::None,
        }
    }
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Taken {
    at: Location,
    version: Option<Version>,
    lines_of: Version,
    term: Option<Term>,
    jumped: [Option<bool>; 2],
    parting: Parting,
    is_inside: bool,
    /// The project's instruction that decides or calls what does.
    code: (Arc<Method>, u32),
    /// Where a switch went in the old and the new version.
    goes: [Option<u32>; 2],
    /// What it added to the path condition.
    conjuncts: Range<usize>,
    /// Which of the branches of its line it is, once that is asked: all paths behind it ask.
    branch: OnceLock<Option<(u32, u32)>>,
}

/// The decisions of a path, the latest first.
pub type Decisions = rpds::ListSync<Taken>;

/// The place of the project's code that runs, and whether it runs itself and not something it calls.
struct OwnLine {
    at: Location,
    lines_of: Version,
    own: bool,
    code: (Arc<Method>, u32),
}

fn own_line(state: &State) -> Option<OwnLine> {
    if state.makes_input() {
        return None;
    }
    // The first frame is the driver that makes the input and calls the entry method.
    let frames = state.thread.frames.iter().skip(1).rev();
    let (depth, frame) = frames.enumerate().find(|(_, f)| f.method.project)?;
    let lines_of = match frame.method.origin {
        Origin::Old => Version::Old,
        _ => Version::New,
    };
    Some(OwnLine {
        at: Frame::location(frame)?,
        lines_of,
        own: depth == 0,
        code: (Arc::clone(&frame.method), frame.pc),
    })
}

/// Notes that of several ways a state takes one, which added the conjuncts of its path condition behind the first `known` ones.
pub(in crate::symex) fn note(
    state: &mut State,
    choices: &[(Shadow<Term>, Act)],
    (new, old): (usize, usize),
    (term, known): (Term, usize),
) {
    let Some(OwnLine {
        at,
        lines_of,
        own,
        code,
    }) = own_line(state)
    else {
        return;
    };
    if state.decisions.len() >= MOST {
        return;
    }
    // What the JVM checks by itself is worth a word where it throws.
    let checks = choices.iter().any(|(_, a)| matches!(a, Act::Raise(_)));
    let passes = |choice: usize| !matches!(choices.get(choice), Some((_, Act::Raise(_))));
    if checks && new == old && passes(new) {
        return;
    }
    let is_switch = own && is_switch(&code);
    // Of a branch the first choice is the jump.
    let jumps = choices.iter().all(|(_, a)| matches!(a, Act::Jump(_)));
    let branch = own && !is_switch && choices.len() == 2 && jumps;
    let jumped = |choice: usize| branch.then_some(choice == 0);
    let goes = |choice: usize| match choices.get(choice) {
        Some((_, Act::Jump(pc))) if is_switch => Some(*pc),
        _ => None,
    };
    let goes = [goes(old), goes(new)];
    state.decisions = state.decisions.push_front(Taken {
        at,
        version: state.version(),
        lines_of,
        term: Some(term),
        jumped: [jumped(old), jumped(new)],
        parting: Parting::by_input(new != old),
        is_inside: !own,
        code,
        goes,
        conjuncts: known..state.constraints.terms().len(),
        branch: OnceLock::new(),
    });
}

/// Notes a branch of which no formula says how it goes: whether the old and the new version jump.
pub(in crate::symex) fn known(state: &mut State, jumped: [bool; 2]) {
    without_formula(
        state,
        own(jumped),
        Parting::by_input(jumped[0] != jumped[1]),
    );
}

/// How the versions jumped, where the line's own code decides.
fn own(jumped: [bool; 2]) -> impl Fn(bool) -> [Option<bool>; 2] {
    move |own| jumped.map(|j| Some(j).filter(|_| own))
}

/// Notes a branch at which the versions part by values that are known in both; not that the program asks which version runs.
pub(in crate::symex) fn parted(state: &mut State, jumped: [bool; 2]) {
    let code = state.frame().map(|f| (f.method.code.as_ref(), f.pc));
    if !matches!(code, Some((Some(code), pc)) if asks_version(&code.insns, pc as usize)) {
        without_formula(state, own(jumped), Parting::Known);
    }
}

/// Notes that something was asked of which no formula says the answer, so that the branch behind it is told.
pub(in crate::symex) fn asked(state: &mut State) {
    without_formula(state, |_| [None; 2], Parting::None);
}

/// Notes a decision without a formula; how the versions jumped depends on whether the line's own code decides.
fn without_formula(
    state: &mut State,
    jumped: impl Fn(bool) -> [Option<bool>; 2],
    parting: Parting,
) {
    let Some(line) = own_line(state) else {
        return;
    };
    if state.decisions.len() >= MOST {
        return;
    }
    let jumped = jumped(line.own);
    let version = state.version();
    state.decisions = state.decisions.push_front(Taken {
        at: line.at,
        version,
        lines_of: line.lines_of,
        term: None,
        jumped,
        parting,
        is_inside: jumped == [None; 2],
        code: line.code,
        goes: [None; 2],
        conjuncts: 0..0,
        branch: OnceLock::new(),
    });
}

/// Whether the branch at that place asks which version runs, which no source of the project does.
fn asks_version(insns: &[Insn], branch: usize) -> bool {
    let before = branch.checked_sub(1).and_then(|at| insns.get(at));
    matches!(before, Some(Insn::Invoke(_, m)) if &*m.name == "execute" && m.class.ends_with("Shadow"))
}

fn is_switch((method, pc): &(Arc<Method>, u32)) -> bool {
    let insn = method.code.as_ref().and_then(|c| c.insns.get(*pc as usize));
    matches!(insn, Some(Insn::Switch(..)))
}

/// Notes how a branch goes whose condition a callee has decided before.
pub(in crate::symex) fn follow(state: &mut State, jumped: bool) {
    let waits =
        |t: &Taken| t.is_inside && t.jumped == [None, None] && t.parting != Parting::ByInput;
    if !state.decisions.first().is_some_and(waits) {
        return;
    }
    let Some(OwnLine {
        at,
        lines_of,
        own: true,
        code,
    }) = own_line(state)
    else {
        return;
    };
    let mut rest = state.decisions.clone();
    while rest.first().is_some_and(|t| waits(t) && t.at == at) {
        rest = rest.drop_first().unwrap_or_default();
    }
    if rest.len() < state.decisions.len() {
        state.decisions = rest.push_front(Taken {
            at,
            version: state.version(),
            lines_of,
            term: None,
            jumped: [Some(jumped); 2],
            parting: Parting::None,
            is_inside: true,
            code,
            goes: [None; 2],
            conjuncts: 0..0,
            branch: OnceLock::new(),
        });
    }
}

/// Notes where a switch goes whose key is known by what the same line has decided before: the hash of a string and what it equals, the
/// number of a constant (javac, JLS 14.11).
pub(in crate::symex) fn follow_switch(state: &mut State, target: u32) {
    let Some(OwnLine {
        at,
        lines_of,
        own: true,
        code,
    }) = own_line(state)
    else {
        return;
    };
    let mut rest = state.decisions.clone();
    while rest
        .first()
        .is_some_and(|t| t.at == at && t.parting != Parting::ByInput)
    {
        rest = rest.drop_first().unwrap_or_default();
    }
    if rest.len() < state.decisions.len() {
        state.decisions = rest.push_front(Taken {
            at,
            version: state.version(),
            lines_of,
            term: None,
            jumped: [None; 2],
            parting: Parting::None,
            is_inside: false,
            code,
            goes: [Some(target); 2],
            conjuncts: 0..0,
            branch: OnceLock::new(),
        });
    }
}

/// The decisions nearest to where the versions part, in the order of the run; `reduced`: with a mark on those that the others imply.
pub(in crate::symex) fn nearest(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    path: &Constraints,
    (decisions, reduced): (&Decisions, bool),
) -> Vec<Decision> {
    let mut all: Vec<&Taken> = decisions.iter().collect();
    all.reverse();
    let parts = all.iter().position(|t| t.parting == Parting::ByInput);
    let last = all.iter().rposition(|t| t.parting == Parting::Known);
    // Where the input decides nothing, they part for good where they do last.
    let (last, parts) = (last.filter(|_| parts.is_none()), parts.or(last));
    let to = parts.map_or(all.len(), |i| (i + TOLD / 2).min(all.len()));
    let from = to.saturating_sub(TOLD);
    let implied = match reduced {
        true => implied(pool, solver, path, &all, from..to),
        false => BTreeSet::new(),
    };
    let told = (from..to).map(|i| Decision {
        is_implied: implied.contains(&i),
        differs: all[i].parting == Parting::ByInput || last == Some(i),
        ..all[i].told(pool)
    });
    told.collect()
}

/// Which decisions hold wherever the rest of the path condition does, the earlier ones of two that say the same. Those without a
/// formula, and where the versions part, are none.
fn implied(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    path: &Constraints,
    all: &[&Taken],
    of: Range<usize>,
) -> BTreeSet<usize> {
    let mut implied = BTreeSet::new();
    let terms = path.terms();
    if terms.len() > MOST {
        return implied;
    }
    let from_others = |i: usize| !all.iter().any(|t| t.conjuncts.contains(&i));
    let around = (0..terms.len()).filter(|i| from_others(*i));
    let around: Vec<Term> = around.map(|i| terms[i]).collect();
    let start = Constraints::with_model(path.model().clone());
    // What a called method decided says less than what is done with its result.
    let (inside, own): (Vec<usize>, Vec<usize>) = of.partition(|i| all[*i].is_inside);
    let before = solver.stats().units;
    for i in inside.into_iter().chain(own) {
        if solver.stats().units - before > UNITS {
            break;
        }
        let Some(term) = all[i].term.filter(|_| all[i].parting != Parting::ByInput) else {
            continue;
        };
        let others = (0..all.len()).filter(|j| *j != i && !implied.contains(j));
        let others = others.filter_map(|j| all[j].term);
        let rest = pool.and_all(around.iter().copied().chain(others));
        let not = pool.not(term);
        if let Feasible::Yes(rest) = solver.assume_within(UNITS_OF_ONE, pool, &start, rest)
            && matches!(
                solver.assume_within(UNITS_OF_ONE, pool, &rest, not),
                Feasible::No
            )
        {
            implied.insert(i);
        }
    }
    implied
}

impl Taken {
    fn told(&self, pool: &Pool) -> Decision {
        let text = |term: Term| {
            let text = pool.show(term);
            (text.len() <= LONGEST).then_some(text)
        };
        let of_others = self.is_inside && self.jumped != [None, None];
        Decision {
            at: self.at.clone(),
            version: self.version,
            lines_of: self.lines_of,
            text: self.term.filter(|_| !of_others).and_then(text),
            jumped: self.jumped,
            differs: self.parting == Parting::ByInput,
            is_inside: self.is_inside,
            branch: *self.branch.get_or_init(|| self.branch_of_line()),
            goes: self.goes.map(|pc| self.line(pc?)),
            is_implied: false,
        }
    }

    fn line(&self, pc: u32) -> Option<u32> {
        let lines = &self.code.0.code.as_ref()?.lines;
        lines.get(pc as usize).copied().filter(|l| *l > 0)
    }

    /// Which of the branches of its line it is, and how many there are.
    fn branch_of_line(&self) -> Option<(u32, u32)> {
        if self.jumped == [None, None] {
            return None;
        }
        let (method, pc) = &self.code;
        let code = method.code.as_ref()?;
        let line = self.line(*pc)?;
        let is_branch = |insn: &Insn| {
            matches!(
                insn,
                Insn::If(..) | Insn::IfIcmp(..) | Insn::IfAcmp(..) | Insn::IfNull(..)
            )
        };
        let all = code.insns.iter().zip(&code.lines).enumerate();
        let all = all.filter(|(i, (insn, l))| {
            **l == line && is_branch(insn) && !asks_version(&code.insns, *i)
        });
        let all: Vec<u32> = all.map(|(i, _)| i as u32).collect();
        // A comparison of longs or floats stands before its branch.
        let at = all.iter().position(|i| i == pc || *i == pc + 1)?;
        Some((at as u32, all.len() as u32))
    }
}
