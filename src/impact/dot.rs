//! The impact of a patch as a Graphviz graph: control flow of each method as in paper 004, figure 4, and what brought what in.

use super::result::{Impact, ImpactedMethod, Origin, Statement};
use super::sources::Sources;
use super::text::{carried, name};
use crate::model::{MethodRef, Version};
use std::fmt::Write;

/// Renders for `dot`: changed nodes dashed, impacted ones shaded, as in figure 4; dashed edges are labelled with their rule.
pub fn dot(impact: &Impact, sources: &Sources) -> String {
    let mut out = String::from(
        "digraph impact {\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n",
    );
    for (i, method) in impact.methods.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{i} {{");
        let _ = writeln!(out, "    label={};", quoted(&name(&method.id)));
        for (n, statement) in method.statements.iter().enumerate() {
            let _ = writeln!(
                out,
                "    m{i}_{n} [{}];",
                attributes(method, statement, sources)
            );
        }
        for (n, statement) in method.statements.iter().enumerate() {
            for next in &statement.next {
                let _ = writeln!(out, "    m{i}_{n} -> m{i}_{next};");
            }
        }
        let _ = writeln!(out, "  }}");
    }
    for (i, method) in impact.methods.iter().enumerate() {
        causes(&mut out, impact, i, method);
    }
    for caller in &impact.callers {
        let _ = writeln!(
            out,
            "  {} -> {} [style=bold];",
            quoted(&name(&caller.id)),
            quoted(&name(&caller.calls))
        );
    }
    out.push_str("}\n");
    out
}

fn attributes(method: &ImpactedMethod, statement: &Statement, sources: &Sources) -> String {
    let line = statement.line;
    let code = sources.line(Version::New, &method.id.class, line);
    let label = quoted(&format!("{line}: {code}"));
    match &statement.status {
        None => format!("label={label}"),
        Some(s) if s.cause.is_none() => {
            format!("label={label}, style=\"filled,dashed\", fillcolor=lightpink")
        }
        Some(_) => format!("label={label}, style=filled, fillcolor=lightgrey"),
    }
}

fn causes(out: &mut String, impact: &Impact, i: usize, method: &ImpactedMethod) {
    let number = |id: &MethodRef| impact.methods.iter().position(|m| m.id == *id);
    for (n, statement) in method.statements.iter().enumerate() {
        let Some(cause) = statement.status.as_ref().and_then(|s| s.cause.as_ref()) else {
            continue;
        };
        // Numbers of the old version's statements mean nothing here.
        let from = match (&cause.node, number(&cause.method)) {
            (Origin::Statement { number, .. }, Some(m)) if !cause.in_old_version => {
                format!("m{m}_{number}")
            }
            (Origin::Statement { line, .. }, _) => {
                quoted(&format!("{} line {line}", name(&cause.method)))
            }
            (Origin::Parameter(p), _) => quoted(&format!("{} parameter {p}", name(&cause.method))),
        };
        let label = format!("({}) {}", cause.rule.number(), carried(&cause.link));
        let _ = writeln!(
            out,
            "  {from} -> m{i}_{n} [style=dashed, constraint=false, label={}];",
            quoted(label.trim_end())
        );
    }
}

/// A string as Graphviz reads it.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_and_backslashes_are_escaped() {
        assert_eq!(quoted(r#"say("a\n")"#), r#""say(\"a\\n\")""#);
    }
}
