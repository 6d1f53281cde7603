//! Whole explorations, compilation left out: where the engine's time goes. Run with `cargo bench --bench exploration`.

use divan::Bencher;
use shadow_ci::commands::explore::{Compiled, ExploreOptions, Session, Target};
use shadow_ci::contain::Containment;
use shadow_ci::options::{Arithmetic, Oracle, Prune, Search};
use shadow_ci::symex::ExploreMode;
use std::path::{Path, PathBuf};

fn main() {
    divan::main();
}

/// An annotated method of the tests, under the conditions of the papers' experiments.
fn options(target: &str, mode: ExploreMode, prune: Prune) -> ExploreOptions {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explore");
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
    let (class, method) = target.split_once('#').unwrap_or((target, "main"));
    ExploreOptions {
        target: Target {
            class: class.into(),
            method: method.into(),
            parameters: None,
        },
        sources: vec![sources],
        base: None,
        class_path: Vec::new(),
        from: None,
        mode,
        arith: Arithmetic::Unbounded,
        int_range: Some((-100, 100)),
        oracle: Oracle::New,
        prune,
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
    }
}

fn compiled(options: &ExploreOptions) -> Result<(Session, Compiled), shadow_ci::error::Error> {
    let mut session = Session::start(options)?;
    let compiled = session.compile(options)?;
    Ok((session, compiled))
}

fn explore(bencher: Bencher, options: &ExploreOptions) {
    match compiled(options) {
        Ok((session, compiled)) => bencher.bench_local(|| {
            let found = session.explore(options, &compiled);
            found.map(|f| f.paths.finished).unwrap_or_default()
        }),
        Err(e) => eprintln!("{e}"),
    }
}

/// Thousands of cheap paths: comparisons of inputs with constants.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn brake_with_both_versions(bencher: Bencher) {
    explore(
        bencher,
        &options("demo.Brake#launch", ExploreMode::Complete, Prune::Reach),
    );
}

/// The same with the old version followed to its end, and outcomes compared.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn brake_with_both_outcomes(bencher: Bencher) {
    let options = options("demo.Brake#launch", ExploreMode::Complete, Prune::Reach);
    let options = ExploreOptions {
        oracle: Oracle::Both,
        arith: Arithmetic::Java,
        int_range: None,
        ..options
    };
    explore(bencher, &options);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn brake_in_full_mode(bencher: Bencher) {
    explore(
        bencher,
        &options("demo.Brake#launch", ExploreMode::NewOnly, Prune::None),
    );
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn brake_in_dise_mode(bencher: Bencher) {
    explore(
        bencher,
        &options("demo.Brake#launch", ExploreMode::NewOnly, Prune::Dise),
    );
}

/// Few paths with dear questions: remainders of remainders.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn euclid(bencher: Bencher) {
    let options = ExploreOptions {
        loop_bound: 4,
        ..options("demo.Euclid#gcd", ExploreMode::Complete, Prune::Reach)
    };
    explore(bencher, &options);
}
