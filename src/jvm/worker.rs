//! The worker: a JVM that compiles and one that runs tested code, each started when it is first needed, with what it may reach, and
//! started again when the code under test has killed, hung or changed it.

use super::compile::{CompileRequest, CompileResult};
use super::compiled::Kept;
use super::compilers::Compilers;
use super::jdk::Jdk;
use super::launch::launch;
use super::process::{Answer, Asked, Process};
use super::search::{SearchRequest, Searched, told};
use super::wire::Writer;
use crate::contain::{Containment, Limits, Policy};
use crate::model::Inputs;
use crate::util::deadline::Deadline;
use crate::util::parallel::both;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const SOURCES: &[(&str, &str)] = &[
    ("Worker.java", include_str!("worker/Worker.java")),
    ("Compilation.java", include_str!("worker/Compilation.java")),
    ("Wire.java", include_str!("worker/Wire.java")),
    ("Values.java", include_str!("worker/Values.java")),
    ("Bounded.java", include_str!("worker/Bounded.java")),
    (
        "ClassPathLoader.java",
        include_str!("worker/ClassPathLoader.java"),
    ),
    ("Visible.java", include_str!("worker/Visible.java")),
    ("Stateless.java", include_str!("worker/Stateless.java")),
    ("Contents.java", include_str!("worker/Contents.java")),
    ("Extended.java", include_str!("worker/Extended.java")),
    ("Getters.java", include_str!("worker/Getters.java")),
    ("Given.java", include_str!("worker/Given.java")),
    ("Wrapped.java", include_str!("worker/Wrapped.java")),
    ("Behind.java", include_str!("worker/Behind.java")),
    ("Patience.java", include_str!("worker/Patience.java")),
    ("Replay.java", include_str!("worker/Replay.java")),
    ("JvmText.java", include_str!("worker/JvmText.java")),
    ("Search.java", include_str!("worker/search/Search.java")),
    ("Beside.java", include_str!("worker/search/Beside.java")),
    ("Watch.java", include_str!("worker/search/Watch.java")),
    (
        "Surroundings.java",
        include_str!("worker/search/Surroundings.java"),
    ),
    ("Trace.java", include_str!("worker/search/Trace.java")),
    (
        "NotCompiled.java",
        include_str!("worker/search/NotCompiled.java"),
    ),
    ("Kind.java", include_str!("worker/search/Kind.java")),
    ("Node.java", include_str!("worker/search/Node.java")),
    ("Digits.java", include_str!("worker/search/Digits.java")),
    ("Encoded.java", include_str!("worker/search/Encoded.java")),
    ("Side.java", include_str!("worker/search/Side.java")),
    ("Words.java", include_str!("worker/search/Words.java")),
    ("Formats.java", include_str!("worker/search/Formats.java")),
    (
        "Generator.java",
        include_str!("worker/search/Generator.java"),
    ),
    ("Changes.java", include_str!("worker/search/Changes.java")),
    ("Compared.java", include_str!("worker/search/Compared.java")),
    ("Letters.java", include_str!("worker/search/Letters.java")),
    ("Mending.java", include_str!("worker/search/Mending.java")),
    ("Sharing.java", include_str!("worker/search/Sharing.java")),
    ("Answers.java", include_str!("worker/search/Answers.java")),
    ("Functions.java", include_str!("worker/Functions.java")),
    ("Ease.java", include_str!("worker/search/Ease.java")),
    ("Observer.java", include_str!("worker/search/Observer.java")),
    ("Distance.java", include_str!("worker/search/Distance.java")),
    ("Pairs.java", include_str!("worker/search/Pairs.java")),
    ("Operands.java", include_str!("worker/search/Operands.java")),
    ("Simpler.java", include_str!("worker/search/Simpler.java")),
    ("TraceText.java", include_str!("worker/TraceText.java")),
    ("Traces.java", include_str!("worker/Traces.java")),
    ("Left.java", include_str!("worker/Left.java")),
    ("Printed.java", include_str!("worker/Printed.java")),
    ("Ended.java", include_str!("worker/Ended.java")),
    ("Exits.java", include_str!("worker/Exits.java")),
    ("Tested.java", include_str!("worker/Tested.java")),
];

