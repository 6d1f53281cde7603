//! Seeds from the project's tests: tests of the old version, and those of the new one that the patch adds or changes, are run in both
//! versions, and what they pass to the changed methods, and what comes of it, is taken.

pub(in crate::check) mod choice;
mod compare;
mod gathering;
mod run;
mod stale;
mod told;

pub use compare::{Evidence, Shown};

use crate::check::analysis::Analysis;
use crate::check::changed_method::ChangedMethod;
use crate::check::concolic::CheckMode;
use crate::check::patch::{Patch, is_test};
use crate::check::workspace::{Builds, Workspace};
use crate::error::Error;
use crate::git::Repo;
use crate::jvm::Worker;
use crate::model::{End, Inputs, MethodRef, Version};
use crate::options::{Arithmetic, Options, Switch};
use crate::util::needless::Needless;
use gathering::Gathering;
use std::collections::{BTreeMap, BTreeSet};

/// Inputs of one entry that are taken.
const MOST_INPUTS: usize = 200;

/// What tests passed to an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct TestInput {
    /// The input, as the calls that made it.
    pub inputs: Inputs,
    /// The test, `demo.FooTest#bar`.
    pub test: String,
    /// Whether the patch adds or changes that test.
    pub is_of_patch: bool,
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
    /// Where tests show something.
    differing: BTreeSet<Place>,
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

    /// Takes down where tests show something: of those found, what was tried in further runs and is left of it.
    fn know(&mut self, found: &[Shown], tried: &BTreeSet<Place>) {
        let left: BTreeSet<Place> = self.shown.values().flatten().map(place).collect();
        let found = found.iter().map(place);
        let known = found.filter(|place| left.contains(place) || !tried.contains(place));
        self.differing.extend(known);
    }

    /// Whether a test of that name shows a difference there.
    fn knows(&self, shown: &Shown) -> bool {
        self.differing.contains(&place(shown))
    }

    /// Adds an input of a test, once.
    fn add(&mut self, entry: &MethodRef, input: TestInput) {
        let all = self.inputs.entry(entry.clone()).or_default();
        if all.len() < MOST_INPUTS && !all.iter().any(|known| known.inputs == input.inputs) {
            all.push(input);
        }
    }

    /// Adds what further tests gave.
    fn append(&mut self, other: FromTests) {
        for (entry, inputs) in other.inputs {
            let own = self.inputs.remove(&entry).unwrap_or_default();
            let (mut first, rest): (Vec<_>, Vec<_>) =
                own.into_iter().chain(inputs).partition(|i| i.differs);
            first.extend(rest);
            first.into_iter().for_each(|input| self.add(&entry, input));
        }
        for (method, shown) in other.shown {
            self.shown.entry(method).or_default().extend(shown);
        }
        for (method, evidence) in other.evidence {
            self.evidence.entry(method).or_default().add(evidence);
        }
        self.differing.extend(other.differing);
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

/// The test in which a difference shows, by class and method, what it calls there, and whether that throws in the old and the new version.
type Place = (String, String, Option<MethodRef>, [bool; 2]);

fn place(shown: &Shown) -> Place {
    let entry = shown.call.as_ref().map(|call| call.0.clone());
    let throws = [&shown.old, &shown.new].map(|o| matches!(o.end, End::Threw { .. }));
    (shown.class.clone(), shown.name.clone(), entry, throws)
}

/// Runs the tests that come to the changed methods. What fails on the way is told as a note: a check needs no tests. Where they become
/// needless meanwhile, what they gave until then is not complete.
///
/// # Errors
/// The worker process can't be used.
pub fn gather(
    options: &Options,
    analysis: &Analysis,
    (repo, patch, workspace): (&Repo, &Patch, &Workspace),
    builds: &Builds,
    worker: &mut Worker,
    (methods, needless): (&[ChangedMethod], &Needless),
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
    let grammars = grammars(repo, patch)?;
    let chosen = Version::BOTH.map(|version| {
        let mut files = candidates(version, patch, workspace);
        files.extend(grammars.keys().cloned());
        let entries = open.iter().flat_map(|m| m.entries());
        let named: Vec<&MethodRef> = open.iter().map(|m| &m.id).chain(entries).collect();
        let changed: Vec<&str> = patch.paths_in(version).chain(patch.tests()).collect();
        let (_, source) = workspace.sources(version);
        let read = |file: &str| grammars.get(file).cloned().or_else(|| source(file));
        choice::choose(&files, &read, &named, &changed)
    });
    if chosen.iter().all(|c| c.files.is_empty()) {
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
    let gathering = Gathering {
        options,
        analysis,
        sources: (repo, patch, workspace),
        builds,
        open,
        needless,
    };
    let mut all = FromTests::default();
    for (version, chosen) in Version::BOTH.into_iter().zip(&chosen) {
        if !chosen.files.is_empty() && !needless.is_told() {
            let more = gathering.of(version, chosen, worker, &all)?;
            all.append(more);
        }
    }
    Ok(all)
}

/// The sources among which a version's tests are chosen: of the new one's tests, those that the patch adds or changes.
fn candidates(version: Version, patch: &Patch, workspace: &Workspace) -> Vec<String> {
    let of_patch: BTreeSet<&str> = patch.tests().collect();
    let is_wanted = |file: &&String| {
        version == Version::Old || !is_test(file) || of_patch.contains(file.as_str())
    };
    let files = workspace.sources(version).0.iter().filter(is_wanted);
    let files = files.filter(|f| !workspace.is_test_data(version, f));
    files.cloned().collect()
}

/// The grammars of the new version, with their texts: they hold calls that no source has.
///
/// # Errors
/// The repository can't be read.
fn grammars(repo: &Repo, patch: &Patch) -> Result<BTreeMap<String, String>, Error> {
    let mut all = BTreeMap::new();
    for (path, _) in repo.files(&patch.new)? {
        if choice::is_grammar(&path)
            && let Some(bytes) = repo.read(&patch.new, &path)?
        {
            all.insert(path, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(all)
}

fn without(why: String) -> FromTests {
    FromTests {
        notes: vec![("tests as seeds".into(), why)],
        ..FromTests::default()
    }
}
