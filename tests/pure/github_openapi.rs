//! `shadow-ci comment` against a GitHub that is made of its published OpenAPI description and keeps comments as the real one does.

use crate::http::{Answer, Asked, Server, answer};
use crate::openapi::{Description, descriptions};
use serde_json::{Value, json};
use shadow_ci::github::{Client, GitHubError, Posted, Request, find_pull, post};
use std::path::Path;
use std::sync::{Arc, Mutex};

const MARKER: &str = "<!-- shadow-ci -->";
const HEAD: &str = "6dcb09b5b57875f334f61aebed695e2e4193db5e";

/// What the server holds, and which answer, counted from 0, goes wrong and how.
struct GitHub {
    description: Arc<Description>,
    comments: Vec<Value>,
    asked: Vec<String>,
    fault: Option<(usize, Fault)>,
}

/// A bad day.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// That status; nothing is done.
    Refuses(u16),
    /// It is done, but the answer is that status.
    Loses(u16),
}

impl GitHub {
    fn comment(&self, id: u64, login: &str, body: &str) -> Value {
        let mut comment = self.description.example("issue-comment");
        comment["id"] = json!(id);
        comment["body"] = json!(body);
        comment["user"]["login"] = json!(login);
        comment
    }

    fn sticky(&self) -> Vec<&Value> {
        let ours = |c: &&Value| {
            c["user"]["login"] == "ci-bot"
                && c["body"].as_str().is_some_and(|b| b.starts_with(MARKER))
        };
        self.comments.iter().filter(ours).collect()
    }

    fn answer(&mut self, asked: &Asked) -> Answer {
        let number = self.asked.len();
        self.asked.push(asked.line());
        let description = self.description.clone();
        let operation = description.operation(asked);
        let fault = self.fault.filter(|f| f.0 == number).map(|f| f.1);
        let given = match fault {
            Some(Fault::Refuses(status)) => refusal(status),
            Some(Fault::Loses(status)) => {
                self.serve(operation.template(), asked);
                refusal(status)
            }
            None => self.serve(operation.template(), asked),
        };
        operation.check_answer(&given);
        given
    }

    fn serve(&mut self, template: &str, asked: &Asked) -> Answer {
        match (&*asked.method, template) {
            ("GET", "/user") => {
                let mut user = self.description.example("private-user");
                if user.is_null() {
                    user = self.description.example("public-user");
                }
                user["login"] = json!("ci-bot");
                answer(200, user)
            }
            ("GET", "/repos/{owner}/{repo}/pulls/{pull_number}") => {
                let mut pull = self.description.example("pull-request");
                // The example lacks what the schema asks of teams.
                pull["requested_teams"] = json!([]);
                answer(200, pull)
            }
            ("GET", "/repos/{owner}/{repo}/pulls") => {
                let mut pulls = self.description.example("pull-request-simple-items");
                let wanted = asked.path.contains("head=stranger%3Afix%2Fa%26b");
                pulls[0]["head"]["sha"] = json!(HEAD);
                pulls[0]["requested_teams"] = json!([]);
                answer(200, if wanted { pulls } else { json!([]) })
            }
            ("GET", _) => self.page(asked),
            ("POST", _) => {
                let id = 1000 + self.comments.len() as u64;
                let made = self.comment(id, "ci-bot", asked.body["body"].as_str().unwrap());
                self.comments.push(made.clone());
                answer(201, made)
            }
            ("PATCH", _) => {
                let id: u64 = asked.path.rsplit('/').next().unwrap().parse().unwrap();
                let found = self.comments.iter_mut().find(|c| c["id"] == id);
                found.map_or_else(
                    || refusal(404),
                    |comment| {
                        comment["body"] = asked.body["body"].clone();
                        answer(200, comment.clone())
                    },
                )
            }
            other => panic!("nobody expects {other:?}"),
        }
    }

    /// A page of comments, with GitHub's `Link` to the next one.
    fn page(&self, asked: &Asked) -> Answer {
        let value = |name: &str| -> usize {
            let (_, rest) = asked.path.split_once(&format!("{name}=")).unwrap();
            rest.split('&').next().unwrap().parse().unwrap()
        };
        let (size, page) = (value("?per_page"), value("&page"));
        let all = self.comments.iter().skip((page - 1) * size).take(size);
        let given = answer(200, all.cloned().collect());
        if self.comments.len() <= page * size {
            return given;
        }
        given.with(
            "Link",
            &format!("<https://api.github.com/x?page={}>; rel=\"next\"", page + 1),
        )
    }
}

/// A refusal in GitHub's words.
fn refusal(status: u16) -> Answer {
    let message = match status {
        403 => "Resource not accessible by integration",
        422 => "Validation Failed",
        _ => "no",
    };
    let body = json!({ "message": message, "documentation_url": "https://docs.github.com/rest" });
    match status {
        429 => answer(429, body).with("Retry-After", "1"),
        _ => answer(status, body),
    }
}

