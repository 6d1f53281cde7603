//! Tests of reading Gradle build files.

use super::*;
use crate::util::test_files::write;

fn build(files: &[(&str, &str)]) -> (tempfile::TempDir, Files) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(dir.path(), path, text);
    }
    let files = Files::read(dir.path());
    (dir, files)
}

fn of(declared: &Declared, of: Use) -> Vec<String> {
    let all = declared.dependencies.iter().filter(|d| d.0 == of);
    all.map(|(_, c)| format!("{}:{}:{}", c.group, c.name, c.version))
        .collect()
}

#[test]
fn variables_maps_and_shared_blocks_are_read() {
    let (_dir, build) = build(&[
        (
            "build.gradle",
            "ext { slf4jVersion = '1.7'\n libraries = [ vavr: \"io.vavr:vavr:${vavrVersion}\", \"my-log\" : \"org.log:log:1.2\" ] }\nsubprojects {\n sourceCompatibility = JavaVersion.VERSION_1_8\n dependencies { compileOnly \"org.slf4j:slf4j-api:$slf4jVersion\" } }",
        ),
        ("gradle.properties", "vavrVersion=0.10"),
        (
            "core/build.gradle",
            "def log = '1.2'\ndependencies {\n api libraries.vavr\n implementation 'org.log:' + 'api:' + log\n implementation \"${libraries.'my-log'}\"\n api project(':base')\n testImplementation group: 'junit', name: 'junit', version: '4.13'\n annotationProcessor 'org.x:lombok:1' }",
        ),
        ("parts/base/build.gradle", ""),
    ]);
    let core = build.project(Path::new("core"));
    let main = [
        "io.vavr:vavr:0.10",
        "org.log:api:1.2",
        "org.log:log:1.2",
        "org.slf4j:slf4j-api:1.7",
    ];
    assert_eq!(of(&core, Use::Main), main);
    assert_eq!(of(&core, Use::Processor), ["org.x:lombok:1"]);
    assert_eq!(of(&core, Use::Test), ["junit:junit:4.13"]);
    assert_eq!(core.source, Some(8));
    let base = (Use::Main, PathBuf::from("parts/base"));
    assert_eq!(core.siblings, BTreeSet::from([base]));
}

#[test]
fn a_function_of_the_build_and_gradles_own_classes_are_read() {
    let (_dir, build) = build(&[
        ("build.gradle", ""),
        (
            "gradle/wrapper/gradle-wrapper.properties",
            "distributionUrl=https\\://services.gradle.org/distributions/gradle-6.9.2-bin.zip\n",
        ),
        ("core/build.gradle", ""),
        ("helpers/build.gradle", ""),
        (
            "plugin/build.gradle",
            "plugins { id 'java-gradle-plugin' }\ndependencies {\n sourceProject project(':core')\n dokka project(':helpers')\n bundled 'a:b:1'\n}",
        ),
        (
            "rules/build.gradle",
            "dependencies { testImplementation gradleApi() }",
        ),
    ]);
    let plugin = build.project(Path::new("plugin"));
    assert_eq!(
        of(&plugin, Use::Main),
        ["dev.gradleplugins:gradle-api:6.9.2"]
    );
    let core = (Use::Own, PathBuf::from("core"));
    assert_eq!(plugin.siblings, BTreeSet::from([core]));
    assert!(of(&plugin, Use::Own).is_empty());
    let rules = build.project(Path::new("rules"));
    assert_eq!(
        of(&rules, Use::Test),
        ["dev.gradleplugins:gradle-api:6.9.2"]
    );
}

