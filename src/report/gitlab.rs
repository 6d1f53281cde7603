//! GitLab's code-quality report: a list of issues that the merge request shows.

use super::document::{Document, Method};
use super::fingerprint::Fingerprints;
use super::place::Place;
use super::sentence;
use crate::model::DivergenceClass;
use serde_json::{Value, json};

/// The report.
pub fn render(document: &Document) -> Value {
    let mut fingerprints = Fingerprints::default();
    let mut issues = Vec::new();
    for m in &document.methods {
        for f in m
            .findings
            .iter()
            .filter(|f| f.class != DivergenceClass::ControlOnly)
        {
            let severity = match f.class {
                DivergenceClass::Regression if f.new_only_assertion => "blocker",
                DivergenceClass::Regression => "critical",
                DivergenceClass::Changed | DivergenceClass::ControlOnly => "major",
                DivergenceClass::Fix => "info",
            };
            let check = format!("shadow-ci/{}", sentence::class(f.class));
            let place = Place::of_finding(document, m, f);
            let text = sentence::finding(f);
            let fingerprint = fingerprints.finding(m, f);
            issues.push(issue(m, &check, severity, &text, place, fingerprint));
        }
        if m.is_incomplete() {
            let (text, place) = (sentence::incomplete(m), Place::of_method(m));
            let fingerprint = fingerprints.incomplete(m);
            let check = "shadow-ci/incomplete";
            issues.push(issue(m, check, "minor", &text, place, fingerprint));
        }
    }
    Value::Array(issues)
}

fn issue(
    m: &Method,
    check: &str,
    severity: &str,
    text: &str,
    place: Option<Place>,
    fingerprint: String,
) -> Value {
    // GitLab drops issues without a path: where the file is not known, the class stands for it.
    let place = place.unwrap_or_else(|| Place {
        path: m.name.class.clone(),
        line: 1,
    });
    json!({
        "description": sentence::without_markup(text),
        "check_name": check,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": { "path": place.path, "lines": { "begin": place.line } },
    })
}
