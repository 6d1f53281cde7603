//! A method body seen as one version of the unified program: `change` and `execute` resolved, jumps and dead stores followed.

use super::class_file::{Cmp, Code, Const, Insn, MemberRef};
use crate::bytecode::class_file::{BinOp, Prim};
use rustc_hash::FxHashMap;

/// Which side of `change` and `execute` is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The old version.
    Old,
    /// The new version.
    New,
}

/// Internal name of the class that carries the annotations.
pub const SHADOW: &str = "com/shadowci/Shadow";

/// A control-flow graph over instructions that do something; `Goto`, resolved branches and dead stores are passed over.
pub struct Projected {
    insns: Vec<Insn>,
    /// Where each instruction stood in the code.
    origin: Vec<u32>,
    redirect: FxHashMap<u32, u32>,
    live: Vec<SlotSet>,
}

/// Slots as a bit set.
type SlotSet = Vec<u64>;

impl Projected {
    /// The body as it is, with `side` of every annotation in it; `None` when an annotation has a form that is not ours.
    pub fn of(code: &Code, side: Side) -> Option<Projected> {
        let (insns, origin) = expanded(code);
        let mut out = Projected {
            insns,
            origin,
            redirect: FxHashMap::default(),
            live: Vec::new(),
        };
        out.resolve(side)?;
        out.live = out.liveness(code.max_locals);
        out.keep_handlers_alive(code);
        Some(out)
    }

    /// The instruction at a position that `at` gave.
    pub fn insn(&self, at: u32) -> Option<&Insn> {
        self.insns.get(at as usize)
    }

    /// The position in the class file's code of a position in this graph.
    pub fn origin(&self, at: u32) -> u32 {
        self.origin.get(at as usize).copied().unwrap_or(u32::MAX)
    }

    /// The position here of an instruction of the class file's code.
    pub fn position(&self, pc: u32) -> u32 {
        self.origin.partition_point(|o| *o < pc) as u32
    }

    /// The first instruction at or behind `at` that does something.
    pub fn at(&self, at: u32) -> u32 {
        self.advance(at, true)
    }

    fn advance(&self, mut at: u32, drop_dead: bool) -> u32 {
        for _ in 0..=2 * self.insns.len() {
            if let Some(to) = self.redirect.get(&at) {
                at = *to;
                continue;
            }
            at = match self.insn(at) {
                Some(Insn::Nop) => at + 1,
                Some(Insn::Goto(to)) => *to,
                Some(Insn::Const(_) | Insn::AconstNull) => match self.passed(at, drop_dead) {
                    Some(to) => to,
                    None => return at,
                },
                _ => return at,
            };
        }
        at
    }

    /// Where a constant leads that only decides the branch behind it, or is stored and never read.
    fn passed(&self, at: u32, drop_dead: bool) -> Option<u32> {
        let then = self.advance(at + 1, false);
        match (self.insn(at)?, self.insn(then)?) {
            (Insn::Const(Const::Int(a)), Insn::Const(Const::Int(b))) => {
                let branch = self.advance(then + 1, false);
                match self.insn(branch)? {
                    Insn::IfIcmp(cmp, to) => {
                        Some(if holds(*cmp, *a, *b) { *to } else { branch + 1 })
                    }
                    _ => None,
                }
            }
            (_, Insn::Store(_, slot)) if drop_dead && !self.is_live(then + 1, *slot) => {
                Some(then + 1)
            }
            _ => None,
        }
    }

    /// Instructions that may run next, exceptions left out.
    pub fn successors(&self, at: u32) -> Vec<u32> {
        match self.insn(at) {
            None | Some(Insn::Return(_) | Insn::Athrow | Insn::Ret(_) | Insn::Jsr(_)) => Vec::new(),
            Some(Insn::Goto(to)) => vec![*to],
            Some(
                Insn::If(_, to) | Insn::IfIcmp(_, to) | Insn::IfAcmp(_, to) | Insn::IfNull(_, to),
            ) => vec![at + 1, *to],
            Some(Insn::Switch(default, cases)) => {
                cases.iter().map(|c| c.1).chain([*default]).collect()
            }
            Some(_) => vec![at + 1],
        }
    }

    fn is_live(&self, at: u32, slot: u16) -> bool {
        self.live.get(at as usize).is_none_or(|set| get(set, slot))
    }

