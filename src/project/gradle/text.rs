//! The text of Gradle build files, in Groovy or Kotlin, as statements inside of blocks. Scripts are not run, so computed values are unknown.

/// A word, a string, or another character of a build file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name, with its dots: `libs.junit.api`; numbers too.
    Word(String),
    /// The inside of a string, interpolations as they are written.
    Text(String),
    /// Another character.
    Mark(char),
}

/// A statement, or the head of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// First words of the blocks around it, outermost first; behind `project`, its path in brackets, and behind Kotlin's `object`, its
    /// name.
    pub blocks: Vec<String>,
    /// Its tokens.
    pub tokens: Vec<Token>,
}

impl Statement {
    /// Whether it stands in a block of that name, at any depth.
    pub fn is_in(&self, block: &str) -> bool {
        self.blocks.iter().any(|b| b == block)
    }

    /// Its first word or string.
    pub fn head(&self) -> &str {
        match self.tokens.first() {
            Some(Token::Word(word) | Token::Text(word)) => word,
            _ => "",
        }
    }

    /// The name and the value of `x = 'y'` and `x 'y'`.
    pub fn assigned(&self) -> Option<(&str, &str)> {
        match &self.tokens[..] {
            [Token::Word(name), Token::Text(value)]
            | [Token::Word(name), Token::Mark('='), Token::Text(value)] => Some((name, value)),
            _ => None,
        }
    }

    /// Strings in it.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|t| match t {
            Token::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }
}

/// Reads a build file.
pub fn statements(text: &str) -> Vec<Statement> {
    let (mut all, mut blocks): (Vec<Statement>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut tokens, mut depth): (Vec<Token>, usize) = (Vec::new(), 0);
    // Blocks inside of brackets are arguments: what they say is read as if they were not.
    let mut open: Vec<usize> = Vec::new();
    let mut end = |tokens: &mut Vec<Token>, blocks: &[String]| {
        if !tokens.is_empty() {
            all.push(Statement {
                blocks: blocks.to_vec(),
                tokens: joined(std::mem::take(tokens)),
            });
        }
    };
    for token in scan(text) {
        match token {
            Token::Mark('{') => {
                tokens = joined(std::mem::take(&mut tokens));
                blocks.push(block_name(&tokens));
                end(&mut tokens, &blocks[..blocks.len() - 1]);
                open.push(std::mem::take(&mut depth));
            }
            Token::Mark('}') => {
                end(&mut tokens, &blocks);
                blocks.pop();
                depth = open.pop().unwrap_or(0);
            }
            Token::Mark('\n' | ';') if depth == 0 => {
                let goes_on = matches!(tokens.last(), Some(Token::Mark(',' | '=' | '+')));
                if !goes_on {
                    end(&mut tokens, &blocks);
                }
            }
            Token::Mark('\n') => {}
            Token::Mark(c) => {
                match c {
                    '(' | '[' => depth += 1,
                    ')' | ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                tokens.push(Token::Mark(c));
            }
            other => tokens.push(other),
        }
    }
    end(&mut tokens, &blocks);
    all
}

/// Strings that `+` joins, with each other or with names, as one string: a name stands in it as an interpolation would.
fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    for token in tokens {
        let plus = matches!(out.last(), Some(Token::Mark('+')));
        let before = out.len().checked_sub(2).and_then(|at| out.get(at));
        let text = match (plus, before, &token) {
            (true, Some(Token::Text(a)), Token::Text(b)) => format!("{a}{b}"),
            (true, Some(Token::Text(a)), Token::Word(b)) => format!("{a}${{{b}}}"),
            (true, Some(Token::Word(a)), Token::Text(b)) => format!("${{{a}}}{b}"),
            _ => {
                out.push(token);
                continue;
            }
        };
        out.truncate(out.len() - 2);
        out.push(Token::Text(text));
    }
    out
}

/// How the name of a Kotlin object's block begins.
pub const OBJECT: &str = "object ";

/// What may stand before a Kotlin object.
const VISIBILITY: [&str; 3] = ["internal", "private", "public"];

/// The name of the block that tokens begin.
fn block_name(tokens: &[Token]) -> String {
    let words = tokens.iter().filter_map(|t| match t {
        Token::Word(w) | Token::Text(w) => Some(w.as_str()),
        Token::Mark(_) => None,
    });
    let mut words = words.skip_while(|w| VISIBILITY.contains(w));
    match (words.next(), words.next()) {
        (Some("project"), Some(path)) => format!("project({path})"),
        (Some("object"), Some(name)) => format!("{OBJECT}{name}"),
        (Some(first), _) => first.to_string(),
        _ => String::new(),
    }
}

fn scan(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let (mut tokens, mut i) = (Vec::new(), 0);
    while i < chars.len() {
        let c = at(i);
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && at(i) != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            i += 2;
            while i < chars.len() && !(at(i) == '*' && at(i + 1) == '/') {
                i += 1;
            }
            i += 2;
        } else if matches!(c, '"' | '\'') {
            let long = at(i + 1) == c && at(i + 2) == c;
            let width = if long { 3 } else { 1 };
            i += width;
            let mut inside = String::new();
            while i < chars.len() && !(at(i) == c && (!long || at(i + 1) == c && at(i + 2) == c)) {
                if at(i) == '\\' {
                    i += 1;
                }
                inside.push(at(i));
                i += 1;
            }
            i += width;
            tokens.push(Token::Text(inside));
        } else if c.is_alphanumeric() || c == '_' || c == '`' {
            let mut word = String::new();
            let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '`' | '.' | '-');
            // A range or a difference is of no interest: names of plugins and catalogs hold hyphens.
            while i < chars.len() && part(at(i)) {
                if at(i) != '`' {
                    word.push(at(i));
                }
                i += 1;
            }
            tokens.push(Token::Word(word));
        } else {
            if !c.is_whitespace() || c == '\n' {
                tokens.push(Token::Mark(c));
            }
            i += 1;
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_know_their_blocks() {
        let text = "// no\nsubprojects {\n  dependencies {\n    api 'a:b:1', // first\n      \"c:d:$v\"\n    implementation(libs.x.y) { exclude(group = \"g\") }\n  }\n}\nproject(':web') { x = 1 }\n";
        let all = statements(text);
        let find = |head: &str| all.iter().find(|s| s.head() == head).unwrap();
        let api = find("api");
        assert_eq!(api.blocks, ["subprojects", "dependencies"]);
        assert_eq!(api.texts().collect::<Vec<_>>(), ["a:b:1", "c:d:$v"]);
        let own = &find("implementation").tokens;
        assert_eq!(own[2], Token::Word("libs.x.y".into()));
        assert!(find("exclude").is_in("implementation"));
        assert_eq!(find("x").blocks, ["project(:web)"]);
    }
}
