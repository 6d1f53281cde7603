//! The worker process: started once, restarted when the code under test has killed or hung it.

use super::jdk::Jdk;
use super::search::{SearchRequest, Searched, searched};
use super::wire::{Reader, Writer};
use crate::model::{End, Inputs, MethodId, Outcome};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

const SOURCES: [(&str, &str); 15] = [
    ("Worker.java", include_str!("worker/Worker.java")),
    ("Compilation.java", include_str!("worker/Compilation.java")),
    ("Wire.java", include_str!("worker/Wire.java")),
    ("Values.java", include_str!("worker/Values.java")),
    ("Replay.java", include_str!("worker/Replay.java")),
    ("Search.java", include_str!("worker/search/Search.java")),
    ("Trace.java", include_str!("worker/search/Trace.java")),
    ("Kind.java", include_str!("worker/search/Kind.java")),
    ("Node.java", include_str!("worker/search/Node.java")),
    ("Side.java", include_str!("worker/search/Side.java")),
    ("Words.java", include_str!("worker/search/Words.java")),
    (
        "Generator.java",
        include_str!("worker/search/Generator.java"),
    ),
    ("Observer.java", include_str!("worker/search/Observer.java")),
    ("Operands.java", include_str!("worker/search/Operands.java")),
    ("Simpler.java", include_str!("worker/search/Simpler.java")),
];

/// How long a compilation may take before the worker is taken for hung.
const COMPILE_LIMIT: Duration = Duration::from_secs(600);

/// How long a search may take before the worker is taken for hung: it watches its own runs.
const SEARCH_LIMIT: Duration = Duration::from_secs(900);

/// What the outcome says of a run that ended the JVM itself.
pub const ENDED_THE_PROCESS: &str = "the program ended the process";

/// The worker can't do its work.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum WorkerError {
    /// The JDK's tools don't run.
    #[error("cannot run {tool}: {why}")]
    #[diagnostic(help("check that JAVA_HOME names a working JDK"))]
    Start {
        /// Which tool.
        tool: String,
        /// Why.
        why: String,
    },
    /// Its answer makes no sense, or it is gone.
    #[error("the compile and replay process failed: {0}")]
    #[diagnostic(help("run again with RUST_LOG=debug and report this"))]
    Broken(String),
}

/// Sources to compile.
#[derive(Clone, Debug, Default)]
pub struct CompileRequest {
    /// Source files.
    pub sources: Vec<PathBuf>,
    /// Roots in which further sources are found by name.
    pub source_path: Vec<PathBuf>,
    /// Class path.
    pub class_path: Vec<PathBuf>,
    /// Folder the classes go to.
    pub out: PathBuf,
}

/// A compiler message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Source file, as given to the compiler.
    pub file: String,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Offset in the file in UTF-16 units; `u32::MAX` when unknown.
    pub position: u32,
    /// The text.
    pub message: String,
    /// Whether it is an error.
    pub error: bool,
}

/// What the compiler said.
#[derive(Clone, Debug)]
pub struct CompileResult {
    /// Whether all went well.
    pub success: bool,
    /// Its messages; of a crash, the file it was at and the exception.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it failed by a bug of its own.
    pub crashed: bool,
}

impl CompileResult {
    /// The first errors, a line each; files as they are called below the folder.
    pub fn messages(&self, base: &Path) -> String {
        let errors = self.diagnostics.iter().filter(|d| d.error).take(5);
        let shown = errors.map(|d| {
            let file = Path::new(&d.file);
            let file = file.strip_prefix(base).unwrap_or(file).display();
            let first = d.message.lines().next().unwrap_or_default();
            match (d.file.is_empty(), d.line) {
                (true, _) => format!("  {first}"),
                (_, 0) => format!("  {file}: {first}"),
                (_, line) => format!("  {file}:{line}: {first}"),
            }
        });
        shown.collect::<Vec<_>>().join("\n")
    }
}

/// One input to run in one version.
#[derive(Clone, Debug)]
pub struct ReplayRequest<'a> {
    /// The version's build, then dependencies.
    pub class_path: &'a [PathBuf],
    /// What to call.
    pub entry: &'a MethodId,
    /// Whether it is static.
    pub is_static: bool,
    /// With what.
    pub inputs: &'a Inputs,
    /// For how long at most.
    pub limit: Duration,
}

struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Answer>,
}

