//! The published artifact of a Gradle project with classes that are not in its sources: packed ones of others under new names (the
//! Shadow plugin's `relocate`), and generated ones.

use super::names::Names;
use super::text::{Statement, Token};
use crate::project::coordinates::Coordinates;
use crate::util::folder::java_files;
use std::path::Path;

/// How many source files such a project may have: one is there so that the plugin has something to begin with.
const SOURCES: usize = 4;

/// Plugins that generate sources, as the ends of their ids.
const GENERATORS: [&str; 14] = [
    "antlr",
    "avro",
    "avro-base",
    "dgs.codegen",
    "fbs",
    "graphql",
    "javacc",
    "jooq",
    "jsonschema2pojo",
    "openapi.generator",
    "protobuf",
    "thrift",
    "wire",
    "xjc",
];

/// Whether plugins with these ids generate sources.
pub fn generates(plugins: &[String]) -> bool {
    let is_one = |plugin: &String| {
        let ends_so = |end: &&str| {
            let before = plugin.strip_suffix(*end);
            before.is_some_and(|b| b.is_empty() || b.ends_with(['.', '-']))
        };
        GENERATORS.iter().any(ends_so)
    };
    plugins.iter().any(is_one)
}

/// The artifact of the project called `name` in `folder`, if it packs others' classes or generates some; without a version where the build
/// does not write one down.
pub fn artifact(
    all: &[Statement],
    names: &Names,
    (name, folder): (&str, &Path),
    generates: bool,
) -> Option<Coordinates> {
    let packs = || {
        let relocates = all.iter().any(|s| s.head() == "relocate");
        relocates && java_files(&folder.join("src/main"), SOURCES + 1) <= SOURCES
    };
    if !generates && !packs() {
        return None;
    }
    let said = |of: &str| {
        let mut values = all.iter().filter_map(|s| value(s, of, names));
        // Tasks have groups, too: titles, not names.
        values.find(|v| !v.starts_with(char::is_uppercase) && !v.contains(' '))
    };
    // Where no group is set, the publication may have one; what else is called a group is mostly a dependency's.
    let published = || all.iter().find_map(|s| published_group(s, names));
    let group = said("group")
        .or_else(published)
        .or_else(|| names.symbol("group"))
        .unwrap_or_default();
    // What else a build adds to it, such as a mark of the day, no published version has.
    let mut own = all.iter();
    let own = own.find(|s| s.blocks.is_empty() && s.head() == "version");
    let version = said("version").or_else(|| match own.map(|s| &s.tokens[..]) {
        Some([_, Token::Mark('='), Token::Word(first), ..]) => names.symbol(first),
        Some(_) => None,
        None => names.symbol("version"),
    });
    let version = version.unwrap_or_default();
    let name = said("archivesBaseName")
        .or_else(|| said("archivesName"))
        .unwrap_or_else(|| name.into());
    Coordinates::read(&format!("{group}:{name}:{version}")).filter(|c| !c.group.is_empty())
}

/// `group = 'x'` and `group 'x'` outside of dependencies.
fn value(statement: &Statement, of: &str, names: &Names) -> Option<String> {
    let outer = ["allprojects", "subprojects", "configure", "base"];
    let is_own = |b: &String| outer.contains(&b.as_str()) || b.starts_with("project(");
    if !statement.blocks.iter().all(is_own) {
        return None;
    }
    let (name, text) = statement.assigned()?;
    (name.rsplit('.').next() == Some(of)).then(|| names.filled(text))
}

/// `groupId = 'x'` and `groupId 'x'` of a publication (the `maven-publish` plugin).
fn published_group(statement: &Statement, names: &Names) -> Option<String> {
    let is_inside = |block: &str| statement.blocks.iter().any(|b| b == block);
    if !(is_inside("publishing") && is_inside("publications")) {
        return None;
    }
    let (name, text) = statement.assigned()?;
    (name == "groupId").then(|| names.filled(text))
}

#[cfg(test)]
mod tests {
    use super::super::text::statements;
    use super::*;

    #[test]
    fn a_project_that_relocates_classes_is_known_by_its_artifact() {
        let text = "subprojects {\n  group = \"org.shop\"\n  version = shopVersion()\n}\nproject(':shop-guava') {\n  \
            dependencies { compileOnly('g:guava:1') { exclude group: 'x' } }\n  shadowJar { relocate 'g.common', 'org.shop.g' }\n}\n";
        let dir = tempfile::tempdir().unwrap();
        let of = |text: &str| {
            let all = statements(text);
            artifact(&all, &Names::default(), ("shop-guava", dir.path()), false)
        };
        assert_eq!(of(text), Coordinates::read("org.shop:shop-guava"));
        assert_eq!(of(&text.replace("relocate", "include")), None);
        let folder = dir.path().join("src/main/java");
        std::fs::create_dir_all(&folder).unwrap();
        for i in 0..=SOURCES {
            std::fs::write(folder.join(format!("C{i}.java")), "").unwrap();
        }
        assert_eq!(of(text), None);
    }
    #[test]
    fn a_project_that_generates_sources_is_known_by_the_name_of_its_archive() {
        let text = "group = 'org.shop'\nbase { archivesName = 'shop-messages' }\n";
        let mut names = Names::default();
        names.note(&statements("version = '2.1-SNAPSHOT'"));
        let found = |generates| {
            let folder = Path::new("messages");
            artifact(&statements(text), &names, ("messages", folder), generates)
        };
        let expected = Coordinates::read("org.shop:shop-messages:2.1-SNAPSHOT");
        assert_eq!(found(true), expected);
        assert_eq!(found(false), None);
        let plugins = |name: &str| generates(&[name.to_string()]);
        assert!(plugins("com.google.protobuf") && plugins("antlr"));
        assert!(!plugins("java-library") && !plugins("hardwire"));
    }

    #[test]
    fn where_a_build_sets_no_group_that_of_its_publication_counts() {
        let text = "publishing {\n  publications {\n    own(MavenPublication) {\n      from components.java\n      \
            groupId 'org.shop'\n      pom { name = 'Shop' }\n    }\n  }\n}\n";
        let base = "dependencySet(group: 'org.base', version: '4') {\n  entry 'a'\n}\ndef number = '2.1'\n";
        let mut names = Names::default();
        names.note(&statements(base));
        let of = |text: &str| {
            let folder = Path::new("messages");
            artifact(&statements(text), &names, ("messages", folder), true)
        };
        let shop = |version: &str| Coordinates::read(&format!("org.shop:messages:{version}"));
        assert_eq!(of(&format!("version = '3'\n{text}")), shop("3"));
        assert_eq!(
            of(&format!("version = number + tag()\n{text}")),
            shop("2.1")
        );
        assert_eq!(of(&format!("version = tag()\n{text}")), shop(""));
        let elsewhere = text.replace("publications", "repositories");
        assert_ne!(of(&elsewhere).map(|c| c.group).as_deref(), Some("org.shop"));
        let with_group = of(&format!("group = 'org.store'\n{text}"));
        assert_eq!(with_group.map(|c| c.group).as_deref(), Some("org.store"));
    }
}
