//! Ivy: Ant's projects that declare what they need in an `ivy.xml`; Maven resolves it.

use super::coordinates::Coordinates;
use super::declared::{Declared, Use};
use super::jars;
use super::made_poms;
use super::maven::Maven;
use super::model::{Model, Module};
use super::pom_file::Element;
use super::properties::{Properties, pairs};
use super::{Tree, Wish};
use crate::util::package;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file with a project's dependencies.
const FILE: &str = "ivy.xml";

/// How names of files end that hold nothing but properties.
const PROPERTIES: &str = ".properties";

/// Other files with properties.
const WITH_PROPERTIES: [&str; 4] = ["build.xml", "ivysettings.xml", "common.xml", "default.xml"];

/// Configurations of what is no library.
const NO_LIBRARIES: [&str; 6] = ["checkstyle", "doc", "docs", "javadoc", "source", "sources"];

/// Whether a commit says so what it needs.
pub(super) fn is_there(files: &[(String, String)], changed: &[String]) -> bool {
    !declaring(files, changed).is_empty()
}

/// The files of a commit that say what the folders of changed files need.
fn declaring(files: &[(String, String)], changed: &[String]) -> BTreeSet<String> {
    let folders = changed
        .iter()
        .flat_map(|f| Path::new(f).ancestors().skip(1));
    let places = folders.flat_map(|f| [f.join(FILE), f.join("ivy").join(FILE)]);
    let places = places.map(|p| p.to_string_lossy().into_owned());
    let is_there = |path: &String| files.binary_search_by(|f| f.0.cmp(path)).is_ok();
    places.filter(is_there).collect()
}

/// One module with the class path that Maven resolves for what is declared; source roots are found otherwise.
pub(super) fn model(
    (tree, at): (&Tree, &Path),
    notes: &Path,
    changed: &[String],
    wish: &Wish,
) -> Model {
    let mut model = Model {
        tool: "ivy".into(),
        ..Model::default()
    };
    let properties = properties(tree.files, at);
    let mut declared = Declared {
        source_root: root(at, changed.iter()),
        test_root: root(
            at,
            tree.files
                .iter()
                .map(|f| &f.0)
                .filter(|f| jars::is_of_tests(f)),
        ),
        ..Declared::default()
    };
    for path in declaring(tree.files, changed) {
        match read(&at.join(&path)) {
            Some(file) => declared
                .dependencies
                .extend(dependencies(&file, &properties)),
            None => model.notes.push(format!("{path} is no XML")),
        }
    }
    // Of the other modules of the tree there are sources.
    let files = tree.files.iter().map(|f| &f.0);
    let modules = files.filter(|f| Path::new(f).ends_with(FILE));
    let own: BTreeSet<_> = modules
        .filter_map(|f| own_name(&read(&at.join(f))?))
        .collect();
    let names = |c: &Coordinates| (c.group.clone(), c.name.clone());
    declared
        .dependencies
        .retain(|d| !own.contains(&names(&d.1)));
    let projects = BTreeMap::from([(PathBuf::new(), declared)]);
    let maven = Maven::of(at, notes, wish);
    let made = made_poms::resolve(&maven, at, &projects, wish.jdk);
    model.notes.push(format!("ivy.xml, {}", made.note));
    model.is_complete = made.is_complete;
    let plain = |m: Module| Module {
        dir: at.to_path_buf(),
        class_path: m.class_path,
        test_class_path: m.test_class_path,
        ..Module::default()
    };
    model.modules = made.modules.into_iter().map(plain).collect();
    model
}

fn read(file: &Path) -> Option<Element> {
    Element::read(&std::fs::read_to_string(file).ok()?)
}

/// The organisation and name of the module that a file describes.
fn own_name(file: &Element) -> Option<(String, String)> {
    let info = file.child("info")?;
    let text = |name| info.attribute(name).map(str::to_string);
    Some((text("organisation")?, text("module")?))
}

/// The first folder that packages of these files begin in.
fn root<'a>(tree: &Path, files: impl Iterator<Item = &'a String>) -> Option<String> {
    let mut java = files.filter(|f| f.ends_with(".java"));
    java.find_map(|file| {
        let text = std::fs::read(tree.join(file)).ok()?;
        let package = package::folder(&String::from_utf8_lossy(&text));
        let folder = file.rsplit_once('/').map_or("", |f| f.0);
        let root = folder.strip_suffix(&package)?.trim_end_matches('/');
        Some(if root.is_empty() { "." } else { root }.to_string())
    })
}

