//! A check of the rule that instructions may be run again: an instruction that asks for a retry leaves the state unchanged.

use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::state::{Frame, State};
use std::sync::Arc;

/// What the check saw of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Reruns {
    /// Instructions that asked to be run again.
    pub asked: u64,
    /// Those that left another state, or asked for something else the second time.
    pub broken: Vec<String>,
}

impl Reruns {
    /// Compares the state that an instruction left with the one before and, where both are given, what it asked with what it asks
    /// again.
    pub(in crate::symex) fn note(
        &mut self,
        (before, left): (&State, &State),
        asked: Option<(&Interruption, &Step<()>)>,
    ) {
        self.asked += 1;
        let mut wrong = difference(before, left);
        if let Some((first, again)) = asked {
            let (first, again) = (format!("{first:?}"), format!("{:?}", again.as_ref().err()));
            if again != format!("Some({first})") {
                wrong.push(format!("asked {first}, then {again}"));
            }
        }
        if !wrong.is_empty() {
            let at = before.frame().map(|f| (f.method.display(), f.pc));
            self.broken.push(format!("{at:?}: {}", wrong.join("; ")));
        }
    }
}

/// Which parts of two states differ.
fn difference(before: &State, left: &State) -> Vec<String> {
    let mut parts = Vec::new();
    let (a, b) = (&before.thread, &left.thread);
    let mut frames = a.frames.iter().zip(&b.frames);
    if a.frames.len() != b.frames.len() || !frames.all(|(x, y)| is_same(x, y)) {
        parts.push("the frames".to_string());
    }
    if a.pending != b.pending || a.end != b.end {
        parts.push("what is pending".to_string());
    }
    if before.version() != left.version() {
        parts.push("which versions run".to_string());
    }
    if let Some(object) = before.heap.first_difference(&left.heap) {
        parts.push(format!("object {object} of the heap"));
    }
    if format!("{:?}", before.printed) != format!("{:?}", left.printed) {
        parts.push("the printed text".to_string());
    }
    parts
}

fn is_same(a: &Arc<Frame>, b: &Arc<Frame>) -> bool {
    Arc::ptr_eq(a, b)
        || Arc::ptr_eq(&a.method, &b.method)
            && (a.pc, a.passed, a.on_return) == (b.pc, b.passed, b.on_return)
            && a.locals == b.locals
            && a.stack == b.stack
            && a.turns == b.turns
}
