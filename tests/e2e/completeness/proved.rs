//! Of random pairs that local proofs call equivalent, brute force on the JVM finds none that differs.

use super::pair::Pair;
use super::{compile, first_seed, program, shown, sources, subjects, worker};
use shadow_ci::bytecode::ClassPath;
use shadow_ci::local::{ProofRequest, UncompiledSources, prove};
use shadow_ci::model::MethodRef;
use shadow_ci::replay::ClassPaths;
use shadow_ci::util::deep_stack::on_a_deep_stack;
use std::sync::Arc;
use std::time::Duration;

/// What a run counted.
#[derive(Default)]
struct Counts {
    pairs: usize,
    proved: usize,
    differing: usize,
}

/// The pairs of even numbers are written anew in a part, those of odd ones are put in other words.
fn pairs(seed: u64, count: usize) -> Vec<(String, Pair)> {
    let pair = |i: usize| {
        let name = format!("P{i}");
        let pair = match i % 2 {
            0 => Pair::random(&name, seed),
            _ => Pair::reworded(&name, seed),
        };
        (name, pair)
    };
    (0..count).map(pair).collect()
}

fn run(seed: u64, count: usize, counts: &mut Counts) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let mut worker = worker();
    let pairs = pairs(seed, count);
    sources(dir.path(), &pairs);
    let builds = ClassPaths {
        old: vec![compile(&mut worker, dir.path(), "old")],
        new: vec![compile(&mut worker, dir.path(), "new")],
        limit: Duration::from_secs(10),
    };
    let subjects = subjects(&mut worker, &builds, pairs);
    let program = program(&builds, worker.jdk());
    let classes = |path: &ClassPath| {
        let names = path.list_dirs();
        names.iter().filter_map(|n| path.find(n).unwrap()).collect()
    };
    let question = ProofRequest {
        old: classes(&program.old),
        new: classes(&program.new),
        library: Arc::clone(&program.library),
        wanted: subjects.iter().map(|s| s.id.clone()).collect(),
        outside: UncompiledSources::default(),
        fixed: Vec::new(),
        deadline: Default::default(),
    };
    let proofs = on_a_deep_stack(|| Ok(prove(&question))).unwrap();
    let is_proved = |id: &MethodRef| proofs.get(id).is_some_and(|o| o.proved);
    counts.pairs += subjects.len();
    let mut wrong = Vec::new();
    for subject in &subjects {
        let differs = subject.observed.iter().find(|(_, differ)| *differ);
        counts.differing += usize::from(differs.is_some());
        counts.proved += usize::from(is_proved(&subject.id));
        if let Some((inputs, _)) = differs.filter(|_| is_proved(&subject.id)) {
            wrong.push(shown(subject, &format!("{:?} differs", inputs.args)));
        }
    }
    wrong
}

fn check(first: u64, runs: u64, count: usize) {
    let mut counts = Counts::default();
    for seed in first..first + runs {
        let wrong = run(seed, count, &mut counts);
        let Counts {
            pairs,
            proved,
            differing,
        } = counts;
        println!(
            "seed {seed}: {pairs} pairs so far, {differing} differ, {proved} proved, {} wrong",
            wrong.len()
        );
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    assert!(counts.proved * 20 > counts.pairs, "hardly any is proved");
    assert!(
        counts.differing * 5 > counts.pairs,
        "the pairs hardly differ"
    );
}

#[test]
fn no_pair_that_differs_is_proved() {
    check(1, 1, 30);
}

#[test]
#[ignore = "the long run: an hour"]
fn no_pair_that_differs_is_proved_among_ten_thousand() {
    check(first_seed(), 100, 100);
}