#[test]
fn catalogs_platforms_and_conventions_are_read() {
    let (_dir, build) = build(&[
        (
            "gradle/libs.versions.toml",
            "[versions]\njackson = \"2.15\"\njava = \"21\"\n[libraries]\njackson-core = { module = \"c.f:core\", version.ref = \"jackson\" }\nbom = \"c.f:bom:2\"\n[bundles]\nall-of = [\"jackson-core\"]\n",
        ),
        (
            "buildSrc/src/main/kotlin/my.java-conventions.gradle.kts",
            "java { toolchain { languageVersion.set(JavaLanguageVersion.of(libs.versions.java.get())) } }\ndependencies { \"compileOnly\"(\"a:b:1\") }",
        ),
        (
            "web/build.gradle.kts",
            "plugins { id(\"my.java-conventions\")\n id(\"org.springframework.boot\") version \"3.2.0\" }\ndependencies {\n implementation(libs.bundles.all.of)\n implementation(platform(libs.bom))\n implementation(\"c.f:databind\") { exclude(group = \"x\") }\n}",
        ),
    ]);
    let web = build.project(Path::new("web"));
    let main = ["a:b:1", "c.f:core:2.15", "c.f:databind:"];
    assert_eq!(of(&web, Use::Main), main);
    assert_eq!(web.release, Some(21));
    let names: Vec<&str> = web.platforms.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["bom", "spring-boot-dependencies"]);
}

#[test]
fn a_plugin_brings_lombok() {
    let text = "apply plugin: 'io.freefair.lombok'\nlombok { version = '1.18.32' }";
    let (_dir, plain) = build(&[
        ("build.gradle", text),
        (
            "kotlin/build.gradle.kts",
            "plugins { id(\"io.freefair.lombok\") version \"8\" }",
        ),
    ]);
    let root = plain.project(Path::new(""));
    assert_eq!(
        of(&root, Use::Processor),
        ["org.projectlombok:lombok:1.18.32"]
    );
    assert!(root.processors);
    let other = plain.project(Path::new("kotlin"));
    assert_eq!(
        of(&other, Use::Processor),
        [format!("org.projectlombok:lombok:{LOMBOK}")]
    );
}

#[test]
fn folders_of_resources_are_read_in_blocks_and_in_words() {
    for text in [
        "sourceSets { main { java { srcDirs = ['src'] }\n resources { srcDirs 'src', 'res' } } }",
        "sourceSets.main.java.srcDirs = ['src']\nsourceSets.main.resources.srcDirs = ['src', 'res']",
        "sourceSets { main.java.srcDir 'src'\n main.resources { srcDir 'src'\n srcDir 'res' } }",
    ] {
        let (_dir, build) = build(&[("build.gradle", text), ("src/A.java", "")]);
        let found = build.project(Path::new(""));
        assert_eq!(found.source_root.as_deref(), Some("src"), "{text}");
        assert_eq!(found.resources, ["src", "res"], "{text}");
    }
}

#[test]
fn plugins_of_springs_own_builds_apply_a_list_of_versions() {
    let (_dir, build) = build(&[
        ("settings.gradle", ""),
        (
            "gradle/dependency-management.gradle",
            "dependencies { management platform(\"g:bom:1\")\n constraints { management 'g:b:2' } }",
        ),
        (
            "core/shop-core.gradle",
            "apply plugin: 'io.spring.convention.spring-module'\ndependencies { compile 'g:b' }",
        ),
    ]);
    let core = build.project(Path::new("core"));
    assert_eq!(of(&core, Use::Main), ["g:b:2"]);
    assert!(
        core.platforms
            .contains(&Coordinates::read("g:bom:1").unwrap())
    );
}

#[test]
fn a_build_file_may_be_called_like_its_project() {
    let (_dir, build) = build(&[
        ("settings.gradle", "buildFiles.each { include it }"),
        ("core/shop-core.gradle", "dependencies { api 'g:a' }"),
        ("core/gradle.properties", ""),
        (
            "web/shop-web.gradle",
            "dependencies { api project(':shop-core') }",
        ),
        ("web/other.gradle", "dependencies { api 'g:b:1' }"),
    ]);
    let core = build.project(Path::new("core"));
    assert_eq!(of(&core, Use::Main), ["g:a:"]);
    let web = build.project(Path::new("web"));
    assert_eq!(of(&web, Use::Main), Vec::<String>::new());
    assert!(web.siblings.contains(&(Use::Main, "core".into())));
}

