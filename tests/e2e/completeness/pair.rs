//! A random pair of small Java methods: the new version is the old one with a part or two written anew.

use super::kind::Kind;
use super::rewrite::{alternatives, fill};
use shadow_ci::commands::conformance::Random;

/// A piece of Java text in both versions.
#[derive(Clone, PartialEq)]
pub struct Both {
    pub old: String,
    pub new: String,
}

/// The same text in both versions.
fn same(text: &str) -> Both {
    Both {
        old: text.to_string(),
        new: text.to_string(),
    }
}

/// A text with `{}` where parts come.
fn put(text: &str, parts: &[Both]) -> Both {
    let fill = |side: fn(&Both) -> &String| {
        let mut out = String::new();
        let mut parts = parts.iter();
        for (i, piece) in text.split("{}").enumerate() {
            if i > 0 {
                out.push_str(side(parts.next().unwrap()));
            }
            out.push_str(piece);
        }
        out
    };
    Both {
        old: fill(|b| &b.old),
        new: fill(|b| &b.new),
    }
}

/// A method in two versions.
pub struct Pair {
    pub parameters: Vec<Kind>,
    pub result: Kind,
    /// The source of class `name`.
    pub source: Both,
}

impl Pair {
    /// A pair whose versions differ; its method is `static m` of class `pairs.NAME`.
    pub fn random(name: &str, seed: u64) -> Pair {
        Pair::written(name, seed, false)
    }

    /// The same, where a part is put in other words or handed to a method of its own: most such pairs do the same.
    pub fn reworded(name: &str, seed: u64) -> Pair {
        Pair::written(name, seed, true)
    }

    fn written(name: &str, seed: u64, rewords: bool) -> Pair {
        let mut random = Random::new(seed, name);
        loop {
            let mut writer = Writer::new(&mut random);
            writer.rewords = rewords;
            let pair = writer.pair(name);
            if pair.source.old != pair.source.new {
                return pair;
            }
        }
    }
}

struct Writer<'a> {
    random: &'a mut Random,
    /// Parts that may still be written anew.
    changes: usize,
    scope: Vec<(String, Kind)>,
    result: Kind,
    names: usize,
    /// Whether parts are put in other words, not written anew.
    rewords: bool,
    /// Methods that the new version alone has.
    extracted: String,
}

