//! What a run is asked to do: the command line, over `shadow-ci.toml`, over defaults.

use crate::check::concolic::ConcolicOptions;
use crate::check::shard::Shard;
use crate::contain::{Containment, Mode};
use crate::model::Level;
use crate::project::Build;
use crate::symex::{self, Order};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What makes the build fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// An assertion error that only the new version has.
    Assertion,
    /// Any failure that only the new version has.
    Exception,
    /// Any difference.
    Changed,
    /// A method that could not be analysed to the end.
    Incomplete,
    /// Nothing.
    Never,
}

/// Meaning of integer arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// Java's, wrapping.
    Java,
    /// Mathematical integers, as in the papers; predictions are then not checked on the JVM.
    Unbounded,
}

/// Whose `.shadow-ci/accepted.toml` counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum AcceptedFrom {
    /// The file as it is checked out, committed or not.
    #[default]
    Checkout,
    /// The old version's: a patch can't accept its own differences. What it would accept is shown.
    Old,
    /// The old and the new version's.
    New,
}

/// Whose `shadow-ci.toml` counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ConfigFrom {
    /// The file as it is checked out, committed or not.
    #[default]
    Checkout,
    /// The old version's: a patch can't change how it is checked.
    Old,
}

/// Which findings are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Show {
    /// Those that no label says few would want to know.
    #[default]
    Relevant,
    /// All.
    All,
}

/// Which arguments of the tested methods may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum NullArguments {
    /// Those that no annotation such as `@NonNull` or `@NullMarked` forbids.
    Annotated,
    /// All.
    Always,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// Which version decides a divergent path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Oracle {
    /// Both are run to their end.
    Both,
    /// The new one only, as in the papers.
    New,
}

/// Which states are cut because they cannot diverge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Prune {
    /// None.
    None,
    /// Those that carry no difference and reach no change.
    Reach,
    /// Also those whose sequence of impacted statements was seen before.
    Dise,
}

impl Prune {
    /// The engine's word for it.
    pub fn engine(self) -> symex::Prune {
        match self {
            Prune::None => symex::Prune::None,
            Prune::Reach => symex::Prune::Reach,
            Prune::Dise => symex::Prune::Dise,
        }
    }
}

/// The order in which paths are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Random, from a seed.
    Random,
    /// The state nearest to a change that no path has run yet.
    Greedy,
}

impl Search {
    /// The engine's order.
    pub fn order(self, seed: u64) -> Order {
        match self {
            Search::Dfs => Order::Dfs,
            Search::Bfs => Order::Bfs,
            Search::Random => Order::Random(seed),
            Search::Greedy => Order::Greedy,
        }
    }
}

/// How `impact` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ImpactFormat {
    /// For a terminal, per method and line.
    Text,
    /// For programs.
    Json,
    /// For Graphviz.
    Dot,
}

/// How far `impact` follows a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum DataFlow {
    /// To every use on a control-flow path, as the rules of the literature are written.
    Paths,
    /// To the uses it reaches without being overwritten: fewer.
    Reaching,
}

/// The finest level asked for (docs/architecture.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Finest {
    /// Inside expressions.
    Expression,
    /// Around statements.
    Statement,
    /// A body per version.
    Method,
}

impl From<Finest> for Level {
    fn from(finest: Finest) -> Level {
        match finest {
            Finest::Expression => Level::Expression,
            Finest::Statement => Level::Statement,
            Finest::Method => Level::Method,
        }
    }
}

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The old revision.
    pub old: String,
    /// The new revision.
    pub new: String,
    /// Folder in the repository.
    pub repo: PathBuf,
    /// Source roots, relative to the repository; found when empty.
    pub source_roots: Vec<String>,
    /// Jars and folders the project needs.
    pub class_path: Vec<PathBuf>,
    /// Which build tool is asked for the class path and all else that a build knows.
    pub build: Build,
    /// Whether the build tool may not download.
    pub offline: bool,
    /// Methods to analyse; all when empty.
    pub methods: Vec<String>,
    /// Whether the lines that the patch impacts are found, for the report to shade.
    pub impacted_lines: bool,
    /// Folder for generated tests.
    pub tests_dir: Option<PathBuf>,
    /// What makes the build fail.
    pub fail_on: Vec<FailOn>,
    /// The finest level that methods are unified at.
    pub finest: Level,
    /// Safety net for the whole run.
    pub timeout: Option<Duration>,
    /// Effort per method, in seconds' worth of steps on one core.
    pub effort: u64,
    /// The part of the methods that is analysed; all when `None`.
    pub shard: Option<Shard>,
    /// Whether methods whose paths repeat are explored on, and every path is replayed.
    pub exhaustive: bool,
    /// Safety net per method.
    pub method_timeout: Duration,
    /// Limit of one replay.
    pub replay_timeout: Duration,
    /// Methods analysed side by side.
    pub threads: usize,
    /// Longest input string.
    pub max_string: u32,
    /// Longest input array.
    pub max_array: u32,
    /// How often one branch may fork.
    pub loop_bound: u32,
    /// Paths per method.
    pub max_paths: u64,
    /// Calls on a receiver before the entry method.
    pub prior_calls: u32,
    /// Inputs run per entry in a search beyond the bounds; 0 for none.
    pub search_runs: u32,
    /// Which arguments may be null.
    pub null_arguments: NullArguments,
    /// Whether a method is proved locally before it is explored.
    pub proofs: Switch,
    /// Meaning of arithmetic.
    pub arith: Arithmetic,
    /// Range of int and long inputs.
    pub int_range: Option<(i64, i64)>,
    /// Which versions are run behind a divergence.
    pub oracle: Oracle,
    /// Which states are cut.
    pub prune: Prune,
    /// Concolic runs, and the project's tests.
    pub concolic: ConcolicOptions,
    /// Search order.
    pub search: Search,
    /// What the random search order is drawn from.
    pub seed: u64,
    /// Whose accepted findings count.
    pub accepted_from: AcceptedFrom,
    /// JDK to use, else the one on the PATH.
    pub java_home: Option<PathBuf>,
    /// The PATH.
    pub path: Option<std::ffi::OsString>,
    /// Cache folder.
    pub cache: Option<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// What tested code may do to the world.
    pub containment: Containment,
    /// Words of the command line that a later command on the same commits needs as well, such as `--classpath CP`.
    pub repeated: Vec<String>,
}

