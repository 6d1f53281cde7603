//! The collector of one method's results: findings, limits, verdict.

use super::unlinked::missing;
use crate::check::changed_method::ChangedMethod;
use crate::check::cluster;
use crate::check::failing_inputs::is_of_one_version;
use crate::check::from_tests;
use crate::check::limits::Limits;
use crate::check::refusal::refusal;
use crate::check::replays::{PathKind, Replays, size};
use crate::java_text;
use crate::model::reason::Reason;
use crate::model::{
    Decision, DivergenceClass, Evidence, Finding, FoundBy, Inputs, Kind, Location, MethodRef,
    MethodResult, PathCounts, Proof, Replay, Situation, Telling, Verdict,
};
use crate::replay::{self, mismatch};
use crate::symex::{FinishedPath, Stop};
use crate::util::temporary;
use std::collections::BTreeSet;

/// What one divergence shows.
struct ShownDivergence {
    differs: bool,
    control: bool,
    inputs: Inputs,
    seen: replay::Observed,
    condition: String,
    decisions: Vec<Decision>,
    diverged_at: Option<(Location, Location)>,
}

/// Gathers what the paths of one method say.
#[derive(Clone)]
pub(super) struct Collector {
    pub(super) same_code: bool,
    pub(super) result: MethodResult,
    pub(super) limits: Limits,
    pub(super) known: BTreeSet<(MethodRef, String, bool)>,
    pub(super) replays: Replays,
    /// Whether something was found before, in what another collector holds.
    pub(super) knows_findings: bool,
    /// Whether tests of the patch show a difference.
    pub(super) is_tested_by_patch: bool,
    /// Whether the method is a private class's that other code enters: what it shows alone settles nothing.
    pub(super) is_inside: bool,
    /// Places where the versions part on some path, and end alike.
    pub(super) harmless: BTreeSet<(Location, Location)>,
    /// What finds the divergences that come now.
    pub(super) by: FoundBy,
    /// The test in which they show.
    pub(super) situation: Option<Situation>,
    /// How often inputs were made that take other branches than those of a search.
    pub(super) turnings: u32,
    /// Entries of which no input came to the change in a first search.
    pub(super) unreaching: BTreeSet<MethodRef>,
    /// How often inputs broke the JVM of a search.
    pub(super) broken: u32,
    /// How often a fault ended it.
    pub(super) faults: u32,
    /// Differences of searches, one after the other, of which nothing stayed: results hold something that is another each time.
    pub(super) unsteady: usize,
    /// What searches to come go without: what did not end while it made parts of inputs, or may have broken the JVM.
    pub(super) avoided: BTreeSet<MethodRef>,
}

/// Whether a finding is no matter of a `null` in its input, nor of what the input was told to fail at, nor one of versions that both fail,
/// or that only leave other objects, nor known from a test of the patch.
fn settles(f: &Finding) -> bool {
    let alike = f.old.end.same_as(&f.new.end);
    let shows = !alike || f.old.printed != f.new.printed || f.old.files != f.new.files;
    let tells = f.class != DivergenceClass::ControlOnly && shows && !f.both_throw();
    tells && !f.inputs.has_null() && !f.is_of_patch() && !is_of_one_version(f)
}

impl Collector {
    pub(super) fn new(method: &ChangedMethod) -> Collector {
        Collector {
            same_code: method.same_code,
            limits: Limits::default(),
            known: BTreeSet::new(),
            replays: Replays::default(),
            knows_findings: false,
            is_tested_by_patch: false,
            is_inside: method.is_inside(),
            harmless: BTreeSet::new(),
            by: FoundBy::Exploration,
            situation: None,
            turnings: 0,
            unreaching: BTreeSet::new(),
            broken: 0,
            faults: 0,
            unsteady: 0,
            avoided: BTreeSet::new(),
            result: MethodResult {
                method: method.id.clone(),
                file: method.file.clone(),
                line: method.line,
                source: method.source.clone(),
                level: method.level,
                level_reason: method.reason.clone(),
                verdict: Verdict::Equivalent,
                proof: None,
                assumed: Vec::new(),
                local_conditions: Vec::new(),
                limits: Vec::new(),
                paths: PathCounts::default(),
                states: 0,
                solver_queries: 0,
                predictions: 0,
                predictions_confirmed: 0,
                mismatches: Vec::new(),
                seconds: 0.0,
                evidence: None,
                findings: Vec::new(),
                calls: Vec::new(),
                rests_on: Vec::new(),
                proved_but_for: Vec::new(),
                trees: Vec::new(),
            },
        }
    }

