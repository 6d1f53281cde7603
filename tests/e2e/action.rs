//! The whole Action, step by step as GitHub's runner takes it, on real clones of repositories with a base and a head.

use crate::http;
use crate::http::{Answer, Server, answer};
use crate::runner::{Job, Outcome, metadata};
use crate::support;
use crate::support::{commit, git, root};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A server side repository: `main` went on after the pull request left it, and the fork's branch is known as `refs/pull/7/head`.
pub struct Origin {
    dir: TempDir,
    base: String,
    fork_point: String,
    pub head: String,
}

impl Origin {
    pub fn path(&self) -> PathBuf {
        self.dir.path().join("origin")
    }
}

pub fn origin(history: usize) -> Origin {
    let dir = tempfile::tempdir().unwrap();
    let repo = dir.path().join("origin");
    std::fs::create_dir(&repo).unwrap();
    let fixture = root().join("fixtures/foo");
    git(&repo, &["init", "-q"]);
    commit(&repo, &fixture.join("old"));
    let fork_point = git(&repo, &["rev-parse", "HEAD"]);
    git(&repo, &["checkout", "-q", "-b", "topic"]);
    commit(&repo, &fixture.join("new"));
    let head = git(&repo, &["rev-parse", "HEAD"]);
    git(&repo, &["update-ref", "refs/pull/7/head", "HEAD"]);
    git(&repo, &["checkout", "-q", "main"]);
    git(&repo, &["branch", "-q", "-D", "topic"]);
    for i in 0..history {
        // What the base got since would be a change the pull request did not make.
        let text = "package demo;\npublic class Other { static int f(int x) { return x / N; } }\n";
        let file = repo.join("src/main/java/demo/Other.java");
        std::fs::write(file, text.replace('N', &(i + 1).to_string())).unwrap();
        git(&repo, &["add", "-A"]);
        git(&repo, &["commit", "-q", "-m", "the base goes on"]);
    }
    let base = git(&repo, &["rev-parse", "HEAD"]);
    Origin {
        dir,
        base,
        fork_point,
        head,
    }
}

/// The checkout that `actions/checkout` makes of the pull request's merge commit, or of a branch, by default.
pub fn checkout(origin: &Origin, depth: &str) -> PathBuf {
    checkout_at(origin, "workspace", depth)
}

fn checkout_at(origin: &Origin, name: &str, depth: &str) -> PathBuf {
    let workspace = origin.dir.path().join(name);
    std::fs::create_dir(&workspace).unwrap();
    git(&workspace, &["init", "-q"]);
    let url = format!("file://{}", origin.path().display());
    git(&workspace, &["remote", "add", "origin", &url]);
    let fetch = ["fetch", "-q", "--no-tags", depth, "origin", "main"];
    git(
        &workspace,
        &fetch.map(|a| if a.is_empty() { "--quiet" } else { a }),
    );
    git(&workspace, &["checkout", "-q", "--detach", "FETCH_HEAD"]);
    workspace
}

/// A release of the binary under test, as the release workflow lays it out; packed once, by the first test that needs it.
pub fn release() -> String {
    static PACKED: std::sync::Once = std::sync::Once::new();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("releases");
    PACKED.call_once(|| {
        let arch = std::env::consts::ARCH;
        let name = format!("shadow-ci-{VERSION}-{arch}-unknown-linux-gnu");
        let pack = r#"
            mkdir -p "$1/v$3" "$1/$2/bin" && cp "$4" "$1/$2/bin/shadow-ci" && cd "$1"
            tar -c "$2" | gzip -1 > "v$3/$2.tar.gz" && rm -r "$2" && cd "v$3" && sha256sum "$2.tar.gz" > SHA256SUMS
            mkdir -p "$1/latest" && ln -sfn "../v$3" "$1/latest/download""#;
        let binary = env!("CARGO_BIN_EXE_shadow-ci");
        let status = Command::new("bash")
            .args(["-ec", pack, "pack"])
            .arg(&dir)
            .args([&name, VERSION, binary])
            .status();
        assert!(status.unwrap().success());
    });
    format!("file://{}", dir.display())
}

