//! The analysis of changed methods: exploration and replay of each.

mod candidates;
mod costs;
mod cut_code;
mod elsewhere;
mod explore_entry;
mod far_callers;
mod flags;
pub(super) mod generated;
mod inherited;
mod method;
mod methods;
mod proofs;
mod readings;
mod rounds;
mod runs;
mod sampler;
mod searcher;
mod shared;
mod spent;
mod tested;
mod uncompiled;
mod world;

use method::{Effort, begin, begin_with_tests, finish};
pub use methods::changed_methods;
pub(super) use rounds::{all_shown, analyse, search_first};
pub use uncompiled::name_uncompiled;

use crate::bytecode::ClassPath;
use crate::check::changed_method::ChangedMethod;
use crate::check::concolic::ConcreteInputs;
use crate::check::effort::{Allowance, STEPS_PER_SECOND, part_among};
use crate::check::from_tests::FromTests;
use crate::check::progress::Progress;
use crate::check::workspace::Builds;
use crate::contain::Containment;
use crate::error::Error;
use crate::impact;
use crate::jvm::{Jdk, Worker};
use crate::local::Proofs;
use crate::model::{
    DivergenceClass, End, Finding, Level, MethodRef, MethodResult, Outcome, Spelling,
};
use crate::options::{Options, Oracle, Selection};
use crate::replay;
use crate::search::Woven;
use crate::symex::{Bounds, Machine, Program, Strategy};
use crate::util::deadline::Deadline;
use crate::util::memory;
use crate::util::permits::Permits;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What the analysis of every method shares.
pub struct Analysis<'a> {
    options: &'a Options,
    jdk: &'a Jdk,
    old: Arc<ClassPath>,
    new: Arc<ClassPath>,
    unified: Arc<ClassPath>,
    library: Arc<ClassPath>,
    levels: BTreeMap<MethodRef, (Level, String)>,
    replay: replay::ClassPaths,
    builds: &'a Builds,
    deadline: Deadline,
    seeds: Option<ConcreteInputs>,
    from_tests: FromTests,
    proofs: Proofs,
    /// Methods that are proved but for what others do, and these: none of them is proved, each is explored.
    but_for: BTreeMap<MethodRef, Vec<MethodRef>>,
    machine: Machine,
    /// What ran tested code, and is at rest.
    workers: Mutex<Vec<Worker>>,
    /// Folders that tested code may read besides builds and class path.
    readable: Vec<PathBuf>,
    progress: Option<&'a dyn Progress>,
    told: Mutex<BTreeSet<String>>,
    woven: OnceLock<Option<Woven>>,
    front_doors: OnceLock<impact::FrontDoors>,
    readings: readings::Readings,
    shared: shared::SharedExplorations,
    /// Methods of the patch that are neither settled without exploration nor proved.
    open: usize,
    spent: spent::Spent,
    /// Threads that may follow paths of one entry at a time, over all entries.
    permits: Arc<Permits>,
}

