//! Logging frameworks of the class path, as what they are to a caller: their factories give loggers that do nothing. What they
//! would set up is not executed, and what they would print is no part of an outcome, in the engine as in replays.

use super::stand_ins;
use super::{Workspace, io};
use crate::bytecode::ClassPath;
use crate::error::Error;
use crate::jvm::{CompileRequest, Worker};
use std::path::PathBuf;

/// A framework's factory of loggers.
struct Factory {
    /// The class to stand in for.
    class: &'static str,
    /// What has to be there beside it.
    beside: &'static str,
    /// The stand-in's file and source.
    file: &'static str,
    source: &'static str,
    /// An interface of which the stand-in gives an implementation, made here.
    makes: Option<(&'static str, &'static str)>,
}

const FACTORIES: [Factory; 4] = [
    Factory {
        class: "org/slf4j/LoggerFactory",
        beside: "org/slf4j/helpers/NOPLogger",
        file: "slf4j/LoggerFactory.java",
        source: include_str!("quiet/LoggerFactory.java"),
        makes: None,
    },
    Factory {
        class: "org/apache/commons/logging/LogFactory",
        beside: "org/apache/commons/logging/impl/NoOpLog",
        file: "logging/LogFactory.java",
        source: include_str!("quiet/LogFactory.java"),
        makes: None,
    },
    Factory {
        class: "org/apache/log4j/LogManager",
        beside: "org/apache/log4j/spi/NOPLoggerRepository",
        file: "log4j/LogManager.java",
        source: include_str!("quiet/Log4jLogManager.java"),
        makes: None,
    },
    Factory {
        class: "org/apache/logging/log4j/LogManager",
        beside: "org/apache/logging/log4j/Logger",
        file: "log4j2/LogManager.java",
        source: include_str!("quiet/LogManager.java"),
        makes: Some(("org/apache/logging/log4j/Logger", "QuietLogger")),
    },
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
        for factory in FACTORIES {
            if path.find(factory.class)?.is_none() || path.find(factory.beside)?.is_none() {
                continue;
            }
            let dir = self.path("quiet-sources");
            let mut texts = vec![(factory.file.to_string(), factory.source.to_string())];
            if let Some((interface, name)) = factory.makes {
                let with_jdk = ClassPath::of(class_path)?.with_jdk(&self.modules)?;
                let made = stand_ins::quiet(&with_jdk, interface, name)?;
                texts.extend(made.map(|one| (format!("{name}.java"), one.source)));
            }
            let mut sources = Vec::new();
            for (file, text) in texts {
                let file = dir.join(file);
                let folder = file.parent().unwrap_or(&dir).to_path_buf();
                std::fs::create_dir_all(folder)
                    .and_then(|()| std::fs::create_dir_all(&out))
                    .and_then(|()| std::fs::write(&file, text))
                    .map_err(|e| io("temporary folder", &e))?;
                sources.push(file);
            }
            let result = worker.compile(&CompileRequest {
                sources,
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
