//! The command `impact`: both versions compiled, the statements that a patch changes and impacts printed (paper 004, §4.1).

use crate::bytecode::ClassPath;
use crate::bytecode::class_file::ClassFile;
use crate::check::analysis::wanted;
use crate::check::patch::Patch;
use crate::check::session::Session;
use crate::check::workspace::Workspace;
use crate::error::Error;
use crate::impact::{Flow, Impact, Sources, analyse, dot, json, text};
use crate::model::{Spelling, Version};
use crate::options::{ImpactFormat, Options, Revisions};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a patch changes and impacts, in a format.
///
/// # Errors
/// What keeps the check from running keeps this from running.
pub fn render(
    options: &Options,
    revisions: &Revisions,
    format: ImpactFormat,
    flow: Flow,
) -> Result<String, Error> {
    let mut session = Session::start(options, revisions)?;
    let (mut impact, mut sources, mut partial) = (Impact::default(), Sources::default(), None);
    if !session.patch.files.is_empty() {
        let workspace = session.workspace(options)?;
        let patch = &session.patch;
        let builds = workspace.build_whole(&mut session.worker(options)?, patch)?;
        let load = |dir| ClassPath::of(std::slice::from_ref(dir)).map_err(Error::from);
        let (old, new) = (
            load(&builds.old)?.dir_classes()?,
            load(&builds.new)?.dir_classes()?,
        );
        impact = analyse(old.clone(), new.clone(), flow);
        impact.methods.retain(|m| wanted(&options.selection, &m.id));
        impact.removed.retain(|m| wanted(&options.selection, &m.id));
        locate(&impact, &old, &new, &workspace, &mut sources);
        partial = builds.partial;
    }
    Ok(print(&impact, &sources, &session.patch, partial, format))
}

fn print(
    impact: &Impact,
    sources: &Sources,
    patch: &Patch,
    partial: Option<String>,
    format: ImpactFormat,
) -> String {
    let (old, new) = (&patch.old.id, &patch.new.id);
    match format {
        ImpactFormat::Text => {
            let mut out = text(impact, sources);
            if let Some(why) = partial {
                out.push_str(&format!(
                    "\ncallers in unchanged files were not analysed, because not all of the project compiles: {why}\n"
                ));
            }
            out
        }
        ImpactFormat::Json => {
            let value = json(impact, sources, old, new, partial.as_deref());
            format!("{value:#}\n")
        }
        ImpactFormat::Dot => dot(impact, sources),
    }
}

/// Finds the source files of the classes in the result, by package and the name that the compiler recorded.
fn locate(
    impact: &Impact,
    old: &[Arc<ClassFile>],
    new: &[Arc<ClassFile>],
    workspace: &Workspace,
    sources: &mut Sources,
) {
    let sides = [
        (Version::New, new, &impact.methods),
        (Version::Old, old, &impact.removed),
    ];
    for (version, classes, methods) in sides {
        let (files, read) = workspace.sources(version);
        let shown: BTreeSet<&str> = methods.iter().map(|m| m.id.class.as_str()).collect();
        for class in classes {
            let name = class.name.dotted();
            let Some(file) = class
                .source_file
                .as_ref()
                .filter(|_| shown.contains(&*name))
            else {
                continue;
            };
            let package = class.name.rsplit_once('/').map_or("", |p| p.0);
            let suffix = format!("/{package}/{file}").replace("//", "/");
            let found = files
                .iter()
                .find(|f| format!("/{f}").ends_with(&suffix) && !crate::check::patch::is_test(f));
            if let Some(path) = found {
                sources.add(version, &name, path, || read(path));
            }
        }
    }
}
