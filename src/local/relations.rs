//! Relations at a loop head: a local that changes by a multiple of what another one changes by.

use super::abstract_state::{AbstractState, SlotValue};
use super::context::ProofContext;
use super::slots::Slot;
use super::state::Unproved;
use crate::expr::{BvOp, Sort, Term};
use crate::solver::Constraints;
use std::collections::BTreeMap;

/// Most slots that one which changed is compared with.
const MOST_BASES: usize = 6;

/// What a slot held at one arrival, and what it holds at the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) before: Term,
    pub(super) after: Term,
}

/// A value that is a multiple of an unknown, plus a value that stays.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Linear {
    /// The number of the unknown.
    pub(super) of: u32,
    factor: i64,
    plus: Term,
}

impl Linear {
    /// The relation of a slot to another, whose values become the unknown of that number, if it holds at both arrivals.
    ///
    /// # Errors
    /// The solver gives up.
    pub(super) fn between(
        context: &mut ProofContext,
        condition: &Constraints,
        (of, base): (u32, Step),
        slot: Step,
    ) -> Result<Option<Linear>, Unproved> {
        let sorts = [base.before, base.after, slot.before, slot.after];
        let sorts = sorts.map(|t| context.symbols.pool.sort(t));
        let is_number = matches!(sorts[0], Sort::Bv(32 | 64));
        if !is_number || sorts.iter().any(|s| *s != sorts[0]) {
            return Ok(None);
        }
        for factor in factors(context, condition, base, slot) {
            let multiple = times(context, base.before, factor);
            let plus = context.symbols.pool.bin(BvOp::Sub, slot.before, multiple);
            let relation = Linear { of, factor, plus };
            let after = relation.value(context, base.after);
            if context.are_equal(condition, slot.after, after)? {
                return Ok(Some(relation));
            }
        }
        Ok(None)
    }

    /// The value where the unknown has that one.
    pub(super) fn value(&self, context: &mut ProofContext, unknown: Term) -> Term {
        let multiple = times(context, unknown, self.factor);
        context.symbols.pool.bin(BvOp::Add, multiple, self.plus)
    }
}

impl AbstractState {
    /// A slot may hold any value from now on.
    pub(super) fn forget(&mut self, side: usize, slot: Slot) {
        self.unknowns += 1;
        self.slots[side].insert(slot, SlotValue::Any(self.unknowns));
    }

    /// A slot without partner changed: it follows from one that changed at the same arrival, or is anything. Whatever the state
    /// covered before it still covers, as all of these had one value each.
    pub(super) fn relate(
        &mut self,
        context: &mut ProofContext,
        condition: &Constraints,
        (side, slot): (usize, Slot),
        step: Step,
        changed: &mut Vec<(u32, Step)>,
    ) -> Result<(), Unproved> {
        for base in changed.iter().take(MOST_BASES) {
            if let Some(relation) = Linear::between(context, condition, *base, step)? {
                self.slots[side].insert(slot, SlotValue::Linear(relation));
                return Ok(());
            }
        }
        self.forget(side, slot);
        changed.push((self.unknowns, step));
        Ok(())
    }

    /// Whether all relations hold at an arrival; those that do not are dropped.
    pub(super) fn keeps_relations(
        &mut self,
        context: &mut ProofContext,
        condition: &Constraints,
        here: &[BTreeMap<Slot, Term>; 2],
    ) -> Result<bool, Unproved> {
        let mut unknowns = BTreeMap::new();
        let mut relations = Vec::new();
        for (side, slots) in self.slots.iter().enumerate() {
            for (slot, value) in slots {
                match value {
                    SlotValue::Any(n) => _ = unknowns.insert(*n, here[side][slot]),
                    SlotValue::Linear(relation) => relations.push((side, *slot, relation.clone())),
                    SlotValue::Exactly(_) => {}
                }
            }
        }
        let mut all = true;
        for (side, slot, relation) in relations {
            let holds = match unknowns.get(&relation.of) {
                Some(unknown) => {
                    let value = relation.value(context, *unknown);
                    context.are_equal(condition, here[side][&slot], value)?
                }
                None => false,
            };
            if !holds {
                self.forget(side, slot);
                all = false;
            }
        }
        Ok(all)
    }
}

fn times(context: &mut ProofContext, term: Term, factor: i64) -> Term {
    let pool = &mut context.symbols.pool;
    let width = match pool.sort(term) {
        Sort::Bv(width) => width,
        _ => 64,
    };
    let factor = pool.bv(width, factor);
    pool.bin(BvOp::Mul, term, factor)
}

/// The factor in one state of the path, or the likeliest ones where that says nothing.
fn factors(
    context: &mut ProofContext,
    condition: &Constraints,
    base: Step,
    slot: Step,
) -> Vec<i64> {
    let pool = &mut context.symbols.pool;
    let mut change = |step: Step| {
        let change = pool.bin(BvOp::Sub, step.after, step.before);
        pool.eval(change, condition.model()).as_i64()
    };
    match (change(base), change(slot)) {
        (Some(0), Some(0)) => vec![1, -1],
        (Some(0), _) | (None, _) | (_, None) => Vec::new(),
        (Some(by), Some(all)) if all.checked_rem(by) == Some(0) => {
            let factor = all.checked_div(by).unwrap_or_default();
            Some(factor).filter(|f| *f != 0).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
