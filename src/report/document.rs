//! The report as read back from JSON, without trust in its content; all other outputs are rendered from it.

use super::{Report, json};
use crate::bytecode::parameter_descriptors;
use crate::java_text;
use crate::model::{Acceptance, DivergenceClass, Label, Level, Verdict};
use crate::options::FailOn;
use miette::Diagnostic;
use serde::Deserialize;
use thiserror::Error;

/// The format this version reads and writes.
pub const FORMAT_VERSION: u64 = 1;

/// A report larger than this is refused: it comes from where the code under test ran.
pub const MAX_BYTES: usize = 10 << 20;

/// Why a report could not be read.
#[derive(Debug, Error, Diagnostic)]
pub enum ReadError {
    /// Too large.
    #[error("the report is larger than {} MB", MAX_BYTES >> 20)]
    #[diagnostic(help("analyse fewer methods at once, e.g. with --method"))]
    TooLarge,
    /// Not what we write.
    #[error("this is not a shadow-ci report: {0}")]
    #[diagnostic(help("pass the file that `shadow-ci --json FILE` wrote"))]
    Malformed(String),
    /// Another format.
    #[error("the report has format version {0}; this version of shadow-ci reads {FORMAT_VERSION}")]
    #[diagnostic(help("use the same version of shadow-ci for the check and for the comment"))]
    Version(u64),
}

/// A report. Fields that only other readers need are left out; unknown ones are ignored.
#[derive(Clone, Debug, Deserialize)]
pub struct Document {
    /// The old commit.
    pub old: String,
    /// The new commit.
    pub new: String,
    /// Totals that can't be had from the methods.
    #[serde(default)]
    pub summary: Summary,
    /// The changed methods.
    pub methods: Vec<Method>,
    /// Methods only the new version has.
    #[serde(default)]
    pub added: Vec<Name>,
    /// Methods only the old version has.
    #[serde(default)]
    pub removed: Vec<Name>,
    /// What was left out.
    #[serde(default)]
    pub skipped: Vec<Skipped>,
    /// Why there was no method to compare.
    #[serde(default)]
    pub nothing_to_compare: Option<String>,
    /// Of a merged report: the shards whose reports are missing.
    #[serde(default)]
    pub lost_shards: Vec<usize>,
    /// Accepted findings that are there no more.
    #[serde(default)]
    pub stale: Vec<String>,
}

/// Totals.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Summary {
    /// Wall-clock seconds.
    #[serde(default)]
    pub seconds: f64,
}

/// A method's name.
#[derive(Clone, Debug, Deserialize)]
pub struct Name {
    /// Binary class name with dots.
    pub class: String,
    /// Method name.
    pub method: String,
    /// JVM descriptor.
    #[serde(default)]
    pub descriptor: String,
}

/// What was left out, and why.
#[derive(Clone, Debug, Deserialize)]
pub struct Skipped {
    /// What.
    pub what: String,
    /// Why.
    #[serde(default)]
    pub why: String,
}

/// A changed method.
#[derive(Clone, Debug, Deserialize)]
pub struct Method {
    /// Its name.
    #[serde(flatten)]
    pub name: Name,
    /// Path of its file in the new version's tree.
    #[serde(default)]
    pub file: String,
    /// First line with code.
    #[serde(default)]
    pub line: Option<u32>,
    /// How finely the versions shared a state.
    pub level: Level,
    /// The verdict.
    pub verdict: Verdict,
    /// Bounds and reasons to give up.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// Path counts.
    #[serde(default)]
    pub paths: Paths,
    /// Predictions replayed.
    #[serde(default)]
    pub predictions: u64,
    /// Predictions the JVM confirmed.
    #[serde(default)]
    pub predictions_confirmed: u64,
    /// Predictions it did not confirm, in words.
    #[serde(default)]
    pub mismatches: Vec<String>,
    /// Wall-clock seconds.
    #[serde(default)]
    pub seconds: f64,
    /// The findings, ranked.
    #[serde(default)]
    pub findings: Vec<Finding>,
}

/// Path counts.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Paths {
    /// Finished paths.
    #[serde(default)]
    pub finished: u64,
}

/// A bound, or a reason to give up.
#[derive(Clone, Debug, Deserialize)]
pub struct Limit {
    /// Its stable name.
    pub reason: String,
    /// What exactly.
    #[serde(default)]
    pub detail: String,
    /// How many paths met it.
    #[serde(default)]
    pub count: u64,
    /// `File.java:12`.
    #[serde(default)]
    pub at: Option<String>,
    /// Whether it only bounds what was explored.
    #[serde(default)]
    pub bound: bool,
}

