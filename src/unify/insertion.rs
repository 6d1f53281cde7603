//! Insertions into the new version's text: marks, and pieces of the old version's text.

use crate::java::{Lexeme, lexemes};
use serde::{Deserialize, Serialize};

/// A part of added text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Our own.
    Mark(String),
    /// A byte range of the old text.
    Old(usize, usize),
}

/// Text added in front of a byte offset of the new text; of several at one offset the first given comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Insertion {
    pub at: usize,
    pub pieces: Vec<Piece>,
    /// The old member that it adds, if it adds one.
    pub member: Option<String>,
}

impl Insertion {
    pub(super) fn new(at: usize, pieces: Vec<Piece>) -> Insertion {
        Insertion {
            at,
            pieces,
            member: None,
        }
    }
}

pub(super) fn mark(text: impl Into<String>) -> Piece {
    Piece::Mark(text.into())
}

/// A line of readable unified text, with the lines it stands on in the two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Line in the old version, where one is known.
    pub old: Option<u32>,
    /// Line in the new version.
    pub new: Option<u32>,
    /// The text.
    pub text: String,
}

/// An added member and its byte range in the unified text.
pub(super) type Member = (String, std::ops::Range<usize>);

/// The new text with the insertions, on the new text's own lines, and where members were added.
pub(super) fn compact(new: &str, old: &str, insertions: &[Insertion]) -> (String, Vec<Member>) {
    let (mut out, mut at) = (String::new(), 0);
    let mut members = Vec::new();
    for insertion in sorted(insertions, 0, new.len()) {
        out.push_str(&new[at..insertion.at]);
        at = insertion.at;
        let begin = out.len();
        for piece in &insertion.pieces {
            match piece {
                Piece::Mark(text) => out.push_str(text),
                Piece::Old(from, to) => out.push_str(&one_line(&old[*from..*to])),
            }
        }
        members.extend(insertion.member.clone().map(|m| (m, begin..out.len())));
    }
    out.push_str(&new[at..]);
    (out, members)
}

fn sorted(insertions: &[Insertion], start: usize, end: usize) -> Vec<&Insertion> {
    let mut inside: Vec<&Insertion> = insertions
        .iter()
        .filter(|i| (start..=end).contains(&i.at))
        .collect();
    inside.sort_by_key(|i| i.at);
    inside
}

/// The same as lines for people: old text on lines of its own, as it was written.
pub(super) fn readable(
    new: &str,
    old: &str,
    (start, end): (usize, usize),
    insertions: &[Insertion],
    old_line_of: &dyn Fn(u32) -> Option<u32>,
) -> Vec<Line> {
    let from = new[..start].rfind('\n').map_or(0, |i| i + 1);
    let mut page = Page {
        lines: vec![Line::default()],
        indent: String::new(),
    };
    let mut at = from;
    for insertion in sorted(insertions, start, end) {
        page.new_text(new, at, insertion.at, old_line_of);
        at = insertion.at;
        let mut opened = insertion.member.is_some();
        for piece in &insertion.pieces {
            match piece {
                Piece::Mark(text) => page.mark(&text.replace("com.shadowci.", "")),
                Piece::Old(from, to) => page.old_text(old, *from, *to, opened),
            }
            opened = matches!(piece, Piece::Mark(text) if text.ends_with("{ "));
        }
    }
    page.new_text(new, at, end, old_line_of);
    page.lines
}

struct Page {
    lines: Vec<Line>,
    /// White space that the line under work began with.
    indent: String,
}

impl Page {
    fn last(&mut self) -> &mut Line {
        if self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        let at = self.lines.len() - 1;
        &mut self.lines[at]
    }

    fn push(&mut self, text: &str) {
        self.last().text.push_str(text);
    }

    /// Blocks of our own stand on lines of their own.
    fn mark(&mut self, text: &str) {
        if matches!(text, "/*" | "*/") {
            return;
        }
        let opens = text.ends_with("{ ");
        if text.starts_with(" }") && !self.last().text.trim().is_empty() {
            let text = self.indent.clone();
            self.lines.push(Line {
                text,
                ..Line::default()
            });
        }
        let blank = self.last().text.trim().is_empty();
        self.push(if blank {
            text.trim()
        } else {
            text.trim_end_matches(' ')
        });
        if opens || text.ends_with("} ") || text.ends_with("; ") {
            let text = format!("{}{}", self.indent, if opens { "    " } else { "" });
            self.lines.push(Line {
                text,
                ..Line::default()
            });
        } else if text.ends_with(' ') {
            self.push(" ");
        }
    }

