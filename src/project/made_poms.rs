//! Projects whose build tool can't be asked, as Maven projects made of what their build files declare: Maven resolves the
//! dependencies and says how it would compile.

use super::coordinates::Coordinates;
use super::declared::{Declared, Use};
use super::maven::Maven;
use super::model::{Module, normal};
use super::plugins::COMPILING;
use super::refused::Refused;
use super::releases::{Missing, missing, newest_before};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The version of what is made: one that plugins of parents can take apart.
const VERSION: &str = "1.0.0";

/// Leaves out all that an artifact needs: of its siblings there are sources.
const ALONE: &str = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>";

/// How often dependencies that are not to be had are left out before this is given up.
const ROUNDS: usize = 8;

/// The version of Maven's compiler plugin: those that older Mavens take by themselves know no `--release`.
const COMPILER_PLUGIN: &str = "3.13.0";

/// The compiler is another program, which notes its arguments: parents may say otherwise, and javac itself refuses old levels.
const FORKED: &str = "<fork>true</fork><executable>${maven.compiler.executable}</executable>";

/// What Maven said of projects made of declarations.
#[derive(Debug, Default)]
pub struct Made {
    /// The modules that it would compile.
    pub modules: Vec<Module>,
    /// How this went, for the notes.
    pub note: String,
    /// Whether asking again would give the same.
    pub is_complete: bool,
}

/// Lets Maven resolve what the projects of a build below `root` declare; a `pom.xml` is written there for each.
pub fn resolve(
    maven: &Maven,
    root: &Path,
    projects: &BTreeMap<PathBuf, Declared>,
    jdk: u32,
) -> Made {
    let mut made = Made::default();
    let script = match maven.script() {
        Ok(script) => script,
        Err(e) => {
            made.note = format!("maven: {e}");
            return made;
        }
    };
    let mut refused = Refused::on(jdk, projects);
    let mut said = String::new();
    for _ in 0..ROUNDS {
        if let Err(e) = write(root, projects, (&refused, jdk)) {
            made.note = format!("maven: {e}");
            return made;
        }
        let ran = maven.run(
            &root.join(AGGREGATOR),
            &BTreeSet::new(),
            &["test-compile"],
            &script,
        );
        made.modules = maven.found(&ran);
        let more = names(&ran.output);
        let more: BTreeSet<String> = more.difference(refused.gone()).cloned().collect();
        said = ran.last_lines();
        // Others may be known from what the build itself compiled before it failed.
        let is_asked =
            |m: &&Module| projects.contains_key(m.dir.strip_prefix(root).unwrap_or(&m.dir));
        let asked = made.modules.iter().filter(is_asked);
        let with_sources = asked.filter(|m| !m.source_roots.is_empty()).count();
        if with_sources >= projects.len() || more.is_empty() {
            break;
        }
        tracing::debug!(?more, "not to be had");
        let older = |gone: &BTreeSet<Missing>| newest_before(maven, gone);
        refused.add((more, &missing(&ran.output)), projects, older);
    }
    if made.modules.is_empty() {
        // Plugins that a parent brings may stand in the way.
        let aggregator = root.join(AGGREGATOR);
        let ran = maven.run(&aggregator, &BTreeSet::new(), &COMPILING, &script);
        made.modules = maven.found(&ran);
    }
    for module in &mut made.modules {
        let below = module.dir.strip_prefix(root).unwrap_or(&module.dir);
        if let Some(declared) = projects.get(below) {
            let named = |all: &[String]| -> Vec<PathBuf> {
                let each = all.iter().map(|f| normal(&module.dir.join(f)));
                each.collect()
            };
            module.resources = named(&declared.resources);
            if !module.source_roots.is_empty() {
                module.source_roots.extend(named(&declared.more_roots));
            }
        }
    }
    let declared: usize = projects.values().map(|p| p.dependencies.len()).sum();
    // Where most is not to be had, it is the network that is not there.
    made.is_complete = !made.modules.is_empty() && refused.gone().len() * 2 <= declared.max(2);
    made.note = match made.modules.is_empty() {
        true => format!("read from the build files, Maven could not resolve it: {said}"),
        false => format!("read from the build files{}", refused.note()),
    };
    let published = projects.values().filter_map(|p| p.published.as_ref());
    for own in published.filter(|own| !refused.has(own)) {
        let (group, name, version) = (&own.group, &own.name, refused.version(own));
        let _ = write!(
            made.note,
            "; {group}:{name}:{version} stands for what its build makes"
        );
    }
    made
}

