//! The command `impact`, end to end: the example of paper 004, calls between files, and its three formats.

use crate::support::{commit, fixture, git, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

fn run(repo: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .arg("impact")
        .arg("--repo")
        .arg(repo)
        .args(["HEAD~1", "HEAD"])
        .args(args)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8_lossy(&output.stdout).to_string()
}

fn json(repo: &Path, args: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(args);
    serde_json::from_str(&run(repo, &all)).unwrap()
}

fn method<'a>(report: &'a Value, name: &str) -> &'a Value {
    let methods = report["methods"].as_array().unwrap();
    let found = methods.iter().find(|m| m["method"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {report}"))
}

/// The node of the paper's figure 4 that stands on a line, by the comments in the fixture.
fn figure_nodes() -> BTreeMap<u64, String> {
    let file = root().join("fixtures/wbs/new/src/main/java/demo/Brake.java");
    let text = std::fs::read_to_string(file).unwrap();
    let marked = text.lines().enumerate();
    marked
        .filter_map(|(i, l)| Some((i as u64 + 1, l.split_once("// ")?.1.to_string())))
        .collect()
}

fn two_versions(files: &[(&str, &str, &str)]) -> tempfile::TempDir {
    let repo = tempfile::tempdir().unwrap();
    git(repo.path(), &["init", "-q"]);
    for version in 0..2 {
        let content = tempfile::tempdir().unwrap();
        for (path, old, new) in files {
            let file = content.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, if version == 0 { old } else { new }).unwrap();
        }
        commit(repo.path(), content.path());
    }
    repo
}

/// A file that both versions have.
fn same<'a>(path: &'a str, text: &'a str) -> (&'a str, &'a str, &'a str) {
    (path, text, text)
}

#[test]
fn the_example_of_paper_004_gives_figure_6_line_by_line() {
    let names = figure_nodes();
    assert_eq!(names.len(), 15, "the fixture names n0 to n14");
    let repo = fixture("wbs");
    let report = json(repo.path(), &[]);
    assert_eq!(report["methods"].as_array().unwrap().len(), 1);
    let mut nodes = method(&report, "update")["nodes"]
        .as_array()
        .unwrap()
        .clone();
    nodes.sort_by_key(|n| n["step"].as_u64());
    let name = |line: &Value| names[&line.as_u64().unwrap()].as_str();
    let built: Vec<(&str, &str, u64)> = nodes
        .iter()
        .filter(|n| n["status"] == "impacted")
        .map(|n| {
            let rule = n["rule"].as_u64().unwrap();
            (name(&n["by"]["line"]), name(&n["line"]), rule)
        })
        .collect();
    assert_eq!(name(&nodes[0]["line"]), "n0");
    assert_eq!(nodes[0]["status"], "changed");
    let figure_6 = [
        ("n0", "n2", 1),
        ("n0", "n1", 1),
        ("n2", "n3", 1),
        ("n2", "n4", 1),
        ("n1", "n10", 2),
        ("n1", "n5", 2),
        ("n10", "n11", 1),
        ("n1", "n12", 2),
        ("n12", "n13", 1),
        ("n12", "n14", 1),
    ];
    assert_eq!(built, figure_6);
    let set: BTreeSet<&str> = nodes.iter().map(|n| name(&n["line"])).collect();
    let expected = [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14].map(|n| format!("n{n}"));
    assert_eq!(set, expected.iter().map(String::as_str).collect());
}

