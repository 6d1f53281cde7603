//! The Java level that a commit's build files declare, read before any build tool runs: it decides which JDK is used.

use super::gradle;
use std::collections::BTreeSet;
use std::path::Path;

/// Elements of a `pom.xml` that say a level, surest first.
const ELEMENTS: [&str; 7] = [
    "maven.compiler.release",
    "release",
    "maven.compiler.source",
    "source",
    "java.version",
    "javaVersion",
    "jdk.version",
];

/// Numbers that may be a level; others are versions of something else.
const LEVELS: std::ops::RangeInclusive<u32> = 8..=40;

/// The newest level that the build files above the changed files say; `None` where none does.
pub fn declared_level(
    files: &[(String, String)],
    changed: &[String],
    read: &dyn Fn(&str) -> Option<String>,
) -> Option<u32> {
    let above: BTreeSet<&Path> = changed
        .iter()
        .flat_map(|f| Path::new(f).ancestors().skip(1))
        .collect();
    let of_shared = |p: &str| {
        let folders = ["buildSrc/", "build-logic/", "gradle/"];
        folders.iter().any(|f| p.starts_with(f))
    };
    let mut newest = None;
    let (mut scripts, mut catalogs) = (Vec::new(), Vec::new());
    for (path, _) in files {
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let concerns = above.contains(folder);
        let is_script = path.ends_with(".gradle") || path.ends_with(".gradle.kts");
        if concerns && path.ends_with("pom.xml") {
            newest = newest.max(read(path).and_then(|text| of_pom(&text)));
        } else if is_script && (concerns || of_shared(path)) {
            scripts.extend(read(path));
        } else if path.ends_with(".versions.toml") {
            catalogs.extend(read(path));
        }
    }
    newest.max(gradle::declared_level(&scripts, &catalogs))
}

/// The level that a `pom.xml` says outside of profiles and single executions.
fn of_pom(text: &str) -> Option<u32> {
    let text = without(&without(text, "profiles"), "executions");
    let value = |name: &str| {
        let rest = text.split_once(&format!("<{name}>"))?.1;
        let word = rest.split('<').next()?.trim();
        word.trim_start_matches("1.").parse::<u32>().ok()
    };
    let told = ELEMENTS.iter().find_map(|name| value(name));
    told.or_else(|| of_properties(&text))
}

/// The newest level among properties that a project or its parent names as it likes: `project.build.targetJdk`, `javac.release`.
fn of_properties(text: &str) -> Option<u32> {
    let properties = text.split_once("<properties>")?.1;
    let properties = properties.split("</properties>").next()?;
    let levels = properties.split('<').filter_map(|element| {
        let (name, value) = element.split_once('>')?;
        let name = name.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let is_level =
            has(&["java", "jdk"]) && has(&["version", "release", "source", "target", "level"]);
        let value = value.trim().trim_start_matches("1.").parse::<u32>().ok()?;
        (is_level && !has(&["javax", "test"]) && LEVELS.contains(&value)).then_some(value)
    });
    levels.max()
}

/// A text without elements of that name.
fn without(text: &str, name: &str) -> String {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut parts = text.split(&open);
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str(part.split_once(&close).map_or("", |p| p.1));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_files_say_the_level() {
        let of = |files: &[(&str, &str)]| {
            let listed: Vec<(String, String)> =
                files.iter().map(|f| (f.0.into(), String::new())).collect();
            let read = |path: &str| {
                let found = files.iter().find(|f| f.0 == path);
                found.map(|f| f.1.to_string())
            };
            declared_level(&listed, &["web/src/main/java/A.java".into()], &read)
        };
        let pom = "<properties><java.version>21</java.version></properties><profiles><release>25</release></profiles>";
        assert_eq!(of(&[("pom.xml", pom)]), Some(21));
        assert_eq!(of(&[("other/pom.xml", pom)]), None);
        let own = "<properties><project.build.targetJdk>25</project.build.targetJdk><javax.el.version>9</javax.el.version></properties>";
        assert_eq!(of(&[("pom.xml", own)]), Some(25));
        let others = "<properties><javassist.version>3.29</javassist.version><test.java.version>25</test.java.version><java.release.version>1.4</java.release.version></properties>";
        assert_eq!(of(&[("pom.xml", others)]), None);
        assert_eq!(of(&[("web/pom.xml", "<source>1.8</source>")]), Some(8));
        let script = "java { toolchain { languageVersion = JavaLanguageVersion.of(25) } }";
        assert_eq!(of(&[("web/build.gradle", script)]), Some(25));
        let older = format!("{script}\ntasks.withType(JavaCompile) {{ options.release = 11 }}");
        assert_eq!(of(&[("web/build.gradle", &older)]), Some(11));
        assert_eq!(of(&[]), None);
    }
}
