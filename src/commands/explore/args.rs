//! The command line of `explore`.

use super::{ExploreOptions, Target};
use crate::contain::{self, Containment};
use crate::error::Error;
use crate::options::Environment;
use crate::options::{Arithmetic, Oracle, Prune, Search, parse_range};
use crate::symex::ExploreMode;
use crate::util::parallel::cores;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Which runs are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeOption {
    /// Both versions on all inputs.
    Complete,
    /// Both versions along the input that --input gives, and all inputs behind each divergence from it.
    Concolic,
    /// The new version alone.
    Full,
    /// The new version alone, one path per sequence of impacted statements.
    Dise,
}

/// Options of `explore`.
#[derive(Clone, Debug, Args)]
pub struct ExploreArgs {
    /// The method: CLASS#METHOD, with parameter types if it is overloaded
    #[arg(value_name = "CLASS#METHOD", value_parser = Target::parse)]
    pub target: Target,
    /// The source file of the class, or a folder with it (repeatable)
    #[arg(long, value_name = "FILE|DIR", required = true)]
    pub source: Vec<PathBuf>,
    /// The sources of the old version; --mode dise finds changes by them instead of by annotations
    #[arg(long, value_name = "FILE|DIR")]
    pub base: Option<PathBuf>,
    /// Jars and folders that the sources need, as for javac
    #[arg(long, value_name = "CP")]
    pub classpath: Option<String>,
    /// Run this static method (main, or one without parameters) with concrete values up to the first call of
    /// CLASS#METHOD; only the parameters of that call are symbolic
    #[arg(long, value_name = "NAME")]
    pub from: Option<String>,
    /// Which runs are explored
    #[arg(long, value_enum, default_value = "complete")]
    pub mode: ModeOption,
    /// The concrete input of a concolic run: primitive arguments, separated by commas [default: the arguments that the --from method passes]
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub input: Option<String>,
    /// Write the result as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Number of paths of each kind in the text
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub show: usize,
    /// Semantics of integer arithmetic
    #[arg(long, value_enum, default_value = "java")]
    pub arith: Arithmetic,
    /// Range of int and long inputs
    #[arg(long, value_name = "LO..HI", allow_hyphen_values = true, value_parser = parse_range)]
    pub int_range: Option<(i64, i64)>,
    /// Which versions are run to their end after a divergence
    #[arg(long, value_enum, default_value = "both")]
    pub oracle: Oracle,
    /// Which states are pruned because they cannot diverge
    #[arg(long, value_enum, default_value = "reach")]
    pub prune: Prune,
    /// The order in which paths are explored
    #[arg(long, value_enum, default_value = "dfs")]
    pub search: Search,
    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How often one branch of one call may fork
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub loop_bound: u32,
    /// Longest input string
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub max_string: u32,
    /// Longest input array
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub max_array: u32,
    /// Finished paths
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_paths: u64,
    /// Threads that follow paths [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Time limit in seconds, a safety net
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub timeout: u64,
}

impl ExploreArgs {
    /// The options, checked.
    ///
    /// # Errors
    /// Two of them contradict each other, or the method's name can't be read.
    pub fn options(&self, environment: &Environment) -> Result<ExploreOptions, Error> {
        let named = self.source.iter().map(|s| ("--source", s));
        for (option, path) in named.chain(self.base.iter().map(|b| ("--base", b))) {
            if !path.exists() {
                let path = path.display();
                return Err(Error::NoTarget(format!(
                    "{option} {path}: no such file or folder"
                )));
            }
        }
        let mode = self.mode()?;
        let prune = match self.mode {
            ModeOption::Dise => Prune::Dise,
            // Without a difference to look for, everything would be cut.
            ModeOption::Full => Prune::None,
            ModeOption::Complete | ModeOption::Concolic => self.prune,
        };
        self.fits(prune)?;
        let class_path = self.classpath.clone().unwrap_or_default();
        Ok(ExploreOptions {
            target: self.target.clone(),
            sources: self.source.clone(),
            base: self.base.clone(),
            class_path: std::env::split_paths(&class_path)
                .filter(|p| !p.as_os_str().is_empty())
                .collect(),
            from: self.from.clone(),
            mode,
            arith: self.arith,
            int_range: self.int_range,
            oracle: self.oracle,
            prune,
            search: self.search,
            seed: self.seed,
            loop_bound: self.loop_bound,
            max_string: self.max_string,
            max_array: self.max_array,
            max_paths: self.max_paths,
            threads: self.threads.unwrap_or_else(cores),
            enumerate: None,
            timeout: Some(Duration::from_secs(self.timeout)),
            java_home: environment.java_home.clone(),
            path: environment.path.clone(),
            cache: environment.cache.clone(),
            containment: Containment::new(
                contain::ContainmentMode::Auto,
                environment.launcher.clone(),
            ),
        })
    }

    /// Refuses combinations that mean nothing.
    fn fits(&self, prune: Prune) -> Result<(), Error> {
        if prune == Prune::Dise && self.search == Search::Bfs {
            let why = "pruning by impact explores depth first: --search dfs, random or greedy orders the successors";
            return Err(Error::NoTarget(why.into()));
        }
        if prune == Prune::Dise && self.mode == ModeOption::Concolic {
            let why = "--prune dise goes with --mode complete; --mode dise explores the new version alone";
            return Err(Error::NoTarget(why.into()));
        }
        if self.base.is_some() && self.mode != ModeOption::Dise {
            let why = "--base is the old version for --mode dise; `shadow-ci OLD NEW` compares two commits";
            return Err(Error::NoTarget(why.into()));
        }
        Ok(())
    }

    fn mode(&self) -> Result<ExploreMode, Error> {
        match (self.mode, &self.input) {
            (ModeOption::Complete, None) => Ok(ExploreMode::Complete),
            (ModeOption::Full | ModeOption::Dise, None) => Ok(ExploreMode::NewOnly),
            (ModeOption::Concolic, Some(values)) => values
                .split(',')
                .map(value)
                .collect::<Result<_, _>>()
                .map(ExploreMode::Concolic),
            (ModeOption::Concolic, None) if self.from.is_some() => {
                Ok(ExploreMode::Concolic(Vec::new()))
            }
            (ModeOption::Concolic, None) => Err(Error::NoTarget(
                "--mode concolic needs --input VALUES, such as --input -1,true, or --from".into(),
            )),
            (_, Some(_)) => Err(Error::NoTarget("--input needs --mode concolic".into())),
        }
    }
}

fn value(text: &str) -> Result<i64, Error> {
    match text.trim() {
        "true" => Ok(1),
        "false" => Ok(0),
        number => number.parse().map_err(|_| {
            Error::NotSupported(format!(
                "--input {number} (only whole numbers, true and false)"
            ))
        }),
    }
}
