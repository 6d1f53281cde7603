//! Gradle build files, read without Gradle: dependencies, sibling projects, levels.

use super::locks::Locks;
use super::managed;
use super::names::Names;
use super::platform;
use super::published;
use super::roots::Roots;
use super::settings::{Settings, ends};
use super::text::{OBJECT, Statement, Token, statements};
use crate::project::coordinates::Coordinates;
use crate::project::declared::{Declared, Use};
use crate::util::folder::entries;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The plugin that brings Lombok, and the version that stands for its own choice.
const LOMBOK_PLUGIN: &str = "io.freefair.lombok";
const LOMBOK: &str = "1.18.42";

/// Plugins that give a project Gradle's own classes, and the library with these: the version that stands where the build says none.
const MAKES_PLUGINS: [&str; 3] = [
    "java-gradle-plugin",
    "groovy-gradle-plugin",
    "com.gradle.plugin-publish",
];
const GRADLE_API: &str = "dev.gradleplugins:gradle-api";
const GRADLE: &str = "8.5";

/// Spring Boot's plugin, and the artifact that puts it on a build's own class path.
const BOOT_PLUGIN: &str = "org.springframework.boot";
const BOOT_ON_BUILD_PATH: &str = "org.springframework.boot:spring-boot-gradle-plugin:";

/// Plugins of Spring's own builds (spring-build-conventions), and the script that they apply to each project.
const SPRING_CONVENTIONS: &str = "io.spring.convention.";
const SPRING_VERSIONS: &str = "dependency-management";

/// The build files of one build.
pub struct Files {
    root: PathBuf,
    /// The library with the classes of the Gradle that the build wants.
    api: Option<Coordinates>,
    /// Whether that Gradle looks for annotation processors on the class path: until 5 it does.
    finds_processors: bool,
    names: Names,
    settings: Settings,
    own: Vec<Statement>,
    folders: BTreeMap<String, PathBuf>,
    shared: BTreeMap<String, Vec<Statement>>,
}

impl Files {
    /// Reads what all projects of the build below `root` share.
    pub fn read(root: &Path) -> Files {
        let distribution = super::distribution(root);
        let version = distribution.as_deref().and_then(super::version_of);
        let version = version.unwrap_or(GRADLE);
        let mut files = Files {
            root: root.to_path_buf(),
            api: Coordinates::read(&format!("{GRADLE_API}:{version}")),
            finds_processors: super::major(version) < 5,
            names: Names::read(root),
            settings: Settings::read(root),
            own: build_file(root),
            folders: BTreeMap::new(),
            shared: BTreeMap::new(),
        };
        let own = files.own.clone();
        files.names.note(&own);
        let mut depths: BTreeMap<String, usize> = BTreeMap::new();
        for folder in walk(root, 4) {
            let below = folder.strip_prefix(root).unwrap_or(&folder);
            let is_shared = [
                "gradle",
                "buildSrc",
                "build-logic",
                "buildLogic",
                "conventions",
            ]
            .iter()
            .any(|f| below.components().any(|c| c.as_os_str() == *f));
            for file in scripts(&folder) {
                // Beside the root's own files: scripts such as `dependencies.gradle` that others apply.
                let is_applied = below.as_os_str().is_empty()
                    && !["build", "settings"].contains(&stem(&file).as_str());
                if is_shared || is_applied {
                    let read = statements(&std::fs::read_to_string(&file).unwrap_or_default());
                    files.names.note(&read);
                    // Samples are often builds of their own: of scripts of one name the one nearest to the root counts.
                    let depth = below.components().count();
                    let known = depths.entry(stem(&file)).or_insert(depth);
                    if depth <= *known {
                        *known = depth;
                        files.shared.insert(stem(&file), read);
                    }
                }
            }
            for file in constants(&folder).filter(|_| is_shared) {
                let mut read = statements(&std::fs::read_to_string(&file).unwrap_or_default());
                read.retain(|s| s.blocks.iter().all(|b| b.starts_with(OBJECT)));
                files.names.note(&read);
            }
            if let Some(name) = folder.file_name()
                && !is_shared
                && !scripts(&folder).is_empty()
            {
                let name = name.to_string_lossy().into_owned();
                files.folders.entry(name).or_insert(below.to_path_buf());
            }
        }
        files.own = files.with_applied(files.own.clone(), &files.names);
        files
    }

