//! The build model of a project's modules: source roots, class paths, levels, processors.

use super::filtering::Filtered;
use super::processors::METADATA_ONLY;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The name of Maven in a model.
pub const MAVEN: &str = "maven";
/// What a model says where no build tool was asked.
pub const NONE: &str = "none";

/// The build of one commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// `maven`, `gradle`, or `none`.
    pub tool: String,
    /// Modules with changed files, and what they are built from, by folder.
    pub modules: Vec<Module>,
    /// Options that open packages of the JDK to what runs.
    #[serde(default)]
    pub opens: Vec<String>,
    /// Folders of the modules, in the commit, whose own classes generate sources.
    #[serde(default)]
    pub generators: Vec<String>,
    /// What could not be had, and why.
    pub notes: Vec<String>,
    /// Whether asking again would give the same although there are notes.
    #[serde(default)]
    pub is_complete: bool,
    /// Whether the build tool was ended by the time limit of the whole run.
    #[serde(skip)]
    pub lacks_time: bool,
}

/// One module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Its folder.
    pub dir: PathBuf,
    /// Where its classes go.
    pub output: PathBuf,
    /// A folder of classes that the build makes of something else than Java's sources: of Kotlin's, Groovy's, Scala's.
    #[serde(default)]
    pub other_classes: Option<PathBuf>,
    /// Where its sources begin, generated ones included.
    pub source_roots: Vec<PathBuf>,
    /// Folders of its resources, where the build files name some.
    #[serde(default)]
    pub resources: Vec<PathBuf>,
    /// Those of them whose files are filtered.
    #[serde(default)]
    pub filtered: Vec<Filtered>,
    /// Dependencies: jars, and other modules' `output`.
    pub class_path: Vec<PathBuf>,
    /// Where its tests begin.
    pub test_source_roots: Vec<PathBuf>,
    /// What the tests need.
    pub test_class_path: Vec<PathBuf>,
    /// Where annotation processors are, when not on the class path; `None` where none is to run.
    pub processors: Option<Vec<PathBuf>>,
    /// `--release`.
    pub release: Option<u32>,
    /// `-source`.
    pub source: Option<u32>,
    /// The encoding of its sources.
    pub encoding: Option<String>,
    /// Further options of javac that change what is compiled.
    pub arguments: Vec<String>,
}

/// What javac needs for some of the modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Source roots of these modules and of those they are built from.
    pub source_roots: Vec<PathBuf>,
    /// Their folders of resources that the build files name.
    pub resources: Vec<PathBuf>,
    /// Those of them whose files are filtered.
    pub filtered: Vec<Filtered>,
    /// Jars.
    pub class_path: Vec<PathBuf>,
    /// What tests need beside it.
    pub test_class_path: Vec<PathBuf>,
    /// Where tests begin.
    pub test_source_roots: Vec<PathBuf>,
    /// Source roots of the modules that only tests are built from.
    pub roots_for_tests: Vec<PathBuf>,
    /// Options of javac.
    pub flags: Vec<String>,
    /// The Java level, where the build says it.
    pub level: Option<u32>,
}

impl Model {
    /// Adds those of these modules whose folder has none yet.
    pub(super) fn add(&mut self, modules: Vec<Module>) {
        for module in modules {
            if self.modules.iter().all(|m| m.dir != module.dir) {
                self.modules.push(module);
            }
        }
    }

    /// The module whose source root, else whose folder, holds a file.
    pub fn module_of(&self, file: &Path) -> Option<&Module> {
        let holding = |m: &Module| {
            let roots = m.source_roots.iter().filter(|r| file.starts_with(r));
            roots.map(|r| r.components().count()).max()
        };
        let rooted = self.modules.iter().filter(|m| holding(m).is_some());
        if let Some(module) = rooted.max_by_key(|m| holding(m)) {
            return Some(module);
        }
        let holds = self.modules.iter().filter(|m| file.starts_with(&m.dir));
        holds.max_by_key(|m| m.dir.components().count())
    }

