//! A Gradle build's settings: names and folders of projects that are not those of their paths.

use super::text::{Statement, Token, statements};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the settings say of projects.
#[derive(Default)]
pub struct Settings {
    /// All of them.
    pub statements: Vec<Statement>,
    /// The folders of projects, by the last part of their names.
    folders: BTreeMap<String, PathBuf>,
}

impl Settings {
    /// Reads the settings of the build below `root`.
    pub fn read(root: &Path) -> Settings {
        let files = ["settings.gradle", "settings.gradle.kts"].map(|f| root.join(f));
        let text = files.iter().find_map(|f| std::fs::read_to_string(f).ok());
        let statements = statements(&text.unwrap_or_default());
        let mut settings = Settings::default();
        statements.iter().for_each(|s| settings.note(s));
        Settings {
            statements,
            ..settings
        }
    }

    /// The folder of a project that has another one than its name says, or another name than its folder.
    pub fn folder(&self, project: &str) -> Option<&PathBuf> {
        self.folders.get(last(project))
    }

    /// What the project in a folder is called.
    pub fn name(&self, folder: &Path) -> String {
        let known = self.folders.iter().find(|(_, f)| f.as_path() == folder);
        let own = || match folder.file_name() {
            Some(name) => Some(name.to_string_lossy().into_owned()),
            // The root's folder has any name.
            None => self.root_name(),
        };
        known
            .map(|(name, _)| name.clone())
            .or_else(own)
            .unwrap_or_default()
    }

    /// `rootProject.name = 'x'`.
    fn root_name(&self) -> Option<String> {
        let mut all = self.statements.iter().filter_map(Statement::assigned);
        all.find(|(of, _)| *of == "rootProject.name")
            .map(|(_, name)| name.to_string())
    }

    /// Notes `project(':x').projectDir = file('y')` and `project(':x').name = 'z'`.
    fn note(&mut self, statement: &Statement) {
        let [
            Token::Word(of),
            Token::Mark('('),
            Token::Text(path),
            rest @ ..,
        ] = &statement.tokens[..]
        else {
            return;
        };
        if !["project", "findProject"].contains(&of.as_str()) {
            return;
        }
        let property = rest.iter().find_map(|t| match t {
            Token::Word(word) => Some(word.as_str()),
            _ => None,
        });
        let Some(value) = statement.texts().nth(1) else {
            return;
        };
        let folder = || PathBuf::from(path.trim_start_matches(':').replace(':', "/"));
        match property {
            Some("projectDir") => {
                self.folders.insert(last(path).into(), below_root(value));
            }
            Some("name") => {
                let known = self.folder(path).cloned().unwrap_or_else(folder);
                self.folders.insert(last(value).into(), known);
            }
            _ => {}
        }
    }
}

/// Ends of a project's name that may be its folder's, longest first: a prefix is all that many builds put before each.
pub fn ends(name: &str) -> impl Iterator<Item = &str> {
    let at = name.match_indices(['-', '.', '_']);
    at.map(|(i, _)| &name[i + 1..])
        .filter(|end| !end.is_empty())
}

fn last(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or(path)
}

/// A path that may begin with the build's own folder: `$rootDir/x`.
fn below_root(path: &str) -> PathBuf {
    let below = match path.strip_prefix('$') {
        Some(rest) => rest.split_once('/').map_or("", |(_, below)| below),
        None => path.trim_start_matches("./"),
    };
    PathBuf::from(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_have_the_names_and_folders_that_settings_give_them() {
        let dir = tempfile::tempdir().unwrap();
        let text = "include ':core', ':x:tools'\nproject(':core').projectDir = new File(settingsDir, 'src/core')\n\
            project(\":api\").projectDir = file(\"$rootDir/parts/api\")\nfindProject(\":x:tools\")?.name = \"my-tools\"\n\
            project(':core').name = 'my-core'\nrootProject.name = 'all'\n";
        std::fs::write(dir.path().join("settings.gradle"), text).unwrap();
        let settings = Settings::read(dir.path());
        let of = |name: &str| {
            settings
                .folder(name)
                .map(|f| f.to_string_lossy().into_owned())
        };
        assert_eq!(of(":my-core").as_deref(), Some("src/core"));
        assert_eq!(of("api").as_deref(), Some("parts/api"));
        assert_eq!(of(":x:my-tools").as_deref(), Some("x/tools"));
        assert_eq!(of(":other"), None);
        assert_eq!(settings.name(Path::new("")), "all");
        assert_eq!(ends("a-b-c").collect::<Vec<_>>(), ["b-c", "c"]);
    }
}
