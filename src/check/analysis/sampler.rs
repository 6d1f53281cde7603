//! Inputs tried on the JVM where the exploration gave up and found nothing: those that come to where it gave up, and variations.

use super::Analysis;
use crate::bytecode::class_file::{ClassFile, Const, Insn};
use crate::check::collector::Collector;
use crate::error::Error;
use crate::jvm::Worker;
use crate::model::{DivergenceClass, End, Inputs, MethodRef, Spelling};
use crate::options::Arithmetic;
use crate::replay::{self, Observed, same_outcome};
use crate::search::{Dictionary, Variation, simpler};
use crate::util::deadline::Deadline;
use crate::util::random::Random;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Inputs tried.
const MAX_SAMPLES: usize = 400;
/// Divergences shown by them.
const MAX_FOUND: usize = 4;
/// Runs to make one of them simpler.
const MAX_SIMPLER: usize = 60;
/// Runs that may hang before no more are tried.
const MAX_HUNG: usize = 2;
/// Limit of one run.
const LIMIT: Duration = Duration::from_millis(1500);
/// Constants of the program taken, of each kind.
const MAX_CONSTANTS: usize = 400;

/// What an exploration leaves to be tried.
#[derive(Clone, Default)]
pub(super) struct ExploredInputs {
    /// Inputs that come to where it gave up.
    pub untried: Vec<Inputs>,
    /// Inputs of finished paths.
    pub tried: Vec<Inputs>,
    /// The entry's parameter names.
    pub names: Vec<String>,
    /// Whether the entry is static.
    pub is_static: bool,
}

impl ExploredInputs {
    /// Adds those of another exploration of the same entry.
    pub fn extend(&mut self, others: ExploredInputs) {
        self.untried.extend(others.untried);
        self.tried.extend(others.tried);
    }
}

/// Tries inputs of one entry.
pub(super) struct Sampler<'a> {
    pub analysis: &'a Analysis<'a>,
    pub entry: &'a MethodRef,
    pub seeds: &'a ExploredInputs,
    pub deadline: Deadline,
}

impl Sampler<'_> {
    /// Tries inputs until enough diverge, or enough were tried.
    pub fn run(&self, collector: &mut Collector, worker: &mut Worker) -> Result<(), Error> {
        let first = &self.seeds.untried;
        let all: Vec<&Inputs> = first.iter().chain(&self.seeds.tried).collect();
        if all.is_empty() || self.analysis.options.bounds.arith == Arithmetic::Unbounded {
            return Ok(());
        }
        let random = Random::new(self.analysis.options.exploration.seed, &self.entry.name);
        let mut variation = Variation::new(random, self.dictionary()?);
        let (mut found, mut hung) = (BTreeSet::new(), 0);
        for n in 0..MAX_SAMPLES {
            if self.deadline.is_over() || found.len() >= MAX_FOUND || hung > MAX_HUNG {
                break;
            }
            let inputs = match first.get(n) {
                Some(untried) => untried.clone(),
                None => variation.of(all[n % all.len()]),
            };
            let seen = self.observe(worker, &inputs)?;
            hung += usize::from(
                [&seen.old, &seen.new]
                    .iter()
                    .any(|o| o.end == End::TimedOut),
            );
            if class(&seen).is_none() || self.observe(worker, &inputs)? != seen {
                continue;
            }
            let inputs = self.simplest(worker, inputs, &seen)?;
            if found.insert(format!("{inputs:?}")) {
                self.report(collector, worker, inputs)?;
            }
        }
        Ok(())
    }

    fn observe(&self, worker: &mut Worker, inputs: &Inputs) -> Result<Observed, Error> {
        let (builds, is_static) = (self.builds(), self.seeds.is_static);
        let seen = replay::observe(worker, &builds, self.entry, is_static, inputs)?;
        Ok(seen)
    }

    fn builds(&self) -> replay::ClassPaths {
        replay::ClassPaths {
            limit: self.analysis.replay.limit.min(LIMIT),
            ..self.analysis.replay.clone()
        }
    }

    /// A simpler input with a divergence of the same class.
    fn simplest(
        &self,
        worker: &mut Worker,
        inputs: Inputs,
        seen: &Observed,
    ) -> Result<Inputs, Error> {
        let wanted = class(seen);
        let (mut inputs, mut runs) = (inputs, 0);
        'simpler: while runs < MAX_SIMPLER && !self.deadline.is_over() {
            for simpler in simpler(&inputs) {
                runs += 1;
                if class(&self.observe(worker, &simpler)?) == wanted {
                    inputs = simpler;
                    continue 'simpler;
                }
                if runs >= MAX_SIMPLER || self.deadline.is_over() {
                    break;
                }
            }
            break;
        }
        Ok(inputs)
    }

    /// Takes a divergence with the prediction of the engine where it can follow that one input, else as the JVM shows it.
    fn report(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        inputs: Inputs,
    ) -> Result<(), Error> {
        let ExploredInputs {
            names, is_static, ..
        } = self.seeds;
        let seen = self.observe(worker, &inputs)?;
        let builds = self.builds();
        if class(&seen).is_none() {
            return Ok(());
        }
        let steady = replay::steady(worker, &builds, self.entry, *is_static, &inputs, &seen)?;
        let Some(seen) = steady else {
            return Ok(());
        };
        if let Some(path) = self.analysis.path_of(self.entry, &inputs) {
            collector.path(self.entry, *is_static, names, *path, Some(seen));
            return Ok(());
        }
        collector.observed(self.entry, (*is_static, names), inputs, seen);
        Ok(())
    }

    /// Constants in the code of the entry's class, of both versions.
    fn dictionary(&self) -> Result<Dictionary, Error> {
        let name = self.entry.class.internal();
        let mut numbers = BTreeSet::new();
        let mut texts = BTreeSet::new();
        for path in [&self.analysis.new, &self.analysis.old] {
            for constant in path.find(&name)?.iter().flat_map(constants) {
                match constant {
                    Const::Int(n) => _ = numbers.insert(i64::from(n)),
                    Const::Long(n) => _ = numbers.insert(n),
                    Const::Str(units) => _ = texts.insert(units.to_vec()),
                    _ => {}
                }
            }
        }
        Ok(Dictionary {
            numbers: numbers.into_iter().take(MAX_CONSTANTS).collect(),
            texts: texts.into_iter().take(MAX_CONSTANTS).collect(),
        })
    }
}

fn constants(class: &Arc<ClassFile>) -> impl Iterator<Item = Const> {
    let code = class.methods.iter().filter_map(|m| m.code.as_ref());
    code.flat_map(|c| c.insns.iter())
        .filter_map(|insn| match insn {
            Insn::Const(constant) => Some(constant.clone()),
            _ => None,
        })
}

/// The class of a divergence, where one is seen: runs that could not be made, hung or ran out of memory show none.
fn class(seen: &Observed) -> Option<DivergenceClass> {
    let says_nothing = |end: &End| match end {
        End::TimedOut | End::Failed(_) => true,
        End::Threw { class, .. } => {
            matches!(
                &**class,
                "java.lang.OutOfMemoryError" | "java.lang.StackOverflowError"
            )
        }
        End::Returned(_) | End::Exited(_) => false,
    };
    let ran = !says_nothing(&seen.old.end) && !says_nothing(&seen.new.end);
    (ran && !same_outcome(&seen.old, &seen.new))
        .then(|| DivergenceClass::of(true, &seen.old.end, &seen.new.end))
}
