//! One changed method: the first search, then the exploration, and the combined result.

use super::explore_entry::Search;
use super::{Analysis, explore_entry, proofs, tested};
use crate::bytecode::ClassPath;
use crate::bytecode::access::PUBLIC;
use crate::check::access::access;
use crate::check::changed_method::ChangedMethod;
use crate::check::cluster;
use crate::check::collector::{Collector, set_verdict};
use crate::check::functions;
use crate::check::labels::labels;
use crate::check::limits::Limits;
use crate::check::nameable::nameable;
use crate::check::representation::Representation;
use crate::error::Error;
use crate::jvm::Worker;
use crate::model::reason::Reason;
use crate::model::{Finding, Label, MethodRef, MethodResult, Spelling};
use crate::replay::{name_folders, same_outcome};
use crate::symex::Stop;
use crate::util::counted::first;
use crate::util::temporary;
use std::time::Instant;

/// Most methods that are named on which a proof rests.
const MOST_NAMES: usize = 3;

/// What a round may take for a method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// The part of the effort: one in so many.
    pub part: u64,
    /// Whether another round comes where this is not enough.
    pub comes_again: bool,
    /// Whether nothing more is done: the method can differ only where others do, and these have shown a difference.
    pub rests: bool,
}

/// Begins with a method: what stands in the way of its analysis, or else what a short search finds.
pub(super) fn begin(
    analysis: &Analysis,
    method: &ChangedMethod,
    worker: &mut Option<Worker>,
) -> Result<Collector, Error> {
    let started = Instant::now();
    let mut collector = Collector::new(method);
    if let Some(why) = &method.uncompiled {
        collector.limit(Stop::unsupported(Reason::DoesNotCompile, why), None);
    } else if let Some(why) = method.one_sided {
        let detail = format!("{why}; callers are analysed on their own");
        collector.limit(Stop::unsupported(Reason::SignatureChanged, detail), None);
    } else if method.same_code {
        collector.result.level_reason = "the bytecode is the same".into();
    } else if analysis.is_proved(&method.id) {
        collector.result.level_reason = "proved before it was explored".into();
    } else if method.entries().is_empty() {
        collector.limit(
            Stop::unsupported(Reason::NoEntry, "no accessible method calls it"),
            None,
        );
    } else if let Some(why) = &method.passed_over {
        collector.limit(Stop::unsupported(Reason::GeneratedCode, why), None);
    } else {
        if method.has_more_entries() {
            let detail = "entered through some of its callers only".to_string();
            collector.limit(Stop::bound(Reason::Entries, detail), None);
        }
        if let Some(why) = &method.redispatched {
            collector.limit(Stop::unsupported(Reason::SignatureChanged, why), None);
        }
        let all = |_: &&MethodRef| true;
        search_all(
            analysis,
            method,
            (Search::First, all),
            &mut collector,
            worker,
        )?;
    }
    collector.result.seconds = started.elapsed().as_secs_f64();
    Ok(collector)
}

/// Goes on with what tests pass to the entries of a method.
pub(super) fn begin_with_tests(
    analysis: &Analysis,
    method: &ChangedMethod,
    mut collector: Collector,
    worker: &mut Option<Worker>,
) -> Result<Collector, Error> {
    let started = Instant::now();
    if method.is_analysed() && !analysis.is_proved(&method.id) {
        let tested = |entry: &&MethodRef| !analysis.tests().inputs(entry).is_empty();
        search_all(
            analysis,
            method,
            (Search::Tested, tested),
            &mut collector,
            worker,
        )?;
    }
    tested::announce(analysis, method, &mut collector);
    collector.result.seconds += started.elapsed().as_secs_f64();
    Ok(collector)
}

/// Searches the entries of a method that are wanted, and its further callers as long as nothing is found.
fn search_all(
    analysis: &Analysis,
    method: &ChangedMethod,
    (how, wanted): (Search, impl Fn(&&MethodRef) -> bool),
    collector: &mut Collector,
    worker: &mut Option<Worker>,
) -> Result<(), Error> {
    for entry in method.entries().iter().filter(&wanted) {
        if !is_told(analysis, method, entry, collector) {
            explore_entry::search(analysis, entry, how, collector, worker)?;
        }
    }
    for caller in method.callers().filter(&wanted) {
        if !collector.has_settled_findings() {
            explore_entry::search(analysis, caller, how, collector, worker)?;
        }
    }
    for reader in method.readers.iter().filter(&wanted) {
        let may_be_hidden = method.keeps_objects && !collector.has_findings();
        if may_be_hidden || collector.has_hidden_findings() {
            explore_entry::search(analysis, reader, Search::Reading, collector, worker)?;
        }
    }
    Ok(())
}

/// The first names of methods on which a proof rests.
fn names(others: Option<&[MethodRef]>) -> String {
    let names = others.unwrap_or_default().iter();
    let names: Vec<String> = names.map(|m| format!("{}#{}", m.class, m.name)).collect();
    first(&names, MOST_NAMES, ", ")
}

