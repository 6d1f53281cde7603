//! The selection for a terminal.

use super::{AffectedPath, ClassifiedTest, Reason, Selection};
use crate::java_text::call::call;
use crate::model::MethodRef;
use crate::report::printable::printable;
use crate::report::terminal::outcome;
use crate::util::counted::counted;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Reasons shown of one test, and calls to add of one method.
const MOST_REASONS: usize = 3;
const MOST_CALLS: usize = 5;

/// Tests to run again with their reasons, then calls to add, then what is not known.
pub fn text(selection: &Selection) -> String {
    let mut out = String::new();
    let again = selection.tests.iter().filter(|t| !t.reasons.is_empty());
    for classified in again.clone() {
        let _ = writeln!(out, "re-run  {}", printable(&classified.test.name));
        reasons(&mut out, classified, &selection.paths);
    }
    let reaching = |t: &&ClassifiedTest| t.reasons.is_empty() && !t.test.inputs.is_empty();
    for classified in selection.tests.iter().filter(reaching) {
        let name = printable(&classified.test.name);
        let _ = writeln!(
            out,
            "skip    {name}\n    the patch does not affect its paths"
        );
    }
    let mut add: BTreeMap<&MethodRef, Vec<&AffectedPath>> = BTreeMap::new();
    for path in selection.to_add() {
        add.entry(&path.method).or_default().push(path);
    }
    for (method, paths) in &mut add {
        additions(&mut out, method, paths);
    }
    for (method, limit) in &selection.limits {
        let name = format!("{}#{}", method.class, method.name);
        let detail = match limit.detail.as_str() {
            "" => String::new(),
            detail => format!(" ({detail})"),
        };
        let kind = if limit.bound { "bound" } else { "gave up" };
        let what = format!("{kind}: {}{detail} in {name}", limit.reason);
        let _ = writeln!(out, "{}", printable(&what));
    }
    for (what, why) in &selection.left_out {
        let _ = writeln!(out, "left out: {} ({})", printable(what), printable(why));
    }
    let covered = selection.paths.iter().filter(|p| !p.covered_by.is_empty());
    let _ = writeln!(
        out,
        "{}{} of {} to re-run · {} to add · {} of {} covered",
        if out.is_empty() { "" } else { "\n" },
        again.count(),
        counted(selection.tests.len(), "test", "tests"),
        counted(selection.to_add().count(), "call", "calls"),
        covered.count(),
        counted(selection.paths.len(), "affected path", "affected paths")
    );
    out
}

impl Selection {
    /// The paths that no test is on.
    pub fn to_add(&self) -> impl Iterator<Item = &AffectedPath> {
        self.paths.iter().filter(|p| p.covered_by.is_empty())
    }
}

fn reasons(out: &mut String, classified: &ClassifiedTest, paths: &[AffectedPath]) {
    for reason in classified.reasons.iter().take(MOST_REASONS) {
        let text = match reason {
            Reason::Covers { call, path } if paths[*path].differs => {
                format!("{call}: outcomes differ when {}", paths[*path].condition)
            }
            Reason::Covers { call, path } => {
                format!("{call}: runs changed code when {}", paths[*path].condition)
            }
            Reason::Unknown(why) => why.clone(),
        };
        let _ = writeln!(out, "    {}", printable(&text));
    }
    if classified.reasons.len() > MOST_REASONS {
        let more = classified.reasons.len() - MOST_REASONS;
        let _ = writeln!(out, "    … and {more} more");
    }
}

/// Calls on which the versions differ first, then short ones.
fn additions(out: &mut String, method: &MethodRef, paths: &mut [&AffectedPath]) {
    paths.sort_by_cached_key(|p| (!p.differs, call(&p.entry, &p.inputs).len()));
    for path in paths.iter().take(MOST_CALLS) {
        addition(out, path);
    }
    if let Some(more @ 1..) = paths.len().checked_sub(MOST_CALLS) {
        let name = format!("{}#{}", method.class, method.name);
        let _ = writeln!(
            out,
            "add     … {more} more of {} (see --json)",
            printable(&name)
        );
    }
}

fn addition(out: &mut String, path: &AffectedPath) {
    let _ = writeln!(
        out,
        "add     {}",
        printable(&call(&path.entry, &path.inputs))
    );
    if let Some(seen) = &path.seen {
        let old = printable(&outcome(&seen.old, &seen.new));
        let new = printable(&outcome(&seen.new, &seen.old));
        let _ = match path.differs {
            true => writeln!(out, "    old: {old}\n    new: {new}"),
            false => writeln!(out, "    both: {new}"),
        };
    }
    let _ = writeln!(out, "    when {}", printable(&path.condition));
}
