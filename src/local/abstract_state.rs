//! The abstract state at a cut point: which locals agree in both versions, which have known values, which are unknown.

use super::context::ProofContext;
use super::heap::{Epoch, Heap, HeapMap};
use super::relations::{Linear, Step};
use super::settled::Settled;
use super::slots::{Slot, is_plain, is_settled, local_name, set_slot, slot_value, slots, unknown};
use super::state::{End, Frame, SegmentPath, State, Unproved};
use crate::expr::{Sort, Term};
use crate::solver::Constraints;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A program point of the product of both versions: for each version its calls in progress, outermost first, by code and instruction.
pub type ProductPoint = [Vec<(usize, u32)>; 2];

/// The abstract value of one slot of one version.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SlotValue {
    /// Exactly this value.
    Exactly(Term),
    /// Any value. Slots of both versions with the same number hold the same value.
    Any(u32),
    /// A value that follows from the one of another slot.
    Linear(Linear),
}

/// What is not known of the heaps.
#[derive(Clone)]
enum Forgotten {
    /// What these maps hold, which a loop writes.
    Maps(BTreeSet<HeapMap>),
    /// Anything.
    All,
}

/// A pair of states that covers all pairs in which both versions reach a cut point.
#[derive(Clone)]
pub struct AbstractState {
    frames: [Vec<Frame>; 2],
    pub(super) slots: [BTreeMap<Slot, SlotValue>; 2],
    /// Slots that agree: old, new.
    pairs: Vec<(Slot, Slot)>,
    heaps: [Heap; 2],
    forgotten: Forgotten,
    /// Whether the heaps are either known or not, as a whole.
    is_general: bool,
    facts: Vec<Term>,
    initialised: BTreeSet<Arc<str>>,
    pub(super) unknowns: u32,
    /// The least values of unknowns, by their numbers.
    pub(super) floors: BTreeMap<u32, i32>,
}

/// The program point of a pair of states.
pub fn product_point(old: &State, new: &State) -> ProductPoint {
    [old, new].map(|s| {
        let frames = s.frames.iter();
        frames
            .map(|f| (Arc::as_ptr(&f.body.code) as usize, f.pc))
            .collect()
    })
}

/// Whether both heaps are equal under a condition; else two values that may differ.
///
/// # Errors
/// The solver gives up.
pub fn heaps_agree(
    context: &mut ProofContext,
    condition: &Constraints,
    old: &Heap,
    new: &Heap,
) -> Result<Option<(Term, Term)>, Unproved> {
    heaps_agree_but_for(context, condition, [old, new], |_| false)
}

/// The same as other code sees them: objects that only either version's locals refer to may differ.
///
/// # Errors
/// The solver gives up.
pub fn heaps_agree_for_others(
    context: &mut ProofContext,
    condition: &Constraints,
    old: &Heap,
    new: &Heap,
) -> Result<Option<(Term, Term)>, Unproved> {
    let private = |object| old.is_private(object) && new.is_private(object);
    heaps_agree_but_for(context, condition, [old, new], private)
}

/// The same for what is left when both versions have ended: objects that only locals referred to are gone, unless they are returned
/// or thrown, or their constructor returns.
///
/// # Errors
/// The solver gives up.
pub fn heaps_agree_at_end(
    context: &mut ProofContext,
    condition: &Constraints,
    [old, new]: [&SegmentPath; 2],
) -> Result<Option<(Term, Term)>, Unproved> {
    let (x, y) = (&old.state.heap, &new.state.heap);
    let mut kept = BTreeSet::new();
    for end in [&old.end, &new.end] {
        match end {
            End::Cut => return heaps_agree(context, condition, x, y),
            End::Returned(value) => {
                kept.extend(value.iter().flat_map(|t| context.symbols.choices(*t)))
            }
            End::Threw(value) => kept.extend(context.symbols.choices(*value)),
        }
    }
    let threw = matches!((&old.end, &new.end), (End::Threw(_), End::Threw(_)));
    let is_gone = |object| {
        let private = x.is_private(object) && y.is_private(object);
        private && !kept.contains(&object) && (threw || !x.is_constructed(object))
    };
    heaps_agree_but_for(context, condition, [x, y], is_gone)
}

