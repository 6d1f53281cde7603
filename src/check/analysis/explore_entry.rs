//! The exploration of one entry of a changed method, and the replay of its paths.

use super::Analysis;
use super::sampler::{ExploredInputs, Sampler};
use super::searcher::Searcher;
use super::shared;
use crate::check::collector::Collector;
use crate::check::effort::{self, Allowance};
use crate::check::limits::Limits;
use crate::check::repetition::{Repetition, STRETCH};
use crate::error::Error;
use crate::jvm::Worker;
use crate::model::MethodRef;
use crate::model::reason::Reason;
use crate::model::tree::Tree;
use crate::symex::{Bounds, Explorer, PathEnd, Paths, Stop};
use crate::util::deadline::Deadline;
use std::sync::PoisonError;

/// A search that no exploration of the entry went before.
#[derive(Clone, Copy)]
pub(super) enum Search {
    /// For a moment, before the entry is explored.
    First,
    /// The same, from what tests pass.
    Tested,
    /// Through a public caller of a method that was explored without a finding.
    Through,
    /// For a moment, through a method that reads what another one left otherwise in its object: only what it does counts.
    Reading,
}

/// Searches one entry of a changed method, where the options ask for a search.
pub(super) fn search(
    analysis: &Analysis,
    entry: &MethodRef,
    how: Search,
    collector: &mut Collector,
    worker: &mut Option<Worker>,
) -> Result<(), Error> {
    if is_searched(analysis, entry) {
        let seeds = &ExploredInputs::default();
        let searcher = Searcher {
            analysis,
            entry,
            seeds,
            counts_state: !matches!(how, Search::Reading),
            deadline: analysis.deadline,
        };
        let worker = started(analysis, worker)?;
        match how {
            Search::First | Search::Reading => searcher.first(collector, worker)?,
            Search::Tested => searcher.tested(collector, worker)?,
            Search::Through => searcher.through(collector, worker)?,
        }
    }
    Ok(())
}

/// Whether the entry is run beyond what the exploration asks for.
fn is_searched(analysis: &Analysis, entry: &MethodRef) -> bool {
    analysis.options.budgets.search_runs > 0 && analysis.seeds.is_none() && may_run(analysis, entry)
}

/// Whether the entry may be run: it can't touch the world, or is kept from it.
fn may_run(analysis: &Analysis, entry: &MethodRef) -> bool {
    analysis.options.containment.may_touch_the_world() || touched(analysis, entry).is_none()
}

/// What of the world the entry could come to.
fn touched(analysis: &Analysis, entry: &MethodRef) -> Option<String> {
    super::world::reached(&[&analysis.old, &analysis.new, &analysis.library], entry)
}

/// The worker process, started when it is first needed.
fn started<'w>(
    analysis: &Analysis,
    worker: &'w mut Option<Worker>,
) -> Result<&'w mut Worker, Error> {
    let started = match worker.take() {
        Some(worker) => worker,
        None => {
            let cache = analysis.options.environment.cache.as_deref();
            let mut started = Worker::start(analysis.jdk, cache, &analysis.options.containment)?;
            started.end_by(analysis.deadline);
            started.export(&analysis.builds.exports);
            started.may_read(&analysis.readable);
            started
        }
    };
    Ok(worker.insert(started))
}

/// Explores one entry of a changed method the way the options ask for.
pub(super) fn explore(
    analysis: &Analysis,
    entry: &MethodRef,
    allowance: &mut Allowance,
    collector: &mut Collector,
    worker: &mut Option<Worker>,
) -> Result<(), Error> {
    if !analysis.options.containment.may_touch_the_world()
        && let Some(member) = touched(analysis, entry)
    {
        let detail = format!("it could come to {member}, and can't be contained here");
        collector.limit(Stop::unsupported(Reason::Uncontained, detail), None);
        return Ok(());
    }
    let worker = started(analysis, worker)?;
    let Some(seeds) = &analysis.seeds else {
        return complete(analysis, entry, allowance, collector, worker);
    };
    let (inputs, all) = seeds.of(entry);
    for (what, count) in seeds.refused(entry) {
        for _ in 0..*count {
            collector.limit(Stop::unsupported(Reason::ConcolicInput, what.clone()), None);
        }
    }
    let detail = match inputs.len() {
        0 => "no concrete input calls it".to_string(),
        n => format!("explored along {n} of {all} concrete inputs, and behind divergences"),
    };
    collector.limit(Stop::unsupported(Reason::Concolic, detail), None);
    for (i, one) in inputs.iter().enumerate() {
        let mut share = allowance.share(inputs.len() - i);
        let explorer = analysis.along(entry, one, &share);
        let met = run(analysis, entry, explorer, collector, worker)?;
        share.spend(met.effort);
        allowance.leave(share);
        collector.limits(met.limits);
        collector.result.trees.extend(met.tree);
    }
    Ok(())
}

