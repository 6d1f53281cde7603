//! Cached build models, by the hash of the build files: a second run starts no build tool and works offline.

use super::gradle;
use super::ivy;
use super::model::{Model, NONE};
use crate::util::copy::{copy, copy_new};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Stands for the commit's folder in what is kept.
const TREE: &str = "/@tree@";

/// Changes whenever what is kept means something else.
const FORMAT: &str = "38";

/// The file that names the folders of modules whose own classes generate sources.
const GENERATORS: &str = "generators";

/// The folders of the modules that hold these files, as far as build files tell.
pub fn modules<'a>(
    files: &[(String, String)],
    changed: impl IntoIterator<Item = &'a String>,
) -> BTreeSet<String> {
    let folders: BTreeSet<&str> = files
        .iter()
        .filter(|f| is_build_file(&f.0))
        .map(|f| f.0.rsplit_once('/').map_or("", |p| p.0))
        .collect();
    let of = |file: &String| {
        let mut above = Path::new(file).ancestors().skip(1);
        let found = above.find(|d| folders.contains(&*d.to_string_lossy()));
        found.map(|d| d.to_string_lossy().into_owned())
    };
    changed.into_iter().filter_map(of).collect()
}

/// What a model depends on: the build files, the modules asked for, the tool and the JDK.
pub fn key(files: &[(String, String)], modules: &BTreeSet<String>, tool: &str, jdk: u32) -> String {
    let build = files.iter().filter(|f| is_build_file(&f.0));
    let build = build.map(|(path, id)| format!("{path} {id}"));
    let head = [FORMAT.to_string(), tool.to_string(), jdk.to_string()];
    hash(head.into_iter().chain(build).chain(modules.iter().cloned()))
}

fn hash(lines: impl Iterator<Item = String>) -> String {
    let mut hash = Sha256::new();
    for line in lines {
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
    let bytes = hash.finalize();
    bytes.iter().take(12).map(|b| format!("{b:02x}")).collect()
}

/// Whether a file says how a project is built.
pub fn is_build_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let named = ["pom.xml", "gradle.properties", "gradle-wrapper.properties"];
    named.contains(&name)
        || ivy::is_read(path)
        || gradle::LOCKS.contains(&name)
        || [".gradle", ".gradle.kts", ".versions.toml"]
            .iter()
            .any(|end| name.ends_with(end))
        || format!("/{path}").contains("/.mvn/")
        || path.starts_with("buildSrc/")
        || path.starts_with("build-logic/")
}

/// What sources may be generated from: everything but Java, tests, and what is written for people; Java only of modules whose own
/// classes generate them.
fn inputs(files: &[(String, String)], generators: &[String]) -> String {
    let generates = |path: &str| {
        let mut folders = generators.iter();
        folders.any(|folder| Path::new(path).starts_with(folder))
    };
    let wanted = files
        .iter()
        .filter(|f| !f.0.ends_with(".java") || generates(&f.0))
        .filter(|f| !f.0.contains("src/test/") && !is_prose(&f.0));
    hash(wanted.map(|(path, id)| format!("{path} {id}")))
}