/// A finding.
#[derive(Clone, Debug, Deserialize)]
pub struct Finding {
    /// regression, fix, changed, control-only.
    pub class: DivergenceClass,
    /// Whether only the new version ends in an `AssertionError`.
    #[serde(default)]
    pub new_only_assertion: bool,
    /// The input as a call.
    #[serde(default)]
    pub call: String,
    /// The input, parameter by parameter.
    #[serde(default)]
    pub inputs: Vec<Parameter>,
    /// What the old version did.
    pub old: Outcome,
    /// What the new version did.
    pub new: Outcome,
    /// The path condition in words.
    #[serde(default)]
    pub path_condition: String,
    /// Where the versions went apart.
    #[serde(default)]
    pub diverges_at: Option<Sides>,
    /// How many paths show it.
    #[serde(default = "one")]
    pub represents: u64,
    /// The condition in the program's words.
    #[serde(default)]
    pub when: Vec<String>,
    /// By which it can be accepted.
    #[serde(default)]
    pub id: String,
    /// What bears on whether it matters.
    #[serde(default)]
    pub labels: Vec<Label>,
    /// Whether more than few would want to know it.
    #[serde(default = "yes")]
    pub relevant: bool,
    /// Who said that it is intended.
    #[serde(default)]
    pub accepted: Option<Acceptance>,
    /// That the patch itself says so, which does not count.
    #[serde(default)]
    pub proposed: Option<Acceptance>,
    /// The method whose finding counts for it.
    #[serde(default)]
    pub told_by: Option<Name>,
    /// The generated test's file.
    #[serde(default)]
    pub test: Option<String>,
    /// The generated test method.
    #[serde(default)]
    pub test_source: Option<String>,
    /// The method called, where it is not the changed one.
    #[serde(default)]
    pub entry: Option<Name>,
}

fn one() -> u64 {
    1
}

fn yes() -> bool {
    true
}

/// One parameter's value.
#[derive(Clone, Debug, Deserialize)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Java text of the value.
    pub java: String,
}

/// A place in both versions, each `File.java:12`.
#[derive(Clone, Debug, Deserialize)]
pub struct Sides {
    /// In the old version.
    pub old: String,
    /// In the new version.
    pub new: String,
}

/// What one version did.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Outcome {
    /// `returned`, `threw`, `exited`, `timed-out` or `failed`.
    pub outcome: String,
    /// The code that it exited with.
    #[serde(default)]
    pub code: Option<i32>,
    /// The value returned.
    #[serde(default)]
    pub value: Option<String>,
    /// The exception's class.
    #[serde(default)]
    pub exception: Option<String>,
    /// Its message.
    #[serde(default)]
    pub message: Option<String>,
    /// Where it was thrown, `File.java:12`.
    #[serde(default)]
    pub at: Option<String>,
    /// The receiver's final state.
    #[serde(default)]
    pub receiver: Option<String>,
    /// The arguments' final states.
    #[serde(default)]
    pub args: Vec<String>,
    /// What was printed.
    #[serde(default)]
    pub printed: String,
    /// What differs from the other version's outcome, on one line.
    #[serde(default)]
    pub brief: String,
}

impl Document {
    /// Reads a report that may come from anyone.
    ///
    /// # Errors
    /// The bytes are no report of a version that is known.
    pub fn read(bytes: &[u8]) -> Result<Document, ReadError> {
        #[derive(Deserialize)]
        struct Version {
            format_version: u64,
        }
        if bytes.len() > MAX_BYTES {
            return Err(ReadError::TooLarge);
        }
        let malformed = |e: serde_json::Error| ReadError::Malformed(e.to_string());
        let version: Version = serde_json::from_slice(bytes).map_err(malformed)?;
        if version.format_version != FORMAT_VERSION {
            return Err(ReadError::Version(version.format_version));
        }
        serde_json::from_slice(bytes).map_err(malformed)
    }

    /// A run's own report, by the same way as another's, so that there is one reading of it.
    ///
    /// # Errors
    /// The report can't be written as JSON.
    pub fn of(report: &Report) -> Result<Document, ReadError> {
        serde_json::from_value(json::render(report))
            .map_err(|e| ReadError::Malformed(e.to_string()))
    }

    /// How many open findings have that class.
    pub fn findings(&self, class: DivergenceClass) -> u64 {
        self.methods.iter().map(|m| m.findings(class)).sum()
    }

    /// The patch's verdict: that of its worst method, `None` where there was no method to compare. With a lost shard nothing better
    /// than `incomplete` is known.
    pub fn verdict(&self) -> Option<Verdict> {
        let worst = [
            Verdict::Diverges,
            Verdict::Incomplete,
            Verdict::Bounded,
            Verdict::Equivalent,
        ];
        let has = |v: &Verdict| {
            let lost = !self.lost_shards.is_empty() && *v == Verdict::Incomplete;
            lost || self.count(|m| m.verdict == *v) > 0
        };
        worst.into_iter().find(has)
    }

    /// Findings that are told, and for which `is` holds.
    pub fn told(&self, is: impl Fn(&Finding) -> bool) -> Vec<(&Method, &Finding)> {
        let all = self
            .methods
            .iter()
            .flat_map(|m| m.findings.iter().map(move |f| (m, f)));
        all.filter(|(_, f)| f.is_told() && is(f)).collect()
    }