    pub(super) fn limit(&mut self, stop: Stop, at: Option<Location>) {
        self.limits.add(stop, at);
    }

    /// Adds what an exploration met.
    pub(super) fn limits(&mut self, limits: Limits) {
        self.limits.append(limits);
    }

    /// Whether any path shows other outcomes.
    pub(super) fn has_findings(&self) -> bool {
        let differs = |f: &Finding| f.class != DivergenceClass::ControlOnly;
        self.knows_findings || self.result.findings.iter().any(differs)
    }

    /// Whether anything was found that most callers would want to know: where not, it is looked for further.
    pub(super) fn has_settled_findings(&self) -> bool {
        let mut findings = self.result.findings.iter();
        self.knows_findings || findings.any(|f| self.settles(f))
    }

    fn settles(&self, f: &Finding) -> bool {
        settles(f) && !(self.is_inside && f.entry == self.result.method)
    }

    /// Whether all that was found is in objects that a run leaves, and no question to them shows it.
    pub(super) fn has_hidden_findings(&self) -> bool {
        let is_hidden = |f: &Finding| !settles(f) && !f.both_throw() && f.telling.shown.is_none();
        let mut findings = self.result.findings.iter();
        !self.knows_findings && self.has_findings() && findings.all(is_hidden)
    }

    /// Whether another input of the entry shows that the same is thrown at the same lines, with a `null` only if this one has one.
    pub(super) fn knows_alike(
        &self,
        entry: &MethodRef,
        inputs: &Inputs,
        seen: &replay::Observed,
    ) -> bool {
        let class = DivergenceClass::of(true, &seen.old.end, &seen.new.end);
        let Some(thrown) = cluster::thrown_at(class, [&seen.old.end, &seen.new.end]) else {
            return false;
        };
        self.result.findings.iter().any(|f| {
            let is_of_entry = f.entry == *entry && f.situation.is_none();
            is_of_entry
                && f.class == class
                && (inputs.has_null() || !f.inputs.has_null())
                && cluster::thrown_at(class, [&f.old.end, &f.new.end]).as_ref() == Some(&thrown)
        })
    }

    /// The same of those that were found in that way.
    pub(super) fn has_settled_findings_by(&self, by: FoundBy) -> bool {
        let mut findings = self.result.findings.iter();
        findings.any(|f| f.found_by == by && self.settles(f))
    }

    /// Whether another entry shows other outcomes.
    pub(super) fn has_findings_beside(&self, entry: &MethodRef) -> bool {
        let differs = |f: &Finding| f.class != DivergenceClass::ControlOnly && f.entry != *entry;
        self.result.findings.iter().any(differs)
    }

    /// Whether only the new version fails on any input seen.
    pub(super) fn has_regression(&self) -> bool {
        let mut findings = self.result.findings.iter();
        findings.any(|f| f.class == DivergenceClass::Regression)
    }

    /// Whether anything was given up or left.
    pub(super) fn has_limits(&self) -> bool {
        !self.limits.is_empty()
    }

    /// Runs of searches that came to the changed code in both versions.
    pub(super) fn runs_reached(&self) -> u64 {
        let evidence = self.result.evidence.as_ref();
        evidence.map_or(0, |e| e.runs_reached)
    }

    /// Whether more effort may show more.
    pub(super) fn is_open(&self) -> bool {
        self.limits.is_open()
    }

    /// Adds what a search of one entry came to.
    pub(super) fn evidence(&mut self, of: Evidence) {
        let known = self.result.evidence.get_or_insert_default();
        known.runs += of.runs;
        known.runs_reached += of.runs_reached;
        known.reached |= of.reached;
        known.obstacle = of.obstacle.or(known.obstacle.take());
        known.sources.extend(of.sources);
        known.sources.sort();
        known.sources.dedup();
    }

