//! Filtered resources: files in which Maven puts values in the place of names, such as `version=${project.version}`.

use super::pom_file::Element;
use super::properties::Properties;
use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Larger files are no texts with names in them.
const MOST_BYTES: u64 = 1 << 20;
/// Files that Maven never filters (Maven Resources Plugin, "Binary filtering").
const BINARY: [&str; 6] = ["jpg", "jpeg", "gif", "bmp", "png", "ico"];
/// Sources that lie among resources: what is compiled is not filtered.
const SOURCE: &str = "java";
/// What surrounds a name, unless the build says another thing.
const USUAL: [&str; 2] = ["${*}", "@"];
/// Folders that are other ones where a build really runs.
const PLACES: [&str; 4] = [
    "basedir",
    "project.basedir",
    "pom.basedir",
    "project.build.sourceDirectory",
];

/// A folder of resources whose files are filtered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filtered {
    /// The folder.
    pub folder: PathBuf,
    /// Patterns of the files in it that are, none for all; and of those of them that are not.
    pub patterns: [Vec<String>; 2],
    /// What surrounds a name: `${*}`, or `@` on both sides.
    pub delimiters: Vec<String>,
    /// What the names stand for.
    pub values: BTreeMap<String, String>,
}

/// What the nearest of a project's files that names resources says of them.
pub(super) fn resources<'a>(chain: &[&'a Element]) -> &'a [Element] {
    let mut named = chain.iter().map(|pom| pom.all(&["build", "resources"]));
    named.find(|all| !all.is_empty()).unwrap_or_default()
}

/// The filtered resources of a project, by its own file and those of its parents: folders below its own.
pub(super) fn declared(chain: &[&Element], properties: &Properties) -> Vec<Filtered> {
    let is_filtered = |one: &&Element| {
        let said = one.text_at(&["filtering"]).map(|t| properties.filled(t));
        said.as_deref() == Some("true")
    };
    let filtered = resources(chain).iter().filter(is_filtered);
    let texts = |one: &Element, name: &str| -> Vec<String> {
        let all = one.all(&[name]).iter();
        all.map(|pattern| properties.filled(&pattern.text))
            .collect()
    };
    filtered
        .filter_map(|one| {
            let folder = properties.filled(one.text_at(&["directory"])?);
            Some(Filtered {
                folder: PathBuf::from(folder),
                patterns: ["includes", "excludes"].map(|name| texts(one, name)),
                delimiters: delimiters(chain, properties),
                values: values(chain, properties),
            })
        })
        .collect()
}

/// What surrounds names, as all files together that configure the plugin say.
fn delimiters(chain: &[&Element], properties: &Properties) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_usual = true;
    for pom in chain {
        for plugin in pom.plugins("maven-resources-plugin") {
            let given = plugin.all(&["configuration", "delimiters"]);
            found.extend(given.iter().map(|d| properties.filled(&d.text)));
            let said = plugin.text_at(&["configuration", "useDefaultDelimiters"]);
            is_usual &= said.map(|t| properties.filled(t)).as_deref() != Some("false");
        }
    }
    if is_usual {
        found.extend(USUAL.map(String::from));
    }
    found
}

/// What names stand for: properties whose values are known, and what a project says of itself.
fn values(chain: &[&Element], properties: &Properties) -> BTreeMap<String, String> {
    let mut all = properties.known.clone();
    for name in ["description", "url"] {
        let said = chain.iter().find_map(|pom| pom.text_at(&[name]));
        all.extend(said.map(|text| (format!("project.{name}"), text.to_string())));
    }
    let own = chain.first().and_then(|pom| pom.text_at(&["name"]));
    let name = own.unwrap_or("${project.artifactId}");
    all.insert("project.name".into(), name.into());
    all.retain(|name, _| !PLACES.contains(&name.as_str()));
    let known = Properties::known(all.clone());
    all.values_mut().for_each(|text| *text = known.filled(text));
    all.retain(|_, text| !text.contains("${"));
    all
}

