//! Attempts to prove one method: first by changed regions, then as a whole, with ever more precise configurations.

use super::abstract_state::ProductPoint;
use super::anchors::Anchors;
use super::budget::Budget;
use super::buffers::swaps_buffers;
use super::context::ProofContext;
use super::cuts::{CutPoints, CutPolicy};
use super::leads::Lead;
use super::locks::with_lock;
use super::obligation::Obligations;
use super::pairings::{Pairing, Pairings};
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
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
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
    /// Whether methods may have taken each other's place.
    may_pair: bool,
    /// Whether it called code that only reads.
    pub(super) met_reader: bool,
    /// The heads of loops that both versions reached.
    pub(super) heads: Vec<ProductPoint>,
    /// Whether one version has not even an inherited method of that name: it can be relied on, but there is nothing to compare.
    pub(super) is_one_sided: bool,
}

impl Attempt {
    pub(super) fn failed(gap: Unproved) -> Attempt {
        Attempt {
            result: Err(gap),
            relies_on: BitSet::new(),
            met: BitSet::new(),
            assumed: BTreeSet::new(),
            may_pair: false,
            met_reader: false,
            heads: Vec::new(),
            is_one_sided: false,
        }
    }
}

impl Attempt {
    /// A further attempt if that succeeded, else this one. What both met counts.
    fn or(mut self, mut other: Attempt) -> Attempt {
        match other.result.is_ok() {
            true => {
                other.met.union_with(&self.met);
                other
            }
            false => {
                self.met.union_with(&other.met);
                self
            }
        }
    }
}

/// An attempt, what it assumes equal, and how a refined attempt should treat methods.
pub(super) type Trial = (Attempt, Obligations, Refinement);

/// How an attempt treats methods.
#[derive(Clone, Default)]
pub(super) struct Refinement {
    /// Unchanged methods that are entered.
    opened: BTreeSet<MethodRef>,
    /// Methods that count as one.
    pairings: Pairings,
    /// Whether code that only reads was called.
    met_reader: bool,
}

impl Refinement {
    /// Adds another. Returns whether it held anything new.
    fn extend(&mut self, mut more: Refinement) -> bool {
        more.opened.retain(|id| !self.opened.contains(id));
        let opens = !more.opened.is_empty();
        self.opened.append(&mut more.opened);
        self.met_reader |= more.met_reader;
        self.pairings.extend(more.pairings) || opens
    }
}

/// What all attempts at a method have in common.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    /// Changed methods that are entered.
    entered: &'a BitSet,
    /// Whether methods that took each other's place count as one.
    pairs: bool,
    /// Whether calls of code that only reads are functions, not events.
    reads: bool,
    /// Whether string buffers count as string builders.
    buffers: bool,
}

/// The precision of an attempt.
pub(super) struct Configuration<'a> {
    pub(super) task: &'a Task,
    pub(super) setting: Setting<'a>,
    pub(super) refinement: &'a Refinement,
    /// Whether floating-point terms and products are abstracted to unknowns.
    pub(super) abstracts: bool,
    /// The loop of which one version runs an iteration alone.
    pub(super) lead: Option<&'a Lead>,
}

impl Prover {
    pub(super) fn attempt(&self, id: &MethodRef, entered: &BitSet) -> Attempt {
        let none = |why: &str| Attempt::failed(Unproved::Unsupported(why.into()));
        let Some([a, b]) = self.bodies(id) else {
            let moved = self.attempt_moved(id);
            return moved.unwrap_or_else(|| none("a method that one version has not"));
        };
        let flags = a.method.access ^ b.method.access;
        let locks = (a.method.access | b.method.access) & SYNCHRONIZED != 0;
        if flags & STATIC != 0 && locks {
            return none("a synchronized method that became static");
        }
        let [a, b] = match flags & SYNCHRONIZED {
            0 => [a, b],
            _ => [a, b].map(|body| with_lock(&body)),
        };
        let task = match flags & STATIC {
            0 => Task::Method([a, b]),
            _ => Task::Paired(Pairing::of_namesakes(&a, &b).obligation()),
        };
        let plain = Setting {
            entered,
            pairs: false,
            reads: false,
            buffers: swaps_buffers(task.bodies()),
        };
        let mut first = self.attempt_in(&task, plain);
        let differs = |a: &Attempt| matches!(a.result, Err(Unproved::Differs(..)));
        if first.met_reader && differs(&first) {
            let reading = Setting {
                reads: true,
                ..plain
            };
            first = first.or(self.attempt_in(&task, reading));
        }
        if first.result.is_ok() || !first.may_pair {
            return first;
        }
        let paired = Setting {
            pairs: true,
            ..plain
        };
        first.or(self.attempt_in(&task, paired))
    }

    /// An attempt by changed regions, then one as a whole.
    fn attempt_in(&self, task: &Task, setting: Setting) -> Attempt {
        let (first, obligations) = self.attempt_by_regions(task, setting);
        let first = self.discharge(first, obligations, setting);
        if first.result.is_ok() {
            return first;
        }
        let (whole, obligations) = self.attempt_with_refinement(task, setting);
        let mut whole = self.discharge(whole, obligations, setting);
        whole.met.union_with(&first.met);
        whole.may_pair |= first.may_pair;
        whole.met_reader |= first.met_reader;
        whole
    }

