//! Maven projects whose Maven can't be asked, or can't read them: what their `pom.xml` files declare, without repositories, is made
//! into simpler projects, of which what is not to be had is left out.

use super::added_sources::{add_sources, added_sources};
use super::coordinates::Coordinates;
use super::declared::{Declared, Use, with_siblings};
use super::filtering::{self, Filtered};
use super::generated::{is_lacking, may_generate};
use super::made_poms;
use super::maven::{Maven, Testers};
use super::model::{Model, normal};
use super::other_classes::classes_below;
use super::plugins::{may_matter, parents};
use super::pom_file::Element;
use super::properties::Properties;
use super::reactor::reactor;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How deep below a reactor's folder its modules lie at most.
const DEPTH: usize = 6;

/// Where the sources of a module lie, unless it says so.
const SOURCES: [&str; 5] = [
    "src/main/java",
    "src/main/clojure",
    "src/main/groovy",
    "src/main/kotlin",
    "src/main/scala",
];

/// Where its classes are written.
const CLASSES: &str = "target/classes";

/// Where its resources lie, unless it says so.
const RESOURCES: &str = "src/main/resources";

/// Properties by which well-known parents are told the level of a project: Spring Boot's, and that of Apache's projects.
const PARENTS_LEVELS: [&str; 2] = ["java.version", "javaVersion"];

/// Where the tests of a module lie, unless it says so.
const TESTS: &str = "src/test/java";

/// Adds modules for the files that no module of the model holds, and those that hold their tests, and says so in its notes. What could not be generated for those that
/// a plugin `stopped`, and what those without sources pack, is taken from the artifact that their project has published.
pub fn add_declared(
    model: &mut Model,
    maven: &Maven,
    (files, testers): (&[String], &Testers),
    (jdk, stopped): (u32, &BTreeSet<String>),
) {
    let roots: Vec<&PathBuf> = model.modules.iter().flat_map(|m| &m.source_roots).collect();
    let is_missing = |file: &&String| {
        let path = maven.tree.join(file);
        !roots.iter().any(|root| path.starts_with(root))
    };
    let mut wanted: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in files.iter().filter(is_missing) {
        if let Some((root, module)) = reactor(maven.tree, file) {
            let known = |m: &super::Module| m.dir == root.join(&module);
            // A module that Maven knows is compiled from other folders than this file's.
            if !model.modules.iter().any(known) {
                wanted.entry(root).or_default().insert(module.into());
            }
        }
    }
    let runs = |dir: &&PathBuf| {
        let mut own = model.modules.iter().filter(|m| m.dir == **dir);
        own.any(|m| !m.test_class_path.is_empty())
    };
    for dir in testers.values().flatten().filter(|dir| !runs(dir)) {
        let file = dir.strip_prefix(maven.tree).unwrap_or(dir).join("pom.xml");
        if let Some((root, module)) = reactor(maven.tree, &file.to_string_lossy()) {
            wanted.entry(root).or_default().insert(module.into());
        }
    }
    for (root, modules) in wanted {
        let poms = Poms::read(&root);
        let mut projects = poms.projects(modules);
        for (dir, declared) in &mut projects {
            let added = poms.added_sources(dir);
            add_sources(declared, &root.join(dir), SOURCES[0], added);
            let packs = !has_sources(&root.join(dir), declared);
            let own = poms.coordinates(dir);
            let lacks = packs || poms.0.get(dir).is_some_and(may_generate);
            declared.published = own.filter(|c| lacks || stopped.contains(&c.name));
        }
        if projects.is_empty() {
            continue;
        }
        let made = made_poms::resolve(maven, &root, &projects, jdk);
        model.is_complete |= made.is_complete;
        model.add(made.modules);
        match model.notes.last_mut() {
            Some(note) => *note = format!("{note}; {}", made.note),
            None => model.notes.push(made.note),
        }
    }
    model.modules.sort_by(|a, b| a.dir.cmp(&b.dir));
}