    /// Adds what the project's tests came to.
    pub(super) fn tested(&mut self, of: from_tests::Evidence) {
        let known = self.result.evidence.get_or_insert_default();
        known.reached = true;
        known.tests = of.tests;
        known.calls_compared = of.calls;
    }

    /// Whether no path of the same condition was seen.
    pub(super) fn is_new(&mut self, entry: &MethodRef, path: &FinishedPath) -> bool {
        let key = (entry.clone(), path.condition.clone(), path.control);
        self.known.insert(key)
    }

    /// Whether the JVM has to run a path.
    pub(super) fn wants_replay(&mut self, entry: &MethodRef, path: &FinishedPath) -> bool {
        self.replays.wants(entry, path)
    }

    /// Takes a path that stays a prediction: a divergence stands behind the finding of its kind.
    pub(super) fn predicted(&mut self, entry: &MethodRef, path: &FinishedPath) {
        if path.differs == Some(false) {
            self.harmless.extend(path.diverged_at.clone());
        }
        if path.differs == Some(true)
            && let Some(at) = self.replays.finding(&PathKind::of(entry, path))
            && let Some(finding) = self.result.findings.get_mut(at)
        {
            finding.represents += 1;
            cluster::keep_common(&mut finding.telling.decisions, &path.decisions);
        }
    }

    pub(super) fn path(
        &mut self,
        entry: &MethodRef,
        is_static: bool,
        names: &[String],
        path: FinishedPath,
        seen: Option<replay::Observed>,
    ) {
        let checked = seen.is_some();
        let (kind, size) = (PathKind::of(entry, &path), size(&path));
        let seen = seen.unwrap_or(replay::Observed {
            old: path.old.clone().unwrap_or(path.new.clone()),
            new: path.new.clone(),
        });
        if !self.is_as_predicted(entry, &path, (&seen, checked)) {
            return;
        }
        // Without a prediction of the old version the JVM is the judge, on this one input.
        let differs = path
            .differs
            .unwrap_or_else(|| !path.new.agrees_with(&seen.old));
        if path.differs.is_none() {
            let detail = "behind a divergence the old version was run on one input at most";
            self.limit(Stop::unsupported(Reason::OracleNew, detail), None);
        }
        if !differs {
            self.harmless.extend(path.diverged_at.clone());
        }
        if !differs && !path.control {
            return;
        }
        if let (true, Some(stop)) = (differs, refusal(&seen)) {
            self.limit(stop, None);
            return;
        }
        let found = ShownDivergence {
            differs,
            control: path.control,
            inputs: path.inputs,
            seen,
            condition: path.condition,
            decisions: path.decisions,
            diverged_at: path.diverged_at,
        };
        let at = self.found(entry, (is_static, names), found);
        if differs {
            self.replays.confirm(kind, size, at);
        }
    }

    /// Whether the JVM did what was predicted of the path, which counts where it ran it. What differs from run to run is no
    /// prediction.
    fn is_as_predicted(
        &mut self,
        entry: &MethodRef,
        path: &FinishedPath,
        (seen, checked): (&replay::Observed, bool),
    ) -> bool {
        let predictions = [
            ("old", path.old.as_ref(), &seen.old),
            ("new", Some(&path.new), &seen.new),
        ];
        let wrong: Vec<String> = predictions
            .into_iter()
            .filter_map(|(v, p, o)| {
                let (p, call) = (p?, || java_text::call::call(entry, &path.inputs));
                mismatch(p, o)
                    .filter(|_| !replay::agrees_but_for_folders(p, o, &temporary::begin()))
                    .map(|m| format!("{v} version, {}: {m}", call()))
            })
            .collect();
        if let (false, Some(reason)) = (wrong.is_empty(), path.chance) {
            let detail = "the outcome differs from run to run";
            self.limit(Stop::unsupported(reason, detail), None);
            return false;
        }
        let lacking = || missing(&seen.old).or_else(|| missing(&seen.new));
        if let (false, Some(stop)) = (wrong.is_empty(), lacking()) {
            self.limit(stop, None);
            return false;
        }
        self.result.predictions += u64::from(checked);
        if !wrong.is_empty() {
            self.result.mismatches.extend(wrong);
            let detail = "the JVM did something else";
            self.limit(Stop::unsupported(Reason::PredictionMismatch, detail), None);
            return false;
        }
        self.result.predictions_confirmed += u64::from(checked);
        true
    }

