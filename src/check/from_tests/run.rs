//! The chosen tests as they are run in both versions: the same test classes, with the classes of one version or the other.

use crate::bytecode::ClassPath;
use crate::bytecode::class_file::Insn;
use crate::bytecode::probe::{Listener, Marks, mark};
use crate::check::changed_method::ChangedMethod;
use crate::check::record::{MOST_INPUTS, put_probes, rewritten, watches};
use crate::check::workspace::{Builds, TestBuild, Workspace};
use crate::contain::Containment;
use crate::error::Error;
use crate::jvm::recording::{LISTENER, RecordRequest, Recorded, Watch};
use crate::jvm::{self, Jdk};
use crate::model::{MethodRef, Spelling, Version};
use crate::options::Options;
use crate::replay::moved;
use crate::search::changed_places;
use crate::util::copy::{copy, copy_wanted};
use crate::util::deadline::Deadline;
use crate::util::needless::Needless;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Safety nets: of one test, and of all tests in one version. Usual tests end long before.
const TEST_LIMIT: Duration = Duration::from_secs(2);
pub(super) const SUITE_LIMIT: Duration = Duration::from_secs(8);

/// Which of the chosen tests run.
#[derive(Clone, Copy)]
pub(super) enum Which<'a> {
    /// All.
    All,
    /// Those of these top-level classes.
    Of(&'a BTreeSet<String>),
    /// These, as `class#method`; with TestNG all of their classes.
    Only(&'a [String]),
}

impl Which<'_> {
    /// Whether some are of a top-level class.
    fn is_of(&self, class: &str) -> bool {
        match self {
            Which::All => true,
            Which::Of(classes) => classes.contains(class),
            Which::Only(tests) => {
                let mut classes = tests.iter().filter_map(|t| t.split('#').next());
                classes.any(|own| own.outermost() == class)
            }
        }
    }

    /// The only tests of their classes; none where whole classes run.
    fn only(&self) -> &[String] {
        match self {
            Which::Only(tests) => tests,
            _ => &[],
        }
    }
}

/// The chosen tests, ready to run in both versions.
pub(super) struct Suite<'a> {
    class_paths: [Vec<PathBuf>; 2],
    watches: [Vec<Watch>; 2],
    /// Changed methods without changed instructions in that version: entering them is all that can be reached.
    unmarked: [BTreeSet<MethodRef>; 2],
    folder: PathBuf,
    opens: Vec<String>,
    runners: Vec<String>,
    names: Vec<String>,
    test_types: Vec<String>,
    containment: Containment,
    deadline: Deadline,
    needless: &'a Needless,
}

impl<'a> Suite<'a> {
    /// Puts the classes of each version over those that the tests were compiled with, and probes into them.
    pub fn new(
        options: &Options,
        workspace: &Workspace,
        builds: &Builds,
        (of, built): (Version, TestBuild),
        (open, deadline, needless): (&[&ChangedMethod], Deadline, &'a Needless),
    ) -> Result<Suite<'a>, Error> {
        let methods: Vec<(&MethodRef, &[MethodRef])> =
            open.iter().map(|m| (&m.id, m.entries())).collect();
        let mut class_paths = [Vec::new(), Vec::new()];
        let mut all_watches = [Vec::new(), Vec::new()];
        let mut unmarked = [BTreeSet::new(), BTreeSet::new()];
        let both = [&builds.old, &builds.new].map(std::slice::from_ref);
        let [old, new] = both.map(ClassPath::of);
        let builds_of = [old?, new?];
        for (version, own) in [(Version::Old, &builds.old), (Version::New, &builds.new)] {
            let folder = workspace.seeds_folder(of, version);
            let failed = |e: std::io::Error| Error::Io {
                what: folder.display().to_string(),
                why: e.to_string(),
            };
            if of == Version::New && version == Version::Old {
                let is_shared = |file: &Path| is_unchanged(file, builds, workspace);
                copy_wanted(&builds.new, &folder, &is_shared).map_err(failed)?;
            }
            for from in [&built.classes, own] {
                copy(from, &folder).map_err(failed)?;
            }
            let path = ClassPath::of(std::slice::from_ref(&folder))?;
            let watched = watches(&path.dir_classes()?, &methods);
            unmarked[version as usize] = put_marks(&folder, &watched, &builds_of, version)?;
            put_probes(&folder, &watched)?;
            let lacks = |p: &PathBuf| of == Version::New && *p == builds.new;
            let behind = built.class_path.iter();
            let behind = behind.filter(|p| **p != built.classes && !lacks(p));
            class_paths[version as usize] = std::iter::once(folder)
                .chain(behind.cloned())
                .chain(builds.class_path.iter().cloned())
                .collect();
            all_watches[version as usize] = watched;
        }
        Ok(Suite {
            test_types: test_types(&built.classes, (of, builds), workspace)?,
            class_paths,
            watches: all_watches,
            unmarked,
            folder: built.folder,
            opens: built.opens,
            runners: built.runners,
            names: built.names,
            containment: options.containment.clone(),
            deadline,
            needless,
        })
    }

    /// Classes that may hold tests.
    pub fn classes(&self) -> &[String] {
        &self.names
    }

    /// Whether a top-level class is none of the project's own, but one that the tests are compiled with.
    pub fn is_of_tests(&self, class: &str) -> bool {
        self.test_types.contains(&class.dotted())
    }

