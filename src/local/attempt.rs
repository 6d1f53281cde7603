//! Attempts to prove one method: first where the versions part, then as a whole.

use super::anchors::Anchors;
use super::budget::Budget;
use super::cuts::{Cuts, Places};
use super::lambdas::Obligations;
use super::pair::Pair;
use super::proof::Work;
use super::run::Shared;
use super::state::Gap;
use super::symbols::Symbols;
use super::task::Task;
use crate::bytecode::access::{STATIC, SYNCHRONIZED};
use crate::model::MethodRef;
use crate::solver::{LayeredSolver, SolverOptions};
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Duration;

/// How often an attempt is made again with more methods entered.
const REFINEMENTS: u32 = 8;

/// The same where the versions part.
const REFINEMENTS_IN_REGIONS: u32 = 3;

/// Most pairs of lambdas of one method.
const MOST_LAMBDAS: usize = 24;

/// A proof of one method, and which changed methods it takes for equal.
pub(super) struct Attempt {
    pub(super) result: Result<(), Gap>,
    pub(super) relies_on: BitSet,
    /// The changed methods that were met as callees: whether those are entered decides what comes of it.
    pub(super) met: BitSet,
    pub(super) assumed: BTreeSet<&'static str>,
}

impl Attempt {
    fn failed(gap: Gap) -> Attempt {
        Attempt {
            result: Err(gap),
            relies_on: BitSet::new(),
            met: BitSet::new(),
            assumed: BTreeSet::new(),
        }
    }
}

/// An attempt, what it takes for granted of lambdas, and which methods should be entered besides.
type Made = (Attempt, Obligations, BTreeSet<MethodRef>);

/// How an attempt is made.
struct Way<'a> {
    task: &'a Task,
    /// Changed methods that are entered, and others.
    entered: &'a BitSet,
    opened: &'a BTreeSet<MethodRef>,
    /// Without a thought for what floats and products are.
    abstracts: bool,
}

impl Work {
    pub(super) fn attempt(&self, id: &MethodRef, entered: &BitSet) -> Attempt {
        let none = |why: &str| Attempt::failed(Gap::Unsupported(why.into()));
        let (Some(a), Some(b)) = (self.old.body_of(id), self.new.body_of(id)) else {
            return none("a method that one version has not");
        };
        if (a.method.access ^ b.method.access) & (STATIC | SYNCHRONIZED) != 0 {
            return none("a method that became static or synchronized");
        }
        let task = Task::Method([a, b]);
        let (first, obligations) = self.in_regions(&task, entered);
        let first = self.discharge(first, obligations, entered);
        if first.result.is_ok() {
            return first;
        }
        let (whole, obligations) = self.refined(&task, entered);
        let mut whole = self.discharge(whole, obligations, entered);
        whole.met.union_with(&first.met);
        whole
    }

    /// Proves what an attempt takes for granted of lambdas, each of which may take more for granted.
    fn discharge(&self, mut whole: Attempt, first: Obligations, entered: &BitSet) -> Attempt {
        let (mut todo, mut done) = (first, BTreeSet::new());
        while let Some((key, obligation)) = todo.pop_first() {
            if whole.result.is_err() || !done.insert(key) {
                continue;
            }
            if done.len() > MOST_LAMBDAS {
                whole.result = Err(Gap::Budget("lambdas"));
                break;
            }
            let task = Task::Lambda(obligation);
            let (mut attempt, mut more) = self.in_regions(&task, entered);
            if attempt.result.is_err() {
                whole.met.union_with(&attempt.met);
                (attempt, more) = self.refined(&task, entered);
            }
            whole.result = attempt.result;
            whole.relies_on.union_with(&attempt.relies_on);
            whole.met.union_with(&attempt.met);
            whole.assumed.extend(attempt.assumed);
            todo.extend(more);
        }
        whole
    }