/// `shadow-ci.toml`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ConfigFile {
    pub source_root: Option<Vec<String>>,
    pub classpath: Option<String>,
    pub test_classpath: Option<String>,
    pub build: Option<Build>,
    pub offline: Option<bool>,
    pub method: Option<Vec<String>>,
    pub tests_dir: Option<PathBuf>,
    pub fail_on: Option<Vec<FailOn>>,
    pub effort: Option<u64>,
    pub exhaustive: Option<bool>,
    pub timeout: Option<u64>,
    pub method_timeout: Option<u64>,
    pub threads: Option<usize>,
    pub max_string: Option<u32>,
    pub max_array: Option<u32>,
    pub loop_bound: Option<u32>,
    pub max_paths: Option<u64>,
    pub prior_calls: Option<u32>,
    pub search_runs: Option<u32>,
    pub null_arguments: Option<NullArguments>,
    pub proofs: Option<Switch>,
    pub arith: Option<Arithmetic>,
    pub int_range: Option<String>,
    pub oracle: Option<Oracle>,
    pub prune: Option<Prune>,
    pub search: Option<Search>,
    pub seed: Option<u64>,
    pub containment: Option<Mode>,
}

impl From<&Options> for ConfigFile {
    /// The file that sets these options; what is found or unlimited when left out is left out.
    fn from(o: &Options) -> ConfigFile {
        let list = |all: &[String]| (!all.is_empty()).then(|| all.to_vec());
        let joined = |paths: &[PathBuf]| {
            let text = std::env::join_paths(paths).unwrap_or_default();
            Some(text.to_string_lossy().into_owned()).filter(|p| !p.is_empty())
        };
        ConfigFile {
            source_root: list(&o.source_roots),
            classpath: joined(&o.class_path),
            test_classpath: joined(&o.concolic.test_class_path),
            build: Some(o.build),
            offline: Some(o.offline),
            method: list(&o.methods),
            tests_dir: o.tests_dir.clone(),
            fail_on: Some(o.fail_on.clone()),
            effort: Some(o.effort),
            exhaustive: Some(o.exhaustive),
            timeout: o.timeout.map(|t| t.as_secs()),
            method_timeout: Some(o.method_timeout.as_secs()),
            threads: Some(o.threads),
            max_string: Some(o.max_string),
            max_array: Some(o.max_array),
            loop_bound: Some(o.loop_bound),
            max_paths: Some(o.max_paths),
            prior_calls: Some(o.prior_calls),
            search_runs: Some(o.search_runs),
            null_arguments: Some(o.null_arguments),
            proofs: Some(o.proofs),
            arith: Some(o.arith),
            int_range: o.int_range.map(|(lo, hi)| format!("{lo}..{hi}")),
            oracle: Some(o.oracle),
            prune: Some(o.prune),
            search: Some(o.search),
            seed: Some(o.seed),
            // Not to be had by this file.
            containment: Some(o.containment.mode()).filter(|mode| *mode != Mode::Off),
        }
    }
}

/// The inclusive range `LO..HI`.
pub fn parse_range(text: &str) -> Result<(i64, i64), String> {
    let parsed = text
        .split_once("..")
        .and_then(|(lo, hi)| Some((lo.trim().parse().ok()?, hi.trim().parse().ok()?)));
    match parsed {
        Some((lo, hi)) if lo <= hi => Ok((lo, hi)),
        _ => Err(format!(
            "'{text}' is not a range; write LO..HI, such as -100..100"
        )),
    }
}
