//! Maven: its own run says what it would compile, and how. The private tree is built up to the point where javac would be called;
//! in javac's place stands a script that notes its arguments, so siblings need not be built and nothing is compiled.

use super::Wish;
use super::arguments::{self, Call};
use super::compiled_state;
use super::generated::is_lacking;
use super::model::{MAVEN, Model, Module, add};
use super::plugins::COMPILING;
use super::pom_file::Element;
use super::poms::need_phases;
use super::process::{NO_JVM, Ran, run};
use super::reactor::reactor;
use crate::util::deadline::Deadline;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Checks and other steps that say nothing of how sources are compiled.
const SKIPPED: [&str; 30] = [
    "skipTests",
    "checkstyle.skip",
    "pmd.skip",
    "cpd.skip",
    "spotbugs.skip",
    "findbugs.skip",
    "rat.skip",
    "enforcer.skip",
    "spotless.check.skip",
    "spotless.apply.skip",
    "spotless.skip",
    "license.skip",
    "license.skipCheckLicense",
    "animal.sniffer.skip",
    "jacoco.skip",
    "maven.javadoc.skip",
    "maven.source.skip",
    "maven.gitcommitid.skip",
    "fmt.skip",
    "formatter.skip",
    "impsort.skip",
    "sort.skip",
    "mdep.analyze.skip",
    "japicmp.skip",
    "revapi.skip",
    "cyclonedx.skip",
    "skip.npm",
    "skip.yarn",
    "skip.installnodenpm",
    "docker.skip",
];

/// What is said where there is none.
const NO_MAVEN: &str = "there is no `mvn` on the PATH, and no Maven of the project's wrapper in ~/.m2/wrapper: install Maven, or name the dependencies with --classpath";

/// What is said when Maven does not come to read the project: by `java` of its options, by Maven of its extensions and its own options.
const NO_START: [&str; 3] = [
    NO_JVM,
    "Error executing Maven",
    "Unable to parse maven.config",
];

/// What Maven says when it can't read the project's files: another goal can't help then.
const UNREADABLE: &str = "[ERROR] The build could not read";

/// Options of Maven's JVM that shorten its short life: the second compiler pays off after minutes only.
const QUICK_START: &str = "-XX:TieredStopAtLevel=1";
/// The least collector, where the user and the project name none: two make the JVM refuse to start.
const LEAST_COLLECTOR: &str = "-XX:+UseSerialGC";

/// What Maven says of a goal that failed, and of what it could not resolve for one.
const FAILED_GOAL: &str = "[ERROR] Failed to execute goal ";

/// What Maven says of modules that it does not know.
const NO_PROJECT: &str = "Could not find the selected project in the reactor: ";
/// The plugin that runs programs, classes of the project among them.
const GENERATES: &str = ":exec-maven-plugin:";
/// What Maven says of a plugin that is a module of the project itself, as long as nothing is compiled.
const NOT_COMPILED: [&str; 3] = [
    "Unable to load the mojo",
    "A required class was missing",
    "No plugin descriptor found",
];
/// The file beside the script that has it compile.
const COMPILES: &str = "compiles";

/// Where a module's tests lie, unless its files name another folder.
const TEST_FOLDERS: [&str; 4] = ["src/test", "src/tests", "test", "tests"];

/// How options of a project name its folder.
const ROOT_FOLDERS: [&str; 3] = [
    "${session.rootDirectory}",
    "${session.topDirectory}",
    "${maven.multiModuleProjectDirectory}",
];

/// Files, each behind the folder of its module below the reactor's.
type Wanted = BTreeSet<(String, String)>;

/// Modules without sources that their build generates.
#[derive(Default)]
pub struct Lacking {
    /// Names of those in which a goal failed before javac.
    pub stopped: BTreeSet<String>,
    /// Folders of those that compile without what their plugins generate.
    pub bare: BTreeSet<PathBuf>,
}

