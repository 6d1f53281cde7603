//! SARIF 2.1.0, for GitHub code scanning and other viewers of analysis results.

use super::document::{Document, Finding, Method};
use super::fingerprint::Fingerprints;
use super::place::{Place, uri};
use super::sentence;
use crate::model::DivergenceClass;
use serde_json::{Map, Value, json};

/// The rules: name, what it means, default level.
const RULES: [(&str, &str, &str, &str); 4] = [
    (
        "regression",
        "Only the new version fails",
        "On this input the old version returns and the new one ends in an uncaught exception or assertion error.",
        "error",
    ),
    (
        "changed",
        "The versions behave differently",
        "On this input both versions return, or both fail, but what a caller can see differs.",
        "warning",
    ),
    (
        "fix",
        "Only the old version fails",
        "On this input the old version ends in an uncaught exception or assertion error and the new one returns.",
        "note",
    ),
    (
        "incomplete",
        "Not analysed completely",
        "Some path of this method gave up, so nothing is known about the inputs that take it.",
        "note",
    ),
];

/// The log.
pub fn render(document: &Document) -> Value {
    let mut fingerprints = Fingerprints::default();
    let mut results = Vec::new();
    for m in &document.methods {
        for f in m
            .findings
            .iter()
            .filter(|f| f.class != DivergenceClass::ControlOnly)
        {
            results.push(finding(document, m, f, &mut fingerprints));
        }
        if m.is_incomplete() {
            let text = sentence::incomplete(m);
            let place = Place::of_method(m);
            results.push(result(3, m, &text, place, fingerprints.incomplete(m)));
        }
    }
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "shadow-ci",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
            }},
            "automationDetails": { "id": "shadow-ci/" },
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": { "%SRCROOT%": { "description": { "text": "The repository's root" } } },
            "results": results,
        }],
    })
}

fn rule((id, short, full, level): &(&str, &str, &str, &str)) -> Value {
    json!({
        "id": id,
        "name": id,
        "shortDescription": { "text": short },
        "fullDescription": { "text": full },
        "help": { "text": format!("{full} `shadow-ci --tests-dir DIR` writes a JUnit test that shows it.") },
        "defaultConfiguration": { "level": level },
        "properties": { "tags": ["behaviour", "pull-request"] },
    })
}

fn finding(document: &Document, m: &Method, f: &Finding, fingerprints: &mut Fingerprints) -> Value {
    let index = match f.class {
        DivergenceClass::Regression => 0,
        DivergenceClass::Changed | DivergenceClass::ControlOnly => 1,
        DivergenceClass::Fix => 2,
    };
    let place = Place::of_finding(document, m, f);
    let text = sentence::finding(f);
    let mut out = result(index, m, &text, place, fingerprints.finding(m, f));
    if let Some(map) = out.as_object_mut() {
        map.insert("occurrenceCount".into(), json!(occurrences(f)));
    }
    out
}

/// The schema wants a positive 32-bit number.
fn occurrences(f: &Finding) -> u32 {
    u32::try_from(f.represents)
        .unwrap_or(u32::MAX)
        .clamp(1, i32::MAX as u32)
}

fn result(rule: usize, m: &Method, text: &str, place: Option<Place>, fingerprint: String) -> Value {
    let (id, _, _, level) = RULES[rule];
    let mut location = Map::new();
    if let Some(place) = place {
        let path = uri(place.path.trim_start_matches('/'));
        location.insert(
            "physicalLocation".into(),
            json!({
                "artifactLocation": { "uri": path, "uriBaseId": "%SRCROOT%" },
                "region": { "startLine": place.line },
            }),
        );
    }
    location.insert(
        "logicalLocations".into(),
        json!([{
            "fullyQualifiedName": sentence::short(&format!("{}.{}", m.name.class, m.name.signature())),
            "kind": "function",
        }]),
    );
    json!({
        "ruleId": id,
        "ruleIndex": rule,
        "level": level,
        "message": { "text": sentence::without_markup(text) },
        "locations": [location],
        // The first is the only one that GitHub tracks results by; left alone, it would hash the line's text.
        "partialFingerprints": { "primaryLocationLineHash": fingerprint, "shadowCi/v1": fingerprint },
    })
}
