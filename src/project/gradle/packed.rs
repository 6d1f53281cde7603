//! The published artifact of a Gradle project that only packs others' classes under new names (the Shadow plugin's `relocate`).

use super::names::Names;
use super::text::{Statement, Token};
use crate::project::coordinates::Coordinates;
use crate::util::folder::entries;
use std::path::Path;

/// How many source files such a project may have: one is there so that the plugin has something to begin with.
const SOURCES: usize = 4;

/// The artifact of the project called `name` in `folder`; without a version where the build does not write one down.
pub fn artifact(
    all: &[Statement],
    names: &Names,
    (name, folder): (&str, &Path),
) -> Option<Coordinates> {
    let relocates = all.iter().any(|s| s.head() == "relocate");
    if !relocates || sources(&folder.join("src/main")) > SOURCES {
        return None;
    }
    let said = |of: &str| {
        let mut values = all.iter().filter_map(|s| value(s, of, names));
        values.next().unwrap_or_default()
    };
    Coordinates::read(&format!("{}:{name}:{}", said("group"), said("version")))
}

/// `group = 'x'` and `group 'x'` outside of dependencies.
fn value(statement: &Statement, of: &str, names: &Names) -> Option<String> {
    let outer = ["allprojects", "subprojects", "configure"];
    let is_own = |b: &String| outer.contains(&b.as_str()) || b.starts_with("project(");
    if !statement.blocks.iter().all(is_own) {
        return None;
    }
    match &statement.tokens[..] {
        [Token::Word(word), Token::Text(text)]
        | [Token::Word(word), Token::Mark('='), Token::Text(text)]
            if word.rsplit('.').next() == Some(of) =>
        {
            Some(names.filled(text))
        }
        _ => None,
    }
}

/// The number of Java files below a folder.
fn sources(folder: &Path) -> usize {
    let each = entries(folder).into_iter().map(|e| match e.is_dir() {
        true => sources(&e),
        false => usize::from(e.extension().is_some_and(|x| x == "java")),
    });
    each.sum()
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
            artifact(&all, &Names::default(), ("shop-guava", dir.path()))
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
}
