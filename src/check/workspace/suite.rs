//! The project's tests, compiled against one version together with the test runner.

use super::frameworks::Frameworks;
use super::test_cuts::TestCuts;
use super::{Workspace, io, levels, resources, retries, roots, unreferenced};
use crate::check::patch::{is_test, tests_folder};
use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::java::SourceFile;
use crate::jvm::{CompileRequest, CompileResult, Worker};
use crate::model::{Spelling, Version};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How often sources that do not compile are left out before compiling the others is given up.
const ROUNDS: usize = 5;

/// Where the tests of a module lie, and their files.
const TESTS: &str = "src/test";

/// Where Maven puts what tests are made of.
const BUILT_TESTS: &str = "target/test-classes";

/// Where its main sources begin.
const MAINS: [&str; 2] = ["src/main/java", "src"];

/// Tests that can be run.
#[derive(Debug)]
pub struct TestBuild {
    /// Classes of the tests and of what they need of the project.
    pub classes: PathBuf,
    /// Classes of what runs them.
    pub runner_classes: PathBuf,
    /// These, resources, and dependencies.
    pub class_path: Vec<PathBuf>,
    /// The folder of the first one's module, among the version's files, in which the tests run.
    pub folder: PathBuf,
    /// Options that open packages of the JDK to them.
    pub opens: Vec<String>,
    /// Main classes of the runners.
    pub runners: Vec<String>,
    /// Classes that may hold tests.
    pub names: Vec<String>,
    /// Test sources left out, or tests that can't be run, and why.
    pub left_out: Vec<(String, String)>,
}

