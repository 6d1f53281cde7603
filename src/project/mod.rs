//! The build model: what the project's own build tool says of its modules, for one commit, without touching the user's folders.

mod added_sources;
mod arguments;
mod cache;
mod class_release;
mod compiled_state;
mod coordinates;
mod declared;
mod filtering;
mod generated;
mod gradle;
mod ivy;
mod jars;
mod junit;
mod level;
mod made_poms;
mod maven;
mod model;
mod opens;
mod other_classes;
mod plugins;
mod pom_file;
mod poms;
mod process;
mod processors;
mod properties;
mod reactor;
mod refused;
mod releases;
mod substitutes;

pub use cache::carry_over;
pub use class_release::release_of_jar;
pub use filtering::Filtered;
pub use level::declared_level;
pub use model::{Model, Module, NONE, Needs};
pub use processors::{loadable, processors, with_those_of};

use crate::util::deadline::Deadline;
use crate::util::temporary;
use maven::Maven;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Which build tool is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Build {
    /// The one whose files are there.
    #[default]
    Auto,
    /// Maven.
    Maven,
    /// Gradle.
    Gradle,
    /// None: source roots are found by package declarations.
    None,
}

/// How a model is asked for.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Which tool.
    pub build: Build,
    /// When the whole run ends, where that is limited: a build tool gets no more time.
    pub end: Deadline,
    /// Whether it may not download.
    pub offline: bool,
    /// Where models are kept.
    pub cache: Option<PathBuf>,
    /// The `PATH`.
    pub path: Option<std::ffi::OsString>,
    /// The user's options for Maven's JVM.
    pub maven_options: String,
    /// The user's options for every JVM.
    pub jvm_options: String,
    /// The user's home, where build tools keep what they downloaded.
    pub home: Option<PathBuf>,
    /// The JDK's compiler, of which the calls are noted.
    pub javac: PathBuf,
    /// The JDK's release.
    pub jdk: u32,
}

/// Files by which a folder is one of Gradle: projects below settings may name their build files otherwise.
const GRADLE: [&str; 4] = [
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
];

/// A commit's files, as a model needs them.
pub struct Tree<'a> {
    /// Paths and content hashes, sorted.
    pub files: &'a [(String, String)],
    /// Paths of tests that the patch changes.
    pub tests: &'a [String],
    /// Writes all of them below a folder.
    pub write: &'a dyn Fn(&Path) -> Result<(), String>,
}