fn heaps_agree_but_for(
    context: &mut ProofContext,
    condition: &Constraints,
    [old, new]: [&Heap; 2],
    left_out: impl Fn(Term) -> bool,
) -> Result<Option<(Term, Term)>, Unproved> {
    let lone = &context.changes.clone().one_sided_fields;
    for (a, b) in old.differences(new, &mut context.symbols, lone, left_out) {
        if !context.are_equal(condition, a, b)? {
            return Ok(Some((a, b)));
        }
    }
    Ok(None)
}

impl AbstractState {
    /// The exact state of the first arrival at a cut point.
    ///
    /// # Errors
    /// The solver gives up.
    pub fn of(
        context: &mut ProofContext,
        old: &State,
        new: &State,
    ) -> Result<AbstractState, Unproved> {
        let all = [old, new].map(|s| slots(&s.frames, &context.cuts));
        let mut pairs = Vec::new();
        let mut taken: BTreeSet<Slot> = BTreeSet::new();
        for by_name in [true, false] {
            for (a, x) in &all[0] {
                if pairs.iter().any(|(p, _)| p == a) {
                    continue;
                }
                for (b, y) in &all[1] {
                    let alike = match by_name {
                        true => {
                            let (m, n) = (local_name(&old.frames, *a), local_name(&new.frames, *b));
                            m.is_some() && m == n
                        }
                        false => x == y,
                    };
                    if alike && !taken.contains(b) && context.are_equal(&new.condition, *x, *y)? {
                        taken.insert(*b);
                        pairs.push((*a, *b));
                        break;
                    }
                }
            }
        }
        let known = |all: &BTreeMap<Slot, Term>| {
            let held = all.iter().map(|(s, t)| (*s, SlotValue::Exactly(*t)));
            held.collect::<BTreeMap<_, _>>()
        };
        let mut slots = [known(&all[0]), known(&all[1])];
        for (a, b) in &pairs {
            if let Some(held) = slots[0].get(a).cloned() {
                slots[1].insert(*b, held);
            }
        }
        let both = old.initialised.intersection(&new.initialised);
        Ok(AbstractState {
            frames: [old.frames.clone(), new.frames.clone()],
            slots,
            pairs,
            heaps: [old.heap.clone(), new.heap.clone()],
            forgotten: Forgotten::Maps(BTreeSet::new()),
            is_general: false,
            facts: new.condition.terms().to_vec(),
            initialised: both.cloned().collect(),
            unknowns: 0,
            floors: BTreeMap::new(),
        })
    }

    /// The most general state at two anchors that correspond: all live slots agree, and only locals that keep their values
    /// (`settled`) have known ones. A local that one version alone has must keep its value; `None` if some slot does not.
    ///
    /// # Errors
    /// The solver gives up.
    pub fn most_general(
        context: &mut ProofContext,
        old: &State,
        new: &State,
    ) -> Result<Option<AbstractState>, Unproved> {
        let mut start = AbstractState::of(context, old, new)?;
        let frames = [&old.frames[..], &new.frames[..]];
        let cuts = &context.cuts;
        let mut settled = Settled::new(cuts.keeps_heap(old) && cuts.keeps_heap(new));
        let mut kept = BTreeSet::new();
        for (a, b) in &start.pairs {
            let values = [slot_value(frames[0], *a), slot_value(frames[1], *b)];
            let lasts = is_settled(context, frames[0], *a) && is_settled(context, frames[1], *b);
            if let [Some(x), Some(y)] = values
                && x == y
                && lasts
                && (is_plain(context, x) || settled.is_short(context, x))
            {
                settled.keep(x);
                kept.insert(*a);
            }
        }
        for (a, b) in start.pairs.clone() {
            if !kept.contains(&a) {
                start.unknowns += 1;
                let any = SlotValue::Any(start.unknowns);
                start.slots[0].insert(a, any.clone());
                start.slots[1].insert(b, any);
            }
        }
        let mut lone = Vec::new();
        let unpaired = start.unpaired();
        for (side, slot) in &unpaired {
            let value = slot_value(frames[*side], *slot);
            let plain = value.filter(|t| is_plain(context, *t));
            plain.into_iter().for_each(|t| settled.keep(t));
        }
        for (side, slot) in unpaired {
            let value = slot_value(frames[side], slot);
            let lasts = is_settled(context, frames[side], slot);
            match value.filter(|t| lasts && settled.gives(context, *t)) {
                Some(value) => lone.push(value),
                None => return Ok(None),
            }
        }
        start.is_general = true;
        if !settled.knows_heap {
            start.forgotten = Forgotten::All;
        }
        start
            .facts
            .retain(|f| !lone.is_empty() && settled.is_about(context, *f, &lone));
        start.initialised.clear();
        Ok(Some(start))
    }