    /// How many methods have something for which `is` holds.
    pub fn count(&self, is: impl Fn(&Method) -> bool) -> usize {
        self.methods.iter().filter(|m| is(m)).count()
    }

    /// Whether there is nothing a reviewer has to look at.
    pub fn is_clean(&self) -> bool {
        let quiet = |m: &Method| !m.findings.iter().any(Finding::is_open);
        let whole = self.lost_shards.is_empty();
        whole && self.methods.iter().all(|m| quiet(m) && !m.is_incomplete())
    }

    /// All open findings: regressions (assertion errors first), then changes, then fixes.
    pub fn ranked(&self) -> Vec<(&Method, &Finding)> {
        let mut found = self.told(Finding::is_open);
        found.sort_by_key(|(_, f)| (f.class, !f.new_only_assertion));
        found
    }
}

impl Name {
    /// `org.foo.Bar#baz`.
    pub fn short(&self) -> String {
        format!("{}#{}", self.class, self.method)
    }

    /// `baz(int, java.lang.String)`.
    pub fn signature(&self) -> String {
        let types: Vec<String> = parameter_descriptors(&self.descriptor)
            .iter()
            .map(|d| java_text::type_name(d))
            .collect();
        format!("{}({})", self.method, types.join(", "))
    }
}

impl Method {
    /// Whether some path gave up, whatever else was found.
    pub fn is_incomplete(&self) -> bool {
        self.verdict == Verdict::Incomplete || self.limits.iter().any(|l| !l.bound)
    }

    /// How many open findings have that class.
    pub fn findings(&self, class: DivergenceClass) -> u64 {
        let open = self.findings.iter().filter(|f| f.is_open());
        open.filter(|f| f.class == class).count() as u64
    }
}

impl Finding {
    /// Whether it is told by itself, and not with another one that is the same difference.
    pub fn is_told(&self) -> bool {
        self.class != DivergenceClass::ControlOnly && self.told_by.is_none()
    }

    /// Whether it counts: told by itself, relevant, and not accepted.
    pub fn is_open(&self) -> bool {
        self.is_told() && self.relevant && self.accepted.is_none()
    }

    /// Whether `--fail-on` names it.
    pub fn fails(&self, fail_on: &[FailOn]) -> bool {
        let named = |on: &FailOn| match on {
            FailOn::Assertion => {
                self.class == DivergenceClass::Regression && self.new_only_assertion
            }
            FailOn::Exception => self.class == DivergenceClass::Regression,
            FailOn::Changed => self.class != DivergenceClass::ControlOnly,
            FailOn::Incomplete | FailOn::Never => false,
        };
        self.is_open() && !fail_on.contains(&FailOn::Never) && fail_on.iter().any(named)
    }

    /// The input as a call, or parameter by parameter where the report has no call.
    pub fn input(&self) -> String {
        if !self.call.is_empty() {
            return self.call.clone();
        }
        let named = self
            .inputs
            .iter()
            .map(|p| format!("{} = {}", p.name, p.java));
        named.collect::<Vec<_>>().join(", ")
    }
}

impl Outcome {
    /// What it did, and what else differs from the other version's outcome.
    pub fn text(&self, other: &Outcome) -> String {
        if !self.brief.is_empty() {
            return self.brief.clone();
        }
        let mut text = self.end();
        if let (Some(receiver), true) = (&self.receiver, self.receiver != other.receiver) {
            text.push_str(&format!(", receiver {receiver}"));
        }
        for (i, (a, b)) in self.args.iter().zip(&other.args).enumerate() {
            if a != b {
                text.push_str(&format!(", argument {} {a}", i + 1));
            }
        }
        if self.printed != other.printed {
            text.push_str(&format!(", printed {:?}", self.printed));
        }
        text
    }

    fn end(&self) -> String {
        match self.outcome.as_str() {
            "returned" => match self.value.as_deref() {
                None | Some("nothing") => "returned".into(),
                Some(value) => format!("returned {value}"),
            },
            "threw" => {
                let class = self.exception.as_deref().unwrap_or("an exception");
                let message = self.message.as_ref().map(|m| format!(": {m}"));
                let at = self.at.as_ref().map(|a| format!(" at {a}"));
                format!(
                    "threw {class}{}{}",
                    message.unwrap_or_default(),
                    at.unwrap_or_default()
                )
            }
            "exited" => format!("exited with code {}", self.code.unwrap_or_default()),
            "timed-out" => "did not end in time".into(),
            other => match &self.message {
                Some(message) => format!("{other}: {message}"),
                None => other.to_string(),
            },
        }
    }

    /// The end without values, messages and lines: what stays the same when code around it moves.
    pub fn kind(&self) -> String {
        match &self.exception {
            Some(class) => format!("{} {class}", self.outcome),
            None => self.outcome.clone(),
        }
    }
}
