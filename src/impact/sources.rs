//! Source files of the classes in a result: where they are, and their lines, for printing.

use crate::model::Version;
use std::collections::BTreeMap;

/// Paths by class, texts by path, for both versions.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    paths: BTreeMap<(bool, String), String>,
    lines: BTreeMap<(bool, String), Vec<String>>,
}

fn is_old(version: Version) -> bool {
    version == Version::Old
}

impl Sources {
    /// Adds a class (`a.b.C$D`), its file's path and, once per file, that file's text.
    pub fn add(
        &mut self,
        version: Version,
        class: &str,
        path: &str,
        text: impl FnOnce() -> Option<String>,
    ) {
        let old = is_old(version);
        self.paths.insert((old, class.into()), path.into());
        self.lines.entry((old, path.into())).or_insert_with(|| {
            let text = text().unwrap_or_default();
            text.lines().map(str::to_string).collect()
        });
    }

    /// The path of a class's file; empty where it is not known.
    pub fn path(&self, version: Version, class: &str) -> &str {
        self.paths
            .get(&(is_old(version), class.into()))
            .map_or("", String::as_str)
    }

    /// A line of a class's file, counted from 1, without its indentation.
    pub fn line(&self, version: Version, class: &str, line: u32) -> &str {
        let path = self.path(version, class).to_string();
        self.lines
            .get(&(is_old(version), path))
            .and_then(|l| l.get((line as usize).checked_sub(1)?))
            .map_or("", |l| l.trim())
    }
}
