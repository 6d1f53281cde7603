//! Directed incremental symbolic execution (paper 004, figure 7): one path per sequence of impacted statements.
//!
//! The figure is about one version. While both versions run in one state, a statement that both execute and the same statement
//! behind a divergence are two nodes, so that no divergence is taken for a path that was seen before.

use super::ahead::Ahead;
use super::executed::Executed;
use super::state::{Frame, Mode, State, Thread};
use super::strategy::Impacted;
use crate::impact::{self, Flow, Marks, Place, Program};
use crate::bytecode::class_file::Code;
use crate::verdict::Version;
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The impact set and what of it is *Explored*.
pub(super) struct Dise {
    ahead: Ahead,
    /// Impacted statements by the code they begin in, which the program keeps alive.
    starts: FxHashMap<*const Code, BTreeMap<u32, usize>>,
    /// What is reached from each impacted statement.
    behind: Vec<BitSet>,
    explored: BitSet,
    /// Whether one version alone is explored.
    single: bool,
    steps: u64,
    /// When a path was last finished.
    finished: u64,
}

impl Dise {
    /// With the impact set that is given, else that of the annotations and of the bodies that differ.
    pub(super) fn new(executed: &Executed, given: Option<&Impacted>, single: bool) -> Dise {
        let marks = match given {
            Some(given) => numbered(given),
            None => numbered(&impacted(executed)),
        };
        let reach = impact::Reach::new(executed.classes.clone(), &marks);
        Dise {
            behind: reach.between(&marks),
            ahead: Ahead::new(reach),
            starts: starts(executed, &marks),
            explored: BitSet::new(),
            single,
            steps: 0,
            finished: 0,
        }
    }

    /// How many statements are impacted.
    pub(super) fn impacted(&self) -> usize {
        self.behind.len()
    }

    /// Line 6: the state is about to run an instruction; an impacted statement that begins there is explored.
    pub(super) fn visit(&mut self, state: &mut State) {
        let Some(offset) = self.offset(&state.mode) else {
            return;
        };
        self.steps += 1;
        if let Some(mark) = state.frame().and_then(|f| self.mark(f))
            && self.explored.insert(mark + offset)
        {
            state.explored_at = self.steps;
        }
    }

    fn mark(&self, frame: &Frame) -> Option<usize> {
        let code = frame.method.code.as_ref().filter(|_| frame.passed == 0)?;
        self.starts.get(&Arc::as_ptr(code))?.get(&frame.pc).copied()
    }

    /// Lines 11 to 17. A path that has come to something new since the last one was finished is followed to its end: *prune* is
    /// asked when backtracking only (§5.4), so that each sequence gives a path condition.
    pub(super) fn prunes(&mut self, state: &State) -> bool {
        let Some(offset) = self.offset(&state.mode) else {
            return false;
        };
        let ahead = self.nodes_ahead(&state.thread, offset);
        let unexplored: Vec<usize> = ahead.difference(&self.explored).collect();
        for node in &unexplored {
            let both = *node < self.behind.len();
            let set = &self.behind[*node % self.behind.len()];
            for reached in set.iter() {
                if both {
                    self.explored.remove(reached);
                }
                if !self.single {
                    self.explored.remove(reached + self.behind.len());
                }
            }
        }
        unexplored.is_empty() && state.explored_at <= self.finished
    }

    fn nodes_ahead(&mut self, thread: &Thread, offset: usize) -> BitSet {
        let marks = self.ahead.of(thread);
        let mut nodes: BitSet = marks.iter().map(|m| m + offset).collect();
        if offset == 0 && !self.single {
            nodes.extend(marks.iter().map(|m| m + self.behind.len()));
        }
        nodes
    }

    /// A path came to its end.
    pub(super) fn finish(&mut self) {
        self.steps += 1;
        self.finished = self.steps;
    }

    /// Where the numbers of a phase's nodes begin; `None` for the old version behind a divergence, which follows the new one.
    fn offset(&self, mode: &Mode) -> Option<usize> {
        match mode {
            Mode::Both | Mode::Only(..) => Some(0),
            Mode::Diverged(Version::New) if self.single => Some(0),
            Mode::Diverged(Version::New) => Some(self.behind.len()),
            Mode::Diverged(Version::Old) => None,
        }
    }
}

fn starts(executed: &Executed, marks: &Marks) -> FxHashMap<*const Code, BTreeMap<u32, usize>> {
    let methods = executed.classes.iter().flat_map(|c| c.methods.iter().map(move |m| (c, m)));
    let known = methods.filter_map(|(class, method)| {
        let marks = marks.get(&impact::id(class, method))?;
        Some((Arc::as_ptr(method.code.as_ref()?), marks.clone()))
    });
    known.collect()
}

fn numbered(impacted: &Impacted) -> Marks {
    let mut next = 0..;
    let mut numbered = |pcs: &Vec<u32>| -> BTreeMap<u32, usize> { pcs.iter().copied().zip(&mut next).collect() };
    impacted.iter().map(|(id, pcs)| (id.clone(), numbered(pcs))).collect()
}

/// The impact set of the changes (paper 004, figure 5), by the first instructions of its statements.
fn impacted(executed: &Executed) -> Impacted {
    let program = Program::of(executed.classes.clone(), Flow::Paths);
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
        seeds.extend(statements.filter_map(|s| program.node_at(method, body.instructions(s).start)));
    }
    let mut out = Impacted::new();
    for step in impact::impact(seeds, &program) {
        let Place::Statement(statement) = step.node.place else {
            continue;
        };
        if let (Some(body), Some((class, method))) = (program.body(step.node.method), program.hierarchy().method(step.node.method)) {
            let first = body.instructions(statement).start;
            out.entry(impact::id(class, method)).or_default().push(first);
        }
    }
    for pcs in out.values_mut() {
        pcs.sort_unstable();
    }
    out
}
