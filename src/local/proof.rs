//! Proofs of all changed methods of a patch: each may rely on the others being proved.

use super::attempt::Attempt;
use super::changes::{Changes, differing_names};
use super::class_renames::{ClassRenames, NAMES};
use super::enclosed;
use super::enum_tables::EnumTables;
use super::final_fields::FinalFields;
use super::fixed_calls::FixedCall;
use super::renames::Renames;
use super::state::Unproved;
use super::uncompiled::UncompiledSources;
use super::unproved::Condition;
use super::version::Version;
use super::widened::WidenedFields;
use crate::bytecode::ClassPath;
use crate::bytecode::class_file::ClassFile;
use crate::model::{MethodRef, Spelling};
use crate::util::deadline::Deadline;
use bit_set::BitSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// How often methods that were not proved are tried again with others entered.
const ROUNDS: u32 = 3;

/// What is taken for granted where members were added, removed or renamed.
const LOOKUPS: &str = "shared code lists no members of changed classes at run time";

/// The result for one method.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Whether both versions do the same from every state.
    pub proved: bool,
    /// Assumptions of the proof.
    pub assumed: Vec<String>,
    /// Changed methods without a proof but for whose differences the method does the same in both versions.
    pub rests_on: Vec<MethodRef>,
    /// Why there is no proof.
    pub reason: String,
    /// A condition under which the versions may differ.
    pub condition: Condition,
}

impl Outcome {
    /// Why there is no proof, and the condition under which the versions may differ, in one line.
    pub fn explanation(&self) -> String {
        match &self.condition.text {
            Some(condition) => format!("{}: {condition}", self.reason),
            None => self.reason.clone(),
        }
    }
}

/// Outcomes by method.
pub type Proofs = BTreeMap<MethodRef, Outcome>;

/// Proves methods of a patch: both versions, and the changes between them.
pub(super) struct Prover {
    pub(super) old: Version,
    pub(super) new: Version,
    pub(super) changes: Rc<Changes>,
    /// Whether classes of the old version got other names.
    pub(super) renames_classes: bool,
    /// When all proofs have to be over.
    pub(super) deadline: Deadline,
}

/// A patch and the methods to prove.
pub struct ProofRequest {
    /// Classes of the old build.
    pub old: Vec<Arc<ClassFile>>,
    /// Classes of the new build.
    pub new: Vec<Arc<ClassFile>>,
    /// What both run with.
    pub library: Arc<ClassPath>,
    /// Methods to prove.
    pub wanted: Vec<MethodRef>,
    /// Source files that the builds leave out.
    pub outside: UncompiledSources,
    /// Calls of the JDK's factories with constants that are known to end with a value.
    pub fixed: Vec<FixedCall>,
    /// When all proofs have to be over, a safety net: methods that are not done are open.
    pub deadline: Deadline,
}

/// Tries to prove each of the wanted methods. Deterministic up to the deadline: what a proof may cost is
/// counted, not timed.
pub fn prove(question: &ProofRequest) -> Proofs {
    let ProofRequest {
        old,
        new,
        library,
        wanted,
        outside,
        fixed,
        deadline,
    } = question;
    let tables = EnumTables::between(old, new);
    let (old, new) = (&tables.read_old(old), &tables.read_new(new));
    let classes = ClassRenames::between(old, new, &outside.quoted);
    let old = &classes.apply(old);
    let renames = Renames::between(old, new, library, outside);
    let old = renames.apply(old);
    let widened = WidenedFields::between(&old, new, library, outside);
    let old = widened.apply(&old);
    let finals = FinalFields::between(&old, new, outside);
    let (old, new) = (finals.apply(&old), &finals.apply(new));
    let old = &outside.cut.equated(&old, &differing_names(&old, new));
    let mut other = renames.names();
    other.extend(widened.names());
    other.extend(finals.names());
    let mut changes = Changes::of(old, new, library, other, outside);
    changes.case_names = tables.names();
    changes.fixed.clone_from(fixed);
    changes.made_final = finals.keys();
    changes.renamed_classes = classes.new_names();
    let changes = Rc::new(changes);
    if let Some(why) = &changes.blocked {
        let gap = |id: &MethodRef| {
            let outcome = Outcome {
                reason: why.clone(),
                ..Outcome::default()
            };
            (id.clone(), outcome)
        };
        return wanted.iter().map(gap).collect();
    }
    let [in_old, in_new] = changes.marks();
    let first = changes.first_method();
    let work = Prover {
        old: Version::new(
            old,
            library.clone(),
            (&in_old, first),
            (outside.clone(), changes.cut_code()),
            changes.moved_fields[0].clone(),
        ),
        new: Version::new(
            new,
            library.clone(),
            (&in_new, first),
            (outside.clone(), changes.cut_code()),
            changes.moved_fields[1].clone(),
        ),
        changes,
        renames_classes: !classes.is_empty(),
        deadline: *deadline,
    };
    let mut all = work.prove_all(wanted);
    for (id, outcome) in &mut all {
        if id.name == "<clinit>" && tables.keep_their_numbers(&id.class.internal()) {
            *outcome = Outcome {
                proved: true,
                ..Outcome::default()
            };
        }
    }
    // Code that was cut may call anything.
    if outside.cut.is_empty() {
        enclosed::settle(&mut all, [&question.old, &question.new]);
    }
    all
}

