//! One gathering: tests of one version, compiled against it and run in both.

use super::choice::{self, Chosen};
use super::compare::{self, Shown};
use super::run::{SUITE_LIMIT, Suite, Which};
use super::stale::{names_one, stale_constants};
use super::told::{attributed, confirmed};
use super::{FromTests, TestInput, place, without};
use crate::check::analysis::Analysis;
use crate::check::changed_method::ChangedMethod;
use crate::check::patch::{Patch, stem};
use crate::check::record::test_class_path;
use crate::check::workspace::{Builds, TestBuild, Workspace};
use crate::error::Error;
use crate::git::Repo;
use crate::jvm::recording::{Recorded, RecordedTest, TestEnd};
use crate::jvm::{Jdk, Worker, WorkerError};
use crate::model::{End, MethodRef, Spelling, Version};
use crate::options::Options;
use crate::util::deadline::Deadline;
use crate::util::needless::Needless;
use crate::util::parallel::both;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// A safety net: how long the tests are compiled, with all that they need. Usual ones take a few seconds.
const COMPILING: Duration = Duration::from_secs(30);

/// What tests far from the change get where those near it took most of the time of all.
const FAR_LIMIT: Duration = Duration::from_secs(3);

/// Test files of the changed modules with which those of other modules are left out.
const ENOUGH: usize = 4;

/// Tests that run the changed code of a method: where there are so many, no others are looked for.
const MANY: usize = 20;

/// What tests are run for.
pub(super) struct Gathering<'a> {
    pub options: &'a Options,
    pub analysis: &'a Analysis<'a>,
    pub sources: (&'a Repo, &'a Patch, &'a Workspace),
    pub builds: &'a Builds,
    /// The methods that tests may say something of.
    pub open: Vec<&'a ChangedMethod>,
    /// Told where nobody wants what they say any more.
    pub needless: &'a Needless,
}

