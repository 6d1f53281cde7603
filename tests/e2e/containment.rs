//! Tested code that attacks (docs/security.md): nothing outside of its folder is read or changed, nothing is reached, nothing is left.

use crate::support;
use clap::Parser;
use shadow_ci::check::pipeline;
use shadow_ci::check::progress::Silent;
use shadow_ci::commands::cli::Cli;
use shadow_ci::model::reason::Reason;
use shadow_ci::options::Environment;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const SECRET: &str = "a-secret-that-nobody-may-see";

/// Files with their mode, owner, time and content.
pub(crate) type State = BTreeMap<PathBuf, (u32, u32, i64, Vec<u8>)>;

/// The secret that nothing may show.
pub(crate) fn is_told(text: &str) -> bool {
    text.contains(SECRET)
}

/// What surrounds a run: everything here has to stay as it is.
pub(crate) struct World {
    dir: tempfile::TempDir,
    canary: Child,
    listener: TcpListener,
}

/// Whether this kernel can; where not, that is said loudly, and there is nothing to test.
pub(crate) fn contained() -> bool {
    let enforced = shadow_ci::contain::Enforced::by_this_kernel();
    if !enforced.is_whole() {
        eprintln!(
            "\n*** NOT TESTED: this kernel can't contain tested code: {:?} missing ***\n",
            enforced.missing()
        );
    }
    enforced.is_whole()
}

impl World {
    pub(crate) fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("home/.ssh/id_rsa", SECRET),
            ("home/.m2/settings.xml", SECRET),
            ("here/README", SECRET),
        ] {
            let file = dir.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let sleep = Command::new("sleep")
            .arg("600")
            .env("TOKEN", SECRET)
            .spawn();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let world = World {
            dir,
            canary: sleep.unwrap(),
            listener,
        };
        std::os::unix::net::UnixListener::bind(world.home().join("socket")).unwrap();
        world
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.dir.path().join("repo")
    }

    /// A repository of two versions of one file, which differ in what the attack's answers begin with.
    pub fn commit(&self, class: &str) {
        let source = support::root()
            .join("tests/containment")
            .join(format!("{class}.java"));
        let source = std::fs::read_to_string(source).unwrap();
        let new = source.replace("NEW = \"\"", "NEW = \"new \"");
        self.versions(&[(class, &source, &new)]);
    }

    /// Classes, as they were and are.
    fn versions(&self, classes: &[(&str, &str, &str)]) {
        let folder = self.repo().join("src/main/java/demo");
        std::fs::create_dir_all(&folder).unwrap();
        support::git(&self.repo(), &["init", "-q"]);
        std::fs::write(self.repo().join("README"), SECRET).unwrap();
        for is_new in [false, true] {
            for (class, old, new) in classes {
                let text = if is_new { new } else { old };
                std::fs::write(folder.join(format!("{class}.java")), text).unwrap();
            }
            support::git(&self.repo(), &["add", "-A"]);
            support::git(&self.repo(), &["commit", "-qm", "version"]);
        }
    }

    /// Runs the program in a folder that is not the repository's, with secrets in the environment.
    fn run(&self, args: &[&str]) -> Output {
        let temporary = self.dir.path().join("tmp");
        std::fs::create_dir_all(&temporary).unwrap();
        let before = self.state();
        let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
            .args(args)
            .args(["--containment", "required", "--repo"])
            .arg(self.repo())
            .current_dir(self.dir.path().join("here"))
            .env_remove("GITHUB_ACTIONS")
            .env("HOME", self.home())
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .env("TMPDIR", &temporary)
            .env("GITHUB_TOKEN", SECRET)
            .output()
            .unwrap();
        assert_eq!(before, self.state(), "something was changed");
        let left: Vec<_> = std::fs::read_dir(&temporary).unwrap().flatten().collect();
        assert!(left.is_empty(), "left behind: {left:?}");
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text);
            assert!(!text.contains(SECRET), "{text}");
        }
        let knocked = self.listener.accept().map(|(_, from)| from);
        assert!(knocked.is_err(), "a connection from {knocked:?}");
        output
    }

    /// The arguments of an attack that no library takes part in, as Java writes them.
    pub(crate) fn victims(&self) -> String {
        let port = self.listener.local_addr().unwrap().port();
        let (home, repo) = (self.home(), self.repo());
        let canary = self.canary.id();
        format!("{home:?}, {repo:?}, \"\", {port}, {canary}")
    }

    /// Whether nothing was touched since, and nobody knocked.
    pub(crate) fn is_as_it_was(&self, before: &State) {
        assert_eq!(*before, self.state(), "something was changed");
        let knocked = self.listener.accept().map(|(_, from)| from);
        assert!(knocked.is_err(), "a connection from {knocked:?}");
    }

    fn replay(&self, call: &str) -> String {
        let output = self.run(&["replay", "HEAD~1", "HEAD", call]);
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    }

    /// All files but the run's own temporary ones, with what they hold and may.
    pub(crate) fn state(&self) -> State {
        let mut all = BTreeMap::new();
        let mut folders = vec![self.home(), self.repo(), self.dir.path().join("here")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap().flatten() {
                // The program's own notes, which `accept` reads.
                if entry.path() == self.repo().join(".git/shadow-ci") {
                    continue;
                }
                let about = entry.metadata().unwrap();
                let content = match about.is_file() {
                    true => std::fs::read(entry.path()).unwrap(),
                    false => Vec::new(),
                };
                if about.is_dir() {
                    folders.push(entry.path());
                }
                // What is in a folder is seen by itself.
                let time = if about.is_dir() { 0 } else { about.mtime() };
                let kept = (about.mode(), about.uid(), time, content);
                all.insert(entry.path(), kept);
            }
        }
        all
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let alive = self.canary.try_wait().unwrap().is_none();
        let _ = self.canary.kill();
        let _ = self.canary.wait();
        assert!(alive || std::thread::panicking(), "the canary was killed");
    }
}

