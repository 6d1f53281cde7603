//! One changed method: verdict, numbers, difference of the sources, findings, limits.

use super::super::Report;
use super::super::printable::printable;
use super::super::sentence;
use super::{Extent, UNFOLDED, badge, diff, finding, summary, tree, verdict_name};
use crate::model::{Limit, MethodResult, PathCounts};
use crate::util::counted::counted;
use maud::{Markup, html};

/// The method's section; `shown` counts the findings unfolded so far.
pub(super) fn section(
    report: &Report,
    index: usize,
    m: &MethodResult,
    (extent, shown): (&Extent, &mut usize),
) -> Markup {
    let findings = extent.findings(m);
    let more = m.findings.len() - findings.len();
    let verdict = verdict_name(m.verdict);
    // Unfolded where there is something to see, as long as that is not too much.
    let open = (!m.findings.is_empty() || !m.mismatches.is_empty()) && *shown < UNFOLDED
        || report.methods.len() == 1;
    html! {
        details.method id={"m" (index)} open[open] {
            summary {
                (badge(verdict, verdict)) " "
                h2 { (summary::name(&m.method)) }
                @if !m.findings.is_empty() {
                    " " span.dim { (counted(m.findings.iter().filter(|f| f.is_told()).count(), "finding", "findings")) }
                }
            }
            (facts(m))
            @if extent.is_detailed(index) {
                (diff::table(report, index, m))
                (tree::section(index, m))
            }
            @if !m.findings.is_empty() {
                div.findings-list {
                    @for (j, f) in findings {
                        (finding::card(report, (index, j), (m, f), finding::Extent {
                            most: extent.value,
                            tests: extent.is_detailed(index),
                            open: { *shown += 1; *shown <= UNFOLDED },
                        }))
                    }
                    @if more > 0 { p.dim { (counted(more, "more finding", "more findings")) " left out: this page would be too large" } }
                }
            }
            @if let Some(evidence) = &m.evidence { p.dim { (sentence::evidence(evidence)) } }
            (limits(m))
            @if !m.mismatches.is_empty() {
                div.ours {
                    h3 { "Our bug, please report" }
                    p { "The JVM did something else than predicted; such paths are never findings." }
                    ul { @for text in m.mismatches.iter().take(10) { li { code { (printable(text)) } } } }
                }
            }
        }
    }
}

fn facts(m: &MethodResult) -> Markup {
    let level = format!("{:?}", m.level).to_lowercase();
    let PathCounts {
        finished,
        diff,
        pruned,
        gave_up,
    } = m.paths;
    html! {
        p.facts {
            @if !m.file.is_empty() { code { (printable(&m.file)) } " · " }
            (level) " level"
            @if !m.level_reason.is_empty() { " (" (printable(&m.level_reason)) ")" }
        }
        div.paths {
            (bar(m.paths))
            p {
                (counted(finished, "path", "paths")) " finished: "
                span.key.diff { (diff) " where the control flow differs" } ", "
                span.key.same { (finished.saturating_sub(diff)) " where it is the same" }
                @if gave_up > 0 { " · " span.key.gave-up { (gave_up) " gave up" } }
                @if pruned > 0 { " · " (pruned) " pruned" }
                span.dim {
                    " · " (counted(m.states, "state", "states")) " · "
                    (counted(m.solver_queries, "solver query", "solver queries")) " · "
                    (m.predictions_confirmed) "/" (m.predictions) " predictions confirmed · "
                    (format!("{:.1}", m.seconds)) " s"
                }
            }
        }
    }
}

/// The paths' shares as a picture; the text beside it says the same.
fn bar(paths: PathCounts) -> Markup {
    let all = (paths.finished + paths.gave_up).max(1) as f64;
    let share = |n: u64| 100.0 * n as f64 / all;
    let same = share(paths.finished.saturating_sub(paths.diff));
    let (diff, gave_up) = (share(paths.diff), share(paths.gave_up));
    let x = |n: f64| format!("{n:.2}");
    html! {
        svg.bar viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" {
            rect.none width="100" height="1" {}
            rect.diff width=(x(diff)) height="1" {}
            rect.same x=(x(diff)) width=(x(same)) height="1" {}
            rect.gave-up x=(x(diff + same)) width=(x(gave_up)) height="1" {}
        }
    }
}

fn limits(m: &MethodResult) -> Markup {
    let gave_up = m.limits.iter().filter(|l| !l.bound).count() as u64;
    let bounds = m.limits.len() as u64 - gave_up;
    let mut parts = Vec::new();
    if gave_up > 0 {
        let reasons = counted(gave_up, "reason", "reasons");
        parts.push(format!("Not analysed completely because of {reasons}"));
    }
    if bounds > 0 {
        parts.push(format!(
            "Explored within {}",
            counted(bounds, "bound", "bounds")
        ));
    }
    html! {
        @if !m.limits.is_empty() {
            details.limits open[m.findings.is_empty()] {
                summary { h3 { (parts.join(" · ")) } }
                ul { @for l in &m.limits { (limit(l)) } }
            }
        }
    }
}

fn limit(l: &Limit) -> Markup {
    html! {
        li {
            @if l.bound { (badge("bounded", "bound")) } @else { (badge("incomplete", "gave up")) }
            " " b { (l.reason) }
            @if !l.detail.is_empty() { " – " (printable(&l.detail)) }
            @if let Some(at) = &l.at { " at " code { (printable(&at.file)) ":" (at.line) } }
            @if l.count > 1 { span.dim { " · " (l.count) " times" } }
        }
    }
}
