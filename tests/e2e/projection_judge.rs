//! The judge of projections on switches over enums: what a case stands for counts, not the number that javac gave it.

use shadow_ci::bytecode::{ClassPath, Side};
use shadow_ci::impact::check_projection;
use shadow_ci::jvm::Jdk;
use std::path::Path;
use std::process::Command;

/// The classes of a file with this `f`, and with something in front of it.
fn compiled(before: &str, f: &str) -> (tempfile::TempDir, ClassPath) {
    let dir = tempfile::tempdir().unwrap();
    let text = format!(
        "class Subject {{ enum Kind {{ A, B, C }} {before} static int f(Kind k, Kind l) {{ {f} }} }}"
    );
    let file = dir.path().join("Subject.java");
    std::fs::write(&file, text).unwrap();
    let home = std::env::var_os("JAVA_HOME");
    let path = std::env::var_os("PATH");
    let jdk = Jdk::find(home.as_deref().map(Path::new), path.as_deref()).unwrap();
    let output = Command::new(jdk.javac())
        .args(["-g", "-d"])
        .args([dir.path(), &file])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let classes = ClassPath::of(&[dir.path().to_path_buf()]).unwrap();
    (dir, classes)
}

/// Whether the judge takes the second for the first.
fn same((before, f): (&str, &str), (before_too, f_too): (&str, &str)) -> bool {
    let (_real, real) = compiled(before, f);
    let (_unified, unified) = compiled(before_too, f_too);
    let class = |path: &ClassPath| path.find("Subject").unwrap().unwrap();
    let (a, b) = (class(&real), class(&unified));
    let f = |c: &shadow_ci::bytecode::class_file::ClassFile| {
        let mut all = c.methods.iter();
        all.find(|m| &*m.name == "f").unwrap().clone()
    };
    let (m, n) = (&f(&a), &f(&b));
    check_projection((&real, &a, m), (&unified, &b, n), Side::New).is_ok()
}

const PLAIN: &str = "switch (k) { case A: return 1; case B: return 2; default: return 3; }";

#[test]
fn swapped_constants_are_no_projection_though_their_numbers_are_the_same() {
    let swapped = PLAIN
        .replace("case A", "case X")
        .replace("case B", "case A");
    let swapped = swapped.replace("case X", "case B");
    assert!(same(("", PLAIN), ("", PLAIN)));
    assert!(!same(("", PLAIN), ("", &swapped)));
    assert!(!same(("", PLAIN), ("", &PLAIN.replace("case B", "case C"))));
}

#[test]
fn another_switch_in_the_file_changes_the_numbers_and_nothing_else() {
    let other = "static int g(Kind k) { switch (k) { case C: return 4; case B: return 5; default: return 6; } }";
    assert!(same(("", PLAIN), (other, PLAIN)));
}

#[test]
fn a_switch_in_the_selector_of_another_has_its_own_table() {
    let nested = |inner: &str| {
        format!(
            "return switch (switch (k) {{ case {inner} -> l; default -> k; }}) {{ case A -> 1; case B -> 2; default -> 3; }};"
        )
    };
    assert!(same(("", &nested("A")), ("", &nested("A"))));
    assert!(!same(("", &nested("A")), ("", &nested("B"))));
}
