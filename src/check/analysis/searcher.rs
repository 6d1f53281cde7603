//! The search beyond the bounds for one entry of a changed method: what the worker is asked, and what becomes of its candidates.

mod rounds;

use super::Analysis;
use super::sampler::ExploredInputs;
use crate::bytecode::ClassPath;
use crate::bytecode::class_file::Method;
use crate::check::collector::Collector;
use crate::check::effort::{part_among, runs_among};
use crate::error::Error;
use crate::jvm::Worker;
use crate::jvm::search::{Places, Words};
use crate::local::Condition;
use crate::model::reason::Reason;
use crate::model::{Evidence, FoundBy, Input, Inputs, MethodRef, Spelling, Version};
use crate::options::Arithmetic;
use crate::search::{EntryKinds, Sources, Vocabulary, Woven, entry_kinds};
use crate::symex::Stop;
use crate::util::deadline::Deadline;
use rounds::Rounds;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Inputs of the exploration that a search begins with.
const MAX_SEEDS: usize = 200;
/// Where something else than a regression was found already, a regression is searched for with this part of the runs.
const PART: u32 = 4;
/// Runs of the search that comes before the exploration: a second's worth or less.
const FIRST_RUNS: u32 = 3_000;
/// The most runs of a caller: it may have many ways, and most lead past the change.
const MOST_THROUGH: u32 = 5_000;
/// How often inputs are made that take other branches than the last ones: for an entry, and for all entries of a method.
const GENERATIONS: u32 = 2;
const MOST_TURNINGS: u32 = 4;
/// Differences of a method's searches, one after the other, of which nothing stayed: of the next searches one is tried each.
const MOST_UNSTEADY: usize = 6;
/// The part of the runs that a search from such inputs gets, and the part of a method's effort that finding them may take.
const PART_OF_TURNED: u32 = 8;
const PART_TO_TURN: u64 = 8;
/// How often a search goes on of which nothing was confirmed.
const MOST_AGAIN: usize = 1;
/// Its name, and that of one that begins with what tests pass.
const FIRST: &str = "first";
const TESTED: &str = "tested";

/// Searches for inputs of one entry.
pub(super) struct Searcher<'a> {
    pub analysis: &'a Analysis<'a>,
    pub entry: &'a MethodRef,
    pub seeds: &'a ExploredInputs,
    /// Whether another state of receiver or arguments is a difference.
    pub counts_state: bool,
    /// The safety net of the whole run, or of the method's round.
    pub deadline: Deadline,
}

/// An entry as its class declares it.
pub(super) struct Entry {
    pub is_static: bool,
    pub names: Vec<String>,
    kinds: EntryKinds,
    /// Classes of libraries that make inputs.
    libraries: Vec<String>,
}

/// What all rounds of a search are told.
struct Scope<'a> {
    /// Class paths of both versions, with the probed classes first.
    paths: [Vec<PathBuf>; 2],
    places: [Places; 2],
    words: Words,
    sites: u32,
    entry: &'a Entry,
}

/// What a search came to.
#[derive(Default)]
struct Came {
    /// Inputs on which the versions differ.
    found: Vec<Inputs>,
    /// Inputs that came farthest.
    farthest: Vec<Inputs>,
    /// Inputs with which the entry ended the JVM by a fault.
    crashing: Vec<Inputs>,
    /// Whether objects of libraries, asked what they hold, did not end.
    is_unasked: bool,
}