impl Filtered {
    /// Filters the files where they lie, below the folder. Names that stand for nothing known stay, as in Maven.
    ///
    /// # Errors
    /// A file can't be read or written.
    pub fn apply(&self) -> io::Result<()> {
        let [included, excluded] = self.patterns.each_ref().map(|all| matcher(all));
        let mut next = vec![self.folder.clone()];
        while let Some(folder) = next.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let entry = entry?;
                let (path, kind) = (entry.path(), entry.file_type()?);
                let below = path.strip_prefix(&self.folder).unwrap_or(&path);
                let is_meant = included.as_ref().is_none_or(|set| set.is_match(below))
                    && !excluded.as_ref().is_some_and(|set| set.is_match(below));
                if kind.is_dir() {
                    next.push(path);
                } else if kind.is_file() && is_meant && entry.metadata()?.len() <= MOST_BYTES {
                    self.apply_to(&path)?;
                }
            }
        }
        Ok(())
    }

    fn apply_to(&self, file: &Path) -> io::Result<()> {
        let ending = file
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        if BINARY.contains(&ending) || ending == SOURCE {
            return Ok(());
        }
        let text = std::fs::read(file)?;
        let filled = self.filled(&text);
        match filled == text {
            true => Ok(()),
            false => std::fs::write(file, filled),
        }
    }

    /// A text with values for names; bytes, as its encoding need not be known.
    fn filled(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.first() {
            match self.value_at(rest) {
                Some((value, length)) => {
                    out.extend_from_slice(value.as_bytes());
                    rest = &rest[length..];
                }
                None => {
                    out.push(*first);
                    rest = &rest[1..];
                }
            }
        }
        out
    }

    /// The value of the name that a text begins with, and the length of the name with what surrounds it.
    fn value_at(&self, text: &[u8]) -> Option<(&str, usize)> {
        self.delimiters.iter().find_map(|delimiter| {
            let (before, behind) = delimiter.split_once('*').unwrap_or((delimiter, delimiter));
            let inner = text.strip_prefix(before.as_bytes())?;
            let is_of_name = |b: &u8| b.is_ascii_alphanumeric() || b"._-".contains(b);
            let length = inner.iter().take_while(|b| is_of_name(b)).count();
            let name = std::str::from_utf8(&inner[..length]).ok()?;
            let is_ended = !behind.is_empty() && inner[length..].starts_with(behind.as_bytes());
            let value = self.values.get(name).filter(|_| is_ended)?;
            Some((value.as_str(), before.len() + length + behind.len()))
        })
    }
}

/// What matches one of the patterns, as Ant writes them; `None` where there are none.
fn matcher(patterns: &[String]) -> Option<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        // A folder means all that is in it.
        let pattern = match pattern.ends_with('/') {
            true => format!("{pattern}**"),
            false => pattern.clone(),
        };
        // One that is no pattern matches nothing.
        if let Ok(glob) = Glob::new(&pattern) {
            set.add(glob);
        }
    }
    (!patterns.is_empty()).then(|| set.build().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pom: &str) -> Vec<Filtered> {
        let pom = Element::read(pom).unwrap();
        let chain = [&pom];
        declared(&chain, &Properties::of(&chain, false))
    }

    const PROJECT: &str = "<artifactId>client</artifactId><version>1.${minor}</version><properties><minor>4</minor></properties>";

    #[test]
    fn names_get_the_values_of_properties_and_others_stay() {
        let filtered = of(&format!(
            "<project>{PROJECT}<build><resources><resource><directory>src/main/resources</directory><filtering>true</filtering></resource></resources></build></project>"
        ));
        let text = b"v=${project.version} n=@project.name@ t=${timestamp} m=a@b.c ${basedir} \xe4";
        let filled = filtered[0].filled(text);
        let wanted: &[u8] = b"v=1.4 n=client t=${timestamp} m=a@b.c ${basedir} \xe4";
        assert_eq!(filled, wanted);
    }

    #[test]
    fn only_the_files_that_the_build_names_are_filtered() {
        let dir = tempfile::tempdir().unwrap();
        let mut filtered = of(&format!(
            "<project>{PROJECT}<build><resources><resource><directory>.</directory><filtering>false</filtering></resource>\
             <resource><directory>.</directory><filtering>true</filtering><includes><include>**/*.properties</include></includes><excludes><exclude>raw/</exclude></excludes></resource></resources></build></project>"
        ));
        assert_eq!(filtered.len(), 1);
        filtered[0].folder = dir.path().to_path_buf();
        std::fs::create_dir_all(dir.path().join("raw")).unwrap();
        let files = ["a.properties", "a.txt", "raw/b.properties"].map(|f| dir.path().join(f));
        for file in &files {
            std::fs::write(file, "${minor}").unwrap();
        }
        filtered[0].apply().unwrap();
        let texts = files.map(|f| std::fs::read_to_string(f).unwrap());
        assert_eq!(texts, ["4", "${minor}", "${minor}"]);
    }

    #[test]
    fn a_build_may_say_what_surrounds_names() {
        let filtered = of(&format!(
            "<project>{PROJECT}<build><resources><resource><directory>r</directory><filtering>true</filtering></resource></resources>\
             <plugins><plugin><artifactId>maven-resources-plugin</artifactId><configuration><delimiters><delimiter>@</delimiter></delimiters><useDefaultDelimiters>false</useDefaultDelimiters></configuration></plugin></plugins></build></project>"
        ));
        assert_eq!(filtered[0].filled(b"${minor} @minor@"), b"${minor} 4");
    }
}
