//! Paper 000, tables 1 to 3: complete shadow symbolic execution of all 79 subjects.

use super::artefact::explain;
use super::subject::Subject;
use super::table::{Row, read};
use super::{Args, Summary, running};
use shadow_ci::commands::explore::{Exploration, ExploreOptions, Session};
use shadow_ci::options::Prune;
use shadow_ci::symex::ExploreMode;
use std::path::Path;

/// The file with the tables.
pub const TABLE: &str = "complete_sse_tables_1_2_3.csv";
/// The columns that it must have.
pub const COLUMNS: [&str; 4] = [
    "subject",
    "sjplus_time_s",
    "sjplus_states",
    "sjplus_diff_paths",
];

/// A row that isn't equal, and the paths that explain it.
struct Explained {
    subject: String,
    why: String,
    paths: Vec<String>,
}

/// Prints our figures beside the paper's, and the paths behind each explanation.
///
/// # Errors
/// The table or a subject can't be read, or an exploration fails.
pub fn compare(args: &Args, root: &Path, session: &mut Option<Session>) -> Result<Summary, String> {
    let rows = read(&args.reference.join(TABLE), &COLUMNS)?;
    let (mut summary, mut explained) = (Summary::default(), Vec::new());
    println!(
        "| subject | ShadowJPF+ | ours | pruned | states | paper's | seconds | paper's | verdict |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for row in rows.iter().filter(|r| args.wants(r.text("subject"))) {
        let name = row.text("subject");
        let subject = Subject::complete(name).ok_or_else(|| format!("{name}: unknown subject"))?;
        let mut options = subject.options(root, ExploreMode::Complete);
        options.prune = args.prune();
        options.loop_bound = args.loop_bound;
        let session = running(session, &options)?;
        let found = session.run(&options).map_err(|e| format!("{name}: {e}"))?;
        let verdict = judge(row, &found, session, &options, &mut explained)?;
        summary.add(&verdict, found.seconds);
        println!(
            "| {name} | {} | {} | {} | {} | {} | {:.3} | {} | {verdict} |",
            row.number("sjplus_diff_paths")
                .map_or("-".into(), |d| d.to_string()),
            found.paths.diff,
            found.paths.pruned,
            found.states,
            row.text("sjplus_states"),
            found.seconds,
            row.text("sjplus_time_s"),
        );
    }
    for row in explained.iter().filter(|e| !e.paths.is_empty()) {
        println!("\n{}: {}", row.subject, row.why);
        for path in &row.paths {
            println!("- {path}");
        }
    }
    Ok(summary)
}

/// Equal, explained by a known artefact of the paper's tool, or different.
fn judge(
    row: &Row,
    found: &Exploration,
    session: &mut Session,
    options: &ExploreOptions,
    explained: &mut Vec<Explained>,
) -> Result<String, String> {
    let name = row.text("subject");
    let Some(paper) = row.number("sjplus_diff_paths") else {
        return Ok("equal: endless in the paper, bounded here".into());
    };
    let unfinished = found.unfinished(options);
    if !unfinished.is_empty() {
        let reasons: Vec<&str> = unfinished.iter().map(|l| l.reason.name()).collect();
        return Ok(format!(
            "different: not explored to the end ({})",
            reasons.join(", ")
        ));
    }
    if found.paths.diff == paper {
        return Ok("equal".into());
    }
    // Same paths that were cut can be what explains it.
    let all = ExploreOptions {
        prune: Prune::None,
        ..options.clone()
    };
    let all = session.run(&all).map_err(|e| format!("{name}: {e}"))?;
    let Some((why, paths)) = explain(name, paper, &all) else {
        return Ok("different".into());
    };
    let verdict = format!("explained: {why}");
    explained.push(Explained {
        subject: name.into(),
        why,
        paths,
    });
    Ok(verdict)
}
