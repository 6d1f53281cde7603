//! The user's repository: revisions, changed files and snapshots, through git2, without touching work tree or index.

use git2::{
    Delta, DiffFindOptions, DiffOptions, FileMode, ObjectType, Repository, TreeWalkMode,
    TreeWalkResult,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Larger blobs are not source code.
const MAX_BLOB: usize = 5 << 20;

/// Modes of tree entries: a symbolic link, and a file that can be run.
const LINK: i32 = 0o120_000;
const PROGRAM: i32 = 0o100_755;

/// What can be wrong with a repository or revision.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum GitError {
    /// No repository.
    #[error("{path} is not in a git repository")]
    #[diagnostic(help("run shadow-ci inside a git repository, or name one with --repo DIR"))]
    NoRepository {
        /// Where one was looked for.
        path: String,
    },
    /// No such revision.
    #[error("unknown revision '{revision}'")]
    #[diagnostic(help(
        "use any revision that git knows: HEAD~1, a branch, a tag, a commit hash; `git log --oneline` lists commits"
    ))]
    UnknownRevision {
        /// As the user wrote it.
        revision: String,
    },
    /// The history was cut off.
    #[error("revision '{revision}' is not in this shallow clone")]
    #[diagnostic(help(
        "fetch more history with `git fetch --deepen=50` or `git fetch --unshallow`; with actions/checkout, set `fetch-depth: 0`"
    ))]
    Shallow {
        /// As the user wrote it.
        revision: String,
    },
    /// git2 failed otherwise.
    #[error("git: {0}")]
    #[diagnostic(help("`git fsck` checks the repository"))]
    Git(#[from] git2::Error),
    /// A file of the snapshot can't be written.
    #[error("cannot write {path}: {why}")]
    #[diagnostic(help(
        "the temporary folder (TMPDIR) needs room for the sources of both versions"
    ))]
    Write {
        /// Which.
        path: String,
        /// Why.
        why: String,
    },
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Full hash.
    pub id: String,
}

/// A changed `.java` file; both sides when it was modified or renamed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileChange {
    /// Path in the old tree.
    pub old: Option<String>,
    /// Path in the new tree.
    pub new: Option<String>,
}

/// A repository, opened for reading.
pub struct Repo(Repository);

type Result<T> = std::result::Result<T, GitError>;

impl Repo {
    /// The repository that `dir` is in: a normal or bare one, or a linked work tree.
    ///
    /// # Errors
    /// There is none, or git refuses to open it.
    pub fn open(dir: &Path) -> Result<Repo> {
        let missing = |_| GitError::NoRepository {
            path: dir.display().to_string(),
        };
        Repository::discover(dir).map(Repo).map_err(missing)
    }

    /// The folder with the work tree, or the git folder of a bare repository.
    pub fn root(&self) -> &Path {
        self.0.workdir().unwrap_or_else(|| self.0.path())
    }

    /// The git folder: what belongs to this clone and is never committed.
    pub fn git_dir(&self) -> &Path {
        self.0.path()
    }

    /// The commit a revision names.
    ///
    /// # Errors
    /// There is no such revision, or it is no commit.
    pub fn resolve(&self, revision: &str) -> Result<Commit> {
        let unknown = |_| {
            let revision = revision.to_string();
            if self.0.is_shallow() {
                GitError::Shallow { revision }
            } else {
                GitError::UnknownRevision { revision }
            }
        };
        let object = self.0.revparse_single(revision).map_err(unknown)?;
        let commit = object.peel(ObjectType::Commit).map_err(unknown)?;
        Ok(Commit {
            id: commit.id().to_string(),
        })
    }

    /// The first line of a commit's message.
    ///
    /// # Errors
    /// There is no such commit.
    pub fn subject(&self, id: &str) -> Result<String> {
        let commit = self.0.find_commit(git2::Oid::from_str(id)?)?;
        let line = commit.summary_bytes().unwrap_or_default();
        Ok(String::from_utf8_lossy(line).into_owned())
    }

