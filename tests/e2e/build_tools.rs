//! The build model, from build tools that run here: Maven where it is installed, and Gradle.

use crate::support::{cache, exploring, fixture, git, has, javac, shadow_ci, write};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Two modules, of which the second is built from the first and changes in the last commit.
fn two_modules(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    for (path, text) in files {
        write(repo, path, text);
    }
    let core = "package demo; public class Core { public static int three() { return 3; } }";
    write(repo, "core/src/main/java/demo/Core.java", core);
    let web = "package demo; public class Web { public static int f(int x) { return x > Core.three() ? 1 : 2; } }";
    write(repo, "web/src/main/java/demo/Web.java", web);
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "old"]);
    write(
        repo,
        "web/src/main/java/demo/Web.java",
        &web.replace(": 2", ": 4"),
    );
    git(repo, &["commit", "-q", "-a", "-m", "new"]);
    dir
}

/// The changed file of most of these projects.
const WEB: &str = "web/src/main/java/demo/Web.java";

/// A file with one text and then the other, each committed with all else that is there.
fn commit_each(repo: &Path, file: &str, texts: [&str; 2]) {
    for text in texts {
        write(repo, file, text);
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
    }
}

fn model(repo: &Path, cache: &Path) -> Value {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .env("XDG_CACHE_HOME", cache)
        .args(["project", "--json", "--offline", "--repo"])
        .arg(repo)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn gradle_says_what_a_module_is_built_from() {
    if !has("gradle") {
        eprintln!("no gradle here: not run");
        return;
    }
    let dir = two_modules(&[
        ("settings.gradle", "include 'core', 'web'\n"),
        // JVMs from 17 on do not start with it.
        (
            "gradle.properties",
            "org.gradle.jvmargs=-XX:MaxPermSize=512m\n",
        ),
        (
            "build.gradle",
            "subprojects { apply plugin: 'java'\n sourceCompatibility = 8\n tasks.withType(JavaCompile) { options.encoding = 'ISO-8859-1'\n options.compilerArgs << '-parameters' } }\n",
        ),
        (
            "web/build.gradle",
            "dependencies { compile project(':core') }\n",
        ),
    ]);
    let cache = cache();
    let found = model(dir.path(), cache.path());
    assert_eq!(found["tool"], "gradle", "{found:#}");
    let web = found["modules"].as_array().unwrap().iter();
    let web = web.clone().find(|m| m["dir"] == "web").expect("a module");
    assert_eq!(
        web["source_roots"],
        serde_json::json!(["web/src/main/java"])
    );
    assert_eq!(
        web["class_path"],
        serde_json::json!(["core/build/classes/java/main"])
    );
    assert_eq!(web["source"], 8);
    assert_eq!(web["encoding"], "ISO-8859-1");
    assert_eq!(web["arguments"], serde_json::json!(["-parameters"]));
    let output = exploring(dir.path())
        .env("XDG_CACHE_HOME", cache.path())
        .args(["HEAD~1", "HEAD", "--offline", "--json", "-"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    assert!(!dir.path().join(".gradle").exists() && !dir.path().join("web/build").exists());
}

/// A `PATH` on which `mvn` is this script, and git and the JDK are.
fn path_with_maven(folder: &Path, script: &str) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;
    write(folder, "mvn", script);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.join("mvn"), mode).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let others = std::env::split_paths(&path);
    std::env::join_paths([folder.to_path_buf()].into_iter().chain(others)).unwrap()
}

/// The report on the last commit where `mvn` is this script; what is kept of the build goes into the folder.
fn report_with_maven(repo: &Path, folder: &Path, script: &str) -> Value {
    let output = exploring(repo)
        .env("XDG_CACHE_HOME", folder)
        .env("PATH", path_with_maven(folder, script))
        .args(["HEAD~1", "HEAD", "--json", "-"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).expect(&message)
}

/// The compiler's own goals run first where the repository lacks the parent; its plugins then ask for all phases, and the compiler's plugin
/// compiles nothing that it compiled before.
#[test]
fn maven_is_asked_again_where_a_parent_that_was_downloaded_has_more_plugins() {
    let pom = "<project><parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version></parent><artifactId>web</artifactId></project>";
    let dir = two_modules(&[("web/pom.xml", pom)]);
    let folder = cache();
    let script = r#"#!/bin/sh
cd web
parent="$HOME/.m2/repository/g/parent/1"
mkdir -p "$parent"
echo "<project><groupId>g</groupId><artifactId>parent</artifactId><version>1</version><build><plugins><plugin><groupId>org.antlr</groupId><artifactId>antlr4-maven-plugin</artifactId><executions><execution><goals><goal>antlr4</goal></goals></execution></executions></plugin></plugins></build></project>" > "$parent/parent-1.pom"
echo "$*" >> "$HOME/calls"
if [ -e target/maven-status ]; then echo '[INFO] Nothing to compile - all classes are up to date.'; exit 0; fi
mkdir -p target/maven-status
echo '[DEBUG] Command line options:'
echo "[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes -sourcepath $PWD/src/main/java:$PWD/../core/src/main/java"
"#;
    let output = exploring(dir.path())
        .env("XDG_CACHE_HOME", folder.path())
        .env("HOME", folder.path())
        .env("PATH", path_with_maven(folder.path(), script))
        .args(["HEAD~1", "HEAD", "--json", "-"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).expect(&message);
    let skipped = report["skipped"].to_string();
    assert!(!skipped.contains("compiles no sources"), "{skipped}");
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    let calls = std::fs::read_to_string(folder.path().join("calls")).unwrap();
    let calls: Vec<&str> = calls.lines().collect();
    assert!(calls[0].contains("compiler:compile"), "{calls:#?}");
    assert!(calls[1].ends_with("test-compile"), "{calls:#?}");
}

#[test]
fn a_build_tool_ends_with_the_run_that_started_it() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let folder = cache();
    let pid = folder.path().join("pid");
    let script = format!("#!/bin/sh\necho $$ > {}\nexec sleep 600\n", pid.display());
    let mut run = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .env("XDG_CACHE_HOME", folder.path())
        .env("PATH", path_with_maven(folder.path(), &script))
        .args(["project", "--repo"])
        .arg(dir.path())
        .spawn()
        .unwrap();
    let wait = |done: &dyn Fn() -> bool| {
        let begun = std::time::Instant::now();
        while !done() && begun.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        done()
    };
    let noted = || std::fs::read_to_string(&pid).unwrap_or_default();
    assert!(wait(&|| noted().ends_with('\n')), "Maven was not started");
    run.kill().unwrap();
    run.wait().unwrap();
    let status = format!("/proc/{}/stat", noted().trim());
    let is_gone = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        text.is_empty() || text.contains(") Z ")
    };
    assert!(wait(&is_gone), "Maven goes on");
}

#[test]
fn without_maven_the_message_says_so_and_the_rest_goes_on() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let javac = Command::new("sh")
        .args(["-c", "readlink -f \"$(command -v javac)\""])
        .output()
        .unwrap();
    let javac = String::from_utf8(javac.stdout).unwrap();
    let folder = Path::new(javac.trim()).parent().unwrap();
    let cache = cache();
    let output = shadow_ci(dir.path())
        .env("XDG_CACHE_HOME", cache.path())
        .env("PATH", folder)
        .args(["HEAD~1", "HEAD", "--json", "-"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    let skipped = report["skipped"].to_string();
    assert!(
        skipped.contains("there is no `mvn` on the PATH"),
        "{skipped}"
    );
}

/// Where the run's limit ends Maven, that is what is said, not that nothing compiles.
#[test]
fn a_build_tool_without_time_is_named_as_the_reason() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let repo = dir.path();
    let web = "package demo; public class Web { public static int f(int x) { return gone.Lib.g(x) + 1; } }";
    commit_each(repo, WEB, [web, &web.replace("+ 1", "+ 2")]);
    let folder = cache();
    let output = shadow_ci(repo)
        .env("XDG_CACHE_HOME", folder.path())
        .env(
            "PATH",
            path_with_maven(folder.path(), "#!/bin/sh\nexec sleep 600\n"),
        )
        .args(["HEAD~1", "HEAD", "--timeout", "1"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("the time limit ended the build tool"),
        "{message}"
    );
    assert!(message.contains("had no time to end"), "{message}");
}

/// What needs nothing of the build is analysed in the time that is left.
#[test]
fn a_build_tool_does_not_take_all_of_the_time() {
    let dir = two_modules(&[
        ("core/pom.xml", "<project/>"),
        ("web/pom.xml", "<project/>"),
    ]);
    let folder = cache();
    let output = shadow_ci(dir.path())
        .env("XDG_CACHE_HOME", folder.path())
        .env(
            "PATH",
            path_with_maven(folder.path(), "#!/bin/sh\nexec sleep 600\n"),
        )
        .args(["HEAD~1", "HEAD", "--timeout", "40", "--json", "-"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("had no time to end"), "{skipped}");
}

#[test]
fn a_build_tool_that_fails_is_named_and_the_rest_goes_on() {
    let dir = two_modules(&[("core/pom.xml", "<project>"), ("web/pom.xml", "<project>")]);
    let cache = cache();
    let output = exploring(dir.path())
        .env("XDG_CACHE_HOME", cache.path())
        .args(["HEAD~1", "HEAD", "--offline", "--json", "-"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("the build's class path"), "{skipped}");
}

/// Sources of a level that javac no longer knows stop Maven before it comes to the tests: these are asked for alone.
#[test]
fn tests_are_found_behind_sources_of_a_level_that_is_gone() {
    let dir = two_modules(&[
        ("web/pom.xml", "<project/>"),
        ("web/src/test/java/demo/WebTest.java", "class WebTest {}"),
    ]);
    let folder = cache();
    let options = |main: &str, classes: &str, path: &str| {
        format!(
            "echo '[DEBUG] Command line options:'\necho \"[DEBUG] -d $PWD/target/{classes} -classpath $PWD/target/{classes}:{path} -sourcepath $PWD/src/{main}/java -source 1.3\"\necho '[ERROR] error: Source option 3 is no longer supported. Use 7 or later.'\n"
        )
    };
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *compiler:compile@*|*' test-compile') {}exit 1;; *) {}exit 1;; esac\n",
        options("main", "classes", ""),
        options("test", "test-classes", "/m2/junit.jar"),
    );
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .env("XDG_CACHE_HOME", folder.path())
        .env("PATH", path_with_maven(folder.path(), &script))
        .args(["project", "--json", "--repo"])
        .arg(dir.path())
        .output()
        .unwrap();
    let model: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = model.to_string();
    assert!(text.contains("web/src/test/java"), "{model:#}");
    assert!(text.contains("/m2/junit.jar"), "{model:#}");
}

/// Such as a module for a newer Java, of which a text names a class.
#[test]
fn a_named_class_of_a_newer_level_than_the_changed_code_is_there() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let repo = dir.path();
    let root = "web/src/main/java/demo";
    let shim = "package demo; abstract class Shim { abstract int three();
        static final Shim IT;
        static { try { IT = (Shim) Class.forName(\"demo.Newer\").newInstance(); } catch (Exception e) { throw new Error(e); } } }";
    write(repo, &format!("{root}/Shim.java"), shim);
    let newer = "package demo; class Newer extends Shim { int three() { return java.util.List.of(1, 2, 3).size(); } }";
    write(repo, &format!("{root}/Newer.java"), newer);
    let web = "package demo; public class Web { public static int f(int x) { return x > Shim.IT.three() ? 1 : 2; } }";
    let file = format!("{root}/Web.java");
    commit_each(repo, &file, [web, &web.replace(": 2", ": 4")]);
    let folder = cache();
    let script = "#!/bin/sh\ncd web\necho '[DEBUG] Command line options:'\necho \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes -sourcepath $PWD/src/main/java --release 8\"\n";
    let output = shadow_ci(repo)
        .env("XDG_CACHE_HOME", folder.path())
        .env("PATH", path_with_maven(folder.path(), script))
        .args(["HEAD~1", "HEAD", "--json", "-", "--search-runs", "400"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding = &report["methods"][0]["findings"][0];
    assert_eq!(finding["old"]["value"], "2", "{report:#}");
    assert_eq!(finding["new"]["value"], "4", "{report:#}");
}

/// A class above needs another one of a newer Java level, so all classes below it are tried at that level: not those that both versions have
/// already, whose code would be other code there.
#[test]
fn what_is_compiled_beside_at_a_newer_level_changes_no_class_that_was_there() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let repo = dir.path();
    let root = "web/src/main/java/demo";
    let classes = [
        (
            "Shape",
            "public abstract class Shape { public abstract int size(); }",
        ),
        (
            "Named",
            "public abstract class Named extends Shape { public String text(int x) { return \"r=\" + x; } }",
        ),
        (
            "Square",
            "public class Square extends Named { public int size() { return Sizes.of(); } }",
        ),
        (
            "Sizes",
            "class Sizes { static int of() { return java.util.List.of(1, 2).size(); } }",
        ),
    ];
    for (name, text) in classes {
        write(
            repo,
            &format!("{root}/{name}.java"),
            &format!("package demo; {text}"),
        );
    }
    let web = "package demo; public class Web { public static String f(Shape s, int x) { return s.size() > 2 ? ((Named) s).text(x) : \"a\"; } }";
    let file = format!("{root}/Web.java");
    commit_each(repo, &file, [web, &web.replace("\"a\"", "\"b\"")]);
    let folder = cache();
    let script = "#!/bin/sh\ncd web\necho '[DEBUG] Command line options:'\necho \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes -sourcepath $PWD/src/main/java --release 8\"\n";
    let report = report_with_maven(repo, folder.path(), script);
    let changed = report["methods"].as_array().unwrap();
    assert_eq!(changed.len(), 1, "{report:#}");
    assert_eq!(changed[0]["method"], "f", "{report:#}");
    assert_eq!(changed[0]["verdict"], "diverges", "{report:#}");
}

/// The generator is a class of the module itself, which a plugin runs in a step before the sources are compiled.
#[test]
fn sources_that_the_projects_own_classes_generate_are_there() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let repo = dir.path();
    let root = "web/src/main/java/demo";
    let generator = "package demo; public class Generator { public static void main(String[] to) throws Exception {
        java.nio.file.Files.writeString(java.nio.file.Path.of(to[0]), \"package demo; class Limits { static final String MADE = \\\"\"
            + java.time.Instant.now() + \"\\\"; static int most() { return 7; } }\"); } }";
    let about =
        "package demo; public class About { public static String made() { return Limits.MADE; } }";
    write(repo, &format!("{root}/About.java"), about);
    let web = "package demo; public class Web { public static int f(int x) { return x > Limits.most() + 0 * About.made().length() ? 1 : 2; } }";
    for text in [web.to_string(), web.replace(": 2", ": 4")] {
        write(repo, &format!("{root}/Web.java"), &text);
        // What generates the sources is another text, so they are generated anew.
        let generator = format!(
            "{generator} // {}",
            text.len() + text.matches(": 4").count()
        );
        write(repo, &format!("{root}/Generator.java"), &generator);
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
    }
    let folder = cache();
    let script = "#!/bin/sh
for a in \"$@\"; do case $a in -Dmaven.compiler.executable=*) javac=${a#*=};; esac; done
cd web
made=target/generated-sources/java
mkdir -p target/classes $made/demo
$javac -d $PWD/target/classes $PWD/src/main/java/demo/Generator.java || exit 1
if java -cp target/classes demo.Generator $made/demo/Limits.java; then
  $javac -d $PWD/target/classes -sourcepath $PWD/src/main/java:$PWD/$made $PWD/src/main/java/demo/*.java $PWD/$made/demo/Limits.java
else
  echo '[ERROR] Failed to execute goal org.codehaus.mojo:exec-maven-plugin:1.6.0:exec (limits) on project web: Command execution failed. -> [Help 1]'
fi
";
    let report = report_with_maven(repo, folder.path(), script);
    let finding = &report["methods"][0]["findings"][0];
    assert_eq!(finding["old"]["value"], "2", "{report:#}");
    assert_eq!(finding["new"]["value"], "4", "{report:#}");
    // When the sources were generated is another time in each version.
    assert_eq!(report["methods"].as_array().unwrap().len(), 1, "{report:#}");
}

/// A folder with the class `demo.Limits`, made in another one.
fn compiled_limits(folder: &Path) -> PathBuf {
    let limits = "package demo; class Limits { static int MOST = 7; }";
    write(folder, "Limits.java", limits);
    let classes = folder.join("classes");
    let compiled = javac()
        .arg("-d")
        .arg(&classes)
        .arg(folder.join("Limits.java"))
        .status()
        .unwrap();
    assert!(compiled.success());
    classes
}

/// A plugin's program is not on the machine: the artifact that the project has published holds what it would have made.
#[test]
fn classes_that_could_not_be_generated_are_those_that_the_project_has_published() {
    let pom =
        "<project><groupId>x</groupId><artifactId>web</artifactId><version>3</version></project>";
    let dir = two_modules(&[("web/pom.xml", pom)]);
    let repo = dir.path();
    let web = "package demo; public class Web { public static int f(int x) { return x > Limits.MOST ? 1 : 2; } }";
    commit_each(repo, WEB, [web, &web.replace(": 2", ": 4")]);
    let folder = cache();
    let published = compiled_limits(folder.path());
    let published = published.display();
    let script = format!(
        "#!/bin/sh
if [ ! -f ../pom.xml ]; then
  echo '[ERROR] Failed to execute goal x:idl-maven-plugin:1:compile (default) on project web: idl did not exit cleanly'
elif grep -q '<artifactId>web</artifactId><version>3</version><exclusions>' ../pom.xml; then
  cd ..
  echo '[DEBUG] Command line options:'
  echo \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes:{published} -sourcepath $PWD/src/main/java: $PWD/src/main/java/demo/Web.java\"
fi
"
    );
    let report = report_with_maven(repo, folder.path(), &script);
    let finding = &report["methods"][0]["findings"][0];
    assert_eq!(finding["new"]["value"], "4", "{report:#}");
    let notes = report["skipped"].to_string();
    let told = "x:web:3 stands for what its build makes";
    assert!(notes.contains(told), "{report:#}");
}

/// A module packs classes of others under new names, which it does when it is packaged only: the artifact that it has published has them.
#[test]
fn classes_that_a_module_packs_are_those_that_it_has_published() {
    let pom = |name: &str, more: &str| {
        format!(
            "<project><groupId>x</groupId><artifactId>{name}</artifactId><version>3</version>{more}</project>"
        )
    };
    let packs = "<build><plugins><plugin><artifactId>maven-shade-plugin</artifactId><configuration><relocations>\
        <relocation><pattern>demo.limits</pattern></relocation></relocations></configuration></plugin></plugins></build>";
    let modules = "<modules><module>packed</module><module>web</module></modules>";
    let modules = [
        ("pom.xml", &*pom("all", modules)),
        ("web/pom.xml", &*pom("web", "")),
        ("packed/pom.xml", &*pom("packed", packs)),
    ];
    let dir = two_modules(&modules);
    let repo = dir.path();
    let web = "package demo; public class Web { public static int f(int x) { return x > Limits.MOST ? 1 : 2; } }";
    commit_each(repo, WEB, [web, &web.replace(": 2", ": 4")]);
    let folder = cache();
    let published = compiled_limits(folder.path());
    let published = published.display();
    let script = format!(
        "#!/bin/sh
own=published/0
if [ -f web/pom.xml ]; then
  echo '[DEBUG] Command line options:'
  echo \"[DEBUG] -d $PWD/web/target/classes -classpath $PWD/web/target/classes:$PWD/packed/target/classes -sourcepath $PWD/web/src/main/java: $PWD/web/src/main/java/demo/Web.java\"
elif grep -q '<artifactId>packed</artifactId><version>3</version>' $own/pom.xml; then
  echo '[DEBUG] Command line options:'
  echo \"[DEBUG] -d $PWD/$own/target/classes -classpath $PWD/$own/target/classes:{published} -sourcepath $PWD/$own/src/main/java: $PWD/$own/src/main/java/Asks.java\"
fi
"
    );
    let report = report_with_maven(repo, folder.path(), &script);
    let finding = &report["methods"][0]["findings"][0];
    assert_eq!(finding["new"]["value"], "4", "{report:#}");
    let notes = report["skipped"].to_string();
    let told = "x:packed:3 stands for what its build makes";
    assert!(notes.contains(told), "{report:#}");
}

/// A project of Ant with Ivy, with a library whose version stands in a file of properties, and a file of its tests that is called a jar.
#[test]
fn what_an_ivy_file_declares_is_on_the_class_path() {
    let dir = tempfile::tempdir().unwrap();
    let repo = dir.path();
    git(repo, &["init", "-q"]);
    let ivy = "<ivy-module version='2.0'><info organisation='x' module='web'/><dependencies><dependency org='lib' name='limits' rev='${limits.version}' conf='compile->default'/><dependency org='x' name='web' rev='latest.integration'/></dependencies></ivy-module>";
    write(repo, "ivy/ivy.xml", ivy);
    write(
        repo,
        "libraries.properties",
        "# all\nlimits.version = 2.1\n",
    );
    write(repo, "lib/none.jar", "text");
    let web = "package demo; public class Web { public static int f(int x) { return x > Limits.MOST ? 1 : 2; } }";
    commit_each(
        repo,
        "src/java/demo/Web.java",
        [web, &web.replace(": 2", ": 4")],
    );
    let folder = cache();
    let library = compiled_limits(folder.path());
    let library = library.display();
    let script = format!(
        "#!/bin/sh
cd ..
declared='<groupId>lib</groupId><artifactId>limits</artifactId><version>2.1</version>'
if grep -q \"$declared\" pom.xml && ! grep -q '<groupId>x</groupId>' pom.xml; then
  echo '[DEBUG] Command line options:'
  echo \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes:{library} -sourcepath $PWD/src/java: $PWD/src/java/demo/Web.java\"
fi
"
    );
    let report = report_with_maven(repo, folder.path(), &script);
    let finding = &report["methods"][0]["findings"][0];
    assert_eq!(finding["new"]["value"], "4", "{report:#}");
    let notes = report["skipped"].to_string();
    assert!(
        notes.contains("left out, as it is no jar: lib/none.jar"),
        "{report:#}"
    );
}

/// A template of an archetype is no Java yet, and what lies among resources is not compiled.
#[test]
fn java_files_among_resources_are_no_sources() {
    let template = "web/src/main/resources/archetype-resources/A.java";
    let dir = two_modules(&[(
        template,
        "package ${package};\nclass A { int f() { return 1; } }",
    )]);
    let text = "package ${package};\nclass A { int f() { return 2; } }";
    write(dir.path(), template, text);
    git(dir.path(), &["commit", "-q", "-a", "-m", "next"]);
    let output = shadow_ci(dir.path()).args(["HEAD~1", "HEAD"]).output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("among resources, not compiled"), "{said}");
}

/// Maven compiles one module in the first run, and the other one only with the release in place of the snapshot, when the first is up to
/// date.
#[test]
fn modules_of_a_run_with_other_versions_and_of_the_one_before_are_both_known() {
    let lib = "<groupId>x</groupId><artifactId>lib</artifactId><version>2-SNAPSHOT</version>";
    let web = format!("<project><dependency>{lib}</dependency></project>");
    let modules = "<project><module>core</module><module>web</module></project>";
    let dir = two_modules(&[
        ("pom.xml", modules),
        ("core/pom.xml", "<project/>"),
        ("web/pom.xml", &web),
    ]);
    let folder = cache();
    // The build's own compiler runs: what it was given stands in the output.
    let script = "#!/bin/sh
compiles() {
  echo '[DEBUG] Command line options:'
  echo \"[DEBUG] -d $PWD/$1/target/classes -classpath $PWD/core/target/classes -sourcepath $PWD/$1/src/main/java: $PWD/$1/src/main/java/demo/$2.java\"
}
if grep -q SNAPSHOT web/pom.xml; then
  compiles core Core
  echo '[ERROR] Failed to execute goal on project web: Could not find artifact x:lib:jar:2-SNAPSHOT in central (https://repo)'
else
  compiles web Web
fi
";
    let report = report_with_maven(dir.path(), folder.path(), script);
    let finding = &report["methods"][0]["findings"][0];
    assert_eq!(finding["new"]["value"], "4", "{report:#}");
    let notes = report["skipped"].as_array().unwrap();
    let why: Vec<&str> = notes.iter().filter_map(|n| n["why"].as_str()).collect();
    let replaced = "in place of versions that no repository has: x:lib:2";
    assert_eq!(why, [replaced], "{report:#}");
}

/// Maven puts values in the place of names in filtered resources, so what a program reads there has the values.
#[test]
fn filtered_resources_hold_the_values_of_the_build() {
    let resources = "<build><resources><resource><directory>src/main/resources</directory><filtering>true</filtering></resource></resources></build>";
    let pom = format!("<project><version>1.4</version>{resources}</project>");
    let text = "version=${project.version}\n";
    let dir = two_modules(&[
        ("web/pom.xml", &pom),
        ("web/src/main/resources/web.properties", text),
    ]);
    let read = "package demo;\nimport java.io.*;\nimport java.util.Properties;\npublic class Web {\n    public static String f() throws IOException {\n        Properties all = new Properties();\n        try (InputStream in = Web.class.getResourceAsStream(\"/web.properties\")) { all.load(in); }\n        return all.getProperty(\"version\");\n    }\n}\n";
    let told =
        "package demo;\npublic class Web {\n    public static String f() { return \"1.3\"; }\n}\n";
    for text in [told, read] {
        write(dir.path(), WEB, text);
        git(dir.path(), &["commit", "-q", "-a", "-m", "next"]);
    }
    let folder = cache();
    let script = "#!/bin/sh
echo '[DEBUG] Command line options:'
echo \"[DEBUG] -d $PWD/web/target/classes -classpath $PWD/web/target/classes -sourcepath $PWD/web/src/main/java: $PWD/web/src/main/java/demo/Web.java\"
";
    let report = report_with_maven(dir.path(), folder.path(), script);
    let finding = &report["methods"][0]["findings"][0];
    assert_eq!(finding["old"]["value"], "\"1.3\"", "{report:#}");
    assert_eq!(finding["new"]["value"], "\"1.4\"", "{report:#}");
}

/// An example beside the sources is none of them: the build's answer is whole without it, and it is named.
#[test]
fn a_changed_file_that_maven_does_not_compile_is_left_out_and_named() {
    let example = "class Example { static int f(int x) { return x; } }";
    let dir = two_modules(&[
        ("web/pom.xml", "<project/>"),
        ("web/doc/Example.java", example),
    ]);
    let repo = dir.path();
    write(
        repo,
        "web/doc/Example.java",
        &example.replace("x; }", "-x; }"),
    );
    git(repo, &["commit", "-q", "-a", "--amend", "-m", "new"]);
    let folder = cache();
    let script = "#!/bin/sh\ncd web\necho '[DEBUG] Command line options:'\necho \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes -sourcepath $PWD/src/main/java\"\necho \"$*\" >> \"$CALLS\"\n";
    let calls = folder.path().join("calls");
    let run = || {
        let output = shadow_ci(repo)
            .env("XDG_CACHE_HOME", folder.path())
            .env("PATH", path_with_maven(folder.path(), script))
            .env("CALLS", &calls)
            .args(["HEAD~1", "HEAD", "--json", "-"])
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report
    };
    let report = run();
    let methods = report["methods"].as_array().unwrap();
    let names: Vec<&Value> = methods.iter().map(|m| &m["class"]).collect();
    assert_eq!(names, ["demo.Web"], "{report:#}");
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("web/doc/Example.java"), "{skipped}");
    assert!(!skipped.contains("the build's class path"), "{skipped}");
    let asked = || std::fs::read_to_string(&calls).unwrap().lines().count();
    let before = asked();
    run();
    assert_eq!(asked(), before, "the model is kept");
}

/// The sources of a commit were taken for generated ones, kept with the model, and written over those of every later commit.
#[test]
fn a_source_root_that_goes_up_and_down_again_is_that_of_the_commit() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let repo = dir.path();
    let folder = cache();
    let script = "#!/bin/sh\ncd web\necho '[DEBUG] Command line options:'\necho \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes -sourcepath $PWD/../web/src/main/java\"\n";
    for result in ["5", "6"] {
        let web = format!(
            "package demo; public class Web {{ public static int f(int x) {{ return x > 3 ? 1 : {result}; }} }}"
        );
        write(repo, WEB, &web);
        git(repo, &["commit", "-q", "-a", "-m", "next"]);
        let report = report_with_maven(repo, folder.path(), script);
        let finding = &report["methods"][0]["findings"][0];
        assert_eq!(finding["new"]["value"], result, "{report:#}");
    }
}

/// A commit that raises the Java level: javac writes `+` of texts in another way, and no method has changed by that.
#[test]
fn methods_that_only_another_java_level_compiles_otherwise_have_not_changed() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let repo = dir.path();
    let folder = cache();
    let script = "#!/bin/sh\ncd web\necho '[DEBUG] Command line options:'\necho \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes -sourcepath $PWD/src/main/java --release $(cat level)\"\n";
    let mut report = Value::Null;
    for (level, result) in [("8", "a"), ("11", "b")] {
        let web = format!(
            "package demo; public class Web {{ public static String f(int x) {{ return \"{result}\" + x; }} \
             public static String g(int x) {{ return \"g\" + x; }} }}"
        );
        write(repo, WEB, &web);
        write(repo, "web/level", level);
        let pom = format!("<project><!-- {level} --></project>");
        write(repo, "web/pom.xml", &pom);
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
        report = report_with_maven(repo, folder.path(), script);
    }
    let changed = report["methods"].as_array().unwrap();
    assert_eq!(changed.len(), 1, "{report:#}");
    assert_eq!(changed[0]["method"], "f", "{report:#}");
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("Java level"), "{skipped}");
}

/// What the build tool's answer lacks: modules that a computed build file names.
#[test]
fn modules_that_the_answer_lacks_are_found_by_their_packages() {
    let dir = two_modules(&[("web/pom.xml", "<project/>")]);
    let repo = dir.path();
    let base = "package base; public class Base { public static int five() { return 5; } }";
    write(repo, "deep/base/src/main/java/base/Base.java", base);
    let core = "package demo; import base.Base; public class Core { public static int three() { return Base.five() - 2; } }";
    write(repo, "core/src/main/java/demo/Core.java", core);
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "another module"]);
    let web = repo.join(WEB);
    let text = std::fs::read_to_string(&web).unwrap();
    std::fs::write(&web, text.replace(": 4", ": 6")).unwrap();
    git(repo, &["commit", "-q", "-a", "-m", "new"]);
    let folder = cache();
    let script = "#!/bin/sh\ncd web\necho '[DEBUG] Command line options:'\necho \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes -sourcepath $PWD/src/main/java\"\n";
    let report = report_with_maven(repo, folder.path(), script);
    let methods = report["methods"].as_array().unwrap();
    let web = methods.iter().find(|m| m["class"] == "demo.Web");
    assert_eq!(web.unwrap()["verdict"], "diverges", "{report:#}");
    let why = "found by their packages: core/src/main/java, deep/base/src/main/java";
    assert!(report["skipped"].to_string().contains(why), "{report:#}");
}

/// A library's editions for two platforms have classes of one name: one is analysed, the other named.
#[test]
fn of_two_editions_one_is_analysed() {
    let dir = two_modules(&[("android/src/main/java/demo/Web.java", "")]);
    let repo = dir.path();
    let web = |folder: &str, base: i32, result: i32| {
        let core =
            format!("package demo; class Base {{ static int three() {{ return {base}; }} }}");
        write(
            repo,
            &format!("{folder}/src/main/java/demo/Base.java"),
            &core,
        );
        let text = format!(
            "package demo; public class Web {{ public static int f(int x) {{ return x > Base.three() ? 1 : {result}; }} }}"
        );
        write(
            repo,
            &format!("{folder}/src/main/java/demo/Web.java"),
            &text,
        );
    };
    for result in [2, 4] {
        web("android", 5, result);
        web("web", 3, result);
        // More changes here: this edition counts.
        let more =
            format!("package demo; public class More {{ static int f() {{ return {result}; }} }}");
        write(repo, "web/src/main/java/demo/More.java", &more);
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "both"]);
    }
    let report = |arguments: &[&str]| -> Value {
        let output = exploring(repo)
            .args(["HEAD~1", "HEAD", "--build", "none", "--json", "-"])
            .args(arguments)
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let inputs = |report: &Value| {
        let methods = report["methods"].as_array().unwrap();
        let f = methods.iter().find(|m| m["class"] == "demo.Web").unwrap();
        f["findings"][0]["path_condition"].to_string()
    };
    let both = report(&[]);
    assert!(inputs(&both).contains('3'), "{both:#}");
    let why = "web/src/main/java has a class of the same name, Base: --exclude 'web/src/main/java' analyses this one";
    assert!(both["skipped"].to_string().contains(why), "{both:#}");
    let android = report(&["--exclude", "web/src/main/java"]);
    assert!(inputs(&android).contains('5'), "{android:#}");
}

/// Inner classes read private fields: below Java 11 through methods that javac numbers, which another class renumbers here.
#[test]
fn accessors_with_other_numbers_are_no_changed_methods() {
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    write(repo, "pom.xml", "<project/>");
    let meter = "package demo;
public class Meter {
    private int width = 3;
    private int height = 4;
    private int depth = 5;
    public int area() { return new Inner().area(); }
    public int limit(int n) { return n > 10 ? 10 : n; }
    class Inner {
        int area() { return width * height; }
        int volume() { return area() * depth; }
    }
}
";
    let path = "src/main/java/demo/Meter.java";
    write(repo, path, meter);
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "old"]);
    let first = "    class First { int depth() { return depth; } }\n    class Inner {";
    let meter = meter
        .replace("    class Inner {", first)
        .replace("10 : n", "9 : n")
        .replace("return width * height", "return height * height");
    write(repo, path, &meter);
    git(repo, &["commit", "-q", "-a", "-m", "new"]);
    let folder = cache();
    let script = "#!/bin/sh\necho '[DEBUG] Command line options:'\necho \"[DEBUG] -d $PWD/target/classes -classpath $PWD/target/classes -sourcepath $PWD/src/main/java -source 1.8 -target 1.8\"\n";
    let output = exploring(repo)
        .env("XDG_CACHE_HOME", folder.path())
        .env("PATH", path_with_maven(folder.path(), script))
        .args(["HEAD~1", "HEAD", "--json", "-", "--fail-on", "never"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let methods = report["methods"].as_array().unwrap().iter();
    let names: Vec<&str> = methods.map(|m| m["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["limit", "area"], "{report:#}");
    assert_eq!(report["summary"]["diverges"], 2, "{report:#}");
}

/// A run that has nothing to do says why, in green where there are colours, and fails nothing.
#[test]
fn nothing_to_do_is_said_and_fails_nothing() {
    let dir = two_modules(&[]);
    let repo = dir.path();
    let run = |arguments: &[&str]| {
        let output = exploring(repo)
            .args(["HEAD~1", "HEAD", "--build", "none"])
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let nothing = "nothing to compare: --path and --exclude leave no changed Java file";
    assert!(run(&["--path", "web"]).contains("1 method: 1 diverges"));
    assert!(run(&["--path", "core"]).contains(nothing));
    assert!(run(&["--exclude", "**/Web.java"]).contains(nothing));
    let unmatched = "nothing to compare: --method 'Web#no*' matches no changed method";
    assert!(run(&["--method", "Web#no*"]).contains(unmatched));
    write(repo, "web/src/main/kotlin/demo/K.kt", "class K");
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "Kotlin"]);
    let text = run(&[]);
    assert!(
        text.contains("nothing to compare: no Java file changed, and other languages"),
        "{text}"
    );
    assert!(text.contains("K.kt (only Java is analysed"), "{text}");
}

/// A Maven project names JUnit 5's API only: engine and launcher are Surefire's business there, and ours here.
/// A class of another language is one that the build puts beside Java's: here javac made it before.
#[test]
fn classes_that_the_build_makes_of_other_languages_are_on_the_class_path() {
    if !has("mvn") {
        eprintln!("no mvn here: not run");
        return;
    }
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    write(
        repo,
        "Tax.java",
        "package demo; public class Tax { public static int of(int x) { return x / 5; } }",
    );
    let compiled = javac()
        .args(["--release", "8", "-d", "made", "Tax.java"])
        .current_dir(repo)
        .status();
    assert!(compiled.unwrap().success());
    std::fs::remove_file(repo.join("Tax.java")).unwrap();
    write(
        repo,
        "pom.xml",
        "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
         <properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target></properties>
         <build><resources><resource><directory>made</directory></resource></resources></build></project>",
    );
    let shop = "package demo; public class Shop { public static int f(int x) { return x > 9 ? x - Tax.of(x) : x; } }";
    write(repo, "src/main/java/demo/Shop.java", shop);
    git(repo, &["add", "-A", "-f"]);
    git(repo, &["commit", "-q", "-m", "old"]);
    write(
        repo,
        "src/main/java/demo/Shop.java",
        &shop.replace("> 9", "> 10"),
    );
    git(repo, &["commit", "-q", "-a", "-m", "new"]);
    let cache = cache();
    // Maven's own plugins may have to be fetched for the first run; the second must not need anything.
    for (run, offline) in [("first", None), ("cached", Some("--offline"))] {
        let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
            .env("XDG_CACHE_HOME", cache.path())
            .args(offline)
            .args([
                "HEAD~1",
                "HEAD",
                "--json",
                "-",
                "--search-runs",
                "0",
                "--repo",
            ])
            .arg(repo)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let method = &report["methods"][0];
        assert_eq!(method["verdict"], "diverges", "{run}: {report:#}");
        assert_eq!(method["findings"][0]["inputs"][0]["java"], "10", "{run}");
    }
}

#[test]
fn tests_of_junit_5_run_as_seeds_without_an_option() {
    // Maven comes with these.
    crate::support::junit_jars();
    let pom = r#"<project><modelVersion>4.0.0</modelVersion><groupId>demo</groupId><artifactId>demo</artifactId><version>1</version>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-api</artifactId><version>5.10.2</version><scope>test</scope></dependency></dependencies></project>"#;
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    write(repo, "pom.xml", pom);
    let code = "package demo; public class Code { public static int of(String key) { return key.hashCode() == 1255717 ? 1 : 0; } }";
    write(repo, "src/main/java/demo/Code.java", code);
    let test = "package demo; import org.junit.jupiter.api.Test; class CodeTest { @Test void counts() { String k = \"total:xyz\"; org.junit.jupiter.api.Assertions.assertEquals(0, Code.of(k + k.length())); } }";
    write(repo, "src/test/java/demo/CodeTest.java", test);
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "old"]);
    let code = code.replace("1255717", &java_hash("total:xyz9").to_string());
    write(repo, "src/main/java/demo/Code.java", &code);
    git(repo, &["commit", "-q", "-a", "-m", "new"]);
    let failing = failing_test(repo);
    assert_eq!(failing["class"], "regression");
    assert_eq!(failing["new_only_assertion"], true, "{failing:#}");
}

