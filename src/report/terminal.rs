//! The summary for terminals and logs: each method once, the most serious first.

mod method;

use method::write_method;

use super::method_name::method_name;
use super::printable::printable;
use super::{Report, TEST, wrap};
use crate::java_text;
use crate::java_text::brief::cut;
use crate::java_text::call::in_test;
use crate::java_text::input::Form;
use crate::model::reason::Reason;
use crate::model::{DivergenceClass, Finding, MethodResult, Proof, Verdict};
use crate::util::counted::{counted, first};
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

/// Names of a list that are shown.
const MOST_NAMES: usize = 3;

/// Findings shown of one method.
const MOST_FINDINGS: usize = 6;

/// Limits shown of one method.
const MOST_LIMITS: usize = 2;

/// Longest call, condition and limit, in characters.
const LINE: usize = 200;

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
    not_reached(&mut out, report, style);
    let mut methods: Vec<&MethodResult> = report.methods.iter().collect();
    methods.sort_by_key(|m| rank(m, style));
    for method in methods {
        if is_quiet(method, style) && !style.verbose {
            continue;
        }
        if is_passed_over(method) && !style.verbose {
            continue;
        }
        write_method(&mut out, report, method, style);
    }
    if !style.verbose {
        passed_over(&mut out, report, style);
    }
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    beside(&mut out, report, style);
    totals(&mut out, report, style);
    match style.width {
        Some(width) => wrap::wrap(&out, width),
        None => out,
    }
}

/// Methods whose changed code no input ran: by name, where they are few.
fn not_reached(out: &mut String, report: &Report, style: Style) {
    let missed = report.without_reaching_input();
    let names = missed.map(|m| format!("{}#{}", m.method.class, m.method.name));
    let names: Vec<String> = names.map(|n| printable(&n)).collect();
    if names.is_empty() {
        return;
    }
    let all = match style.verbose {
        true => names.join(", "),
        false => first(&names, MOST_NAMES, ", "),
    };
    let line = format!("not reached: no input ran the changed code of {all} in both versions");
    let _ = writeln!(out, "{}\n", style.paint("1;35", &line));
}

/// Whether others of its generated class stand for it.
fn is_passed_over(m: &MethodResult) -> bool {
    m.limits.iter().any(|l| l.reason == Reason::GeneratedCode)
}

/// Methods for which others of their generated class stand: a line for each class.
fn passed_over(out: &mut String, report: &Report, style: Style) {
    let mut classes: Vec<(&str, Vec<String>)> = Vec::new();
    for m in report.methods.iter().filter(|m| is_passed_over(m)) {
        for limit in &m.limits {
            let name = printable(&method_name(&m.method));
            match classes.iter_mut().find(|c| c.0 == limit.detail) {
                Some(known) => known.1.push(name),
                None => classes.push((&limit.detail, vec![name])),
            }
        }
    }
    for (why, methods) in classes {
        let (word, code) = verdict(Verdict::Incomplete);
        let word = style.paint(code, &format!("{word:10}"));
        let _ = writeln!(out, "{word}  {}", first(&methods, MOST_NAMES, ", "));
        let line = format!("    gave up: generated-code ({})", printable(why));
        let _ = writeln!(out, "{}", style.paint("2", &line));
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
    (m.verdict == Verdict::Equivalent || is_told_elsewhere(m, style)) && m.mismatches.is_empty()
}

/// Whether all its findings are told with other methods', or as accepted.
fn is_told_elsewhere(m: &MethodResult, style: Style) -> bool {
    let told = |f: &Finding| is_shown(f, style) || is_left_out(f, style);
    m.verdict == Verdict::Diverges && !m.findings.iter().any(told)
}

/// Whether it is one that few would want to know, and is not shown.
fn is_left_out(f: &Finding, style: Style) -> bool {
    f.is_told() && f.telling.accepted.is_none() && !style.all && !f.is_relevant()
}

fn is_shown(f: &Finding, style: Style) -> bool {
    f.is_told() && f.telling.accepted.is_none() && (style.all || f.is_relevant())
}

/// Files and methods that were left out, those of one reason in one line, and what else there is to note.
fn left_out(out: &mut String, report: &Report, style: Style) {
    // That tests are no code under test goes without saying.
    let told = |why: &str| style.verbose || why != TEST;
    let all = report.skipped.iter().filter(|(_, why)| told(why));
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for (what, why) in all {
        let known = reasons.iter_mut().find(|r| r.0 == why && is_code(what));
        match known {
            Some(known) => known.1.push(printable(what)),
            None => reasons.push((why, vec![printable(what)])),
        }
    }
    for (why, what) in reasons {
        let why = match style.verbose {
            true => why.to_string(),
            // A build's log is long; what was tried instead stands at its end.
            false => one_line(why),
        };
        let head = match is_code(&what[0]) {
            true => "left out",
            false => "note",
        };
        let what = match style.verbose {
            true => what.join(", "),
            false => first(&what, MOST_NAMES, ", "),
        };
        let _ = writeln!(out, "{head}: {what} ({why})");
    }
}

/// Whether it is a file or a method, and not the build or the tests.
fn is_code(what: &str) -> bool {
    !what.contains(' ') && (what.contains('/') || what.contains('#') || what.contains('.'))
}

/// What is not about one method: accepted findings, added and removed methods, what was left out.
fn beside(out: &mut String, report: &Report, style: Style) {
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
            let names = ids.iter().map(|i| format!("{}#{}", i.class, i.name));
            let names: Vec<String> = names.map(|n| printable(&n)).collect();
            let _ = writeln!(
                out,
                "{word}, nothing to compare: {}",
                first(&names, MOST_NAMES, ", ")
            );
        }
    }
    let also: Vec<String> = report
        .methods
        .iter()
        .filter(|m| is_told_elsewhere(m, style) && m.findings.iter().any(|f| !f.is_told()))
        .map(|m| printable(&method_name(&m.method)))
        .collect();
    if !also.is_empty() && !style.verbose {
        let _ = writeln!(
            out,
            "the same differences also in: {}",
            first(&also, MOST_NAMES, ", ")
        );
    }
    left_out(out, report, style);
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

/// A text of many lines in one, cut in its middle.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().filter(|w| *w != "[ERROR]");
    let line = printable(&words.collect::<Vec<_>>().join(" "));
    let all: Vec<char> = line.chars().collect();
    if all.len() <= LINE {
        return line;
    }
    let (head, tail) = (&all[..LINE / 2], &all[all.len() - LINE / 2..]);
    let text = |part: &[char]| part.iter().collect::<String>();
    format!("{} … {}", text(head).trim_end(), text(tail).trim_start())
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
    Form::Short.call(&java_text::simple_name(&f.entry.class), &f.entry, &f.inputs)
}
