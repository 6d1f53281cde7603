//! One method on a terminal: verdict, findings, proof, limits and effort.

use super::super::Report;
use super::super::formula::stand_in;
use super::super::found_by::found_by;
use super::super::method_name::method_name;
use super::super::printable::printable;
use super::super::sentence;
use super::super::wrap::columns;
use super::{LINE, MOST_FINDINGS, MOST_LIMITS, Style, call, class, is_left_out, is_shown, verdict};
use crate::java_text::brief::cut;
use crate::java_text::brief::sides;
use crate::model::{Finding, Limit, MethodResult, Proof};
use crate::util::counted::{counted, first};
use std::fmt::Write;

/// Lines of one finding.
const MOST_LINES: usize = 8;

/// Columns of a line where no terminal says how wide it is.
const COLUMNS: usize = 120;

/// Narrower terminals break lines.
const NARROW: usize = 60;

/// Characters shown of how a receiver is made, where that is cut.
const SHORTEST_HEAD: usize = 20;

/// Characters shown of each call at least.
const SHORTEST_CALL: usize = 40;

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
    let minor = m.findings.iter().filter(|f| is_left_out(f, style)).count();
    if minor > 0 && shown.is_empty() {
        let minor = counted(minor, "minor finding", "minor findings");
        let _ = writeln!(out, "    {minor} not shown (--show all)");
    }
    if shown.len() > most {
        let more = counted(shown.len() - most, "more finding", "more findings");
        let _ = writeln!(out, "    … and {more} (--verbose)");
    }
    if let Some(evidence) = &m.evidence
        && (shown.is_empty() || style.verbose)
    {
        let line = format!("    {}", sentence::evidence(evidence));
        let _ = writeln!(out, "{}", style.paint("2", &line));
    }
    proof(out, m);
    limits(out, m, !shown.is_empty(), style);
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
    if !m.proved_but_for.is_empty() && m.findings.is_empty() {
        let names: Vec<String> = m.proved_but_for.iter().map(method_name).collect();
        let names = first(&names, MOST_LIMITS, ", ");
        let _ = writeln!(out, "    proved for every input, but for what {names} does");
    }
    for condition in &m.local_conditions {
        let condition = cut(&printable(condition), LINE);
        let _ = writeln!(out, "    could differ when {condition}; not reached");
    }
}