/// The classes of javac as the JVM keeps them (class-data sharing): a compiling JVM that has them starts in two thirds of the time.
const ARCHIVE: &str = "javac.jsa";

/// The worker is small: to optimise javac while it compiles it costs more than that saves (docs/performance.md).
const QUICK_BUILD: [&str; 2] = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"];

/// Packages of javac that older annotation processors, Lombok's among them, reach into: JDK 16 closed them.
const OPENED: [&str; 11] = [
    "api",
    "code",
    "comp",
    "file",
    "jvm",
    "main",
    "model",
    "parser",
    "processing",
    "tree",
    "util",
];

/// How long a compilation may take before the worker is taken for hung.
const COMPILE_LIMIT: Duration = Duration::from_secs(600);

/// How long a search may take before the worker is taken for hung: it watches its own runs.
const SEARCH_LIMIT: Duration = Duration::from_secs(900);

/// How late a search may be that is told its time.
const LATE: Duration = Duration::from_secs(1);

/// The heap of a JVM that runs tested code: the same on every machine.
const REPLAY_HEAP: &str = "-Xmx2g";

/// Flags of a JVM that runs tested code; it may see what a writer or stream wraps (`Wrapped.java`).
const RUNNING: [&str; 3] = [
    REPLAY_HEAP,
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.cs=ALL-UNNAMED",
];

/// Its limits: besides the heap, room for classes, code and some thousand stacks.
const REPLAY_LIMITS: Limits = Limits {
    address_space: Some(8 << 30),
    file_size: Some(64 << 20),
    open_files: Some(4096),
    cpu_seconds: Some(3600),
};

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
    #[diagnostic(help("run again with RUST_LOG=shadow_ci=debug, and report this with the output"))]
    Broken(String),
    /// It was ended by a limit on its time ([`Worker::compile_by`]).
    #[error("the time limit of the run ended before javac did")]
    #[diagnostic(help("give the run more time with --timeout"))]
    Late,
}

/// A handle to the worker processes.
pub struct Worker {
    jdk: Jdk,
    containment: Containment,
    classes: PathBuf,
    kept: Option<Kept>,
    compiler: Option<Process>,
    /// Where the compiling JVM comes from, and stays behind.
    compilers: Compilers,
    pub(super) runner: Option<Process>,
    /// Processes of searches that have ended and left nothing behind.
    searching: VecDeque<Process>,
    /// What tested code may read.
    readable: BTreeSet<PathBuf>,
    /// Packages of the JDK that javac was let into, and that the project has open, as options.
    exported: BTreeSet<String>,
    /// When the whole run ends.
    pub(super) end: Deadline,
    /// Whether replays ask objects of libraries what they hold.
    pub(super) asks: bool,
    /// When compilations end.
    compile_end: Deadline,
    /// Another one for work at the same time, once there was some.
    second: Option<Box<Worker>>,
    _temporary: Option<tempfile::TempDir>,
}

/// A process of a search.
struct Side {
    process: Process,
    /// When it is taken for hung.
    end: Deadline,
    /// Whether it asks objects of libraries.
    asks: bool,
    /// What it kept since the last time it told.
    kept: Vec<Inputs>,
    /// What it came to, when it has ended.
    came: Option<Searched>,
}

impl Side {
    /// Waits until it has ended, or tells what it kept.
    fn wait(&mut self) {
        if self.came.is_some() {
            return;
        }
        match self.process.wait_beating(self.end.cut(SEARCH_LIMIT)) {
            Asked::Answer(Answer::Searched(came)) => self.came = Some(*came),
            Asked::Answer(Answer::Kept(kept)) => self.kept = kept,
            _ => self.broke(),
        }
    }

    /// Lets it go on, with what others kept, or end, as another one has found something.
    fn tell(&mut self, is_found: bool, kept: &[&Inputs]) {
        if self.came.is_none() && !self.process.send(&told(is_found, kept)) {
            self.broke();
        }
    }

