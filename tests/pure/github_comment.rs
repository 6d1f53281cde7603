//! `shadow-ci comment` against a server that checks every request, and answers as GitHub does on good and bad days.

use crate::http::{Answer, Asked, Server, answer};
use crate::reports;
use serde_json::{Value, json};
use shadow_ci::github::{Client, GitHubError, Posted, Request, post};
use shadow_ci::report::{Report, json as json_report};
use std::cell::RefCell;
use std::process::{Command, Output};
use std::rc::Rc;

const MARKER: &str = "<!-- shadow-ci -->";
const BODY: &str = "<!-- shadow-ci -->\nnew";
const COMMENTS: &str = "/repos/owner/name/issues/7/comments";

fn request() -> Request<'static> {
    Request {
        repository: "owner/name",
        pull: 7,
        body: BODY,
        marker: MARKER,
        author: None,
        head: None,
        create: true,
    }
}

/// Posts, and says how it went, what was asked, and how many seconds it waited each time.
fn run(
    script: Vec<Answer>,
    request: &Request,
) -> (Result<Posted, GitHubError>, Vec<Asked>, Vec<u64>) {
    let server = Server::start(script);
    let waits = Rc::new(RefCell::new(Vec::new()));
    let kept = waits.clone();
    let client = Client::new(&server.url, "s3cret")
        .unwrap()
        .with_sleep(move |time| kept.borrow_mut().push(time.as_secs()));
    let result = post(&client, request);
    let asked = server.asked();
    let agent = format!("shadow-ci/{}", env!("CARGO_PKG_VERSION"));
    for a in &asked {
        assert_eq!(a.header("authorization"), Some("Bearer s3cret"), "{a:?}");
        assert_eq!(a.header("accept"), Some("application/vnd.github+json"));
        assert_eq!(a.header("x-github-api-version"), Some("2022-11-28"));
        assert_eq!(a.header("user-agent"), Some(agent.as_str()));
        let body = matches!(a.method.as_str(), "POST" | "PATCH");
        let expected = if body {
            json!({ "body": BODY })
        } else {
            Value::Null
        };
        assert_eq!(a.body, expected);
        assert_eq!(a.header("content-type"), body.then_some("application/json"));
    }
    let waits = waits.borrow().clone();
    (result, asked, waits)
}

fn lines(asked: &[Asked]) -> Vec<String> {
    asked.iter().map(Asked::line).collect()
}

fn page(n: usize) -> String {
    format!("GET {COMMENTS}?per_page=100&page={n}")
}

fn user() -> Answer {
    answer(200, json!({ "login": "ci-bot", "id": 1 }))
}

fn comment(id: u64, login: &str, body: &str) -> Value {
    json!({ "id": id, "body": body, "user": { "login": login, "type": "User" }, "html_url": "…" })
}

fn comments(all: &[Value]) -> Answer {
    answer(200, Value::from(all.to_vec()))
}

fn refusal(status: u16, message: &str) -> Answer {
    answer(
        status,
        json!({ "message": message, "documentation_url": "…" }),
    )
}

fn created() -> Answer {
    answer(201, comment(9, "ci-bot", BODY))
}

#[test]
fn the_first_comment_is_created() {
    let (result, asked, _) = run(vec![user(), comments(&[]), created()], &request());
    assert_eq!(result.unwrap(), Posted::Created);
    assert_eq!(
        lines(&asked),
        ["GET /user".to_string(), page(1), format!("POST {COMMENTS}")]
    );
}