/// Modules that hold the tests of another one, by the other one's folder.
pub type Testers = BTreeMap<PathBuf, Vec<PathBuf>>;

/// How Maven is run.
pub struct Maven<'a> {
    /// The private tree of the commit.
    pub tree: &'a Path,
    /// A folder for the script and its notes.
    pub notes: &'a Path,
    /// The real compiler, for questions about its version.
    pub javac: &'a Path,
    /// Where Maven keeps what it downloaded: the user's `.m2`.
    pub home: Option<PathBuf>,
    /// The `PATH`.
    pub path: Option<&'a OsStr>,
    /// The user's options for its JVM.
    pub options: &'a str,
    /// Whether it may not download.
    pub offline: bool,
    /// When the whole run ends.
    pub end: Deadline,
}

impl<'a> Maven<'a> {
    /// Maven for a private tree, run as it is wished.
    pub fn of(tree: &'a Path, notes: &'a Path, wish: &'a Wish) -> Self {
        Maven {
            tree,
            notes,
            javac: &wish.javac,
            home: wish.home.as_ref().map(|h| h.join(".m2")),
            path: wish.path.as_deref(),
            options: &wish.maven_options,
            offline: wish.offline,
            end: wish.end,
        }
    }

    /// The modules that hold these files, those they are built from, and those that hold their tests. Beside it the modules that lack
    /// sources.
    pub fn model(&self, files: &[String], testers: &Testers) -> (Model, Lacking) {
        let mut lacking = Lacking::default();
        let mut model = Model {
            tool: MAVEN.into(),
            ..Model::default()
        };
        let script = match self.script() {
            Ok(script) => script,
            Err(e) => {
                model.notes.push(format!("maven: {e}"));
                return (model, lacking);
            }
        };
        let mut reactors: Vec<(PathBuf, Wanted)> = Vec::new();
        for file in files {
            let Some((root, module)) = reactor(self.tree, file) else {
                continue;
            };
            match reactors.iter_mut().find(|r| r.0 == root) {
                Some(known) => {
                    known.1.insert((module, file.clone()));
                }
                None => reactors.push((root, BTreeSet::from([(module, file.clone())]))),
            }
        }
        for (root, modules) in reactors {
            let wanted = (&modules, testers);
            self.reactor(&root, wanted, &script, (&mut model, &mut lacking));
        }
        (model, lacking)
    }

    /// One reactor: only the compiler's goals, where no plugin could add to what these say; else the usual way to `test-compile`; where that
    /// stops short, only the compiler's goals; where the sources are another module's than that of the nearest `pom.xml`, all of it.
    fn reactor(
        &self,
        root: &Path,
        (wanted, testers): (&Wanted, &Testers),
        script: &Path,
        (model, lacking): (&mut Model, &mut Lacking),
    ) {
        if self.compiled_directly(root, (wanted, testers), script, model) {
            return;
        }
        let usual: &[&str] = &["test-compile"];
        let direct: &[&str] = &COMPILING;
        let pom = std::fs::read_to_string(root.join("pom.xml")).unwrap_or_default();
        let ways = [(usual, false), (direct, false), (usual, true)];
        let mut said = None;
        for (goals, all) in ways {
            let missing = match goals == direct {
                true => self.unknown(root, wanted, model),
                false => self.missing(wanted, model),
            };
            if missing.is_empty() || all && !pom.contains("<module>") {
                continue;
            }
            let mut list = if all { BTreeSet::new() } else { missing };
            if goals == usual {
                list.extend(testing(&list, root, testers));
            }
            let mut ran = self.with_releases(root, model, || self.run(root, &list, goals, script));
            while let Some(rest) = without_unknown(&list, &ran.output) {
                ran = self.run(root, &rest, goals, script);
                list = rest;
            }
            let found = self.found(&ran);
            let is_new = |m: &&Module| model.modules.iter().all(|known| known.dir != m.dir);
            let new = found.iter().filter(is_new);
            let bare = new.filter(|m| is_lacking(m, goals == usual));
            lacking.bare.extend(bare.map(|m| m.dir.clone()));
            model.add(found);
            self.with_generators(root, &ran, script, model);
            lacking.stopped.extend(stopped_before_javac(&ran.output));
            let is_unreadable = ran.output.contains(UNREADABLE);
            said.get_or_insert(ran);
            if is_unreadable {
                break;
            }
        }
        if said.as_ref().is_some_and(Ran::has_errors) {
            self.tests(root, wanted, script, model);
        }
        model.modules.sort_by(|a, b| a.dir.cmp(&b.dir));
        let unknown = self.unknown(root, wanted, model);
        if !unknown.is_empty()
            && let Some(ran) = said
        {
            // `--fail-never` makes every end a success.
            let failed = !ran.success || ran.has_errors();
            let modules: Vec<String> = unknown.into_iter().collect();
            let note = match failed {
                true => format!("mvn test-compile failed: {}", ran.last_lines()),
                false => format!("Maven compiles no sources of {}", named(&modules)),
            };
            // What Maven does not compile it does not compile the next time either.
            model.is_complete = !failed && (model.is_complete || model.notes.is_empty());
            model.notes.push(note);
        }
    }

