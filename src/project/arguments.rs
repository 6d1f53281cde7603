//! A compiler's arguments as a build tool passes them, converted to facts about a module.

use super::model::Module;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One call of javac.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Where its classes go.
    pub output: PathBuf,
    /// What it says of the module.
    pub module: Module,
    /// The source files it names.
    pub sources: Vec<PathBuf>,
    /// The module's folder, where the build tool named it.
    pub dir: Option<PathBuf>,
    /// What the module's classes are packed into.
    pub jar: Option<PathBuf>,
    /// Whether it runs annotation processors and writes no classes.
    pub only_processes: bool,
}

impl Call {
    /// How many classes it compiles, by its sources: `module-info.java` has none that a patch is about.
    fn weight(&self) -> usize {
        let is_class = |s: &&PathBuf| s.file_name().is_some_and(|n| n != "module-info.java");
        match self.only_processes {
            true => 0,
            false => 1 + self.sources.iter().filter(is_class).count(),
        }
    }
}

/// Reads arguments; `None` where they name no folder for classes.
pub fn read(arguments: &[String]) -> Option<Call> {
    let mut call = Call::default();
    let (mut processor_path, mut none) = (Vec::new(), false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let (name, joined) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
            _ => (word.as_str(), None),
        };
        let mut value = || {
            joined
                .clone()
                .or_else(|| words.next().cloned())
                .unwrap_or_default()
        };
        match name {
            "-d" => call.output = PathBuf::from(value()),
            "-classpath" | "-cp" | "--class-path" | "-p" | "--module-path" => {
                call.module.class_path.extend(paths(&value()));
            }
            "-sourcepath" | "--source-path" => call.module.source_roots.extend(paths(&value())),
            "-processorpath" | "--processor-path" | "--processor-module-path" => {
                processor_path.extend(paths(&value()));
            }
            "--shadow-ci-dir" => call.dir = Some(PathBuf::from(value())),
            "--shadow-ci-resources" => call.module.resources.extend(paths(&value())),
            "--shadow-ci-jar" => call.jar = Some(PathBuf::from(value())),
            "-encoding" => call.module.encoding = Some(value()),
            "--release" => call.module.release = level(&value()),
            "-source" | "--source" => call.module.source = level(&value()),
            "-target" | "--target" | "-s" | "-h" | "-Xmaxerrs" | "-Xmaxwarns"
            | "--module-version" | "--patch-module" | "--system" | "-Xplugin" => {
                value();
            }
            "-processor" => {
                let value = value();
                call.module.arguments.extend([name.to_string(), value]);
            }
            // As one word: each may come several times.
            "--add-exports" | "--add-modules" | "--add-reads" => {
                let value = value();
                call.module.arguments.push(format!("{name}={value}"));
            }
            "-proc:none" => none = true,
            "-proc:only" => call.only_processes = true,
            "-parameters" | "--enable-preview" => call.module.arguments.push(word.clone()),
            _ if name.starts_with("-A") => call.module.arguments.push(word.clone()),
            _ if name.ends_with(".java") => call.sources.push(PathBuf::from(name)),
            _ => {}
        }
    }
    call.module.processors = (!none).then_some(processor_path);
    let out = call.output.clone();
    call.module.class_path.retain(|entry| *entry != out);
    call.module.output = out;
    (!call.output.as_os_str().is_empty()).then_some(call)
}

/// A Java level, `1.8` or `8`.
fn level(text: &str) -> Option<u32> {
    text.strip_prefix("1.").unwrap_or(text).parse().ok()
}

fn paths(text: &str) -> Vec<PathBuf> {
    let all = std::env::split_paths(text);
    all.filter(|p| !p.as_os_str().is_empty()).collect()
}

/// The longest file of arguments that is read: a million sources have room in it.
const MOST_BYTES: u64 = 256 << 20;

/// The call that a file of arguments notes; `None` where it can't be read or is none.
pub fn noted(file: &Path) -> Option<Call> {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).ok()?;
    opened.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    read(&of_file(&String::from_utf8_lossy(&bytes)))
}

/// The arguments in a file for `@`: a line each, quoted or not.
pub fn of_file(text: &str) -> Vec<String> {
    let bare = |line: &str| {
        let line = line.trim();
        match line.strip_prefix('"').and_then(|l| l.strip_suffix('"')) {
            Some(inner) => inner.replace("\\\\", "\\"),
            None => line.to_string(),
        }
    };
    text.lines().map(bare).filter(|l| !l.is_empty()).collect()
}

