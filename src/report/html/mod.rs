//! The report as one HTML file that needs nothing else: no script, no network, light or dark as the reader's system is.
//!
//! Everything that comes from the code under test is text: maud escapes it, [`printable`] shows what would be invisible, and
//! the content security policy would refuse whatever got through all the same.

mod diff;
mod finding;
pub mod history;
mod method;
mod summary;
mod tree;
mod tree_layout;

use super::Report;
use super::printable::printable;
use crate::model::{DivergenceClass, Finding, MethodResult, Verdict};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Nothing is loaded and nothing runs; `data:` is for the empty icon that keeps browsers from asking for one.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// Findings shown unfolded; a long report begins folded so that it can be overlooked.
const UNFOLDED: usize = 12;

/// What a page shows of each method.
struct Extent {
    /// Longest text of a value, in characters.
    value: usize,
    /// Findings of one method.
    findings: usize,
    /// Methods of which sources, paths and tests are shown, the first ones in the order of the page.
    detailed: usize,
    /// These methods.
    order: Vec<usize>,
}

/// Tried in turn until the page is no larger than [`MAX_BYTES`]: value, findings, detailed.
const EXTENTS: [(usize, usize, usize); 6] = [
    (2_000, usize::MAX, usize::MAX),
    (600, usize::MAX, 40),
    (300, 20, 12),
    (120, 4, 6),
    (80, 2, 2),
    (80, 1, 0),
];

/// A larger page is a defect.
pub const MAX_BYTES: usize = 1 << 20;

impl Extent {
    /// The findings that are shown, those that stand for others first.
    fn findings<'a>(&self, m: &'a MethodResult) -> Vec<(usize, &'a Finding)> {
        let mut all: Vec<(usize, &Finding)> = m.findings.iter().enumerate().collect();
        if all.len() > self.findings {
            all.sort_by_key(|(i, f)| (!f.is_told(), *i));
            all.truncate(self.findings);
        }
        all
    }

    fn is_detailed(&self, index: usize) -> bool {
        self.order.iter().take(self.detailed).any(|i| *i == index)
    }
}

/// The report as HTML, at most [`MAX_BYTES`] as far as leaving out findings, sources and tests can do it.
pub fn render(report: &Report) -> String {
    let order: Vec<usize> = ranked(report).into_iter().map(|(i, _)| i).collect();
    let mut page = String::new();
    for (value, findings, detailed) in EXTENTS {
        let order = order.clone();
        page = within(
            report,
            &Extent {
                value,
                findings,
                detailed,
                order,
            },
        );
        if page.len() <= MAX_BYTES {
            break;
        }
    }
    page
}

fn within(report: &Report, extent: &Extent) -> String {
    let mut shown = 0;
    let body = html! {
        a.skip href="#methods" { "Skip to the methods" }
        (summary::header(report))
        main {
            (summary::table(report))
            @for (i, m) in ranked(report) { (method::section(report, i, m, (extent, &mut shown))) }
            (summary::not_compared(report))
        }
        footer {
            "shadow-ci " (env!("CARGO_PKG_VERSION")) " · "
            (printable(&report.old)) " → " (printable(&report.new))
        }
    };
    let title = format!("shadow-ci: {}", summary::headline(report).0);
    page(&title, &body)
}

/// A whole page around its body.
fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(concat!("shadow-ci ", env!("CARGO_PKG_VERSION")));
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// The methods with their indices, those first that a reviewer has to look at.
fn ranked(report: &Report) -> Vec<(usize, &MethodResult)> {
    let mut methods: Vec<_> = report.methods.iter().enumerate().collect();
    methods.sort_by_key(|(_, m)| {
        let worst = m
            .findings
            .iter()
            .map(|f| (f.class, !f.new_only_assertion()));
        (m.verdict, worst.min())
    });
    methods
}

/// The name of a class of findings, for people and for the style sheet.
fn class_name(class: DivergenceClass) -> (&'static str, &'static str) {
    match class {
        DivergenceClass::Regression => ("regression", "regression"),
        DivergenceClass::Changed => ("changed", "changed"),
        DivergenceClass::Fix => ("fix", "fix"),
        DivergenceClass::ControlOnly => ("control only", "control-only"),
    }
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Diverges => "diverges",
        Verdict::Incomplete => "incomplete",
        Verdict::Bounded => "bounded",
        Verdict::Equivalent => "equivalent",
    }
}

fn badge(class: &str, text: &str) -> Markup {
    html! { span class={"badge " (class)} { (text) } }
}
