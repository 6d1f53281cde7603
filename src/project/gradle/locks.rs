//! Versions that files beside a Gradle build say: lock files, and lists of versions for dependencies that name none.

use crate::project::coordinates::Coordinates;
use std::collections::BTreeMap;
use std::path::Path;

/// The names of such files.
pub const FILES: [&str; 3] = ["gradle.lockfile", "versions.lock", "versions.props"];

/// Versions by group and name, both of which may hold a `*`.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    exact: BTreeMap<(String, String), String>,
    patterns: Vec<(String, String, String)>,
}

impl Locks {
    /// Adds what the files in a folder say.
    pub fn read(&mut self, folder: &Path) {
        for name in FILES {
            let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            for line in text.lines().filter(|l| !l.trim_start().starts_with('#')) {
                match name == "versions.props" {
                    true => self.property(line),
                    false => self.lock(line),
                }
            }
        }
    }

    /// `group:name:version=configurations`, or `group:name:version (constraints)`.
    fn lock(&mut self, line: &str) {
        let text = line.split(['=', ' ']).next().unwrap_or_default();
        if let Some(c) = Coordinates::read(text).filter(|c| !c.version.is_empty()) {
            self.exact.entry((c.group, c.name)).or_insert(c.version);
        }
    }

    /// `group:name = version`.
    fn property(&mut self, line: &str) {
        if let Some((module, version)) = line.split_once('=')
            && let Some((group, name)) = module.trim().split_once(':')
        {
            let text = |t: &str| t.trim().to_string();
            self.patterns.push((text(group), text(name), text(version)));
        }
    }

    /// The version of a dependency that names none.
    pub fn version(&self, of: &Coordinates) -> Option<String> {
        let exact = self.exact.get(&(of.group.clone(), of.name.clone()));
        let is_like = |pattern: &str, text: &str| match pattern.split_once('*') {
            Some((start, end)) => text.starts_with(start) && text.ends_with(end),
            None => pattern == text,
        };
        let fits =
            |p: &&(String, String, String)| is_like(&p.0, &of.group) && is_like(&p.1, &of.name);
        // Of several patterns the longest is meant.
        let pattern = || {
            let all = self.patterns.iter().filter(fits);
            all.max_by_key(|p| p.0.len() + p.1.len()).map(|p| &p.2)
        };
        exact.or_else(pattern).cloned()
    }
}
