//! Properties of a project of Maven or Ivy, which its files' texts refer to.

use super::coordinates::Coordinates;
use super::pom_file::Element;
use std::collections::BTreeMap;

/// How often a property may stand for another.
const FILLS: usize = 8;

/// What `${…}` stands for.
pub struct Properties {
    pub known: BTreeMap<String, String>,
    /// Whether a parent that is not there may know others, so that what is unknown here is left to Maven.
    open: bool,
}

/// Names and values in the text of a file of properties, a line each (`java.util.Properties`, without escapes).
pub fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = text.lines().filter_map(|l| l.split_once(['=', ':']));
    let pairs = pairs.map(|(name, value)| (name.trim(), value.trim()));
    pairs.filter(|(name, _)| !name.starts_with(['#', '!']))
}

impl Properties {
    /// Those of a project's files, its own first.
    pub fn of(chain: &[&Element], open: bool) -> Properties {
        let mut all = BTreeMap::new();
        for pom in chain.iter().rev() {
            for one in pom.all(&["properties"]) {
                all.insert(one.name.clone(), one.text.clone());
            }
            for name in ["groupId", "artifactId", "version"] {
                let own = pom
                    .text_at(&[name])
                    .or_else(|| pom.text_at(&["parent", name]));
                for prefix in ["project", "pom"] {
                    all.extend(own.map(|v| (format!("{prefix}.{name}"), v.to_string())));
                }
                let parent = pom.text_at(&["parent", name]);
                all.extend(parent.map(|v| (format!("project.parent.{name}"), v.to_string())));
            }
        }
        let folder = |name: &str| chain.iter().find_map(|pom| pom.text_at(&["build", name]));
        let sources = folder("sourceDirectory").unwrap_or("src/main/java");
        all.insert("project.build.sourceDirectory".into(), sources.into());
        for name in ["basedir", "project.basedir", "pom.basedir"] {
            all.insert(name.into(), ".".into());
        }
        Properties { known: all, open }
    }

    /// These, and no others.
    pub fn known(known: BTreeMap<String, String>) -> Properties {
        Properties { known, open: false }
    }

    pub fn filled(&self, text: &str) -> String {
        let mut text = text.to_string();
        for _ in 0..FILLS {
            let Some((before, rest)) = text.split_once("${") else {
                break;
            };
            let Some((name, after)) = rest.split_once('}') else {
                break;
            };
            match self.known.get(name) {
                Some(value) => text = format!("{before}{value}{after}"),
                None => break,
            }
        }
        text
    }

    pub fn level(&self, text: &str) -> Option<u32> {
        self.filled(text).trim_start_matches("1.").parse().ok()
    }

    pub fn coordinates(&self, one: &Element) -> Option<Coordinates> {
        let text = |name| self.filled(one.text_at(&[name]).unwrap_or_default());
        let (group, name, version) = (text("groupId"), text("artifactId"), text("version"));
        let mut found = Coordinates::read(&format!("{group}:{name}:{version}"))?;
        if self.open && version.starts_with("${") {
            found.version = version;
        }
        Some(found)
    }
}
