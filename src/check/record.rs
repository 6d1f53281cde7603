//! The project's tests that touch the patch, and the arguments they pass to its methods (papers 002 and 003 select by coverage).

use crate::bytecode::access::{PRIVATE, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::bytecode::probe::{Listener, Probed, probe};
use crate::bytecode::{ClassPath, DecodeError, parameter_descriptors};
use crate::check::patch::Patch;
use crate::check::workspace::Workspace;
use crate::error::Error;
use crate::git::Repo;
use crate::impact;
use crate::jvm::recording::{LISTENER, RecordRequest, Recorded, TestEnd, Watch};
use crate::jvm::{self, Worker};
use crate::model::{MethodRef, Spelling, Version};
use crate::options::Options;
use crate::util::counted::counted;
use crate::util::deadline::Deadline;
use crate::util::needless::Needless;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Classes whose objects' making is watched.
const MOST_CLASSES: usize = 60;

/// Methods watched.
const MOST_WATCHES: u16 = 32_000;

/// Inputs kept of one method and test.
pub(super) const MOST_INPUTS: u32 = 20;

/// A version's tests, run.
#[derive(Debug)]
pub struct Suite {
    /// What they did.
    pub recorded: Recorded,
    /// Test sources left out, and why.
    pub left_out: Vec<(String, String)>,
}

impl Suite {
    /// What the tests can't say, and why.
    pub fn missing(&self) -> Vec<(String, String)> {
        let mut all = self.left_out.clone();
        for test in &self.recorded.tests {
            let why = match test.end {
                TestEnd::Hung => {
                    "did not end in time (--test-timeout, --suite-timeout) and was killed; tests of its class behind it were not run"
                }
                TestEnd::Died => {
                    "ended the process that ran it; tests of its class behind it were not run"
                }
                _ => continue,
            };
            all.push((format!("{}#{}", test.class, test.name), why.into()));
        }
        if !self.recorded.failed.is_empty() {
            let why = format!("running them failed: {}", self.recorded.failed);
            all.push(("the tests".into(), why));
        }
        all.extend(self.recorded.not_run.iter().cloned());
        if let Some(first) = self.recorded.late.first() {
            let what = format!("{first} and what comes behind it");
            let n = self.recorded.late.len();
            all.push((
                what,
                format!(
                    "{} not run in time (--suite-timeout)",
                    counted(n, "class was", "classes were")
                ),
            ));
        }
        all
    }
}

/// Runs a version's tests and records how they call the methods.
///
/// # Errors
/// The tests can't be compiled or run at all.
pub fn record(
    options: &Options,
    (repo, patch, workspace): (&Repo, &Patch, &Workspace),
    worker: &mut Worker,
    version: Version,
    methods: &[(&MethodRef, &[MethodRef])],
) -> Result<Suite, Error> {
    let commit = patch.commit(version);
    let concolic = &options.exploration.concolic;
    let dependencies = test_class_path(options, workspace);
    let build = workspace.build_tests(worker, (repo, commit), version, &dependencies, None)?;
    let classes = ClassPath::of(std::slice::from_ref(&build.classes))?;
    let classes = classes.dir_classes()?;
    let watches = watches(&classes, methods);
    let unprobed = put_probes(&build.classes, &watches)?;
    let recorded = jvm::record(
        worker.jdk(),
        &options.containment,
        &RecordRequest {
            class_path: &build.class_path,
            folder: &build.folder,
            opens: &build.opens,
            runners: &build.runners,
            classes: &build.names,
            only: &[],
            watches: &watches,
            test_limit: concolic.test_limit,
            limit: concolic.suite_limit,
            deadline: Deadline::default(),
            needless: &Needless::default(),
            most_inputs: MOST_INPUTS,
            observes: false,
            test_types: &[],
        },
    )?;
    if recorded.tests.is_empty() && !recorded.failed.is_empty() {
        return Err(Error::Tests(recorded.failed));
    }
    let mut left_out = build.left_out;
    left_out.extend(unprobed);
    Ok(Suite { recorded, left_out })
}

/// What tests need: the class path, and what the options or the build say of tests.
pub(super) fn test_class_path(options: &Options, workspace: &Workspace) -> Vec<PathBuf> {
    let mut all = workspace.class_path().to_vec();
    let given = &options.exploration.concolic.test_class_path;
    match given.is_empty() {
        true => all.extend(workspace.test_class_path().iter().cloned()),
        false => all.extend(given.iter().cloned()),
    }
    all
}

/// Puts probes into the watched methods of the classes in the folder; those without one, and why.
pub(super) fn put_probes(folder: &Path, watches: &[Watch]) -> Result<Vec<(String, String)>, Error> {
    let mut numbers: BTreeMap<&str, BTreeMap<(&str, &str), u16>> = BTreeMap::new();
    for (number, watch) in (0..MOST_WATCHES).zip(watches) {
        let id = &watch.method;
        let methods = numbers.entry(&id.class).or_default();
        methods.insert((&id.name, &id.descriptor), number);
    }
    let mut left_out = Vec::new();
    for watch in watches.iter().skip(usize::from(MOST_WATCHES)) {
        let name = format!("{}#{}", watch.method.class, watch.method.name);
        left_out.push((
            name,
            "too many methods are watched: its calls are not recorded".into(),
        ));
    }
    for (class, methods) in numbers {
        let number = |name: &str, descriptor: &str| methods.get(&(name, descriptor)).copied();
        let rewrite = |bytes: &[u8]| probe(bytes, &number, Listener(LISTENER));
        let Some(probed) = rewritten(folder, &class.internal(), &rewrite)? else {
            continue;
        };
        for (name, _, why) in probed.left_out {
            left_out.push((
                format!("{class}#{name}"),
                format!("its calls are not recorded: {why}"),
            ));
        }
    }
    Ok(left_out)
}

/// Rewrites a class, by its internal name, in the folder; `None` where it is not there, but a dependency's.
pub(super) fn rewritten(
    folder: &Path,
    class: &str,
    rewrite: &dyn Fn(&[u8]) -> Result<Probed, DecodeError>,
) -> Result<Option<Probed>, Error> {
    let file = folder.join(format!("{class}.class"));
    let Ok(bytes) = std::fs::read(&file) else {
        return Ok(None);
    };
    let probed = rewrite(&bytes).map_err(|e| Error::Tests(format!("{class}: {e}")))?;
    std::fs::write(&file, &probed.bytes).map_err(|e| Error::Io {
        what: file.display().to_string(),
        why: e.to_string(),
    })?;
    Ok(Some(probed))
}

/// What is watched: the changed methods, those they are entered through, and whatever makes and changes the objects that
/// these take.
pub(super) fn watches(
    classes: &[Arc<ClassFile>],
    methods: &[(&MethodRef, &[MethodRef])],
) -> Vec<Watch> {
    let mut watches: BTreeMap<MethodRef, (bool, bool)> = BTreeMap::new();
    for (changed, entries) in methods {
        watches.entry((*changed).clone()).or_default().1 = true;
        for entry in *entries {
            watches.entry(entry.clone()).or_default().0 = true;
        }
    }
    // Where there are too many, those nearest to the entries count.
    let entries = || methods.iter().flat_map(|(_, entries)| *entries);
    let receivers = entries().map(|e| e.class.internal().into());
    let mut todo: VecDeque<Arc<str>> = receivers.collect();
    todo.extend(entries().flat_map(|e| parameters(&e.descriptor)));
    let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
    while let Some(name) = todo.pop_front() {
        if seen.len() >= MOST_CLASSES || !seen.insert(name.clone()) {
            continue;
        }
        let below = |c: &&Arc<ClassFile>| {
            c.super_name.as_ref() == Some(&name) || c.interfaces.contains(&name)
        };
        todo.extend(classes.iter().filter(below).map(|c| c.name.clone()));
        for class in classes.iter().filter(|c| c.name == name) {
            todo.extend(class.super_name.clone());
            for method in class.methods.iter().filter(|m| makes(m)) {
                watches.entry(impact::id(class, method)).or_default();
                todo.extend(parameters(&method.descriptor));
            }
        }
    }
    let is_private = |id: &MethodRef| {
        let class = id.class.internal();
        let class = classes.iter().find(|c| *c.name == class);
        let method = class.and_then(|c| c.method(&id.name, &id.descriptor));
        method.is_some_and(|m| m.access & PRIVATE != 0)
    };
    let watch = |(method, (entry, changed)): (MethodRef, (bool, bool))| Watch {
        private: is_private(&method),
        parameters: parameter_descriptors(&method.descriptor),
        method,
        entry,
        changed,
    };
    watches.into_iter().map(watch).collect()
}

fn parameters(descriptor: &str) -> impl Iterator<Item = Arc<str>> {
    let class = |d: String| {
        let name = d.trim_start_matches('[').strip_prefix('L')?;
        Some(Arc::from(name.trim_end_matches(';')))
    };
    parameter_descriptors(descriptor)
        .into_iter()
        .filter_map(class)
}

/// Whether calling it makes an object, or may change it; private methods too, which other objects of the class can call.
fn makes(method: &Method) -> bool {
    if &*method.name == "<init>" {
        // javac's own lead to private ones, and nobody can write them.
        return method.access & SYNTHETIC == 0;
    }
    let usable = method.access & (STATIC | SYNTHETIC) == 0;
    let acts = |i: &Insn| {
        matches!(
            i,
            Insn::PutField(_) | Insn::ArrayStore(_) | Insn::Invoke(..) | Insn::InvokeDynamic(_)
        )
    };
    usable
        && method
            .code
            .as_ref()
            .is_some_and(|c| c.insns.iter().any(acts))
}
