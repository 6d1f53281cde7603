//! The part of a collector that is handed from one method to another, where they share an exploration.

use crate::check::collector::Collector;
use crate::check::limits::Limits;
use crate::model::{MethodResult, PathCounts};
use std::collections::BTreeSet;

impl Collector {
    /// Takes down that something is found, which is told elsewhere.
    pub(super) fn know_of_findings(&mut self) {
        self.knows_findings = true;
    }

    /// An empty one, which knows of this one how many paths there were, and whether anything was found.
    pub(super) fn emptied(&self) -> Collector {
        let result = MethodResult {
            limits: Vec::new(),
            paths: PathCounts::default(),
            findings: Vec::new(),
            calls: Vec::new(),
            rests_on: Vec::new(),
            proved_but_for: Vec::new(),
            trees: Vec::new(),
            mismatches: Vec::new(),
            evidence: None,
            states: 0,
            solver_queries: 0,
            predictions: 0,
            predictions_confirmed: 0,
            seconds: 0.0,
            ..self.result.clone()
        };
        Collector {
            same_code: self.same_code,
            result,
            limits: Limits::default(),
            known: BTreeSet::new(),
            replays: self.replays.emptied(),
            knows_findings: self.has_settled_findings(),
            is_tested_by_patch: self.is_tested_by_patch,
            is_inside: self.is_inside,
            harmless: BTreeSet::new(),
            by: self.by,
            situation: None,
            turnings: self.turnings,
            broken: self.broken,
            faults: self.faults,
            unsteady: self.unsteady,
            avoided: self.avoided.clone(),
            unreaching: self.unreaching.clone(),
        }
    }

    /// Paths that were looked at.
    pub(super) fn paths_seen(&self) -> u64 {
        self.replays.paths()
    }

    /// Takes over what one gathered that was [`Collector::emptied`] first, for this method or another one.
    pub(super) fn take_over(&mut self, other: Collector) {
        let (own, other_result) = (&mut self.result, other.result);
        self.replays.go_on(other.replays, own.findings.len());
        own.findings.extend(other_result.findings);
        own.mismatches.extend(other_result.mismatches);
        self.turnings = self.turnings.max(other.turnings);
        self.broken = self.broken.max(other.broken);
        self.faults = self.faults.max(other.faults);
        self.unsteady = other.unsteady;
        self.avoided.extend(other.avoided);
        self.unreaching.extend(other.unreaching);
        own.predictions += other_result.predictions;
        own.predictions_confirmed += other_result.predictions_confirmed;
        own.states += other_result.states;
        own.solver_queries += other_result.solver_queries;
        own.paths.finished += other_result.paths.finished;
        own.paths.diff += other_result.paths.diff;
        own.paths.pruned += other_result.paths.pruned;
        own.paths.gave_up += other_result.paths.gave_up;
        self.harmless.extend(other.harmless);
        self.limits.append(other.limits);
    }
}