impl Workspace {
    /// Compiles a version's tests, or only those files of it. Those that do not compile are left out and told; of chosen files, only
    /// the tests in them that don't.
    ///
    /// # Errors
    /// There are no tests, no framework that is known, or none of them compiles.
    pub fn build_tests(
        &self,
        worker: &mut Worker,
        (repo, commit): (&Repo, &Commit),
        version: Version,
        dependencies: &[PathBuf],
        only: Option<&[String]>,
    ) -> Result<TestBuild, Error> {
        let (files, name, main_roots) = match version {
            Version::Old => (&self.old_files, "old", &self.old_roots),
            Version::New => (&self.new_files, "new", &self.new_roots),
        };
        let is_data = |f: &&String| self.is_test_data(version, f);
        let base = self.path(name);
        let is_source = |f: &&String| is_test(f) && !f.ends_with("-info.java");
        let every = files.iter().filter(is_source).filter(|f| !is_data(f));
        let every: Vec<String> = every.cloned().collect();
        let mut tests = only.map_or_else(|| every.clone(), <[String]>::to_vec);
        if tests.is_empty() {
            return Err(Error::Tests(format!(
                "the {name} version has no test sources (looked for src/test/…, test/… and javatests/…)"
            )));
        }
        let frameworks = Frameworks::of(dependencies)?;
        let runner_classes = self.build_runners(worker, &frameworks, dependencies, name)?;
        let out = self.path(&format!("{name}-test-classes"));
        std::fs::create_dir_all(&out).map_err(|e| io("temporary folder", &e))?;
        let test_roots = roots(&base, &every, true);
        let copies = self.path(&format!("{name}-test-main"));
        let cuts = TestCuts {
            base: &base,
            main_roots,
            copies: &copies,
        };
        let mut source_path: Vec<PathBuf> = test_roots.iter().map(|r| base.join(r)).collect();
        for root in &source_path {
            // Tests are on the class path here: a module that lacks what is there would not compile.
            let _ = std::fs::remove_file(root.join("module-info.java"));
        }
        source_path.push(copies.clone());
        source_path.extend(main_roots.iter().cloned());
        source_path.extend(self.roots_for_tests[version as usize].iter().cloned());
        source_path.extend(mains_beside(&base, &tests));
        let module = module_of(&tests);
        let resources = self.test_resources((repo, commit), version, &base, &tests)?;
        let mut providers = providers(&resources, &source_path);
        let mut left_out = frameworks.left_out;
        left_out.extend(without_twins(&mut tests, &test_roots));
        left_out.extend(without_removed(&mut tests, &base));
        if tests.is_empty() {
            return Err(Error::Tests(format!(
                "the {name} version's tests do not compile"
            )));
        }
        let mut request = CompileRequest {
            sources: Vec::new(),
            source_path,
            class_path: dependencies
                .iter()
                .chain([&runner_classes])
                .cloned()
                .collect(),
            out: out.clone(),
            flags: self.flags(version),
        };
        let folders = dependencies.iter().filter(|d| d.is_dir());
        let folders: Vec<&Path> = folders.map(PathBuf::as_path).collect();
        let mut auxiliary = BTreeSet::new();
        let mut lacks_processors = true;
        for round in 0.. {
            request.sources = tests.iter().map(|t| base.join(t)).collect();
            request.sources.extend(providers.iter().cloned());
            request.sources.extend(auxiliary.iter().cloned());
            request.name_needed(&folders);
            let result = worker.compile(&request)?;
            if result.success {
                break;
            }
            if let Some(flags) = levels::newer(&request.flags, &result) {
                request.flags = flags;
                continue;
            }
            tracing::debug!(round, said = result.messages(&base), "tests do not compile");
            let result = match std::mem::take(&mut lacks_processors) {
                true => retries::with_processors(
                    worker,
                    (&mut request, result),
                    (dependencies, &folders),
                )?,
                false => result,
            };
            if result.success {
                break;
            }
            let known = auxiliary.len();
            auxiliary.extend(retries::auxiliary(&result));
            if auxiliary.len() > known {
                continue;
            }
            let wrong = wrong_files(&result, &base);
            let of_tests = wrong.iter().map(|w| &*w.0).filter(|f| is_test(f));
            if only.is_some() && round < ROUNDS && cuts.in_tests(&result, of_tests) {
                continue;
            }
            if round < ROUNDS && cuts.in_main(&result) {
                continue;
            }
            let before = tests.len() + providers.len();
            tests.retain(|t| !wrong.iter().any(|(file, _)| file == t));
            providers.retain(|p| !wrong.iter().any(|(file, _)| base.join(file) == *p));
            if tests.len() + providers.len() == before || tests.is_empty() || round >= 2 * ROUNDS {
                return Err(Error::Tests(format!(
                    "the {name} version's tests do not compile:\n{}",
                    result.messages(&base)
                )));
            }
            for (file, why) in wrong.into_iter().filter(|(file, _)| is_test(file)) {
                // Else it would be found again on the source path by those that need it.
                let _ = std::fs::remove_file(base.join(&file));
                left_out.push((file, why));
            }
        }
        unreferenced::add_named(worker, &request, &folders)?;
        let classes = class_names(&base, &tests).into_iter();
        let (integration, names) = classes.partition::<Vec<_>, _>(|c| is_integration_test(c));
        let why = "an integration test, by its name";
        left_out.extend(integration.into_iter().map(|class| (class, why.into())));
        let mut class_path = vec![out.clone(), runner_classes.clone()];
        class_path.extend(resources);
        // Some builds take what else lies beside the sources for resources.
        class_path.extend(test_roots.iter().map(|root| base.join(root)));
        class_path.extend(dependencies.iter().cloned());
        Ok(TestBuild {
            classes: out,
            runner_classes,
            class_path,
            opens: self.opens.clone(),
            runners: frameworks.runners,
            names,
            folder: base.join(module),
            left_out,
        })
    }

    /// Folders of resources that a version's tests need: those of their modules, and of what these are built from; the tests' own of the first
    /// one's module come first, and are linked to where Maven puts them.
    fn test_resources(
        &self,
        (repo, commit): (&Repo, &Commit),
        version: Version,
        base: &Path,
        tests: &[String],
    ) -> Result<Vec<PathBuf>, Error> {
        let module = module_of(tests);
        let first = tests.first().and_then(|test| tests_folder(test));
        let data = first.map_or_else(|| module.join(TESTS), PathBuf::from);
        let mut found = repo.snapshot_resources(commit, base, std::slice::from_ref(&data))?;
        // Other files in `src/test` are read by their path, in the folder of their module.
        found.retain(|f| !data.ends_with(TESTS) || *f != base.join(&data));
        // Without a build tool nobody knows of which modules tests need something.
        if !self.test_roots[version as usize].is_empty() {
            let (_, main_roots) = self.files_and_roots(version);
            let roots = [main_roots, &self.roots_for_tests[version as usize]].concat();
            let mut modules = resources::modules(&roots, base);
            modules.extend(modules_of(tests).map(|m| base.join(m)));
            found.retain(|f| resources::is_of(&modules, f, base));
        }
        let module = base.join(module);
        let own = BTreeSet::from([module.clone()]);
        let is_own = |f: &Path| resources::is_of(&own, f, base);
        let is_of_tests = |f: &Path| resources::is_of_tests(f, base);
        found.sort_by_key(|f| (!is_own(f), !is_of_tests(f)));
        if let Some(folder) = found.first().filter(|f| is_own(f) && is_of_tests(f)) {
            link_as_built(folder, &module);
        }
        Ok(found)
    }