    /// A script's statements, and those of the scripts that it applies.
    fn with_applied(&self, mut all: Vec<Statement>, names: &Names) -> Vec<Statement> {
        let mut next = applied(&all, names);
        let mut seen = BTreeSet::new();
        while let Some(name) = next.pop() {
            if let Some(more) = self.shared.get(&name)
                && seen.insert(name)
            {
                next.extend(applied(more, names));
                all.extend(more.iter().cloned());
            }
        }
        all
    }

    /// What the project in a folder below the build's declares.
    pub fn project(&self, dir: &Path) -> Declared {
        let mut declared = Declared {
            dir: dir.to_path_buf(),
            ..Declared::default()
        };
        let own = build_file(&self.root.join(dir));
        let mut names = self.names.clone();
        names.set_properties(&self.root.join(dir).join("gradle.properties"));
        names.note(&own);
        let is_root = dir.as_os_str().is_empty();
        let is_named = |block: &str| {
            let path = block.strip_prefix("project(");
            let path = path.and_then(|p| p.strip_suffix(')'));
            path.is_some_and(|p| self.sibling(p).as_deref() == Some(dir))
        };
        // Each block once: a name may be looked up among the folders.
        let blocks = self.own.iter().filter_map(|s| s.blocks.first());
        let blocks: BTreeSet<&str> = blocks.map(String::as_str).collect();
        let of_all = |block: &&str| {
            ["subprojects", "allprojects", "configure"].contains(block) || is_named(block)
        };
        let blocks: BTreeSet<&str> = blocks.into_iter().filter(of_all).collect();
        let is_ours = |s: &&Statement| s.blocks.first().is_some_and(|b| blocks.contains(&**b));
        let of_all = self.own.iter().filter(|s| !is_root && is_ours(s));
        let mut all: Vec<Statement> = own;
        all.extend(of_all.cloned());
        let all = self.with_applied(all, &names);
        let extended = extended(&all);
        let plugins = applied(&all, &names);
        let mut roots = Roots::default();
        all.iter().for_each(|s| roots.note(s, &names));
        declared.resources = std::mem::take(&mut roots.resources);
        for (at, statement) in all.iter().enumerate() {
            let version = rich_version(statement, &all[at + 1..], &names);
            let known = version.as_ref().map(|_| declared.dependencies.clone());
            self.add(statement, (&names, &extended), &mut declared);
            if let (Some(version), Some(known)) = (version, known) {
                fill_versions(&mut declared, |c| {
                    let is_new = !known.iter().any(|k| k.1 == *c);
                    is_new.then(|| version.clone())
                });
            }
        }
        let constraints = self.constraints(&all, &names);
        fill_versions(&mut declared, |c| {
            let same = |d: &&(Use, Coordinates)| (&d.1.group, &d.1.name) == (&c.group, &c.name);
            constraints.iter().find(same).map(|d| d.1.version.clone())
        });
        declared
            .dependencies
            .extend(lombok(&all, &names).map(|c| (Use::Processor, c)));
        let makes_plugins = |name: &String| MAKES_PLUGINS.contains(&name.trim_matches('`'));
        if plugins.iter().any(makes_plugins) {
            declared
                .dependencies
                .extend(self.api.clone().map(|c| (Use::Main, c)));
        }
        self.lock(dir, &mut declared);
        declared.processors =
            self.finds_processors || declared.dependencies.iter().any(|d| d.0 == Use::Processor);
        let boot = all.iter().find_map(|s| spring_boot(s, &names));
        let boot = boot.or_else(|| self.spring_boot_of_all(&all, &names));
        declared.platforms.extend(boot);
        declared.platforms.extend(names.platforms());
        declared.managed.extend(managed::versions(&all, &names));
        let folder = self.root.join(dir);
        let generates = roots.generates(&folder) || published::generates(&plugins);
        (declared.source_root, declared.more_roots) = roots.found(&folder);
        let name = self.settings.name(dir);
        declared.published = published::artifact(&all, &names, (&name, &folder), generates);
        declared
    }

