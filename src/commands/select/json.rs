//! The selection as JSON, format version 1.

use super::{AffectedPath, ClassifiedTest, Reason, Selection};
use crate::java_text::call::call;
use crate::report::terminal::outcome;
use serde_json::{Value, json};

/// All tests and all affected paths.
pub fn json(selection: &Selection) -> Value {
    let names: Vec<&str> = selection
        .tests
        .iter()
        .map(|t| t.test.name.as_str())
        .collect();
    let path = |p: &AffectedPath| path(p, &names);
    let again = selection.tests.iter().filter(|t| !t.reasons.is_empty());
    json!({
        "format_version": 1,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "old": selection.old,
        "new": selection.new,
        "summary": {
            "tests": selection.tests.len(),
            "rerun": again.count(),
            "add": selection.to_add().count(),
            "paths": selection.paths.len(),
        },
        "tests": selection.tests.iter().map(test).collect::<Vec<_>>(),
        "paths": selection.paths.iter().map(path).collect::<Vec<_>>(),
        "limits": selection.limits.iter().map(|(m, l)| json!({
            "class": m.class, "method": m.name, "descriptor": m.descriptor,
            "reason": l.reason, "detail": l.detail, "bound": l.bound, "count": l.count,
        })).collect::<Vec<_>>(),
        "left_out": selection.left_out.iter().map(|(what, why)| json!({ "what": what, "why": why })).collect::<Vec<_>>(),
    })
}

fn test(classified: &ClassifiedTest) -> Value {
    let reason = |r: &Reason| match r {
        Reason::Covers { call, path } => json!({ "covers": path, "call": call }),
        Reason::Unknown(why) => json!({ "unknown": why }),
    };
    json!({
        "name": classified.test.name,
        "rerun": !classified.reasons.is_empty(),
        "calls_a_changed_method": !classified.test.inputs.is_empty() || !classified.test.touched.is_empty(),
        "reasons": classified.reasons.iter().map(reason).collect::<Vec<_>>(),
    })
}

fn path(p: &AffectedPath, tests: &[&str]) -> Value {
    let covered: Vec<&str> = p.covered_by.iter().map(|i| tests[*i]).collect();
    json!({
        "class": p.method.class,
        "method": p.method.name,
        "descriptor": p.method.descriptor,
        "call": call(&p.entry, &p.inputs),
        "condition": p.condition,
        "differs": p.differs,
        "old": p.seen.as_ref().map(|s| outcome(&s.old, &s.new)),
        "new": p.seen.as_ref().map(|s| outcome(&s.new, &s.old)),
        "covered_by": covered,
        "add": p.covered_by.is_empty(),
    })
}