    fn new_text(
        &mut self,
        new: &str,
        from: usize,
        to: usize,
        old_line_of: &dyn Fn(u32) -> Option<u32>,
    ) {
        let mut number = new[..from].matches('\n').count() as u32 + 1;
        for (i, part) in new[from..to].split('\n').enumerate() {
            if i > 0 {
                self.lines.push(Line::default());
                number += 1;
            }
            let part = part.trim_end_matches('\r');
            if !part.trim().is_empty() {
                let old = old_line_of(number);
                let line = self.last();
                line.new = line.new.or(Some(number));
                line.old = line.old.or(old);
            }
            if self.last().text.is_empty() {
                self.indent = part.chars().take_while(|c| c.is_whitespace()).collect();
            }
            self.push(part);
        }
    }

    fn old_text(&mut self, old: &str, from: usize, to: usize, spread: bool) {
        let first = old[..from].matches('\n').count() as u32 + 1;
        let blank = self.last().text.trim().is_empty();
        if !spread {
            self.last().old = Some(first);
            self.push(&one_line(&old[from..to]));
            return;
        }
        let column = from - old[..from].rfind('\n').map_or(0, |i| i + 1);
        for (i, part) in old[from..to].split('\n').enumerate() {
            let part = part.trim_end_matches('\r');
            let own = part.len() - part.trim_start().len();
            let deeper = if i == 0 {
                0
            } else {
                own.saturating_sub(column)
            };
            if i == 0 && blank {
                self.lines.pop();
            }
            self.lines.push(Line {
                old: Some(first + i as u32),
                new: None,
                text: format!(
                    "{}    {}{}",
                    self.indent,
                    " ".repeat(deeper),
                    part.trim_start()
                ),
            });
        }
    }
}

/// Java source on one line: comments dropped, text blocks as string literals (JLS §3.10.6).
pub(super) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for lexeme in lexemes(text) {
        match lexeme {
            Lexeme::LineComment => {}
            Lexeme::BlockComment => out.push(' '),
            Lexeme::Literal(text) => out.push_str(text),
            Lexeme::TextBlock(text) => {
                let open = &text[3..];
                let block = open.strip_suffix("\"\"\"").unwrap_or(open);
                out.push_str(&string_literal(block));
            }
            Lexeme::Space if out.ends_with(' ') => {}
            Lexeme::Space => out.push(' '),
            Lexeme::Other(c) => out.push(c),
        }
    }
    out
}

/// The content of a text block, from behind its opening quotes, as a string literal: incidental white space stripped.
fn string_literal(block: &str) -> String {
    let body = block.split_once('\n').map_or("", |b| b.1);
    let lines: Vec<&str> = body.split('\n').map(|l| l.trim_end_matches('\r')).collect();
    let indent = |l: &str| l.len() - l.trim_start().len();
    let last = lines.len().saturating_sub(1);
    let least = lines
        .iter()
        .enumerate()
        .filter(|(i, l)| *i == last || !l.trim().is_empty())
        .map(|(_, l)| indent(l))
        .min()
        .unwrap_or(0);
    let stripped: Vec<String> = lines
        .iter()
        .map(|l| {
            l.get(least.min(l.len())..)
                .unwrap_or_default()
                .trim_end()
                .to_string()
        })
        .collect();
    // A backslash at a line's end joins it with the next.
    let joined = stripped.join("\\n").replace("\\\\n", "\u{0}");
    let joined = joined.replace('\u{0}', "").replace("\\s", " ");
    let mut out = String::from("\"");
    let mut escaped = false;
    for c in joined.chars() {
        if c == '"' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_text_goes_on_one_line_without_comments() {
        assert_eq!(
            one_line("a(); // why\n  b('\"', \"//\");/* x\n */ c();"),
            "a(); b('\"', \"//\"); c();"
        );
    }

    #[test]
    fn a_text_block_becomes_a_string_literal() {
        assert_eq!(
            one_line("x = \"\"\"\n    a \"b\"\n      c\n    \"\"\";"),
            "x = \"a \\\"b\\\"\\n  c\\n\";"
        );
        assert_eq!(one_line("\"\"\"\n  a\\\n  b\"\"\""), "\"ab\"");
    }
}
