//! Classes of one name in several changed source folders, such as a library's editions for two platforms: one build can't hold both, so
//! one folder is analysed, and the others are named.

use super::patch::{ChangedFile, is_test, stem};
use crate::java::{SourceFile, identifiers};
use crate::model::Spelling;
use std::collections::{BTreeMap, BTreeSet};

/// Files to analyse, and others with the reason why not.
type Kept = (Vec<ChangedFile>, Vec<(String, String)>);

/// A folder that packages begin in, with changed files.
struct Root {
    /// Its path, empty for the repository's.
    path: String,
    /// Its changed files, by their place among all.
    changed: Vec<usize>,
    /// Paths of its source files, from the root on.
    files: BTreeSet<String>,
    /// What its changed files name.
    words: BTreeSet<String>,
}

/// The files without those of folders that can't be compiled beside the one with the most changed files, and why these are left out.
/// `known` gives the paths of the new version's files.
///
/// # Errors
/// Those of `known`.
pub(super) fn leave_out<E>(
    files: Vec<ChangedFile>,
    known: impl FnOnce() -> Result<Vec<(String, String)>, E>,
) -> Result<Kept, E> {
    let mut roots = roots(&files);
    // One folder alone has each name once.
    if roots.len() < 2 {
        return Ok((files, Vec::new()));
    }
    note_sources(&mut roots, &known()?);
    roots.sort_by_key(|r| (std::cmp::Reverse(r.changed.len()), r.path.clone()));
    let mut kept: Vec<Root> = Vec::new();
    let mut left: BTreeMap<usize, String> = BTreeMap::new();
    for root in roots {
        let clash = kept.iter().find_map(|k| Some((k, k.clash(&root, &files)?)));
        match clash {
            Some((other, class)) => {
                let why = format!(
                    "{0} has a class of the same name, {class}: --exclude '{0}' analyses this one",
                    other.path
                );
                left.extend(root.changed.iter().map(|i| (*i, why.clone())));
            }
            None => kept.push(root),
        }
    }
    let (mut rest, mut skipped) = (Vec::new(), Vec::new());
    for (i, file) in files.into_iter().enumerate() {
        match left.remove(&i) {
            Some(why) => skipped.push((path(&file).to_string(), why)),
            None => rest.push(file),
        }
    }
    Ok((rest, skipped))
}

impl Root {
    /// A class of both folders that both versions of a patch can't share: it changed in both, or a changed file names it.
    fn clash(&self, other: &Root, all: &[ChangedFile]) -> Option<String> {
        let changed = |root: &Root, file: &String| {
            let below = |i: &usize| path(&all[*i]).strip_prefix(&*root.path);
            let mut paths = root.changed.iter().filter_map(below);
            paths.any(|p| p.trim_start_matches('/') == file)
        };
        let both = self.files.intersection(&other.files);
        let mut clashing = both.filter(|file| {
            let name = stem(file);
            changed(self, file) && changed(other, file)
                || self.words.contains(name)
                || other.words.contains(name)
        });
        clashing.next().map(|file| stem(file).to_string())
    }
}

fn roots(files: &[ChangedFile]) -> Vec<Root> {
    let mut all: BTreeMap<String, Root> = BTreeMap::new();
    for (i, file) in files.iter().enumerate() {
        let sides = [&file.new, &file.old];
        let Some(path) = sides.into_iter().flatten().find_map(root) else {
            continue;
        };
        let root = all.entry(path.clone()).or_insert_with(|| Root {
            path,
            changed: Vec::new(),
            files: BTreeSet::new(),
            words: BTreeSet::new(),
        });
        root.changed.push(i);
        for side in sides.into_iter().flatten() {
            root.words
                .extend(identifiers(&side.text).map(str::to_string));
        }
    }
    all.into_values().collect()
}

/// Notes what lies in each folder.
fn note_sources(roots: &mut [Root], known: &[(String, String)]) {
    let sources = known.iter().map(|f| f.0.as_str());
    let sources = sources.filter(|p| p.ends_with(".java") && !p.ends_with("-info.java"));
    for source in sources.filter(|p| !is_test(p)) {
        for root in roots.iter_mut() {
            let below = match &*root.path {
                "" => Some(source),
                path => source.strip_prefix(path).and_then(|p| p.strip_prefix('/')),
            };
            root.files.extend(below.map(str::to_string));
        }
    }
}

/// The folder that a file's package begins in; `None` where the file stands elsewhere.
fn root(file: &SourceFile) -> Option<String> {
    let folder = file.path.rsplit_once('/').map_or("", |f| f.0);
    let root = folder.strip_suffix(file.package.internal().as_str())?;
    (root.is_empty() || root.ends_with('/') || file.package.is_empty())
        .then(|| root.trim_end_matches('/').to_string())
}

fn path(file: &ChangedFile) -> &str {
    let sides = [&file.new, &file.old];
    let mut sides = sides.into_iter().flatten();
    sides.next().map_or("", |f| &f.path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::FileDiff;

    fn changed(path: &str, text: &str) -> ChangedFile {
        let file = SourceFile::parse(path, text.as_bytes()).unwrap();
        ChangedFile {
            old: Some(file.clone()),
            new: Some(file),
            diff: FileDiff::default(),
        }
    }

    fn left(changed: Vec<ChangedFile>, others: &[&str]) -> Vec<String> {
        let of_patch = changed.iter().map(path);
        let mut known: Vec<(String, String)> = of_patch
            .chain(others.iter().copied())
            .map(|p| (p.to_string(), String::new()))
            .collect();
        known.sort();
        let kept = leave_out(changed, || Ok::<_, ()>(known));
        kept.unwrap().1.into_iter().map(|s| s.0).collect()
    }

    #[test]
    fn of_two_editions_the_one_with_more_changes_is_analysed() {
        let a = "package p; class A { B b; }";
        let files = || {
            vec![
                changed("android/src/p/A.java", a),
                changed("main/src/p/A.java", a),
                changed("main/src/p/B.java", "package p; class B {}"),
            ]
        };
        assert_eq!(left(files(), &[]), ["android/src/p/A.java"]);
    }

    #[test]
    fn an_unchanged_class_counts_where_it_is_named() {
        let files = || {
            vec![
                changed("x/src/p/A.java", "package p; class A { Util u; }"),
                changed("y/src/p/B.java", "package p; class B {}"),
            ]
        };
        let of_both = ["x/src/p/Util.java", "y/src/p/Util.java"];
        assert_eq!(left(files(), &of_both), ["y/src/p/B.java"]);
        assert!(left(files(), &["x/src/p/Util.java", "y/src/p/Other.java"]).is_empty());
        assert!(left(files(), &["x/src/p/Main.java", "y/src/p/Main.java"]).is_empty());
    }

    #[test]
    fn a_name_in_two_packages_is_two_names() {
        let files = vec![
            changed("x/src/p/A.java", "package p; class A {}"),
            changed("y/src/q/A.java", "package q; class A {}"),
        ];
        assert!(left(files, &[]).is_empty());
    }
}