/// The folder of projects that are made to ask for an artifact, and of their one class.
const ASKING: &str = ".shadow-ci/published";

/// The jars of published artifacts, by the folders of those whose they are; and what to say of them.
pub fn published(
    maven: &Maven,
    root: &Path,
    own: &BTreeMap<PathBuf, Coordinates>,
    jdk: u32,
) -> (Vec<(PathBuf, PathBuf)>, Option<String>) {
    let dir = |number: usize| Path::new(ASKING).join(number.to_string());
    let mut projects = BTreeMap::new();
    for (number, one) in own.values().enumerate() {
        let declared = Declared {
            dir: dir(number),
            published: Some(one.clone()),
            ..Declared::default()
        };
        let folder = root.join(&declared.dir).join("src/main/java");
        let written = std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(folder.join("Asks.java"), "class Asks {}\n"));
        if written.is_ok() {
            projects.insert(declared.dir.clone(), declared);
        }
    }
    let made = resolve(maven, root, &projects, jdk);
    let jar = |(number, of): (usize, &PathBuf)| {
        let asking = root.join(dir(number));
        let module = made.modules.iter().find(|m| m.dir == asking)?;
        Some((of.clone(), module.class_path.first()?.clone()))
    };
    let jars: Vec<_> = own.keys().enumerate().filter_map(jar).collect();
    let note = (!jars.is_empty()).then_some(made.note);
    (jars, note)
}

/// Runs Maven once for projects without sources, for what it downloads when it resolves their dependencies.
pub fn ask(maven: &Maven, root: &Path, projects: &BTreeMap<PathBuf, Declared>) {
    let jdk = 8;
    if write(root, projects, (&Refused::default(), jdk)).is_ok()
        && let Ok(script) = maven.script()
    {
        let aggregator = root.join(AGGREGATOR);
        maven.run(&aggregator, &BTreeSet::new(), &COMPILING[..1], &script);
    }
}

/// The folder of the Maven project that names the others.
const AGGREGATOR: &str = ".shadow-ci";

/// Whether a project is built from another, directly or through others, for the uses that count.
fn leads(
    projects: &BTreeMap<PathBuf, Declared>,
    (from, to): (&Path, &Path),
    counts: &dyn Fn(Use) -> bool,
    seen: &mut BTreeSet<PathBuf>,
) -> bool {
    let next = projects.get(from).into_iter().flat_map(|p| &p.siblings);
    let mut next = next.filter(|s| counts(s.0));
    from == to
        || seen.insert(from.to_path_buf())
            && next.any(|(_, s)| leads(projects, (s, to), counts, seen))
}

/// Writes a `pom.xml` for each project and one for all.
fn write(
    root: &Path,
    projects: &BTreeMap<PathBuf, Declared>,
    (refused, jdk): (&Refused, u32),
) -> std::io::Result<()> {
    let mut modules = String::new();
    for (dir, declared) in projects {
        std::fs::create_dir_all(root.join(dir))?;
        let mut declared = declared.clone();
        // Gradle builds tests apart from what they test, and may mean something else by names of its own; in Maven that would be a circle.
        // Any other circle hangs on a condition that was not read, and has a way back to a folder that comes before.
        let is_loose = |of: Use| matches!(of, Use::Own | Use::Test);
        let is_circle = |to: &Path, counts: &dyn Fn(Use) -> bool| {
            leads(projects, (to, dir), counts, &mut BTreeSet::new())
        };
        declared.siblings.retain(|(of, to)| match is_loose(*of) {
            true => !is_circle(to, &|_| true),
            false => to > dir || !is_circle(to, &|of| !is_loose(of)),
        });
        std::fs::write(root.join(dir).join("pom.xml"), pom(&declared, refused, jdk))?;
        let _ = write!(
            modules,
            "<module>../{}</module>",
            escaped(&dir.to_string_lossy())
        );
    }
    let folder = root.join(AGGREGATOR);
    std::fs::create_dir_all(&folder)?;
    let head = head("all", "pom", "");
    std::fs::write(
        folder.join("pom.xml"),
        format!("{head}<modules>{modules}</modules></project>\n"),
    )
}

