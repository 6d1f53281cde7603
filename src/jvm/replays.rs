//! Runs of inputs in the JVM for tested code, several requests in flight at once.

use super::process::{Answer, Asked, Process};
use super::wire::Writer;
use super::worker::{Worker, WorkerError, absolute, not_there};
use crate::model::{End, Inputs, MethodRef, Outcome};
use std::path::PathBuf;
use std::time::Duration;

/// How many times its limit a run may take by the clock, before the worker is taken for hung: more than the worker's own net.
const PATIENCE: u32 = 22;

/// What a replay may take when the time of the whole run is over: usual ones take milliseconds.
const GRACE: Duration = Duration::from_secs(2);

/// How many bytes of requests are on their way at once.
const MOST_TOGETHER: usize = 32 << 10;

/// What the outcome says of a run that ended the JVM itself.
const ENDED_THE_PROCESS: &str = "the program ended the process";

/// How a method is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// A static method, or a constructor.
    Static,
    /// A method of the receiver.
    Instance,
    /// The same, where the last call that the receiver is made with may throw: the receiver is asked what became of it.
    Asked,
}

impl CallKind {
    /// That of a method that is static or not.
    pub fn of(is_static: bool) -> CallKind {
        match is_static {
            true => CallKind::Static,
            false => CallKind::Instance,
        }
    }

    fn tag(self) -> u8 {
        match self {
            CallKind::Static => b'S',
            CallKind::Instance => b'I',
            CallKind::Asked => b'A',
        }
    }
}

/// One input to run in one version.
#[derive(Clone, Debug)]
pub struct ReplayRequest<'a> {
    /// The version's build, then dependencies.
    pub class_path: &'a [PathBuf],
    /// What to call.
    pub entry: &'a MethodRef,
    /// How it is called.
    pub call: CallKind,
    /// With what.
    pub inputs: &'a Inputs,
    /// For how long at most, counted in what it computes: by the clock it may be more on a loaded machine.
    pub limit: Duration,
}

impl ReplayRequest<'_> {
    /// As the worker reads it.
    fn encoded(&self, class_path: &[PathBuf], asks: bool) -> Vec<u8> {
        let mut w = Writer::default();
        w.byte(b'R');
        w.strings(class_path.iter().map(|p| p.to_string_lossy().to_string()));
        w.method(self.entry);
        w.byte(self.call.tag());
        w.int(i32::try_from(self.limit.as_millis()).unwrap_or(i32::MAX));
        w.byte(u8::from(asks));
        w.byte(u8::from(self.inputs.receiver.is_some()));
        if let Some(receiver) = &self.inputs.receiver {
            w.input(receiver);
        }
        w.inputs(&self.inputs.args);
        w.0
    }
}

/// How many of these requests are sent together: no more than a pipe holds, for a JVM that hangs reads nothing. One at least.
fn together(written: &[Vec<u8>]) -> usize {
    let mut bytes = 0;
    let fits = written.iter().take_while(|request| {
        bytes += request.len();
        bytes <= MOST_TOGETHER
    });
    fits.count().max(1)
}

/// Whether a run failed as the program ended the process, by a fault of the JVM for one.
pub fn ended_the_process(end: &End) -> bool {
    matches!(end, End::Failed(why) if why.starts_with(ENDED_THE_PROCESS))
}

impl Worker {
    /// Runs one input. The worker's death is an outcome, not an error.
    ///
    /// # Errors
    /// The JVM does not start.
    pub fn replay(&mut self, request: &ReplayRequest) -> Result<Outcome, WorkerError> {
        let mut outcomes = self.replay_all(std::slice::from_ref(request))?;
        outcomes.pop().ok_or_else(not_there)
    }

    /// Runs inputs one after the other, each as if it were alone: they are sent together, and the JVM goes on with the next while
    /// an answer is read. Behind a run that leaves the JVM changed or dead the rest goes to a fresh one.
    ///
    /// # Errors
    /// The JVM does not start.
    pub fn replay_all(&mut self, requests: &[ReplayRequest]) -> Result<Vec<Outcome>, WorkerError> {
        self.replay_while(requests, |_, _| true)
    }

    /// The same as long as the outcomes let it go on: those behind one that does not, by its number, are not had.
    ///
    /// # Errors
    /// The JVM does not start.
    pub fn replay_while(
        &mut self,
        requests: &[ReplayRequest],
        goes_on: impl Fn(usize, &Outcome) -> bool,
    ) -> Result<Vec<Outcome>, WorkerError> {
        let paths: Vec<Vec<PathBuf>> = requests.iter().map(|r| absolute(r.class_path)).collect();
        self.may_read(paths.iter().flatten());
        let written = requests
            .iter()
            .zip(&paths)
            .map(|(r, path)| r.encoded(path, self.asks));
        let written: Vec<Vec<u8>> = written.collect();
        let mut outcomes = Vec::with_capacity(requests.len());
        let mut stops = false;
        while !stops && outcomes.len() < requests.len() {
            let begin = outcomes.len();
            let end = begin + together(&written[begin..]);
            let sent = self.runner()?.send(&written[begin..end].concat());
            for request in &requests[begin..end] {
                let limit = self
                    .end
                    .cut(request.limit * PATIENCE + Duration::from_secs(10));
                let answer = match sent {
                    true => self.runner()?.wait(limit.max(GRACE)),
                    false => Asked::Ended(None),
                };
                let (outcome, unchanged) = match answer {
                    Asked::Answer(Answer::Replayed(outcome, unchanged)) => (*outcome, unchanged),
                    Asked::Answer(_) => (self.failed(None), false),
                    Asked::Ended(why) => (self.failed(why), false),
                };
                stops = !goes_on(outcomes.len(), &outcome);
                outcomes.push(outcome);
                if stops || !unchanged {
                    // What was sent behind it is not read.
                    self.runner = None;
                    break;
                }
            }
        }
        Ok(outcomes)
    }

    /// What is known of a run that had no end.
    fn failed(&self, why: Option<String>) -> Outcome {
        let signal = || self.runner.as_ref().and_then(Process::signal);
        let why = why.unwrap_or_else(|| match signal() {
            Some(signal) => format!("{ENDED_THE_PROCESS} ({signal})"),
            None => ENDED_THE_PROCESS.into(),
        });
        Outcome::of(End::Failed(why))
    }
}
