//! The command line (docs/outputs.md).

mod options;

use crate::check::concolic::ConcolicArgs;
use crate::check::shard::Shard;
use crate::commands::explore::ExploreArgs;
use crate::contain::{self};
use crate::error::Error;
use crate::options::{
    AcceptedFrom, Arithmetic, ConfigFrom, DataFlow, FailOn, Finest, ImpactFormat, NullArguments,
    Oracle, Prune, Revisions, Search, Show, Switch, parse_range,
};
use crate::project::Build;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Finds the inputs on which two versions of a Java program behave differently.
#[derive(Debug, Parser)]
#[command(
    name = "shadow-ci",
    version,
    about,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do instead of the check.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The check.
    #[command(flatten)]
    pub check: Check,
}

/// What can be done besides the check.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the unified program of each method, with its level and the line numbers of both versions
    Annotate {
        /// Write the whole program, as it is compiled, into this folder; -Dshadow.version=old|new selects the version that it runs as
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// The revisions and options
        #[command(flatten)]
        check: Check,
    },
    /// Print changed and impacted lines and methods, each with the rule that added it
    Impact {
        /// The form of the output
        #[arg(long, value_enum, default_value = "text")]
        format: ImpactFormat,
        /// How far the uses of a definition are followed
        #[arg(long, value_enum, default_value = "paths")]
        data_flow: DataFlow,
        /// The revisions and options
        #[command(flatten)]
        check: Check,
    },
    /// Print how the changed methods are split over machines, as the matrix of a CI system (JSON)
    Plan {
        /// Maximum number of shards
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
        shards: u16,
        /// The revisions and options
        #[command(flatten)]
        check: Box<Check>,
    },
    /// Merge the reports of all shards into one report
    Merge(crate::commands::merge::Merge),
    /// Check every commit of a range against its first parent, and make one table and one HTML file; a second run continues the first
    History {
        /// The folder for the reports, one per commit
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Print how the commits are split over at most this many machines (JSON), and exit
        #[arg(long, value_name = "N", conflicts_with = "collect", value_parser = clap::value_parser!(u16).range(1..=1000))]
        shards: Option<u16>,
        /// Check nothing; make the table and the HTML file from the existing reports
        #[arg(long)]
        collect: bool,
        /// The range, OLD..NEW or OLD NEW, and options; the HTML file is DIR/history.html unless --html names another
        #[command(flatten)]
        check: Box<Check>,
    },
    /// Accept a finding as intended, by an entry in .shadow-ci/accepted.toml
    Accept(crate::commands::accept::Accept),
    /// Post a report as a comment on a pull request, or update that comment
    Comment(crate::commands::comment::Comment),
    /// Explore one method of a program as it is, with or without change()/execute() calls
    Explore(Box<ExploreArgs>),
    /// Select the tests of the old version to run again, and the inputs to add
    Select {
        /// Use the paths of the old version as tests, instead of recording the project's tests
        #[arg(long)]
        generated: bool,
        /// The revisions and options
        #[command(flatten)]
        check: Check,
    },
    /// Print the build model of a commit: modules, class paths, levels, annotation processors
    Project {
        /// The commit
        #[arg(default_value = "HEAD")]
        commit: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// A folder in the repository
        #[arg(long, value_name = "DIR", default_value = ".")]
        repo: PathBuf,
        /// The build tool to ask
        #[arg(long, value_enum, default_value = "auto")]
        build: Build,
        /// Let the build tool download nothing
        #[arg(long)]
        offline: bool,
    },
    /// Run one call in both versions on the JVM and print both outcomes (exit code 0: same, 1: different)
    Replay {
        /// The revisions and options
        #[command(flatten)]
        check: Check,
        /// The call, as reports print it, e.g. 'new demo.Foo(1).bar("a", null)'
        call: Option<String>,
    },
    /// Print one stage's result: files, diff, annotate, projection, proofs
    Dump {
        /// The stage
        stage: String,
        /// Compare every commit between the two with its first parent (projection)
        #[arg(long)]
        each: bool,
        /// The revisions and options
        #[command(flatten)]
        check: Check,
    },
    /// Call public methods in the engine and on the JVM and compare their outcomes (docs/conformance.md)
    #[command(hide = true)]
    Conformance(crate::commands::conformance::ConformanceArgs),
    /// Print a shell's completion script
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (troff, for `man -l -`)
    Man {
        /// The manual page of one command
        command: Option<String>,
    },
    /// Print the JSON Schema of the report that --json writes
    Schema,
}

