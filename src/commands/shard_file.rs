//! The part of a shard's JSON report that `merge` reads: its whole result, with sources and execution trees.

use crate::check::shard::Shard;
use crate::error::Error;
use crate::report::Report;
use crate::report::document::{FORMAT_VERSION, ReadError};
use crate::testgen::JUnit;
use crate::util::deep_stack::on_a_deep_stack;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;

/// A larger file is refused: it comes from where the code under test ran.
const MAX_BYTES: u64 = 512 << 20;

/// Deeper nesting is refused: an execution tree is at most some 300 deep.
const MAX_DEPTH: usize = 4000;

/// As many shards as `plan` makes at most.
const MOST_SHARDS: usize = 1000;

/// A shard's result as it is handed on.
#[derive(Debug, Serialize, Deserialize)]
pub struct ShardResult {
    /// The result.
    pub report: Report,
    /// Which JUnit its tests are for.
    pub junit: JUnit,
}

/// The field `shard` of a shard's report. The result is in it as text: few readers of JSON take what is nested so deep.
///
/// # Errors
/// It can't be written as JSON.
pub fn part(shard: Shard, report: &Report, junit: JUnit) -> Result<Value, Error> {
    let part = ShardResult {
        report: report.clone(),
        junit,
    };
    let malformed = |e: serde_json::Error| ReadError::Malformed(e.to_string());
    let whole = serde_json::to_string(&part).map_err(malformed)?;
    Ok(json!({ "index": shard.index, "of": shard.of, "whole": whole }))
}

/// A report of a shard, as far as it is read.
#[derive(Deserialize)]
struct ShardFile {
    format_version: u64,
    tool_version: String,
    shard: Option<ShardField>,
}

#[derive(Deserialize)]
struct ShardField {
    index: usize,
    of: usize,
    #[serde(default)]
    whole: String,
}

/// Reads a shard's report.
///
/// # Errors
/// It can't be read, is no report of a shard, or is of another version of this program.
pub fn read(file: &Path) -> Result<(Shard, ShardResult), Error> {
    let named = |why: String| Error::Input {
        what: format!("cannot read {}", file.display()),
        why,
    };
    let size = std::fs::metadata(file).map_err(|e| named(e.to_string()))?;
    if size.len() > MAX_BYTES {
        return Err(named(format!("it is larger than {} MB", MAX_BYTES >> 20)));
    }
    let bytes = std::fs::read(file).map_err(|e| named(e.to_string()))?;
    let malformed = |e: serde_json::Error| named(format!("it is not a shadow-ci report: {e}"));
    let read: ShardFile = serde_json::from_slice(&bytes).map_err(malformed)?;
    if read.format_version != FORMAT_VERSION || read.tool_version != env!("CARGO_PKG_VERSION") {
        let by = read.tool_version;
        return Err(named(format!(
            "it was written by another version, shadow-ci {by}"
        )));
    }
    let is_one = |s: &ShardField| s.of <= MOST_SHARDS && (1..=s.of).contains(&s.index);
    let field = read.shard.filter(is_one);
    let Some(field) = field.filter(|s| !s.whole.is_empty()) else {
        return Err(named("it is not the report of a shard".into()));
    };
    let shard = Shard {
        index: field.index,
        of: field.of,
    };
    if depth(&field.whole) > MAX_DEPTH {
        return Err(named("it is nested too deep".into()));
    }
    let part = on_a_deep_stack(|| {
        let mut reader = serde_json::Deserializer::from_str(&field.whole);
        reader.disable_recursion_limit();
        ShardResult::deserialize(&mut reader).map_err(malformed)
    })?;
    Ok((shard, part))
}

/// How deep lists and objects are nested in a JSON text.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut in_text, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::depth;

    #[test]
    fn brackets_in_texts_do_not_nest() {
        assert_eq!(depth("[{\"a\": \"[[\\\"[\"}]"), 2);
        assert_eq!(depth("7"), 0);
    }
}
