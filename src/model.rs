//! The plain data of a result: inputs, outcomes, findings, limits and verdicts, shared by all stages.

mod agreement;
mod captured;
mod class_name;
mod finding;
mod input;
mod operator;
mod outcome;
mod passed;
pub mod reason;
mod source_range;
pub mod tree;
mod type_name;

pub use captured::{CAPTURED, captured_name};
pub use class_name::{ClassName, Spelling};
pub use finding::{Acceptance, Decision, Finding, Label, Shown, Situation, Telling};
pub use input::{ANSWERS, Input, Inputs, PriorCall};
pub use operator::Operator;
pub use outcome::{CHANGING, End, HIDDEN, Left, LeftContent, Outcome, Seen};
pub use source_range::{SourceRange, SourceRanges};
pub use type_name::{
    class_in, integral_range, is_primitive, primitive_descriptor, primitive_keyword, type_name,
};

use reason::Reason;
use serde::{Deserialize, Serialize};

/// One of the two versions a run compares (*base/modified* in DiSE, *symbolic/shadow* in ShadowJPF).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// The version before the patch.
    Old,
    /// The version after the patch.
    New,
}

impl Version {
    /// Both versions, old first.
    pub const BOTH: [Version; 2] = [Version::Old, Version::New];

    /// The one that this one is not.
    pub fn other(self) -> Version {
        match self {
            Version::Old => Version::New,
            Version::New => Version::Old,
        }
    }
}

/// A method named as the class file names it: binary class name with dots (`a.b.C$D`), name (`<init>` for constructors), JVM descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MethodRef {
    /// Its class.
    pub class: ClassName,
    /// Method name; `<init>` for a constructor.
    pub name: String,
    /// JVM method descriptor (JVMS §4.3.3).
    pub descriptor: String,
}

impl MethodRef {
    /// Whether it is an instance field that is set before an object is used: it has the field's descriptor, which is that of the one value
    /// given.
    pub fn is_field(&self) -> bool {
        !self.descriptor.starts_with('(')
    }

    /// The method of a class made for it that gives what a static field of a top-level class holds.
    pub fn reader(class: &str, field: &str, descriptor: &str) -> MethodRef {
        let (package, simple) = class.split_at(class.rfind('.').map_or(0, |dot| dot + 1));
        MethodRef {
            class: ClassName::from(format!("{package}{READER}{simple}").as_str()),
            name: field.to_string(),
            descriptor: format!("(){descriptor}"),
        }
    }

    /// The class whose static field of this method's name it gives, if it is made for that.
    pub fn read_class(&self) -> Option<String> {
        let simple = self.class.rfind('.').map_or(0, |dot| dot + 1);
        let (package, simple) = self.class.split_at(simple);
        Some(format!("{package}{}", simple.strip_prefix(READER)?))
    }
}

/// How the names of classes begin that are made to give what static fields hold.
const READER: &str = "ShadowCiValuesOf";

/// How finely the two versions share a state (docs/architecture.md), finest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// `change(e1, e2)` inside shared code.
    Expression,
    /// `execute(OLD) { … }` / `execute(NEW) { … }`.
    Statement,
    /// Old body in OLD mode, new body in NEW mode, joined at the return.
    Method,
    /// The class name resolves to a different class per version.
    Class,
}

impl Level {
    /// All, finest first.
    pub const ALL: [Level; 4] = [
        Level::Expression,
        Level::Statement,
        Level::Method,
        Level::Class,
    ];

    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Expression => "expression",
            Level::Statement => "statement",
            Level::Method => "method",
            Level::Class => "class",
        }
    }
}

/// Why a method is equivalent for every input (docs/glossary.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// Every path from the entry was explored to its end, within no bound.
    Exhaustive,
    /// Both versions do the same from every state, from one cut of the method to the next.
    Local,
}

/// The class of an outcome divergence (docs/glossary.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DivergenceClass {
    /// Only the new version fails.
    Regression,
    /// Both return, or both fail, but differently.
    Changed,
    /// Only the old version fails.
    Fix,
    /// Control flow differed, outcomes are the same.
    ControlOnly,
}

impl DivergenceClass {
    /// The class of a divergence whose outcomes differ, or not, and end so.
    pub fn of(differs: bool, old: &End, new: &End) -> DivergenceClass {
        let fails = |end: &End| matches!(end, End::Threw { .. } | End::TimedOut | End::Failed(_));
        match (differs, fails(old), fails(new)) {
            (false, ..) => DivergenceClass::ControlOnly,
            (true, false, true) => DivergenceClass::Regression,
            (true, true, false) => DivergenceClass::Fix,
            _ => DivergenceClass::Changed,
        }
    }
}

