//! Paper 002, table 2: concolic runs from the subjects' own inputs.

use super::subject::Subject;
use super::table::{Row, read};
use super::{Args, Summary, running};
use shadow_ci::commands::explore::{Exploration, ExploreOptions, Session};
use shadow_ci::symex::ExploreMode;
use std::path::Path;

/// The file with the table, and the columns it must have.
pub const TABLE: &str = "shadow_jpf_table_2.csv";
const COLUMNS: [&str; 4] = [
    "subject",
    "shadow_jpf_states",
    "shadow_jpf_paths",
    "shadow_klee_paths",
];

/// Prints our figures beside the paper's.
///
/// # Errors
/// The table or a subject can't be read, or an exploration fails.
pub fn compare(args: &Args, root: &Path, session: &mut Option<Session>) -> Result<Summary, String> {
    let rows = read(&args.reference.join(TABLE), &COLUMNS)?;
    let mut summary = Summary::default();
    println!(
        "| subject | ShadowJPF | ours | Shadow (KLEE) | pruned | states | paper's | seconds | verdict |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for row in rows.iter().filter(|r| args.wants(r.text("subject"))) {
        let name = row.text("subject");
        let subject = Subject::concolic(name).ok_or_else(|| format!("{name}: unknown subject"))?;
        // The input is what `main` passes.
        let mut options = subject.options(root, ExploreMode::Concolic(Vec::new()));
        options.prune = args.prune();
        let found = running(session, &options)?
            .run(&options)
            .map_err(|e| format!("{name}: {e}"))?;
        let verdict = verdict(row, &found, &options);
        summary.add(&verdict, found.seconds);
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {:.3} | {verdict} |",
            row.text("shadow_jpf_paths"),
            found.paths.diff,
            row.text("shadow_klee_paths"),
            found.paths.pruned,
            found.states,
            row.text("shadow_jpf_states"),
            found.seconds,
        );
    }
    Ok(summary)
}

fn verdict(row: &Row, found: &Exploration, options: &ExploreOptions) -> String {
    let unfinished = found.unfinished(options);
    let unfinished: Vec<&str> = unfinished.iter().map(|l| l.reason.name()).collect();
    if !unfinished.is_empty() {
        return format!(
            "different: not explored to the end ({})",
            unfinished.join(", ")
        );
    }
    if row.number("shadow_jpf_paths") == Some(found.paths.diff) {
        return "equal".into();
    }
    "different".into()
}
