//! One finding: its input, both outcomes, the condition, how to run it again, and its test.

use super::super::found_by::found_by;
use super::super::printable::{printable, printable_code};
use super::super::{Report, terminal};
use super::{badge, class_name, diff};
use crate::bytecode::parameter_descriptors;
use crate::java_text::{self, brief::cut};
use crate::model::{
    End, Finding, Input, Kind, Left, Location, MethodResult, Outcome, Seen, Version,
};
use crate::util::counted::counted;
use maud::{Markup, html};

/// How much of a finding is shown.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Longest text of a value or a condition.
    pub most: usize,
    /// Whether its tests are there.
    pub tests: bool,
    /// Whether it is unfolded.
    pub open: bool,
}

pub(super) fn card(
    report: &Report,
    at: (usize, usize),
    (m, f): (&MethodResult, &Finding),
    extent: Extent,
) -> Markup {
    let (word, style) = class_name(f.class);
    let Extent { most, tests, open } = extent;
    html! {
        details class={"finding " (style)} id={"m" (at.0) "f" (at.1)} open[open] {
            summary {
                (badge(style, word)) " "
                code.call { (printable(&terminal::call(f))) }
                span.gist { (gist(&f.old.end)) " → " (gist(&f.new.end)) }
                @let paths = (f.represents, m.paths.finished);
                span.dim { " " (found_by((f.found_by, f.class), f.situation.as_ref(), paths)) }
            }
            (inputs(f, most))
            div.outcomes {
                (outcome("old", &f.old, &f.new, most))
                (outcome("new", &f.new, &f.old, most))
            }
            dl {
                @if f.entry != m.method {
                    dt { "called" } dd { (super::summary::name(&f.entry)) }
                }
                @for line in &f.telling.when { dt { "when" } dd { code { (printable(line)) } } }
                @if !f.path_condition.is_empty() && f.path_condition != "true" {
                    @let formula = printable(&cut(&f.path_condition, most));
                    @if f.telling.when.is_empty() { dt { "when" } dd { code { (formula) } } }
                    @else { dt { "formula" } dd { details { summary { "the whole condition" } code { (formula) } } } }
                }
                @if let Some(by) = &f.telling.told_by { dt { "told at" } dd { (super::summary::name(by)) } }
                @if !f.telling.labels.is_empty() {
                    @let words: Vec<&str> = f.telling.labels.iter().map(|l| l.words()).collect();
                    dt { "note" } dd { (words.join("; ")) }
                }
                @if let Some(by) = &f.telling.accepted { dt { "accepted" } dd { (printable(&by.reason)) } }
                @if let Some((old, new)) = &f.diverges_at {
                    dt { "parts at" }
                    dd { (place(report, at.0, Version::Old, old)) " (old), " (place(report, at.0, Version::New, new)) " (new)" }
                } @else if f.kind == Kind::Data {
                    dt { "parts at" } dd { "no branch: the same way, another result" }
                }
                @if let Some(situation) = &f.situation {
                    dt { "in the test" } dd { code { (printable(&situation.test)) } }
                }
                @if let Some(line) = report.replay_line(f).filter(|l| l.len() <= 4 * most) {
                    dt { "replay" } dd { code.copy { (printable(&line)) } }
                }
                @if let (Some(line), None) = (report.accept_line(f), &f.telling.accepted) {
                    dt { "intended?" } dd { code.copy { (printable(&line)) } }
                }
            }
            @if let Some(tests) = report.merge_tests.get(&at).filter(|_| tests) {
                details.test {
                    summary { "Tests to merge" }
                    @for (what, text) in [("The old behaviour must not change:", &tests.keeps_old), ("The new behaviour is intended:", &tests.pins_new)] {
                        @if let Some(text) = text {
                            p.dim { (what) }
                            pre tabindex="0" { code { (printable_code(text)) } }
                        }
                    }
                }
            }
            @if let Some(text) = report.test_texts.get(&at).filter(|_| tests) {
                details.test {
                    summary {
                        "Generated test"
                        @if let Some(file) = report.tests.get(&at) { " " span.dim { (printable(file)) } }
                    }
                    pre tabindex="0" { code { (printable_code(text)) } }
                }
            }
        }
    }
}

/// An outcome in a word or two, for the folded finding.
fn gist(end: &End) -> String {
    let short = |class: &str| {
        let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
        printable(simple)
    };
    match end {
        End::Threw { class, .. } => format!("throws {}", short(class)),
        End::Returned(_) => {
            let text = printable(&java_text::end(end));
            match text.char_indices().nth(40) {
                Some((cut, _)) => format!("{}…", &text[..cut]),
                None => text,
            }
        }
        other => printable(&java_text::end(other)),
    }
}

