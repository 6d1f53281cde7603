//! The proof of one method: both versions run from cut to cut, and what can be seen of them is compared.

use super::anchors::Anchors;
use super::run::{Runner, Shared};
use super::segment::{Position, Start, heaps_agree, position};
use super::state::{End, Event, Finished, Gap, State};
use super::unproved::Condition;
use super::version::Version;
use crate::expr::Term;
use crate::solver::Constraints;
use std::collections::{BTreeMap, BTreeSet};

/// How often a version goes on behind a cut that the other does not come to.
const FURTHER: u32 = 2;

/// The same where places that correspond are cuts: of them a change may hold several.
const FURTHER_IN_REGIONS: u32 = 16;

/// A place where both versions were seen at once.
struct Cut {
    start: Start,
    /// The number under which what is unknown there is named.
    segment: u32,
    /// The how manieth it was found.
    number: u32,
    /// From where it was found first.
    from: Option<Position>,
}

/// Both versions of one method.
pub struct Pair<'a> {
    old: &'a Version,
    new: &'a Version,
    shared: &'a mut Shared,
    cuts: BTreeMap<Position, Cut>,
    /// Cuts to be run from, by the order in which they were found; the method's entry is 0.
    todo: BTreeMap<u32, Option<Position>>,
    /// Where the segment that runs began, and whether it has to be run again.
    current: Option<Position>,
    is_stale: bool,
    found: u32,
    segments: u32,
    /// What locals and known writes hold when the segment begins.
    held: BTreeSet<Term>,
}

