//! `shadow-ci project`: the build model that a check of the commit would use.

use crate::check::jdk::jdk;
use crate::check::patch::is_test;
use crate::check::workspace::model;
use crate::error::Error;
use crate::git::Repo;
use crate::options::{Options, Revisions};
use crate::project::Model;
use crate::util::deadline::Deadline;
use crate::util::temporary;
use std::fmt::Write;
use std::path::Path;

/// The model of the modules of all Java sources of the new commit that are not tests, as text or JSON.
///
/// # Errors
/// The repository or the JDK.
pub fn render(options: &Options, revision: &str, json: bool) -> Result<String, Error> {
    let jdk = jdk(
        options,
        &Revisions {
            old: String::new(),
            new: revision.to_string(),
        },
    )?;
    let repo = Repo::open(&options.repo)?;
    let commit = repo.resolve(revision)?;
    let files = repo.files(&commit)?;
    let sources = files.iter().map(|f| f.0.clone());
    let sources: Vec<String> = sources
        .filter(|f| f.ends_with(".java") && !is_test(f) && !f.ends_with("-info.java"))
        .collect();
    let dest = temporary::folder("project").map_err(|e| Error::Io {
        what: "temporary folder".into(),
        why: e.to_string(),
    })?;
    let end = Deadline::after(options.budgets.timeout);
    // Paths of the commit are told as they are called in it.
    let model = model(
        &repo,
        &commit,
        (&sources, &[]),
        (&jdk, options, end),
        dest.path(),
    )?
    .moved(dest.path(), Path::new(""));
    if json {
        let value = serde_json::to_value(&model).unwrap_or_default();
        return Ok(format!("{value:#}\n"));
    }
    Ok(text(&model))
}

fn text(model: &Model) -> String {
    let mut out = format!("build tool: {}\n", model.tool);
    for module in &model.modules {
        let dir = module.dir.to_string_lossy();
        let name = if dir.is_empty() { ".".into() } else { dir };
        let _ = writeln!(out, "\nmodule {name}");
        let mut line = |name: &str, values: Vec<String>| {
            if !values.is_empty() {
                let _ = writeln!(out, "  {name}: {}", values.join(" "));
            }
        };
        let paths = |all: &[std::path::PathBuf]| {
            let shown = all.iter().map(|p| p.display().to_string());
            shown.collect::<Vec<_>>()
        };
        let level = match (module.release, module.source) {
            (Some(n), _) => vec![format!("--release {n}")],
            (None, Some(n)) => vec![format!("-source {n}")],
            (None, None) => Vec::new(),
        };
        line("level", level);
        line("encoding", module.encoding.iter().cloned().collect());
        line("source roots", paths(&module.source_roots));
        line("resources", paths(&module.resources));
        line("class path", paths(&module.class_path));
        if let Some(processors) = &module.processors {
            line("annotation processors", paths(processors));
        }
        line("arguments", module.arguments.clone());
        line("test source roots", paths(&module.test_source_roots));
        line("test class path", paths(&module.test_class_path));
    }
    for note in &model.notes {
        let _ = writeln!(out, "\n{note}");
    }
    out
}