#[test]
fn reaching_definitions_give_the_example_the_same_set() {
    let repo = fixture("wbs");
    let lines = |args: &[&str]| -> BTreeSet<u64> {
        let report = json(repo.path(), args);
        let nodes = method(&report, "update")["nodes"]
            .as_array()
            .unwrap()
            .clone();
        nodes.iter().map(|n| n["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines(&[]), lines(&["--data-flow", "reaching"]));
}

#[test]
fn a_removed_statement_impacts_what_used_its_value() {
    let text = |middle: &str| {
        format!(
            "package demo;\nclass A {{\n  static int f(int a) {{\n    int x = a;\n{middle}\n    int y = x;\n    return y;\n  }}\n}}\n"
        )
    };
    let (old, new) = (text("    x = x + 1;"), text(""));
    let repo = two_versions(&[("src/demo/A.java", &old, &new)]);
    let report = json(repo.path(), &["--data-flow", "reaching"]);
    let f = method(&report, "f");
    assert_eq!(f["changed"], 0);
    let mapped: Vec<(u64, u64, &str)> = f["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| {
            (
                n["line"].as_u64().unwrap(),
                n["rule"].as_u64().unwrap(),
                n["by"]["version"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(mapped, [(4, 4, "old"), (6, 2, "old"), (7, 2, "old")]);
    assert_eq!(report["removed"][0]["nodes"][0]["line"], 5);
}

const CALLER: &str = "package demo;
class Caller {
  static int last;
  static int twice(int a) {
    int b = A.g(a);
    last = b;
    return b + b;
  }
  static int untouched(int a) {
    return a + 1;
  }
  static int main(int a) {
    return twice(a) + untouched(a);
  }
  static int reader() {
    return last;
  }
}
";

#[test]
fn results_fields_and_arguments_carry_impact_to_files_that_did_not_change() {
    let text = |constant: u32| {
        format!(
            "package demo;\nclass A {{\n  static int g(int a) {{\n    int x = a + {constant};\n    Sink.take(x, 7);\n    return x;\n  }}\n}}\n"
        )
    };
    let sink = "package demo;\nclass Sink {\n  static void take(int v, int k) {\n    int a = v;\n    int b = k;\n  }\n}\n";
    let (old, new) = (text(1), text(2));
    let repo = two_versions(&[
        ("src/demo/A.java", &old, &new),
        same("src/demo/Caller.java", CALLER),
        same("src/demo/Sink.java", sink),
    ]);
    let report = json(repo.path(), &[]);
    assert_eq!(report["partial"], Value::Null);
    let lines = |name: &str| -> Vec<u64> {
        let nodes = method(&report, name)["nodes"].as_array().unwrap();
        nodes.iter().map(|n| n["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines("twice"), [5, 6, 7]);
    assert_eq!(lines("main"), [13]);
    assert_eq!(lines("reader"), [16]);
    assert_eq!(lines("take"), [4], "the constant argument stays as it was");
    let methods = report["methods"].as_array().unwrap();
    assert!(methods.iter().all(|m| m["method"] != "untouched"));
    let callers: Vec<(&str, u64, u64)> = report["callers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| {
            (
                c["method"].as_str().unwrap(),
                c["line"].as_u64().unwrap(),
                c["distance"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(callers, [("twice", 5, 1), ("main", 13, 2)]);
}

#[test]
fn what_does_not_compile_elsewhere_is_left_out_and_said() {
    let text =
        |n: u32| format!("package demo;\nclass A {{\n  static int g() {{ return {n}; }}\n}}\n");
    let (old, new) = (text(1), text(2));
    let repo = two_versions(&[
        ("src/demo/A.java", &old, &new),
        same(
            "src/demo/B.java",
            "package demo;\nclass B { int f() { return missing.Library.call(A.g()); } }\n",
        ),
    ]);
    let text = run(repo.path(), &[]);
    assert!(text.contains("demo.A#g()"), "{text}");
    assert!(
        text.contains("callers in unchanged files were not analysed"),
        "{text}"
    );
    let report = json(repo.path(), &[]);
    assert!(report["partial"].as_str().unwrap().contains("B.java:2"));
}

#[test]
fn text_and_graph_name_lines_and_rules() {
    let repo = fixture("wbs");
    let text = run(repo.path(), &[]);
    assert!(
        text.contains("16 statements, 1 changed, 10 impacted"),
        "{text}"
    );
    assert!(
        text.contains("rule (2) line 9, command  command = command + 1; // n5"),
        "{text}"
    );
    let graph = run(repo.path(), &["--format", "dot"]);
    assert!(
        graph.starts_with("digraph") && graph.ends_with("}\n"),
        "{graph}"
    );
    assert!(graph.contains("[label=\"8: if (pedal <= 0) { // n0\", style=\"filled,dashed\""));
    assert!(graph.contains("m0_1 -> m0_5 [style=dashed, constraint=false, label=\"(2) command\"]"));
}

#[test]
fn a_patch_without_changes_in_code_says_so() {
    let repo = fixture("reformatted");
    assert_eq!(run(repo.path(), &[]), "no changed Java code\n");
}

#[test]
fn only_methods_that_are_asked_for_are_printed() {
    let repo = fixture("wbs");
    let report = json(repo.path(), &["--method", "demo.Brake#other"]);
    assert!(report["methods"].as_array().unwrap().is_empty());
}

#[test]
fn errors_are_the_project_s() {
    let repo = fixture("wbs");
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["impact", "nonsense", "HEAD", "--repo"])
        .arg(repo.path())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("unknown revision 'nonsense'"), "{message}");
}
