//! Local proofs of small pairs: harmless changes are proved, traps are not; no fixture that diverges is.

use crate::support;
use serde::Deserialize;
use shadow_ci::bytecode::ClassPath;
use shadow_ci::bytecode::class_file::ClassFile;
use shadow_ci::jvm::Jdk;
use shadow_ci::local::{ProofRequest, Proofs, UncompiledSources, prove};
use shadow_ci::model::MethodRef;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

#[derive(Deserialize)]
struct Cases {
    helper: String,
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    proved: bool,
    old: String,
    new: String,
    #[serde(default)]
    extra: String,
    /// Further files of each version, by path.
    #[serde(default)]
    old_files: BTreeMap<String, String>,
    #[serde(default)]
    new_files: BTreeMap<String, String>,
}

/// Compiles `FOLDER/NAME/{old,new}` into `out/NAME/{old,new}`, in one process.
fn compile(folder: &Path, out: &Path) {
    let program = support::root().join("tests/local/CompileAll.java");
    let status = Command::new("java")
        .args(support::QUICK)
        .args([&program, folder, out])
        .status()
        .unwrap();
    assert!(status.success());
}

fn classes(dir: &Path) -> Vec<Arc<ClassFile>> {
    let path = ClassPath::of(&[dir.to_path_buf()]).unwrap();
    let names = path.list_dirs();
    names.iter().filter_map(|n| path.find(n).unwrap()).collect()
}

/// What local proofs say of all methods that both folders have.
fn proofs(dir: &Path, library: &Arc<ClassPath>) -> Proofs {
    let (old, new) = (classes(&dir.join("old")), classes(&dir.join("new")));
    let ids = |all: &[Arc<ClassFile>]| -> BTreeSet<MethodRef> {
        let methods = all
            .iter()
            .flat_map(|c| c.methods.iter().map(move |m| (c, m)));
        methods.map(|(c, m)| shadow_ci::impact::id(c, m)).collect()
    };
    let wanted: Vec<MethodRef> = ids(&old).intersection(&ids(&new)).cloned().collect();
    prove(&ProofRequest {
        old,
        new,
        library: library.clone(),
        wanted,
        outside: UncompiledSources::default(),
        fixed: Vec::new(),
        deadline: Default::default(),
    })
}

fn library() -> Arc<ClassPath> {
    let jdk = Jdk::find(None, std::env::var_os("PATH").as_deref()).unwrap();
    Arc::new(ClassPath::empty().with_jdk(&jdk.modules()).unwrap())
}

fn deep(work: impl FnOnce() + Send + 'static) {
    let builder = std::thread::Builder::new().stack_size(256 << 20);
    builder.spawn(work).unwrap().join().unwrap();
}