    /// The same platform in the version that the root or the settings give the plugin, where a project asks for it without any.
    fn spring_boot_of_all(&self, all: &[Statement], names: &Names) -> Option<Coordinates> {
        let is_bom =
            |t: &Token| matches!(t, Token::Word(word) if word.ends_with("BOM_COORDINATES"));
        let asks = all.iter().any(|s| s.tokens.iter().any(is_bom));
        if !asks && !applied(all, names).iter().any(|name| name == BOOT_PLUGIN) {
            return None;
        }
        let of_plugin = |s: &Statement| {
            let version = s.texts().find_map(|t| t.strip_prefix(BOOT_ON_BUILD_PATH));
            boot_platform(&names.filled(version?))
        };
        let said = || self.own.iter().chain(&self.settings.statements);
        said()
            .find_map(|s| spring_boot(s, names))
            .or_else(|| said().find_map(of_plugin))
    }

    /// Gives dependencies without a version that of a lock file.
    fn lock(&self, dir: &Path, declared: &mut Declared) {
        let mut locks = Locks::default();
        locks.read(&self.root.join(dir));
        locks.read(&self.root);
        fill_versions(declared, |c| locks.version(c));
    }

    /// What a build says of versions only, for dependencies that are declared without one.
    fn constraints(&self, all: &[Statement], names: &Names) -> BTreeSet<(Use, Coordinates)> {
        let mut found = Declared::default();
        for statement in all.iter().filter(|s| s.is_in("constraints")) {
            self.dependency(statement, (names, &BTreeMap::new()), &mut found);
            // A configuration of the build's own says versions, too.
            let named = statement.tokens.iter().flat_map(|t| names.coordinates(t));
            let named = named.filter(|c| !c.version.is_empty());
            found.dependencies.extend(named.map(|c| (Use::Own, c)));
        }
        found.dependencies
    }

    fn add(
        &self,
        statement: &Statement,
        (names, extended): (&Names, &BTreeMap<String, Use>),
        declared: &mut Declared,
    ) {
        let not_ours = [
            "buildscript",
            "pluginManagement",
            "constraints",
            "publishing",
        ];
        if not_ours.iter().any(|b| statement.is_in(b)) || statement.head() == "exclude" {
            return;
        }
        if statement.is_in("dependencies") && !statement.is_in("dependencyManagement") {
            self.dependency(statement, (names, extended), declared);
        } else if statement.head() == "mavenBom" {
            let text = statement.texts().next().map(|t| names.filled(t));
            declared
                .platforms
                .extend(text.and_then(|t| Coordinates::read(&t)));
        }
        level(statement, names, declared);
    }

    fn dependency(
        &self,
        statement: &Statement,
        (names, extended): (&Names, &BTreeMap<String, Use>),
        declared: &mut Declared,
    ) {
        let mut tokens = statement.tokens.iter();
        let mut of = match tokens.next() {
            Some(Token::Word(word) | Token::Text(word)) => word.clone(),
            _ => return,
        };
        if of == "add" {
            of = statement.texts().next().unwrap_or_default().to_string();
        }
        let known = use_of(&of).or_else(|| extended.get(&of).copied());
        // What the suites of a build declare is for one kind of tests only.
        let known = known.map(|of| match statement.is_in("suites") {
            true => Use::Test,
            false => of,
        });
        let Some(of) = known.or_else(|| may_compile(&of).then_some(Use::Own)) else {
            return;
        };
        let rest: Vec<&Token> = tokens.collect();
        let mut is_platform = false;
        for (i, token) in rest.iter().enumerate() {
            let text = match token {
                Token::Word(word) => word.as_str(),
                Token::Text(text) => text.as_str(),
                Token::Mark(_) => continue,
            };
            let before = i.checked_sub(2).and_then(|at| rest.get(at));
            let parameter = match (before, i.checked_sub(1).and_then(|at| rest.get(at))) {
                (Some(Token::Word(name)), Some(Token::Mark(':' | '='))) => name.as_str(),
                _ => "",
            };
            let project = match parameter {
                "path" => Some(text.to_string()),
                _ if text.starts_with("projects.") => text.rsplit('.').next().map(kebab),
                _ => text.starts_with(':').then(|| text.to_string()),
            };
            if let Some(project) = project {
                match (self.sibling(&project), is_platform) {
                    (Some(folder), true) => {
                        platform::add(&build_file(&self.root.join(folder)), &self.names, declared);
                    }
                    (folder, _) => declared.siblings.extend(folder.map(|f| (of, f))),
                }
                continue;
            }
            match (text, parameter) {
                (_, "group" | "name" | "version") => {}
                ("platform" | "enforcedPlatform", _) => is_platform = true,
                ("gradleApi", _) => declared
                    .dependencies
                    .extend(self.api.clone().map(|c| (of, c))),
                // What other names stand for is a guess, for projects and platforms only.
                _ if of == Use::Own && !is_platform => {}
                _ => {
                    for found in names.coordinates(token) {
                        match is_platform {
                            true => declared.platforms.insert(found),
                            false => declared.dependencies.insert((of, found)),
                        };
                    }
                }
            }
        }
        let value = |name: &str| names.parameter(statement, name);
        if let (Some(group), Some(name)) = (value("group"), value("name"))
            && of != Use::Own
        {
            let version = value("version").unwrap_or_default();
            let found = Coordinates::read(&format!("{group}:{name}:{version}"));
            declared.dependencies.extend(found.map(|c| (of, c)));
        }
    }

