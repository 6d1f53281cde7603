//! The choice of the project's test files to run for a patch: those named after the changed classes first, then those that mention them, then
//! those that mention classes which do. Tests of the patch are among them in any case.

use crate::check::patch::{is_test, stem, tests_folder};
use crate::model::MethodRef;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Test files run at most: enough for a usual patch, and few enough to compile and run in seconds.
const MOST_FILES: usize = 24;
/// Where fewer files than this mention a changed class itself, those that mention its users are taken too.
const FEW: usize = 6;
/// Endings of grammars, of which plugins of the build make classes (ANTLR, JavaCC, JFlex, BYacc/J).
const GRAMMARS: [&str; 8] = ["g", "g3", "g4", "jj", "jjt", "flex", "jflex", "y"];
/// How many steps from user to user are followed, as long as they are so few.
const STEPS: usize = 6;

/// Test files to run.
#[derive(Debug, Default)]
pub struct Chosen {
    /// All, best first.
    pub files: Vec<String>,
    /// How many of them are named after a changed class, or name one and a changed method.
    pub near: usize,
}

/// Whether classes are made of a file that holds parts of them.
pub fn is_grammar(file: &str) -> bool {
    file.rsplit_once('.')
        .is_some_and(|(_, ending)| GRAMMARS.contains(&ending))
}

/// The test files to run; the same for the same sources, grammars among them. Of those equally good, the ones in the modules of the changed files come first.
pub fn choose(
    files: &[String],
    read: &dyn Fn(&str) -> Option<String>,
    methods: &[&MethodRef],
    changed: &[&str],
) -> Chosen {
    let is_source =
        |f: &&String| f.ends_with(".java") && !f.ends_with("-info.java") || is_grammar(f);
    let (tests, main): (Vec<&String>, Vec<&String>) =
        files.iter().filter(is_source).partition(|f| is_test(f));
    let is_run = |f: &&String| !is_benchmark(f) && !is_grammar(f);
    let tests: Vec<&String> = tests.into_iter().filter(is_run).collect();
    if tests.is_empty() {
        return Chosen::default();
    }
    let classes: BTreeSet<String> = methods
        .iter()
        .flat_map(|m| m.class.simple_names())
        .map(String::from)
        .collect();
    let names: BTreeSet<&str> = methods.iter().map(|m| m.name.as_str()).collect();
    let texts: BTreeMap<&String, String> =
        tests.iter().filter_map(|t| Some((*t, read(t)?))).collect();
    let mut ranked: BTreeMap<&String, usize> = BTreeMap::new();
    for (file, text) in &texts {
        if let Some(rank) = rank(stem(file), text, &classes, &names) {
            ranked.insert(file, rank);
        }
    }
    let few = FEW.min(texts.len());
    if ranked.len() < few {
        let sources: Vec<(&String, String)> =
            main.iter().filter_map(|f| Some((*f, read(f)?))).collect();
        let (mut known, mut level) = (classes.clone(), classes);
        for step in 0..STEPS {
            if ranked.len() >= few || level.is_empty() {
                break;
            }
            let users = sources.iter().filter(|(_, text)| mentions(text, &level));
            let users = users.flat_map(|(f, text)| classes_of(f, text));
            // Tests inherit what others of them do.
            let tests = ranked.keys().map(|test| stem(test).to_string());
            level = users.chain(tests).collect();
            level.retain(|name| known.insert(name.clone()));
            for (file, text) in &texts {
                if mentions(text, &level) {
                    ranked.entry(file).or_insert(RANKS + step);
                }
            }
        }
    }
    for file in texts.keys().filter(|f| changed.contains(&f.as_str())) {
        ranked.entry(file).or_insert(RANKS);
    }
    let spoken: BTreeSet<&str> = methods
        .iter()
        .flat_map(|m| m.class.simple_names().flat_map(parts))
        .collect();
    let shared = |file: &str| parts(stem(file)).filter(|p| spoken.contains(p)).count();
    let modules: BTreeSet<&str> = changed.iter().map(|file| module(file)).collect();
    let is_far = |file: &str| !modules.contains(module(file));
    let mut all: Vec<&String> = ranked.keys().copied().collect();
    all.sort_by_key(|f| (ranked[f], is_far(f), Reverse(shared(f)), *f));
    all.truncate(MOST_FILES);
    Chosen {
        near: all.iter().filter(|f| ranked[*f] < FAR).count(),
        files: all.into_iter().cloned().collect(),
    }
}

/// Those of the tests that lie in a module of these files.
pub fn beside(tests: &[String], files: &[&str]) -> Vec<String> {
    let modules: BTreeSet<&str> = files.iter().map(|file| module(file)).collect();
    let near = tests.iter().filter(|test| modules.contains(module(test)));
    near.cloned().collect()
}

/// Whether a file of tests measures only.
fn is_benchmark(file: &str) -> bool {
    tests_folder(file).is_some_and(|folder| folder.ends_with("jmh"))
}

/// The folder of a source file's module, as build tools lay modules out.
fn module(file: &str) -> &str {
    let folder = tests_folder(file).unwrap_or(file);
    let folder = folder.split("src/").next().unwrap_or_default();
    let ends = ["javatests", "tests", "test"];
    ends.iter()
        .find_map(|end| folder.strip_suffix(end))
        .unwrap_or(folder)
}

/// The words of a name such as `TypeInfoFactory`, but for those that any test's name has.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let mut starts: Vec<usize> = name
        .char_indices()
        .filter(|(at, c)| *at == 0 || c.is_uppercase())
        .map(|(at, _)| at)
        .collect();
    starts.push(name.len());
    let words: Vec<&str> = starts.windows(2).map(|w| &name[w[0]..w[1]]).collect();
    words
        .into_iter()
        .filter(|w| w.len() > 2 && !["Test", "Tests"].contains(w))
}

