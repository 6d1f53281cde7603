//! The proof of one method over the product of both versions: both run from cut point to cut point, and what is visible is compared.

use super::abstract_state::{
    AbstractState, ProductPoint, heaps_agree_at_end, heaps_agree_for_others, product_point,
};
use super::context::ProofContext;
use super::escape::held_terms;
use super::executor::Executor;
use super::leads::Lead;
use super::state::{End, Event, SegmentPath, State, Unproved};
use super::unproved::Condition;
use super::version::Version;
use crate::expr::Term;
use crate::impact;
use crate::solver::Constraints;
use std::collections::{BTreeMap, BTreeSet};

/// How often one version runs on past a cut point that the other does not reach.
const MAX_LEAD: u32 = 2;

/// The same with anchors as cut points: a change may contain several of them.
const MAX_LEAD_IN_REGIONS: u32 = 16;

/// A cut point that both versions reached together.
struct CutPoint {
    start: AbstractState,
    /// The number that names the symbols for what is unknown there.
    segment: u32,
    /// Its number, in the order in which cut points were found.
    number: u32,
    /// The cut point from which it was first reached.
    from: Option<ProductPoint>,
}

/// The product of both versions of one method (Barthe, Crespo and Kunz, 2011).
pub struct Product<'a> {
    old: &'a Version,
    new: &'a Version,
    pub(super) context: &'a mut ProofContext,
    cuts: BTreeMap<ProductPoint, CutPoint>,
    /// Cut points still to run from, in the order in which they were found; the method's entry is 0.
    todo: BTreeMap<u32, Option<ProductPoint>>,
    /// The cut point from which the current segment runs, and whether it must run again.
    pub(super) current: Option<ProductPoint>,
    is_stale: bool,
    /// Anchors at which a local of one version would have to keep a value that it does not keep.
    refused: BTreeSet<ProductPoint>,
    found: u32,
    segments: u32,
    /// The values that locals and known writes hold when the segment begins.
    pub(super) held: BTreeSet<Term>,
    /// Loop heads of both versions, in the order in which they were reached.
    pub(super) heads: Vec<ProductPoint>,
    /// A loop of which one version runs an iteration before the loops are compared.
    pub(super) lead: Option<Lead>,
}

