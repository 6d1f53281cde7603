//! Versions that no repository has, such as snapshots of old commits, replaced by releases in the private tree's `pom.xml` files.

use super::maven::Maven;
use super::model::{Model, Module};
use super::pom_file::Element;
use super::poms::pom_files;
use super::process::Ran;
use super::releases::{Missing, missing, newest_before};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How versions end that are not released.
pub const SNAPSHOT: &str = "-SNAPSHOT";

/// How often more is found missing behind what was replaced before this is given up.
const ROUNDS: usize = 3;

/// Which release stands for a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Release {
    /// That of the snapshot's own version.
    Own,
    /// The newest before it: its own was not made yet, or never, or can't be had from here.
    Before,
}

/// The version to put in the place of each that is missing.
type Substitutes = BTreeMap<Missing, String>;

impl Maven<'_> {
    /// Runs Maven, again with releases in the place of versions that it could not have.
    pub(super) fn with_releases(
        &self,
        root: &Path,
        model: &mut Model,
        run: impl Fn() -> Ran,
    ) -> Ran {
        let first = run();
        let poms = Poms::read(root);
        let known = self.found(&first);
        let is_new = |m: &Module| known.iter().all(|k| k.dir != m.dir);
        for release in [Release::Own, Release::Before] {
            let mut gone = poms.foreign(missing(&first.output));
            for _ in 0..ROUNDS {
                let names = poms.replace(&self.substitutes(&gone, release));
                if names.is_empty() {
                    break;
                }
                let again = run();
                // What the first run compiled, this one need not compile again.
                if self.found(&again).iter().any(is_new) {
                    model.add(known);
                    model.is_complete = model.notes.is_empty();
                    model.notes.push(told(&names));
                    return again;
                }
                let more = poms.foreign(missing(&again.output));
                let before = gone.len();
                gone.extend(more.into_iter().filter(|m| !names.contains_key(&m.key())));
                if gone.len() == before {
                    break;
                }
            }
            poms.restore();
        }
        first
    }

    fn substitutes(&self, gone: &BTreeSet<Missing>, release: Release) -> Substitutes {
        let own = |one: &Missing| {
            let version = one.version.strip_suffix(SNAPSHOT)?;
            Some((one.clone(), version.to_string()))
        };
        match release {
            Release::Own => gone.iter().filter_map(own).collect(),
            Release::Before => newest_before(self, gone),
        }
    }
}

/// Words for the notes.
fn told(names: &BTreeMap<String, String>) -> String {
    let names = names
        .iter()
        .map(|(name, version)| format!("{name}:{version}"));
    let names: Vec<String> = names.collect();
    format!(
        "in place of versions that no repository has: {}",
        names.join(", ")
    )
}

/// The `pom.xml` files of a tree as they were.
struct Poms {
    files: BTreeMap<PathBuf, String>,
    /// The names of the tree's own modules.
    own: BTreeSet<String>,
}

impl Poms {
    /// Reads those below a folder.
    fn read(root: &Path) -> Poms {
        let read = |file: PathBuf| Some((file.clone(), std::fs::read_to_string(&file).ok()?));
        let files: BTreeMap<PathBuf, String> =
            pom_files(root).into_iter().filter_map(read).collect();
        let name = |text: &String| {
            let pom = Element::read(text)?;
            Some(pom.text_at(&["artifactId"])?.to_string())
        };
        let own = files.values().filter_map(name).collect();
        Poms { files, own }
    }

    /// Those that are none of the tree's own modules.
    fn foreign(&self, missing: BTreeSet<Missing>) -> BTreeSet<Missing> {
        let is_foreign = |m: &Missing| !self.own.contains(&m.name);
        missing.into_iter().filter(is_foreign).collect()
    }

    /// Writes them as they were.
    fn restore(&self) {
        for (file, text) in &self.files {
            // What can't be written is found out when it is read.
            let _ = std::fs::write(file, text);
        }
    }

    /// Writes them with these versions. The artifacts that were replaced, as `group:name`, with their versions; none where no file says
    /// one that is missing.
    fn replace(&self, substitutes: &Substitutes) -> BTreeMap<String, String> {
        let mut replaced = BTreeMap::new();
        let mut edits: BTreeMap<&PathBuf, String> = BTreeMap::new();
        for (one, to) in substitutes {
            let properties = self.properties(one);
            for (file, text) in &self.files {
                let text = edits.get(file).unwrap_or(text);
                if let Some(edited) = replace(text, one, (to, &properties)) {
                    edits.insert(file, edited);
                    replaced.insert(one.key(), to.clone());
                }
            }
        }
        for (file, edited) in edits {
            if std::fs::write(file, edited).is_err() {
                return BTreeMap::new();
            }
        }
        replaced
    }

