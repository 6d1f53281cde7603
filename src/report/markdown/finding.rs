//! Findings in a comment, the most serious first.

use super::super::document::{Document, Finding, Method};
use super::super::formula::stand_in;
use super::super::found_by::found_by;
use super::super::inert::{block, code};
use super::super::place::Place;
use super::{Context, FINDINGS, LONG, OPEN, SHORT};
use crate::model::DivergenceClass;
use crate::util::counted::counted;

pub(super) fn findings(document: &Document, context: &Context) -> String {
    let all = document.ranked();
    if all.is_empty() {
        return String::new();
    }
    let mut out = String::from("\n#### Findings\n");
    let mut shown = 0;
    for (m, f) in &all {
        let number = shown + 1;
        let full = finding(document, context, number, (m, f), true);
        let brief = || finding(document, context, number, (m, f), false);
        let opening = if shown == OPEN {
            let rest = counted(all.len() - OPEN, "more finding", "more findings");
            format!("\n<details><summary>{rest}</summary>\n")
        } else {
            String::new()
        };
        let fits = |text: &String| out.len() + opening.len() + text.len() <= FINDINGS;
        let Some(text) = Some(full)
            .filter(fits)
            .or_else(|| Some(brief()).filter(fits))
        else {
            break;
        };
        out.push_str(&opening);
        out.push_str(&text);
        shown += 1;
    }
    if shown > OPEN {
        out.push_str("\n</details>\n");
    }
    if shown < all.len() {
        let more = counted(all.len() - shown, "finding", "findings");
        out.push_str(&format!(
            "\n{more} of lower rank did not fit here; the full report has all of them.\n"
        ));
    }
    out
}

fn finding(
    document: &Document,
    context: &Context,
    number: usize,
    (m, f): (&Method, &Finding),
    with_test: bool,
) -> String {
    let class = match f.class {
        DivergenceClass::Regression => "Regression",
        DivergenceClass::Fix => "Fix",
        DivergenceClass::Changed | DivergenceClass::ControlOnly => "Changed",
    };
    let mut out = format!(
        "\n**{number}. {class}** in {}{}\n\n",
        code(&m.name.short(), SHORT),
        place(document, context, m, f)
    );
    let mut item = |name: &str, text: &str| {
        out.push_str(&format!("- {name}: {}\n", code(text, LONG)));
    };
    item("input", &f.input());
    item("old", &f.old.text(&f.new));
    item("new", &f.new.text(&f.old));
    match &f.when[..] {
        [] if f.represents > 1 => {}
        [] => stand_in(&f.path_condition)
            .iter()
            .for_each(|formula| item("when", formula)),
        lines => lines.iter().for_each(|line| item("when", line)),
    }
    let paths = (f.represents, m.paths.finished);
    let how = found_by((f.found_by, f.class), f.situation.as_ref(), paths);
    let labels = f.labels.iter().map(|l| l.words().to_string());
    let notes: Vec<String> = labels.chain((!how.is_empty()).then_some(how)).collect();
    if !notes.is_empty() {
        out.push_str(&format!("- {}\n", notes.join("; ")));
    }
    if let Some(by) = &f.proposed {
        out.push_str(&format!(
            "- **accepted by this change itself**, which does not count: {}\n",
            code(&by.reason, LONG)
        ));
    }
    if let Some(line) = super::super::accept_line(&f.id) {
        out.push_str(&format!("- intended? {}\n", code(&line, LONG)));
    }
    if let Some(test) = f.test_source.as_ref().filter(|_| with_test) {
        out.push_str("\n<details><summary>JUnit test</summary>\n\n");
        if let Some(file) = &f.test {
            out.push_str(&format!("In {}:\n\n", code(file, SHORT)));
        }
        out.push_str(&block("java", test));
        out.push_str("\n</details>\n");
    }
    out
}

fn place(document: &Document, context: &Context, m: &Method, f: &Finding) -> String {
    let Some(place) = Place::of_finding(document, m, f) else {
        return String::new();
    };
    let name = code(&format!("{}:{}", place.path, place.line), SHORT);
    let link = context
        .site
        .as_ref()
        .and_then(|s| s.link(&document.new, &place));
    match link {
        Some(link) => format!(", at [{name}]({link})"),
        None => format!(", at {name}"),
    }
}
