//! Annotation processors and plugins of javac that jars name.

use super::class_release;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file that names annotation processors (`java.util.ServiceLoader`).
const PROCESSORS: &str = "META-INF/services/javax.annotation.processing.Processor";
/// The file that names plugins: javac loads those of a processor path, asked or not, for some start by themselves.
const PLUGINS: &str = "META-INF/services/com.sun.source.util.Plugin";

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
    vec![
        "-processorpath".into(),
        joined.to_string_lossy().into_owned(),
    ]
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
    let classes = text
        .lines()
        .map(|l| l.split('#').next().unwrap_or_default());
    let releases = classes.filter_map(|class| {
        let name = format!("{}.class", class.trim().replace('.', "/"));
        class_release::of_class(&mut jar, &name)
    });
    releases.max()
}

/// Whether a jar or folder names an annotation processor.
fn has_processor(entry: &Path) -> bool {
    if entry.is_dir() {
        return entry.join(PROCESSORS).is_file();
    }
    let Ok(file) = std::fs::File::open(entry) else {
        return false;
    };
    zip::ZipArchive::new(file).is_ok_and(|jar| jar.index_for_name(PROCESSORS).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

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
