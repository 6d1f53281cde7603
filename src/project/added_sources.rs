//! Folders of sources that a project's files let `build-helper-maven-plugin` add.

use super::declared::Declared;
use super::pom_file::Element;
use super::properties::Properties;
use std::path::Path;

const PLUGIN: &str = "build-helper-maven-plugin";

/// Folders below the project's own that the plugin adds to its main sources, in the order of the files, the project's own first.
pub fn added_sources(chain: &[&Element], properties: &Properties) -> Vec<String> {
    let mut all = Vec::new();
    for pom in chain {
        let plugins = pom.all(&["build", "plugins"]).iter();
        let helpers = plugins.filter(|p| p.text_at(&["artifactId"]) == Some(PLUGIN));
        for helper in helpers {
            let executions = helper.all(&["executions"]).iter();
            let adding: Vec<&Element> = executions.filter(|e| adds(e)).collect();
            if !adding.is_empty() {
                all.extend(named(helper));
            }
            all.extend(adding.into_iter().flat_map(named));
        }
    }
    let filled = all.into_iter().map(|folder| properties.filled(folder));
    filled.filter(|folder| !folder.contains("${")).collect()
}

/// Takes those of the folders that are there; where the usual one is not, the first stands for it.
pub fn add_sources(declared: &mut Declared, project: &Path, usual: &str, added: Vec<String>) {
    let is_there = |folder: &str| project.join(folder).is_dir();
    let mut added = added.into_iter().filter(|folder| is_there(folder));
    let own = declared.source_root.as_deref().unwrap_or(usual);
    if !is_there(own)
        && let Some(first) = added.next()
    {
        declared.source_root = Some(first);
    }
    declared.more_roots.extend(added);
}

fn adds(execution: &Element) -> bool {
    let mut goals = execution.all(&["goals"]).iter();
    goals.any(|goal| goal.text == "add-source")
}

fn named(of: &Element) -> impl Iterator<Item = &str> {
    let sources = of.all(&["configuration", "sources"]).iter();
    sources.map(|source| source.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_folders_stand_for_the_usual_one_where_that_is_not_there() {
        let pom = |goal: &str| {
            let text = format!(
                "<project><build><plugins><plugin><artifactId>{PLUGIN}</artifactId><executions><execution>
                   <goals><goal>{goal}</goal></goals><configuration><sources><source>${{basedir}}/src</source>
                   <source>gen</source><source>${{unknown}}</source><source>away</source></sources></configuration>
                 </execution></executions></plugin></plugins></build></project>"
            );
            Element::read(&text).unwrap()
        };
        let of = |goal: &str| {
            let pom = pom(goal);
            added_sources(&[&pom], &Properties::of(&[&pom], false))
        };
        assert!(of("add-test-source").is_empty());
        let found = of("add-source");
        assert_eq!(found, ["./src", "gen", "away"]);
        let dir = tempfile::tempdir().unwrap();
        for folder in ["src", "gen"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
        }
        let mut declared = Declared::default();
        add_sources(&mut declared, dir.path(), "src/main/java", found.clone());
        assert_eq!(declared.source_root.as_deref(), Some("./src"));
        assert_eq!(declared.more_roots, ["gen"]);
        std::fs::create_dir_all(dir.path().join("src/main/java")).unwrap();
        let mut usual = Declared::default();
        add_sources(&mut usual, dir.path(), "src/main/java", found);
        assert_eq!(usual.source_root, None);
        assert_eq!(usual.more_roots, ["./src", "gen"]);
    }
}
