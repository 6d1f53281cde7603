//! Seeds from the project's tests: the old version's tests are run in both versions, and what they pass to the changed methods, and what
//! comes of it, is taken.

pub(in crate::check) mod choice;
mod compare;
mod run;

pub use compare::{Evidence, Shown};

use crate::check::analysis::Analysis;
use crate::check::changed_method::ChangedMethod;
use crate::check::concolic::CheckMode;
use crate::check::patch::{ChangedFile, Patch, is_test};
use crate::check::record::test_class_path;
use crate::check::workspace::{Builds, Workspace};
use crate::error::Error;
use crate::git::Repo;
use crate::jvm::recording::{Recorded, RecordedTest, TestEnd};
use crate::jvm::{Worker, WorkerError};
use crate::model::{DivergenceClass, End, Inputs, MethodRef, Spelling, Version};
use crate::options::{Arithmetic, Options, Switch};
use crate::util::deadline::Deadline;
use crate::util::parallel::both;
use run::{Suite, Which};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Inputs of one entry that are taken.
const MOST_INPUTS: usize = 200;
/// Differences told of one method and class.
const MOST_TOLD: usize = 2;
/// A safety net: how long the tests are compiled, with all that they need. Usual ones take a few seconds.
const COMPILING: Duration = Duration::from_secs(30);
/// Further runs of the tests in both versions that must show the same: with the first one, five.
const REPEATS: usize = 4;

/// What tests passed to an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct TestInput {
    /// The input, as the calls that made it.
    pub inputs: Inputs,
    /// The test, `demo.FooTest#bar`.
    pub test: String,
    /// Whether the versions did not do the same in this very call.
    pub differs: bool,
}

/// What the tests gave.
#[derive(Debug, Default)]
pub struct FromTests {
    /// Inputs by entry: those on which the versions differ first.
    inputs: BTreeMap<MethodRef, Vec<TestInput>>,
    /// Differences by changed method, confirmed.
    shown: BTreeMap<MethodRef, Vec<Shown>>,
    /// What tests that ran the changed code came to, by changed method.
    evidence: BTreeMap<MethodRef, Evidence>,
    /// What could not be had, and why.
    pub notes: Vec<(String, String)>,
}

impl FromTests {
    /// What tests passed to an entry.
    pub fn inputs(&self, entry: &MethodRef) -> &[TestInput] {
        self.inputs.get(entry).map_or(&[], Vec::as_slice)
    }

    /// What tests that ran a method's changed code in both versions came to; `None` where none did.
    pub fn evidence(&self, method: &MethodRef) -> Option<Evidence> {
        self.evidence.get(method).copied()
    }

    /// What tests of a changed method show, confirmed.
    pub fn shown(&self, method: &MethodRef) -> &[Shown] {
        self.shown.get(method).map_or(&[], Vec::as_slice)
    }
}

