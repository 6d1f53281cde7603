//! Texts in quotes in source files: what tests pass, and what comments give as examples.

use std::collections::BTreeSet;

/// Lines before a call whose texts may be its arguments.
const LINES_BEFORE: usize = 3;
/// Longest text taken.
const LONGEST: usize = 120;

/// Texts in quotes: those near calls of some methods, and all others.
#[derive(Debug, Default, PartialEq)]
pub struct Quoted {
    /// On a line that names one of the methods, or shortly before.
    pub near: BTreeSet<String>,
    /// Elsewhere.
    pub far: BTreeSet<String>,
}

/// The quoted texts of a Java source, its comments included; `methods` are simple names.
pub fn quoted(source: &str, methods: &[&str]) -> Quoted {
    let calls = |line: &str| {
        methods.iter().any(|m| {
            let mut found = line.match_indices(m);
            found.any(|(at, _)| line[at + m.len()..].trim_start().starts_with('('))
        })
    };
    let lines: Vec<&str> = source.lines().collect();
    let called: Vec<bool> = lines.iter().map(|l| calls(l)).collect();
    let mut out = Quoted::default();
    for (i, line) in lines.iter().enumerate() {
        let until = (i + LINES_BEFORE + 1).min(lines.len());
        let is_near = called[i..until].iter().any(|c| *c);
        let texts = texts(line)
            .into_iter()
            .filter(|t| !t.is_empty() && t.len() <= LONGEST);
        match is_near {
            true => out.near.extend(texts),
            false => out.far.extend(texts),
        }
    }
    out
}

/// The texts between quotes of one line, their escapes resolved (JLS §3.10.7).
fn texts(line: &str) -> Vec<String> {
    let (mut all, mut open) = (Vec::new(), None::<String>);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, &mut open) {
            // A quote as a character literal opens nothing.
            ('\'', None) => {
                let rest = chars.as_str();
                if rest.starts_with("\"'") || rest.starts_with("\\\"'") {
                    chars = rest[rest.find("'").unwrap_or(0)..].chars();
                }
            }
            ('"', None) => open = Some(String::new()),
            ('"', Some(_)) => all.extend(open.take()),
            ('\\', Some(text)) => text.extend(escaped(&mut chars)),
            (c, Some(text)) => text.push(c),
            (_, None) => {}
        }
    }
    all
}

fn escaped(chars: &mut std::str::Chars) -> Option<char> {
    Some(match chars.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        's' => ' ',
        '0' => '\0',
        'u' => {
            let digits: String = chars.as_str().chars().take(4).collect();
            let unit = u32::from_str_radix(&digits, 16).ok()?;
            digits.chars().for_each(|_| _ = chars.next());
            char::from_u32(unit)?
        }
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_near_calls_stand_apart() {
        let source = r#"
            String far = "one";
            // an example: parse("a\tb") gives "c"
            int n = 1;
            assertEquals("\u0041", other('"', "z"));
        "#;
        let found = quoted(source, &["parse"]);
        let of = |texts: &[&str]| texts.iter().map(|t| t.to_string()).collect();
        assert_eq!(found.near, of(&["one", "a\tb", "c"]));
        assert_eq!(found.far, of(&["A", "z"]));
    }
}