/// Explores a method that was begun with, and sums up.
pub(super) fn finish(
    analysis: &Analysis,
    method: &ChangedMethod,
    mut collector: Collector,
    effort: Effort,
    worker: &mut Option<Worker>,
) -> Result<MethodResult, Error> {
    let started = Instant::now();
    if effort.rests {
        collector.limit(
            Stop::bound(Reason::RestsOn, names(analysis.but_for(&method.id))),
            None,
        );
    } else if method.is_analysed() && !analysis.is_proved(&method.id) {
        let mut allowance = analysis.part_of_allowance(effort);
        let entries = method.entries();
        for (i, entry) in entries.iter().enumerate() {
            if is_known(method, entry, &collector) || is_told(analysis, method, entry, &collector) {
                continue;
            }
            let mut share = allowance.share(entries.len() - i);
            explore_entry::explore(analysis, entry, &mut share, &mut collector, worker)?;
            allowance.leave(share);
        }
        let comes_again = effort.comes_again && collector.is_open();
        for caller in method.callers().filter(|_| !comes_again) {
            // Of those that did not lead to the change at first, hardly any do later.
            let leads = !collector.unreaching.contains(caller);
            if leads && !collector.has_settled_findings() && collector.has_limits() {
                explore_entry::search(analysis, caller, Search::Through, &mut collector, worker)?;
            }
        }
        if !comes_again && !collector.has_findings() && collector.has_limits() {
            for caller in analysis.far_callers(method, &collector)? {
                if !collector.has_findings() {
                    explore_entry::search(
                        analysis,
                        &caller,
                        Search::Through,
                        &mut collector,
                        worker,
                    )?;
                }
            }
        }
    }
    tested::tell(analysis, method, &mut collector);
    let mut result = collector.finish();
    let folders = temporary::begin();
    for finding in &mut result.findings {
        let classes = [&*analysis.new, &*analysis.library];
        finding.direct =
            finding.is_written() && nameable(&classes, &finding.entry, &finding.inputs);
        name_folders(&mut finding.old, &folders);
        name_folders(&mut finding.new, &folders);
        let is_own = |class: &str| analysis.is_own(class);
        let representation = Representation { is_own: &is_own };
        let access = access(&analysis.new, &finding.entry);
        finding.telling.labels = labels(finding, access, &representation);
        finding.telling.shown = functions::shown(finding, &classes);
        let is_open = finding.is_told() && finding.telling.shown.is_none();
        if let (true, Some(worker)) = (is_open, worker.as_mut()) {
            let asked = || analysis.look_outside(worker, finding);
            analysis.spent.on("asking objects", asked)?;
            if finding.telling.shown.is_some() {
                // What a method of the receiver answers differs as well.
                let labels = &mut finding.telling.labels;
                labels.retain(|l| *l != Label::ReceiverState);
            }
        }
    }
    leave_out_of_one_version(analysis, &mut result);
    match analysis.proof(&method.id) {
        Some(outcome) if outcome.proved => proofs::set_proved(&mut result, outcome),
        Some(outcome) if result.findings.is_empty() => {
            result.local_conditions = outcome.condition.text.iter().cloned().collect();
        }
        _ => {}
    }
    cluster::fold_shown(&result.method, &mut result.findings);
    result.seconds += started.elapsed().as_secs_f64();
    Ok(result)
}

/// Leaves out findings in fields that only one version has, where no question to the object showed a difference: explorations, searches and
/// proofs do not compare these either. Where the JVM shows no difference at all, it is in what a class of a library keeps to itself.
fn leave_out_of_one_version(analysis: &Analysis, result: &mut MethodResult) {
    let is_left = |f: &Finding| {
        f.telling.labels.contains(&Label::HiddenState) && analysis.is_of_one_version(f)
    };
    let (left, kept): (Vec<Finding>, Vec<Finding>) = std::mem::take(&mut result.findings)
        .into_iter()
        .partition(is_left);
    result.findings = kept;
    if left.iter().any(|f| same_outcome(&f.old, &f.new)) {
        let mut limits = Limits::default();
        let detail = "state that a library's class keeps to itself";
        limits.add(Stop::unsupported(Reason::OpaqueOutcome, detail), None);
        result.limits.extend(limits.list());
    }
    if !left.is_empty() {
        set_verdict(result);
    }
}

/// Whether code outside of a private class has nothing to show: the method alone was followed without limits and without a finding.
fn is_known(method: &ChangedMethod, entry: &MethodRef, collector: &Collector) -> bool {
    let is_same = !collector.has_limits() && !collector.has_findings();
    method.is_inside() && *entry != method.id && is_same
}

/// Whether an entry could only show once more what is found: another class's, or any of a class's set-up. Of a private class's method it is
/// other code's turn until that has shown something.
fn is_told(
    analysis: &Analysis,
    method: &ChangedMethod,
    entry: &MethodRef,
    collector: &Collector,
) -> bool {
    let is_set_up = matches!(&*method.id.name, "<clinit>" | "$values");
    let is_elsewhere = is_set_up || entry.class != method.id.class;
    let is_shown = match method.is_inside() {
        true => *entry != method.id && collector.has_findings_beside(&method.id),
        false => is_elsewhere && collector.has_findings_beside(entry),
    };
    is_shown && !analysis.options.budgets.exhaustive
}

impl Analysis<'_> {
    /// Whether a class that others can't name is one that only one of the versions has.
    fn is_own(&self, class: &str) -> bool {
        let find = |path: &ClassPath| path.find(&class.internal()).ok().flatten();
        match (find(&self.old), find(&self.new)) {
            (Some(file), None) | (None, Some(file)) => !file.is_open(),
            _ => false,
        }
    }

    /// Whether callers anywhere can call a method of the new version.
    pub(in crate::check) fn is_public(&self, id: &MethodRef) -> bool {
        access(&self.new, id).is_some_and(|flags| flags & PUBLIC != 0)
    }

    /// Whether a method's class in the new version is private, or in a private one.
    pub(in crate::check) fn is_private(&self, id: &MethodRef) -> bool {
        let class = self.new.find(&id.class.internal()).ok().flatten();
        class.is_some_and(|class| class.is_private())
    }
}
