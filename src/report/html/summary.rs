//! The top of the report: headline, numbers, the table of methods, and what was not compared.

use super::super::Report;
use super::super::printable::printable;
use super::{badge, verdict_name};
use crate::model::{DivergenceClass, MethodRef, MethodResult, Verdict};
use crate::util::counted::counted;
use maud::{Markup, html};

/// What the report comes to in a few words, and its tone for the style sheet.
pub(super) fn headline(report: &Report) -> (String, &'static str) {
    let regressions = report.findings(DivergenceClass::Regression);
    let others = report.findings(DivergenceClass::Changed) + report.findings(DivergenceClass::Fix);
    if regressions > 0 {
        (counted(regressions, "regression", "regressions"), "bad")
    } else if others > 0 {
        let text = counted(others, "difference", "differences");
        (format!("{text}, no regression"), "warn")
    } else if !report.lost_shards.is_empty() {
        ("Nothing found, but a part is missing".into(), "unsure")
    } else if report.methods.is_empty() {
        ("No changed Java methods to compare".into(), "neutral")
    } else if report.count(Verdict::Incomplete) > 0 {
        let text = "Nothing found, but not everything could be analysed";
        (text.into(), "unsure")
    } else if report.count(Verdict::Bounded) > 0 {
        ("No difference within the stated bounds".into(), "fine")
    } else {
        ("The versions are equivalent".into(), "good")
    }
}

pub(super) fn header(report: &Report) -> Markup {
    let (text, tone) = headline(report);
    let revision = |name: &str, id: &str| {
        html! {
            @if !name.is_empty() && !id.starts_with(name) { code { (printable(name)) } " " }
            code.dim title=(printable(id)) { (printable(id.get(..12).unwrap_or(id))) }
        }
    };
    html! {
        header class=(tone) {
            p.product { "shadow-ci" }
            h1 { (text) }
            p.revisions {
                (revision(&report.old_name, &report.old)) span.arrow { " → " } (revision(&report.new_name, &report.new))
            }
            @if let Some(text) = report.lost() { p.effort { b { (text) } } }
            @if !report.methods.is_empty() { (numbers(report)) }
            @for m in report.without_reaching_input() {
                p { "Not reached: no input ran the changed code of " (name(&m.method)) " in both versions." }
            }
        }
    }
}

fn numbers(report: &Report) -> Markup {
    let tile = |tone: &str, n: u64, one: &str, many: &str| {
        html! {
            li class={ (if n > 0 { tone } else { "none" }) } {
                b { (n) } " " span { (if n == 1 { one } else { many }) }
            }
        }
    };
    let verdict = |v: Verdict| report.count(v) as u64;
    html! {
        ul.tiles {
            (tile("regression", report.findings(DivergenceClass::Regression), "regression", "regressions"))
            (tile("changed", report.findings(DivergenceClass::Changed), "changed outcome", "changed outcomes"))
            (tile("fix", report.findings(DivergenceClass::Fix), "fix", "fixes"))
            (tile("diverges", verdict(Verdict::Diverges), "method diverges", "methods diverge"))
            (tile("equivalent", verdict(Verdict::Equivalent), "equivalent", "equivalent"))
            (tile("bounded", verdict(Verdict::Bounded), "bounded", "bounded"))
            (tile("incomplete", verdict(Verdict::Incomplete), "incomplete", "incomplete"))
        }
        p.effort {
            (counted(report.sum(|m| m.paths.finished), "path", "paths")) " explored · "
            (report.sum(|m| m.predictions_confirmed)) " of "
            (counted(report.sum(|m| m.predictions), "prediction", "predictions"))
            " confirmed on the JVM · " (format!("{:.1}", report.seconds)) " s"
            @if let Some(note) = report.replay_note() { " · " (note) }
        }
    }
}

/// One row per method; a run on one method needs no table.
pub(super) fn table(report: &Report) -> Markup {
    if report.methods.is_empty() {
        return html! { span #methods {} };
    }
    html! {
        section.overview #methods tabindex="-1" {
            h2 { "Methods" }
            div.scroll tabindex="0" role="region" aria-label="Table of methods" {
                table {
                    thead { tr {
                        th scope="col" { "Verdict" }
                        th scope="col" { "Method" }
                        th scope="col" { "Findings" }
                        th.number scope="col" { "Paths" }
                        th.number scope="col" { "Limits" }
                        th scope="col" { "Level" }
                        th.number scope="col" { "Time" }
                    } }
                    tbody {
                        @for (i, m) in super::ranked(report) { (row(i, m)) }
                    }
                }
            }
        }
    }
}

fn row(index: usize, m: &MethodResult) -> Markup {
    let of = |class: DivergenceClass| -> u64 {
        let found = m
            .findings
            .iter()
            .filter(|f| f.class == class && f.is_open());
        found.count() as u64
    };
    let verdict = verdict_name(m.verdict);
    html! {
        tr {
            td { (badge(verdict, verdict)) }
            th scope="row" { a href={"#m" (index)} { (name(&m.method)) } }
            td.findings {
                @for class in [DivergenceClass::Regression, DivergenceClass::Changed, DivergenceClass::Fix] {
                    @if of(class) > 0 {
                        @let (word, style) = super::class_name(class);
                        @let many = match class { DivergenceClass::Regression => "regressions", DivergenceClass::Fix => "fixes", _ => word };
                        span class={"count " (style)} { (counted(of(class), word, many)) } " "
                    }
                }
            }
            td.number { (m.paths.finished) }
            td.number { @if !m.limits.is_empty() { (m.limits.len()) } }
            td.level { (format!("{:?}", m.level).to_lowercase()) }
            td.number { (format!("{:.1} s", m.seconds)) }
        }
    }
}

/// A method by class and name, with the class's package set back.
pub(super) fn name(id: &MethodRef) -> Markup {
    let (package, class) = match id.class.rsplit_once('.') {
        Some((package, class)) => (format!("{package}."), class),
        None => (String::new(), id.class.as_str()),
    };
    html! {
        code.name {
            span.dim { (printable(&package)) } wbr;
            (printable(class)) wbr; "#" b { (printable(&id.name)) }
        }
    }
}

/// Added, removed and left out.
pub(super) fn not_compared(report: &Report) -> Markup {
    let methods = |ids: &[MethodRef], word: &str| {
        html! {
            @if !ids.is_empty() {
                details {
                    summary { (counted(ids.len(), "method", "methods")) " " (word) }
                    ul { @for id in ids { li { (name(id)) } } }
                }
            }
        }
    };
    let none = report.added.is_empty() && report.removed.is_empty() && report.skipped.is_empty();
    html! {
        @if !none {
            section.rest {
                h2 { "Not compared" }
                (methods(&report.added, "only the new version has"))
                (methods(&report.removed, "only the old version has"))
                @if !report.skipped.is_empty() {
                    details {
                        summary { (counted(report.skipped.len(), "file", "files")) " left out" }
                        ul {
                            @for (what, why) in &report.skipped {
                                li { code { (printable(what)) } " – " (printable(why)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