    /// The folder of a project by its path. Settings may have put something behind the folder's name that a variable holds
    /// (`:core_$scalaVersion`).
    fn sibling(&self, path: &str) -> Option<PathBuf> {
        let Some((before, _)) = path.split_once('$') else {
            return self.folder(path);
        };
        let whole = self.folder(&self.names.filled(path));
        let before = before.trim_end_matches(['_', '-', '.', ':']);
        whole.or_else(|| self.folder(before).filter(|f| !f.as_os_str().is_empty()))
    }

    fn folder(&self, path: &str) -> Option<PathBuf> {
        if let Some(folder) = self.settings.folder(path) {
            return Some(folder.clone());
        }
        let below = PathBuf::from(path.trim_start_matches(':').replace(':', "/"));
        if self.root.join(&below).is_dir() {
            return Some(below);
        }
        let name = below.file_name()?.to_string_lossy().into_owned();
        let mut names = std::iter::once(name.as_str()).chain(ends(&name));
        names.find_map(|name| self.folders.get(name).cloned())
    }
}

/// The level that statements say, blocks and projects aside.
pub fn level_of(all: &[Statement], names: &Names) -> Option<u32> {
    let mut declared = Declared::default();
    for statement in all.iter().filter(|s| !s.is_in("buildscript")) {
        level(statement, names, &mut declared);
    }
    declared.source.or(declared.release)
}

/// Notes a Java level that the statement says.
fn level(statement: &Statement, names: &Names, declared: &mut Declared) {
    for (i, token) in statement.tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let last = word.trim_end_matches(".set");
        let last = last.rsplit('.').next().unwrap_or(last);
        let is_release = last == "release"
            && (word.contains("options") || statement.is_in("options") || statement.is_in("with"))
            || word.ends_with("options.release");
        let of_toolchain = word.ends_with("JavaLanguageVersion.of") || last == "jvmToolchain";
        let is_source = last == "sourceCompatibility";
        if !(is_release || of_toolchain || is_source) {
            continue;
        }
        let value = statement.tokens[i + 1..].iter().find_map(|t| match t {
            Token::Word(w) => names.number(w),
            Token::Text(text) => names.number(&names.filled(text)),
            Token::Mark(_) => None,
        });
        match is_source {
            true => declared.source = declared.source.or(value),
            false if is_release => declared.release = value.or(declared.release),
            false => declared.release = declared.release.or(value),
        }
    }
}

/// The platform that Spring Boot's plugin brings.
fn spring_boot(statement: &Statement, names: &Names) -> Option<Coordinates> {
    let (id, version) = plugin(statement, names)?;
    boot_platform(&version.filter(|_| id == BOOT_PLUGIN)?)
}

fn boot_platform(version: &str) -> Option<Coordinates> {
    Coordinates::read(&format!(
        "org.springframework.boot:spring-boot-dependencies:{version}"
    ))
}

/// A plugin and its version: `id 'x' version '1'`, `alias(libs.plugins.x)`.
fn plugin(statement: &Statement, names: &Names) -> Option<(String, Option<String>)> {
    match statement.head() {
        "id" => {
            let mut texts = statement.texts();
            let id = texts.next()?.to_string();
            let word = statement.tokens.iter().rev().find_map(|t| match t {
                Token::Word(word) if word.contains("ersion") => names.symbol(word),
                _ => None,
            });
            Some((id, texts.next().map(|v| names.filled(v)).or(word)))
        }
        "alias" => {
            let words = statement.tokens[1..].iter();
            let mut found = words.filter_map(|t| match t {
                Token::Word(word) => names.symbol(word),
                _ => None,
            });
            let found = found.next_back()?;
            let (id, version) = found.split_once(':')?;
            let version = Some(version.to_string()).filter(|v| !v.is_empty());
            Some((id.to_string(), version))
        }
        _ => None,
    }
}

