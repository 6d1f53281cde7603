//! Errors that end a run: bad input or environment, each with advice.

use miette::Diagnostic;
use thiserror::Error;

/// Why a run could not be done.
#[derive(Debug, Error, Diagnostic)]
pub enum Error {
    /// The repository or a revision.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Git(#[from] crate::git::GitError),
    /// A source file.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Java(#[from] crate::java::JavaError),
    /// The JDK.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Jdk(#[from] crate::jvm::JdkError),
    /// The compile and replay process.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Worker(#[from] crate::jvm::WorkerError),
    /// Containment.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Containment(#[from] crate::contain::ContainmentError),
    /// A class path.
    #[error(transparent)]
    #[diagnostic(transparent)]
    ClassPath(#[from] crate::bytecode::ClassPathError),
    /// A report that is read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Report(#[from] crate::report::document::ReadError),
    /// GitHub.
    #[error(transparent)]
    #[diagnostic(transparent)]
    GitHub(#[from] crate::github::GitHubError),
    /// No token.
    #[error("there is no token in the environment variable {0}")]
    #[diagnostic(help(
        "in a workflow, set `env: {{ GITHUB_TOKEN: ${{{{ github.token }}}} }}` on the step; --token-env names another variable"
    ))]
    NoToken(String),
    /// A file that can't be read.
    #[error("{what}: {why}")]
    #[diagnostic(help("check the path"))]
    Input {
        /// What was done.
        what: String,
        /// Why it failed.
        why: String,
    },
    /// A version that does not compile.
    #[error("the {version} version does not compile:\n{messages}")]
    #[diagnostic(help(
        "`shadow-ci project` shows the build model; if it is wrong, pass the project's dependencies with --classpath and check --source-root"
    ))]
    Compile {
        /// `old` or `new`.
        version: &'static str,
        /// The compiler's first messages.
        messages: String,
    },
    /// The run's time limit ended the build tool, and without its class path nothing compiles.
    #[error(
        "the time limit ended the build tool, and without its class path nothing compiles:{notes}"
    )]
    #[diagnostic(help(
        "use a higher --timeout, or none: the first run on a project downloads its dependencies; later ones use the kept build model"
    ))]
    NoTime {
        /// What could not be had, and why.
        notes: String,
    },
    /// The compiler itself failed, on sources that may be right.
    #[error("the compiler crashed:\n{messages}")]
    #[diagnostic(help(
        "if an annotation processor crashed, it is too old for this JDK: use a newer one, or set JAVA_HOME to an older JDK; otherwise this is a bug in the JDK: set JAVA_HOME to a newer release"
    ))]
    CompilerCrash {
        /// Where, and by which exception.
        messages: String,
    },
    /// Sources of `explore` that do not compile.
    #[error("the sources do not compile:\n{messages}")]
    #[diagnostic(help("pass their dependencies with --classpath, or add another --source"))]
    Sources {
        /// The compiler's first messages.
        messages: String,
    },
    /// `explore` can't find what it is to explore.
    #[error("{0}")]
    #[diagnostic(help("see `shadow-ci explore --help`"))]
    NoTarget(String),
    /// The configuration file.
    #[error("shadow-ci.toml: {0}")]
    #[diagnostic(help("the keys are the long options' names; see `shadow-ci --help`"))]
    Config(String),
    /// A command line that asks for nothing that there is, or for what excludes each other.
    #[error("{0}")]
    #[diagnostic(help("see `shadow-ci --help`, and `shadow-ci COMMAND --help`"))]
    Usage(String),
    /// Something that could be meant, but is not there.
    #[error("not supported: {0}")]
    #[diagnostic(help("`shadow-ci --help` lists what is supported"))]
    NotSupported(String),
    /// A state that should not be possible.
    #[error("this is a bug in shadow-ci: {0}")]
    #[diagnostic(help("run again with RUST_LOG=shadow_ci=debug, and report this with the output"))]
    Internal(String),
    /// Accepted findings that can't be read, or a finding that can't be accepted.
    #[error("{0}")]
    #[diagnostic(help(
        "run `shadow-ci accept FINDING --reason TEXT` with a finding as the report prints it; docs/accepting.md describes the file"
    ))]
    Accepted(String),
    /// A call to replay that can't be made.
    #[error("cannot replay: {0}")]
    #[diagnostic(help(
        "the `shadow-ci replay` commands in a report show how to write calls; quote the call for the shell"
    ))]
    Replay(String),
    /// Concrete inputs that a concolic run can't follow.
    #[error("concolic mode: {0}")]
    #[diagnostic(help(
        "pass inputs with --input 'demo.Foo.bar(3)' (repeatable; written as for `shadow-ci replay`), or record those of the tests with --inputs-from-tests"
    ))]
    Concolic(String),
    /// The project's tests can't be run.
    #[error("cannot run the project's tests: {0}")]
    #[diagnostic(help(
        "pass JUnit and the other dependencies of the tests with --test-classpath (Maven: `mvn dependency:build-classpath -DincludeScope=test`)"
    ))]
    Tests(String),
    /// Files that can't be written.
    #[error("{what}: {why}")]
    #[diagnostic(help("check permissions and free space"))]
    Io {
        /// What was done.
        what: String,
        /// Why it failed.
        why: String,
    },
}
