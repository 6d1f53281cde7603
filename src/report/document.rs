//! The report as read back from JSON, without trust in its content; all other outputs are rendered from it.

mod finding;

pub use finding::{Finding, Outcome, Parameter, Sides};

use super::{Report, json};
use crate::bytecode::parameter_descriptors;
use crate::java_text;
use crate::model::{DivergenceClass, Level, Verdict};
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