/// The model of the modules that hold the changed files; generated sources are written below `dest`, where all paths are meant.
///
/// Never fails: what could not be had is in the notes, and without any model the source roots are found otherwise.
pub fn find(tree: &Tree, changed: &[String], wish: &Wish, dest: &Path) -> Model {
    let tool = tool(tree, changed, wish.build);
    let name = match tool {
        Build::Maven => "maven",
        Build::Gradle => "gradle",
        Build::Auto if ivy::is_there(tree.files, changed) => "ivy",
        Build::None | Build::Auto => {
            return Model {
                tool: NONE.into(),
                // Who wants no build tool names the class path.
                modules: match tool {
                    Build::Auto => jars::module(tree, dest).into_iter().collect(),
                    _ => Vec::new(),
                },
                ..Model::default()
            };
        }
    };
    let key = cache::key(
        tree.files,
        &cache::modules(tree.files, changed.iter().chain(tree.tests)),
        name,
        wish.jdk,
    );
    if let Some(model) = cache::load(wish.cache.as_deref(), &key, tree.files, dest) {
        return model;
    }
    let failed = |why: String| Model {
        tool: name.into(),
        notes: vec![format!("{name}: {why}")],
        ..Model::default()
    };
    let work = match temporary::folder("build") {
        Ok(work) => work,
        Err(e) => return failed(e.to_string()),
    };
    // Build tools print and compare real paths.
    let base = std::fs::canonicalize(work.path()).unwrap_or(work.path().to_path_buf());
    let (copy, notes) = (base.join("tree"), base.join("notes"));
    if let Err(why) = std::fs::create_dir_all(&copy)
        .map_err(|e| e.to_string())
        .and_then(|()| (tree.write)(&copy))
    {
        return failed(why);
    }
    let mut model = match tool {
        Build::Maven => {
            let maven = Maven::of(&copy, &notes, wish);
            let mut resources = poms::named_resources(&copy);
            let testers = poms::testers(&copy, changed, tree.tests);
            let (mut model, lacking) = maven.model(changed, &testers);
            for module in &mut model.modules {
                let named = resources.get_mut(&module.dir).map(|r| &mut r.folders);
                module.resources = named.map(std::mem::take).unwrap_or_default();
            }
            poms::add_published(&mut model, &maven, &lacking.bare, wish.jdk);
            let wanted = (changed, &testers);
            poms::add_declared(&mut model, &maven, wanted, (wish.jdk, &lacking.stopped));
            poms::add_packed(&mut model, &maven, wish.jdk);
            maven.lend_tests(&testers, &mut model);
            for module in &mut model.modules {
                let named = resources.remove(&module.dir);
                module.filtered = named.unwrap_or_default().filtered;
            }
            model
        }
        Build::Gradle => gradle::model(&copy, &notes, changed, wish),
        Build::None | Build::Auto => {
            let mut model = ivy::model((tree, &copy), &notes, changed, wish);
            jars::add(&mut model, tree, &copy);
            model
        }
    };
    model.modules.iter_mut().for_each(Module::make_plain);
    other_classes::note(&mut model);
    let levels = model.modules.iter().filter_map(Module::level);
    model.opens = opens::of(&copy, tree.files, levels.max());
    junit::add_runners(&mut model, wish, &base);
    // Where the private folder was is of no interest, and another place in each run.
    let folder = format!("{}/", copy.display());
    for note in &mut model.notes {
        *note = note.replace(&folder, "");
    }
    if wish.end.is_over() && !model.notes.is_empty() {
        // With more time the answer is another one.
        (model.lacks_time, model.is_complete) = (true, false);
    }
    cache::keep(wish.cache.as_deref(), &key, tree.files, &model, &copy, dest)
}

/// The tool whose build file is nearest to the changed files; `Auto` where there is neither Maven's nor Gradle's.
fn tool(tree: &Tree, changed: &[String], wanted: Build) -> Build {
    if wanted != Build::Auto {
        return wanted;
    }
    let has = |path: &str| {
        tree.files
            .binary_search_by(|f| f.0.as_str().cmp(path))
            .is_ok()
    };
    for file in changed {
        for folder in Path::new(file).ancestors().skip(1) {
            let holds = |name: &str| has(&folder.join(name).to_string_lossy());
            if holds("pom.xml") {
                return Build::Maven;
            }
            if GRADLE.into_iter().any(holds) {
                return Build::Gradle;
            }
        }
    }
    Build::Auto
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_build_file_decides() {
        let files: Vec<(String, String)> = ["a/pom.xml", "build.gradle", "c/settings.gradle.kts"]
            .map(|f| (f.to_string(), String::new()))
            .into();
        let tree = Tree {
            files: &files,
            tests: &[],
            write: &|_| Ok(()),
        };
        let of = |file: &str| tool(&tree, &[file.to_string()], Build::Auto);
        let of_neither = |tree: &Tree| tool(tree, &["a/A.java".into()], Build::Auto);
        assert_eq!(of("a/src/A.java"), Build::Maven);
        assert_eq!(of("b/src/A.java"), Build::Gradle);
        let named_otherwise = Tree {
            files: &files[2..],
            tests: &[],
            write: &|_| Ok(()),
        };
        let file = "c/core/src/A.java".to_string();
        assert_eq!(tool(&named_otherwise, &[file], Build::Auto), Build::Gradle);
        assert_eq!(tool(&tree, &["a/A.java".into()], Build::None), Build::None);
        let neither = Tree {
            files: &[],
            tests: &[],
            write: &|_| Ok(()),
        };
        assert_eq!(of_neither(&neither), Build::Auto);
    }
}
