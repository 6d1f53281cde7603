//! The filter of a patch's files: `--path` and `--exclude`.

use globset::{Glob, GlobSet, GlobSetBuilder};

/// Globs over paths relative to the repository; a glob that matches a folder matches all below it.
#[derive(Clone, Debug, Default)]
pub struct PathFilter {
    wanted: Vec<String>,
    unwanted: Vec<String>,
    inside: GlobSet,
    outside: GlobSet,
}

impl PathFilter {
    /// Reads the globs of `--path` (all files when there are none) and `--exclude`.
    ///
    /// # Errors
    /// A glob that is none.
    pub fn new(wanted: &[String], unwanted: &[String]) -> Result<PathFilter, String> {
        Ok(PathFilter {
            inside: set("--path", wanted)?,
            outside: set("--exclude", unwanted)?,
            wanted: wanted.to_vec(),
            unwanted: unwanted.to_vec(),
        })
    }

    /// The globs of `--path`.
    pub fn wanted(&self) -> &[String] {
        &self.wanted
    }

    /// The globs of `--exclude`.
    pub fn unwanted(&self) -> &[String] {
        &self.unwanted
    }

    /// Whether a file is analysed.
    pub fn lets_through(&self, path: &str) -> bool {
        let of = |set: &GlobSet| {
            std::path::Path::new(path)
                .ancestors()
                .any(|p| set.is_match(p))
        };
        (self.wanted.is_empty() || of(&self.inside)) && !of(&self.outside)
    }
}

fn set(option: &str, globs: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    let wrong = |glob: &str, e: globset::Error| format!("{option} {glob}: {e}");
    for glob in globs {
        let plain = glob.trim_start_matches("./").trim_end_matches('/');
        set.add(Glob::new(plain).map_err(|e| wrong(glob, e))?);
    }
    set.build().map_err(|e| wrong(&globs.join(" "), e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_matches_all_below_it() {
        let words = |all: &[&str]| all.iter().map(|w| w.to_string()).collect::<Vec<_>>();
        let of = |wanted: &[&str], unwanted: &[&str], path: &str| {
            let filter = PathFilter::new(&words(wanted), &words(unwanted)).unwrap();
            filter.lets_through(path)
        };
        let file = "web/src/main/java/p/A.java";
        assert!(of(&[], &[], file));
        assert!(of(&["web/"], &[], file) && of(&["./web"], &[], file));
        assert!(of(&["**/p"], &[], file) && of(&["*.java"], &[], file));
        assert!(!of(&["we"], &[], file) && !of(&["core"], &[], file));
        assert!(!of(&["web"], &["**/A.java"], file));
        assert!(PathFilter::new(&words(&["["]), &[]).is_err());
    }
}