impl Prover {
    fn prove_all(&self, wanted: &[MethodRef]) -> Proofs {
        let mut attempts: BTreeMap<MethodRef, Attempt> = BTreeMap::new();
        let (mut entered, mut before) = (BitSet::new(), BitSet::new());
        let mut proved = BTreeSet::new();
        let mut rests_on = BTreeMap::new();
        for round in 0..ROUNDS {
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
            proved = self.mutually_proved(&attempts);
            if round == 0 {
                rests_on = self.assumed_of_others(&attempts);
            }
            let fails = |id: &&MethodRef| !proved.contains(*id);
            let failed: BTreeSet<&MethodRef> = attempts.keys().filter(fails).collect();
            let known = failed.iter().filter_map(|id| self.changes.number(id));
            let now: BitSet = known.collect();
            if now == entered || failed.is_empty() {
                break;
            }
            entered = now;
        }
        let mut outcome = |id: &MethodRef| {
            let mut outcome = self.outcome(id, attempts.get(id)?, &proved);
            if !outcome.proved {
                outcome.rests_on = rests_on.remove(id).unwrap_or_default();
                outcome.rests_on.retain(|other| !proved.contains(other));
            }
            Some(outcome)
        };
        let all = wanted.iter();
        all.filter_map(|id| Some((id.clone(), outcome(id)?)))
            .collect()
    }

    /// The methods that each successful attempt assumes to do the same, itself left out.
    fn assumed_of_others(
        &self,
        attempts: &BTreeMap<MethodRef, Attempt>,
    ) -> BTreeMap<MethodRef, Vec<MethodRef>> {
        let done = attempts
            .iter()
            .filter(|(_, a)| a.result.is_ok() && !a.is_one_sided);
        done.map(|(id, attempt)| {
            let others = attempt.relies_on.iter().map(|n| &self.changes.numbers[n]);
            (id.clone(), others.filter(|o| *o != id).cloned().collect())
        })
        .collect()
    }

    /// The greatest set of methods whose proofs assume only methods of the same set (Godlin and Strichman, 2009).
    fn mutually_proved(&self, attempts: &BTreeMap<MethodRef, Attempt>) -> BTreeSet<MethodRef> {
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
            proved: proved.contains(id) && !attempt.is_one_sided,
            ..Outcome::default()
        };
        match &attempt.result {
            Ok(()) if out.proved => {
                out.assumed = attempt.assumed.iter().map(|a| a.to_string()).collect();
                if !self.changes.members.names.is_empty() {
                    out.assumed.push(LOOKUPS.into());
                }
                if self.renames_classes {
                    out.assumed.push(NAMES.into());
                }
                let others = attempt.relies_on.iter().map(|n| &self.changes.numbers[n]);
                for other in others {
                    out.assumed.push(match other == id {
                        true => "its own calls end".into(),
                        false => format!("{}#{}, itself proved", other.class, other.name),
                    });
                }
            }
            Ok(()) if attempt.is_one_sided => {
                out.reason = "not covered: a method that one version has not".into();
            }
            Ok(()) => {
                let others = attempt.relies_on.iter().map(|n| &self.changes.numbers[n]);
                let not = others.filter(|o| !proved.contains(*o)).map(|o| &*o.name);
                let names: Vec<&str> = not.take(3).collect();
                out.reason = format!("calls what is not proved: {}", names.join(", "));
            }
            Err(Unproved::Differs(what, condition)) => {
                out.reason = format!("{what} may differ");
                out.condition = condition.clone();
            }
            Err(Unproved::Unsupported(what)) => out.reason = format!("not covered: {what}"),
            Err(Unproved::Budget(what)) => out.reason = format!("too many {what}"),
        }
        out
    }
}
