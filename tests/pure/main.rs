//! Tests of whole parts of the program that need no JVM: documents, reports, the solver's laws, and the GitHub client.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../support/golden.rs"]
#[allow(dead_code)]
mod golden;
#[path = "../support/harm.rs"]
mod harm;
#[path = "../support/http.rs"]
#[allow(dead_code)]
mod http;
#[path = "../support/openapi.rs"]
#[allow(dead_code)]
mod openapi;
#[path = "../support/reports.rs"]
#[allow(dead_code)]
mod reports;
#[path = "../support/mod.rs"]
mod support;

mod github_check;
mod github_comment;
mod github_openapi;
mod hostile;
mod html_report;
mod interim;
mod option_docs;
mod report_outputs;
mod report_schema;
mod solver_float_laws;
mod solver_laws;
