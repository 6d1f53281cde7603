//! The JSON report, format version 1 (DESIGN §8).

use super::Report;
use crate::java_text;
use crate::model::{
    Class, End, Finding, Input, Limit, Location, MethodId, MethodResult, Outcome, Replay, Verdict,
};
use serde_json::{Map, Value, json};

/// The report as JSON.
pub fn render(report: &Report) -> Value {
    let skipped: Vec<Value> = report
        .skipped
        .iter()
        .map(|(what, why)| json!({ "what": what, "why": why }))
        .collect();
    json!({
        "format_version": 1,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "old": report.old,
        "new": report.new,
        "summary": {
            "methods": report.methods.len(),
            "equivalent": report.count(Verdict::Equivalent),
            "bounded": report.count(Verdict::Bounded),
            "diverges": report.count(Verdict::Diverges),
            "incomplete": report.count(Verdict::Incomplete),
            "regressions": report.findings(Class::Regression),
            "fixes": report.findings(Class::Fix),
            "changed": report.findings(Class::Changed),
            "not_reached": report.not_reached(),
            "paths": report.sum(|m| m.paths.finished),
            "predictions": report.sum(|m| m.predictions),
            "predictions_confirmed": report.sum(|m| m.predictions_confirmed),
            "seconds": report.seconds,
        },
        "methods": report.methods.iter().enumerate().map(|(i, m)| method(report, i, m)).collect::<Vec<_>>(),
        "added": report.added.iter().map(name).collect::<Vec<_>>(),
        "removed": report.removed.iter().map(name).collect::<Vec<_>>(),
        "skipped": skipped,
        "containment": {
            "mode": report.containment.mode,
            "enforced": report.containment.enforced,
            "missing": report.containment.missing,
        },
    })
}

fn name(id: &MethodId) -> Value {
    json!({ "class": id.class, "method": id.name, "descriptor": id.descriptor })
}

fn method(report: &Report, index: usize, m: &MethodResult) -> Value {
    json!({
        "class": m.method.class,
        "method": m.method.name,
        "descriptor": m.method.descriptor,
        "file": m.file,
        "line": m.line,
        "level": m.level,
        "level_reason": m.level_reason,
        "verdict": m.verdict,
        "limits": m.limits.iter().map(limit).collect::<Vec<_>>(),
        "paths": m.paths,
        "states": m.states,
        "solver_queries": m.solver_queries,
        "predictions": m.predictions,
        "predictions_confirmed": m.predictions_confirmed,
        "mismatches": m.mismatches,
        "seconds": m.seconds,
        "evidence": m.evidence,
        "findings": m.findings.iter().enumerate().map(|(j, f)| finding(report, (index, j), m, f)).collect::<Vec<_>>(),
    })
}

fn limit(l: &Limit) -> Value {
    json!({ "reason": l.reason, "detail": l.detail, "count": l.count, "at": l.at.as_ref().map(place), "bound": l.bound })
}

fn place(l: &Location) -> String {
    format!("{}:{}", l.file, l.line)
}

fn finding(report: &Report, at: (usize, usize), m: &MethodResult, f: &Finding) -> Value {
    let types = crate::bytecode::parameter_descriptors(&f.entry.descriptor);
    let mut inputs: Vec<Value> = Vec::new();
    if let Some(receiver) = &f.inputs.receiver {
        inputs.push(input(
            "this",
            &java_text::source_name(&f.entry.class),
            receiver,
        ));
    }
    for (i, value) in f.inputs.args.iter().enumerate() {
        let name = f
            .parameter_names
            .get(i)
            .cloned()
            .unwrap_or_else(|| format!("arg{i}"));
        let ty = types
            .get(i)
            .map(|t| java_text::type_name(t))
            .unwrap_or_default();
        inputs.push(input(&name, &ty, value));
    }
    let mut out = json!({
        "class": f.class,
        "kind": f.kind,
        "new_only_assertion": f.new_only_assertion(),
        "inputs": inputs,
        "old": outcome(&f.old),
        "new": outcome(&f.new),
        "path_condition": f.path_condition,
        "diverges_at": f.diverges_at.as_ref().map(|(o, n)| json!({ "old": place(o), "new": place(n) })),
        "replay": if f.replay == Replay::Confirmed { "confirmed" } else { "mismatch" },
        "represents": f.represents,
        "found_by": f.found_by,
        "call": java_text::call::call_text(f),
        "replay_command": report.replay_line(f),
        "test": report.tests.get(&at),
        "test_source": report.test_texts.get(&at),
    });
    if f.entry != m.method
        && let Some(map) = out.as_object_mut()
    {
        map.insert("entry".into(), name(&f.entry));
    }
    out
}

fn input(name: &str, ty: &str, value: &Input) -> Value {
    json!({ "name": name, "type": ty, "java": java_text::input(value) })
}

fn outcome(o: &Outcome) -> Value {
    let mut out = Map::new();
    match &o.end {
        End::Returned(value) => {
            out.insert("outcome".into(), json!("returned"));
            out.insert("value".into(), json!(java_text::seen(value)));
        }
        End::Threw {
            class, message, at, ..
        } => {
            out.insert("outcome".into(), json!("threw"));
            out.insert("exception".into(), json!(class));
            out.insert(
                "message".into(),
                json!(message.as_ref().map(|m| String::from_utf16_lossy(m))),
            );
            out.insert("at".into(), json!(at));
        }
        End::TimedOut => {
            out.insert("outcome".into(), json!("timed-out"));
        }
        End::Failed(why) => {
            out.insert("outcome".into(), json!("failed"));
            out.insert("message".into(), json!(why));
        }
    }
    out.insert(
        "receiver".into(),
        json!(o.receiver.as_ref().map(java_text::seen)),
    );
    out.insert(
        "args".into(),
        json!(o.args.iter().map(java_text::seen).collect::<Vec<_>>()),
    );
    out.insert(
        "printed".into(),
        json!(String::from_utf16_lossy(&o.printed)),
    );
    Value::Object(out)
}
