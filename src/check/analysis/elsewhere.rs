//! Source files that were not compiled, as local proofs see them: words that say what their code may extend, call, or be called by.

use super::cut_code::CutParts;
use crate::java::{Lexeme, identifiers, is_identifier_part, lexemes};
use crate::local::{Identifiers, UncompiledSources, is_throwable};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Types whose methods code of the JDK does not call, but those that it calls on any object.
const HARMLESS: [&str; 6] = [
    "java/lang/Object",
    "java/io/Serializable",
    "java/lang/Cloneable",
    "java/lang/Comparable",
    "java/lang/Enum",
    "java/lang/Record",
];

/// Whether a type of the JDK, by its internal name, is one whose methods code of the JDK calls as it does those of any object.
pub(super) fn is_plain(class: &str) -> bool {
    HARMLESS.contains(&class) || is_throwable(class)
}

/// The same of the simple name of a type that is nowhere declared.
fn is_plain_name(name: &str) -> bool {
    let mut simple = HARMLESS.iter().filter_map(|c| c.rsplit('/').next());
    simple.any(|c| c == name) || is_throwable(&format!("java/lang/{name}"))
}

/// Methods that code of the JDK calls on any object, sequence of characters or exception.
const ASKED: [&str; 17] = [
    "equals",
    "hashCode",
    "compareTo",
    "compare",
    "toString",
    "charAt",
    "length",
    "subSequence",
    "isEmpty",
    "getMessage",
    "getLocalizedMessage",
    "fillInStackTrace",
    "getCause",
    "getStackTrace",
    "initCause",
    "close",
    "finalize",
];

/// Words before parentheses and a block that declare no method.
const KEYWORDS: [&str; 9] = [
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "synchronized",
    "try",
    "new",
    "return",
];

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Sign(char),
}

/// One file.
struct File {
    tokens: Vec<Token>,
    /// Words of its literals.
    quoted: Identifiers,
}

/// What the texts of files, and of parts of files, say. `is_harmless` tells of a class by its simple name, if it was compiled, that
/// neither it nor what is above it is a type whose methods the JDK calls.
pub(super) fn uncompiled(
    texts: &[String],
    cut: CutParts,
    is_harmless: impl Fn(&str) -> Option<bool>,
) -> UncompiledSources {
    let mut files: Vec<File> = texts.iter().map(|t| File::of(t)).collect();
    files.extend(cut.texts.iter().map(|t| File::of(t)));
    let members: Vec<File> = cut.members.iter().map(|t| File::of(t)).collect();
    let mut out = UncompiledSources {
        cut: cut.code,
        extended: cut.owners,
        ..UncompiledSources::default()
    };
    for file in &members {
        // The JDK may call what overrides a method of its own.
        out.called_back.extend(file.all_words().map(str::to_string));
    }
    let whole = texts.len();
    files.extend(members);
    let supertypes: Vec<Identifiers> = files.iter().map(File::supertypes).collect();
    for (n, file) in files.iter().enumerate() {
        let words: BTreeSet<&str> = file.all_words().collect();
        let words = || words.iter().map(|w| w.to_string());
        if n < whole {
            out.qualified.extend(file.qualified());
        } else {
            // A part of a class names its fields as they are.
            out.left_out.extend(words());
            out.qualified.extend(words());
        }
        out.names.extend(words());
        out.names.extend(file.quoted.iter().cloned());
        out.quoted.extend(file.quoted.iter().cloned());
        out.qualified.extend(file.quoted.iter().cloned());
        out.extended.extend(supertypes[n].iter().cloned());
        out.has_lambdas |= !file.lambdas().is_empty();
    }
    let first = std::mem::take(&mut out.called_back);
    out.called_back = called_back((&files, &supertypes), first, is_harmless);
    out
}

/// All words of a text, and whether it makes lambdas or declares types.
pub(super) fn words_of(text: &str) -> (Identifiers, bool) {
    let file = File::of(text);
    let mut words = file.quoted.clone();
    words.extend(file.all_words().map(str::to_string));
    let makes =
        !file.lambdas().is_empty() || !file.supertypes().is_empty() || !file.types().is_empty();
    (words, makes)
}

