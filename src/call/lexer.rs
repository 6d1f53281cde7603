//! The tokens of a call's text: names, numbers, literals, punctuation.

use super::CallError;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or keyword.
    Name(String),
    /// A number with its suffix, as written.
    Number(String),
    /// A char literal.
    Char(u16),
    /// A string literal.
    Str(Vec<u16>),
    /// One of `( ) [ ] { } . , - > = < ? : ! +`.
    Punct(char),
}

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, CallError> {
    let chars: Vec<char> = text.chars().collect();
    let mut lexer = Lexer {
        chars: &chars,
        at: 0,
    };
    let mut out = Vec::new();
    while let Some(c) = lexer.peek() {
        if c.is_whitespace() {
            lexer.at += 1;
            continue;
        }
        out.push(lexer.token(c)?);
    }
    Ok(out)
}

struct Lexer<'a> {
    chars: &'a [char],
    at: usize,
}

fn in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || (!c.is_ascii() && !c.is_whitespace())
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        self.at += 1;
        self.chars.get(self.at - 1).copied()
    }

    fn token(&mut self, first: char) -> Result<Token, CallError> {
        match first {
            '"' => self.quoted('"').map(Token::Str),
            '\'' => match self.quoted('\'')?.as_slice() {
                [unit] => Ok(Token::Char(*unit)),
                _ => Err(CallError::new(
                    "a char literal must have exactly one character",
                )),
            },
            '0'..='9' => Ok(Token::Number(self.number())),
            '(' | ')' | '[' | ']' | '{' | '}' | '.' | ',' | '-' | '>' | '=' | '<' | '?' | ':'
            | ';' | '!' | '+' => {
                self.at += 1;
                Ok(Token::Punct(first))
            }
            c if in_name(c) || c == '\\' => self.name(),
            c => Err(CallError::new(format!("'{c}' is not allowed in a call"))),
        }
    }

    /// Names may have characters written as `\u202e`, as reports do with those that can't be seen.
    fn name(&mut self) -> Result<Token, CallError> {
        let mut units = Vec::new();
        while let Some(c) = self.peek().filter(|c| in_name(*c) || *c == '\\') {
            self.at += 1;
            if c == '\\' {
                units.push(self.escape()?);
            } else {
                units.extend(c.encode_utf16(&mut [0; 2]).iter());
            }
        }
        String::from_utf16(&units)
            .map(Token::Name)
            .map_err(|_| CallError::new("half a surrogate pair in a name"))
    }

    fn number(&mut self) -> String {
        let mut text = String::new();
        let hex =
            self.peek() == Some('0') && matches!(self.chars.get(self.at + 1), Some('x' | 'X'));
        while let Some(c) = self.peek() {
            let fraction = c == '.'
                && self
                    .chars
                    .get(self.at + 1)
                    .is_some_and(char::is_ascii_digit);
            let sign = matches!(c, '-' | '+') && !hex && text.ends_with(['e', 'E']);
            if !(c.is_ascii_alphanumeric() || c == '_' || fraction || sign) {
                break;
            }
            text.push(c);
            self.at += 1;
        }
        text
    }

    fn quoted(&mut self, quote: char) -> Result<Vec<u16>, CallError> {
        self.at += 1;
        let mut units = Vec::new();
        loop {
            match self.next() {
                Some(c) if c == quote => return Ok(units),
                Some('\\') => units.push(self.escape()?),
                Some(c) => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
                None => return Err(CallError::new(format!("a closing {quote} is missing"))),
            }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<u16, CallError> {
        let plain = |c: char| Ok(c as u16);
        match self.next() {
            Some('n') => plain('\n'),
            Some('r') => plain('\r'),
            Some('t') => plain('\t'),
            Some('b') => plain('\u{8}'),
            Some('f') => plain('\u{c}'),
            Some('s') => plain(' '),
            Some('0') => plain('\0'),
            Some(c @ ('"' | '\'' | '\\')) => plain(c),
            Some('u') => {
                while self.peek() == Some('u') {
                    self.at += 1;
                }
                let digits: String = self.chars.iter().skip(self.at).take(4).collect();
                self.at += 4;
                u16::from_str_radix(&digits, 16)
                    .ok()
                    .filter(|_| digits.len() == 4)
                    .ok_or_else(|| CallError::new(format!("\\u{digits} is not a character")))
            }
            other => Err(CallError::new(format!(
                "\\{} is not an escape; use \\n \\t \\\" \\' \\\\ \\u0041 and the like",
                other.map(String::from).unwrap_or_default()
            ))),
        }
    }
}
