//! One method on a terminal: verdict, findings, proof, limits and effort.

use super::super::Report;
use super::super::method_name::{method_name, on_paths};
use super::super::printable::printable;
use super::super::sentence;
use super::{
    LINE, LONGEST_CALL, MOST_FINDINGS, MOST_LIMITS, Style, call, class, is_shown, verdict,
};
use crate::java_text;
use crate::java_text::brief::cut;
use crate::java_text::brief::sides;
use crate::model::{DivergenceClass, Finding, FoundBy, Limit, MethodResult, Proof, Situation};
use crate::util::counted::counted;
use std::fmt::Write;

pub(super) fn write_method(out: &mut String, report: &Report, m: &MethodResult, style: Style) {
    let (word, code) = verdict(m.verdict);
    let place = match m.line {
        Some(line) if !m.file.is_empty() => format!("  {}:{line}", m.file),
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "{}  {}{}",
        style.paint(code, &format!("{word:10}")),
        printable(&method_name(&m.method)),
        style.paint("2", &printable(&place)),
    );
    if style.verbose {
        effort(out, m);
    }
    let shown: Vec<&Finding> = m.findings.iter().filter(|f| is_shown(f, style)).collect();
    let most = if style.verbose {
        usize::MAX
    } else {
        MOST_FINDINGS
    };
    for finding in shown.iter().take(most) {
        write_finding(out, report, (m, finding), style);
    }
    if shown.len() > most {
        let more = counted(shown.len() - most, "more finding", "more findings");
        let _ = writeln!(out, "    … and {more} (--verbose)");
    }
    if let Some(evidence) = &m.evidence {
        let line = format!("    {}", sentence::evidence(evidence));
        let _ = writeln!(out, "{}", style.paint("2", &line));
    }
    proof(out, m);
    limits(out, m, style);
    let most = if style.verbose { usize::MAX } else { 1 };
    for mismatch in m.mismatches.iter().take(most) {
        let text = cut(&printable(mismatch), 2 * LINE);
        let _ = writeln!(out, "    our bug, please report: {text}");
    }
    if !shown.is_empty() || style.verbose {
        out.push('\n');
    }
}

/// That a method is proved, or when its versions may differ where nothing was found.
fn proof(out: &mut String, m: &MethodResult) {
    if m.proof == Some(Proof::Local) {
        let _ = writeln!(out, "    proved for every input");
    }
    for condition in &m.local_conditions {
        let condition = cut(&printable(condition), LINE);
        let _ = writeln!(out, "    could differ when {condition}; not reached");
    }
}

/// What was not explored: reasons to give up first.
fn limits(out: &mut String, m: &MethodResult, style: Style) {
    let (bounds, reasons): (Vec<&Limit>, Vec<&Limit>) = m.limits.iter().partition(|l| l.bound);
    for (word, all) in [("gave up:", reasons), ("within:", bounds)] {
        if all.is_empty() {
            continue;
        }
        if style.verbose {
            for limit in all {
                let _ = writeln!(out, "    {word} {}", describe(limit));
            }
            continue;
        }
        let texts = all.iter().take(MOST_LIMITS).map(|l| match word {
            "within:" => l.reason.to_string(),
            _ => cut(&describe(l), LINE / 2),
        });
        let texts: Vec<String> = texts.collect();
        let more = match all.len().saturating_sub(MOST_LIMITS) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let line = format!("    {word} {}{more}", texts.join("; "));
        let _ = writeln!(out, "{}", style.paint("2", &line));
    }
}

/// What `--verbose` adds to a method.
fn effort(out: &mut String, m: &MethodResult) {
    let level = m.level.name();
    let reason = match m.level_reason.as_str() {
        "" => String::new(),
        reason => format!(" ({})", printable(reason)),
    };
    let _ = writeln!(out, "    {level} level{reason}, {:.1} s", m.seconds);
    let _ = writeln!(
        out,
        "    {}, {} in control flow, {} pruned, {} gave up · {} · {} · predictions {}/{} confirmed{}",
        counted(m.paths.finished, "path", "paths"),
        counted(m.paths.diff, "differs", "differ"),
        m.paths.pruned,
        m.paths.gave_up,
        counted(m.states, "state", "states"),
        counted(m.solver_queries, "solver query", "solver queries"),
        m.predictions_confirmed,
        m.predictions,
        replayed(m),
    );
}

