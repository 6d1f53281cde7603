//! Names in Gradle build files that stand for strings: variables, properties, entries of version catalogs.

use super::text::{OBJECT, Statement, Token};
use crate::project::coordinates::Coordinates;
use crate::project::properties;
use crate::util::folder::entries;
use crate::util::toml_text;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What makes a dependency of coordinates.
const CREATE: &str = "dependencies.create";

/// Folders in which a build keeps a file with the versions of its dependencies.
const VERSION_FOLDERS: [&str; 4] = ["", "gradle", "buildSrc", "build-tools-internal"];

/// What names stand for.
#[derive(Clone, Debug, Default)]
pub struct Names {
    symbols: BTreeMap<String, String>,
    /// Coordinates among the values of a name: in one map it may be that of a version, in another one that of a library.
    libraries: BTreeMap<String, String>,
    catalog: BTreeMap<String, Vec<String>>,
    platforms: BTreeSet<String>,
    /// Other names of catalogs: `ext { libraries = libs }`.
    aliases: BTreeMap<String, String>,
}

impl Names {
    /// The names of the build's properties and version catalogs.
    pub fn read(root: &Path) -> Names {
        let mut names = Names::default();
        names.set_properties(&root.join("gradle.properties"));
        for folder in VERSION_FOLDERS {
            for file in entries(&root.join(folder)) {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                if name.ends_with(".properties") && name.contains("version") {
                    for (name, value) in pairs_of(&file) {
                        names.symbols.entry(name).or_insert(value);
                    }
                }
            }
        }
        names.read_catalogs(root);
        names
    }

    /// Gives names what a file of properties says of them: that of a project counts more than its root's.
    pub fn set_properties(&mut self, file: &Path) {
        self.symbols.extend(pairs_of(file));
    }

    /// What a string, a name of a catalog, or a variable names.
    pub fn coordinates(&self, token: &Token) -> Vec<Coordinates> {
        match token {
            Token::Text(text) => Coordinates::read(&self.filled(text)).into_iter().collect(),
            Token::Word(word) => {
                let word = word.trim_end_matches(".get");
                let alias = word
                    .split_once('.')
                    .and_then(|(first, rest)| Some(format!("{}.{rest}", self.aliases.get(first)?)));
                let word = alias.as_deref().unwrap_or(word);
                let last = word.rsplit('.').next().unwrap_or(word);
                // A list behind a block in its map is known by its own name alone.
                let list = self
                    .catalog
                    .get(&dotted(word))
                    .or_else(|| self.catalog.get(last));
                if let Some(found) = list {
                    let filled = found.iter().map(|c| self.filled(c));
                    return filled.filter_map(|c| Coordinates::read(&c)).collect();
                }
                let read = |v: String| Coordinates::read(&self.filled(&v));
                let library = || self.libraries.get(last).cloned().and_then(read);
                let found = self.symbol(word).and_then(read).or_else(library);
                found.into_iter().collect()
            }
            Token::Mark(_) => Vec::new(),
        }
    }

    /// What a parameter of a statement is given: `group: 'g'`, `group = g`.
    pub fn parameter(&self, statement: &Statement, name: &str) -> Option<String> {
        let value = |three: &[Token]| match three {
            [Token::Word(word), Token::Mark(':' | '='), value] if word == name => match value {
                Token::Text(text) => Some(self.filled(text)),
                Token::Word(word) => self.symbol(word),
                Token::Mark(_) => None,
            },
            _ => None,
        };
        statement.tokens.windows(3).find_map(value)
    }

    /// A Java level: `17`, `1.8`, `JavaVersion.VERSION_1_8`, or what is called so.
    pub fn number(&self, word: &str) -> Option<u32> {
        let last = word.rsplit("VERSION_").next().unwrap_or(word);
        let plain = last.trim_start_matches("1.").trim_start_matches("1_");
        plain
            .parse()
            .ok()
            .filter(|n| (1..100).contains(n))
            .or_else(|| {
                let found = self.symbol(word.trim_end_matches(".get"))?;
                (found != word).then(|| found.trim_start_matches("1.").parse().ok())?
            })
    }

    /// A string with the variables in it that are known.
    pub fn filled(&self, text: &str) -> String {
        filled_by(text, |word| self.symbol(word))
    }

    /// The value of a name, by as much of its end as is known.
    pub fn symbol(&self, name: &str) -> Option<String> {
        let mut rest = name;
        loop {
            let found = self
                .symbols
                .get(rest)
                .or_else(|| self.symbols.get(&dotted(rest)));
            if let Some(value) = found {
                return Some(match value.contains('$') && *value != format!("${name}") {
                    true => self.filled(&value.replace(&format!("${{{name}}}"), "")),
                    false => value.clone(),
                });
            }
            rest = rest.split_once('.')?.1;
        }
    }