    /// Asks the compiler's own goals, for which fewer plugins are downloaded; whether they say all of modules that no plugin could add to.
    fn compiled_directly(
        &self,
        root: &Path,
        (wanted, testers): (&Wanted, &Testers),
        script: &Path,
        model: &mut Model,
    ) -> bool {
        let mut modules = self.missing(wanted, model);
        modules.extend(testing(&modules, root, testers));
        let Some(repository) = self.home.as_ref().map(|home| home.join("repository")) else {
            return false;
        };
        let need = || need_phases(root, &modules, &repository);
        let before = need();
        if before == Some(true) {
            return false;
        }
        let ran = self.run(root, &modules, &COMPILING, script);
        // Parents that were not there have come with it.
        let need = before.or_else(need);
        if ran.success && !ran.output.contains(FAILED_GOAL) && need == Some(false) {
            let mut with_these = Model::default();
            with_these.add(self.found(&ran));
            if self.missing(wanted, &with_these).is_empty() {
                model.add(with_these.modules);
                model.modules.sort_by(|a, b| a.dir.cmp(&b.dir));
                return true;
            }
        }
        let _ = std::fs::remove_dir_all(self.calls());
        let _ = std::fs::create_dir_all(self.calls());
        false
    }

    /// Where the script notes its calls.
    fn calls(&self) -> PathBuf {
        self.notes.join("calls")
    }

    /// Runs modules again whose sources are generated by classes of the project itself, with the real compiler, so that these can run.
    fn with_generators(&self, root: &Path, ran: &Ran, script: &Path, model: &mut Model) {
        let failed = stopped_by_own_code(&ran.output);
        let flag = self.notes.join(COMPILES);
        if failed.is_empty() || std::fs::write(&flag, "").is_err() {
            return;
        }
        let ran = self.run(
            root,
            &failed.keys().cloned().collect(),
            &["test-compile"],
            script,
        );
        let _ = std::fs::remove_file(&flag);
        for module in self.found(&ran) {
            // What a plugin generates for a module does not come of the module's own classes.
            if failed.get(&artifact(&module.dir)) != Some(&true) {
                let below = module.dir.strip_prefix(self.tree).unwrap_or(&module.dir);
                model.generators.push(below.to_string_lossy().into_owned());
            }
            match model.modules.iter_mut().find(|m| m.dir == module.dir) {
                Some(known) => *known = module,
                None => model.modules.push(module),
            }
        }
    }