#[test]
fn dependencies_without_a_version_have_that_of_a_lock_file() {
    let (_dir, build) = build(&[
        ("build.gradle", ""),
        (
            "core/build.gradle",
            "dependencies {\n implementation 'a.b:c'\n implementation 'a.b:d'\n implementation 'e:f-g'\n implementation 'h:i:3'\n implementation 'k:l' }",
        ),
        (
            "versions.lock",
            "# comment\na.b:c:1.2-jre (3 constraints: 5e95)\n",
        ),
        ("versions.props", "a.b:* = 7\ne:f-* = 8\ne:* = 9\nh:i = 4\n"),
        (
            "core/gradle.lockfile",
            "k:l:5=compileClasspath,runtimeClasspath\nempty=\n",
        ),
    ]);
    let core = build.project(Path::new("core"));
    let main = ["a.b:c:1.2-jre", "a.b:d:7", "e:f-g:8", "h:i:3", "k:l:5"];
    assert_eq!(of(&core, Use::Main), main);
}

#[test]
fn configurations_that_others_take_from_and_constraints_are_read() {
    let text = "val shaded by configurations.creating
configurations {
    compileOnly { extendsFrom(shaded) }
    testImplementation { extendsFrom(shaded, helpers) }
}
configurations.implementation.extendsFrom(configurations.bundled.get())
dependencies {
    constraints { api(\"a:b:1\") }
    api(\"a:b\")
    shaded(\"c:d:2\")
    helpers(\"e:f:3\")
    bundled(\"g:h:4\")
    other(\"i:j:5\")
}";
    let (_dir, build) = build(&[("build.gradle.kts", text)]);
    let declared = build.project(Path::new(""));
    assert_eq!(of(&declared, Use::Main), ["a:b:1", "c:d:2", "g:h:4"]);
    assert_eq!(of(&declared, Use::Test), ["e:f:3"]);
}

#[test]
fn rich_versions_are_read() {
    let text = "def range = '[1.10,1.11['
dependencies {
    api('a.b:c') {
        version {
            strictly(range)
            prefer('1.10.4')
        }
    }
    implementation 'd:e'
    implementation('f:g') { version { strictly '[2.0, 3.0[' }; because 'of h' }
    implementation 'i:j:[4,5[!!4.2'
    implementation 'k:l:6!!'
}";
    let (_dir, build) = build(&[("build.gradle", text)]);
    let main = ["a.b:c:1.10.4", "d:e:", "f:g:2.0", "i:j:4.2", "k:l:6"];
    assert_eq!(of(&build.project(Path::new("")), Use::Main), main);
}

#[test]
fn scripts_beside_the_roots_own_are_read() {
    let (_dir, build) = build(&[
        (
            "build.gradle",
            "apply from: \"${rootDir}/libraries.gradle\"\nconfigure(project.coreProjects) { dependencies { testImplementation (libraries.junit) } }",
        ),
        (
            "libraries.gradle",
            "ext { junitVersion = '4.12'\n libraries = [\n // tests\n junit: \"junit:junit:${junitVersion}\",\n ] }",
        ),
        ("core/build.gradle", ""),
    ]);
    let core = build.project(Path::new("core"));
    assert_eq!(of(&core, Use::Test), ["junit:junit:4.12"]);
}

#[test]
fn blocks_of_scripts_that_the_root_applies_are_for_the_projects_they_name() {
    let (_dir, build) = build(&[
        ("settings.gradle", "include 'api', 'api:mock'"),
        (
            "build.gradle",
            "ext { scripts = \"${rootProject.projectDir}/gradle\"\n mockVersion = '2.10' }\napply from: \"${scripts}/modules.gradle\"",
        ),
        (
            "gradle/modules.gradle",
            "subprojects { dependencies { compile 'a:all:1' } }\nproject(\":api:mock\"){\n dependencies {\n compile(\"o.m:mock-core:${mockVersion}\")\n } }",
        ),
        ("api/build.gradle", ""),
        ("api/mock/build.gradle", ""),
    ]);
    let mock = build.project(Path::new("api/mock"));
    assert_eq!(of(&mock, Use::Main), ["a:all:1", "o.m:mock-core:2.10"]);
    assert_eq!(of(&build.project(Path::new("api")), Use::Main), ["a:all:1"]);
}

#[test]
fn a_name_is_a_version_in_one_map_and_a_library_in_another() {
    let (_dir, build) = build(&[
        ("settings.gradle", "include 'core'"),
        (
            "gradle/dependencies.gradle",
            "ext {\n versions = [\n slf4j : '1.7',\n guava: '31', // newest\n ]\n common = [\n guava : dependencies.create(\"g:guava:$versions.guava\", {\n exclude group: 'x', module: 'y'\n }),\n slf4j : \"o:slf4j-api:${versions.slf4j}\",\n all : [\n dependencies.create(\"h:one:1\"),\n dependencies.create(\"h:two:$versions.guava\"),\n ],\n ]\n}",
        ),
        (
            "core/core.gradle",
            "dependencies {\n api common.slf4j\n implementation common.guava\n implementation common.all\n}",
        ),
    ]);
    let core = build.project(Path::new("core"));
    assert_eq!(
        of(&core, Use::Main),
        ["g:guava:31", "h:one:1", "h:two:31", "o:slf4j-api:1.7"]
    );
}

#[test]
fn a_sibling_is_found_by_the_name_that_settings_give_it() {
    let (_dir, build) = build(&[
        (
            "settings.gradle",
            "include 'common', 'app'\nrootProject.children.each { it.name = \"shop-${it.name}\" }\nproject(':shop-core').projectDir = file('parts/core')",
        ),
        ("build.gradle", ""),
        ("common/build.gradle", ""),
        ("core/build.gradle", ""),
        ("parts/core/build.gradle", ""),
        (
            "app/build.gradle",
            "dependencies {\n implementation project(':shop-common')\n api project(':shop-core')\n api project(':gone') }",
        ),
    ]);
    let app = build.project(Path::new("app"));
    let folders = ["common", "parts/core"].map(|f| (Use::Main, PathBuf::from(f)));
    assert_eq!(app.siblings, BTreeSet::from(folders));
}

#[test]
fn the_plugin_of_spring_boot_brings_its_platform_to_all_that_ask_for_it() {
    let platforms = |root: &str, settings: &str, app: &str| {
        let (_dir, build) = build(&[
            ("settings.gradle", settings),
            ("build.gradle", root),
            ("app/build.gradle", app),
            (
                "gradle/libs.versions.toml",
                "[versions]\nboot = \"3.1.0\"\n[plugins]\nspring-boot = { id = \"org.springframework.boot\", version.ref = \"boot\" }\n",
            ),
        ]);
        let app = build.project(Path::new("app"));
        let versions = app.platforms.iter().map(|c| c.version.clone());
        versions.collect::<Vec<_>>().join(" ")
    };
    let plugin = "plugins { id 'org.springframework.boot' version '3.3.5' apply false }\n";
    let import = "subprojects { dependencyManagement { imports { mavenBom(SpringBootPlugin.BOM_COORDINATES) } } }";
    assert_eq!(platforms(&format!("{plugin}{import}"), "", ""), "3.3.5");
    assert_eq!(
        platforms(plugin, "", "apply plugin: 'org.springframework.boot'"),
        "3.3.5"
    );
    assert_eq!(platforms(plugin, "", ""), "");
    let on_path = "buildscript { dependencies { classpath 'org.springframework.boot:spring-boot-gradle-plugin:3.0.1' } }\n";
    let app = "plugins { id 'org.springframework.boot' }";
    assert_eq!(platforms(on_path, "", app), "3.0.1");
    let managed = "pluginManagement { plugins { id 'org.springframework.boot' version '3.2.2' } }";
    assert_eq!(platforms("", managed, app), "3.2.2");
    let alias = "plugins { alias(libs.plugins.spring.boot) }";
    assert_eq!(platforms("", "", alias), "3.1.0");
}

#[test]
fn files_of_properties_tell_versions() {
    let (_dir, build) = build(&[
        ("build.gradle", ""),
        ("gradle.properties", "gson=2.9\nboth=1"),
        (
            "gradle/version.properties",
            "# all versions\nlucene = 8.5.1\ngson=2.10\n",
        ),
        ("app/gradle.properties", "own: 1.1\nboth=2"),
        (
            "app/build.gradle",
            "dependencies {\n api \"l:core:${versions.lucene}\"\n api \"g:gson:$gson\"\n api \"o:own:$own\"\n api \"p:both:$both\" }",
        ),
    ]);
    let app = build.project(Path::new("app"));
    assert_eq!(
        of(&app, Use::Main),
        ["g:gson:2.9", "l:core:8.5.1", "o:own:1.1", "p:both:2"]
    );
}

#[test]
fn constants_in_a_builds_own_kotlin_are_read() {
    let (_dir, build) = build(&[
        ("build.gradle.kts", ""),
        (
            "buildSrc/src/main/kotlin/Dependencies.kt",
            "object Dependencies {\n  const val jsr305 = \"j:jsr305:3.0.2\"\n  object Testing {\n    const val junit = \"j:junit:4.12\"\n  }\n}\n\
             fun other() { val jsr305 = \"wrong:wrong:1\" }\n",
        ),
        (
            "app/build.gradle.kts",
            "dependencies {\n compileOnly(Dependencies.jsr305)\n testImplementation(Dependencies.Testing.junit) }",
        ),
    ]);
    let app = build.project(Path::new("app"));
    assert_eq!(of(&app, Use::Main), ["j:jsr305:3.0.2"]);
    assert_eq!(of(&app, Use::Test), ["j:junit:4.12"]);
}

#[test]
fn a_block_of_the_root_may_name_a_project_with_a_variable_behind_its_folder() {
    let (_dir, build) = build(&[
        (
            "settings.gradle",
            "rootProject.children.each { it.name = it.name + '_' + scala }\n",
        ),
        ("gradle.properties", "scala=2.12\n"),
        (
            "build.gradle",
            "ext { guava = '30' }\nproject(\":core_$scala\") { dependencies {\n compile \"g:guava:$guava\"\n compile project(\":api_$scala\") } }\nproject(':api_' + scala) { dependencies { compile 'a:b:1' } }\n",
        ),
        ("core/src/A.java", ""),
        ("api/src/B.java", ""),
    ]);
    let core = build.project(Path::new("core"));
    assert_eq!(of(&core, Use::Main), ["g:guava:30"]);
    let api = (Use::Main, PathBuf::from("api"));
    assert_eq!(core.siblings, BTreeSet::from([api]));
    let api = build.project(Path::new("api"));
    assert_eq!(of(&api, Use::Main), ["a:b:1"]);
}

#[test]
fn versions_that_the_dependency_management_plugin_is_told_are_those_of_the_build_itself() {
    let (_dir, build) = build(&[
        ("build.gradle", ""),
        (
            "gradle/dependency-management.gradle",
            "dependencyManagement {\n imports { mavenBom 'org.springframework:spring-framework-bom:5.0.6' }\n dependencies {\n  dependencySet(group: 'com.hazelcast', version: '3.9.4') {\n   entry 'hazelcast'\n   entry 'hazelcast-client'\n  }\n  dependencySet('org.slf4j:1.7') { entry 'slf4j-api' }\n  dependency 'junit:junit:4.12'\n  dependency group: 'g', name: 'a', version: '1'\n } }",
        ),
        (
            "samples/gradle/dependency-management.gradle",
            "dependencyManagement { dependencies { dependency 'junit:junit:3.8' } }",
        ),
        (
            "core/core.gradle",
            "apply plugin: 'io.spring.convention.spring-module'\ndependencies { optional 'org.springframework:spring-web'\n testCompile 'junit:junit' }",
        ),
    ]);
    let core = build.project(Path::new("core"));
    let told = |all: &BTreeSet<Coordinates>| -> Vec<String> {
        let all = all.iter();
        all.map(|c| format!("{}:{}:{}", c.group, c.name, c.version))
            .collect()
    };
    assert_eq!(
        told(&core.managed),
        [
            "com.hazelcast:hazelcast:3.9.4",
            "com.hazelcast:hazelcast-client:3.9.4",
            "g:a:1",
            "junit:junit:4.12",
            "org.slf4j:slf4j-api:1.7",
        ]
    );
    assert_eq!(
        told(&core.platforms),
        ["org.springframework:spring-framework-bom:5.0.6"]
    );
    assert_eq!(of(&core, Use::Main), ["org.springframework:spring-web:"]);
}
