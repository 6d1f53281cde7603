//! Strings and boxes that escape: whether others can tell how often a version computed equal ones.

use super::cuts::CutPoints;
use super::product::Product;
use super::state::{End, SegmentPath, State, Unproved};
use crate::expr::Term;
use crate::solver::Constraints;
use std::collections::{BTreeMap, BTreeSet};

impl Product<'_> {
    /// Equal strings and boxes that were computed several times are different objects, but one term here. For this to be invisible,
    /// one that escapes must be computed once or escape once. In a loop both versions must compute it equally often, and none may
    /// be left from an earlier iteration.
    pub(super) fn check_identities(
        &mut self,
        a: &SegmentPath,
        b: &SegmentPath,
    ) -> Result<(), Unproved> {
        let count = |run: &SegmentPath, t: Term| {
            let computed = run.state.computed.iter();
            computed
                .filter(|c| self.context.canonical(**c) == t)
                .count()
        };
        let outside = [a, b].map(|run| self.escaping(run));
        for suspect in outside.iter().flatten().collect::<BTreeSet<_>>() {
            let times = [a, b].map(|run| count(run, *suspect));
            let out = outside
                .iter()
                .map(|all| all.iter().filter(|t| *t == suspect).count());
            let twice = times.iter().any(|n| *n > 1) && out.max() > Some(1);
            let again = self.context.segment > 0
                && times != [0, 0]
                && (times[0] != times[1] || self.is_held(*suspect));
            if twice || again {
                let what = "identity of a computed string or box";
                return Err(Unproved::Unsupported(what.into()));
            }
        }
        Ok(())
    }

    /// The text that the JVM gives an exception is the program's own as soon as the program catches it and hands it on.
    pub(super) fn check_texts(
        &mut self,
        a: &SegmentPath,
        b: &SegmentPath,
        condition: &Constraints,
    ) -> Result<(), Unproved> {
        let caught = |run: &SegmentPath| -> BTreeMap<Term, Term> {
            let all = run.state.raised.iter().filter(|(_, r)| r.1);
            all.map(|(object, r)| (*object, r.0)).collect()
        };
        let (x, y) = (caught(a), caught(b));
        if x.is_empty() && y.is_empty() {
            return Ok(());
        }
        let out: BTreeSet<Term> = [a, b]
            .into_iter()
            .flat_map(|run| escaping(run, &self.context.cuts))
            .collect();
        for object in x.keys().chain(y.keys()).filter(|o| out.contains(o)) {
            let same = match (x.get(object), y.get(object)) {
                (Some(p), Some(q)) => self.context.are_equal(condition, *p, *q)?,
                _ => false,
            };
            if !same {
                let what = "the text of an exception that the JVM makes";
                return Err(Unproved::Unsupported(what.into()));
            }
        }
        Ok(())
    }

    /// Whether a computed string or box, or one equated with it, exists when the segment begins.
    fn is_held(&self, suspect: Term) -> bool {
        let mut held = self.held.iter();
        held.any(|t| self.context.canonical(*t) == suspect)
    }

    /// Computed strings and boxes that escape on a path, once for each time.
    fn escaping(&self, run: &SegmentPath) -> Vec<Term> {
        let s = &self.context.symbols;
        let all = escaping(run, &self.context.cuts);
        let all = all.into_iter().flat_map(|t| s.choices(t));
        all.filter(|t| s.is_anonymous(*t))
            .map(|t| self.context.canonical(t))
            .collect()
    }
}

/// The values that escape on a path, once for each time.
fn escaping(run: &SegmentPath, cuts: &CutPoints) -> Vec<Term> {
    let state = &run.state;
    let mut all: Vec<Term> = Vec::new();
    for event in state.events.iter() {
        all.extend(&event.args);
        all.extend(event.heap.values());
    }
    match run.end {
        End::Returned(value) => {
            all.extend(state.heap.values());
            all.extend(value);
        }
        End::Threw(value) => {
            all.extend(state.heap.values());
            all.push(value);
        }
        // What stays in locals may go out later.
        End::Cut => all.extend(held_terms(state, cuts)),
    }
    all
}

/// What a state's live locals, operands and known writes hold.
pub(super) fn held_terms(state: &State, cuts: &CutPoints) -> Vec<Term> {
    let mut all: Vec<Term> = state.heap.values().collect();
    for frame in &state.frames {
        let locals = frame.locals.iter().enumerate();
        let live = locals.filter(|(slot, _)| cuts.is_live(&frame.body.code, frame.pc, *slot));
        all.extend(live.filter_map(|(_, term)| *term));
        all.extend(&frame.stack);
    }
    all
}
