//! Check runs against a server that keeps them as GitHub does, with requests checked by its OpenAPI description.

use crate::http::{Answer, Asked, Server, answer};
use crate::openapi::{Description, descriptions};
use serde_json::{Value, json};
use shadow_ci::github::{
    CheckRun, Client, Conclusion, GitHubError, Note, Posted, Severity, publish,
};
use std::sync::{Arc, Mutex};

const HEAD: &str = "6dcb09b5b57875f334f61aebed695e2e4193db5e";

/// What the server holds.
#[derive(Default)]
struct GitHub {
    description: Option<Description>,
    runs: Vec<Value>,
    annotations: Vec<Value>,
    asked: Vec<String>,
    /// Whether the next POST is carried out, but its answer lost.
    loses: bool,
}

impl GitHub {
    fn answer(&mut self, asked: &Asked) -> Answer {
        self.asked.push(asked.line());
        if let Some(description) = &self.description {
            // Answers are not: their schema, written out, is none that the validator takes.
            description.operation(asked);
        }
        self.serve(asked)
    }

    fn serve(&mut self, asked: &Asked) -> Answer {
        let made = asked.body["output"]["annotations"].as_array();
        let made = made.cloned().unwrap_or_default();
        assert!(made.len() <= 50);
        self.annotations.extend(made);
        match asked.method.as_str() {
            "GET" => answer(
                200,
                json!({ "total_count": self.runs.len(), "check_runs": self.runs }),
            ),
            "POST" => {
                let mut run = self.example();
                for name in ["name", "head_sha", "external_id", "status", "conclusion"] {
                    run[name] = asked.body[name].clone();
                }
                run["id"] = json!(40 + self.runs.len());
                self.runs.push(run.clone());
                match std::mem::take(&mut self.loses) {
                    true => answer(502, json!({ "message": "Bad Gateway" })),
                    false => answer(201, run),
                }
            }
            "PATCH" => {
                assert_eq!(asked.path, "/repos/octocat/hello/check-runs/40");
                answer(200, self.runs[0].clone())
            }
            other => panic!("nobody expects {other}"),
        }
    }

    fn example(&self) -> Value {
        let described = self.description.as_ref().map(|d| d.example("check-run"));
        described.filter(Value::is_object).unwrap_or(json!({}))
    }
}

fn talk(github: &Arc<Mutex<GitHub>>, notes: &[Note]) -> (Result<Posted, GitHubError>, Vec<String>) {
    let served = github.clone();
    let server = Server::serve(move |asked| served.lock().unwrap().answer(asked));
    let client = Client::new(&server.url, "s3cret")
        .unwrap()
        .with_sleep(|_| ());
    let done = publish(
        &client,
        &CheckRun {
            repository: "octocat/hello",
            head: HEAD,
            name: "shadow-ci",
            report_id: "0f",
            conclusion: Conclusion::Neutral,
            title: "one change",
            summary: &"long ".repeat(20_000),
            details_url: Some("https://github.com/octocat/hello/actions/runs/3"),
            notes,
        },
    );
    drop(server.asked());
    let asked = std::mem::take(&mut github.lock().unwrap().asked);
    (done, asked)
}

fn notes(many: usize) -> Vec<Note> {
    let note = |i| Note {
        path: "src/Foo.java".into(),
        line: 1 + i as u32,
        severity: Severity::Warning,
        title: "shadow-ci: changed".into(),
        message: format!("no {i}"),
    };
    (0..many).map(note).collect()
}

#[test]
fn a_check_run_is_made_once_with_all_annotations() {
    let github = Arc::new(Mutex::new(GitHub::default()));
    let (done, asked) = talk(&github, &notes(120));
    assert_eq!(done.unwrap(), Posted::Created);
    let kinds: Vec<&str> = asked.iter().map(|a| a.split(' ').next().unwrap()).collect();
    assert_eq!(kinds, ["GET", "POST", "PATCH", "PATCH"]);
    assert_eq!(github.lock().unwrap().annotations.len(), 120);
    let (done, asked) = talk(&github, &notes(120));
    assert_eq!((done.unwrap(), asked.len()), (Posted::Unchanged, 1));
}

#[test]
fn a_lost_answer_makes_no_second_check_run() {
    let github = Arc::new(Mutex::new(GitHub {
        loses: true,
        ..GitHub::default()
    }));
    let (done, _) = talk(&github, &notes(1));
    assert_eq!(done.unwrap(), Posted::Created);
    assert_eq!(github.lock().unwrap().runs.len(), 1);
}

#[test]
fn its_requests_are_those_that_github_describes() {
    let Some(dir) = descriptions() else { return };
    let github = Arc::new(Mutex::new(GitHub {
        description: Some(Description::read(&dir.join("api.github.com.json"))),
        ..GitHub::default()
    }));
    assert_eq!(talk(&github, &notes(51)).0.unwrap(), Posted::Created);
}
