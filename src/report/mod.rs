//! The result of a run: on the terminal, as JSON, and in the formats of other tools.

pub mod annotations;
pub mod document;
pub mod fingerprint;
mod formula;
mod found_by;
pub mod gitlab;
pub mod history;
pub mod html;
pub mod inert;
pub mod json;
pub mod junit_xml;
pub mod markdown;
pub mod method_name;
pub mod place;
pub mod printable;
pub mod sarif;
pub mod sentence;
pub mod side_by_side;
pub mod site;
pub mod step_outputs;
pub mod terminal;
mod wrap;

use crate::java_text::call;
use crate::model::{DivergenceClass, Finding, MethodRef, MethodResult, Verdict};
use crate::options::{Arithmetic, Options, Revisions};
use crate::util::counted::first;
use crate::util::pairs;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A method as one version's source has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    /// Path of its file in that version's tree.
    pub file: String,
    /// Its first line in the file, from 1.
    pub first_line: u32,
    /// The whole declaration, from the beginning of its first line.
    pub text: String,
    /// Lines of the file on which the patch can show (paper 004, §4.1), where that was asked for.
    pub impacted: BTreeSet<u32>,
}

/// A changed method as both versions' sources have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodText {
    /// The old text.
    pub old: Option<SourceText>,
    /// The new text.
    pub new: Option<SourceText>,
}

/// How processes that ran tested code were contained.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainmentNote {
    /// What was asked for: `auto`, `required` or `off`.
    pub mode: String,
    /// What was enforced: `files`, `network`, `processes`, `signals`.
    pub enforced: Vec<String>,
    /// What was not.
    pub missing: Vec<String>,
}

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    pub added: Vec<MethodRef>,
    /// Methods only the old version has.
    pub removed: Vec<MethodRef>,
    /// What was left out, and why.
    pub skipped: Vec<(String, String)>,
    /// Why there was no method to compare.
    pub nothing: Option<String>,
    /// Path of the generated test of each finding, by method and finding index.
    #[serde(with = "pairs")]
    pub tests: BTreeMap<(usize, usize), String>,
    /// Text of the generated test method of each finding, by method and finding index.
    #[serde(with = "pairs")]
    pub test_texts: BTreeMap<(usize, usize), String>,
    /// Tests without reflection that can be merged, one for the old version's behaviour and one for the new, by method and finding index.
    #[serde(with = "pairs")]
    pub merge_tests: BTreeMap<(usize, usize), MergeTests>,
    /// Findings whose generated tests do not do what they say, and why: these are not offered.
    #[serde(with = "pairs")]
    pub failed_tests: BTreeMap<(usize, usize), String>,
    /// Sources of classes that inputs are made of and that the project does not have, by their names.
    pub stand_ins: BTreeMap<String, String>,
    /// Text of each method in both versions, by method index, where it was found.
    pub sources: BTreeMap<usize, MethodText>,
    /// Of a merged report: the numbers of the shards whose reports are missing.
    pub lost_shards: Vec<usize>,
    /// Accepted findings of changed methods that are there no more, by their ids.
    pub stale: Vec<String>,
    /// The command that replays a call on these two commits, up to the call; none where replay would not mean the same.
    pub replay_command: Option<String>,
    /// How tested code was contained.
    pub containment: ContainmentNote,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Tests that can be merged, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeTests {
    /// What the old version did must not change.
    pub keeps_old: Option<String>,
    /// What the new version does is intended.
    pub pins_new: Option<String>,
}

impl Report {
    /// An empty report.
    pub fn new(options: &Options, revisions: &Revisions, (old, new): (&str, &str)) -> Report {
        Report {
            old: old.into(),
            new: new.into(),
            old_name: revisions.old.clone(),
            new_name: revisions.new.clone(),
            methods: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            skipped: Vec::new(),
            nothing: None,
            tests: BTreeMap::new(),
            test_texts: BTreeMap::new(),
            merge_tests: BTreeMap::new(),
            failed_tests: BTreeMap::new(),
            stand_ins: BTreeMap::new(),
            sources: BTreeMap::new(),
            lost_shards: Vec::new(),
            stale: Vec::new(),
            replay_command: replay_command(options, old, new),
            containment: ContainmentNote {
                mode: options.containment.mode().to_string(),
                enforced: words(options.containment.enforced().parts()),
                missing: words(options.containment.enforced().missing()),
            },
            seconds: 0.0,
        }
    }

    /// Lets minor findings count like others.
    pub fn want_minor(&mut self) {
        for finding in self.methods.iter_mut().flat_map(|m| &mut m.findings) {
            finding.telling.wanted = true;
        }
    }

    /// The line that replays a finding from a shell in the checkout, where its input can be written.
    pub fn replay_line(&self, finding: &Finding) -> Option<String> {
        if !finding.is_written() {
            return None;
        }
        let call = call::shell_word(&call::call_text(finding));
        Some(format!("{} {call}", self.replay_command.as_ref()?))
    }

    /// The line that says that a finding is intended.
    pub fn accept_line(&self, finding: &Finding) -> Option<String> {
        accept_line(&finding.telling.id)
    }