impl Gathering<'_> {
    /// What the chosen tests of a version give, but for what is known already.
    pub fn of(
        &self,
        version: Version,
        chosen: &Chosen,
        worker: &mut Worker,
        known: &FromTests,
    ) -> Result<FromTests, Error> {
        let built = match self.built(version, &chosen.files, worker) {
            Ok(built) => built,
            Err(Error::Tests(why)) => return Ok(without(first_line(&why))),
            Err(Error::Worker(WorkerError::Late)) => {
                let seconds = COMPILING.as_secs();
                return Ok(without(format!("they do not compile within {seconds} s")));
            }
            Err(other) => return Err(other),
        };
        let (_, _, workspace) = self.sources;
        let of = (version, built);
        if self.needless.is_told() {
            return Ok(FromTests::default());
        }
        let open = (&*self.open, self.analysis.deadline(), self.needless);
        let suite = match Suite::new(self.options, workspace, self.builds, of, open) {
            Ok(suite) => suite,
            Err(Error::Tests(why)) => return Ok(without(first_line(&why))),
            Err(other) => return Err(other),
        };
        let jdk = worker.jdk();
        let (old, new) = self.runs(&suite, jdk, &chosen.files[..chosen.near])?;
        if self.needless.is_told() {
            return Ok(FromTests::default());
        }
        tracing::debug!(
            ?version,
            files = chosen.files.len(),
            tests = old.tests.len(),
            passed = ?[&old, &new].map(passed),
            failed = old.failed,
            ends = ?[&old, &new].map(failing),
            not_run = ?old.not_run,
            "tests as seeds"
        );
        if old.tests.is_empty() {
            let why = match (old.failed.is_empty(), old.not_run.first()) {
                (true, None) => "none of them ran".to_string(),
                (true, Some((class, why))) => {
                    format!("none of them ran; {class}: {}", first_line(why))
                }
                (false, _) => first_line(&old.failed),
            };
            return Ok(without(why));
        }
        let mut all = FromTests::default();
        // That tests of the patch fail in the old version is what they are for.
        if version == Version::Old {
            all.notes.extend(all_failed(&old));
        }
        if let Some(class) = old.late.first() {
            let why = "there was no time for it and what comes behind it".to_string();
            all.notes.push((format!("tests as seeds: {class}"), why));
        }
        let mut found = compare::differences(&old, &new, version == Version::New);
        self.leave_stale(version, &suite, &mut found)?;
        self.take(version, (&old, &new), &found, &mut all);
        let told = self.told(&found, &suite, known)?;
        let told = attributed(&told, &old, &new, &self.open);
        let tried = told.values().flatten().map(place).collect();
        all.shown = confirmed(told, &suite, (old, new), (jdk, self.side_by_side()))?;
        all.know(&found, &tried);
        Ok(all)
    }

    /// Leaves out what tests show that have a constant in their code which the other version has otherwise: compiled with that version,
    /// they would say something else.
    fn leave_stale(
        &self,
        version: Version,
        suite: &Suite,
        found: &mut Vec<Shown>,
    ) -> Result<(), Error> {
        if found.is_empty() {
            return Ok(());
        }
        let [own, other] = [version, version.other()].map(|v| self.builds.classes(v));
        let names = stale_constants(own, other)?;
        if names.is_empty() {
            return Ok(());
        }
        let (paths, text) = self.sources.2.sources(version);
        let has_one = |class: &String| {
            let file = format!("/{class}.java");
            let mut paths = paths.iter();
            let path = paths.find(|path| format!("/{path}").ends_with(&file));
            path.and_then(|path| text(path))
                .is_some_and(|text| names_one(&text, &names))
        };
        let mut stale = BTreeSet::new();
        for class in found.iter().map(|s| &s.class).collect::<BTreeSet<_>>() {
            let mut named = suite.named_by(class)?.into_iter();
            if named.any(|class| suite.is_of_tests(&class) && has_one(&class)) {
                stale.insert(class.clone());
            }
        }
        found.retain(|shown| !stale.contains(&shown.class));
        Ok(())
    }

    fn side_by_side(&self) -> bool {
        self.options.budgets.threads > 1
    }

    /// Runs the tests of the files that are nearest to the change, and the other ones where few of these come to some changed method.
    fn runs(
        &self,
        suite: &Suite,
        jdk: &Jdk,
        near: &[String],
    ) -> Result<(Recorded, Recorded), Error> {
        let stems: BTreeSet<&str> = near.iter().map(|file| stem(file)).collect();
        let is_near = |class: &&String| stems.contains(stem(&class.internal()));
        let (near, far): (BTreeSet<_>, BTreeSet<_>) =
            suite.classes().iter().cloned().partition(|c| is_near(&c));
        if near.is_empty() || far.is_empty() {
            return self.run(suite, jdk, (Which::All, SUITE_LIMIT));
        }
        let begun = Instant::now();
        let (mut old, mut new) = self.run(suite, jdk, (Which::Of(&near), SUITE_LIMIT))?;
        if old.late.is_empty() && !self.open.iter().all(|m| is_well_tested(&m.id, &old)) {
            let left = SUITE_LIMIT.saturating_sub(begun.elapsed()).max(FAR_LIMIT);
            let (more_old, more_new) = self.run(suite, jdk, (Which::Of(&far), left))?;
            old.append(more_old);
            new.append(more_new);
        }
        Ok((old, new))
    }

    /// Runs tests in both versions; in the new one those of classes of which some test comes to a changed method.
    fn run(
        &self,
        suite: &Suite,
        jdk: &Jdk,
        (which, limit): (Which, Duration),
    ) -> Result<(Recorded, Recorded), Error> {
        let run = |version, which| suite.run(jdk, version, (which, limit));
        let side_by_side = self.side_by_side();
        let (old, new) = both(
            side_by_side,
            || run(Version::Old, which),
            || side_by_side.then(|| run(Version::New, which)),
        );
        let old = old?;
        let reaching = reaching(&old);
        let new = match new {
            _ if reaching.is_empty() => Recorded::default(),
            Some(new) => suite.completed(jdk, (new?, limit), &reaching)?,
            None => run(Version::New, Which::Of(&reaching))?,
        };
        Ok((old, new))
    }

    /// Compiles the chosen tests, or those of the changed modules.
    fn built(
        &self,
        version: Version,
        chosen: &[String],
        worker: &mut Worker,
    ) -> Result<TestBuild, Error> {
        let (repo, patch, workspace) = self.sources;
        let (own, commit) = (self.builds.classes(version), patch.commit(version));
        // What was compiled of the project already, and what stands for code that does not compile.
        let mut dependencies = vec![own.clone()];
        dependencies.extend(test_class_path(self.options, workspace));
        dependencies.extend(self.builds.class_path.iter().cloned());
        let build = |worker: &mut Worker, tests: &[String]| {
            workspace.build_tests(worker, (repo, commit), version, &dependencies, Some(tests))
        };
        let limit = self.analysis.deadline().cut(COMPILING);
        worker.compile_by(Deadline::after(Some(limit)));
        // Tests of other modules may need what the build model of the changed ones does not name, and much of the project.
        let changed: Vec<&str> = patch.paths_in(version).collect();
        let near = choice::beside(chosen, &changed);
        let are_enough = near.len() >= ENOUGH;
        let mut built = build(worker, if are_enough { &near } else { chosen });
        let are_some = !near.is_empty() && near.len() < chosen.len();
        if let Err(Error::Tests(why)) = &built
            && are_some
            && !are_enough
        {
            tracing::debug!(%why, "only the tests of the changed modules");
            built = build(worker, &near);
        }
        worker.compile_by(Deadline::default());
        built
    }

    /// Takes what the tests passed, and what runs of the changed code they made.
    fn take(
        &self,
        version: Version,
        (old, new): (&Recorded, &Recorded),
        found: &[Shown],
        all: &mut FromTests,
    ) {
        // Tests of the patch may end early in the old version.
        let passed = match version {
            Version::Old => old,
            Version::New => new,
        };
        take_inputs(all, (version, passed), found);
        for method in &self.open {
            let came = compare::evidence(old, new, (&method.id, method.entries()));
            if came.tests > 0 {
                all.evidence.insert(method.id.clone(), came);
            }
        }
        let inputs = all.inputs.values().map(Vec::len).sum::<usize>();
        let calls = passed.tests.iter().map(|t| t.calls.len()).sum::<usize>();
        let reached = all.evidence.len();
        tracing::debug!(
            differ = found.len(),
            inputs,
            calls,
            reached,
            "calls of tests"
        );
    }

    /// The differences that are worth telling.
    fn told(&self, found: &[Shown], suite: &Suite, known: &FromTests) -> Result<Vec<Shown>, Error> {
        let (_, patch, _) = self.sources;
        let mut told = Vec::new();
        for shown in found {
            tracing::debug!(
                class = shown.class,
                test = shown.name,
                call = ?shown.call,
                old = ?shown.old.end,
                new = ?shown.new.end,
                "a test shows"
            );
            let is_told = match (shown.is_of_patch, &shown.call) {
                (false, Some(_)) => true,
                (false, None) => !is_changed(&suite.named_by(&shown.class)?, patch),
                (true, _) => !known.knows(shown),
            };
            if is_told {
                told.push(shown.clone());
            }
        }
        Ok(told)
    }
}

