//! The rooms' one-way rules, read from the sources themselves: `use` items and paths, as the compiler's grammar has them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use syn::visit::Visit;

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn all() -> Vec<(String, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 50, "sources were found");
    files.sort();
    files
        .into_iter()
        .map(|f| {
            (
                f.strip_prefix(&root).unwrap().to_string_lossy().to_string(),
                std::fs::read_to_string(&f).unwrap(),
            )
        })
        .collect()
}

/// A module of the crate, by its file.
struct Module {
    /// The file, relative to `src/`.
    file: String,
    /// Its path: `symex::vm`; empty for the crate's root.
    path: Vec<String>,
    /// What it names of the crate's own, as paths from its root; and of other crates.
    names: Names,
}

/// The paths that a file names outside of its tests.
#[derive(Default)]
struct Names {
    here: Vec<String>,
    own: BTreeSet<Vec<String>>,
    libraries: BTreeSet<String>,
}

impl Names {
    fn path(&mut self, parts: &[String]) {
        let supers = parts.iter().take_while(|p| *p == "super").count();
        let own = match parts.first().map(String::as_str) {
            Some("crate") => parts[1..].to_vec(),
            Some("super") => {
                let above = self.here.len().saturating_sub(supers);
                [&self.here[..above], &parts[supers..]].concat()
            }
            _ => return,
        };
        self.own.insert(own);
    }

    fn tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) if name.ident == "self" => self.path(before),
            syn::UseTree::Name(name) => self.path(&with(&name.ident)),
            syn::UseTree::Rename(name) => self.path(&with(&name.ident)),
            syn::UseTree::Glob(_) => self.path(before),
            syn::UseTree::Group(group) => group.items.iter().for_each(|t| self.tree(before, t)),
        }
        if let (true, syn::UseTree::Path(path)) = (before.is_empty(), tree) {
            self.libraries.insert(path.ident.to_string());
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if parts.len() > 1 {
            self.path(&parts);
            self.libraries.insert(parts[0].clone());
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}

    fn visit_macro(&mut self, found: &'a syn::Macro) {
        // What a macro's arguments name is told by its tokens: the paths in them are read one after the other.
        let text = found.tokens.to_string().replace(' ', "");
        for part in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let parts: Vec<String> = part.split("::").map(str::to_string).collect();
            self.path(&parts);
        }
        syn::visit::visit_macro(self, found);
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        let tests = item.attrs.iter().any(|a| a.path().is_ident("cfg"));
        if !tests {
            self.here.push(item.ident.to_string());
            syn::visit::visit_item_mod(self, item);
            self.here.pop();
        }
    }
}

/// All modules, parsed once.
fn modules() -> &'static [Module] {
    static ALL: LazyLock<Vec<Module>> = LazyLock::new(|| {
        let parse = |(file, text): (String, String)| {
            let stem = file.trim_end_matches(".rs").trim_end_matches("/mod");
            let path: Vec<String> = match stem {
                "lib" | "main" => Vec::new(),
                stem => stem.split('/').map(str::to_string).collect(),
            };
            let mut names = Names {
                here: path.clone(),
                ..Names::default()
            };
            let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{file}: {e}"));
            names.visit_file(&parsed);
            Module { file, path, names }
        };
        all().into_iter().map(parse).collect()
    });
    &ALL
}

/// The module that a path leads into.
fn module_of(path: &[String]) -> Option<&'static Module> {
    let of = |end: usize| modules().iter().find(|m| m.path == path[..end] && end > 0);
    (1..=path.len()).rev().find_map(of)
}

/// The modules that each one uses.
fn arrows() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let used = |m: &'static Module| {
        let names = m.names.own.iter();
        let files = names.filter_map(|path| Some(&*module_of(path)?.file));
        (&*m.file, files.filter(|f| *f != m.file).collect())
    };
    modules().iter().map(used).collect()
}

/// The rooms that a module names.
fn rooms(module: &Module) -> BTreeSet<String> {
    let names = module.names.own.iter();
    names.filter_map(|path| path.first().cloned()).collect()
}

