//! Plugins of a Maven project: whether any could add to the sources that are compiled, or change how.

use super::coordinates::Coordinates;
use super::pom_file::Element;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The compiler's own goals.
pub const COMPILING: [&str; 2] = [
    "compiler:compile@default-compile",
    "compiler:testCompile@default-testCompile",
];

/// How many parents are followed beyond the reactor.
const DEPTH: usize = 16;

/// Kinds of projects whose steps before javac are those of a jar.
const PACKAGINGS: [&str; 5] = ["jar", "war", "ejb", "bundle", "pom"];

/// Phases behind the compilation of the main sources that add nothing to those of the tests.
const LATE: [&str; 22] = [
    "none",
    "process-classes",
    "process-test-classes",
    "test",
    "prepare-package",
    "package",
    "pre-integration-test",
    "integration-test",
    "post-integration-test",
    "verify",
    "install",
    "deploy",
    "pre-clean",
    "clean",
    "post-clean",
    "pre-site",
    "site",
    "post-site",
    "site-deploy",
    "never",
    "disabled",
    "no",
];

/// Plugins that check, pack, publish or name things, whichever phase they are bound to.
const HARMLESS: [&str; 65] = [
    "animal-sniffer-maven-plugin",
    "apache-rat-plugin",
    "bnd-maven-plugin",
    "buildnumber-maven-plugin",
    "central-publishing-maven-plugin",
    "checksum-maven-plugin",
    "clirr-maven-plugin",
    "cobertura-maven-plugin",
    "coveralls-maven-plugin",
    "cyclonedx-maven-plugin",
    "dependency-check-maven",
    "directory-maven-plugin",
    "duplicate-finder-maven-plugin",
    "editorconfig-maven-plugin",
    "findbugs-maven-plugin",
    "flatten-maven-plugin",
    "fmt-maven-plugin",
    "formatter-maven-plugin",
    "git-commit-id-maven-plugin",
    "git-commit-id-plugin",
    "impsort-maven-plugin",
    "jacoco-maven-plugin",
    "jandex-maven-plugin",
    "japicmp-maven-plugin",
    "license-maven-plugin",
    "lifecycle-mapping",
    "maven-assembly-plugin",
    "maven-bundle-plugin",
    "maven-changes-plugin",
    "maven-checkstyle-plugin",
    "maven-clean-plugin",
    "maven-deploy-plugin",
    "maven-eclipse-plugin",
    "maven-ejb-plugin",
    "maven-enforcer-plugin",
    "maven-failsafe-plugin",
    "maven-gpg-plugin",
    "maven-idea-plugin",
    "maven-install-plugin",
    "maven-invoker-plugin",
    "maven-jar-plugin",
    "maven-jarsigner-plugin",
    "maven-javadoc-plugin",
    "maven-jxr-plugin",
    "maven-pmd-plugin",
    "maven-project-info-reports-plugin",
    "maven-release-plugin",
    "maven-remote-resources-plugin",
    "maven-resources-plugin",
    "maven-scm-plugin",
    "maven-shade-plugin",
    "maven-site-plugin",
    "maven-source-plugin",
    "maven-surefire-plugin",
    "maven-surefire-report-plugin",
    "maven-toolchains-plugin",
    "maven-war-plugin",
    "moditect-maven-plugin",
    "nexus-staging-maven-plugin",
    "revapi-maven-plugin",
    "sortpom-maven-plugin",
    "spotbugs-maven-plugin",
    "spotless-maven-plugin",
    "spring-boot-maven-plugin",
    "versions-maven-plugin",
];

/// What Ant may do that makes no sources.
const TASKS: [&str; 8] = [
    "echo",
    "property",
    "mkdir",
    "copy",
    "delete",
    "touch",
    "tstamp",
    "condition",
];

/// Goals of `build-helper` that add no sources.
const HELPERS: [&str; 8] = [
    "attach-artifact",
    "parse-version",
    "timestamp-property",
    "reserve-network-port",
    "remove-project-artifact",
    "maven-version",
    "hostname",
    "cpu-count",
];

/// Those of `maven-dependency-plugin`: what is unpacked could be sources, and properties could name options of the compiler.
const COPYING: [&str; 8] = [
    "copy",
    "copy-dependencies",
    "analyze",
    "analyze-only",
    "analyze-dep-mgt",
    "build-classpath",
    "list",
    "tree",
];