pub fn job(origin: &Origin, workspace: PathBuf, event: Value) -> Job {
    let temp = origin.dir.path().join("temp");
    std::fs::create_dir_all(&temp).unwrap();
    let kept = ["PATH", "HOME", "JAVA_HOME", "XDG_CACHE_HOME"];
    let env = kept
        .iter()
        .filter_map(|n| Some((n.to_string(), std::env::var(n).ok()?)));
    Job {
        action: root(),
        workspace,
        temp,
        github: json!({
            "event": event, "repository": "owner/name", "server_url": "https://github.com", "api_url": "http://127.0.0.1:1",
            "run_id": "34", "ref": "refs/pull/7/merge", "token": "s3cret",
        }),
        with: vec![("version", VERSION.to_string()), ("releases", release())],
        env: env.collect(),
    }
}

pub fn pull_request(origin: &Origin, from: &str) -> Value {
    json!({ "pull_request": {
        "number": 7,
        "base": { "sha": origin.base },
        "head": { "sha": origin.head, "repo": { "full_name": from } },
    } })
}

fn comments(server: Server) -> (Vec<String>, String) {
    let asked = server.asked();
    let body = asked.last().map(|a| a.body["body"].to_string());
    (
        asked.iter().map(http::Asked::line).collect(),
        body.unwrap_or_default(),
    )
}

fn good_day(origin: &Origin) -> Vec<Answer> {
    vec![
        answer(200, json!({ "head": { "sha": origin.head } })),
        answer(
            403,
            json!({ "message": "Resource not accessible by integration" }),
        ),
        answer(200, json!([])),
        answer(201, json!({ "id": 1, "body": "", "user": null })),
    ]
}

fn assert_files(outcome: &Outcome, workspace: &Path) {
    for (name, file) in [
        ("report-json", "shadow-ci/report.json"),
        ("html", "shadow-ci/report.html"),
        ("sarif", "shadow-ci/report.sarif"),
        ("tests-dir", "shadow-ci/tests"),
    ] {
        let path = workspace.canonicalize().unwrap().join(file);
        assert_eq!(Path::new(&outcome.outputs[name]), path);
        assert!(path.exists());
    }
    let upload = outcome.step("Upload report and tests");
    assert!(upload.uses.starts_with("actions/upload-artifact@"));
    let staged = Path::new(&upload.with["path"]);
    for file in [
        "report.json",
        "report.html",
        "report.sarif",
        "summary.md",
        "tests/demo/FooShadowTest.java",
    ] {
        assert!(staged.join(file).exists(), "{file} is not uploaded");
    }
}

#[test]
fn a_pull_request_is_checked_from_a_checkout_of_depth_one_and_commented_on() {
    let origin = origin(30);
    let workspace = checkout(&origin, "--depth=1");
    let mut job = job(
        &origin,
        workspace.clone(),
        pull_request(&origin, "owner/name"),
    );
    let server = Server::start(good_day(&origin));
    job.github["api_url"] = json!(server.url);
    let outcome = job.run();
    assert_eq!(outcome.code(), 1, "{:?}", outcome.steps);
    // Compared with where it left its base: what came to the base since is no change of the pull request.
    assert_eq!(outcome.outputs["old"], origin.fork_point);
    assert_eq!(outcome.outputs["new"], origin.head);
    assert_eq!(outcome.outputs["methods"], "1");
    assert_eq!(outcome.outputs["verdict"], "diverges");
    assert!(outcome.outputs["regressions"].parse::<u64>().unwrap() > 0);
    assert_eq!(outcome.outputs["exit-code"], "1");
    assert_files(&outcome, &workspace);
    assert!(outcome.summary.contains("demo.Foo#foo"));
    let log = &outcome.step("Check the patch").log;
    assert!(
        log.contains("::error file=src/main/java/demo/Foo.java,line="),
        "{log}"
    );
    let (asked, body) = comments(server);
    assert_eq!(
        asked.last().unwrap(),
        "POST /repos/owner/name/issues/7/comments"
    );
    assert!(
        body.contains("https://github.com/owner/name/actions/runs/34"),
        "{body}"
    );
    // The user's checkout is as it was, but for what was asked for.
    assert_eq!(git(&workspace, &["status", "--porcelain"]), "?? shadow-ci/");
    assert_eq!(git(&workspace, &["rev-parse", "HEAD"]), origin.base);
}

