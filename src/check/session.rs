//! The prelude of every command on two commits: the JDK, the repository and the patch.

use super::jdk::jdk;
use super::patch::{Patch, read};
use super::workspace::Workspace;
use crate::error::Error;
use crate::git::Repo;
use crate::jvm::{Jdk, Worker};
use crate::options::{Options, Revisions};
use crate::util::deadline::Deadline;

/// Two commits of a repository, and the JDK that builds and runs them.
pub struct Session {
    /// The JDK.
    pub jdk: Jdk,
    /// The repository.
    pub repo: Repo,
    /// What differs between the commits.
    pub patch: Patch,
    /// When the run has to be over.
    pub end: Deadline,
}

impl Session {
    /// Finds the JDK and reads the patch.
    ///
    /// # Errors
    /// There is no JDK, no repository, no such revision, or a changed file can't be read.
    pub fn start(options: &Options, revisions: &Revisions) -> Result<Session, Error> {
        Session::with(jdk(options, revisions)?, options, revisions)
    }

    /// The same with a JDK that was found before.
    ///
    /// # Errors
    /// As of [`Session::start`].
    pub fn with(jdk: Jdk, options: &Options, revisions: &Revisions) -> Result<Session, Error> {
        let end = Deadline::after(options.budgets.timeout);
        let repo = Repo::open(&options.repo)?;
        let patch = read(&repo, revisions, &options.selection.paths)?;
        Ok(Session {
            jdk,
            repo,
            patch,
            end,
        })
    }

    /// Both versions' files, with what their build needs. The patch loses files that the build does not compile.
    ///
    /// # Errors
    /// A commit can't be read, or the temporary folder not be written.
    pub fn workspace(&mut self, options: &Options) -> Result<Workspace, Error> {
        let workspace = Workspace::new(&self.repo, &self.patch, &self.jdk, (options, self.end))?;
        self.patch.leave_out(workspace.left_out());
        Ok(workspace)
    }

    /// A process that compiles and runs.
    ///
    /// # Errors
    /// The JVM does not start.
    pub fn worker(&self, options: &Options) -> Result<Worker, Error> {
        let cache = options.environment.cache.as_deref();
        let mut worker = Worker::start(&self.jdk, cache, &options.containment)?;
        worker.end_by(self.end);
        worker.compile_in(&options.environment.compilers);
        Ok(worker)
    }
}
