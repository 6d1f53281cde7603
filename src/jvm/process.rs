//! One JVM that answers requests, with its limits watched while it works.

use super::compile::{CompileResult, Diagnostic};
use super::crash;
use super::launch::Launched;
use super::search::{Searched, kept, searched};
use super::wire::{Limited, Reader};
use super::worker::WorkerError;
use crate::model::{Inputs, MethodRef, Outcome};
use crate::util::run_delay;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// For the JVM to start.
const STARTUP: Duration = Duration::from_secs(60);
/// How often a JVM at work is looked at.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a search may show nothing: its JVM may be collecting garbage.
const STILL: Duration = Duration::from_secs(10);
/// Threads that a JVM may have.
const MOST_THREADS: u64 = 1_000;
/// Files and bytes that may lie in its folder.
const MOST_FILES: u64 = 10_000;
const MOST_BYTES: u64 = 1 << 30;
/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: u64 = 256 << 20;

/// What comes back.
pub(super) enum Answer {
    /// It is there.
    Ready,
    /// It is at work: a search shows so twice a second.
    Beat,
    /// Of a compilation.
    Compiled(CompileResult),
    /// Of a run, and whether the JVM is as it was before.
    Replayed(Box<Outcome>, bool),
    /// Of a search.
    Searched(Box<Searched>),
    /// The input that a search runs now, where it was asked to tell.
    Next(Vec<Inputs>),
    /// What a search of several processes kept since it told the last time: it waits for what the others kept.
    Kept(Vec<Inputs>),
    /// System properties.
    Properties(BTreeMap<String, String>),
}

/// What became of a request.
pub(super) enum Asked {
    /// An answer.
    Answer(Answer),
    /// The JVM has ended, or was ended for what is said.
    Ended(Option<String>),
}

/// A JVM that runs our worker.
pub(super) struct Process {
    jvm: Launched,
    input: ChildStdin,
    answers: Receiver<Answer>,
    /// The last input that was told before it ran.
    told: Option<Inputs>,
}

impl Process {
    /// Waits until the JVM is there.
    pub fn of(mut jvm: Launched, tool: &Path) -> Result<Process, WorkerError> {
        let start = |why: String| WorkerError::Start {
            tool: tool.display().to_string(),
            why,
        };
        let (Some(input), Some(output)) = (jvm.input.take(), jvm.output.take()) else {
            return Err(start("no pipes".into()));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let mut reader = Reader(std::io::BufReader::new(Limited::new(output)));
            loop {
                let next = answer(&mut reader);
                if let Err(why) = &next
                    && why.kind() != std::io::ErrorKind::UnexpectedEof
                {
                    tracing::debug!(%why, "the answer can't be read");
                }
                let Ok(answer) = next else { break };
                if sender.send(answer).is_err() {
                    break;
                }
            }
        });
        match answers.recv_timeout(STARTUP) {
            Ok(Answer::Ready) => Ok(Process {
                jvm,
                input,
                answers,
                told: None,
            }),
            _ => Err(start(jvm.stop().trim().to_string())),
        }
    }

    /// Ends it; the beginning of what it wrote on standard error.
    pub fn stop(&mut self) -> String {
        self.jvm.stop()
    }

    /// The input that ran when it ended, where a search told its inputs.
    pub fn running(&mut self) -> Option<Inputs> {
        self.told.take()
    }

    /// What our worker had called when a fault ended the JVM.
    pub fn crashed_in(&self) -> Option<MethodRef> {
        crash::called(&self.jvm.folder.work())
    }

    /// The signal of the fault that ended the JVM.
    pub fn signal(&self) -> Option<String> {
        crash::signal(&self.jvm.folder.work())
    }

    /// Sends a request and waits for the answer.
    pub fn ask(&mut self, request: &[u8], limit: Duration) -> Asked {
        match self.send(request) {
            true => self.wait(limit),
            false => Asked::Ended(None),
        }
    }

    /// Sends a request, or several; `false` where the JVM is gone.
    pub fn send(&mut self, requests: &[u8]) -> bool {
        // What another search told does not run any more.
        self.told = None;
        let sent = self.input.write_all(requests);
        sent.and_then(|()| self.input.flush()).is_ok()
    }

    /// Waits for the answer of work that shows twice a second that it goes on: else the JVM is taken for broken, as tested code makes it
    /// that writes into memory by its address.
    pub fn wait_beating(&mut self, limit: Duration) -> Asked {
        let beats = Beats::of(self.jvm.child.id());
        self.wait_for(limit, Some(beats))
    }

    /// Waits for the answer to the first request that has none yet.
    pub fn wait(&mut self, limit: Duration) -> Asked {
        self.wait_for(limit, None)
    }

    fn wait_for(&mut self, limit: Duration, mut beats: Option<Beats>) -> Asked {
        let end = Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(GLANCE)) {
                Ok(Answer::Beat) => {
                    beats = Some(Beats::of(self.jvm.child.id()));
                    continue;
                }
                Ok(Answer::Next(mut inputs)) => {
                    self.told = inputs.pop();
                    beats = Some(Beats::of(self.jvm.child.id()));
                    continue;
                }
                Ok(answer) => return Asked::Answer(answer),
                Err(RecvTimeoutError::Disconnected) => return Asked::Ended(None),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Asked::Ended(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(why) = self.excess() {
                return Asked::Ended(Some(why));
            }
            if beats.as_ref().is_some_and(Beats::are_over) {
                let why = format!("it showed nothing for {} s", STILL.as_secs());
                return Asked::Ended(Some(why));
            }
        }
    }

    /// What it takes more of than it may.
    fn excess(&self) -> Option<String> {
        if threads(self.jvm.child.id()).is_some_and(|n| n > MOST_THREADS) {
            return Some(format!("it started more than {MOST_THREADS} threads"));
        }
        let (mut files, mut bytes) = (0, 0);
        let _ = measure(self.jvm.folder.path(), &mut files, &mut bytes);
        if files > MOST_FILES {
            return Some(format!("it made more than {MOST_FILES} files"));
        }
        (bytes > MOST_BYTES).then(|| format!("it wrote more than {MOST_BYTES} bytes into files"))
    }
}