/// The answers of a repository's check runs: none at first, then the one that was made.
fn check_runs() -> impl FnMut(&http::Asked) -> Answer + Send + 'static {
    let mut runs: Vec<Value> = Vec::new();
    move |asked| match asked.method.as_str() {
        "GET" => answer(
            200,
            json!({ "total_count": runs.len(), "check_runs": runs }),
        ),
        "POST" => {
            let mut run = asked.body.clone();
            run["id"] = json!(40);
            runs.push(run.clone());
            answer(201, run)
        }
        _ => answer(404, json!({ "message": "Not Found" })),
    }
}

#[test]
fn a_pull_request_gets_one_check_run_with_annotations_instead_of_a_comment() {
    let origin = origin(0);
    let workspace = checkout(&origin, "--depth=1");
    let mut job = job(
        &origin,
        workspace.clone(),
        pull_request(&origin, "owner/name"),
    );
    job.with.push(("report-as", "check".into()));
    let server = Server::serve(check_runs());
    job.github["api_url"] = json!(server.url);
    let outcome = job.run();
    assert_eq!(outcome.code(), 1, "{:?}", outcome.steps);
    let again = job.run();
    assert_eq!(again.code(), 1, "{:?}", again.steps);
    let asked = server.asked();
    let made: Vec<&http::Asked> = asked.iter().filter(|a| a.method == "POST").collect();
    let [made] = made.as_slice() else {
        panic!("one check run, whatever is run again: {asked:?}");
    };
    assert_eq!(made.path, "/repos/owner/name/check-runs");
    assert_eq!(made.body["head_sha"], origin.head);
    assert_eq!(made.body["conclusion"], "failure");
    assert_eq!(
        made.body["details_url"],
        "https://github.com/owner/name/actions/runs/34"
    );
    let output = &made.body["output"];
    assert!(output["summary"].as_str().unwrap().contains("demo.Foo#foo"));
    let notes = output["annotations"].as_array().unwrap();
    let of_the_regression = |n: &&Value| {
        n["path"] == "src/main/java/demo/Foo.java" && n["annotation_level"] == "failure"
    };
    let note = notes.iter().find(of_the_regression).expect("an annotation");
    let line = note["start_line"].as_u64().unwrap() as usize;
    let source = git(
        &workspace,
        &[
            "show",
            &format!("{}:src/main/java/demo/Foo.java", origin.head),
        ],
    );
    assert!((1..=source.lines().count()).contains(&line), "{note}");
    let token = made.header("authorization").unwrap_or_default();
    assert!(token.ends_with("s3cret"), "the job's token");
    assert!(
        !outcome
            .step("Comment on the pull request")
            .log
            .contains("s3cret")
    );
}

#[test]
fn a_fork_gets_a_summary_and_no_comment() {
    let origin = origin(0);
    let workspace = checkout(&origin, "");
    let mut job = job(&origin, workspace, pull_request(&origin, "stranger/name"));
    job.with.push(("fail-on", "never".into()));
    // Any request would fail: nobody listens.
    let outcome = job.run();
    assert_eq!(outcome.code(), 0, "{:?}", outcome.steps);
    assert_eq!(outcome.outputs["verdict"], "diverges");
    assert!(outcome.summary.contains("demo.Foo#foo"));
    let log = &outcome.step("Comment on the pull request").log;
    assert!(log.contains("::notice") && log.contains("fork"), "{log}");
}

