//! The correspondence of two versions' instructions: which are common, changed, added or removed.

use super::body::Body;
use crate::bytecode::class_file::{Code, Handler, Insn};
use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::ops::Range;
use std::sync::Arc;

/// What became of an instruction in the other version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is there, unchanged.
    Same(u32),
    /// This one stands in its place.
    Changed(u32),
    /// Nothing: it was removed, or added.
    Alone,
}

/// The correspondence of two bodies.
#[derive(Debug, Clone)]
pub struct Alignment {
    /// Of each old instruction.
    pub old: Vec<Fate>,
    /// Of each new instruction.
    pub new: Vec<Fate>,
}

/// An instruction without what layout decides: slots become variables, jump targets are left out.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Clone)]
enum Token {
    Local(String, u32),
    Jump(String),
    Other(String),
}

/// A variable of one version: slot, and name and descriptor where known.
type Variable = (u16, Option<(Arc<str>, Arc<str>)>);

/// Aligns two bodies of one signature, whose parameters take the first slots. Line numbers, slots and the names of locals do
/// not count; which variable an instruction means does.
pub fn align(old: &Body, new: &Body, parameter_slots: u16) -> Alignment {
    let both = |a: &[Token], b: &[Token]| matched((a, &old.statements), (b, &new.statements));
    let (a, b) = (&*old.code, &*new.code);
    let first = both(&tokens(a, &|_| 0), &tokens(b, &|_| 0));
    let (of_old, of_new) = same_variables(a, b, &first, parameter_slots);
    let ids = |map: FxHashMap<Variable, u32>| move |v: &Variable| map.get(v).copied().unwrap_or(0);
    let mut out = both(&tokens(a, &ids(of_old)), &tokens(b, &ids(of_new)));
    check_targets(a, b, &mut out);
    check_handlers(a, b, &mut out);
    out
}

fn variable(code: &Code, pc: usize) -> Option<Variable> {
    let (Insn::Load(_, slot) | Insn::Store(_, slot) | Insn::Iinc(slot, _) | Insn::Ret(slot)) =
        code.insns.get(pc)?
    else {
        return None;
    };
    named(code, *slot, pc as u32)
}

fn named(code: &Code, slot: u16, pc: u32) -> Option<Variable> {
    match super::variable::Variable::local(code, slot, pc) {
        super::variable::Variable::Local(slot, name) => Some((slot, name)),
        _ => None,
    }
}

fn tokens(code: &Code, id: &dyn Fn(&Variable) -> u32) -> Vec<Token> {
    let token = |(pc, insn): (usize, &Insn)| match insn {
        Insn::Load(kind, _) => Token::Local(
            format!("load {kind:?}"),
            variable(code, pc).map_or(0, |v| id(&v)),
        ),
        Insn::Store(kind, _) => Token::Local(
            format!("store {kind:?}"),
            variable(code, pc).map_or(0, |v| id(&v)),
        ),
        Insn::Iinc(_, by) => Token::Local(
            format!("increment {by}"),
            variable(code, pc).map_or(0, |v| id(&v)),
        ),
        Insn::If(c, _) => Token::Jump(format!("if {c:?}")),
        Insn::IfIcmp(c, _) => Token::Jump(format!("icmp {c:?}")),
        Insn::IfAcmp(c, _) => Token::Jump(format!("acmp {c:?}")),
        Insn::IfNull(c, _) => Token::Jump(format!("null {c:?}")),
        Insn::Goto(_) => Token::Jump("goto".into()),
        Insn::Jsr(_) => Token::Jump("jsr".into()),
        Insn::Switch(_, cases) => {
            let keys: Vec<i32> = cases.iter().map(|c| c.0).collect();
            Token::Jump(format!("switch {keys:?}"))
        }
        other => Token::Other(format!("{other:?}")),
    };
    code.insns.iter().enumerate().map(token).collect()
}

