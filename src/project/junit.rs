//! The launcher and engine of JUnit 5, which build tools add to the test class path when they run tests.

use super::Wish;
use super::coordinates::Coordinates;
use super::declared::{Declared, Use};
use super::made_poms;
use super::maven::Maven;
use super::model::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The parts of JUnit 5 that a test class path may lack: group, name, and the part whose version they share.
const PARTS: [(&str, &str, &str); 3] = [
    (
        "org.junit.platform",
        "junit-platform-launcher",
        "junit-platform-commons",
    ),
    (
        "org.junit.platform",
        "junit-platform-engine",
        "junit-platform-commons",
    ),
    (
        "org.junit.jupiter",
        "junit-jupiter-engine",
        "junit-jupiter-api",
    ),
];

/// The part with all of them in one jar.
const STANDALONE: &str = "junit-platform-console-standalone";

/// Adds to each module's test class path what JUnit 5 needs to run there: from the local repository that its other jars come from,
/// else as Maven resolves it in the folder `work`. What can't be had stays away, and those who run tests say so.
pub fn add_runners(model: &mut Model, wish: &Wish, work: &Path) {
    let mut wanted: BTreeSet<Coordinates> = BTreeSet::new();
    for module in &mut model.modules {
        for (part, beside) in missing(&module.test_class_path) {
            match neighbour(&beside, &part) {
                Some(jar) => module.test_class_path.push(jar),
                None => {
                    wanted.insert(part);
                }
            }
        }
    }
    if wanted.is_empty() {
        return;
    }
    let jars = resolved(wanted, wish, work);
    for module in &mut model.modules {
        for (part, _) in missing(&module.test_class_path) {
            let is_it = |jar: &&PathBuf| version_of(jar, &part.name) == Some(&part.version);
            module
                .test_class_path
                .extend(jars.iter().find(is_it).cloned());
        }
    }
}

/// The parts that a test class path with JUnit 5 lacks, each with the jar that says its version.
fn missing(class_path: &[PathBuf]) -> Vec<(Coordinates, PathBuf)> {
    let jar_of = |name: &str| class_path.iter().find(|j| version_of(j, name).is_some());
    if jar_of(STANDALONE).is_some() {
        return Vec::new();
    }
    let lacking = PARTS.iter().filter(|part| jar_of(part.1).is_none());
    let of = |&(group, name, of): &(&str, &str, &str)| {
        let beside = jar_of(of)?;
        let part = Coordinates {
            group: group.into(),
            name: name.into(),
            version: version_of(beside, of)?.into(),
        };
        Some((part, beside.clone()))
    };
    lacking.filter_map(of).collect()
}

/// The version in a jar's file name, where the jar is of that artifact.
fn version_of<'a>(jar: &'a Path, name: &str) -> Option<&'a str> {
    let file = jar.file_name()?.to_str()?.strip_suffix(".jar")?;
    let version = file.strip_prefix(name)?.strip_prefix('-')?;
    version
        .starts_with(|c: char| c.is_ascii_digit())
        .then_some(version)
}

/// The jar of an artifact in the local repository of another jar: Maven's `group/as/folders/name/version/`, or Gradle's
/// `group/name/version/hash/`.
fn neighbour(jar: &Path, part: &Coordinates) -> Option<PathBuf> {
    let file = format!("{}-{}.jar", part.name, part.version);
    let below = |up: usize| jar.ancestors().nth(up);
    let maven = || {
        // All of JUnit 5 lies in groups of three parts that begin with `org.junit`.
        let base = below(6).filter(|_| below(4).is_some_and(|d| d.ends_with("org/junit")))?;
        let group = base.join(part.group.replace('.', "/"));
        let jar = group.join(&part.name).join(&part.version).join(&file);
        Some(jar).filter(|jar| jar.is_file())
    };
    let gradle = || {
        let group = below(5)?.join(&part.group);
        let hashes = std::fs::read_dir(group.join(&part.name).join(&part.version)).ok()?;
        let mut jars = hashes.flatten().map(|hash| hash.path().join(&file));
        jars.find(|jar| jar.is_file())
    };
    maven().or_else(gradle)
}

/// The jars of these artifacts, and of what they need, as Maven resolves them.
fn resolved(wanted: BTreeSet<Coordinates>, wish: &Wish, work: &Path) -> Vec<PathBuf> {
    let (tree, notes) = (work.join("junit"), work.join("junit-notes"));
    let sources = tree.join("src/main/java");
    let source = || {
        std::fs::create_dir_all(&sources)?;
        std::fs::write(sources.join("Runner.java"), "class Runner {}\n")
    };
    if source().is_err() {
        return Vec::new();
    }
    let declared = Declared {
        dependencies: wanted.into_iter().map(|part| (Use::Main, part)).collect(),
        ..Declared::default()
    };
    let maven = Maven::of(&tree, &notes, wish);
    let projects = BTreeMap::from([(PathBuf::new(), declared)]);
    let made = made_poms::resolve(&maven, &tree, &projects, wish.jdk);
    made.modules
        .into_iter()
        .flat_map(|m| m.class_path)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jar(base: &Path, path: &str) -> PathBuf {
        let jar = base.join(path);
        std::fs::create_dir_all(jar.parent().unwrap()).unwrap();
        std::fs::write(&jar, "").unwrap();
        jar
    }

    #[test]
    fn launcher_and_engine_come_from_the_repository_of_the_other_jars() {
        let dir = tempfile::tempdir().unwrap();
        let in_maven = |name: &str, group: &str, version: &str| {
            format!("org/junit/{group}/{name}/{version}/{name}-{version}.jar")
        };
        let in_gradle = |name: &str, group: &str, version: &str| {
            format!("org.junit.{group}/{name}/{version}/ab12/{name}-{version}.jar")
        };
        for layout in [&in_maven as &dyn Fn(&str, &str, &str) -> String, &in_gradle] {
            let path = [
                jar(
                    dir.path(),
                    &layout("junit-jupiter-api", "jupiter", "5.10.2"),
                ),
                jar(
                    dir.path(),
                    &layout("junit-platform-commons", "platform", "1.10.2"),
                ),
            ];
            jar(
                dir.path(),
                &layout("junit-platform-launcher", "platform", "1.9.0"),
            );
            let found = |of: &[(Coordinates, PathBuf)]| -> Vec<Option<PathBuf>> {
                of.iter()
                    .map(|(part, beside)| neighbour(beside, part))
                    .collect()
            };
            let parts = missing(&path);
            assert_eq!(found(&parts), [None, None, None], "another release is none");
            let launcher = jar(
                dir.path(),
                &layout("junit-platform-launcher", "platform", "1.10.2"),
            );
            let engine = jar(
                dir.path(),
                &layout("junit-platform-engine", "platform", "1.10.2"),
            );
            let jupiter = jar(
                dir.path(),
                &layout("junit-jupiter-engine", "jupiter", "5.10.2"),
            );
            let all = [launcher, engine, jupiter];
            assert_eq!(found(&parts), all.clone().map(Some));
            assert_eq!(missing(&[&path[..], &all].concat()), []);
        }
    }

    #[test]
    fn projects_without_junit_5_lack_nothing() {
        let jar = |name: &str| PathBuf::from(format!("/m2/{name}.jar"));
        assert_eq!(missing(&[jar("junit-4.13.2")]), []);
        let all = "junit-platform-console-standalone-1.10.2";
        assert_eq!(missing(&[jar(all), jar("junit-jupiter-api-5.10.2")]), []);
    }
}
