//! Folders of compiled classes, and what a build left out.

use super::Uncompiled;
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::{ClassPath, ClassPathError};
use crate::check::patch::Patch;
use crate::check::results::OtherResult;
use crate::model::{Spelling, Version};
use crate::unify::UnifiedFile;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The types of the patch's files that are in both folders of classes, as they are in each.
///
/// # Errors
/// A class can't be read.
pub(super) fn types_of_both(
    patch: &Patch,
    [old, new]: [&Path; 2],
) -> Result<Vec<[Arc<ClassFile>; 2]>, ClassPathError> {
    let [before, after] = [old, new].map(|dir| ClassPath::of(&[dir.to_path_buf()]));
    let (before, after) = (before?, after?);
    let mut found = Vec::new();
    let files = patch.files.iter().filter_map(|f| f.new.as_ref());
    for one in files.flat_map(|f| &f.types) {
        let class = one.name.internal();
        if let (Some(a), Some(b)) = (before.find(&class)?, after.find(&class)?) {
            found.push([a, b]);
        }
    }
    Ok(found)
}

/// The changed files of both versions and what they need, compiled.
pub struct ChangedBuilds {
    /// Old classes.
    pub old: PathBuf,
    /// New classes.
    pub new: PathBuf,
    /// What both run with: dependencies, and what stands for code that does not compile.
    pub class_path: Vec<PathBuf>,
    /// What does not compile.
    pub uncompiled: Vec<Uncompiled>,
    /// Sources of the classes that stand in for interfaces that nothing implements, by their names; their classes are in both builds.
    pub stand_ins: BTreeMap<String, String>,
    /// Methods of which only the result type changed.
    pub other_results: Vec<OtherResult>,
}

/// Compiled classes of both versions, without a unified program.
pub struct TwoBuilds {
    /// Old classes.
    pub old: PathBuf,
    /// New classes.
    pub new: PathBuf,
    /// Why only the changed files and what they need was compiled; `None` when all of the project was.
    pub partial: Option<String>,
}

/// Compiled classes of the three builds.
pub struct Builds {
    /// Old classes.
    pub old: PathBuf,
    /// New classes.
    pub new: PathBuf,
    /// Classes of the unified program.
    pub unified: PathBuf,
    /// Dependencies.
    pub class_path: Vec<PathBuf>,
    /// The unified files, by path.
    pub files: BTreeMap<String, UnifiedFile>,
    /// What does not compile in one of the versions, and was left out of its build.
    pub uncompiled: Vec<Uncompiled>,
    /// Sources of the classes that stand in for interfaces that nothing implements, by their names.
    pub stand_ins: BTreeMap<String, String>,
    /// Methods of which only the result type changed.
    pub other_results: Vec<OtherResult>,
    /// Options that export packages of the JDK to both, and open them.
    pub exports: Vec<String>,
    /// Top-level classes that either version has a source of, compiled or not, by internal name.
    pub sources: Arc<BTreeSet<String>>,
}

impl Builds {
    /// The classes of a version.
    pub fn classes(&self, version: Version) -> &PathBuf {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }
}