impl Searcher<'_> {
    /// Searches for a moment, before anything is known.
    pub fn first(&self, collector: &mut Collector, worker: &mut Worker) -> Result<(), Error> {
        self.search(collector, worker, (FIRST, self.first_runs()))
    }

    /// Takes what tests pass to the entry; where the versions do the same with all of it, searches for a moment from there.
    pub fn tested(&self, collector: &mut Collector, worker: &mut Worker) -> Result<(), Error> {
        self.search(collector, worker, (TESTED, self.first_runs()))
    }

    /// Searches with what the exploration left. Where the search before it has looked for worse than what it found, it would do the
    /// same again.
    pub fn run(&self, collector: &mut Collector, worker: &mut Worker) -> Result<(), Error> {
        let is_exhaustive = self.analysis.options.budgets.exhaustive;
        if !is_exhaustive && collector.has_settled_findings_by(FoundBy::Search) {
            return Ok(());
        }
        let runs = self.most_runs(collector);
        let runs = match collector.has_settled_findings() {
            true => runs / PART,
            false => runs.saturating_sub(self.first_runs()),
        };
        self.search(collector, worker, ("", runs))
    }

    /// Searches a caller of what changed, with a part of the runs.
    pub fn through(&self, collector: &mut Collector, worker: &mut Worker) -> Result<(), Error> {
        let runs = (self.most_runs(collector) / PART).min(MOST_THROUGH);
        self.search(collector, worker, ("through", runs))
    }

    /// Runs of a first search: fewer where many methods wait for theirs.
    fn first_runs(&self) -> u32 {
        let all = self.analysis.options.budgets.search_runs.min(FIRST_RUNS);
        let runs = self.analysis.part_among_open(all.into(), part_among);
        u32::try_from(runs).unwrap_or(all)
    }

    /// How often branches are turned for a method of the patch: once at least.
    fn most_turnings(&self) -> u32 {
        let all = u64::from(MOST_TURNINGS);
        let part = self.analysis.part_among_open(all, part_among);
        u32::try_from(part.max(1)).unwrap_or(MOST_TURNINGS)
    }

    /// Runs that a method of the patch gets. One that is alone gets no more than one among others where the patch's own tests show a
    /// difference of it.
    fn most_runs(&self, collector: &Collector) -> u32 {
        let all = self.analysis.options.budgets.search_runs;
        let among = if collector.is_tested_by_patch {
            part_among
        } else {
            runs_among
        };
        let runs = self.analysis.part_among_open(all.into(), among);
        u32::try_from(runs).unwrap_or(u32::MAX)
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
        if self.deadline.is_over() {
            collector.limit(out_of_time(), None);
            return Ok(());
        }
        let Some(entry) = self.entry(&collector.result.method)? else {
            return Ok(());
        };
        // Which inputs there can be takes seconds to tell where there are thousands of classes.
        if self.deadline.is_over() {
            collector.limit(out_of_time(), None);
            return Ok(());
        }
        if runs.0 == TESTED {
            self.differing_tests(collector, worker, &entry)?;
            if collector.has_findings() {
                return Ok(());
            }
        }
        let Some(woven) = self.analysis.woven() else {
            return Ok(());
        };
        let (name, mut left) = runs;
        for again in 0..=MOST_AGAIN {
            let name = format!("{name}{}", "again".repeat(again));
            let came = self.searched(collector, worker, (woven, &entry), (&name, left))?;
            let is_any = !came.found.is_empty();
            worker.ask_libraries(!came.is_unasked);
            let is_shown = self.confirm_all(collector, worker, &entry, came.found)?;
            worker.ask_libraries(true);
            if !is_shown {
                self.confirm_faults(collector, worker, &entry, came.crashing)?;
            }
            if is_shown || !is_any || self.deadline.is_over() {
                break;
            }
            // What differs by chance has ended the search before its time.
            left /= PART;
        }
        Ok(())
    }

    /// Confirms what a search found; whether replays show any of it.
    fn confirm_all(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        entry: &Entry,
        found: Vec<Inputs>,
    ) -> Result<bool, Error> {
        let analysis = self.analysis;
        let (settled, any) = (collector.has_settled_findings(), collector.has_findings());
        let mut is_any_shown = false;
        collector.by = FoundBy::Search;
        for (at, inputs) in found.into_iter().enumerate() {
            let says_nothing = at > 0 && collector.unsteady >= MOST_UNSTEADY;
            if says_nothing || self.deadline.is_over() {
                break;
            }
            let known = settled || any && inputs.has_null();
            let before = collector.result.findings.len();
            let is_shown = analysis.spent.on("confirming inputs", || {
                self.confirm(collector, worker, entry, inputs, known)
            })?;
            collector.unsteady = if is_shown { 0 } else { collector.unsteady + 1 };
            is_any_shown |= is_shown;
            analysis.found_behind(before, &collector.result);
        }
        if self.deadline.is_over() {
            collector.limit(out_of_time(), None);
        }
        collector.by = FoundBy::Exploration;
        Ok(is_any_shown)
    }

    /// The entry and the kinds of its inputs, where both versions have it.
    fn entry(&self, changed: &MethodRef) -> Result<Option<Entry>, Error> {
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
        let classes = analysis.new.dir_classes()?;
        let sources = Sources {
            old: &analysis.old,
            new: &analysis.new,
            library: &analysis.library,
            classes: &classes,
            heeds_nullness: analysis.heeds_nullness(),
        };
        let never_null = analysis.never_null(self.entry)?;
        let kinds = entry_kinds(sources, (self.entry, method), changed, &never_null)?;
        let own: BTreeSet<String> = classes.iter().map(|c| c.name.to_string()).collect();
        Ok(Some(Entry {
            is_static: method.access & crate::bytecode::access::STATIC != 0,
            names: method
                .parameter_names
                .iter()
                .map(|n| n.to_string())
                .collect(),
            libraries: kinds.libraries(&own),
            kinds,
        }))
    }

    /// What the worker finds: from what is known, and where that is nothing, from inputs that take other branches than those that
    /// came farthest (generational search, SAGE, NDSS 2008 §3).
    fn searched(
        &self,
        collector: &mut Collector,
        worker: &mut Worker,
        (woven, entry): (&Woven, &Entry),
        (name, left): (&str, u32),
    ) -> Result<Came, Error> {
        let analysis = self.analysis;
        let changed = collector.result.method.clone();
        let places = Version::BOTH.map(|v| woven.places(v, &changed));
        let scope = Scope {
            paths: Version::BOTH.map(|v| self.path(woven, v)),
            places,
            words: self.words(&changed)?,
            sites: woven.sites,
            entry,
        };
        let tested = analysis.tests().inputs(self.entry);
        let known = tested.iter().map(|t| &t.inputs);
        let known = known
            .take(MAX_SEEDS / 2)
            .chain(self.seeds.untried.iter().chain(&self.seeds.tried));
        let seeds: Vec<Inputs> = known.take(MAX_SEEDS).cloned().collect();
        let mut evidence = Evidence {
            sources: self.sources(entry),
            ..Evidence::default()
        };
        let rounds = Rounds::new(self, &scope, (name, left, &seeds));
        let mut came = rounds.run(collector, worker, &mut evidence)?;
        for generation in 0..GENERATIONS {
            let is_found = !came.found.is_empty() || !came.crashing.is_empty();
            let is_enough = is_found || came.farthest.is_empty();
            let is_over = self.deadline.is_over() || collector.turnings >= self.most_turnings();
            if [FIRST, TESTED].contains(&name) || is_enough || is_over {
                break;
            }
            collector.turnings += 1;
            let turned = analysis
                .spent
                .on("turning branches", || self.turned(&came.farthest));
            if turned.is_empty() {
                break;
            }
            tracing::debug!(turned = turned.len(), "branches turned");
            evidence.sources.push("branches".to_string());
            let name = format!("{name}turned{generation}");
            let seeds: Vec<Inputs> = turned.into_iter().chain(came.farthest).collect();
            let given = (&*name, left / PART_OF_TURNED, &*seeds);
            came = Rounds::new(self, &scope, given).run(collector, worker, &mut evidence)?;
        }
        if name == FIRST && !evidence.reached {
            collector.unreaching.insert(self.entry.clone());
        }
        collector.evidence(evidence);
        Ok(came)
    }

    /// Inputs that take other branches than these.
    fn turned(&self, inputs: &[Inputs]) -> Vec<Inputs> {
        let all = self.analysis.allowance().steps() / PART_TO_TURN;
        let steps = all / inputs.len().max(1) as u64;
        let turned = inputs
            .iter()
            .flat_map(|one| self.analysis.turned(self.entry, one, steps));
        let mut all: Vec<Inputs> = Vec::new();
        for one in turned {
            if !all.contains(&one) && !inputs.contains(&one) {
                all.push(one);
            }
        }
        all
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
}

/// The clock ended the search.
fn out_of_time() -> Stop {
    Stop::unsupported(Reason::MethodTimeout, "the time limit ended the search")
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
