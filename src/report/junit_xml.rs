//! JUnit XML, which every CI system shows: one suite per class, one test case per changed method.

use super::document::{Document, Method};
use super::sentence;
use crate::model::{DivergenceClass, Verdict};
use crate::options::FailOn;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::time::Duration;

/// The report; a method fails when `fail_on` names one of its findings.
///
/// # Errors
/// The report can't be written as XML.
pub fn render(document: &Document, fail_on: &[FailOn]) -> Result<String, String> {
    let mut report = Report::new("shadow-ci");
    let mut classes: BTreeMap<&str, Vec<&Method>> = BTreeMap::new();
    for m in &document.methods {
        classes.entry(&m.name.class).or_default().push(m);
    }
    for (class, methods) in classes {
        let mut suite = TestSuite::new(sentence::short(class));
        for m in &methods {
            suite.add_test_case(case(m, fail_on));
        }
        suite.set_time(seconds(methods.iter().map(|m| m.seconds).sum()));
        report.add_test_suite(suite);
    }
    report.set_time(seconds(document.summary.seconds));
    report.to_string().map_err(|e| e.to_string())
}

fn case(m: &Method, fail_on: &[FailOn]) -> TestCase {
    let mut case = TestCase::new(sentence::short(&m.name.signature()), status(m, fail_on));
    case.set_classname(sentence::short(&m.name.class));
    case.set_time(seconds(m.seconds));
    let mut lines = vec![format!("verdict: {}", sentence::verdict(m.verdict))];
    let shown = m
        .findings
        .iter()
        .filter(|f| f.class != DivergenceClass::ControlOnly);
    lines.extend(shown.map(sentence::finding));
    lines.extend(m.limits.iter().map(|l| {
        let kind = if l.bound { "bound" } else { "gave up" };
        format!("{kind}: {}", sentence::limit(l))
    }));
    case.set_system_out(lines.join("\n"));
    case
}

fn status(m: &Method, fail_on: &[FailOn]) -> TestCaseStatus {
    let failing: Vec<_> = m.findings.iter().filter(|f| f.fails(fail_on)).collect();
    let on_incomplete = fail_on.contains(&FailOn::Incomplete) && !fail_on.contains(&FailOn::Never);
    let (kind, what, text) = if let Some(first) = failing.first() {
        let texts: Vec<String> = failing.iter().map(|f| sentence::finding(f)).collect();
        let what = sentence::class(first.class);
        (NonSuccessKind::Failure, what, texts.join("\n"))
    } else if m.is_incomplete() && on_incomplete {
        let text = sentence::incomplete(m);
        (NonSuccessKind::Failure, "incomplete", text)
    } else if m.verdict == Verdict::Incomplete {
        let mut skipped = TestCaseStatus::skipped();
        skipped.set_type("incomplete");
        skipped.set_message(sentence::incomplete(m));
        return skipped;
    } else {
        return TestCaseStatus::success();
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(what);
    status.set_message(text.lines().next().unwrap_or_default());
    status.set_description(text);
    status
}

/// Seconds as a duration; what can't be one counts as none.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