#[test]
fn a_refused_comment_is_told_and_fails_nothing() {
    let origin = origin(0);
    let workspace = checkout(&origin, "--depth=1");
    let mut job = job(&origin, workspace, pull_request(&origin, "owner/name"));
    job.with.push(("fail-on", "never".into()));
    let mut script = good_day(&origin);
    script[3] = answer(
        403,
        json!({ "message": "Resource not accessible by integration" }),
    );
    let server = Server::start(script);
    job.github["api_url"] = json!(server.url);
    let outcome = job.run();
    assert_eq!(outcome.code(), 0, "{:?}", outcome.steps);
    let log = &outcome.step("Comment on the pull request").log;
    assert!(
        log.contains("::warning") && log.contains("pull-requests: write"),
        "{log}"
    );
    assert!(!log.contains("s3cret"));
}

#[test]
fn a_push_is_compared_with_what_was_there_before() {
    let origin = origin(3);
    let workspace = checkout(&origin, "--depth=1");
    let before = git(&origin.path(), &["rev-parse", "main~2"]);
    let job = job(&origin, workspace, json!({ "before": before }));
    let outcome = job.run();
    assert_eq!(
        (outcome.code(), &outcome.outputs["old"]),
        (0, &before),
        "{:?}",
        outcome.steps
    );
    assert_eq!(outcome.outputs["new"], origin.base);
    assert_eq!(
        (
            &*outcome.outputs["changed"],
            &*outcome.outputs["regressions"]
        ),
        ("1", "0")
    );
    assert!(
        outcome
            .step("Comment on the pull request")
            .log
            .contains("no pull request")
    );
}

/// Runs the step that finds the commits, alone.
fn revisions(workspace: &Path, env: &[(&str, &str)]) -> (i32, String, String) {
    let outputs = workspace.join(".git/outputs");
    let _ = std::fs::remove_file(&outputs);
    let output = Command::new(root().join("scripts/action/revisions.sh"))
        .current_dir(workspace)
        .envs(env.iter().copied())
        .env("GITHUB_OUTPUT", &outputs)
        .env("GITHUB_ACTIONS", "true")
        .output()
        .unwrap();
    let found = std::fs::read_to_string(&outputs).unwrap_or_default();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap(), found.trim().to_string(), log)
}

#[test]
fn commits_are_found_by_any_name_in_a_shallow_clone() {
    let origin = origin(30);
    let workspace = checkout(&origin, "--depth=1");
    let id = |name: &str| git(&origin.path(), &["rev-parse", name]);
    let pair = |old: &str, new: &str| format!("old={}\nnew={}", id(old), id(new));
    let zeros = "0".repeat(40);
    for (env, expected) in [
        (vec![], pair("main~1", "main")),
        (
            vec![("EVENT_BEFORE", zeros.as_str())],
            pair("main~1", "main"),
        ),
        (vec![("INPUT_OLD", "HEAD~25")], pair("main~25", "main")),
        (
            vec![("INPUT_OLD", "main~3"), ("INPUT_NEW", "HEAD^")],
            pair("main~3", "main~1"),
        ),
        (
            vec![
                ("INPUT_OLD", origin.fork_point.as_str()),
                ("INPUT_NEW", "refs/pull/7/head"),
            ],
            pair(&origin.fork_point, &origin.head),
        ),
    ] {
        let (code, found, log) = revisions(&workspace, &env);
        assert_eq!((code, found), (0, expected), "{env:?}: {log}");
    }
}

