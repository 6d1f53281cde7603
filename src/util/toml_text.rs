//! TOML texts, read with as much stack as their brackets may need.

use super::deep_stack::on_a_deep_stack;
use serde::de::DeserializeOwned;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// Brackets that any thread's stack has room for, at some 1.3 KB each. The parser refuses what nests deeper than 80, but goes on behind
/// errors without that limit, and there even a closed table may count as open.
const OF_ANY_STACK: usize = 300;

/// Brackets of a text that is read at all.
const MOST: usize = 50_000;

/// Reads a text.
///
/// # Errors
/// It is no TOML, has other fields than the type, or opens more than 50,000 brackets outside of texts; says why.
pub fn read<T: DeserializeOwned + Send>(text: &str) -> Result<T, String> {
    let parse = || toml::from_str(text).map_err(|e| e.to_string());
    match brackets(text) {
        0..=OF_ANY_STACK => parse(),
        n if n <= MOST => on_a_deep_stack(|| Ok(parse())).unwrap_or_else(|e| Err(e.to_string())),
        _ => Err(format!("more than {MOST} brackets")),
    }
}

fn brackets(text: &str) -> usize {
    let opens = |kind| {
        matches!(
            kind,
            TokenKind::LeftCurlyBracket | TokenKind::LeftSquareBracket
        )
    };
    let tokens = Source::new(text).lex();
    tokens.filter(|token| opens(token.kind())).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclosed_tables_behind_errors_are_refused_however_many() {
        for most in [OF_ANY_STACK / 2, MOST / 2 - 1, MOST] {
            let text = "y = { z = 1979-05'\n[x]\n".repeat(most);
            assert!(read::<toml::Table>(&text).is_err());
        }
        let deep = "a={".repeat(MOST);
        assert!(read::<toml::Table>(&deep).is_err());
    }

    #[test]
    fn brackets_in_texts_and_many_tables_side_by_side_are_read() {
        let text = "[[a]]\nb = '{[{['\nc = { d = [1] }\n".repeat(1_000);
        let table = read::<toml::Table>(&text).unwrap();
        assert_eq!(table["a"].as_array().unwrap().len(), 1_000);
    }
}
