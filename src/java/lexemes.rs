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
    use super::{Lexeme, lexemes};

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
    fn a_comment_needs_an_end_of_its_own() {
        let rest: Vec<Lexeme> = lexemes("/*/x*/y").collect();
        assert_eq!(rest, [Lexeme::BlockComment, Lexeme::Other('y')]);
        assert_eq!(literals("\"open"), ["\"open"]);
        assert_eq!(lexemes("/* open").count(), 1);
    }
}
