//! Folders of main sources and resources that a Gradle project names.

use super::names::Names;
use super::text::{Statement, Token};
use std::path::Path;

/// Where Gradle looks if nothing else is said.
const USUAL: &str = "src/main/java";

/// What statements say of such folders, in order.
#[derive(Default)]
pub struct Roots {
    named: Vec<String>,
    /// Those of resources.
    pub resources: Vec<String>,
    /// Whether they take the place of the usual one.
    replaces: bool,
}

impl Roots {
    /// Notes `srcDirs = [...]` and its like, in blocks or behind words.
    pub fn note(&mut self, statement: &Statement, names: &Names) {
        let mut way: Vec<&str> = statement.head().split('.').collect();
        let how = match way.pop() {
            Some(how @ ("srcDirs" | "srcDir" | "setSrcDirs")) => how,
            _ => return,
        };
        way.extend(statement.blocks.iter().flat_map(|b| b.split('.')));
        let is_of = |name: &str| way.contains(&name);
        match (is_of("main"), is_of("java"), is_of("resources")) {
            (true, _, true) => return self.resources.extend(statement.texts().map(str::to_string)),
            (true, true, _) => {}
            _ => return,
        }
        let sets = matches!(statement.tokens.get(1), Some(Token::Mark('=')));
        if how == "setSrcDirs" || sets {
            self.named.clear();
            self.replaces = true;
        }
        // What begins with a variable lies in the project, but for what lies in the root.
        let own = |text: &str| match text.starts_with('$') {
            true => names.filled(text).trim_start_matches('/').to_string(),
            false => names.filled(text),
        };
        let is_own = |text: &&str| !["$root", "${root"].iter().any(|r| text.starts_with(r));
        self.named.extend(statement.texts().filter(is_own).map(own));
    }

    /// Whether one of them is made by the build: it is not there.
    pub fn generates(&self, project: &Path) -> bool {
        self.named.iter().any(|f| !project.join(f).is_dir())
    }

    /// The folder that stands for the usual one, if another does, and further ones, of those that are there.
    pub fn found(mut self, project: &Path) -> (Option<String>, Vec<String>) {
        if !self.replaces {
            self.named.insert(0, USUAL.into());
        }
        self.named.dedup();
        let first = self.named.iter().position(|f| project.join(f).is_dir());
        let Some(first) = first else {
            let named = self.named.into_iter().find(|f| f != USUAL);
            return (named, Vec::new());
        };
        let more = self.named.split_off(first + 1).into_iter();
        let more = more.filter(|f| project.join(f).is_dir()).collect();
        (self.named.pop().filter(|f| f != USUAL), more)
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::statements;
    use super::*;

    #[test]
    fn folders_add_to_the_usual_one_or_take_its_place() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["src/main/java", "src/more"] {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        let of = |text: &str| {
            let mut roots = Roots::default();
            let all = statements(text);
            all.iter().for_each(|s| roots.note(s, &Names::default()));
            (roots.generates(dir.path()), roots.found(dir.path()))
        };
        let more = || vec!["src/more".to_string()];
        let text = "sourceSets { main { java { srcDirs = ['src/generated/java', 'src/main/java', 'src/more'] } } }";
        assert_eq!(of(text), (true, (None, more())));
        let text = "sourceSets.main.java.srcDir 'src/more'";
        assert_eq!(of(text), (false, (None, more())));
        let text = "sourceSets.main.java.srcDirs = ['src/more']";
        assert_eq!(of(text), (false, (more().pop(), vec![])));
        let text = "sourceSets { main { java { srcDir \"$projectDir/src/more\"\n srcDir \"$buildDir/x\" } } }";
        assert_eq!(of(text), (true, (None, more())));
        assert_eq!(
            of("sourceSets.main.resources.srcDir 'x'"),
            (false, (None, vec![]))
        );
    }
}
