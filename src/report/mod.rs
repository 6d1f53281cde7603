//! What a run's result looks like: on the terminal, as JSON, and in what other tools read.

pub mod annotations;
pub mod document;
pub mod fingerprint;
pub mod gitlab;
pub mod inert;
pub mod java_text;
pub mod json;
pub mod junit_xml;
pub mod markdown;
pub mod place;
pub mod printable;
pub mod sarif;
pub mod sentence;
pub mod site;
pub mod terminal;

use crate::options::Options;
use crate::verdict::{Class, MethodId, MethodResult, Verdict};

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The old commit's hash.
    pub old: String,
    /// The new commit's hash.
    pub new: String,
    /// The old revision as the user named it.
    pub old_name: String,
    /// The new revision as the user named it.
    pub new_name: String,
    /// One result per changed method.
    pub methods: Vec<MethodResult>,
    /// Methods only the new version has: nothing to compare.
    pub added: Vec<MethodId>,
    /// Methods only the old version has.
    pub removed: Vec<MethodId>,
    /// What was left out, and why.
    pub skipped: Vec<(String, String)>,
    /// Path of the generated test of each finding, by method and finding index.
    pub tests: std::collections::BTreeMap<(usize, usize), String>,
    /// Text of the generated test method of each finding, by method and finding index.
    pub test_texts: std::collections::BTreeMap<(usize, usize), String>,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Report {
    /// An empty report.
    pub fn new(options: &Options, old: &str, new: &str) -> Report {
        Report {
            old: old.into(),
            new: new.into(),
            old_name: options.old.clone(),
            new_name: options.new.clone(),
            methods: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            skipped: Vec::new(),
            tests: Default::default(),
            test_texts: Default::default(),
            seconds: 0.0,
        }
    }

    /// How many methods have that verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.methods.iter().filter(|m| m.verdict == verdict).count()
    }

    /// How many findings have that class, those they stand for included.
    pub fn findings(&self, class: Class) -> u64 {
        self.methods
            .iter()
            .flat_map(|m| &m.findings)
            .filter(|f| f.class == class)
            .map(|f| f.represents)
            .sum()
    }

    /// Sum over all methods.
    pub fn sum(&self, of: impl Fn(&MethodResult) -> u64) -> u64 {
        self.methods.iter().map(of).sum()
    }
}