/// Words of all code in the files that the JDK may come to by itself, or by some first words.
fn called_back(
    (files, supertypes): (&[File], &[Identifiers]),
    first: Identifiers,
    is_harmless: impl Fn(&str) -> Option<bool>,
) -> Identifiers {
    let mut declared: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut methods: BTreeMap<&str, Vec<(usize, Range<usize>)>> = BTreeMap::new();
    for (n, file) in files.iter().enumerate() {
        for name in file.types() {
            declared.entry(name).or_default().push(n);
        }
        for (name, body) in file.methods() {
            methods.entry(name).or_default().push((n, body));
        }
    }
    let mut whole: BTreeSet<usize> = BTreeSet::new();
    loop {
        let before = whole.len();
        for (n, above) in supertypes.iter().enumerate() {
            let harmless = |name: &String| {
                let own = declared
                    .get(name)
                    .map(|at| !at.iter().any(|f| whole.contains(f)));
                own.or(is_harmless(name))
                    .unwrap_or_else(|| is_plain_name(name))
            };
            if !whole.contains(&n) && !above.iter().all(harmless) {
                whole.insert(n);
            }
        }
        if whole.len() == before {
            break;
        }
    }
    let mut todo: Vec<&str> = first.iter().map(String::as_str).collect();
    for (n, file) in files.iter().enumerate() {
        if whole.contains(&n) {
            todo.extend(file.all_words());
        } else {
            todo.extend(file.lambdas().into_iter().flat_map(|at| file.words(at)));
        }
    }
    let of_any = ASKED.iter().flat_map(|name| methods.get(name));
    let of_any = of_any.flatten().filter(|(n, _)| !whole.contains(n));
    todo.extend(of_any.flat_map(|(n, body)| files[*n].words(body.clone())));
    let mut found: FxHashSet<&str> = FxHashSet::default();
    while let Some(word) = todo.pop() {
        if !found.insert(word) {
            continue;
        }
        for n in declared.get(word).into_iter().flatten() {
            todo.extend(files[*n].all_words().filter(|w| !found.contains(w)));
        }
        for (n, body) in methods.get(word).into_iter().flatten() {
            let words = files[*n].words(body.clone());
            todo.extend(words.filter(|w| !found.contains(w)));
        }
    }
    found.into_iter().map(str::to_string).collect()
}

impl File {
    fn of(text: &str) -> File {
        let mut file = File {
            tokens: Vec::new(),
            quoted: Identifiers::default(),
        };
        let mut word = String::new();
        for lexeme in lexemes(text) {
            let sign = match lexeme {
                Lexeme::Other(c) if is_identifier_part(c) => {
                    word.push(c);
                    continue;
                }
                Lexeme::Other(c) => Some(c),
                Lexeme::Literal(text) | Lexeme::TextBlock(text) => {
                    file.quoted.extend(identifiers(text).map(str::to_string));
                    Some('"')
                }
                _ => None,
            };
            if !word.is_empty() {
                file.tokens.push(Token::Word(std::mem::take(&mut word)));
            }
            file.tokens.extend(sign.map(Token::Sign));
        }
        if !word.is_empty() {
            file.tokens.push(Token::Word(word));
        }
        file
    }