#[test]
fn the_comment_is_found_on_a_later_page_and_updated() {
    let full: Vec<Value> = (0..100).map(|i| comment(i, "someone", "hi")).collect();
    let strangers = [
        comment(200, "mallory", MARKER),
        json!({ "id": 201, "body": null, "user": null }),
        comment(202, "ci-bot", &format!("see {MARKER}")),
        comment(203, "CI-bot", &format!("{MARKER}\r\nold")),
        comment(204, "ci-bot", &format!("{MARKER} later")),
    ];
    // The address of the next page is not followed: it could be anywhere.
    let next = "<http://evil.example/x?page=2>; rel=\"next\", <http://evil.example/x?page=2>; rel=\"last\"";
    let script = vec![
        user(),
        comments(&full).with("Link", next),
        comments(&strangers),
        answer(200, comment(203, "ci-bot", BODY)),
    ];
    let (result, asked, _) = run(script, &request());
    assert_eq!(result.unwrap(), Posted::Updated);
    assert_eq!(
        lines(&asked)[1..],
        [
            page(1),
            page(2),
            "PATCH /repos/owner/name/issues/comments/203".to_string()
        ]
    );
}

#[test]
fn nothing_is_written_where_nothing_changed_or_nothing_is_wanted() {
    let same = comment(3, "ci-bot", "<!-- shadow-ci -->\r\nnew\n");
    let (result, asked, _) = run(vec![user(), comments(&[same])], &request());
    assert_eq!((result.unwrap(), asked.len()), (Posted::Unchanged, 2));
    let clean = Request {
        create: false,
        ..request()
    };
    let (result, asked, _) = run(vec![user(), comments(&[])], &clean);
    assert_eq!((result.unwrap(), asked.len()), (Posted::NotNeeded, 2));
    let old = comment(3, "ci-bot", MARKER);
    let (result, ..) = run(
        vec![user(), comments(&[old]), answer(200, json!({}))],
        &clean,
    );
    assert_eq!(result.unwrap(), Posted::Updated);
}

#[test]
fn a_workflows_token_need_not_say_who_it_is() {
    let old = comment(3, "github-actions[bot]", MARKER);
    let hidden = refusal(403, "Resource not accessible by integration");
    let script = vec![hidden, comments(&[old]), answer(200, json!({}))];
    assert_eq!(run(script, &request()).0.unwrap(), Posted::Updated);
    let named = Request {
        author: Some("app[bot]"),
        ..request()
    };
    let old = comment(3, "app[bot]", MARKER);
    let (result, asked, _) = run(vec![comments(&[old]), answer(200, json!({}))], &named);
    assert_eq!((result.unwrap(), asked.len()), (Posted::Updated, 2));
}

#[test]
fn a_comment_deleted_meanwhile_is_made_anew() {
    let script = vec![
        user(),
        comments(&[comment(3, "ci-bot", MARKER)]),
        refusal(404, "Not Found"),
        created(),
    ];
    assert_eq!(run(script, &request()).0.unwrap(), Posted::Created);
}

#[test]
fn a_report_about_another_commit_is_not_posted() {
    let of = Request {
        head: Some("abc1"),
        ..request()
    };
    let pull = |sha: &str| answer(200, json!({ "head": { "sha": sha } }));
    let (result, asked, _) = run(vec![pull("def2")], &of);
    assert!(matches!(result, Err(GitHubError::Stale { .. })));
    assert_eq!(lines(&asked), ["GET /repos/owner/name/pulls/7"]);
    let (result, ..) = run(vec![pull("ABC1"), user(), comments(&[]), created()], &of);
    assert_eq!(result.unwrap(), Posted::Created);
}

/// The error of a run that answers so to the attempt to comment.
fn refused(last: Answer) -> (GitHubError, Vec<u64>) {
    let (result, asked, waits) = run(vec![user(), comments(&[]), last], &request());
    assert_eq!(asked.len(), 3);
    (result.unwrap_err(), waits)
}

fn help(error: &GitHubError) -> String {
    miette::Diagnostic::help(error).unwrap().to_string()
}