/// Whether plugins may do so for a project, by its files, its own first: executions, custom life cycles, other kinds of projects.
pub fn may_matter(chain: &[&Element]) -> bool {
    let own = chain.first();
    let packaging = own.and_then(|pom| pom.text_at(&["packaging"]));
    if packaging.is_some_and(|p| !PACKAGINGS.contains(&p)) {
        return true;
    }
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let mut uses: BTreeMap<&str, Vec<&Element>> = BTreeMap::new();
    for pom in chain {
        // Nobody knows which profiles are active.
        let profiles = pom.all(&["profiles"]).iter();
        for part in std::iter::once(*pom).chain(profiles) {
            let plugins = part.all(&["build", "plugins"]);
            named.extend(plugins.iter().map(name));
            let managed = part.all(&["build", "pluginManagement", "plugins"]);
            for plugin in plugins.iter().chain(managed) {
                uses.entry(name(plugin)).or_default().push(plugin);
            }
        }
    }
    // Every project has these two, whether or not it names them.
    named.extend(["maven-compiler-plugin", "maven-resources-plugin"]);
    let of = |name: &str| uses.get(name).map_or(&[][..], Vec::as_slice);
    named.iter().any(|name| does_matter(name, of(name)))
}

fn name(plugin: &Element) -> &str {
    plugin.text_at(&["artifactId"]).unwrap_or_default()
}

/// Whether a plugin may, by all that is said of it.
fn does_matter(name: &str, uses: &[&Element]) -> bool {
    let executions: Vec<&Element> = uses.iter().flat_map(|p| p.all(&["executions"])).collect();
    let only = |harmless: &[&str]| {
        let goals = executions.iter().flat_map(|e| e.all(&["goals"]));
        goals
            .map(|g| g.text.as_str())
            .all(|g| harmless.contains(&g))
    };
    match name {
        _ if HARMLESS.contains(&name) => false,
        "maven-compiler-plugin" => {
            let is_usual = |e: &&Element| {
                let id = e.text_at(&["id"]);
                COMPILING.iter().any(|goal| goal.split('@').nth(1) == id)
            };
            !executions.iter().all(is_usual)
        }
        "build-helper-maven-plugin" => !only(&HELPERS),
        "maven-dependency-plugin" if only(&COPYING) => false,
        "maven-antrun-plugin" if !executions.iter().any(|e| makes_sources(e)) => false,
        _ => {
            let has_own_cycle = |p: &&Element| p.text_at(&["extensions"]) == Some("true");
            uses.iter().any(has_own_cycle) || executions.iter().any(|e| !is_late(e, &executions))
        }
    }
}

/// Whether an execution of Ant may do more than copy files.
fn makes_sources(execution: &Element) -> bool {
    let of = |name: &str| execution.all(&["configuration", name]);
    let mut tasks = ["target", "tasks"].into_iter().flat_map(of);
    tasks.any(|task| !TASKS.contains(&task.name.as_str()))
}

/// Whether the files say of an execution that it comes late.
fn is_late(execution: &Element, all: &[&Element]) -> bool {
    let same = all
        .iter()
        .filter(|e| e.text_at(&["id"]) == execution.text_at(&["id"]));
    let mut phases = same.filter_map(|e| e.text_at(&["phase"])).peekable();
    phases.peek().is_some() && phases.all(|p| LATE.contains(&p))
}

