//! The old and new text of a method side by side, with the lines marked where versions part and where they throw.

use super::super::printable::{printable, printable_code};
use super::super::side_by_side::{Line, Row, side_by_side};
use super::super::{MethodText, Report, SourceText};
use crate::model::{End, Location, MethodResult, Version};
use crate::util::counted::counted;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// What happens at one line: how many findings part or throw there, and the first of them.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    parts: u64,
    throws: u64,
    first: usize,
}

/// Marks of one version by line number in the file.
type Marks = BTreeMap<u32, Mark>;

pub(super) fn table(report: &Report, index: usize, m: &MethodResult) -> Markup {
    let Some(text) = report.sources.get(&index) else {
        return html! {};
    };
    let side = |version| Side::new(text, version, index, m);
    let (old, new) = (side(Version::Old), side(Version::New));
    let marked = |row: &Row| old.marks_line(row.old.as_ref()) || new.marks_line(row.new.as_ref());
    let impacted =
        |text: &Option<SourceText>| text.as_ref().is_some_and(|s| !s.impacted.is_empty());
    html! {
        @if impacted(&text.old) || impacted(&text.new) {
            p.legend { span.way.impacted { "the patch can show on this line" } }
        }
        div.scroll.sources tabindex="0" role="region" aria-label="Old and new source" {
            div.row.head {
                span.n {} span.code { (old.title()) }
                span.n {} span.code { (new.title()) }
            }
            @for section in side_by_side(&old.text, &new.text, marked) {
                @if section.folded {
                    details.fold {
                        summary { (counted(section.rows.len(), "unchanged line", "unchanged lines")) }
                        @for row in &section.rows { (line_pair(row, &old, &new)) }
                    }
                } @else {
                    @for row in &section.rows { (line_pair(row, &old, &new)) }
                }
            }
        }
    }
}

/// One version's column.
struct Side<'a> {
    version: Version,
    index: usize,
    source: Option<&'a SourceText>,
    text: String,
    marks: Marks,
}

impl<'a> Side<'a> {
    fn new(text: &'a MethodText, version: Version, index: usize, m: &MethodResult) -> Side<'a> {
        let source = match version {
            Version::Old => text.old.as_ref(),
            Version::New => text.new.as_ref(),
        };
        Side {
            version,
            index,
            source,
            text: source.map(dedented).unwrap_or_default(),
            marks: source.map(|s| marks(m, version, s)).unwrap_or_default(),
        }
    }

    fn title(&self) -> Markup {
        let word = if self.version == Version::Old {
            "old"
        } else {
            "new"
        };
        html! {
            b { (word) } " "
            @match self.source {
                Some(s) => { span.dim { (printable(&s.file)) ":" (s.first_line) } }
                None => { span.dim { "not in the source" } }
            }
        }
    }

    fn number(&self, line: &Line) -> u32 {
        self.source.map_or(1, |s| s.first_line) + line.index as u32
    }

    fn marks_line(&self, line: Option<&Line>) -> bool {
        line.map(|l| self.number(l))
            .is_some_and(|n| self.marks.contains_key(&n) || self.is_impacted(n))
    }

    fn is_impacted(&self, number: u32) -> bool {
        self.source.is_some_and(|s| s.impacted.contains(&number))
    }

    fn cells(&self, line: Option<&Line>) -> Markup {
        let name = if self.version == Version::Old {
            "old"
        } else {
            "new"
        };
        let Some(line) = line else {
            return html! { span class={"n empty " (name)} {} span class={"code empty " (name)} {} };
        };
        let number = self.number(line);
        let mark = self.marks.get(&number);
        let marked = match (mark, self.is_impacted(number)) {
            (Some(_), _) => " marked",
            (None, true) => " impacted",
            (None, false) => "",
        };
        html! {
            span class={"n " (name) (marked)} id=[mark.map(|_| anchor(self.index, self.version, number))] { (number) }
            span class={"code " (name) (marked)} {
                @for (differs, text) in &line.pieces {
                    @if *differs { mark { (text) } } @else { (text) }
                }
                @if let Some(mark) = mark { (flag(self.index, *mark)) }
            }
        }
    }
}

/// The flag at the end of a marked line, which leads to the first finding it is about.
fn flag(index: usize, mark: Mark) -> Markup {
    html! {
        " " a.flag href={"#m" (index) "f" (mark.first)} {
            @if mark.parts > 0 { span.parts { "◆ the versions part here" @if mark.parts > 1 { " (" (counted(mark.parts, "finding", "findings")) ")" } } }
            @if mark.parts > 0 && mark.throws > 0 { " " }
            @if mark.throws > 0 { span.throws { "✗ throws" @if mark.throws > 1 { " (" (counted(mark.throws, "finding", "findings")) ")" } } }
        }
    }
}

fn line_pair(row: &Row, old: &Side, new: &Side) -> Markup {
    html! {
        div class={"row " (if row.same { "same" } else { "differs" })} {
            (old.cells(row.old.as_ref())) (new.cells(row.new.as_ref()))
        }
    }
}

/// The id of a line that findings refer to.
pub(super) fn anchor(index: usize, version: Version, line: u32) -> String {
    let side = if version == Version::Old {
        "old"
    } else {
        "new"
    };
    format!("m{index}-{side}-{line}")
}

/// Whether the position is in the text that is shown for the method in that version.
pub(super) fn shows(report: &Report, index: usize, version: Version, at: &Location) -> bool {
    let text = report.sources.get(&index);
    let source = text.and_then(|t| match version {
        Version::Old => t.old.as_ref(),
        Version::New => t.new.as_ref(),
    });
    source.is_some_and(|s| within(s, at))
}

fn within(source: &SourceText, at: &Location) -> bool {
    let lines = source.text.lines().count() as u32;
    source.file.rsplit('/').next() == Some(at.file.as_str())
        && (source.first_line..source.first_line + lines).contains(&at.line)
}

fn marks(m: &MethodResult, version: Version, source: &SourceText) -> Marks {
    let mut marks = Marks::new();
    let mut add = |at: &Location, finding: usize, what: fn(&mut Mark) -> &mut u64| {
        if within(source, at) {
            let first = Mark {
                first: finding,
                ..Mark::default()
            };
            *what(marks.entry(at.line).or_insert(first)) += 1;
        }
    };
    for (j, f) in m.findings.iter().enumerate().filter(|(_, f)| f.is_told()) {
        let (outcome, parted) = match version {
            Version::Old => (&f.old, f.diverges_at.as_ref().map(|at| &at.0)),
            Version::New => (&f.new, f.diverges_at.as_ref().map(|at| &at.1)),
        };
        if let Some(at) = parted {
            add(at, j, |mark| &mut mark.parts);
        }
        if let End::Threw { at: Some(at), .. } = &outcome.end
            && let Some(at) = location(at)
        {
            add(&at, j, |mark| &mut mark.throws);
        }
    }
    marks
}

/// `File.java:12`, read.
pub(super) fn location(text: &str) -> Option<Location> {
    let (file, line) = text.rsplit_once(':')?;
    Some(Location {
        file: file.to_string(),
        line: line.parse().ok()?,
    })
}

/// The text moved to the left as far as its lines allow, tabs as four spaces.
fn dedented(source: &SourceText) -> String {
    let text = printable_code(&source.text).replace('\t', "    ");
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common = text
        .lines()
        .filter(|l| !l.trim().is_empty())
        .map(indent)
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = text
        .lines()
        .map(|l| l.get(common..).unwrap_or_default())
        .collect();
    lines.join("\n")
}