enum Answer {
    Compiled(CompileResult),
    Replayed(Outcome),
    Searched(Searched),
    Properties(BTreeMap<String, String>),
}

/// A handle to the worker process.
pub struct Worker {
    jdk: Jdk,
    classes: PathBuf,
    process: Option<Process>,
    _temporary: Option<tempfile::TempDir>,
}

impl Worker {
    /// Prepares the worker; its classes are compiled once per JDK version and kept below `cache`.
    pub fn start(jdk: &Jdk, cache: Option<&Path>) -> Result<Worker, WorkerError> {
        let mut hash = Sha256::new();
        SOURCES.iter().for_each(|(_, text)| hash.update(text));
        let key: String = hash
            .finalize()
            .iter()
            .take(8)
            .map(|b| format!("{b:02x}"))
            .collect();
        let name = format!("worker-{}-{key}", jdk.version);
        if let Some(dir) = cache.map(|c| c.join(&name)) {
            if dir.join("com/shadowci/worker/Worker.class").is_file() {
                return Ok(Worker {
                    jdk: jdk.clone(),
                    classes: dir,
                    process: None,
                    _temporary: None,
                });
            }
            if let Some(parent) = dir.parent().filter(|p| std::fs::create_dir_all(p).is_ok())
                && let Ok(staging) = tempfile::tempdir_in(parent)
            {
                build(jdk, staging.path())?;
                // Another run may have been faster: its folder holds the same.
                let _ = std::fs::rename(staging.path().join("classes"), &dir);
                if dir.is_dir() {
                    return Ok(Worker {
                        jdk: jdk.clone(),
                        classes: dir,
                        process: None,
                        _temporary: None,
                    });
                }
            }
        }
        let temporary = tempfile::tempdir().map_err(|e| WorkerError::Broken(e.to_string()))?;
        build(jdk, temporary.path())?;
        let classes = temporary.path().join("classes");
        Ok(Worker {
            jdk: jdk.clone(),
            classes,
            process: None,
            _temporary: Some(temporary),
        })
    }

    /// Compiles.
    pub fn compile(&mut self, request: &CompileRequest) -> Result<CompileResult, WorkerError> {
        let mut w = Writer::default();
        w.byte(b'C');
        let text = |p: &PathBuf| p.to_string_lossy().to_string();
        w.strings(request.sources.iter().map(text));
        w.strings(request.source_path.iter().map(text));
        w.strings(request.class_path.iter().map(text));
        w.string(&text(&request.out));
        w.strings(std::iter::empty::<String>());
        match self.ask(&w.0, COMPILE_LIMIT)? {
            Some(Answer::Compiled(result)) => Ok(result),
            _ => Err(WorkerError::Broken(
                "the compiler ended without an answer".into(),
            )),
        }
    }

    /// Runs one input. The worker's death is an outcome, not an error.
    pub fn replay(&mut self, request: &ReplayRequest) -> Result<Outcome, WorkerError> {
        let mut w = Writer::default();
        w.byte(b'R');
        w.strings(
            request
                .class_path
                .iter()
                .map(|p| p.to_string_lossy().to_string()),
        );
        w.method(request.entry);
        w.byte(u8::from(request.is_static));
        w.int(i32::try_from(request.limit.as_millis()).unwrap_or(i32::MAX));
        w.byte(u8::from(request.inputs.receiver.is_some()));
        if let Some(receiver) = &request.inputs.receiver {
            w.input(receiver);
        }
        w.inputs(&request.inputs.args);
        let answer = self.ask(&w.0, request.limit + Duration::from_secs(10))?;
        let failed = |end| Outcome {
            end,
            receiver: None,
            args: Vec::new(),
            printed: Vec::new(),
        };
        Ok(match answer {
            Some(Answer::Replayed(outcome)) => {
                if outcome.end == End::TimedOut {
                    self.stop();
                }
                outcome
            }
            _ => failed(End::Failed(ENDED_THE_PROCESS.into())),
        })
    }

    /// Searches for inputs on which both versions differ. The worker's death ends a search early.
    pub fn search(&mut self, request: &SearchRequest) -> Result<Searched, WorkerError> {
        let answer = self.ask(&request.written(), SEARCH_LIMIT)?;
        let found = match answer {
            Some(Answer::Searched(found)) => found,
            _ => Searched {
                broken: true,
                ..Searched::default()
            },
        };
        // What ran there may have left anything behind.
        self.stop();
        Ok(found)
    }

