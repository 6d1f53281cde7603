//! The user's JDK and our worker processes in it, which compile and replay.

mod compile;
mod compiled;
mod compilers;
mod crash;
mod installed;
mod jdk;
mod launch;
mod process;
pub mod recording;
mod replays;
pub mod search;
mod tests_process;
mod wire;
mod worker;

pub use compile::{CompileRequest, CompileResult, Diagnostic};
pub use compilers::Compilers;
pub use installed::{JdkPlaces, SYSTEM};
pub use jdk::{Jdk, JdkError};
pub use launch::{Launched, java, launch};
pub use replays::{CallKind, ReplayRequest, ended_the_process};
pub use tests_process::record;
pub use worker::{Worker, WorkerError};