impl<'a> Pair<'a> {
    /// Nothing is proved yet.
    pub fn new(old: &'a Version, new: &'a Version, shared: &'a mut Shared) -> Pair<'a> {
        Pair {
            old,
            new,
            shared,
            cuts: BTreeMap::new(),
            todo: BTreeMap::new(),
            current: None,
            is_stale: false,
            found: 0,
            segments: 0,
            held: BTreeSet::new(),
        }
    }

    /// Proves that both versions do the same from these states on, which are the same but for the code.
    ///
    /// By induction along a run: from every state that both versions come to a cut in, they come to the next cut in states of
    /// which the same is known, or to the same end, having done the same.
    ///
    /// # Errors
    /// Why that is not proved.
    pub fn prove(&mut self, starts: [State; 2]) -> Result<(), Gap> {
        self.todo.insert(0, None);
        while let Some((_, at)) = self.todo.pop_first() {
            self.shared.budget.segment()?;
            self.is_stale = false;
            self.current = at.clone();
            let states = match at.and_then(|at| self.cuts.get(&at)) {
                Some(cut) => {
                    self.shared.segment = cut.segment;
                    let (start, segment) = (cut.start.clone(), cut.segment);
                    start.states(self.shared, segment)?
                }
                None => {
                    self.shared.segment = 0;
                    starts.clone()
                }
            };
            self.segment(states)?;
        }
        Ok(())
    }

    fn segment(&mut self, [old, new]: [State; 2]) -> Result<(), Gap> {
        let s = &self.shared.symbols;
        let held = [&old, &new].into_iter().flat_map(in_sight);
        self.held = held.flat_map(|t| s.choices(t)).collect();
        let mut runner = Runner::new([self.old, self.new], true, self.shared);
        let ends = runner.run(old)?;
        for a in ends {
            let start = State {
                condition: a.state.condition.clone(),
                ..new.clone()
            };
            let mut runner = Runner::new([self.old, self.new], false, self.shared);
            for b in runner.run(start)? {
                let further = match self.shared.cuts.anchors() {
                    Some(_) => FURTHER_IN_REGIONS,
                    None => FURTHER,
                };
                self.compare(&a, &b, further)?;
                if self.is_stale {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn compare(&mut self, a: &Finished, b: &Finished, further: u32) -> Result<(), Gap> {
        let cuts = [&a.end, &b.end].map(|end| matches!(end, End::Cut));
        if cuts[0] != cuts[1] && further > 0 {
            return self.go_on(a, b, cuts[0], further - 1);
        }
        if cuts[0]
            && further > 0
            && let Some(old) = self.out_of_step(&a.state, &b.state)?
        {
            return self.go_on(a, b, old, further - 1);
        }
        let condition = b.state.condition.clone();
        self.events(a, b, &condition)?;
        let (x, y) = (&a.state, &b.state);
        if let Some(pair) = heaps_agree(self.shared, &condition, &x.heap, &y.heap)? {
            return Err(self.differ("the state", &condition, Some(pair)));
        }
        self.identities(a, b)?;
        match (&a.end, &b.end) {
            (End::Returned(Some(p)), End::Returned(Some(q))) => {
                self.same("the result", &condition, *p, *q)
            }
            (End::Returned(None), End::Returned(None)) => Ok(()),
            (End::Threw(p), End::Threw(q)) => self.same("the exception", &condition, *p, *q),
            (End::Cut, End::Cut) => self.arrive(x, y),
            _ => Err(self.differ("the way", &condition, None)),
        }
    }

    /// Where places that correspond are cuts: whether the old version has to go on (or the new one) until both are at two such
    /// places, and agree in all that is read later. Loops are left to be proved by what holds at their heads.
    fn out_of_step(&mut self, old: &State, new: &State) -> Result<Option<bool>, Gap> {
        let heads = [old, new].map(|s| self.shared.cuts.is_head(s));
        let (Some(anchors), [p], [q]) =
            (self.shared.cuts.anchors(), &old.frames[..], &new.frames[..])
        else {
            return Ok(None);
        };
        let behind = match (anchors.in_new(p.pc), anchors.in_old(q.pc)) {
            (Some(here), _) if here == q.pc => {
                let agrees = Start::general(self.shared, old, new)?.is_some();
                return Ok((!agrees && heads == [false, false]).then_some(true));
            }
            (Some(_), Some(there)) => there > p.pc,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return Ok(None),
        };
        Ok((!heads[usize::from(!behind)]).then_some(behind))
    }

    /// One version came to a cut where the other ended, as when a loop's first turn throws what the other throws before it: it
    /// goes on to its next.
    fn go_on(&mut self, a: &Finished, b: &Finished, old: bool, further: u32) -> Result<(), Gap> {
        let from = if old { a } else { b };
        let state = State {
            condition: b.state.condition.clone(),
            moved: false,
            turns: 0,
            ..from.state.clone()
        };
        let mut runner = match old {
            true => Runner::new([self.old, self.new], true, self.shared),
            false => Runner::new([self.old, self.new], false, self.shared),
        };
        for end in runner.run(state)? {
            if old {
                let state = State {
                    condition: end.state.condition.clone(),
                    ..b.state.clone()
                };
                let b = Finished {
                    state,
                    end: b.end.clone(),
                };
                self.compare(&end, &b, further)?;
            } else {
                self.compare(a, &end, further)?;
            }
        }
        Ok(())
    }

    /// What happened, in order, and the heap each time.
    fn events(&mut self, a: &Finished, b: &Finished, condition: &Constraints) -> Result<(), Gap> {
        let (x, y) = (&a.state.events, &b.state.events);
        for (e, f) in x.iter().zip(y.iter()) {
            if e.what != f.what || e.args.len() != f.args.len() {
                self.open([Some(e), Some(f)]);
                let what = format!("what it calls ({}; {})", e.short(), f.short());
                return Err(self.differ(&what, condition, None));
            }
            for (p, q) in e.args.iter().zip(&f.args) {
                if !self.shared.are_equal(condition, *p, *q)? {
                    self.open([Some(e), Some(f)]);
                    let what = format!("what it passes on to {}", e.short());
                    return Err(self.differ(&what, condition, Some((*p, *q))));
                }
            }
            if let Some(pair) = heaps_agree(self.shared, condition, &e.heap, &f.heap)? {
                let what = format!("the state that {} finds", e.short());
                return Err(self.differ(&what, condition, Some(pair)));
            }
        }
        let common = x.len().min(y.len());
        let more = [x.get(common), y.get(common)];
        match more {
            [None, None] => Ok(()),
            more => {
                self.open(more);
                let name = |e: Option<&Event>| e.map_or("nothing".into(), Event::short);
                let what = format!("what it calls ({}; {})", name(more[0]), name(more[1]));
                Err(self.differ(&what, condition, None))
            }
        }
    }

    /// Notes what could be entered instead of an event that the other version does not share.
    fn open(&mut self, events: [Option<&Event>; 2]) {
        let callees = events.into_iter().flatten();
        let callees = callees.filter_map(|e| e.callee.clone());
        self.shared.to_open.extend(callees);
    }

    fn same(&mut self, what: &str, condition: &Constraints, p: Term, q: Term) -> Result<(), Gap> {
        match self.shared.are_equal(condition, p, q)? {
            true => Ok(()),
            false => Err(self.differ(what, condition, Some((p, q)))),
        }
    }

    /// Both versions come to a cut.
    fn arrive(&mut self, old: &State, new: &State) -> Result<(), Gap> {
        let at = position(old, new);
        let Some(cut) = self.cuts.get(&at) else {
            let general = match self.shared.cuts.anchors() {
                Some(anchors) if corresponds(anchors, old, new) => {
                    Start::general(self.shared, old, new)?
                }
                _ => None,
            };
            let start = match general {
                Some(start) => start,
                None => Start::of(self.shared, old, new)?,
            };
            self.found += 1;
            self.segments += 1;
            let cut = Cut {
                start,
                segment: self.segments,
                number: self.found,
                from: self.current.clone(),
            };
            self.todo.insert(self.found, Some(at.clone()));
            self.cuts.insert(at, cut);
            return Ok(());
        };
        let mut start = cut.start.clone();
        if !start.widen(self.shared, old, new)? {
            self.run_again(at, start);
        }
        Ok(())
    }

    /// Less is known at a cut than was thought: what was found behind it was found from too much. All is run again but what
    /// led there, which is checked again.
    fn run_again(&mut self, at: Position, start: Start) {
        self.segments += 1;
        let segment = self.segments;
        if let Some(cut) = self.cuts.get_mut(&at) {
            cut.start = start;
            cut.segment = segment;
        }
        let mut kept = BTreeMap::new();
        let mut next = Some(at);
        while let Some(at) = next {
            let Some(cut) = self.cuts.remove(&at) else {
                break;
            };
            next = cut.from.clone();
            kept.insert(at, cut);
        }
        self.cuts = kept;
        let numbered = self
            .cuts
            .iter()
            .map(|(at, cut)| (cut.number, Some(at.clone())));
        self.todo = numbered.collect();
        self.todo.insert(0, None);
        self.is_stale = true;
    }

    /// Equal strings and boxes that were computed more than once are different objects, and here the same. So that nobody can
    /// tell, one that goes outside was computed once, or goes outside once; in a loop, both versions compute it equally often,
    /// and none of an earlier turn is left.
    fn identities(&mut self, a: &Finished, b: &Finished) -> Result<(), Gap> {
        let count = |run: &Finished, t: Term| {
            let computed = run.state.computed.iter();
            computed.filter(|c| self.shared.canonical(**c) == t).count()
        };
        let outside = [a, b].map(|run| self.outward(run));
        for suspect in outside.iter().flatten().collect::<BTreeSet<_>>() {
            let times = [a, b].map(|run| count(run, *suspect));
            let out = outside
                .iter()
                .map(|all| all.iter().filter(|t| *t == suspect).count());
            let twice = times.iter().any(|n| *n > 1) && out.max() > Some(1);
            let again = self.shared.segment > 0
                && times != [0, 0]
                && (times[0] != times[1] || self.is_held(*suspect));
            if twice || again {
                let what = "identity of a computed string or box";
                return Err(Gap::Unsupported(what.into()));
            }
        }
        Ok(())
    }

    /// Whether a computed string or box, or its twin, is there when the segment begins.
    fn is_held(&self, suspect: Term) -> bool {
        let mut held = self.held.iter();
        held.any(|t| self.shared.canonical(*t) == suspect)
    }

    /// Computed strings and boxes that go outside in a run, each time that they do.
    fn outward(&self, run: &Finished) -> Vec<Term> {
        let s = &self.shared.symbols;
        let all = outward(run).flat_map(|t| s.choices(t));
        all.filter(|t| s.is_anonymous(*t))
            .map(|t| self.shared.canonical(t))
            .collect()
    }

    fn differ(&mut self, what: &str, condition: &Constraints, pair: Option<(Term, Term)>) -> Gap {
        let condition = Condition::of(self.shared, condition, pair);
        Gap::Differs(what.into(), condition)
    }
}

/// Whether both states are at places that correspond.
fn corresponds(anchors: &Anchors, old: &State, new: &State) -> bool {
    match (&old.frames[..], &new.frames[..]) {
        ([p], [q]) => anchors.in_new(p.pc) == Some(q.pc),
        _ => false,
    }
}

/// What goes outside in a run, each time that it does.
fn outward(run: &Finished) -> impl Iterator<Item = Term> {
    let state = &run.state;
    let mut all: Vec<Term> = Vec::new();
    for event in state.events.iter() {
        all.extend(&event.args);
        all.extend(event.heap.values());
    }
    match run.end {
        End::Returned(value) => {
            all.extend(state.heap.values());
            all.extend(value);
        }
        End::Threw(value) => {
            all.extend(state.heap.values());
            all.push(value);
        }
        // What stays in locals may go out later.
        End::Cut => all.extend(in_sight(state)),
    }
    all.into_iter()
}

/// What a state's locals, operands and known writes hold.
fn in_sight(state: &State) -> Vec<Term> {
    let mut all: Vec<Term> = state.heap.values().collect();
    for frame in &state.frames {
        all.extend(frame.locals.iter().flatten());
        all.extend(&frame.stack);
    }
    all
}
