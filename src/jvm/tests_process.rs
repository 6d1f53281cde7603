//! The process that runs a project's tests; after a test that hangs or ends it, a new process continues.

mod events;

use super::jdk::Jdk;
use super::launch::{first_text, java};
use super::recording::{RecordRequest, Recorded, RecordedTest, TestEnd};
use super::wire::Writer;
use super::worker::{WorkerError, absolute};
use crate::contain::{Containment, Folder, Limits, Policy, spawn};
use crate::model::Spelling;
use crate::util::deadline::Deadline;
use crate::util::needless::Needless;
use crate::util::run_delay;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// For the process to start, and to find the tests.
const STARTUP: Duration = Duration::from_secs(60);
/// How often what it wrote is read.
const PAUSE: Duration = Duration::from_millis(10);
/// Address space of the process, in bytes: suites are large.
const ADDRESS_SPACE: u64 = 64 << 30;
/// How many times as long a limit may become on a machine that other work keeps busy.
const PATIENCE: u32 = 4;
/// How often that is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How many CPUs it may keep busy all the time.
const CPUS: u64 = 16;

/// Runs a project's tests and records what they call. Of a test that hangs or ends the process, that is told.
///
/// # Errors
/// The process can't be started, or what it writes makes no sense.
pub fn record(
    jdk: &Jdk,
    containment: &Containment,
    request: &RecordRequest,
) -> Result<Recorded, WorkerError> {
    let mut listener = Listener {
        request,
        recorded: Recorded::default(),
        numbers: FxHashMap::default(),
        around: Vec::new(),
        left: BTreeSet::new(),
        class: None,
        current: None,
        finished: false,
    };
    let mut clock = Clock::of(request);
    let all = || {
        request
            .classes
            .iter()
            .cloned()
            .collect::<BTreeSet<String>>()
    };
    let mut not_run = all();
    for runner in request.runners {
        listener.left = all();
        listener.finished = false;
        while !listener.left.is_empty() && !listener.finished && !clock.is_over() {
            let before = listener.left.len();
            listener.run((jdk, containment), runner, &mut clock)?;
            // It ended before any class began: it would again.
            if listener.left.len() == before {
                break;
            }
        }
        if listener.finished {
            listener.left.clear();
        }
        not_run.retain(|class| listener.left.contains(class));
    }
    let late = clock.is_over();
    let mut recorded = listener.done();
    if late {
        recorded.late = not_run.into_iter().collect();
    } else if !not_run.is_empty() && recorded.failed.is_empty() {
        recorded.failed = "the process ended before any test".into();
    }
    Ok(recorded)
}

/// The time of all tests: what their processes waited for a processor is not counted, within bounds.
struct Clock<'a> {
    begun: Instant,
    limit: Duration,
    deadline: Deadline,
    needless: &'a Needless,
    /// What processes that have ended waited.
    waited: Duration,
}

impl<'a> Clock<'a> {
    fn of(request: &RecordRequest<'a>) -> Clock<'a> {
        Clock {
            begun: Instant::now(),
            limit: request.limit,
            deadline: request.deadline,
            needless: request.needless,
            waited: Duration::ZERO,
        }
    }

    /// Whether the time is over, if no process is at work.
    fn is_over(&self) -> bool {
        self.is_over_with(Duration::ZERO)
    }

    /// Whether the time is over where the process at work waited so long.
    fn is_over_with(&self, waiting: Duration) -> bool {
        let used = self.begun.elapsed();
        let is_over = self.deadline.is_over() || self.needless.is_told();
        is_over || used >= prolonged(self.limit, self.waited + waiting)
    }

    /// Which of the two limits is over.
    fn why_over(&self) -> String {
        match self.deadline.is_over() {
            true => "the time of the whole run was over (--timeout)".to_string(),
            false => format!("{} s were over (--suite-timeout)", self.limit.as_secs()),
        }
    }
}

/// A limit with what was waited for a processor.
fn prolonged(limit: Duration, waited: Duration) -> Duration {
    (limit + waited).min(limit * PATIENCE)
}

struct Listener<'a> {
    request: &'a RecordRequest<'a>,
    recorded: Recorded,
    /// Tests by class and name.
    numbers: FxHashMap<(String, String), usize>,
    /// What is called outside of a test, by the top-level class under way: it is done for each of that class's tests.
    around: Vec<RecordedTest>,
    left: BTreeSet<String>,
    class: Option<String>,
    current: Option<RecordedTest>,
    finished: bool,
}