    /// Asks for the tests of modules whose main sources could not be compiled, such as those of a level that javac no longer knows:
    /// Maven goes no further than that, but says how it would compile tests where it is asked for that alone.
    fn tests(&self, root: &Path, wanted: &Wanted, script: &Path, model: &mut Model) {
        let without = |dir: &Path| {
            let mut own = model.modules.iter().filter(|m| m.dir == *dir);
            own.any(|m| m.test_class_path.is_empty() && m.test_source_roots.is_empty())
                && may_have_tests(dir)
        };
        let list: BTreeSet<String> = wanted
            .iter()
            .filter(|w| without(&root.join(&w.0)))
            .map(|w| w.0.clone())
            .collect();
        if list.is_empty() {
            return;
        }
        let ran = self.run(root, &list, &COMPILING[1..], script);
        for found in self.found(&ran) {
            let mut known = model.modules.iter_mut().filter(|m| m.dir == found.dir);
            if let Some(module) = known.next()
                && module.test_class_path.is_empty()
            {
                module.test_source_roots = found.test_source_roots;
                module.test_class_path = found.test_class_path;
            }
        }
    }

    /// Gives modules without tests of their own what those that test them have.
    pub fn lend_tests(&self, testers: &Testers, model: &mut Model) {
        let outputs: BTreeSet<PathBuf> = model.modules.iter().map(|m| m.output.clone()).collect();
        for (dir, testing) in testers {
            let lent = model.modules.iter().filter(|m| testing.contains(&m.dir));
            let (roots, paths): (Vec<_>, Vec<_>) = lent
                .map(|m| (m.test_source_roots.clone(), m.test_class_path.clone()))
                .unzip();
            let Some(module) = model.modules.iter_mut().find(|m| m.dir == *dir) else {
                continue;
            };
            module.test_source_roots.extend(roots.into_iter().flatten());
            // What the testing module's own main sources would be compiled to is not there.
            let is_there = |p: &PathBuf| outputs.contains(p) || !p.starts_with(self.tree);
            let there: Vec<PathBuf> = paths.into_iter().flatten().filter(is_there).collect();
            add(&mut module.test_class_path, &there);
        }
    }

    /// The modules by folder of files that no module's source root holds.
    fn missing(&self, wanted: &Wanted, model: &Model) -> BTreeSet<String> {
        let roots: Vec<&PathBuf> = model.modules.iter().flat_map(|m| &m.source_roots).collect();
        let is_missing = |file: &str| {
            let file = self.tree.join(file);
            !roots.iter().any(|root| file.starts_with(root))
        };
        let missing = wanted.iter().filter(|w| is_missing(&w.1));
        missing.map(|w| w.0.clone()).collect()
    }

    /// Those of them of which nothing is known: the sources of the others are files that Maven does not compile.
    fn unknown(&self, root: &Path, wanted: &Wanted, model: &Model) -> BTreeSet<String> {
        let is_known = |module: &String| {
            let mut own = model.modules.iter().filter(|m| m.dir == root.join(module));
            own.any(|m| !m.source_roots.is_empty())
        };
        let missing = self.missing(wanted, model);
        missing.into_iter().filter(|m| !is_known(m)).collect()
    }