fn head(artifact: &str, packaging: &str, parent: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion>{parent}<groupId>shadow-ci</groupId><artifactId>{artifact}</artifactId><version>{VERSION}</version><packaging>{packaging}</packaging>"
    )
}

/// The project as Maven's.
fn pom(declared: &Declared, refused: &Refused, jdk: u32) -> String {
    let wanted = |c: &&Coordinates| !refused.has(c);
    let parent = declared.parent.as_ref().filter(wanted).map(|p| {
        let (group, name, version) = (&p.group, &p.name, refused.version(p));
        format!("<parent><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version><relativePath/></parent>")
    });
    let has_parent = parent.is_some();
    let mut out = head(&artifact(&declared.dir), "jar", &parent.unwrap_or_default());
    let encoding = escaped(declared.encoding.as_deref().unwrap_or("UTF-8"));
    let _ = write!(
        out,
        "<properties><project.build.sourceEncoding>{encoding}</project.build.sourceEncoding>"
    );
    match (declared.release, declared.source) {
        (_, Some(n)) if n < 9 => {
            let _ = write!(
                out,
                "<maven.compiler.source>{n}</maven.compiler.source><maven.compiler.target>{n}</maven.compiler.target>"
            );
        }
        (Some(n), None) | (_, Some(n)) => {
            let _ = write!(out, "<maven.compiler.release>{n}</maven.compiler.release>");
        }
        (None, None) if has_parent => {}
        // Gradle's own default; Maven's is long gone.
        (None, None) => {
            let _ = write!(
                out,
                "<maven.compiler.release>{jdk}</maven.compiler.release>"
            );
        }
    }
    out.push_str("</properties><dependencyManagement><dependencies>");
    for platform in declared
        .platforms
        .iter()
        .filter(wanted)
        .filter(|p| !p.version.is_empty())
    {
        out.push_str(&dependency(platform, refused, "import", "<type>pom</type>"));
    }
    let own_versions = declared.managed.iter().filter(wanted);
    own_versions.for_each(|one| out.push_str(&dependency(one, refused, "compile", "")));
    out.push_str("</dependencies></dependencyManagement><dependencies>");
    let without = exclusions(refused);
    // The first use counts: what is needed to compile is there for tests too.
    let mut seen = BTreeSet::new();
    for (of, sibling) in &declared.siblings {
        if *sibling != declared.dir && seen.insert(artifact(sibling)) {
            let own = Coordinates {
                group: "shadow-ci".into(),
                name: artifact(sibling),
                version: VERSION.into(),
            };
            out.push_str(&dependency(&own, refused, scope(*of), &without));
        }
    }
    for (of, one) in declared.dependencies.iter().filter(|d| wanted(&&d.1)) {
        if seen.insert(format!("{}:{}", one.group, one.name)) {
            out.push_str(&dependency(one, refused, scope(*of), &without));
        }
    }
    if let Some(own) = declared.published.as_ref().filter(wanted) {
        out.push_str(&dependency(own, refused, "compile", ALONE));
    }
    out.push_str("</dependencies><build>");
    let folders = [
        ("sourceDirectory", &declared.source_root),
        ("testSourceDirectory", &declared.test_root),
    ];
    for (element, folder) in folders {
        if let Some(folder) = folder {
            let _ = write!(out, "<{element}>{}</{element}>", escaped(folder));
        }
    }
    let processors = match declared.processors {
        true => "",
        false => "<proc>none</proc>",
    };
    let _ = writeln!(
        out,
        "<plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>{COMPILER_PLUGIN}</version><configuration>{FORKED}{processors}</configuration></plugin></plugins></build></project>"
    );
    out
}

fn scope(of: Use) -> &'static str {
    match of {
        Use::Main | Use::Own => "compile",
        Use::Processor => "provided",
        Use::Test => "test",
    }
}

fn dependency(one: &Coordinates, refused: &Refused, scope: &str, more: &str) -> String {
    let version = match refused.version(one) {
        "" => String::new(),
        version => format!(
            "<version>{}</version>",
            escaped(&Coordinates::range(version))
        ),
    };
    let (group, name) = (&one.group, &one.name);
    format!(
        "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>{version}{more}<scope>{scope}</scope></dependency>"
    )
}

