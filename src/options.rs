//! The options of a run: the command line, over `shadow-ci.toml`, over defaults; a part for each room that needs one.

mod config_file;
mod values;

pub use config_file::ConfigFile;
pub use values::{
    AcceptedFrom, Arithmetic, ConfigFrom, DataFlow, FailOn, Finest, ImpactFormat, NullArguments,
    Oracle, Prune, Search, Show, Switch, parse_range,
};

use crate::check::concolic::ConcolicOptions;
use crate::check::path_filter::PathFilter;
use crate::check::shard::Shard;
use crate::contain::Containment;
use crate::jvm::{Compilers, JdkPlaces};
use crate::model::Level;
use crate::project::Build;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The two revisions that are compared, as the user names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revisions {
    /// The old one.
    pub old: String,
    /// The new one.
    pub new: String,
}

/// How the project is built.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Source roots, relative to the repository; found when empty.
    pub source_roots: Vec<String>,
    /// Jars and folders the project needs.
    pub class_path: Vec<PathBuf>,
    /// Which build tool is asked for the class path and all else that a build knows, where that was said.
    pub build: Option<Build>,
    /// Whether the build tool may not download.
    pub offline: bool,
    /// Where JDKs are looked for.
    pub jdks: JdkPlaces,
    /// The folder in which compiled versions are handed over: a plan writes it, a check reads it.
    pub handed_over: Option<PathBuf>,
}

impl BuildOptions {
    /// The build tool that is asked: unless something else was said, none beside a class path given by hand.
    pub fn tool(&self) -> Build {
        let unsaid = match self.class_path.is_empty() {
            true => Build::Auto,
            false => Build::None,
        };
        self.build.unwrap_or(unsaid)
    }
}

/// Which methods are analysed.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Methods to analyse; all when empty.
    pub methods: Vec<String>,
    /// Files to analyse.
    pub paths: PathFilter,
    /// The part of the methods that is analysed; all when `None`.
    pub shard: Option<Shard>,
}

/// Which inputs and paths are explored.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Longest input string.
    pub max_string: u32,
    /// Longest input array.
    pub max_array: u32,
    /// How often one branch may fork.
    pub loop_bound: u32,
    /// Calls on a receiver before the entry method.
    pub prior_calls: u32,
    /// Which arguments may be null.
    pub null_arguments: NullArguments,
    /// Range of int and long inputs.
    pub int_range: Option<(i64, i64)>,
    /// Meaning of arithmetic.
    pub arith: Arithmetic,
}

/// How much effort a run may take.
#[derive(Clone, Debug)]
pub struct Budgets {
    /// Safety net for the whole run.
    pub timeout: Option<Duration>,
    /// Effort per method, in seconds' worth of steps on one core.
    pub effort: u64,
    /// Safety net per method.
    pub method_timeout: Duration,
    /// Safety net: bytes of memory that this process may have, its JVMs left out; `None` for a quarter of the machine's.
    pub memory: Option<u64>,
    /// Limit of one replay.
    pub replay_timeout: Duration,
    /// Methods analysed side by side, and parts of explorations followed.
    pub threads: usize,
    /// Paths per method.
    pub max_paths: u64,
    /// Inputs run per entry in a search beyond the bounds; 0 for none.
    pub search_runs: u32,
    /// Whether methods whose paths repeat are explored on, and every path is replayed.
    pub exhaustive: bool,
}

/// How methods are explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The finest level that methods are unified at.
    pub finest: Level,
    /// Whether a method is proved locally before it is explored.
    pub proofs: Switch,
    /// Whether the project's tests are run for inputs.
    pub seeds_from_tests: Switch,
    /// Which versions are run behind a divergence.
    pub oracle: Oracle,
    /// Which states are cut.
    pub prune: Prune,
    /// Search order.
    pub search: Search,
    /// What the random search order is drawn from.
    pub seed: u64,
    /// Concolic runs, and the project's tests.
    pub concolic: ConcolicOptions,
}

/// What comes of the findings.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// Folder for generated tests.
    pub tests_dir: Option<PathBuf>,
    /// What makes the build fail.
    pub fail_on: Vec<FailOn>,
    /// Whose accepted findings count.
    pub accepted_from: AcceptedFrom,
    /// Whether the lines that the patch impacts are found, for the report to shade.
    pub impacted_lines: bool,
    /// Words of the command line that a later command on the same commits needs as well, such as `--classpath CP`.
    pub repeated: Vec<String>,
}

/// What `main` takes from the environment.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// What `JAVA_HOME_17_X64` and the like name, as GitHub's runners set them.
    pub jdks: Vec<PathBuf>,
    /// `PATH`.
    pub path: Option<std::ffi::OsString>,
    /// `MAVEN_OPTS`, empty where it is not set.
    pub maven_options: String,
    /// `JAVA_TOOL_OPTIONS`, empty where it is not set.
    pub jvm_options: String,
    /// Cache folder.
    pub cache: Option<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// This program, by which contained processes are started.
    pub launcher: Option<PathBuf>,
    /// Compiling JVMs of former runs.
    pub compilers: Compilers,
}

impl Environment {
    /// That of this process.
    pub fn of_process() -> Environment {
        let home = std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".cache"));
        Environment {
            home: std::env::var_os("HOME").map(PathBuf::from),
            java_home: std::env::var_os("JAVA_HOME")
                .filter(|h| !h.is_empty())
                .map(PathBuf::from),
            jdks: {
                let is_one = |n: &std::ffi::OsString| n.to_string_lossy().starts_with("JAVA_HOME_");
                let all: BTreeMap<_, _> = std::env::vars_os().filter(|v| is_one(&v.0)).collect();
                all.into_values().map(PathBuf::from).collect()
            },
            path: std::env::var_os("PATH"),
            maven_options: std::env::var("MAVEN_OPTS").unwrap_or_default(),
            jvm_options: std::env::var("JAVA_TOOL_OPTIONS").unwrap_or_default(),
            cache: std::env::var_os("XDG_CACHE_HOME")
                .map(PathBuf::from)
                .or(home)
                .map(|c| c.join("shadow-ci")),
            // On Linux the name leads to this program even when its file was replaced.
            launcher: match cfg!(target_os = "linux") {
                true => Some("/proc/self/exe".into()),
                false => std::env::current_exe().ok(),
            },
            compilers: Compilers::default(),
        }
    }
}

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder in the repository.
    pub repo: PathBuf,
    /// How the project is built.
    pub builds: BuildOptions,
    /// Which methods are analysed.
    pub selection: Selection,
    /// Which inputs and paths are explored.
    pub bounds: Bounds,
    /// How much effort a run may take.
    pub budgets: Budgets,
    /// How methods are explored.
    pub exploration: Exploration,
    /// What comes of the findings.
    pub outputs: Outputs,
    /// JDK, cache and home folder.
    pub environment: Environment,
    /// What tested code may do to the world.
    pub containment: Containment,
}
