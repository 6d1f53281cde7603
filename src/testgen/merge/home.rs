//! The place of a class's tests, and of a new test among them.

use super::{Style, TestMethod};
use crate::testgen::JUnit;
use std::path::{Path, PathBuf};

/// Where sources and their tests are, by convention.
const ROOTS: [(&str, &str); 5] = [
    ("src/main/java/", "src/test/java/"),
    ("src/java/", "src/test/"),
    ("src/main/", "src/test/"),
    ("src/", "test/"),
    ("src/", "tests/"),
];

/// The file that a test of a class goes into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// From the repository's root.
    pub path: PathBuf,
    /// How its tests are written; of a file that is not there yet, how a new one is.
    pub style: Style,
}

impl Home {
    /// The test class of `class`, whose source is `file` from the root; nothing where no folder of tests is there.
    pub fn find(root: &Path, file: &str, class: &str) -> Option<Home> {
        let simple = class.rsplit(['.']).next()?.split('$').next()?;
        let folders: Vec<(PathBuf, PathBuf)> = ROOTS
            .iter()
            .filter_map(|(main, test)| {
                let (module, below) = file.rsplit_once(main)?;
                let is_root = module.is_empty() || module.ends_with('/');
                let tests = PathBuf::from(format!("{module}{test}"));
                let package = Path::new(below).parent()?.to_path_buf();
                is_root.then(|| (tests.clone(), tests.join(package)))
            })
            .collect();
        let names = ["{}Test", "{}Tests", "Test{}", "{}TestCase"];
        for (_, folder) in &folders {
            for name in names {
                let path = folder.join(format!("{}.java", name.replace("{}", simple)));
                let text = std::fs::read_to_string(root.join(&path)).ok();
                if let Some(style) = text.as_deref().and_then(Style::of) {
                    return Some(Home { path, style });
                }
            }
        }
        let (_, folder) = folders.into_iter().find(|f| root.join(&f.0).is_dir())?;
        // Beside a test class of another style there is no second one of that name.
        let path = folder.join(format!("{simple}Test.java"));
        (!root.join(&path).exists()).then(|| Home {
            path,
            style: Style::new(JUnit::of_repository(root)),
        })
    }
}

/// The text of the test class with the test in it; of a class that is not there yet, a new one.
pub fn insert(text: Option<&str>, path: &Path, package: &str, test: &TestMethod) -> String {
    let fresh;
    let text = match text {
        Some(text) => text,
        None => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let head = match package {
                "" => String::new(),
                package => format!("package {package};\n\n"),
            };
            let public = if test.text.contains("public void") {
                "public "
            } else {
                ""
            };
            fresh = format!("{head}{public}class {name} {{\n}}\n");
            &fresh
        }
    };
    let method = unique(text, test);
    let Some(end) = text.rfind('}') else {
        return text.to_string();
    };
    let before = text[..end].trim_end();
    let gap = if before.ends_with('{') { "" } else { "\n" };
    let whole = format!("{before}\n{gap}{method}{}", &text[end..]);
    import(&whole, &test.imports)
}

/// The method under a name that the class does not have yet.
fn unique(text: &str, test: &TestMethod) -> String {
    let taken = |name: &str| text.contains(&format!(" {name}("));
    let mut name = test.name.clone();
    let mut n = 2;
    while taken(&name) {
        name = format!("{}_{n}", test.name);
        n += 1;
    }
    let call = |name: &str| format!(" {name}(");
    test.text.replacen(&call(&test.name), &call(&name), 1)
}

/// The text with the imports that it lacks, behind those it has of their kind.
fn import(text: &str, wanted: &[String]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for import in wanted {
        let star = import
            .rsplit_once('.')
            .map_or(String::new(), |p| format!("{}.*;", p.0));
        let has = |line: &&String| line.trim() == *import || line.trim() == star;
        if lines.iter().any(|l| has(&l)) {
            continue;
        }
        let of_kind = |line: &String| {
            line.starts_with("import ")
                && line.starts_with("import static ") == import.starts_with("import static ")
        };
        let last = lines.iter().rposition(of_kind);
        let any = lines.iter().rposition(|l| l.starts_with("import "));
        let package = lines.iter().position(|l| l.starts_with("package "));
        match (last.or(any), package) {
            (Some(at), _) => lines.insert(at + 1, import.clone()),
            (None, Some(at)) => {
                lines.insert(at + 1, String::new());
                lines.insert(at + 2, import.clone());
            }
            (None, None) => {
                lines.insert(0, import.clone());
                lines.insert(1, String::new());
            }
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test() -> TestMethod {
        TestMethod {
            name: "f_whenX".into(),
            imports: vec![
                "import org.junit.jupiter.api.Test;".into(),
                "import static org.junit.jupiter.api.Assertions.assertEquals;".into(),
            ],
            text: "    @Test\n    void f_whenX() {\n        assertEquals(1, f());\n    }\n".into(),
        }
    }

    #[test]
    fn a_test_goes_behind_the_others_with_what_it_lacks() {
        let old = "package a;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport java.util.List;\n\nclass ATest {\n    @Test\n    void f_whenX() {}\n}\n";
        let new = insert(Some(old), Path::new("ATest.java"), "a", &test());
        assert_eq!(
            new,
            "package a;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport java.util.List;\nimport org.junit.jupiter.api.Test;\n\nclass ATest {\n    @Test\n    void f_whenX() {}\n\n    @Test\n    void f_whenX_2() {\n        assertEquals(1, f());\n    }\n}\n"
        );
    }

    #[test]
    fn a_class_that_is_not_there_is_made() {
        let new = insert(None, Path::new("t/ATest.java"), "a", &test());
        assert!(new.starts_with("package a;\n\nimport "), "{new}");
        assert!(new.contains("class ATest {\n    @Test\n    void f_whenX() {\n"));
        assert!(new.ends_with("    }\n}\n"));
    }

    #[test]
    fn the_test_class_is_found_where_it_is_and_else_made_where_tests_are() {
        let dir = tempfile::tempdir().unwrap();
        let file = "core/src/main/java/a/b/Foo.java";
        let find = || Home::find(dir.path(), file, "a.b.Foo");
        assert_eq!(find(), None);
        let tests = dir.path().join("core/src/test/java/a/b");
        std::fs::create_dir_all(&tests).unwrap();
        let home = find().unwrap();
        assert_eq!(home.path, Path::new("core/src/test/java/a/b/FooTest.java"));
        let text = "import org.junit.Test;\nclass TestFoo {\n\t@Test\n\tpublic void f() {}\n}\n";
        std::fs::write(tests.join("TestFoo.java"), text).unwrap();
        let home = find().unwrap();
        assert_eq!(home.path, Path::new("core/src/test/java/a/b/TestFoo.java"));
        assert_eq!(home.style.indent, "\t");
    }
}