    /// Compiles what runs the tests: at the JDK's own level, whatever the project's is.
    fn build_runners(
        &self,
        worker: &mut Worker,
        frameworks: &Frameworks,
        dependencies: &[PathBuf],
        name: &str,
    ) -> Result<PathBuf, Error> {
        let sources = self.path(&format!("{name}-runners"));
        write_runners(&sources, &frameworks.sources)?;
        let out = self.path(&format!("{name}-runner-classes"));
        std::fs::create_dir_all(&out).map_err(|e| io("temporary folder", &e))?;
        let result = worker.compile(&CompileRequest {
            sources: frameworks
                .sources
                .iter()
                .map(|s| sources.join(s.0))
                .collect(),
            source_path: Vec::new(),
            class_path: dependencies.to_vec(),
            out: out.clone(),
            flags: Vec::new(),
        })?;
        match result.success {
            true => Ok(out),
            false => Err(Error::Tests(format!(
                "the test runner does not compile against the project's test framework:\n{}",
                result.messages(&sources)
            ))),
        }
    }
}

/// Takes out files that an earlier build of more tests has removed. Gives them, and why.
fn without_removed(tests: &mut Vec<String>, base: &Path) -> Vec<(String, String)> {
    let removed = tests.extract_if(.., |test| !base.join(test).is_file());
    removed
        .map(|test| (test, "does not compile".into()))
        .collect()
}

/// Takes out files that declare the class of an earlier one, in another module: javac compiles one of that name. Gives them, and why.
fn without_twins(tests: &mut Vec<String>, roots: &[String]) -> Vec<(String, String)> {
    let (mut seen, mut twins) = (BTreeSet::new(), Vec::new());
    tests.retain(|test| {
        let below = |root: &String| Path::new(test).strip_prefix(root).ok();
        let is_new = roots
            .iter()
            .find_map(below)
            .is_none_or(|place| seen.insert(place.to_path_buf()));
        if !is_new {
            let why = "another module has a test of that name";
            twins.push((test.clone(), why.into()));
        }
        is_new
    });
    twins
}

/// Files with errors, by their path in the version, with the first message of each.
fn wrong_files(result: &CompileResult, base: &Path) -> Vec<(String, String)> {
    let mut wrong: Vec<(String, String)> = Vec::new();
    for error in result.diagnostics.iter().filter(|d| d.error) {
        let Ok(path) = Path::new(&error.file).strip_prefix(base) else {
            continue;
        };
        let path = path.to_string_lossy().replace('\\', "/");
        if !wrong.iter().any(|(file, _)| *file == path) {
            let first = error.message.lines().next().unwrap_or_default();
            wrong.push((
                path,
                format!("line {} does not compile: {first}", error.line),
            ));
        }
    }
    wrong
}

/// The folder around a file in which the tests of its module lie, with their files.
pub(super) fn tests_around(file: &Path) -> Option<&Path> {
    file.ancestors().find(|d| d.ends_with(TESTS))
}

/// The folder of the module that the first of these files tests, below the version's: build tools run tests there.
fn module_of(files: &[String]) -> PathBuf {
    let tests = files.first().and_then(|file| tests_folder(file));
    let beside = Path::new(tests.unwrap_or_default()).parent();
    let module = beside.map(|folder| match folder.ends_with("src") {
        true => folder.parent().unwrap_or(folder),
        false => folder,
    });
    module.map_or(PathBuf::new(), Path::to_path_buf)
}

