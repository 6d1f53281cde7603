//! Changed methods that do not compile in one of the versions, each with javac's message.

use super::{Analysis, wanted};
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::bytecode::{is_within, parameter_descriptors, same_but_for_assertions, same_code};
use crate::check::changed_method::{Changed, ChangedMethod};
use crate::check::patch::{ChangedFile, Patch};
use crate::check::workspace::Uncompiled;
use crate::error::Error;
use crate::java::{CutScope, NOT_COMPILED, SourceFile, descriptor};
use crate::model::{MethodRef, Spelling, Version};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Marks the methods of which a version was not compiled, and adds those that no build holds.
///
/// # Errors
/// A class file can't be read, or nothing at all could be analysed.
pub fn name_uncompiled(
    analysis: &Analysis,
    patch: &Patch,
    uncompiled: &[Uncompiled],
    changed: &mut Changed,
) -> Result<(), Error> {
    if uncompiled.is_empty() {
        return Ok(());
    }
    let (old, new) = (analysis.old.dir_classes()?, analysis.new.dir_classes()?);
    for method in &mut changed.methods {
        if is_cut(&new, &method.id) || is_cut(&old, &method.id) {
            method.uncompiled = Some(why(uncompiled, &method.id));
        }
    }
    // Bodies that were cut differ in the builds; those that do not in the sources did not change.
    let changed_in_source = changed_in_source(patch);
    let is_changed_in_source = |m: &ChangedMethod| changed_in_source.contains(&signature(&m.id));
    changed
        .methods
        .retain(|m| m.is_compiled() || is_changed_in_source(m));
    // A static part changes with what was cut: by the field that assertions ask, which is no change, or by more.
    let has_cut = |id: &MethodRef| uncompiled.iter().any(|u| id.class == u.cut.class);
    let follows =
        |m: &ChangedMethod| &*m.id.name == "<clinit>" && has_cut(&m.id) && !is_changed_in_source(m);
    changed
        .methods
        .retain(|m| !follows(m) || !same_static_part(&old, &new, &m.id));
    for method in changed.methods.iter_mut().filter(|m| follows(m)) {
        method.uncompiled = Some(why(uncompiled, &method.id));
    }
    let known: BTreeSet<String> = changed.methods.iter().map(|m| signature(&m.id)).collect();
    let mut missing = BTreeMap::new();
    for file in &patch.files {
        missing.extend(without_code(file, uncompiled));
    }
    for (id, why) in missing {
        if !known.contains(&signature(&id)) && wanted(&analysis.options.selection, &id) {
            changed
                .methods
                .push(ChangedMethod::without_code(id, &patch.files, why));
        }
    }
    changed.methods.sort_by(|a, b| a.id.cmp(&b.id));
    let none_compiles = changed.methods.iter().all(|m| !m.is_compiled());
    let paths = |f: &ChangedFile| [f.old.clone(), f.new.clone()].into_iter().flatten();
    let own: BTreeSet<String> = patch.files.iter().flat_map(paths).map(|f| f.path).collect();
    let is_lost = |u: &Uncompiled| u.cut.part != CutScope::Name && own.contains(&u.path);
    let lost = uncompiled.iter().any(is_lost);
    let nothing = none_compiles && (!changed.methods.is_empty() || changed.added.is_empty());
    match Uncompiled::error(uncompiled) {
        Some(error) if lost && nothing => Err(error),
        _ => Ok(()),
    }
}

/// Methods that differ in the sources, and what initialises the classes whose fields do.
fn changed_in_source(patch: &Patch) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in &patch.files {
        let Some(new) = &file.new else { continue };
        for pair in &file.diff.changed {
            let found = new.find(&pair.class).and_then(|t| t.methods.get(pair.new));
            all.extend(found.map(|found| {
                signature(&MethodRef {
                    class: pair.class.as_str().into(),
                    name: found.name.clone(),
                    descriptor: descriptor(new, found),
                })
            }));
        }
        for class in &file.diff.fields {
            all.insert(format!("{class}#<clinit>()"));
            let own = new.find(class).into_iter().flat_map(|t| &t.methods);
            let constructors = own.filter(|m| m.name == "<init>");
            let of = |m| MethodRef {
                class: class.into(),
                name: "<init>".into(),
                descriptor: descriptor(new, m),
            };
            all.extend(constructors.map(|m| signature(&of(m))));
            all.insert(format!("{class}#<init>()"));
        }
    }
    all
}

/// Class, name and the parameters' types without packages: as much as source tells for sure.
fn signature(id: &MethodRef) -> String {
    let simple = |d: &str| match d.rsplit_once(['/', '$']) {
        Some((_, last)) => last.to_string(),
        None => d.to_string(),
    };
    let params: Vec<String> = parameter_descriptors(&id.descriptor)
        .iter()
        .map(|d| simple(d))
        .collect();
    format!("{}#{}({})", id.class, id.name, params.join(","))
}