/// The finding that is the test `counts` of `demo.CodeTest`.
fn failing_test(repo: &Path) -> Value {
    let cache = cache();
    let output = shadow_ci(repo)
        .env("XDG_CACHE_HOME", cache.path())
        .args(["HEAD~1", "HEAD", "--fail-on", "never", "--json", "-"])
        .args(["--search-runs", "200", "--effort", "1"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["methods"][0]["findings"].as_array().unwrap();
    let failing = |f: &&Value| f["call"] == "demo.CodeTest#counts";
    let failing = findings.iter().find(failing);
    failing.unwrap_or_else(|| panic!("{report:#}")).clone()
}

/// A module of tests only, which read a file beside them by its path, a field of a package that the build opens to them, and a class of
/// a module that only they are built from. A source among their data is none of them.
#[test]
fn tests_of_another_module_run_in_its_folder_with_what_the_build_opens_to_them() {
    // Maven comes with these.
    crate::support::junit_jars();
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    let own = |name: &str| {
        format!("<groupId>demo</groupId><artifactId>{name}</artifactId><version>1</version>")
    };
    let module = |name: &str, more: &str| {
        let pom = format!(
            "<project><modelVersion>4.0.0</modelVersion>{}<properties><maven.compiler.release>11</maven.compiler.release></properties>{more}</project>",
            own(name)
        );
        let folder = if name == "all" {
            String::new()
        } else {
            format!("{name}/")
        };
        write(repo, &format!("{folder}pom.xml"), &pom);
    };
    module(
        "all",
        "<packaging>pom</packaging><modules><module>core</module><module>kit</module><module>checks</module></modules>",
    );
    module("core", "");
    module("kit", "");
    let keys = "package kit; public class Keys { public static String plain(String key) { return key.trim(); } }";
    write(repo, "kit/src/main/java/kit/Keys.java", keys);
    let junit = "<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-api</artifactId><version>5.10.2</version><scope>test</scope></dependency>";
    let options = "<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration><argLine>--add-opens java.base/java.lang=ALL-UNNAMED</argLine></configuration></plugin></plugins></build>";
    module(
        "checks",
        &format!(
            "<dependencies><dependency>{}</dependency><dependency>{}<scope>test</scope></dependency>{junit}</dependencies>{options}",
            own("core"),
            own("kit")
        ),
    );
    let code = "package demo; public class Code { public static int of(String key) { return key.hashCode() == 1255717 ? 1 : 0; } }";
    write(repo, "core/src/main/java/demo/Code.java", code);
    let test = "package demo; import org.junit.jupiter.api.*; class CodeTest {
        @Test void counts() throws Exception {
            String key = kit.Keys.plain(java.nio.file.Files.readString(java.nio.file.Path.of(\"src/test/data/key.txt\")));
            java.lang.reflect.Field hash = String.class.getDeclaredField(\"hash\");
            hash.setAccessible(true);
            hash.get(key);
            Assertions.assertEquals(0, Code.of(key));
        }
    }";
    write(repo, "checks/src/test/java/demo/CodeTest.java", test);
    write(repo, "checks/src/test/data/key.txt", "total:xyz9\n");
    let copy = "package demo; public class Code { static void of() { } }";
    write(repo, "checks/src/test/data/demo/Code.java", copy);
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "old"]);
    let code = code.replace("1255717", &java_hash("total:xyz9").to_string());
    write(repo, "core/src/main/java/demo/Code.java", &code);
    git(repo, &["commit", "-q", "-a", "-m", "new"]);
    assert_eq!(failing_test(repo)["class"], "regression");
}

/// `String.hashCode`.
fn java_hash(text: &str) -> i32 {
    let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    text.encode_utf16().fold(0, add)
}

/// Code of a project for Java 8 that reads a private field of the JDK: its JVMs allow it, today's only where the package is opened.
#[test]
fn code_of_an_old_level_reaches_into_the_jdk_as_it_did_there() {
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    let code = "package demo; public class Room { public static int of(int size) throws Exception {
        java.lang.reflect.Field room = java.util.ArrayList.class.getDeclaredField(\"elementData\");
        room.setAccessible(true);
        Object[] held = (Object[]) room.get(new java.util.ArrayList<>(7));
        return size == 73 ? held.length : 0; } }";
    let mut found = Vec::new();
    for level in ["8", "17"] {
        let pom = format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
             <properties><maven.compiler.source>{level}</maven.compiler.source><maven.compiler.target>{level}</maven.compiler.target></properties></project>"
        );
        write(repo, "pom.xml", &pom);
        write(repo, "src/main/java/demo/Room.java", code);
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "old"]);
        let new = code.replace("held.length", "held.length + 1");
        write(repo, "src/main/java/demo/Room.java", &new);
        git(repo, &["commit", "-q", "-a", "-m", "new"]);
        let folder = cache();
        let output = exploring(repo)
            .env("XDG_CACHE_HOME", folder.path())
            .args(["HEAD~1", "HEAD", "--json", "-"])
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_slice(&output.stdout).expect(&message);
        let method = &report["methods"][0];
        let (made, true_ones) = (&method["predictions"], &method["predictions_confirmed"]);
        assert_eq!(made, true_ones, "{report:#}");
        found.push(method["findings"].clone());
    }
    assert_eq!(found[0][0]["old"]["value"], "7", "{found:#?}");
    assert_eq!(found[0][0]["new"]["value"], "8", "{found:#?}");
    assert_eq!(found[1], serde_json::json!([]), "{found:#?}");
}