/// What most tests failed with, and how many did.
fn failing(recorded: &Recorded) -> Vec<(usize, String)> {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for test in recorded.tests.iter().filter(|t| t.end != TestEnd::Passed) {
        let why = failure(test).unwrap_or_else(|| format!("{:?}", test.end));
        *all.entry(why).or_default() += 1;
    }
    let mut all: Vec<(usize, String)> = all.into_iter().map(|(why, n)| (n, why)).collect();
    all.sort_by(|a, b| b.cmp(a));
    all.truncate(3);
    all
}

/// How many tests passed.
fn passed(recorded: &Recorded) -> usize {
    let passed = |t: &&RecordedTest| t.end == TestEnd::Passed;
    recorded.tests.iter().filter(passed).count()
}

/// Whether many tests run the changed code of a method.
fn is_well_tested(method: &MethodRef, recorded: &Recorded) -> bool {
    let tests = recorded.tests.iter();
    tests.filter(|t| t.reached.contains(method)).count() >= MANY
}

/// Top-level classes of tests that come to a changed method.
fn reaching(recorded: &Recorded) -> BTreeSet<String> {
    let tests = recorded.tests.iter();
    let tests = tests.filter(|t| !t.touched.is_empty() || !t.calls.is_empty());
    tests.map(|t| t.class.outermost().to_string()).collect()
}

/// Whether the patch changes the file of a class of the tests: what they say from now on is another thing, and that the old ones fail is
/// intended.
fn is_changed(classes: &BTreeSet<String>, patch: &Patch) -> bool {
    let files: Vec<String> = classes.iter().map(|c| format!("/{c}.java")).collect();
    patch
        .tests()
        .any(|path| files.iter().any(|file| path.ends_with(file)))
}

/// A note where no test passes: something is missing here that all of them need.
fn all_failed(old: &Recorded) -> Option<(String, String)> {
    let passes = |t: &RecordedTest| t.end == TestEnd::Passed;
    let of = |t: &RecordedTest| Some(format!("{}#{} with {}", t.class, t.name, failure(t)?));
    let first = old.tests.iter().find_map(of)?;
    if old.tests.iter().any(passes) {
        return None;
    }
    let why = format!("none of the {} passes here: {first}", old.tests.len());
    Some(("tests as seeds".into(), why))
}

/// What a test threw, with the first line of its message.
fn failure(test: &RecordedTest) -> Option<String> {
    let End::Threw { class, message, .. } = test.failure.as_ref()? else {
        return None;
    };
    let message = message.as_deref().map(String::from_utf16_lossy);
    let message = message.map(|m| format!(": {}", first_line(&m)));
    Some(format!("{class}{}", message.unwrap_or_default()))
}

fn first_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    match lines[..] {
        [first, second, ..] if first.ends_with(':') => format!("{first} {}", second.trim()),
        [first, ..] => first.to_string(),
        [] => String::new(),
    }
}

/// Takes the inputs of a run of a version's tests; those of calls that end differently first.
fn take_inputs(all: &mut FromTests, (version, run): (Version, &Recorded), found: &[Shown]) {
    for differs in [true, false] {
        for test in &run.tests {
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
                    let input = TestInput {
                        inputs: inputs.clone(),
                        test: name.clone(),
                        is_of_patch: version == Version::New,
                        differs,
                    };
                    all.add(&call.entry, input);
                }
            }
        }
    }
}