/// The folders of the modules that these files test.
fn modules_of(tests: &[String]) -> impl Iterator<Item = PathBuf> {
    tests
        .iter()
        .map(|test| module_of(std::slice::from_ref(test)))
}

/// Where the main sources begin of the modules that these files test: some may be of other modules than those that changed.
fn mains_beside(base: &Path, tests: &[String]) -> BTreeSet<PathBuf> {
    let main = |module: PathBuf| {
        let mut folders = MAINS.iter().map(|main| base.join(&module).join(main));
        folders.find(|folder| folder.is_dir())
    };
    modules_of(tests).filter_map(main).collect()
}

/// Sources of what the tests' resources name as providers of services, such as extensions of JUnit: tests need them without naming them.
fn providers(resources: &[PathBuf], roots: &[PathBuf]) -> Vec<PathBuf> {
    let services = resources.iter().map(|r| r.join("META-INF/services"));
    let files = services.filter_map(|folder| std::fs::read_dir(folder).ok());
    let texts = files.flatten().flatten();
    let texts = texts.filter_map(|file| std::fs::read_to_string(file.path()).ok());
    let mut found = BTreeSet::new();
    for text in texts {
        let names = text
            .lines()
            .map(|l| l.split('#').next().unwrap_or_default());
        for name in names.map(str::trim).filter(|n| !n.is_empty()) {
            let file = format!("{}.java", name.internal());
            let mut places = roots.iter().map(|r| r.join(&file));
            found.extend(places.find(|p| p.is_file()));
        }
    }
    found.into_iter().collect()
}

/// Binary names of the top-level types of the files.
fn class_names(base: &Path, files: &[String]) -> Vec<String> {
    let mut names = BTreeSet::new();
    for file in files {
        let bytes = std::fs::read(base.join(file)).unwrap_or_default();
        if let Ok(source) = SourceFile::parse(file, &bytes) {
            let types = source.types.iter().map(|t| t.name.clone());
            names.extend(types.filter(|name| !name.contains('$')));
        }
    }
    names.into_iter().collect()
}

/// Whether Maven's convention takes a class for an integration test, which needs more than the project: it is run by Failsafe.
fn is_integration_test(class: &str) -> bool {
    let name = class.rsplit('.').next().unwrap_or_default();
    let first = name.strip_prefix("IT").and_then(|rest| rest.chars().next());
    name.ends_with("IT") || name.ends_with("ITCase") || first.is_some_and(char::is_uppercase)
}

/// Puts a module's resources for tests where Maven puts them too: some tests read them by that path. Without it these fail, and say why.
fn link_as_built(resources: &Path, module: &Path) {
    let built = module.join(BUILT_TESTS);
    let parent = built.parent().unwrap_or(module);
    let _ = std::fs::create_dir_all(parent)
        .and_then(|()| std::os::unix::fs::symlink(resources, &built));
}

fn write_runners(folder: &Path, sources: &[(&str, &str)]) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|e| io("temporary folder", &e))?;
    for (file, text) in sources {
        std::fs::write(folder.join(file), text).map_err(|e| io("temporary folder", &e))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_tests_of_one_name_the_first_is_run() {
        let file = |module: &str| format!("{module}/src/test/java/p/ATest.java");
        let roots = ["a", "b"].map(|m| format!("{m}/src/test/java"));
        let mut tests = vec![file("b"), file("a"), "a/src/test/java/p/BTest.java".into()];
        let twins = without_twins(&mut tests, &roots);
        assert_eq!(tests, [file("b"), "a/src/test/java/p/BTest.java".into()]);
        assert_eq!(twins[0].0, file("a"));
    }

    #[test]
    fn tests_run_in_the_folder_of_their_module() {
        let of = |file: &str| module_of(&[file.to_string()]);
        assert_eq!(of("a/b/src/test/java/p/ATest.java"), Path::new("a/b"));
        assert_eq!(of("src/test/java/ATest.java"), Path::new(""));
        assert_eq!(of("tests/ATest.java"), Path::new(""));
        assert_eq!(of("core/test/com/ATest.java"), Path::new("core"));
    }
}
