//! Snapshots that no repository has any more, replaced by releases in the private tree's `pom.xml` files.

use super::pom_file::Element;
use super::poms::pom_files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How versions end that are not released.
pub const SNAPSHOT: &str = "-SNAPSHOT";

/// Which release stands for a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// That of its own version.
    Own,
    /// The newest before it: its own was not made yet, or never.
    Before,
}

impl Release {
    /// Both, in the order in which they are tried.
    pub const ALL: [Release; 2] = [Release::Own, Release::Before];

    fn of(self, version: &str) -> String {
        match self {
            Release::Own => version.trim_end_matches(SNAPSHOT).to_string(),
            Release::Before => format!("(,{version})"),
        }
    }
}

/// A snapshot that is not to be had.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Missing {
    group: String,
    name: String,
    version: String,
}

/// The `pom.xml` files of a tree as they were.
pub struct Poms {
    files: BTreeMap<PathBuf, String>,
    /// The names of the tree's own modules.
    own: BTreeSet<String>,
}

impl Poms {
    /// Reads those below a folder.
    pub fn read(root: &Path) -> Poms {
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

    /// Writes them as they were.
    pub fn restore(&self) {
        for (file, text) in &self.files {
            // What can't be written is found out when it is read.
            let _ = std::fs::write(file, text);
        }
    }

    /// Writes them with releases in the place of the snapshots that this output of Maven says are missing. The artifacts that were
    /// replaced, as `group:name`; none where no file says their version.
    pub fn release(&self, output: &str, release: Release) -> BTreeSet<String> {
        let missing = missing(output);
        let foreign: Vec<&Missing> = missing
            .iter()
            .filter(|m| !self.own.contains(&m.name))
            .collect();
        let mut replaced = BTreeSet::new();
        for (file, text) in &self.files {
            let mut edited = text.clone();
            for one in &foreign {
                if let Some(more) = replace(&edited, one, release) {
                    edited = more;
                    replaced.insert(format!("{}:{}", one.group, one.name));
                }
            }
            if edited != *text && std::fs::write(file, edited).is_err() {
                return BTreeSet::new();
            }
        }
        replaced
    }
}

/// The text with another version of that artifact where it is named as a parent, a dependency or a plugin, and in properties that are
/// that version; `None` where it is nowhere.
fn replace(text: &str, one: &Missing, release: Release) -> Option<String> {
    let version = format!("<version>{}</version>", one.version);
    let to = release.of(&one.version);
    let mut edited = String::new();
    let mut rest = text;
    while let Some((before, tag, block, after)) = next_block(rest) {
        let names = |what: &str, word: &str| block.contains(&format!("<{what}>{word}</{what}>"));
        edited.push_str(before);
        let is_one = names("artifactId", &one.name) && names("groupId", &one.group);
        let property = format!(">{}<", one.version);
        edited.push_str(&match tag {
            "properties" => block.replace(&property, &format!(">{to}<")),
            _ if is_one => block.replacen(&version, &format!("<version>{to}</version>"), 1),
            _ => block.to_string(),
        });
        rest = after;
    }
    edited.push_str(rest);
    (edited != text).then_some(edited)
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

/// Snapshots that Maven could not find or transfer.
fn missing(output: &str) -> BTreeSet<Missing> {
    let of_errors = output
        .lines()
        .filter(|l| l.contains("Could not find artifact") || l.contains("Could not transfer"));
    let words = of_errors.flat_map(|l| l.split([' ', ',', '\'', '(', ')', '[', ']', '"']));
    let of_word = |word: &str| {
        let parts: Vec<&str> = word.split(':').collect();
        let (group, name, version) = match parts[..] {
            [group, name, _, version] | [group, name, _, _, version] => (group, name, version),
            _ => return None,
        };
        version.ends_with(SNAPSHOT).then(|| Missing {
            group: group.to_string(),
            name: name.to_string(),
            version: version.to_string(),
        })
    };
    words.filter_map(of_word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "[ERROR] Non-resolvable parent POM: Could not transfer artifact \
        org.up:base:pom:2.1-SNAPSHOT from/to s (https://s): Unknown host\n\
        [ERROR] Could not find artifact org.own:core:jar:1-SNAPSHOT in c";

    #[test]
    fn parents_dependencies_and_properties_get_the_release() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("pom.xml");
        let text = "<project><parent><groupId>org.up</groupId><artifactId>base</artifactId><version>2.1-SNAPSHOT</version></parent>\
            <artifactId>core</artifactId><version>2.1-SNAPSHOT</version><properties><up>2.1-SNAPSHOT</up></properties>\
            <dependency><groupId>org.own</groupId><artifactId>core</artifactId><version>1-SNAPSHOT</version></dependency></project>";
        std::fs::write(&file, text).unwrap();
        let poms = Poms::read(dir.path());
        let names = poms.release(OUTPUT, Release::Own);
        assert_eq!(names, BTreeSet::from(["org.up:base".to_string()]));
        let edited = std::fs::read_to_string(&file).unwrap();
        assert!(edited.contains("<version>2.1</version></parent>"));
        assert!(edited.contains("<up>2.1</up>"));
        assert!(edited.contains("<artifactId>core</artifactId><version>2.1-SNAPSHOT</version>"));
        assert!(edited.contains("<version>1-SNAPSHOT</version></dependency>"));
        poms.release(OUTPUT, Release::Before);
        let edited = std::fs::read_to_string(&file).unwrap();
        assert!(edited.contains("<version>(,2.1-SNAPSHOT)</version></parent>"));
    }

    #[test]
    fn what_is_not_missing_stays() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("pom.xml"), "<project/>").unwrap();
        let poms = Poms::read(dir.path());
        assert!(poms.release(OUTPUT, Release::Own).is_empty());
        assert!(
            poms.release("[INFO] BUILD SUCCESS", Release::Own)
                .is_empty()
        );
    }
}
