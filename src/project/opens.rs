//! Packages of the JDK that are open to a project's code as it runs: by `--add-opens` and `--add-exports` anywhere in its files, and by
//! the Java level of the project.

use super::cache::is_build_file;
use std::collections::BTreeSet;
use std::path::Path;

const OPTIONS: [&str; 2] = ["--add-opens", "--add-exports"];

/// The last level whose JVMs open all packages that Java 8 had (JEP 261, `--illegal-access=permit`; JEP 396 ended it).
const LAST_OPEN: u32 = 15;

/// Of these packages, those that libraries reach into: they define classes, and copy, write and compare objects by their fields.
const OPEN: [&str; 21] = [
    "java.base/java.io",
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.math",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.security",
    "java.base/java.text",
    "java.base/java.time",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/java.util.regex",
    "java.base/sun.nio.ch",
    "java.base/sun.reflect.annotation",
    "java.desktop/java.awt",
    "java.desktop/java.awt.font",
    "java.desktop/java.beans",
    "java.desktop/javax.swing",
    "java.sql/java.sql",
];

/// These options for a tree, such as `--add-opens=java.base/java.lang=ALL-UNNAMED`: those of its build files, and those of the
/// newest level that its modules state.
pub fn of(tree: &Path, files: &[(String, String)], level: Option<u32>) -> Vec<String> {
    let build = files.iter().filter(|f| is_build_file(&f.0));
    let texts = build.filter_map(|f| std::fs::read_to_string(tree.join(&f.0)).ok());
    let mut all: BTreeSet<String> = texts.flat_map(|text| named(&text)).collect();
    if level.is_some_and(|level| level <= LAST_OPEN) {
        let open = |package| format!("--add-opens={package}=ALL-UNNAMED");
        all.extend(OPEN.map(open));
    }
    all.into_iter().collect()
}

fn named(text: &str) -> Vec<String> {
    let is_end = |c: char| c.is_whitespace() || "\"'<,)]".contains(c);
    let mut words = text.split(is_end).filter(|w| !w.is_empty()).peekable();
    let mut all = Vec::new();
    while let Some(word) = words.next() {
        let after = |option| Some((option, word.split_once(option)?.1));
        let Some((option, rest)) = OPTIONS.into_iter().find_map(after) else {
            continue;
        };
        let place = match rest {
            "" => words.peek().copied(),
            rest => rest.strip_prefix('='),
        };
        // Modules of the project are none where everything is on the class path.
        let of_jdk = |p: &&str| p.starts_with("java.") || p.starts_with("jdk.");
        let package = place.filter(of_jdk).and_then(|p| p.split('=').next());
        if let Some(package) = package.filter(|p| p.contains('/')) {
            all.push(format!("{option}={package}=ALL-UNNAMED"));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_up_to_15_open_what_their_jvms_opened() {
        let at = |level| of(Path::new("/nowhere"), &[], level);
        let lang = "--add-opens=java.base/java.lang=ALL-UNNAMED".to_string();
        assert!(at(Some(8)).contains(&lang) && at(Some(15)).contains(&lang));
        assert!(at(Some(16)).is_empty() && at(None).is_empty());
    }

    #[test]
    fn options_are_found_in_all_spellings() {
        let pom = "<argLine>-Xmx1g --add-opens java.base/java.lang=ALL-UNNAMED\n--add-exports=java.base/sun.nio.ch=ALL-UNNAMED --add-opens p.q/p=ALL-UNNAMED</argLine>
                   <arg>-J--add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED</arg>";
        let gradle = "jvmArgs(\"--add-opens\", 'java.base/java.util=ALL-UNNAMED') // --add-opens";
        let all = [
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED",
        ];
        assert_eq!(named(pom), all);
        assert_eq!(
            named(gradle),
            ["--add-opens=java.base/java.util=ALL-UNNAMED"]
        );
    }
}
