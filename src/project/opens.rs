//! Packages of the JDK that a build opens to its tests, by `--add-opens` and `--add-exports` anywhere in its files.

use super::cache::is_build_file;
use std::collections::BTreeSet;
use std::path::Path;

const OPTIONS: [&str; 2] = ["--add-opens", "--add-exports"];

/// These options of a tree's build files, such as `--add-opens=java.base/java.lang=ALL-UNNAMED`.
pub fn of(tree: &Path, files: &[(String, String)]) -> Vec<String> {
    let build = files.iter().filter(|f| is_build_file(&f.0));
    let texts = build.filter_map(|f| std::fs::read_to_string(tree.join(&f.0)).ok());
    let all: BTreeSet<String> = texts.flat_map(|text| named(&text)).collect();
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
