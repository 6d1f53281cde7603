//! The summary for terminals and logs: each method once, the most serious first.

mod method;

use method::write_method;

use super::printable::printable;
use super::{Report, wrap};
use crate::java_text;
use crate::java_text::brief::cut;
use crate::java_text::call::in_test;
use crate::java_text::input::Form;
use crate::model::{DivergenceClass, Finding, MethodResult, Proof, Verdict};
use crate::util::counted::counted;
use std::fmt::Write;

pub use crate::java_text::brief::{outcome, sides};

/// How the text is to look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Whether escape sequences are written.
    pub colour: bool,
    /// Columns of the terminal; lines are left whole where there is none.
    pub width: Option<usize>,
    /// Whether effort and reasons are given in full, and methods with nothing to say listed.
    pub verbose: bool,
    /// Whether findings that few would want to know are shown.
    pub all: bool,
}

/// Findings shown of one method.
const MOST_FINDINGS: usize = 6;

/// Limits shown of one method.
const MOST_LIMITS: usize = 2;

/// Longest call, condition and limit, in characters.
const LINE: usize = 200;

/// A longer call is not offered for copying.
const LONGEST_CALL: usize = 400;

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
    for method in report.without_reaching_input() {
        let id = &method.method;
        let line = format!(
            "not reached: no input ran the changed code of {}#{} in both versions",
            id.class, id.name
        );
        let _ = writeln!(out, "{}", style.paint("1;35", &printable(&line)));
    }
    if report.not_reached() > 0 {
        out.push('\n');
    }
    let mut methods: Vec<&MethodResult> = report.methods.iter().collect();
    methods.sort_by_key(|m| rank(m, style));
    for method in methods {
        if is_quiet(method, style) && !style.verbose {
            continue;
        }
        write_method(&mut out, report, method, style);
    }
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    beside(&mut out, report);
    totals(&mut out, report, style);
    match style.width {
        Some(width) => wrap::wrap(&out, width),
        None => out,
    }
}

/// Open findings first, the worst of them before others, then what was not explored to its end.
fn rank(m: &MethodResult, style: Style) -> (bool, Option<(DivergenceClass, bool)>, Verdict) {
    let shown = m.findings.iter().filter(|f| is_shown(f, style));
    let worst = shown.map(|f| (f.class, !f.new_only_assertion())).min();
    (worst.is_none(), worst, m.verdict)
}

/// Whether there is nothing to say of a method that a reader has to know.
fn is_quiet(m: &MethodResult, style: Style) -> bool {
    let told = m.findings.iter().any(|f| is_shown(f, style));
    let folded = m.verdict == Verdict::Diverges && !told;
    (m.verdict == Verdict::Equivalent || folded && m.limits.is_empty()) && m.mismatches.is_empty()
}

fn is_shown(f: &Finding, style: Style) -> bool {
    f.is_told() && f.telling.accepted.is_none() && (style.all || f.is_relevant())
}

