//! A run of a build tool, with a time limit and its last lines on failure.

use crate::util::deadline::Deadline;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a build tool may take: downloads on the first run included.
const LIMIT: Duration = Duration::from_secs(900);

/// How much of what it prints is kept: what Maven says with `-X` of a thousand modules is less.
const MOST_BYTES: u64 = 128 << 20;

/// How many of its last lines are told.
const LINES: usize = 6;

/// What a JVM says that can't start with its options.
pub const NO_JVM: &str = "Could not create the Java Virtual Machine";

/// What a build tool did.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Whether it said that all went well.
    pub success: bool,
    /// All it printed.
    pub output: String,
    /// Why it did not come to its end.
    pub stopped: Option<String>,
}

impl Ran {
    /// Whether Maven said of something that it failed.
    pub fn has_errors(&self) -> bool {
        self.output.lines().any(|l| l.starts_with("[ERROR]"))
    }

    /// Its last lines that say something, errors before others.
    pub fn last_lines(&self) -> String {
        if let Some(why) = &self.stopped {
            return why.clone();
        }
        let says = |l: &&str| !l.trim().is_empty() && !l.starts_with("[DEBUG]");
        let errors: Vec<&str> = self
            .output
            .lines()
            .filter(|l| l.starts_with("[ERROR]") && l.trim() != "[ERROR]")
            .filter(|l| !l.contains("-> [Help") || l.len() > 20)
            .take(LINES)
            .collect();
        if !errors.is_empty() {
            return errors.join("\n");
        }
        let all: Vec<&str> = self.output.lines().filter(says).collect();
        all[all.len().saturating_sub(LINES)..].join("\n")
    }
}

/// Starts a program with its arguments, and ends the whole process group once standard input is at its end: whoever holds the other
/// side of it is gone then, however it ended.
const ENDING_WITH_ITS_PARENT: &str = "exec 3<&0 </dev/null; (read -r line <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; \"$@\" & wait $!";

/// Runs a command in a folder; it and all it started end when the time is over, at the end of the whole run, and with this process.
pub fn run(command: &Command, dir: &Path, end: Deadline) -> Ran {
    run_for(command, dir, (LIMIT, end))
}

fn run_for(command: &Command, dir: &Path, (most, end): (Duration, Deadline)) -> Ran {
    let failed = |why: String| Ran {
        stopped: Some(why),
        ..Ran::default()
    };
    let program = command.get_program().to_string_lossy().into_owned();
    let limit = end.cut(most);
    let no_time = format!("{program} had no time to end: --timeout limits the whole run");
    if end.is_over() {
        return failed(no_time);
    }
    let child = Command::new("/bin/sh")
        .args(["-c", ENDING_WITH_ITS_PARENT, "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(e) => return failed(format!("cannot run {program}: {e}")),
    };
    // Nothing is written to it: it is held until the end.
    let held = child.stdin.take();
    let readers = [
        child.stdout.take().map(reader),
        child.stderr.take().map(reader),
    ];
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if begun.elapsed() > limit => break None,
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(e) => return failed(e.to_string()),
        }
    };
    // What it started and left behind would hold its output open.
    end_group(&child);
    let _ = child.wait();
    drop(held);
    let last = command.get_args().last().unwrap_or_default();
    let seconds = begun.elapsed().as_secs_f64();
    tracing::debug!(program, ?last, seconds, "ran a build tool");
    let texts = readers.into_iter().flatten().filter_map(|r| r.join().ok());
    let output = texts.collect::<Vec<String>>().join("\n");
    Ran {
        success: status.is_some_and(|s| s.success()),
        output,
        stopped: status.is_none().then(|| match limit < most {
            true => no_time,
            false => format!("{program} was not done within {} s", most.as_secs()),
        }),
    }
}

/// Ends all processes of the group that this one began.
fn end_group(child: &Child) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(group) = i32::try_from(child.id()) {
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// Reads to the end, so that the tool does not wait, and keeps no more than [`MOST_BYTES`].
fn reader(stream: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        let mut stream = BufReader::new(stream);
        for line in stream
            .by_ref()
            .take(MOST_BYTES)
            .split(b'\n')
            .map_while(Result::ok)
        {
            text.push_str(&plain(&String::from_utf8_lossy(&line)));
            text.push('\n');
        }
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
        text
    })
}

/// A line without the colours of terminals.
fn plain(line: &str) -> String {
    let mut out = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                for c in chars.by_ref() {
                    if c.is_ascii_alphabetic() {
                        break;
                    }
                }
            }
            '\r' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_is_ended_and_what_fails_is_quoted() {
        let dir = std::env::temp_dir();
        let mut slow = Command::new("sh");
        slow.args(["-c", "sleep 30 & sleep 30"]);
        let (soon, later) = (Duration::from_millis(100), Duration::from_secs(10));
        let ran = run_for(&slow, &dir, (soon, Deadline::default()));
        assert!(ran.last_lines().contains("not done within"));
        let ran = run_for(&slow, &dir, (later, Deadline::after(Some(soon))));
        assert!(ran.last_lines().contains("--timeout"));
        let mut failing = Command::new("sh");
        failing.args([
            "-c",
            "echo all; printf '[\\033[1mERROR\\033[m] no such thing\\n'; exit 1",
        ]);
        let ran = run(&failing, &dir, Deadline::default());
        assert!(!ran.success);
        assert_eq!(ran.last_lines(), "[ERROR] no such thing");
    }
}