    fn tree(&self, commit: &Commit) -> Result<git2::Tree<'_>> {
        let object = self.0.revparse_single(&commit.id)?;
        Ok(object.peel_to_tree()?)
    }

    /// Every commit of `new` that `old` does not have, along first parents, each behind its parent; newest first.
    ///
    /// # Errors
    /// A revision is unknown, or history is missing.
    pub fn commits_between(&self, old: &str, new: &str) -> Result<Vec<(String, String)>> {
        let (old, new) = (self.resolve(old)?, self.resolve(new)?);
        let stop = git2::Oid::from_str(&old.id)?;
        let mut at = self.0.find_commit(git2::Oid::from_str(&new.id)?)?;
        let mut pairs = Vec::new();
        while at.id() != stop && !self.0.graph_descendant_of(stop, at.id())? {
            let Ok(parent) = at.parent(0) else { break };
            pairs.push((parent.id().to_string(), at.id().to_string()));
            at = parent;
        }
        Ok(pairs)
    }

    /// The `.java` files that differ between two commits, renames detected, sorted.
    ///
    /// # Errors
    /// A tree can't be read.
    pub fn changed_java_files(&self, old: &Commit, new: &Commit) -> Result<Vec<FileChange>> {
        let (a, b) = (self.tree(old)?, self.tree(new)?);
        let mut options = DiffOptions::new();
        let mut diff = self
            .0
            .diff_tree_to_tree(Some(&a), Some(&b), Some(&mut options))?;
        diff.find_similar(Some(DiffFindOptions::new().renames(true)))?;
        // A link has no source of its own, and may lead anywhere.
        let is_file =
            |f: &git2::DiffFile| matches!(f.mode(), FileMode::Blob | FileMode::BlobExecutable);
        let path = |f: git2::DiffFile| {
            let path = f.path().filter(|_| is_file(&f))?.to_string_lossy();
            Some(path.replace('\\', "/")).filter(|p| stays_below(p))
        };
        let mut changes = Vec::new();
        for delta in diff.deltas() {
            let (old, new) = match delta.status() {
                Delta::Added => (None, path(delta.new_file())),
                Delta::Deleted => (path(delta.old_file()), None),
                Delta::Modified | Delta::Renamed | Delta::Copied | Delta::Typechange => {
                    (path(delta.old_file()), path(delta.new_file()))
                }
                _ => continue,
            };
            let change = FileChange {
                old: old.filter(|p| is_java(p)),
                new: new.filter(|p| is_java(p)),
            };
            if change.old.is_some() || change.new.is_some() {
                changes.push(change);
            }
        }
        changes.sort();
        Ok(changes)
    }

    /// The paths that differ between two commits and that `keep` wants, by their new names where they have one, sorted.
    ///
    /// # Errors
    /// A tree can't be read.
    pub fn changed_paths(
        &self,
        old: &Commit,
        new: &Commit,
        keep: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let (a, b) = (self.tree(old)?, self.tree(new)?);
        let diff = self.0.diff_tree_to_tree(Some(&a), Some(&b), None)?;
        let path = |d: git2::DiffDelta| {
            let file = d.new_file().path().or(d.old_file().path());
            file.map(|p| p.to_string_lossy().replace('\\', "/"))
        };
        let mut paths: Vec<String> = diff.deltas().filter_map(path).collect();
        paths.retain(|p| keep(p));
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    /// The bytes of a file in a commit.
    ///
    /// # Errors
    /// The object can't be read.
    pub fn read(&self, commit: &Commit, path: &str) -> Result<Option<Vec<u8>>> {
        match self.tree(commit)?.get_path(Path::new(path)) {
            Ok(entry) => Ok(Some(self.0.find_blob(entry.id())?.content().to_vec())),
            Err(_) => Ok(None),
        }
    }

    /// Writes the commit's `.java` files below `dest`, in UTF-8, and returns their paths, sorted.
    ///
    /// # Errors
    /// An object can't be read, or a file not be written.
    pub fn snapshot(&self, commit: &Commit, dest: &Path) -> Result<Vec<String>> {
        let is_source = |path: &str| is_java(path) && !is_named(path, "module-info.java");
        let wanted = |path: &str| is_source(path) || is_named(path, "lombok.config");
        let mut paths = self.write_files(commit, dest, &wanted)?;
        paths.retain(|path| is_java(path));
        Ok(paths)
    }

    /// The paths of all files of a commit, with the hashes of their content, sorted by path.
    ///
    /// # Errors
    /// A tree can't be read.
    pub fn files(&self, commit: &Commit) -> Result<Vec<(String, String)>> {
        let mut files = Vec::new();
        self.tree(commit)?
            .walk(TreeWalkMode::PreOrder, |folder, entry| {
                if entry.kind() == Some(ObjectType::Blob) {
                    let name = String::from_utf8_lossy(entry.name_bytes());
                    files.push((format!("{folder}{name}"), entry.id().to_string()));
                }
                TreeWalkResult::Ok
            })?;
        files.sort();
        Ok(files)
    }

    /// Writes every file of a commit below `dest`, byte by byte; what a partial clone does not have is left out.
    ///
    /// # Errors
    /// A tree can't be read, or a file not be written.
    pub fn write_all(&self, commit: &Commit, dest: &Path) -> Result<()> {
        let mut files = Vec::new();
        self.tree(commit)?
            .walk(TreeWalkMode::PreOrder, |folder, entry| {
                let name = String::from_utf8_lossy(entry.name_bytes()).to_string();
                let path = format!("{folder}{name}");
                let is_file = entry.kind() == Some(ObjectType::Blob) && entry.filemode() != LINK;
                if is_file && stays_below(&path) {
                    files.push((path, entry.id(), entry.filemode()));
                }
                TreeWalkResult::Ok
            })?;
        for (path, id, mode) in &files {
            let Ok(blob) = self.0.find_blob(*id) else {
                continue;
            };
            let file = dest.join(path);
            let write = || -> std::io::Result<()> {
                std::fs::create_dir_all(file.parent().unwrap_or(dest))?;
                std::fs::write(&file, blob.content())?;
                if *mode == PROGRAM {
                    use std::os::unix::fs::PermissionsExt;
                    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755))?;
                }
                Ok(())
            };
            write().map_err(|e| GitError::Write {
                path: file.display().to_string(),
                why: e.to_string(),
            })?;
        }
        Ok(())
    }

    /// Writes the files of the commit's folders called `resources`, and of these folders all but Java's sources, below `dest` and
    /// returns the folders with such files, sorted.
    ///
    /// # Errors
    /// An object can't be read, or a file not be written.
    pub fn snapshot_resources(
        &self,
        commit: &Commit,
        dest: &Path,
        named: &[PathBuf],
    ) -> Result<Vec<PathBuf>> {
        let folder = |path: &str| -> Option<PathBuf> {
            let below = |f: &&PathBuf| Path::new(path).starts_with(f);
            let found = || named.iter().find(below).filter(|_| !is_java(path));
            resources(path)
                .map(PathBuf::from)
                .or_else(|| found().cloned())
        };
        let paths = self.write_files(commit, dest, &|path| folder(path).is_some())?;
        let folders = paths.iter().filter_map(|path| folder(path));
        let folders: BTreeSet<PathBuf> = folders.map(|f| dest.join(f)).collect();
        Ok(folders.into_iter().collect())
    }

    fn write_files(
        &self,
        commit: &Commit,
        dest: &Path,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let mut files = Vec::new();
        self.tree(commit)?
            .walk(TreeWalkMode::PreOrder, |folder, entry| {
                let name = String::from_utf8_lossy(entry.name_bytes()).to_string();
                let is_file = entry.kind() == Some(ObjectType::Blob) && entry.filemode() != LINK;
                let path = format!("{folder}{name}");
                if is_file && stays_below(&path) && wanted(&path) {
                    files.push((path, entry.id()));
                }
                TreeWalkResult::Ok
            })?;
        for (path, id) in &files {
            let blob = match self.0.find_blob(*id) {
                Ok(blob) if blob.size() > MAX_BLOB => continue,
                Ok(blob) => blob,
                // A partial clone lacks files: those that are no Java source may be of no matter.
                Err(_) if !is_java(path) => continue,
                Err(e) => return Err(e.into()),
            };
            let file = dest.join(path);
            let failed = |e: std::io::Error| GitError::Write {
                path: file.display().to_string(),
                why: e.to_string(),
            };
            if let Some(parent) = file.parent() {
                std::fs::create_dir_all(parent).map_err(failed)?;
            }
            let bytes = match is_java(path) {
                true => crate::util::encoding::decode(blob.content()).into_bytes(),
                false => blob.content().to_vec(),
            };
            std::fs::write(&file, bytes).map_err(failed)?;
        }
        let mut paths: Vec<String> = files.into_iter().map(|f| f.0).collect();
        paths.sort();
        Ok(paths)
    }
}

