//! The printed forms of single stages: changed files, their syntactic difference, the unified methods.

use crate::check::patch::read;
use crate::check::session::Session;
use crate::check::workspace::Builds;
use crate::error::Error;
use crate::git::Repo;
use crate::options::{Options, Revisions};
use crate::util::file;
use std::fmt::Write;
use std::path::Path;

/// The unified methods with their levels and the lines of both versions; with `dir`, the unified program is written there.
///
/// # Errors
/// What keeps the check from running keeps this from running.
pub fn render(
    options: &Options,
    revisions: &Revisions,
    dir: Option<&Path>,
) -> Result<String, Error> {
    let mut session = Session::start(options, revisions)?;
    let mut out = String::new();
    if session.patch.files.is_empty() {
        return Ok("no changed Java methods\n".into());
    }
    let workspace = session.workspace(options)?;
    let patch = &session.patch;
    let mut worker = session.worker(options)?;
    let builds = workspace.build(&mut worker, patch)?;
    if let Some(dir) = dir {
        write(dir, &builds)?;
    }
    for (path, file) in &builds.files {
        for method in &file.methods {
            let reason = if method.reason.is_empty() {
                String::new()
            } else {
                format!(" ({})", method.reason)
            };
            let level = format!("{:?}", method.level).to_lowercase();
            let key = &method.key;
            let _ = writeln!(
                out,
                "// {path}:{} {}#{}({}) — {level} level{reason}",
                method.start_line,
                key.class,
                key.name,
                key.params.join(", ")
            );
            for line in &method.text {
                let number = |n: Option<u32>| n.map_or(String::new(), |n| n.to_string());
                let _ = writeln!(
                    out,
                    "{:>5} {:>5}  {}",
                    number(line.old),
                    number(line.new),
                    line.text.trim_end()
                );
            }
            out.push('\n');
        }
    }
    Ok(out)
}

/// Writes the unified files, and `Shadow` beside them in the first source root.
fn write(dir: &Path, builds: &Builds) -> Result<(), Error> {
    let failed = |e: std::io::Error| Error::Io {
        what: format!("cannot write to {}", dir.display()),
        why: e.to_string(),
    };
    for (path, unified) in builds
        .files
        .iter()
        .filter(|(_, f)| !f.fine().is_empty() || f.has_members())
    {
        file::write(&dir.join(path), &unified.source).map_err(failed)?;
    }
    file::write(
        &dir.join("com/shadowci/Shadow.java"),
        crate::unify::SHADOW_JAVA,
    )
    .map_err(failed)
}

/// Changed files, or what the alignment says of them.
///
/// # Errors
/// The repository or a revision can't be read.
pub fn dump(stage: &str, options: &Options, revisions: &Revisions) -> Result<String, Error> {
    let repo = Repo::open(&options.repo)?;
    let patch = read(&repo, revisions, &options.selection.paths)?;
    let mut out = String::new();
    for file in &patch.files {
        let path = |f: &Option<crate::java::SourceFile>| {
            f.as_ref().map_or("-".to_string(), |f| f.path.clone())
        };
        let _ = writeln!(out, "{} -> {}", path(&file.old), path(&file.new));
        if stage == "diff" {
            let _ = writeln!(out, "{:#?}", file.diff);
        }
    }
    for (what, why) in &patch.skipped {
        let _ = writeln!(out, "left out: {what} ({why})");
    }
    Ok(out)
}
