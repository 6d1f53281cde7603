//! Overloads that let both versions be called alike where the parameters of a method were only added or dropped.

use crate::align::{LongerList, compare, longer_lists, with_overloads};
use crate::bytecode::class_file::{ClassFile, Const, Insn};
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::check::changed_method::Changed;
use crate::check::input_calls;
use crate::check::patch::{ChangedFile, Patch};
use crate::check::test_trial::Failed;
use crate::check::workspace::{Builds, ChangedBuilds, Uncompiled, Workspace};
use crate::error::Error;
use crate::git::Repo;
use crate::java::SourceFile;
use crate::model::{Finding, MethodRef, MethodResult, Spelling, Version};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The builds that overloads have to fit.
pub trait Compiled {
    /// Folders of the old and the new classes, and what does not compile.
    fn parts(&self) -> (&Path, &Path, &[Uncompiled]);
}

impl Compiled for Builds {
    fn parts(&self) -> (&Path, &Path, &[Uncompiled]) {
        (&self.old, &self.new, &self.uncompiled)
    }
}

impl Compiled for ChangedBuilds {
    fn parts(&self) -> (&Path, &Path, &[Uncompiled]) {
        (&self.old, &self.new, &self.uncompiled)
    }
}

/// Builds the patch with overloads where its methods have further parameters in one version, but for those that do not compile or that
/// other code comes to call.
///
/// # Errors
/// Those of `build`, and of reading the commits and writing the sources.
pub fn build_with<T: Compiled>(
    repo: &Repo,
    patch: &mut Patch,
    workspace: &Workspace,
    mut build: impl FnMut(&Patch) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut lists = lists(repo, patch);
    loop {
        if lists.is_empty() {
            return build(patch);
        }
        let plain = add(patch, lists.clone());
        let changed: Vec<usize> = plain.iter().map(|(i, _)| *i).collect();
        write(patch, &changed, workspace)?;
        let misfits = match build(patch) {
            Ok(built) => {
                let misfits = misfits(patch, &built)?;
                if misfits.is_empty() {
                    return Ok(built);
                }
                misfits
            }
            Err(Error::Compile { .. } | Error::CompilerCrash { .. }) => lists.clone(),
            Err(other) => return Err(other),
        };
        lists.retain(|l| !misfits.contains(l));
        for (i, file) in plain {
            patch.files[i] = file;
        }
        patch.overloads.clear();
        write(patch, &changed, workspace)?;
    }
}

/// Adds to the patch the overloads that builds made elsewhere have.
///
/// # Errors
/// The builds can't be read.
pub fn take_over(repo: &Repo, patch: &mut Patch, builds: &Builds) -> Result<(), Error> {
    let mut kept = Vec::new();
    for list in lists(repo, patch) {
        let folder = builds.classes(list.shorter);
        let classes = ClassPath::of(std::slice::from_ref(folder))?;
        let class = classes.find(&list.class.internal())?;
        if class.is_some_and(|c| descriptor(&c, &list).is_some()) {
            kept.push(list);
        }
    }
    add(patch, kept);
    Ok(())
}

/// The longer list of which a method is called with, if it is one of the overloads or what they stand for.
pub fn of<'a>(lists: &'a [LongerList], id: &MethodRef) -> Option<&'a LongerList> {
    let count = parameter_descriptors(&id.descriptor).len();
    let is_one =
        |l: &&LongerList| id.class == l.class && l.name == id.name && l.long.len() == count;
    lists.iter().find(is_one)
}

/// What a reader is told of them.
pub fn told(lists: &[LongerList]) -> Vec<(String, String)> {
    let one = |l: &LongerList| {
        let (before, now, who) = match l.shorter {
            Version::Old => (&l.short, &l.long, "old"),
            Version::New => (&l.long, &l.short, "new"),
        };
        let list = |types: &[String]| format!("({})", types.join(", "));
        let name = match &*l.name {
            "<init>" => format!("new {}{}", l.class, list(before)),
            name => format!("{}#{name}{}", l.class, list(before)),
        };
        let longer = list(&l.long);
        let why = format!(
            "{} now: both versions are called with {longer}, of which the {who} one uses its own",
            list(now)
        );
        (format!("the parameters of {name}"), why)
    };
    lists.iter().map(one).collect()
}

/// Leaves out of the methods that one version has alone those that are compared by an overload.
pub(super) fn drop_compared(lists: &[LongerList], changed: &mut Changed) {
    let is_compared = |m: &MethodRef| {
        let count = parameter_descriptors(&m.descriptor).len();
        let mut own = lists
            .iter()
            .filter(|l| m.class == l.class && m.name == l.name);
        own.any(|l| l.short.len() == count)
    };
    changed.added.retain(|m| !is_compared(m));
    changed.removed.retain(|m| !is_compared(m));
}

/// Findings whose input calls a method that the new version itself has not: a test of it would not compile.
pub(super) fn only_old(lists: &[LongerList], methods: &[MethodResult]) -> Failed {
    let is_one = |f: &Finding| {
        let mut calls = input_calls::of(&f.entry, &f.inputs).into_iter();
        calls.any(|(method, _)| of(lists, method).is_some_and(|l| l.shorter == Version::New))
    };
    let mut all = Failed::new();
    for (i, method) in methods.iter().enumerate() {
        for (j, _) in method
            .findings
            .iter()
            .enumerate()
            .filter(|(_, f)| is_one(f))
        {
            let why = "it calls what only the old version has";
            all.insert((i, j), why.to_string());
        }
    }
    all
}

