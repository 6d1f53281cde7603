//! Calls of logging libraries: what logs, asks for a level, or makes a logger.

use super::class_file::MemberRef;

/// What a call of a logging library does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoggerCall {
    /// Logs, and returns nothing.
    Logs,
    /// Asks whether something would be logged.
    Asks,
    /// Gives a logger, never `null`.
    Makes,
}

/// Types of loggers: slf4j, commons-logging, `java.util.logging`, Log4j 1 and 2, `System.Logger`.
pub const LOGGERS: [&str; 7] = [
    "org/slf4j/Logger",
    "org/apache/commons/logging/Log",
    "java/util/logging/Logger",
    "org/apache/log4j/Logger",
    "org/apache/log4j/Category",
    "org/apache/logging/log4j/Logger",
    "java/lang/System$Logger",
];

/// Methods that log, of any of these types.
const LOGGING: [&str; 18] = [
    "trace", "debug", "info", "warn", "error", "fatal", "log", "logp", "logrb", "severe",
    "warning", "config", "fine", "finer", "finest", "entering", "exiting", "throwing",
];

/// Types of the levels that calls are given.
const LEVELS: [&str; 5] = [
    "java/util/logging/Level",
    "java/lang/System$Logger$Level",
    "org/apache/log4j/Level",
    "org/apache/log4j/Priority",
    "org/apache/logging/log4j/Level",
];

/// Static methods that give loggers.
const FACTORIES: [(&str, &[&str]); 7] = [
    ("org/slf4j/LoggerFactory", &["getLogger"]),
    ("org/apache/commons/logging/LogFactory", &["getLog"]),
    (
        "java/util/logging/Logger",
        &["getLogger", "getAnonymousLogger", "getGlobal"],
    ),
    ("org/apache/log4j/Logger", &["getLogger", "getRootLogger"]),
    (
        "org/apache/log4j/LogManager",
        &["getLogger", "getRootLogger"],
    ),
    (
        "org/apache/logging/log4j/LogManager",
        &["getLogger", "getFormatterLogger", "getRootLogger"],
    ),
    ("java/lang/System", &["getLogger"]),
];

/// What a call does if it is one of a logging library that is silent in the engine and in replays (docs/limits.md, "Loggers, metrics
/// and tracing"). The program's own implementations of a logger's interface are the caller's to rule out.
pub fn logger_call(member: &MemberRef) -> Option<LoggerCall> {
    let (class, name) = (&*member.class, &*member.name);
    let makes = |f: &(&str, &[&str])| f.0 == class && f.1.contains(&name);
    if FACTORIES.iter().any(makes) {
        return Some(LoggerCall::Makes);
    }
    if !LOGGERS.contains(&class) {
        return None;
    }
    let asks = name == "isLoggable" || name.starts_with("is") && name.contains("Enabled");
    // Without a record there is nothing to log, and that is an error.
    if member.descriptor.contains("LogRecord;") {
        return None;
    }
    match member.descriptor.rsplit(')').next() {
        Some("V") if LOGGING.contains(&name) => Some(LoggerCall::Logs),
        Some("Z") if asks => Some(LoggerCall::Asks),
        _ => None,
    }
}

/// Whether a static field of a class is the constant of a level.
pub fn is_level(class: &str) -> bool {
    LEVELS.contains(&class)
}
