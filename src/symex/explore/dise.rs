//! Directed incremental symbolic execution (paper 004, figure 7): one path per sequence of impacted statements.
//!
//! The figure is about one version. While both versions run in one state, a statement that both execute and the same statement
//! behind a divergence are two nodes, so that no divergence is taken for a path that was seen before.

use crate::bytecode::class_file::Code;
use crate::impact::{self, DependenceGraph, Explored, Flow, Marks, NodeKind};
use crate::model::Version;
use crate::symex::explore::executed::Executed;
use crate::symex::explore::reachable_marks::ReachableMarks;
use crate::symex::state::strategy::Impacted;
use crate::symex::state::{Frame, Mode, State};
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A place, by its code, and what is reached from it.
type Node = (*const Code, BitSet);

/// The impact set and what of it is *Explored*.
pub(in crate::symex) struct Dise {
    reachable: ReachableMarks,
    /// Impacted statements by the code they begin in, which the program keeps alive.
    starts: FxHashMap<*const Code, BTreeMap<u32, usize>>,
    /// What each of them reaches in its method and what that calls, and the code it is in.
    within: Vec<Node>,
    explored: Explored,
    impacted: usize,
    /// The most that were reachable from a state.
    reachable_from_entry: usize,
    /// Whether one version alone is explored.
    single: bool,
}

impl Dise {
    /// With the impact set that is given, else that of the annotations and of the bodies that differ.
    pub(in crate::symex) fn new(
        executed: &Executed,
        given: Option<&Impacted>,
        single: bool,
    ) -> Dise {
        let mut impacted = given.cloned().unwrap_or_else(|| impacted(executed));
        if single {
            // What the new version never runs would stay unexplored.
            for (id, ranges) in &executed.old_only {
                let in_old = |pc: &u32| ranges.iter().any(|r| r.contains(pc));
                if let Some(pcs) = impacted.get_mut(id) {
                    pcs.retain(|pc| !in_old(pc));
                }
            }
        }
        let marks = numbered(&impacted);
        let reach = impact::Reach::new(executed.classes.clone(), &marks);
        Dise {
            starts: starts(executed, &marks),
            within: reach.within(&marks),
            impacted: marks.values().map(BTreeMap::len).sum(),
            reachable_from_entry: 0,
            reachable: ReachableMarks::new(Arc::new(reach)),
            explored: Explored::default(),
            single,
        }
    }

    /// How many impacted statements are reachable from the entry method.
    pub(in crate::symex) fn reachable_impacted(&self) -> usize {
        self.reachable_from_entry
    }

    /// Line 6: the state is about to run an instruction; an impacted statement that begins there is explored.
    pub(in crate::symex) fn visit(&mut self, state: &mut State) {
        let Some(offset) = self.offset(&state.mode) else {
            return;
        };
        let mark = state.frame().and_then(|f| self.mark(f));
        if let Some(now) = mark.and_then(|m| self.explored.visit(m + offset)) {
            state.explored_at = now;
        }
    }

    fn mark(&self, frame: &Frame) -> Option<usize> {
        let code = frame.method.code.as_ref().filter(|_| frame.passed == 0)?;
        self.starts.get(&Arc::as_ptr(code))?.get(&frame.pc).copied()
    }

    /// Lines 11 to 17: whether the state leads to nothing new.
    pub(in crate::symex) fn prunes(&mut self, state: &State) -> bool {
        let Some(offset) = self.offset(&state.mode) else {
            return false;
        };
        let frames = self.reachable.frames(&state.thread);
        let mut reachable = BitSet::new();
        frames.iter().for_each(|f| reachable.union_with(&f.1));
        self.reachable_from_entry = self.reachable_from_entry.max(reachable.iter().count());
        let (impacted, single, within) = (self.impacted, self.single, &self.within);
        // From a state that runs both versions, the nodes behind a divergence are reachable, too.
        let nodes = |marks: BitSet, both: bool| match (single, both) {
            (true, _) => marks,
            (false, true) => with_diverged(&marks, impacted),
            (false, false) => shifted(&marks, impacted),
        };
        let reachable = nodes(reachable, offset == 0);
        let reached =
            |node: usize| nodes(behind(within, &frames, node % impacted), node < impacted);
        self.explored.prunes(&reachable, state.explored_at, reached)
    }