    /// Takes a divergence that the JVM shows and no path predicts.
    pub(super) fn observed(
        &mut self,
        entry: &MethodRef,
        called: (bool, &[String]),
        inputs: Inputs,
        seen: replay::Observed,
    ) {
        if let Some(stop) = refusal(&seen) {
            self.limit(stop, None);
            return;
        }
        let found = ShownDivergence {
            differs: true,
            control: false,
            inputs,
            seen,
            condition: String::new(),
            decisions: Vec::new(),
            diverged_at: None,
        };
        self.found(entry, called, found);
    }

    /// Adds a finding, or what a path to the same input says more; its place.
    fn found(
        &mut self,
        entry: &MethodRef,
        (is_static, names): (bool, &[String]),
        found: ShownDivergence,
    ) -> usize {
        let same = |f: &Finding| {
            found.differs
                && f.entry == *entry
                && f.inputs == found.inputs
                && f.situation == self.situation
                && f.class != DivergenceClass::ControlOnly
        };
        if let Some(at) = self.result.findings.iter().position(same) {
            let known = &mut self.result.findings[at];
            known.represents += 1;
            if known.path_condition.is_empty() {
                known.path_condition = found.condition;
                known.telling.decisions = found.decisions;
                known.diverges_at = found.diverged_at;
            }
            return at;
        }
        let ShownDivergence { seen, .. } = found;
        self.result.findings.push(Finding {
            class: DivergenceClass::of(found.differs, &seen.old.end, &seen.new.end),
            kind: if found.control {
                Kind::Control
            } else {
                Kind::Data
            },
            entry: entry.clone(),
            entry_static: is_static,
            direct: false,
            inputs: found.inputs,
            parameter_names: names.to_vec(),
            old: seen.old,
            new: seen.new,
            path_condition: found.condition,
            diverges_at: found.diverged_at,
            replay: Replay::Confirmed,
            represents: 1,
            found_by: self.by,
            situation: self.situation.clone(),
            telling: Telling {
                decisions: found.decisions,
                ..Telling::default()
            },
        });
        self.result.findings.len() - 1
    }

    pub(super) fn finish(mut self) -> MethodResult {
        let paths = &self.result.paths;
        let nothing_seen = paths.finished + paths.pruned == 0 && self.limits.are_of_inputs();
        if nothing_seen && !self.same_code {
            let detail = "every way to build an input throws, or can't be followed".to_string();
            self.limit(
                Stop {
                    reason: Reason::NoInput,
                    detail,
                    bound: false,
                },
                None,
            );
        }
        let unreached = |e: &Evidence| !e.reached;
        if self.result.evidence.as_ref().is_some_and(unreached)
            && !self.has_findings()
            && !self.limits.is_empty()
        {
            let detail = "no input ran the changed code in both versions".to_string();
            self.limit(Stop::bound(Reason::NotReached, detail), None);
        }
        self.result.limits = self.limits.list();
        self.result
            .findings
            .retain(|f| f.class != DivergenceClass::ControlOnly);
        cluster::end_at_change(&mut self.result.findings, &self.harmless);
        cluster::rank(
            &self.result.method,
            self.is_inside,
            &mut self.result.findings,
        );
        set_verdict(&mut self.result);
        self.result
    }
}

/// Sets the verdict that a method's findings and limits make.
pub(super) fn set_verdict(result: &mut MethodResult) {
    result.verdict = if !result.findings.is_empty() {
        Verdict::Diverges
    } else if result.limits.iter().any(|l| !l.bound) {
        Verdict::Incomplete
    } else if result.limits.is_empty() {
        Verdict::Equivalent
    } else {
        Verdict::Bounded
    };
    result.proof = (result.verdict == Verdict::Equivalent).then_some(Proof::Exhaustive);
}
