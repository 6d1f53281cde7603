//! The impact of a patch as text: per method and source line, with the rule that brought each line in.

use super::dependence_graph::Link;
use super::result::{Cause, Impact, ImpactedMethod, Origin, Statement, Status};
use super::sources::Sources;
use crate::bytecode::parameter_descriptors;
use crate::model::{MethodRef, Version, primitive_keyword};
use crate::util::counted::counted;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Renders for a terminal.
pub fn text(impact: &Impact, sources: &Sources) -> String {
    let mut out = String::new();
    for method in &impact.methods {
        let statements = &method.statements;
        let changed = count(statements, true);
        let _ = writeln!(
            out,
            "{}  {}\n  {}, {changed} changed, {} impacted",
            name(&method.id),
            sources.path(Version::New, &method.id.class),
            counted(statements.len(), "statement", "statements"),
            count(statements, false),
        );
        lines(&mut out, method, sources, Version::New);
        let before = impact.removed.iter().find(|m| m.id == method.id);
        if let Some(before) = before {
            let _ = writeln!(out, "  in the old version");
            lines(&mut out, before, sources, Version::Old);
        }
        out.push('\n');
    }
    let left = |m: &&ImpactedMethod| impact.methods.iter().all(|n| n.id != m.id);
    for method in impact.removed.iter().filter(left) {
        let path = sources.path(Version::Old, &method.id.class);
        let _ = writeln!(out, "{}  {path}\n  in the old version", name(&method.id));
        lines(&mut out, method, sources, Version::Old);
        out.push('\n');
    }
    if !impact.callers.is_empty() {
        let _ = writeln!(out, "callers reached");
    }
    for caller in &impact.callers {
        let _ = writeln!(
            out,
            "  {}  line {} calls {}, distance {}{}",
            name(&caller.id),
            caller.line,
            name(&caller.calls),
            caller.distance,
            if caller.impacted { ", impacted" } else { "" },
        );
    }
    if out.is_empty() {
        out.push_str("no changed Java code\n");
    }
    out
}

fn count(statements: &[Statement], changed: bool) -> usize {
    let counts = |s: &&Status| s.cause.is_none() == changed;
    let all = statements.iter().filter_map(|s| s.status.as_ref());
    all.filter(counts).count()
}

/// One line of text per source line: the first of its statements to come in says why.
fn lines(out: &mut String, method: &ImpactedMethod, sources: &Sources, version: Version) {
    let mut first: BTreeMap<u32, &Status> = BTreeMap::new();
    for statement in &method.statements {
        if let Some(status) = &statement.status {
            let known = first.entry(statement.line).or_insert(status);
            if status.step < known.step {
                *known = status;
            }
        }
    }
    let why: BTreeMap<u32, String> = first
        .iter()
        .map(|(line, status)| {
            let why = match (&status.cause, version) {
                (Some(cause), _) => because(cause, &method.id),
                (None, Version::New) => "changed".to_string(),
                (None, Version::Old) => "changed or removed".to_string(),
            };
            (*line, why)
        })
        .collect();
    let width = why.values().map(|w| w.chars().count()).max().unwrap_or(0);
    for (line, why) in why {
        let code = sources.line(version, &method.id.class, line);
        let row = format!("  {line:>5}  {why:<width$}  {code}");
        let _ = writeln!(out, "{}", row.trim_end());
    }
}

fn because(cause: &Cause, of: &MethodRef) -> String {
    let from = match &cause.node {
        Origin::Statement { line, .. } => format!("line {line}"),
        Origin::Parameter(name) => format!("parameter {name}"),
    };
    let elsewhere = if cause.method == *of {
        String::new()
    } else {
        format!(" of {}", name(&cause.method))
    };
    let old = if cause.in_old_version {
        " in the old version"
    } else {
        ""
    };
    let by = carried(&cause.link);
    let by = if by.is_empty() { by } else { format!(", {by}") };
    format!("rule ({}) {from}{elsewhere}{by}{old}", cause.rule.number())
}

/// What carried the impact, in words; nothing for a branch.
pub(super) fn carried(link: &Link) -> String {
    use super::body::Carrier;
    match link {
        Link::Control => String::new(),
        Link::Carried(Carrier::Variable(v)) | Link::Field(v) => v.to_string(),
        Link::Carried(Carrier::Stack) => "operand stack".into(),
        Link::Argument => "argument".into(),
        Link::Returned => "returned value".into(),
        Link::Thrown => "exception".into(),
    }
}

/// A method as Java developers write it: `a.b.C#f(int, String[])`.
pub(super) fn name(id: &MethodRef) -> String {
    let parameters: Vec<String> = parameter_descriptors(&id.descriptor)
        .iter()
        .map(|d| java_type(d))
        .collect();
    format!("{}#{}({})", id.class, id.name, parameters.join(", "))
}

fn java_type(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = "[]".repeat(descriptor.len() - element.len());
    let class = || element.trim_end_matches(';').rsplit(['/', 'L']).next();
    let base = primitive_keyword(element).or_else(class).unwrap_or(element);
    format!("{base}{dimensions}")
}

#[cfg(test)]
mod tests {
    use super::name;
    use crate::model::MethodRef;

    #[test]
    fn names_are_java_s() {
        let id = MethodRef {
            class: "a.B".into(),
            name: "f".into(),
            descriptor: "(I[[JLjava/lang/String;)V".into(),
        };
        assert_eq!(name(&id), "a.B#f(int, long[][], String)");
    }
}
