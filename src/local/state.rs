//! The state of one version within a segment of a proof, and the path that it ends.

use super::body::Body;
use super::heap::Heap;
pub use super::unproved::Unproved;
use crate::expr::{Sort, Term};
use crate::solver::Constraints;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A call in progress.
#[derive(Clone)]
pub struct Frame {
    /// What runs.
    pub body: Body,
    /// Next instruction.
    pub pc: u32,
    /// Local variables; `None` where nothing that can be read is.
    pub locals: Vec<Option<Term>>,
    /// Operand stack.
    pub stack: Vec<Term>,
}

/// The only method that a call runs.
#[derive(Clone)]
pub struct Target {
    /// The method.
    pub body: Body,
    /// Whether it could be entered.
    pub is_enterable: bool,
    /// Whether only one version has it: the call can't be the same as one of the other version.
    pub is_lone: bool,
}

/// An effect that code outside causes or can observe, in order: both versions must have the same events.
#[derive(Clone)]
pub struct Event {
    /// What: a method and how it is called, an initialiser, a lock, a volatile access.
    pub what: Arc<str>,
    /// Receiver and arguments.
    pub args: Vec<Term>,
    /// The heap that it finds.
    pub heap: Heap,
    /// The method that it runs, where there is only one.
    pub callee: Option<Target>,
}

impl Event {
    /// Whether only one version has the method that it runs.
    pub fn is_lone(&self) -> bool {
        self.callee.as_ref().is_some_and(|c| c.is_lone)
    }

    /// Its name as a reader knows it.
    pub fn short(&self) -> String {
        let name = self.what.split('(').next().unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default();
        let plain = name
            .split_once(' ')
            .filter(|n| ["Call", "Virtual", "Static", "Special", "Interface"].contains(&n.0));
        let name = plain.map_or(name, |n| n.1).replace('#', ".");
        name.trim_start_matches('.').to_string()
    }
}

/// How a path through a segment ended.
#[derive(Clone)]
pub enum End {
    /// The method returned.
    Returned(Option<Term>),
    /// It threw that object.
    Threw(Term),
    /// It reached a cut point.
    Cut,
}

/// A state.
#[derive(Clone)]
pub struct State {
    /// Calls in progress, innermost last.
    pub frames: Vec<Frame>,
    /// The heap.
    pub heap: Heap,
    /// How many loop iterations were unrolled.
    pub unrolled: u32,
    /// The path condition.
    pub condition: Constraints,
    /// What happened, in order.
    pub events: Rc<Vec<Event>>,
    /// How many objects were allocated, by class.
    pub allocated: Rc<BTreeMap<Arc<str>, u32>>,
    /// What the texts depend on that the JVM gives the exceptions which it made, and whether the code caught them.
    pub raised: Rc<BTreeMap<Term, (Term, bool)>>,
    /// Classes known to be initialised.
    pub initialised: Rc<BTreeSet<Arc<str>>>,
    /// Strings and boxes that were computed, in order.
    pub computed: Rc<Vec<Term>>,
    /// Whether the segment's first instruction was run.
    pub moved: bool,
}

/// One path through a segment.
pub struct SegmentPath {
    /// The last state.
    pub state: State,
    /// How it ended.
    pub end: End,
}

impl State {
    /// The innermost call.
    pub fn frame(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    /// Pushes a value.
    pub fn push(&mut self, term: Term) {
        if let Some(frame) = self.frames.last_mut() {
            frame.stack.push(term);
        }
    }

    /// Pops a value.
    ///
    /// # Errors
    /// There is none: the code is not what a verifier accepts.
    pub fn pop(&mut self) -> Result<Term, Unproved> {
        let top = self.frames.last_mut().and_then(|f| f.stack.pop());
        top.ok_or_else(|| Unproved::Unsupported("operand stack".into()))
    }

    /// Pops several, the lowest first.
    ///
    /// # Errors
    /// As `pop`.
    pub fn pop_all(&mut self, count: usize) -> Result<Vec<Term>, Unproved> {
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            all.push(self.pop()?);
        }
        all.reverse();
        Ok(all)
    }

    /// To the next instruction.
    pub fn step(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc += 1;
        }
    }

    /// To another instruction of the innermost call.
    pub fn jump(&mut self, to: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = to;
        }
    }
}

/// Whether a value of that sort takes two slots of locals and of the operand stack.
pub fn is_wide(sort: Sort) -> bool {
    matches!(sort, Sort::Bv(64) | Sort::F64)
}