/// Tokens of a body, and which of them are one statement.
type Text<'a> = (&'a [Token], &'a [Range<u32>]);

/// Whole statements are matched first, and instructions only between those: a statement added beside a similar one is then not
/// spread over both.
fn matched(old: Text, new: Text) -> Alignment {
    let (a, b) = (units(old), units(new));
    let mut out = Alignment {
        old: vec![Fate::Alone; old.0.len()],
        new: vec![Fate::Alone; new.0.len()],
    };
    for op in capture_diff_slices(Algorithm::Myers, &a, &b) {
        let (from, to) = (extent(old.1, op.old_range()), extent(new.1, op.new_range()));
        if op.tag() == DiffTag::Equal {
            pair_up(&mut out, true, from.start, to.start, from.len());
        } else {
            within(
                &old.0[from.clone()],
                &new.0[to.clone()],
                from.start,
                to.start,
                &mut out,
            );
        }
    }
    out
}

fn units<'a>((tokens, ranges): Text<'a>) -> Vec<&'a [Token]> {
    let of = |r: &Range<u32>| tokens.get(r.start as usize..r.end as usize);
    ranges.iter().map(|r| of(r).unwrap_or_default()).collect()
}

/// Instructions of some statements.
fn extent(ranges: &[Range<u32>], of: Range<usize>) -> Range<usize> {
    match ranges.get(of) {
        Some([first, .., last]) => first.start as usize..last.end as usize,
        Some([only]) => only.start as usize..only.end as usize,
        _ => 0..0,
    }
}

fn within(old: &[Token], new: &[Token], from: usize, to: usize, out: &mut Alignment) {
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (a, b) = (op.old_range(), op.new_range());
        let same = op.tag() == DiffTag::Equal;
        pair_up(
            out,
            same,
            from + a.start,
            to + b.start,
            a.len().min(b.len()),
        );
    }
}

fn pair_up(out: &mut Alignment, same: bool, from: usize, to: usize, len: usize) {
    let fate = if same { Fate::Same } else { Fate::Changed };
    for i in 0..len {
        out.old[from + i] = fate((to + i) as u32);
        out.new[to + i] = fate((from + i) as u32);
    }
}

/// Numbers for the variables of both versions, equal for those that are the same variable: by name and type where both
/// versions have it, else by most of the instructions that the first alignment pairs. A parameter is the one of its place,
/// whatever it is called.
fn same_variables(
    old: &Code,
    new: &Code,
    first: &Alignment,
    parameter_slots: u16,
) -> (FxHashMap<Variable, u32>, FxHashMap<Variable, u32>) {
    let (in_old, in_new) = (variables(old), variables(new));
    let mut votes: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let is_parameter = |code: &Code, v: &Variable| {
        v.0 < parameter_slots && named(code, v.0, 0).is_some_and(|p| p == *v)
    };
    for (i, a) in in_old.iter().enumerate() {
        let parameter = is_parameter(old, a);
        let same = |b: &Variable| match (parameter, is_parameter(new, b)) {
            (true, true) => a.0 == b.0,
            (false, false) => a.1.is_some() && a.1 == b.1,
            _ => false,
        };
        if let Some(j) = in_new.iter().position(same) {
            let certain = if parameter {
                usize::MAX
            } else {
                usize::MAX - 1
            };
            votes.insert((i, j), certain);
        }
    }
    for (pc, fate) in first.old.iter().enumerate() {
        if let Fate::Same(partner) = fate
            && let (Some(a), Some(b)) = (variable(old, pc), variable(new, *partner as usize))
            && let (Some(i), Some(j)) = (
                in_old.iter().position(|v| *v == a),
                in_new.iter().position(|v| *v == b),
            )
            && !is_parameter(old, &a)
            && !is_parameter(new, &b)
        {
            let count = votes.entry((i, j)).or_insert(0);
            *count = count.saturating_add(1);
        }
    }
    let mut ranked: Vec<((usize, usize), usize)> = votes.into_iter().collect();
    ranked.sort_by_key(|((i, j), n)| (std::cmp::Reverse(*n), *i, *j));
    let mut of_old: FxHashMap<Variable, u32> = FxHashMap::default();
    let mut of_new: FxHashMap<Variable, u32> = FxHashMap::default();
    let mut next = 1;
    for ((i, j), _) in ranked {
        if !of_old.contains_key(&in_old[i]) && !of_new.contains_key(&in_new[j]) {
            of_old.insert(in_old[i].clone(), next);
            of_new.insert(in_new[j].clone(), next);
            next += 1;
        }
    }
    for (map, all) in [(&mut of_old, in_old), (&mut of_new, in_new)] {
        for v in all {
            map.entry(v).or_insert_with(|| {
                next += 1;
                next
            });
        }
    }
    (of_old, of_new)
}