    /// Live slots before each instruction, by the usual backward fixpoint; positions nobody reaches stay empty.
    fn liveness(&self, max_locals: u16) -> Vec<SlotSet> {
        let words = usize::from(max_locals) / 64 + 1;
        let n = self.insns.len();
        let mut live = vec![vec![0u64; words]; n + 1];
        let next: Vec<Vec<u32>> = (0..n as u32)
            .map(|at| {
                let here = self.advance(at, false);
                if here == at {
                    self.successors(at)
                } else {
                    vec![here]
                }
            })
            .collect();
        let passes: Vec<bool> = (0..n as u32)
            .map(|at| self.advance(at, false) != at)
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..n).rev() {
                let mut set = vec![0u64; words];
                for to in &next[at] {
                    for (word, more) in set
                        .iter_mut()
                        .zip(live.get(*to as usize).into_iter().flatten())
                    {
                        *word |= more;
                    }
                }
                match &self.insns[at] {
                    _ if passes[at] => {}
                    Insn::Store(_, slot) => put(&mut set, *slot, false),
                    Insn::Load(_, slot) => put(&mut set, *slot, true),
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

    /// What handlers read counts as read everywhere: they may be entered from anywhere.
    fn keep_handlers_alive(&mut self, code: &Code) {
        let mut read: Vec<u64> = Vec::new();
        for handler in &code.handlers {
            if let Some(set) = self.live.get(self.position(handler.target) as usize) {
                read.resize(set.len(), 0);
                read.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
            }
        }
        for set in &mut self.live {
            set.iter_mut().zip(&read).for_each(|(a, b)| *a |= b);
        }
    }

    /// Replaces the annotations by what `side` makes of them.
    fn resolve(&mut self, side: Side) -> Option<()> {
        let jumps = self.jumps();
        for at in 0..self.insns.len() {
            match self.insns[at].clone() {
                Insn::GetStatic(f) if *f.class == *SHADOW => {
                    let old = match &*f.name {
                        "OLD" => true,
                        "NEW" => false,
                        _ => return None,
                    };
                    self.insns[at] = Insn::Const(Const::Int((old == (side == Side::Old)).into()));
                }
                Insn::Invoke(_, m) if *m.class == *SHADOW => match &*m.name {
                    "execute" | "condition" => self.insns[at] = Insn::Nop,
                    "change" => self.resolve_change(at, &m, side, &jumps)?,
                    _ => return None,
                },
                _ => {}
            }
        }
        Some(())
    }

    fn resolve_change(
        &mut self,
        at: usize,
        call: &MemberRef,
        side: Side,
        jumps: &[(u32, u32)],
    ) -> Option<()> {
        let second = self.operand(at, jumps)?;
        let first = self.operand(second, jumps)?;
        self.insns[at] = Insn::Nop;
        // The generic overload is followed by a cast to the type argument.
        let cast = call.descriptor.ends_with("Object;")
            && matches!(self.insns.get(at + 1), Some(Insn::CheckCast(_)));
        let end = at + if cast { 2 } else { 1 };
        match side {
            Side::Old => self.redirect.insert(second as u32, end as u32),
            Side::New => self.redirect.insert(first as u32, second as u32),
        };
        if side == Side::New && cast {
            self.insns[at + 1] = Insn::Nop;
        }
        Some(())
    }

    fn jumps(&self) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        for at in 0..self.insns.len() as u32 {
            match &self.insns[at as usize] {
                Insn::Goto(to)
                | Insn::If(_, to)
                | Insn::IfIcmp(_, to)
                | Insn::IfAcmp(_, to)
                | Insn::IfNull(_, to) => {
                    all.push((at, *to));
                }
                Insn::Switch(default, cases) => {
                    all.extend(cases.iter().map(|c| (at, c.1)).chain([(at, *default)]));
                }
                _ => {}
            }
        }
        all
    }

    /// Where the code begins that pushes the one value on top of the stack at `end`: the nearest range before it that pushes
    /// exactly one value, takes none from below, and is entered only at its start.
    fn operand(&self, end: usize, jumps: &[(u32, u32)]) -> Option<usize> {
        (0..end).rev().find(|start| {
            let inside = |at: u32| (*start as u32..end as u32).contains(&at);
            let closed = jumps.iter().all(|(from, to)| {
                if inside(*from) {
                    inside(*to) || *to as usize == end
                } else {
                    (!inside(*to) || *to as usize == *start) && *to as usize != end
                }
            });
            closed && self.pushes_one(*start, end)
        })
    }

    fn pushes_one(&self, start: usize, end: usize) -> bool {
        let mut height: Vec<Option<i32>> = vec![None; end - start + 1];
        height[0] = Some(0);
        for at in start..end {
            let Some(before) = height[at - start] else {
                return false;
            };
            let Some((pops, pushes)) = effect(&self.insns[at]) else {
                return false;
            };
            if before < pops {
                return false;
            }
            let after = before - pops + pushes;
            let mut arrive = |to: u32| {
                let slot = &mut height[to as usize - start];
                let fits = slot.is_none_or(|h| h == after);
                *slot = Some(after);
                fits
            };
            if !self.successors(at as u32).into_iter().all(&mut arrive) {
                return false;
            }
        }
        height[end - start] == Some(1)
    }
}

/// Values popped and pushed by the instructions that side-effect-free expressions are made of.
fn effect(insn: &Insn) -> Option<(i32, i32)> {
    Some(match insn {
        Insn::Const(_) | Insn::AconstNull | Insn::Load(..) | Insn::GetStatic(_) => (0, 1),
        Insn::Bin(..) | Insn::Lcmp | Insn::Fcmp(..) => (2, 1),
        Insn::Neg(_) | Insn::Convert(..) | Insn::InstanceOf(_) | Insn::CheckCast(_) => (1, 1),
        Insn::If(..) | Insn::IfNull(..) => (1, 0),
        Insn::IfIcmp(..) | Insn::IfAcmp(..) => (2, 0),
        Insn::Goto(_) | Insn::Nop => (0, 0),
        _ => return None,
    })
}

/// `iinc` as load, add and store, and comparisons with a constant zero or null as such: javac chooses between them by what it
/// sees of the operands.
fn expanded(code: &Code) -> (Vec<Insn>, Vec<u32>) {
    let mut start = Vec::with_capacity(code.insns.len() + 1);
    let (mut insns, mut origin) = (Vec::new(), Vec::new());
    for (pc, insn) in code.insns.iter().enumerate() {
        start.push(insns.len() as u32);
        let int = Some(Prim::Int);
        let parts = match insn {
            Insn::Iinc(slot, by) => {
                vec![
                    Insn::Load(int, *slot),
                    Insn::Const(Const::Int(*by)),
                    Insn::Bin(BinOp::Add, Prim::Int),
                    Insn::Store(int, *slot),
                ]
            }
            Insn::If(cmp, to) => vec![Insn::Const(Const::Int(0)), Insn::IfIcmp(*cmp, *to)],
            Insn::IfNull(cmp, to) => vec![Insn::AconstNull, Insn::IfAcmp(*cmp, *to)],
            other => vec![other.clone()],
        };
        origin.extend(parts.iter().map(|_| pc as u32));
        insns.extend(parts);
    }
    start.push(insns.len() as u32);
    let to = |t: &mut u32| *t = start.get(*t as usize).copied().unwrap_or(u32::MAX);
    for insn in &mut insns {
        match insn {
            Insn::Goto(t)
            | Insn::If(_, t)
            | Insn::IfIcmp(_, t)
            | Insn::IfAcmp(_, t)
            | Insn::IfNull(_, t) => to(t),
            Insn::Switch(default, cases) => {
                to(default);
                cases.iter_mut().for_each(|c| to(&mut c.1));
            }
            _ => {}
        }
    }
    (insns, origin)
}

fn holds(cmp: Cmp, a: i32, b: i32) -> bool {
    match cmp {
        Cmp::Eq => a == b,
        Cmp::Ne => a != b,
        Cmp::Lt => a < b,
        Cmp::Ge => a >= b,
        Cmp::Gt => a > b,
        Cmp::Le => a <= b,
    }
}

fn get(set: &[u64], slot: u16) -> bool {
    set.get(usize::from(slot) / 64)
        .is_some_and(|w| w >> (slot % 64) & 1 == 1)
}

fn put(set: &mut [u64], slot: u16, value: bool) {
    if let Some(word) = set.get_mut(usize::from(slot) / 64) {
        let bit = 1 << (slot % 64);
        *word = if value { *word | bit } else { *word & !bit };
    }
}