/// Explores all inputs within the bounds. Where that takes more than the effort allowed and shows nothing, the same within
/// narrower bounds: what is small enough to be explored to the end often shows what depth first search did not come to.
fn complete(
    analysis: &Analysis,
    entry: &MethodRef,
    allowance: &mut Allowance,
    collector: &mut Collector,
    worker: &mut Worker,
) -> Result<(), Error> {
    let wide = analysis.bounds(allowance);
    let mut explore = |bounds: &Bounds, collector: &mut Collector| {
        // Other explorations may follow.
        let mut half = allowance.share(2);
        let bounds = bounds.with_effort(half.steps());
        let met = run_once(analysis, entry, &bounds, collector, worker)?;
        half.spend(met.effort);
        allowance.leave(half);
        Ok::<Explored, Error>(met)
    };
    let mut met = explore(&wide, collector)?;
    let mut effort = met.limits.take_effort();
    for narrow in wide.narrowed() {
        if effort.is_empty() || collector.has_findings() {
            break;
        }
        let mut closer = explore(&narrow, collector)?;
        let left = closer.limits.take_effort();
        met.limits.append(closer.limits);
        met.seeds.extend(closer.seeds);
        if left.is_empty() {
            let sizes = narrow.described(&met.limits.reasons());
            met.limits.add(narrowed(sizes, &effort), None);
            met.tree = closer.tree;
            effort = left;
        }
    }
    met.limits.append(effort);
    if met.limits.reasons().contains(&Reason::Repeats)
        && let Some(narrow) = wide.narrowed().first()
    {
        // What is small reads best, and depth first search may not have come to it.
        explore(narrow, collector)?;
    }
    let deadline = Deadline::at(wide.deadline);
    if allowance.comes_again() && met.limits.is_open() {
        // Inputs are tried when the exploration has had all of its effort.
    } else if analysis.options.budgets.search_runs > 0 {
        if !met.limits.is_empty() && !collector.has_regression() {
            let searcher = Searcher {
                analysis,
                entry,
                seeds: &met.seeds,
                counts_state: true,
                deadline,
            };
            searcher.run(collector, worker)?;
        }
    } else if met.limits.gave_up() && !collector.has_findings() {
        let sampler = Sampler {
            analysis,
            entry,
            seeds: &met.seeds,
            deadline,
        };
        sampler.run(collector, worker)?;
    }
    collector.limits(met.limits);
    collector.result.trees.extend(met.tree);
    Ok(())
}

/// The bound that is left where only inputs of these sizes could be explored to the end.
fn narrowed(sizes: String, beyond: &Limits) -> Stop {
    let reasons: Vec<&str> = beyond.reasons().into_iter().map(Reason::name).collect();
    let detail = format!("{sizes}; beyond: {}", reasons.join(", "));
    Stop::bound(Reason::Narrowed, detail)
}

/// Why a method gets no more effort whose paths repeat.
fn repeats() -> Stop {
    let detail = format!(
        "there are findings, and {STRETCH} paths in a row showed no other kind of end and no other branch; --exhaustive goes on"
    );
    Stop::unsupported(Reason::Repeats, detail)
}

/// What an exploration came to beside findings.
#[derive(Clone)]
pub(super) struct Explored {
    pub limits: Limits,
    tree: Option<(MethodRef, Tree)>,
    seeds: ExploredInputs,
    /// Steps it took.
    pub effort: u64,
}

