//! Generated sources of Maven projects: whether a `pom.xml` lets plugins make some.

use super::pom_file::Element;

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

/// Whether plugins that a file names itself generate sources.
pub fn generates(pom: &Element) -> bool {
    let is_one = |plugin: &Element| {
        let name = plugin.text_at(&["artifactId"]).unwrap_or_default();
        let executions = plugin.all(&["executions"]);
        let in_phase = |e: &Element| e.text_at(&["phase"]) == Some(PHASE);
        let names = |all: &[&str]| all.iter().any(|part| name.contains(part));
        !names(&OTHERS) && (names(&GENERATORS) || executions.iter().any(in_phase))
    };
    pom.all(&["build", "plugins"]).iter().any(is_one)
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
            generates(&Element::read(&text).unwrap())
        };
        assert!(of("maven-antrun-plugin", "generate-sources"));
        assert!(!of("maven-antrun-plugin", "package"));
        assert!(of("protobuf-maven-plugin", "none-said"));
        assert!(!of("build-helper-maven-plugin", "generate-sources"));
    }
}
