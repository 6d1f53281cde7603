//! Annotation processors run where the build runs them, or where the class path names them.

use crate::support::{cache, compiles, exploring, fixture, git, has, succeeds, write};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// An annotation processor that makes a class `XMade` beside each class `X` that it is given, with a method for each of its fields, as a jar. It looks into javac, as
/// Lombok before 1.18.20 does without opening the JDK's module by itself.
fn processor(jar: &Path) {
    processor_that(jar, "package demo; public class", "");
}

/// The same whose classes begin with that, as part of a Java text, and which does this first.
fn processor_that(jar: &Path, begins: &str, first: &str) {
    let dir = tempfile::tempdir().unwrap();
    let generated = "package javax.annotation; public @interface Generated { String[] value(); }";
    write(dir.path(), "javax/annotation/Generated.java", generated);
    write(
        dir.path(),
        "made/Made.java",
        "package made; public @interface Made {}",
    );
    write(
        dir.path(),
        "made/Maker.java",
        &"package made;
         import java.util.Set;
         import javax.annotation.processing.*;
         import javax.lang.model.SourceVersion;
         import javax.lang.model.element.*;
         public class Maker extends AbstractProcessor {
             @Override public Set<String> getSupportedAnnotationTypes() { return Set.of(\"made.Made\"); }
             @Override public SourceVersion getSupportedSourceVersion() { return SourceVersion.latest(); }
             @Override public boolean process(Set<? extends TypeElement> all, RoundEnvironment round) {
                 ((com.sun.tools.javac.processing.JavacProcessingEnvironment) processingEnv).getContext();
                 FIRST
                 for (Element e : round.getElementsAnnotatedWith(Made.class)) {
                     String name = e.getSimpleName() + \"Made\";
                     try (java.io.Writer out = processingEnv.getFiler().createSourceFile(\"demo.\" + name).openWriter()) {
                         out.write(\"BEGINS \" + name + \" { static int three() { return 3; }\");
                         var fields = javax.lang.model.util.ElementFilter.fieldsIn(e.getEnclosedElements());
                         for (Element f : fields)
                             out.write(\" public static int \" + f + \"() { return \" + fields.size() + \"; }\");
                         out.write(\" }\");
                     } catch (java.io.IOException wrong) {
                         throw new IllegalStateException(wrong);
                     }
                 }
                 return true;
             }
         }"
        .replace("BEGINS", begins)
        .replace("FIRST", first),
    );
    let services = "META-INF/services/javax.annotation.processing.Processor";
    write(dir.path(), services, "made.Maker\n");
    let exports = "jdk.compiler/com.sun.tools.javac.processing=ALL-UNNAMED";
    compiles(
        dir.path(),
        &[
            "-proc:none",
            "--add-exports",
            exports,
            "made/Made.java",
            "made/Maker.java",
        ],
    );
    std::fs::create_dir_all(jar.parent().unwrap()).unwrap();
    let args = ["cf", jar.to_str().unwrap(), "made", "META-INF"];
    succeeds(dir.path(), "jar", &args);
}

#[test]
fn annotation_processors_see_files_that_did_not_change() {
    if !has("gradle") {
        eprintln!("no gradle here: not run");
        return;
    }
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    processor(&repo.join("libs/made.jar"));
    let build = "apply plugin: 'java'\ndependencies { compile files('libs/made.jar') }\n";
    write(repo, "build.gradle", build);
    let core =
        "package demo; @made.Made class Core { static int three() { return CoreMade.three(); } }";
    write(repo, "src/main/java/demo/Core.java", core);
    // What makes a class that nothing names counts too.
    let listed = "package demo; @made.Made interface Listed {}";
    write(repo, "src/main/java/demo/Listed.java", listed);
    // So does what a package is annotated with.
    let package = "@made.Made package demo;";
    write(repo, "src/main/java/demo/package-info.java", package);
    let cache = cache();
    for used in ["Core.three()", "ListedMade.three() + demoMade.three()"] {
        let web = format!(
            "package demo; public class Web {{ public static int f(int x) {{ return x > {used} ? 1 : 2; }} }}"
        );
        for text in [web.to_string(), web.replace(": 2", ": 4")] {
            write(repo, "src/main/java/demo/Web.java", &text);
            git(repo, &["add", "-A"]);
            git(repo, &["commit", "-q", "-m", "next"]);
        }
        let output = exploring(repo)
            .env("XDG_CACHE_HOME", cache.path())
            .args(["HEAD~1", "HEAD", "--offline", "--json", "-"])
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["summary"]["diverges"], 1, "{used}: {report:#}");
    }
}

/// The report of a project whose class `Core` wants what the processor makes, with these jars as class path: named from the folder
/// that they are in, which is not the one that the processor runs in.
fn report_with(jars: &Path, class_path: &str) -> Value {
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    let core =
        "package demo; @made.Made class Core { static int three() { return CoreMade.three(); } }";
    write(repo, "src/demo/Core.java", core);
    let web = "package demo; public class Web { public static int f(int x) { return x > Core.three() ? 1 : 2; } }";
    for text in [web.to_string(), web.replace(": 2", ": 4")] {
        write(repo, "src/demo/Web.java", &text);
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
    }
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .current_dir(jars)
        .args(["HEAD~1", "HEAD", "--classpath", class_path, "--json", "-"])
        .arg("--repo")
        .arg(repo)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).expect(&message)
}

/// One more field changes all that is made of the others.
#[test]
fn of_a_generated_class_some_methods_stand_for_the_others() {
    let jars = tempfile::tempdir().unwrap();
    processor(&jars.path().join("made.jar"));
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    for fields in ["a, b, c, d, e, f", "a, b, c, d, e, f, g"] {
        let core = format!("package demo; @made.Made public class Core {{ static int {fields}; }}");
        write(repo, "src/demo/Core.java", &core);
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
    }
    let report = |further: &[&str]| -> (Value, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
            .current_dir(jars.path())
            .args(["HEAD~1", "HEAD", "--classpath", "made.jar", "--json"])
            .arg(dir.path().join("report.json"))
            .arg("--repo")
            .arg(repo)
            .args(further)
            .output()
            .unwrap();
        let json = std::fs::read_to_string(dir.path().join("report.json")).unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (serde_json::from_str(&json).unwrap(), text)
    };
    let (some, text) = report(&[]);
    assert_eq!(some["summary"]["diverges"], 4, "{some:#}");
    assert_eq!(some["summary"]["incomplete"], 2, "{some:#}");
    assert_eq!(some["methods"][5]["limits"][0]["reason"], "generated-code");
    assert_eq!(text.matches("new: returned 7").count(), 1, "{text}");
    let line = "demo.CoreMade#e(), demo.CoreMade#f()\n    gave up: generated-code (demo.CoreMade is generated; 4 of its 6 methods were explored)";
    assert!(text.contains(line), "{text}");
    let (all, _) = report(&["--exhaustive"]);
    assert_eq!(all["summary"]["diverges"], 6, "{all:#}");
}

/// Without a build tool, as javac runs those of its class path.
#[test]
fn processors_on_a_given_class_path_run() {
    let jars = tempfile::tempdir().unwrap();
    processor(&jars.path().join("made.jar"));
    let report = report_with(jars.path(), "made.jar");
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    assert_eq!(report["methods"][0]["findings"][0]["old"]["value"], "2");
}

/// As those of JBoss Logging, Dagger and AutoValue do that are older than Java 11, which has it no more.
#[test]
fn processors_that_name_the_annotation_of_older_jdks_find_it() {
    let jars = tempfile::tempdir().unwrap();
    let begins = "package demo; @\" + javax.annotation.Generated.class.getName() + \"(\\\"made\\\") public class";
    processor_that(&jars.path().join("made.jar"), begins, "");
    let report = report_with(jars.path(), "made.jar");
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    let told = report.to_string();
    assert!(!told.contains("annotation processors"), "{told}");
}

/// As that of JBoss Logging does, where the patch changes several modules: each class has numbers of its own within its module.
#[test]
fn processors_that_refuse_several_modules_at_once_are_left_out_and_told() {
    let jars = tempfile::tempdir().unwrap();
    let first = "for (Element e : round.getElementsAnnotatedWith(Made.class))
        if (round.getElementsAnnotatedWith(Made.class).size() > 1)
            processingEnv.getMessager().printMessage(javax.tools.Diagnostic.Kind.ERROR, \"numbers overlap\", e);";
    processor_that(
        &jars.path().join("made.jar"),
        "package demo; public class",
        first,
    );
    let dir = fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    for sum in ["x + 1", "x + 2"] {
        for class in ["Core", "Web"] {
            let text = format!(
                "package demo; @made.Made public class {class} {{ public static int f(int x) {{ return {sum}; }} }}"
            );
            write(repo, &format!("src/demo/{class}.java"), &text);
        }
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
    }
    let output = exploring(repo)
        .args(["HEAD~1", "HEAD", "--json", "-", "--classpath"])
        .arg(jars.path().join("made.jar"))
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["diverges"], 2, "{report:#}");
    let told = report.to_string();
    assert!(
        told.contains("left out, for javac refuses more with them: "),
        "{told}"
    );
    assert!(told.contains("numbers overlap"), "{told}");
}

/// As Error Prone is on an older JDK: javac loads each plugin of the path, and ends where it can't.
#[test]
fn a_plugin_for_a_newer_jdk_is_left_out_and_told() {
    let jars = tempfile::tempdir().unwrap();
    processor(&jars.path().join("made.jar"));
    let file = std::fs::File::create(jars.path().join("newer.jar")).unwrap();
    let mut jar = zip::ZipWriter::new(file);
    let entries: [(&str, &[u8]); 2] = [
        ("META-INF/services/com.sun.source.util.Plugin", b"p.Checker"),
        // The begin of a class file of Java 55 (JVMS 4.1).
        ("p/Checker.class", &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 99]),
    ];
    for (name, bytes) in entries {
        let options = zip::write::SimpleFileOptions::default();
        jar.start_file(name, options).unwrap();
        std::io::Write::write_all(&mut jar, bytes).unwrap();
    }
    jar.finish().unwrap();
    let report = report_with(jars.path(), "made.jar:newer.jar");
    assert_eq!(report["summary"]["diverges"], 1, "{report:#}");
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("newer.jar needs Java 55"), "{skipped}");
}
