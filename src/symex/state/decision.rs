//! A path's decisions in the project's own code: the branches that a reader would name as its condition.

use crate::expr::{Pool, Term};
use crate::model::{Decision, Location, Version};
use crate::symex::class::Origin;
use crate::symex::state::interruption::Act;
use crate::symex::state::{Frame, State};
use crate::symex::value::shadow::Shadow;

/// Decisions kept of a path: those beyond are loops.
const MOST: usize = 200;

/// Decisions told of a path.
const TOLD: usize = 12;

/// Longer terms are not told.
const LONGEST: usize = 160;

/// One of them.
#[derive(Clone, Debug)]
pub struct Taken {
    at: Location,
    version: Option<Version>,
    lines_of: Version,
    term: Option<Term>,
    jumped: [Option<bool>; 2],
    differs: bool,
    is_inside: bool,
}

/// The decisions of a path, the latest first.
pub type Decisions = rpds::List<Taken>;

/// The line of the project's code that runs, and whether it runs itself and not something it calls.
fn own_line(state: &State) -> Option<(Location, Version, bool)> {
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
    Some((Frame::location(frame)?, lines_of, depth == 0))
}

/// Notes that of several feasible ways a state takes one.
pub(in crate::symex) fn note(
    state: &mut State,
    choices: &[(Shadow<Term>, Act)],
    (new, old): (usize, usize),
    term: Term,
) {
    let Some((at, lines_of, own)) = own_line(state) else {
        return;
    };
    if state.decisions.len() >= MOST {
        return;
    }
    // Of a branch the first choice is the jump; of a switch there are more.
    let branch = choices.len() == 2 && choices.iter().all(|(_, a)| matches!(a, Act::Jump(_)));
    let jumped = |choice: usize| (branch && own).then_some(choice == 0);
    state.decisions = state.decisions.push_front(Taken {
        at,
        version: state.version(),
        lines_of,
        term: Some(term),
        jumped: [jumped(old), jumped(new)],
        differs: new != old,
        is_inside: !own,
    });
}

/// Notes how a branch goes whose condition a callee has decided before.
pub(in crate::symex) fn follow(state: &mut State, jumped: bool) {
    let waits = |t: &Taken| t.is_inside && t.jumped == [None, None] && !t.differs;
    if !state.decisions.first().is_some_and(waits) {
        return;
    }
    let Some((at, lines_of, true)) = own_line(state) else {
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
            differs: false,
            is_inside: true,
        });
    }
}

/// The decisions nearest to where the versions part, in the order of the run.
pub(in crate::symex) fn told(pool: &Pool, decisions: &Decisions) -> Vec<Decision> {
    let mut all: Vec<&Taken> = decisions.iter().collect();
    all.reverse();
    let parts = all.iter().position(|t| t.differs);
    let to = parts.map_or(all.len(), |i| (i + TOLD / 2).min(all.len()));
    let from = to.saturating_sub(TOLD);
    let text = |term: Term| {
        let text = pool.show(term);
        (text.len() <= LONGEST).then_some(text)
    };
    let told = all[from..to].iter().map(|t| Decision {
        at: t.at.clone(),
        version: t.version,
        lines_of: t.lines_of,
        text: t
            .term
            .and_then(text)
            .filter(|_| !t.is_inside || t.jumped == [None, None]),
        jumped: t.jumped,
        differs: t.differs,
        is_inside: t.is_inside,
    });
    told.collect()
}
