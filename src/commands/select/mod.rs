//! `shadow-ci select`: which tests of the old version to run again, and which inputs to add (paper 004 §6.3).
//!
//! Tests are the project's own, recorded, or the paths of the old version (the paper's way). What decides is the paths of both
//! versions on which the patch shows: a test on one of them is run again, a path with no test on it is an input to add.

mod classify;
mod json;
mod paths;
mod text;

pub use json::json;
pub use text::text;

use crate::check::analysis::{Analysis, changed_methods};
use crate::check::changed_method::Changed;
use crate::check::concolic::CheckMode;
use crate::check::progress::Progress;
use crate::check::record::record;
use crate::check::session::Session;
use crate::error::Error;
use crate::model::{Inputs, Limit, MethodRef, Version};
use crate::options::{Options, Revisions};
use crate::replay::Observed;
use crate::util::deep_stack::on_a_deep_stack;

/// What an existing test does with one input.
#[derive(Clone, Debug)]
pub struct TestInput {
    /// The method called.
    pub entry: MethodRef,
    /// The input; else what can't be written as one.
    pub inputs: Result<Inputs, String>,
    /// Whether it is sure to be what the test passed.
    pub exact: bool,
}

/// An existing test, as far as it matters.
#[derive(Clone, Debug)]
pub struct Test {
    /// `demo.FooTest#bar`, or the call that a path of the old version stands for.
    pub name: String,
    /// Changed or removed methods it calls.
    pub touched: Vec<MethodRef>,
    /// Its inputs of entry methods.
    pub inputs: Vec<TestInput>,
    /// Why it is run again whatever it calls.
    pub anyway: Option<String>,
}

/// Why a test is to be run again.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It takes that path (by number), on which the patch shows.
    Covers {
        /// The call it makes.
        call: String,
        /// The path.
        path: usize,
    },
    /// What it does is unknown.
    Unknown(String),
}

/// A test with the decision.
#[derive(Clone, Debug)]
pub struct ClassifiedTest {
    /// The test.
    pub test: Test,
    /// Why it is to be run again; empty when it is not.
    pub reasons: Vec<Reason>,
}

/// A path on which the patch shows: a value or the control flow differs between the versions somewhere on it.
#[derive(Clone, Debug)]
pub struct AffectedPath {
    /// The changed method.
    pub method: MethodRef,
    /// The method called.
    pub entry: MethodRef,
    /// An input that takes it, one on which the outcomes differ where there is one.
    pub inputs: Inputs,
    /// The path condition.
    pub condition: String,
    /// Whether the outcomes can differ on it.
    pub differs: bool,
    /// Both outcomes on that input, as the JVM has them.
    pub seen: Option<Observed>,
    /// Tests that take it, by number.
    pub covered_by: Vec<usize>,
}

/// The result.
#[derive(Debug)]
pub struct Selection {
    /// The old commit.
    pub old: String,
    /// The new commit.
    pub new: String,
    /// All tests.
    pub tests: Vec<ClassifiedTest>,
    /// All affected paths.
    pub paths: Vec<AffectedPath>,
    /// Per changed method: what was not explored.
    pub limits: Vec<(MethodRef, Limit)>,
    /// Tests that could not be run, and why.
    pub left_out: Vec<(String, String)>,
}

/// Selects. `generated`: the tests are the paths of the old version instead of the project's.
///
/// # Errors
/// What keeps the check from running, or tests that can't be run at all.
pub fn run(
    options: &Options,
    revisions: &Revisions,
    generated: bool,
    progress: &dyn Progress,
) -> Result<Selection, Error> {
    if options.exploration.concolic.mode == CheckMode::Concolic {
        return Err(Error::NotSupported("select with --mode concolic".into()));
    }
    progress.stage("reading the patch");
    let mut session = Session::start(options, revisions)?;
    let mut selection = Selection {
        old: session.patch.old.id.clone(),
        new: session.patch.new.id.clone(),
        tests: Vec::new(),
        paths: Vec::new(),
        limits: Vec::new(),
        left_out: Vec::new(),
    };
    if session.patch.files.is_empty() {
        return Ok(selection);
    }
    let workspace = session.workspace(options)?;
    let Session {
        jdk, repo, patch, ..
    } = &session;
    let mut worker = session.worker(options)?;
    progress.stage("compiling both versions");
    let builds = workspace.build(&mut worker, patch)?;
    let analysis = Analysis::new(jdk, options, &builds)?;
    let mut changed = changed_methods(&analysis, &patch.files, &options.selection)?;
    // Tests call what the old version has.
    let gone = builds.other_results.iter().filter_map(|o| o.gone());
    changed.removed.extend(gone);
    let mut tests = Vec::new();
    if !generated {
        progress.stage("running the old version's tests");
        let watched = watched(&changed);
        let sources = (repo, patch, &workspace);
        let suite = record(options, sources, &mut worker, Version::Old, &watched)?;
        selection.left_out = suite.missing();
        tests = classify::recorded(&suite.recorded, &changed, &patch.skipped);
    }
    progress.stage("exploring");
    on_a_deep_stack(|| {
        paths::explore(
            &analysis,
            &changed,
            &mut worker,
            generated,
            tests,
            &mut selection,
        )
    })?;
    Ok(selection)
}

/// What tests are asked for: the changed methods with their entries, and those that are gone.
fn watched(changed: &Changed) -> Vec<(&MethodRef, &[MethodRef])> {
    let methods = changed.methods.iter().filter(|m| !m.same_code);
    let removed = changed.removed.iter().map(|m| (m, &[][..]));
    methods
        .map(|m| (&m.id, m.entries()))
        .chain(removed)
        .collect()
}
