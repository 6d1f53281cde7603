//! Compiling JVMs between two runs of one process: javac is slow in a JVM that has just started.

use super::jdk::Jdk;
use super::process::Process;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// JVMs that compile and wait for the next run. Those of the default are not kept: a run ends its own.
#[derive(Clone, Default)]
pub struct Compilers {
    idle: Option<Arc<Mutex<Vec<Idle>>>>,
}

/// A JVM at rest, and what it was started of.
struct Idle {
    jdk: PathBuf,
    worker: PathBuf,
    process: Process,
}

impl Compilers {
    /// Those that stay from one run to the next, as long as this or a clone of it is there.
    pub fn kept() -> Compilers {
        Compilers {
            idle: Some(Arc::default()),
        }
    }

    /// One of that JDK and of the worker's classes in that folder; nobody else has it meanwhile.
    pub(super) fn take(&self, jdk: &Jdk, worker: &Path) -> Option<Process> {
        let idle = self.idle.as_ref()?;
        let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |one: &Idle| one.jdk == jdk.home && one.worker == worker;
        let at = idle.iter().position(fits)?;
        Some(idle.swap_remove(at).process)
    }

    /// Keeps one that has answered all it was asked, or ends it.
    pub(super) fn give(&self, jdk: &Jdk, worker: &Path, process: Process) {
        if let Some(idle) = &self.idle {
            let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(Idle {
                jdk: jdk.home.clone(),
                worker: worker.to_path_buf(),
                process,
            });
        }
    }
}

impl std::fmt::Debug for Compilers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kept = self.idle.is_some();
        f.debug_struct("Compilers").field("kept", &kept).finish()
    }
}
