//! `shadow-ci explore`: one method of a program that already holds `change()`/`execute()` calls, or none, explored as it stands
//! (paper 000 §3; papers 002 and 003 in concolic mode).

mod args;
mod json;
mod show;
mod sources;
mod target;

pub use args::ExploreArgs;
pub use json::write_json;
pub use show::text;
pub use target::Target;

use crate::bytecode::ClassPath;
use crate::check::analysis::machine;
use crate::check::limits::Limits;
use crate::contain::Containment;
use crate::error::Error;
use crate::expr::Arith;
use crate::impact;
use crate::jvm::{Jdk, Worker};
use crate::model::reason::Reason;
use crate::model::{Limit, MethodRef, PathCounts};
use crate::options::{Arithmetic, Oracle, Prune, Search};
use crate::solver::{SolverOptions, Stats};
use crate::symex::{
    Annotations, Bounds, ExploreMode, Explorer, FinishedPath, Impacted, Machine, Order, PathEnd,
    Paths, Program, Stop, Strategy,
};
use crate::util::deep_stack::on_a_deep_stack;
use crate::util::memory;
use crate::util::permits::Permits;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is explored, and how.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// `pkg.Class#method`, with parameter types or a descriptor where the method is overloaded.
    pub target: Target,
    /// Source files, or folders that hold them.
    pub sources: Vec<PathBuf>,
    /// The old version's source file or folder, against which pruning by impact finds what changed; else the annotations say it.
    pub base: Option<PathBuf>,
    /// Jars and folders the sources need.
    pub class_path: Vec<PathBuf>,
    /// A static method of the class that runs with its concrete values up to the first call of the explored one, whose
    /// parameters alone are symbolic (as in the papers' experiments).
    pub from: Option<String>,
    /// Which runs.
    pub mode: ExploreMode,
    /// Meaning of arithmetic.
    pub arith: Arithmetic,
    /// Range of int and long inputs.
    pub int_range: Option<(i64, i64)>,
    /// Which versions are run behind a divergence.
    pub oracle: Oracle,
    /// What is cut.
    pub prune: Prune,
    /// Search order.
    pub search: Search,
    /// What the random order is drawn from.
    pub seed: u64,
    /// How often one branch of one call may fork.
    pub loop_bound: u32,
    /// Longest input string.
    pub max_string: u32,
    /// Longest input array.
    pub max_array: u32,
    /// Finished paths.
    pub max_paths: u64,
    /// Threads that follow paths, whose number does not matter for the result.
    pub threads: usize,
    /// Also tell, one by one, which whole-number arguments in this range diverge.
    pub enumerate: Option<(i64, i64)>,
    /// Safety net.
    pub timeout: Option<Duration>,
    /// JDK to use, else the one on the PATH.
    pub java_home: Option<PathBuf>,
    /// The PATH.
    pub path: Option<std::ffi::OsString>,
    /// Cache folder.
    pub cache: Option<PathBuf>,
    /// What the processes may do to the world.
    pub containment: Containment,
}

/// What an exploration found.
#[derive(Debug)]
pub struct Exploration {
    /// The method.
    pub method: MethodRef,
    /// Names of its parameters.
    pub parameter_names: Vec<String>,
    /// Finished paths, diff paths (the papers' count: the new version's paths on which some branch went another way), …
    pub paths: PathCounts,
    /// Same paths at whose end the outcomes can differ all the same.
    pub data_divergences: u64,
    /// Paths that the program's own assumptions exclude, or on which the input can't be built.
    pub no_input: u64,
    /// Choices that turned out infeasible.
    pub infeasible: u64,
    /// States made.
    pub states: u64,
    /// Impacted statements that the method can come to, where pruning was by impact.
    pub impacted: Option<usize>,
    /// What the solver did.
    pub solver: Stats,
    /// Seconds, compilation left out.
    pub seconds: f64,
    /// Bounds and reasons for giving up.
    pub limits: Vec<Limit>,
    /// The finished paths, in the order they were found.
    pub finished: Vec<FinishedPath>,
    /// Of the arguments that were enumerated: those whose outcomes differ, and how many are on no finished path.
    pub enumerated: Option<(BTreeSet<Vec<i64>>, u64)>,
}

impl Exploration {
    /// The limits that left something of what was asked for unexplored. A range of whole numbers that was asked for itself
    /// (`--int-range`) is the experiment's domain, and does not; a narrower one that was taken for want of effort does.
    pub fn unfinished(&self, options: &ExploreOptions) -> Vec<&Limit> {
        let asked = options
            .int_range
            .map(|(low, high)| format!("{low}..{high}"));
        let domain = |l: &&Limit| {
            l.bound && l.reason == Reason::IntRange && Some(&l.detail) == asked.as_ref()
        };
        self.limits.iter().filter(|l| !domain(l)).collect()
    }

