//! The search beyond the bounds for one entry of a changed method: what the worker is asked, and what becomes of its candidates.

use super::Analysis;
use super::sampler::ExploredInputs;
use crate::bytecode::ClassPath;
use crate::bytecode::class_file::Method;
use crate::check::collector::Collector;
use crate::error::Error;
use crate::jvm::Worker;
use crate::jvm::search::Words;
use crate::jvm::search::{SearchRequest, Searched};
use crate::local::Condition;
use crate::model::reason::Reason;
use crate::model::{
    DivergenceClass, End, Evidence, FoundBy, Input, Inputs, MethodRef, Situation, Spelling, Version,
};
use crate::options::Arithmetic;
use crate::replay::{self, Observed, same_outcome};
use crate::search::{EntryKinds, Sources, Vocabulary, Woven, entry_kinds};
use crate::symex::{PathEnd, Stop};
use crate::util::random::Random;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Searches begun anew behind an input that hung or ended the process.
const MAX_ROUNDS: u32 = 3;
/// Loop turns and calls of one run in one version.
const STEPS: u32 = 200_000;
/// Inputs of the exploration that a search begins with.
const MAX_SEEDS: usize = 200;
/// Inputs of tests that are confirmed.
const MAX_TESTED: usize = 4;
/// Limit of one replay of a candidate.
const LIMIT: Duration = Duration::from_millis(3000);
/// Limit of further ones where the first showed that one version never seems to end.
const SOON: Duration = Duration::from_millis(500);
/// Longest path condition that is shown of an input found so, in bytes.
const MAX_CONDITION: usize = 400;
/// Where something else than a regression was found already, a regression is searched for with this part of the runs.
const PART: u32 = 4;
/// Runs of the search that comes before the exploration: a second's worth or less.
const FIRST_RUNS: u32 = 4_000;
/// Its name.
const FIRST: &str = "first";

/// Searches for inputs of one entry.
pub(super) struct Searcher<'a> {
    pub analysis: &'a Analysis<'a>,
    pub entry: &'a MethodRef,
    pub seeds: &'a ExploredInputs,
}

/// An entry as its class declares it.
struct Entry {
    is_static: bool,
    names: Vec<String>,
    kinds: EntryKinds,
}

