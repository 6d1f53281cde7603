//! shadow-ci: finds the inputs on which two versions of a Java program behave differently, by complete shadow symbolic execution.
//!
//! The way of a patch, room by room (each stage takes and returns owned, printable data):
//!
//! ```text
//! git ──► java (parse) ──► align ──► unify ──► jvm::compile ──► bytecode ──► impact ──► symex ◄──► solver
//!                                                                              │
//!                              report ◄── testgen ◄── replay (JVM) ◄───────────┘
//! ```

pub mod actions;
pub mod align;
pub mod analyse;
pub mod annotate;
pub mod bytecode;
pub mod call;
pub mod cli;
mod collector;
pub mod comment;
pub mod concolic;
pub mod conformance;
pub mod counted;
pub mod deep_stack;
pub mod error;
pub mod exit_code;
pub mod explore;
pub mod expr;
pub mod git;
pub mod github;
pub mod impact;
pub mod impacted;
pub mod java;
pub mod jvm;
mod ladder;
pub mod limits;
pub mod method_sources;
pub mod nameable;
pub mod options;
pub mod outputs;
pub mod pipeline;
pub mod projection;
pub mod record;
pub mod replay;
pub mod replay_command;
pub mod report;
pub mod sampling;
pub mod select;
pub mod self_description;
pub mod solver;
pub mod symex;
pub mod test_trial;
pub mod testgen;
pub mod unify;
pub mod verdict;
pub mod workspace;
