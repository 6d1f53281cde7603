//! The rooms' one-way rules (DESIGN §6), read from the sources themselves.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// The rooms a source text names by `crate::`.
fn rooms(text: &str) -> BTreeSet<String> {
    let code: String = text
        .lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    code.split("crate::")
        .skip(1)
        .map(|rest| {
            rest.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        })
        .collect()
}

#[test]
fn dependencies_between_rooms_point_one_way() {
    let allowed: [(&str, &[&str]); 18] = [
        ("model.rs", &[]),
        ("model/", &["model"]),
        ("util/", &["error"]),
        ("project/", &["project"]),
        ("java/", &["java", "util"]),
        ("align/", &["align", "java"]),
        ("unify/", &["unify", "align", "java", "bytecode", "model"]),
        ("git/", &["git", "util"]),
        ("contain/", &["contain"]),
        ("jvm/", &["jvm", "contain", "model"]),
        ("bytecode/", &["bytecode"]),
        ("impact/", &["impact", "bytecode", "util", "model"]),
        ("expr/", &["expr"]),
        ("solver/", &["solver", "expr"]),
        (
            "symex/",
            &["symex", "solver", "expr", "bytecode", "impact", "model"],
        ),
        ("replay/", &["replay", "jvm", "model"]),
        ("github/", &["github"]),
        ("java_text/", &["java_text", "bytecode", "model"]),
        ("call/", &["call", "bytecode", "java_text", "model"]),
    ];
    let mut wrong = Vec::new();
    for (file, text) in all() {
        let Some((_, may)) = allowed.iter().find(|(room, _)| file.starts_with(room)) else {
            continue;
        };
        for room in rooms(&text) {
            if !may.contains(&room.as_str()) {
                wrong.push(format!("{file} uses crate::{room}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn report_and_testgen_see_only_results() {
    for (file, text) in all()
        .iter()
        .filter(|(f, _)| f.starts_with("report/") || f.starts_with("testgen/"))
    {
        for room in rooms(text) {
            let results = [
                "model",
                "report",
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
        assert_eq!(
            text.matches("bytecode::").count(),
            text.matches("bytecode::parameter_descriptors").count(),
            "{file}"
        );
    }
}

#[test]
fn third_party_libraries_stay_in_one_room() {
    let homes = [
        ("z3::", "solver/z3"),
        ("tree_sitter", "java/"),
        ("git2::", "git/"),
        ("ristretto_", "bytecode/"),
        ("ureq", "github/client.rs"),
        ("rustls", "github/client.rs"),
        ("quick_junit", "report/junit_xml.rs"),
        ("landlock", "contain/rights.rs"),
        ("seccompiler", "contain/system_calls.rs"),
    ];
    for (file, text) in all() {
        let imports: Vec<&str> = text
            .lines()
            .filter(|l| l.trim_start().starts_with("use "))
            .collect();
        for (library, home) in homes {
            let used = imports.iter().any(|l| {
                l.trim_start()
                    .trim_start_matches("use ")
                    .starts_with(library)
            });
            assert!(!used || file.starts_with(home), "{file} imports {library}");
        }
    }
}

#[test]
fn every_file_says_in_its_first_line_what_it_is() {
    for (file, text) in all() {
        assert!(text.starts_with("//! "), "{file}");
    }
}
