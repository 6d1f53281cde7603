//! Runs that a signal ends: at once, with what was found so far, and with nothing left behind.

use crate::support::{git, shadow_ci};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// One method that is done soon, one that takes long.
const SOURCE: &str = "package demo;
public class Two {
    public static int first(int x) { return x == 7 ? N : 0; }
    public static int second(int[] a, int[] b, String s) {
        int sum = 0;
        for (int x : a) for (int y : b) for (int i = 0; i < s.length(); i++) {
            if (x * y % 7 > s.charAt(i) % 5) sum += x; else if (x > y) sum -= y * s.charAt(i);
        }
        return sum == 123456789 ? N : sum;
    }
}
";

struct Run {
    repo: TempDir,
    temp: TempDir,
}

impl Run {
    fn new() -> Run {
        let repo = tempfile::tempdir().unwrap();
        git(repo.path(), &["init", "-q"]);
        for n in ["1", "2"] {
            let file = repo.path().join("src/main/java/demo/Two.java");
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, SOURCE.replace('N', n)).unwrap();
            git(repo.path(), &["add", "-A"]);
            git(repo.path(), &["commit", "-q", "-m", n]);
        }
        let temp = tempfile::tempdir().unwrap();
        Run { repo, temp }
    }

    fn command(&self) -> Command {
        let mut command = shadow_ci(self.repo.path());
        command.env("TMPDIR", self.temp.path());
        command.args(["HEAD~1", "HEAD", "--threads", "1"]);
        command
    }

    /// Starts it, and waits until something is known of the first method.
    fn start(&self) -> Child {
        let events = self.repo.path().join("events");
        let mut command = self.command();
        let long = ["--effort", "100000", "--exhaustive", "--events"];
        command.args(long).arg(&events);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let known = || {
            let text = std::fs::read_to_string(&events).unwrap_or_default();
            let mut lines = text.lines();
            lines.any(|l| l.contains("\"event\":\"method\"") && l.contains("\"first\""))
        };
        wait_for(known);
        child
    }

    fn left(&self) -> Vec<String> {
        let all = std::fs::read_dir(self.temp.path()).unwrap().flatten();
        all.map(|e| e.file_name().to_string_lossy().into_owned())
            .collect()
    }
}

fn wait_for(known: impl Fn() -> bool) {
    let started = Instant::now();
    while !known() {
        assert!(started.elapsed() < Duration::from_secs(300), "nothing came");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}

/// Ends it by that signal; what it printed, and how long it took.
fn end(child: Child, name: &str) -> (Output, Duration) {
    let started = Instant::now();
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    (output, started.elapsed())
}

fn processes_of(folder: &Path) -> usize {
    let text = folder.to_string_lossy().into_owned();
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let command = |e: std::fs::DirEntry| std::fs::read(e.path().join("cmdline")).ok();
    let lines = all.filter_map(command);
    lines
        .filter(|c| String::from_utf8_lossy(c).contains(&text))
        .count()
}

#[test]
fn interrupt_and_terminate_end_it_with_what_was_found() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let run = Run::new();
        let (output, took) = end(run.start(), name);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(took < Duration::from_secs(10), "{took:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("Two.first(7)"), "{said}");
        assert!(said.contains("ended early"), "{said}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(&format!("ended by SIG{name}")), "{errors}");
        assert!(!errors.contains("report"), "{errors}");
        assert_eq!(run.left(), Vec::<String>::new());
        wait_for(|| processes_of(run.temp.path()) == 0);
    }
}

#[test]
fn what_a_killed_run_leaves_the_next_one_sweeps() {
    let run = Run::new();
    let (output, _) = end(run.start(), "KILL");
    assert_eq!(output.status.code(), None);
    assert_ne!(run.left(), Vec::<String>::new());
    wait_for(|| processes_of(run.temp.path()) == 0);
    let quick = run.command().args(["--method", "demo.Two#first"]).output();
    assert!(quick.unwrap().status.success());
    assert_eq!(run.left(), Vec::<String>::new());
}

/// Without a limit both the exploration and the search of the second method would go on for hours.
#[test]
fn a_time_limit_ends_exploration_and_search_and_the_whole_report_is_written() {
    let run = Run::new();
    let report = run.repo.path().join("report.json");
    let mut command = run.command();
    let endless = [
        "--effort",
        "100000",
        "--exhaustive",
        "--search-runs",
        "100000000",
        "--timeout",
        "8",
    ];
    command.args(endless).arg("--json").arg(&report);
    let started = Instant::now();
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    // Far more than the limit, for a machine that other work keeps busy; without it the run would not end.
    assert!(started.elapsed() < Duration::from_secs(60));
    let text = std::fs::read_to_string(&report).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut methods = report["methods"].as_array().unwrap().iter();
    let second = methods.find(|m| m["method"] == "second").unwrap();
    // What it found by then depends on the machine.
    assert!(second.to_string().contains("method-timeout"), "{second}");
}