fn describe(l: &Limit) -> String {
    let detail = if l.detail.is_empty() {
        String::new()
    } else {
        format!(" ({})", printable(&l.detail))
    };
    let at =
        l.at.as_ref()
            .map(|a| format!(" at {}:{}", printable(&a.file), a.line))
            .unwrap_or_default();
    let times = if l.count > 1 {
        format!(", {} times", l.count)
    } else {
        String::new()
    };
    format!("{}{detail}{at}{times}", l.reason)
}

/// At most eight lines: the call, both outcomes, the condition, and what to do about it.
fn write_finding(
    out: &mut String,
    report: &Report,
    (m, f): (&MethodResult, &Finding),
    style: Style,
) {
    let (word, code) = class(f.class);
    let labels: Vec<&str> = f.telling.labels.iter().map(|l| l.words()).collect();
    let labels = match labels.is_empty() {
        true => String::new(),
        false => format!(" [{}]", labels.join("; ")),
    };
    let paths = match f.found_by {
        FoundBy::Exploration => on_paths(f.represents, m.paths.finished),
        FoundBy::Search => "found by the search beyond the bounds".to_string(),
        FoundBy::Tests => by_test(f),
    };
    let paths = style.paint("2", &format!("{paths}{labels}"));
    let called = cut(&printable(&call(f)), LINE);
    let _ = writeln!(out, "    {}  {called}  {paths}", style.paint(code, word));
    let (old, new) = sides(f);
    let _ = writeln!(out, "        old: {}", printable(&old));
    let _ = writeln!(out, "        new: {}", printable(&new));
    for (i, line) in when(f).iter().enumerate() {
        let word = if i == 0 { "when" } else { " and" };
        let _ = writeln!(out, "        {word} {}", cut(&printable(line), LINE));
    }
    match report.replay_line(f) {
        Some(_) if java_text::call::call_text(f).len() > LONGEST_CALL => {
            let _ = writeln!(
                out,
                "        (the command that replays it is in the JSON and HTML reports)"
            );
        }
        Some(line) => {
            let _ = writeln!(out, "        {}", style.paint("2", &printable(&line)));
        }
        None => {}
    }
    if let Some(by) = &f.telling.proposed {
        let reason = cut(&printable(&by.reason), LINE / 2);
        let _ = writeln!(
            out,
            "        accepted by this change itself, which does not count: {reason}"
        );
    } else if let Some(line) = report.accept_line(f) {
        let _ = writeln!(out, "        {}", style.paint("2", &printable(&line)));
    }
}

/// The condition in the program's words, else as a formula.
fn when(f: &Finding) -> Vec<String> {
    match (&f.telling.when[..], f.path_condition.as_str()) {
        ([], "" | "true") => Vec::new(),
        ([], formula) => vec![formula.to_string()],
        (lines, _) => lines.to_vec(),
    }
}

/// That not every predicted path was run on the JVM.
fn replayed(m: &MethodResult) -> String {
    match m.predictions < m.paths.finished {
        true => format!(" (of {} predicted)", m.paths.finished),
        false => String::new(),
    }
}

/// The test of the old version that shows it, as far as the call does not say it.
fn by_test(f: &Finding) -> String {
    match &f.situation {
        Some(Situation {
            test,
            is_written: true,
            ..
        }) => format!("as {test} calls it"),
        Some(Situation { call: None, .. }) => match f.class {
            DivergenceClass::Fix => "a test that fails in the old version only".into(),
            _ => "a test that fails in the new version only".into(),
        },
        _ => "a call that can't be written down".into(),
    }
}