    /// Proves what an attempt takes for granted of lambdas and pairs, each of which may take more for granted.
    fn discharge(&self, mut whole: Attempt, first: Obligations, setting: Setting) -> Attempt {
        let (mut todo, mut done) = (first, BTreeSet::new());
        while let Some((key, obligation)) = todo.pop_first() {
            if whole.result.is_err() || !done.insert(key) {
                continue;
            }
            if done.len() > MOST_LAMBDAS {
                whole.result = Err(Unproved::Budget("lambdas"));
                break;
            }
            let task = match obligation.is_of_methods {
                true => Task::Paired(obligation),
                false => Task::Lambda(obligation),
            };
            let (mut attempt, mut more) = self.attempt_by_regions(&task, setting);
            if attempt.result.is_err() {
                whole.met.union_with(&attempt.met);
                (attempt, more) = self.attempt_with_refinement(&task, setting);
            }
            whole.may_pair |= attempt.may_pair;
            whole.met_reader |= attempt.met_reader;
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
    fn attempt_by_regions(&self, task: &Task, setting: Setting) -> (Attempt, Obligations) {
        let most = match setting.pairs {
            true => REFINEMENTS,
            false => REFINEMENTS_IN_REGIONS,
        };
        let mut refinement = Refinement::default();
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
                    setting,
                    refinement: &refinement,
                    abstracts,
                    lead: None,
                };
                let [a, b] = task.bodies();
                let policy = CutPolicy::Anchors(Anchors::between(a, b));
                done = Some(self.trial(&configuration, policy, &mut Budget::of_regions()));
            }
            let Some((mut attempt, obligations, more)) = done else {
                return (
                    Attempt::failed(Unproved::Budget("attempts")),
                    Obligations::new(),
                );
            };
            attempts += 1;
            attempt.met_reader |= refinement.met_reader;
            if attempt.result.is_ok() || attempts == most || !refinement.extend(more) {
                return (attempt, obligations);
            }
        }
    }

    /// An attempt, and further ones with more methods entered.
    fn attempt_with_refinement(&self, task: &Task, setting: Setting) -> (Attempt, Obligations) {
        let mut refinement = Refinement::default();
        let mut budgets = <[Budget; 3]>::default();
        let mut attempts = 0;
        loop {
            let (mut attempt, obligations, more) =
                self.attempt_configurations(task, setting, &refinement, &mut budgets);
            attempts += 1;
            attempt.met_reader |= refinement.met_reader;
            if attempt.result.is_ok() || attempts == REFINEMENTS || !refinement.extend(more) {
                let leading = self.attempt_with_leads(task, setting, &refinement, &attempt);
                return leading.unwrap_or((attempt, obligations));
            }
        }
    }

    /// One attempt, where these methods are entered besides; and which others should be.
    fn attempt_configurations(
        &self,
        task: &Task,
        setting: Setting,
        refinement: &Refinement,
        budgets: &mut [Budget; 3],
    ) -> Trial {
        let mut attempt = Attempt::failed(Unproved::Unsupported("nothing".into()));
        let mut obligations = Obligations::new();
        let mut wanted = Refinement::default();
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
            let refines = refinement.clone().extend(wanted.clone());
            if !goes_on || refines {
                continue;
            }
            let configuration = Configuration {
                task,
                setting,
                refinement,
                abstracts,
                lead: None,
            };
            let policy = match at_joins {
                true => CutPolicy::Joins,
                false => CutPolicy::LoopHeads,
            };
            let more;
            (attempt, obligations, more) = self.trial(&configuration, policy, budget);
            wanted.extend(more);
        }
        (attempt, obligations, wanted)
    }

    /// One attempt in one way.
    pub(super) fn trial(
        &self,
        configuration: &Configuration,
        policy: CutPolicy,
        budget: &mut Budget,
    ) -> Trial {
        let mut context = self.proof_context(configuration, policy);
        context.budget = budget.clone();
        context.budget.end_by(self.deadline);
        let starts = configuration.task.initial_states(&mut context);
        let mut pair = Product::new(&self.old, &self.new, &mut context);
        pair.lead = configuration.lead.cloned();
        let result = pair.prove(starts);
        let heads = std::mem::take(&mut pair.heads);
        *budget = context.budget;
        let result = match context.leaked.get() {
            true => Err(Unproved::Unsupported(
                "a string buffer for a string builder".into(),
            )),
            false => result,
        };
        let attempt = Attempt {
            result,
            relies_on: context.relies_on,
            met: context.met,
            assumed: context.assumed,
            may_pair: context.met_lone || !context.to_pair.is_empty(),
            met_reader: context.met_reader,
            heads,
            is_one_sided: false,
        };
        let wanted = Refinement {
            opened: context.to_inline,
            pairings: context.to_pair,
            met_reader: context.met_reader,
        };
        (attempt, context.obligations, wanted)
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
            inlined_changed: configuration.setting.entered.clone(),
            inlined_common: configuration.refinement.opened.clone(),
            to_inline: BTreeSet::new(),
            pairs: configuration.setting.pairs,
            pairings: Rc::new(configuration.refinement.pairings.clone()),
            to_pair: Pairings::default(),
            reads: configuration.setting.reads,
            met_reader: false,
            buffers: configuration.setting.buffers,
            leaked: Cell::new(false),
            met_lone: false,
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
