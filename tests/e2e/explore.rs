//! `shadow-ci explore` on annotated programs: the papers' example, pruning, search orders, modes, and bad input.

use crate::support;
use serde_json::Value;
use shadow_ci::commands::explore::{ExploreOptions, Session, Target};
use shadow_ci::contain::Containment;
use shadow_ci::model::reason::Reason;
use shadow_ci::options::{Arithmetic, Oracle, Prune, Search};
use shadow_ci::symex::ExploreMode;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(target: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["explore", target, "--source"])
        .arg(support::root().join("tests/explore"))
        .args(args)
        .output()
        .unwrap()
}

fn explore(target: &str, args: &[&str]) -> Value {
    let output = run(target, &[args, &["--json", "-"]].concat());
    assert!(
        output.status.success(),
        "{target} {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn count(found: &Value, what: &str) -> u64 {
    found["counts"][what].as_u64().unwrap()
}

/// Diff paths by condition and outcome.
fn diffs(found: &Value) -> BTreeSet<String> {
    let all = found["paths"].as_array().unwrap();
    all.iter()
        .filter(|p| p["diff"] == true)
        .map(|p| format!("{:?} {} {}", conjuncts(p), p["old"], p["new"]))
        .collect()
}

/// All paths by condition.
fn finished(found: &Value) -> BTreeSet<String> {
    let all = found["paths"].as_array().unwrap();
    all.iter().map(|p| format!("{:?}", conjuncts(p))).collect()
}

/// The path condition; in which order two conjuncts of one branch come depends on which term was met first.
fn conjuncts(path: &Value) -> BTreeSet<String> {
    let text = path["path_condition"].as_str().unwrap();
    text.split(" && ").map(str::to_string).collect()
}

const PAPER: [&str; 6] = [
    "--arith",
    "unbounded",
    "--int-range=-100..100",
    "--oracle",
    "new",
    "--from=main",
];

#[test]
fn the_papers_example_has_the_papers_diff_paths() {
    // Paper 000, table 3: two diff paths.
    let found = explore("demo.Foo#foo", &PAPER);
    assert_eq!(count(&found, "diff"), 2, "{found:#}");
    let ends: BTreeSet<String> = diffs(&found);
    assert!(ends.iter().any(|e| e.contains("java.lang.AssertionError")));
}

#[test]
fn in_java_arithmetic_the_example_has_more_of_them() {
    let found = explore("demo.Foo#foo", &[]);
    assert_eq!(count(&found, "gave_up"), 0);
    // x*x wraps to zero, which the papers' integers don't: a second regression.
    let second = found["paths"].as_array().unwrap().iter().any(|p| {
        let text = |key: &str| p[key].as_str().unwrap().to_string();
        text("path_condition").contains("x < 0")
            && text("new").contains("AssertionError")
            && text("old").contains("returned 0")
    });
    assert!(second, "{found:#}");
}

#[test]
fn directed_exploration_loses_no_divergence() {
    for (method, cut) in [
        ("directed", true),
        ("forgotten", true),
        ("ownArgument", false),
        ("block", false),
        ("earlyReturn", false),
        ("library", true),
        ("branches", true),
        ("noAnnotation", true),
    ] {
        let target = format!("demo.Kinds#{method}");
        let all = explore(&target, &["--prune", "none"]);
        let reach = explore(&target, &["--prune", "reach"]);
        assert_eq!(diffs(&all), diffs(&reach), "{method}");
        assert_eq!(count(&all, "data"), count(&reach, "data"), "{method}");
        assert_eq!(count(&all, "pruned"), 0);
        assert_eq!(count(&reach, "pruned") > 0, cut, "{method}: {reach:#}");
        if cut {
            assert!(
                count(&reach, "finished") < count(&all, "finished"),
                "{method}"
            );
        }
    }
}

#[test]
fn all_search_orders_find_the_same_paths() {
    let base = explore("demo.Kinds#branches", &["--prune", "none"]);
    assert!(count(&base, "finished") > 15, "{base:#}");
    for args in [
        &["--search", "bfs"][..],
        &["--search", "greedy"],
        &["--search", "random"],
        &["--search", "random", "--seed", "7"],
    ] {
        let other = explore(
            "demo.Kinds#branches",
            &[args, &["--prune", "none"]].concat(),
        );
        assert_eq!(finished(&base), finished(&other), "{args:?}");
        assert_eq!(diffs(&base), diffs(&other), "{args:?}");
        assert_eq!(base["states"], other["states"], "{args:?}");
    }
}

#[test]
fn greedy_comes_to_a_divergence_before_depth_first_does() {
    let position = |order: &str| {
        let found = explore(
            "demo.Kinds#directed",
            &["--prune", "none", "--search", order],
        );
        let paths = found["paths"].as_array().unwrap().clone();
        paths.iter().position(|p| p["diff"] == true).unwrap()
    };
    assert!(position("greedy") <= position("bfs"));
}

#[test]
fn each_version_evaluates_its_own_argument_only() {
    let found = explore("demo.Kinds#ownArgument", &["--prune", "none"]);
    let by_zero: Vec<&Value> = found["paths"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|p| p["new"].as_str().unwrap().contains("ArithmeticException"))
        .collect();
    assert!(!by_zero.is_empty());
    for path in by_zero {
        assert!(
            path["old"].as_str().unwrap().contains("returned"),
            "{path:#}"
        );
        assert_eq!(path["diff"], true);
    }
}

#[test]
fn blocks_of_one_version_are_regions_and_returns_in_them_divergences() {
    let block = explore("demo.Kinds#block", &[]);
    assert_eq!((count(&block, "diff"), count(&block, "data")), (0, 1));
    let early = explore("demo.Kinds#earlyReturn", &[]);
    assert_eq!(count(&early, "diff"), 1, "{early:#}");
    let data = explore("demo.Kinds#dataOnly", &[]);
    assert_eq!((count(&data, "diff"), count(&data, "data")), (0, 1));
    // old x + 1, new x + 1: the same in the end.
    let library = explore("demo.Kinds#library", &[]);
    assert_eq!((count(&library, "diff"), count(&library, "data")), (0, 0));
}

#[test]
fn full_mode_explores_the_new_version_alone() {
    let found = explore("demo.Foo#foo", &[&PAPER[..3], &["--mode", "full"]].concat());
    // x >= 0: y = 1, y > 1; x < 0: x * x + 1 > 1.
    assert_eq!(count(&found, "finished"), 3, "{found:#}");
    assert_eq!(count(&found, "diff"), 0);
    assert!(found["paths"][0]["old"].is_null());
}

/// The example of paper 004 in one version, or in both.
fn wheel_brake(args: &[&str]) -> Value {
    let version = |v: &str| support::root().join(format!("fixtures/wbs/{v}/src/main/java"));
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["explore", "demo.Brake#update", "--json", "-", "--source"])
        .arg(version("new"))
        .args(args)
        .args(args.contains(&"dise").then_some("--base"))
        .args(args.contains(&"dise").then(|| version("old")))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_example_of_paper_004_has_21_path_conditions_in_full_mode_and_7_in_dise_mode() {
    let full = wheel_brake(&["--mode", "full"]);
    assert_eq!((count(&full, "finished"), count(&full, "pruned")), (21, 0));
    for order in ["dfs", "random", "greedy"] {
        let dise = wheel_brake(&["--mode", "dise", "--search", order]);
        assert_eq!(dise["impacted_statements"], 11, "n0 to n5, n10 to n14");
        assert_eq!(count(&dise, "finished"), 7, "{order}: {dise:#}");
        assert!(count(&dise, "pruned") > 0);
        assert!(finished(&dise).is_subset(&finished(&full)), "{order}");
        assert!(dise["states"].as_u64() < full["states"].as_u64());
        // One path per sequence of impacted statements: whatever the mode is.
        let without_mode = |path: &Value| -> BTreeSet<String> {
            conjuncts(path)
                .into_iter()
                .filter(|c| !c.contains("mode"))
                .collect()
        };
        let paths = dise["paths"].as_array().unwrap();
        let sequences: BTreeSet<BTreeSet<String>> = paths.iter().map(without_mode).collect();
        assert_eq!(sequences.len(), 7, "{order}");
    }
}

#[test]
fn annotations_say_what_changed_where_there_is_no_base() {
    let full = explore("demo.Brake#update", &["--mode", "full"]);
    let dise = explore("demo.Brake#update", &["--mode", "dise"]);
    assert_eq!(
        (count(&full, "finished"), count(&dise, "finished")),
        (21, 7)
    );
    let nothing = explore("demo.Kinds#noAnnotation", &["--mode", "dise"]);
    assert_eq!(nothing["impacted_statements"], 0);
    assert_eq!(
        count(&nothing, "finished"),
        1,
        "one path, as in the paper's tables"
    );
}

#[test]
fn calls_carry_impact_and_every_step_of_the_brake_has_its_sequences() {
    let full = explore("demo.Brake#launch", &["--mode", "full"]);
    let dise = explore("demo.Brake#launch", &["--mode", "dise"]);
    assert!(finished(&dise).is_subset(&finished(&full)));
    assert!(count(&dise, "finished") < count(&full, "finished"));
    assert_eq!(count(&full, "gave_up") + count(&dise, "gave_up"), 0);
}

#[test]
fn pruning_by_impact_keeps_a_path_of_each_divergence_and_says_so() {
    for method in ["update", "launch"] {
        let target = format!("demo.Brake#{method}");
        let reach = explore(&target, &["--prune", "reach"]);
        let dise = explore(&target, &["--prune", "dise"]);
        assert!(diffs(&dise).is_subset(&diffs(&reach)), "{method}");
        assert!(count(&dise, "diff") > 0, "{method}");
        assert!(count(&dise, "diff") < count(&reach, "diff"), "{method}");
        assert!(dise["limits"].to_string().contains("prune-dise"));
        let ends = |found: &Value| -> BTreeSet<String> {
            let paths = found["paths"].as_array().unwrap().iter();
            paths
                .filter(|p| p["diff"] == true)
                .map(|p| p["diverges_at"].to_string())
                .collect()
        };
        assert_eq!(ends(&dise), ends(&reach), "{method}");
    }
}

#[test]
fn the_check_prunes_by_impact_when_asked_and_then_proves_nothing() {
    let repo = support::fixture("wbs");
    let check = |prune: &str| -> Value {
        let output = support::shadow_ci(repo.path())
            .args(["HEAD~1", "HEAD", "--exhaustive", "--json", "-"])
            .args(["--prune", prune])
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (none, reach, dise) = (check("none"), check("reach"), check("dise"));
    let paths = |report: &Value, what: &str| report["methods"][0]["paths"][what].as_u64().unwrap();
    assert_eq!(paths(&none, "pruned"), 0);
    assert!(paths(&reach, "pruned") > 0);
    assert!(paths(&reach, "finished") < paths(&none, "finished"));
    assert_eq!(paths(&reach, "diff"), paths(&none, "diff"));
    assert!(paths(&dise, "finished") < paths(&reach, "finished"));
    for report in [&none, &reach, &dise] {
        assert_eq!(report["methods"][0]["verdict"], "diverges");
    }
    let limits = dise["methods"][0]["limits"].to_string();
    assert!(limits.contains("prune-dise"), "{limits}");
}

#[test]
fn concolic_mode_follows_its_input_and_forks_at_divergences() {
    let run = |input: &str| {
        let mode = ["--mode", "concolic", "--input", input];
        explore("demo.Foo#foo", &[&PAPER[..5], &mode].concat())
    };
    // Along x = 5 nothing can diverge; along x = 0 the input itself does, along x = -2 its neighbour x = -1.
    for (input, diff) in [("5", 0), ("0", 1), ("-2", 1)] {
        let found = run(input);
        assert_eq!(count(&found, "diff"), diff, "{input}: {found:#}");
    }
    let complete = diffs(&explore("demo.Foo#foo", &PAPER[..5]));
    assert!(diffs(&run("0")).is_subset(&complete));
}

#[test]
fn a_concrete_caller_gives_fields_and_the_input_is_the_callees() {
    let found = explore("demo.Kinds#divide", &["--from", "start", "--prune", "none"]);
    let inputs = found["paths"][0]["inputs"].as_array().unwrap();
    assert_eq!(inputs.len(), 1, "{found:#}");
    assert_eq!(inputs[0]["name"], "by");
    assert_eq!(count(&found, "finished"), 2, "by zero or not");
}

#[test]
fn bad_input_is_one_message_and_exit_code_2() {
    let cases: [(&str, &[&str], &[&str]); 14] = [
        (
            "demo.Nothing#foo",
            &[],
            &["class demo.Nothing is not among"],
        ),
        ("demo.Foo#nothing", &[], &["no method nothing", "foo"]),
        ("demo.Foo", &[], &["is not a method"]),
        (
            "demo.Kinds#overloaded",
            &[],
            &["overloaded(int)", "overloaded(long)"],
        ),
        (
            "demo.Foo#foo",
            &["--mode", "dise", "--search", "bfs"],
            &["depth first", "greedy"],
        ),
        (
            "demo.Foo#foo",
            &["--base", "tests"],
            &["--base", "--mode dise"],
        ),
        ("demo.Foo#foo", &["--mode", "concolic"], &["--input"]),
        ("demo.Foo#foo", &["--input", "1"], &["--mode concolic"]),
        (
            "demo.Foo#foo",
            &["--mode", "concolic", "--input", "x"],
            &["--input x"],
        ),
        (
            "demo.Foo#foo",
            &["--mode", "concolic", "--input", "1,2"],
            &["2 values", "foo(int)"],
        ),
        (
            "demo.Foo#foo",
            &["--mode", "concolic", "--input", "3000000000"],
            &["3000000000", "int"],
        ),
        (
            "demo.Foo#main",
            &["--mode", "concolic", "--input", "1"],
            &["not supported", "java.lang.String[]"],
        ),
        ("demo.Foo#foo", &["--from", "nowhere"], &["nowhere"]),
        (
            "demo.Foo#foo",
            &["--source", "/nonexistent"],
            &["no such file"],
        ),
    ];
    for (target, args, parts) in cases {
        let output = run(target, args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{target} {args:?}: {message}"
        );
        assert!(!message.contains("panicked"), "{message}");
        for part in parts {
            assert!(message.contains(part), "'{part}' is missing in: {message}");
        }
    }
    let typed = explore("demo.Kinds#overloaded(long)", &["--prune", "none"]);
    assert_eq!(typed["descriptor"], "(J)I");
}

#[test]
fn sources_that_do_not_compile_are_located() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("Broken.java");
    std::fs::write(&file, "class Broken {\n  int f() { return x; }\n}\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["explore", "Broken#f", "--source"])
        .arg(&file)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        message.contains("Broken.java:2") && message.contains("--classpath"),
        "{message}"
    );
}

#[test]
fn the_check_reports_the_same_in_every_order_and_with_any_number_of_threads() {
    let repo = support::fixture("foo");
    let check = |args: &[&str]| {
        let output = support::shadow_ci(repo.path())
            .args(["HEAD~1", "HEAD", "--json", "-"])
            .args(args)
            .output()
            .unwrap();
        let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
        for place in ["/summary/seconds", "/methods/0/seconds"] {
            *report.pointer_mut(place).unwrap() = Value::Null;
        }
        report
    };
    let base = check(&["--threads", "1"]);
    for order in ["bfs", "random", "greedy"] {
        let one = check(&["--search", order, "--threads", "1"]);
        assert_eq!(
            one,
            check(&["--search", order, "--threads", "4"]),
            "{order}"
        );
        for place in ["/summary/paths", "/summary/regressions", "/methods/0/paths"] {
            assert_eq!(one.pointer(place), base.pointer(place), "{order} {place}");
        }
    }
    let new = check(&["--oracle", "new", "--threads", "1"]);
    assert_eq!(new["methods"][0]["verdict"], "diverges");
    let diff = |report: &Value| report["methods"][0]["paths"]["diff"].as_u64().unwrap();
    assert!(diff(&new) > 0 && diff(&new) <= diff(&base));
    let limits = new["methods"][0]["limits"].to_string();
    assert!(limits.contains("oracle-new"), "{limits}");
}

/// Large explorations are divided into parts: those of more than 200,000 steps. A finished path takes 200, a state 40.
#[test]
fn paths_of_a_divided_exploration_do_not_depend_on_the_number_of_threads() {
    let with = |threads: &str, more: &[&str]| {
        let args = [&["--threads", threads], more].concat();
        let mut found = explore("demo.Brake#launch", &args);
        found["seconds"] = Value::Null;
        found
    };
    let one = with("1", &[]);
    let states = one["states"].as_u64().unwrap();
    assert!(count(&one, "finished") * 200 + states * 40 > 250_000);
    assert_eq!(one, with("3", &[]));
    // The budget ends all parts at once.
    let cut = with("1", &["--max-paths", "850"]);
    assert!(cut["limits"].to_string().contains("path-budget"));
    assert_eq!(cut, with("3", &["--max-paths", "850"]));
}

/// The papers' experiments have a range of ints as their domain: exploring all of it is exploring to the end. The program that
/// reproduces their tables (`examples/reproduce`) judges its rows by this.
#[test]
fn a_range_that_was_asked_for_is_no_limit_of_an_experiment() {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
    let options = ExploreOptions {
        target: Target {
            class: "demo.Foo".into(),
            method: "foo".into(),
            parameters: None,
        },
        sources: vec![support::root().join("tests/explore")],
        base: None,
        class_path: Vec::new(),
        from: None,
        mode: ExploreMode::Complete,
        arith: Arithmetic::Unbounded,
        int_range: Some((-100, 100)),
        oracle: Oracle::New,
        prune: Prune::Reach,
        search: Search::Dfs,
        seed: 0,
        loop_bound: 12,
        max_string: 4,
        max_array: 3,
        max_paths: 100_000,
        threads: 2,
        enumerate: None,
        timeout: None,
        java_home: variable("JAVA_HOME").map(PathBuf::from),
        path: variable("PATH"),
        cache: None,
        containment: Containment::none(),
    };
    let found = Session::start(&options).unwrap().run(&options).unwrap();
    assert!(found.paths.diff > 0);
    assert!(found.limits.iter().any(|l| l.reason == Reason::IntRange));
    assert!(found.unfinished(&options).is_empty(), "{:?}", found.limits);
    // A range narrower than the one asked for leaves something unexplored.
    let wider = ExploreOptions {
        int_range: Some((-1000, 1000)),
        ..options
    };
    assert_eq!(found.unfinished(&wider).len(), 1);
}