/// Runs the tests that come to the changed methods. What fails on the way is told as a note: a check needs no tests.
///
/// # Errors
/// The worker process can't be used.
pub fn gather(
    options: &Options,
    analysis: &Analysis,
    (repo, patch, workspace): (&Repo, &Patch, &Workspace),
    builds: &Builds,
    worker: &mut Worker,
    methods: &[ChangedMethod],
) -> Result<FromTests, Error> {
    let is_off = options.exploration.seeds_from_tests == Switch::Off
        || options.bounds.arith == Arithmetic::Unbounded
        || options.exploration.concolic.mode == CheckMode::Concolic;
    let open: Vec<&ChangedMethod> = methods
        .iter()
        .filter(|m| m.is_analysed() && !analysis.is_proved(&m.id))
        .collect();
    if is_off || open.is_empty() {
        return Ok(FromTests::default());
    }
    let (files, read) = workspace.sources(Version::Old);
    let files = files.iter();
    let files = files.filter(|f| !workspace.is_test_data(Version::Old, f));
    let files: Vec<String> = files.cloned().collect();
    let entries = open.iter().flat_map(|m| m.entries());
    let named: Vec<&MethodRef> = open.iter().map(|m| &m.id).chain(entries).collect();
    let changed: Vec<&str> = patch.files.iter().filter_map(old_path).collect();
    let chosen = choice::choose(&files, &read, &named, &changed);
    if chosen.is_empty() {
        return Ok(FromTests::default());
    }
    if analysis.deadline().is_over() {
        return Ok(without("there was no time for them".into()));
    }
    if !options.containment.may_touch_the_world() {
        return Ok(without(
            "they can't be contained here (--containment)".into(),
        ));
    }
    // What was compiled of the project already, and what stands for code that does not compile.
    let mut dependencies = vec![builds.old.clone()];
    dependencies.extend(test_class_path(options, workspace));
    dependencies.extend(builds.class_path.iter().cloned());
    let build = |worker: &mut Worker, tests: &[String]| {
        let commit = (repo, &patch.old);
        workspace.build_tests(worker, commit, Version::Old, &dependencies, Some(tests))
    };
    worker.compile_by(Deadline::after(Some(analysis.deadline().cut(COMPILING))));
    let mut built = build(worker, &chosen);
    if let Err(Error::Tests(why)) = &built {
        // Tests of other modules may need what the build model of the changed ones does not name.
        let near = choice::beside(&chosen, &changed);
        if !near.is_empty() && near.len() < chosen.len() {
            tracing::debug!(%why, "only the tests of the changed modules");
            built = build(worker, &near);
        }
    }
    worker.compile_by(Deadline::default());
    let built = match built {
        Ok(built) => built,
        Err(Error::Tests(why)) => return Ok(without(first_line(&why))),
        Err(Error::Worker(WorkerError::Late)) => {
            let seconds = COMPILING.as_secs();
            return Ok(without(format!("they do not compile within {seconds} s")));
        }
        Err(other) => return Err(other),
    };
    let suite = match Suite::new(
        options,
        workspace,
        builds,
        built,
        (&open, analysis.deadline()),
    ) {
        Ok(suite) => suite,
        Err(Error::Tests(why)) => return Ok(without(first_line(&why))),
        Err(other) => return Err(other),
    };
    let side_by_side = options.budgets.threads > 1;
    let jdk = worker.jdk();
    let run = |version| suite.run(jdk, version, Which::All);
    let (old, new) = both(
        side_by_side,
        || run(Version::Old),
        || side_by_side.then(|| run(Version::New)),
    );
    let old = old?;
    tracing::debug!(
        files = chosen.len(),
        tests = old.tests.len(),
        failed = old.failed,
        "tests as seeds"
    );
    let mut all = FromTests::default();
    if old.tests.is_empty() {
        let why = match old.failed.is_empty() {
            true => "none of them ran".to_string(),
            false => first_line(&old.failed),
        };
        return Ok(without(why));
    }
    all.notes.extend(all_failed(&old));
    if let Some(class) = old.late.first() {
        let why = "there was no time for it and what comes behind it".to_string();
        all.notes.push((format!("tests as seeds: {class}"), why));
    }
    let reaching: BTreeSet<String> = old
        .tests
        .iter()
        .filter(|t| !t.touched.is_empty() || !t.calls.is_empty())
        .map(|t| t.class.outermost().to_string())
        .collect();
    if reaching.is_empty() {
        return Ok(all);
    }
    let new = match new {
        Some(new) => suite.completed(jdk, new?, &reaching)?,
        None => suite.run(jdk, Version::New, Which::Of(&reaching))?,
    };
    let found = compare::differences(&old, &new);
    all.take_inputs(&old, &found);
    for method in &open {
        let came = compare::evidence(&old, &new, (&method.id, method.entries()));
        if came.tests > 0 {
            all.evidence.insert(method.id.clone(), came);
        }
    }
    let inputs = all.inputs.values().map(Vec::len).sum::<usize>();
    let calls = old.tests.iter().map(|t| t.calls.len()).sum::<usize>();
    let reached = all.evidence.len();
    tracing::debug!(
        differ = found.len(),
        inputs,
        calls,
        reached,
        "calls of tests"
    );
    let mut told = Vec::new();
    for shown in found {
        if shown.call.is_some() || !is_changed(&suite.named_by(&shown.class)?, patch) {
            told.push(shown);
        }
    }
    let told = attributed(&told, &old, &new, &open);
    all.shown = confirmed(told, &suite, worker)?;
    Ok(all)
}

/// Where a changed file lies in the old version.
fn old_path(file: &ChangedFile) -> Option<&str> {
    file.old.as_ref().map(|f| f.path.as_str())
}

/// Whether the patch changes the file of a class of the tests: what they say from now on is another thing, and that the old ones fail is
/// intended.
fn is_changed(classes: &BTreeSet<String>, patch: &Patch) -> bool {
    let tests = patch.skipped.iter().filter(|(path, _)| is_test(path));
    let mut tests = tests.map(|(path, _)| path);
    let files: Vec<String> = classes.iter().map(|c| format!("/{c}.java")).collect();
    tests.any(|path| files.iter().any(|file| path.ends_with(file)))
}

/// A note where no test passes: something is missing here that all of them need.
fn all_failed(old: &Recorded) -> Option<(String, String)> {
    let failure = |t: &RecordedTest| match t.failure.as_ref()? {
        End::Threw { class, message, .. } => {
            let message = message.as_deref().map(String::from_utf16_lossy);
            let message = message.map(|m| format!(": {}", first_line(&m)));
            Some(format!(
                "{}#{} with {class}{}",
                t.class,
                t.name,
                message.unwrap_or_default()
            ))
        }
        _ => None,
    };
    let passes = |t: &RecordedTest| t.end == TestEnd::Passed;
    let first = old.tests.iter().find_map(failure)?;
    if old.tests.iter().any(passes) {
        return None;
    }
    let why = format!("none of the {} passes here: {first}", old.tests.len());
    Some(("tests as seeds".into(), why))
}

fn without(why: String) -> FromTests {
    FromTests {
        notes: vec![("tests as seeds".into(), why)],
        ..FromTests::default()
    }
}