impl<'a> Writer<'a> {
    fn new(random: &'a mut Random) -> Writer<'a> {
        let changes = 1 + random.below(2);
        let result = *random.pick(&Kind::ALL);
        Writer {
            random,
            changes,
            scope: Vec::new(),
            result,
            names: 0,
            rewords: false,
            extracted: String::new(),
        }
    }

    fn pair(&mut self, name: &str) -> Pair {
        let parameters: Vec<Kind> = (0..1 + self.random.below(3))
            .map(|_| *self.random.pick(&Kind::ALL))
            .collect();
        let named: Vec<(String, Kind)> = parameters
            .iter()
            .enumerate()
            .map(|(i, k)| (format!("p{i}"), *k))
            .collect();
        let list: Vec<String> = named
            .iter()
            .map(|(n, k)| format!("{} {n}", k.name()))
            .collect();
        self.scope = named;
        let body = self.statements(2);
        let value = self.expr(self.result, 3);
        let (result, list) = (self.result.name(), list.join(", "));
        let more = Both {
            old: String::new(),
            new: std::mem::take(&mut self.extracted),
        };
        let head = format!(
            "package pairs;\npublic class {name} {{\npublic static {result} m({list}) {{\n"
        );
        Pair {
            parameters,
            result: self.result,
            source: put(
                "{}{}return {};\n}\n{}}\n",
                &[same(&head), body, value, more],
            ),
        }
    }

    /// A text with `{}` where parts come, perhaps in other words in the new version.
    fn reworded(&mut self, text: &str, name: &str, parts: &[Both]) -> Both {
        let plain = put(text, parts);
        if !self.rewords || self.changes == 0 {
            return plain;
        }
        let all = alternatives(text, name);
        if all.is_empty() || !self.random.one_in(3) {
            return plain;
        }
        self.changes -= 1;
        let other = self.random.pick(&all);
        let parts: Vec<&String> = parts.iter().map(|p| &p.new).collect();
        let new = fill(
            &other.replace(&format!("{name}R"), self.result.name()),
            &parts,
        );
        Both { new, ..plain }
    }

    /// An expression that the new version leaves to a method of its own.
    fn extracted(&mut self, kind: Kind, plain: Both) -> Both {
        self.changes -= 1;
        let method = self.fresh("h");
        let list = |f: fn(&(String, Kind)) -> String| -> String {
            let all: Vec<String> = self.scope.iter().map(f).collect();
            all.join(", ")
        };
        let parameters = list(|(n, k)| format!("{} {n}", k.name()));
        let args = list(|(n, _)| n.clone());
        let (result, value) = (kind.name(), &plain.new);
        self.extracted +=
            &format!("static {result} {method}({parameters}) {{\nreturn {value};\n}}\n");
        Both {
            new: format!("{method}({args})"),
            ..plain
        }
    }

    /// Written once, or in each version anew.
    fn changed(&mut self, write: impl Fn(&mut Self) -> Both) -> Both {
        if self.rewords || self.changes == 0 || !self.random.one_in(7) {
            return write(self);
        }
        self.changes -= 1;
        let mark = self.scope.len();
        let mut version = || {
            let written = write(self);
            // What one version declares, the other does not have.
            self.scope.truncate(mark);
            written
        };
        Both {
            old: version().old,
            new: version().new,
        }
    }

    fn statements(&mut self, depth: usize) -> Both {
        let mark = self.scope.len();
        let (mut all, mut last) = (same(""), same(""));
        for _ in 0..1 + self.random.below(3) {
            let next = self.changed(|w| w.statement(depth));
            let simple = |b: &Both| b.new.ends_with(";\n") && b.new.matches('\n').count() == 1;
            let moves = |b: &Both| {
                simple(b)
                    && !Kind::ALL
                        .iter()
                        .any(|k| b.new.starts_with(&format!("{} ", k.name())))
            };
            if self.rewords
                && self.changes > 0
                && moves(&last)
                && moves(&next)
                && self.random.one_in(3)
            {
                self.changes -= 1;
                all = Both {
                    old: all.old + &last.old + &next.old,
                    new: all.new + &next.new + &last.new,
                };
                last = same("");
                continue;
            }
            all = put("{}{}", &[all, last]);
            last = next;
        }
        self.scope.truncate(mark);
        put("{}{}", &[all, last])
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn statement(&mut self, depth: usize) -> Both {
        match self.random.below(if depth == 0 { 6 } else { 13 }) {
            0 => {
                let (kind, name) = (*self.random.pick(&Kind::ALL), self.fresh("v"));
                let value = self.expr(kind, 2);
                let text = format!("{} {name} = {{}};\n", kind.name());
                self.scope.push((name, kind));
                put(&text, &[value])
            }
            1 | 2 => {
                let kind = *self.random.pick(&Kind::ALL);
                let value = self.expr(kind, 2);
                match self.variable(kind) {
                    Some(v) => put(&format!("{v} = {{}};\n"), &[value]),
                    None => put("System.out.print({});\n", &[self.printed()]),
                }
            }
            3 => {
                let (xs, i, v) = (
                    self.expr(Kind::Ints, 1),
                    self.expr(Kind::Int, 1),
                    self.expr(Kind::Int, 2),
                );
                let op = *self.random.pick(&["=", "+=", "^="]);
                let name = self.fresh("w");
                self.reworded(&format!("{{}}[{{}}] {op} {{}};\n"), &name, &[xs, i, v])
            }
            4 => {
                let (p, v) = (self.expr(Kind::Point, 1), self.expr(Kind::Int, 2));
                let name = self.fresh("w");
                self.reworded("{}.x += {};\n", &name, &[p, v])
            }
            5 => match self.variable(Kind::Byte) {
                Some(b) => put(&format!("{b} += {{}};\n"), &[self.expr(Kind::Int, 1)]),
                None => put("System.out.print({});\n", &[self.printed()]),
            },
            6 | 7 => {
                let c = self.expr(Kind::Bool, 2);
                let (yes, no) = (self.statements(depth - 1), self.statements(depth - 1));
                let name = self.fresh("w");
                self.reworded("if ({}) {\n{}} else {\n{}}\n", &name, &[c, yes, no])
            }
            8 => {
                let (c, v) = (self.expr(Kind::Bool, 2), self.expr(self.result, 2));
                let name = self.fresh("w");
                self.reworded("if ({}) return {};\n", &name, &[c, v])
            }
            9 => {
                let (c, s) = (self.expr(Kind::Bool, 2), self.expr(Kind::Text, 1));
                put("if ({}) throw new IllegalStateException({});\n", &[c, s])
            }
            10 => self.each(depth),
            11 => self.switch(depth),
            _ => {
                let (e, body) = (self.fresh("e"), self.statements(depth - 1));
                let handler = self.statements(depth - 1);
                let class = *self.random.pick(&[
                    "RuntimeException",
                    "NullPointerException",
                    "ArithmeticException | IndexOutOfBoundsException",
                ]);
                let text = format!("try {{\n{{}}}} catch ({class} {e}) {{\n{{}}}}\n");
                put(&text, &[body, handler])
            }
        }
    }

    fn each(&mut self, depth: usize) -> Both {
        let name = self.fresh("x");
        let (kind, over, text) = if self.random.one_in(2) {
            let over = self.expr(Kind::Ints, 0);
            (
                Kind::Int,
                over,
                format!("for (int {name} : {{}}) {{\n{{}}}}\n"),
            )
        } else {
            let over = self.expr(Kind::Text, 0);
            let text = format!("for (char {name} : {{}}.toCharArray()) {{\n{{}}}}\n");
            (Kind::Char, over, text)
        };
        self.scope.push((name.clone(), kind));
        let body = self.statements(depth - 1);
        self.scope.pop();
        self.reworded(&text, &name, &[over, body])
    }

    fn switch(&mut self, depth: usize) -> Both {
        let parts: Vec<Both> = (0..3).map(|_| self.statements(depth - 1)).collect();
        let (on, cases) = match self.random.below(3) {
            0 => (self.expr(Kind::Color, 1), ["RED", "GREEN"]),
            1 => (self.expr(Kind::Text, 1), ["\"a\"", "\"ab\""]),
            _ => (self.expr(Kind::Int, 1), ["0", "-1"]),
        };
        let last = *self.random.pick(&["break;\n", ""]);
        let text = format!(
            "switch ({{}}) {{\ncase {}: {{\n{{}}}}\n{last}case {}: {{\n{{}}}}\nbreak;\ndefault: {{\n{{}}}}\n}}\n",
            cases[0], cases[1]
        );
        put(&text, &[&[on][..], &parts].concat())
    }

    fn printed(&mut self) -> Both {
        let kind = *self
            .random
            .pick(&[Kind::Int, Kind::Text, Kind::Bool, Kind::Char]);
        self.expr(kind, 1)
    }

    fn variable(&mut self, kind: Kind) -> Option<String> {
        let all: Vec<&(String, Kind)> = self.scope.iter().filter(|v| v.1 == kind).collect();
        if all.is_empty() {
            return None;
        }
        let at = self.random.below(all.len());
        Some(all[at].0.clone())
    }

    fn expr(&mut self, kind: Kind, depth: usize) -> Both {
        self.changed(|w| w.part(kind, depth))
    }

    fn part(&mut self, kind: Kind, depth: usize) -> Both {
        let forms = kind.forms();
        if depth == 0 || self.random.one_in(4) || forms.is_empty() {
            if !self.random.one_in(4)
                && let Some(v) = self.variable(kind)
            {
                return same(&v);
            }
            let literal = self.random.pick(kind.literals());
            return same(literal);
        }
        if self.random.one_in(12) {
            let c = self.expr(Kind::Bool, depth - 1);
            let (a, b) = (self.expr(kind, depth - 1), self.expr(kind, depth - 1));
            return self.reworded("({} ? {} : {})", "", &[c, a, b]);
        }
        let (text, of) = *self.random.pick(forms);
        let parts: Vec<Both> = of.iter().map(|k| self.expr(*k, depth - 1)).collect();
        // Texts are not added like numbers, and real numbers have no bits.
        let plain = match (kind, text) {
            (Kind::Text, "({} + {})") | (Kind::Double, "(- {})") => put(text, &parts),
            _ => self.reworded(text, "", &parts),
        };
        match self.rewords && self.changes > 0 && self.random.one_in(8) {
            true => self.extracted(kind, plain),
            false => plain,
        }
    }
}