/// What is not about one method: accepted findings, added and removed methods, what was left out.
fn beside(out: &mut String, report: &Report) {
    let before = out.len();
    for f in report.told() {
        if let Some(by) = &f.telling.accepted {
            let reason = cut(&printable(&by.reason), LINE);
            let what = cut(&printable(&call(f)), LINE);
            let _ = writeln!(out, "accepted: {} {what}: {reason}", class(f.class).0);
        }
    }
    for id in &report.stale {
        let id = printable(id);
        let _ = writeln!(
            out,
            "stale: {id} is accepted, but no longer found: remove its entry"
        );
    }
    for (ids, word) in [(&report.added, "added"), (&report.removed, "removed")] {
        if !ids.is_empty() {
            let names: Vec<String> = ids
                .iter()
                .take(3)
                .map(|i| printable(&format!("{}#{}", i.class, i.name)))
                .collect();
            let more = if ids.len() > 3 {
                format!(" and {} more", ids.len() - 3)
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
    if let Some(note) = report.replay_note() {
        let _ = writeln!(out, "{note}");
    }
    let note = &report.containment;
    if note.mode != "off" && !note.missing.is_empty() && !report.methods.is_empty() {
        let _ = writeln!(
            out,
            "not contained on this system: {} (docs/security.md)",
            note.missing.join(", ")
        );
    }
    if out.len() > before {
        out.push('\n');
    }
}

/// The last line: what was found, and in words what is not known.
fn totals(out: &mut String, report: &Report, style: Style) {
    if report.methods.is_empty() {
        let line = format!(
            "{} · {:.1} s",
            nothing(report.nothing.as_deref()),
            report.seconds
        );
        let _ = writeln!(out, "{}", style.paint("1;32", &line));
        return;
    }
    let regressions = report.findings(DivergenceClass::Regression);
    let mut parts = vec![format!(
        "{}: {}",
        counted(report.methods.len(), "method", "methods"),
        verdicts(report)
    )];
    let found = [
        (regressions, "regression", "regressions"),
        (
            report.findings(DivergenceClass::Changed),
            "change",
            "changes",
        ),
        (report.findings(DivergenceClass::Fix), "fix", "fixes"),
    ];
    let words = found.iter().filter(|f| f.0 > 0);
    let words: Vec<String> = words.map(|(n, one, many)| counted(*n, one, many)).collect();
    if !words.is_empty() {
        parts.push(words.join(", "));
    }
    if report.accepted() > 0 {
        parts.push(format!("{} accepted", report.accepted()));
    }
    if report.minor() > 0 && !style.all {
        let minor = counted(report.minor(), "minor finding", "minor findings");
        parts.push(format!("{minor} not shown (--show all)"));
    }
    let unexplored = report.not_fully_explored();
    if unexplored > 0 {
        parts.push(format!(
            "{} not fully explored",
            counted(unexplored, "method", "methods")
        ));
    }
    let (confirmed, predictions) = (
        report.sum(|m| m.predictions_confirmed),
        report.sum(|m| m.predictions),
    );
    if style.verbose || confirmed < predictions {
        parts.push(counted(report.sum(|m| m.paths.finished), "path", "paths"));
        parts.push(format!("predictions {confirmed}/{predictions} confirmed"));
    }
    parts.push(format!("{:.1} s", report.seconds));
    let line = parts.join(" · ");
    let code = if regressions > 0 { "1;31" } else { "1" };
    let _ = writeln!(out, "{}", style.paint(code, &line));
}

/// That there is no method to compare, and why.
pub(super) fn nothing(why: Option<&str>) -> String {
    let why = why.map(|w| format!(": {}", printable(w)));
    format!("nothing to compare{}", why.unwrap_or_default())
}

fn verdicts(report: &Report) -> String {
    let counts = [
        (Verdict::Diverges, "diverges", "diverge"),
        (Verdict::Equivalent, "equivalent", "equivalent"),
        (Verdict::Bounded, "bounded", "bounded"),
        (Verdict::Incomplete, "incomplete", "incomplete"),
    ];
    let counts = counts.map(|(v, one, many)| (report.count(v), one, many));
    let some = counts.iter().filter(|c| c.0 > 0);
    let mut words: Vec<String> = some.map(|(n, one, many)| counted(*n, one, many)).collect();
    let proved = report
        .methods
        .iter()
        .filter(|m| m.proof == Some(Proof::Local));
    let proved = proved.count();
    if proved > 0 {
        let which = words.iter_mut().filter(|w| w.ends_with(" equivalent"));
        which.for_each(|w| w.push_str(&format!(" ({proved} proved for every input)")));
    }
    if words.is_empty() {
        "nothing to compare".into()
    } else {
        words.join(", ")
    }
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

fn class(class: DivergenceClass) -> (&'static str, &'static str) {
    match class {
        DivergenceClass::Regression => ("regression", "1;31"),
        DivergenceClass::Fix => ("fix", "32"),
        DivergenceClass::Changed => ("changed", "33"),
        DivergenceClass::ControlOnly => ("control only", "2"),
    }
}

/// The finding's input as a call, or the test that makes it.
pub fn call(f: &Finding) -> String {
    if let Some(test) = in_test(f) {
        return test;
    }
    let class = f.entry.class.rsplit('.').next().unwrap_or_default();
    Form::Readable.call(&java_text::source_name(class), &f.entry, &f.inputs)
}
