//! Released versions that repositories have, as their metadata in the local repository lists them.

use super::coordinates::Coordinates;
use super::declared::{Declared, Use};
use super::made_poms;
use super::maven::Maven;
use super::pom_file::Element;
use super::substitutes::SNAPSHOT;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A version that is newer than every release.
pub const NEWEST: &str = "999999";

/// A version that is not to be had.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The artifact's group.
    pub group: String,
    /// Its name.
    pub name: String,
    /// The version.
    pub version: String,
}

impl Missing {
    /// `group:name`.
    pub fn key(&self) -> String {
        format!("{}:{}", self.group, self.name)
    }
}

/// What Maven said that no repository has; of snapshots also what could not be transferred.
pub fn missing(output: &str) -> BTreeSet<Missing> {
    let mut all = BTreeSet::new();
    for line in output.lines() {
        let is_gone =
            line.contains("Could not find artifact") || line.contains(" was not found in ");
        if !is_gone && !line.contains("Could not transfer") {
            continue;
        }
        let words = line.split([' ', ',', '\'', '(', ')', '[', ']', '"']);
        for word in words {
            let parts: Vec<&str> = word.split(':').collect();
            let (group, name, version) = match parts[..] {
                [group, name, _, version] | [group, name, _, _, version] => (group, name, version),
                _ => continue,
            };
            let is_version = version.starts_with(|c: char| c.is_ascii_digit());
            if version.ends_with(SNAPSHOT) || is_gone && is_version {
                all.insert(Missing {
                    group: group.to_string(),
                    name: name.to_string(),
                    version: version.to_string(),
                });
            }
        }
    }
    all
}

/// The newest release before each version, where there is one. Maven is asked for the lists of those that it never asked for.
pub fn newest_before(maven: &Maven, gone: &BTreeSet<Missing>) -> BTreeMap<Missing, String> {
    let lists = |one: &Missing| metadata(maven, one);
    let unknown: Vec<&Missing> = gone.iter().filter(|m| lists(m).is_empty()).collect();
    if !unknown.is_empty() && !maven.offline {
        ask(maven, &unknown);
    }
    let before = |one: &Missing| {
        let versions = lists(one);
        let found = versions.iter().filter(|v| order(v, &one.version).is_lt());
        let found: Vec<&String> = found.collect();
        let alike = |v: &&&String| one.version != NEWEST && ending(v) == ending(&one.version);
        let released = |v: &&&String| !is_preview(v);
        let best = |all: &mut dyn Iterator<Item = &&String>| {
            all.max_by(|a, b| order(a, b)).map(|v| (**v).clone())
        };
        let to = best(&mut found.iter().filter(alike))
            .or_else(|| best(&mut found.iter().filter(released)))
            .or_else(|| best(&mut found.iter()));
        Some((one.clone(), to?))
    };
    gone.iter().filter_map(before).collect()
}

/// All versions that the local repository knows of.
fn metadata(maven: &Maven, one: &Missing) -> Vec<String> {
    let read = || -> Option<Vec<String>> {
        let repository = maven.home.as_ref()?.join("repository");
        let folder = repository.join(one.group.replace('.', "/")).join(&one.name);
        let entries = std::fs::read_dir(folder).ok()?.flatten();
        let of_repository = |p: &PathBuf| {
            let name = p
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            name.starts_with("maven-metadata") && name.ends_with(".xml")
        };
        let files = entries.map(|e| e.path()).filter(of_repository);
        let mut all = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(file).ok()?;
            let read = Element::read(&text)?;
            let versions = read.all(&["versioning", "versions"]).iter();
            all.extend(versions.map(|v| v.text.clone()));
        }
        Some(all)
    };
    read().unwrap_or_default()
}

/// Lets Maven resolve a range of each, which brings the list of its versions to the local repository.
fn ask(maven: &Maven, unknown: &[&Missing]) {
    let of = |(number, one): (usize, &&Missing)| {
        // Maven reads every version of a range: of one that holds none it reads the list alone.
        let asked = Coordinates {
            group: one.group.clone(),
            name: one.name.clone(),
            version: format!("[999998,{NEWEST})"),
        };
        let dir = PathBuf::from(format!("of-{number}"));
        let declared = Declared {
            dir: dir.clone(),
            dependencies: BTreeSet::from([(Use::Main, asked)]),
            ..Declared::default()
        };
        (dir, declared)
    };
    let projects = unknown.iter().enumerate().map(of).collect();
    made_poms::ask(maven, &maven.notes.join("versions"), &projects);
}