/// Revisions and options.
#[derive(Clone, Debug, Args)]
pub struct Check {
    /// The old revision
    pub old: Option<String>,
    /// The new revision
    pub new: Option<String>,
    /// A folder in the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo: PathBuf,
    /// A source root, relative to the repository (repeatable) [default: found by package declarations]
    #[arg(long, value_name = "DIR")]
    pub source_root: Vec<String>,
    /// Jars and folders that the project needs, as for javac
    #[arg(long, value_name = "CP")]
    pub classpath: Option<String>,
    /// The build tool that knows how the project is compiled; the entries of --classpath come first [default: auto; with --classpath: none]
    #[arg(long, value_enum)]
    pub build: Option<Build>,
    /// Let the build tool download nothing
    #[arg(long)]
    pub offline: bool,
    /// The JDK that compiles and runs [default: JAVA_HOME, or the JDK on the PATH, or an installed newer one if the project's level needs it]
    #[arg(long, value_name = "DIR")]
    pub jdk_home: Option<PathBuf>,
    /// Analyse only matching methods, e.g. 'org.foo.Bar#baz' (repeatable; with * and ?)
    #[arg(long, value_name = "GLOB")]
    pub method: Vec<String>,
    /// Analyse only files below this folder, or matching files, relative to the repository, e.g. 'web' or 'web/**/api/*.java' (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub path: Vec<String>,
    /// Do not analyse files below this folder, or matching files (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Write the report as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Files for other tools
    #[command(flatten)]
    pub outputs: crate::commands::outputs::Outputs,
    /// Write events as JSON lines during the run: stages, findings as soon as they are confirmed, methods
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Write the report as one HTML file (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub html: Option<String>,
    /// Write JUnit tests into this folder
    #[arg(long, value_name = "DIR")]
    pub tests_dir: Option<PathBuf>,
    /// What sets the exit code to 1 [default: assertion]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub fail_on: Vec<FailOn>,
    /// Effort per method, in units of about one second on one core; counted in steps, so independent of the load; patches of more than four open methods share it [default: 10]
    #[arg(long, value_name = "N")]
    pub effort: Option<u64>,
    /// Analyse one part of the methods on one of several machines; `plan` shows the parts, `merge` makes one report
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// A folder with the compiled versions: `plan` writes it, and a check uses it instead of compiling
    #[arg(long, value_name = "DIR")]
    pub builds: Option<PathBuf>,
    /// Explore on if the paths of a method with findings repeat, and replay every path, not only each kind and a sample
    #[arg(long)]
    pub exhaustive: bool,
    /// Time limit of the whole run in seconds, a safety net [default: none]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
    /// Time limit per method in seconds, a safety net [default: 300]
    #[arg(long, value_name = "SECONDS")]
    pub method_timeout: Option<u64>,
    /// Memory of this process in MiB, a safety net; its JVMs come on top [default: a quarter of the machine's]
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
    /// Number of methods analysed, and of parts of an exploration followed, in parallel [default: number of cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Maximum length of input strings [default: 4]
    #[arg(long, value_name = "N")]
    pub max_string: Option<u32>,
    /// Maximum length of input arrays [default: 3]
    #[arg(long, value_name = "N")]
    pub max_array: Option<u32>,
    /// How often one branch of one call may fork [default: 12]
    #[arg(long, value_name = "N")]
    pub loop_bound: Option<u32>,
    /// Maximum number of paths per method [default: 5000]
    #[arg(long, value_name = "N")]
    pub max_paths: Option<u64>,
    /// Maximum number of calls on a receiver before the method [default: 1]
    #[arg(long, value_name = "N")]
    pub prior_calls: Option<u32>,
    /// Number of inputs per method in the search beyond the bounds, more where only one or two are open; 0 for no search [default: 40000]
    #[arg(long, value_name = "N")]
    pub search_runs: Option<u32>,
    /// Run the project's tests in both versions, those of the old one and those that the patch adds or changes: compare their calls of changed methods, and use the arguments as inputs [default: on]
    #[arg(long, value_enum)]
    pub seeds_from_tests: Option<Switch>,
    /// Which arguments may be null: all but those whose annotations forbid it, or all [default: annotated]
    #[arg(long, value_enum)]
    pub null_arguments: Option<NullArguments>,
    /// Try to prove before the exploration that a change is harmless for every input [default: on]
    #[arg(long, value_enum)]
    pub proofs: Option<Switch>,
    /// The finest level at which the versions are unified
    #[arg(long, value_enum, default_value = "expression")]
    pub finest: Finest,
    /// Semantics of integer arithmetic [default: java]
    #[arg(long, value_enum)]
    pub arith: Option<Arithmetic>,
    /// Range of int and long inputs
    #[arg(long, value_name = "LO..HI", allow_hyphen_values = true, value_parser = parse_range)]
    pub int_range: Option<(i64, i64)>,
    /// Which versions are run to their end after a divergence [default: both]
    #[arg(long, value_enum)]
    pub oracle: Option<Oracle>,
    /// Which states are pruned: those that cannot diverge, or also those without a new sequence of impacted statements [default: reach]
    #[arg(long, value_enum)]
    pub prune: Option<Prune>,
    /// The order in which paths are explored [default: dfs]
    #[arg(long, value_enum)]
    pub search: Option<Search>,
    /// The seed of random choices [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Whether tested code is kept from files, network and other processes: if the system can, always, or never [default: auto]
    #[arg(long, value_enum)]
    pub containment: Option<contain::ContainmentMode>,
    /// Concolic runs, and the project's tests
    #[command(flatten)]
    pub concolic: ConcolicArgs,
    /// Which shadow-ci.toml counts: that of the checkout, or that of the old version (so a patch can't change how it is checked)
    #[arg(long, value_enum, default_value = "checkout")]
    pub config_from: ConfigFrom,
    /// Which .shadow-ci/accepted.toml counts: that of the checkout, only that of the old version (so a patch can't accept its own differences), or also that of the new version
    #[arg(long, value_enum, default_value = "checkout")]
    pub accepted_from: AcceptedFrom,
    /// Which findings are shown and counted: those that matter to a caller, or also minor ones such as private state that no method reveals
    #[arg(long, value_enum, default_value = "relevant")]
    pub show: Show,
    /// Print errors only
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print all effort figures and reasons, and progress also in logs
    #[arg(long, short)]
    pub verbose: bool,
    /// Write the time spent per stage, part of the exploration and method as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub profile: Option<String>,
    /// Print the options in force as a shadow-ci.toml, and exit
    #[arg(long)]
    pub print_config: bool,
}

impl Check {
    /// All defaults, for two revisions.
    pub fn of(old: &str, new: &str) -> Check {
        Cli::parse_from(["shadow-ci", "--", old, new]).check
    }

    /// The revisions that are compared.
    ///
    /// # Errors
    /// Only one is named, or none.
    pub fn revisions(&self) -> Result<Revisions, Error> {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => Ok(Revisions {
                old: old.clone(),
                new: new.clone(),
            }),
            _ => Err(Error::Usage(
                "there is only one revision: name an old and a new one, e.g. `shadow-ci HEAD~1 HEAD`".into(),
            )),
        }
    }
}
