//! The start of a contained JVM: readable files, a private folder, and the same environment everywhere.

use super::jdk::Jdk;
use crate::contain::{Containment, Folder, Policy, spawn};
use std::ffi::OsStr;
use std::io::{self, Read};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

/// Flags of every JVM: nothing is shared with, or left for, other processes; runs are alike on every machine, and as the engine
/// takes them to be.
const FLAGS: [&str; 12] = [
    "-XX:+UseSerialGC",
    // A heap that shrinks after each large object and grows for the next costs more than what runs (docs/performance.md).
    "-XX:MaxHeapFreeRatio=100",
    "-XX:TieredStopAtLevel=1",
    "-Xshare:auto",
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    "-XX:-CreateCoredumpOnCrash",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Duser.timezone=UTC",
];

/// A JVM under way, its two pipes and its folder. Ended and cleared away when dropped.
#[derive(Debug)]
pub struct Launched {
    /// The process.
    pub child: Child,
    /// What it reads as `/dev/fd/3`; taken by who writes it.
    pub input: Option<ChildStdin>,
    /// What it writes as `/dev/fd/4`; taken by who reads it.
    pub output: Option<ChildStdout>,
    /// The folder it may write in.
    pub folder: Folder,
    said: Option<JoinHandle<String>>,
}

impl Launched {
    /// Ends it; the beginning of what it wrote on standard error.
    pub fn stop(&mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let said = self.said.take();
        said.and_then(|s| s.join().ok()).unwrap_or_default()
    }
}

impl Drop for Launched {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Starts a JVM under a policy, to which what any JVM needs is added. `arguments` are its flags, main class and that class's
/// arguments. Requests and answers go through `/dev/fd/3` and `/dev/fd/4`; its standard streams lead nowhere.
///
/// # Errors
/// It can't be started, or its folder can't be made.
pub fn launch<A: AsRef<OsStr>>(
    jdk: &Jdk,
    containment: &Containment,
    policy: Policy,
    arguments: impl IntoIterator<Item = A>,
) -> io::Result<Launched> {
    let folder = Folder::new()?;
    let channel = Policy {
        channel: true,
        ..policy
    };
    let mut command = java(jdk, containment, channel, &folder);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = spawn(command)?;
    Ok(Launched {
        input: child.stdin.take(),
        output: child.stdout.take(),
        said: child
            .stderr
            .take()
            .map(|stream| std::thread::spawn(move || first_text(stream))),
        child,
        folder,
    })
}

/// The command that starts a JVM in a private folder; streams and arguments are the caller's to add. To be started by
/// [`spawn`].
pub fn java(jdk: &Jdk, containment: &Containment, mut policy: Policy, folder: &Folder) -> Command {
    policy.read.extend(jdk.files());
    policy.write.push(folder.path().to_path_buf());
    for (name, value) in [
        // File names are UTF-8, whatever the user's locale.
        ("LC_ALL", "C.UTF-8".into()),
        ("HOME", folder.home().to_string_lossy().into_owned()),
        ("TMPDIR", folder.temporary().to_string_lossy().into_owned()),
        // Else address space goes to one arena for each thread.
        ("MALLOC_ARENA_MAX", "2".into()),
    ] {
        policy.environment.push((name.into(), value));
    }
    // What is found on the PATH is a link, and so are parts of a JDK.
    let program = std::fs::canonicalize(jdk.java()).unwrap_or_else(|_| jdk.java());
    let mut command = containment.command(&policy, &program);
    let property = |name: &str, value: &OsStr| {
        let mut text = std::ffi::OsString::from(format!("-D{name}="));
        text.push(value);
        text
    };
    command
        .args(FLAGS)
        .arg(property("user.home", folder.home().as_os_str()))
        .arg(property("java.io.tmpdir", folder.temporary().as_os_str()))
        .arg("-Duser.name=user")
        .current_dir(policy.folder.unwrap_or_else(|| folder.work()));
    command
}

/// Reads to the end, keeps the first of it.
pub(super) fn first_text(mut stream: impl Read) -> String {
    let mut first = Vec::new();
    let _ = stream.by_ref().take(4096).read_to_end(&mut first);
    let _ = io::copy(&mut stream, &mut io::sink());
    String::from_utf8_lossy(&first).into_owned()
}
