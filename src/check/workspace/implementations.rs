//! Unchanged source files with classes that extend or implement wanted types, as their texts say.

use super::Workspace;
use crate::check::patch::stem;
use crate::java::identifiers;
use std::collections::{BTreeMap, BTreeSet};

/// Most files compiled for their implementations of one type.
const MOST_FILES: usize = 6;

/// How far below a type its implementations are looked for.
const LEVELS: usize = 3;

/// Parameters that stand for what an abstract class takes: a subclass.
const OF_A_SUBCLASS: usize = 3;

/// A file that names some types as those above its own.
struct Implementation<'a> {
    file: &'a String,
    parents: BTreeSet<String>,
    is_abstract: bool,
    effort: usize,
}

impl Workspace {
    /// Those for these types, given by internal name: at most six for each, and first those whose objects take least.
    pub(super) fn implementing_files(&self, wanted: &BTreeSet<String>) -> Vec<String> {
        let simple = |name: &str| name.rsplit(['/', '$']).next().unwrap_or(name).to_string();
        let texts = self.texts_of_both().filter_map(|(file, text)| {
            let parents = parents(&text);
            (!parents.is_empty()).then(|| Implementation {
                file,
                parents,
                is_abstract: is_abstract(stem(file), &text),
                effort: effort(stem(file), &text),
            })
        });
        let mut all: Vec<Implementation> = texts.collect();
        all.sort_by_key(|one| one.effort);
        // The wanted type for each type that is it, or is abstract and below it.
        let mut wanted: BTreeMap<String, String> =
            wanted.iter().map(|w| (simple(w), simple(w))).collect();
        for _ in 1..LEVELS {
            for one in all.iter().filter(|one| one.is_abstract) {
                let above = one.parents.iter().find_map(|p| wanted.get(p).cloned());
                if let Some(above) = above {
                    wanted.entry(stem(one.file).to_string()).or_insert(above);
                }
            }
        }
        let mut left: BTreeMap<&String, usize> = wanted.values().map(|w| (w, MOST_FILES)).collect();
        let mut found = Vec::new();
        for one in all {
            let mut of = one.parents.iter().filter_map(|p| wanted.get(p));
            let of = of.find(|w| left.get(w).is_some_and(|left| *left > 0));
            // A changed file is compiled already.
            if let Some(of) = of
                && self.is_unchanged(one.file)
            {
                left.entry(of).and_modify(|left| *left -= 1);
                found.push(one.file.clone());
            }
        }
        found
    }
}

/// Whether the type that a file is named after is abstract, by the text.
fn is_abstract(class: &str, text: &str) -> bool {
    let mut words = ["abstract class", "interface"].iter();
    words.any(|word| text.contains(&format!("{word} {class}")))
}

/// What an object takes of the class that a file is named after: the parameters of its constructor with the fewest, by the text. Of an
/// abstract class it takes a subclass.
fn effort(class: &str, text: &str) -> usize {
    if is_abstract(class, text) {
        return OF_A_SUBCLASS;
    }
    let mut least = None;
    for (at, _) in text.match_indices(class) {
        let before = text[..at].trim_end();
        let Some(list) = text[at + class.len()..].trim_start().strip_prefix('(') else {
            continue;
        };
        let is_declared = ["public", "protected", "private", "}", "{", ";", "*/"]
            .iter()
            .any(|end| before.ends_with(end));
        if is_declared && !before.ends_with("private") {
            let count = parameters(list);
            least = Some(least.map_or(count, |known: usize| known.min(count)));
        }
    }
    least.unwrap_or(0)
}

/// How many parameters a list has, by its text behind the opening parenthesis.
fn parameters(list: &str) -> usize {
    let (mut depth, mut count, mut is_empty) = (0, 1, true);
    for c in list.chars() {
        match c {
            ')' if depth == 0 => break,
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
        is_empty &= c.is_whitespace();
    }
    if is_empty { 0 } else { count }
}

/// Simple names behind `extends` and `implements`.
fn parents(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in ["extends ", "implements "] {
        for part in text.split(word).skip(1) {
            let head = part.split(['{', ';']).next().unwrap_or_default();
            found.extend(identifiers(head).take(40).map(str::to_string));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constructor_with_the_fewest_parameters_tells_the_effort() {
        let text =
            "class A { private A() { new A(); } A(Map<B, C> b, int c) { } /** */ public A( ) { } }";
        assert_eq!(effort("A", text), 0);
        assert_eq!(effort("A", &text.replace("A( )", "A(@X(y = 1) D d)")), 1);
        assert_eq!(effort("A", &text.replace("public A( )", "void a()")), 2);
        assert_eq!(effort("B", "public class B extends A { }"), 0);
        assert_eq!(effort("C", "public abstract class C { C() { } }"), 3);
    }

    #[test]
    fn parents_are_read_from_text() {
        let text = "class A<T extends B> extends p.C<D>\n    implements E, F {}";
        let found = parents(text);
        assert!(["B", "C", "D", "E", "F"].iter().all(|n| found.contains(*n)));
        assert!(!found.contains("A"));
    }
}