fn inputs(f: &Finding, most: usize) -> Markup {
    let types = parameter_descriptors(&f.entry.descriptor);
    let row = |name: &str, ty: &str, value: &Input| {
        html! {
            tr {
                th scope="row" { code { (printable(name)) } }
                td.dim { code { (printable(ty)) } }
                td { code { (printable(&cut(&java_text::input(value), most))) } }
            }
        }
    };
    html! {
        @if f.inputs.receiver.is_some() || !f.inputs.args.is_empty() {
            table.inputs {
                caption { "Input" }
                tbody {
                    @if let Some(receiver) = &f.inputs.receiver {
                        (row("this", &java_text::source_name(&f.entry.class), receiver))
                    }
                    @for (i, value) in f.inputs.args.iter().enumerate() {
                        @let name = f.parameter_names.get(i).cloned().unwrap_or_else(|| format!("arg{i}"));
                        @let ty = types.get(i).map(|t| java_text::type_name(t)).unwrap_or_default();
                        (row(&name, &ty, value))
                    }
                }
            }
        }
    }
}

/// The end, and what else differs from the other version's outcome.
fn outcome(side: &str, o: &Outcome, other: &Outcome, most: usize) -> Markup {
    let fails = !matches!(o.end, End::Returned(_));
    html! {
        div class={"outcome " (side) (if fails { " fails" } else { "" })} {
            h4 { (side) }
            p.end { (ending(&o.end, most)) }
            @if let Some(receiver) = &o.receiver {
                @if o.receiver != other.receiver {
                    p { "receiver: " code { (printable(&text(receiver, most))) } }
                }
            }
            @for (i, (a, b)) in o.args.iter().zip(&other.args).enumerate() {
                @if a != b { p { "argument " (i + 1) ": " code { (printable(&text(a, most))) } } }
            }
            @if !o.printed.is_empty() || !other.printed.is_empty() {
                p { "printed: " code { "\"" (cut(&java_text::escaped(&o.printed), most)) "\"" } }
            }
            (files(&o.files, &other.files, most))
        }
    }
}

/// All that a run leaves in its working folder, and what only the other version leaves; what differs stands out.
fn files(these: &[Left], others: &[Left], most: usize) -> Markup {
    let gone: Vec<&Left> = others
        .iter()
        .filter(|other| these.iter().all(|left| left.path != other.path))
        .collect();
    html! {
        @if !these.is_empty() || !gone.is_empty() {
            p { "leaves:" }
            ul.files {
                @for left in these {
                    li { @if others.contains(left) { (file(left, most)) } @else { b { (file(left, most)) } } }
                }
                @for left in gone { li { b { "no " code { (printable(&left.path)) } } } }
            }
        }
    }
}

/// A name, and how much is in it, with the beginning of that.
fn file(left: &Left, most: usize) -> Markup {
    html! {
        @match &left.content {
            None => code { (printable(&left.path)) "/" },
            Some(content) => {
                @let units: Vec<u16> = String::from_utf8_lossy(&content.bytes).encode_utf16().collect();
                code { (printable(&left.path)) }
                " (" (counted(content.length as usize, "byte", "bytes")) ") "
                code { "\"" (cut(&java_text::escaped(&units), most)) "\"" }
            }
        }
    }
}

fn text(value: &Seen, most: usize) -> String {
    cut(&java_text::seen(value), most)
}

fn ending(end: &End, most: usize) -> Markup {
    match end {
        End::Threw {
            class,
            message,
            at,
            held,
            ..
        } => html! {
            "threw " code { b { (printable(&java_text::source_name(class))) } }
            @if let Some(message) = message { ": " code { (cut(&java_text::escaped(message), most)) } }
            @if !held.is_empty() { code { (printable(&cut(&java_text::held(held.iter()), most))) } }
            @if let Some(at) = at { " at " code { (printable(at)) } }
        },
        End::Returned(Seen::Void) => html! { "returned" },
        End::Returned(value) => {
            html! { "returned " code { b { (printable(&text(value, most))) } } }
        }
        other => html! { (printable(&java_text::end(other))) },
    }
}

fn place(report: &Report, index: usize, version: Version, at: &Location) -> Markup {
    let text = html! { code { (printable(&at.file)) ":" (at.line) } };
    html! {
        @if diff::shows(report, index, version, at) {
            a href={"#" (diff::anchor(index, version, at.line))} { (text) }
        } @else { (text) }
    }
}