    /// Whether a file is none of those that its module's build compiles. Gradle's source sets beside the main one are compiled, too, but are
    /// not in the model.
    pub fn leaves_out(&self, file: &Path) -> bool {
        let roots = self.modules.iter().flat_map(|m| &m.source_roots);
        let module = self.module_of(file);
        self.tool == MAVEN
            && module.is_some_and(|m| !m.source_roots.is_empty())
            && !roots.into_iter().any(|root| file.starts_with(root))
    }

    /// The module that an entry of a class path is made of: where it is compiled to, or the jar beside that, if its build makes one before
    /// others are compiled.
    fn sibling(&self, entry: &Path) -> Option<&Module> {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let is_jar = name.ends_with(".jar") && !name.ends_with("tests.jar");
        let of = |m: &&Module| {
            let beside = || is_jar && entry.parent() == m.output.parent();
            m.output == *entry || beside()
        };
        self.modules.iter().find(of)
    }

    /// What the modules of these files need, for a JDK of that release. Files of no known module add nothing.
    pub fn needs(&self, files: &[PathBuf], jdk: u32) -> Needs {
        let mut needs = Needs::default();
        let mut seen: BTreeSet<&Path> = BTreeSet::new();
        let touched: Vec<&Module> = files.iter().filter_map(|f| self.module_of(f)).collect();
        let mut next: Vec<&Module> = Vec::new();
        for module in &touched {
            if seen.insert(&module.dir) {
                next.push(module);
            }
        }
        let first = next.clone();
        let mut at = 0;
        while let Some(module) = next.get(at).copied() {
            at += 1;
            add(&mut needs.source_roots, &module.source_roots);
            add(&mut needs.resources, &module.resources);
            needs.filtered.extend(module.filtered.iter().cloned());
            add(&mut needs.class_path, module.other_classes.as_slice());
            for entry in &module.class_path {
                match self.sibling(entry) {
                    Some(sibling) if seen.insert(&sibling.dir) => next.push(sibling),
                    Some(_) => {}
                    None => add(&mut needs.class_path, std::slice::from_ref(entry)),
                }
            }
        }
        for module in &first {
            let outside = module.test_class_path.iter();
            let outside = outside.filter(|e| self.sibling(e).is_none());
            let outside: Vec<PathBuf> = outside.cloned().collect();
            add(&mut needs.test_class_path, &outside);
            add(&mut needs.test_source_roots, &module.test_source_roots);
        }
        let of_tests = first.iter().flat_map(|m| &m.test_class_path);
        let mut wanted: Vec<&PathBuf> = of_tests.collect();
        while let Some(entry) = wanted.pop() {
            let sibling = self.sibling(entry);
            if let Some(sibling) = sibling.filter(|m| seen.insert(&m.dir)) {
                add(&mut needs.roots_for_tests, &sibling.source_roots);
                wanted.extend(&sibling.class_path);
            }
        }
        needs.flags = flags((&first, &next), &needs.class_path, jdk);
        needs.level = first.iter().filter_map(|m| m.level()).max();
        needs
    }

    /// The same with another folder in place of the one it was made for.
    pub fn moved(&self, from: &Path, to: &Path) -> Model {
        let mut model = self.clone();
        let place = |p: &mut PathBuf| {
            if let Ok(rest) = p.strip_prefix(from) {
                *p = to.join(rest);
            }
        };
        model.modules.iter_mut().for_each(|m| m.each_path(place));
        model
    }
}

impl Module {
    /// The Java level of its sources, where the build states one.
    pub fn level(&self) -> Option<u32> {
        self.release.or(self.source)
    }

    /// Writes its paths as they are: a build may call a folder `build/../src`, or by a link.
    pub(super) fn make_plain(&mut self) {
        self.each_path(|path| *path = normal(path));
        let roots = self.source_roots.iter_mut();
        for root in roots.chain(&mut self.test_source_roots) {
            if let Ok(real) = std::fs::canonicalize(&root) {
                *root = real;
            }
        }
    }

