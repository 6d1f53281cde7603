//! A range of commits as one HTML file: a table, and each commit's findings below it.

use super::super::document::{Document, Finding, Method};
use super::super::history::{History, Row, State};
use super::super::printable::printable;
use super::{badge, class_name, page};
use crate::java_text::brief::cut;
use crate::model::DivergenceClass;
use maud::{Markup, html};

/// Longest text of the code under test, in characters.
const LONG: usize = 2000;

/// The range as HTML.
pub fn render(history: &History) -> String {
    let regressions = history
        .rows
        .iter()
        .any(|r| r.findings(DivergenceClass::Regression) > 0);
    let whole = history.rows.iter().all(|r| r.document().is_some());
    let tone = match (regressions, whole) {
        (true, _) => "bad",
        (false, false) => "unsure",
        (false, true) => "fine",
    };
    let body = html! {
        a.skip href="#commits" { "Skip to the commits" }
        header class=(tone) {
            p.product { "shadow-ci" }
            h1 { (history.headline()) }
        }
        main {
            (table(history))
            @for row in &history.rows { (section(row)) }
        }
        footer { "shadow-ci " (env!("CARGO_PKG_VERSION")) }
    };
    page(&format!("shadow-ci: {}", history.headline()), &body)
}

fn table(history: &History) -> Markup {
    html! {
        section.overview #commits tabindex="-1" {
            h2 { "Commits" }
            div.scroll tabindex="0" role="region" aria-label="Table of commits" {
                table {
                    thead { tr {
                        th scope="col" { "Verdict" }
                        th scope="col" { "Commit" }
                        th.number scope="col" { "Methods" }
                        th scope="col" { "Findings" }
                        th.number scope="col" { "Time" }
                    } }
                    tbody { @for row in &history.rows { (line(row)) } }
                }
            }
        }
    }
}

fn line(row: &Row) -> Markup {
    html! {
        tr {
            td { (badge(tone(row), row.verdict())) }
            th scope="row" {
                a href={"#c" (printable(row.short()))} { code { (printable(row.short())) } } " " (printable(&cut(&row.subject, LONG)))
            }
            td.number { @if let Some(d) = row.document() { (d.methods.len()) } }
            td.findings {
                @for class in [DivergenceClass::Regression, DivergenceClass::Changed, DivergenceClass::Fix] {
                    @if row.findings(class) > 0 {
                        @let (word, style) = class_name(class);
                        span class={"count " (style)} { (row.findings(class)) " " (word) } " "
                    }
                }
            }
            td.number { @if let Some(d) = row.document() { (format!("{:.1} s", d.summary.seconds)) } }
        }
    }
}

/// The style of a commit's verdict.
fn tone(row: &Row) -> &'static str {
    match row.verdict() {
        verdict @ ("diverges" | "equivalent" | "bounded") => verdict,
        _ => "incomplete",
    }
}

fn section(row: &Row) -> Markup {
    let found: &[(&Method, &Finding)] = &row.document().map(Document::ranked).unwrap_or_default();
    html! {
        details.method id={"c" (printable(row.short()))} open[!found.is_empty()] {
            summary {
                (badge(tone(row), row.verdict())) " "
                h2 { code.name { (printable(row.short())) } " " (printable(&cut(&row.subject, LONG))) }
            }
            @match &row.state {
                State::Missing => p.facts { "No report of it is there." },
                State::Failed(why) => pre { (printable(&cut(why, LONG))) },
                State::Judged(document) => {
                    @for (method, finding) in found { (card(method, finding)) }
                    @for method in &document.methods { (limits(method)) }
                }
            }
        }
    }
}

fn card(method: &Method, finding: &Finding) -> Markup {
    let (word, style) = class_name(finding.class);
    html! {
        div.facts {
            p {
                (badge(style, word)) " " code { (printable(&method.name.short())) } " · "
                code { (printable(&cut(&finding.input(), LONG))) }
            }
            p { "old: " code { (printable(&cut(&finding.old.text(&finding.new), LONG))) } }
            p { "new: " code { (printable(&cut(&finding.new.text(&finding.old), LONG))) } }
            @for line in &finding.when { p.dim { (printable(&cut(line, LONG))) } }
        }
    }
}

fn limits(method: &Method) -> Markup {
    let mut reasons: Vec<&str> = method.limits.iter().map(|l| l.reason.as_str()).collect();
    reasons.dedup();
    html! {
        p.facts.dim {
            code { (printable(&method.name.short())) } " · "
            (super::verdict_name(method.verdict))
            @if !reasons.is_empty() { " · " (printable(&reasons.join(", "))) }
        }
    }
}
