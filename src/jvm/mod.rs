//! The user's JDK and our worker process in it, which compiles and replays.

mod jdk;
pub mod recording;
pub mod search;
mod tests_process;
mod wire;
mod worker;

pub use jdk::{Jdk, JdkError};
pub use tests_process::record;
pub use worker::{
    CompileRequest, CompileResult, Diagnostic, ENDED_THE_PROCESS, ReplayRequest, Worker,
    WorkerError,
};