    /// One run of Maven in a folder, for these modules and what they are built from; all when there are none.
    pub fn run(
        &self,
        root: &Path,
        modules: &BTreeSet<String>,
        goals: &[&str],
        script: &Path,
    ) -> Ran {
        let Some(program) = self.program(root) else {
            return Ran {
                stopped: Some(NO_MAVEN.into()),
                ..Ran::default()
            };
        };
        compiled_state::forget(root);
        let mut command = Command::new(program);
        command.env("MAVEN_OPTS", self.jvm_options(root));
        // Maven runs on the JDK that the sources need: an older one refuses their level.
        if let Some(home) = self.javac.parent().and_then(Path::parent) {
            command.env("JAVA_HOME", home);
        }
        command.args(["-X", "-B", "-ntp", "--fail-never"]);
        if self.offline {
            command.arg("-o");
        }
        let name = |m: &String| if m.is_empty() { ".".into() } else { m.clone() };
        let list: Vec<String> = modules.iter().map(name).collect();
        if !list.is_empty() {
            command.args(["-pl", &list.join(","), "-am"]);
        }
        command.args(SKIPPED.map(|s| format!("-D{s}=true")));
        command
            .arg("-Dmaven.compiler.fork=true")
            .arg(format!("-Dmaven.compiler.executable={}", script.display()))
            .args(goals);
        let ran = run(&command, root, self.end);
        if !NO_START.iter().any(|text| ran.output.contains(text)) {
            return ran;
        }
        // Options for the JVM of another JDK than the one that is here, or extensions for another Maven.
        let above = root.ancestors().take_while(|d| d.starts_with(self.tree));
        let named =
            |d: &Path| ["jvm.config", "extensions.xml"].map(|name| d.join(".mvn").join(name));
        let settings = above.flat_map(named);
        let removed = settings.filter(|file| std::fs::remove_file(file).is_ok());
        let mended = self.mend_options(root);
        match removed.count() + usize::from(mended) {
            0 => ran,
            _ => run(&command, root, self.end),
        }
    }

    /// Options for Maven's JVM: the user's come last, so they win.
    fn jvm_options(&self, root: &Path) -> String {
        let of_project = std::fs::read_to_string(root.join(".mvn/jvm.config")).unwrap_or_default();
        jvm_options(self.options, &of_project)
    }

    /// Writes out the folders that a newer Maven fills into the project's options (`.mvn/maven.config`, since Maven 3.9), and leaves out the
    /// comments that only such a one takes; whether there were any.
    fn mend_options(&self, root: &Path) -> bool {
        let above = root.ancestors().take_while(|d| d.starts_with(self.tree));
        let mended = above.filter(|dir| {
            let file = dir.join(".mvn").join("maven.config");
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let folder = dir.to_string_lossy();
            let lines = text.lines().filter(|l| !l.trim_start().starts_with('#'));
            let lines: String = lines.map(|l| format!("{l}\n")).collect();
            let filled = ROOT_FOLDERS
                .iter()
                .fold(lines, |text, name| text.replace(name, &folder));
            filled != text && std::fs::write(&file, filled).is_ok()
        });
        mended.count() > 0
    }

    /// The wrapper's Maven where it is there already, else the one on the `PATH`.
    fn program(&self, root: &Path) -> Option<PathBuf> {
        let wrapped = || -> Option<PathBuf> {
            let properties = root.join(".mvn/wrapper/maven-wrapper.properties");
            let text = std::fs::read_to_string(properties).ok()?;
            let url = text
                .lines()
                .find_map(|l| l.strip_prefix("distributionUrl="))?;
            let name = url.rsplit('/').next()?.strip_suffix("-bin.zip")?;
            let dists = self.home.as_ref()?.join("wrapper/dists");
            let below = [dists.join(name), dists.join(format!("{name}-bin"))];
            let folders = below.iter().filter_map(|d| std::fs::read_dir(d).ok());
            let mut programs = folders.flatten().flatten().flat_map(|hash| {
                let at = hash.path();
                [at.join(name).join("bin/mvn"), at.join("bin/mvn")]
            });
            programs.find(|p| p.is_file())
        };
        let on_path = || {
            let mut folders = std::env::split_paths(self.path?).map(|d| d.join("mvn"));
            folders.find(|p| p.is_file())
        };
        wrapped().or_else(on_path)
    }

