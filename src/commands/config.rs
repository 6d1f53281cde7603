//! `shadow-ci.toml`: which version of the file counts, and settings that it must not contain, because the code under test may bring it.

use crate::contain;
use crate::error::Error;
use crate::git::Repo;
use crate::options::{ConfigFile, ConfigFrom};
use crate::util::toml_text;
use std::path::{Component, Path, PathBuf};

/// The file, from the repository's root.
pub const FILE: &str = "shadow-ci.toml";

/// Reads the settings that count; none where there is no file.
///
/// # Errors
/// The file can't be read, is not one of ours, or asks for what it may not (docs/security.md); `old` is needed and names no commit.
pub fn read(repo: &Path, from: ConfigFrom, old: Option<&str>) -> Result<ConfigFile, Error> {
    let opened = Repo::open(repo);
    let root = opened
        .as_ref()
        .map_or_else(|_| repo.to_path_buf(), |r| r.root().to_path_buf());
    let text = match from {
        ConfigFrom::Checkout => match std::fs::read(root.join(FILE)) {
            Ok(bytes) => Some(bytes),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            Err(e) => return Err(Error::Config(format!("it can't be read: {e}"))),
        },
        ConfigFrom::Old => {
            let repo = opened?;
            repo.read(&repo.resolve(old.unwrap_or("HEAD"))?, FILE)?
        }
    };
    let config = match text {
        Some(bytes) => parse(&String::from_utf8_lossy(&bytes))?,
        None => ConfigFile::default(),
    };
    refuse(&config, &root)?;
    Ok(config)
}

/// Reads the file's text.
///
/// # Errors
/// It is no TOML, or has other fields.
pub fn parse(text: &str) -> Result<ConfigFile, Error> {
    toml_text::read(text).map_err(Error::Config)
}

/// The file can ask for more containment, never for less, and names no place outside: it comes with the code under test.
fn refuse(config: &ConfigFile, root: &Path) -> Result<(), Error> {
    let refused = |why: String| Err(Error::Config(why));
    if config.containment == Some(contain::ContainmentMode::Off) {
        let why = "containment can't be switched off here: say --containment off";
        return refused(why.into());
    }
    if let Some(dir) = &config.tests_dir
        && !stays_inside(dir)
    {
        return refused(format!(
            "tests-dir: '{}' is outside of the folder; to use it, pass --tests-dir on the command line",
            dir.display()
        ));
    }
    for (name, path) in [
        ("classpath", &config.classpath),
        ("test-classpath", &config.test_classpath),
    ] {
        for entry in std::env::split_paths(path.as_deref().unwrap_or_default()) {
            if entry.as_os_str().is_empty() || is_jar(&entry) {
                continue;
            }
            if !is_below(&entry, root) {
                return refused(format!(
                    "{name}: the folder '{}' is outside of the repository; to use it, pass --{name} on the command line",
                    entry.display()
                ));
            }
        }
    }
    Ok(())
}

/// Whether a relative path leads nowhere else, also through links that are there.
fn stays_inside(path: &Path) -> bool {
    let plain = |c: Component| match c {
        Component::Normal(name) => name != ".git",
        Component::CurDir => true,
        _ => false,
    };
    path.components().all(plain) && is_below(path, Path::new("."))
}

fn is_jar(path: &Path) -> bool {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    real.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("jar") || e.eq_ignore_ascii_case("zip"))
}

/// Whether a path, as far as it is there, is really below a folder.
fn is_below(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = std::fs::canonicalize(folder) else {
        return false;
    };
    real(path).is_some_and(|p| p.starts_with(folder))
}

/// The real place of a path, of which the last parts may not be there yet.
fn real(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let there = whole.ancestors().find(|p| p.symlink_metadata().is_ok())?;
    let rest = whole.strip_prefix(there).ok()?;
    if rest.components().any(|c| c == Component::ParentDir) {
        return None;
    }
    Some(std::fs::canonicalize(there).ok()?.join(rest))
}

/// Folders of a class path that are links out of the repository: what is committed would decide what tested code may read.
///
/// # Errors
/// There is one.
pub fn refuse_links(class_path: &[PathBuf], repo: &Path) -> Result<(), Error> {
    let Ok(opened) = Repo::open(repo) else {
        return Ok(());
    };
    let Ok(root) = std::fs::canonicalize(opened.root()) else {
        return Ok(());
    };
    for entry in class_path {
        let Ok(whole) = std::path::absolute(entry) else {
            continue;
        };
        // The folders above the repository may be links: they are not committed in it.
        let inside = whole.ancestors().skip(1).find_map(|above| {
            let there = std::fs::canonicalize(above).ok()?;
            (there == root).then(|| whole.strip_prefix(above).ok().map(|p| root.join(p)))?
        });
        let leaves = |inside: PathBuf| real(&inside).is_none_or(|real| !real.starts_with(&root));
        if inside.is_some_and(leaves) && !is_jar(entry) {
            return Err(Error::Usage(format!(
                "'{}' on the class path is a link out of the repository; name the target of the link",
                entry.display()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, root: &Path) -> bool {
        refuse(&parse(text).unwrap(), root).is_err()
    }

    #[test]
    fn the_file_names_no_place_outside() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("repo");
        std::fs::create_dir_all(root.join("lib")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", root.join("a.jar")).unwrap();
        let path = |p: &str| format!("classpath = '{}/{p}'", root.display());
        for text in [
            "containment = 'off'",
            "tests-dir = '../tests'",
            "tests-dir = '/tmp/tests'",
            "tests-dir = '.git/hooks'",
            "classpath = '/'",
            "test-classpath = '/home'",
            &path("a.jar"),
            &path("../.."),
        ] {
            assert!(refused(text, &root), "{text}");
        }
        for text in [
            "containment = 'required'",
            "tests-dir = 'src/test/generated'",
            "classpath = '/m2/a.jar'",
            &path("lib"),
            &path("target/classes"),
        ] {
            assert!(!refused(text, &root), "{text}");
        }
    }

    #[test]
    fn a_committed_link_can_t_widen_the_class_path() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("repo");
        std::fs::create_dir_all(root.join("lib")).unwrap();
        git2_init(&root);
        std::os::unix::fs::symlink(dir.path(), root.join("out")).unwrap();
        let check = |p: &Path| refuse_links(&[p.to_path_buf()], &root).is_ok();
        assert!(check(&root.join("lib")) && check(dir.path()) && check(&root.join("gone")));
        assert!(!check(&root.join("out")));
        assert!(!check(&root.join("out/deeper")));
    }

    fn git2_init(root: &Path) {
        let made = std::process::Command::new("git")
            .arg("init")
            .arg("-q")
            .arg(root)
            .status();
        assert!(made.unwrap().success());
    }
}
