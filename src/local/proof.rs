//! Proofs of all changed methods of a patch: each may rely on the others being proved.

use super::budget::Budget;
use super::changes::Changes;
use super::cuts::Cuts;
use super::lambdas::Obligations;
use super::pair::Pair;
use super::renames::Renames;
use super::run::Shared;
use super::state::Gap;
use super::symbols::Symbols;
use super::task::Task;
use super::unproved::Condition;
use super::version::{UncompiledWords, Version};
use crate::bytecode::ClassPath;
use crate::bytecode::access::{STATIC, SYNCHRONIZED};
use crate::bytecode::class_file::ClassFile;
use crate::model::MethodRef;
use crate::solver::{LayeredSolver, SolverOptions};
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How often methods that were not proved are tried again with others entered.
const ROUNDS: u32 = 3;

/// What is taken for granted where members were added, removed or renamed.
const LOOKUPS: &str = "shared code lists no members of changed classes at run time";

/// How often an attempt is made again with more methods entered.
const REFINEMENTS: u32 = 8;

/// Most pairs of lambdas of one method.
const MOST_LAMBDAS: usize = 24;

/// What came of one method.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Whether both versions do the same from every state.
    pub proved: bool,
    /// What the proof takes for granted.
    pub assumed: Vec<String>,
    /// Why there is no proof.
    pub gap: String,
    /// A condition under which the versions may differ.
    pub condition: Condition,
}

impl Outcome {
    /// Why there is no proof, and the condition that is left, in a line.
    pub fn told(&self) -> String {
        match &self.condition.text {
            Some(condition) => format!("{}: {condition}", self.gap),
            None => self.gap.clone(),
        }
    }
}

/// Outcomes by method.
pub type Proofs = BTreeMap<MethodRef, Outcome>;

/// A proof of one method, and which changed methods it takes for equal.
struct Attempt {
    result: Result<(), Gap>,
    relies_on: BitSet,
    /// The changed methods that were met as callees: whether those are entered decides what comes of it.
    met: BitSet,
    assumed: BTreeSet<&'static str>,
}

/// The versions and what changed between them.
struct Work {
    old: Version,
    new: Version,
    changes: Rc<Changes>,
}

/// What is to be proved.
pub struct Question {
    /// Classes of the old build.
    pub old: Vec<Arc<ClassFile>>,
    /// Classes of the new build.
    pub new: Vec<Arc<ClassFile>>,
    /// What both run with.
    pub library: Arc<ClassPath>,
    /// Methods to prove.
    pub wanted: Vec<MethodRef>,
    /// What source files say which the builds leave out.
    pub outside: UncompiledWords,
}

/// Tries to prove each of the wanted methods. Deterministic: what a proof may cost is counted, not timed.
pub fn prove(question: &Question) -> Proofs {
    let Question {
        old,
        new,
        library,
        wanted,
        outside,
    } = question;
    let renames = Renames::between(old, new, library, &outside.names);
    let old = &renames.apply(old);
    let changes = Rc::new(Changes::of(old, new, library, renames.names()));
    if let Some(why) = &changes.blocked {
        let gap = |id: &MethodRef| {
            let outcome = Outcome {
                gap: why.clone(),
                ..Outcome::default()
            };
            (id.clone(), outcome)
        };
        return wanted.iter().map(gap).collect();
    }
    let [in_old, in_new] = changes.marks();
    let work = Work {
        old: Version::new(old, library.clone(), &in_old, outside.clone()),
        new: Version::new(new, library.clone(), &in_new, outside.clone()),
        changes,
    };
    work.solve(wanted)
}

impl Work {
    fn solve(&self, wanted: &[MethodRef]) -> Proofs {
        let mut attempts: BTreeMap<MethodRef, Attempt> = BTreeMap::new();
        let (mut entered, mut before) = (BitSet::new(), BitSet::new());
        let mut proved = BTreeSet::new();
        for _ in 0..ROUNDS {
            let mut other = entered.clone();
            other.symmetric_difference_with(&before);
            attempts.retain(|id, a| proved.contains(id) || a.met.is_disjoint(&other));
            before = entered.clone();
            let mut todo: Vec<MethodRef> = wanted.to_vec();
            while let Some(id) = todo.pop() {
                if attempts.contains_key(&id) {
                    continue;
                }
                let attempt = self.attempt(&id, &entered);
                if attempt.result.is_ok() {
                    let more = attempt.relies_on.iter();
                    todo.extend(more.map(|n| self.changes.numbers[n].clone()));
                }
                attempts.insert(id, attempt);
            }
            proved = self.sound(&attempts);
            let fails = |id: &&MethodRef| !proved.contains(*id);
            let failed: BTreeSet<&MethodRef> = attempts.keys().filter(fails).collect();
            let known = failed.iter().filter_map(|id| self.changes.number(id));
            let now: BitSet = known.collect();
            if now == entered || failed.is_empty() {
                break;
            }
            entered = now;
        }
        wanted
            .iter()
            .filter_map(|id| Some((id.clone(), self.outcome(id, attempts.get(id)?, &proved))))
            .collect()
    }

