//! Further tries at a compilation that failed: with modules that the build model does not name, and with whole modules.

use super::tolerant::{clear, errors};
use super::{Workspace, name, roots};
use crate::check::patch::{is_test, stem};
use crate::error::Error;
use crate::java::identifiers;
use crate::jvm::{CompileRequest, CompileResult, Worker};
use crate::model::{Spelling, Version};
use crate::project::with_those_of;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// As many first names of a package tell whose it is.
const OWN_NAMES: usize = 2;

/// How often the modules that were found are asked for those that they need.
const STEPS: usize = 4;

impl Workspace {
    /// The same with the files that declare missing classes beside another one. The first result where that mends nothing.
    pub(super) fn with_auxiliary(
        &self,
        worker: &mut Worker,
        (request, first): (&mut CompileRequest, CompileResult),
    ) -> Result<CompileResult, Error> {
        let mut more = request.clone();
        let mut result = first.clone();
        for _ in 0..STEPS {
            let before = more.sources.len();
            for file in auxiliary(&result) {
                if !more.sources.contains(&file) {
                    more.sources.push(file);
                }
            }
            if result.success || more.sources.len() == before {
                break;
            }
            clear(&request.out)?;
            result = worker.compile(&more)?;
        }
        Ok(better((request, first), (more, result)))
    }

    /// The same with those source folders of the repository that hold what was not found: modules that the build model does not name,
    /// since a build file could not be read to its end. The first result where that mends nothing.
    pub(super) fn with_siblings(
        &self,
        worker: &mut Worker,
        version: Version,
        (request, first): (&mut CompileRequest, CompileResult),
    ) -> Result<CompileResult, Error> {
        let base = self.path(name(version));
        let (files, _) = self.files_and_roots(version);
        let mut more = request.clone();
        let mut result = first.clone();
        let mut added = BTreeSet::new();
        for _ in 0..STEPS {
            let found = roots(&base, &holding(&result, &base, files), false);
            let before = added.len();
            for root in found {
                let folder = base.join(&root);
                if !more.source_path.contains(&folder) {
                    more.source_path.push(folder);
                    added.insert(root);
                }
            }
            if result.success || added.len() == before {
                break;
            }
            clear(&request.out)?;
            result = worker.compile(&more)?;
        }
        if added.is_empty() {
            return Ok(first);
        }
        let own = |r: &CompileResult| {
            let here = r.diagnostics.iter().filter(|d| d.error);
            here.filter(|d| request.sources.iter().any(|s| *s == Path::new(&d.file)))
                .count()
        };
        if !result.success && own(&result) >= own(&first) {
            return Ok(first);
        }
        *request = more;
        let found: Vec<String> = added.into_iter().collect();
        let why = format!("found by their packages: {}", found.join(", "));
        self.note(("modules that the build's answer lacks".into(), why));
        Ok(result)
    }

    /// The same with all sources of the roots that hold these files: a processor may make classes for a file that none of them names,
    /// such as one that only lists what is to be made. The first result where that mends nothing.
    pub(super) fn with_whole_modules(
        &self,
        worker: &mut Worker,
        version: Version,
        paths: &[String],
        (request, first): (&mut CompileRequest, CompileResult),
    ) -> Result<CompileResult, Error> {
        let base = self.path(name(version));
        let (files, roots) = self.files_and_roots(version);
        if !lacks_own_symbols(&first, files) {
            return Ok(first);
        }
        let holds = |root: &&PathBuf| paths.iter().any(|p| base.join(p).starts_with(root));
        let roots: Vec<&PathBuf> = roots.iter().filter(holds).collect();
        let mut whole = request.clone();
        // What a package is annotated with may be what a processor makes sources of.
        let more = files.iter().filter(|f| !f.ends_with("module-info.java"));
        for file in more.map(|f| base.join(f)) {
            let is_there = roots.iter().any(|r| file.starts_with(r)) && file.is_file();
            if is_there && !whole.sources.contains(&file) {
                whole.sources.push(file);
            }
        }
        if whole.sources.len() == request.sources.len() {
            return Ok(first);
        }
        clear(&request.out)?;
        let result = worker.compile(&whole)?;
        Ok(better((request, first), (whole, result)))
    }
}

