//! Which of the project's tests touch the patch, and what they call its methods with (papers 002 and 003 select by coverage).

use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::error::Error;
use crate::git::Repo;
use crate::impact;
use crate::jvm::Worker;
use crate::jvm::recording::{RecordRequest, Recorded, TestEnd, Watch};
use crate::options::Options;
use crate::pipeline::Patch;
use crate::verdict::{MethodId, Version};
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Classes whose objects' making is watched.
const MOST_CLASSES: usize = 60;

/// Inputs kept of one method and test.
const MOST_INPUTS: u32 = 20;

const PRIVATE: u16 = 0x0002;
const STATIC: u16 = 0x0008;
const SYNTHETIC: u16 = 0x1000;

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
                TestEnd::Hung => "did not end within --test-timeout and was killed",
                TestEnd::Died => "ended the process that ran it",
                _ => continue,
            };
            all.push((format!("{}#{}", test.class, test.name), why.into()));
        }
        if !self.recorded.failed.is_empty() {
            let why = format!("running them ended: {}", self.recorded.failed);
            all.push(("the tests".into(), why));
        }
        for class in &self.recorded.not_run {
            let why =
                "no test of it was run: no time was left (--suite-timeout), or the process ended";
            all.push((class.clone(), why.into()));
        }
        all
    }
}

/// Runs a version's tests and records how they call the methods.
pub fn record(
    options: &Options,
    (repo, patch, workspace): (&Repo, &Patch, &Workspace),
    worker: &mut Worker,
    version: Version,
    methods: &[(&MethodId, &[MethodId])],
) -> Result<Suite, Error> {
    let commit = match version {
        Version::Old => &patch.old,
        Version::New => &patch.new,
    };
    let concolic = &options.concolic;
    let mut dependencies = options.class_path.clone();
    dependencies.extend(concolic.test_class_path.iter().cloned());
    let build = workspace.build_tests(worker, repo, commit, version, &dependencies)?;
    let classes = ClassPath::of(std::slice::from_ref(&build.classes))?;
    let watches = watches(&crate::analyse::classes(&classes)?, methods);
    let recorded = worker.record(&RecordRequest {
        class_path: &build.class_path,
        folder: &build.folder,
        runners: &build.runners,
        classes: &build.names,
        watches: &watches,
        test_limit: concolic.test_limit,
        limit: concolic.suite_limit,
        most_inputs: MOST_INPUTS,
    })?;
    if recorded.tests.is_empty() && !recorded.failed.is_empty() {
        return Err(Error::Tests(recorded.failed));
    }
    Ok(Suite {
        recorded,
        left_out: build.left_out,
    })
}

/// What is watched: the changed methods, those they are entered through, and whatever makes and changes the objects that
/// these take.
fn watches(classes: &[Arc<ClassFile>], methods: &[(&MethodId, &[MethodId])]) -> Vec<Watch> {
    let mut watches: BTreeMap<MethodId, (bool, bool)> = BTreeMap::new();
    for (changed, entries) in methods {
        watches.entry((*changed).clone()).or_default().1 = true;
        for entry in *entries {
            watches.entry(entry.clone()).or_default().0 = true;
        }
    }
    let mut todo: Vec<Arc<str>> = Vec::new();
    for (_, entries) in methods {
        for entry in *entries {
            todo.push(entry.class.replace('.', "/").into());
            todo.extend(parameters(&entry.descriptor));
        }
    }
    let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
    while let Some(name) = todo.pop() {
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
    let watch = |(method, (entry, changed))| Watch {
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

/// Whether calling it makes an object, or may change it.
fn makes(method: &Method) -> bool {
    if &*method.name == "<init>" {
        return true;
    }
    let usable = method.access & (PRIVATE | STATIC | SYNTHETIC) == 0;
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