    /// The properties that say the version of an artifact.
    fn properties(&self, one: &Missing) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for text in self.files.values() {
            let mut rest = text.as_str();
            while let Some((_, tag, block, after)) = next_block(rest) {
                let version = block.split_once("<version>").map(|v| v.1.trim_start());
                let name = version.and_then(|v| v.strip_prefix("${")?.split('}').next());
                if tag != "properties" && is_of(block, one) {
                    all.extend(name.map(str::to_string));
                }
                rest = after;
            }
        }
        all
    }
}

/// The text with another version of that artifact where it is named as a parent, a dependency or a plugin, and in the properties that
/// say it; `None` where it is nowhere.
fn replace(
    text: &str,
    one: &Missing,
    (to, properties): (&str, &BTreeSet<String>),
) -> Option<String> {
    let version = format!("<version>{}</version>", one.version);
    let mut edited = String::new();
    let mut rest = text;
    while let Some((before, tag, block, after)) = next_block(rest) {
        edited.push_str(before);
        edited.push_str(&match tag {
            "properties" => properties.iter().fold(block.to_string(), |block, name| {
                let said = format!("<{name}>{}</{name}>", one.version);
                block.replace(&said, &format!("<{name}>{to}</{name}>"))
            }),
            _ if is_of(block, one) => {
                block.replacen(&version, &format!("<version>{to}</version>"), 1)
            }
            _ => block.to_string(),
        });
        rest = after;
    }
    edited.push_str(rest);
    (edited != text).then_some(edited)
}

/// Whether an element names the artifact.
fn is_of(block: &str, one: &Missing) -> bool {
    let names = |what: &str, word: &str| block.contains(&format!("<{what}>{word}</{what}>"));
    names("artifactId", &one.name) && names("groupId", &one.group)
}

/// The next element that names an artifact, or properties: what is before it, its tag, itself, and what is after it.
fn next_block(text: &str) -> Option<(&str, &'static str, &str, &str)> {
    const TAGS: [&str; 5] = ["parent", "dependency", "plugin", "extension", "properties"];
    let found = TAGS
        .iter()
        .filter_map(|tag| Some((text.find(&format!("<{tag}>"))?, *tag)));
    let (begin, tag) = found.min()?;
    let close = format!("</{tag}>");
    let end = begin + text[begin..].find(&close)? + close.len();
    Some((&text[..begin], tag, &text[begin..end], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(group: &str, name: &str, version: &str) -> Missing {
        Missing {
            group: group.into(),
            name: name.into(),
            version: version.into(),
        }
    }

    #[test]
    fn parents_dependencies_and_their_properties_get_another_version() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("pom.xml");
        let text = "<project><parent><groupId>org.up</groupId><artifactId>base</artifactId><version>2.1-SNAPSHOT</version></parent>\
            <artifactId>core</artifactId><version>2.1-SNAPSHOT</version><properties><x.version>3.0</x.version><other>3.0</other></properties>\
            <dependency><groupId>x</groupId><artifactId>x</artifactId><version>${x.version}</version></dependency>\
            <dependency><groupId>org.own</groupId><artifactId>core</artifactId><version>1-SNAPSHOT</version></dependency></project>";
        std::fs::write(&file, text).unwrap();
        let poms = Poms::read(dir.path());
        let own = one("org.own", "core", "1-SNAPSHOT");
        let (up, x) = (one("org.up", "base", "2.1-SNAPSHOT"), one("x", "x", "3.0"));
        let all = BTreeSet::from([own, up.clone(), x.clone()]);
        assert_eq!(poms.foreign(all), BTreeSet::from([up.clone(), x.clone()]));
        let names = poms.replace(&BTreeMap::from([(up, "2.1".into()), (x, "2.9".into())]));
        let told = told(&names);
        assert!(told.ends_with(": org.up:base:2.1, x:x:2.9"), "{told}");
        let edited = std::fs::read_to_string(&file).unwrap();
        assert!(edited.contains("<version>2.1</version></parent>"));
        assert!(edited.contains("<x.version>2.9</x.version><other>3.0</other>"));
        assert!(edited.contains("<artifactId>core</artifactId><version>2.1-SNAPSHOT</version>"));
        assert!(edited.contains("<version>1-SNAPSHOT</version></dependency>"));
        poms.restore();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        assert!(poms.replace(&Substitutes::new()).is_empty());
    }
}
