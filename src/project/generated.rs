//! Generated sources of Maven projects: whether a `pom.xml` lets plugins make some.

use super::model::Module;
use super::pom_file::Element;
use crate::util::folder::java_files;
use std::path::PathBuf;

/// The phase in which plugins generate sources unless they say another.
const PHASE: &str = "generate-sources";

/// Plugins that work in this phase and generate no Java.
const OTHERS: [&str; 9] = [
    "build-helper",
    "buildnumber",
    "checkstyle",
    "clean",
    "dependency",
    "enforcer",
    "git-commit-id",
    "properties",
    "remote-resources",
];

/// Parts of the names of plugins that generate sources without being told when.
const GENERATORS: [&str; 13] = [
    "antlr",
    "avro",
    "codegen",
    "fmpp",
    "javacc",
    "jaxb",
    "jflex",
    "jsonschema2pojo",
    "modello",
    "openapi-generator",
    "protobuf",
    "thrift",
    "xjc",
];

/// Whether a module lacks sources that plugins of its own `pom.xml` generate: it has none of them, and either no plugin ran, or one is
/// there for nothing else. A submodule that is not there may hold what they are generated from.
pub fn is_lacking(module: &Module, ran: bool) -> bool {
    let text = std::fs::read_to_string(module.dir.join("pom.xml")).unwrap_or_default();
    let Some(pom) = Element::read(&text) else {
        return false;
    };
    let is_made = |root: &&PathBuf| root.components().any(|c| c.as_os_str() == "target");
    let mut made = module.source_roots.iter().filter(is_made);
    generates(&pom, ran) && !made.any(|root| java_files(root, 1) > 0)
}

/// Whether plugins that a file names itself generate sources; `surely` if that is all they are for.
fn generates(pom: &Element, surely: bool) -> bool {
    let is_one = |plugin: &Element| {
        let name = plugin.text_at(&["artifactId"]).unwrap_or_default();
        let executions = plugin.all(&["executions"]);
        let in_phase = |e: &Element| e.text_at(&["phase"]) == Some(PHASE);
        let names = |all: &[&str]| all.iter().any(|part| name.contains(part));
        let may = || !surely && executions.iter().any(in_phase);
        !names(&OTHERS) && (names(&GENERATORS) || may())
    };
    pom.all(&["build", "plugins"]).iter().any(is_one)
}

/// Whether a project, of which no more than its file is known, may generate sources.
pub fn may_generate(pom: &Element) -> bool {
    generates(pom, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_generate_by_their_name_or_by_the_phase_they_work_in() {
        let of = |name: &str, phase: &str| {
            let execution =
                format!("<executions><execution><phase>{phase}</phase></execution></executions>");
            let plugin = format!("<plugin><artifactId>{name}</artifactId>{execution}</plugin>");
            let text = format!("<project><build><plugins>{plugin}</plugins></build></project>");
            may_generate(&Element::read(&text).unwrap())
        };
        assert!(of("maven-antrun-plugin", "generate-sources"));
        assert!(!of("maven-antrun-plugin", "package"));
        assert!(of("protobuf-maven-plugin", "none-said"));
        assert!(!of("build-helper-maven-plugin", "generate-sources"));
    }

    #[test]
    fn a_module_lacks_what_only_a_plugin_makes() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| crate::util::test_files::write(dir.path(), path, text);
        let plugin = |name: &str| {
            let plugins =
                format!("<plugins><plugin><artifactId>{name}</artifactId></plugin></plugins>");
            write(
                "pom.xml",
                &format!("<project><build>{plugins}</build></project>"),
            );
        };
        let root = dir.path().join("target/generated-sources/protobuf");
        std::fs::create_dir_all(&root).unwrap();
        let module = Module {
            dir: dir.path().to_path_buf(),
            source_roots: vec![root],
            ..Module::default()
        };
        plugin("protobuf-maven-plugin");
        assert!(is_lacking(&module, true));
        plugin("maven-antrun-plugin");
        assert!(!is_lacking(&module, true));
        plugin("protobuf-maven-plugin");
        write("target/generated-sources/protobuf/p/Message.java", "");
        assert!(!is_lacking(&module, true));
    }
}
