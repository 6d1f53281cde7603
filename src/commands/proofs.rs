//! A stage printed: local proofs of the changed methods of a patch, and why there is none where there is none.

use crate::check::analysis::{Analysis, changed_methods, name_uncompiled};
use crate::check::overloads;
use crate::check::session::Session;
use crate::error::Error;
use crate::options::{Options, Revisions};
use std::fmt::Write;

/// One line a method: `proved`, `same` (its bytecode is), `skipped` (it would not be explored) or `open`, its name, and why.
///
/// # Errors
/// The repository can't be read, a revision is unknown, nothing compiles, or there is no JDK.
pub fn render(options: &Options, revisions: &Revisions) -> Result<String, Error> {
    let mut session = Session::start(options, revisions)?;
    let mut out = String::new();
    if session.patch.files.is_empty() {
        return Ok(out);
    }
    let workspace = session.workspace(options)?;
    let mut worker = session.worker(options)?;
    let builds = overloads::build_with(&session.repo, &mut session.patch, &workspace, |patch| {
        workspace.build(&mut worker, patch)
    })?;
    let mut analysis = Analysis::new(&session.jdk, options, &builds)?;
    let mut changed = changed_methods(&analysis, &session.patch.files, &options.selection)?;
    name_uncompiled(&analysis, &session.patch, &builds.uncompiled, &mut changed)?;
    analysis.prove(&changed.methods, &session.patch, &workspace, &mut worker)?;
    for method in &changed.methods {
        let id = &method.id;
        let (word, why) = match analysis.proof(id) {
            Some(outcome) if outcome.proved => ("proved", outcome.assumed.join("; ")),
            Some(outcome) => ("open", outcome.explanation()),
            None if method.same_code => ("same", String::new()),
            None => ("skipped", String::new()),
        };
        let _ = writeln!(
            out,
            "{word}\t{}#{}{}\t{why}",
            id.class, id.name, id.descriptor
        );
    }
    Ok(out)
}
