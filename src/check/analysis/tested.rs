//! The results that the project's own tests give for a changed method.

use super::Analysis;
use super::searcher::{Entry, Searcher};
use crate::check::changed_method::ChangedMethod;
use crate::check::collector::Collector;
use crate::check::from_tests::{FromTests, Shown};
use crate::error::Error;
use crate::jvm::Worker;
use crate::model::{DivergenceClass, Finding, FoundBy, Inputs, MethodRef, Situation};
use crate::replay::Observed;

/// Inputs of tests that are confirmed.
const MAX_TESTED: usize = 4;

impl Analysis<'_> {
    /// Takes what the tests gave.
    pub fn take_tests(&mut self, from_tests: FromTests) {
        self.from_tests = from_tests;
    }

    /// What the tests gave.
    pub(super) fn tests(&self) -> &FromTests {
        &self.from_tests
    }
}

/// Reports what the tests of a method show as soon as it is known, and that something is found of it: further effort only looks for
/// more. What tests of the patch show is known to who wrote them: it settles nothing, but a method that is alone then gets no more runs.
pub(super) fn announce(analysis: &Analysis, method: &ChangedMethod, collector: &mut Collector) {
    let mut shown = collector.emptied();
    tell(analysis, method, &mut shown);
    for finding in &shown.result.findings {
        analysis.found(&method.id, finding);
    }
    if shown.result.findings.iter().any(|f| !f.is_of_patch()) {
        collector.know_of_findings();
    }
    collector.is_tested_by_patch = shown.result.findings.iter().any(Finding::is_of_patch);
}

/// Tells of the confirmed differences in tests of a changed method: but for tests that newly fail, only where no finding of the same
/// class can be written as a call.
pub(super) fn tell(analysis: &Analysis, method: &ChangedMethod, collector: &mut Collector) {
    if let Some(evidence) = analysis.from_tests.evidence(&method.id) {
        collector.tested(evidence);
    }
    let differs = |f: &&Finding| f.class != DivergenceClass::ControlOnly;
    let differing = || collector.result.findings.iter().filter(differs);
    let known: Vec<DivergenceClass> = differing().map(|f| f.class).collect();
    // Where both versions fail, what the patch is about is still open.
    let is_settled = differing().any(|f| !f.both_throw());
    for shown in analysis.from_tests.shown(&method.id) {
        let class = DivergenceClass::of(true, &shown.old.end, &shown.new.end);
        let fails_now = shown.call.is_none() && class == DivergenceClass::Regression;
        let is_known = match shown.is_of_patch && shown.call.is_none() {
            true => is_settled,
            false => known.contains(&class),
        };
        if !fails_now && is_known {
            continue;
        }
        collector.by = FoundBy::Tests;
        collector.situation = Some(situation(shown));
        let seen = Observed {
            old: shown.old.clone(),
            new: shown.new.clone(),
        };
        let nothing = Inputs {
            receiver: None,
            args: Vec::new(),
        };
        let entry = match &shown.call {
            Some((entry, _)) => entry.clone(),
            None => MethodRef {
                class: shown.class.as_str().into(),
                name: shown.name.clone(),
                descriptor: "()V".into(),
            },
        };
        collector.observed(&entry, (false, &[]), nothing, seen);
    }
    collector.by = FoundBy::Exploration;
    collector.situation = None;
}

fn situation(shown: &Shown) -> Situation {
    Situation {
        test: format!("{}#{}", shown.class, shown.name),
        call: shown.call.as_ref().map(|c| c.1 as u32 + 1),
        is_written: false,
        is_of_patch: shown.is_of_patch,
    }
}

impl Searcher<'_> {
    /// What tests passed to the entry and the versions did not do the same with.
    pub(super) fn differing_tests(
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
                is_of_patch: tested.is_of_patch,
            });
            let inputs = tested.inputs.clone();
            self.confirm(collector, worker, entry, inputs, known)?;
        }
        collector.by = FoundBy::Exploration;
        collector.situation = None;
        Ok(())
    }
}