/// How a divergence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A branch went different ways.
    Control,
    /// Same control flow, different outcome.
    Data,
}

/// What replay said of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replay {
    /// Both versions did on the JVM what was predicted.
    Confirmed,
    /// At least one version did something else: our bug, reported as such and never counted as a finding.
    Mismatch,
}

/// What found a divergence.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum FoundBy {
    /// A path of the bounded exploration.
    #[default]
    Exploration,
    /// A run of the search beyond the bounds.
    Search,
    /// A test of the old version.
    Tests,
}

/// What a search beyond the bounds came to where nothing was proved (docs/glossary.md).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Inputs run in both versions.
    pub runs: u64,
    /// Whether an input came to the changed code in both versions, as far as each has some.
    pub reached: bool,
    /// How many of the runs did.
    pub runs_reached: u64,
    /// Where inputs came from, sorted.
    pub sources: Vec<String>,
    /// Where most inputs could not be built: the constructor or method that threw most often, and what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
    /// Tests of the project that ran the changed code in both versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tests: u64,
    /// Calls in them that were compared.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub calls_compared: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// A source position, `File.java:12` when printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// File name as the class file gives it (no folders).
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// Why part of the input space or of a path was not explored (docs/architecture.md).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Limit {
    /// Its stable name, e.g. `loop-bound`, `max-string`, `unsupported-native`, `solver-unknown`.
    pub reason: Reason,
    /// What exactly, e.g. `java.lang.System.nanoTime()J`; empty when the reason says all.
    pub detail: String,
    /// Whether it only bounds the explored space (`bounded`) or made a path give up (`incomplete`).
    pub bound: bool,
    /// Where, when at one place.
    pub at: Option<Location>,
    /// How many paths met it.
    pub count: u64,
}

/// Verdict of a method (docs/glossary.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// At least one finding.
    Diverges,
    /// Some path gave up and nothing was found.
    Incomplete,
    /// Nothing found within stated bounds.
    Bounded,
    /// Proved.
    Equivalent,
}

/// How a method's paths ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathCounts {
    /// Finished paths.
    pub finished: u64,
    /// Finished paths on which the versions' control flow differed.
    pub diff: u64,
    /// Paths cut because they cannot diverge.
    pub pruned: u64,
    /// Paths that gave up.
    pub gave_up: u64,
}

/// The result for one changed method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodResult {
    /// The changed method (its new name where it was renamed).
    pub method: MethodRef,
    /// Path of its file in the new version's tree.
    pub file: String,
    /// Its first line with code in that file, where the compiler noted it.
    pub line: Option<u32>,
    /// Where its source is, in both versions.
    #[serde(default)]
    pub source: SourceRanges,
    /// The finest level that worked.
    pub level: Level,
    /// Why not a finer one; empty when at expression level.
    pub level_reason: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is equivalent, where it is.
    #[serde(default)]
    pub proof: Option<Proof>,
    /// What a local proof takes for granted.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// Conditions under which the versions may differ in what changed, where nothing was found.
    #[serde(default)]
    pub local_conditions: Vec<String>,
    /// Bounds and reasons, sorted.
    pub limits: Vec<Limit>,
    /// Path counts.
    pub paths: PathCounts,
    /// States made.
    pub states: u64,
    /// Queries that reached the solver.
    pub solver_queries: u64,
    /// Predictions replayed.
    pub predictions: u64,
    /// Predictions the JVM confirmed.
    pub predictions_confirmed: u64,
    /// Mismatching predictions, described for a bug report.
    pub mismatches: Vec<String>,
    /// Wall-clock seconds (not part of what determinism promises).
    pub seconds: f64,
    /// What running inputs showed, where a search was made.
    #[serde(default)]
    pub evidence: Option<Evidence>,
    /// The findings, ranked.
    pub findings: Vec<Finding>,
    /// Methods of the build that its new code calls; for telling a difference once, not part of the JSON report.
    #[serde(default)]
    pub calls: Vec<MethodRef>,
    /// Changed methods but for whose differences a proof holds; for telling a difference once, not part of the JSON report.
    #[serde(default)]
    pub rests_on: Vec<MethodRef>,
    /// The same, where all of them are explored for themselves.
    #[serde(default)]
    pub proved_but_for: Vec<MethodRef>,
    /// What was explored, per entry method; for people, not part of the JSON report.
    #[serde(default)]
    pub trees: Vec<(MethodRef, tree::Tree)>,
}
