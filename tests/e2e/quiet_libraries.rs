//! Libraries of metrics are no part of an outcome: what they do is not executed.

use crate::support::{fixture, git};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// As much of Dropwizard's classes as the stand-ins name; whatever would count fails.
const LIBRARY: [(&str, &str); 14] = [
    ("Metric", "public interface Metric {}"),
    ("Counting", "public interface Counting { long getCount(); }"),
    (
        "Sampling",
        "public interface Sampling { Snapshot getSnapshot(); }",
    ),
    (
        "Metered",
        "public interface Metered extends Metric, Counting { double getFifteenMinuteRate(); double getFiveMinuteRate(); double getMeanRate(); double getOneMinuteRate(); }",
    ),
    (
        "Reservoir",
        "public interface Reservoir { int size(); void update(long v); Snapshot getSnapshot(); }",
    ),
    ("Snapshot", "public abstract class Snapshot {}"),
    (
        "UniformSnapshot",
        "public class UniformSnapshot extends Snapshot { public UniformSnapshot(long[] v) {} }",
    ),
    ("MovingAverages", "public interface MovingAverages {}"),
    ("Clock", "public abstract class Clock {}"),
    (
        "Counter",
        "public class Counter { public void inc() { throw new Error(); } public void inc(long n) { throw new Error(); } }",
    ),
    (
        "Meter",
        "public class Meter { public Meter() { throw new Error(); } public void mark() {} }",
    ),
    (
        "Histogram",
        "public class Histogram { public Histogram(Reservoir r) { throw new Error(); } public void update(long v) {} }",
    ),
    (
        "ExponentiallyDecayingReservoir",
        "public abstract class ExponentiallyDecayingReservoir implements Reservoir {}",
    ),
    (
        "Timer",
        "public class Timer { public static class Context implements AutoCloseable { public void close() {} } public Context time() { throw new Error(); } }",
    ),
];

#[test]
fn metrics_count_nothing() {
    let library = tempfile::tempdir().unwrap();
    let mut compile = Command::new("javac");
    compile.arg("-d").arg(library.path().join("classes"));
    for (name, text) in LIBRARY {
        let file = library.path().join(format!("{name}.java"));
        std::fs::write(&file, format!("package com.codahale.metrics; {text}\n")).unwrap();
        compile.arg(file);
    }
    assert!(compile.status().unwrap().success());
    let dir = fixture("foo");
    let repo = dir.path();
    let shop = "package demo; import com.codahale.metrics.*; public class Shop {
        private static final Counter COUNTER = new Counter();
        private static final Timer TIMER = new Timer();
        public static int price(int x) {
            try (Timer.Context time = TIMER.time()) { new Meter().mark(); COUNTER.inc(x); return x > 9 ? x * 2 : x; }
        } }";
    let write = |text: &str| {
        let file = repo.join(Path::new("src/main/java/demo/Shop.java"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
    };
    write(shop);
    write(&shop.replace("> 9", "> 10"));
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["HEAD~1", "HEAD", "--json", "-", "--search-runs", "0"])
        .args(["--proofs", "off", "--repo"])
        .arg(repo)
        .arg("--classpath")
        .arg(library.path().join("classes"))
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let method = &report["methods"][0];
    assert_eq!(method["verdict"], "diverges", "{report:#}");
    let finding = &method["findings"][0];
    assert_eq!(finding["inputs"][0]["java"], "10", "{method:#}");
    assert_eq!(finding["old"]["value"], "20", "{method:#}");
    assert_eq!(method["paths"]["gave_up"], 0, "{method:#}");
}
