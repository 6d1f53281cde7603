//! Slots: locals and operands of calls in progress, what they hold, and whether they keep it.

use super::context::ProofContext;
use super::cuts::CutPoints;
use super::state::Frame;
use super::symbols::Symbols;
use crate::expr::{Node, Sort, Term};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A local variable or operand: call, whether it is an operand, index.
pub(super) type Slot = (usize, bool, usize);

/// The live slots of calls in progress, with their values.
pub(super) fn slots(frames: &[Frame], cuts: &CutPoints) -> BTreeMap<Slot, Term> {
    let mut out = BTreeMap::new();
    for (depth, frame) in frames.iter().enumerate() {
        for (i, term) in frame.stack.iter().enumerate() {
            out.insert((depth, true, i), *term);
        }
        for (i, term) in frame.locals.iter().enumerate() {
            if let Some(term) = term
                && cuts.is_live(&frame.body.code, frame.pc, i)
            {
                out.insert((depth, false, i), *term);
            }
        }
    }
    out
}

/// Name and descriptor of a local.
pub(super) fn local_name(frames: &[Frame], slot: Slot) -> Option<(Arc<str>, Arc<str>)> {
    let frame = frames.get(slot.0).filter(|_| !slot.1)?;
    let locals = frame.body.code.locals.iter();
    let mut here =
        locals.filter(|v| usize::from(v.slot) == slot.2 && v.start <= frame.pc && frame.pc < v.end);
    here.next().map(|v| (v.name.clone(), v.descriptor.clone()))
}

pub(super) fn slot_value(frames: &[Frame], (depth, operand, index): Slot) -> Option<Term> {
    let frame = frames.get(depth)?;
    match operand {
        true => frame.stack.get(index).copied(),
        false => frame.locals.get(index).copied().flatten(),
    }
}

/// Whether a slot is a local that keeps its value from here on.
pub(super) fn is_settled(
    context: &ProofContext,
    frames: &[Frame],
    (depth, operand, index): Slot,
) -> bool {
    let frame = frames.get(depth).filter(|_| !operand);
    frame.is_some_and(|f| {
        let cuts = &context.cuts;
        cuts.is_settled(&f.body.code, f.pc, index)
    })
}

/// Whether a value is a symbol, and no object that the code made.
pub(super) fn is_plain(context: &ProofContext, value: Term) -> bool {
    matches!(context.symbols.pool.node(value), Node::Var(_)) && !context.symbols.is_anonymous(value)
}

pub(super) fn set_slot(frames: &mut [Frame], (depth, operand, index): Slot, term: Term) {
    let Some(frame) = frames.get_mut(depth) else {
        return;
    };
    if operand {
        if let Some(slot) = frame.stack.get_mut(index) {
            *slot = term;
        }
    } else if let Some(slot) = frame.locals.get_mut(index) {
        *slot = Some(term);
    }
}

pub(super) fn unknown(
    s: &mut Symbols,
    named: Option<(Arc<str>, Arc<str>)>,
    sort: Sort,
    segment: u32,
    number: u32,
) -> Term {
    // Slots that agree share the number, and then the name: that of the version that is asked first.
    let key = format!("local {segment}.{number}");
    match named {
        Some((name, descriptor)) if super::symbols::sort_of(&descriptor) == sort => {
            s.local(&key, sort, Some((&name, &descriptor)))
        }
        _ => s.local(&key, sort, None),
    }
}
