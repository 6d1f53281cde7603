//! The reactor of a Maven module: the topmost `pom.xml` above it that lists the module.

use std::path::{Path, PathBuf};

/// The reactor that a file belongs to, and the folder of its module below it: the topmost `pom.xml` above it that lists the module.
pub fn reactor(tree: &Path, file: &str) -> Option<(PathBuf, String)> {
    let path = tree.join(file);
    let module = path
        .ancestors()
        .skip(1)
        .find(|d| d.join("pom.xml").is_file())?;
    if !module.starts_with(tree) {
        return None;
    }
    let mut root = module;
    for above in module
        .ancestors()
        .skip(1)
        .take_while(|d| d.starts_with(tree))
    {
        let text = std::fs::read_to_string(above.join("pom.xml")).unwrap_or_default();
        let below = root.strip_prefix(above).ok()?;
        let lists = text.split("<module>").skip(1).any(|rest| {
            let name = rest.split("</module>").next().unwrap_or_default().trim();
            let name = name.trim_end_matches("/pom.xml").trim_start_matches("./");
            Path::new(name) == below
        });
        if lists {
            root = above;
        }
    }
    let below = module.strip_prefix(root).ok()?;
    Some((
        root.to_path_buf(),
        below.to_string_lossy().replace('\\', "/"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::test_files;

    #[test]
    fn a_reactor_is_the_topmost_pom_that_lists_the_module() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| test_files::write(dir.path(), path, text);
        write("pom.xml", "<modules><module>parts</module></modules>");
        write(
            "parts/pom.xml",
            "<modules><module> core </module></modules>",
        );
        write("parts/core/pom.xml", "");
        write("alone/pom.xml", "");
        let of = |file: &str| reactor(dir.path(), file).unwrap();
        let core = of("parts/core/src/main/java/A.java");
        assert_eq!(core, (dir.path().to_path_buf(), "parts/core".into()));
        let alone = of("alone/src/main/java/A.java");
        assert_eq!(alone, (dir.path().join("alone"), String::new()));
    }
}