impl Searcher<'_> {
    /// Searches for a moment, before anything is known.
    pub fn first(&self, collector: &mut Collector, worker: &mut Worker) -> Result<(), Error> {
        let runs = self.analysis.options.budgets.search_runs.min(FIRST_RUNS);
        self.search(collector, worker, (FIRST, runs))
    }

    /// Searches with what the exploration left.
    pub fn run(&self, collector: &mut Collector, worker: &mut Worker) -> Result<(), Error> {
        let runs = self.analysis.options.budgets.search_runs;
        let runs = match collector.has_findings() {
            true => runs / PART,
            false => runs.saturating_sub(FIRST_RUNS),
        };
        self.search(collector, worker, ("", runs))
    }

    /// Searches a caller of what changed, with a part of the runs.
    pub fn through(&self, collector: &mut Collector, worker: &mut Worker) -> Result<(), Error> {
        let runs = self.analysis.options.budgets.search_runs / PART;
        self.search(collector, worker, ("through", runs))
    }

    /// Searches that many runs, confirms what is found, and adds the evidence. A search's name decides what it draws.
    fn search(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        runs: (&str, u32),
    ) -> Result<(), Error> {
        if self.analysis.options.bounds.arith == Arithmetic::Unbounded {
            return Ok(());
        }
        let (Some(woven), Some(entry)) = (self.analysis.woven(), self.entry()?) else {
            return Ok(());
        };
        if runs.0 == FIRST {
            self.tested(collector, worker, &entry)?;
        }
        let found = self.searched(collector, worker, (woven, &entry), runs)?;
        let analysis = self.analysis;
        let known = collector.has_findings();
        collector.by = FoundBy::Search;
        for inputs in found {
            let before = collector.result.findings.len();
            self.confirm(collector, worker, &entry, inputs, known)?;
            if let Some(finding) = collector.result.findings.get(before) {
                analysis.found(&collector.result.method, finding);
            }
        }
        collector.by = FoundBy::Exploration;
        Ok(())
    }

    /// What tests passed to the entry and the versions did not do the same with.
    fn tested(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        entry: &Entry,
    ) -> Result<(), Error> {
        let known = collector.has_findings();
        let inputs = self.analysis.tests().inputs(self.entry).iter();
        for tested in inputs.filter(|t| t.differs).take(MAX_TESTED) {
            collector.by = FoundBy::Tests;
            collector.situation = Some(Situation {
                test: tested.test.clone(),
                call: None,
                is_written: true,
            });
            let inputs = tested.inputs.clone();
            self.confirm(collector, worker, entry, inputs, known)?;
        }
        collector.by = FoundBy::Exploration;
        collector.situation = None;
        Ok(())
    }

    /// The entry and the kinds of its inputs, where both versions have it.
    fn entry(&self) -> Result<Option<Entry>, Error> {
        let name = self.entry.class.internal();
        let analysis = self.analysis;
        let Some(class) = analysis.new.find(&name)? else {
            return Ok(None);
        };
        let is =
            |m: &&Method| *m.name == *self.entry.name && *m.descriptor == *self.entry.descriptor;
        let Some(method) = class.methods.iter().find(is) else {
            return Ok(None);
        };
        let classes = super::classes(&analysis.new)?;
        let sources = Sources {
            old: &analysis.old,
            new: &analysis.new,
            library: &analysis.library,
            classes: &classes,
        };
        let never_null = analysis.never_null(self.entry)?;
        let kinds = entry_kinds(sources, self.entry, method, &never_null)?;
        Ok(Some(Entry {
            is_static: method.access & crate::bytecode::access::STATIC != 0,
            names: method
                .parameter_names
                .iter()
                .map(|n| n.to_string())
                .collect(),
            kinds,
        }))
    }

    /// What the worker finds, in as many rounds as it takes.
    fn searched(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        (woven, entry): (&Woven, &Entry),
        (name, mut left): (&str, u32),
    ) -> Result<Vec<Inputs>, Error> {
        let analysis = self.analysis;
        let changed = collector.result.method.clone();
        let words = self.words(&changed)?;
        let places = Version::BOTH.map(|v| woven.places(v, &changed));
        let paths = Version::BOTH.map(|v| self.path(woven, v));
        let tested = analysis.tests().inputs(self.entry);
        let known = tested.iter().map(|t| &t.inputs);
        let known = known
            .take(MAX_SEEDS / 2)
            .chain(self.seeds.untried.iter().chain(&self.seeds.tried));
        let seeds: Vec<Inputs> = known.take(MAX_SEEDS).cloned().collect();
        let (mut found, mut evidence) = (Vec::new(), Evidence::default());
        for round in 0..MAX_ROUNDS {
            if left == 0 || !found.is_empty() {
                break;
            }
            let name = format!("{name}{}{}{round}", self.entry.name, self.entry.descriptor);
            let searched = worker.search(&SearchRequest {
                old: &paths[0],
                new: &paths[1],
                entry: self.entry,
                is_static: entry.is_static,
                runs: left,
                steps: STEPS,
                seed: Random::new(analysis.options.exploration.seed, &name).bits(),
                sites: woven.sites,
                places: [&places[0], &places[1]],
                kinds: &entry.kinds.kinds,
                receiver: entry.kinds.receiver,
                parameters: &entry.kinds.parameters,
                words: &words,
                range: analysis
                    .options
                    .bounds
                    .int_range
                    .unwrap_or((i64::MIN, i64::MAX)),
                seeds: if round == 0 { &seeds } else { &[] },
            })?;
            tracing::debug!(
                entry = format!("{}#{}", self.entry.class, self.entry.name),
                runs = searched.runs,
                unbuilt = searched.unbuilt,
                reached = ?searched.reached,
                kept = searched.kept,
                unsteady = searched.unsteady,
                found = searched.found.len(),
                "searched"
            );
            left = left.saturating_sub(searched.runs);
            count(&mut evidence, &searched);
            let more = searched.broken;
            if more {
                let detail = "an input of the search hung, or ended the process".to_string();
                collector.limit(Stop::bound(Reason::SearchInput, detail), None);
            }
            found.extend(searched.found);
            if !more {
                break;
            }
        }
        evidence.sources = self.sources(entry);
        collector.evidence(evidence);
        Ok(found)
    }

    /// Literals and other values that the program and the proof of the changed method speak of.
    fn words(&self, changed: &MethodRef) -> Result<Words, Error> {
        let analysis = self.analysis;
        let mut words = Vocabulary::default();
        for path in [&analysis.new, &analysis.old] {
            words.add_program(path, changed, self.entry)?;
        }
        for source in analysis.readings.of(changed) {
            words.add_source(source, [changed, self.entry]);
        }
        if let Some(outcome) = analysis.proof(changed) {
            words.add_values(&values(&outcome.condition));
        }
        Ok(words.words())
    }

    fn sources(&self, entry: &Entry) -> Vec<String> {
        let mut sources = Vec::new();
        if !entry.kinds.parameters.is_empty() || entry.kinds.receiver.is_some() {
            sources.extend(["random".to_string(), "literals".to_string()]);
        }
        if !self.analysis.tests().inputs(self.entry).is_empty() {
            sources.push("tests".to_string());
        }
        if !self.seeds.tried.is_empty() || !self.seeds.untried.is_empty() {
            sources.push("exploration".to_string());
        }
        sources
    }

    /// The class path with the probed classes first. Behind them the build itself, for what is no class.
    fn path(&self, woven: &Woven, version: Version) -> Vec<PathBuf> {
        let builds = &self.analysis.replay;
        let rest = match version {
            Version::Old => &builds.old,
            Version::New => &builds.new,
        };
        let first = woven.folders[version as usize].clone();
        std::iter::once(first).chain(rest.iter().cloned()).collect()
    }

    /// Takes a candidate that all replays show: with the prediction of the engine where it can follow that input, else as the JVM
    /// shows it. Where something is known already, only regressions count.
    fn confirm(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        entry: &Entry,
        inputs: Inputs,
        known: bool,
    ) -> Result<(), Error> {
        let builds = replay::ClassPaths {
            limit: self.analysis.replay.limit.min(LIMIT),
            ..self.analysis.replay.clone()
        };
        let seen: Observed =
            replay::observe(worker, &builds, self.entry, entry.is_static, &inputs)?;
        let shows = class(&seen);
        if shows.is_none() || known && shows != Some(DivergenceClass::Regression) {
            return Ok(());
        }
        let is_static = entry.is_static;
        let again = match hangs(&seen) {
            false => builds,
            // The other version ended in a moment: so it has to each time.
            true => replay::ClassPaths {
                limit: builds.limit.min(SOON),
                ..builds
            },
        };
        let steady = replay::steady(worker, &again, self.entry, is_static, &inputs, &seen)?;
        let Some(seen) = steady else {
            return Ok(());
        };
        if !hangs(&seen)
            && let Ok(mut explorer) = self.analysis.just(self.entry, &inputs)
        {
            let finished = explorer.find_map(|end| match end {
                PathEnd::Finished(path) if path.inputs == inputs => Some(path),
                _ => None,
            });
            if let Some(mut path) = finished {
                // Of a long run the condition is no explanation.
                if path.condition.len() > MAX_CONDITION {
                    path.condition.clear();
                }
                let before = collector.result.findings.len();
                collector.path(
                    self.entry,
                    is_static,
                    &entry.names,
                    *path,
                    Some(seen.clone()),
                );
                if collector.result.findings.len() > before {
                    return Ok(());
                }
            }
        }
        collector.observed(self.entry, (is_static, &entry.names), inputs, seen);
        Ok(())
    }
}