/// Whether the method's body was replaced.
fn is_cut(classes: &[Arc<ClassFile>], id: &MethodRef) -> bool {
    let (name, stands_in) = (id.class.internal(), NOT_COMPILED.internal());
    let method = classes
        .iter()
        .filter(|c| *c.name == *name)
        .find_map(|c| c.method(&id.name, &id.descriptor));
    let code = method.and_then(|m| m.code.as_ref());
    code.is_some_and(|code| {
        let mut insns = code.insns.iter();
        insns.any(|i| matches!(i, Insn::Invoke(_, member) if *member.class == *stands_in))
    })
}

/// Whether the class's static parts, with the lambdas in them, differ by nothing but the field that assertions ask.
fn same_static_part(old: &[Arc<ClassFile>], new: &[Arc<ClassFile>], id: &MethodRef) -> bool {
    let name = id.class.internal();
    let of = |all: &[Arc<ClassFile>]| all.iter().find(|c| *c.name == *name).cloned();
    let (Some(old), Some(new)) = (of(old), of(new)) else {
        return false;
    };
    let initialiser = |class: &Arc<ClassFile>| -> Option<Method> {
        let mut methods = class.methods.iter();
        methods.find(|m| &*m.name == "<clinit>").cloned()
    };
    let lambdas = |class: &Arc<ClassFile>| -> Vec<Method> {
        let methods = class.methods.iter();
        let own = methods.filter(|m| m.name.starts_with("lambda$static$"));
        own.cloned().collect()
    };
    let (before, after) = (lambdas(&old), lambdas(&new));
    let same = before.iter().zip(&after).all(|(a, b)| same_code(a, b));
    let (a, b) = (initialiser(&old), initialiser(&new));
    before.len() == after.len() && same && same_but_for_assertions(a.as_ref(), b.as_ref())
}

/// The first message about the method's class, else the first at all.
fn why(uncompiled: &[Uncompiled], id: &MethodRef) -> String {
    let named = format!(".{}", id.name);
    let rank = |u: &&Uncompiled| {
        let own = id.class == u.cut.class;
        let word = u.message.contains(&named);
        (own && u.cut.part == CutScope::Body, own, word)
    };
    uncompiled
        .iter()
        .max_by_key(rank)
        .map_or(String::new(), detail)
}

fn detail(one: &Uncompiled) -> String {
    let version = match one.version {
        Version::Old => "old",
        Version::New => "new",
    };
    let hint = match hint(&one.message) {
        "" => String::new(),
        hint => format!(" ({hint})"),
    };
    format!("{version} version, {}{hint}", one.message)
}

/// What a message of javac usually comes from.
fn hint(message: &str) -> &'static str {
    let has = |text: &str| message.contains(text);
    if has("is not supported in -source") || has("preview feature") || has("disabled by default") {
        "newer Java than the JDK in use, or a preview feature"
    } else if has("does not exist") && has("package ") || has("cannot find symbol: class") {
        "a dependency, or a class that the build generates, was not found"
    } else if has("cannot find symbol") || has("cannot access") {
        "of a class that was not found, or that the build generates"
    } else {
        ""
    }
}

/// Changed methods of a file whose declarations some version's build does not hold, and why.
fn without_code(file: &ChangedFile, uncompiled: &[Uncompiled]) -> Vec<(MethodRef, String)> {
    let (Some(old), Some(new)) = (&file.old, &file.new) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for pair in &file.diff.changed {
        let method = |source: &SourceFile, index: usize| {
            let found = source.find(&pair.class)?.methods.get(index)?;
            Some((found.node.line, found.clone()))
        };
        let sides = [(Version::Old, old, pair.old), (Version::New, new, pair.new)];
        for (version, source, index) in sides {
            let Some((line, found)) = method(source, index) else {
                continue;
            };
            let last = line + found.node.text(&source.text).matches('\n').count() as u32;
            let own = uncompiled
                .iter()
                .filter(|u| u.version == version && u.path == source.path);
            let gone = own.filter(|u| match u.cut.part {
                CutScope::Name => false,
                CutScope::Body | CutScope::Member => {
                    u.cut.class == pair.class && u.cut.lines.0 <= last && line <= u.cut.lines.1
                }
                CutScope::Type => is_within(&pair.class, &u.cut.class),
                CutScope::File => true,
            });
            if let Some(one) = gone.max_by_key(|u| u.cut.part) {
                let found = new.find(&pair.class).and_then(|t| t.methods.get(pair.new));
                if let Some(found) = found {
                    let id = MethodRef {
                        class: pair.class.as_str().into(),
                        name: found.name.clone(),
                        descriptor: descriptor(new, found),
                    };
                    all.push((id, detail(one)));
                }
                break;
            }
        }
    }
    all
}