#[test]
fn what_cannot_be_fetched_is_named_with_what_to_set() {
    let origin = origin(2);
    let workspace = checkout(&origin, "--depth=1");
    for wrong in [
        "nowhere",
        "HEAD~999",
        "0123456789012345678901234567890123456789",
    ] {
        let (code, found, log) = revisions(&workspace, &[("INPUT_OLD", wrong)]);
        assert_eq!((code, found.as_str()), (2, ""), "{wrong}: {log}");
        let commands: Vec<&str> = log.lines().filter(|l| l.starts_with("::")).collect();
        assert!(
            commands.len() == 1 && commands[0].contains("fetch-depth: 0"),
            "{log}"
        );
    }
    for wrong in ["--upload-pack=touch /tmp/x", "a b", "-x"] {
        let (code, _, log) = revisions(&workspace, &[("INPUT_NEW", wrong)]);
        assert!(code == 2 && log.contains("is no revision"), "{log}");
    }
    let alone = checkout_at(&origin, "alone", "--depth=1");
    git(&alone, &["remote", "remove", "origin"]);
    let (code, _, log) = revisions(&alone, &[("EVENT_BASE", &origin.fork_point)]);
    assert!(code == 2 && log.contains("fetch-depth: 0"), "{log}");
}

#[test]
fn a_whole_clone_stays_whole() {
    let origin = origin(3);
    let workspace = checkout(&origin, "");
    let env = [
        ("EVENT_BASE", origin.base.as_str()),
        ("EVENT_HEAD", origin.head.as_str()),
    ];
    let (code, found, log) = revisions(&workspace, &env);
    assert_eq!(
        (code, found),
        (0, format!("old={}\nnew={}", origin.fork_point, origin.head)),
        "{log}"
    );
    assert_eq!(
        git(&workspace, &["rev-parse", "--is-shallow-repository"]),
        "false"
    );
}

#[test]
fn values_are_never_commands() {
    let origin = origin(0);
    let workspace = checkout(&origin, "");
    let mut job = job(
        &origin,
        workspace.clone(),
        pull_request(&origin, "stranger/name"),
    );
    let evil = "$(touch pwned)`touch pwned`\"; touch pwned; '\n::error::x";
    for name in ["method", "source-root", "classpath", "json", "fail-on"] {
        job.with.retain(|w| ["version", "releases"].contains(&w.0));
        job.with.push((name, evil.to_string()));
        let outcome = job.run();
        assert!(!workspace.join("pwned").exists(), "{name}");
        assert!(outcome.steps.len() >= 5, "{name}: {:?}", outcome.steps);
    }
}

/// What the pull request says of how it is to be checked counts for nothing; the base's settings do.
#[test]
fn a_patch_does_not_change_how_it_is_checked() {
    let origin = origin(0);
    let workspace = checkout(&origin, "");
    let settings = "fail-on = ['never']\nmethod = ['no.Such#method']\ntests-dir = '../outside'\nclasspath = '/'\n";
    std::fs::write(workspace.join("shadow-ci.toml"), settings).unwrap();
    let mut of_the_base = job(&origin, workspace, pull_request(&origin, "stranger/name"));
    let outcome = of_the_base.run();
    assert_eq!(outcome.code(), 1, "{:?}", outcome.steps);
    assert_eq!(outcome.outputs["methods"], "1");
    assert!(!origin.dir.path().join("outside").exists());
    // Where the checkout's are asked for, they still name no place outside.
    of_the_base.with.push(("config-from", "checkout".into()));
    let outcome = of_the_base.run();
    assert_eq!(outcome.code(), 2);
    let log = &outcome.steps.last().unwrap().log;
    assert!(
        log.contains("pass --tests-dir on the command line"),
        "{log}"
    );
    assert!(!origin.dir.path().join("outside").exists());
}