    /// Runs some or all of the tests, for so long.
    pub fn run(
        &self,
        jdk: &Jdk,
        version: Version,
        (which, limit): (Which, Duration),
    ) -> Result<Recorded, Error> {
        let wanted = self.names.iter().filter(|class| which.is_of(class));
        let names: Vec<String> = wanted.cloned().collect();
        let mut recorded = jvm::record(
            jdk,
            &self.containment,
            &RecordRequest {
                class_path: &self.class_paths[version as usize],
                folder: &self.folder,
                opens: &self.opens,
                runners: &self.runners,
                classes: &names,
                only: which.only(),
                watches: &self.watches[version as usize],
                test_limit: TEST_LIMIT,
                limit,
                deadline: self.deadline,
                needless: self.needless,
                most_inputs: MOST_INPUTS,
                observes: true,
                test_types: &self.test_types,
            },
        )?;
        // As if both versions' classes lay in one folder.
        let [from, to] = [version, Version::New].map(|v| self.class_paths[v as usize].first());
        if let (Some(from), Some(to)) = (from, to) {
            for call in recorded.tests.iter_mut().flat_map(|t| &mut t.calls) {
                call.outcome = moved(call.outcome.clone(), from, to);
            }
        }
        for test in &mut recorded.tests {
            let entered = test.touched.iter();
            let entered = entered.filter(|m| self.unmarked[version as usize].contains(m));
            test.reached.extend(entered.cloned().collect::<Vec<_>>());
        }
        Ok(recorded)
    }

    /// The top-level classes that a test's class, and those above it, name in their code: what a test says depends on these.
    pub fn named_by(&self, class: &str) -> Result<BTreeSet<String>, Error> {
        let [folders, _] = &self.class_paths;
        let path = ClassPath::of(&folders[..folders.len().min(1)])?;
        let mut names = BTreeSet::from([class.internal().outermost().to_string()]);
        let mut next = path.find(&class.internal())?;
        while let Some(class) = next {
            let code = class.methods.iter().filter_map(|m| m.code.as_ref());
            let named = code.flat_map(|c| &c.insns).filter_map(class_of);
            names.extend(named.map(|name| name.outermost().to_string()));
            next = match &class.super_name {
                Some(above) => path.find(above)?,
                None => None,
            };
        }
        Ok(names)
    }

    /// What a run of all tests showed of some classes, where there was no time for all of these with those that it left out.
    pub fn completed(
        &self,
        jdk: &Jdk,
        (mut all, limit): (Recorded, Duration),
        wanted: &BTreeSet<String>,
    ) -> Result<Recorded, Error> {
        let is_wanted = |class: &String| wanted.contains(class.outermost());
        all.tests.retain(|test| is_wanted(&test.class));
        let late = all.late.iter().filter(|class| is_wanted(class));
        let late: BTreeSet<String> = late.map(|class| class.outermost().to_string()).collect();
        if !late.is_empty() {
            all.tests
                .retain(|test| !late.contains(test.class.outermost()));
            let more = self.run(jdk, Version::New, (Which::Of(&late), limit))?;
            all.tests.extend(more.tests);
            all.late = more.late;
        }
        Ok(all)
    }
}

/// The class that an instruction makes, or of which it uses a member.
fn class_of(insn: &Insn) -> Option<&str> {
    match insn {
        Insn::New(class) => Some(class),
        Insn::Invoke(_, member) | Insn::GetStatic(member) => Some(&member.class),
        _ => None,
    }
}

/// Puts marks before the changed instructions of watched methods; the changed methods that have none.
fn put_marks(
    folder: &Path,
    watches: &[Watch],
    builds: &[ClassPath; 2],
    version: Version,
) -> Result<BTreeSet<MethodRef>, Error> {
    let mut unmarked = BTreeSet::new();
    let mut marks: BTreeMap<String, BTreeMap<(String, String), Marks>> = BTreeMap::new();
    for (number, watch) in (0..).zip(watches).filter(|(_, w)| w.changed) {
        let class = watch.method.class.internal();
        let own = builds[version as usize].find(&class)?;
        let other = builds[1 - version as usize].find(&class)?;
        let places = match (own, other) {
            (Some(own), Some(other)) => changed_places(&own, &other, &watch.method),
            _ => BTreeMap::new(),
        };
        if places.is_empty() {
            unmarked.insert(watch.method.clone());
        }
        let places = places.into_iter().map(|(of, at)| (of, (number, at)));
        marks.entry(class).or_default().extend(places);
    }
    for (class, marks) in marks {
        let of = |name: &str, descriptor: &str| {
            let key = (name.to_string(), descriptor.to_string());
            marks.get(&key).cloned()
        };
        let rewrite = |bytes: &[u8]| mark(bytes, &of, Listener(LISTENER));
        rewritten(folder, &class, &rewrite)?;
    }
    Ok(unmarked)
}

/// Whether a class file of the new version is of a class that the old version has too, and of which it has no other: the tests, which are
/// compiled with the new version, may need it.
fn is_unchanged(file: &Path, builds: &Builds, workspace: &Workspace) -> bool {
    let below = file.strip_prefix(&builds.new).unwrap_or(file);
    let name = below.with_extension("").to_string_lossy().into_owned();
    let outermost = name.outermost();
    let own = builds.old.join(format!("{outermost}.class"));
    !own.exists() && workspace.is_main_class(Version::Old, outermost)
}

/// Top-level classes that the tests were compiled with, and that are none of the project's own.
fn test_types(
    folder: &PathBuf,
    (of, builds): (Version, &Builds),
    workspace: &Workspace,
) -> Result<Vec<String>, Error> {
    let main: BTreeSet<String> = ClassPath::of(std::slice::from_ref(builds.classes(of)))?
        .list_dirs()
        .into_iter()
        .collect();
    let compiled = ClassPath::of(std::slice::from_ref(folder))?.list_dirs();
    let is_own = |name: &&String| main.contains(*name) || workspace.is_main_class(of, name);
    let tests = compiled.iter().filter(|n| !n.contains('$') && !is_own(n));
    Ok(tests.map(|n| n.dotted()).collect())
}