#[test]
fn refusals_say_what_to_do() {
    let (result, asked, _) = run(vec![refusal(401, "Bad credentials")], &request());
    let error = result.unwrap_err();
    assert_eq!(asked.len(), 1);
    assert!(error.to_string().contains("401: Bad credentials") && help(&error).contains("expired"));

    let (error, waits) = refused(refusal(403, "Resource not accessible by integration"));
    assert!(matches!(error, GitHubError::Forbidden(_)) && waits.is_empty());
    assert!(help(&error).contains("pull-requests: write"));

    let (result, asked, _) = run(vec![user(), refusal(404, "Not Found")], &request());
    let error = result.unwrap_err();
    assert_eq!(asked.len(), 2);
    assert!(error.to_string().contains("404: Not Found") && help(&error).contains("--pull"));

    let invalid = json!({ "message": "Validation Failed", "errors": [
        { "resource": "IssueComment", "field": "body", "code": "custom", "message": "body is too long" } ] });
    let (error, _) = refused(answer(422, invalid));
    assert!(
        error
            .to_string()
            .contains("422: Validation Failed; body is too long")
    );

    let (error, _) = refused(refusal(301, "Moved Permanently").with("Location", "/elsewhere"));
    assert!(matches!(error, GitHubError::Moved(301)));

    let (error, _) = refused(Answer {
        body: "<html>\u{1b}[31m".into(),
        ..refusal(418, "")
    });
    assert_eq!(error.to_string(), "GitHub answers 418: no message");

    let page = Answer {
        body: "<html>a portal</html>".into(),
        ..answer(200, json!(null))
    };
    let (result, ..) = run(vec![page], &request());
    assert!(matches!(result.unwrap_err(), GitHubError::Answer { .. }));
}

#[test]
fn rate_limits_are_waited_for() {
    let soon = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs()
        + 20;
    let script = vec![
        user(),
        refusal(429, "slow down").with("Retry-After", "7"),
        refusal(403, "API rate limit exceeded")
            .with("x-ratelimit-remaining", "0")
            .with("x-ratelimit-reset", &soon.to_string()),
        comments(&[]),
        refusal(403, "You have exceeded a secondary rate limit"),
        created(),
    ];
    let (result, asked, waits) = run(script, &request());
    assert_eq!((result.unwrap(), asked.len()), (Posted::Created, 6));
    assert_eq!((waits.len(), waits[0], waits[2]), (3, 7, 60));
    assert!((15..=21).contains(&waits[1]), "{waits:?}");
}

#[test]
fn a_rate_limit_that_lasts_too_long_is_an_error() {
    let (error, waits) = refused(refusal(429, "later").with("Retry-After", "3600"));
    assert!(waits.is_empty());
    let text = error.to_string();
    assert!(
        text.contains("rate limit") && text.contains("3600 s"),
        "{text}"
    );
}

#[test]
fn outages_are_waited_for_and_end() {
    let down = || refusal(503, "Service Unavailable");
    let script = vec![
        down(),
        refusal(502, "Bad Gateway"),
        user(),
        comments(&[]),
        created(),
    ];
    let (result, asked, waits) = run(script, &request());
    assert_eq!(
        (result.unwrap(), asked.len(), waits),
        (Posted::Created, 5, vec![1, 2])
    );
    let (result, asked, waits) = run(vec![down(); 9], &request());
    assert_eq!((asked.len(), waits), (5, vec![1, 2, 4, 8]));
    assert_eq!(
        result.unwrap_err().to_string(),
        "GitHub answers 503: Service Unavailable"
    );
}

#[test]
fn a_comment_is_never_posted_twice() {
    // The first attempt succeeded, but its answer got lost.
    let script = vec![
        user(),
        comments(&[]),
        refusal(502, "Bad Gateway"),
        comments(&[comment(9, "ci-bot", BODY)]),
    ];
    let (result, asked, _) = run(script, &request());
    assert_eq!(result.unwrap(), Posted::Created);
    assert_eq!(asked.iter().filter(|a| a.method == "POST").count(), 1);
    // It did not.
    let script = vec![
        user(),
        comments(&[]),
        refusal(502, "Bad Gateway"),
        comments(&[]),
        created(),
    ];
    assert_eq!(run(script, &request()).0.unwrap(), Posted::Created);
}

