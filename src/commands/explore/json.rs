//! An exploration as JSON, written path by path: tens of thousands of them need no second copy.

use super::Exploration;
use super::show::inputs;
use crate::java_text;
use crate::model::{Limit, Location, Outcome};
use crate::symex::FinishedPath;
use serde::{Serialize, Serializer};
use std::io::Write;

/// Writes the result as JSON, format version 1, keys in their order.
///
/// # Errors
/// Those of the writer.
pub fn write_json(found: &Exploration, out: impl Write) -> std::io::Result<()> {
    serde_json::to_writer_pretty(out, &Document::of(found)).map_err(std::io::Error::from)
}

#[derive(Serialize)]
struct Document<'a> {
    class: &'a str,
    counts: Counts,
    descriptor: &'a str,
    format_version: u32,
    impacted_statements: Option<usize>,
    limits: Vec<LimitRow<'a>>,
    method: &'a str,
    #[serde(serialize_with = "paths")]
    paths: &'a Exploration,
    seconds: f64,
    solver_queries: u64,
    solver_questions: u64,
    states: u64,
    tool_version: &'static str,
}

#[derive(Serialize)]
struct Counts {
    data: u64,
    diff: u64,
    finished: u64,
    gave_up: u64,
    infeasible: u64,
    no_input: u64,
    pruned: u64,
}

#[derive(Serialize)]
struct LimitRow<'a> {
    at: Option<String>,
    bound: bool,
    count: u64,
    detail: &'a str,
    reason: String,
}

#[derive(Serialize)]
struct PathRow<'a> {
    diff: bool,
    diverges_at: Option<Parted>,
    inputs: Vec<InputRow>,
    new: String,
    old: Option<String>,
    outcomes_differ: Option<bool>,
    path_condition: &'a str,
}

#[derive(Serialize)]
struct Parted {
    new: String,
    old: String,
}

#[derive(Serialize)]
struct InputRow {
    java: String,
    name: String,
}

impl Document<'_> {
    fn of(found: &Exploration) -> Document<'_> {
        let m = &found.method;
        Document {
            class: &m.class,
            counts: Counts {
                data: found.data_divergences,
                diff: found.paths.diff,
                finished: found.paths.finished,
                gave_up: found.paths.gave_up,
                infeasible: found.infeasible,
                no_input: found.no_input,
                pruned: found.paths.pruned,
            },
            descriptor: &m.descriptor,
            format_version: 1,
            impacted_statements: found.impacted,
            limits: found.limits.iter().map(limit).collect(),
            method: &m.name,
            paths: found,
            seconds: found.seconds,
            solver_queries: found.solver.queries,
            solver_questions: found.solver.asked,
            states: found.states,
            tool_version: env!("CARGO_PKG_VERSION"),
        }
    }
}

fn limit(l: &Limit) -> LimitRow<'_> {
    LimitRow {
        at: l.at.as_ref().map(place),
        bound: l.bound,
        count: l.count,
        detail: &l.detail,
        reason: l.reason.to_string(),
    }
}

fn place(l: &Location) -> String {
    format!("{}:{}", l.file, l.line)
}

fn paths<S: Serializer>(found: &Exploration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(found.finished.iter().map(|p| row(found, p)))
}

fn row<'a>(found: &Exploration, path: &'a FinishedPath) -> PathRow<'a> {
    let outcome = |o: &Outcome| java_text::end(&o.end);
    let parted = path.diverged_at.as_ref().map(|(old, new)| Parted {
        new: place(new),
        old: place(old),
    });
    let inputs = inputs(found, path).into_iter();
    PathRow {
        diff: path.control,
        diverges_at: parted,
        inputs: inputs.map(|(name, java)| InputRow { java, name }).collect(),
        new: outcome(&path.new),
        old: path.old.as_ref().map(outcome),
        outcomes_differ: path.differs,
        path_condition: &path.condition,
    }
}
