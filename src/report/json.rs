//! The JSON report, format version 1 (docs/outputs.md).

use super::Report;
use super::method_name::method_name;
use crate::java_text::{self, brief, brief::cut};
use crate::model::{
    DivergenceClass, End, Finding, Input, Limit, Location, MethodRef, MethodResult, Outcome,
    Replay, Seen, Situation, Verdict,
};
use serde_json::{Map, Value, json};

/// A larger report is a defect: texts are cut shorter until it is not.
pub const MAX_BYTES: usize = 1 << 20;

/// The longest text of a value, in characters, and the findings of one method, tried in turn.
const EXTENTS: [Extent; 7] = [
    Extent(8_000, usize::MAX),
    Extent(1_000, usize::MAX),
    Extent(300, usize::MAX),
    Extent(80, usize::MAX),
    Extent(80, 30),
    Extent(80, 6),
    Extent(80, 1),
];

#[derive(Clone, Copy)]
struct Extent(usize, usize);

/// The report as JSON, at most [`MAX_BYTES`] as far as cutting values and leaving out findings can do it: first those that another one
/// tells.
pub fn render(report: &Report) -> Value {
    let mut smallest = Value::Null;
    for extent in EXTENTS {
        smallest = within(report, extent);
        if smallest.to_string().len() <= MAX_BYTES {
            break;
        }
    }
    smallest
}

fn within(report: &Report, extent: Extent) -> Value {
    let skipped: Vec<Value> = report
        .skipped
        .iter()
        .map(|(what, why)| json!({ "what": what, "why": why }))
        .collect();
    let mut out = json!({
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
            "regressions": report.findings(DivergenceClass::Regression),
            "fixes": report.findings(DivergenceClass::Fix),
            "changed": report.findings(DivergenceClass::Changed),
            "not_reached": report.not_reached(),
            "accepted": report.accepted(),
            "minor": report.minor(),
            "not_fully_explored": report.not_fully_explored(),
            "paths": report.sum(|m| m.paths.finished),
            "predictions": report.sum(|m| m.predictions),
            "predictions_confirmed": report.sum(|m| m.predictions_confirmed),
            "seconds": report.seconds,
        },
        "methods": report.methods.iter().enumerate().map(|(i, m)| method(report, i, m, extent)).collect::<Vec<_>>(),
        "added": report.added.iter().map(name).collect::<Vec<_>>(),
        "removed": report.removed.iter().map(name).collect::<Vec<_>>(),
        "skipped": skipped,
        "nothing_to_compare": report.nothing,
        "stale": report.stale,
        "containment": {
            "mode": report.containment.mode,
            "enforced": report.containment.enforced,
            "missing": report.containment.missing,
        },
    });
    if !report.lost_shards.is_empty() {
        out["lost_shards"] = json!(report.lost_shards);
    }
    out
}

fn name(id: &MethodRef) -> Value {
    json!({ "class": id.class, "method": id.name, "descriptor": id.descriptor })
}

fn method(report: &Report, index: usize, m: &MethodResult, extent: Extent) -> Value {
    let Extent(most, findings) = extent;
    let mut shown: Vec<usize> = (0..m.findings.len()).collect();
    if shown.len() > findings {
        shown.sort_by_key(|j| (!m.findings[*j].is_told(), *j));
        shown.truncate(findings);
    }
    let left_out = m.findings.len() - shown.len();
    let mut out = json!({
        "class": m.method.class,
        "method": m.method.name,
        "descriptor": m.method.descriptor,
        "file": m.file,
        "line": m.line,
        "level": m.level,
        "level_reason": m.level_reason,
        "verdict": m.verdict,
        "proof": m.proof,
        "assumed": m.assumed,
        "local_conditions": m.local_conditions,
        "proved_but_for": m.proved_but_for.iter().map(method_name).collect::<Vec<_>>(),
        "limits": m.limits.iter().map(limit).collect::<Vec<_>>(),
        "paths": m.paths,
        "states": m.states,
        "solver_queries": m.solver_queries,
        "predictions": m.predictions,
        "predictions_confirmed": m.predictions_confirmed,
        "mismatches": m.mismatches.iter().map(|text| cut(text, most)).collect::<Vec<_>>(),
        "seconds": m.seconds,
        "evidence": m.evidence,
        "findings": shown.iter().map(|j| finding(report, (index, *j), (m, &m.findings[*j]), most)).collect::<Vec<_>>(),
    });
    if left_out > 0 {
        out["findings_left_out"] = json!(left_out);
    }
    out
}

fn limit(l: &Limit) -> Value {
    json!({ "reason": l.reason, "detail": l.detail, "count": l.count, "at": l.at.as_ref().map(place), "bound": l.bound })
}

fn place(l: &Location) -> String {
    format!("{}:{}", l.file, l.line)
}

