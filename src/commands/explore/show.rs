//! An exploration as text.

use super::Exploration;
use crate::java_text;
use crate::model::Limit;
use crate::symex::FinishedPath;
use crate::util::counted::counted;
use std::fmt::Write;

/// The result as text, with at most `most` paths of each kind.
pub fn text(found: &Exploration, most: usize) -> String {
    let mut out = String::new();
    let m = &found.method;
    let _ = writeln!(out, "{}#{}{}\n", m.class, m.name, m.descriptor);
    for title in ["diff paths", DATA, "same paths"] {
        let paths: Vec<&FinishedPath> =
            found.finished.iter().filter(|p| kind(p) == title).collect();
        if paths.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{title}: {}", paths.len());
        for path in paths.iter().take(most) {
            write_path(&mut out, found, path);
        }
        if paths.len() > most {
            let _ = writeln!(out, "  … and {} more (--show)", paths.len() - most);
        }
        out.push('\n');
    }
    for limit in &found.limits {
        let _ = writeln!(out, "limit: {}", limit_text(limit));
    }
    write_figures(&mut out, found);
    out
}

const DATA: &str = "same paths with different results";

fn kind(path: &FinishedPath) -> &'static str {
    match (path.control, path.differs) {
        (true, _) => "diff paths",
        (false, Some(true)) => DATA,
        (false, _) => "same paths",
    }
}

fn write_figures(out: &mut String, found: &Exploration) {
    let p = &found.paths;
    let _ = writeln!(
        out,
        "{} finished, {} of them {}; {} pruned, {} given up, {} without input",
        counted(p.finished, "path", "paths"),
        p.diff,
        if p.diff == 1 {
            "a diff path"
        } else {
            "diff paths"
        },
        p.pruned,
        p.gave_up,
        found.no_input
    );
    if let Some(impacted) = found.impacted {
        let _ = writeln!(
            out,
            "{}",
            counted(impacted, "impacted statement", "impacted statements")
        );
    }
    let _ = writeln!(
        out,
        "{}, {}, {} to the solver, {} of them to Z3, {:.3} s",
        counted(found.states, "state", "states"),
        counted(found.infeasible, "infeasible choice", "infeasible choices"),
        counted(found.solver.asked, "question", "questions"),
        found.solver.queries,
        found.seconds
    );
}

fn write_path(out: &mut String, found: &Exploration, path: &FinishedPath) {
    let condition = if path.condition.is_empty() {
        "true"
    } else {
        &path.condition
    };
    let args: Vec<String> = inputs(found, path)
        .into_iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let _ = writeln!(out, "  {condition}");
    let _ = write!(out, "    e.g. {}: ", args.join(", "));
    let new = java_text::end(&path.new.end);
    let _ = match &path.old {
        Some(old) => writeln!(out, "old {}, new {new}", java_text::end(&old.end)),
        None => writeln!(out, "new {new}"),
    };
}

pub(super) fn inputs(found: &Exploration, path: &FinishedPath) -> Vec<(String, String)> {
    let named = path.inputs.args.iter().enumerate().map(|(i, value)| {
        let fallback = || format!("arg{i}");
        let name = found.parameter_names.get(i).cloned();
        (name.unwrap_or_else(fallback), java_text::input(value))
    });
    let receiver = path.inputs.receiver.iter();
    receiver
        .map(|r| ("this".to_string(), java_text::input(r)))
        .chain(named)
        .collect()
}

fn limit_text(limit: &Limit) -> String {
    let at = limit
        .at
        .as_ref()
        .map(|l| format!(" at {}:{}", l.file, l.line));
    let detail = if limit.detail.is_empty() {
        String::new()
    } else {
        format!(" ({})", limit.detail)
    };
    format!(
        "{}{detail}{}, {}",
        limit.reason,
        at.unwrap_or_default(),
        counted(limit.count, "time", "times")
    )
}
