//! Texts that regular expressions match, and that formats make.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Examples made of one pattern.
const EXAMPLES: usize = 4;
/// Longest example, in bytes.
const LONGEST: usize = 80;

/// Texts that a constant matches where it looks like a regular expression, or makes where it looks like a format. What Java's patterns
/// have that the parser does not know gives none.
pub fn examples(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let looks_like_pattern = text.len() > 1
        && text.contains(['\\', '[', '(', '*', '+', '|', '^', '$', '?'])
        && text.len() < 400;
    if looks_like_pattern && let Ok(hir) = regex_syntax::parse(text) {
        for variant in 0..EXAMPLES {
            let mut out = String::new();
            write(&hir, variant, &mut out);
            if !out.is_empty() && out.len() <= LONGEST && !found.contains(&out) {
                found.push(out);
            }
        }
    }
    found.extend(format_example(text));
    found
}

fn write(hir: &Hir, variant: usize, out: &mut String) {
    if out.len() > LONGEST {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(Class::Unicode(class)) => {
            // Plain characters rather than what comes first in a class.
            let plain = ['1', 'a', 'B', ' ', '7', 'x', '.', '-'];
            let inside = |c: &char| {
                class
                    .ranges()
                    .iter()
                    .any(|r| r.start() <= *c && *c <= r.end())
            };
            let fitting: Vec<char> = plain.into_iter().filter(inside).collect();
            let first = class.ranges().first().map(|r| r.start());
            let at = variant % fitting.len().max(1);
            out.extend(fitting.get(at).copied().or(first));
        }
        HirKind::Class(Class::Bytes(class)) => {
            out.extend(class.ranges().first().map(|r| char::from(r.start())));
        }
        HirKind::Repetition(repeated) => {
            let more = match variant {
                0 => 0,
                1 => 1,
                n => n as u32 + 1,
            };
            let most = repeated.max.unwrap_or(u32::MAX);
            let times = repeated.min.saturating_add(more).min(most).min(40);
            for _ in 0..times {
                write(&repeated.sub, variant, out);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, variant, out),
        HirKind::Concat(parts) => parts.iter().for_each(|p| write(p, variant, out)),
        HirKind::Alternation(ways) => {
            if let Some(way) = ways.get(variant % ways.len().max(1)) {
                write(way, variant, out);
            }
        }
    }
}

/// What a format makes of ones and letters.
fn format_example(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let kind = rest
            .by_ref()
            .find(|c| c.is_ascii_alphabetic() || *c == '%')?;
        match kind {
            'd' | 'x' | 'X' | 'o' => out.push('7'),
            'f' | 'e' | 'g' => out.push_str("1.5"),
            'n' => out.push('\n'),
            '%' => out.push('%'),
            _ => out.push('a'),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::examples;

    #[test]
    fn a_pattern_gives_texts_that_match_it() {
        let dates = examples("\\d{4}-\\d{2}-\\d{2}");
        assert!(dates.contains(&"1111-11-11".to_string()), "{dates:?}");
        let words = examples("(ab|cd)+x?");
        assert!(words.contains(&"ab".to_string()), "{words:?}");
        assert!(words.iter().any(|w| w.starts_with("cdcd")), "{words:?}");
    }

    #[test]
    fn what_is_no_pattern_gives_none() {
        assert!(examples("plain").is_empty());
        assert!(examples("(unclosed").is_empty());
        assert_eq!(examples("%d-%s"), ["7-a"]);
    }
}
