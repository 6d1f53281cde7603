//! The subcommands, the command line that names them, and what their runs write and end with.

pub mod accept;
pub mod actions;
pub mod annotate;
pub mod bar;
pub mod cli;
pub mod comment;
pub mod config;
pub mod conformance;
pub mod describe;
pub mod events;
pub mod exit_code;
pub mod explore;
pub mod finish;
pub mod history;
pub mod impact;
pub mod inert;
pub mod interrupt;
pub mod merge;
pub mod outputs;
pub mod plan;
pub mod project;
pub mod projection;
pub mod proofs;
pub mod replay;
pub mod select;
pub mod shard_file;