/// What is not to be had may also be what a dependency needs, such as the `jms` of old versions of log4j.
fn exclusions(refused: &Refused) -> String {
    let one = |name: &String| {
        let (group, name) = name.split_once(':')?;
        Some(format!(
            "<exclusion><groupId>{group}</groupId><artifactId>{name}</artifactId></exclusion>"
        ))
    };
    let all: String = refused.gone().iter().filter_map(one).collect();
    match all.is_empty() {
        true => all,
        false => format!("<exclusions>{all}</exclusions>"),
    }
}

fn artifact(dir: &Path) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = dir.to_string_lossy().chars().map(plain).collect();
    format!("project-{name}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Artifacts that Maven's errors name, as `group:name`: not to be had, or without a version.
fn names(output: &str) -> BTreeSet<String> {
    let of_errors = output.lines().filter(|l| {
        l.starts_with("[ERROR]")
            || l.contains("Could not find artifact")
            || l.contains("could not be resolved")
    });
    let words = of_errors.flat_map(|l| l.split([' ', ',', '\'', '(', ')', '[', ']', '"']));
    let of_word = |word: &str| {
        let parts: Vec<&str> = word.split(':').collect();
        let kind = parts.get(2)?;
        let named =
            matches!(*kind, "jar" | "pom") && parts[0].contains(|c: char| c.is_ascii_alphabetic());
        (named && parts[0] != "shadow-ci" && !parts[1].contains("plugin"))
            .then(|| format!("{}:{}", parts[0], parts[1]))
    };
    words.filter_map(of_word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_need_what_is_built_from_their_project_make_no_circle() {
        let of = |siblings: &[(Use, &str)]| Declared {
            siblings: siblings.iter().map(|s| (s.0, s.1.into())).collect(),
            ..Declared::default()
        };
        let projects = BTreeMap::from([
            ("a".into(), of(&[(Use::Test, "helpers"), (Use::Test, "c")])),
            ("helpers".into(), of(&[(Use::Main, "a")])),
            ("c".into(), of(&[(Use::Main, "d")])),
            ("d".into(), of(&[(Use::Main, "c")])),
        ]);
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &projects, (&Refused::default(), 17)).unwrap();
        let pom = std::fs::read_to_string(dir.path().join("a/pom.xml")).unwrap();
        assert!(!pom.contains("project-helpers") && pom.contains("project-c"));
        let needs_a = std::fs::read_to_string(dir.path().join("helpers/pom.xml")).unwrap();
        assert!(needs_a.contains("<artifactId>project-a<"));
        let of = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        assert!(of("c/pom.xml").contains("<artifactId>project-d<"));
        assert!(!of("d/pom.xml").contains("<artifactId>project-c<"));
    }

    #[test]
    fn what_is_not_to_be_had_is_excluded_from_what_needs_it() {
        let log4j = Coordinates::read("log4j:log4j:1.2.15").unwrap();
        let declared = Declared {
            dependencies: BTreeSet::from([(Use::Main, log4j)]),
            ..Declared::default()
        };
        let projects = BTreeMap::from([(PathBuf::new(), declared)]);
        let mut refused = Refused::default();
        let gone = BTreeSet::from(["javax.jms:jms".to_string()]);
        refused.add((gone, &BTreeSet::new()), &projects, |_| BTreeMap::new());
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &projects, (&refused, 17)).unwrap();
        let pom = std::fs::read_to_string(dir.path().join("pom.xml")).unwrap();
        let excluded = "<exclusion><groupId>javax.jms</groupId><artifactId>jms</artifactId>";
        assert!(pom.contains("<artifactId>log4j</artifactId>") && pom.contains(excluded));
    }

    #[test]
    fn what_maven_can_not_have_is_named() {
        let output = "[ERROR] Failed to execute goal on project a: Could not resolve dependencies for project shadow-ci:project-a:jar:0: The following artifacts could not be resolved: org.x:y:jar:1.0, org.z:w:jar:2: Could not find artifact org.x:y:jar:1.0 in central\n[ERROR]     'dependencies.dependency.version' for org.v:u:jar is missing. @ line 1\n[INFO] a:b:jar:1\n";
        let found: Vec<String> = names(output).into_iter().collect();
        assert_eq!(found, ["org.v:u", "org.x:y", "org.z:w"]);
    }
}