    /// Slots without a partner, by version.
    fn unpaired(&self) -> Vec<(usize, Slot)> {
        let paired = |side: usize, slot: &Slot| {
            let mut pairs = self.pairs.iter();
            pairs.any(|(a, b)| *slot == if side == 0 { *a } else { *b })
        };
        let all = self.slots.iter().enumerate();
        let slots = all.flat_map(|(side, slots)| slots.keys().map(move |slot| (side, *slot)));
        slots.filter(|(side, slot)| !paired(*side, slot)).collect()
    }

    /// Whether this state knows less of a local without partner than another does: what it had to do with the others is lost.
    pub fn has_lost_one_sided(&self, before: &AbstractState) -> bool {
        let known = |state: &AbstractState, side: usize, slot: &Slot| {
            matches!(state.slots[side].get(slot), Some(SlotValue::Exactly(_)))
        };
        let mut all = self.unpaired().into_iter();
        all.any(|(side, slot)| known(before, side, &slot) && !known(self, side, &slot))
    }

    /// Widens the state so that it covers another arrival. Returns whether it did already.
    ///
    /// # Errors
    /// The solver gives up, or the slots are others.
    pub fn widen(
        &mut self,
        context: &mut ProofContext,
        old: &State,
        new: &State,
    ) -> Result<bool, Unproved> {
        let here = [old, new].map(|s| slots(&s.frames, &context.cuts));
        let mut whole = true;
        for (mine, theirs) in self.slots.iter().zip(&here) {
            if !mine.keys().eq(theirs.keys()) {
                return Err(Unproved::Unsupported(
                    "other locals at a loop's head".into(),
                ));
            }
        }
        let condition = &new.condition;
        let (mut kept, mut parted) = (Vec::new(), Vec::new());
        // What was known until now, by the number of the unknown that takes its place.
        let mut changed: Vec<(u32, Step)> = Vec::new();
        for (a, b) in std::mem::take(&mut self.pairs) {
            let (x, y) = (here[0][&a], here[1][&b]);
            if !context.are_equal(condition, x, y)? {
                // They part.
                parted.push((a, b));
                whole = false;
                continue;
            }
            kept.push((a, b));
            if let Some(SlotValue::Exactly(before)) = self.slots[0].get(&a)
                && *before != x
            {
                let (before, after) = (*before, x);
                self.unknowns += 1;
                changed.push((self.unknowns, Step { before, after }));
                let any = SlotValue::Any(self.unknowns);
                self.slots[0].insert(a, any.clone());
                self.slots[1].insert(b, any);
                whole = false;
            }
        }
        self.pairs = kept;
        for (a, b) in parted {
            // Each is anything from now on, but for what one value that both had says of them.
            for (side, slot) in [(0, a), (1, b)] {
                if !matches!(self.slots[side].get(&slot), Some(SlotValue::Exactly(_))) {
                    self.forget(side, slot);
                }
            }
        }
        for (side, here) in here.iter().enumerate() {
            let paired: BTreeSet<Slot> = match side {
                0 => self.pairs.iter().map(|p| p.0).collect(),
                _ => self.pairs.iter().map(|p| p.1).collect(),
            };
            for (slot, term) in here.iter().filter(|(s, _)| !paired.contains(s)) {
                if let SlotValue::Exactly(before) = self.slots[side][slot]
                    && before != *term
                {
                    let after = *term;
                    self.relate(
                        context,
                        condition,
                        (side, *slot),
                        Step { before, after },
                        &mut changed,
                    )?;
                    whole = false;
                }
            }
        }
        for (side, here) in here.iter().enumerate() {
            for (slot, term) in here {
                if self.slots[side].get(slot) != Some(&SlotValue::Exactly(*term)) {
                    context.notice_buffer(*term);
                }
            }
        }
        whole &= self.keeps_floors(context, condition, &here)?;
        self.find_floors(context, condition, &changed)?;
        whole &= self.keeps_relations(context, condition, &here)?;
        whole &= self.keeps_heaps(old, new);
        let facts = self.facts.len();
        self.facts.retain(|f| condition.terms().contains(f));
        let classes = self.initialised.len();
        self.initialised
            .retain(|c| old.initialised.contains(c) && new.initialised.contains(c));
        Ok(whole && facts == self.facts.len() && classes == self.initialised.len())
    }