/// What was not explored: reasons to give up first; beside findings in one line.
fn limits(out: &mut String, m: &MethodResult, beside: bool, style: Style) {
    let (bounds, reasons): (Vec<&Limit>, Vec<&Limit>) = m.limits.iter().partition(|l| l.bound);
    if style.verbose {
        for (word, all) in [("gave up:", reasons), ("within:", bounds)] {
            for limit in all {
                let _ = writeln!(out, "    {word} {}", describe(limit));
            }
        }
        return;
    }
    if beside {
        let mut names: Vec<&str> = Vec::new();
        for limit in reasons.iter().chain(&bounds) {
            let name = limit.reason.name();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if !names.is_empty() {
            let line = format!(
                "    not fully explored: {}",
                first(&names, MOST_LIMITS, "; ")
            );
            let _ = writeln!(out, "{}", style.paint("2", &line));
        }
        return;
    }
    let texts = |all: &[&Limit], long: bool| -> Vec<String> {
        let texts = all.iter().map(|l| match long {
            false => l.reason.to_string(),
            true => cut(&describe(l), LINE / 2),
        });
        texts.collect()
    };
    for (word, all) in [
        ("gave up:", texts(&reasons, true)),
        ("within:", texts(&bounds, false)),
    ] {
        if !all.is_empty() {
            let line = format!("    {word} {}", first(&all, MOST_LIMITS, "; "));
            let _ = writeln!(out, "{}", style.paint("2", &line));
        }
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
    let room = Room::of(report, f, style);
    let line = |out: &mut String, text: &str| {
        let _ = writeln!(out, "        {}", cut(&printable(text), room.line()));
    };
    headline(out, (m, f), &room, style);
    let (old, new) = sides(f);
    line(out, &format!("old: {old}"));
    line(out, &format!("new: {new}"));
    for (i, condition) in when(f).iter().enumerate() {
        let word = if i == 0 { "when" } else { " and" };
        line(out, &format!("{word} {condition}"));
    }
    let dim = |out: &mut String, text: &str| {
        let _ = writeln!(out, "        {}", style.paint("2", &printable(text)));
    };
    match report.replay_line(f) {
        Some(command) if room.is_replayed => dim(out, &command),
        Some(_) => line(
            out,
            "(the command that replays it is in the JSON and HTML reports)",
        ),
        None => {}
    }
    if let Some(by) = &f.telling.proposed {
        let reason = printable(&by.reason);
        line(
            out,
            &format!("accepted by this change itself, which does not count: {reason}"),
        );
    } else if let Some(command) = report.accept_line(f) {
        dim(out, &command);
    }
}

/// Class, call, and how often it was seen.
fn headline(out: &mut String, (m, f): (&MethodResult, &Finding), room: &Room, style: Style) {
    let (word, code) = class(f.class);
    let labels: Vec<&str> = f.telling.labels.iter().map(|l| l.words()).collect();
    let labels = match labels.is_empty() {
        true => String::new(),
        false => format!(" [{}]", labels.join("; ")),
    };
    let how = found_by(
        (f.found_by, f.class),
        f.situation.as_ref(),
        (f.represents, m.paths.finished),
    );
    let note = format!("{how}{labels}");
    let beside = word.len() + columns(&note) + 8;
    let most = (room.headline * room.width).saturating_sub(beside);
    let called = shortened(&printable(&call(f)), most.max(SHORTEST_CALL));
    let note = style.paint("2", &note);
    let _ = writeln!(out, "    {}  {called}  {note}", style.paint(code, word));
}

/// A call in at most so many characters: the call itself at its end says more than how its receiver is made.
fn shortened(call: &str, most: usize) -> String {
    let (all, own) = (call.chars().count(), own_call(call));
    let tail = call[own..].chars().count();
    if all <= most || own == 0 || tail + SHORTEST_HEAD > most {
        return cut(call, most);
    }
    format!("{}{}", cut(&call[..own], most - tail), &call[own..])
}

/// Where the last method of a chain of calls begins, with its dot: the last one outside of parentheses and literals.
fn own_call(call: &str) -> usize {
    let (mut depth, mut quote, mut escaped, mut at) = (0u32, None, false, 0);
    for (i, c) in call.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => depth = depth.saturating_sub(1),
            (None, '.') if depth == 0 => at = i,
            _ => {}
        }
    }
    at
}

/// How the lines of one finding are shared out: commands are to be copied, so they are whole or not there.
struct Room {
    width: usize,
    /// Lines of the headline.
    headline: usize,
    is_replayed: bool,
}

impl Room {
    fn of(report: &Report, f: &Finding, style: Style) -> Room {
        let width = style.width.unwrap_or(COLUMNS).max(NARROW);
        let rows = |command: Option<String>| {
            command.map_or(0, |c| (columns(&printable(&c)) + 8).div_ceil(width))
        };
        let accept = match f.telling.proposed {
            Some(_) => 1,
            None => rows(report.accept_line(f)),
        };
        let replay = rows(report.replay_line(f));
        // Beside the outcomes.
        let rest = MOST_LINES.saturating_sub(2 + when(f).len() + accept);
        let is_replayed = replay < rest;
        Room {
            width,
            headline: (rest - replay.min(rest)).clamp(1, 2),
            is_replayed,
        }
    }

    /// Columns of a line behind its indent.
    fn line(&self) -> usize {
        self.width - 8
    }
}

/// The condition in the program's words, else as a formula.
fn when(f: &Finding) -> Vec<String> {
    match &f.telling.when[..] {
        // It is the condition of one path only.
        [] if f.represents > 1 => Vec::new(),
        [] => stand_in(&f.path_condition)
            .map(str::to_string)
            .into_iter()
            .collect(),
        lines => lines.to_vec(),
    }
}

/// That not every predicted path was run on the JVM.
fn replayed(m: &MethodResult) -> String {
    match m.predictions < m.paths.finished {
        true => format!(" (of {} predicted)", m.paths.finished),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_call_is_cut_where_its_receiver_is_made() {
        let call = "new demo.Cursor(new demo.Page(new char[] {'.', ')'}), 3).advance(\"a.b\", 'c')";
        let short = shortened(call, 50);
        assert_eq!(
            short,
            "new demo.Cursor(new demo.Page….advance(\"a.b\", 'c')"
        );
        assert!(short.chars().count() <= 50);
        assert_eq!(shortened(call, 500), call);
        assert_eq!(shortened("new demo.Cursor(1, 2, 3)", 12), "new demo.Cu…");
    }
}
