//! Attempts to prove one method: first by changed regions, then as a whole, with ever more precise configurations.

use super::anchors::Anchors;
use super::budget::Budget;
use super::context::ProofContext;
use super::cuts::{CutPoints, CutPolicy};
use super::lambdas::Obligations;
use super::product::Product;
use super::proof::Prover;
use super::state::Unproved;
use super::symbols::Symbols;
use super::task::Task;
use crate::bytecode::access::{STATIC, SYNCHRONIZED};
use crate::model::MethodRef;
use crate::solver::{LayeredSolver, SolverOptions};
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Duration;

/// How often an attempt is refined by entering more methods.
const REFINEMENTS: u32 = 8;

/// The same for attempts by regions.
const REFINEMENTS_IN_REGIONS: u32 = 3;

/// Most pairs of lambdas of one method.
const MOST_LAMBDAS: usize = 24;

/// The result for one method, and the changed methods that the proof assumes equal.
pub(super) struct Attempt {
    pub(super) result: Result<(), Unproved>,
    pub(super) relies_on: BitSet,
    /// Changed methods that were called: the result depends on whether they are entered.
    pub(super) met: BitSet,
    pub(super) assumed: BTreeSet<&'static str>,
}

impl Attempt {
    fn failed(gap: Unproved) -> Attempt {
        Attempt {
            result: Err(gap),
            relies_on: BitSet::new(),
            met: BitSet::new(),
            assumed: BTreeSet::new(),
        }
    }
}

/// An attempt, the closures it assumes equal, and the methods that a refined attempt should enter.
type Trial = (Attempt, Obligations, BTreeSet<MethodRef>);

/// The precision of an attempt.
struct Configuration<'a> {
    task: &'a Task,
    /// Changed and unchanged methods that are entered.
    entered: &'a BitSet,
    opened: &'a BTreeSet<MethodRef>,
    /// Whether floating-point terms and products are abstracted to unknowns.
    abstracts: bool,
}

