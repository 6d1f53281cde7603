//! A Gradle project that is a platform for the others: the versions it gives.

use super::names::Names;
use super::text::{Statement, Token};
use crate::project::declared::Declared;

/// Blocks that say nothing of what others depend on.
const OTHERS: [&str; 4] = ["buildscript", "plugins", "pluginManagement", "publishing"];

/// Adds what a platform's build file names: its own platforms, and versions of single libraries. Lists are often gone through in loops, so
/// any coordinates count, and what is called a BOM is a platform.
pub fn add(own: &[Statement], names: &Names, declared: &mut Declared) {
    let mut names = names.clone();
    names.note(own);
    let is_of_others = |s: &&Statement| !OTHERS.iter().any(|o| s.is_in(o));
    for statement in own.iter().filter(is_of_others) {
        let is_platform = statement.tokens.iter().any(is_platform);
        let found = statement.tokens.iter().flat_map(|t| names.coordinates(t));
        for one in found.filter(|c| !c.version.is_empty()) {
            let is_bom = one.name.split('-').any(|part| part == "bom");
            let of = match is_platform || is_bom {
                true => &mut declared.platforms,
                false => &mut declared.managed,
            };
            of.insert(one);
        }
    }
}

fn is_platform(token: &Token) -> bool {
    matches!(token, Token::Word(word) if ["platform", "enforcedPlatform"].contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::text::statements;
    use super::*;

    #[test]
    fn lists_of_a_platform_are_platforms_and_versions() {
        let text = "val v = \"2.1\"\nval BOMS = listOf(\"g:a-bom:1\")\nval ALL = listOf(\n  \"g:b:$v\",\n)\n\
            dependencies {\n  for (bom in BOMS) { api(platform(bom)) }\n  api(platform(\"g:parent:3\"))\n}\n";
        let mut declared = Declared::default();
        add(&statements(text), &Names::default(), &mut declared);
        let told = |all: &std::collections::BTreeSet<crate::project::coordinates::Coordinates>| {
            let each = all.iter().map(|c| format!("{}:{}", c.name, c.version));
            each.collect::<Vec<_>>()
        };
        assert_eq!(told(&declared.platforms), ["a-bom:1", "parent:3"]);
        assert_eq!(told(&declared.managed), ["b:2.1"]);
    }
}