/// The native library, where there is a C compiler.
fn library(world: &World) -> Option<PathBuf> {
    let folder = world.dir.path().join("library");
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("libattack.so");
    let source = support::root().join("tests/containment/native.c");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-w", "-o"])
        .arg(&out)
        .arg(source)
        .status();
    let compiled = compiled.is_ok_and(|status| status.success());
    if !compiled {
        eprintln!("\n*** NOT TESTED: no C compiler, so no native library attacks ***\n");
    }
    compiled.then_some(out)
}

#[test]
fn an_attack_from_tested_code_harms_nothing() {
    if !contained() {
        return;
    }
    let world = World::new();
    world.commit("Attack");
    let library = library(&world);
    let port = world.listener.local_addr().unwrap().port();
    let call = format!(
        "demo.Attack.all({:?}, {:?}, {:?}, {port}, {})",
        world.home(),
        world.repo(),
        library.clone().unwrap_or_default(),
        world.canary.id()
    );
    let folder = world.dir.path().join("library");
    let output = world.run(&[
        "replay",
        "HEAD~1",
        "HEAD",
        &call,
        "--classpath",
        folder.to_str().unwrap(),
    ]);
    let text = String::from_utf8_lossy(&output.stdout);
    let number = |what: &str| -> u32 {
        let (before, _) = text.split_once(what).unwrap_or_else(|| panic!("{text}"));
        let digits = before.rsplit(' ').next().unwrap();
        digits.parse().unwrap_or_else(|_| panic!("{text}"))
    };
    assert!(text.contains("[] done, "), "{text}");
    assert!(number(" refused, ") > 200, "{text}");
    // A class initialiser and a finalizer attacked as well.
    let behind = |what: &str| -> u32 {
        let (_, rest) = text.split_once(what).unwrap_or_else(|| panic!("{text}"));
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or_else(|_| panic!("{text}"))
    };
    assert!(behind("early ") > 100 && behind("late ") > 100, "{text}");
    assert!(library.is_none() || number(" native, ") > 50, "{text}");
}

#[test]
fn what_takes_too_much_ends_its_run_and_nothing_else() {
    if !contained() {
        return;
    }
    let world = World::new();
    world.commit("Attack");
    for (method, why) in [
        ("threads", "threads"),
        ("disk", "bytes into files"),
        ("files", "files"),
        ("one", "File too large"),
        ("memory", "OutOfMemoryError"),
        ("direct", "OutOfMemoryError"),
        ("printing", "printed more than"),
        ("loop", "neither version ended"),
    ] {
        let started = Instant::now();
        let text = world.replay(&format!("demo.Attack.{method}()"));
        assert!(text.contains(why), "{method}: {text}");
        assert!(
            started.elapsed() < Duration::from_secs(180),
            "{method} took {:?}",
            started.elapsed()
        );
    }
}

#[test]
fn what_one_run_leaves_the_next_does_not_see() {
    if !contained() {
        return;
    }
    let world = World::new();
    world.commit("Attack");
    let text = world.replay("demo.Attack.leaves()");
    assert!(
        text.contains("returned \"\"") && text.contains("returned \"new \""),
        "{text}"
    );
}

