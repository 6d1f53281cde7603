//! Classes that a version's code does not refer to, so that javac does not find them: named in texts only, as for `Class.forName`, or
//! referred to by the other version alone.

use super::{Workspace, name};
use crate::bytecode::ClassPath;
use crate::bytecode::class_file::{ClassFile, Const, Insn};
use crate::check::patch::is_test;
use crate::error::Error;
use crate::jvm::{CompileRequest, Worker};
use crate::model::{Spelling, Version};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most files of a version compiled because a text names them; what is named beyond that is known as not compiled.
const MOST_NAMED: usize = 100;

/// How often what was compiled is asked for further names.
const ROUNDS: usize = 4;

/// Resources beyond that size name no classes.
const MOST_BYTES: u64 = 256 << 10;

impl Workspace {
    /// Compiles them into both versions' classes, whichever version names them or refers to them: else they would be one version's
    /// alone, and an input made of them could be run in that one only.
    ///
    /// # Errors
    /// The worker fails, or classes can't be read.
    pub(super) fn add_unreferenced(
        &self,
        worker: &mut Worker,
        (old, new): (&Path, &Path),
    ) -> Result<(), Error> {
        let versions = [(Version::Old, old), (Version::New, new)];
        let resources: BTreeSet<String> = versions.iter().flat_map(|v| words(v.1)).collect();
        let sources = Version::BOTH.map(|version| self.classes_with_source(version));
        let mut tried = [BTreeSet::new(), BTreeSet::new()];
        let mut room = [MOST_NAMED; 2];
        for _ in 0..ROUNDS {
            let read = |out: &Path| ClassPath::of(&[out.to_path_buf()])?.dir_classes();
            let builds = [read(old)?, read(new)?];
            let texts: BTreeSet<String> = builds.iter().flat_map(|c| texts(c)).collect();
            let mut named = named(&texts, self.old_roots.iter().chain(&self.new_roots));
            named.extend(resources.iter().map(|text| top(text)));
            let mut wanted = [Vec::new(), Vec::new()];
            for (side, (version, _)) in versions.into_iter().enumerate() {
                let compiled: BTreeSet<&str> = builds[side].iter().map(|c| &*c.name).collect();
                let is_open = |c: &String| sources[side].contains(c) && !compiled.contains(&**c);
                let fresh = |file: &String| !tried[side].contains(file);
                let open = named.iter().filter(|c| is_open(c));
                let open = open.filter_map(|class| self.source_file(version, class));
                let mut files: BTreeSet<String> = open.filter(fresh).take(room[side]).collect();
                room[side] -= files.len();
                let others = builds[1 - side].iter().map(|c| top(&c.name));
                let others = others.filter(|c| is_open(c));
                let others = others.filter_map(|class| self.source_file(version, &class));
                files.extend(others.filter(fresh));
                tried[side].extend(files.iter().cloned());
                wanted[side] = files.into_iter().collect();
            }
            if wanted.iter().all(Vec::is_empty) {
                break;
            }
            let wanted = wanted.each_ref().map(Vec::as_slice);
            self.compile_beside_both(worker, wanted, [old, new])?;
        }
        Ok(())
    }

    /// Top-level classes by internal name that a source file of either version has, tests aside: what is not compiled of them is
    /// there all the same.
    pub(super) fn sources_of_both(&self) -> BTreeSet<String> {
        let both = Version::BOTH.map(|version| self.classes_with_source(version));
        both.into_iter().flatten().collect()
    }

    fn classes_with_source(&self, version: Version) -> BTreeSet<String> {
        let base = self.path(name(version));
        let (files, roots) = self.files_and_roots(version);
        let class = |file: &String| {
            let path = base.join(file);
            let root = roots.iter().find(|r| path.starts_with(r))?;
            let below = path.strip_prefix(root).ok()?.to_str()?;
            below.strip_suffix(".java").map(str::to_string)
        };
        files
            .iter()
            .filter(|f| !is_test(f))
            .filter_map(class)
            .collect()
    }

    /// The path of a class's file.
    fn source_file(&self, version: Version, class: &str) -> Option<String> {
        let base = self.path(name(version));
        let (_, roots) = self.files_and_roots(version);
        let mut files = roots.iter().map(|r| r.join(format!("{class}.java")));
        let file = files.find(|f| f.is_file())?;
        let below = file.strip_prefix(base).ok()?;
        Some(below.to_string_lossy().into_owned())
    }
}

/// Compiles what only texts name in the classes of tests, and of what these are built from, as far as it lies on the source path: tests need
/// it too, and what does not compile of it stays away.
///
/// # Errors
/// The worker fails, or classes can't be read.
pub(super) fn add_named(
    worker: &mut Worker,
    request: &CompileRequest,
    built: &[&Path],
) -> Result<(), Error> {
    let folders: Vec<PathBuf> = built.iter().map(|f| f.to_path_buf()).collect();
    let folders = [std::slice::from_ref(&request.out), &folders].concat();
    let mut tried = BTreeSet::new();
    for _ in 0..ROUNDS {
        let classes = ClassPath::of(&folders)?.dir_classes()?;
        let compiled: BTreeSet<&str> = classes.iter().map(|c| &*c.name).collect();
        let named = named(&texts(&classes), request.source_path.iter());
        let open = named
            .into_iter()
            .filter(|class| !compiled.contains(&**class));
        let source = |class: String| {
            let roots = request.source_path.iter();
            let mut files = roots.map(|r| r.join(format!("{class}.java")));
            files.find(|file| file.is_file())
        };
        let files: BTreeSet<PathBuf> = open.filter_map(source).collect();
        let room = MOST_NAMED - tried.len();
        let files: Vec<PathBuf> = files.difference(&tried).take(room).cloned().collect();
        if files.is_empty() {
            break;
        }
        tried.extend(files.iter().cloned());
        compile_some(worker, request, (files, built))?;
    }
    Ok(())
}