    /// The JDK it runs in.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The system properties of the worker's JVM, which are those of replays.
    pub fn properties(&mut self) -> Result<BTreeMap<String, String>, WorkerError> {
        match self.ask(b"P", Duration::from_secs(60))? {
            Some(Answer::Properties(found)) => Ok(found),
            _ => Err(WorkerError::Broken(
                "asking for system properties ended without an answer".into(),
            )),
        }
    }

    fn ask(&mut self, request: &[u8], limit: Duration) -> Result<Option<Answer>, WorkerError> {
        if self.process.is_none() {
            self.process = Some(launch(&self.jdk, &self.classes)?);
        }
        let Some(process) = &mut self.process else {
            return Ok(None);
        };
        let sent = process
            .input
            .write_all(request)
            .and_then(|()| process.input.flush());
        if sent.is_err() {
            self.stop();
            return Ok(None);
        }
        match process.answers.recv_timeout(limit) {
            Ok(answer) => Ok(Some(answer)),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                self.stop();
                Ok(None)
            }
        }
    }

    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn build(jdk: &Jdk, dir: &Path) -> Result<(), WorkerError> {
    let start = |why: String| WorkerError::Start {
        tool: jdk.javac().display().to_string(),
        why,
    };
    let classes = dir.join("classes");
    std::fs::create_dir_all(&classes).map_err(|e| start(e.to_string()))?;
    let mut command = Command::new(jdk.javac());
    command
        .arg("-nowarn")
        .arg("-d")
        .arg(&classes)
        .args(["-encoding", "UTF-8"]);
    for (name, text) in SOURCES {
        let file = dir.join(name);
        std::fs::write(&file, text).map_err(|e| start(e.to_string()))?;
        command.arg(file);
    }
    let output = command.output().map_err(|e| start(e.to_string()))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(start(String::from_utf8_lossy(&output.stderr).to_string()))
    }
}

fn launch(jdk: &Jdk, classes: &Path) -> Result<Process, WorkerError> {
    let start = |why: String| WorkerError::Start {
        tool: jdk.java().display().to_string(),
        why,
    };
    // The pipes move out of the way of what the code under test does to its standard streams.
    let mut child = Command::new("/bin/sh")
        .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
        .arg(jdk.java())
        .args([
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Dfile.encoding=UTF-8",
            // Runs are alike on every machine, and as the engine takes them to be.
            "-Duser.language=en",
            "-Duser.country=US",
            "-Duser.timezone=UTC",
        ])
        .arg("-cp")
        .arg(classes)
        .arg("com.shadowci.worker.Worker")
        .args(["/dev/fd/3", "/dev/fd/4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| start(e.to_string()))?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(start("no pipes".into()));
    };
    let (sender, answers) = channel();
    std::thread::spawn(move || {
        let mut reader = Reader(std::io::BufReader::new(output));
        while let Ok(answer) = answer(&mut reader) {
            if sender.send(answer).is_err() {
                break;
            }
        }
    });
    Ok(Process {
        child,
        input,
        answers,
    })
}

/// Answers tell themselves apart: a compilation's begins with 0 or 1, properties with P, a replay's with another letter.
fn answer<R: std::io::BufRead>(reader: &mut Reader<R>) -> std::io::Result<Answer> {
    let first = reader.0.fill_buf()?.first().copied();
    match first {
        Some(0 | 1) => {
            let success = reader.bool()?;
            let n = reader.int()?;
            let mut diagnostics = Vec::new();
            for _ in 0..n {
                diagnostics.push(Diagnostic {
                    file: reader.string()?,
                    line: u32::try_from(reader.int()?).unwrap_or(0),
                    position: u32::try_from(reader.int()?).unwrap_or(u32::MAX),
                    message: reader.string()?,
                    error: reader.bool()?,
                });
            }
            Ok(Answer::Compiled(CompileResult {
                success,
                diagnostics,
                crashed: reader.bool()?,
            }))
        }
        Some(b'P') => {
            reader.byte()?;
            let mut all = BTreeMap::new();
            for _ in 0..reader.int()? {
                all.insert(reader.string()?, reader.string()?);
            }
            Ok(Answer::Properties(all))
        }
        Some(b'S') => {
            reader.byte()?;
            searched(reader).map(Answer::Searched)
        }
        Some(_) => reader.outcome().map(Answer::Replayed),
        None => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
}