/// One part of a version: what comes before a release, its end, another word, or a number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Preview(String),
    End,
    Word(String),
    Number(u64),
}

fn parts(version: &str) -> Vec<Part> {
    let mut all = Vec::new();
    let mut rest = version;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let is_word = first.is_ascii_alphabetic();
        let same = |c: char| c.is_ascii_digit() == is_digit && c.is_ascii_alphabetic() == is_word;
        let at = rest.find(|c| !same(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(at);
        rest = after;
        let word = word.to_ascii_lowercase();
        match (is_digit, is_word) {
            (true, _) => all.push(Part::Number(word.parse().unwrap_or(u64::MAX))),
            (_, true)
                if [
                    "alpha", "beta", "rc", "cr", "m", "snapshot", "pre", "preview", "ea",
                ]
                .contains(&&*word) =>
            {
                all.push(Part::Preview(word));
            }
            (_, true) => all.push(Part::Word(word)),
            _ => {}
        }
    }
    all.push(Part::End);
    all
}

/// Which of two versions is older.
fn order(a: &str, b: &str) -> Ordering {
    parts(a).cmp(&parts(b))
}

fn is_preview(version: &str) -> bool {
    parts(version).iter().any(|p| matches!(p, Part::Preview(_)))
}

/// The words at a version's end, such as `jre`.
fn ending(version: &str) -> Vec<Part> {
    let words = parts(version).into_iter();
    words
        .filter(|p| matches!(p, Part::Word(_) | Part::Preview(_)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_no_repository_has_is_read_from_the_output() {
        let output = "[ERROR] Non-resolvable parent POM: Could not transfer artifact \
            org.up:base:pom:2.1-SNAPSHOT from/to s (https://s): Unknown host\n\
            [ERROR] Could not transfer artifact a:a:jar:1.0 from/to s: Unknown host\n\
            [ERROR] a:b:jar:2.5.0 was not found in https://s during a previous attempt\n\
            [ERROR] Could not find artifact c:d:pom:3 in c\n[INFO] e:f:jar:1\n";
        let found: Vec<String> = missing(output)
            .iter()
            .map(|m| format!("{}:{}", m.key(), m.version))
            .collect();
        assert_eq!(found, ["a:b:2.5.0", "c:d:3", "org.up:base:2.1-SNAPSHOT"]);
    }

    #[test]
    fn the_newest_before_it_stands_for_a_version() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("repository/a/b/c");
        std::fs::create_dir_all(&folder).unwrap();
        let list = |versions: &[&str]| {
            let all: String = versions
                .iter()
                .map(|v| format!("<version>{v}</version>"))
                .collect();
            let text =
                format!("<metadata><versioning><versions>{all}</versions></versioning></metadata>");
            std::fs::write(folder.join("maven-metadata-central.xml"), text).unwrap();
        };
        let maven = Maven {
            tree: dir.path(),
            notes: dir.path(),
            javac: Path::new("javac"),
            home: Some(dir.path().to_path_buf()),
            path: None,
            options: "",
            offline: true,
            end: crate::util::deadline::Deadline::default(),
        };
        let of = |version: &str| {
            let one = Missing {
                group: "a.b".into(),
                name: "c".into(),
                version: version.into(),
            };
            newest_before(&maven, &BTreeSet::from([one]))
                .into_values()
                .next()
        };
        list(&["1.9", "1.10", "2.0-rc1", "2.0", "2.1-SNAPSHOT"]);
        assert_eq!(of("2.0").as_deref(), Some("1.10"));
        assert_eq!(of("2.0.1").as_deref(), Some("2.0"));
        assert_eq!(of("1.0"), None);
        list(&["33.1-jre", "33.2-android"]);
        assert_eq!(of("33.3-jre").as_deref(), Some("33.1-jre"));
    }
}
