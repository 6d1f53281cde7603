//! A finding as read back from the JSON report, with both outcomes.

use super::Name;
use crate::model::{Acceptance, DivergenceClass, FoundBy, Label, Situation};
use crate::options::FailOn;
use serde::Deserialize;

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
    #[serde(default = "default_count")]
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
    /// What found it.
    #[serde(default)]
    pub found_by: FoundBy,
    /// The test in which it was seen.
    #[serde(default)]
    pub situation: Option<Situation>,
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

fn default_count() -> u64 {
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
