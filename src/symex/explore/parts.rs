//! The parts of a large exploration, which work side by side in rounds.
//!
//! What comes of them does not depend on how many threads there are: each part works for a fixed number of steps in a round, what is decided
//! when a round ends counts from the second one behind it on, and paths come in the order of the parts. So no part waits for the others of
//! its round, and two rounds are under way while the paths of one are looked at.

use crate::model::reason::Reason;
use crate::symex::explore::budget::Counts;
use crate::symex::explore::part::{Left, MOST_TERMS, Part, Slice};
use crate::symex::explore::{Explorer, PathEnd};
use crate::symex::state::bounds::Bounds;
use crate::symex::state::interruption::Stop;
use crate::symex::vm::Branch;
use crate::util::permits::Permits;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::Arc;

/// How many parts work side by side.
const PARTS: usize = 8;

/// Steps that a part works in a round: so many that messages cost little beside them, and so few that little is done in vain.
const SLICE: u64 = 15_000;

/// Rounds that are under way.
const AHEAD: usize = 2;

/// A part, and what is known of it since the last round.
struct Working {
    part: Part,
    counts: Counts,
    waiting: usize,
    shapes: usize,
    terms: usize,
}

/// The parts of an exploration.
pub(super) struct Parts {
    bounds: Bounds,
    permits: Arc<Permits>,
    working: Vec<Working>,
    /// What the exploration took before it was divided, parts that ended, and what was charged since.
    before: Counts,
    ends: VecDeque<PathEnd>,
    branches: FxHashSet<Branch>,
    /// What parts left that have ended.
    left: Vec<Left>,
    begins: bool,
    is_over: bool,
}

impl Parts {
    /// Divides what waits in an exploration, and begins the first round.
    ///
    /// # Errors
    /// No thread can be started; then what waited is lost.
    pub fn of(explorer: &mut Explorer, permits: &Arc<Permits>) -> Result<Parts, Stop> {
        explorer.divide_budget_of_shapes(PARTS);
        let waiting = explorer.waiting();
        let part = Part::of(explorer, permits)?;
        let mut parts = Parts {
            bounds: explorer.vm.bounds.clone(),
            permits: permits.clone(),
            working: vec![Working::new(part, waiting, explorer.vm.pool.len())],
            before: explorer.counts(),
            ends: VecDeque::new(),
            branches: std::mem::take(&mut explorer.vm.branches),
            left: Vec::new(),
            begins: false,
            is_over: false,
        };
        parts.go_on()?;
        Ok(parts)
    }

    /// The end of the next path.
    pub fn next(&mut self) -> Option<PathEnd> {
        loop {
            if let Some(end) = self.ends.pop_front() {
                return Some(end);
            }
            if self.is_over {
                return None;
            }
            if let Err(stop) = self.round() {
                self.stop(stop);
            }
        }
    }

    /// How many branches were gone.
    pub fn branches(&self) -> usize {
        self.branches.len()
    }

    /// Lets one of the parts begin the next way to make an input; whether there was one when the last round ended.
    pub fn begin_another(&mut self) -> bool {
        self.begins = self.working.iter().any(|w| w.shapes > 0);
        self.begins
    }

    /// Counts work that was done elsewhere.
    pub fn charge(&mut self, steps: u64) {
        self.before.effort += steps;
    }

    /// Ends the parts; what they left goes to the exploration.
    pub fn end(mut self, explorer: &mut Explorer) {
        if !self.is_over {
            self.end_all(false);
        }
        for left in self.left {
            explorer.absorb(left);
        }
    }

    /// Ends the first of the rounds under way, and begins another one.
    fn round(&mut self) -> Result<(), Stop> {
        let mut net = None;
        for working in &mut self.working {
            let Some(slice) = working.finish_slice() else {
                let why = "a thread of the exploration ended unexpectedly";
                return Err(Stop::unsupported(Reason::Internal, why));
            };
            self.ends.extend(slice.ends);
            self.branches.extend(slice.branches);
            net = net.or(slice.net);
        }
        self.drop_those_done();
        if self.working.is_empty() {
            self.is_over = true;
        } else if let Some(reason) = net.or_else(|| self.counts().over(&self.bounds)) {
            self.stop(Stop::unsupported(reason, String::new()));
        } else {
            self.go_on()?;
        }
        Ok(())
    }

    /// What was taken in all.
    fn counts(&self) -> Counts {
        let mut all = self.before;
        for working in &self.working {
            all += working.counts;
        }
        all
    }

    fn drop_those_done(&mut self) {
        let (working, done) = std::mem::take(&mut self.working)
            .into_iter()
            .partition(|w| w.waiting > 0);
        self.working = working;
        self.take_leave(done, false);
    }

    /// Ends all parts for a reason.
    fn stop(&mut self, stop: Stop) {
        self.end_all(true);
        self.ends.push_back(PathEnd::GaveUp { stop, at: None });
    }

    fn end_all(&mut self, leave: bool) {
        self.is_over = true;
        let all = std::mem::take(&mut self.working);
        self.take_leave(all, leave);
    }

    fn take_leave(&mut self, parts: Vec<Working>, leave: bool) {
        for working in parts {
            self.before += working.counts;
            self.left.extend(working.part.end(leave));
        }
    }

    /// Gives each part its next slices.
    fn go_on(&mut self) -> Result<(), Stop> {
        self.divide()?;
        let ahead: u64 = self.working.iter().map(|w| w.part.ahead().1).sum();
        let left = self
            .bounds
            .max_effort
            .saturating_sub(self.counts().effort + ahead);
        let steps = (left / self.working.len().max(1) as u64).clamp(1, SLICE);
        for working in &mut self.working {
            let mut begins = working.shapes > 0 && std::mem::take(&mut self.begins);
            while working.part.ahead().0 < AHEAD {
                working.part.begin_slice(steps, std::mem::take(&mut begins));
            }
        }
        Ok(())
    }

    /// Lets those parts in which most waits give away half of it, as long as there are too few parts.
    fn divide(&mut self) -> Result<(), Stop> {
        while self.working.len() < PARTS {
            let is_divisible = |w: &Working| w.waiting > 1 && w.terms < MOST_TERMS;
            let all = (0..self.working.len()).rev();
            let all = all.filter(|i| is_divisible(&self.working[*i]));
            let Some(at) = all.max_by_key(|i| self.working[*i].waiting) else {
                break;
            };
            let working = &mut self.working[at];
            let part = working.part.halve(&self.permits)?;
            // At least so, if nothing is done before.
            let given = working.waiting / 2;
            working.waiting -= given;
            let terms = working.terms;
            self.working
                .insert(at + 1, Working::new(part, given, terms));
        }
        Ok(())
    }
}

impl Working {
    fn new(part: Part, waiting: usize, terms: usize) -> Working {
        Working {
            part,
            counts: Counts::default(),
            waiting,
            shapes: 0,
            terms,
        }
    }

    fn finish_slice(&mut self) -> Option<Slice> {
        let slice = self.part.slice()?;
        self.counts = slice.counts;
        self.waiting = slice.waiting;
        self.shapes = slice.shapes;
        self.terms = slice.terms;
        Some(slice)
    }
}
