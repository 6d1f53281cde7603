//! What a method does to objects of a library is seen by what these tell.

use crate::support::{compiles, fixture, git, junit_jars, shadow_ci, succeeds, write};
use serde_json::Value;
use std::path::Path;

/// A library with an object that shows what it holds only when it is asked, one whose answers are others each time, or an error, a collection, and
/// two whose getters wait for what never comes: one that is closed after use, and one that heeds no interruption.
fn library(jar: &Path) {
    let dir = tempfile::tempdir().unwrap();
    let sources = [
        (
            "lib/Element.java",
            "package lib;
             import java.util.*;
             public class Element {
                 private final String name; private final Map<String, String> attributes = new TreeMap<>(); private int changes;
                 private Element parent;
                 public Element(String name) { this.name = name; }
                 public Element set(String key, String value) { attributes.put(key, value); changes++; return this; }
                 public Element in(Element parent) { this.parent = parent; return this; }
                 public String getName() { return name; }
                 public Map<String, String> getAttributes() { return attributes; }
                 public Element getParent() { return parent; }
                 public Element getNextSibling() { throw new IllegalStateException(\"asked\"); }
             }",
        ),
        (
            "lib/Ticket.java",
            "package lib;
             public class Ticket {
                 private final long made = System.nanoTime(); private final int seat;
                 public Ticket(int seat) { this.seat = seat; }
                 public long getMade() { return made; }
                 public int getSeat() { return seat; }
                 public int getRow() { throw new AssertionError(seat); }
             }",
        ),
        (
            "lib/Row.java",
            "package lib;
             public class Row extends java.util.AbstractList<Integer> {
                 private final int[] all;
                 public Row(int... all) { this.all = all; }
                 @Override public Integer get(int i) { return all[i]; }
                 @Override public int size() { return all.length; }
             }",
        ),
        (
            "lib/Client.java",
            "package lib;
             public class Client implements AutoCloseable {
                 public synchronized String getState() {
                     while (true) try { wait(); } catch (InterruptedException e) { Thread.currentThread().interrupt(); return null; }
                 }
                 @Override public void close() {}
             }",
        ),
        (
            "lib/Node.java",
            "package lib;
             public abstract class Node {
                 private Node() {}
                 public abstract int weight();
                 public Node child(String name) { return null; }
                 public static class Leaf extends Node {
                     private final int weight;
                     Leaf() { this(99); }
                     public Leaf(int weight) { this.weight = weight; }
                     @Override public int weight() { return weight; }
                 }
             }",
        ),
        (
            "lib/Sheet.java",
            "package lib;
             public class Sheet {
                 private final String title; private final int rows;
                 private Sheet(String title, int rows) { this.title = title; this.rows = rows; }
                 public String title() { return title; }
                 public int rows() { return rows; }
                 public static class Builder {
                     private String title = \"\"; private int rows;
                     public Builder title(String title) { this.title = title; return this; }
                     public Builder addRow() { rows++; return this; }
                     public Sheet build() { return new Sheet(title, rows); }
                 }
             }",
        ),
        (
            "lib/Gate.java",
            "package lib;
             public class Gate {
                 public synchronized String getState() {
                     while (true) try { wait(); } catch (InterruptedException e) { continue; }
                 }
             }",
        ),
    ];
    for (path, text) in sources {
        write(dir.path(), path, text);
    }
    compiles(dir.path(), &sources.map(|source| source.0));
    succeeds(dir.path(), "jar", &["cf", jar.to_str().unwrap(), "lib"]);
}

/// The method of the report in which nothing is left out, of a class whose method `body` is changed in one place.
fn report(old: &str, new: &str) -> Value {
    let report = whole_report(old, new, true);
    assert_eq!(report["skipped"], serde_json::json!([]), "{report:#}");
    report["methods"][0].clone()
}

fn whole_report(old: &str, new: &str, with_junit: bool) -> Value {
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    let jars = tempfile::tempdir().unwrap();
    let jar = jars.path().join("lib.jar");
    library(&jar);
    for body in [old, new] {
        let text = format!("package demo; import lib.*; public class Maker {{ {body} }}");
        write(repo, "src/demo/Maker.java", &text);
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
    }
    // With JUnit there, a generated test that does not pass in one version only is left out.
    let junit = junit_jars().join("junit-platform-console-standalone-1.10.2.jar");
    let path = std::env::join_paths([jar].into_iter().chain(with_junit.then_some(junit))).unwrap();
    let output = shadow_ci(repo)
        .args(["HEAD~1", "HEAD", "--json", "-", "--search-runs", "4000"])
        .arg("--classpath")
        .arg(path)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).expect(&message)
}

#[test]
fn what_getters_of_a_result_tell_is_a_difference() {
    let body = |guard: &str| {
        format!(
            "public static Element enclosure(long length) {{ Element e = new Element(\"enclosure\"); {guard} \
             e.set(\"length\", String.valueOf(length)); return e.in(new Element(\"top\")); }}"
        )
    };
    let method = report(&body("if (length != 0)"), &body(""));
    assert_eq!(method["verdict"], "diverges", "{method:#}");
    let finding = &method["findings"][0];
    let told = finding.to_string();
    assert!(told.contains("getAttributes"), "{finding:#}");
    assert!(!told.contains("getNextSibling"), "{finding:#}");
    assert!(finding["test_source"].is_string(), "{finding:#}");
}

#[test]
fn elements_of_a_librarys_collection_are_a_difference() {
    let body = |n: u32| {
        format!(
            "public static Row row(int x) {{ return x == 1234 ? new Row(x, {n}) : new Row(x); }}"
        )
    };
    let method = report(&body(7), &body(8));
    assert_eq!(method["verdict"], "diverges", "{method:#}");
}

/// The time in the ticket is another one in each run, and a getter fails with an error: they hide no other difference, and are none themselves.
#[test]
fn what_is_another_answer_in_each_run_is_no_difference() {
    let body = |seat: &str, rest: &str| {
        format!(
            "public int last; public Ticket sold; \
             public void sell(int seat) {{ sold = new Ticket({seat}); {rest} }}"
        )
    };
    let same = report(
        &body("seat", "last = seat + seat;"),
        &body("seat", "last = 2 * seat;"),
    );
    assert_ne!(same["verdict"], "diverges", "{same:#}");
    let method = report(
        &body("seat", "last = seat;"),
        &body("seat", "last = seat == 4711 ? 0 : seat;"),
    );
    assert_eq!(method["verdict"], "diverges", "{method:#}");
}

#[test]
fn objects_that_are_closed_after_use_are_not_asked() {
    let body = |n: u32| {
        format!(
            "public static Object[] open(int x) {{ return new Object[] {{new Client(), x == 1234 ? {n} : x}}; }}"
        )
    };
    let method = report(&body(7), &body(8));
    assert_eq!(method["verdict"], "diverges", "{method:#}");
    assert!(
        method["findings"][0]["test_source"].is_string(),
        "{method:#}"
    );
}

/// The search and the replays go on without asking; a generated test would wait.
#[test]
fn a_getter_that_never_answers_hides_no_other_difference() {
    let body = |n: u32| {
        format!(
            "public static Object[] open(int x) {{ return new Object[] {{new Gate(), x == 1234 ? {n} : x}}; }}"
        )
    };
    let report = whole_report(&body(7), &body(8), false);
    let method = &report["methods"][0];
    assert_eq!(method["verdict"], "diverges", "{report:#}");
}

/// Nobody else can extend the abstract type, but a class in it does; the other type has a builder.
#[test]
fn inputs_of_a_librarys_types_come_from_its_other_classes() {
    let body = |n: u32| {
        format!(
            "public static int weigh(Node node) {{ return node.weight() > {n} ? 1 : 0; }} \
             public static boolean isLong(Sheet sheet) {{ return sheet.rows() > {}; }}",
            n - 40
        )
    };
    let report = whole_report(&body(41), &body(42), true);
    for method in report["methods"].as_array().unwrap() {
        assert_eq!(method["verdict"], "diverges", "{method:#}");
    }
    assert_eq!(report["methods"].as_array().unwrap().len(), 2, "{report:#}");
    let told = report["methods"].to_string();
    assert!(told.contains("new lib.Node$Leaf(42)"), "{told}");
    assert!(told.contains("Builder()"), "{told}");
}
