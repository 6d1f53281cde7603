//! `shadow-ci replay`: one call, run on the JVM in both versions, with both outcomes printed.

use crate::bytecode::ClassPath;
use crate::call::{Call, Classes, parse, resolve};
use crate::check::overloads;
use crate::check::session::Session;
use crate::check::workspace::ChangedBuilds;
use crate::commands::exit_code;
use crate::error::Error;
use crate::model::{End, Outcome};
use crate::options::{Options, Revisions};
use crate::replay::{self, Observed, observe, same_outcome};
use crate::report::printable::printable;
use crate::report::terminal::outcome;
use std::fmt::Write;
use std::sync::Arc;

/// What replaying a call showed: the text to print and the exit code (0 same, 1 different).
///
/// # Errors
/// The call can't be read or run, or what keeps the check from running.
pub fn run(options: &Options, revisions: &Revisions, text: &str) -> Result<(String, u8), Error> {
    let refused = |e: crate::call::CallError| Error::Replay(e.to_string());
    let expression = parse(text).map_err(refused)?;
    let mut session = Session::start(options, revisions)?;
    if session.patch.files.is_empty() {
        let why = "no Java source differs between the two commits, so neither does any outcome";
        return Err(Error::Replay(why.into()));
    }
    let workspace = session.workspace(options)?;
    let mut worker = session.worker(options)?;
    let ChangedBuilds {
        old,
        new,
        class_path,
        ..
    } = overloads::build_with(&session.repo, &mut session.patch, &workspace, |patch| {
        workspace.build_both(&mut worker, patch)
    })?;
    worker.export(&workspace.exports());
    let Session { jdk, patch, .. } = &session;
    let classes = Classes::new(vec![
        Arc::new(ClassPath::of(std::slice::from_ref(&new))?),
        Arc::new(ClassPath::of(std::slice::from_ref(&old))?),
        Arc::new(ClassPath::of(&class_path)?.with_jdk(&jdk.modules())?),
    ]);
    let call = resolve(&expression, &classes).map_err(refused)?;
    let path = |build| std::iter::once(build).chain(class_path.clone()).collect();
    let builds = replay::ClassPaths {
        old: path(old),
        new: path(new),
        limit: options.budgets.replay_timeout,
    };
    let Call {
        entry,
        is_static,
        inputs,
    } = &call;
    let seen = observe(&mut worker, &builds, entry, *is_static, inputs)?;
    check_ran(&seen, options)?;
    Ok(render(text, &patch.old.id, &patch.new.id, &seen))
}

/// Outcomes that say nothing of the program.
fn check_ran(seen: &Observed, options: &Options) -> Result<(), Error> {
    for (version, outcome) in [("old", &seen.old), ("new", &seen.new)] {
        if let End::Failed(why) = &outcome.end
            && !replay::ended_the_process(&outcome.end)
        {
            return Err(Error::Replay(format!(
                "{version} version: {}",
                printable(why)
            )));
        }
    }
    if seen.old.end == End::TimedOut && seen.new.end == End::TimedOut {
        let limit = options.budgets.replay_timeout.as_secs();
        let why = format!("neither version ended within {limit} s");
        return Err(Error::Replay(why));
    }
    Ok(())
}

fn render(text: &str, old: &str, new: &str, seen: &Observed) -> (String, u8) {
    let same = same_outcome(&seen.old, &seen.new);
    let failed = |o: &Outcome| !matches!(o.end, End::Returned(_) | End::Exited(_));
    let verdict = match (same, failed(&seen.old), failed(&seen.new)) {
        (true, ..) => "same outcome",
        (_, false, true) => "different: a regression",
        (_, true, false) => "different: a fix",
        _ => "different: changed",
    };
    let short = |id: &str| id.get(..12).unwrap_or(id).to_string();
    let mut out = format!("{}\n", printable(text));
    for (version, id, o, other) in [
        ("old", old, &seen.old, &seen.new),
        ("new", new, &seen.new, &seen.old),
    ] {
        let _ = writeln!(
            out,
            "    {version} {}: {}",
            short(id),
            printable(&outcome(o, other))
        );
    }
    let _ = writeln!(out, "{verdict}");
    (
        out,
        if same {
            exit_code::CLEAN
        } else {
            exit_code::FINDINGS
        },
    )
}