    fn word(&self, at: usize) -> Option<&str> {
        match self.tokens.get(at) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn sign(&self, at: usize) -> Option<char> {
        match self.tokens.get(at) {
            Some(Token::Sign(sign)) => Some(*sign),
            _ => None,
        }
    }

    fn words(&self, range: Range<usize>) -> impl Iterator<Item = &str> {
        range.filter_map(|i| self.word(i))
    }

    fn all_words(&self) -> impl Iterator<Item = &str> {
        self.words(0..self.tokens.len())
    }

    /// Words behind a dot that name no method.
    fn qualified(&self) -> Vec<String> {
        let all = 1..self.tokens.len();
        all.filter(|i| self.sign(i - 1) == Some('.') && self.sign(i + 1) != Some('('))
            .filter_map(|i| self.word(i).map(str::to_string))
            .collect()
    }

    /// Behind the bracket that closes the one at a place.
    fn behind(&self, at: usize) -> usize {
        let mut depth = 0;
        for i in at..self.tokens.len() {
            match self.sign(i) {
                Some('(' | '{' | '[') => depth += 1,
                Some(')' | '}' | ']') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return i + 1;
            }
        }
        self.tokens.len()
    }

    /// Simple names of the types that it declares.
    fn types(&self) -> Vec<String> {
        let kinds = ["class", "interface", "enum", "record"];
        let all = 1..self.tokens.len();
        all.filter(|i| self.word(i - 1).is_some_and(|w| kinds.contains(&w)))
            .filter_map(|i| self.word(i).map(str::to_string))
            .collect()
    }

    /// Names that stand as supertypes, or before the body of an anonymous class; type arguments left aside.
    fn supertypes(&self) -> Identifiers {
        let mut all = Identifiers::default();
        for i in 0..self.tokens.len() {
            match self.word(i) {
                Some("extends" | "implements") => {
                    let bounds = i > 0 && self.sign(i - 1) == Some('?')
                        || i > 1 && matches!(self.sign(i - 2), Some('<' | ','));
                    if !bounds {
                        all.extend(self.outer_words(i + 1).0);
                    }
                }
                Some("new") => {
                    let (words, end) = self.outer_words(i + 1);
                    if self.sign(end) == Some('(') && self.sign(self.behind(end)) == Some('{') {
                        all.extend(words);
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// The words of a list of types, type arguments left aside, and where it ends.
    fn outer_words(&self, from: usize) -> (Vec<String>, usize) {
        let (mut words, mut depth) = (Vec::new(), 0);
        for i in from..self.tokens.len() {
            match &self.tokens[i] {
                Token::Word(word) if depth == 0 => words.push(word.clone()),
                Token::Sign('<') => depth += 1,
                Token::Sign('>') if depth > 0 => depth -= 1,
                Token::Sign('{' | ';' | '(' | ')' | '>' | '[' | '=') => return (words, i),
                _ => {}
            }
        }
        (words, self.tokens.len())
    }

    /// Names and bodies of its methods.
    fn methods(&self) -> Vec<(&str, Range<usize>)> {
        let mut all = Vec::new();
        for i in 1..self.tokens.len() {
            let Some(name) = self.word(i).filter(|w| !KEYWORDS.contains(w)) else {
                continue;
            };
            let typed = match &self.tokens[i - 1] {
                Token::Word(before) => before != "new",
                Token::Sign(sign) => matches!(sign, '>' | ']'),
            };
            if !typed || self.sign(i + 1) != Some('(') {
                continue;
            }
            let mut body = self.behind(i + 1);
            if self.word(body) == Some("throws") {
                body = self.outer_words(body + 1).1;
            }
            if self.sign(body) == Some('{') {
                all.push((name, body..self.behind(body)));
            }
        }
        all
    }

    /// Bodies of lambdas, and what stands beside `::`.
    fn lambdas(&self) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        for i in 1..self.tokens.len() {
            match (self.sign(i - 1), self.sign(i)) {
                (Some(':'), Some(':')) => {
                    all.push(i.saturating_sub(3)..(i + 3).min(self.tokens.len()));
                }
                (Some('-'), Some('>')) if self.sign(i + 1) == Some('{') => {
                    all.push(i..self.behind(i + 1));
                }
                (Some('-'), Some('>')) => all.push(i..self.end_of_expression(i + 1)),
                _ => {}
            }
        }
        all
    }

    fn end_of_expression(&self, from: usize) -> usize {
        let mut at = from;
        while at < self.tokens.len() {
            match self.sign(at) {
                Some(';' | ')' | '}' | ']') => return at,
                Some('(' | '{' | '[') => at = self.behind(at),
                _ => at += 1,
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::{CutParts, uncompiled};

    #[test]
    fn words_of_what_the_jdk_calls_are_told_from_others() {
        let texts = [
            "/** commented */ class A extends Base<Inner> { public String toString() { return text(); }\n\
             String text() throws E { return quote; } void other() { far(); } }",
            "class B { String s = \"said\"; Object o = new Anonymous<X>(1) { }; <T extends Bound> void g(Object p) { new Plain(); run(v -> kept(v)); } }",
            "class C implements Iterator { void h() { everything(); } }",
        ]
        .map(str::to_string);
        let out = uncompiled(&texts, CutParts::default(), |name| {
            ["Base", "Anonymous"].contains(&name).then_some(true)
        });
        let sorted = |names: &crate::local::Identifiers| {
            let mut all: Vec<String> = names.iter().cloned().collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&out.extended), ["Anonymous", "Base", "Iterator"]);
        assert!(out.has_lambdas && !out.names.contains("commented"));
        assert_eq!(sorted(&out.quoted), ["said"]);
        for (word, is) in [
            ("text", true),
            ("quote", true),
            ("far", false),
            ("kept", true),
            ("run", false),
            ("everything", true),
        ] {
            assert_eq!(out.called_back.contains(word), is, "{word}");
        }
    }
}
