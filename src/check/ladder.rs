//! The ladder (docs/architecture.md): methods fall to coarser levels until the unified program compiles and projects to both versions.

use crate::bytecode::class_file::{Code, Insn, Method};
use crate::bytecode::{ClassPath, ClassesOfFile, Retired, Side};
use crate::check::patch::Patch;
use crate::check::workspace::Workspace;
use crate::error::Error;
use crate::impact::{Mismatch, check_projection};
use crate::java::SourceFile;
use crate::jvm::{CompileResult, Worker};
use crate::model::Spelling;
use crate::symex::shape_change;
use crate::unify::{Ladder, MethodKey, UnifiedFile, unify_file};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How often the unified program is compiled before all that is still wrong falls to the method level.
const ROUNDS: usize = 8;

type Files = BTreeMap<String, UnifiedFile>;

/// The unified build: its classes, and the unified files by path.
///
/// # Errors
/// The worker or the temporary folder fails; never because of a patch.
pub fn unify(
    workspace: &Workspace,
    worker: &mut Worker,
    patch: &Patch,
    builds: (&Path, &Path),
) -> Result<(PathBuf, Files), Error> {
    let path = |dir: &Path| ClassPath::of(&[dir.to_path_buf()]);
    let (old, new) = (path(builds.0)?, path(builds.1)?);
    let mut ladder = Ladder::below(workspace.finest());
    part_classes(patch, &old, &new, &mut ladder)?;
    let retired = Retired::of(&old, &new, &classes_of(patch))?;
    workspace.write_union(&retired, builds)?;
    for round in 0.. {
        let mut files = unified_files(patch, &ladder, &retired);
        let fine: Files = files
            .iter()
            .filter(|(_, f)| !f.fine().is_empty())
            .map(|(p, f)| (p.clone(), f.clone()))
            .collect();
        let (out, result) = workspace.compile_unified(worker, &fine, builds)?;
        let last = round >= ROUNDS;
        let fallen = if result.success {
            let unified = ClassPath::unified(&out, builds.0)?;
            project(&fine, (&old, &new), &unified, &mut ladder, last)?
        } else {
            refused(&fine, &result, &mut ladder, last)
        };
        if !fallen {
            files.extend(fine);
            return Ok((out, files));
        }
    }
    Err(Error::Internal("the unified program never compiled".into()))
}

/// The top-level classes of the files that both versions have.
fn classes_of(patch: &Patch) -> Vec<ClassesOfFile> {
    let both = patch
        .files
        .iter()
        .filter_map(|f| Some((f.old.as_ref()?, f.new.as_ref()?)));
    let tops = |file: &SourceFile| {
        let package = file.package.len();
        let top = |name: &&str| !name[package.min(name.len())..].contains('$');
        let names = file.types.iter().map(|t| t.name.as_str());
        names.filter(top).map(|n| n.internal()).collect()
    };
    both.map(|(old, new)| {
        let mut names: Vec<String> = tops(old);
        names.extend(tops(new));
        (old.path.clone(), names)
    })
    .collect()
}

fn unified_files(patch: &Patch, ladder: &Ladder, retired: &Retired) -> Files {
    let both = patch
        .files
        .iter()
        .filter_map(|f| Some((f.old.as_ref()?, f.new.as_ref()?, &f.diff)));
    both.map(|(old, new, diff)| {
        (
            new.path.clone(),
            unify_file(old, new, diff, ladder, retired),
        )
    })
    .collect()
}

/// Classes that can't share a linked class get one per version.
fn part_classes(
    patch: &Patch,
    old: &ClassPath,
    new: &ClassPath,
    ladder: &mut Ladder,
) -> Result<(), Error> {
    let classes: BTreeSet<&String> = patch
        .files
        .iter()
        .flat_map(|f| &f.diff.changed)
        .map(|p| &p.class)
        .collect();
    for class in classes {
        let name = class.internal();
        if let (Some(a), Some(b)) = (old.find(&name)?, new.find(&name)?)
            && let Some(why) = shape_change(&a, &b)
        {
            ladder.class_per_version(class, why);
        }
    }
    Ok(())
}