fn variables(code: &Code) -> Vec<Variable> {
    let mut all: Vec<Variable> = Vec::new();
    for v in (0..code.insns.len()).filter_map(|pc| variable(code, pc)) {
        if !all.contains(&v) {
            all.push(v);
        }
    }
    all
}

/// The partner of the first unchanged instruction at or behind a place.
fn landing(fates: &[Fate], at: u32) -> Option<u32> {
    fates.iter().skip(at as usize).find_map(|f| match f {
        Fate::Same(partner) => Some(*partner),
        _ => None,
    })
}

/// The first unchanged instruction at or behind a place.
fn next_unchanged(fates: &[Fate], at: u32) -> Option<u32> {
    let rest = fates.iter().enumerate().skip(at as usize);
    rest.into_iter()
        .find(|(_, f)| matches!(f, Fate::Same(_)))
        .map(|(i, _)| i as u32)
}

/// A jump that goes somewhere else is a change, even where the instruction is the same.
fn check_targets(old: &Code, new: &Code, out: &mut Alignment) {
    let unchanged = out.clone();
    for (pc, fate) in unchanged.old.iter().enumerate() {
        let Fate::Same(partner) = *fate else { continue };
        let ours = old.insns[pc].targets();
        let theirs = new.insns[partner as usize].targets();
        let ours = ours.map(|to| landing(&unchanged.old, to));
        if !ours.eq(theirs.map(|to| next_unchanged(&unchanged.new, to))) {
            mark(out, pc as u32, partner);
        }
    }
}

fn mark(out: &mut Alignment, old: u32, new: u32) {
    out.old[old as usize] = Fate::Changed(new);
    out.new[new as usize] = Fate::Changed(old);
}

/// A handler that covers or catches something else is a change of its entry.
fn check_handlers(old: &Code, new: &Code, out: &mut Alignment) {
    let row = |h: &Handler, at: &dyn Fn(u32) -> Option<u32>| {
        (at(h.start), at(h.end), at(h.target), h.catch.clone())
    };
    let before = out.clone();
    let in_old: Vec<_> = old
        .handlers
        .iter()
        .map(|h| row(h, &|at| landing(&before.old, at)))
        .collect();
    let in_new: Vec<_> = new
        .handlers
        .iter()
        .map(|h| row(h, &|at| next_unchanged(&before.new, at)))
        .collect();
    for (handler, _) in old
        .handlers
        .iter()
        .zip(&in_old)
        .filter(|(_, r)| !in_new.contains(r))
    {
        if let Some(Fate::Same(partner)) = before.old.get(handler.target as usize) {
            mark(out, handler.target, *partner);
        }
    }
    for (handler, _) in new
        .handlers
        .iter()
        .zip(&in_new)
        .filter(|(_, r)| !in_old.contains(r))
    {
        if let Some(Fate::Same(partner)) = before.new.get(handler.target as usize) {
            mark(out, *partner, handler.target);
        }
    }
}

#[cfg(test)]
mod tests;
