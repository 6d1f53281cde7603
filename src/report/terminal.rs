//! The summary people read on a terminal or in a log.

use super::printable::printable;
use super::{Report, overview, wrap};
use crate::java_text;
use crate::java_text::input::Form;
use crate::model::{Class, Finding, Level, Limit, MethodResult, Outcome, Verdict};
use crate::util::counted::counted;
use std::fmt::Write;

/// How the text is to look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Whether escape sequences are written.
    pub colour: bool,
    /// Columns of the terminal; lines are left whole where there is none.
    pub width: Option<usize>,
    /// Whether effort and reasons are given in full.
    pub verbose: bool,
}

impl Style {
    pub(super) fn paint(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_string()
        }
    }
}

/// The report as text.
pub fn render(report: &Report, style: Style) -> String {
    let mut out = String::new();
    let short = |id: &str| id.get(..10).unwrap_or(id).to_string();
    let title = format!(
        "shadow-ci {} ({}) → {} ({})",
        report.old_name,
        short(&report.old),
        report.new_name,
        short(&report.new)
    );
    let _ = writeln!(out, "{}\n", style.paint("1", &printable(&title)));
    for method in &report.methods {
        write_method(&mut out, report, method, style);
    }
    for (ids, word) in [(&report.added, "added"), (&report.removed, "removed")] {
        if !ids.is_empty() {
            let names: Vec<String> = ids
                .iter()
                .take(8)
                .map(|i| printable(&format!("{}#{}", i.class, i.name)))
                .collect();
            let more = if ids.len() > 8 {
                format!(" and {} more", ids.len() - 8)
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "{word}, nothing to compare: {}{more}",
                names.join(", ")
            );
        }
    }
    for (what, why) in &report.skipped {
        let _ = writeln!(out, "left out: {} ({why})", printable(what));
    }
    let note = &report.containment;
    if note.mode != "off" && !note.missing.is_empty() && !report.methods.is_empty() {
        let _ = writeln!(
            out,
            "not contained on this system: {} (docs/security.md)",
            note.missing.join(", ")
        );
    }
    if report.methods.len() > 1 {
        out.push_str(&overview::table(report, style));
    }
    totals(&mut out, report, style);
    match style.width {
        Some(width) => wrap::wrap(&out, width),
        None => out,
    }
}

fn totals(out: &mut String, report: &Report, style: Style) {
    if report.methods.is_empty() {
        let _ = writeln!(out, "no changed Java methods to compare");
    }
    if let Some(note) = report.replay_note() {
        let _ = writeln!(out, "{note}");
    }
    let regressions = report.findings(Class::Regression);
    let line = format!(
        "{}: {}, {} equivalent, {} bounded, {} incomplete · {}, {}, {} changed · {} · predictions {}/{} confirmed · {:.1} s",
        counted(report.methods.len(), "method", "methods"),
        counted(report.count(Verdict::Diverges), "diverges", "diverge"),
        report.count(Verdict::Equivalent),
        report.count(Verdict::Bounded),
        report.count(Verdict::Incomplete),
        counted(regressions, "regression", "regressions"),
        counted(report.findings(Class::Fix), "fix", "fixes"),
        report.findings(Class::Changed),
        counted(report.sum(|m| m.paths.finished), "path", "paths"),
        report.sum(|m| m.predictions_confirmed),
        report.sum(|m| m.predictions),
        report.seconds,
    );
    let _ = writeln!(
        out,
        "{}",
        style.paint(if regressions > 0 { "1;31" } else { "1" }, &line)
    );
}

/// A verdict's word and colour.
pub(super) fn verdict(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Diverges => ("diverges", "33"),
        Verdict::Incomplete => ("incomplete", "35"),
        Verdict::Bounded => ("bounded", "36"),
        Verdict::Equivalent => ("equivalent", "32"),
    }
}

