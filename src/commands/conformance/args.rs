//! The command line of `conformance`.

use super::ConformanceOptions;
use crate::contain::{Containment, ContainmentMode};
use crate::options::Environment;
use clap::Args;
use std::time::Duration;

/// Options of `conformance`.
#[derive(Clone, Debug, Args)]
pub struct ConformanceArgs {
    /// Classes, each optionally with a pattern of method names: java.lang.Integer#parse*
    #[arg(value_name = "CLASS[#METHOD]", required = true)]
    pub targets: Vec<String>,
    /// Folders and jars of classes that are not the JDK's
    #[arg(long, value_name = "CP")]
    pub classpath: Option<String>,
    /// Number of calls of each method; with --symbolic, of finished paths
    #[arg(long, value_name = "N", default_value_t = 25)]
    pub calls: usize,
    /// The seed of the inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Also check constructors and instance methods
    #[arg(long)]
    pub instances: bool,
    /// Use symbolic arguments: explore every path of a method, and run an input of each on the JVM
    #[arg(long)]
    pub symbolic: bool,
    /// Maximum number of instructions per call; with --symbolic, per method
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    pub max_instructions: u64,
    /// Time limit for the paths of one method in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub method_timeout: u64,
    /// Number of threads that the methods are split over
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// Print an example of every reason, and the methods that can't be called
    #[arg(long, short)]
    pub verbose: bool,
}

impl ConformanceArgs {
    /// The options.
    pub fn options(&self, environment: &Environment) -> ConformanceOptions {
        let class_path = self.classpath.clone().unwrap_or_default();
        ConformanceOptions {
            targets: self.targets.clone(),
            class_path: std::env::split_paths(&class_path)
                .filter(|p| !p.as_os_str().is_empty())
                .collect(),
            calls: self.calls,
            symbolic: self.symbolic,
            seed: self.seed,
            instances: self.instances,
            max_instructions: self.max_instructions,
            method_timeout: Duration::from_secs(self.method_timeout),
            threads: self.threads,
            java_home: environment.java_home.clone(),
            path: environment.path.clone(),
            cache: environment.cache.clone(),
            containment: Containment::new(ContainmentMode::Auto, environment.launcher.clone()),
        }
    }
}