/// Puts the artifacts that their project has published on the class paths of modules whose sources could not be generated, by their folders.
pub fn add_published(model: &mut Model, maven: &Maven, bare: &BTreeSet<PathBuf>, jdk: u32) {
    let still = |dir: &&PathBuf| {
        let module = model.modules.iter().find(|m| m.dir == **dir);
        module.is_some_and(|m| is_lacking(m, false))
    };
    let (jars, notes) = published(maven, bare.iter().filter(still), jdk);
    for (dir, jar) in jars {
        let module = model.modules.iter_mut().find(|m| m.dir == dir);
        module
            .into_iter()
            .for_each(|m| m.class_path.push(jar.clone()));
    }
    model.notes.extend(notes);
}

/// Puts the artifact that a module without sources has published where its classes are looked for: it packs classes of others under new
/// names (Maven's Shade plugin), but not before it is packaged.
pub fn add_packed(model: &mut Model, maven: &Maven, jdk: u32) {
    let packs = |dir: &Path| {
        let pom = std::fs::read_to_string(dir.join("pom.xml")).unwrap_or_default();
        pom.contains("<relocation>") && !has_sources(dir, &Declared::default())
    };
    let paths = model.modules.iter().flat_map(|m| &m.class_path);
    let of_module = |path: &PathBuf| Some(path.parent()?.parent()?.to_path_buf());
    let dirs: BTreeSet<PathBuf> = paths
        .filter(|path| path.ends_with(CLASSES))
        .filter_map(of_module)
        .collect();
    let (jars, notes) = published(maven, dirs.iter().filter(|dir| packs(dir)), jdk);
    for (dir, jar) in jars {
        for module in &mut model.modules {
            for path in [&mut module.class_path, &mut module.test_class_path] {
                let of = path.iter().position(|p| *p == dir.join(CLASSES));
                of.into_iter()
                    .for_each(|at| path.insert(at + 1, jar.clone()));
            }
        }
    }
    model.notes.extend(notes);
}

/// The jars that the modules in these folders have published, and what to say of them.
fn published<'a>(
    maven: &Maven,
    dirs: impl Iterator<Item = &'a PathBuf>,
    jdk: u32,
) -> (Vec<(PathBuf, PathBuf)>, Vec<String>) {
    let mut roots: BTreeMap<PathBuf, Vec<&PathBuf>> = BTreeMap::new();
    for dir in dirs {
        let file = dir.strip_prefix(maven.tree).unwrap_or(dir).join("pom.xml");
        if let Some((root, _)) = reactor(maven.tree, &file.to_string_lossy()) {
            roots.entry(root).or_default().push(dir);
        }
    }
    let (mut jars, mut notes) = (Vec::new(), Vec::new());
    for (root, modules) in roots {
        let poms = Poms::read(&root);
        let below = |dir: &Path| dir.strip_prefix(&root).unwrap_or(dir).to_path_buf();
        let own = |dir: &&PathBuf| Some(((*dir).clone(), poms.coordinates(&below(dir))?));
        let own: BTreeMap<PathBuf, Coordinates> = modules.iter().filter_map(own).collect();
        let (found, note) = made_poms::published(maven, &root, &own, jdk);
        jars.extend(found);
        notes.extend(note);
    }
    (jars, notes)
}

/// Whether a project is built from sources of any language; others pack what they depend on, under other names mostly.
fn has_sources(folder: &Path, declared: &Declared) -> bool {
    let named = declared.source_root.as_deref();
    let mut folders = named.into_iter().chain(SOURCES);
    folders.any(|below| folder.join(below).is_dir())
}

/// Modules that test others, at most this many for one.
const TESTERS: usize = 2;

