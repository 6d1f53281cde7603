//! GitHub workflow commands that annotate the diff: errors, warnings and notices on lines of the new version.

use super::document::Document;
use super::place::Place;
use super::sentence;
use crate::model::DivergenceClass;

/// GitHub shows no more than this many of each kind from one step.
const MAX_PER_KIND: usize = 10;

/// One annotation.
pub struct Annotation {
    /// `error`, `warning` or `notice`.
    pub kind: &'static str,
    /// One line.
    pub title: String,
    /// Where, in the new version.
    pub place: Option<Place>,
    /// What is said, one line of plain text.
    pub text: String,
}

/// All that there is to say at lines: findings, the worst first, then what was not analysed.
pub fn all(document: &Document) -> Vec<Annotation> {
    let mut all: Vec<Annotation> = Vec::new();
    for (m, f) in document.ranked() {
        let kind = match f.class {
            DivergenceClass::Regression => "error",
            DivergenceClass::Changed | DivergenceClass::ControlOnly => "warning",
            DivergenceClass::Fix => "notice",
        };
        all.push(Annotation {
            kind,
            title: format!("shadow-ci: {}", sentence::class(f.class)),
            place: Place::of_finding(document, m, f),
            text: sentence::finding(f),
        });
    }
    for m in document.methods.iter().filter(|m| m.is_incomplete()) {
        all.push(Annotation {
            kind: "notice",
            title: "shadow-ci: incomplete".into(),
            place: Place::of_method(m),
            text: sentence::incomplete(m),
        });
    }
    all
}

/// The commands, one per line, the worst first.
pub fn render(document: &Document) -> String {
    let all = all(document);
    let mut out = String::new();
    for kind in ["error", "warning", "notice"] {
        for annotation in all.iter().filter(|a| a.kind == kind).take(MAX_PER_KIND) {
            out.push_str(&command(annotation));
            out.push('\n');
        }
    }
    out
}

fn command(a: &Annotation) -> String {
    let mut properties = Vec::new();
    if let Some(place) = &a.place {
        properties.push(format!("file={}", property(&place.path)));
        properties.push(format!("line={}", place.line));
    }
    properties.push(format!("title={}", property(&a.title)));
    format!("::{} {}::{}", a.kind, properties.join(","), data(&a.text))
}

/// Text in which the runner obeys nothing. Only who knows the word can end that, so it has to be one that can't be foreseen.
pub fn framed(text: &str, word: &str) -> String {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("::stop-commands::{word}\n{text}{end}::{word}::\n")
}

/// As the runner's own toolkit escapes a message.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// As the runner's own toolkit escapes a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_command() {
        assert_eq!(
            property("a:b,c%d\r\n::error::x"),
            "a%3Ab%2Cc%25d%0D%0A%3A%3Aerror%3A%3Ax"
        );
        assert_eq!(data("50% at a:b\n"), "50%25 at a:b%0A");
    }
}