fn first_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    match lines[..] {
        [first, second, ..] if first.ends_with(':') => format!("{first} {}", second.trim()),
        [first, ..] => first.to_string(),
        [] => String::new(),
    }
}

impl FromTests {
    /// Inputs of the old version's run; those of calls that end differently first.
    fn take_inputs(&mut self, old: &Recorded, found: &[Shown]) {
        for differs in [true, false] {
            for test in &old.tests {
                let name = format!("{}#{}", test.class, test.name);
                let is_shown = |s: &&Shown| s.class == test.class && s.name == test.name;
                let shown: Vec<_> = found
                    .iter()
                    .filter(is_shown)
                    .filter_map(|s| s.call.as_ref())
                    .collect();
                let mut numbers: BTreeMap<&MethodRef, usize> = BTreeMap::new();
                for call in &test.calls {
                    let number = numbers.entry(&call.entry).or_default();
                    let is_shown = shown.iter().any(|(e, at)| *e == call.entry && at == number);
                    *number += 1;
                    if let (Some(inputs), true) = (&call.inputs, is_shown == differs) {
                        self.add(&call.entry, inputs, &name, differs);
                    }
                }
            }
        }
    }

    fn add(&mut self, entry: &MethodRef, inputs: &Inputs, test: &str, differs: bool) {
        let all = self.inputs.entry(entry.clone()).or_default();
        if all.len() < MOST_INPUTS && !all.iter().any(|known| known.inputs == *inputs) {
            all.push(TestInput {
                inputs: inputs.clone(),
                test: test.to_string(),
                differs,
            });
        }
    }
}

/// The differences by the changed method that they are told of, a few of each class.
fn attributed(
    found: &[Shown],
    old: &Recorded,
    new: &Recorded,
    open: &[&ChangedMethod],
) -> BTreeMap<MethodRef, Vec<Shown>> {
    let mut all: BTreeMap<MethodRef, Vec<Shown>> = BTreeMap::new();
    // A test that fails says the most.
    let (tests, calls): (Vec<&Shown>, Vec<&Shown>) = found.iter().partition(|s| s.call.is_none());
    for shown in tests.into_iter().chain(calls) {
        let touched = touched(shown, old, new);
        let Some(method) = told_of(shown, found, &touched, open) else {
            continue;
        };
        let known = all.entry(method.clone()).or_default();
        let kind = |s: &Shown| {
            (
                s.call.is_none(),
                DivergenceClass::of(true, &s.old.end, &s.new.end),
            )
        };
        if known.iter().filter(|s| kind(s) == kind(shown)).count() < MOST_TOLD {
            known.push(shown.clone());
        }
    }
    all
}

/// Changed methods that the test calls in some version, in order.
fn touched(shown: &Shown, old: &Recorded, new: &Recorded) -> Vec<MethodRef> {
    let is_that_test = |t: &&RecordedTest| t.class == shown.class && t.name == shown.name;
    let tests = old
        .tests
        .iter()
        .find(is_that_test)
        .into_iter()
        .chain(new.tests.iter().find(is_that_test));
    tests.flat_map(|t| t.touched.iter().cloned()).collect()
}

/// The changed method that a difference is told of: the one that was called, else one that is entered so and that the test comes to.
fn told_of<'a>(
    shown: &Shown,
    found: &[Shown],
    touched: &[MethodRef],
    open: &[&'a ChangedMethod],
) -> Option<&'a MethodRef> {
    let entry = match &shown.call {
        Some((entry, _)) => Some(entry),
        // What differs in the test's calls is why it fails.
        None => {
            let same = |s: &&Shown| s.class == shown.class && s.name == shown.name;
            found
                .iter()
                .filter(same)
                .find_map(|s| s.call.as_ref())
                .map(|c| &c.0)
        }
    };
    if let Some(entry) = entry {
        if let Some(own) = open.iter().find(|m| m.id == *entry) {
            return Some(&own.id);
        }
        let through = |m: &&&ChangedMethod| m.entries().contains(entry) && touched.contains(&m.id);
        return open.iter().find(through).map(|m| &m.id);
    }
    let is_open = |id: &MethodRef| open.iter().find(|m| m.id == *id).map(|m| &m.id);
    touched.iter().find_map(is_open)
}

/// Those that show again in all of several further runs of both versions.
fn confirmed(
    mut told: BTreeMap<MethodRef, Vec<Shown>>,
    suite: &Suite,
    worker: &mut Worker,
) -> Result<BTreeMap<MethodRef, Vec<Shown>>, Error> {
    for _ in 0..REPEATS {
        let shown = told.values().flatten();
        let tests: Vec<String> = shown.map(|s| format!("{}#{}", s.class, s.name)).collect();
        if tests.is_empty() {
            break;
        }
        let old = suite.run(worker.jdk(), Version::Old, Which::Only(&tests))?;
        let new = suite.run(worker.jdk(), Version::New, Which::Only(&tests))?;
        for shown in told.values_mut() {
            shown.retain(|s| compare::shows_again(s, &old, &new));
        }
    }
    told.retain(|_, shown| !shown.is_empty());
    Ok(told)
}