/// Modules that hold the tests of another one and hardly anything else, by the folder of the other one, which holds some of the changed
/// files: those of which the patch changes `tests`, and any where the other one has no tests of its own.
pub fn testers(tree: &Path, files: &[String], tests: &[String]) -> Testers {
    let mut all = Testers::new();
    let mut read: BTreeMap<PathBuf, Poms> = BTreeMap::new();
    let modules = |files: &[String]| -> BTreeSet<(PathBuf, String)> {
        files.iter().filter_map(|f| reactor(tree, f)).collect()
    };
    let changed = modules(tests);
    for (root, module) in modules(files) {
        let dir = root.join(&module);
        let beside = changed.iter().filter(|m| m.0 == root && m.1 != module);
        let beside: BTreeSet<PathBuf> = beside.map(|m| PathBuf::from(&m.1)).collect();
        if module.is_empty() || dir.join(TESTS).is_dir() && beside.is_empty() {
            continue;
        }
        let poms = read
            .entry(root.clone())
            .or_insert_with(|| Poms::read(&root));
        let found = poms.testing(&root, Path::new(&module), &beside);
        if !found.is_empty() {
            all.insert(dir, found);
        }
    }
    all
}

/// Whether the compiler's own goals may say less of these modules, and of those they are built from, than all phases do; `None` where that
/// depends on parents that the local repository lacks.
pub fn need_phases(root: &Path, modules: &BTreeSet<String>, repository: &Path) -> Option<bool> {
    let poms = Poms::read(root);
    let all = poms.projects(modules.iter().map(PathBuf::from).collect());
    let mut are_known = true;
    for (dir, declared) in &all {
        // Resources are copied to the classes, so some may be compiled already.
        let usual = [RESOURCES.to_string()];
        let resources = match declared.resources.is_empty() {
            true => &usual[..],
            false => &declared.resources,
        };
        let mut folders = resources.iter().map(|f| root.join(dir).join(f));
        if folders.any(|folder| !classes_below(&folder).is_empty()) {
            return Some(true);
        }
        let (mut chain, parent) = poms.chain(dir);
        let (above, are_all) = parents(parent, repository);
        chain.extend(&above);
        if may_matter(&chain) || names_tests(&chain) {
            return Some(true);
        }
        are_known &= are_all;
    }
    match all.is_empty() {
        true => Some(true),
        false => are_known.then_some(false),
    }
}

/// Whether a project is built from the tests of another one: Maven gives them to those only that it takes through the phases.
fn names_tests(chain: &[&Element]) -> bool {
    let is_one = |d: &Element| {
        d.text_at(&["type"]) == Some("test-jar") || d.text_at(&["classifier"]) == Some("tests")
    };
    let mut all = chain.iter().flat_map(|pom| pom.all(&["dependencies"]));
    all.any(is_one)
}

/// What a project's `pom.xml` files say of its resources.
#[derive(Default)]
pub struct Resources {
    /// The folders that they name.
    pub folders: Vec<PathBuf>,
    /// Those of them that are filtered.
    pub filtered: Vec<Filtered>,
}

/// The resources that the `pom.xml` files of a tree name, by the folder of their project.
pub fn named_resources(tree: &Path) -> BTreeMap<PathBuf, Resources> {
    let poms = Poms::read(tree);
    let of = |below: &PathBuf| {
        let (chain, parent) = poms.chain(below);
        let properties = Properties::of(&chain, parent.is_some());
        let dir = tree.join(below);
        let place = |folder: &Path| normal(&dir.join(folder));
        let named = resources(&chain, &properties);
        let mut filtered = filtering::declared(&chain, &properties);
        filtered
            .iter_mut()
            .for_each(|f| f.folder = place(&f.folder));
        let resources = Resources {
            folders: named.iter().map(|f| place(Path::new(f))).collect(),
            filtered,
        };
        (dir, resources)
    };
    poms.0.keys().map(of).collect()
}

/// The `pom.xml` files below a folder, but those of tests' resources.
pub fn pom_files(root: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut next = vec![(root.to_path_buf(), 0)];
    while let Some((folder, depth)) = next.pop() {
        all.extend(Some(folder.join("pom.xml")).filter(|file| file.is_file()));
        if depth < DEPTH {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            let folders = entries.filter(|e| e.file_type().is_ok_and(|t| t.is_dir()));
            let folders = folders.filter(|e| e.file_name() != "src");
            next.extend(folders.map(|e| (e.path(), depth + 1)));
        }
    }
    all
}