    /// What was noted: by the script, else in Maven's own words, where the project calls the compiler inside of Maven.
    pub fn found(&self, ran: &Ran) -> Vec<Module> {
        let mut calls: Vec<Call> = Vec::new();
        let notes = std::fs::read_dir(self.calls());
        let mut files: Vec<PathBuf> = notes
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
            .collect();
        files.sort();
        calls.extend(files.iter().filter_map(|file| arguments::noted(file)));
        let mut lines = ran.output.lines();
        while let Some(line) = lines.next() {
            let Some(rest) = line.strip_prefix("[DEBUG] Command line options:") else {
                continue;
            };
            let next = match rest.trim() {
                "" => lines.next().unwrap_or_default(),
                rest => rest,
            };
            let words = next.trim_start_matches("[DEBUG]").split_whitespace();
            let words: Vec<String> = words.map(str::to_string).collect();
            let call = arguments::read(&words);
            calls.extend(call.filter(|c| calls.iter().all(|known| known.output != c.output)));
        }
        for call in &mut calls {
            if call.module.source_roots.is_empty() && !call.sources.is_empty() {
                let main = call.output.parent().and_then(Path::parent);
                call.module
                    .source_roots
                    .extend(main.map(|m| m.join("src/main/java")));
            }
            call.module.source_roots.retain(|root| root.is_dir());
        }
        arguments::modules(calls, self.tree, "pom.xml")
    }

    /// Writes the script that stands in for javac.
    ///
    /// # Errors
    /// The folder for notes.
    pub fn script(&self) -> std::io::Result<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        let calls = self.calls();
        std::fs::create_dir_all(&calls)?;
        let script = self.notes.join("javac");
        let text = include_str!("noting_javac.sh")
            .replace("@JAVAC@", &quoted(self.javac))
            .replace("@COMPILES@", &quoted(&self.notes.join(COMPILES)))
            .replace("@CALLS@", &quoted(&calls));
        std::fs::write(&script, text)?;
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))?;
        Ok(script)
    }
}

/// The modules that hold the tests of these, below the reactor's folder.
fn testing(modules: &BTreeSet<String>, root: &Path, testers: &Testers) -> Vec<String> {
    let of = |module: &String| testers.get(&root.join(module)).into_iter().flatten();
    let below = modules
        .iter()
        .flat_map(of)
        .filter_map(|dir| dir.strip_prefix(root).ok());
    below.map(|dir| dir.to_string_lossy().into()).collect()
}

/// Modules without those that are none of the reactor's (a profile has them), where Maven refuses some.
fn without_unknown(modules: &BTreeSet<String>, output: &str) -> Option<BTreeSet<String>> {
    let refused = output.lines().filter_map(|l| l.split_once(NO_PROJECT));
    // Older Mavens name the first only.
    let names: Vec<&str> = refused.flat_map(|l| l.1.split([',', ' '])).collect();
    let left: BTreeSet<String> = modules
        .iter()
        .filter(|m| !names.contains(&m.as_str()))
        .cloned()
        .collect();
    (left.len() < modules.len() && !left.is_empty()).then_some(left)
}

/// A goal that failed before a module's sources would have been compiled: the module's name, the goal, and why.
fn stopped(output: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    output.lines().filter_map(move |line| {
        let goal = line.strip_prefix(FAILED_GOAL)?;
        let (goal, rest) = goal.split_once(" on project ")?;
        let name = rest.split(':').next()?;
        let is_compiled = output.contains(&format!("(default-compile) @ {name} "));
        (!is_compiled).then_some((name, goal, rest))
    })
}

/// Modules, as `-pl` takes them, in which a goal that runs code of the project failed before their sources would have been compiled, and
/// whether it is one of a plugin that the project makes.
fn stopped_by_own_code(output: &str) -> BTreeMap<String, bool> {
    let of_own = |(name, goal, why): (&str, &str, &str)| {
        let is_plugin = NOT_COMPILED.iter().any(|w| why.contains(w));
        let is_own = is_plugin || goal.contains(GENERATES);
        is_own.then(|| (format!(":{name}"), is_plugin))
    };
    stopped(output).filter_map(of_own).collect()
}