impl<'a> Analysis<'a> {
    /// Opens the builds.
    ///
    /// # Errors
    /// A class file or the JDK's runtime image can't be read.
    pub fn new(
        jdk: &'a Jdk,
        options: &'a Options,
        builds: &'a Builds,
    ) -> Result<Analysis<'a>, Error> {
        let dir = |d: &std::path::PathBuf| ClassPath::of(std::slice::from_ref(d)).map(Arc::new);
        let library = ClassPath::of(&builds.class_path)?.with_jdk(&jdk.modules())?;
        let path = |d: &std::path::PathBuf| {
            std::iter::once(d.clone())
                .chain(builds.class_path.clone())
                .collect()
        };
        let mut analysis = Analysis {
            options,
            jdk,
            old: dir(&builds.old)?,
            new: dir(&builds.new)?,
            unified: Arc::new(ClassPath::unified(&builds.unified, &builds.old)?),
            library: Arc::new(library),
            levels: BTreeMap::new(),
            replay: replay::ClassPaths {
                old: path(&builds.old),
                new: path(&builds.new),
                limit: options.budgets.replay_timeout,
            },
            builds,
            deadline: Deadline::after(options.budgets.timeout),
            seeds: None,
            from_tests: FromTests::default(),
            proofs: Proofs::new(),
            but_for: BTreeMap::new(),
            machine: machine(
                jdk,
                options.environment.cache.as_deref(),
                &options.containment,
            )
            .with_options(&builds.exports),
            workers: Mutex::default(),
            readable: Vec::new(),
            progress: None,
            told: Mutex::default(),
            woven: OnceLock::new(),
            front_doors: OnceLock::new(),
            readings: readings::Readings::default(),
            shared: shared::SharedExplorations::default(),
            open: 1,
            spent: spent::Spent::default(),
            permits: Arc::new(Permits::new(options.budgets.threads)),
        };
        analysis.levels = analysis.find_levels()?;
        Ok(analysis)
    }

    /// Has to be over by then.
    pub fn end_by(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    /// When it has to be over.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Lets tested code read a folder, so that what runs there later may run in the same JVM.
    pub fn lets_read(&mut self, folder: &Path) {
        self.readable.push(folder.to_path_buf());
    }

    /// Hands a JVM that ran tested code over to a worker, behind the analysis of all methods.
    pub fn hand_over(&self, to: &mut Worker) {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.drain(..).for_each(|used| to.go_on_with(used));
    }

    /// Tells of findings while it goes on.
    pub fn tell(&mut self, progress: &'a dyn Progress) {
        self.progress = Some(progress);
    }

    /// What its parts took so far.
    pub fn spent(&self) -> &spent::Spent {
        &self.spent
    }

    /// Shares the effort among the methods of the whole patch that are open behind the proofs.
    pub fn count_open(&mut self, methods: &[ChangedMethod]) {
        let is_open = |m: &&ChangedMethod| m.is_analysed() && !self.is_proved(&m.id);
        self.open = methods.iter().filter(is_open).count();
    }

    /// What a method gets of an amount that one may take, by the rule that shares it out.
    fn part_among_open(&self, amount: u64, among: fn(u64, usize) -> u64) -> u64 {
        match self.options.budgets.exhaustive {
            true => amount,
            false => among(amount, self.open),
        }
    }

    /// Explores an entry once for all of these methods that have it.
    pub fn share(&mut self, methods: &[ChangedMethod]) {
        self.shared = shared::SharedExplorations::of(methods);
    }

    /// Tells of the finding behind the first so many, if there is one.
    fn found_behind(&self, before: usize, result: &MethodResult) {
        if let Some(finding) = result.findings.get(before) {
            self.found(&result.method, finding);
        }
    }

    /// Tells of a finding, unless one of its kind was told.
    fn found(&self, method: &MethodRef, f: &Finding) {
        let Some(progress) = self
            .progress
            .filter(|_| f.class != DivergenceClass::ControlOnly)
        else {
            return;
        };
        let end = |o: &Outcome| match &o.end {
            End::Threw { class, .. } => class.clone(),
            _ => String::new(),
        };
        let parts = (method, &f.class, &f.diverges_at, end(&f.old), end(&f.new));
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.insert(format!("{parts:?}")) {
            progress.finding(method, f);
        }
    }

    /// The level that unification gave each method, by the method's descriptor in the unified build.
    fn find_levels(&self) -> Result<BTreeMap<MethodRef, (Level, String)>, Error> {
        let mut levels = BTreeMap::new();
        for unified in self.builds.files.values().flat_map(|f| &f.methods) {
            let source = if unified.is_fine() {
                &self.unified
            } else {
                &self.new
            };
            let name = unified.key.class.internal();
            let Some(class) = source.find(&name)? else {
                continue;
            };
            for method in class.methods.iter().filter(|m| unified.key.matches(m)) {
                let level = (unified.level, unified.reason.clone());
                levels.insert(impact::id(&class, method), level);
            }
        }
        Ok(levels)
    }

    fn program(&self) -> Program {
        Program {
            old: self.old.clone(),
            new: self.new.clone(),
            unified: self.unified.clone(),
            library: self.library.clone(),
            levels: self
                .levels
                .iter()
                .map(|(id, l)| (id.clone(), l.0))
                .collect(),
            machine: self.machine.clone(),
            sources: self.builds.sources.clone(),
        }
    }

    pub(crate) fn strategy(&self) -> Strategy {
        Strategy {
            order: self
                .options
                .exploration
                .search
                .order(self.options.exploration.seed),
            prune: self.options.exploration.prune.engine(),
            new_oracle: self.options.exploration.oracle == Oracle::New,
            ..Strategy::default()
        }
    }

    /// What a method may take.
    fn allowance(&self) -> Allowance {
        self.part_of_allowance(Effort {
            part: 1,
            comes_again: false,
            rests: false,
        })
    }

    /// What a method may take in a round.
    fn part_of_allowance(&self, effort: Effort) -> Allowance {
        let o = self.options;
        let allowance = Allowance::new(
            self.part_among_open(
                o.budgets.effort.saturating_mul(STEPS_PER_SECOND),
                part_among,
            ) / effort.part,
            o.budgets.method_timeout,
            self.deadline.moment(),
        );
        match effort.comes_again {
            false => allowance,
            true => allowance.of_a_first_round(),
        }
    }

    /// The bounds of an exploration that may take so much.
    fn bounds(&self, allowance: &Allowance) -> Bounds {
        let o = self.options;
        Bounds {
            max_string: o.bounds.max_string,
            max_array: o.bounds.max_array,
            loop_bound: o.bounds.loop_bound,
            max_depth: 200,
            max_paths: o.budgets.max_paths,
            max_instructions: 5_000_000,
            max_queries: 2_000,
            max_effort: allowance.steps(),
            int_range: o.bounds.int_range,
            prior_calls: o.bounds.prior_calls,
            deadline: allowance.deadline(),
            memory: o.budgets.memory.or_else(memory::quarter),
        }
    }
}

/// The machine as a worker of its own sees it.
pub(crate) fn machine(jdk: &Jdk, cache: Option<&Path>, containment: &Containment) -> Machine {
    let (jdk, cache) = (jdk.clone(), cache.map(Path::to_path_buf));
    let containment = containment.clone();
    Machine::new(move || {
        Worker::start(&jdk, cache.as_deref(), &containment)
            .and_then(|mut worker| worker.properties())
            .ok()
    })
}

/// Whether `--method` lets a method through.
pub(crate) fn wanted(selection: &Selection, id: &MethodRef) -> bool {
    let name = format!("{}#{}", id.class, id.name);
    selection.methods.is_empty()
        || selection
            .methods
            .iter()
            .any(|g| globset::Glob::new(g).is_ok_and(|g| g.compile_matcher().is_match(&name)))
}