/// Whether what a project needs depends on a file: dependencies, or properties at the top of the tree or beside its `ivy.xml`.
pub(super) fn is_read(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_near = matches!(folder, "" | "ivy" | "build" | "lib");
    let has_properties = name.ends_with(PROPERTIES) || WITH_PROPERTIES.contains(&name);
    name == FILE || is_near && has_properties
}

/// What these files say of properties; the first value counts, as in Ant.
fn properties(files: &[(String, String)], tree: &Path) -> Properties {
    let mut all = BTreeMap::new();
    for file in files.iter().map(|f| &f.0).filter(|f| is_read(f)) {
        let name = file.rsplit('/').next().unwrap_or_default();
        if name.ends_with(PROPERTIES) {
            let bytes = std::fs::read(tree.join(file)).unwrap_or_default();
            for (key, value) in pairs(&String::from_utf8_lossy(&bytes)) {
                all.entry(key.to_string()).or_insert(value.to_string());
            }
        } else if WITH_PROPERTIES.contains(&name) {
            let found = read(&tree.join(file));
            found.iter().for_each(|file| note(file, &mut all));
        }
    }
    Properties::known(all)
}

/// Notes the properties of an element and of those in it.
fn note(element: &Element, all: &mut BTreeMap<String, String>) {
    if element.name == "property"
        && let (Some(name), Some(value)) = (element.attribute("name"), element.attribute("value"))
    {
        all.entry(name.to_string()).or_insert(value.to_string());
    }
    element.children.iter().for_each(|child| note(child, all));
}

/// What an `ivy.xml` declares; without a version where that can't be told.
fn dependencies(file: &Element, properties: &Properties) -> BTreeSet<(Use, Coordinates)> {
    let own = file.at(&["info"]).and_then(|i| i.attribute("organisation"));
    let all = file.all(&["dependencies"]).iter();
    let all = all.filter(|e| e.name == "dependency").filter_map(|one| {
        let text = |name| one.attribute(name).map(|t| properties.filled(t));
        let group = text("org").or(own.map(str::to_string))?;
        let (name, version) = (text("name")?, text("rev").unwrap_or_default());
        let of = use_of(one.attribute("conf").unwrap_or_default())?;
        let found = Coordinates::read(&format!("{group}:{name}:{version}"))?;
        Some((of, found))
    });
    all.collect()
}

/// What a dependency of these configurations (`compile,test->default; docs`) is needed for; `None` where it is no library.
fn use_of(configurations: &str) -> Option<Use> {
    let own = configurations.split(';').flat_map(|c| {
        let own = c.split("->").next().unwrap_or_default();
        own.split(',').map(str::trim)
    });
    let own: Vec<&str> = own.filter(|c| !c.is_empty()).collect();
    if own.iter().any(|c| NO_LIBRARIES.contains(c)) {
        return None;
    }
    let is_test = |c: &&str| c.to_ascii_lowercase().contains("test");
    match !own.is_empty() && own.iter().all(is_test) {
        true => Some(Use::Test),
        false => Some(Use::Main),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_with_their_uses_and_versions() {
        let text = "<ivy-module xmlns:m='m'><info organisation='org.own'/><dependencies>
            <dependency org='junit' name='junit' rev='${junit}' conf='test->default'/>
            <dependency org='a' name='b' rev='1.0' conf='*->master'/>
            <dependency name='core' rev='latest.integration' conf='compile, test'/>
            <dependency org='a' name='tool' rev='1' conf='docs'/>
            <dependency org='c' name='d' rev='${unknown}'/>
            <exclude org='e'/></dependencies></ivy-module>";
        let properties = Properties::known(BTreeMap::from([
            ("junit".to_string(), "${four}".to_string()),
            ("four".to_string(), "4.13".to_string()),
        ]));
        let found = dependencies(&Element::read(text).unwrap(), &properties);
        let told: Vec<String> = found
            .iter()
            .map(|(of, c)| format!("{of:?} {}:{}:{}", c.group, c.name, c.version))
            .collect();
        assert_eq!(
            told,
            [
                "Main a:b:1.0",
                "Main c:d:",
                "Main org.own:core:latest.integration",
                "Test junit:junit:4.13"
            ]
        );
    }

    #[test]
    fn the_files_above_the_changed_ones_count() {
        let files: Vec<(String, String)> = ["ivy/ivy.xml", "src/a/ivy.xml", "src/b/ivy.xml"]
            .map(|f| (f.to_string(), String::new()))
            .into();
        let found = declaring(&files, &["src/a/java/p/A.java".to_string()]);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["ivy/ivy.xml", "src/a/ivy.xml"]);
        assert!(!is_there(&files[2..], &["src/a/java/p/A.java".to_string()]));
    }
}