    /// Strings that are given names: `x = "1"`, `x: '1'`, `"x": '1'`, `set("x", "1")`.
    pub fn note(&mut self, all: &[Statement]) {
        for statement in all {
            self.note_lists(&statement.tokens);
            self.note_libraries(&statement.tokens);
            let objects = statement.blocks.iter();
            let objects: Vec<&str> = objects.filter_map(|b| b.strip_prefix(OBJECT)).collect();
            if !objects.is_empty() {
                self.note_constants(&objects, &statement.tokens);
                continue;
            }
            let mut prefix = String::new();
            for window in statement.tokens.windows(3) {
                match window {
                    [Token::Word(name), Token::Mark('='), Token::Mark('[')] => {
                        prefix = name.rsplit('.').next().unwrap_or_default().to_string();
                    }
                    [
                        Token::Word(name),
                        Token::Mark('=' | ':'),
                        Token::Text(value),
                    ]
                    | [
                        Token::Text(name),
                        Token::Mark(',' | ':'),
                        Token::Text(value),
                    ] => {
                        let last = name.rsplit('.').next().unwrap_or(name);
                        if !prefix.is_empty() {
                            self.symbols
                                .insert(format!("{prefix}.{last}"), value.clone());
                        }
                        for key in [name.as_str(), last] {
                            self.symbols.entry(key.to_string()).or_insert(value.clone());
                        }
                    }
                    [Token::Word(name), Token::Mark('='), Token::Word(value)]
                        if value == "libs" =>
                    {
                        let last = name.rsplit('.').next().unwrap_or(name);
                        self.aliases.insert(last.to_string(), value.clone());
                    }
                    [Token::Word(name), Token::Mark('='), Token::Word(value)]
                        if value.starts_with(|c: char| c.is_ascii_digit()) =>
                    {
                        self.symbols.entry(name.clone()).or_insert(value.clone());
                    }
                    _ => {}
                }
            }
        }
    }

    /// Constants of a Kotlin object in a build's own code: `object Deps { object Moshi { const val core = "g:a:$version" } }`, which
    /// scripts call `Deps.Moshi.core`. A name in a text is that of the nearest object around.
    fn note_constants(&mut self, objects: &[&str], tokens: &[Token]) {
        for window in tokens.windows(3) {
            let [Token::Word(name), Token::Mark('='), Token::Text(value)] = window else {
                continue;
            };
            let nearest = |word: &str| {
                let around = (1..=objects.len()).rev().map(|n| objects[..n].join("."));
                let mut keys = around.map(|around| format!("{around}.{word}"));
                let known = keys.find_map(|key| self.symbols.get(&key).cloned());
                // What is not known yet is filled where the constant is used.
                Some(known.unwrap_or_else(|| format!("${{{word}}}")))
            };
            let value = filled_by(value, nearest);
            let key = format!("{}.{name}", objects.join("."));
            self.symbols.insert(key, value.clone());
            // Scripts may import the inner objects, or all that is in one.
            let last = if value.contains(':') {
                objects.len()
            } else {
                objects.len() - 1
            };
            for from in 1..=last {
                let mut key = objects[from..].join(".");
                key.push_str(if key.is_empty() { "" } else { "." });
                let known = self.symbols.entry(key + name);
                known.or_insert(value.clone());
            }
        }
    }

    /// Names of coordinates: `x: "a:b:1"`, `x = dependencies.create("a:b:1")`.
    fn note_libraries(&mut self, tokens: &[Token]) {
        for at in 2..tokens.len() {
            let Token::Text(value) = &tokens[at] else {
                continue;
            };
            let name = match &tokens[..at] {
                [.., Token::Word(name), Token::Mark('=' | ':')] => name,
                [
                    ..,
                    Token::Word(name),
                    Token::Mark('=' | ':'),
                    Token::Word(create),
                    Token::Mark('('),
                ] if create.ends_with(CREATE) => name,
                _ => continue,
            };
            if value.contains(':') {
                let last = name.rsplit('.').next().unwrap_or(name);
                let known = self.libraries.entry(last.to_string());
                known.or_insert(value.clone());
            }
        }
    }

