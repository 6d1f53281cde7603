//! Logging, metrics and tracing of the class path, as what they are to a caller: their factories give objects that do nothing. What they
//! would set up is not executed, and what they would print or count is no part of an outcome, in the engine as in replays.

use super::stand_ins;
use super::{Workspace, io};
use crate::bytecode::ClassPath;
use crate::error::Error;
use crate::jvm::{CompileRequest, Worker};
use std::path::PathBuf;

/// What stands in for classes of a library.
struct Quiet {
    /// A class that is stood in for.
    class: &'static str,
    /// What has to be there beside it.
    beside: &'static str,
    /// What may not be there: another edition of the library has it.
    without: Option<&'static str>,
    /// The stand-ins' files and sources.
    files: &'static [(&'static str, &'static str)],
    /// An interface of which the stand-in gives an implementation, made here.
    makes: Option<(&'static str, &'static str)>,
}

const LIBRARIES: [Quiet; 11] = [
    Quiet {
        class: "org/slf4j/LoggerFactory",
        beside: "org/slf4j/helpers/NOPLogger",
        without: None,
        files: &[(
            "slf4j/LoggerFactory.java",
            include_str!("quiet/LoggerFactory.java"),
        )],
        makes: None,
    },
    // Editions before 1.6 have a logger that does nothing in a jar of its own, and fail where there is none.
    Quiet {
        class: "org/slf4j/LoggerFactory",
        beside: "org/slf4j/Logger",
        without: Some("org/slf4j/helpers/NOPLogger"),
        files: &[(
            "slf4j/LoggerFactory.java",
            include_str!("quiet/EarlierLoggerFactory.java"),
        )],
        makes: Some(("org/slf4j/Logger", "QuietSlf4jLogger")),
    },
    Quiet {
        class: "org/apache/commons/logging/LogFactory",
        beside: "org/apache/commons/logging/impl/NoOpLog",
        without: None,
        files: &[(
            "logging/LogFactory.java",
            include_str!("quiet/LogFactory.java"),
        )],
        makes: None,
    },
    Quiet {
        class: "org/apache/log4j/LogManager",
        beside: "org/apache/log4j/spi/NOPLoggerRepository",
        without: None,
        files: &[(
            "log4j/LogManager.java",
            include_str!("quiet/Log4jLogManager.java"),
        )],
        makes: None,
    },
    Quiet {
        class: "org/apache/logging/log4j/LogManager",
        beside: "org/apache/logging/log4j/Logger",
        without: None,
        files: &[(
            "log4j2/LogManager.java",
            include_str!("quiet/LogManager.java"),
        )],
        makes: Some(("org/apache/logging/log4j/Logger", "QuietLogger")),
    },
    // What a goal of Maven logs to that runs without Maven.
    Quiet {
        class: "org/apache/maven/plugin/logging/SystemStreamLog",
        beside: "org/apache/maven/plugin/logging/Log",
        without: None,
        files: &[(
            "maven/SystemStreamLog.java",
            include_str!("quiet/SystemStreamLog.java"),
        )],
        makes: None,
    },
    // Dropwizard's since 4.1: their constructors take these averages.
    Quiet {
        class: "com/codahale/metrics/Meter",
        beside: "com/codahale/metrics/MovingAverages",
        without: None,
        files: &[
            (
                "metrics/Counter.java",
                include_str!("quiet/metrics/Counter.java"),
            ),
            (
                "metrics/ExponentiallyDecayingReservoir.java",
                include_str!("quiet/metrics/ExponentiallyDecayingReservoir.java"),
            ),
            (
                "metrics/Histogram.java",
                include_str!("quiet/metrics/Histogram.java"),
            ),
            (
                "metrics/Meter.java",
                include_str!("quiet/metrics/Meter.java"),
            ),
            (
                "metrics/Timer.java",
                include_str!("quiet/metrics/Timer.java"),
            ),
        ],
        makes: None,
    },
    Quiet {
        class: "io/opentelemetry/api/GlobalOpenTelemetry",
        beside: "io/opentelemetry/api/metrics/MeterProvider",
        without: None,
        files: &[(
            "opentelemetry/GlobalOpenTelemetry.java",
            include_str!("quiet/GlobalOpenTelemetry.java"),
        )],
        makes: None,
    },
    Quiet {
        class: "io/opentelemetry/context/LazyStorage",
        beside: "io/opentelemetry/context/ContextStorage",
        without: None,
        files: &[(
            "opentelemetry/LazyStorage.java",
            include_str!("quiet/LazyStorage.java"),
        )],
        makes: None,
    },
    // Dropwizard's before 4.1.
    Quiet {
        class: "com/codahale/metrics/Meter",
        beside: "com/codahale/metrics/EWMA",
        without: Some("com/codahale/metrics/MovingAverages"),
        files: &[
            (
                "metrics/Counter.java",
                include_str!("quiet/metrics/Counter.java"),
            ),
            (
                "metrics/ExponentiallyDecayingReservoir.java",
                include_str!("quiet/metrics/ExponentiallyDecayingReservoir.java"),
            ),
            (
                "metrics/Histogram.java",
                include_str!("quiet/metrics/Histogram.java"),
            ),
            (
                "metrics/Meter.java",
                include_str!("quiet/metrics/EarlierMeter.java"),
            ),
            (
                "metrics/Timer.java",
                include_str!("quiet/metrics/Timer.java"),
            ),
        ],
        makes: None,
    },
    Quiet {
        class: "io/opentracing/util/GlobalTracer",
        beside: "io/opentracing/noop/NoopTracerFactory",
        without: None,
        files: &[(
            "opentracing/GlobalTracer.java",
            include_str!("quiet/GlobalTracer.java"),
        )],
        makes: None,
    },
];

impl Workspace {
    /// The folder that has to come before the class path; `None` where there is no such library.
    pub(super) fn quiet_libraries(
        &self,
        worker: &mut Worker,
        class_path: &[PathBuf],
    ) -> Result<Option<PathBuf>, Error> {
        let path = ClassPath::of(class_path)?;
        let out = self.path("quiet-libraries");
        let mut found = None;
        for library in &LIBRARIES {
            if path.find(library.class)?.is_none() || path.find(library.beside)?.is_none() {
                continue;
            }
            if let Some(other) = library.without
                && path.find(other)?.is_some()
            {
                continue;
            }
            let dir = self.path("quiet-sources");
            let files = library.files.iter();
            let mut texts: Vec<(String, String)> =
                files.map(|f| (f.0.into(), f.1.into())).collect();
            if let Some((interface, name)) = library.makes {
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