/// The files of a parent and of its parents, as far as they lie in a local repository; and whether all do.
pub fn parents(first: Option<Coordinates>, repository: &Path) -> (Vec<Element>, bool) {
    let mut all = Vec::new();
    let mut next = first;
    while let Some(of) = next {
        let folder = repository
            .join(of.group.replace('.', "/"))
            .join(&of.name)
            .join(&of.version);
        let file = folder.join(format!("{}-{}.pom", of.name, of.version));
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let Some(pom) = Element::read(&text).filter(|_| all.len() < DEPTH) else {
            return (all, false);
        };
        next = pom.child("parent").and_then(Element::coordinates);
        all.push(pom);
    }
    (all, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(plugins: &str) -> bool {
        let text = format!("<project><build><plugins>{plugins}</plugins></build></project>");
        may_matter(&[&Element::read(&text).unwrap()])
    }

    fn plugin(name: &str, executions: &str) -> String {
        format!(
            "<plugin><artifactId>{name}</artifactId><executions>{executions}</executions></plugin>"
        )
    }

    fn execution(id: &str, phase: &str, rest: &str) -> String {
        let phase = match phase {
            "" => String::new(),
            phase => format!("<phase>{phase}</phase>"),
        };
        format!("<execution><id>{id}</id>{phase}{rest}</execution>")
    }

    #[test]
    fn checks_and_late_executions_do_not_matter() {
        assert!(!of(""));
        assert!(!of(&plugin(
            "maven-enforcer-plugin",
            &execution("e", "validate", "")
        )));
        assert!(!of(&plugin("exec-maven-plugin", "")));
        assert!(!of(&plugin(
            "exec-maven-plugin",
            &execution("e", "package", "")
        )));
        assert!(of(&plugin("exec-maven-plugin", &execution("e", "", ""))));
        assert!(of(&plugin(
            "exec-maven-plugin",
            &execution("e", "compile", "")
        )));
        assert!(of(&plugin(
            "protobuf-maven-plugin",
            &execution("e", "", "")
        )));
        assert!(of(
            "<plugin><artifactId>x</artifactId><extensions>true</extensions></plugin>"
        ));
    }

    #[test]
    fn further_runs_of_the_compiler_and_sources_added_matter() {
        let compiler = |id: &str| of(&plugin("maven-compiler-plugin", &execution(id, "", "")));
        assert!(!compiler("default-compile"));
        assert!(compiler("java9"));
        let helper = |goal: &str| {
            let goals = format!("<goals><goal>{goal}</goal></goals>");
            of(&plugin(
                "build-helper-maven-plugin",
                &execution("e", "validate", &goals),
            ))
        };
        assert!(!helper("parse-version"));
        assert!(helper("add-source"));
        let ant = |task: &str| {
            let target = format!("<configuration><target><{task}/></target></configuration>");
            of(&plugin(
                "maven-antrun-plugin",
                &execution("e", "generate-sources", &target),
            ))
        };
        assert!(!ant("copy"));
        assert!(ant("java"));
    }

    #[test]
    fn what_parents_and_profiles_say_counts_and_so_does_the_kind_of_project() {
        let own = "<project><build><plugins><plugin><artifactId>x</artifactId></plugin></plugins></build></project>";
        let managed = format!(
            "<project><build><pluginManagement><plugins>{}</plugins></pluginManagement></build></project>",
            plugin("x", &execution("e", "generate-sources", ""))
        );
        let [own, managed] = [own, &managed].map(|text| Element::read(text).unwrap());
        assert!(!may_matter(&[&own]));
        assert!(may_matter(&[&own, &managed]));
        assert!(!may_matter(&[&managed]));
        let early = plugin("x", &execution("e", "generate-sources", ""));
        let profile = format!(
            "<project><profiles><profile><build><plugins>{early}</plugins></build></profile></profiles></project>"
        );
        assert!(may_matter(&[&Element::read(&profile).unwrap()]));
        let packed = |kind: &str| {
            let text = format!("<project><packaging>{kind}</packaging></project>");
            may_matter(&[&Element::read(&text).unwrap()])
        };
        assert!(!packed("war"));
        assert!(packed("hpi"));
    }

    #[test]
    fn parents_are_read_from_the_local_repository() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| crate::util::test_files::write(dir.path(), path, text);
        let parent = |name: &str| {
            format!(
                "<project><parent><groupId>a.b</groupId><artifactId>{name}</artifactId><version>1</version></parent></project>"
            )
        };
        write("a/b/c/1/c-1.pom", &parent("d"));
        write("a/b/d/1/d-1.pom", &parent("gone"));
        let first = Coordinates::read("a.b:c:1");
        let found = |first: Option<Coordinates>| {
            let (files, are_all) = parents(first, dir.path());
            (files.len(), are_all)
        };
        assert_eq!(found(first), (2, false));
        write("a/b/gone/1/gone-1.pom", "<project/>");
        assert_eq!(found(Coordinates::read("a.b:d:1")), (2, true));
        assert_eq!(found(None), (0, true));
    }
}
