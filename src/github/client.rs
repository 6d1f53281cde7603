//! Requests to GitHub through octocrab, with the waits and errors around them; the only user of octocrab and its HTTP client.
//!
//! octocrab's own retry layer is left out: it repeats a POST after a server error, and a comment must not be posted twice.
//! Its requests run over reqwest, which goes through the proxies that the environment names.

use super::error::GitHubError;
use super::retry::{ATTEMPTS, Answer, PATIENCE, backoff};
use http::header::{ACCEPT, HeaderMap, HeaderValue};
use http::uri::{Scheme, Uri};
use octocrab::service::middleware::auth_header::AuthHeaderLayer;
use octocrab::service::middleware::base_uri::BaseUriLayer;
use octocrab::service::middleware::reqwest_connector::ReqwestConnector;
use octocrab::{AuthState, FromResponse, Octocrab, OctocrabBuilder};
use rustls::crypto::ring;
use serde_json::Value;
use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::runtime::{Builder, Runtime};

/// One page of a list, with the links to others.
pub(super) use octocrab::Page;

/// A GitHub server and who we are there.
pub struct Client {
    runtime: Runtime,
    octocrab: Octocrab,
    host: String,
    sleep: Option<Box<dyn Fn(Duration)>>,
    waited: Cell<Duration>,
}

/// What is asked.
#[derive(Clone, Copy)]
enum Ask<'a> {
    Get,
    /// Changes what is there; safe to repeat.
    Patch(&'a Value),
    /// Makes something; repeated only where GitHub says that it did nothing.
    Post(&'a Value),
}

/// Why an attempt gave nothing.
enum Failure {
    /// GitHub said no.
    Refused(Answer),
    /// Nothing that trying again at once would help, or no answer at all.
    Error(GitHubError),
}

impl Client {
    /// A client for the API at that address, e.g. `https://api.github.com`.
    ///
    /// # Errors
    /// The address or the token can't be one, or the platform's certificates can't be read.
    pub fn new(api_url: &str, token: &str) -> Result<Client, GitHubError> {
        let address = || GitHubError::Address(shown(api_url));
        let base = api_url.trim_end_matches('/');
        let uri: Uri = base.parse().map_err(|_| address())?;
        let host = uri.host().ok_or_else(address)?.to_string();
        let local = ["127.0.0.1", "localhost", "[::1]"].contains(&host.as_str());
        // A token must not travel in the clear.
        let safe =
            uri.scheme() == Some(&Scheme::HTTPS) || uri.scheme() == Some(&Scheme::HTTP) && local;
        if !safe || uri.query().is_some() || base.contains(['@', '#']) {
            return Err(address());
        }
        let token = token.trim();
        if token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic()) {
            return Err(GitHubError::Token);
        }
        let failed = |e: &dyn std::error::Error| unreachable(&host, e);
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| failed(&e))?;
        let http = http_client(local).map_err(|e| failed(&e))?;
        let mut bearer =
            HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| GitHubError::Token)?;
        bearer.set_sensitive(true);
        let octocrab = {
            // The worker that octocrab starts belongs to this runtime.
            let _inside = runtime.enter();
            OctocrabBuilder::new_empty()
                .with_service(ReqwestConnector::new(http))
                .with_layer(&BaseUriLayer::new(uri.clone()))
                .with_layer(&AuthHeaderLayer::new(Some(bearer), uri.clone(), uri))
                .with_auth(AuthState::None)
                .build()
        };
        let Ok(octocrab) = octocrab;
        Ok(Client {
            runtime,
            octocrab,
            host,
            sleep: None,
            waited: Cell::new(Duration::ZERO),
        })
    }

    /// Waits by that function instead.
    pub fn with_sleep(mut self, sleep: impl Fn(Duration) + 'static) -> Client {
        self.sleep = Some(Box::new(sleep));
        self
    }

    pub(super) fn get<R: FromResponse>(&self, path: &str) -> Result<R, GitHubError> {
        self.runtime.block_on(self.send(path, Ask::Get))
    }

    /// Changes what is there.
    pub(super) fn patch(&self, path: &str, body: &Value) -> Result<Value, GitHubError> {
        self.runtime.block_on(self.send(path, Ask::Patch(body)))
    }

    /// Makes something. Who gets an error that [`GitHubError::may_have_worked`] has to look before asking again.
    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Value, GitHubError> {
        self.runtime.block_on(self.send(path, Ask::Post(body)))
    }

    /// Waits after the `attempt`-th failure of something that the caller repeats itself.
    pub(super) fn back_off(&self, attempt: u32) {
        let time = Duration::from_secs(backoff(attempt));
        self.runtime.block_on(self.pause(time));
    }

    async fn pause(&self, time: Duration) {
        self.waited.set(self.waited.get().saturating_add(time));
        match &self.sleep {
            Some(sleep) => sleep(time),
            None => tokio::time::sleep(time).await,
        }
    }

    async fn send<R: FromResponse>(&self, path: &str, ask: Ask<'_>) -> Result<R, GitHubError> {
        let repeatable = !matches!(ask, Ask::Post(_));
        let mut attempt = 1;
        loop {
            let last = attempt >= ATTEMPTS;
            match self.once(path, ask).await {
                Ok(good) => return Ok(good),
                Err(Failure::Refused(answer)) => {
                    let wait = answer
                        .wait(attempt, now())
                        .filter(|_| repeatable || answer.is_rate_limit());
                    let patient =
                        |time: &Duration| self.waited.get().saturating_add(*time) <= PATIENCE;
                    match wait.filter(|time| !last && patient(time)) {
                        Some(time) => self.pause(time).await,
                        None => return Err(refused(path, answer, wait)),
                    }
                }
                Err(Failure::Error(GitHubError::Network { .. })) if repeatable && !last => {
                    self.pause(Duration::from_secs(backoff(attempt))).await;
                }
                Err(Failure::Error(error)) => return Err(error),
            }
            attempt += 1;
        }
    }

    async fn once<R: FromResponse>(&self, path: &str, ask: Ask<'_>) -> Result<R, Failure> {
        let answer = match ask {
            Ask::Get => self.octocrab._get(path).await,
            Ask::Patch(body) => self.octocrab._patch(path, Some(body)).await,
            Ask::Post(body) => self.octocrab._post(path, Some(body)).await,
        };
        let good = match answer {
            Ok(answer) => octocrab::map_github_error(answer).await,
            Err(error) => Err(error),
        };
        let read = match good {
            Ok(answer) => R::from_response(answer).await,
            Err(error) => Err(error),
        };
        read.map_err(|error| self.failure(path, error))
    }

    fn failure(&self, path: &str, error: octocrab::Error) -> Failure {
        use octocrab::Error;
        match error {
            Error::GitHub { source, .. } => Failure::Refused(answer(*source)),
            Error::Json { .. } | Error::Serde { .. } | Error::Other { .. } | Error::Uri { .. } => {
                Failure::Error(GitHubError::Answer {
                    what: shown(path),
                    why: cause(&error),
                })
            }
            error => Failure::Error(unreachable(&self.host, &error)),
        }
    }
}