/// Ranks of files that mention a changed class, and the first of those that say nothing else of the change.
const RANKS: usize = 4;
const FAR: usize = 3;

fn rank(
    stem: &str,
    text: &str,
    classes: &BTreeSet<String>,
    methods: &BTreeSet<&str>,
) -> Option<usize> {
    let after = |c: &String| {
        [
            format!("{c}Test"),
            format!("Test{c}"),
            format!("{c}Tests"),
            format!("{c}TestCase"),
        ]
        .iter()
        .any(|name| name == stem)
    };
    if classes.iter().any(after) {
        return Some(0);
    }
    let mut found = [false; 2];
    for word in words(text) {
        found[0] |= classes.contains(word);
        found[1] |= methods.contains(word);
    }
    match found {
        [true, _] if classes.iter().any(|c| stem.contains(c.as_str())) => Some(1),
        [true, true] => Some(2),
        [true, false] => Some(3),
        _ => None,
    }
}

/// The simple names of the classes that a file is for: its own, or those that are made of a grammar.
fn classes_of(file: &str, text: &str) -> Vec<String> {
    let name = stem(file);
    if !is_grammar(file) {
        return vec![name.to_string()];
    }
    let name = name.split('.').next().unwrap_or(name);
    let made = ["", "Parser", "Lexer"].map(|ending| format!("{name}{ending}"));
    // JavaCC names the class in the text.
    let named = text.split_once("PARSER_BEGIN(");
    let named = named.and_then(|(_, behind)| Some(behind.split_once(')')?.0.trim().to_string()));
    made.into_iter().chain(named).collect()
}

fn mentions(text: &str, names: &BTreeSet<String>) -> bool {
    words(text).any(|word| names.contains(word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|w| !w.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is chosen of these files for `Foo.f`, where a patch changes some of them.
    fn of_foo(texts: &BTreeMap<&str, &str>, changed: &[&str]) -> Chosen {
        let files: Vec<String> = texts.keys().map(|f| f.to_string()).collect();
        let read = |f: &str| texts.get(f).map(|t| t.to_string());
        let method = MethodRef {
            class: "Foo".into(),
            name: "f".into(),
            descriptor: "()I".into(),
        };
        choose(&files, &read, &[&method], changed)
    }

    #[test]
    fn tests_of_a_module_lie_beside_its_files() {
        let all = [
            "io/src/test/java/ATest.java",
            "xml/src/test/java/BTest.java",
        ];
        let all = all.map(String::from);
        let near = beside(&all, &["io/src/main/java/p/A.java"]);
        assert_eq!(near, ["io/src/test/java/ATest.java"]);
        let root = ["src/test/java/ATest.java".to_string()];
        assert_eq!(beside(&root, &["src/main/java/A.java"]), root);
    }

    #[test]
    fn tests_named_after_the_class_come_first_and_users_of_users_last() {
        let texts = BTreeMap::from([
            (
                "src/main/java/Foo.java",
                "class Foo { int f() { return 1; } }",
            ),
            ("src/main/java/Bar.java", "class Bar { Foo foo; }"),
            ("src/main/java/Qux.java", "class Qux { Bar bar; }"),
            ("src/main/antlr3/Walker.g", "@members { Foo foo; }"),
            ("src/main/java/Way.java", "class Way { WalkerParser w; }"),
            ("src/test/java/ZTest.java", "class ZTest { Way way; }"),
            ("src/test/java/ATest.java", "class ATest { Bar bar; }"),
            ("src/test/java/BTest.java", "class BTest { Foo foo; }"),
            (
                "src/test/java/CTest.java",
                "class CTest { Foo foo; int x = foo.f(); }",
            ),
            ("src/test/java/FooTest.java", "class FooTest {}"),
            ("src/test/java/QuxTest.java", "class QuxTest { Qux q; }"),
            ("src/test/java/OtherTest.java", "class OtherTest { }"),
            (
                "src/jmh/java/FooSpeedTest.java",
                "class FooSpeedTest { Foo foo; }",
            ),
            (
                "src/test/java/TheFooWayTest.java",
                "class TheFooWayTest { Bar bar; }",
            ),
        ]);
        let chosen = of_foo(&texts, &[]);
        assert_eq!(chosen.near, 2);
        let stems: Vec<&str> = chosen.files.iter().map(|f| stem(f)).collect();
        let wanted = [
            "FooTest",
            "CTest",
            "BTest",
            "TheFooWayTest",
            "ATest",
            "QuxTest",
            "ZTest",
        ];
        assert_eq!(stems, wanted);
    }

    #[test]
    fn tests_of_the_patch_and_those_that_inherit_are_among_them() {
        let texts = BTreeMap::from([
            ("src/main/java/Foo.java", "class Foo { }"),
            ("src/test/java/BaseTest.java", "class BaseTest { Foo foo; }"),
            (
                "src/test/java/LateTest.java",
                "class LateTest extends BaseTest {}",
            ),
            ("src/test/java/OtherTest.java", "class OtherTest {}"),
            ("src/test/java/PatchTest.java", "class PatchTest {}"),
        ]);
        let patch = ["src/main/java/Foo.java", "src/test/java/PatchTest.java"];
        let chosen = of_foo(&texts, &patch);
        let stems: Vec<&str> = chosen.files.iter().map(|f| stem(f)).collect();
        assert_eq!(stems, ["BaseTest", "LateTest", "PatchTest"]);
    }
}