impl Listener<'_> {
    /// Runs the classes that are left, to the end or until one of them hangs or ends the process.
    fn run(
        &mut self,
        (jdk, containment): (&Jdk, &Containment),
        runner: &str,
        clock: &mut Clock,
    ) -> Result<(), WorkerError> {
        let broken = |e: std::io::Error| WorkerError::Broken(e.to_string());
        let folder = Folder::new().map_err(broken)?;
        let file = folder.path().join("events");
        File::create_new(&file).map_err(broken)?;
        let mut events = File::open(&file).map_err(broken)?;
        let command = self.command((jdk, containment), runner, &folder, &file)?;
        let mut process = self.start(jdk, command)?;
        let (mut unread, mut last) = (Vec::new(), Instant::now());
        let id = process.child.id();
        let (mut waited, mut waited_then, mut looked) = (Duration::ZERO, Duration::ZERO, last);
        let mut limit = STARTUP;
        let why = loop {
            // Asked before reading: what it wrote to the end is then read.
            let gone = process.child.try_wait().map_err(broken)?;
            events.read_to_end(&mut unread).map_err(broken)?;
            if looked.elapsed() >= LOOK {
                (waited, looked) = (run_delay::of(id).max(waited), Instant::now());
            }
            if self.listen(&mut unread).map_err(broken)? > 0 {
                (last, waited_then) = (Instant::now(), waited);
                limit = self.request.test_limit;
            }
            if self.finished {
                break None;
            }
            if let Some(status) = gone {
                break Some((TestEnd::Died, format!("it ended with {status}")));
            }
            if clock.is_over_with(waited) {
                break Some((TestEnd::Hung, clock.why_over()));
            }
            if last.elapsed() >= prolonged(limit, waited - waited_then) {
                let seconds = limit.as_secs();
                break Some((
                    TestEnd::Hung,
                    format!("nothing happened for {seconds} s (--test-timeout)"),
                ));
            }
            std::thread::sleep(PAUSE);
        };
        clock.waited += waited;
        let said = process.stop();
        if let Some((how, why)) = why {
            self.interrupted(how, &why, &said);
        }
        Ok(())
    }

    fn command(
        &self,
        (jdk, containment): (&Jdk, &Containment),
        runner: &str,
        folder: &Folder,
        events: &std::path::Path,
    ) -> Result<Command, WorkerError> {
        let class_path = absolute(self.request.class_path);
        let path =
            std::env::join_paths(&class_path).map_err(|e| WorkerError::Broken(e.to_string()))?;
        let policy = Policy {
            read: class_path,
            // A copy, made for these tests.
            write: vec![self.request.folder.to_path_buf()],
            limits: Limits {
                address_space: Some(ADDRESS_SPACE),
                file_size: Some(1 << 30),
                open_files: Some(16_384),
                cpu_seconds: Some(self.request.limit.as_secs().saturating_mul(CPUS)),
            },
            folder: Some(self.request.folder.to_path_buf()),
            // Tests of servers and clients start one and ask it.
            loopback: true,
            ..Policy::default()
        };
        let agent = mocking_agent(&policy.read);
        let mut command = java(jdk, containment, policy, folder);
        command
            .args(agent)
            .args(self.request.opens)
            .args(["-ea", "--add-opens", "java.base/java.io=ALL-UNNAMED"])
            .args(class_path_arguments(&path, folder)?)
            .arg(runner)
            .arg(events)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        Ok(command)
    }

    fn start(&self, jdk: &Jdk, command: Command) -> Result<Process, WorkerError> {
        let mut child = spawn(command).map_err(|e| WorkerError::Start {
            tool: jdk.java().display().to_string(),
            why: e.to_string(),
        })?;
        let said = child
            .stderr
            .take()
            .map(|stream| std::thread::spawn(move || first_text(stream)));
        if let Some(input) = &mut child.stdin {
            // One that is gone already is seen soon.
            let _ = input.write_all(&self.work()).and_then(|()| input.flush());
        }
        Ok(Process { child, said })
    }

    /// What the process is told: what to watch, and which classes to run.
    fn work(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.int(i32::try_from(self.request.most_inputs).unwrap_or(i32::MAX));
        w.byte(u8::from(self.request.observes));
        w.strings(self.request.test_types.iter());
        w.strings(self.request.only.iter());
        w.int(self.request.watches.len() as i32);
        for watch in self.request.watches {
            w.method(&watch.method);
            for is in [watch.entry, watch.changed, watch.private] {
                w.byte(u8::from(is));
            }
            w.strings(watch.parameters.iter());
        }
        w.strings(self.left.iter());
        w.0
    }

    /// The test under way, or what is around those of the class.
    fn test(&mut self) -> &mut RecordedTest {
        let class = self.class.as_deref().map_or("", Spelling::outermost);
        match &mut self.current {
            Some(test) => test,
            None => {
                let found = self.around.iter().position(|t| t.class == class);
                let at = found.unwrap_or_else(|| {
                    self.around.push(test(class.to_string(), String::new()));
                    self.around.len() - 1
                });
                &mut self.around[at]
            }
        }
    }

    /// The process was ended, or ended itself, before its time.
    fn interrupted(&mut self, how: TestEnd, why: &str, said: &str) {
        if self.current.is_some() {
            self.end_test(how);
        } else if let Some(class) = self.class.take() {
            let why = format!("between its tests: {why}");
            self.recorded.not_run.push((class, why));
        } else if self.recorded.failed.is_empty() {
            let said = said.lines().next().unwrap_or_default();
            self.recorded.failed = format!("{why} {said}").trim_end().to_string();
        }
        self.class = None;
    }

    /// Everything; what is called around tests belongs to each of them.
    fn done(self) -> Recorded {
        let mut recorded = self.recorded;
        for test in &mut recorded.tests {
            for around in &self.around {
                if around.class.is_empty() || around.class == test.class.outermost() {
                    let (end, failure) = (test.end, test.failure.take());
                    test.absorb(around.clone());
                    (test.end, test.failure) = (end, failure);
                }
            }
        }
        recorded
    }
}