    /// Those whose proofs rely on proved ones alone, themselves included: the greatest such set (Godlin and Strichman, 2009).
    fn sound(&self, attempts: &BTreeMap<MethodRef, Attempt>) -> BTreeSet<MethodRef> {
        let ok = attempts.iter().filter(|(_, a)| a.result.is_ok());
        let mut proved: BTreeSet<MethodRef> = ok.map(|(id, _)| id.clone()).collect();
        loop {
            let stands = |id: &MethodRef| {
                attempts.get(id).is_some_and(|a| {
                    let mut numbers = a.relies_on.iter();
                    numbers.all(|n| proved.contains(&self.changes.numbers[n]))
                })
            };
            let left: BTreeSet<MethodRef> =
                proved.iter().filter(|id| stands(id)).cloned().collect();
            if left.len() == proved.len() {
                return left;
            }
            proved = left;
        }
    }

    fn outcome(&self, id: &MethodRef, attempt: &Attempt, proved: &BTreeSet<MethodRef>) -> Outcome {
        let mut out = Outcome {
            proved: proved.contains(id),
            ..Outcome::default()
        };
        match &attempt.result {
            Ok(()) if out.proved => {
                out.assumed = attempt.assumed.iter().map(|a| a.to_string()).collect();
                if !self.changes.members.is_empty() {
                    out.assumed.push(LOOKUPS.into());
                }
                let others = attempt.relies_on.iter().map(|n| &self.changes.numbers[n]);
                for other in others {
                    out.assumed.push(match other == id {
                        true => "its own calls end".into(),
                        false => format!("{}#{}, itself proved", other.class, other.name),
                    });
                }
            }
            Ok(()) => {
                let others = attempt.relies_on.iter().map(|n| &self.changes.numbers[n]);
                let not = others.filter(|o| !proved.contains(*o)).map(|o| &*o.name);
                let names: Vec<&str> = not.take(3).collect();
                out.gap = format!("calls what is not proved: {}", names.join(", "));
            }
            Err(Gap::Differs(what, condition)) => {
                out.gap = format!("{what} may differ");
                out.condition = condition.clone();
            }
            Err(Gap::Unsupported(what)) => out.gap = format!("not covered: {what}"),
            Err(Gap::Budget(what)) => out.gap = format!("too many {what}"),
        }
        out
    }

    fn attempt(&self, id: &MethodRef, entered: &BitSet) -> Attempt {
        let none = |why: &str| Attempt {
            result: Err(Gap::Unsupported(why.into())),
            relies_on: BitSet::new(),
            met: BitSet::new(),
            assumed: BTreeSet::new(),
        };
        let (Some(a), Some(b)) = (self.old.method(id), self.new.method(id)) else {
            return none("a method that one version has not");
        };
        if (a.method.access ^ b.method.access) & (STATIC | SYNCHRONIZED) != 0 {
            return none("a method that became static or synchronized");
        }
        let (attempt, obligations) = self.refined(&Task::Method([a, b]), entered);
        self.discharge(attempt, obligations, entered)
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
            let (attempt, more) = self.refined(&Task::Lambda(obligation), entered);
            whole.result = attempt.result;
            whole.relies_on.union_with(&attempt.relies_on);
            whole.met.union_with(&attempt.met);
            whole.assumed.extend(attempt.assumed);
            todo.extend(more);
        }
        whole
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
    ) -> (Attempt, Obligations, BTreeSet<MethodRef>) {
        let mut attempt = Attempt {
            result: Err(Gap::Unsupported("nothing".into())),
            relies_on: BitSet::new(),
            met: BitSet::new(),
            assumed: BTreeSet::new(),
        };
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
            let mut shared = self.shared(entered, task.constructs(), abstracts, at_joins);
            shared.opened = opened.clone();
            shared.budget = budget.clone();
            let starts = task.starts(&mut shared);
            let mut pair = Pair::new(&self.old, &self.new, &mut shared);
            let result = pair.prove(starts);
            *budget = shared.budget;
            attempt = Attempt {
                result,
                relies_on: shared.relies_on,
                met: shared.met,
                assumed: shared.assumed,
            };
            to_open.append(&mut shared.to_open);
            obligations = shared.obligations;
        }
        (attempt, obligations, to_open)
    }

    fn shared(
        &self,
        entered: &BitSet,
        constructs: bool,
        abstracts: bool,
        at_joins: bool,
    ) -> Shared {
        let options = SolverOptions {
            rlimit: if abstracts { 200_000 } else { 1_000_000 },
            timeout: Duration::from_secs(20),
            ..SolverOptions::default()
        };
        Shared {
            symbols: Symbols::new(),
            solver: LayeredSolver::new(&options),
            abstracts,
            budget: Budget::default(),
            relies_on: BitSet::new(),
            met: BitSet::new(),
            entered: entered.clone(),
            opened: BTreeSet::new(),
            to_open: BTreeSet::new(),
            constructs,
            segment: 0,
            cuts: Cuts::new(at_joins),
            numbers: self.changes.clone(),
            lambdas: FxHashMap::default(),
            twins: FxHashMap::default(),
            obligations: Obligations::new(),
            assumed: BTreeSet::new(),
        }
    }
}
