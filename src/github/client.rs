//! One HTTP request to GitHub, with the waits and errors around it; the only user of the HTTP library.
//!
//! ureq, not octocrab: three blocking requests don't need an async runtime and 160 crates; it goes through the proxies that
//! the environment names, and leaves to us which request may be repeated (a comment must not be posted twice).

use super::error::GitHubError;
use super::retry::{ATTEMPTS, Answer, PATIENCE, backoff};
use rustls::crypto::ring;
use serde_json::Value;
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use ureq::http::{Request, Response, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// No answer of these requests is larger.
const MAX_ANSWER: u64 = 20 << 20;

/// A GitHub server and who we are there.
pub struct Client {
    agent: Agent,
    base: String,
    host: String,
    authorization: String,
    sleep: Box<dyn Fn(Duration)>,
    waited: Cell<Duration>,
}

/// A good answer.
pub(super) struct Good {
    /// The body.
    pub(super) json: Value,
    /// Whether there is a next page.
    pub(super) more: bool,
}

/// How a request went.
enum Once {
    Good(Good),
    Bad(Answer),
}

impl Client {
    /// A client for the API at that address, e.g. `https://api.github.com`.
    ///
    /// # Errors
    /// The address or the token can't be used in a request.
    pub fn new(api_url: &str, token: &str) -> Result<Client, GitHubError> {
        let address = || GitHubError::Address(shown(api_url));
        let base = api_url.trim_end_matches('/');
        let uri: Uri = base.parse().map_err(|_| address())?;
        let host = uri.host().ok_or_else(address)?.to_string();
        let local = ["127.0.0.1", "localhost", "[::1]"].contains(&host.as_str());
        // A token must not travel in the clear.
        let safe = uri.scheme_str() == Some("https") || uri.scheme_str() == Some("http") && local;
        if !safe || uri.query().is_some() || base.contains(['@', '#']) {
            return Err(address());
        }
        let token = token.trim();
        if token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic()) {
            return Err(GitHubError::Token);
        }
        // GitHub Enterprise often has a certificate of the company's own authority, which only the platform knows.
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .build();
        let mut config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(Duration::from_secs(60)))
            .user_agent(concat!("shadow-ci/", env!("CARGO_PKG_VERSION")));
        if local {
            config = config.proxy(None);
        }
        Ok(Client {
            agent: config.build().new_agent(),
            base: base.to_string(),
            host,
            authorization: format!("Bearer {token}"),
            sleep: Box::new(std::thread::sleep),
            waited: Cell::new(Duration::ZERO),
        })
    }

    /// Waits by that function instead.
    pub fn with_sleep(mut self, sleep: impl Fn(Duration) + 'static) -> Client {
        self.sleep = Box::new(sleep);
        self
    }

    pub(super) fn get(&self, path: &str) -> Result<Good, GitHubError> {
        self.send("GET", path, None, true)
    }

    /// Changes what is there; safe to repeat.
    pub(super) fn patch(&self, path: &str, body: &Value) -> Result<Good, GitHubError> {
        self.send("PATCH", path, Some(body), true)
    }

    /// Makes something; repeated only where GitHub says that it did nothing.
    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Good, GitHubError> {
        self.send("POST", path, Some(body), false)
    }

    /// Waits after the `attempt`-th failure of something that the caller repeats itself.
    pub(super) fn back_off(&self, attempt: u32) {
        self.pause(Duration::from_secs(backoff(attempt)));
    }

    fn pause(&self, time: Duration) {
        self.waited.set(self.waited.get().saturating_add(time));
        (self.sleep)(time);
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        repeatable: bool,
    ) -> Result<Good, GitHubError> {
        let mut attempt = 1;
        loop {
            let last = attempt >= ATTEMPTS;
            match self.once(method, path, body) {
                Ok(Once::Good(good)) => return Ok(good),
                Ok(Once::Bad(answer)) => {
                    let wait = answer
                        .wait(attempt, now())
                        .filter(|_| repeatable || answer.is_rate_limit());
                    match wait {
                        Some(time)
                            if !last && self.waited.get().saturating_add(time) <= PATIENCE =>
                        {
                            self.pause(time);
                        }
                        _ => return Err(refused(path, answer, wait)),
                    }
                }
                Err(error @ GitHubError::Network { .. }) if last || !repeatable => {
                    return Err(error);
                }
                Err(GitHubError::Network { .. }) => self.back_off(attempt),
                Err(other) => return Err(other),
            }
            attempt += 1;
        }
    }

    fn once(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Once, GitHubError> {
        let network = |e: ureq::Error| GitHubError::Network {
            host: self.host.clone(),
            why: shown(&e.to_string()),
        };
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("Accept", "application/vnd.github+json")
            .header("X-GitHub-Api-Version", "2022-11-28")
            .header("Authorization", &self.authorization);
        let answer = match body {
            Some(json) => {
                let request = request.header("Content-Type", "application/json");
                let built = request.body(json.to_string());
                self.agent
                    .run(built.map_err(|e| network(e.into()))?)
                    .map_err(network)?
            }
            None => self
                .agent
                .run(request.body(()).map_err(|e| network(e.into()))?)
                .map_err(network)?,
        };
        self.read(path, answer)
    }

    fn read(&self, path: &str, mut answer: Response<Body>) -> Result<Once, GitHubError> {
        let header = |name: &str| {
            let value = answer.headers().get(name)?;
            value.to_str().ok().map(str::to_string)
        };
        let number = |name: &str| header(name)?.trim().parse::<u64>().ok();
        let more = header("link").is_some_and(|l| l.contains("rel=\"next\""));
        let mut bad = Answer {
            status: answer.status().as_u16(),
            retry_after: number("retry-after"),
            remaining: number("x-ratelimit-remaining"),
            reset: number("x-ratelimit-reset"),
            message: String::new(),
        };
        let body = answer
            .body_mut()
            .with_config()
            .limit(MAX_ANSWER)
            .read_to_vec();
        if answer.status().is_success() {
            let body = body.map_err(|e| GitHubError::Network {
                host: self.host.clone(),
                why: shown(&e.to_string()),
            })?;
            let json = serde_json::from_slice(&body).map_err(|e| GitHubError::Answer {
                what: shown(path),
                why: e.to_string(),
            })?;
            return Ok(Once::Good(Good { json, more }));
        }
        bad.message = message(&body.unwrap_or_default());
        Ok(Once::Bad(bad))
    }
}