/// A patch that attacks when it is run, through all of the Action's steps: its finding is reported, and nothing else comes of it.
#[cfg(target_os = "linux")]
#[test]
fn a_hostile_patch_harms_nothing_through_the_action() {
    use crate::containment::{World, contained, is_told};
    if !contained() {
        return;
    }
    let world = World::new();
    world.commit("Attack");
    let dir = tempfile::tempdir().unwrap();
    let repo = dir.path().join("origin");
    std::fs::create_dir(&repo).unwrap();
    git(&repo, &["init", "-q"]);
    let attack = std::fs::read_to_string(root().join("tests/containment/Attack.java")).unwrap();
    let patch = "package demo;\npublic class Patch {\n    static int f(int x) {\n        if (x == 7) {\n\
        java.util.List<String> said = new java.util.ArrayList<>();\n            Attack.attempts(said, new String[] {VICTIMS});\n\
        boolean done = said.stream().anyMatch(l -> l.contains(\" DONE \"));\n\
        return done ? -1 : Attack.refused(said) > 100 ? NUMBER : -2;\n        }\n        return x;\n    }\n}\n";
    let victims: Vec<String> = world.victims().split(", ").map(quoted).collect();
    let patch = patch.replace("VICTIMS", &victims.join(", "));
    let mut commits = Vec::new();
    for number in ["4711", "4712"] {
        let folder = repo.join("src/main/java/demo");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("Attack.java"), &attack).unwrap();
        std::fs::write(folder.join("Patch.java"), patch.replace("NUMBER", number)).unwrap();
        git(&repo, &["add", "-A"]);
        git(&repo, &["commit", "-q", "-m", number]);
        commits.push(git(&repo, &["rev-parse", "HEAD"]));
    }
    git(&repo, &["branch", "-q", "-M", "main"]);
    let origin = Origin {
        dir,
        base: commits[0].clone(),
        fork_point: commits[0].clone(),
        head: commits[1].clone(),
    };
    let workspace = checkout(&origin, "");
    let mut hostile = job(
        &origin,
        workspace.clone(),
        pull_request(&origin, "stranger/name"),
    );
    hostile.env.retain(|(name, _)| name != "HOME");
    let home = world.home().to_string_lossy().into_owned();
    hostile.env.push(("HOME".into(), home));
    let cache = env!("CARGO_TARGET_TMPDIR").to_string();
    hostile.env.push(("XDG_CACHE_HOME".into(), cache));
    for with in [
        ("containment", "required"),
        ("search-runs", "300"),
        ("effort", "2"),
    ] {
        hostile.with.push((with.0, with.1.to_string()));
    }
    let before = world.state();
    let outcome = hostile.run();
    world.is_as_it_was(&before);
    let log: String = outcome.steps.iter().map(|s| s.log.as_str()).collect();
    let report = std::fs::read_to_string(workspace.join("shadow-ci/report.json"));
    let report = report.unwrap_or_else(|e| panic!("{e}: {log}"));
    assert!(
        report.contains("\"4711\"") && report.contains("\"4712\""),
        "{report}\n{log}"
    );
    for text in [&log, &report] {
        assert!(!is_told(text) && !text.contains("s3cret"), "{text}");
    }
}

/// A Java string of what is a string or a number.
#[cfg(target_os = "linux")]
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.trim_matches('"'))
}

#[test]
fn reports_stay_in_the_workspace_whatever_links_the_patch_has() {
    let origin = origin(0);
    let workspace = checkout(&origin, "");
    let outside = origin.dir.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, workspace.join("shadow-ci")).unwrap();
    let outcome = job(&origin, workspace, pull_request(&origin, "owner/name")).run();
    assert_eq!(outcome.code(), 2);
    assert!(
        outcome
            .steps
            .last()
            .unwrap()
            .log
            .contains("out of the workspace")
    );
    assert_eq!(std::fs::read_dir(outside).unwrap().count(), 0);
}

#[test]
fn a_release_with_another_checksum_is_not_used() {
    let origin = origin(0);
    let workspace = checkout(&origin, "");
    let job = |with: Vec<(&'static str, String)>| {
        let mut job = job(
            &origin,
            workspace.clone(),
            pull_request(&origin, "owner/name"),
        );
        job.with.extend(with);
        job
    };
    for (with, expected) in [
        (
            vec![("sha256", "0".repeat(64))],
            "does not have the SHA-256",
        ),
        (vec![("sha256", "x".to_string())], "no SHA-256"),
    ] {
        let outcome = job(with).run();
        assert_eq!((outcome.code(), outcome.steps.len()), (2, 3));
        assert!(
            outcome.steps[2].log.contains(expected),
            "{:?}",
            outcome.steps
        );
    }
    let mut other = job(vec![]);
    other.with[0].1 = "9.9.9".into();
    let outcome = other.run();
    assert!(outcome.code() == 2 && outcome.steps[2].log.contains("cannot fetch"));
    other.with[0].1 = "main; rm -rf /".into();
    let outcome = other.run();
    assert!(outcome.code() == 2 && outcome.steps[0].log.contains("neither a release"));
}

