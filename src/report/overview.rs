//! The table of all methods at the end of the terminal report.

use super::Report;
use super::printable::printable;
use super::terminal::{Style, verdict};
use super::wrap::columns;
use crate::verdict::{Class, MethodResult};
use std::fmt::Write;

/// The least of a method's name that is shown on a narrow terminal.
const NARROWEST_NAME: usize = 20;

/// One line per method, with a blank line behind.
pub(super) fn table(report: &Report, style: Style) -> String {
    let rows: Vec<[String; 4]> = report.methods.iter().map(row).collect();
    let wide = |i: usize| rows.iter().map(|r| columns(&r[i])).max().unwrap_or(0);
    let rest = 10 + wide(1) + wide(2) + wide(3) + 8;
    let name = match style.width {
        Some(width) => wide(0).min(width.saturating_sub(rest).max(NARROWEST_NAME)),
        None => wide(0),
    };
    let mut out = String::new();
    for (m, [method, findings, paths, limits]) in report.methods.iter().zip(&rows) {
        let (word, code) = verdict(m.verdict);
        let line = format!(
            "{}  {}  {}  {}  {limits}",
            style.paint(code, &format!("{word:10}")),
            padded(&end_of(method, name), name),
            padded(findings, wide(1)),
            format_args!("{}{paths}", " ".repeat(wide(2) - columns(paths))),
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out.push('\n');
    out
}

fn row(m: &MethodResult) -> [String; 4] {
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
        .map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }))
        .collect();
    let gave_up = m.limits.iter().filter(|l| !l.bound).count();
    let limits = match (m.limits.len(), gave_up) {
        (0, _) => String::new(),
        (_, 0) => "within bounds".into(),
        _ => "gave up somewhere".into(),
    };
    let paths = m.paths.finished;
    [
        printable(&format!("{}#{}", m.method.class, m.method.name)),
        found.join(", "),
        format!("{paths} path{}", if paths == 1 { "" } else { "s" }),
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