/// Joins what the calls say of modules: main and test sources of one folder are one module. Of several calls for the main sources, as
/// where a `module-info.java` wants a newer level than the rest, the last of those counts that compile most of them.
pub fn modules(calls: Vec<Call>, tree: &Path, build_file: &str) -> Vec<Module> {
    let mut all: Vec<Module> = Vec::new();
    let mut weights: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for call in calls {
        let Ok(below) = call.output.strip_prefix(tree) else {
            continue;
        };
        // A class for some release only, in a jar of several.
        if below.components().any(|c| c.as_os_str() == "META-INF") {
            continue;
        }
        let mut above = call.output.ancestors();
        let found = || above.find(|d| d.join(build_file).is_file());
        let dir = call.dir.as_deref().or_else(found);
        let dir = dir.unwrap_or(tree).to_path_buf();
        let at = all.iter().position(|m| m.dir == dir).unwrap_or_else(|| {
            all.push(Module {
                dir,
                ..Module::default()
            });
            all.len() - 1
        });
        let module = &mut all[at];
        let is_test = below.ends_with("test-classes") || below.ends_with("test");
        if is_test {
            module.test_source_roots = call.module.source_roots;
            module.test_class_path = call.module.class_path;
        } else if module.output.as_os_str().is_empty() || is_more(&call, module, &weights) {
            weights.insert(module.dir.clone(), call.weight());
            let tests = (
                std::mem::take(&mut module.test_source_roots),
                std::mem::take(&mut module.test_class_path),
            );
            let dir = module.dir.clone();
            *module = call.module;
            module.dir = dir;
            (module.test_source_roots, module.test_class_path) = tests;
        }
    }
    all.iter_mut().for_each(Module::make_plain);
    all.sort_by(|a, b| a.dir.cmp(&b.dir));
    all
}

/// Whether a call counts in place of the one that a module has.
fn is_more(call: &Call, module: &Module, weights: &BTreeMap<PathBuf, usize>) -> bool {
    let known = weights.get(&module.dir).copied().unwrap_or_default();
    call.output == module.output && call.weight() >= known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_calls_for_one_folder_the_last_one_of_most_classes_counts() {
        let tree = std::env::temp_dir();
        let call = |level: u32, sources: &[&str]| {
            let mut all = vec!["-d".into(), format!("{}/classes", tree.display())];
            all.extend(["--release".into(), level.to_string()]);
            all.extend(sources.iter().map(|s| s.to_string()));
            read(&all).unwrap()
        };
        let level = |calls: Vec<Call>| modules(calls, &tree, "pom.xml")[0].release;
        let (all, module) = (["A.java", "B.java"], ["module-info.java"]);
        let with_module = ["module-info.java", "A.java", "B.java"];
        assert_eq!(level(vec![call(9, &with_module), call(8, &all)]), Some(8));
        assert_eq!(level(vec![call(8, &all), call(9, &module)]), Some(8));
        let mut processing = call(17, &with_module);
        processing.only_processes = true;
        assert_eq!(level(vec![call(8, &all), processing]), Some(8));
    }

    #[test]
    fn a_call_is_read() {
        let text = "\"-d\"\n\"/t/target/classes\"\n\"-classpath\"\n\"/t/target/classes:/m2/a.jar:\"\n\"-sourcepath\"\n\"/t/src/main/java\"\n\"-proc:none\"\n-source\n1.8\n-target\n1.8\n-Xlint:all\n-parameters\n/t/src/main/java/A.java\n";
        let call = read(&of_file(text)).unwrap();
        assert_eq!(call.output, Path::new("/t/target/classes"));
        assert_eq!(call.module.class_path, [PathBuf::from("/m2/a.jar")]);
        assert_eq!(call.module.source, Some(8));
        assert_eq!(call.module.processors, None);
        assert_eq!(call.module.arguments, ["-parameters"]);
        assert_eq!(call.sources, [PathBuf::from("/t/src/main/java/A.java")]);
        assert!(read(&["-version".into()]).is_none());
        let twice = "-d\n/t/c\n--add-exports\na/b=ALL-UNNAMED\n--add-exports=a/c=ALL-UNNAMED\n";
        let exports = [
            "--add-exports=a/b=ALL-UNNAMED",
            "--add-exports=a/c=ALL-UNNAMED",
        ];
        assert_eq!(read(&of_file(twice)).unwrap().module.arguments, exports);
    }

    proptest::proptest! {
        #[test]
        fn whatever_a_build_tool_notes_is_read(text in "(-d|-cp|--release|-A|\"|/t/a|=|\\n|\\PC| ){0,40}") {
            let tree = tempfile::tempdir().unwrap();
            let calls: Vec<Call> = read(&of_file(&text)).into_iter().collect();
            assert!(modules(calls, tree.path(), "pom.xml").len() < 2);
        }
    }
}