    /// What the replay lines need besides, in words.
    pub fn replay_note(&self) -> Option<&'static str> {
        let needed = self.replay_command.as_ref()?.contains(LONG_CLASS_PATH);
        let findings = self.methods.iter().any(|m| !m.findings.is_empty());
        (needed && findings).then_some(
            "the replay commands take the --classpath of this run from $CLASSPATH: export it first",
        )
    }

    /// What is told of generated tests that are left out: of which methods, and why, each reason once.
    pub fn told_of_tests(&self) -> Vec<(String, String)> {
        let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (at, why) in &self.failed_tests {
            let m = &self.methods[at.0].method;
            by_reason
                .entry(why)
                .or_default()
                .push(format!("{}#{}", m.class, m.name));
        }
        let told = by_reason.into_iter().map(|(why, mut of)| {
            let tests = match of.len() {
                1 => "a generated test".to_string(),
                n => format!("{n} generated tests"),
            };
            of.dedup();
            let what = format!("{tests} of {}", first(&of, MOST_NAMED, ", "));
            (what, why.to_string())
        });
        told.collect()
    }

    /// Which shards are missing, in a sentence; `None` where nothing is.
    pub fn lost(&self) -> Option<String> {
        lost(&self.lost_shards)
    }

    /// Methods without a finding whose changed code no input reached in both versions: what a reviewer must look at.
    pub fn without_reaching_input(&self) -> impl Iterator<Item = &MethodResult> {
        let missed = |m: &&MethodResult| {
            let evidence = m.evidence.as_ref();
            let open = matches!(m.verdict, Verdict::Bounded | Verdict::Incomplete);
            open && evidence.is_some_and(|e| !e.reached)
        };
        self.methods.iter().filter(missed)
    }

    /// How many these are.
    pub fn not_reached(&self) -> usize {
        self.without_reaching_input().count()
    }

    /// How many methods have that verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.methods.iter().filter(|m| m.verdict == verdict).count()
    }

    /// How many findings of that class are open: differences that are told, relevant, and not accepted.
    pub fn findings(&self, class: DivergenceClass) -> u64 {
        self.told()
            .filter(|f| f.class == class && f.is_open())
            .count() as u64
    }

    /// All differences, also those that few would want to know or that were accepted.
    pub fn told(&self) -> impl Iterator<Item = &Finding> {
        let all = self.methods.iter().flat_map(|m| &m.findings);
        all.filter(|f| f.is_told())
    }

    /// How many differences were accepted.
    pub fn accepted(&self) -> usize {
        self.told().filter(|f| f.telling.accepted.is_some()).count()
    }

    /// How many differences few would want to know.
    pub fn minor(&self) -> usize {
        let of = |f: &&Finding| !f.is_relevant() && f.telling.accepted.is_none();
        self.told().filter(of).count()
    }

    /// Methods of which not everything was explored, whatever was found.
    pub fn not_fully_explored(&self) -> usize {
        let some = |m: &&MethodResult| !m.limits.is_empty();
        self.methods.iter().filter(some).count()
    }

    /// Sum over all methods.
    pub fn sum(&self, of: impl Fn(&MethodResult) -> u64) -> u64 {
        self.methods.iter().map(of).sum()
    }
}

/// Which shards are missing, in a sentence.
pub fn lost(shards: &[usize]) -> Option<String> {
    let all: Vec<String> = shards.iter().map(usize::to_string).collect();
    let (word, verb) = match all.len() {
        0 => return None,
        1 => ("shard", "is"),
        _ => ("shards", "are"),
    };
    Some(format!(
        "the report of {word} {} {verb} missing: the result is incomplete",
        all.join(", ")
    ))
}

fn words(all: Vec<&str>) -> Vec<String> {
    all.into_iter().map(str::to_string).collect()
}

/// The line that says that the finding of that identity is intended.
pub fn accept_line(id: &str) -> Option<String> {
    let word = call::shell_word(id);
    (!id.is_empty()).then(|| format!("shadow-ci accept {word} --reason \"…\""))
}

/// Why a changed test is left out.
pub const TEST: &str = "a test";

/// A longer word, which only a class path is, would drown each line it stands in.
const LONGEST_WORD: usize = 160;

/// Methods named of those whose tests are left out for one reason.
const MOST_NAMED: usize = 3;

/// What stands in its place.
const LONG_CLASS_PATH: &str = "\"$CLASSPATH\"";

/// Commits by hash, for names such as `HEAD~1` move on. With mathematical integers the JVM says nothing about a finding.
fn replay_command(options: &Options, old: &str, new: &str) -> Option<String> {
    if options.bounds.arith == Arithmetic::Unbounded {
        return None;
    }
    let short = |id: &str| id.get(..12).unwrap_or(id).to_string();
    let mut command = format!("shadow-ci replay {} {}", short(old), short(new));
    for word in &options.outputs.repeated {
        command.push(' ');
        if word.len() > LONGEST_WORD {
            command.push_str(LONG_CLASS_PATH);
        } else {
            command.push_str(&call::shell_word(word));
        }
    }
    Some(command)
}