/// Lets what javac's messages are about fall; `false` when there is nothing left to fall.
fn refused(files: &Files, result: &CompileResult, ladder: &mut Ladder, last: bool) -> bool {
    let mut fallen = false;
    let (mut methods, mut members, mut bodies, mut stripped) = (
        BTreeSet::new(),
        BTreeSet::new(),
        BTreeSet::new(),
        BTreeSet::new(),
    );
    for d in result.diagnostics.iter().filter(|d| d.error) {
        let Some((path, file)) = files.iter().find(|(p, _)| d.file.ends_with(p.as_str())) else {
            continue;
        };
        let message: Vec<&str> = d.message.lines().map(str::trim).take(2).collect();
        let reason = format!("javac: {}", message.join(", "));
        let unified = file.at_line(d.line);
        if let Some(member) = file.member_at(d.position) {
            // Each thing falls by one step in a round, however many messages are about it.
            fallen |= !members.insert(member.to_string()) || ladder.leave_out(member);
        } else if !unified.is_empty() {
            methods.extend(unified.into_iter().map(|key| (key, reason.clone())));
        } else if let Some(body) = file.body_at(d.line)
            && (bodies.contains(&(path, body)) || !last && ladder.hollow(path, body))
        {
            bodies.insert((path, body));
            fallen = true;
        } else if stripped.contains(path) || !last && ladder.strip(path) {
            stripped.insert(path);
            fallen = true;
        } else {
            methods.extend(file.fine().into_iter().map(|key| (key, reason.clone())));
        }
    }
    let mut hit = BTreeSet::new();
    for (key, reason) in methods.iter().filter(|(key, _)| hit.insert(key)) {
        fallen = true;
        fall(ladder, key, reason, last);
    }
    if !fallen {
        for key in files.values().flat_map(|f| f.fine()) {
            fallen = true;
            ladder.give_up(&key, "the unified program does not compile");
        }
    }
    fallen
}

fn fall(ladder: &mut Ladder, key: &MethodKey, reason: &str, last: bool) {
    if last {
        ladder.give_up(key, reason);
    } else {
        ladder.fall(key, reason);
    }
}

/// Lets the methods fall that don't project to both versions.
fn project(
    files: &Files,
    builds: (&ClassPath, &ClassPath),
    unified: &ClassPath,
    ladder: &mut Ladder,
    last: bool,
) -> Result<bool, Error> {
    let mut fallen = false;
    for key in files.values().flat_map(|f| f.fine()) {
        if let Some(why) = mismatch(&key, builds, unified)? {
            fallen = true;
            fall(ladder, &key, &why, last);
        }
    }
    Ok(fallen)
}

/// Why the unified method is not both versions in one; `None` when it is.
///
/// # Errors
/// A class file can't be read.
pub fn mismatch(
    key: &MethodKey,
    (old, new): (&ClassPath, &ClassPath),
    unified: &ClassPath,
) -> Result<Option<String>, Error> {
    let name = key.class.internal();
    let (Some(a), Some(b), Some(u)) = (old.find(&name)?, new.find(&name)?, unified.find(&name)?)
    else {
        return Ok(Some("the class is missing in one of the builds".into()));
    };
    let methods: Vec<&Method> = u.methods.iter().filter(|m| key.matches(m)).collect();
    if methods.is_empty() {
        return Ok(Some("the method is missing in the unified build".into()));
    }
    for method in methods {
        for (path, class, side) in [(old, &a, Side::Old), (new, &b, Side::New)] {
            let version = if side == Side::Old { "old" } else { "new" };
            let empty = empty_initialiser(method);
            let twin = class.method(&method.name, &method.descriptor);
            let Some(real) = twin.or(empty.as_ref()) else {
                return Ok(Some(format!("the {version} version has no such method")));
            };
            if let Err(Mismatch { what, line }) =
                check_projection((path, class, real), (unified, &u, method), side)
            {
                return Ok(Some(format!(
                    "its projection is not the {version} version: line {line}: {what}"
                )));
            }
        }
    }
    Ok(None)
}

/// A class without initialisers has no class initialiser: one that does nothing stands for it.
fn empty_initialiser(method: &Method) -> Option<Method> {
    let code = Code {
        max_locals: 0,
        insns: vec![Insn::Return(None)],
        lines: vec![0],
        handlers: Vec::new(),
        locals: Vec::new(),
    };
    (&*method.name == "<clinit>").then(|| Method {
        code: Some(Arc::new(code)),
        ..method.clone()
    })
}