/// Whether a file outside of all source folders is a document or a setting of a tool around the build.
fn is_prose(path: &str) -> bool {
    if path.starts_with("src/") || path.contains("/src/") {
        return false;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let top = folder.split('/').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let folders = [".github", ".circleci", "doc", "docs", "release-notes"];
    let names = [
        "readme",
        "changes",
        "changelog",
        "license",
        "notice",
        "release-notes",
        ".git",
        ".editorconfig",
        ".travis",
    ];
    folders.contains(&top)
        || [".md", ".adoc", ".rst"]
            .iter()
            .any(|end| name.ends_with(end))
        || names.iter().any(|start| name.starts_with(start)) && !name.ends_with(".properties")
}

/// Where a model is kept: one with generated sources apart for each content of what they may come from. Two versions of one
/// build would take the place from each other else.
fn place(cache: &Path, key: &str, inputs: Option<&str>) -> PathBuf {
    let name = match inputs {
        Some(inputs) => format!("{key}-{inputs}"),
        None => key.to_string(),
    };
    cache.join("project").join(name)
}

/// Folders of modules whose own classes generate sources, as a run noted them that asked the build tool.
fn generators(cache: &Path, key: &str) -> Vec<String> {
    let text = std::fs::read_to_string(place(cache, key, None).join(GENERATORS));
    let text = text.unwrap_or_default();
    text.lines().map(str::to_string).collect()
}

/// The model of that key, if it was kept and still holds; its generated sources are copied below `dest`.
pub fn load(
    cache: Option<&Path>,
    key: &str,
    files: &[(String, String)],
    dest: &Path,
) -> Option<Model> {
    let cache = cache?;
    let folders = [
        place(cache, key, None),
        place(cache, key, Some(&inputs(files, &generators(cache, key)))),
    ];
    let (folder, text) = folders.iter().find_map(|folder| {
        let text = std::fs::read_to_string(folder.join("model.json")).ok()?;
        Some((folder, text))
    })?;
    let model: Model = serde_json::from_str(&text).ok()?;
    let paths = model.modules.iter().flat_map(|m| {
        let processors = m.processors.iter().flatten();
        m.class_path
            .iter()
            .chain(&m.test_class_path)
            .chain(processors)
    });
    let is_there = |p: &PathBuf| p.starts_with(TREE) || p.exists();
    if !paths.into_iter().all(is_there) {
        return None;
    }
    // What the commit has is not generated.
    copy_new(&folder.join("generated"), dest).ok()?;
    Some(model.moved(Path::new(TREE), dest))
}

/// Keeps a model made in `tree`, with its generated sources, and gives it with paths below `dest`.
pub fn keep(
    cache: Option<&Path>,
    key: &str,
    files: &[(String, String)],
    model: &Model,
    tree: &Path,
    dest: &Path,
) -> Model {
    let generated = generated(model, tree, files);
    for root in &generated {
        if let Ok(below) = root.strip_prefix(tree) {
            let _ = copy_new(root, &dest.join(below));
        }
    }
    // What failed is asked for again.
    let complete = model.notes.is_empty() || model.is_complete;
    if let (Some(cache), true) = (cache, complete && !model.modules.is_empty()) {
        if !model.generators.is_empty() {
            let folder = place(cache, key, None);
            let _ = std::fs::create_dir_all(&folder);
            let _ = std::fs::write(folder.join(GENERATORS), model.generators.join("\n"));
        }
        let inputs = (!generated.is_empty()).then(|| inputs(files, &model.generators));
        let folder = place(cache, key, inputs.as_deref());
        let _ = write(&folder, model, tree, &generated);
    }
    model.moved(tree, dest)
}

/// The model of one version for another one whose folder is `dest`, if the build tool has nothing else to say of that; its generated
/// sources are copied. `trees` holds the files of both, `changed` those whose modules are asked for.
pub fn carry_over(
    model: &Model,
    trees: [&[(String, String)]; 2],
    changed: [&[String]; 2],
    (from, dest): (&Path, &Path),
) -> Option<Model> {
    let key = |n: usize| key(trees[n], &modules(trees[n], changed[n]), "", 0);
    let generated = generated(model, from, trees[0]);
    let alike = || inputs(trees[0], &model.generators) == inputs(trees[1], &model.generators);
    let is_own_jar = |p: &PathBuf| p.starts_with(from) && p.extension().is_some_and(|e| e == "jar");
    let mut jars = model.modules.iter().flat_map(|m| &m.class_path);
    let is_plain = generated.is_empty() && !jars.any(is_own_jar);
    // Without time the build tool says nothing more.
    let is_same = key(0) == key(1) && (model.lacks_time || is_plain || alike());
    if model.tool == NONE || !is_same {
        return None;
    }
    for root in generated {
        let below = root.strip_prefix(from).ok()?;
        copy_new(&root, &dest.join(below)).ok()?;
    }
    Some(model.moved(from, dest))
}

fn write(folder: &Path, model: &Model, tree: &Path, generated: &[PathBuf]) -> std::io::Result<()> {
    let parent = folder.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent)?;
    let staging = tempfile::tempdir_in(parent)?;
    for root in generated {
        if let Ok(below) = root.strip_prefix(tree) {
            copy(root, &staging.path().join("generated").join(below))?;
        }
    }
    let text = serde_json::to_string_pretty(&model.moved(tree, Path::new(TREE)))?;
    std::fs::write(staging.path().join("model.json"), text)?;
    let _ = std::fs::remove_dir_all(folder);
    // Another run may have been faster: it kept the same.
    let _ = std::fs::rename(staging.keep(), folder);
    Ok(())
}

