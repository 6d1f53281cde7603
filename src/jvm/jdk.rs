//! The user's JDK: location and version.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Oldest release we work with.
const OLDEST: u32 = 17;

/// A JDK.
#[derive(Clone, Debug)]
pub struct Jdk {
    /// Its home folder.
    pub home: PathBuf,
    /// Its feature release, e.g. 17.
    pub version: u32,
}

/// No usable JDK.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum JdkError {
    /// None is there.
    #[error("no JDK found: JAVA_HOME is not set and there is no javac on the PATH")]
    #[diagnostic(help(
        "install a JDK 17 or newer (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless), or set JAVA_HOME"
    ))]
    Missing,
    /// Something is there that is no complete JDK.
    #[error("{home} is not a JDK: {what} is missing")]
    #[diagnostic(help("set JAVA_HOME to a JDK (not a JRE), version 17 or newer"))]
    Incomplete {
        /// The folder.
        home: String,
        /// The missing part.
        what: &'static str,
    },
    /// Too old.
    #[error("the JDK in {home} is version {version}; shadow-ci needs 17 or newer")]
    #[diagnostic(help("set JAVA_HOME to a newer JDK"))]
    TooOld {
        /// The folder.
        home: String,
        /// Its version.
        version: u32,
    },
}

impl Jdk {
    /// The JDK in `java_home`, else the one whose `javac` is on `path`.
    ///
    /// # Errors
    /// There is no JDK there, or it can't be asked for its version.
    pub fn find(java_home: Option<&Path>, path: Option<&OsStr>) -> Result<Jdk, JdkError> {
        let home = match java_home {
            Some(home) => home.to_path_buf(),
            None => on_path(path).ok_or(JdkError::Missing)?,
        };
        for part in ["bin/java", "bin/javac", "lib/modules", "release"] {
            if !home.join(part).exists() {
                return Err(JdkError::Incomplete {
                    home: home.display().to_string(),
                    what: part,
                });
            }
        }
        let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        let version = release
            .lines()
            .find_map(|l| l.strip_prefix("JAVA_VERSION="))
            .and_then(|v| {
                v.trim_matches('"')
                    .split(['.', '-', '+'])
                    .next()?
                    .parse()
                    .ok()
            })
            .unwrap_or(0);
        if version < OLDEST {
            return Err(JdkError::TooOld {
                home: home.display().to_string(),
                version,
            });
        }
        Ok(Jdk { home, version })
    }

    /// Files and folders that it consists of: links in it may lead elsewhere, as those of Debian do to `/etc`.
    pub fn files(&self) -> Vec<PathBuf> {
        let home = std::fs::canonicalize(&self.home).unwrap_or_else(|_| self.home.clone());
        let mut all = vec![home.clone()];
        let mut folders = vec![home.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.file_type() {
                    // It is texts only, and many.
                    Ok(kind) if kind.is_dir() && entry.file_name() != "legal" => {
                        folders.push(entry.path())
                    }
                    Ok(kind) if kind.is_symlink() => {
                        let target = std::fs::canonicalize(entry.path());
                        all.extend(target.ok().filter(|t| !t.starts_with(&home)));
                    }
                    _ => {}
                }
            }
        }
        all.sort();
        all
    }

    /// The runtime image.
    pub fn modules(&self) -> PathBuf {
        self.home.join("lib/modules")
    }

    /// The launcher.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// The compiler.
    pub fn javac(&self) -> PathBuf {
        self.home.join("bin/javac")
    }
}

fn on_path(path: Option<&OsStr>) -> Option<PathBuf> {
    std::env::split_paths(path?).find_map(|dir| {
        let javac = std::fs::canonicalize(dir.join("javac")).ok()?;
        Some(javac.parent()?.parent()?.to_path_buf())
    })
}
