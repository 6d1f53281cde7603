//! Findings and limits as one line of plain text each, with nothing invisible in it and never longer than a screen.

use super::document::{Finding, Limit, Method};
use super::printable::printable;
use crate::model::{DivergenceClass, Evidence, Verdict};
use crate::util::counted::counted;

/// Longest text taken over from the code under test.
const MAX: usize = 400;

/// The word for a class of findings.
pub fn class(class: DivergenceClass) -> &'static str {
    match class {
        DivergenceClass::Regression => "regression",
        DivergenceClass::Changed => "changed",
        DivergenceClass::Fix => "fix",
        DivergenceClass::ControlOnly => "control only",
    }
}

/// The word for a verdict.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Diverges => "diverges",
        Verdict::Incomplete => "incomplete",
        Verdict::Bounded => "bounded",
        Verdict::Equivalent => "equivalent",
    }
}

/// What was found, e.g. `regression: Foo.foo(0): old returned 1; new threw java.lang.AssertionError`.
pub fn finding(f: &Finding) -> String {
    format!(
        "{}: {}: old {}; new {}",
        class(f.class),
        short(&f.input()),
        short(&f.old.text(&f.new)),
        short(&f.new.text(&f.old)),
    )
}

/// What was not analysed of a method.
pub fn incomplete(m: &Method) -> String {
    let reasons: Vec<String> = m.limits.iter().filter(|l| !l.bound).map(limit).collect();
    format!(
        "{} was not analysed completely: {}",
        short(&m.name.short()),
        short(&reasons.join("; "))
    )
}

/// How many inputs ran, whether they came to the change, and what the project's tests came to.
pub fn evidence(e: &Evidence) -> String {
    let searched = (e.runs > 0 || e.tests == 0).then(|| searched(e));
    let tested = (e.tests > 0).then(|| tested(e));
    let told: Vec<String> = searched.into_iter().chain(tested).collect();
    told.join("; ")
}

fn searched(e: &Evidence) -> String {
    let runs = counted(e.runs, "input", "inputs");
    if e.runs_reached > 0 {
        return format!(
            "searched: {runs} run, {} through the changed code of both versions",
            e.runs_reached
        );
    }
    let why = e.obstacle.as_ref();
    let why = why.map(|o| format!("; most could not be built: {o}"));
    let why = why.unwrap_or_default();
    format!("searched: {runs} run, none reached the changed code in both versions{why}")
}

fn tested(e: &Evidence) -> String {
    let tests = counted(
        e.tests,
        "test of the project runs",
        "tests of the project run",
    );
    let calls = match e.calls_compared {
        0 => "no call in them could be compared".to_string(),
        n => format!("{} compared", counted(n, "call was", "calls were")),
    };
    format!("{tests} it in both versions, {calls}")
}

/// A limit, e.g. `unsupported-native (java.lang.System.nanoTime()J) at Foo.java:12, 2 times`.
pub fn limit(l: &Limit) -> String {
    let mut text = l.reason.clone();
    if !l.detail.is_empty() {
        text.push_str(&format!(" ({})", l.detail));
    }
    if let Some(at) = &l.at {
        text.push_str(&format!(" at {at}"));
    }
    if l.count > 1 {
        text.push_str(&format!(", {} times", l.count));
    }
    short(&text)
}

/// The text, visible and not too long.
pub fn short(text: &str) -> String {
    cut(&printable(text), MAX)
}

/// At most so many characters, with an ellipsis where there were more.
pub fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Without what readers of "plain" text in SARIF and code quality take for a link, or for a placeholder.
pub fn without_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        let link = before == ']' && c == '(';
        let placeholder = before == '{' && c.is_ascii_digit();
        if link || placeholder {
            out.push(' ');
        }
        out.push(c);
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_links_and_no_placeholders() {
        assert_eq!(without_markup("[a](b) {0} {x}"), "[a] (b) { 0} {x}");
        assert_eq!(cut("äöü", 2), "äö…");
        assert_eq!(cut("äö", 2), "äö");
    }
}