/// The last sign of life of a process, and what it had waited for a processor by then.
struct Beats {
    process: u32,
    last: Instant,
    waited: Duration,
}

impl Beats {
    /// One came just now.
    fn of(process: u32) -> Beats {
        Beats {
            process,
            last: Instant::now(),
            waited: run_delay::of(process),
        }
    }

    /// Whether none came for too long, though the process had a processor.
    fn are_over(&self) -> bool {
        let silent = self.last.elapsed();
        silent > STILL && silent > STILL + run_delay::of(self.process).saturating_sub(self.waited)
    }
}

/// The threads of a process, where the system tells.
fn threads(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("Threads:"))?;
    line.trim().parse().ok()
}

/// Counts what lies in a folder, until it is too much. Links are not followed.
fn measure(folder: &Path, files: &mut u64, bytes: &mut u64) -> std::io::Result<()> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            *files += 1;
            if *files > MOST_FILES {
                return Ok(());
            }
            let Ok(about) = entry.metadata() else {
                continue;
            };
            match about.is_dir() {
                true => folders.push(entry.path()),
                false => *bytes += about.len(),
            }
        }
    }
    Ok(())
}

type Answers = Reader<std::io::BufReader<Limited<ChildStdout>>>;

/// Answers tell themselves apart: a compilation's begins with 0 or 1, properties with P, a search's with S, a
/// sign of life is a dot, and that the JVM is there an exclamation mark; a replay's begins with another letter.
fn answer(reader: &mut Answers) -> std::io::Result<Answer> {
    use std::io::BufRead;
    reader.0.get_mut().allow(LONGEST_ANSWER);
    let first = reader.0.fill_buf()?.first().copied();
    match first {
        Some(0 | 1) => compiled(reader).map(Answer::Compiled),
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
            searched(reader).map(|came| Answer::Searched(Box::new(came)))
        }
        Some(b'K') => {
            reader.byte()?;
            kept(reader).map(Answer::Kept)
        }
        Some(b'N') => {
            reader.byte()?;
            kept(reader).map(Answer::Next)
        }
        Some(b'!') => reader.byte().map(|_| Answer::Ready),
        Some(b'.') => reader.byte().map(|_| Answer::Beat),
        Some(b'H') => Ok(Answer::Replayed(Box::new(reader.outcome()?), false)),
        Some(_) => {
            let outcome = Box::new(reader.outcome()?);
            Ok(Answer::Replayed(outcome, reader.bool()?))
        }
        None => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
}

fn compiled(reader: &mut Answers) -> std::io::Result<CompileResult> {
    let success = reader.bool()?;
    let mut diagnostics = Vec::new();
    for _ in 0..reader.int()? {
        diagnostics.push(Diagnostic {
            file: reader.string()?,
            line: u32::try_from(reader.int()?).unwrap_or(0),
            position: u32::try_from(reader.int()?).unwrap_or(u32::MAX),
            message: reader.string()?,
            error: reader.bool()?,
        });
    }
    Ok(CompileResult {
        success,
        diagnostics,
        crashed: reader.bool()?,
    })
}