/// The `pom.xml` files of a reactor, by folder below it.
struct Poms(BTreeMap<PathBuf, Element>);

impl Poms {
    fn read(root: &Path) -> Poms {
        let read = |file: PathBuf| {
            let pom = Element::read(&std::fs::read_to_string(&file).ok()?)?;
            let below = file.parent()?.strip_prefix(root).ok()?;
            Some((below.to_path_buf(), pom))
        };
        Poms(pom_files(root).into_iter().filter_map(read).collect())
    }

    /// The projects in these folders, and those they are built from.
    fn projects(&self, wanted: BTreeSet<PathBuf>) -> BTreeMap<PathBuf, Declared> {
        let first = wanted.iter().flat_map(|dir| self.compiling(dir));
        with_siblings(first.collect(), |dir| self.declared(dir))
    }

    /// The folders of the projects that are built from one, and that hold tests and hardly anything else: those with tests that changed,
    /// and where it has none of its own, others that name it.
    fn testing(&self, root: &Path, module: &Path, changed: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let folders = |dir: &Path, declared: &Declared| {
            let main = declared.source_root.as_deref().unwrap_or("src/main/java");
            let tests = declared.test_root.as_deref().unwrap_or(TESTS);
            [main, tests].map(|below| root.join(dir).join(below).is_dir())
        };
        let has_own = folders(module, &self.declared(module))[1];
        if has_own && changed.is_empty() {
            return Vec::new();
        }
        let is_tester = |dir: &&PathBuf| {
            let declared = self.declared(dir);
            let names_it = || !has_own && declared.siblings.iter().any(|s| s.1 == module);
            let comes_to_it = || {
                self.projects(BTreeSet::from([dir.to_path_buf()]))
                    .contains_key(module)
            };
            folders(dir, &declared) == [false, true]
                && (names_it() || changed.contains(*dir) && comes_to_it())
        };
        let mut found: Vec<&PathBuf> = self.0.keys().filter(is_tester).collect();
        found.sort_by_key(|dir| !changed.contains(*dir));
        found.truncate(TESTERS);
        found.into_iter().map(|dir| root.join(dir)).collect()
    }

    /// The projects that compile what lies in a folder: its own, or those below it that take their sources from above.
    fn compiling(&self, dir: &Path) -> Vec<PathBuf> {
        let Some(pom) = self.0.get(dir) else {
            return Vec::new();
        };
        if pom.text_at(&["packaging"]) != Some("pom") {
            return vec![dir.to_path_buf()];
        }
        let takes_from_above = |(_, pom): &(&PathBuf, &Element)| {
            let folder = pom.text_at(&["build", "sourceDirectory"]);
            folder.is_some_and(|f| f.contains(".."))
        };
        let below = self.0.iter().filter(|(folder, _)| folder.starts_with(dir));
        let found = below.filter(takes_from_above);
        found.map(|(folder, _)| folder.clone()).collect()
    }

    /// A project's own file and those of its parents in the reactor; and the parent that is not there.
    fn chain(&self, dir: &Path) -> (Vec<&Element>, Option<Coordinates>) {
        let mut chain: Vec<&Element> = Vec::new();
        let mut at = dir.to_path_buf();
        while let Some(pom) = self.0.get(&at) {
            chain.push(pom);
            let Some(parent) = pom.child("parent") else {
                return (chain, None);
            };
            let name = parent.text_at(&["artifactId"]);
            let way = parent.text_at(&["relativePath"]).unwrap_or("..");
            let folder = normal(&at.join(way.trim_end_matches("pom.xml")));
            let of_parent = |pom: &&Element| pom.text_at(&["artifactId"]) == name;
            match self.0.get(&folder).filter(of_parent) {
                Some(_) if folder != at && chain.len() < DEPTH => at = folder,
                _ => return (chain, parent.coordinates()),
            }
        }
        (chain, None)
    }

