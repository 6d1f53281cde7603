//! Cut points: program points between which a proof runs in segments. Loop heads always are; joins and anchors on request.

use super::anchors::Anchors;
use super::definitions::Definitions;
use super::loops::Loops;
use super::state::State;
use crate::bytecode::class_file::{Code, Handler, Insn};
use crate::impact::{edges, successors};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Control flow of one body: loop heads, joins, the locals that are live at each instruction and the definitions that reach it.
struct ControlFlow {
    /// Kept alive as long as its address is a key.
    _code: Arc<Code>,
    heads: BTreeSet<u32>,
    joins: BTreeSet<u32>,
    live: Vec<Vec<bool>>,
    definitions: Definitions,
    loops: Loops,
}

/// Which program points are cut points besides loop heads.
#[derive(Default)]
pub enum CutPolicy {
    /// None.
    #[default]
    LoopHeads,
    /// Joins of branches.
    Joins,
    /// Points that correspond in both versions.
    Anchors(Anchors),
}

/// The cut points of all bodies that were executed so far.
#[derive(Default)]
pub struct CutPoints {
    control_flow: RefCell<FxHashMap<*const Code, Rc<ControlFlow>>>,
    policy: CutPolicy,
}

impl CutPoints {
    /// Cut points at loop heads, and where the policy says.
    pub fn new(policy: CutPolicy) -> CutPoints {
        CutPoints {
            policy,
            ..CutPoints::default()
        }
    }

    /// The anchors, if those are cut points.
    pub fn anchors(&self) -> Option<&Anchors> {
        match &self.policy {
            CutPolicy::Anchors(anchors) => Some(anchors),
            _ => None,
        }
    }

    /// Whether a state is at a loop head.
    pub fn is_head(&self, state: &State) -> bool {
        let innermost = state.frames.last();
        innermost.is_some_and(|f| self.of(&f.body.code).heads.contains(&f.pc))
    }

    fn of(&self, code: &Arc<Code>) -> Rc<ControlFlow> {
        let mut flow = self.control_flow.borrow_mut();
        let found = flow.entry(Arc::as_ptr(code));
        found
            .or_insert_with(|| Rc::new(ControlFlow::of(code)))
            .clone()
    }

    /// Whether a state is at a cut point.
    pub fn is_cut(&self, state: &State) -> bool {
        let Some(frame) = state.frames.last() else {
            return false;
        };
        let flow = self.of(&frame.body.code);
        let is_place = match &self.policy {
            CutPolicy::LoopHeads => false,
            CutPolicy::Joins => flow.joins.contains(&frame.pc),
            CutPolicy::Anchors(anchors) => anchors.has(&frame.body.code, frame.pc),
        };
        flow.heads.contains(&frame.pc)
            || is_place && state.frames.len() == 1 && frame.stack.is_empty()
    }

    /// Whether a local is live at an instruction: it is read before it is written.
    pub fn is_live(&self, code: &Arc<Code>, pc: u32, slot: usize) -> bool {
        let flow = self.of(code);
        let at = flow.live.get(pc as usize);
        at.is_none_or(|l| l.get(slot).copied().unwrap_or(true))
    }

    /// Whether a local holds what one definition gave it, whichever way led to an instruction, or what it held before the loop.
    pub fn is_settled(&self, code: &Arc<Code>, pc: u32, slot: usize) -> bool {
        let flow = self.of(code);
        flow.definitions.is_single(pc, slot) || flow.loops.keeps(pc, slot)
    }

    /// Whether the innermost loop around an instruction reads a local.
    pub fn is_read_in_loop(&self, code: &Arc<Code>, pc: u32, slot: usize) -> bool {
        self.of(code).loops.reads(pc, slot)
    }

    /// Whether the innermost loop around a state's instruction keeps the heap as it was.
    pub fn keeps_heap(&self, state: &State) -> bool {
        let innermost = state.frames.last();
        innermost.is_some_and(|f| self.of(&f.body.code).loops.keeps_heap(f.pc))
    }
}

impl ControlFlow {
    fn of(code: &Arc<Code>) -> ControlFlow {
        let edges = edges(code);
        let back = back_edges(&without_own_handlers(code, &edges));
        ControlFlow {
            heads: back.iter().map(|(_, head)| *head).collect(),
            loops: Loops::of(code, &edges, &back),
            joins: joins(code),
            live: liveness(code, &edges),
            definitions: Definitions::of(code, &edges),
            _code: code.clone(),
        }
    }
}

/// The edges but those from a handler to itself: what leaves a lock or runs a `finally` is covered by its own handler (JVMS §3.14),
/// although it throws nothing.
fn without_own_handlers(code: &Code, edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let own = |from: usize, to: u32| {
        let mut handlers = code.handlers.iter();
        let from = from as u32;
        let is_own = |h: &Handler| h.target == to && h.start <= to && to <= from && from < h.end;
        handlers.any(is_own) && !successors(code, from).contains(&to)
    };
    let kept = |(from, all): (usize, &Vec<u32>)| {
        let all = all.iter().copied();
        all.filter(|to| !own(from, *to)).collect()
    };
    edges.iter().enumerate().map(kept).collect()
}

/// The back edges of a depth-first walk: every cycle contains one.
fn back_edges(edges: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let mut back = Vec::new();
    // 0: not seen, 1: on the way, 2: done.
    let mut seen = vec![0u8; edges.len()];
    let mut stack: Vec<(u32, usize)> = vec![(0, 0)];
    if let Some(first) = seen.first_mut() {
        *first = 1;
    }
    while let Some((at, next)) = stack.last_mut() {
        let from = *at;
        let to = edges.get(from as usize).and_then(|e| e.get(*next)).copied();
        *next += 1;
        match to {
            None => {
                seen[from as usize] = 2;
                stack.pop();
            }
            Some(to) => match seen[to as usize] {
                0 => {
                    seen[to as usize] = 1;
                    stack.push((to, 0));
                }
                1 => back.push((from, to)),
                _ => {}
            },
        }
    }
    back
}

/// Instructions with several predecessors.
fn joins(code: &Arc<Code>) -> BTreeSet<u32> {
    let mut count = vec![0u32; code.insns.len()];
    for pc in 0..code.insns.len() as u32 {
        for to in successors(code, pc) {
            count[to as usize] += 1;
        }
    }
    let all = 0..code.insns.len() as u32;
    all.filter(|pc| count[*pc as usize] > 1).collect()
}

/// Live slots before each instruction, by the usual backward fixpoint.
fn liveness(code: &Code, edges: &[Vec<u32>]) -> Vec<Vec<bool>> {
    let width = usize::from(code.max_locals);
    let mut live = vec![vec![false; width]; edges.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..edges.len()).rev() {
            let mut set = vec![false; width];
            for to in &edges[at] {
                for (slot, more) in set.iter_mut().zip(&live[*to as usize]) {
                    *slot |= more;
                }
            }
            let mut put = |slot: u16, to: bool| {
                if let Some(s) = set.get_mut(usize::from(slot)) {
                    *s = to;
                }
            };
            match &code.insns[at] {
                Insn::Store(_, slot) => put(*slot, false),
                Insn::Load(_, slot) | Insn::Iinc(slot, _) | Insn::Ret(slot) => put(*slot, true),
                _ => {}
            }
            if set != live[at] {
                live[at] = set;
                changed = true;
            }
        }
    }
    live
}
