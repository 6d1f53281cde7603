//! The grammar of a call's text.

use super::CallError;
use super::expression::{After, Answer, Expression, Step, TypeText};
use super::lexer::{Token, tokens};
use super::literal::{constant, library_call, number};
use crate::model::Operator;

/// Nested deeper is no input.
const MAX_DEPTH: usize = 200;

/// Reads one expression.
///
/// # Errors
/// The text is no call; the error says where.
pub fn parse(text: &str) -> Result<Expression, CallError> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        depth: 0,
    };
    let expression = parser.expression()?;
    match parser.peek() {
        None => Ok(expression),
        Some(token) => Err(parser.unexpected(&format!("{} after the call", show(token)))),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

fn show(token: &Token) -> String {
    match token {
        Token::Name(text) | Token::Number(text) => format!("'{text}'"),
        Token::Char(_) => "a char".into(),
        Token::Str(_) => "a string".into(),
        Token::Punct(c) => format!("'{c}'"),
    }
}

type Parsed<T> = Result<T, CallError>;

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn unexpected(&self, what: &str) -> CallError {
        CallError::new(format!(
            "unexpected {what}; write a call such as `new demo.Foo(1).bar(\"a\", null)` or `demo.Foo.baz(0)`"
        ))
    }

    fn next_is(&self, c: char) -> bool {
        self.peek() == Some(&Token::Punct(c))
    }

    fn eat(&mut self, c: char) -> bool {
        let is = self.next_is(c);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, c: char) -> Parsed<()> {
        if self.eat(c) {
            return Ok(());
        }
        let found = self.peek().map_or("the end".to_string(), show);
        Err(self.unexpected(&format!("{found} instead of '{c}'")))
    }

    fn name(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            other => {
                let found = other.map_or("end".to_string(), show);
                Err(self.unexpected(&format!("{found} instead of a name")))
            }
        }
    }

    fn keyword(&mut self, word: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Name(name)) if name == word);
        self.at += usize::from(is);
        is
    }

    fn expression(&mut self) -> Parsed<Expression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(CallError::new("nested too deeply"));
        }
        let mut value = self.primary()?;
        let mut calls = 0;
        // A method called on a value that is more than a path.
        while self.eat('.') {
            calls += 1;
            if calls > MAX_DEPTH {
                return Err(CallError::new("nested too deeply"));
            }
            let name = self.name()?;
            value = Expression::Method {
                receiver: Box::new(value),
                name,
                args: self.arguments()?,
                after: self.after()?,
            };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let Some(token) = self.peek().cloned() else {
            return Err(self.unexpected("end"));
        };
        match token {
            Token::Punct('(') => self.parenthesis(),
            Token::Punct('-') => {
                self.at += 1;
                match self.peek().cloned() {
                    Some(Token::Number(text)) => {
                        self.at += 1;
                        number(&format!("-{text}"))
                    }
                    _ => Err(self.unexpected("'-'")),
                }
            }
            Token::Number(text) => {
                self.at += 1;
                number(&text)
            }
            Token::Char(unit) => {
                self.at += 1;
                Ok(Expression::Char(unit))
            }
            Token::Str(units) => {
                self.at += 1;
                Ok(Expression::Str(units))
            }
            Token::Name(name) if self.is_arrow() => {
                self.at += 3;
                self.lambda(vec![name])
            }
            Token::Name(_) => self.named(),
            other => Err(self.unexpected(&show(&other))),
        }
    }

    /// A lambda's parameters and arrow, when they stand here: the parameters' names.
    fn arrow(&mut self) -> Option<Vec<String>> {
        let start = self.at;
        let mut names = Vec::new();
        let mut is = self.eat('(');
        while is && !self.eat(')') {
            is = names.is_empty() || self.eat(',');
            match self.name() {
                Ok(name) => names.push(name),
                Err(_) => is = false,
            }
        }
        if is && self.eat('-') && self.eat('>') {
            return Some(names);
        }
        self.at = start;
        None
    }

    /// Whether an arrow stands behind the next token.
    fn is_arrow(&self) -> bool {
        let behind = [Token::Punct('-'), Token::Punct('>')];
        self.tokens.get(self.at + 1..self.at + 3) == Some(&behind)
    }

    /// A lambda behind its arrow.
    fn lambda(&mut self, names: Vec<String>) -> Parsed<Expression> {
        if self.eat('{') {
            self.expect('}')?;
            return Ok(Expression::Lambda(names, None));
        }
        let value = self.operation()?;
        Ok(Expression::Lambda(names, Some(Box::new(value))))
    }

    /// A lambda, a cast, or an expression in parentheses.
    fn parenthesis(&mut self) -> Parsed<Expression> {
        if let Some(names) = self.arrow() {
            return self.lambda(names);
        }
        let start = self.at;
        self.expect('(')?;
        if let Ok(ty) = self.type_text()
            && self.eat(')')
            && self.begins_value()
        {
            return Ok(Expression::Cast(ty, Box::new(self.expression()?)));
        }
        self.at = start;
        self.expect('(')?;
        let inner = self.operation()?;
        self.expect(')')?;
        Ok(inner)
    }

    /// What a lambda makes of its arguments: `a ? b : c`, and what binds closer.
    fn operation(&mut self) -> Parsed<Expression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(CallError::new("nested too deeply"));
        }
        let mut value = self.comparison()?;
        if self.eat('?') {
            let one = self.operation()?;
            self.expect(':')?;
            let other = self.operation()?;
            value = Expression::Operation(Operator::Choose, vec![value, one, other]);
        }
        self.depth -= 1;
        Ok(value)
    }

    fn comparison(&mut self) -> Parsed<Expression> {
        let one = self.sum()?;
        let operator = match self.peek() {
            Some(Token::Punct('<')) => Operator::Less,
            Some(Token::Punct('>')) => {
                self.at += 1;
                let other = self.sum()?;
                return Ok(Expression::Operation(Operator::Less, vec![other, one]));
            }
            Some(Token::Punct('=')) if self.is_equality() => {
                self.at += 1;
                Operator::Equal
            }
            _ => return Ok(one),
        };
        self.at += 1;
        Ok(Expression::Operation(operator, vec![one, self.sum()?]))
    }

    /// Whether `==` stands here.
    fn is_equality(&self) -> bool {
        self.next_is('=') && self.tokens.get(self.at + 1) == Some(&Token::Punct('='))
    }

    fn sum(&mut self) -> Parsed<Expression> {
        let mut value = self.negation()?;
        while self.eat('+') {
            value = Expression::Operation(Operator::Add, vec![value, self.negation()?]);
        }
        Ok(value)
    }

    fn negation(&mut self) -> Parsed<Expression> {
        if !self.eat('!') {
            return self.expression();
        }
        Ok(Expression::Operation(
            Operator::Not,
            vec![self.expression()?],
        ))
    }

    fn begins_value(&self) -> bool {
        match self.peek() {
            Some(Token::Name(name)) => name != "after",
            Some(Token::Punct(c)) => matches!(c, '(' | '-'),
            Some(_) => true,
            None => false,
        }
    }

    fn path(&mut self) -> Parsed<Vec<String>> {
        let mut names = vec![self.name()?];
        loop {
            if let (Some(dimensions), Some(last)) = (self.array_before_class(), names.last_mut()) {
                last.push_str(&"[]".repeat(dimensions));
                self.at += 2 * dimensions;
            }
            if !self.eat('.') {
                return Ok(names);
            }
            names.push(self.name()?);
        }
    }

    /// How many `[]` are next, where a dot is behind them: the class of an array follows.
    fn array_before_class(&self) -> Option<usize> {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let is_pair = |pair: &&[Token]| matches!(pair, [Token::Punct('['), Token::Punct(']')]);
        let dimensions = rest.chunks(2).take_while(is_pair).count();
        let is_class = rest.get(2 * dimensions) == Some(&Token::Punct('.'));
        (dimensions > 0 && is_class).then_some(dimensions)
    }

    fn type_text(&mut self) -> Parsed<TypeText> {
        let name = self.path()?.join(".");
        let mut dimensions = 0;
        while self.eat('[') {
            self.expect(']')?;
            dimensions += 1;
        }
        Ok(TypeText { name, dimensions })
    }

    fn list(&mut self, close: char) -> Parsed<Vec<Expression>> {
        let mut all = Vec::new();
        while !self.eat(close) {
            if !all.is_empty() {
                self.expect(',')?;
            }
            all.push(self.expression()?);
        }
        Ok(all)
    }

    fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        self.expect('(')?;
        self.list(')')
    }

    fn after(&mut self) -> Parsed<After> {
        let mut steps = Vec::new();
        while self.keyword("after") {
            let name = self.name()?;
            steps.push(match self.eat('=') {
                true => Step::Set(name, self.expression()?),
                false => Step::Call(name, self.arguments()?),
            });
        }
        Ok(steps)
    }

    fn named(&mut self) -> Parsed<Expression> {
        if self.keyword("new") {
            return self.new_expression();
        }
        let path = self.path()?;
        match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["null"] => return Ok(Expression::Null),
            ["true"] => return Ok(Expression::Boolean(true)),
            ["false"] => return Ok(Expression::Boolean(false)),
            _ => {}
        }
        if path.len() == 1 && !self.is_equality() && self.eat('=') {
            let name = path.into_iter().next().unwrap_or_default();
            return Ok(Expression::Shared(name, Box::new(self.expression()?)));
        }
        if !self.next_is('(') {
            return Ok(constant(&path).unwrap_or(Expression::Path(path)));
        }
        let mut args = self.arguments()?;
        if let [value] = args.as_mut_slice()
            && let Some(made) = library_call(&path, value)?
        {
            return Ok(made);
        }
        Ok(Expression::Static {
            path,
            args,
            after: self.after()?,
        })
    }

    fn new_expression(&mut self) -> Parsed<Expression> {
        let ty = self.type_text()?;
        if ty.dimensions > 0 {
            self.expect('{')?;
            let element = TypeText {
                dimensions: ty.dimensions - 1,
                ..ty
            };
            return Ok(Expression::Array(element, self.list('}')?));
        }
        let args = self.arguments()?;
        if args.is_empty() && self.eat('{') {
            return Ok(Expression::StandIn(ty.name, self.answers()?));
        }
        Ok(Expression::New {
            class: ty.name,
            args,
            after: self.after()?,
        })
    }

    /// The methods of a stand-in: `m(a, b) -> value; n(int a) -> {}`.
    fn answers(&mut self) -> Parsed<Vec<Answer>> {
        let mut all = Vec::new();
        while !self.eat('}') {
            let name = self.name()?;
            self.expect('(')?;
            let mut parameters = Vec::new();
            while !self.eat(')') {
                if !parameters.is_empty() {
                    self.expect(',')?;
                }
                let ty = self.type_text()?;
                parameters.push(match self.peek() {
                    Some(Token::Name(_)) => (Some(ty), self.name()?),
                    _ => (None, ty.name),
                });
            }
            self.expect('-')?;
            self.expect('>')?;
            let value = match self.eat('{') {
                true => {
                    self.expect('}')?;
                    None
                }
                false => Some(self.operation()?),
            };
            all.push(Answer {
                name,
                parameters,
                value,
            });
            if !self.eat(';') && !self.next_is('}') {
                self.expect(';')?;
            }
        }
        Ok(all)
    }
}
