//! `shadow-ci.toml`, which sets options by their names.

use super::{Arithmetic, FailOn, NullArguments, Options, Oracle, Prune, Search, Switch};
use crate::contain::ContainmentMode;
use crate::project::Build;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// `shadow-ci.toml`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ConfigFile {
    pub source_root: Option<Vec<String>>,
    pub classpath: Option<String>,
    pub test_classpath: Option<String>,
    pub build: Option<Build>,
    pub jdk_home: Option<PathBuf>,
    pub offline: Option<bool>,
    pub method: Option<Vec<String>>,
    pub path: Option<Vec<String>>,
    pub exclude: Option<Vec<String>>,
    pub tests_dir: Option<PathBuf>,
    pub fail_on: Option<Vec<FailOn>>,
    pub effort: Option<u64>,
    pub exhaustive: Option<bool>,
    pub timeout: Option<u64>,
    pub method_timeout: Option<u64>,
    pub memory: Option<u64>,
    pub threads: Option<usize>,
    pub max_string: Option<u32>,
    pub max_array: Option<u32>,
    pub loop_bound: Option<u32>,
    pub max_paths: Option<u64>,
    pub prior_calls: Option<u32>,
    pub search_runs: Option<u32>,
    pub seeds_from_tests: Option<Switch>,
    pub null_arguments: Option<NullArguments>,
    pub proofs: Option<Switch>,
    pub arith: Option<Arithmetic>,
    pub int_range: Option<String>,
    pub oracle: Option<Oracle>,
    pub prune: Option<Prune>,
    pub search: Option<Search>,
    pub seed: Option<u64>,
    pub containment: Option<ContainmentMode>,
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
            source_root: list(&o.builds.source_roots),
            classpath: joined(&o.builds.class_path),
            test_classpath: joined(&o.exploration.concolic.test_class_path),
            build: o.builds.build,
            jdk_home: o.builds.jdks.named.clone(),
            offline: Some(o.builds.offline),
            method: list(&o.selection.methods),
            path: list(o.selection.paths.wanted()),
            exclude: list(o.selection.paths.unwanted()),
            tests_dir: o.outputs.tests_dir.clone(),
            fail_on: Some(o.outputs.fail_on.clone()),
            effort: Some(o.budgets.effort),
            exhaustive: Some(o.budgets.exhaustive),
            timeout: o.budgets.timeout.map(|t| t.as_secs()),
            method_timeout: Some(o.budgets.method_timeout.as_secs()),
            memory: o.budgets.memory.map(|bytes| bytes >> 20),
            threads: Some(o.budgets.threads),
            max_string: Some(o.bounds.max_string),
            max_array: Some(o.bounds.max_array),
            loop_bound: Some(o.bounds.loop_bound),
            max_paths: Some(o.budgets.max_paths),
            prior_calls: Some(o.bounds.prior_calls),
            search_runs: Some(o.budgets.search_runs),
            seeds_from_tests: Some(o.exploration.seeds_from_tests),
            null_arguments: Some(o.bounds.null_arguments),
            proofs: Some(o.exploration.proofs),
            arith: Some(o.bounds.arith),
            int_range: o.bounds.int_range.map(|(lo, hi)| format!("{lo}..{hi}")),
            oracle: Some(o.exploration.oracle),
            prune: Some(o.exploration.prune),
            search: Some(o.exploration.search),
            seed: Some(o.exploration.seed),
            // Not to be had by this file.
            containment: Some(o.containment.mode()).filter(|mode| *mode != ContainmentMode::Off),
        }
    }
}
