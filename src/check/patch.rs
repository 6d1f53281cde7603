//! A patch: the changed files of two commits, parsed and aligned.

use crate::align::{FileDiff, LongerList, compare};
use crate::check::path_filter::PathFilter;
use crate::check::same_names;
use crate::error::Error;
use crate::git::{Commit, FileChange, Repo};
use crate::java::{SourceFile, mean_the_same};
use crate::model::Version;
use crate::options::Revisions;
use crate::report::TEST;

/// A changed source file, parsed in both versions, with their difference.
pub struct ChangedFile {
    /// The old version.
    pub old: Option<SourceFile>,
    /// The new version.
    pub new: Option<SourceFile>,
    /// How they differ, when both are there.
    pub diff: FileDiff,
}

/// Why such a file is left out.
pub const NO_CODE: &str = "nothing differs that javac makes code of";

/// The same for a file such as an example in a folder of documents.
pub(super) const UNBUILT: &str = "not among the sources that the build compiles";

impl ChangedFile {
    fn means_the_same(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => old.path == new.path && mean_the_same(&old.text, &new.text),
            _ => false,
        }
    }
}

/// What the stages up to alignment found.
pub struct Patch {
    /// The old commit.
    pub old: Commit,
    /// The new commit.
    pub new: Commit,
    /// Changed files that are not tests.
    pub files: Vec<ChangedFile>,
    /// What was left out, and why.
    pub skipped: Vec<(String, String)>,
    /// Overloads that one version got, by which it is called like the other.
    pub overloads: Vec<LongerList>,
}

impl Patch {
    /// The commit of a version.
    pub fn commit(&self, version: Version) -> &Commit {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }

    /// Paths of the changed files in a version.
    pub fn paths_in(&self, version: Version) -> impl Iterator<Item = &str> {
        let sides = self.files.iter().map(move |file| match version {
            Version::Old => &file.old,
            Version::New => &file.new,
        });
        sides.flatten().map(|side| side.path.as_str())
    }

    /// Paths of the tests that it changes.
    pub fn tests(&self) -> impl Iterator<Item = &str> {
        let skipped = self.skipped.iter().map(|(path, _)| path.as_str());
        skipped.filter(|path| is_test(path))
    }

    /// Paths of the changed files, in both versions.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let sides = self.files.iter().flat_map(|f| [&f.old, &f.new]);
        sides.flatten().map(|f| f.path.as_str())
    }

    /// Leaves out files that the build does not compile, by their paths in either version.
    pub fn leave_out(&mut self, paths: &[String]) {
        let is_kept = |f: &ChangedFile| {
            let mut sides = [&f.old, &f.new].into_iter().flatten();
            !sides.any(|side| paths.contains(&side.path))
        };
        self.files.retain(is_kept);
        let skipped = paths.iter().map(|p| (p.clone(), UNBUILT.to_string()));
        self.skipped.extend(skipped);
    }
}

/// git, parse, align.
///
/// # Errors
/// A revision is unknown, or a changed file can't be read.
pub fn read(repo: &Repo, revisions: &Revisions, paths: &PathFilter) -> Result<Patch, Error> {
    let old = repo.resolve(&revisions.old)?;
    let new = repo.resolve(&revisions.new)?;
    let (mut files, mut skipped) = (Vec::new(), Vec::new());
    for change in repo.changed_java_files(&old, &new)? {
        let path = change
            .new
            .clone()
            .or(change.old.clone())
            .unwrap_or_default();
        let sides = [&change.old, &change.new];
        let mut sides = sides.into_iter().flatten();
        if !sides.any(|p| paths.lets_through(p)) {
            skipped.push((path, "not asked for (--path, --exclude)".into()));
        } else if is_test(&path) {
            skipped.push((path, TEST.into()));
        } else if is_hidden(&path) && paths.wanted().is_empty() {
            skipped.push((path, "in a hidden folder, not compiled".into()));
        } else if is_resource(&path) {
            skipped.push((path, "among resources, not compiled".into()));
        } else if path.ends_with("module-info.java") || path.ends_with("package-info.java") {
            skipped.push((path, "no methods".into()));
        } else {
            let file = changed_file(repo, &old, &new, &change)?;
            let versions = [&file.old, &file.new].into_iter().flatten();
            if let Some(line) = versions.filter_map(|f| f.unknown).next() {
                let why = format!("the parser does not know the syntax at line {line}");
                skipped.push((format!("finer levels in {path}"), why));
            }
            match file.means_the_same() {
                true => skipped.push((path, NO_CODE.into())),
                false => files.push(file),
            }
        }
    }
    let (files, others) = same_names::leave_out(files, || repo.files(&new))?;
    skipped.extend(others);
    skipped.extend(other_languages(repo, &old, &new, paths)?);
    Ok(Patch {
        old,
        new,
        files,
        skipped,
        overloads: Vec::new(),
    })
}

/// Whether a file lies in a hidden folder: what tools keep there (`.mvn`, `.github`) is none of the project's code.
fn is_hidden(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |p| p.0);
    folders.split('/').any(|folder| folder.starts_with('.'))
}

/// Languages of the JVM beside Java, by the ends of their files.
const LANGUAGES: [(&str, &str); 4] = [
    (".kt", "Kotlin"),
    (".groovy", "Groovy"),
    (".scala", "Scala"),
    (".clj", "Clojure"),
];