/// Explores one entry method within these bounds, or takes over what that came to for another method.
fn run_once(
    analysis: &Analysis,
    entry: &MethodRef,
    bounds: &Bounds,
    collector: &mut Collector,
    worker: &mut Worker,
) -> Result<Explored, Error> {
    let within = || analysis.within(entry, analysis.strategy(), bounds.clone());
    let explorer = || analysis.spent.on("finding ways to make inputs", within);
    let Some((slot, mut begun)) = analysis.shared.slot(entry, bounds, collector) else {
        return run(analysis, entry, explorer(), collector, worker);
    };
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    let (gathered, explored) = match &*slot {
        Some(kept) => kept.clone(),
        None => {
            let explored = run(analysis, entry, explorer(), &mut begun, worker)?;
            if shared::is_kept(&explored) {
                *slot = Some((begun.clone(), explored.clone()));
            }
            (begun, explored)
        }
    };
    collector.take_over(gathered);
    Ok(explored)
}

/// Explores one entry method one way.
fn run(
    analysis: &Analysis,
    entry: &MethodRef,
    explorer: Result<Explorer, Stop>,
    collector: &mut Collector,
    worker: &mut Worker,
) -> Result<Explored, Error> {
    let mut limits = Limits::default();
    let mut paths = match explorer {
        Ok(explorer) => Paths::new(explorer, Some(analysis.permits.clone())),
        Err(stop) => {
            limits.add(stop, None);
            return Ok(Explored {
                limits,
                tree: None,
                seeds: ExploredInputs::default(),
                effort: 0,
            });
        }
    };
    let exhaustive = analysis.options.budgets.exhaustive;
    let mut repetition = Repetition::default();
    let spent = &analysis.spent;
    while let Some(end) = spent.on("following paths", || paths.next()) {
        repetition.path(entry, &end, paths.branches());
        if !exhaustive && repetition.is_enough() && collector.has_findings() {
            if !paths.begin_another() {
                limits.add(repeats(), None);
                break;
            }
            repetition.again();
        }
        match end {
            PathEnd::NoInput => {}
            PathEnd::Pruned => collector.result.paths.pruned += 1,
            PathEnd::GaveUp { stop, at } => {
                collector.result.paths.gave_up += 1;
                limits.add(stop, at);
            }
            PathEnd::Finished(path) => {
                // Runs along several inputs come to the same paths.
                if analysis.seeds.is_some() && !collector.is_new(entry, &path) {
                    continue;
                }
                collector.result.paths.finished += 1;
                collector.result.paths.diff += u64::from(path.control);
                let is_static = paths.explorer().entry_is_static();
                if !exhaustive && !collector.wants_replay(entry, &path) {
                    collector.predicted(entry, &path);
                    continue;
                }
                let mut seen = spent.on("replaying paths", || {
                    analysis.observe(worker, entry, is_static, &path.inputs)
                })?;
                paths.charge(effort::REPLAY);
                if let (Some(reason), Some(true), Some(once)) = (path.chance, path.differs, &seen) {
                    seen = analysis.steady(worker, entry, is_static, &path.inputs, once)?;
                    if seen.is_none() {
                        let detail = "the outcome differs from run to run";
                        limits.add(Stop::unsupported(reason, detail), None);
                        continue;
                    }
                }
                let before = collector.result.findings.len();
                let names = paths.explorer().parameter_names();
                collector.path(entry, is_static, names, *path, seen);
                analysis.found_behind(before, &collector.result);
            }
        }
    }
    let explorer = paths.end();
    for (reason, detail) in explorer.touched() {
        limits.add(Stop::bound(reason, detail), None);
    }
    collector.result.states += explorer.states();
    collector.result.solver_queries += explorer.solver_stats().queries;
    let tree = Some((entry.clone(), explorer.tree()));
    let seeds = ExploredInputs {
        untried: explorer.samples().all_untried().cloned().collect(),
        tried: explorer.samples().all_finished().cloned().collect(),
        names: explorer.parameter_names().to_vec(),
        is_static: explorer.entry_is_static(),
    };
    Ok(Explored {
        limits,
        tree,
        seeds,
        effort: explorer.effort(),
    })
}
