//! Progress on a terminal, in the log, and as events.

use super::events::{self, Events};
use super::interim::Interim;
use crate::check::progress::Progress;
use crate::error::Error;
use crate::model::{Finding, MethodRef, MethodResult};
use crate::report::Report;
use crate::report::printable::printable;
use crate::util::counted::counted;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Progress on a terminal; elsewhere silence, or with `--verbose` a line for each step.
pub struct Bar {
    interim: Interim,
    bar: ProgressBar,
    lines: bool,
    events: Option<Events>,
    /// The stages so far, with the moment when each began.
    stages: Mutex<Vec<(String, Instant)>>,
    /// What parts of the analysis took.
    parts: Mutex<Vec<(&'static str, Duration)>>,
    /// The running stage, for the log.
    span: Mutex<Option<tracing::Span>>,
}

impl Bar {
    /// Progress that is shown unless `quiet`, each step of it where `verbose`. Events go to their own file; `interim` learns
    /// what is known.
    ///
    /// # Errors
    /// The file of events can't be made.
    pub fn new(
        (quiet, verbose): (bool, bool),
        events: Option<&Path>,
        interim: Interim,
    ) -> Result<Bar, Error> {
        let terminal = std::io::stderr().is_terminal();
        let bar = if quiet || !terminal {
            ProgressBar::hidden()
        } else {
            ProgressBar::new_spinner()
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(std::time::Duration::from_millis(100));
        Ok(Bar {
            interim,
            bar,
            lines: verbose && !terminal,
            events: events.map(Events::create).transpose()?,
            stages: Mutex::default(),
            parts: Mutex::default(),
            span: Mutex::default(),
        })
    }

    /// Where the time went: seconds of each stage, of the parts of the exploring one, and of each method.
    pub fn profile(&self, report: &Report) -> serde_json::Value {
        let stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = stages.iter().skip(1).map(|s| s.1);
        let spans = stages.iter().zip(ends.chain([Instant::now()]));
        let stages = spans.map(|((name, begun), end)| {
            let seconds = end.duration_since(*begun).as_secs_f64();
            serde_json::json!({ "stage": name, "seconds": seconds })
        });
        let methods = report.methods.iter().map(|m| {
            serde_json::json!({
                "class": m.method.class, "method": m.method.name, "descriptor": m.method.descriptor,
                "seconds": m.seconds, "states": m.states, "solver_queries": m.solver_queries,
            })
        });
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = parts
            .iter()
            .map(|(name, time)| serde_json::json!({ "part": name, "seconds": time.as_secs_f64() }));
        serde_json::json!({
            "parts": parts.collect::<Vec<_>>(),
            "stages": stages.collect::<Vec<_>>(), "methods": methods.collect::<Vec<_>>(),
        })
    }

    /// Takes the bar off the terminal.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, text: String) {
        if self.lines {
            eprintln!("shadow-ci: {text}");
        }
        self.bar.set_message(text);
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str) {
        if let Some(events) = &self.events {
            events.stage(name);
        }
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        stages.push((name.to_string(), Instant::now()));
        let mut span = self.span.lock().unwrap_or_else(PoisonError::into_inner);
        *span = Some(tracing::info_span!("stage", name));
        let mut interim = self.interim.lock();
        (interim.stage, interim.step) = (Some(name.to_string()), None);
        drop(interim);
        self.say(name.to_string());
    }

    fn spent(&self, part: &'static str, time: Duration) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.push((part, time));
    }

    fn finding(&self, method: &MethodRef, finding: &Finding) {
        if let Some(events) = &self.events {
            events.finding(method, finding);
        }
        let line = events::early(finding);
        self.interim.lock().finding(method, line.clone());
        if self.lines {
            eprintln!("shadow-ci: {line}");
        }
        self.bar.println(line);
    }

    fn method(&self, done: usize, all: usize, name: &str) {
        let step = format!(
            "{done} of {}, last {}",
            counted(all, "method", "methods"),
            printable(name)
        );
        self.interim.lock().step = Some(step.clone());
        self.say(step);
    }

    fn found(&self, result: &MethodResult) {
        if let Some(events) = &self.events {
            events.method(result);
        }
        self.interim.lock().methods.push(MethodResult {
            trees: Vec::new(),
            ..result.clone()
        });
    }
}