/// Whether a path of a tree means a file below the tree: git makes no others, but who makes objects by hand can.
fn stays_below(path: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | ".." | ".git") && !part.contains('\0');
    path.split('/').all(plain)
}

fn is_named(path: &str, name: &str) -> bool {
    path.rsplit('/').next() == Some(name)
}

/// The folder called `resources` that a file is in; of older projects the folder of their sources, where properties lie beside these.
fn resources(path: &str) -> Option<&str> {
    let folder = path.rsplit_once('/')?.0;
    if path.ends_with(".properties")
        && let Some(at) = format!("/{folder}/").find("/src/java/")
    {
        return path.get(..at + "src/java".len());
    }
    let at = format!("/{folder}/").find("/resources/")?;
    path.get(..at + "resources".len())
}

fn is_java(path: &str) -> bool {
    path.ends_with(".java")
}

#[cfg(test)]
mod tests {
    use super::resources;

    #[test]
    fn resources_have_a_folder_or_lie_beside_old_sources() {
        let named = "a/src/main/resources/x/y.xml";
        assert_eq!(resources(named), Some("a/src/main/resources"));
        assert_eq!(resources("a/src/java/org/b.properties"), Some("a/src/java"));
        assert_eq!(resources("src/main/java/org/b.properties"), None);
        assert_eq!(resources("src/java/org/B.java"), None);
    }
}