/// Changed sources that are not Java.
fn other_languages(
    repo: &Repo,
    old: &Commit,
    new: &Commit,
    paths: &PathFilter,
) -> Result<Vec<(String, String)>, Error> {
    let mut skipped = Vec::new();
    for (end, language) in LANGUAGES {
        let is_one = |p: &str| p.ends_with(end) && !is_test(p) && paths.lets_through(p);
        let changed = repo.changed_paths(old, new, &is_one)?;
        let why = format!("only Java is analysed, this is {language}");
        skipped.extend(changed.into_iter().map(|p| (p, why.clone())));
    }
    Ok(skipped)
}

fn changed_file(
    repo: &Repo,
    old: &Commit,
    new: &Commit,
    change: &FileChange,
) -> Result<ChangedFile, Error> {
    let parse = |commit: &Commit, path: &Option<String>| -> Result<Option<SourceFile>, Error> {
        let Some(path) = path else { return Ok(None) };
        match repo.read(commit, path)? {
            Some(bytes) => Ok(Some(SourceFile::read(path, &bytes)?)),
            None => Ok(None),
        }
    };
    let (old, new) = (parse(old, &change.old)?, parse(new, &change.new)?);
    let diff = match (&old, &new) {
        (Some(a), Some(b)) => compare(a, b),
        _ => FileDiff::default(),
    };
    Ok(ChangedFile { old, new, diff })
}

/// The name of a source file without folders and ending: that of the class it is named after.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".java").unwrap_or(name)
}

/// Whether a path lies in a test source root, by the conventions of Maven, Gradle and Ant projects.
pub fn is_test(path: &str) -> bool {
    tests_folder(path).is_some()
}

/// Whether a path lies among the resources of main sources, by the conventions of Maven and Gradle projects.
fn is_resource(path: &str) -> bool {
    let folder = "src/main/resources/";
    path.starts_with(folder) || path.contains(&format!("/{folder}"))
}

/// The first packages below folders called `test` that lie beside the main sources: `core/test/com/…`.
const FIRST_PACKAGES: [&str; 8] = ["com", "org", "net", "io", "edu", "de", "java", "javax"];

/// Folders that hold main sources.
const SOURCES: [&str; 4] = ["src", "main", "source", "sources"];

/// The folder around a source file in which tests and their files lie, `core/src/test`; `None` if it is no test.
pub fn tests_folder(path: &str) -> Option<&str> {
    let folders: Vec<&str> = path.split('/').collect();
    let folders = &folders[..folders.len().saturating_sub(1)];
    // `src/test`, `src/test-jdk17`, `src/testFixtures`, `src/integration-test`, `src/intTest`, `src/it`, and benchmarks
    let is_root = |name: &str| {
        let name = name.to_ascii_lowercase();
        let ends = ["test", "tests"].iter().any(|end| name.ends_with(end));
        name.starts_with("test") || ends || name == "it" || name == "jmh"
    };
    let is_called_tests = |name: &str| matches!(name, "test" | "tests" | "javatests");
    let is_project_of_tests = |name: &str| {
        let ends = [".test", ".tests", "-test", "-tests"];
        ends.iter().any(|end| name.ends_with(end))
    };
    let begins_package = |at: usize| {
        let below = folders.get(at);
        below.is_some_and(|name| FIRST_PACKAGES.contains(name))
    };
    // Of `java/tests/name/…` and `core/test/p/…`: no package that is called so, since neither sources nor packages begin above.
    let is_beside_sources = |at: usize| {
        let above = folders[..at].iter().enumerate();
        let mut above = above.filter(|(at, name)| *at > 0 || **name != "java");
        !above.any(|(_, name)| SOURCES.contains(name) || FIRST_PACKAGES.contains(name))
    };
    let is_tests = |at: usize| match at.checked_sub(1).map(|above| folders[above]) {
        None => is_called_tests(folders[at]),
        Some("src") if is_root(folders[at]) => true,
        // Projects of tests, as Eclipse lays them out: `org.jacoco.core.test/src/org/…`
        Some(above) if folders[at] == "src" => is_project_of_tests(above) && begins_package(at + 1),
        Some(_) => {
            is_called_tests(folders[at]) && (begins_package(at + 1) || is_beside_sources(at))
        }
    };
    let last = (0..folders.len()).find(|at| is_tests(*at))?;
    let length = folders[..=last].iter().map(|f| f.len() + 1).sum::<usize>();
    Some(&path[..length - 1])
}

#[cfg(test)]
mod tests {
    use super::tests_folder;

    #[test]
    fn tests_are_told_by_the_folders_they_lie_in() {
        for (path, folder) in [
            ("src/test/java/p/ATest.java", Some("src/test")),
            ("org.x.test/src/org/x/A.java", Some("org.x.test/src")),
            ("boot-test/src/main/java/org/x/A.java", None),
            (
                "io/src/testFixtures/java/A.java",
                Some("io/src/testFixtures"),
            ),
            ("tests/ATest.java", Some("tests")),
            ("core/test/com/p/ATest.java", Some("core/test")),
            ("javatests/org/p/ATest.java", Some("javatests")),
            ("java/tests/name/p/ATest.java", Some("java/tests")),
            ("core/test/p/ATest.java", Some("core/test")),
            ("core/src/p/test/A.java", None),
            ("lib/java/test/A.java", None),
            ("a/javatests/org/p/ATest.java", Some("a/javatests")),
            ("core/src/com/p/test/A.java", None),
            ("src/main/java/test/A.java", None),
            ("test-framework/src/main/java/A.java", None),
            ("Test.java", None),
        ] {
            assert_eq!(tests_folder(path), folder, "{path}");
        }
    }
}
