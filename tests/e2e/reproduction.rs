//! The program that reproduces the papers' tables, on small subjects of the same shape whose counts follow from reading them.

#[path = "../../examples/reproduce/main.rs"]
#[allow(dead_code)]
mod reproduce;

use clap::Parser;
use std::path::Path;

/// The motivating example of paper 000: `x < 0` and `y == 1` diverge, or `x >= 0` and `y == 1` do.
const FOO: &str = include_str!("../explore/Foo.java");

/// The versions part for a negative pedal, three modes and three commands behind it: nine paths.
const BRAKE: &str = include_str!("../explore/Brake.java");

/// The versions part for `a == 6`, with and without a division by zero: two paths. Two more divide by zero in both versions
/// alike; the papers' tool counts these too.
const SHARE: &str = "package demo;
public class Share {
    boolean change(boolean before, boolean after) {
        return before;
    }
    public int update(int a, int b, int c) {
        int x = 0;
        if (change(a > 5, a > 6)) {
            x = 1;
        }
        return x + b / c;
    }
}
";

fn subject(root: &Path, package: &str, class: &str, text: &str, call: &str) {
    let folder = root.join(package.replace('.', "/"));
    std::fs::create_dir_all(&folder).unwrap();
    let name = format!("{class}_1c");
    let main =
        format!("\n    public static void main(String[] args) {{ new {name}().{call}; }}\n}}\n");
    let end = match text.find("    public static void main") {
        Some(at) => at,
        None => text.trim_end().len() - 1,
    };
    let text = text[..end]
        .replace("package demo;", &format!("package {package};"))
        .replace(&format!("class {class} "), &format!("class {name} "));
    std::fs::write(folder.join(format!("{name}.java")), text + &main).unwrap();
}

/// The number of rows that differ, with these counts in the tables.
fn different(root: &Path, rows: &[(&str, u64)], concolic: u64) -> Result<u64, String> {
    let mut table = "subject,sjplus_time_s,sjplus_states,sjplus_diff_paths\n".to_string();
    for (name, count) in rows {
        table.push_str(&format!("{name},1,1,{count}\n"));
    }
    let second = format!(
        "subject,shadow_jpf_states,shadow_jpf_paths,shadow_klee_paths\nFoo,17,{concolic},2\n"
    );
    std::fs::write(root.join(reproduce::complete::TABLE), table).unwrap();
    std::fs::write(root.join(reproduce::concolic::TABLE), second).unwrap();
    let root = root.to_str().unwrap();
    let args = ["reproduce", "--subjects", root, "--reference", root];
    reproduce::run(&reproduce::Args::parse_from(args))
}

#[test]
fn subjects_of_the_papers_shape_are_judged_as_their_tables_say() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    subject(root, "jpf2019.foo", "Foo", FOO, "foo(0)");
    subject(
        root,
        "jpf2019.brake.update",
        "Brake",
        BRAKE,
        "update(0, 0, 0)",
    );
    subject(
        root,
        "jpf2019.share.update",
        "Share",
        SHARE,
        "update(1, 2, 3)",
    );
    subject(root, "jpf2017.foo", "Foo", FOO, "foo(0)");
    // Equal, equal, and explained by the divisions.
    let right = [("foo", 2), ("Brake.update_1", 9), ("Share.update_1", 4)];
    assert_eq!(different(root, &right, CONCOLIC), Ok(0));
    let wrong = [("foo", 1), ("Brake.update_1", 8), ("Share.update_1", 5)];
    assert_eq!(different(root, &wrong, CONCOLIC + 1), Ok(4));
}

/// From `x = 0` the versions part at `y == 1`; behind that, nothing branches.
const CONCOLIC: u64 = 1;