    /// Forgets what another arrival's heaps have otherwise. Returns whether that was nothing.
    fn keeps_heaps(&mut self, old: &State, new: &State) -> bool {
        let Forgotten::Maps(known) = &mut self.forgotten else {
            return true;
        };
        let [a, b] = &self.heaps;
        let changed = [a.changed_maps(&old.heap), b.changed_maps(&new.heap)];
        let [Some(x), Some(y)] = changed else {
            self.forgotten = Forgotten::All;
            return false;
        };
        let before = known.len();
        known.extend(x.into_iter().chain(y));
        let same = known.len() == before;
        if !same && self.is_general {
            self.forgotten = Forgotten::All;
        }
        same
    }

    /// Both versions' concrete states at the start of the segment with that number, with fresh symbols for what is unknown.
    ///
    /// # Errors
    /// The solver gives up.
    pub fn instantiate(
        &self,
        context: &mut ProofContext,
        number: u32,
    ) -> Result<[State; 2], Unproved> {
        let mut frames = self.frames.clone();
        let mut unknowns = BTreeMap::new();
        for (side, frames) in frames.iter_mut().enumerate() {
            let names = frames.clone();
            for (slot, known) in &self.slots[side] {
                let before = slot_value(&names, *slot);
                if !matches!(known, SlotValue::Exactly(_)) {
                    before.iter().for_each(|t| context.notice_buffer(*t));
                }
                let term = match known {
                    SlotValue::Exactly(term) => *term,
                    SlotValue::Any(n) => {
                        let sort = before.map_or(Sort::Bv(32), |t| context.symbols.pool.sort(t));
                        let named = local_name(&names, *slot);
                        let term = unknown(&mut context.symbols, named, sort, number, *n);
                        unknowns.insert(*n, term);
                        term
                    }
                    SlotValue::Linear(_) => continue,
                };
                set_slot(frames, *slot, term);
            }
        }
        for (side, frames) in frames.iter_mut().enumerate() {
            for (slot, known) in &self.slots[side] {
                if let SlotValue::Linear(relation) = known
                    && let Some(unknown) = unknowns.get(&relation.of)
                {
                    let term = relation.value(context, *unknown);
                    set_slot(frames, *slot, term);
                }
            }
        }
        let [old, new] = frames;
        let mut heaps = self.heaps.clone();
        let epoch = Epoch {
            segment: number,
            event: 0,
        };
        for heap in &mut heaps {
            heap.publish_all();
            match &self.forgotten {
                Forgotten::Maps(maps) => heap.forget(maps, epoch),
                Forgotten::All => heap.havoc(epoch),
            }
        }
        let [a, b] = heaps;
        let start = Constraints::initial(&context.symbols.pool);
        let mut facts = self.facts.clone();
        facts.extend(self.bounded(context, &unknowns));
        let facts = context.symbols.pool.and_all(facts);
        let condition = context.assume(&start, facts)?;
        let condition = condition.ok_or(Unproved::Budget("facts"))?;
        let state = |frames, heap| State {
            frames,
            heap,
            condition: condition.clone(),
            events: Rc::default(),
            allocated: Rc::default(),
            raised: Rc::default(),
            initialised: Rc::new(self.initialised.clone()),
            computed: Rc::default(),
            moved: false,
            unrolled: 0,
        };
        Ok([state(old, a), state(new, b)])
    }
}