/// The HTTP client below octocrab.
fn http_client(local: bool) -> Result<reqwest::Client, reqwest::Error> {
    // Refused only where another provider was installed before, which does as well.
    ring::default_provider().install_default().ok();
    let accept = HeaderValue::from_static("application/vnd.github+json");
    let builder = reqwest::Client::builder()
        .default_headers(HeaderMap::from_iter([(ACCEPT, accept)]))
        .user_agent(concat!("shadow-ci/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(60));
    let builder = if local { builder.no_proxy() } else { builder };
    builder.build()
}

/// octocrab's error answer as what decides about trying again.
fn answer(error: octocrab::GitHubError) -> Answer {
    let headers = error.headers.unwrap_or_default();
    let number = |name: &str| {
        let value = headers.get(name)?.to_str().ok()?;
        value.trim().parse::<u64>().ok()
    };
    Answer {
        status: error.status_code.as_u16(),
        retry_after: number("retry-after"),
        remaining: number("x-ratelimit-remaining"),
        reset: error.rate_limit_reset,
        message: message(&error.message, &error.errors.unwrap_or_default()),
    }
}

/// GitHub's own words, with the first details it gives.
fn message(said: &str, errors: &[Value]) -> String {
    // A page of something in between, or a body that is no object with a message.
    let page = said.trim_start().starts_with(['<', '{']);
    let mut message = if page { "no message" } else { said }.to_string();
    let text = |v: &Value| v.as_str().map(str::to_string);
    for error in errors.iter().take(3) {
        let detail = text(error).or_else(|| text(&error["message"])).or_else(|| {
            let (field, code) = (text(&error["field"])?, text(&error["code"])?);
            Some(format!("{field}: {code}"))
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

/// What is at the bottom of an error: "connection refused" rather than "request failed".
fn cause(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    shown(&deepest.to_string())
}

fn unreachable(host: &str, error: &dyn std::error::Error) -> GitHubError {
    GitHubError::Network {
        host: host.to_string(),
        why: cause(error),
    }
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