impl Prover {
    pub(super) fn attempt(&self, id: &MethodRef, entered: &BitSet) -> Attempt {
        let none = |why: &str| Attempt::failed(Unproved::Unsupported(why.into()));
        let (Some(a), Some(b)) = (self.old.body_of(id), self.new.body_of(id)) else {
            return none("a method that one version has not");
        };
        if (a.method.access ^ b.method.access) & (STATIC | SYNCHRONIZED) != 0 {
            return none("a method that became static or synchronized");
        }
        let task = Task::Method([a, b]);
        let (first, obligations) = self.attempt_by_regions(&task, entered);
        let first = self.discharge(first, obligations, entered);
        if first.result.is_ok() {
            return first;
        }
        let (whole, obligations) = self.attempt_with_refinement(&task, entered);
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
                whole.result = Err(Unproved::Budget("lambdas"));
                break;
            }
            let task = Task::Lambda(obligation);
            let (mut attempt, mut more) = self.attempt_by_regions(&task, entered);
            if attempt.result.is_err() {
                whole.met.union_with(&attempt.met);
                (attempt, more) = self.attempt_with_refinement(&task, entered);
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
    fn attempt_by_regions(&self, task: &Task, entered: &BitSet) -> (Attempt, Obligations) {
        let mut opened = BTreeSet::new();
        let mut attempts = 0;
        loop {
            let mut done: Option<Trial> = None;
            for abstracts in [true, false] {
                if done
                    .as_ref()
                    .is_some_and(|d| !matches!(d.0.result, Err(Unproved::Differs(..))))
                {
                    continue;
                }
                let configuration = Configuration {
                    task,
                    entered,
                    opened: &opened,
                    abstracts,
                };
                let [a, b] = task.bodies();
                let policy = CutPolicy::Anchors(Anchors::between(a, b));
                done = Some(self.trial(&configuration, policy, &mut Budget::of_regions()));
            }
            let Some((attempt, obligations, mut more)) = done else {
                return (
                    Attempt::failed(Unproved::Budget("attempts")),
                    Obligations::new(),
                );
            };
            attempts += 1;
            more.retain(|id| !opened.contains(id));
            if attempt.result.is_ok() || more.is_empty() || attempts == REFINEMENTS_IN_REGIONS {
                return (attempt, obligations);
            }
            opened.append(&mut more);
        }
    }

    /// An attempt, and further ones with more methods entered.
    fn attempt_with_refinement(&self, task: &Task, entered: &BitSet) -> (Attempt, Obligations) {
        let mut opened = BTreeSet::new();
        let mut budgets = <[Budget; 3]>::default();
        let mut attempts = 0;
        loop {
            let (attempt, obligations, mut more) =
                self.attempt_configurations(task, entered, &opened, &mut budgets);
            attempts += 1;
            more.retain(|id| !opened.contains(id));
            if attempt.result.is_ok() || more.is_empty() || attempts == REFINEMENTS {
                return (attempt, obligations);
            }
            opened.append(&mut more);
        }
    }

    /// One attempt, where these methods are entered besides; and which others should be.
    fn attempt_configurations(
        &self,
        task: &Task,
        entered: &BitSet,
        opened: &BTreeSet<MethodRef>,
        budgets: &mut [Budget; 3],
    ) -> Trial {
        let mut attempt = Attempt::failed(Unproved::Unsupported("nothing".into()));
        let mut obligations = Obligations::new();
        let mut to_open = BTreeSet::new();
        // First without a thought for what floats and products are; then with cuts at joins, if there are too many paths; then
        // exactly.
        let configurations = [(true, false), (true, true), (false, false)];
        for ((abstracts, at_joins), budget) in configurations.into_iter().zip(budgets) {
            let first = abstracts && !at_joins;
            let goes_on = match &attempt.result {
                _ if first => true,
                Err(Unproved::Budget(_)) => at_joins,
                Err(Unproved::Differs(..)) => !abstracts,
                _ => false,
            };
            // What is entered next may do away with the difference: nothing costs more than an exact answer.
            let refines = to_open.iter().any(|id| !opened.contains(id));
            if !goes_on || refines {
                continue;
            }
            let configuration = Configuration {
                task,
                entered,
                opened,
                abstracts,
            };
            let policy = match at_joins {
                true => CutPolicy::Joins,
                false => CutPolicy::LoopHeads,
            };
            let mut more;
            (attempt, obligations, more) = self.trial(&configuration, policy, budget);
            to_open.append(&mut more);
        }
        (attempt, obligations, to_open)
    }

    /// One attempt in one way.
    fn trial(
        &self,
        configuration: &Configuration,
        policy: CutPolicy,
        budget: &mut Budget,
    ) -> Trial {
        let mut context = self.proof_context(configuration, policy);
        context.budget = budget.clone();
        let starts = configuration.task.initial_states(&mut context);
        let mut pair = Product::new(&self.old, &self.new, &mut context);
        let result = pair.prove(starts);
        *budget = context.budget;
        let attempt = Attempt {
            result,
            relies_on: context.relies_on,
            met: context.met,
            assumed: context.assumed,
        };
        (attempt, context.obligations, context.to_inline)
    }

    fn proof_context(&self, configuration: &Configuration, policy: CutPolicy) -> ProofContext {
        let options = SolverOptions {
            rlimit: if configuration.abstracts {
                200_000
            } else {
                1_000_000
            },
            timeout: Duration::from_secs(20),
            ..SolverOptions::default()
        };
        ProofContext {
            symbols: Symbols::new(),
            solver: LayeredSolver::new(&options),
            float_queries: 0,
            abstracts: configuration.abstracts,
            budget: Budget::default(),
            relies_on: BitSet::new(),
            met: BitSet::new(),
            inlined_changed: configuration.entered.clone(),
            inlined_common: configuration.opened.clone(),
            to_inline: BTreeSet::new(),
            constructs: configuration.task.constructs(),
            segment: 0,
            cuts: CutPoints::new(policy),
            changes: self.changes.clone(),
            lambdas: FxHashMap::default(),
            equated: FxHashMap::default(),
            obligations: Obligations::new(),
            assumed: BTreeSet::new(),
        }
    }
}
