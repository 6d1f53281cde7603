//! Lexemes of Java source: comments, literals, white space and the rest, for uses without a parser.

/// A comment, a literal or a character of Java source (JLS §3.6, §3.7, §3.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexeme<'a> {
    /// `// …`, without the end of the line.
    LineComment,
    /// `/* … */`.
    BlockComment,
    /// A string or character literal with its quotes.
    Literal(&'a str),
    /// A text block with its quotes.
    TextBlock(&'a str),
    /// One character of white space.
    Space,
    /// Any other character.
    Other(char),
}

/// Whether a character may stand in an identifier (JLS §3.8, without the characters that Java ignores there).
pub fn is_identifier_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Identifiers, keywords and numbers of a text, in order.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_identifier_part(c))
        .filter(|word| !word.is_empty())
}

/// The lexemes of a text, in order. What is not closed goes to the end of the text.
pub fn lexemes(text: &str) -> impl Iterator<Item = Lexeme<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let c = rest.chars().next()?;
        let (piece, length) = if rest.starts_with("//") {
            (Lexeme::LineComment, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(inside) = rest.strip_prefix("/*") {
            let end = inside.find("*/").map_or(rest.len(), |i| i + 4);
            (Lexeme::BlockComment, end)
        } else if rest.starts_with("\"\"\"") {
            let end = literal_end(rest, "\"\"\"");
            (Lexeme::TextBlock(&rest[..end]), end)
        } else if c == '"' || c == '\'' {
            let end = literal_end(rest, &rest[..1]);
            (Lexeme::Literal(&rest[..end]), end)
        } else if c.is_whitespace() {
            (Lexeme::Space, c.len_utf8())
        } else {
            (Lexeme::Other(c), c.len_utf8())
        };
        rest = &rest[length..];
        Some(piece)
    })
}

/// Whether two texts are the same but for comments and layout, so that javac makes the same of them but for line numbers.
/// Unicode escapes (JLS §3.3) may hide what ends a comment: texts with such are not told to be the same.
pub fn differ_in_layout_only(a: &str, b: &str) -> bool {
    let escapes = [a, b].iter().any(|text| text.contains("\\u"));
    !escapes && tokens(a).eq(tokens(b))
}

/// The lexemes that mean something, in order. Where white space or a comment parts what would be one token, it is there too.
fn tokens(text: &str) -> impl Iterator<Item = Lexeme<'_>> {
    const JOINING: &str = "+-*/%<>=!&|^:.";
    let is_one = |a: Lexeme, b: Lexeme| match (a, b) {
        (Lexeme::Other(a), Lexeme::Other(b)) => {
            let both = |is: fn(char) -> bool| is(a) && is(b);
            both(is_identifier_part) || both(|c| JOINING.contains(c))
        }
        _ => false,
    };
    let (mut last, mut parted) = (Lexeme::Space, false);
    lexemes(text)
        .flat_map(move |lexeme| {
            if matches!(
                lexeme,
                Lexeme::Space | Lexeme::LineComment | Lexeme::BlockComment
            ) {
                parted = true;
                return [None, None];
            }
            let gap = (parted && is_one(last, lexeme)).then_some(Lexeme::Space);
            (last, parted) = (lexeme, false);
            [gap, Some(lexeme)]
        })
        .flatten()
}

/// Where a literal ends, behind its closing quotes.
fn literal_end(text: &str, quotes: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(quotes.len()) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if text[i..].starts_with(quotes) => return i + quotes.len(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Lexeme, differ_in_layout_only, lexemes};

    fn literals(text: &str) -> Vec<&str> {
        let literal = |piece| match piece {
            Lexeme::Literal(text) | Lexeme::TextBlock(text) => Some(text),
            _ => None,
        };
        lexemes(text).filter_map(literal).collect()
    }

    #[test]
    fn quotes_in_comments_and_escapes_begin_nothing() {
        let text = r#"/* " */ f("a\\", '"', "\"") // " "#;
        assert_eq!(literals(text), [r#""a\\""#, r#"'"'"#, r#""\"""#]);
        let block = "\"\"\"\n a \\\"\"\" b\"\"\"";
        assert_eq!(literals(&format!("{block};\"c\"")), [block, "\"c\""]);
    }

    #[test]
    fn comments_and_layout_are_no_difference() {
        let same = |a, b| differ_in_layout_only(a, b) && differ_in_layout_only(b, a);
        assert!(same(
            "int f(){return 1;}",
            "/** x */ int f() {\n  return 1; // one\n}"
        ));
        assert!(same("List<List<A>> a", "List<List<A>>  a"));
        assert!(same("a.b(\"//\")", "a . b( /* */ \"//\" )"));
    }

    #[test]
    fn what_layout_parts_is_another_token() {
        for (a, b) in [
            ("a + ++b", "a++ + b"),
            ("int a", "inta"),
            ("return/**/x", "returnx"),
            ("a > > b", "a >> b"),
            ("f(\"a b\")", "f(\"ab\")"),
            ("// \\u000a f();", "// \\u000a g();"),
            ("x = 1;", "x = 1; ;"),
        ] {
            assert!(!differ_in_layout_only(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn a_comment_needs_an_end_of_its_own() {
        let rest: Vec<Lexeme> = lexemes("/*/x*/y").collect();
        assert_eq!(rest, [Lexeme::BlockComment, Lexeme::Other('y')]);
        assert_eq!(literals("\"open"), ["\"open"]);
        assert_eq!(lexemes("/* open").count(), 1);
    }
}
