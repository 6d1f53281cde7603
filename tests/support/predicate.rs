//! Conditions over a finding's inputs, with Java's int arithmetic: `x < 0 && x * x == 0`.

use std::collections::BTreeMap;

/// Evaluates a condition; booleans are 0 and 1.
pub fn holds(text: &str, inputs: &BTreeMap<String, i64>) -> bool {
    let mut parser = Parser {
        tokens: tokens(text),
        at: 0,
        inputs,
    };
    let value = parser.level(0);
    assert_eq!(
        parser.at,
        parser.tokens.len(),
        "cannot read condition '{text}'"
    );
    value != 0
}

fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut i) = (Vec::new(), 0);
    while i < chars.len() {
        let start = i;
        if chars[i].is_whitespace() {
            i += 1;
            continue;
        }
        if chars[i].is_alphanumeric() {
            while i < chars.len() && chars[i].is_alphanumeric() {
                i += 1;
            }
        } else {
            let pair: String = chars[i..(i + 2).min(chars.len())].iter().collect();
            i += if ["&&", "||", "==", "!=", "<=", ">="].contains(&pair.as_str()) {
                2
            } else {
                1
            };
        }
        out.push(chars[start..i].iter().collect());
    }
    out
}

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    inputs: &'a BTreeMap<String, i64>,
}

const LEVELS: [&[&str]; 6] = [
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_> {
    fn level(&mut self, n: usize) -> i64 {
        let Some(operators) = LEVELS.get(n) else {
            return self.unary();
        };
        let mut left = self.level(n + 1);
        while let Some(op) = self
            .tokens
            .get(self.at)
            .filter(|t| operators.contains(&t.as_str()))
            .cloned()
        {
            self.at += 1;
            let right = self.level(n + 1);
            left = match op.as_str() {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "+" => i64::from((left as i32).wrapping_add(right as i32)),
                "-" => i64::from((left as i32).wrapping_sub(right as i32)),
                "*" => i64::from((left as i32).wrapping_mul(right as i32)),
                "/" => left / right,
                _ => left % right,
            };
        }
        left
    }

    fn unary(&mut self) -> i64 {
        let token = self.tokens[self.at].clone();
        self.at += 1;
        match token.as_str() {
            "-" => -self.unary(),
            "!" => i64::from(self.unary() == 0),
            "(" => {
                let value = self.level(0);
                self.at += 1;
                value
            }
            t => match t.parse() {
                Ok(n) => n,
                Err(_) => *self
                    .inputs
                    .get(t)
                    .unwrap_or_else(|| panic!("no number named {t} among {:?}", self.inputs)),
            },
        }
    }
}
