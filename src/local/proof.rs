//! Proofs of all changed methods of a patch: each may rely on the others being proved.

use super::budget::Budget;
use super::changes::Changes;
use super::cuts::Cuts;
use super::heap::{Epoch, Heap};
use super::pair::Pair;
use super::run::{Shared, frame};
use super::state::{Gap, State};
use super::symbols::Symbols;
use super::version::{Body, Names, STATIC, SYNCHRONIZED, Version};
use crate::bytecode::ClassPath;
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::parameter_descriptors;
use crate::model::MethodRef;
use crate::solver::{Constraints, LayeredSolver, SolverOptions};
use bit_set::BitSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How often methods that were not proved are tried again with others entered.
const ROUNDS: u32 = 3;

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
    pub condition: Option<String>,
}

/// Outcomes by method.
pub type Proofs = BTreeMap<MethodRef, Outcome>;

/// A proof of one method, and which changed methods it takes for equal.
struct Attempt {
    result: Result<(), Gap>,
    relies_on: BitSet,
    assumed: BTreeSet<&'static str>,
}

/// The versions and what changed between them.
struct Work {
    old: Version,
    new: Version,
    changes: Rc<Changes>,
}

/// Tries to prove each of these methods; `outside` has the names that stand in source files which the builds leave out.
/// Deterministic: what a proof may cost is counted, not timed.
pub fn prove(
    old: &[Arc<ClassFile>],
    new: &[Arc<ClassFile>],
    library: &Arc<ClassPath>,
    wanted: &[MethodRef],
    outside: &Names,
) -> Proofs {
    let changes = Rc::new(Changes::of(old, new, library));
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
        let mut entered = BitSet::new();
        let mut proved = BTreeSet::new();
        for _ in 0..ROUNDS {
            attempts.retain(|id, _| proved.contains(id));
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
            assumed: BTreeSet::new(),
        };
        let (Some(a), Some(b)) = (self.old.method(id), self.new.method(id)) else {
            return none("a method that one version has not");
        };
        if (a.method.access ^ b.method.access) & (STATIC | SYNCHRONIZED) != 0 {
            return none("a method that became static or synchronized");
        }
        let mut last = none("nothing");
        // First without a thought for what floats and products are; then with cuts at joins, if there are too many paths; then
        // exactly.
        for (abstracts, at_joins) in [(true, false), (true, true), (false, false)] {
            let before = match &last.result {
                Err(Gap::Budget(_)) => at_joins,
                Err(Gap::Differs(..)) => !abstracts,
                Err(Gap::Unsupported(what)) => what == "nothing",
                Ok(()) => false,
            };
            if !before {
                continue;
            }
            let mut shared = self.shared(entered, &a, abstracts, at_joins);
            let starts = self.starts(&mut shared, &a, &b);
            let mut pair = Pair::new(&self.old, &self.new, &mut shared);
            let result = pair.prove(starts);
            last = Attempt {
                result,
                relies_on: shared.relies_on,
                assumed: shared.assumed,
            };
        }
        last
    }

    fn shared(&self, entered: &BitSet, body: &Body, abstracts: bool, at_joins: bool) -> Shared {
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
            entered: entered.clone(),
            constructs: body.method.name.starts_with('<'),
            segment: 0,
            cuts: Cuts::new(at_joins),
            numbers: self.changes.clone(),
            assumed: BTreeSet::new(),
        }
    }

    /// Both versions at the method's entry, with the same arguments.
    fn starts(&self, shared: &mut Shared, a: &Body, b: &Body) -> [State; 2] {
        let s = &mut shared.symbols;
        let mut args = Vec::new();
        if a.method.access & STATIC == 0 {
            args.push(s.early("this", &format!("L{};", a.class.name), false));
        }
        for (i, p) in parameter_descriptors(&a.method.descriptor)
            .iter()
            .enumerate()
        {
            let name = b.method.parameter_names.get(i);
            let name = name.map_or(format!("argument {i}"), |n| n.to_string());
            args.push(match p.starts_with(['L', '[']) {
                true => s.early(&name, p, true),
                false => s.value(&name, &[], p),
            });
        }
        let condition = Constraints::initial(&s.pool);
        [a, b].map(|body| State {
            frames: vec![frame(s, body.clone(), args.clone())],
            heap: Heap::at(Epoch {
                segment: 0,
                event: 0,
            }),
            condition: condition.clone(),
            events: Rc::default(),
            made: Rc::default(),
            initialised: Rc::default(),
            computed: Rc::default(),
            moved: false,
        })
    }
}
