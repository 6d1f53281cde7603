//! The table of all methods at the end of the terminal report.

use super::Report;
use super::printable::printable;
use super::terminal::{Style, verdict};
use super::wrap::columns;
use crate::model::{Class, MethodResult};
use crate::util::counted::counted;
use std::fmt::Write;

/// The least of a method's name that is shown before a column goes, and when none is left to go.
const NAME: usize = 22;
const NARROWEST_NAME: usize = 16;

/// Columns of the verdict.
const VERDICT: usize = 10;

/// One line per method, with a blank line behind. On a narrow terminal columns go from the right.
pub(super) fn table(report: &Report, style: Style) -> String {
    let rows: Vec<Vec<String>> = report.methods.iter().map(row).collect();
    let wide = |i: usize| rows.iter().map(|r| columns(&r[i])).max().unwrap_or(0);
    let mut shown: Vec<usize> = (1..=3).filter(|i| wide(*i) > 0).collect();
    let mut name = wide(0);
    if let Some(width) = style.width {
        let room = |shown: &[usize]| {
            let taken: usize = shown.iter().map(|i| wide(*i) + 2).sum();
            width.saturating_sub(VERDICT + 2 + taken)
        };
        while room(&shown) < name.min(NAME) && shown.pop().is_some() {}
        name = name.min(room(&shown).max(NARROWEST_NAME));
    }
    let mut out = String::new();
    for (m, row) in report.methods.iter().zip(&rows) {
        let (word, code) = verdict(m.verdict);
        let mut line = style.paint(code, &format!("{word:VERDICT$}"));
        let _ = write!(line, "  {}", padded(&end_of(&row[0], name), name));
        for i in &shown {
            let _ = write!(line, "  {}", padded(&row[*i], wide(*i)));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out.push('\n');
    out
}

/// Method, findings, paths, limits.
fn row(m: &MethodResult) -> Vec<String> {
    let of = |class: Class| -> u64 {
        let found = m.findings.iter().filter(|f| f.class == class);
        found.map(|f| f.represents).sum()
    };
    let words = [
        (of(Class::Regression), "regression", "regressions"),
        (of(Class::Changed), "changed", "changed"),
        (of(Class::Fix), "fix", "fixes"),
    ];
    let found: Vec<String> = words
        .iter()
        .filter(|w| w.0 > 0)
        .map(|(n, one, many)| counted(*n, one, many))
        .collect();
    let gave_up = m.limits.iter().filter(|l| !l.bound).count();
    let limits = match (m.limits.len(), gave_up) {
        (0, _) => String::new(),
        (_, 0) => "within bounds".into(),
        _ => "gave up somewhere".into(),
    };
    vec![
        printable(&format!("{}#{}", m.method.class, m.method.name)),
        found.join(", "),
        counted(m.paths.finished, "path", "paths"),
        limits,
    ]
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The end of a name tells methods apart better than its beginning.
fn end_of(name: &str, width: usize) -> String {
    if columns(name) <= width {
        return name.to_string();
    }
    let mut kept = 0;
    let mut at = name.len();
    for (i, c) in name.char_indices().rev() {
        kept += columns(c.encode_utf8(&mut [0; 4]));
        if kept >= width {
            break;
        }
        at = i;
    }
    format!("…{}", &name[at..])
}