    /// Changes all paths.
    fn each_path(&mut self, change: impl Fn(&mut PathBuf)) {
        change(&mut self.dir);
        change(&mut self.output);
        let lists = [
            &mut self.source_roots,
            &mut self.resources,
            &mut self.class_path,
            &mut self.test_source_roots,
            &mut self.test_class_path,
        ];
        lists.into_iter().flatten().for_each(&change);
        let filtered = self.filtered.iter_mut();
        filtered.for_each(|f| change(&mut f.folder));
        self.processors.iter_mut().flatten().for_each(&change);
        self.other_classes.iter_mut().for_each(&change);
    }
}

/// A way without `..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(out.pop()),
            std::path::Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// Adds those that are not there yet.
pub(super) fn add(all: &mut Vec<PathBuf>, more: &[PathBuf]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

/// Options of javac for these modules together: the newest of their levels, their processors, and those of `all` that they are built from:
/// these are compiled with them.
fn flags(
    (modules, all): (&[&Module], &[&Module]),
    class_path: &[PathBuf],
    jdk: u32,
) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    let newest = modules.iter().max_by_key(|m| m.level());
    let arguments = || modules.iter().flat_map(|m| &m.arguments);
    // javac refuses these with `--release`, and another module may have that.
    let opens_the_jdk =
        arguments().any(|a| a.starts_with("--add-exports") || a.starts_with("--add-reads"));
    let lifts = modules.iter().any(|m| {
        let mut path = m.processors.iter().flatten().chain(&m.class_path);
        path.any(|jar| lifts_level(jar))
    });
    if let Some(module) = newest.filter(|_| !lifts) {
        let level = |n: u32| n.clamp(oldest_source(jdk), jdk).to_string();
        match (module.release, module.source) {
            (Some(n), _) if n <= jdk && !opens_the_jdk => {
                flags.extend(["--release".into(), level(n)]);
            }
            (Some(n), _) | (None, Some(n)) if n <= jdk => {
                flags.extend(["-source".into(), level(n), "-target".into(), level(n)]);
            }
            _ => {}
        }
    }
    let mut named: Vec<&str> = Vec::new();
    let mut words = arguments();
    while let Some(argument) = words.next() {
        if argument == "-processor" {
            let names = words.next().map_or("", String::as_str).split(',');
            let new: Vec<&str> = names.filter(|name| !named.contains(name)).collect();
            named.extend(new);
            continue;
        }
        let is_preview = argument == "--enable-preview";
        // Preview features are those of the compiler's own level only.
        if !(flags.contains(argument) || is_preview && !flags.contains(&jdk.to_string())) {
            flags.push(argument.clone());
        }
    }
    if !named.is_empty() {
        named.retain(|name| !METADATA_ONLY.contains(name));
        if named.is_empty() {
            return flags;
        }
        flags.extend(["-processor".into(), named.join(",")]);
    }
    let mut path: Vec<PathBuf> = Vec::new();
    for module in all {
        match &module.processors {
            Some(own) if own.is_empty() => add(&mut path, class_path),
            Some(own) => add(&mut path, own),
            None => {}
        }
    }
    path.retain(|jar| !lifts_level(jar));
    flags.extend(super::processors(&path));
    flags
}

/// Whether a jar is the plugin Jabel, with which javac takes the syntax of newer levels at an older one: it rewrites the running compiler
/// as an agent. Without it, and at the JDK's own level, the same sources compile.
fn lifts_level(jar: &Path) -> bool {
    let name = jar.file_name().map(|n| n.to_string_lossy());
    name.is_some_and(|n| n.starts_with("jabel-") && n.ends_with(".jar"))
}

