//! The options of a run: command line over `shadow-ci.toml` over defaults.

use super::Check;
use crate::check::effort::DEFAULT_EFFORT;
use crate::check::path_filter::PathFilter;
use crate::commands::config;
use crate::contain::{self, Containment};
use crate::error::Error;
use crate::jvm::{JdkPlaces, SYSTEM};
use crate::options::{
    Arithmetic, Bounds, Budgets, BuildOptions, ConfigFile, Environment, Exploration, FailOn,
    NullArguments, Options, Oracle, Outputs, Prune, Search, Selection, Switch, parse_range,
};
use crate::util::parallel::cores;
use std::path::{Path, PathBuf};
use std::time::Duration;

impl Check {
    /// The options: command line over `shadow-ci.toml` over defaults.
    ///
    /// # Errors
    /// An option or `shadow-ci.toml` can't be read, or containment is required and not to be had.
    pub fn options(&self, environment: &Environment) -> Result<Options, Error> {
        let config = config::read(&self.repo, self.config_from, self.old.as_deref())?;
        for glob in &self.method {
            globset::Glob::new(glob).map_err(|e| Error::Usage(format!("--method {glob}: {e}")))?;
        }
        let builds = self.builds(&config, environment);
        let exploration = self.exploration(&config)?;
        config::refuse_links(&builds.class_path, &self.repo)?;
        config::refuse_links(&exploration.concolic.test_class_path, &self.repo)?;
        Ok(Options {
            repo: self.repo.clone(),
            builds,
            selection: self.selection(&config)?,
            bounds: self.bounds(&config)?,
            budgets: self.budgets(&config),
            exploration,
            outputs: self.outputs(&config),
            environment: environment.clone(),
            containment: self.containment(config.containment, environment)?,
        })
    }

    fn builds(&self, config: &ConfigFile, environment: &Environment) -> BuildOptions {
        let class_path = self.classpath.as_ref().or(config.classpath.as_ref());
        let class_path = class_path.map(String::as_str).unwrap_or_default();
        BuildOptions {
            source_roots: or(&self.source_root, &config.source_root),
            class_path: std::env::split_paths(class_path)
                .filter(|p| !p.as_os_str().is_empty())
                .collect(),
            build: self.build.or(config.build),
            offline: self.offline || config.offline.unwrap_or(false),
            jdks: JdkPlaces {
                named: self.jdk_home.clone().or(config.jdk_home.clone()),
                java_home: environment.java_home.clone(),
                path: environment.path.clone(),
                others: environment.jdks.clone(),
                home: environment.home.clone(),
                system: SYSTEM.iter().map(PathBuf::from).collect(),
            },
            handed_over: self.builds.clone(),
        }
    }

    fn selection(&self, config: &ConfigFile) -> Result<Selection, Error> {
        let (paths, excluded) = (
            or(&self.path, &config.path),
            or(&self.exclude, &config.exclude),
        );
        Ok(Selection {
            methods: or(&self.method, &config.method),
            paths: PathFilter::new(&paths, &excluded).map_err(Error::Usage)?,
            shard: self.shard,
        })
    }

    fn bounds(&self, config: &ConfigFile) -> Result<Bounds, Error> {
        let null_arguments = self.null_arguments.or(config.null_arguments);
        Ok(Bounds {
            max_string: self.max_string.or(config.max_string).unwrap_or(4),
            max_array: self.max_array.or(config.max_array).unwrap_or(3),
            loop_bound: self.loop_bound.or(config.loop_bound).unwrap_or(12),
            prior_calls: self.prior_calls.or(config.prior_calls).unwrap_or(1),
            null_arguments: null_arguments.unwrap_or(NullArguments::Annotated),
            int_range: match (self.int_range, &config.int_range) {
                (None, Some(text)) => Some(parse_range(text).map_err(Error::Config)?),
                (range, _) => range,
            },
            arith: self.arith.or(config.arith).unwrap_or(Arithmetic::Java),
        })
    }

    fn budgets(&self, config: &ConfigFile) -> Budgets {
        let method_timeout = self.method_timeout.or(config.method_timeout);
        Budgets {
            timeout: self.timeout.or(config.timeout).map(Duration::from_secs),
            effort: self.effort.or(config.effort).unwrap_or(DEFAULT_EFFORT),
            method_timeout: Duration::from_secs(method_timeout.unwrap_or(300)),
            memory: self.memory.or(config.memory).map(|mib| mib << 20),
            replay_timeout: Duration::from_secs(5),
            threads: self.threads.or(config.threads).unwrap_or_else(cores),
            max_paths: self.max_paths.or(config.max_paths).unwrap_or(5000),
            search_runs: self.search_runs.or(config.search_runs).unwrap_or(40_000),
            exhaustive: self.exhaustive || config.exhaustive.unwrap_or(false),
        }
    }

    fn exploration(&self, config: &ConfigFile) -> Result<Exploration, Error> {
        let seeds_from_tests = self.seeds_from_tests.or(config.seeds_from_tests);
        Ok(Exploration {
            finest: self.finest.into(),
            proofs: self.proofs.or(config.proofs).unwrap_or(Switch::On),
            seeds_from_tests: seeds_from_tests.unwrap_or(Switch::On),
            oracle: self.oracle.or(config.oracle).unwrap_or(Oracle::Both),
            prune: self.prune.or(config.prune).unwrap_or(Prune::Reach),
            search: self.search.or(config.search).unwrap_or(Search::Dfs),
            seed: self.seed.or(config.seed).unwrap_or(0),
            concolic: self.concolic.options(config.test_classpath.clone())?,
        })
    }

    fn outputs(&self, config: &ConfigFile) -> Outputs {
        Outputs {
            tests_dir: self.tests_dir.clone().or(config.tests_dir.clone()),
            fail_on: match (self.fail_on.is_empty(), &config.fail_on) {
                (false, _) => self.fail_on.clone(),
                (true, Some(on)) => on.clone(),
                (true, None) => vec![FailOn::Assertion],
            },
            accepted_from: self.accepted_from,
            impacted_lines: self.html.is_some() || self.shard.is_some(),
            repeated: self.repeated(),
        }
    }

    fn containment(
        &self,
        config: Option<contain::ContainmentMode>,
        environment: &Environment,
    ) -> Result<Containment, Error> {
        let mode = self
            .containment
            .or(config)
            .unwrap_or(contain::ContainmentMode::Auto);
        Ok(Containment::new(mode, environment.launcher.clone()).checked()?)
    }

    /// What a later command needs again to build the same; what `shadow-ci.toml` says it reads there itself.
    fn repeated(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.repo != Path::new(".") {
            words.extend(["--repo".to_string(), self.repo.display().to_string()]);
        }
        for root in &self.source_root {
            words.extend(["--source-root".to_string(), root.clone()]);
        }
        if let Some(build) = self.build
            && let Some(value) = clap::ValueEnum::to_possible_value(&build)
        {
            words.extend(["--build".to_string(), value.get_name().to_string()]);
        }
        if let Some(home) = &self.jdk_home {
            words.extend(["--jdk-home".to_string(), home.display().to_string()]);
        }
        if let Some(class_path) = &self.classpath {
            words.extend(["--classpath".to_string(), class_path.clone()]);
        }
        if self.containment == Some(contain::ContainmentMode::Off) {
            words.extend(["--containment".to_string(), "off".to_string()]);
        }
        words
    }
}

fn or(command_line: &[String], config: &Option<Vec<String>>) -> Vec<String> {
    match command_line.is_empty() {
        true => config.clone().unwrap_or_default(),
        false => command_line.to_vec(),
    }
}