fn write_method(out: &mut String, report: &Report, m: &MethodResult, style: Style) {
    let (word, code) = verdict(m.verdict);
    let level = match m.level {
        Level::Expression => "expression",
        Level::Statement => "statement",
        Level::Method => "method",
        Level::Class => "class",
    };
    let _ = writeln!(
        out,
        "{}  {}#{}  [{level} level, {}, {:.1} s]",
        style.paint(code, &format!("{word:10}")),
        printable(&m.method.class),
        printable(&m.method.name),
        counted(m.paths.finished, "path", "paths"),
        m.seconds
    );
    if style.verbose {
        effort(out, m);
    }
    for finding in &m.findings {
        write_finding(out, finding, style);
        if let Some(line) = report.replay_line(finding) {
            let _ = writeln!(out, "        {}", style.paint("2", &printable(&line)));
        }
    }
    for limit in &m.limits {
        let _ = writeln!(
            out,
            "    {} {}",
            if limit.bound { "bound:" } else { "gave up:" },
            describe(limit)
        );
    }
    let shown = if style.verbose { usize::MAX } else { 3 };
    for mismatch in m.mismatches.iter().take(shown) {
        let _ = writeln!(out, "    our bug, please report: {}", printable(mismatch));
    }
    out.push('\n');
}

/// What `--verbose` adds to a method.
fn effort(out: &mut String, m: &MethodResult) {
    if !m.level_reason.is_empty() {
        let _ = writeln!(out, "    level: {}", printable(&m.level_reason));
    }
    let _ = writeln!(
        out,
        "    {}: {} in control flow, {} pruned, {} gave up · {} · {} · predictions {}/{} confirmed{}",
        printable(&m.file),
        counted(m.paths.diff, "path differs", "paths differ"),
        m.paths.pruned,
        m.paths.gave_up,
        counted(m.states, "state", "states"),
        counted(m.solver_queries, "solver query", "solver queries"),
        m.predictions_confirmed,
        m.predictions,
        replayed(m),
    );
}

/// That not every predicted path was run on the JVM.
fn replayed(m: &MethodResult) -> String {
    match m.predictions < m.paths.finished {
        true => format!(" (of {} predicted)", m.paths.finished),
        false => String::new(),
    }
}

fn describe(l: &Limit) -> String {
    let detail = if l.detail.is_empty() {
        String::new()
    } else {
        format!(" ({})", printable(&l.detail))
    };
    let at =
        l.at.as_ref()
            .map(|a| format!(" at {}:{}", a.file, a.line))
            .unwrap_or_default();
    let times = if l.count > 1 {
        format!(", {} times", l.count)
    } else {
        String::new()
    };
    format!("{}{detail}{at}{times}", l.reason)
}

fn write_finding(out: &mut String, f: &Finding, style: Style) {
    let (word, code) = match f.class {
        Class::Regression => ("regression", "1;31"),
        Class::Fix => ("fix", "32"),
        Class::Changed => ("changed", "33"),
        Class::ControlOnly => ("control only", "2"),
    };
    let more = if f.represents > 1 {
        format!(" (and {} like it)", f.represents - 1)
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "    {}  {}{more}",
        style.paint(code, word),
        printable(&call(f))
    );
    let _ = writeln!(out, "        old: {}", printable(&outcome(&f.old, &f.new)));
    let _ = writeln!(out, "        new: {}", printable(&outcome(&f.new, &f.old)));
    if !f.path_condition.is_empty() && f.path_condition != "true" {
        let _ = writeln!(out, "        when {}", printable(&f.path_condition));
    }
}

/// A finding as it is told while the check goes on, in a line.
pub fn early(f: &Finding) -> String {
    let class = match f.class {
        Class::Regression => "regression",
        Class::Fix => "fix",
        Class::Changed => "changed",
        Class::ControlOnly => "control only",
    };
    let (old, new) = (outcome(&f.old, &f.new), outcome(&f.new, &f.old));
    printable(&format!("{class}  {}: old {old}; new {new}", call(f)))
}

/// The finding's input as a call.
pub fn call(f: &Finding) -> String {
    let class = f.entry.class.rsplit('.').next().unwrap_or_default();
    Form::Readable.call(&java_text::source_name(class), &f.entry, &f.inputs)
}

/// The end, and what else differs from the other version's outcome.
pub fn outcome(o: &Outcome, other: &Outcome) -> String {
    let mut text = java_text::end(&o.end);
    if o.receiver != other.receiver
        && let Some(receiver) = &o.receiver
    {
        text.push_str(&format!(", receiver {}", java_text::seen(receiver)));
    }
    for (i, (a, b)) in o.args.iter().zip(&other.args).enumerate() {
        if a != b {
            text.push_str(&format!(", argument {} {}", i + 1, java_text::seen(a)));
        }
    }
    if o.printed != other.printed {
        text.push_str(&format!(", printed \"{}\"", java_text::escaped(&o.printed)));
    }
    text
}