/// The oldest `-source` that a JDK's compiler takes.
fn oldest_source(jdk: u32) -> u32 {
    if jdk >= 20 { 8 } else { 7 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(dir: &str, class_path: &[&str]) -> Module {
        Module {
            dir: Path::new("/t").join(dir),
            output: Path::new("/t").join(dir).join("target/classes"),
            source_roots: vec![Path::new("/t").join(dir).join("src/main/java")],
            class_path: class_path.iter().map(PathBuf::from).collect(),
            ..Module::default()
        }
    }

    #[test]
    fn with_a_plugin_that_lifts_the_level_sources_compile_at_the_jdks_own() {
        let mut lifted = module("a", &["/m2/b.jar"]);
        lifted.release = Some(8);
        assert_eq!(flags((&[&lifted], &[&lifted]), &[], 17), ["--release", "8"]);
        lifted.processors = Some(vec!["/m2/jabel-javac-plugin-1.0.0.jar".into()]);
        assert_eq!(
            flags((&[&lifted], &[&lifted]), &[], 17),
            Vec::<String>::new()
        );
    }

    #[test]
    fn siblings_are_needed_as_sources() {
        let mut model = Model {
            modules: vec![
                module("", &[]),
                module("core", &["/m2/a.jar"]),
                module("web", &["/t/core/target/classes", "/m2/b.jar"]),
            ],
            ..Model::default()
        };
        model.modules[1].release = Some(21);
        model.modules[2].source = Some(8);
        let file = PathBuf::from("/t/web/src/main/java/A.java");
        let needs = model.needs(&[file], 17);
        let roots = ["/t/web/src/main/java", "/t/core/src/main/java"];
        assert_eq!(needs.source_roots, roots.map(PathBuf::from));
        assert_eq!(
            needs.class_path,
            ["/m2/b.jar", "/m2/a.jar"].map(PathBuf::from)
        );
        assert_eq!(needs.flags, ["-source", "8", "-target", "8"]);
        assert_eq!(needs.level, Some(8));
    }

    #[test]
    fn the_jar_of_a_sibling_stands_for_its_sources() {
        let mut model = Model::default();
        let path = ["/t/b/target/b-1.jar", "/t/b/target/b-1-tests.jar", "/c.jar"];
        model.modules = vec![module("a", &path), module("b", &[])];
        let needs = model.needs(&[PathBuf::from("/t/a/src/main/java/A.java")], 17);
        let roots = ["/t/a/src/main/java", "/t/b/src/main/java"].map(PathBuf::from);
        assert_eq!(needs.source_roots, roots);
        let jars: Vec<PathBuf> = path[1..].iter().map(PathBuf::from).collect();
        assert_eq!(needs.class_path, jars);
    }

    #[test]
    fn sources_of_siblings_that_only_tests_need_are_told_apart() {
        let mut web = module("web", &["/t/core/target/classes"]);
        web.test_class_path = ["/t/core/target/classes", "/t/kit/target/classes"]
            .map(PathBuf::from)
            .to_vec();
        let model = Model {
            modules: vec![
                module("core", &[]),
                module("base", &[]),
                module("kit", &["/t/base/target/classes", "/t/core/target/classes"]),
                web,
            ],
            ..Model::default()
        };
        let needs = model.needs(&[PathBuf::from("/t/web/src/main/java/A.java")], 17);
        let roots = ["/t/kit/src/main/java", "/t/base/src/main/java"];
        assert_eq!(needs.roots_for_tests, roots.map(PathBuf::from));
        assert!(needs.test_class_path.is_empty());
    }

    #[test]
    fn a_model_moves_with_its_folder() {
        let model = Model {
            modules: vec![module("a", &["/t/b/target/classes", "/m2/c.jar"])],
            ..Model::default()
        };
        let moved = model.moved(Path::new("/t"), Path::new("/u"));
        assert_eq!(moved.modules[0].dir, Path::new("/u/a"));
        let path = ["/u/b/target/classes", "/m2/c.jar"].map(PathBuf::from);
        assert_eq!(moved.modules[0].class_path, path);
    }
}