#[test]
fn dependencies_between_rooms_point_one_way() {
    let allowed: &[(&str, &[&str])] = &[
        (
            "local/",
            &[
                "local",
                "semantics",
                "bytecode",
                "impact",
                "expr",
                "solver",
                "model",
                "util",
            ],
        ),
        ("model.rs", &[]),
        ("model/", &["model"]),
        ("util/", &["util", "error"]),
        ("project/", &["project", "util"]),
        ("java/", &["java", "util", "model"]),
        ("align/", &["align", "java", "model"]),
        ("unify/", &["unify", "align", "java", "bytecode", "model"]),
        ("git/", &["git", "util"]),
        ("contain/", &["contain", "util"]),
        ("jvm/", &["jvm", "contain", "model", "util"]),
        ("bytecode/", &["bytecode"]),
        ("impact/", &["impact", "bytecode", "util", "model"]),
        ("expr/", &["expr"]),
        ("semantics.rs", &["bytecode", "expr"]),
        ("solver/", &["solver", "expr"]),
        (
            "symex/",
            &[
                "symex",
                "semantics",
                "solver",
                "expr",
                "bytecode",
                "impact",
                "model",
                "util",
            ],
        ),
        ("replay/", &["replay", "jvm", "model"]),
        ("github/", &["github"]),
        ("java_text/", &["java_text", "bytecode", "model"]),
        ("call/", &["call", "bytecode", "java_text", "model"]),
    ];
    let mut wrong = Vec::new();
    for module in modules() {
        let file = &module.file;
        let Some((_, may)) = allowed.iter().find(|(room, _)| file.starts_with(room)) else {
            continue;
        };
        for room in rooms(module) {
            if !may.contains(&room.as_str()) {
                wrong.push(format!("{file} uses crate::{room}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn report_and_testgen_see_only_results() {
    let sees = |m: &&Module| m.file.starts_with("report/") || m.file.starts_with("testgen/");
    for module in modules().iter().filter(sees) {
        let file = &module.file;
        for room in rooms(module) {
            let results = [
                "model",
                "report",
                "testgen",
                "options",
                "error",
                "bytecode",
                "util",
                "java_text",
            ]
            .contains(&room.as_str());
            assert!(results, "{file} uses crate::{room}");
        }
        // Of bytecode, only the splitting of descriptors.
        for path in &module.names.own {
            let splits = path.get(1).is_none_or(|p| p == "parameter_descriptors");
            assert!(path[0] != "bytecode" || splits, "{file} uses {path:?}");
        }
    }
}

#[test]
fn third_party_libraries_stay_in_one_room() {
    let homes = [
        ("z3", "solver/z3"),
        ("tree_sitter", "java/"),
        ("git2", "git/"),
        ("ristretto_", "bytecode/"),
        ("octocrab", "github/client.rs"),
        ("reqwest", "github/client.rs"),
        ("rustls", "github/client.rs"),
        ("quick_junit", "report/junit_xml.rs"),
        ("quick_xml", "project/pom_file.rs"),
        ("landlock", "contain/rights.rs"),
        ("seccompiler", "contain/system_calls.rs"),
    ];
    for module in modules() {
        let (file, used) = (&module.file, &module.names.libraries);
        for (library, home) in homes {
            let named = |l: &String| l.starts_with(library);
            assert!(
                !used.iter().any(named) || file.starts_with(home),
                "{file} names {library}"
            );
        }
    }
}

/// The rooms of the engine: each may use only those before it, and itself.
const ENGINE: [&str; 9] = [
    "value", "class", "state", "vm", "models", "interp", "input", "explore", "concrete",
];

#[test]
fn rooms_of_the_engine_use_only_those_before_them() {
    let room = |path: &[String]| -> Option<usize> {
        let name = path.get(1).filter(|_| path[0] == "symex")?;
        ENGINE.iter().position(|r| r == name)
    };
    let mut wrong = Vec::new();
    for module in modules().iter().filter(|m| m.file.starts_with("symex/")) {
        if module.file == "symex/mod.rs" {
            continue;
        }
        let Some(own) = room(&module.path) else {
            wrong.push(format!("{} is in no room", module.file));
            continue;
        };
        for path in module.names.own.iter().filter(|p| p.len() > 1) {
            if path[0] == "symex" && room(path).is_none_or(|other| other > own) {
                wrong.push(format!("{} uses {}", module.file, path.join("::")));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Files that use each other in circles, each circle sorted.
fn circles() -> Vec<Vec<&'static str>> {
    let arrows = arrows();
    let reached = |from: &'static str| -> BTreeSet<&'static str> {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
        while let Some(file) = todo.pop() {
            for next in &arrows[file] {
                if seen.insert(*next) {
                    todo.push(next);
                }
            }
        }
        seen
    };
    let reach: BTreeMap<_, _> = arrows.keys().map(|f| (*f, reached(f))).collect();
    let mut found = BTreeSet::new();
    for (file, far) in &reach {
        let circle: Vec<_> = far
            .iter()
            .filter(|o| reach[*o].contains(file))
            .copied()
            .collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}

#[test]
fn circles_of_files_are_small_and_stay_in_one_room() {
    let room = |file: &str| -> String {
        let parts: Vec<&str> = file.split('/').collect();
        let deep = if parts[0] == "symex" { 2 } else { 1 };
        parts[..deep.min(parts.len())].join("/")
    };
    let mut wrong = Vec::new();
    for circle in circles() {
        let rooms: BTreeSet<String> = circle.iter().map(|f| room(f)).collect();
        if rooms.len() > 1 || circle.len() > 6 {
            wrong.push(circle.join(" "));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_says_in_its_first_line_what_it_is() {
    for (file, text) in all() {
        assert!(text.starts_with("//! "), "{file}");
        // A noun, not a question.
        for word in ["What", "Which", "How", "Where", "When", "Whether", "Why"] {
            assert!(!text.starts_with(&format!("//! {word} ")), "{file}");
        }
    }
}

fn read(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn every_reason_is_explained() {
    // `Variant "name" Weight;`
    let table = read("src/model/reason.rs");
    let rows = table
        .split("reasons! {\n")
        .nth(1)
        .unwrap()
        .split("\n}")
        .next()
        .unwrap();
    let cells = rows.lines().filter_map(|l| {
        Some((
            l.split('"').nth(1)?,
            l.trim_end_matches(';').rsplit(' ').next()?,
        ))
    });
    let named: BTreeMap<String, String> =
        cells.map(|(n, w)| (n.to_string(), w.to_string())).collect();
    assert!(named.len() > 50, "{named:?}");
    let docs = read("docs/limits.md");
    let (_, tables) = docs.split_once("Bounds (a method").unwrap();
    let (bounds, rest) = tables.split_once("Paths that give up (").unwrap();
    let stopped = rest.split("\n## ").next().unwrap();
    let rows = |part: &str| -> BTreeSet<String> {
        let first = part
            .lines()
            .filter_map(|l| l.strip_prefix("| `")?.split(" | ").next());
        let names = first.flat_map(|c| {
            c.split(['`', ',', ' '])
                .map(str::to_string)
                .collect::<Vec<_>>()
        });
        names.filter(|n| !n.is_empty()).collect()
    };
    let (bounds, stopped) = (rows(bounds), rows(stopped));
    for (name, weight) in &named {
        let expected = (weight != "GaveUp", weight != "Bound");
        let told = (bounds.contains(name), stopped.contains(name));
        assert_eq!(
            told, expected,
            "{name} in docs/limits.md: (bounds, gave up)"
        );
    }
    for name in bounds.union(&stopped) {
        assert!(
            named.contains_key(name),
            "docs/limits.md explains {name}, which is no reason"
        );
    }
}

#[test]
fn sources_name_documents_that_there_are() {
    for (file, text) in all() {
        assert!(
            !text.contains("DESIGN \u{a7}"),
            "{file} names a file that is not here"
        );
        for rest in text.split("docs/").skip(1) {
            let name: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || "-_./".contains(*c))
                .collect();
            let name = name.trim_end_matches('.');
            if name.ends_with(".md") {
                read(&format!("docs/{name}"));
            }
        }
    }
}
