//! Methods of which only the result type changed: both versions are called as the wider result has it.

use crate::bytecode::access::{ABSTRACT, INTERFACE, PRIVATE, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{ClassPath, WiderResult, result, wider_result, with_wider};
use crate::check::patch::Patch;
use crate::error::Error;
use crate::model::{MethodRef, Spelling, Version, type_name};
use crate::report::method_name::method_name;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A method of which only the result type changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherResult {
    /// The method, with the wider result.
    pub method: MethodRef,
    /// Descriptors in the old and the new version.
    pub descriptors: [String; 2],
}

impl OtherResult {
    /// The method as the old version has it, where the new one has none with this result.
    pub fn gone(&self) -> Option<MethodRef> {
        let [old, _] = &self.descriptors;
        let own = MethodRef {
            descriptor: old.clone(),
            ..self.method.clone()
        };
        (own != self.method).then_some(own)
    }
}

/// Finds these methods in the classes of changed files, and gives the version with the narrower result a method with the wider one.
///
/// # Errors
/// A class file can't be read or written.
pub fn widen(
    patch: &Patch,
    builds: [&Path; 2],
    (class_path, modules): (&[PathBuf], &Path),
) -> Result<Vec<OtherResult>, Error> {
    let path = |build: &Path| {
        let entries: Vec<PathBuf> = std::iter::once(build.to_path_buf())
            .chain(class_path.iter().cloned())
            .collect();
        ClassPath::of(&entries)?.with_jdk(modules)
    };
    let paths = [path(builds[0])?, path(builds[1])?];
    let sources = patch.files.iter().filter_map(|f| f.new.as_ref());
    let names = sources
        .flat_map(|s| &s.types)
        .map(|t| t.name.replace('.', "/"));
    let mut all = Vec::new();
    for name in names.collect::<BTreeSet<String>>() {
        let (Some(old), Some(new)) = (paths[0].find(&name)?, paths[1].find(&name)?) else {
            continue;
        };
        let of_class = others(&paths, (&old, &new));
        for version in Version::BOTH {
            let file = builds[version as usize].join(format!("{name}.class"));
            add(&file, &of_class, version)?;
        }
        all.extend(of_class);
    }
    Ok(all)
}

/// Gives the unified program's classes the methods that those of a version have.
///
/// # Errors
/// A class file can't be read or written.
pub fn widen_unified(unified: &Path, all: &[OtherResult]) -> Result<(), Error> {
    let mut by_class: BTreeMap<String, Vec<OtherResult>> = BTreeMap::new();
    for other in all {
        let class = other.method.class.internal();
        by_class.entry(class).or_default().push(other.clone());
    }
    for (class, others) in by_class {
        let file = unified.join(format!("{class}.class"));
        if file.is_file() {
            add(&file, &others, Version::New)?;
        }
    }
    Ok(())
}

/// What a reader is told of them.
pub fn told(all: &[OtherResult]) -> Vec<(String, String)> {
    let one = |other: &OtherResult| {
        let [before, now, wide] = [
            &other.descriptors[0],
            &other.descriptors[1],
            &other.method.descriptor,
        ]
        .map(|d| type_name(result(d)));
        let how = match &*wide {
            "void" => "the results are not compared".to_string(),
            wide => format!("compared as {wide}"),
        };
        let what = format!("the result of {}", method_name(&other.method));
        (what, format!("{before} before, {now} now: {how}"))
    };
    all.iter().map(one).collect()
}

/// Methods of a class that only have another result.
fn others(paths: &[ClassPath; 2], (old, new): (&ClassFile, &ClassFile)) -> Vec<OtherResult> {
    let is_below = |class: &str, above: &str| {
        paths
            .iter()
            .any(|p| p.line(class).iter().any(|c| **c == *above))
    };
    let mut all = Vec::new();
    for now in new.methods.iter().filter(|m| is_meant(m)) {
        // One that both have is compared as it is.
        let twin = old.method(&now.name, &now.descriptor);
        if twin.is_some_and(|m| m.access & SYNTHETIC == 0) {
            continue;
        }
        let Some(before) = alike(old, now).filter(|m| alike(new, m).is_some()) else {
            continue;
        };
        let is_same_kind = (before.access ^ now.access) & STATIC == 0;
        let kept = new.method(&before.name, &before.descriptor);
        let is_kept = kept.is_some_and(|m| m.access & SYNTHETIC == 0);
        let (a, b) = (result(&before.descriptor), result(&now.descriptor));
        let Some(wide) = wider_result(a, b, &is_below) else {
            continue;
        };
        // A stand-in can't have both, unless one result holds the other as it is.
        let of_interface = new.access & INTERFACE != 0 && now.access & STATIC == 0;
        if !is_same_kind || is_kept || of_interface && (a.len() == 1 || b.len() == 1) {
            continue;
        }
        let descriptor = match wide == b {
            true => &now.descriptor,
            false => &before.descriptor,
        };
        all.push(OtherResult {
            method: MethodRef {
                class: new.name.dotted().as_str().into(),
                name: now.name.to_string(),
                descriptor: descriptor.to_string(),
            },
            descriptors: [before.descriptor.to_string(), now.descriptor.to_string()],
        });
    }
    all
}

/// The method that the source of a class has under this name and these parameters.
fn alike<'a>(class: &'a ClassFile, method: &Method) -> Option<&'a Method> {
    let is_same = |m: &&Method| {
        m.name == method.name && parameters(&m.descriptor) == parameters(&method.descriptor)
    };
    let mut own = class.methods.iter().filter(|m| m.access & SYNTHETIC == 0);
    own.find(is_same).filter(|m| is_meant(m))
}

fn is_meant(method: &Method) -> bool {
    method.access & (ABSTRACT | PRIVATE | SYNTHETIC) == 0
        && !method.name.starts_with('<')
        && method.code.is_some()
}

fn parameters(descriptor: &str) -> &str {
    descriptor.rsplit_once(')').map_or("", |p| p.0)
}

/// Adds to a version's class file what it lacks.
fn add(file: &Path, all: &[OtherResult], version: Version) -> Result<(), Error> {
    let own = |o: &OtherResult| o.descriptors[version as usize].clone();
    let lacks = |o: &&OtherResult| own(o) != o.method.descriptor;
    let wider = |o: &OtherResult| WiderResult {
        name: o.method.name.clone(),
        descriptor: own(o),
        wide: o.method.descriptor.clone(),
    };
    let wider: Vec<WiderResult> = all.iter().filter(lacks).map(wider).collect();
    if wider.is_empty() {
        return Ok(());
    }
    let io = |e: std::io::Error| Error::Io {
        what: file.display().to_string(),
        why: e.to_string(),
    };
    let bytes = std::fs::read(file).map_err(io)?;
    let Ok(with) = with_wider(&bytes, &wider) else {
        return Ok(());
    };
    // The file may be shared with a cache.
    std::fs::remove_file(file).map_err(io)?;
    std::fs::write(file, with).map_err(io)
}