#[test]
fn tokens_go_nowhere_unsafe() {
    for url in [
        "http://github.example",
        "ftp://127.0.0.1",
        "https://",
        "github.com",
        "https://user:pw@github.example",
        "https://github.example/?x",
        "https://github.example/#x",
    ] {
        let error = Client::new(url, "t").err().unwrap();
        assert!(matches!(error, GitHubError::Address(_)), "{url}");
    }
    for token in ["", " \n", "a\r\nX-Evil: 1", "a b", "ä"] {
        let error = Client::new("https://api.github.com", token).err().unwrap();
        assert!(matches!(error, GitHubError::Token), "{token:?}");
    }
    assert!(Client::new("https://api.github.com", "t\n").is_ok());
    // Nobody listens.
    let client = Client::new("http://127.0.0.1:1", "s3cret")
        .unwrap()
        .with_sleep(|_| ());
    let error = post(&client, &request()).unwrap_err();
    assert!(matches!(error, GitHubError::Network { .. }));
    assert!(!error.to_string().contains("s3cret"));
}

/// The binary, with nothing of the environment that matters.
fn binary(report: &Report, args: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("report.json");
    std::fs::write(&file, json_report::render(report).to_string()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_shadow-ci"));
    command.arg("comment").arg(&file);
    command
        .args(["--repository", "owner/name", "--pull", "7"])
        .args(args);
    for name in ["GITHUB_ACTIONS", "GITHUB_API_URL", "GITHUB_TOKEN"] {
        command.env_remove(name);
    }
    command.env("OTHER_TOKEN", "s3cret").output().unwrap()
}

#[test]
fn the_command_posts_what_dry_run_prints() {
    let report = reports::fixed();
    let server = Server::start(vec![user(), comments(&[]), created()]);
    let url = server.url.clone();
    let args = ["--api-url", url.as_str(), "--token-env", "OTHER_TOKEN"];
    let output = binary(&report, &args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "commented on owner/name#7\n"
    );
    let asked = server.asked();
    let posted = asked[2].body["body"].as_str().unwrap().to_string();
    assert!(posted.starts_with(MARKER));
    let printed = binary(&report, &["--dry-run", "--api-url", &url]);
    assert_eq!(String::from_utf8_lossy(&printed.stdout), posted);
}

#[test]
fn a_clean_report_makes_no_comment_unless_asked() {
    let mut report = reports::fixed();
    report.methods.drain(..2);
    let server = Server::start(vec![
        user(),
        comments(&[]),
        user(),
        comments(&[]),
        created(),
    ]);
    let url = server.url.clone();
    let args = ["--api-url", url.as_str(), "--token-env", "OTHER_TOKEN"];
    let output = binary(&report, &args);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "nothing to comment on owner/name#7\n"
    );
    let output = binary(&report, &[&args[..], &["--always"]].concat());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "commented on owner/name#7\n"
    );
    assert_eq!(server.asked().len(), 5);
}

#[test]
fn bad_use_gives_one_clear_message() {
    let report = reports::fixed();
    let message = |args: &[&str]| {
        let output = binary(&report, args);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).to_string()
    };
    let text = message(&[]);
    assert!(
        text.contains("GITHUB_TOKEN") && text.contains("help:"),
        "{text}"
    );
    assert!(text.contains("${{ github.token }}"), "{text}");
    assert!(message(&["--pull", "0"]).contains("--pull"));
    assert!(message(&["--report-url", "javascript:x"]).contains("--report-url"));
    let text = message(&[
        "--token-env",
        "OTHER_TOKEN",
        "--api-url",
        "http://github.example",
    ]);
    assert!(
        text.contains("--api-url") && !text.contains("s3cret"),
        "{text}"
    );
    let missing = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args([
            "comment",
            "nowhere.json",
            "--repository",
            "o/n",
            "--pull",
            "7",
            "--dry-run",
        ])
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot read nowhere.json"));
}