/// Lombok where the plugin of that name brings it, in the version that its block says.
fn lombok(all: &[Statement], names: &Names) -> Option<Coordinates> {
    if !applied(all, names).iter().any(|name| name == LOMBOK_PLUGIN) {
        return None;
    }
    let said = all
        .iter()
        .find(|s| s.is_in("lombok") && s.head().starts_with("version"));
    let version = said.and_then(|s| s.texts().next()).map(|t| names.filled(t));
    let version = version.unwrap_or_else(|| LOMBOK.into());
    Coordinates::read(&format!("org.projectlombok:lombok:{version}"))
}

/// Names of scripts and plugins that statements apply, as [`stem`] gives them.
fn applied(all: &[Statement], names: &Names) -> Vec<String> {
    let mut found = Vec::new();
    for statement in all {
        let in_plugins = statement.is_in("plugins");
        if in_plugins || statement.head() == "apply" {
            found.extend(statement.texts().map(|t| stem(Path::new(t))));
            if in_plugins {
                found.push(statement.head().to_string());
                found.extend(plugin(statement, names).map(|p| p.0));
            }
        }
    }
    if found
        .iter()
        .any(|name| name.starts_with(SPRING_CONVENTIONS))
    {
        found.push(SPRING_VERSIONS.into());
    }
    found
}

/// Configurations of the build's own from which Gradle's take dependencies, such as those that end up in the project's own jar.
fn extended(all: &[Statement]) -> BTreeMap<String, Use> {
    const EXTENDS: &str = "extendsFrom";
    let last = |word: &str| word.rsplit('.').next().unwrap_or_default().to_string();
    let mut found = BTreeMap::new();
    for statement in all {
        let mut words = statement.tokens.iter().filter_map(|t| match t {
            Token::Word(word) => Some(word.trim_end_matches(".get")),
            _ => None,
        });
        let Some(word) = words.find(|w| w.ends_with(EXTENDS)) else {
            continue;
        };
        let own = word.trim_end_matches(EXTENDS).trim_end_matches('.');
        let of = match own {
            "" => statement.blocks.last().map_or("", String::as_str),
            own => own,
        };
        let Some(of) = use_of(&last(of)) else {
            continue;
        };
        for from in words.map(last) {
            let known = found.entry(from).or_insert(of);
            *known = of.min(*known);
        }
    }
    found
}

/// Gives dependencies without a version the one that is known of them.
fn fill_versions(declared: &mut Declared, version: impl Fn(&Coordinates) -> Option<String>) {
    let all = std::mem::take(&mut declared.dependencies);
    let filled = all.into_iter().map(|(of, mut c)| {
        if c.version.is_empty() {
            c.version = version(&c).unwrap_or_default();
        }
        (of, c)
    });
    declared.dependencies = filled.collect();
}

/// The version that the block behind a dependency says: `version { strictly '[1.7,1.8['; prefer '1.7.25' }`.
fn rich_version(statement: &Statement, behind: &[Statement], names: &Names) -> Option<String> {
    let depth = statement.blocks.len();
    let is_inside = |s: &&Statement| {
        let head = s.blocks.get(depth).map(String::as_str);
        s.blocks.starts_with(&statement.blocks) && head == Some(statement.head())
    };
    let inside = behind.iter().take_while(is_inside);
    let said: Vec<&Statement> = inside
        .filter(|s| s.blocks.last().is_some_and(|b| b == "version"))
        .collect();
    let of = |kind: &str| {
        let one = said.iter().find(|s| s.head() == kind)?;
        let value = one.tokens[1..].iter().find_map(|t| match t {
            Token::Text(text) => Some(names.filled(text)),
            Token::Word(word) => names.symbol(word),
            Token::Mark(_) => None,
        })?;
        Coordinates::read(&format!("any:any:{value}")).map(|c| c.version)
    };
    let mut kinds = ["prefer", "require", "strictly"].into_iter();
    kinds.find_map(|kind| of(kind).filter(|v| !v.is_empty()))
}

