//! The meaning of a source file: what of its text javac makes no code of.

use super::lexemes::{Lexeme, identifiers, is_identifier_part, lexemes};
use std::collections::BTreeSet;

/// Annotations that only javac reads (JLS §9.6.4.4, §9.6.4.5).
const FOR_JAVAC: [&str; 2] = ["Override", "SuppressWarnings"];

/// Characters that make one operator where nothing parts them.
const JOINING: &str = "+-*/%<>=!&|^:.";

/// A word, a literal, or another character; and whether it and the one before would be one operator if nothing parted them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    text: String,
    is_parted: bool,
}

/// Whether two texts are the same but for comments and layout, so that javac makes the same of them but for line numbers.
/// Unicode escapes (JLS §3.3) may hide what ends a comment: texts with such are not told to be the same.
pub fn differ_in_layout_only(a: &str, b: &str) -> bool {
    !have_escapes(a, b) && tokens(a) == tokens(b)
}

/// Whether two files are the same but for that, the order of imports and those that nothing uses, `final` of parameters, and what is said to
/// javac alone.
pub fn mean_the_same(a: &str, b: &str) -> bool {
    !have_escapes(a, b) && meaning(a) == meaning(b)
}

fn have_escapes(a: &str, b: &str) -> bool {
    [a, b].iter().any(|text| text.contains("\\u"))
}

/// The imports that something may use, and the rest without what means nothing.
fn meaning(text: &str) -> (BTreeSet<String>, Vec<Token>) {
    let (imports, rest) = parted(tokens(text));
    let words: BTreeSet<&str> = rest.iter().flat_map(|t| identifiers(&t.text)).collect();
    let is_used = |import: &String| {
        let last = import.rsplit('.').next().unwrap_or_default();
        // What comes of a package, or of a module (JLS §7.5.5), has names of its own.
        last == "*" || import.starts_with("module ") || words.contains(last)
    };
    let used = imports.into_iter().filter(is_used).collect();
    (used, bare(&rest))
}

fn tokens(text: &str) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::new();
    let mut parted = true;
    for lexeme in lexemes(text) {
        let (text, is_word) = match lexeme {
            Lexeme::Space | Lexeme::LineComment | Lexeme::BlockComment => {
                parted = true;
                continue;
            }
            Lexeme::Literal(text) | Lexeme::TextBlock(text) => (text.to_string(), false),
            Lexeme::Other(c) => (c.to_string(), is_identifier_part(c)),
        };
        let before = all.last_mut();
        let ends_so = |t: &Token, is: fn(char) -> bool| t.text.chars().all(is);
        match before {
            Some(word) if is_word && !parted && ends_so(word, is_identifier_part) => {
                word.text.push_str(&text);
            }
            before => {
                let joins = |c| JOINING.contains(c);
                let joined = before.is_some_and(|t| ends_so(t, joins)) && text.chars().all(joins);
                let is_parted = joined && parted;
                all.push(Token { text, is_parted });
            }
        }
        parted = false;
    }
    all
}

/// What is imported, by its names with points between, and the rest.
fn parted(all: Vec<Token>) -> (Vec<String>, Vec<Token>) {
    let (mut imports, mut rest) = (Vec::new(), Vec::new());
    let mut tokens = all.into_iter();
    while let Some(token) = tokens.next() {
        if token.text == "import" {
            let name = tokens.by_ref().take_while(|t| t.text != ";");
            let name: Vec<String> = name.map(|t| t.text).collect();
            imports.push(name.join(" ").replace(" . ", "."));
        } else {
            rest.push(token);
        }
    }
    (imports, rest)
}

/// The tokens without `final` of parameters and annotations for javac.
fn bare(all: &[Token]) -> Vec<Token> {
    let mut bare: Vec<Token> = Vec::new();
    // Brackets that are open; whether parameters are in them.
    let mut open: Vec<bool> = Vec::new();
    let mut i = 0;
    while let Some(token) = all.get(i) {
        let next = all.get(i + 1).map(|t| t.text.as_str());
        match token.text.as_str() {
            "@" if next.is_some_and(|n| FOR_JAVAC.contains(&n)) => {
                i = behind_arguments(all, i + 2);
                continue;
            }
            // A variable of a loop may be a constant.
            "(" => open.push(bare.last().is_none_or(|t| t.text != "for")),
            "{" => open.push(false),
            ")" | "}" => drop(open.pop()),
            "final" if open.last() == Some(&true) => {
                i += 1;
                continue;
            }
            _ => {}
        }
        bare.push(token.clone());
        i += 1;
    }
    bare
}

/// The place behind the arguments that may stand at one.
fn behind_arguments(all: &[Token], at: usize) -> usize {
    if all.get(at).is_none_or(|t| t.text != "(") {
        return at;
    }
    let mut depth = 0;
    for (i, token) in all.iter().enumerate().skip(at) {
        match token.text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    all.len()
}

#[cfg(test)]
mod tests {
    use super::{differ_in_layout_only, mean_the_same};

    fn same(a: &str, b: &str) -> bool {
        mean_the_same(a, b) && mean_the_same(b, a)
    }

    #[test]
    fn comments_and_layout_mean_nothing() {
        assert!(same(
            "int f(){return 1;}",
            "/** x */ int f() {\n  return 1; // one\n}"
        ));
        assert!(same("List<List<A>> a", "List<List<A>>  a"));
        assert!(same("a.b(\"//\")", "a . b( /* */ \"//\" )"));
        assert!(differ_in_layout_only("f( int a )", "f(int a)"));
        assert!(!differ_in_layout_only("f(final int a)", "f(int a)"));
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
            ("a - -1", "a-- 1"),
        ] {
            assert!(!mean_the_same(a, b), "{a} and {b}");
            assert!(!differ_in_layout_only(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn imports_mean_something_where_their_name_stands_elsewhere() {
        assert!(same("import a.B; import c.D; class X {}", "class X {}"));
        assert!(same(
            "import a.B; import c.D; B b; D d;",
            "import c.D;\nimport a.B;\nB b; D d;"
        ));
        for (a, b) in [
            ("import a.B; B b;", "import c.B; B b;"),
            ("import a.*; B b;", "B b;"),
            (
                "import static a.B.of; x = of(1);",
                "import static a.C.of; x = of(1);",
            ),
            ("import a.B; B b;", "import static a.B; B b;"),
            ("import module a.x; B b;", "import module a.y; B b;"),
        ] {
            assert!(!same(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn final_parameters_are_parameters_and_final_variables_may_be_constants() {
        assert!(same(
            "void f(final int a, final B b) {}",
            "void f(int a, B b) {}"
        ));
        assert!(same(
            "try { g(); } catch (final E e) {}",
            "try { g(); } catch (E e) {}"
        ));
        for (a, b) in [
            ("final int a = 1;", "int a = 1;"),
            ("for (final int i = 0; ;) {}", "for (int i = 0; ;) {}"),
            (
                "f(new A() { final int a = 1; })",
                "f(new A() { int a = 1; })",
            ),
            ("final class A {}", "class A {}"),
        ] {
            assert!(!same(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn what_is_said_to_javac_alone_means_nothing() {
        assert!(same("@Override public int f() {}", "public int f() {}"));
        let many = "@SuppressWarnings({\"unchecked\", \"a(b\"}) int f() {}";
        assert!(same(many, "int f() {}"));
        assert!(!same("@Deprecated int f() {}", "int f() {}"));
        assert!(!same("@Overrides int f() {}", "int f() {}"));
    }
}