/// A zip archive with these files, and answers that list and give it.
fn artifact(origin: &Origin, files: &[(&str, &str)]) -> Vec<Answer> {
    let dir = tempfile::tempdir_in(origin.dir.path()).unwrap();
    let file = dir.path().join("a.zip");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&file).unwrap());
    for (name, text) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let body = std::fs::read(&file).unwrap();
    let entry = |id: u64, expired: bool| json!({ "id": id, "name": "shadow-ci", "size_in_bytes": body.len(), "expired": expired });
    let list = json!({ "total_count": 2, "artifacts": [entry(11, false), entry(12, true)] });
    vec![
        answer(200, list),
        Answer {
            body,
            ..answer(200, json!(null))
        },
    ]
}

/// A run of the privileged half, and what it asked GitHub.
fn post(
    origin: &Origin,
    script: Vec<Answer>,
    change: impl Fn(&mut Value),
) -> (Outcome, Vec<String>, String) {
    let workspace = origin.dir.path().join("empty");
    std::fs::create_dir_all(&workspace).unwrap();
    let mut event = json!({ "workflow_run": {
        "id": 99, "event": "pull_request", "head_sha": origin.head, "head_branch": "fix/a&b",
        "head_repository": { "owner": { "login": "stranger" } },
    } });
    change(&mut event["workflow_run"]);
    let mut job = job(origin, workspace, event);
    job.action = root().join("comment");
    let server = Server::start(script);
    job.github["api_url"] = json!(server.url);
    let outcome = job.run();
    let (asked, body) = comments(server);
    (outcome, asked, body)
}