    /// It has ended without an answer.
    fn broke(&mut self) {
        let said = self.process.stop();
        let crashed_in = self.process.crashed_in();
        tracing::debug!(%said, ?crashed_in, "the search ended without an answer");
        self.came = Some(Searched {
            broken: true,
            crashed_in,
            running: self.process.running(),
            is_unasked: !self.asks,
            ..Searched::default()
        });
    }
}

impl Worker {
    /// Prepares the worker; its classes are compiled once per JDK version and kept below `cache`.
    ///
    /// # Errors
    /// The JDK does not work.
    pub fn start(
        jdk: &Jdk,
        cache: Option<&Path>,
        containment: &Containment,
    ) -> Result<Worker, WorkerError> {
        let (classes, temporary) = classes(jdk, cache)?;
        Ok(Worker {
            jdk: jdk.clone(),
            containment: containment.clone(),
            readable: BTreeSet::from([classes.clone()]),
            classes,
            exported: BTreeSet::new(),
            kept: cache.map(|cache| Kept::of(cache, jdk)),
            compiler: None,
            compilers: Compilers::default(),
            runner: None,
            searching: VecDeque::new(),
            end: Deadline::default(),
            asks: true,
            compile_end: Deadline::default(),
            second: None,
            _temporary: temporary,
        })
    }

    /// Compiles in a JVM of these, and leaves it to them.
    pub fn compile_in(&mut self, compilers: &Compilers) {
        self.compilers = compilers.clone();
    }

    /// Ends with the run: no replay takes longer than is left, but for a moment that usual ones need.
    pub fn end_by(&mut self, end: Deadline) {
        self.end = end;
    }

    /// Lets replays from now on ask objects of libraries what they hold, or not: not where that is known not to end.
    pub fn ask_libraries(&mut self, asks: bool) {
        self.asks = asks;
    }

    /// Another one of the same kind with processes of its own, which must not outlive this one.
    fn beside(&self) -> Worker {
        Worker {
            second: None,
            compile_end: self.compile_end,
            jdk: self.jdk.clone(),
            containment: self.containment.clone(),
            readable: BTreeSet::from([self.classes.clone()]),
            classes: self.classes.clone(),
            exported: self.exported.clone(),
            kept: self.kept.clone(),
            compiler: None,
            compilers: self.compilers.clone(),
            runner: None,
            searching: VecDeque::new(),
            end: self.end,
            asks: self.asks,
            _temporary: None,
        }
    }

    /// Does two things at the same time, the first one with the processes of another one, which stay for the next time.
    pub fn both<A: Send, B>(
        &mut self,
        first: impl FnOnce(&mut Worker) -> A + Send,
        second: impl FnOnce(&mut Worker) -> B,
    ) -> (A, B) {
        let mut beside = match self.second.take() {
            Some(beside) => beside,
            None => Box::new(self.beside()),
        };
        let (a, b) = both(true, || first(&mut beside), || second(self));
        self.second = Some(beside);
        (a, b)
    }

    /// Ends the processes for work at the same time.
    pub fn end_second(&mut self) {
        self.second = None;
    }

