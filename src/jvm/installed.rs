//! The JDKs of a machine, and which of them fits a project.

use super::jdk::{Jdk, JdkError};
use crate::util::folder::entries;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Folders in which systems keep JDKs, a folder each.
pub const SYSTEM: [&str; 4] = ["/usr/lib/jvm", "/usr/java", "/opt/java", "/opt/jdk"];

/// Folders below the user's home in which tools keep them.
const OF_USER: [&str; 4] = [
    ".sdkman/candidates/java",
    ".jdks",
    ".gradle/jdks",
    ".asdf/installs/java",
];

/// Where JDKs are looked for.
#[derive(Clone, Debug, Default)]
pub struct JdkPlaces {
    /// The one that was asked for.
    pub named: Option<PathBuf>,
    /// `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// The `PATH`.
    pub path: Option<OsString>,
    /// `JAVA_HOME_17_X64` and the like.
    pub others: Vec<PathBuf>,
    /// The user's home, with `toolchains.xml` and what tools installed.
    pub home: Option<PathBuf>,
    /// Folders of the system with a folder for each JDK.
    pub system: Vec<PathBuf>,
}

impl JdkPlaces {
    /// The JDK that was asked for, else the usual one if it can compile that level, else the oldest installed one that can.
    ///
    /// # Errors
    /// There is none that is new enough for us; or the one that was asked for is none.
    pub fn find(&self, level: Option<u32>) -> Result<Jdk, JdkError> {
        if let Some(named) = &self.named {
            return Jdk::find(Some(named), None);
        }
        let usual = Jdk::find(self.java_home.as_deref(), self.path.as_deref());
        // A `JAVA_HOME` that names no JDK is a mistake to tell, not one to guess around.
        if self.java_home.is_some() && matches!(usual, Err(JdkError::Incomplete { .. })) {
            return usual;
        }
        let fits = |jdk: &Jdk| level.is_none_or(|level| jdk.version >= level);
        if usual.as_ref().is_ok_and(fits) {
            return usual;
        }
        let mut found: Vec<Jdk> = self.installed().collect();
        found.sort_by(|a, b| (a.version, &a.home).cmp(&(b.version, &b.home)));
        match found.into_iter().find(fits) {
            Some(jdk) => Ok(jdk),
            // Sources newer than any JDK: the usual one says which.
            None if usual.is_ok() => usual,
            None => self
                .installed()
                .max_by_key(|j| j.version)
                .ok_or(())
                .or(usual),
        }
    }

    /// All JDKs that are new enough for us.
    fn installed(&self) -> impl Iterator<Item = Jdk> {
        let mut homes = self.others.clone();
        let home = self.home.as_deref();
        homes.extend(home.into_iter().flat_map(toolchains));
        let own = OF_USER.iter().filter_map(|f| Some(home?.join(f)));
        for folder in self.system.iter().cloned().chain(own) {
            homes.extend(entries(&folder));
        }
        homes
            .into_iter()
            .filter_map(|h| Jdk::find(Some(&h), None).ok())
    }
}

/// The JDKs that Maven's `toolchains.xml` names.
fn toolchains(home: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(home.join(".m2/toolchains.xml")).unwrap_or_default();
    let parts = text.split("<jdkHome>").skip(1);
    let homes = parts.filter_map(|rest| rest.split("</jdkHome>").next());
    homes.map(|h| PathBuf::from(h.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::test_files::write;

    fn jdk(root: &Path, version: u32) -> PathBuf {
        let home = root.join(format!("jdk-{version}"));
        for file in ["bin/java", "bin/javac", "lib/modules"] {
            write(&home, file, "");
        }
        let text = format!("JAVA_VERSION=\"{version}.0.1\"\n");
        std::fs::write(home.join("release"), text).unwrap();
        home
    }

    #[test]
    fn the_usual_jdk_is_left_only_where_it_is_too_old() {
        let dir = tempfile::tempdir().unwrap();
        let [old, usual, new, newest] = [11, 17, 94, 95].map(|v| jdk(dir.path(), v));
        let mut places = JdkPlaces {
            java_home: Some(usual.clone()),
            others: vec![newest, new.clone()],
            ..JdkPlaces::default()
        };
        let home = |places: &JdkPlaces, level| places.find(level).unwrap().home;
        assert_eq!(home(&places, None), usual);
        assert_eq!(home(&places, Some(8)), usual);
        assert_eq!(home(&places, Some(94)), new);
        assert_eq!(home(&places, Some(99)), usual);
        places.java_home = Some(old);
        assert_eq!(home(&places, Some(8)), new);
        places.named = Some(usual.clone());
        assert_eq!(home(&places, Some(94)), usual);
    }

    #[test]
    fn without_any_jdk_the_message_says_what_to_install() {
        let mut places = JdkPlaces::default();
        assert!(matches!(places.find(None), Err(JdkError::Missing)));
        let dir = tempfile::tempdir().unwrap();
        let home = jdk(dir.path(), 17);
        places.system = vec![dir.path().to_path_buf()];
        assert_eq!(places.find(None).unwrap().home, home);
        places.java_home = Some(dir.path().to_path_buf());
        let mistaken = places.find(None);
        assert!(matches!(mistaken, Err(JdkError::Incomplete { .. })));
    }

    #[test]
    fn toolchains_are_read() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join(".m2")).unwrap();
        let text = "<toolchains><toolchain><configuration><jdkHome> /x/21 </jdkHome></configuration></toolchain></toolchains>";
        std::fs::write(home.path().join(".m2/toolchains.xml"), text).unwrap();
        assert_eq!(toolchains(home.path()), [PathBuf::from("/x/21")]);
    }
}