/// GitHub's own words, with the first details it gives.
fn message(body: &[u8]) -> String {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |v: &Value| v.as_str().map(str::to_string);
    let mut message = text(&json["message"]).unwrap_or_else(|| "no message".into());
    for error in json["errors"].as_array().into_iter().flatten().take(3) {
        let detail = text(error).or_else(|| text(&error["message"])).or_else(|| {
            Some(format!(
                "{}: {}",
                text(&error["field"])?,
                text(&error["code"])?
            ))
        });
        if let Some(detail) = detail {
            message.push_str(&format!("; {detail}"));
        }
    }
    shown(&message)
}

/// Text from elsewhere as part of an error message.
fn shown(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(clean).take(300).collect()
}

fn refused(path: &str, answer: Answer, wait: Option<Duration>) -> GitHubError {
    let limited = answer.is_rate_limit();
    let Answer {
        status, message, ..
    } = answer;
    match status {
        _ if limited => GitHubError::RateLimited {
            message,
            seconds: wait.unwrap_or_default().as_secs(),
        },
        401 => GitHubError::Unauthorized(message),
        403 => GitHubError::Forbidden(message),
        404 | 410 => GitHubError::NotFound {
            what: shown(path),
            message,
        },
        422 => GitHubError::Invalid(message),
        300..=399 => GitHubError::Moved(status),
        _ => GitHubError::Status { status, message },
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |d| d.as_secs())
}