    /// A path came to its end.
    pub(in crate::symex) fn finish(&mut self) {
        self.explored.finish();
    }

    /// Where the numbers of a phase's nodes begin; `None` for the old version behind a divergence, which follows the new one.
    fn offset(&self, mode: &Mode) -> Option<usize> {
        match mode {
            Mode::Both | Mode::Only(..) => Some(0),
            Mode::Diverged(Version::New) if self.single => Some(0),
            Mode::Diverged(Version::New) => Some(self.impacted),
            Mode::Diverged(Version::Old) => None,
        }
    }
}

/// What is reached from an impacted statement when it is come to from these frames: in its own method and what that calls, and
/// in the callers on the stack.
fn behind(within: &[Node], frames: &[Node], mark: usize) -> BitSet {
    let Some((code, within)) = within.get(mark) else {
        return BitSet::new();
    };
    let mut reached = within.clone();
    if let Some(at) = frames.iter().rposition(|f| f.1.contains(mark)) {
        // In a method that the frame calls, what follows the call is behind it, too.
        let callers = at + usize::from(frames[at].0 != *code);
        frames[..callers]
            .iter()
            .for_each(|f| reached.union_with(&f.1));
    }
    reached
}

fn shifted(marks: &BitSet, by: usize) -> BitSet {
    marks.iter().map(|m| m + by).collect()
}

fn with_diverged(marks: &BitSet, impacted: usize) -> BitSet {
    let mut all = shifted(marks, impacted);
    all.union_with(marks);
    all
}

fn starts(executed: &Executed, marks: &Marks) -> FxHashMap<*const Code, BTreeMap<u32, usize>> {
    let methods = executed
        .classes
        .iter()
        .flat_map(|c| c.methods.iter().map(move |m| (c, m)));
    let known = methods.filter_map(|(class, method)| {
        let marks = marks.get(&impact::id(class, method))?;
        Some((Arc::as_ptr(method.code.as_ref()?), marks.clone()))
    });
    known.collect()
}

fn numbered(impacted: &Impacted) -> Marks {
    let mut next = 0..;
    let mut numbered =
        |pcs: &Vec<u32>| -> BTreeMap<u32, usize> { pcs.iter().copied().zip(&mut next).collect() };
    impacted
        .iter()
        .map(|(id, pcs)| (id.clone(), numbered(pcs)))
        .collect()
}

/// The impact set of the changes (paper 004, figure 5), by the first instructions of its statements.
fn impacted(executed: &Executed) -> Impacted {
    let program = DependenceGraph::of(executed.classes.clone(), Flow::Paths);
    let mut seeds = Vec::new();
    for (id, pcs) in &executed.changes {
        let Some(method) = program.hierarchy().number(id) else {
            continue;
        };
        let Some(body) = program.body(method) else {
            continue;
        };
        // Of a body that is different as a whole all statements are changed.
        let all = pcs.contains(&0);
        let changed = |s: &u32| all || body.instructions(*s).any(|pc| pcs.contains(&pc));
        let statements = (0..body.statements.len() as u32).filter(changed);
        seeds
            .extend(statements.filter_map(|s| program.node_at(method, body.instructions(s).start)));
    }
    let mut out = Impacted::new();
    for step in impact::impact(seeds, &program) {
        let NodeKind::Statement(statement) = step.node.place else {
            continue;
        };
        if let (Some(body), Some((class, method))) = (
            program.body(step.node.method),
            program.hierarchy().method(step.node.method),
        ) {
            let first = body.instructions(statement).start;
            out.entry(impact::id(class, method))
                .or_default()
                .push(first);
        }
    }
    for pcs in out.values_mut() {
        pcs.sort_unstable();
    }
    out
}