/// What the dependencies of a configuration are for; `None` where its name is no configuration's that matters.
fn use_of(configuration: &str) -> Option<Use> {
    let name = configuration.to_lowercase();
    let is_main = [
        "implementation",
        "api",
        "compile",
        "compileonly",
        "compileonlyapi",
        "runtimeonly",
        "provided",
        "optional",
        "shadow",
    ]
    .iter()
    .any(|end| name.ends_with(end));
    match () {
        () if name.contains("jmh") || name.contains("detekt") || name.contains("benchmark") => None,
        () if name.ends_with("annotationprocessor") => {
            (!name.starts_with("test")).then_some(Use::Processor)
        }
        () if name == "testimplementation"
            || name == "testcompile"
            || name == "testruntimeonly"
            || name == "testcompileonly" =>
        {
            Some(Use::Test)
        }
        () if name.starts_with("test") || name.contains("test") => None,
        () => is_main.then_some(Use::Main),
    }
}

/// Whether a configuration or function of a build's own may be there to compile: its name speaks of nothing else.
fn may_compile(name: &str) -> bool {
    const OTHERS: [&str; 21] = [
        "aggregation",
        "archive",
        "baseline",
        "benchmark",
        "checkstyle",
        "constraint",
        "detekt",
        "doc",
        "dokka",
        "errorprone",
        "jacoco",
        "jmh",
        "kapt",
        "ksp",
        "lint",
        "native",
        "pmd",
        "processor",
        "runtime",
        "spotbugs",
        "test",
    ];
    let lower = name.to_lowercase();
    !name.contains('.') && !OTHERS.iter().any(|other| lower.contains(other))
}

/// The statements of a folder's build file.
fn build_file(folder: &Path) -> Vec<Statement> {
    let named = ["build.gradle", "build.gradle.kts"].map(|n| folder.join(n));
    let mut all: Vec<PathBuf> = named.into_iter().filter(|f| f.is_file()).collect();
    if all.is_empty() {
        all = named_like(folder, scripts(folder));
    }
    let read = |file: &PathBuf| std::fs::read_to_string(file).unwrap_or_default();
    all.iter().flat_map(|f| statements(&read(f))).collect()
}

/// Of a folder's scripts the one that has the folder's name, alone or behind a prefix; else the only one.
fn named_like(folder: &Path, scripts: Vec<PathBuf>) -> Vec<PathBuf> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let is_named = |script: &PathBuf| {
        let stem = stem(script);
        stem == name || ends(&stem).any(|end| end == name)
    };
    match &scripts[..] {
        [_] => scripts,
        _ => scripts.into_iter().filter(is_named).collect(),
    }
}

/// Build scripts right in a folder.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let is_script = |p: &PathBuf| {
        let name = p.to_string_lossy();
        (name.ends_with(".gradle") || name.ends_with(".gradle.kts"))
            && !name.contains("settings.gradle")
    };
    entries(folder).into_iter().filter(is_script).collect()
}

/// Kotlin files right in a folder, which may name what scripts depend on.
fn constants(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let files = entries(folder).into_iter();
    files.filter(|f| f.extension().is_some_and(|e| e == "kt"))
}

/// A script's name without its ends.
fn stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.trim_end_matches(".kts")
        .trim_end_matches(".gradle")
        .to_string()
}

/// Folders to a depth, sources left out but those of the build's own plugins.
fn walk(root: &Path, depth: usize) -> Vec<PathBuf> {
    let mut all = vec![root.to_path_buf()];
    let below = entries(root).into_iter().filter(|p| p.is_dir());
    for folder in below.filter(|_| depth > 0) {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.starts_with('.') || name == "src" && !in_logic(root) {
            continue;
        }
        let depth = match in_logic(&folder) && !in_logic(root) {
            true => 6,
            false => depth - 1,
        };
        all.extend(walk(&folder, depth));
    }
    all
}

/// Whether a folder belongs to the build's own plugins.
fn in_logic(folder: &Path) -> bool {
    let names = ["buildSrc", "build-logic", "buildLogic"];
    folder
        .components()
        .any(|c| names.iter().any(|n| c.as_os_str() == *n))
}

/// `fooBar` as `foo-bar`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests;