/// Compiles those of some files that do compile.
fn compile_some(
    worker: &mut Worker,
    request: &CompileRequest,
    (files, built): (Vec<PathBuf>, &[&Path]),
) -> Result<(), Error> {
    let mut request = CompileRequest {
        sources: files,
        ..request.clone()
    };
    request.name_needed(built);
    for _ in 0..ROUNDS {
        let result = worker.compile(&request)?;
        let errors = result.diagnostics.iter().filter(|d| d.error);
        let wrong: BTreeSet<&Path> = errors.map(|d| Path::new(&d.file)).collect();
        let before = request.sources.len();
        request.sources.retain(|file| !wrong.contains(&**file));
        if result.success || request.sources.is_empty() || request.sources.len() == before {
            break;
        }
    }
    Ok(())
}

/// Top-level classes that these texts may name, one alone or two together.
fn named<'a>(
    texts: &BTreeSet<String>,
    roots: impl Iterator<Item = &'a PathBuf>,
) -> BTreeSet<String> {
    let alone = texts.iter().map(|text| top(text));
    alone.chain(in_named_packages(texts, roots)).collect()
}

/// The top-level class around the one of that name, by internal name.
fn top(class: &str) -> String {
    class.internal().outermost().to_string()
}

/// Classes of which the package is one of these texts, and the simple name another: code that looks for them puts both together.
fn in_named_packages<'a>(
    texts: &BTreeSet<String>,
    roots: impl Iterator<Item = &'a PathBuf>,
) -> BTreeSet<String> {
    let packages = texts
        .iter()
        .filter(|text| is_name(text) && !text.starts_with('.'));
    let packages: Vec<String> = packages.map(|text| text.replace('.', "/")).collect();
    let mut found = BTreeSet::new();
    for root in roots {
        let folders = names_in(root);
        // Most texts with points are no packages.
        let is_here = |p: &&String| p.split('/').next().is_some_and(|f| folders.contains(f));
        for package in packages.iter().filter(is_here) {
            let files = names_in(&root.join(package)).into_iter();
            let simple = files.filter_map(|name| Some(name.strip_suffix(".java")?.to_string()));
            let named = simple.filter(|name| texts.contains(name));
            found.extend(named.map(|name| format!("{package}/{name}")));
        }
    }
    found
}

/// The names of what lies in a folder.
fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    names.filter_map(|name| name.into_string().ok()).collect()
}

/// Constant texts of some classes that may be names of classes or packages.
fn texts(classes: &[Arc<ClassFile>]) -> BTreeSet<String> {
    let methods = classes.iter().flat_map(|c| &c.methods);
    let codes = methods.filter_map(|m| m.code.as_ref());
    let loaded = codes.flat_map(|c| &c.insns).filter_map(|insn| match insn {
        Insn::Const(constant) => Some(constant),
        _ => None,
    });
    let fields = classes.iter().flat_map(|c| &c.fields);
    let constants = loaded.chain(fields.filter_map(|f| f.constant.as_ref()));
    let texts = constants.filter_map(|c| match c {
        Const::Str(units) => String::from_utf16(units).ok(),
        _ => None,
    });
    texts.filter(|t| is_word(t)).collect()
}

/// The same of the resources beside the classes: service files, properties, and the like.
fn words(out: &Path) -> BTreeSet<String> {
    let (mut next, mut found) = (vec![out.to_path_buf()], BTreeSet::new());
    while let Some(folder) = next.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            let path = entry.path();
            let Ok(about) = entry.metadata() else {
                continue;
            };
            if about.is_dir() {
                next.push(path);
            } else if path.extension().is_none_or(|e| e != "class") && about.len() <= MOST_BYTES {
                let bytes = std::fs::read(&path).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '$' | '_');
                let words = text.split(|c: char| !is_part(c)).filter(|w| is_name(w));
                found.extend(words.map(str::to_string));
            }
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    text.contains('.') && is_word(text)
}

fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '$' | '_');
    text.len() < 200 && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_and_a_simple_name_apart_name_a_class() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str| crate::util::test_files::write(dir.path(), path, "");
        write("p/q/Default.java");
        write("p/q/Other.java");
        write("p/Default.java");
        let root = dir.path().to_path_buf();
        let of = |texts: &[&str]| {
            let texts = texts.iter().map(|t| t.to_string()).collect();
            in_named_packages(&texts, std::iter::once(&root))
        };
        assert_eq!(
            of(&["p.q", "Default", "x.y", "."]),
            BTreeSet::from(["p/q/Default".into()])
        );
        assert!(of(&["p.q", "default"]).is_empty());
        assert!(of(&["Default", "Other"]).is_empty());
    }
}