impl<'a> Product<'a> {
    /// A product of which nothing is proved yet.
    pub fn new(old: &'a Version, new: &'a Version, context: &'a mut ProofContext) -> Product<'a> {
        Product {
            old,
            new,
            context,
            cuts: BTreeMap::new(),
            todo: BTreeMap::new(),
            current: None,
            is_stale: false,
            refused: BTreeSet::new(),
            found: 0,
            segments: 0,
            held: BTreeSet::new(),
            heads: Vec::new(),
            lead: None,
        }
    }

    /// Proves that both versions do the same from these states on, which differ in code only.
    ///
    /// By induction along a run: from every pair of states at a cut point that its abstract state covers, both versions have the
    /// same events and reach either the same end, or a cut point whose abstract state covers them.
    ///
    /// # Errors
    /// Why there is no proof.
    pub fn prove(&mut self, starts: [State; 2]) -> Result<(), Unproved> {
        self.todo.insert(0, None);
        while let Some((_, at)) = self.todo.pop_first() {
            self.context.budget.segment()?;
            self.is_stale = false;
            self.current = at.clone();
            let states = match at.and_then(|at| self.cuts.get(&at)) {
                Some(cut) => {
                    self.context.segment = cut.segment;
                    let (start, segment) = (cut.start.clone(), cut.segment);
                    start.instantiate(self.context, segment)?
                }
                None => {
                    self.context.segment = 0;
                    let mut states = starts.clone();
                    if self.old.has_finalizers() || self.new.has_finalizers() {
                        states.iter_mut().for_each(|s| s.heap.publish_all());
                    }
                    states
                }
            };
            self.run_segment(states)?;
        }
        Ok(())
    }

    fn run_segment(&mut self, [old, new]: [State; 2]) -> Result<(), Unproved> {
        let s = &self.context.symbols;
        let cuts = &self.context.cuts;
        let held = [&old, &new]
            .into_iter()
            .flat_map(|state| held_terms(state, cuts));
        self.held = held.flat_map(|t| s.choices(t)).collect();
        let mut executor = Executor::new([self.old, self.new], true, self.context);
        let ends = executor.run(old)?;
        for a in ends {
            let start = State {
                condition: a.state.condition.clone(),
                ..new.clone()
            };
            let mut executor = Executor::new([self.old, self.new], false, self.context);
            for b in executor.run(start)? {
                let lead = match self.context.cuts.anchors() {
                    Some(_) => MAX_LEAD_IN_REGIONS,
                    None => MAX_LEAD,
                };
                self.compare(&a, &b, lead)?;
                if self.is_stale {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn compare(&mut self, a: &SegmentPath, b: &SegmentPath, lead: u32) -> Result<(), Unproved> {
        let cuts = [&a.end, &b.end].map(|end| matches!(end, End::Cut));
        if cuts[0] != cuts[1] && lead > 0 {
            return self.advance(a, b, cuts[0], lead - 1);
        }
        if cuts[0]
            && lead > 0
            && let Some(old) = self.out_of_step(&a.state, &b.state)?
        {
            return self.advance(a, b, old, lead - 1);
        }
        if let Some(old) = self.runs_ahead(a, b, lead == MAX_LEAD) {
            return self.advance(a, b, old, lead - 1);
        }
        let condition = b.state.condition.clone();
        match self.compare_here(a, b, &condition) {
            Err(Unproved::Differs(..)) if self.context.contradicts(&condition, None)? => Ok(()),
            result => result,
        }
    }

    fn compare_here(
        &mut self,
        a: &SegmentPath,
        b: &SegmentPath,
        condition: &Constraints,
    ) -> Result<(), Unproved> {
        self.events(a, b, condition)?;
        let (x, y) = (&a.state, &b.state);
        if let Some(pair) = heaps_agree_at_end(self.context, condition, [a, b])? {
            return Err(self.differ("the state", condition, Some(pair)));
        }
        self.check_identities(a, b)?;
        self.check_texts(a, b, condition)?;
        match (&a.end, &b.end) {
            (End::Returned(Some(p)), End::Returned(Some(q))) => {
                self.same("the result", condition, *p, *q)
            }
            (End::Returned(None), End::Returned(None)) => Ok(()),
            (End::Threw(p), End::Threw(q)) => self.same("the exception", condition, *p, *q),
            (End::Cut, End::Cut) => self.arrive(x, y),
            _ => Err(self.differ("the way", condition, None)),
        }
    }

    /// With anchors as cut points: whether the old version (`true`) or the new one must run on, so that both are at corresponding
    /// anchors and agree in all live slots. No version runs past a loop head; loops are proved by induction there.
    fn out_of_step(&mut self, old: &State, new: &State) -> Result<Option<bool>, Unproved> {
        let heads = [old, new].map(|s| self.context.cuts.is_head(s));
        let (Some(anchors), [p], [q]) = (
            self.context.cuts.anchors(),
            &old.frames[..],
            &new.frames[..],
        ) else {
            return Ok(None);
        };
        let behind = match (anchors.in_new(p.pc), anchors.in_old(q.pc)) {
            (Some(here), _) if here == q.pc => {
                let agrees = !self.refused.contains(&product_point(old, new))
                    && AbstractState::most_general(self.context, old, new)?.is_some();
                return Ok((!agrees && heads == [false, false]).then_some(true));
            }
            (Some(_), Some(there)) => there > p.pc,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return Ok(None),
        };
        let runs = behind != heads[usize::from(!behind)];
        Ok((!heads[usize::from(!runs)]).then_some(runs))
    }

    /// Runs one version on past its cut point, because the other ended or is at another point: one may throw in a loop before.
    fn advance(
        &mut self,
        a: &SegmentPath,
        b: &SegmentPath,
        old: bool,
        lead: u32,
    ) -> Result<(), Unproved> {
        let from = if old { a } else { b };
        let state = State {
            condition: b.state.condition.clone(),
            moved: false,
            unrolled: 0,
            ..from.state.clone()
        };
        let mut executor = match old {
            true => Executor::new([self.old, self.new], true, self.context),
            false => Executor::new([self.old, self.new], false, self.context),
        };
        for end in executor.run(state)? {
            if old {
                let state = State {
                    condition: end.state.condition.clone(),
                    ..b.state.clone()
                };
                let b = SegmentPath {
                    state,
                    end: b.end.clone(),
                };
                self.compare(&end, &b, lead)?;
            } else {
                self.compare(a, &end, lead)?;
            }
        }
        Ok(())
    }

    /// Compares the events in order, and the heap at each.
    fn events(
        &mut self,
        a: &SegmentPath,
        b: &SegmentPath,
        condition: &Constraints,
    ) -> Result<(), Unproved> {
        let (x, y) = (&a.state.events, &b.state.events);
        for (e, f) in x.iter().zip(y.iter()) {
            let lone = e.is_lone() || f.is_lone();
            if e.what != f.what || e.args.len() != f.args.len() || lone {
                self.request_one(condition, e, f)?;
                let what = format!("what it calls ({}; {})", e.short(), f.short());
                return Err(self.differ(&what, condition, None));
            }
            for (p, q) in e.args.iter().zip(&f.args) {
                if !self.context.are_equal(condition, *p, *q)? {
                    self.request_inlining([Some(e), Some(f)]);
                    let what = format!("what it passes on to {}", e.short());
                    return Err(self.differ(&what, condition, Some((*p, *q))));
                }
            }
            let agree = heaps_agree_for_others(self.context, condition, &e.heap, &f.heap)?;
            if let Some(pair) = agree {
                self.request_constructors([e, f]);
                let what = format!("the state that {} finds", e.short());
                return Err(self.differ(&what, condition, Some(pair)));
            }
            let [p, q] = [&a.state.heap, &b.state.heap];
            let mut early = e.heap.written_alone(&f.heap);
            let mut late = f.heap.written_alone(&e.heap);
            if early.any(|o| q.is_allocated(o)) || late.any(|o| p.is_allocated(o)) {
                return Err(self.differ("the state of what it makes", condition, None));
            }
        }
        let common = x.len().min(y.len());
        let more = [x.get(common), y.get(common)];
        match more {
            [None, None] => Ok(()),
            more => {
                self.request_inlining(more);
                let name = |e: Option<&Event>| e.map_or("nothing".into(), Event::short);
                let what = format!("what it calls ({}; {})", name(more[0]), name(more[1]));
                Err(self.differ(&what, condition, None))
            }
        }
    }

    /// Requests that the methods of two calls count as one in the next attempt, or else are entered.
    fn request_one(
        &mut self,
        condition: &Constraints,
        old: &Event,
        new: &Event,
    ) -> Result<(), Unproved> {
        if !(self.context.pairs && self.request_pairing(condition, old, new)?) {
            self.request_inlining([Some(old), Some(new)]);
        }
        Ok(())
    }

    /// Requests that the methods of events which only one version has are entered in the next attempt.
    fn request_inlining(&mut self, events: [Option<&Event>; 2]) {
        let callees = events.into_iter().flatten();
        let callees = callees.filter_map(|e| e.callee.as_ref().filter(|c| c.is_enterable));
        let ids = callees.map(|c| impact::id(&c.body.class, &c.body.method));
        self.context.to_inline.extend(ids);
    }

    /// The same for constructors alone: what one writes before or after is not seen once no other code knows its object.
    fn request_constructors(&mut self, events: [&Event; 2]) {
        let constructs = |e: &&Event| {
            let callee = e.callee.as_ref();
            callee.is_some_and(|c| &*c.body.method.name == "<init>")
        };
        let [old, new] = events.map(|e| Some(e).filter(constructs));
        self.request_inlining([old, new]);
    }

    fn same(
        &mut self,
        what: &str,
        condition: &Constraints,
        p: Term,
        q: Term,
    ) -> Result<(), Unproved> {
        match self.context.are_equal(condition, p, q)? {
            true => Ok(()),
            false => Err(self.differ(what, condition, Some((p, q)))),
        }
    }

    /// Both versions reach a cut point together.
    fn arrive(&mut self, old: &State, new: &State) -> Result<(), Unproved> {
        let at = product_point(old, new);
        let Some(cut) = self.cuts.get(&at) else {
            let general = match self.context.cuts.anchors() {
                Some(anchors) if anchors.correspond(old, new) && !self.refused.contains(&at) => {
                    AbstractState::most_general(self.context, old, new)?
                }
                _ => None,
            };
            let start = match general {
                Some(start) => start,
                None => AbstractState::of(self.context, old, new)?,
            };
            self.note_head(old, new, &at);
            self.found += 1;
            self.segments += 1;
            let cut = CutPoint {
                start,
                segment: self.segments,
                number: self.found,
                from: self.current.clone(),
            };
            self.todo.insert(self.found, Some(at.clone()));
            self.cuts.insert(at, cut);
            return Ok(());
        };
        let (before, number) = (cut.start.clone(), cut.number);
        let mut start = before.clone();
        if start.widen(self.context, old, new)? {
            return Ok(());
        }
        let in_step = !self.context.cuts.is_head(old) && !self.context.cuts.is_head(new);
        if in_step && self.context.cuts.anchors().is_some() && start.has_lost_one_sided(&before) {
            self.refused.insert(at);
            self.restart();
        } else if self.todo.contains_key(&number) {
            // Nothing was found from it yet.
            if let Some(cut) = self.cuts.get_mut(&at) {
                cut.start = start;
            }
        } else {
            self.run_again(at, start);
        }
        Ok(())
    }

    /// Begins again, with all that was learnt of anchors.
    fn restart(&mut self) {
        self.cuts.clear();
        self.todo = BTreeMap::from([(0, None)]);
        self.is_stale = true;
    }

    /// The abstract state of a cut point was widened, so whatever was found from it assumed too much and is discarded. All others
    /// keep what they know, so that of two loops each is widened only as often as it needs, and run again.
    fn run_again(&mut self, at: ProductPoint, start: AbstractState) {
        self.segments += 1;
        let segment = self.segments;
        let mut left: BTreeSet<ProductPoint> = BTreeSet::from([at.clone()]);
        loop {
            let is_from = |cut: &CutPoint| cut.from.as_ref().is_some_and(|f| left.contains(f));
            let cuts = self.cuts.iter();
            let more: BTreeSet<_> = cuts
                .filter(|(place, cut)| !left.contains(*place) && is_from(cut))
                .map(|(place, _)| place.clone())
                .collect();
            if more.is_empty() {
                break;
            }
            left.extend(more);
        }
        self.cuts
            .retain(|place, _| !left.contains(place) || *place == at);
        if let Some(cut) = self.cuts.get_mut(&at) {
            cut.start = start;
            cut.segment = segment;
        }
        let cuts = self.cuts.iter();
        self.todo = cuts
            .map(|(at, cut)| (cut.number, Some(at.clone())))
            .collect();
        self.todo.insert(0, None);
        self.is_stale = true;
    }

    fn differ(
        &mut self,
        what: &str,
        condition: &Constraints,
        pair: Option<(Term, Term)>,
    ) -> Unproved {
        let condition = Condition::of(self.context, condition, pair);
        Unproved::Differs(what.into(), condition)
    }
}
