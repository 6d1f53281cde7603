//! Annotation processors and plugins of javac that jars name.

use super::class_release::release_of_class;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file that names annotation processors (`java.util.ServiceLoader`).
const PROCESSORS: &str = "META-INF/services/javax.annotation.processing.Processor";
/// The file that names plugins: javac loads those of a processor path, asked or not, for some start by themselves.
const PLUGINS: &str = "META-INF/services/com.sun.source.util.Plugin";

/// Processors that write only what tools and start-up read: metadata of settings, indexes of plugins. Code is compiled without them as
/// with them, and javac is spared all files that they may have to see.
pub const METADATA_ONLY: [&str; 4] = [
    "org.apache.logging.log4j.core.config.plugins.processor.GraalVmProcessor",
    "org.apache.logging.log4j.core.config.plugins.processor.PluginProcessor",
    "org.springframework.boot.configurationprocessor.ConfigurationMetadataAnnotationProcessor",
    "org.springframework.boot.autoconfigureprocessor.AutoConfigureAnnotationProcessor",
];

/// The option of javac that says where processors are.
const PATH: &str = "-processorpath";

/// The options by which the annotation processors that a path names run; none where it names none.
pub fn processors(path: &[PathBuf]) -> Vec<String> {
    if !path.iter().any(|entry| has_processor(entry)) {
        return Vec::new();
    }
    let path = path
        .iter()
        .map(|p| std::path::absolute(p).unwrap_or_else(|_| p.clone()));
    let Ok(joined) = std::env::join_paths(path) else {
        return Vec::new();
    };
    vec![PATH.into(), joined.to_string_lossy().into_owned()]
}

/// The same options with the processors that a path names beside; `None` where it names none that they lack.
pub fn with_those_of(flags: &[String], path: &[PathBuf]) -> Option<Vec<String>> {
    let known = flags.iter().skip_while(|flag| *flag != PATH).nth(1);
    let mut all: Vec<PathBuf> =
        known.map_or_else(Vec::new, |own| std::env::split_paths(own).collect());
    let mut more = path.iter().filter(|entry| !all.contains(entry));
    if !more.any(|entry| has_processor(entry)) {
        return None;
    }
    all.extend(path.iter().cloned());
    let is_other = |flag: &&String| *flag != PATH && Some(*flag) != known;
    let mut flags: Vec<String> = flags.iter().filter(is_other).cloned().collect();
    flags.extend(processors(&all));
    Some(flags)
}

/// The paths of a processor path whose processors and plugins a JDK of that release can load, and the others, each with the release it
/// is made for.
pub fn loadable(path: &[PathBuf], jdk: u32) -> (Vec<PathBuf>, Vec<(PathBuf, u32)>) {
    let (mut loadable, mut newer) = (Vec::new(), Vec::new());
    for entry in path {
        match made_for(entry) {
            Some(release) if release > jdk => newer.push((entry.clone(), release)),
            _ => loadable.push(entry.clone()),
        }
    }
    (loadable, newer)
}

/// The newest release that a processor or plugin of this jar is compiled for; `None` where it names none that can be read.
fn made_for(jar: &Path) -> Option<u32> {
    let mut jar = zip::ZipArchive::new(std::fs::File::open(jar).ok()?).ok()?;
    let mut text = String::new();
    for service in [PROCESSORS, PLUGINS] {
        if let Ok(mut file) = jar.by_name(service) {
            file.read_to_string(&mut text).ok()?;
            text.push('\n');
        }
    }
    let releases = classes(&text).filter_map(|class| {
        let name = format!("{}.class", class.replace('.', "/"));
        release_of_class(&mut jar, &name)
    });
    releases.max()
}

/// Whether a jar or folder names an annotation processor that code may need.
fn has_processor(entry: &Path) -> bool {
    let text = match entry.is_dir() {
        true => std::fs::read_to_string(entry.join(PROCESSORS)).ok(),
        false => of_jar(entry, PROCESSORS),
    };
    text.is_some_and(|text| classes(&text).any(|class| !METADATA_ONLY.contains(&class)))
}

/// The text of an entry of a jar.
fn of_jar(jar: &Path, name: &str) -> Option<String> {
    let mut jar = zip::ZipArchive::new(std::fs::File::open(jar).ok()?).ok()?;
    let mut text = String::new();
    jar.by_name(name).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}

/// The classes that the text of a service names.
fn classes(text: &str) -> impl Iterator<Item = &str> {
    let lines = text
        .lines()
        .map(|l| l.split('#').next().unwrap_or_default());
    lines.map(str::trim).filter(|class| !class.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::test_files;
    use std::io::Write;

    #[test]
    fn processors_that_only_write_metadata_do_not_run() {
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str, service: &str| {
            test_files::write(&dir.path().join(name), PROCESSORS, service);
            dir.path().join(name)
        };
        let log4j = folder("log4j", &format!("# one\n{}\n", METADATA_ONLY[0]));
        let lombok = folder("lombok", "lombok.Processor\n");
        assert!(processors(std::slice::from_ref(&log4j)).is_empty());
        assert_eq!(processors(&[log4j, lombok])[0], "-processorpath");
    }

    #[test]
    fn processors_of_tests_come_to_those_that_run_already() {
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            test_files::write(&dir.path().join(name), PROCESSORS, "p.Processor\n");
            dir.path().join(name)
        };
        let (own, of_tests) = (folder("own"), folder("tests"));
        let plain = dir.path().join("plain");
        let flags = [
            vec!["-g".to_string()],
            processors(std::slice::from_ref(&own)),
        ]
        .concat();
        assert_eq!(with_those_of(&flags, &[own.clone(), plain.clone()]), None);
        let more = with_those_of(&flags, &[plain, of_tests.clone()]).unwrap();
        assert_eq!(more[..2], ["-g", PATH]);
        let paths: Vec<PathBuf> = std::env::split_paths(&more[2]).collect();
        assert!(
            paths.contains(&own) && paths.contains(&of_tests),
            "{paths:?}"
        );
        assert_eq!(more.len(), 3);
    }

    #[test]
    fn plugins_for_a_newer_release_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let jar = |name: &str, service: &str, major: u8| {
            let path = dir.path().join(name);
            let mut jar = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
            let options = zip::write::SimpleFileOptions::default();
            jar.start_file(service, options).unwrap();
            jar.write_all(b"# a comment\np.Checker # checks\n").unwrap();
            jar.start_file("p/Checker.class", options).unwrap();
            jar.write_all(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, major])
                .unwrap();
            jar.finish().unwrap();
            path
        };
        let (old, new) = (jar("old.jar", PROCESSORS, 52), jar("new.jar", PLUGINS, 65));
        let gone = dir.path().join("gone.jar");
        let path = [old.clone(), new.clone(), gone.clone()];
        assert_eq!(
            loadable(&path, 17),
            (vec![old, gone], vec![(new.clone(), 21)])
        );
        assert_eq!(loadable(&[new], 21).1, []);
    }
}