/// The patch that once wrote into the folder it was run from.
#[test]
fn a_check_of_a_patch_to_methods_that_touch_the_world_touches_nothing() {
    if !contained() {
        return;
    }
    let world = World::new();
    let source = "package demo;\nimport java.io.*;\npublic class Tool {\n\
        static boolean clean(File f) { return f.delete(); }\n\
        static void save(String name, String text) throws IOException { try (FileWriter w = new FileWriter(name)) { w.write(text); } }\n\
        static void run(String cmd) throws IOException { new ProcessBuilder(\"sh\", \"-c\", cmd).start(); }\n\
        static void net(String host, int port) throws IOException { new java.net.Socket(host, port).close(); }\n}\n";
    let new = source
        .replace("f.delete()", "f.exists() && f.delete()")
        .replace("w.write(text)", "w.write(text.trim())")
        .replace("\"-c\", cmd", "\"-c\", cmd.trim()")
        .replace("(host, port)", "(host, port + 1)");
    world.versions(&[("Tool", source, &new)]);
    let output = world.run(&["HEAD~1", "HEAD", "--json", "-", "--effort", "3"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["methods"].as_array().unwrap().len(), 4);
    assert_eq!(report["containment"]["missing"], serde_json::json!([]));
}

/// Where nothing can be contained, what could touch the world is not run, and said so; other methods are.
#[test]
fn without_containment_only_what_is_harmless_is_run() {
    let world = World::new();
    let source = "package demo;\npublic class Tool {\n\
        static int foo(int x) { return x > 3 ? 1 : 0; }\n\
        static boolean clean(String f) { return Files.gone(f); }\n}\n\
        class Files { static boolean gone(String f) { return new java.io.File(f).delete(); } }\n";
    let harmless =
        "package demo;\npublic class Sum { static int of(int x) { return x > 3 ? 1 : 0; } }\n";
    let new = source
        .replace("f)", "f + 1)")
        .replace("String f + 1)", "String f)");
    let sum = harmless.replace("> 3", "> 4");
    world.versions(&[("Sum", harmless, &sum), ("Tool", source, &new)]);
    let environment = Environment {
        java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
        path: std::env::var_os("PATH"),
        ..Environment::default()
    };
    let cli = Cli::parse_from([
        "shadow-ci",
        "HEAD~1",
        "HEAD",
        "--repo",
        world.repo().to_str().unwrap(),
    ]);
    let report = pipeline::run(
        &cli.check.options(&environment).unwrap(),
        &cli.check.revisions().unwrap(),
        &Silent,
    )
    .unwrap();
    let of = |name: &str| {
        report
            .methods
            .iter()
            .find(|m| m.method.name == name)
            .unwrap()
    };
    assert!(of("clean").findings.is_empty() && of("gone").findings.is_empty());
    for name in ["clean", "gone"] {
        let limits = &of(name).limits;
        assert!(
            limits
                .iter()
                .any(|l| l.reason == Reason::Uncontained && l.detail.contains("java.io.File")),
            "{limits:?}"
        );
    }
    assert!(!of("of").findings.is_empty());
    assert_eq!(report.containment.missing.len(), 4);
}

/// Annotation processors are the project's code, or that of who wrote what it depends on.
#[test]
fn an_annotation_processor_that_attacks_harms_nothing() {
    use shadow_ci::contain::{Containment, ContainmentMode};
    use shadow_ci::jvm::{CompileRequest, Jdk, Worker};
    if !contained() {
        return;
    }
    let world = World::new();
    world.commit("Attack");
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = dir.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    };
    let attack = std::fs::read_to_string(support::root().join("tests/containment/Attack.java"));
    let processor = "package demo;\nimport javax.annotation.processing.*;\nimport java.util.*;\n\
        @SupportedAnnotationTypes(\"*\")\npublic class Processor extends AbstractProcessor {\n\
        public boolean process(Set<? extends javax.lang.model.element.TypeElement> all, RoundEnvironment round) {\n\
        if (round.processingOver()) processingEnv.getMessager().printMessage(javax.tools.Diagnostic.Kind.MANDATORY_WARNING,\n\
        Attack.all(VICTIMS)); return false; }\n}\n";
    let sources = vec![
        write("p/demo/Attack.java", &attack.unwrap()),
        write(
            "p/demo/Processor.java",
            &processor.replace("VICTIMS", &world.victims()),
        ),
    ];
    let jdk = Jdk::find(None, std::env::var_os("PATH").as_deref()).unwrap();
    let launcher = PathBuf::from(env!("CARGO_BIN_EXE_shadow-ci"));
    let containment = Containment::new(ContainmentMode::Required, Some(launcher));
    let mut worker = Worker::start(&jdk, None, &containment).unwrap();
    let request = |sources: Vec<PathBuf>, out: &str, flags: Vec<String>| {
        let out = dir.path().join(out);
        std::fs::create_dir_all(&out).unwrap();
        CompileRequest {
            sources,
            source_path: Vec::new(),
            class_path: Vec::new(),
            out,
            flags,
        }
    };
    let made = worker
        .compile(&request(sources, "processor", Vec::new()))
        .unwrap();
    assert!(made.success, "{}", made.messages(dir.path()));
    let path = dir.path().join("processor").to_string_lossy().into_owned();
    let flags = [
        "-proc:full",
        "-processorpath",
        &path,
        "-processor",
        "demo.Processor",
    ];
    let flags = flags
        .iter()
        .filter(|f| jdk.version >= 21 || **f != "-proc:full");
    let mut flags: Vec<String> = flags.map(|f| f.to_string()).collect();
    if jdk.version < 21 {
        flags.push("-proc:only".into());
    }
    let before = world.state();
    let tested = write("t/A.java", "class A {}\n");
    let done = worker
        .compile(&request(vec![tested], "out", flags))
        .unwrap();
    world.is_as_it_was(&before);
    let said: String = done
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    assert!(said.contains("[] done, ") && !is_told(&said), "{done:?}");
}