fn lists(repo: &Repo, patch: &Patch) -> Vec<LongerList> {
    let trees: [OnceCell<BTreeSet<String>>; 2] = [OnceCell::new(), OnceCell::new()];
    let has = |version: Version, class: &str| {
        let files = || repo.files(patch.commit(version)).unwrap_or_default();
        let tree = trees[version as usize].get_or_init(|| source_classes(files()));
        let file = format!("/{}.java", class.internal());
        tree.iter().any(|path| path.ends_with(&file))
    };
    let exists = |version: Version, class: &str| {
        let there = has(version, class);
        (there || has(version.other(), class)).then_some(there)
    };
    let both = patch
        .files
        .iter()
        .filter_map(|f| Some((f.old.as_ref()?, f.new.as_ref()?)));
    both.flat_map(|(old, new)| longer_lists(old, new, &exists))
        .collect()
}

fn source_classes(files: Vec<(String, String)>) -> BTreeSet<String> {
    let sources = files.into_iter().filter(|f| f.0.ends_with(".java"));
    sources.map(|f| format!("/{}", f.0)).collect()
}

/// Puts them into the patch, and gives the files as they were, by their places.
fn add(patch: &mut Patch, lists: Vec<LongerList>) -> Vec<(usize, ChangedFile)> {
    let mut plain = Vec::new();
    for (i, file) in patch.files.iter_mut().enumerate() {
        let (Some(old), Some(new)) = (&file.old, &file.new) else {
            continue;
        };
        let of = |version: Version, source: &SourceFile| {
            let own = |l: &&LongerList| l.shorter == version && source.find(&l.class).is_some();
            let own: Vec<&LongerList> = lists.iter().filter(own).collect();
            match own.is_empty() {
                true => Some(source.clone()),
                false => {
                    SourceFile::parse(&source.path, with_overloads(source, &own).as_bytes()).ok()
                }
            }
        };
        let (Some(old), Some(new)) = (of(Version::Old, old), of(Version::New, new)) else {
            continue;
        };
        let is_same =
            |a: &Option<SourceFile>, b: &SourceFile| a.as_ref().is_some_and(|a| a.text == b.text);
        if is_same(&file.old, &old) && is_same(&file.new, &new) {
            continue;
        }
        let diff = compare(&old, &new);
        let with = ChangedFile {
            old: Some(old),
            new: Some(new),
            diff,
        };
        plain.push((i, std::mem::replace(file, with)));
    }
    patch.overloads = lists;
    plain
}

fn write(patch: &Patch, files: &[usize], workspace: &Workspace) -> Result<(), Error> {
    for i in files {
        let file = &patch.files[*i];
        for (version, side) in [(Version::Old, &file.old), (Version::New, &file.new)] {
            if let Some(source) = side {
                workspace.rewrite(version, source)?;
            }
        }
    }
    Ok(())
}

/// Overloads in files that do not compile, and those that code of the program calls.
fn misfits(patch: &Patch, built: &impl Compiled) -> Result<Vec<LongerList>, Error> {
    let (old, new, uncompiled) = built.parts();
    let mut all = called(&patch.overloads, Version::Old, old)?;
    all.extend(called(&patch.overloads, Version::New, new)?);
    for list in &patch.overloads {
        let sides = patch.files.iter().flat_map(|f| [&f.old, &f.new]).flatten();
        let mut own = sides.filter(|s| s.find(&list.class).is_some());
        if own.any(|s| uncompiled.iter().any(|u| u.path == s.path)) {
            all.push(list.clone());
        }
    }
    Ok(all)
}

/// Overloads that code of their version calls, which it would not have, had they not been there; or that are not to be found.
fn called(lists: &[LongerList], version: Version, folder: &Path) -> Result<Vec<LongerList>, Error> {
    let own: Vec<&LongerList> = lists.iter().filter(|l| l.shorter == version).collect();
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let classes = ClassPath::of(&[PathBuf::from(folder)])?.dir_classes()?;
    let is_called = |list: &LongerList| {
        let class = classes.iter().find(|c| *c.name == *list.class.internal());
        match class.and_then(|c| descriptor(c, list)) {
            None => true,
            // Constructors are not inherited, and their class has no other one of so many parameters.
            Some(_) if list.name == "<init>" => false,
            Some(descriptor) => classes.iter().any(|c| calls(c, &list.name, &descriptor)),
        }
    };
    Ok(own.into_iter().filter(|l| is_called(l)).cloned().collect())
}

/// Whether a class calls a method of that name, or refers to it.
fn calls(class: &ClassFile, name: &str, descriptor: &str) -> bool {
    let is_one = |n: &str, d: &str| n == name && d == descriptor;
    let calls = |insn: &Insn| match insn {
        Insn::Invoke(_, member) => is_one(&member.name, &member.descriptor),
        Insn::InvokeDynamic(call) => call.args.iter().any(|arg| match arg {
            Const::MethodHandle(handle) => is_one(&handle.name, &handle.descriptor),
            _ => false,
        }),
        _ => false,
    };
    let mut code = class.methods.iter().filter_map(|m| m.code.as_ref());
    code.any(|code| code.insns.iter().any(calls))
}

/// The descriptor of the method that a class has under the longer list: the only one of that name with so many parameters.
fn descriptor(class: &ClassFile, list: &LongerList) -> Option<String> {
    let is_long = |m: &&crate::bytecode::class_file::Method| {
        *m.name == *list.name && parameter_descriptors(&m.descriptor).len() == list.long.len()
    };
    class
        .methods
        .iter()
        .find(is_long)
        .map(|m| m.descriptor.to_string())
}