struct Process {
    child: Child,
    said: Option<std::thread::JoinHandle<String>>,
}

impl Process {
    /// Ends it; the beginning of what it wrote on standard error.
    fn stop(&mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let said = self.said.take().filter(|s| s.is_finished());
        said.and_then(|s| s.join().ok()).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

fn test(class: String, name: String) -> RecordedTest {
    RecordedTest {
        class,
        name,
        end: TestEnd::Died,
        touched: Vec::new(),
        reached: Vec::new(),
        inputs: Vec::new(),
        calls: Vec::new(),
        failure: None,
    }
}

/// The option for the agent of Byte Buddy, where the tests have it: Mockito needs it to change classes, and can't attach it by itself
/// from within a contained process.
fn mocking_agent(class_path: &[PathBuf]) -> Option<String> {
    let is_agent = |jar: &&PathBuf| {
        let name = jar.file_name().map(|n| n.to_string_lossy());
        name.is_some_and(|n| n.starts_with("byte-buddy-agent-") && n.ends_with(".jar"))
    };
    let jar = class_path.iter().find(is_agent)?;
    Some(format!("-javaagent:{}", jar.display()))
}

/// The longest argument that a program gets: Linux takes 128 KiB with its end.
const LONGEST_ARGUMENT: usize = 100_000;

/// A class path as arguments of the JVM, by a file where it is too long for one.
fn class_path_arguments(path: &OsStr, folder: &Folder) -> Result<Vec<OsString>, WorkerError> {
    if path.len() <= LONGEST_ARGUMENT {
        return Ok(vec!["-cp".into(), path.into()]);
    }
    let text = path.to_string_lossy();
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    let file = folder.temporary().join("class-path");
    std::fs::create_dir_all(folder.temporary())
        .and_then(|()| std::fs::write(&file, format!("-cp \"{quoted}\"\n")))
        .map_err(|e| WorkerError::Broken(format!("{}: {e}", file.display())))?;
    let mut argument = OsString::from("@");
    argument.push(&file);
    Ok(vec![argument])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_path_that_is_too_long_for_an_argument_stands_in_a_file() {
        let folder = Folder::new().unwrap();
        let short = class_path_arguments(OsStr::new("/a:/b"), &folder).unwrap();
        assert_eq!(short, ["-cp", "/a:/b"]);
        let entry = format!(":/{}.jar", "x y\\".repeat(20));
        let entries = format!("/a{}", entry.repeat(2_000));
        let long = class_path_arguments(OsStr::new(&entries), &folder).unwrap();
        let [argument] = &long[..] else {
            panic!("{} arguments", long.len());
        };
        let (home, path) = (std::env::var_os("JAVA_HOME"), std::env::var_os("PATH"));
        let home = home.map(PathBuf::from);
        let java = Jdk::find(home.as_deref(), path.as_deref()).unwrap().java();
        let shown = Command::new(java)
            .arg(argument)
            .args(["-XshowSettings:properties", "-version"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&shown.stderr);
        let own = entry.trim_start_matches(':');
        assert!(text.contains(own), "{text}");
    }
}