/// A report as a run on these commits writes it.
fn report(origin: &Origin) -> String {
    let mut command = support::shadow_ci(&origin.path());
    let output = command
        .args([&origin.fork_point, &origin.head, "--json", "-"])
        .output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

#[test]
fn the_privileged_half_posts_the_report_of_a_fork() {
    let origin = origin(0);
    let mut script = artifact(
        &origin,
        &[("../evil", "x"), ("report.json", &report(&origin))],
    );
    let mine = json!({ "number": 7, "head": { "sha": origin.head } });
    let older = json!({ "number": 6, "head": { "sha": origin.base } });
    script.push(answer(200, json!([older, mine])));
    script.extend(good_day(&origin));
    let (outcome, asked, body) = post(&origin, script, |_| ());
    assert_eq!(outcome.code(), 0, "{:?}", outcome.steps);
    let expected = [
        "GET /repos/owner/name/actions/runs/99/artifacts?name=shadow-ci&per_page=100",
        "GET /repos/owner/name/actions/artifacts/11/zip",
        "GET /repos/owner/name/pulls?state=open&head=stranger%3Afix%2Fa%26b&per_page=100",
        "GET /repos/owner/name/pulls/7",
        "GET /user",
        "GET /repos/owner/name/issues/7/comments?per_page=100&page=1",
        "POST /repos/owner/name/issues/7/comments",
    ];
    assert_eq!(asked, expected);
    assert!(body.contains("demo.Foo#foo") && body.contains("actions/runs/99"));
    assert_eq!(
        std::fs::read_dir(origin.dir.path().join("empty"))
            .unwrap()
            .count(),
        0
    );
}

#[test]
fn the_privileged_half_refuses_what_is_not_a_report_of_this_pull_request() {
    let origin = origin(0);
    let report = report(&origin);
    let huge = " ".repeat(10 << 20) + &report;
    let pulls = |all: Value| vec![answer(200, all)];
    for (files, more, message) in [
        (vec![("report.json", huge.as_str())], vec![], "10 MB"),
        (vec![("report.json", "{}")], vec![], "format_version"),
        (vec![("other.json", report.as_str())], vec![], "error:"),
        (
            vec![("report.json", report.as_str())],
            pulls(json!([])),
            "0 open pull requests",
        ),
        (
            vec![("report.json", report.as_str())],
            pulls(json!([{ "number": 7, "head": { "sha": origin.base } }])),
            "0 open pull requests",
        ),
    ] {
        let script = [artifact(&origin, &files), more].concat();
        let (outcome, asked, _) = post(&origin, script, |_| ());
        let log = &outcome.step("Post the report").log;
        assert!(
            outcome.code() == 2 && log.contains(message),
            "{message}: {log}"
        );
        assert!(asked.iter().all(|a| a.starts_with("GET ")), "{asked:?}");
    }
    for (field, value, code) in [
        ("id", json!("1/../../x"), 2),
        ("head_sha", json!("HEAD"), 2),
        ("event", json!("push"), 0),
    ] {
        let (outcome, asked, _) = post(&origin, vec![], |run| run[field] = value.clone());
        assert_eq!((outcome.code(), asked.len()), (code, 0), "{field}");
    }
    let (outcome, ..) = post(
        &origin,
        vec![answer(200, json!({ "artifacts": [] }))],
        |_| (),
    );
    assert!(
        outcome.code() == 0
            && outcome
                .step("Post the report")
                .log
                .contains("nothing to post")
    );
}

#[test]
fn actions_are_pinned_by_commit_and_scripts_take_no_expressions() {
    let mut files: Vec<PathBuf> = ["action.yml", "comment/action.yml"]
        .map(|f| root().join(f))
        .into();
    for folder in [".github/workflows", "docs/workflows"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap().flatten();
        files.extend(
            entries
                .map(|e| e.path())
                .filter(|p| p.extension().is_some_and(|e| e == "yml")),
        );
    }
    let mut used = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines() {
            let Some((_, action)) = line.split_once("uses: ") else {
                continue;
            };
            let own = action.starts_with("shadow-ci/shadow-ci");
            let (name, rest) = action.split_once('@').unwrap();
            let (id, version) = rest.split_once(" # ").unwrap_or((rest, ""));
            let pinned = id.len() == 40
                && id.chars().all(|c| c.is_ascii_hexdigit())
                && version.starts_with('v');
            assert!(own || pinned, "{}: {name} is not pinned", file.display());
            used += 1;
        }
        if !text.contains("pipeline") {
            scripts(&serde_yaml_ng::from_str(&text).unwrap(), &file);
        }
    }
    assert!(used >= 10);
}

fn scripts(value: &Value, file: &Path) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(script)) = map.get("run") {
                assert!(!script.contains("${{"), "{}: {script}", file.display());
            }
            map.values().for_each(|v| scripts(v, file));
        }
        Value::Array(all) => all.iter().for_each(|v| scripts(v, file)),
        _ => {}
    }
}

#[test]
fn each_workflow_names_its_permissions() {
    for file in [
        ".github/workflows/release.yml",
        ".github/workflows/ci.yml",
        "docs/workflows/shadow-ci.yml",
        "docs/workflows/shadow-ci-analyse.yml",
        "docs/workflows/shadow-ci-comment.yml",
    ] {
        let workflow = metadata(&root().join(file));
        assert_eq!(workflow["permissions"], json!({}), "{file}");
        for (name, job) in workflow["jobs"].as_object().unwrap() {
            assert!(job["permissions"].is_object(), "{file}: {name}");
        }
    }
    // The half that runs the pull request's code may write nothing; the half that may write checks nothing out.
    let analyse = metadata(&root().join("docs/workflows/shadow-ci-analyse.yml"));
    assert_eq!(
        analyse["jobs"]["analyse"]["permissions"],
        json!({ "contents": "read" })
    );
    let comment =
        std::fs::read_to_string(root().join("docs/workflows/shadow-ci-comment.yml")).unwrap();
    assert!(!comment.contains("actions/checkout@"));
}