/// The same with the annotation processors that only the class path of tests names. The first result where that mends nothing.
pub(super) fn with_processors(
    worker: &mut Worker,
    (request, first): (&mut CompileRequest, CompileResult),
    (class_path, folders): (&[PathBuf], &[&Path]),
) -> Result<CompileResult, Error> {
    let Some(flags) = with_those_of(&request.flags, class_path) else {
        return Ok(first);
    };
    let mut more = CompileRequest {
        flags,
        ..request.clone()
    };
    more.name_needed(folders);
    let result = worker.compile(&more)?;
    Ok(better((request, first), (more, result)))
}

/// The second result if it is the better one, and then its request is kept; else the first.
fn better(
    (request, first): (&mut CompileRequest, CompileResult),
    (more, second): (CompileRequest, CompileResult),
) -> CompileResult {
    if !second.success && errors(&second) >= errors(&first) {
        return first;
    }
    *request = more;
    second
}

/// Whether something was not found that may be one of the project's own classes, or a member.
fn lacks_own_symbols(result: &CompileResult, files: &[String]) -> bool {
    let mut packages: BTreeSet<String> = BTreeSet::new();
    let mut imports: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for error in result.diagnostics.iter().filter(|d| d.error) {
        if let Some(package) = missing_package(&error.message) {
            packages.insert(package.internal());
        } else if let Some(class) = missing_class(&error.message) {
            let imports = imports.entry(&error.file).or_insert_with(|| {
                Names::of(&std::fs::read_to_string(&error.file).unwrap_or_default()).imports
            });
            let mut imported = imports.iter().filter_map(|i| i.rsplit_once('/'));
            match imported.find(|(_, name)| *name == class) {
                Some((package, _)) => packages.insert(package.into()),
                None => return true,
            };
        } else if error.message.contains("cannot find symbol") {
            return true;
        }
    }
    let folders = files.iter().filter_map(|f| Some(f.rsplit_once('/')?.0));
    let folders: BTreeSet<String> = folders.map(|f| format!("/{f}/")).collect();
    packages.iter().any(|package| {
        let names: Vec<&str> = package.split('/').take(OWN_NAMES).collect();
        let own = format!("/{}/", names.join("/"));
        folders.iter().any(|f| f.contains(&own))
    })
}

/// What a file that does not compile may mean by a simple name.
struct Names {
    /// Its own package, as a path.
    package: String,
    /// What it imports: classes, their members, or packages, as paths.
    imports: Vec<String>,
}

impl Names {
    fn of(text: &str) -> Names {
        let after = |word: &'static str| {
            let lines = text.lines().map(str::trim);
            let found = lines.filter_map(move |l| l.strip_prefix(word)?.split(';').next());
            found.map(|name| name.trim().trim_start_matches("static ").trim())
        };
        Names {
            package: after("package ").next().unwrap_or_default().internal(),
            imports: after("import ")
                .map(|n| n.trim_end_matches(".*").internal())
                .collect(),
        }
    }

    /// Whether a class in that folder can be meant.
    fn may_mean(&self, folder: &str, class: &str) -> bool {
        let file = format!("{folder}/{class}");
        let mut imports = self.imports.iter();
        ends_with(folder, &self.package)
            || imports.any(|i| ends_with(folder, i) || ends_with(&file, i))
    }
}

/// Whether a path ends with these folders.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/') || end.is_empty())
}

/// Source files with the classes, or in the packages, that were not found.
fn holding(result: &CompileResult, base: &Path, files: &[String]) -> Vec<String> {
    let mut packages: BTreeSet<String> = BTreeSet::new();
    let mut classes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for error in result.diagnostics.iter().filter(|d| d.error) {
        packages.extend(missing_package(&error.message).map(|p| p.internal()));
        if let Some(class) = missing_class(&error.message) {
            classes.entry(class).or_default().insert(&error.file);
        }
    }
    let users: BTreeSet<&str> = classes.values().flatten().copied().collect();
    let read = |file: &str| Names::of(&std::fs::read_to_string(file).unwrap_or_default());
    let users: BTreeMap<&str, Names> = users.into_iter().map(|f| (f, read(f))).collect();
    let is_wanted = |file: &&String| {
        let (folder, class) = (file.rsplit_once('/').map_or("", |f| f.0), stem(file));
        let mut of_class = classes.get(class).into_iter().flatten();
        packages.iter().any(|p| ends_with(folder, p))
            || of_class.any(|user| users[user].may_mean(folder, class))
    };
    let sources = files
        .iter()
        .filter(|f| !is_test(f) && base.join(f).is_file());
    sources.filter(is_wanted).cloned().collect()
}