    /// The diff paths.
    pub fn diff_paths(&self) -> impl Iterator<Item = &FinishedPath> {
        self.finished.iter().filter(|p| p.control)
    }
}

/// What explorations of several programs share: the JDK, one compiler process, and the library's decoded classes.
pub struct Session {
    worker: Worker,
    library: Arc<ClassPath>,
    machine: Machine,
}

impl Session {
    /// Finds the JDK and starts the compiler process.
    ///
    /// # Errors
    /// There is no JDK, or the class path can't be read.
    pub fn start(options: &ExploreOptions) -> Result<Session, Error> {
        let jdk = Jdk::find(options.java_home.as_deref(), options.path.as_deref())?;
        let library = ClassPath::of(&options.class_path)?.with_jdk(&jdk.modules())?;
        Ok(Session {
            worker: Worker::start(&jdk, options.cache.as_deref(), &options.containment)?,
            library: Arc::new(library),
            machine: machine(&jdk, options.cache.as_deref(), &options.containment),
        })
    }

    /// Compiles the sources.
    ///
    /// # Errors
    /// The sources can't be read or don't compile.
    pub fn compile(&mut self, options: &ExploreOptions) -> Result<Compiled, Error> {
        let classes = sources::compile(&mut self.worker, options, &options.sources)?;
        let impacted = match &options.base {
            Some(base) => {
                let old = sources::compile(&mut self.worker, options, std::slice::from_ref(base))?;
                Some(impacted(old.path(), classes.path())?)
            }
            None => None,
        };
        Ok(Compiled { classes, impacted })
    }

    /// Explores what was compiled.
    ///
    /// # Errors
    /// There is no such method, or its input can't be read.
    pub fn explore(
        &self,
        options: &ExploreOptions,
        compiled: &Compiled,
    ) -> Result<Exploration, Error> {
        let impacted = compiled.impacted.clone();
        explore(
            options,
            compiled.classes.path(),
            (self.library.clone(), self.machine.clone()),
            impacted,
        )
    }

    /// Compiles the sources, and explores.
    ///
    /// # Errors
    /// As of [`Session::compile`] and [`Session::explore`].
    pub fn run(&mut self, options: &ExploreOptions) -> Result<Exploration, Error> {
        let compiled = self.compile(options)?;
        self.explore(options, &compiled)
    }
}

/// Compiled sources.
pub struct Compiled {
    classes: tempfile::TempDir,
    /// The impact set, where an old version was given.
    impacted: Option<Impacted>,
}

/// Compiles the sources, and explores.
///
/// # Errors
/// As of [`Session::start`] and [`Session::run`].
pub fn run(options: &ExploreOptions) -> Result<Exploration, Error> {
    Session::start(options)?.run(options)
}

/// The impact set of what differs between two builds, by the first instructions of its statements in the new one.
fn impacted(old: &Path, new: &Path) -> Result<Impacted, Error> {
    let classes = |dir: &Path| ClassPath::of(&[dir.to_path_buf()])?.dir_classes();
    let impact = impact::analyse(classes(old)?, classes(new)?, impact::Flow::Paths);
    let of = |method: impact::ImpactedMethod| {
        let statements = method.statements.iter().filter(|s| s.status.is_some());
        (method.id.clone(), statements.map(|s| s.first).collect())
    };
    Ok(impact.methods.into_iter().map(of).collect())
}

/// Explores compiled classes. Deep terms need more room than a thread's default.
fn explore(
    options: &ExploreOptions,
    classes: &Path,
    (library, machine): (Arc<ClassPath>, Machine),
    impacted: Option<Impacted>,
) -> Result<Exploration, Error> {
    let build = Arc::new(ClassPath::of(&[classes.to_path_buf()])?);
    let method = options.target.find(&build)?;
    if let ExploreMode::Concolic(values) = &options.mode
        && (options.from.is_none() || !values.is_empty())
    {
        target::check_input(&method, values)?;
    }
    let from = match &options.from {
        Some(name) => Some(target::start(&build, &method, name)?),
        None => None,
    };
    let program = Program {
        old: build.clone(),
        new: build.clone(),
        unified: build,
        library,
        levels: BTreeMap::new(),
        machine,
        sources: Arc::default(),
    };
    on_a_deep_stack(move || explore_method(options, program, method, from, impacted))
}

