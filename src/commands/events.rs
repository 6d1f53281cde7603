//! The events of a check as JSON lines, each written as soon as it is known.

use crate::error::Error;
use crate::java_text::brief::cut;
use crate::java_text::call::call_text;
use crate::model::{DivergenceClass, Finding, MethodRef, MethodResult};
use crate::report::printable::printable;
use crate::report::terminal::{call, sides};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Longest call in a line, in characters.
const LONGEST: usize = 200;

/// A finding as it is told while the check goes on, in a line.
pub fn early(f: &Finding) -> String {
    let class = match f.class {
        DivergenceClass::Regression => "regression",
        DivergenceClass::Fix => "fix",
        DivergenceClass::Changed => "changed",
        DivergenceClass::ControlOnly => "control only",
    };
    let (old, new) = sides(f);
    let call = cut(&call(f), LONGEST);
    printable(&format!("{class}  {call}: old {old}; new {new}"))
}

/// A file of events, each with the seconds since the file was begun. What can't be written any more is dropped: the report says the
/// same.
pub struct Events {
    file: Mutex<File>,
    begin: Instant,
}

impl Events {
    /// Begins the file anew.
    ///
    /// # Errors
    /// It can't be written.
    pub fn create(file: &Path) -> Result<Events, Error> {
        let made = File::create(file).map_err(|e| Error::Io {
            what: format!("cannot write {}", file.display()),
            why: e.to_string(),
        })?;
        Ok(Events {
            file: Mutex::new(made),
            begin: Instant::now(),
        })
    }

    fn write(&self, mut event: Value) {
        event["at"] = json!(self.begin.elapsed().as_secs_f64());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A line at once, so that a reader never sees half of one.
        let _ = file.write_all(format!("{event}\n").as_bytes());
    }

    /// A stage begins.
    pub fn stage(&self, name: &str) {
        self.write(json!({ "event": "stage", "name": name }));
    }

    /// The JVM confirmed the first divergence of its kind. The report may show a smaller input for it.
    pub fn finding(&self, m: &MethodRef, f: &Finding) {
        let (old, new) = sides(f);
        self.write(json!({
            "event": "finding", "class": m.class, "method": m.name, "descriptor": m.descriptor,
            "finding": {
                "class": f.class, "call": call_text(f),
                "old": old, "new": new,
            },
        }));
    }

    /// All is known of a method.
    pub fn method(&self, m: &MethodResult) {
        let id = &m.method;
        self.write(json!({
            "event": "method", "class": id.class, "method": id.name, "descriptor": id.descriptor,
            "verdict": m.verdict, "findings": m.findings.len(), "seconds": m.seconds,
        }));
    }
}
