//! Effort in amounts that do not depend on the machine or its load, and a method's share of it.

use std::time::{Duration, Instant};

/// Steps (see [`crate::symex::Explorer::effort`]) that take about a second on one core.
pub const STEPS_PER_SECOND: u64 = 1_000_000;

/// Effort per method by default, in seconds' worth of steps.
pub const DEFAULT_EFFORT: u64 = 10;

/// Open methods of a patch up to which each gets all that a method may take.
const FULL: u64 = 4;

/// The least part that a method gets, however many there are: one in so many.
const LEAST: u64 = 8;

/// What each of so many open methods gets of an amount per method: a patch of many gets as much as one of four.
pub fn part_among(amount: u64, methods: usize) -> u64 {
    let all = amount.saturating_mul(FULL);
    let part = all / (methods as u64).max(FULL);
    part.max(amount / LEAST)
}

/// What each of so many open methods gets of the search's runs per method: one or two alone get more, since their search often ends
/// within seconds.
pub fn runs_among(runs: u64, methods: usize) -> u64 {
    match methods {
        0 | 1 => runs.saturating_mul(5) / 2,
        2 => runs.saturating_mul(3) / 2,
        _ => part_among(runs, methods),
    }
}

/// Steps that a replay of one input in both versions is counted as.
pub const REPLAY: u64 = 3_000;

/// What is left for one method: steps, shared by all that is done for it, and the moment that the safety net ends it.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    steps: u64,
    deadline: Option<Instant>,
    comes_again: bool,
}

impl Allowance {
    /// That many steps, and at most that long from now, or to that moment.
    pub fn new(steps: u64, limit: Duration, end: Option<Instant>) -> Allowance {
        // A limit beyond what a clock can tell is none.
        let own = Instant::now().checked_add(limit);
        Allowance {
            steps,
            comes_again: false,
            deadline: match (own, end) {
                (Some(own), Some(end)) => Some(own.min(end)),
                (own, end) => own.or(end),
            },
        }
    }

    /// The same for a round behind which another one comes, with more.
    pub fn of_a_first_round(self) -> Allowance {
        Allowance {
            comes_again: true,
            ..self
        }
    }

    /// Whether another round comes where this is not enough.
    pub fn comes_again(&self) -> bool {
        self.comes_again
    }

    /// Steps left.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// When the safety net ends it.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Takes away what was used.
    pub fn spend(&mut self, steps: u64) {
        self.steps = self.steps.saturating_sub(steps);
    }

    /// Splits off what one of so many that come may take; what it leaves is put back with [`Allowance::leave`].
    pub fn share(&mut self, among: usize) -> Allowance {
        let steps = self.steps / among.max(1) as u64;
        self.steps -= steps;
        Allowance { steps, ..*self }
    }

    /// Puts back what a share did not use.
    pub fn leave(&mut self, share: Allowance) {
        self.steps += share.steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_methods_share_what_four_may_take_and_none_gets_less_than_an_eighth() {
        let parts = [1, 4, 5, 8, 32, 1000].map(|methods| part_among(40_000, methods));
        assert_eq!(parts, [40_000, 40_000, 32_000, 20_000, 5_000, 5_000]);
    }

    #[test]
    fn one_or_two_methods_get_more_runs_of_the_search() {
        let parts = [1, 2, 3, 4, 5].map(|methods| runs_among(40_000, methods));
        assert_eq!(parts, [100_000, 60_000, 40_000, 40_000, 32_000]);
    }

    #[test]
    fn shares_leave_what_they_do_not_use_to_those_that_follow() {
        let mut all = Allowance::new(90, Duration::from_secs(1), None);
        let mut first = all.share(3);
        assert_eq!((first.steps(), all.steps()), (30, 60));
        first.spend(10);
        all.leave(first);
        assert_eq!(all.share(2).steps(), 40);
        first.spend(100);
        assert_eq!(first.steps(), 0);
    }
}
