//! The projection law over whole histories: how finely the methods of each commit are unified, and whether each unified
//! method is exactly both versions in one.

use crate::bytecode::ClassPath;
use crate::check::jdk::jdk;
use crate::check::ladder::mismatch;
use crate::check::session::Session;
use crate::error::Error;
use crate::git::Repo;
use crate::jvm::{Jdk, Worker};
use crate::model::Level;
use crate::options::{Options, Revisions};
use crate::util::parallel::parallel_map;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// What became of one pair of commits.
#[derive(Debug, Default)]
struct Tally {
    methods: Vec<Row>,
    /// Pairs that are two methods to the JVM.
    pairs: usize,
    /// Why the pair could not be compiled.
    failed: Option<String>,
    took: Duration,
    /// Of that, javac on both versions as they are.
    compiling: Duration,
}

#[derive(Debug)]
struct Row {
    name: String,
    level: Level,
    reason: String,
    mismatch: Option<String>,
}

/// Unifies and projects one pair of commits or, with `each`, every commit between them against its first parent.
///
/// # Errors
/// The repository can't be read, a revision is unknown, or there is no JDK.
pub fn render(options: &Options, revisions: &Revisions, each: bool) -> Result<String, Error> {
    let started = Instant::now();
    let jdk = jdk(options, revisions)?;
    let repo = Repo::open(&options.repo)?;
    let pairs = if each {
        repo.commits_between(&revisions.old, &revisions.new)?
    } else {
        vec![(revisions.old.clone(), revisions.new.clone())]
    };
    let work = |worker: &mut Option<Worker>, pair: &(String, String)| {
        let (mut tally, begun) = (Tally::default(), Instant::now());
        if let Err(error) = project_pair(&jdk, options, pair, worker, &mut tally) {
            tally.failed = Some(error.to_string());
        }
        tally.took = begun.elapsed();
        tally
    };
    let tallies = parallel_map(options.budgets.threads, &pairs, || None, work)?;
    Ok(print(&pairs, &tallies, started.elapsed()))
}

fn project_pair(
    jdk: &Jdk,
    options: &Options,
    pair: &(String, String),
    worker: &mut Option<Worker>,
    tally: &mut Tally,
) -> Result<(), Error> {
    let revisions = Revisions {
        old: pair.0.clone(),
        new: pair.1.clone(),
    };
    let mut session = Session::with(jdk.clone(), options, &revisions)?;
    let mut files = session.patch.files.iter();
    if files.all(|f| f.diff.changed.is_empty()) {
        return Ok(());
    }
    let workspace = session.workspace(options)?;
    let patch = &session.patch;
    if worker.is_none() {
        *worker = Some(session.worker(options)?);
    }
    let Some(worker) = worker else { return Ok(()) };
    let begun = Instant::now();
    let both = workspace.build_both(worker, patch)?;
    tally.compiling = begun.elapsed();
    let builds = workspace.build_unified(worker, patch, both)?;
    let path = |dir: &std::path::Path| ClassPath::of(&[dir.to_path_buf()]);
    let (old, new, unified) = (
        path(&builds.old)?,
        path(&builds.new)?,
        ClassPath::unified(&builds.unified, &builds.old)?,
    );
    for method in builds.files.values().flat_map(|f| &f.methods) {
        let key = &method.key;
        if method.is_two {
            tally.pairs += 1;
            continue;
        }
        tally.methods.push(Row {
            name: format!("{}#{}({})", key.class, key.name, key.params.join(", ")),
            level: method.level,
            reason: method.reason.clone(),
            mismatch: if method.is_fine() {
                mismatch(key, (&old, &new), &unified)?
            } else {
                None
            },
        });
    }
    Ok(())
}

/// What all commits come to.
#[derive(Default)]
struct Totals {
    /// Methods, by level.
    levels: BTreeMap<&'static str, usize>,
    /// Why methods share no state, without what is about one of them alone.
    reasons: BTreeMap<String, usize>,
    methods: usize,
    mismatches: usize,
    failed: usize,
    with_methods: usize,
    /// Time on the commits with changed methods, and javac's part of it.
    spent: Duration,
    compiling: Duration,
}

impl Totals {
    /// Adds a commit, and writes a line for each thing to look at.
    fn add(&mut self, commit: &str, tally: &Tally, out: &mut String) {
        if let Some(why) = &tally.failed {
            self.failed += 1;
            let why = why.lines().take(2).collect::<Vec<_>>().join(" ");
            let _ = writeln!(out, "{commit} not analysed: {why}");
        }
        if !tally.methods.is_empty() {
            self.with_methods += 1;
            self.spent += tally.took;
            self.compiling += tally.compiling;
        }
        for row in &tally.methods {
            self.methods += 1;
            let level = row.level.name();
            *self.levels.entry(level).or_default() += 1;
            if matches!(row.level, Level::Method | Level::Class) {
                let general = row.reason.split([':', '`']).next().unwrap_or_default();
                *self.reasons.entry(general.to_string()).or_default() += 1;
                let _ = writeln!(out, "{commit} {level} level: {}: {}", row.name, row.reason);
            }
            if let Some(why) = &row.mismatch {
                self.mismatches += 1;
                let _ = writeln!(out, "{commit} MISMATCH: {}: {why}", row.name);
            }
        }
    }
}

fn print(pairs: &[(String, String)], tallies: &[Tally], took: Duration) -> String {
    let mut out = String::new();
    let mut totals = Totals::default();
    for (pair, tally) in pairs.iter().zip(tallies) {
        let commit: String = pair.1.chars().take(10).collect();
        totals.add(&commit, tally, &mut out);
    }
    let _ = writeln!(
        out,
        "commits: {}, with changed methods: {}, not analysed: {}",
        pairs.len(),
        totals.with_methods,
        totals.failed
    );
    let _ = writeln!(out, "methods: {}", totals.methods);
    let pairs_of_two: usize = tallies.iter().map(|t| t.pairs).sum();
    if pairs_of_two > 0 {
        let _ = writeln!(
            out,
            "pairs with another result type, static in one version only, or with a body in one version only, counted separately: {pairs_of_two}"
        );
    }
    for level in Level::ALL.map(Level::name) {
        let count = totals.levels.get(level).copied().unwrap_or(0);
        let share = 100.0 * count as f64 / totals.methods.max(1) as f64;
        let _ = writeln!(out, "{level:>12} {count:>6} {share:>6.1} %");
    }
    let mut reasons: Vec<(&String, &usize)> = totals.reasons.iter().collect();
    reasons.sort_by_key(|r| (std::cmp::Reverse(r.1), r.0));
    for (reason, count) in reasons {
        let _ = writeln!(out, "{count:>6} × {reason}");
    }
    let _ = writeln!(out, "projection mismatches: {}", totals.mismatches);
    let per = |d: Duration| d.as_secs_f64() / totals.with_methods.max(1) as f64;
    let _ = writeln!(
        out,
        "seconds: {:.1}; per commit with changed methods {:.2}, of which javac on the two versions takes {:.2}",
        took.as_secs_f64(),
        per(totals.spent),
        per(totals.compiling)
    );
    out
}