    /// Lets tested code read these files and folders. A JVM that may not yet is started again: better told before it runs.
    pub fn may_read<'a>(&mut self, paths: impl IntoIterator<Item = &'a PathBuf>) {
        let before = self.readable.len();
        for path in paths {
            if !self.readable.iter().any(|known| path.starts_with(known)) {
                self.readable.extend(absolute(std::slice::from_ref(path)));
            }
        }
        if self.readable.len() > before {
            self.runner = None;
        }
    }

    /// Goes on with the JVM in which another one ran tested code, where it has none and that one may read as much.
    pub fn go_on_with(&mut self, mut other: Worker) {
        let fits = self.exported == other.exported && self.readable.is_subset(&other.readable);
        if fits && self.runner.is_none() {
            self.runner = other.runner.take();
            self.readable = std::mem::take(&mut other.readable);
        }
    }

    /// When the whole run ends.
    pub fn end(&self) -> Deadline {
        self.end
    }

    /// Ends compilations from now on by that moment.
    pub fn compile_by(&mut self, end: Deadline) {
        self.compile_end = end;
    }

    /// Compiles, or takes what the same request gave before.
    ///
    /// # Errors
    /// The JVM does not start, ends without an answer, or is late.
    pub fn compile(&mut self, request: &CompileRequest) -> Result<CompileResult, WorkerError> {
        let place = self.kept.as_ref().and_then(|kept| kept.place(request));
        let known = self.kept.as_ref().zip(place.as_ref());
        if known.is_some_and(|(kept, place)| kept.restore(place, &request.out)) {
            return Ok(CompileResult {
                success: true,
                diagnostics: Vec::new(),
                crashed: false,
            });
        }
        let started = std::time::Instant::now();
        let result = self.compile_now(request)?;
        let (files, seconds) = (request.sources.len(), started.elapsed().as_secs_f32());
        let first = request.sources.first();
        tracing::debug!(files, seconds, success = result.success, ?first, "compiled");
        if let (true, Some(kept), Some(place)) = (result.success, &self.kept, &place) {
            kept.keep(place, &request.out);
        }
        Ok(result)
    }

    /// Lets code run with the packages of the JDK that these options export to it: it was compiled with them.
    pub fn export(&mut self, options: &[String]) {
        let before = self.exported.len();
        self.exported.extend(options.iter().cloned());
        if self.exported.len() > before {
            self.runner = None;
            self.end_searches();
        }
    }

    /// The options that export packages of the JDK, as javac takes them: what opens some is none of its options.
    pub fn exports(&self) -> Vec<String> {
        let exports = |option: &&String| option.starts_with("--add-exports=");
        self.exported.iter().filter(exports).cloned().collect()
    }

    /// Flags of a JVM that runs tested code.
    fn running(&self) -> Vec<&str> {
        let exported = self.exported.iter().map(String::as_str);
        RUNNING.into_iter().chain(exported).collect()
    }

    fn compile_now(&mut self, request: &CompileRequest) -> Result<CompileResult, WorkerError> {
        let mut w = Writer::default();
        w.byte(b'C');
        // What runs with processors runs in another folder.
        let text = |p: &PathBuf| match request.runs_processors() {
            true => std::path::absolute(p).unwrap_or_else(|_| p.clone()),
            false => p.clone(),
        };
        let text = |p: &PathBuf| text(p).to_string_lossy().to_string();
        w.strings(request.sources.iter().map(text));
        w.strings(request.source_path.iter().map(text));
        w.strings(request.class_path.iter().map(text));
        w.string(&text(&request.out));
        let mut flags = request.flags.clone();
        if !request.runs_processors() {
            flags.push("-proc:none".into());
        }
        w.strings(flags.into_iter());
        let end = self.compile_end;
        let mut contained;
        let compiler = if request.runs_processors() {
            contained = self.processing(request)?;
            &mut contained
        } else {
            self.compiler()?
        };
        match compiler.ask(&w.0, end.cut(COMPILE_LIMIT)) {
            Asked::Answer(Answer::Compiled(result)) => Ok(result),
            _ if end.is_over() => {
                self.compiler = None;
                Err(WorkerError::Late)
            }
            _ => {
                self.compiler = None;
                let why = "the compiler ended without an answer";
                Err(WorkerError::Broken(why.into()))
            }
        }
    }

    /// Searches for inputs on which both versions differ. The worker's death ends a search early. Several requests of one search run beside
    /// each other, and tell each other what they kept after as many runs, whoever is faster: so the load of the machine decides nothing.
    ///
    /// # Errors
    /// The process can't be started again.
    pub fn search(&mut self, requests: &[SearchRequest]) -> Result<Searched, WorkerError> {
        let sides = requests.iter().map(|request| self.side(request));
        let mut sides = sides.collect::<Result<Vec<Side>, _>>()?;
        while sides.iter().any(|side| side.came.is_none()) {
            sides.iter_mut().for_each(Side::wait);
            let ends = |side: &Side| {
                side.came
                    .as_ref()
                    .is_some_and(|came| !came.found.is_empty())
            };
            let is_found = sides.iter().any(ends);
            let kept: Vec<Vec<Inputs>> = sides
                .iter_mut()
                .map(|s| std::mem::take(&mut s.kept))
                .collect();
            for (at, side) in sides.iter_mut().enumerate() {
                let others = kept.iter().enumerate().filter(|other| other.0 != at);
                let others: Vec<&Inputs> = others.flat_map(|other| other.1).collect();
                side.tell(is_found, &others);
            }
        }
        let (mut came, mut clean) = (Vec::new(), VecDeque::new());
        for side in sides {
            if side.came.as_ref().is_some_and(|came| came.is_clean) {
                clean.push_back(side.process);
            }
            came.extend(side.came);
        }
        // Those that this search did not need come behind.
        clean.append(&mut self.searching);
        self.searching = clean;
        Ok(Searched::together(came))
    }

    /// Ends what later searches of the same method could go on in: those of another method must not depend on what came before.
    pub fn end_searches(&mut self) {
        self.searching.clear();
    }

    /// Begins a search in a JVM in which no other code ran than that of searches which left nothing behind.
    fn side(&mut self, request: &SearchRequest) -> Result<Side, WorkerError> {
        let paths = [absolute(request.old), absolute(request.new)];
        let policy = Policy {
            read: [vec![self.classes.clone()], paths.concat()].concat(),
            limits: REPLAY_LIMITS,
            ..Policy::default()
        };
        let mut process = match self.searching.pop_front() {
            Some(process) => process,
            None => self.launch(policy, &self.running())?,
        };
        let request = SearchRequest {
            old: &paths[0],
            new: &paths[1],
            ..request.clone()
        };
        let is_sent = process.send(&request.encoded());
        // A broken JVM does not keep to its time.
        let limit = request
            .time
            .map_or(SEARCH_LIMIT, |time| SEARCH_LIMIT.min(time + LATE));
        let mut side = Side {
            process,
            end: Deadline::after(Some(limit)),
            asks: request.asks,
            kept: Vec::new(),
            came: None,
        };
        if !is_sent {
            side.broke();
        }
        Ok(side)
    }

    /// The JDK it runs in.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The system properties of the worker's JVM, which are those of replays.
    ///
    /// # Errors
    /// The process ended or can't be understood.
    pub fn properties(&mut self) -> Result<BTreeMap<String, String>, WorkerError> {
        match self.runner()?.ask(b"P", Duration::from_secs(60)) {
            Asked::Answer(Answer::Properties(found)) => Ok(found),
            _ => Err(WorkerError::Broken(
                "asking for system properties ended without an answer".into(),
            )),
        }
    }

    /// The JVM that compiles. It runs none of the code: it reads what it likes, and writes where temporary files go.
    fn compiler(&mut self) -> Result<&mut Process, WorkerError> {
        if self.compiler.is_none() {
            self.compiler = self.compilers.take(&self.jdk, &self.classes);
        }
        if self.compiler.is_none() {
            let policy = Policy {
                read: vec!["/".into()],
                write: vec![std::env::temp_dir()],
                // Names of sources mean what they mean here.
                folder: std::env::current_dir().ok(),
                ..Policy::default()
            };
            let archive = self.archive();
            let flags: Vec<&str> = archive.iter().map(String::as_str).collect();
            self.compiler = Some(self.launch(policy, &flags)?);
        }
        self.compiler.as_mut().ok_or_else(not_there)
    }

    /// The flag that takes javac's classes ready-made, where they were kept.
    fn archive(&self) -> Option<String> {
        let file = self.classes.join(ARCHIVE);
        file.is_file()
            .then(|| format!("-XX:SharedArchiveFile={}", file.display()))
    }

    /// A JVM that compiles with annotation processors, which are code of the project's: it reads what this compilation needs, and
    /// writes classes only.
    fn processing(&self, request: &CompileRequest) -> Result<Process, WorkerError> {
        let mut read = absolute(&request.reads());
        read.push(self.classes.clone());
        let write = absolute(std::slice::from_ref(&request.out));
        read.extend(write.iter().cloned());
        let policy = Policy {
            read,
            write,
            ..Policy::default()
        };
        let opened: Vec<String> = OPENED
            .iter()
            .map(|p| format!("--add-opens=jdk.compiler/com.sun.tools.javac.{p}=ALL-UNNAMED"))
            .collect();
        let flags: Vec<&str> = opened.iter().map(String::as_str).collect();
        self.launch(policy, &flags)
    }

    /// The JVM that runs tested code.
    pub(super) fn runner(&mut self) -> Result<&mut Process, WorkerError> {
        if self.runner.is_none() {
            let policy = Policy {
                read: self.readable.iter().cloned().collect(),
                limits: REPLAY_LIMITS,
                ..Policy::default()
            };
            self.runner = Some(self.launch(policy, &self.running())?);
        }
        self.runner.as_mut().ok_or_else(not_there)
    }

    fn launch(&self, policy: Policy, flags: &[&str]) -> Result<Process, WorkerError> {
        let mut arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
        arguments.extend(["-cp".into(), self.classes.clone().into()]);
        arguments.push("com.shadowci.worker.Worker".into());
        arguments.extend(["/dev/fd/3".into(), "/dev/fd/4".into()]);
        let java = self.jdk.java();
        let jvm = launch(&self.jdk, &self.containment, policy, arguments);
        let jvm = jvm.map_err(|e| WorkerError::Start {
            tool: java.display().to_string(),
            why: e.to_string(),
        })?;
        Process::of(jvm, &java)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // One that broke was let go of before.
        if let Some(compiler) = self.compiler.take() {
            self.compilers.give(&self.jdk, &self.classes, compiler);
        }
    }
}

