//! The impact of a patch as JSON, format version 1.

use super::result::{Caller, Cause, Impact, ImpactedMethod, Origin, Statement};
use super::sources::Sources;
use super::text::carried;
use crate::model::{MethodRef, Version};
use serde_json::{Value, json};

/// Renders. `old` and `new` are the commits; `partial` says why not all of the project could be compiled.
pub fn json(
    impact: &Impact,
    sources: &Sources,
    old: &str,
    new: &str,
    partial: Option<&str>,
) -> Value {
    let methods = |all: &[ImpactedMethod], version| -> Vec<Value> {
        all.iter().map(|m| method(m, sources, version)).collect()
    };
    json!({
        "format_version": 1,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "old": old,
        "new": new,
        "methods": methods(&impact.methods, Version::New),
        "removed": methods(&impact.removed, Version::Old),
        "callers": impact.callers.iter().map(caller).collect::<Vec<_>>(),
        "partial": partial,
    })
}

fn named(id: &MethodRef) -> Value {
    json!({ "class": id.class, "method": id.name, "descriptor": id.descriptor })
}

fn method(method: &ImpactedMethod, sources: &Sources, version: Version) -> Value {
    let affected: Vec<(usize, &Statement)> = method
        .statements
        .iter()
        .enumerate()
        .filter(|(_, s)| s.status.is_some())
        .collect();
    let changed = affected
        .iter()
        .filter(|(_, s)| s.status.as_ref().is_some_and(|s| s.cause.is_none()))
        .count();
    json!({
        "class": method.id.class,
        "method": method.id.name,
        "descriptor": method.id.descriptor,
        "file": sources.path(version, &method.id.class),
        "statements": method.statements.len(),
        "changed": changed,
        "impacted": affected.len() - changed,
        "nodes": affected.iter().map(|(i, s)| node(*i, s)).collect::<Vec<_>>(),
    })
}

fn node(number: usize, statement: &Statement) -> Value {
    let status = statement.status.as_ref();
    let cause = status.and_then(|s| s.cause.as_ref());
    json!({
        "node": number,
        "line": statement.line,
        "instruction": statement.first,
        "status": if cause.is_some() { "impacted" } else { "changed" },
        "step": status.map(|s| s.step),
        "rule": cause.map(|c| c.rule.number()),
        "by": cause.map(by),
    })
}

fn by(cause: &Cause) -> Value {
    let (line, node, parameter) = match &cause.node {
        Origin::Statement { line, number } => (Some(line), Some(number), None),
        Origin::Parameter(name) => (None, None, Some(name)),
    };
    let carrier = carried(&cause.link);
    json!({
        "in": named(&cause.method),
        "line": line,
        "node": node,
        "parameter": parameter,
        "through": (!carrier.is_empty()).then_some(carrier),
        "version": if cause.in_old_version { "old" } else { "new" },
    })
}

fn caller(caller: &Caller) -> Value {
    json!({
        "class": caller.id.class,
        "method": caller.id.name,
        "descriptor": caller.id.descriptor,
        "calls": named(&caller.calls),
        "line": caller.line,
        "distance": caller.distance,
        "impacted": caller.impacted,
    })
}