/// Source roots that hold files which the commit does not, and classes of other languages.
fn generated(model: &Model, tree: &Path, files: &[(String, String)]) -> Vec<PathBuf> {
    let roots = model.modules.iter().flat_map(|m| &m.source_roots);
    let is_new = |root: &&PathBuf| {
        let Ok(below) = root.strip_prefix(tree) else {
            return false;
        };
        let below = format!("{}/", below.to_string_lossy());
        root.is_dir() && !files.iter().any(|f| f.0.starts_with(&below))
    };
    let classes = model
        .modules
        .iter()
        .filter_map(|m| m.other_classes.as_ref());
    roots.filter(is_new).chain(classes).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::super::model::Module;
    use super::*;

    #[test]
    fn both_versions_of_one_build_have_one_model() {
        let folder = || tempfile::tempdir().unwrap();
        let (old, new) = (folder(), folder());
        let root = old.path().join("target/generated-sources/x");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("G.java"), "class G {}").unwrap();
        let model = Model {
            modules: vec![Module {
                source_roots: vec![root],
                ..Module::default()
            }],
            ..Model::default()
        };
        let files = |pom: &str, grammar: &str, class: &str| {
            [("A.g4", grammar), ("A.java", class), ("pom.xml", pom)]
                .map(|(path, id)| (path.to_string(), id.to_string()))
        };
        let before = files("1", "1", "1");
        let carried = |model: &Model, after: &[(String, String)]| {
            let changed = ["A.java".to_string()];
            let folders = (old.path(), new.path());
            carry_over(model, [&before, after], [&changed, &changed], folders)
        };
        assert!(carried(&model, &files("2", "1", "2")).is_none());
        assert!(carried(&model, &files("1", "2", "2")).is_none());
        let same = carried(&model, &files("1", "1", "2")).unwrap();
        assert_eq!(same, model.moved(old.path(), new.path()));
        assert!(same.modules[0].source_roots[0].join("G.java").is_file());
        let mut without_time = model.clone();
        without_time.lacks_time = true;
        assert!(carried(&without_time, &files("1", "2", "2")).is_some());
    }

    #[test]
    fn what_is_kept_comes_back_below_another_folder() {
        let (cache, tree, dest) = (
            tempfile::tempdir().unwrap(),
            tempfile::tempdir().unwrap(),
            tempfile::tempdir().unwrap(),
        );
        let root = tree.path().join("m/target/generated-sources/x");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("G.java"), "class G {}").unwrap();
        let model = Model {
            tool: "maven".into(),
            modules: vec![Module {
                dir: tree.path().join("m"),
                source_roots: vec![root],
                ..Module::default()
            }],
            ..Model::default()
        };
        let mut files = vec![("m/pom.xml".to_string(), "1".to_string())];
        let modules = modules(&files, &["m/src/main/java/A.java".to_string()]);
        assert_eq!(modules, BTreeSet::from(["m".to_string()]));
        let key = key(&files, &modules, "maven", 17);
        let made = keep(
            Some(cache.path()),
            &key,
            &files,
            &model,
            tree.path(),
            dest.path(),
        );
        let again = tempfile::tempdir().unwrap();
        let found = load(Some(cache.path()), &key, &files, again.path()).unwrap();
        assert_eq!(found, made.moved(dest.path(), again.path()));
        let copied = "m/target/generated-sources/x/G.java";
        assert!(dest.path().join(copied).is_file() && again.path().join(copied).is_file());
        // A file of the commit stays as it is.
        std::fs::write(again.path().join(copied), "class G { int i; }").unwrap();
        load(Some(cache.path()), &key, &files, again.path()).unwrap();
        let kept = std::fs::read_to_string(again.path().join(copied)).unwrap();
        assert_eq!(kept, "class G { int i; }");
        let read = |files: &[(String, String)]| load(Some(cache.path()), &key, files, again.path());
        let before = files.clone();
        files.push(("m/src/main/proto/a.proto".into(), "2".into()));
        assert!(read(&files).is_none());
        keep(
            Some(cache.path()),
            &key,
            &files,
            &model,
            tree.path(),
            dest.path(),
        );
        assert!(read(&files).is_some());
        // The other version's is still there, and what people read changes nothing.
        files = before;
        files.push(("release-notes/VERSION".into(), "3".into()));
        assert!(read(&files).is_some());
    }
}