/// Files that declare a missing class beside the one of their own name, where javac does not look for it (JLS §7.6).
pub(super) fn auxiliary(result: &CompileResult) -> BTreeSet<PathBuf> {
    let mut missing: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
    for error in result.diagnostics.iter().filter(|d| d.error) {
        if let Some(class) = missing_class(&error.message)
            && let Some(folder) = Path::new(&error.file).parent()
        {
            missing.entry(folder).or_default().insert(class);
        }
    }
    let mut found = BTreeSet::new();
    for (folder, classes) in missing {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let files = files.map(|f| f.path());
        let sources = files.filter(|f| f.extension().is_some_and(|e| e == "java"));
        let declares = |file: &PathBuf| {
            std::fs::read_to_string(file).is_ok_and(|text| declares_one(&text, &classes))
        };
        found.extend(sources.filter(declares));
    }
    found
}

/// Whether a text declares a type of one of these names.
fn declares_one(text: &str, names: &BTreeSet<&str>) -> bool {
    let words = identifiers(text);
    let next = identifiers(text).skip(1);
    words.zip(next).any(|(kind, name)| {
        matches!(kind, "class" | "interface" | "enum" | "record") && names.contains(name)
    })
}

/// The package that a message says is missing.
fn missing_package(message: &str) -> Option<&str> {
    let (before, _) = message.split_once(" does not exist")?;
    before.rsplit_once("package ").map(|p| p.1)
}

/// The class that a message says is missing: one that nothing declares may be taken for a variable.
fn missing_class(message: &str) -> Option<&str> {
    let mut lines = message.lines().map(str::trim);
    let symbol = lines.find_map(|l| l.strip_prefix("symbol:"))?.trim();
    let name = symbol
        .strip_prefix("class ")
        .or_else(|| symbol.strip_prefix("variable "))?;
    name.split(['<', ' ']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_what_is_missing() {
        let package = "package demo.core does not exist";
        assert_eq!(missing_package(package), Some("demo.core"));
        assert_eq!(missing_class(package), None);
        let class = "cannot find symbol\n  symbol:   variable Core\n  location: class demo.Web";
        assert_eq!(missing_class(class), Some("Core"));
        assert_eq!(missing_package(class), None);
    }

    #[test]
    fn what_a_library_lacks_is_no_class_that_a_processor_makes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("A.java");
        std::fs::write(
            &file,
            "package com.shop.web;\nimport org.lib.Gone;\nimport com.shop.gen.QUser;\n",
        )
        .unwrap();
        let lacks = |message: &str| {
            let result = CompileResult {
                diagnostics: vec![crate::jvm::Diagnostic {
                    error: true,
                    file: file.to_string_lossy().into_owned(),
                    message: message.into(),
                    ..crate::jvm::Diagnostic::default()
                }],
                ..CompileResult::default()
            };
            lacks_own_symbols(&result, &["src/com/shop/web/A.java".into()])
        };
        assert!(!lacks("package org.lib does not exist"));
        assert!(lacks("package com.shop.gen does not exist"));
        assert!(!lacks("cannot find symbol\n  symbol: class Gone"));
        assert!(lacks("cannot find symbol\n  symbol: class QUser"));
        assert!(lacks("cannot find symbol\n  symbol: class Other"));
        assert!(lacks("cannot find symbol\n  symbol: method builder()"));
    }

    #[test]
    fn a_name_means_a_class_of_its_own_package_or_an_imported_one() {
        let names = Names::of(
            "package demo.web;\nimport demo.core.Core;\nimport static x.Y.z;\nimport q.*;\n",
        );
        assert!(names.may_mean("core/src/demo/core", "Core"));
        assert!(!names.may_mean("core/src/demo/core", "Other"));
        assert!(names.may_mean("more/demo/web", "Other"));
        assert!(names.may_mean("q", "Any"));
        assert!(!names.may_mean("src/notdemo/web", "Other"));
    }
}
