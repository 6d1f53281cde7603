//! Tests that run the program, or large parts of it, on Java code: they need a JDK and git.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../support/golden.rs"]
#[allow(dead_code)]
mod golden;
#[path = "../support/harm.rs"]
mod harm;
#[path = "../support/http.rs"]
#[allow(dead_code)]
mod http;
#[path = "../support/runner.rs"]
#[allow(dead_code)]
mod runner;
#[path = "../support/mod.rs"]
mod support;

mod accepting;
mod action;
mod annotation_processors;
mod architecture;
mod beyond;
mod broken_classes;
mod build_tools;
mod cli_errors;
mod completeness;
mod conformance;
#[cfg(target_os = "linux")]
mod containment;
mod enough;
mod explore;
mod generated_junit;
mod git_repositories;
mod golden_stages;
mod history;
mod impact;
mod install;
#[cfg(unix)]
mod interrupted;
mod library_objects;
mod local_proofs;
mod merged_tests;
mod output_files;
mod probes;
mod project_tests;
mod projection_judge;
mod projection_laws;
mod quiet_libraries;
mod random_programs;
mod replay_command;
mod reproduction;
mod reruns;
mod same_report;
mod seeds_from_tests;
mod self_description;
mod shards;
mod workflows;