/// Tested code runs elsewhere.
pub(super) fn absolute(paths: &[PathBuf]) -> Vec<PathBuf> {
    let absolute = |p: &PathBuf| std::path::absolute(p).unwrap_or_else(|_| p.clone());
    paths.iter().map(absolute).collect()
}

pub(super) fn not_there() -> WorkerError {
    WorkerError::Broken("it was not started".into())
}

/// The folder of the worker's classes, and what keeps it where it is of this run only.
fn classes(
    jdk: &Jdk,
    cache: Option<&Path>,
) -> Result<(PathBuf, Option<tempfile::TempDir>), WorkerError> {
    let mut hash = Sha256::new();
    SOURCES.iter().for_each(|(_, text)| hash.update(text));
    hash.update(ARCHIVE);
    let key: String = hash
        .finalize()
        .iter()
        .take(8)
        .map(|b| format!("{b:02x}"))
        .collect();
    let name = format!("worker-{}-{key}", jdk.version);
    if let Some(dir) = cache.map(|c| c.join(&name)) {
        if dir.join("com/shadowci/worker/Worker.class").is_file() {
            return Ok((dir, None));
        }
        if let Some(parent) = dir.parent().filter(|p| std::fs::create_dir_all(p).is_ok())
            && let Ok(staging) = tempfile::tempdir_in(parent)
        {
            build(jdk, staging.path(), true)?;
            // Another run may have been faster: its folder holds the same.
            let _ = std::fs::rename(staging.path().join("classes"), &dir);
            if dir.is_dir() {
                return Ok((dir, None));
            }
        }
    }
    let temporary =
        crate::util::temporary::folder("worker").map_err(|e| WorkerError::Broken(e.to_string()))?;
    build(jdk, temporary.path(), false)?;
    Ok((temporary.path().join("classes"), Some(temporary)))
}

/// Compiles the worker, and keeps javac's classes beside it where others `will_follow`.
fn build(jdk: &Jdk, dir: &Path, will_follow: bool) -> Result<(), WorkerError> {
    let start = |why: String| WorkerError::Start {
        tool: jdk.javac().display().to_string(),
        why,
    };
    let classes = dir.join("classes");
    std::fs::create_dir_all(&classes).map_err(|e| start(e.to_string()))?;
    let mut command = Command::new(jdk.javac());
    command.args(QUICK_BUILD);
    if will_follow {
        // A JVM that can't keep them says so, and compiles.
        let mut keep = OsString::from("-J-XX:ArchiveClassesAtExit=");
        keep.push(classes.join(ARCHIVE));
        command.arg(keep);
    }
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