/// Names of modules in which any goal failed before that: one that generates sources, as a rule.
fn stopped_before_javac(output: &str) -> BTreeSet<String> {
    stopped(output).map(|(name, ..)| name.to_string()).collect()
}

/// The name of a module, as `-pl` takes it.
fn artifact(dir: &Path) -> String {
    let text = std::fs::read_to_string(dir.join("pom.xml")).unwrap_or_default();
    let pom = Element::read(&text);
    let name = pom.as_ref().and_then(|pom| pom.text_at(&["artifactId"]));
    format!(":{}", name.unwrap_or_default())
}

/// Whether a module could have tests: a folder of them, or files that name one.
fn may_have_tests(dir: &Path) -> bool {
    let is_there = |folder: &str| dir.join(folder).is_dir();
    let pom = std::fs::read_to_string(dir.join("pom.xml")).unwrap_or_default();
    TEST_FOLDERS.iter().any(|f| is_there(f)) || pom.contains("testSourceDirectory")
}

/// Options for Maven's JVM before those of the user, beside those of the project.
fn jvm_options(own: &str, of_project: &str) -> String {
    let names_one = |text: &str| text.contains("-XX:+Use") && text.contains("GC");
    let collector = match names_one(own) || names_one(of_project) {
        true => "",
        false => LEAST_COLLECTOR,
    };
    let all = [QUICK_START, collector, own];
    all.iter()
        .filter(|o| !o.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Folders for a sentence; the one of the reactor has no name.
fn named(modules: &[String]) -> String {
    let name = |m: &String| match m.is_empty() {
        true => "some folders".to_string(),
        false => m.clone(),
    };
    modules.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_that_the_reactor_does_not_know_are_left_out() {
        let all = BTreeSet::from(["a".to_string(), "b/c".to_string()]);
        let said = "[ERROR] [ERROR] Could not find the selected project in the reactor: b/c @ ";
        assert_eq!(
            without_unknown(&all, said),
            Some(BTreeSet::from(["a".to_string()]))
        );
        assert_eq!(without_unknown(&all, "[ERROR] other"), None);
    }

    #[test]
    fn modules_that_a_plugin_stopped_are_named() {
        let said = "[INFO] x\n[ERROR] Failed to execute goal org.codehaus.mojo:exec-maven-plugin:1.6.0:exec (java) on project a-b: Command execution failed. -> [Help 1]\n\
                    [ERROR] Failed to execute goal org.apache.maven.plugins:maven-jar-plugin:3:jar (x) on project c: no\n\
                    [ERROR] Failed to execute goal p:own-maven-plugin:1:make (default) on project d: Execution default of goal p:own-maven-plugin:1:make failed: Unable to load the mojo 'make'";
        assert_eq!(
            stopped_by_own_code(said),
            BTreeMap::from([(":a-b".to_string(), false), (":d".to_string(), true)])
        );
        let all = ["a-b", "c", "d"].map(String::from);
        assert_eq!(stopped_before_javac(said), BTreeSet::from(all));
        let later = "[INFO] --- maven-compiler-plugin:3.8.1:compile (default-compile) @ a-b ---\n";
        assert_eq!(
            stopped_by_own_code(&format!("{later}{said}")),
            BTreeMap::from([(":d".to_string(), true)])
        );
    }

    #[test]
    fn the_users_options_come_last_and_no_second_collector_is_named() {
        let ours = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
        assert_eq!(jvm_options("", ""), ours);
        assert_eq!(jvm_options("-Xmx2g", ""), format!("{ours} -Xmx2g"));
        let with_own = "-XX:TieredStopAtLevel=1 -XX:+UseG1GC";
        assert_eq!(jvm_options("-XX:+UseG1GC", ""), with_own);
        assert_eq!(
            jvm_options("", "-XX:+UseParallelGC\n-Xmx1g"),
            "-XX:TieredStopAtLevel=1"
        );
    }
}
