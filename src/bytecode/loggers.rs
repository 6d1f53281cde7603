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

/// Types of loggers: slf4j, commons-logging, `java.util.logging`, Log4j 1 and 2, Maven, `System.Logger`.
pub const LOGGERS: [&str; 8] = [
    "org/slf4j/Logger",
    "org/apache/commons/logging/Log",
    "java/util/logging/Logger",
    "org/apache/log4j/Logger",
    "org/apache/log4j/Category",
    "org/apache/logging/log4j/Logger",
    MAVEN,
    "java/lang/System$Logger",
];

/// The type of Maven's loggers, and what gives a goal its own.
const MAVEN: &str = "org/apache/maven/plugin/logging/Log";
const MOJO: &str = "org/apache/maven/plugin/AbstractMojo";

/// Methods that log, of any of these types.
const LOGGING: [&str; 18] = [
    "trace", "debug", "info", "warn", "error", "fatal", "log", "logp", "logrb", "severe",
    "warning", "config", "fine", "finer", "finest", "entering", "exiting", "throwing",
];

/// Types of the levels that calls are given.
const LEVELS: [&str; 6] = [
    "org/slf4j/event/Level",
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

/// What a method of that name does in a logging library that is silent in the engine and in replays (docs/limits.md, "Loggers, metrics
/// and tracing").
pub fn logger_method(class: &str, name: &str) -> Option<LoggerCall> {
    let makes = |f: &(&str, &[&str])| f.0 == class && f.1.contains(&name);
    let asks = || name == "isLoggable" || name.starts_with("is") && name.contains("Enabled");
    match () {
        () if FACTORIES.iter().any(makes) => Some(LoggerCall::Makes),
        () if !LOGGERS.contains(&class) => None,
        () if LOGGING.contains(&name) => Some(LoggerCall::Logs),
        () => asks().then_some(LoggerCall::Asks),
    }
}

/// The same of a call. The program's own implementations of a logger's interface are the caller's to rule out.
pub fn logger_call(member: &MemberRef) -> Option<LoggerCall> {
    let result = member.descriptor.rsplit(')').next();
    logger_method(&member.class, &member.name).filter(|call| match call {
        // Without a record there is nothing to log, and that is an error.
        LoggerCall::Logs => result == Some("V") && !member.descriptor.contains("LogRecord;"),
        LoggerCall::Asks => result == Some("Z"),
        LoggerCall::Makes => true,
    })
}

/// Whether a method is the one that gives a goal of Maven its logger, never `null`; `class` declares it.
pub fn gives_mojo_log(class: &str, member: &MemberRef) -> bool {
    let result = member.descriptor.strip_prefix("()L");
    let is_log = result.and_then(|r| r.strip_suffix(';')) == Some(MAVEN);
    class == MOJO && &*member.name == "getLog" && is_log
}

/// Whether a class is that of levels, whose constants its static fields hold.
pub fn is_level(class: &str) -> bool {
    LEVELS.contains(&class)
}