    /// Lists of coordinates that are given names, also inside of maps: `libs = [test: ['a:b:1', 'c:d:2']]`.
    fn note_lists(&mut self, tokens: &[Token]) {
        let mut open: Vec<(&str, Vec<String>)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let before = |n: usize| at.checked_sub(n).and_then(|i| tokens.get(i));
            match token {
                Token::Mark('[') => {
                    let name = match (before(2), before(1)) {
                        (Some(Token::Word(n) | Token::Text(n)), Some(Token::Mark('=' | ':'))) => n,
                        _ => "",
                    };
                    open.push((name.rsplit('.').next().unwrap_or_default(), Vec::new()));
                }
                Token::Text(text) if text.contains(':') => {
                    let is_key = tokens.get(at + 1) == Some(&Token::Mark(':'));
                    let is_made = before(1) == Some(&Token::Mark('('))
                        && matches!(before(2), Some(Token::Word(w)) if w.ends_with(CREATE));
                    let place = before(if is_made { 3 } else { 1 });
                    let is_element = matches!(place, Some(Token::Mark('[' | ',')));
                    if let (Some(list), true, false) = (open.last_mut(), is_element, is_key) {
                        list.1.push(text.clone());
                    }
                }
                Token::Mark(']') => {
                    let names: Vec<&str> = open.iter().map(|o| o.0).collect();
                    let name = names.join(".");
                    let list = open.pop().unwrap_or_default().1;
                    if !list.is_empty() && !names.contains(&"") {
                        self.catalog.insert(dotted(&name), list);
                    }
                }
                _ => {}
            }
        }
    }

    /// Version catalogs: aliases to coordinates, bundles to several, versions among the symbols. A catalog in a file with another name than
    /// Gradle expects goes by the file's name, and is `libs` where there is no other.
    fn read_catalogs(&mut self, root: &Path) {
        let folders = ["gradle", ""].into_iter();
        let files: Vec<PathBuf> = folders.flat_map(|f| entries(&root.join(f))).collect();
        let has_libs = files.iter().any(|f| f.ends_with("libs.versions.toml"));
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let Some(name) = name.strip_suffix(".toml") else {
                continue;
            };
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some(catalog) = name.strip_suffix(".versions") {
                self.read_catalog(catalog, &text);
            } else if text.contains("[libraries") {
                self.read_catalog(name, &text);
                if !has_libs {
                    self.read_catalog("libs", &text);
                }
            }
        }
    }

    /// Platforms that a catalog has for the whole build.
    pub fn platforms(&self) -> impl Iterator<Item = Coordinates> {
        self.platforms.iter().filter_map(|p| Coordinates::read(p))
    }

    /// Notes what a version catalog of that name says.
    pub fn read_catalog(&mut self, catalog: &str, text: &str) {
        let Ok(table) = toml_text::read::<toml::Table>(text) else {
            return;
        };
        let part = |name: &str| {
            table
                .get(name)
                .and_then(|v| v.as_table())
                .cloned()
                .unwrap_or_default()
        };
        let plain = |value: &toml::Value| -> String {
            let of_table = |t: &toml::Table| {
                let kinds = ["strictly", "require", "prefer"];
                kinds
                    .iter()
                    .find_map(|k| t.get(*k)?.as_str().map(str::to_string))
            };
            let text = value.as_str().map(str::to_string);
            text.or_else(|| of_table(value.as_table()?))
                .unwrap_or_default()
        };
        let versions: BTreeMap<String, String> = part("versions")
            .iter()
            .map(|(n, v)| (dotted(n), plain(v)))
            .collect();
        for (name, version) in &versions {
            self.symbols
                .insert(format!("{catalog}.versions.{name}"), version.clone());
        }
        let version_of = |entry: &toml::Value| match entry.get("version") {
            Some(version) => match version.get("ref").and_then(|r| r.as_str()) {
                Some(name) => versions.get(&dotted(name)).cloned().unwrap_or_default(),
                None => plain(version),
            },
            None => String::new(),
        };
        let coordinates = |library: &toml::Value| {
            let text = |key: &str| {
                let value = library.get(key).and_then(|v| v.as_str());
                value.map(str::to_string)
            };
            let version = version_of(library);
            let module =
                text("module").or_else(|| Some(format!("{}:{}", text("group")?, text("name")?)));
            let whole = library.as_str().map(str::to_string);
            whole.or_else(|| Some(format!("{}:{version}", module?)))
        };
        // No part of Gradle's own catalogs: builds with one read the file themselves.
        let platforms = part("boms");
        self.platforms
            .extend(platforms.values().filter_map(coordinates));
        for (alias, library) in part("libraries") {
            let found = coordinates(&library);
            let key = format!("{catalog}.{}", dotted(&alias));
            self.catalog.entry(key).or_default().extend(found);
        }
        for (alias, plugin) in part("plugins") {
            let id = plugin.get("id").and_then(|v| v.as_str());
            let version = version_of(&plugin);
            let whole = plugin.as_str().map(str::to_string);
            let found = whole.or_else(|| Some(format!("{}:{version}", id?)));
            let key = format!("{catalog}.plugins.{}", dotted(&alias));
            self.symbols.extend(found.map(|f| (key, f)));
        }
        for (name, members) in part("bundles") {
            let members = members
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|m| m.as_str());
            let all = members.filter_map(|m| self.catalog.get(&format!("{catalog}.{}", dotted(m))));
            let all: Vec<String> = all.flatten().cloned().collect();
            self.catalog
                .insert(format!("{catalog}.bundles.{}", dotted(&name)), all);
        }
    }
}