    /// An attempt in pieces, from each statement that both versions have to the next, whatever came before: what did not change
    /// costs next to nothing, however large it is.
    fn in_regions(&self, task: &Task, entered: &BitSet) -> (Attempt, Obligations) {
        let mut opened = BTreeSet::new();
        let mut made = 0;
        loop {
            let mut done: Option<Made> = None;
            for abstracts in [true, false] {
                if done
                    .as_ref()
                    .is_some_and(|d| !matches!(d.0.result, Err(Gap::Differs(..))))
                {
                    continue;
                }
                let way = Way {
                    task,
                    entered,
                    opened: &opened,
                    abstracts,
                };
                let [a, b] = task.bodies();
                let places = Places::Anchors(Anchors::between(a, b));
                done = Some(self.made(&way, places, &mut Budget::of_regions()));
            }
            let Some((attempt, obligations, mut more)) = done else {
                return (Attempt::failed(Gap::Budget("attempts")), Obligations::new());
            };
            made += 1;
            more.retain(|id| !opened.contains(id));
            if attempt.result.is_ok() || more.is_empty() || made == REFINEMENTS_IN_REGIONS {
                return (attempt, obligations);
            }
            opened.append(&mut more);
        }
    }

    /// An attempt, and further ones with more methods entered.
    fn refined(&self, task: &Task, entered: &BitSet) -> (Attempt, Obligations) {
        let mut opened = BTreeSet::new();
        let mut budgets = <[Budget; 3]>::default();
        let mut made = 0;
        loop {
            let (attempt, obligations, mut more) =
                self.attempt_with(task, entered, &opened, &mut budgets);
            made += 1;
            more.retain(|id| !opened.contains(id));
            if attempt.result.is_ok() || more.is_empty() || made == REFINEMENTS {
                return (attempt, obligations);
            }
            opened.append(&mut more);
        }
    }

    /// One attempt, where these methods are entered besides; and which others should be.
    fn attempt_with(
        &self,
        task: &Task,
        entered: &BitSet,
        opened: &BTreeSet<MethodRef>,
        budgets: &mut [Budget; 3],
    ) -> Made {
        let mut attempt = Attempt::failed(Gap::Unsupported("nothing".into()));
        let mut obligations = Obligations::new();
        let mut to_open = BTreeSet::new();
        // First without a thought for what floats and products are; then with cuts at joins, if there are too many paths; then
        // exactly.
        let ways = [(true, false), (true, true), (false, false)];
        for ((abstracts, at_joins), budget) in ways.into_iter().zip(budgets) {
            let first = abstracts && !at_joins;
            let goes_on = match &attempt.result {
                _ if first => true,
                Err(Gap::Budget(_)) => at_joins,
                Err(Gap::Differs(..)) => !abstracts,
                _ => false,
            };
            // What is entered next may do away with the difference: nothing costs more than an exact answer.
            let refines = to_open.iter().any(|id| !opened.contains(id));
            if !goes_on || refines {
                continue;
            }
            let way = Way {
                task,
                entered,
                opened,
                abstracts,
            };
            let places = match at_joins {
                true => Places::Joins,
                false => Places::Heads,
            };
            let mut more;
            (attempt, obligations, more) = self.made(&way, places, budget);
            to_open.append(&mut more);
        }
        (attempt, obligations, to_open)
    }

    /// One attempt in one way.
    fn made(&self, way: &Way, places: Places, budget: &mut Budget) -> Made {
        let mut shared = self.shared(way, places);
        shared.budget = budget.clone();
        let starts = way.task.starts(&mut shared);
        let mut pair = Pair::new(&self.old, &self.new, &mut shared);
        let result = pair.prove(starts);
        *budget = shared.budget;
        let attempt = Attempt {
            result,
            relies_on: shared.relies_on,
            met: shared.met,
            assumed: shared.assumed,
        };
        (attempt, shared.obligations, shared.to_open)
    }

    fn shared(&self, way: &Way, places: Places) -> Shared {
        let options = SolverOptions {
            rlimit: if way.abstracts { 200_000 } else { 1_000_000 },
            timeout: Duration::from_secs(20),
            ..SolverOptions::default()
        };
        Shared {
            symbols: Symbols::new(),
            solver: LayeredSolver::new(&options),
            abstracts: way.abstracts,
            budget: Budget::default(),
            relies_on: BitSet::new(),
            met: BitSet::new(),
            entered: way.entered.clone(),
            opened: way.opened.clone(),
            to_open: BTreeSet::new(),
            constructs: way.task.constructs(),
            segment: 0,
            cuts: Cuts::new(places),
            numbers: self.changes.clone(),
            lambdas: FxHashMap::default(),
            twins: FxHashMap::default(),
            obligations: Obligations::new(),
            assumed: BTreeSet::new(),
        }
    }
}