    /// Folders of sources that a plugin adds to a project's.
    fn added_sources(&self, dir: &Path) -> Vec<String> {
        let (chain, parent) = self.chain(dir);
        added_sources(&chain, &Properties::of(&chain, parent.is_some()))
    }

    /// What a project's artifact is called.
    fn coordinates(&self, dir: &Path) -> Option<Coordinates> {
        let (chain, parent) = self.chain(dir);
        let properties = Properties::of(&chain, parent.is_some());
        let named = |name: &str| properties.filled(&format!("${{project.{name}}}"));
        let [group, name, version] = ["groupId", "artifactId", "version"].map(named);
        Coordinates::read(&format!("{group}:{name}:{version}"))
    }

    fn declared(&self, dir: &Path) -> Declared {
        let (chain, parent) = self.chain(dir);
        let properties = Properties::of(&chain, parent.is_some());
        let managed: Vec<&Element> = chain
            .iter()
            .flat_map(|pom| pom.all(&["dependencyManagement", "dependencies"]))
            .collect();
        let mut declared = Declared {
            dir: dir.to_path_buf(),
            processors: true,
            ..Declared::default()
        };
        for one in &managed {
            if one.text_at(&["scope"]) == Some("import") {
                declared.platforms.extend(properties.coordinates(one));
            }
        }
        for one in chain.iter().flat_map(|pom| pom.all(&["dependencies"])) {
            self.dependency(one, &managed, &properties, &mut declared);
        }
        for pom in &chain {
            compiler(pom, &properties, &mut declared);
        }
        let level = |name: &str| {
            properties
                .known
                .get(name)
                .and_then(|_| properties.level(&format!("${{{name}}}")))
        };
        declared.release = declared.release.or_else(|| level("maven.compiler.release"));
        declared.source = declared.source.or_else(|| level("maven.compiler.source"));
        if declared.source.is_none() && parent.is_some() {
            let of_parents = || PARENTS_LEVELS.iter().find_map(|name| level(name));
            declared.release = declared.release.or_else(of_parents);
        }
        declared.encoding = properties
            .known
            .get("project.build.sourceEncoding")
            .cloned();
        let folder = |name: &str| {
            let said = chain.iter().find_map(|p| p.text_at(&["build", name]));
            said.map(|f| properties.filled(f))
        };
        declared.source_root = folder("sourceDirectory");
        declared.test_root = folder("testSourceDirectory");
        declared.resources = resources(&chain, &properties);
        declared.parent = parent;
        declared
    }

    fn dependency(
        &self,
        one: &Element,
        managed: &[&Element],
        properties: &Properties,
        declared: &mut Declared,
    ) {
        let Some(mut found) = properties.coordinates(one) else {
            return;
        };
        let same = |m: &&&Element| {
            let other = properties.coordinates(m);
            other.is_some_and(|o| (&o.group, &o.name) == (&found.group, &found.name))
        };
        let elsewhere = managed.iter().find(same);
        if found.version.is_empty() {
            let version = elsewhere.and_then(|m| properties.coordinates(m));
            found.version = version.map_or(String::new(), |v| v.version);
        }
        let scope = one.text_at(&["scope"]);
        let scope = scope.or_else(|| elsewhere?.text_at(&["scope"]));
        let of = match scope {
            Some("test") => Use::Test,
            _ => Use::Main,
        };
        if matches!(one.text_at(&["type"]), Some(kind) if kind != "jar") {
            return;
        }
        let own = |(_, pom): &(&PathBuf, &Element)| {
            let group = pom.text_at(&["groupId"]);
            let group = group.or_else(|| pom.text_at(&["parent", "groupId"]));
            pom.text_at(&["artifactId"]) == Some(&found.name) && group == Some(&found.group)
        };
        match self.0.iter().find(own) {
            Some((folder, _)) => drop(declared.siblings.insert((of, folder.clone()))),
            None => drop(declared.dependencies.insert((of, found))),
        }
    }
}