fn strategy(options: &ExploreOptions, callee: Option<MethodRef>) -> Strategy {
    Strategy {
        order: match options.search.order(options.seed) {
            // The papers explore breadth first behind a divergence (paper 003 §3.2).
            Order::Dfs if matches!(options.mode, ExploreMode::Concolic(_)) => Order::Bfs,
            order => order,
        },
        mode: options.mode.clone(),
        annotations: Annotations::Declared,
        prune: options.prune.engine(),
        impacted: None,
        new_oracle: options.oracle == Oracle::New,
        symbolic_call: callee,
        never_null: Vec::new(),
        heeds_nullness: false,
        check_reruns: false,
    }
}

fn bounds(options: &ExploreOptions) -> Bounds {
    Bounds {
        max_string: options.max_string,
        max_array: options.max_array,
        loop_bound: options.loop_bound,
        max_depth: 200,
        max_paths: options.max_paths,
        max_instructions: 500_000_000,
        max_queries: 1_000_000,
        max_effort: u64::MAX,
        int_range: options.int_range,
        prior_calls: 0,
        deadline: options.timeout.map(|t| Instant::now() + t),
        memory: memory::quarter(),
    }
}

fn explore_method(
    options: &ExploreOptions,
    program: Program,
    method: MethodRef,
    from: Option<MethodRef>,
    impacted: Option<Impacted>,
) -> Result<Exploration, Error> {
    let started = Instant::now();
    let arith = match options.arith {
        Arithmetic::Java => Arith::Java,
        Arithmetic::Unbounded => Arith::Unbounded,
    };
    let callee = from.is_some().then(|| method.clone());
    let explorer = Explorer::new(
        Arc::new(program),
        from.as_ref().unwrap_or(&method),
        bounds(options),
        arith,
        &SolverOptions::default(),
        Strategy {
            impacted,
            ..strategy(options, callee)
        },
    );
    let explorer = explorer.map_err(|stop| {
        Error::NotSupported(format!(
            "exploring {}#{}: {} ({})",
            method.class, method.name, stop.reason, stop.detail
        ))
    })?;
    let mut found = Exploration {
        method,
        parameter_names: Vec::new(),
        paths: PathCounts::default(),
        data_divergences: 0,
        no_input: 0,
        infeasible: 0,
        states: 0,
        impacted: None,
        solver: Stats::default(),
        seconds: 0.0,
        limits: Vec::new(),
        finished: Vec::new(),
        enumerated: None,
    };
    let mut limits = Limits::default();
    // Arguments that are tried one by one need the terms of all paths.
    let permits = Arc::new(Permits::new(options.threads));
    let permits = options.enumerate.is_none().then_some(permits);
    let mut paths = Paths::new(explorer, permits);
    for end in paths.by_ref() {
        match end {
            PathEnd::NoInput => found.no_input += 1,
            PathEnd::Pruned => found.paths.pruned += 1,
            PathEnd::GaveUp { stop, at } => {
                found.paths.gave_up += 1;
                limits.add(stop, at);
            }
            PathEnd::Finished(path) => {
                found.paths.finished += 1;
                found.paths.diff += u64::from(path.control);
                found.data_divergences += u64::from(!path.control && path.differs == Some(true));
                found.finished.push(*path);
            }
        }
    }
    let explorer = paths.end();
    for (reason, detail) in explorer.touched() {
        limits.add(Stop::bound(reason, detail), None);
    }
    if let Some(range) = options.enumerate {
        found.enumerated = Some(enumerate(&explorer, &found, range));
    }
    found.parameter_names = explorer.parameter_names().to_vec();
    found.infeasible = explorer.infeasible();
    found.states = explorer.states();
    found.impacted = explorer.impacted();
    found.solver = explorer.solver_stats();
    found.limits = limits.list();
    found.seconds = started.elapsed().as_secs_f64();
    Ok(found)
}

/// Every input of a range on the finished paths: what brute force would find, from the path conditions.
fn enumerate(
    explorer: &Explorer,
    found: &Exploration,
    (lo, hi): (i64, i64),
) -> (BTreeSet<Vec<i64>>, u64) {
    let (mut diverging, mut uncovered) = (BTreeSet::new(), 0);
    let width = crate::bytecode::parameter_descriptors(&found.method.descriptor).len();
    let mut args = vec![lo; width];
    loop {
        let paths = found.finished.iter();
        let on: Vec<Option<bool>> = paths.filter_map(|p| explorer.evaluate(p, &args)).collect();
        uncovered += u64::from(on.is_empty());
        if on.contains(&Some(true)) {
            diverging.insert(args.clone());
        }
        let Some(i) = args.iter().rposition(|n| *n < hi) else {
            return (diverging, uncovered);
        };
        args[i] += 1;
        args[i + 1..].fill(lo);
    }
}