/// The project's own tests are run as well, and may be a patch's.
#[test]
fn a_test_suite_that_attacks_harms_nothing() {
    if !contained() {
        return;
    }
    let world = World::new();
    let folder = world.repo().join("src/test/java/demo");
    std::fs::create_dir_all(&folder).unwrap();
    let test = format!(
        "package demo;\npublic class AttackTest {{\n@org.junit.Test public void attacks() throws Exception {{\n\
        String said = Attack.all({});\nSystem.out.println(said);\n\
        if (!said.contains(\"[] done, \")) throw new AssertionError(said);\nAttack.loopOnce(3);\n}}\n}}\n",
        world.victims()
    );
    std::fs::write(folder.join("AttackTest.java"), test).unwrap();
    world.commit("Attack");
    let jars = ["junit-4.13.2.jar", "hamcrest-core-1.3.jar"].map(|j| support::junit_jars().join(j));
    let path = std::env::join_paths(jars).unwrap();
    let path = path.to_str().unwrap();
    for args in [
        vec!["select", "HEAD~1", "HEAD", "--json", "-"],
        vec![
            "HEAD~1",
            "HEAD",
            "--json",
            "-",
            "--mode",
            "concolic",
            "--inputs-from-tests",
            "--effort",
            "1",
        ],
    ] {
        let output = world.run(
            &[
                &args[..],
                &["--test-classpath", path, "--method", "demo.Attack#loopOnce"],
            ]
            .concat(),
        );
        let text = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(text.starts_with('{'), "{text}\n{error}");
        assert!(
            text.contains("attacks") || text.contains("loopOnce"),
            "{text}\n{error}"
        );
    }
}

/// A worker that is busy ends with the program, however that ends.
#[test]
fn no_process_outlives_the_program() {
    if !contained() {
        return;
    }
    let world = World::new();
    world.commit("Attack");
    let marker = world.dir.path().join("tmp");
    std::fs::create_dir_all(&marker).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["replay", "HEAD~1", "HEAD", "demo.Attack.loop()", "--repo"])
        .arg(world.repo())
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("TMPDIR", &marker)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let marker = marker.to_string_lossy().into_owned();
    // No JVM compiles where an earlier run left the classes.
    wait(|| !running(&marker, &program).is_empty(), "a JVM starts");
    program.kill().unwrap();
    program.wait().unwrap();
    wait(|| running(&marker, &program).is_empty(), "they end");
}

fn wait(done: impl Fn() -> bool, what: &str) {
    let end = Instant::now() + Duration::from_secs(120);
    while !done() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Processes with the text in their command lines, but for the program itself.
fn running(text: &str, program: &Child) -> Vec<String> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter(|n| *n != program.id() && *n != std::process::id())
        .filter_map(|n| std::fs::read(Path::new("/proc").join(n.to_string()).join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .filter(|line| line.contains(text))
        .collect()
}
