//! Bounds at a loop head: an `int` never falls below the constant that it began with, and a reference that was not null stays so.

use super::abstract_state::{AbstractState, SlotValue};
use super::context::ProofContext;
use super::relations::Step;
use super::slots::Slot;
use super::state::Unproved;
use crate::expr::{CmpOp, Sort, Term};
use crate::solver::Constraints;
use std::collections::BTreeMap;

impl AbstractState {
    /// Finds the bounds of slots that have just become unknown, if they hold at this arrival.
    ///
    /// # Errors
    /// The solver gives up.
    pub(super) fn find_floors(
        &mut self,
        context: &mut ProofContext,
        condition: &Constraints,
        changed: &[(u32, Step)],
    ) -> Result<(), Unproved> {
        for (number, step) in changed {
            if let Some(floor) = floor_of(context, step.before)
                && is_at_least(context, condition, step.after, floor)?
            {
                self.floors.insert(*number, floor);
            }
        }
        Ok(())
    }

    /// Whether all bounds hold at an arrival; those that do not are dropped.
    ///
    /// # Errors
    /// The solver gives up.
    pub(super) fn keeps_floors(
        &mut self,
        context: &mut ProofContext,
        condition: &Constraints,
        here: &[BTreeMap<Slot, Term>; 2],
    ) -> Result<bool, Unproved> {
        let mut gone = Vec::new();
        for (slots, here) in self.slots.iter().zip(here) {
            for (slot, value) in slots {
                let SlotValue::Any(number) = value else {
                    continue;
                };
                if let Some(floor) = self.floors.get(number)
                    && !gone.contains(number)
                    && !is_at_least(context, condition, here[slot], *floor)?
                {
                    gone.push(*number);
                }
            }
        }
        self.floors.retain(|number, _| !gone.contains(number));
        Ok(gone.is_empty())
    }

    /// What the bounds say of the unknowns.
    pub(super) fn bounded(
        &self,
        context: &mut ProofContext,
        unknowns: &BTreeMap<u32, Term>,
    ) -> Vec<Term> {
        let known = self.floors.iter();
        let all = known.filter_map(|(number, floor)| Some((*unknowns.get(number)?, *floor)));
        all.map(|(term, floor)| {
            let pool = &mut context.symbols.pool;
            let floor = pool.int(floor);
            pool.cmp(CmpOp::Sle, floor, term)
        })
        .collect()
    }
}

/// The least value that a slot may keep, by the one that it began with: its own if it is constant, 1 for a reference that is not null.
fn floor_of(context: &mut ProofContext, first: Term) -> Option<i32> {
    let s = &mut context.symbols;
    if s.pool.sort(first) != Sort::Bv(32) {
        return None;
    }
    if s.is_reference(first) || s.class_of(first).is_some() {
        let null = s.is_null(first);
        return (s.pool.as_bool(null) == Some(false)).then_some(1);
    }
    i32::try_from(s.pool.as_i64(first)?).ok()
}

fn is_at_least(
    context: &mut ProofContext,
    condition: &Constraints,
    value: Term,
    floor: i32,
) -> Result<bool, Unproved> {
    let pool = &mut context.symbols.pool;
    if pool.sort(value) != Sort::Bv(32) {
        return Ok(false);
    }
    let floor = pool.int(floor);
    let below = pool.cmp(CmpOp::Slt, value, floor);
    let below = context.decidable(condition, below);
    Ok(context.assume(condition, below)?.is_none())
}
