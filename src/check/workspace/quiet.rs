//! Logging frameworks of the class path, as what they are to a caller: their factories give loggers that do nothing. What they
//! would set up is not executed, and what they would print is no part of an outcome, in the engine as in replays.

use super::{Workspace, io};
use crate::bytecode::ClassPath;
use crate::error::Error;
use crate::jvm::{CompileRequest, Worker};
use std::path::PathBuf;

/// A factory to stand in for, what has to be there beside it, and the stand-in's file and source.
const FACTORIES: [(&str, &str, &str, &str); 2] = [
    (
        "org/slf4j/LoggerFactory",
        "org/slf4j/helpers/NOPLogger",
        "LoggerFactory.java",
        include_str!("quiet/LoggerFactory.java"),
    ),
    (
        "org/apache/commons/logging/LogFactory",
        "org/apache/commons/logging/impl/NoOpLog",
        "LogFactory.java",
        include_str!("quiet/LogFactory.java"),
    ),
];

impl Workspace {
    /// The folder that has to come before the class path; `None` where there is no such framework.
    pub(super) fn quiet_loggers(
        &self,
        worker: &mut Worker,
        class_path: &[PathBuf],
    ) -> Result<Option<PathBuf>, Error> {
        let path = ClassPath::of(class_path)?;
        let out = self.path("quiet-loggers");
        let mut found = None;
        for (factory, beside, file, source) in FACTORIES {
            if path.find(factory)?.is_none() || path.find(beside)?.is_none() {
                continue;
            }
            let dir = self.path("quiet-sources");
            let source_file = dir.join(file);
            let write = || {
                std::fs::create_dir_all(&dir)?;
                std::fs::create_dir_all(&out)?;
                std::fs::write(&source_file, source)
            };
            write().map_err(|e| io("temporary folder", &e))?;
            let result = worker.compile(&CompileRequest {
                sources: vec![source_file.clone()],
                class_path: class_path.to_vec(),
                out: out.clone(),
                ..CompileRequest::default()
            })?;
            // One of an unknown shape is left as it is.
            if result.success {
                found = Some(out.clone());
            }
        }
        Ok(found)
    }
}