fn hangs(seen: &Observed) -> bool {
    [&seen.old, &seen.new]
        .iter()
        .any(|o| o.end == End::TimedOut)
}

/// The class of a divergence, where one is seen. That one version hangs or overflows the stack is one where the other does not;
/// runs that could not be made, or ran out of memory, show none.
fn class(seen: &Observed) -> Option<DivergenceClass> {
    let threw = |end: &End, what: &str| matches!(end, End::Threw { class, .. } if class == what);
    let says_nothing =
        |end: &End| matches!(end, End::Failed(_)) || threw(end, "java.lang.OutOfMemoryError");
    let never_ends =
        |end: &End| *end == End::TimedOut || threw(end, "java.lang.StackOverflowError");
    let (old, new) = (&seen.old.end, &seen.new.end);
    if says_nothing(old) || says_nothing(new) || never_ends(old) && never_ends(new) {
        return None;
    }
    (!same_outcome(&seen.old, &seen.new)).then(|| DivergenceClass::of(true, old, new))
}

fn count(evidence: &mut Evidence, searched: &Searched) {
    let [_, _, both] = searched.reached;
    evidence.runs += u64::from(searched.runs);
    evidence.runs_reached += u64::from(both);
    evidence.reached |= both > 0;
}

impl Analysis<'_> {
    /// Both builds with probes, made when first asked for; `None` where that fails.
    fn woven(&self) -> Option<&Woven> {
        let make = || {
            let folders: [&Path; 2] = [&self.builds.old, &self.builds.new];
            let paths: [&ClassPath; 2] = [Arc::as_ref(&self.old), Arc::as_ref(&self.new)];
            Woven::make(folders, paths, None).ok()
        };
        self.woven.get_or_init(make).as_ref()
    }
}

/// The values of a state in which the versions may differ, as inputs hold them.
fn values(condition: &Condition) -> Inputs {
    let numbers = condition.numbers.iter().map(|n| Input::Long(*n));
    let texts = condition.texts.iter().map(|t| Input::Str(t.clone()));
    Inputs {
        receiver: None,
        args: numbers.chain(texts).collect(),
    }
}