fn finding(
    report: &Report,
    at: (usize, usize),
    (m, f): (&MethodResult, &Finding),
    most: usize,
) -> Value {
    let types = crate::bytecode::parameter_descriptors(&f.entry.descriptor);
    let mut inputs: Vec<Value> = Vec::new();
    if let Some(receiver) = &f.inputs.receiver {
        inputs.push(input(
            "this",
            &java_text::source_name(&f.entry.class),
            receiver,
            most,
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
        inputs.push(input(&name, &ty, value, most));
    }
    let brief = brief::sides(f);
    // A part of a call can't be replayed.
    let (call, longest) = (java_text::call::call_text(f), 16 * most);
    let mut out = json!({
        "class": f.class,
        "kind": f.kind,
        "new_only_assertion": f.new_only_assertion(),
        "inputs": inputs,
        "old": outcome(&f.old, &brief.0, most),
        "new": outcome(&f.new, &brief.1, most),
        "when": f.telling.when,
        "path_condition": cut(&f.path_condition, most),
        "diverges_at": f.diverges_at.as_ref().map(|(o, n)| json!({ "old": place(o), "new": place(n) })),
        "replay": if f.replay == Replay::Confirmed { "confirmed" } else { "mismatch" },
        "represents": f.represents,
        "found_by": f.found_by,
        "situation": f.situation.as_ref().map(situation),
        "call": cut(&call, longest),
        "replay_command": report.replay_line(f).filter(|_| call.len() <= longest),
        "id": f.telling.id,
        "labels": f.telling.labels,
        "relevant": f.is_relevant(),
        "shown_by": f.telling.shown.as_ref().map(|s| cut(&brief::question(s), most)),
        "accepted": f.telling.accepted,
        "proposed": f.telling.proposed,
        "accept_command": report.accept_line(f),
        "told_by": f.telling.told_by.as_ref().map(name),
        "test": report.tests.get(&at),
        "merge_tests": report.merge_tests.get(&at).filter(|_| most > 80).map(|t| json!({ "keeps_old": t.keeps_old, "pins_new": t.pins_new })),
        "test_source": report.test_texts.get(&at).filter(|t| t.len() <= 4 * most),
    });
    if f.entry != m.method
        && let Some(map) = out.as_object_mut()
    {
        map.insert("entry".into(), name(&f.entry));
    }
    out
}

fn input(name: &str, ty: &str, value: &Input, most: usize) -> Value {
    json!({ "name": name, "type": ty, "java": cut(&java_text::input(value), most) })
}

fn outcome(o: &Outcome, brief: &str, most: usize) -> Value {
    let mut out = Map::new();
    let text = |value: &Seen| cut(&java_text::seen(value), most);
    out.insert("brief".into(), json!(brief));
    match &o.end {
        End::Returned(value) => {
            out.insert("outcome".into(), json!("returned"));
            out.insert("value".into(), json!(text(value)));
        }
        End::Threw {
            class,
            message,
            at,
            held,
            ..
        } => {
            out.insert("outcome".into(), json!("threw"));
            out.insert("exception".into(), json!(class));
            out.insert(
                "message".into(),
                json!(
                    message
                        .as_ref()
                        .map(|m| cut(&String::from_utf16_lossy(m), most))
                ),
            );
            out.insert("at".into(), json!(at));
            if !held.is_empty() {
                let held = held
                    .iter()
                    .map(|(name, value)| (name.clone(), json!(text(value))));
                out.insert("held".into(), Value::Object(held.collect()));
            }
        }
        End::Exited(code) => {
            out.insert("outcome".into(), json!("exited"));
            out.insert("code".into(), json!(code));
        }
        End::TimedOut => {
            out.insert("outcome".into(), json!("timed-out"));
        }
        End::Failed(why) => {
            out.insert("outcome".into(), json!("failed"));
            out.insert("message".into(), json!(why));
        }
    }
    out.insert("receiver".into(), json!(o.receiver.as_ref().map(text)));
    out.insert(
        "args".into(),
        json!(o.args.iter().map(text).collect::<Vec<_>>()),
    );
    out.insert(
        "printed".into(),
        json!(cut(&String::from_utf16_lossy(&o.printed), most)),
    );
    if !o.files.is_empty() {
        let left = o.files.iter().map(|left| match &left.content {
            None => json!({ "path": left.path }),
            Some(c) => json!({
                "path": left.path, "length": c.length,
                "text": cut(&String::from_utf8_lossy(&c.bytes), most),
            }),
        });
        out.insert("files".into(), left.collect());
    }
    Value::Object(out)
}

fn situation(of: &Situation) -> Value {
    json!({
        "test": of.test,
        "call": of.call,
        "written": of.is_written,
        "of_patch": of.is_of_patch,
    })
}
