//! `shadow-ci merge`: the reports of all shards of a patch as one.

use crate::commands::outputs::Outputs;
use crate::commands::{actions, comment};
use crate::error::Error;
use crate::options::FailOn;
use crate::report::document::{Document, ReadError};
use crate::report::{markdown, step_outputs};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which reports, and what is written.
#[derive(Clone, Debug, clap::Args)]
pub struct Merge {
    /// The reports that the shards' --json wrote
    #[arg(value_name = "REPORT.json", required = true)]
    pub reports: Vec<PathBuf>,
    /// Write the one report as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Files for other tools
    #[command(flatten)]
    pub outputs: Outputs,
    /// What makes the exit code 1 [default: assertion]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub fail_on: Vec<FailOn>,
}

/// As many shards as `plan` makes at most.
const MOST_SHARDS: u64 = 1000;

/// What was merged.
pub struct Merged {
    /// The report.
    pub report: Value,
    /// Shards without a report.
    pub lost: Vec<u64>,
    /// Whether `--fail-on` names anything in it.
    pub fails: bool,
    /// The summary, with text of the code under test.
    pub text: String,
    /// Workflow commands that annotate the diff.
    pub commands: String,
}

/// Merges, and writes the files.
///
/// # Errors
/// A report can't be read, or they are not of one patch.
pub fn run(merge: &Merge) -> Result<Merged, Error> {
    let reports: Vec<Value> = merge
        .reports
        .iter()
        .map(|file| read(file))
        .collect::<Result<_, _>>()?;
    let (report, lost) = merged(reports).map_err(|why| Error::Input {
        what: "cannot merge the reports".into(),
        why,
    })?;
    let document = Document::read(report.to_string().as_bytes())?;
    let default = [FailOn::Assertion];
    let fail_on = match merge.fail_on.is_empty() {
        true => &default[..],
        false => &merge.fail_on,
    };
    let context = actions::markdown_context();
    let steps = step_outputs::of(&document, !lost.is_empty());
    let mut outputs = merge.outputs.clone();
    outputs.annotations |= actions::running();
    let commands = outputs.document(&document, &steps, fail_on, &context)?;
    let findings = document.methods.iter().flat_map(|m| &m.findings);
    let incomplete = !lost.is_empty() || document.methods.iter().any(|m| m.is_incomplete());
    let found = findings.into_iter().any(|f| f.fails(fail_on));
    let wants = |on: FailOn| fail_on.contains(&on) && !fail_on.contains(&FailOn::Never);
    Ok(Merged {
        fails: found || incomplete && wants(FailOn::Incomplete),
        text: markdown::render(&document, &context),
        commands,
        report,
        lost,
    })
}

fn read(file: &Path) -> Result<Value, Error> {
    let bytes = comment::read(file)?;
    let malformed = |e: serde_json::Error| ReadError::Malformed(format!("{}: {e}", file.display()));
    Document::read(&bytes)?;
    Ok(serde_json::from_slice(&bytes).map_err(malformed)?)
}