/// A GitHub with that many comments of others.
fn github(file: &Path, others: u64, fault: Option<(usize, Fault)>) -> Arc<Mutex<GitHub>> {
    let mut github = GitHub {
        description: Arc::new(Description::read(file)),
        comments: Vec::new(),
        asked: Vec::new(),
        fault,
    };
    github.comments = (0..others)
        .map(|i| github.comment(i + 1, "octocat", MARKER))
        .collect();
    Arc::new(Mutex::new(github))
}

/// Lets `with` talk to it; returns what it was asked.
fn talk<T>(github: &Arc<Mutex<GitHub>>, with: impl FnOnce(&Client) -> T) -> (T, Vec<String>) {
    let served = github.clone();
    let server = Server::serve(move |asked| served.lock().unwrap().answer(asked));
    let client = Client::new(&server.url, "s3cret")
        .unwrap()
        .with_sleep(|_| ());
    let result = with(&client);
    drop(server.asked());
    let mut github = github.lock().unwrap();
    (result, std::mem::take(&mut github.asked))
}

fn request(body: &str) -> Request<'_> {
    Request {
        repository: "octocat/Hello-World",
        pull: 1347,
        body,
        marker: MARKER,
        author: None,
        head: Some(HEAD),
        create: true,
    }
}

const FIRST: &str = "<!-- shadow-ci -->\nfirst";
const SECOND: &str = "<!-- shadow-ci -->\nsecond";

#[test]
fn a_comment_is_made_and_updated_by_requests_that_github_describes() {
    let Some(dir) = descriptions() else { return };
    for file in ["api.github.com.json", "ghes-3.17.json"] {
        let github = github(&dir.join(file), 250, None);
        let (done, asked) = talk(&github, |c| post(c, &request(FIRST)));
        assert_eq!(done.unwrap(), Posted::Created);
        // Head, who we are, three pages of comments, the comment.
        assert_eq!(asked.len(), 6, "{asked:?}");
        let (done, asked) = talk(&github, |c| post(c, &request(SECOND)));
        assert_eq!((done.unwrap(), asked.len()), (Posted::Updated, 6));
        let (done, asked) = talk(&github, |c| post(c, &request(SECOND)));
        assert_eq!((done.unwrap(), asked.len()), (Posted::Unchanged, 5));
        let github = github.lock().unwrap();
        assert_eq!(github.sticky()[0]["body"], SECOND);
        assert_eq!((github.sticky().len(), github.comments.len()), (1, 251));
    }
}

#[test]
fn a_forks_pull_request_is_found_by_its_branch_and_head() {
    let Some(dir) = descriptions() else { return };
    let github = github(&dir.join("api.github.com.json"), 0, None);
    let find = |branch: &str, head: &str| {
        talk(&github, |c| {
            find_pull(c, "octocat/Hello-World", branch, head)
        })
        .0
    };
    assert_eq!(find("stranger:fix/a&b", HEAD).unwrap(), 1347);
    for (branch, head) in [("stranger:fix/a&b", "0000"), ("octocat:main", HEAD)] {
        assert!(matches!(
            find(branch, head),
            Err(GitHubError::NoPull { found: 0, .. })
        ));
    }
}

/// Whatever goes wrong once, wherever: there is an error or the comment, never two, and the next run puts it right.
#[test]
fn no_fault_makes_two_comments() {
    let Some(dir) = descriptions() else { return };
    let github = github(&dir.join("api.github.com.json"), 120, None);
    let faults = [401, 403, 404, 410, 422, 429, 500, 502, 503].map(Fault::Refuses);
    let lost = [500, 502, 503].map(Fault::Loses);
    for already in [false, true] {
        // Head, who we are, two pages, the comment.
        for at in 0..5 {
            for fault in faults.into_iter().chain(lost) {
                let body = format!("{FIRST} {at} {fault:?}");
                {
                    let mut github = github.lock().unwrap();
                    github.comments.truncate(120);
                    if already {
                        let old = github.comment(999, "ci-bot", FIRST);
                        github.comments.push(old);
                    }
                    github.fault = Some((at, fault));
                }
                let (done, asked) = talk(&github, |c| post(c, &request(&body)));
                let passing = matches!(fault, Fault::Loses(_) | Fault::Refuses(429 | 500..));
                // A token that may not ask who it is is no error; a comment that is gone is made anew.
                let harmless = at == 1 && matches!(fault, Fault::Refuses(403 | 404 | 410))
                    || already && at == 4 && matches!(fault, Fault::Refuses(404 | 410));
                assert_eq!(
                    done.is_ok(),
                    passing || harmless,
                    "{at} {fault:?}: {done:?} {asked:?}"
                );
                let mut github_now = github.lock().unwrap();
                github_now.fault = None;
                if at != 1 || passing {
                    assert!(
                        github_now.sticky().len() <= 1 + usize::from(harmless && already),
                        "{at} {fault:?} {asked:?}"
                    );
                }
                drop(github_now);
                let (again, _) = talk(&github, |c| post(c, &request(&body)));
                assert!(again.is_ok(), "{at} {fault:?}: {again:?}");
                let github = github.lock().unwrap();
                assert!(
                    github.sticky().iter().any(|c| c["body"] == *body),
                    "{at} {fault:?}"
                );
            }
        }
    }
}
