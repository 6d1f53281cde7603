//! Declarations of one project in its build files, for cases without a working build tool.

use super::coordinates::Coordinates;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a dependency is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// To compile and run.
    Main,
    /// By a configuration or function of the build's own: to compile, unless that would be a circle.
    Own,
    /// As an annotation processor.
    Processor,
    /// For tests.
    Test,
}

/// One project of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Its folder below the build's.
    pub dir: PathBuf,
    /// A parent that is none of the build's own, which says versions and levels.
    pub parent: Option<Coordinates>,
    /// What it needs of others.
    pub dependencies: BTreeSet<(Use, Coordinates)>,
    /// Its own artifact, if that is to stand for sources that could not be generated.
    pub published: Option<Coordinates>,
    /// Platforms that say versions.
    pub platforms: BTreeSet<Coordinates>,
    /// Libraries whose version is said for the case that something needs them.
    pub managed: BTreeSet<Coordinates>,
    /// Folders of the projects that it is built from.
    pub siblings: BTreeSet<(Use, PathBuf)>,
    /// `options.release`, or the level of its toolchain.
    pub release: Option<u32>,
    /// `sourceCompatibility`.
    pub source: Option<u32>,
    /// The encoding of its sources.
    pub encoding: Option<String>,
    /// The folder of its main sources, where it says another.
    pub source_root: Option<String>,
    /// Further folders of its main sources.
    pub more_roots: Vec<String>,
    /// The folders of its resources, where it names some.
    pub resources: Vec<String>,
    /// The folder of its tests, where it says another.
    pub test_root: Option<String>,
    /// Whether annotation processors of its class path run.
    pub processors: bool,
}

/// The projects in these folders, and those they are built from, by folder.
pub fn with_siblings(
    mut next: Vec<PathBuf>,
    declare: impl Fn(&Path) -> Declared,
) -> BTreeMap<PathBuf, Declared> {
    let mut all = BTreeMap::new();
    while let Some(dir) = next.pop() {
        all.entry(dir).or_insert_with_key(|dir| {
            let declared = declare(dir);
            next.extend(declared.siblings.iter().map(|s| s.1.clone()));
            declared
        });
    }
    all
}