#[test]
fn refactorings_are_proved_and_traps_are_not() {
    deep(|| {
        let text = std::fs::read_to_string(support::root().join("tests/local/cases.toml")).unwrap();
        let cases: Cases = toml::from_str(&text).unwrap();
        let dir = tempfile::tempdir().unwrap();
        for case in &cases.case {
            let versions = [
                ("old", &case.old, "2", &case.old_files),
                ("new", &case.new, "3", &case.new_files),
            ];
            for (version, body, number, files) in versions {
                let folder = dir.path().join("src").join(&case.name).join(version);
                std::fs::create_dir_all(folder.join("demo")).unwrap();
                let extra = case.extra.replace("@V@", number);
                let source = format!(
                    "package demo;\nclass T {{ {body} }}\n{}\n{extra}\n",
                    cases.helper
                );
                std::fs::write(folder.join("demo/T.java"), source).unwrap();
                for (path, text) in files {
                    let file = folder.join(path);
                    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                    std::fs::write(file, text).unwrap();
                }
            }
        }
        let out = dir.path().join("out");
        compile(&dir.path().join("src"), &out);
        let library = library();
        let mut wrong = Vec::new();
        for case in &cases.case {
            let all = proofs(&out.join(&case.name), &library);
            let f = all
                .iter()
                .find(|(id, _)| id.class == "demo.T" && id.name == "f");
            let (_, outcome) = f.unwrap_or_else(|| panic!("{}: no f", case.name));
            if outcome.proved != case.proved {
                wrong.push(format!("{}: {outcome:?}", case.name));
            }
        }
        assert!(cases.case.len() > 60);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn no_fixture_that_diverges_is_proved() {
    deep(|| {
        let out = tempfile::tempdir().unwrap();
        let fixtures = support::root().join("fixtures");
        compile(&fixtures, out.path());
        let library = library();
        let (mut seen, mut proved, mut wrong) = (0, 0, Vec::new());
        let mut folders: Vec<_> = std::fs::read_dir(&fixtures)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        folders.sort();
        for (place, dir) in folders.into_iter().enumerate() {
            let name = dir.file_name().unwrap().to_string_lossy().to_string();
            let expect = std::fs::read_to_string(dir.join("expect.toml")).unwrap();
            let expect: toml::Table = expect.parse().unwrap();
            let methods = expect.get("method").and_then(|m| m.as_array()).cloned();
            let diverges = |m: &toml::Value| m["verdict"].as_str() == Some("diverges");
            // Of those in which nothing diverges some are enough, to see that proofs are found at all.
            if !methods.iter().flatten().any(diverges) && !place.is_multiple_of(3) {
                continue;
            }
            let all = proofs(&out.path().join(&name), &library);
            for method in methods.unwrap_or_default() {
                let findings = method.get("finding").and_then(|f| f.as_array());
                // What another method did to the object is no difference of this one.
                let is_of_another = |f: &toml::Value| {
                    let by = f.get("told_by").and_then(|t| t.as_str());
                    by.is_some_and(|name| !name.is_empty())
                };
                let of_others = findings.is_some_and(|f| f.iter().all(is_of_another));
                let diverges = method["verdict"].as_str() == Some("diverges") && !of_others;
                let wanted = method["name"].as_str().unwrap();
                let of = all
                    .iter()
                    .filter(|(id, _)| format!("{}#{}", id.class, id.name) == wanted);
                let same: Vec<bool> = of.map(|(_, o)| o.proved).collect();
                seen += u32::from(diverges && !same.is_empty());
                proved += u32::from(!diverges && same.contains(&true));
                // Of overloads, one may be proved.
                if diverges && same == [true] {
                    wrong.push(format!("{name} {wanted}"));
                }
            }
        }
        println!("{seen} diverging methods, {proved} proved");
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(seen > 100, "{seen} diverging methods");
        assert!(proved >= 20, "{proved} proved");
    });
}

/// Patches with code that does not compile, in `tests/local/cut`; a file lists the methods to be proved, and no others may be.
#[test]
fn only_what_comes_to_code_that_does_not_compile_is_left() {
    let cases = support::root().join("tests/local/cut");
    let mut seen = 0;
    for entry in std::fs::read_dir(&cases).unwrap() {
        let case = entry.unwrap().path();
        let repo = tempfile::tempdir().unwrap();
        support::git(repo.path(), &["init", "-q"]);
        for version in ["old", "new"] {
            support::commit(repo.path(), &case.join(version));
        }
        let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
            .args(["dump", "proofs", "HEAD~1", "HEAD", "--build", "none"])
            .args(["--repo".as_ref(), repo.path()])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let proved: BTreeSet<&str> = text
            .lines()
            .filter_map(|l| l.strip_prefix("proved\t")?.split_once('#'))
            .filter_map(|(_, rest)| Some(rest.split_once('(')?.0))
            .collect();
        let wanted = std::fs::read_to_string(case.join("proved")).unwrap();
        assert_eq!(
            proved,
            wanted.lines().collect(),
            "{}: {text}",
            case.display()
        );
        seen += 1;
    }
    assert_eq!(seen, 6);
}