/// What a file of properties says; nothing where it can't be read.
fn pairs_of(file: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let pairs = properties::pairs(&text);
    pairs.map(|(n, v)| (n.into(), v.into())).collect()
}

/// A string with the values of the variables in it.
fn filled_by(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let (name, behind) = match after.strip_prefix('{') {
            Some(inner) => inner.split_once('}').unwrap_or((inner, "")),
            None => {
                let end = after.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
                after.split_at(end.unwrap_or(after.len()))
            }
        };
        let plain: String = name.trim_end_matches(".get()").into();
        let words = plain
            .split(['"', '\'', '(', ')', '[', ']'])
            .filter(|w| !w.is_empty());
        out.push_str(&words.rev().find_map(&value).unwrap_or_default());
        rest = behind;
    }
    out + rest
}

/// Hyphens and underscores of a catalog's alias are dots where it is used.
fn dotted(alias: &str) -> String {
    alias.replace(['-', '_'], ".")
}

#[cfg(test)]
mod tests {
    use super::super::text::statements;
    use super::*;

    #[test]
    fn constants_of_kotlin_objects_are_named_by_them() {
        let text = "internal object Deps {\n const val all = \"1.0\"\n object Moshi {\n  private const val version = \"2.1\"\n  \
            const val core = \"g:core:$version\"\n  const val more = \"g:more:$all\"\n }\n object Okio {\n  \
            private const val version = \"3.2\"\n  const val io = \"g:io:${version}\"\n }\n}\n";
        let mut names = Names::default();
        names.note(&statements(text));
        let of = |name: &str| names.symbol(name).unwrap_or_default();
        assert_eq!(of("Deps.Moshi.core"), "g:core:2.1");
        assert_eq!(of("Deps.Moshi.more"), "g:more:1.0");
        assert_eq!(of("Deps.Okio.io"), "g:io:3.2");
        assert_eq!(of("Okio.io"), "g:io:3.2");
        assert_eq!(of("io"), "g:io:3.2");
        assert_eq!(of("version"), "");
    }

    #[test]
    fn a_catalog_may_have_another_name_in_scripts() {
        let mut names = Names::default();
        let catalog = "[libraries]\nerrorprone-annotations = \"g:errorprone:2\"\n[boms]\nall = \"g:all-bom:3\"\n";
        names.read_catalog("libs", catalog);
        names.note(&statements(
            "subprojects {\n  ext {\n    libraries = libs\n  }\n}\n",
        ));
        let of = |name: &str| names.coordinates(&Token::Word(name.into()));
        let wanted = Coordinates::read("g:errorprone:2");
        assert_eq!(of("libraries.errorprone.annotations"), [wanted.unwrap()]);
        assert_eq!(of("others.errorprone.annotations"), []);
        assert_eq!(names.platforms().next(), Coordinates::read("g:all-bom:3"));
    }

    #[test]
    fn a_list_in_a_map_stands_for_all_its_coordinates() {
        let text = "ext {\n  v = '4'\n  libs = [\n    gson: 'g:gson:2',\n    test: [\n      'j:junit:4.+',\n      \"h:hamcrest:$v\"\n    ]\n  ]\n}\n";
        let mut names = Names::default();
        names.note(&statements(text));
        let of = |name: &str| {
            let found = names.coordinates(&Token::Word(name.into()));
            let texts = found
                .iter()
                .map(|c| format!("{}:{}:{}", c.group, c.name, c.version));
            texts.collect::<Vec<_>>()
        };
        assert_eq!(of("libs.gson"), ["g:gson:2"]);
        assert_eq!(of("libs.test"), ["j:junit:4.+", "h:hamcrest:4"]);
    }
}