/// The folders of resources that a project's files name, below its own.
fn resources(chain: &[&Element], properties: &Properties) -> Vec<String> {
    let folder = |one: &Element| one.text_at(&["directory"]).map(|f| properties.filled(f));
    let named = filtering::resources(chain).iter().filter_map(folder);
    named.filter(|f| !f.contains("${")).collect()
}

/// What the compiler plugin of a file is told.
fn compiler(pom: &Element, properties: &Properties, declared: &mut Declared) {
    for plugin in pom.plugins("maven-compiler-plugin") {
        let text = |name: &str| plugin.text_at(&["configuration", name]);
        let level = |name: &str| text(name).and_then(|t| properties.level(t));
        declared.release = declared.release.or_else(|| level("release"));
        declared.source = declared.source.or_else(|| level("source"));
        declared.processors &= text("proc") != Some("none");
        for path in plugin.all(&["configuration", "annotationProcessorPaths"]) {
            let found = properties.coordinates(path).map(|c| (Use::Processor, c));
            declared.dependencies.extend(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::test_files::write;

    #[test]
    fn a_module_that_only_packs_others_has_no_sources() {
        let dir = tempfile::tempdir().unwrap();
        let named = |root: &str| Declared {
            source_root: Some(root.into()),
            ..Declared::default()
        };
        std::fs::create_dir_all(dir.path().join("src/main/resources")).unwrap();
        assert!(!has_sources(dir.path(), &Declared::default()));
        assert!(has_sources(dir.path(), &named("src/main")));
        std::fs::create_dir_all(dir.path().join("src/main/kotlin")).unwrap();
        assert!(has_sources(dir.path(), &Declared::default()));
    }

    #[test]
    fn modules_without_tests_are_tested_by_those_that_hold_only_tests() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| write(dir.path(), path, text);
        let module = |name: &str, needs: &str| {
            let parent = "<parent><groupId>g</groupId><artifactId>all</artifactId><version>1</version></parent>";
            let needs = match needs {
                "" => String::new(),
                needs => format!(
                    "<dependencies><dependency><groupId>g</groupId><artifactId>{needs}</artifactId></dependency></dependencies>"
                ),
            };
            let text = format!("<project>{parent}<artifactId>{name}</artifactId>{needs}</project>");
            write(&format!("{name}/pom.xml"), &text);
        };
        let modules = ["core", "core-testing", "app", "util", "app-testing"];
        let listed: String = modules.map(|m| format!("<module>{m}</module>")).concat();
        let head = "<groupId>g</groupId><artifactId>all</artifactId><version>1</version>";
        write(
            "pom.xml",
            &format!("<project>{head}<modules>{listed}</modules></project>"),
        );
        let needs = ["", "core", "core", "", "app"];
        modules.iter().zip(needs).for_each(|(m, n)| module(m, n));
        for folder in [
            "core/src/main",
            "app/src/main",
            "app/src/test",
            "util/src/main",
            "util/src/test",
            "core-testing/src/test",
            "app-testing/src/test",
        ] {
            write(&format!("{folder}/java/A.java"), "");
        }
        let files = ["core", "util"].map(|m| format!("{m}/src/main/java/A.java"));
        let found = testers(dir.path(), &files, &[]);
        let at = |name: &str| dir.path().join(name);
        let changed = ["app-testing/src/test/java/A.java".to_string()];
        let of_patch = testers(dir.path(), &files[..1], &changed);
        let first_that_changed = vec![at("app-testing"), at("core-testing")];
        assert_eq!(of_patch, BTreeMap::from([(at("core"), first_that_changed)]));
        let of_others = testers(dir.path(), &files[1..], &changed);
        assert_eq!(of_others, BTreeMap::new());
        assert_eq!(
            found,
            BTreeMap::from([(at("core"), vec![at("core-testing")])])
        );
    }

    #[test]
    fn files_say_what_a_module_is_built_from() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| write(dir.path(), path, text);
        write(
            "pom.xml",
            "<project><groupId>g</groupId><artifactId>all</artifactId><version>1</version>
             <parent><groupId>o</groupId><artifactId>outside</artifactId><version>7</version></parent>
             <properties><x.version>2.0</x.version><java.version>17</java.version></properties>
             <modules><module>core</module><module>web</module></modules>
             <dependencyManagement><dependencies>
               <dependency><groupId>x</groupId><artifactId>x</artifactId><version>${x.version}</version></dependency>
               <dependency><groupId>b</groupId><artifactId>bom</artifactId><version>3</version><type>pom</type><scope>import</scope></dependency>
             </dependencies></dependencyManagement></project>",
        );
        let parent =
            "<parent><groupId>g</groupId><artifactId>all</artifactId><version>1</version></parent>";
        write(
            "core/pom.xml",
            &format!(
                "<project>{parent}<artifactId>core</artifactId><build><sourceDirectory>src/java</sourceDirectory><testSourceDirectory>src/test</testSourceDirectory></build></project>"
            ),
        );
        write(
            "web/pom.xml",
            &format!(
                "<project>{parent}<artifactId>web</artifactId><dependencies>
                 <dependency><groupId>g</groupId><artifactId>core</artifactId><version>${{project.version}}</version></dependency>
                 <dependency><groupId>x</groupId><artifactId>x</artifactId></dependency>
                 <dependency><groupId>j</groupId><artifactId>j</artifactId><scope>test</scope></dependency></dependencies>
                 <build><resources><resource><directory>${{project.build.sourceDirectory}}</directory></resource><resource><directory>${{basedir}}/conf</directory></resource></resources><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration><source>1.5</source><proc>none</proc>
                 </configuration></plugin></plugins></build></project>"
            ),
        );
        let found = Poms::read(dir.path()).projects(BTreeSet::from(["web".into()]));
        let (core, web) = (&found[Path::new("core")], &found[Path::new("web")]);
        let of = |text| Coordinates::read(text).unwrap();
        assert_eq!(core.source_root.as_deref(), Some("src/java"));
        assert_eq!(core.test_root.as_deref(), Some("src/test"));
        assert_eq!((core.release, core.source), (Some(17), None));
        assert_eq!(web.parent, Some(of("o:outside:7")));
        assert_eq!(web.platforms, BTreeSet::from([of("b:bom:3")]));
        assert_eq!(web.siblings, BTreeSet::from([(Use::Main, "core".into())]));
        let own = [(Use::Main, of("x:x:2.0")), (Use::Test, of("j:j"))];
        assert_eq!(web.dependencies, BTreeSet::from(own));
        assert_eq!((web.source, web.processors), (Some(5), false));
        assert_eq!(web.resources, ["src/main/java", "./conf"]);
        let folders = named_resources(dir.path());
        let named = ["src/main/java", "conf"].map(|f| dir.path().join("web").join(f));
        assert_eq!(folders[&dir.path().join("web")].folders, named);
        assert!(folders[&dir.path().join("core")].folders.is_empty());
    }

    #[test]
    fn the_level_that_a_parent_is_told_by_a_property_is_known() {
        for (name, expected) in [
            ("java.version", Some(17)),
            ("javaVersion", Some(17)),
            ("other", None),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let text = format!(
                "<project><artifactId>a</artifactId>
                 <parent><groupId>o</groupId><artifactId>outside</artifactId><version>7</version></parent>
                 <properties><{name}>17</{name}></properties></project>"
            );
            write(dir.path(), "pom.xml", &text);
            let found = Poms::read(dir.path()).projects(BTreeSet::from([PathBuf::new()]));
            assert_eq!(found[Path::new("")].release, expected, "{name}");
        }
    }
}