/// The one report, and the shards that none is of; or why they don't go together.
fn merged(reports: Vec<Value>) -> Result<(Value, Vec<u64>), String> {
    let mut shards: BTreeMap<u64, Value> = BTreeMap::new();
    let mut of = None;
    for report in reports {
        let number = |name: &str| report["shard"][name].as_u64();
        let (index, all) = (number("index").unwrap_or(1), number("of").unwrap_or(1));
        if all > MOST_SHARDS || !(1..=all).contains(&index) {
            return Err(format!("there is no shard {index} of {all}"));
        }
        if *of.get_or_insert(all) != all {
            return Err("they are shards of different plans".into());
        }
        if shards.insert(index, report).is_some() {
            return Err(format!("shard {index} of {all} is there twice"));
        }
    }
    let of = of.unwrap_or(1);
    let lost: Vec<u64> = (1..=of).filter(|i| !shards.contains_key(i)).collect();
    let mut shards = shards.into_values();
    let Some(Value::Object(mut one)) = shards.next() else {
        return Err("there is none".into());
    };
    one.remove("shard");
    for mut other in shards {
        let same = |name: &str| one.get(name) == other.get(name);
        if !["old", "new", "format_version", "tool_version"]
            .into_iter()
            .all(same)
        {
            return Err(
                "they are of different commits, or of different versions of shadow-ci".into(),
            );
        }
        for list in ["methods", "added", "removed", "skipped"] {
            append(&mut one, list, other[list].take());
        }
        sum(&mut one, &other["summary"]);
    }
    sort_methods(&mut one);
    if !lost.is_empty() {
        let name = |i: &u64| {
            let what = format!("shard {i} of {of}");
            json!({ "what": what, "why": "its report is missing: its methods were not judged" })
        };
        append(&mut one, "skipped", lost.iter().map(name).collect());
        one.insert("lost_shards".into(), json!(lost));
    }
    Ok((Value::Object(one), lost))
}

/// Adds what is not there yet.
fn append(one: &mut Map<String, Value>, list: &str, more: Value) {
    if let (Some(Value::Array(all)), Value::Array(more)) = (one.get_mut(list), more) {
        let new: Vec<Value> = more.into_iter().filter(|m| !all.contains(m)).collect();
        all.extend(new);
    }
}

/// Adds up all counts; seconds are those of the slowest, as they ran side by side.
fn sum(one: &mut Map<String, Value>, more: &Value) {
    let Some(Value::Object(summary)) = one.get_mut("summary") else {
        return;
    };
    for (name, value) in summary {
        if let (Some(a), Some(b)) = (value.as_u64(), more[name].as_u64()) {
            *value = json!(a.saturating_add(b));
        } else if let (Some(a), Some(b)) = (value.as_f64(), more[name].as_f64()) {
            *value = json!(a.max(b));
        }
    }
}

/// In the order of a report of the whole.
fn sort_methods(one: &mut Map<String, Value>) {
    let key = |m: &Value| {
        let part = |name: &str| m[name].as_str().unwrap_or_default().to_string();
        (part("class"), part("method"), part("descriptor"))
    };
    if let Some(Value::Array(methods)) = one.get_mut("methods") {
        methods.sort_by_cached_key(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(index: u64, of: u64, class: &str) -> Value {
        json!({
            "format_version": 1, "tool_version": "1", "old": "a", "new": "b",
            "shard": { "index": index, "of": of },
            "summary": { "methods": 1, "seconds": 1.5 },
            "methods": [{ "class": class, "method": "f", "descriptor": "()V" }],
            "added": [], "removed": [], "skipped": [{ "what": "x", "why": "a test" }],
        })
    }

    #[test]
    fn shards_make_one_report_and_a_lost_one_is_named() {
        let (all, lost) = merged(vec![shard(2, 2, "A"), shard(1, 2, "B")]).unwrap();
        assert!(lost.is_empty());
        assert_eq!(all["summary"], json!({ "methods": 2, "seconds": 1.5 }));
        assert_eq!(all["methods"][0]["class"], "A");
        assert_eq!(all["skipped"].as_array().unwrap().len(), 1);
        assert!(all.get("shard").is_none());

        let (some, lost) = merged(vec![shard(1, 3, "A"), shard(3, 3, "B")]).unwrap();
        assert_eq!(lost, [2]);
        assert_eq!(some["skipped"][1]["what"], "shard 2 of 3");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        assert!(merged(vec![shard(1, 2, "A"), shard(1, 2, "A")]).is_err());
        assert!(merged(vec![shard(1, 2, "A"), shard(2, 3, "A")]).is_err());
        let mut other = shard(2, 2, "A");
        other["new"] = json!("c");
        assert!(merged(vec![shard(1, 2, "A"), other]).is_err());
    }
}
