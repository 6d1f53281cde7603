//! shadow-ci: finds the inputs on which two versions of a Java program behave differently, by complete shadow symbolic execution.
//!
//! The way of a patch, room by room (each stage takes and returns owned, printable data; `check::pipeline::run` names them in order):
//!
//! ```text
//! git ──► project ──► java ──► align ──► unify ──► jvm (javac) ──► bytecode ──► impact
//!                                                                                 │
//!    ┌────────── equivalent, or the local condition ◄────── local (proofs) ◄──────┤
//!    ▼                                                                            ▼
//! report ◄── testgen ◄── replay ◄── search (runs on the JVM) ◄──► symex (explores within bounds) ◄──► solver
//! ```
//!
//! docs/architecture.md follows one patch through these rooms, and says where to look for what.

pub mod align;
pub mod bytecode;
pub mod call;
pub mod check;
pub mod commands;
pub mod contain;
pub mod error;
pub mod expr;
pub mod git;
pub mod github;
pub mod impact;
pub mod java;
pub mod java_text;
pub mod jvm;
pub mod local;
pub mod model;
pub mod options;
pub mod project;
pub mod replay;
pub mod report;
pub mod search;
pub mod semantics;
pub mod solver;
pub mod symex;
pub mod testgen;
pub mod unify;
pub mod util;
