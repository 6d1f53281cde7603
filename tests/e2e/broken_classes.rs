//! Class files that are broken byte by byte, explored against the whole ones: paths give up, the engine neither panics nor hangs.

use crate::harm::{Harm, harmed, harms};
use crate::reruns::KINDS;
use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::TestRunner;
use shadow_ci::bytecode::ClassPath;
use shadow_ci::contain::Containment;
use shadow_ci::expr::Arith;
use shadow_ci::jvm::{CompileRequest, Jdk, Worker};
use shadow_ci::model::MethodRef;
use shadow_ci::solver::SolverOptions;
use shadow_ci::symex::{Bounds, Explorer, Program, Strategy};
use shadow_ci::util::deep_stack::on_a_deep_stack;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// How many broken builds are explored.
const BUILDS: usize = 25;

fn bounds() -> Bounds {
    Bounds {
        max_string: 2,
        max_array: 2,
        loop_bound: 3,
        max_depth: 60,
        max_paths: 4,
        max_instructions: 2_000,
        int_range: None,
        prior_calls: 0,
        max_queries: 20,
        max_effort: 20_000,
        deadline: None,
        memory: None,
    }
}

/// A build whose classes are these, but for what is done to the file of that number.
fn broken(dir: &Path, files: &[(String, Vec<u8>)], which: usize, harms: &[Harm]) -> ClassPath {
    for (i, (name, bytes)) in files.iter().enumerate() {
        let bytes = match i == which % files.len() {
            true => harmed(bytes, harms),
            false => bytes.clone(),
        };
        std::fs::write(dir.join("kinds").join(name), bytes).unwrap();
    }
    ClassPath::of(&[dir.to_path_buf()]).unwrap()
}

#[test]
fn broken_classes_are_explored_or_given_up() {
    let path = std::env::var_os("PATH");
    let jdk = Jdk::find(None, path.as_deref()).unwrap();
    let mut worker = Worker::start(&jdk, None, &Containment::none()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (source, whole) = (dir.path().join("Kinds.java"), dir.path().join("whole"));
    std::fs::create_dir(&whole).unwrap();
    std::fs::write(&source, KINDS.replace("OFFSET", "3")).unwrap();
    let request = CompileRequest {
        sources: vec![source],
        out: whole.clone(),
        ..CompileRequest::default()
    };
    assert!(worker.compile(&request).unwrap().success);
    let listed = std::fs::read_dir(whole.join("kinds")).unwrap();
    let mut files: Vec<(String, Vec<u8>)> = listed
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    // The class that is explored comes as often as all others together.
    let main = files.iter().position(|f| f.0 == "Kinds.class").unwrap();
    let old = Arc::new(ClassPath::of(&[whole]).unwrap());
    let modules = jdk.modules();
    let finished = on_a_deep_stack(move || {
        let library = Arc::new(ClassPath::empty().with_jdk(&modules).unwrap());
        let methods = old.find("kinds/Kinds").unwrap().unwrap().methods.clone();
        let own: Vec<_> = methods.iter().filter(|m| m.access & 0x0008 != 0).collect();
        let mut random = TestRunner::deterministic();
        let each = (harms(), 0usize..1000, 0usize..1000);
        let mut finished = 0;
        for _ in 0..BUILDS {
            let (harms, which, method) = each.new_tree(&mut random).unwrap().current();
            let dir = tempfile::tempdir().unwrap();
            std::fs::create_dir(dir.path().join("kinds")).unwrap();
            let which = if which % 2 == 0 { main } else { which };
            let new = broken(dir.path(), &files, which, &harms);
            let program = Arc::new(Program {
                old: old.clone(),
                new: Arc::new(new),
                unified: Arc::new(ClassPath::empty()),
                library: library.clone(),
                levels: BTreeMap::new(),
                machine: Default::default(),
                sources: Default::default(),
            });
            let method = own[method % own.len()];
            let id = MethodRef {
                class: "kinds.Kinds".into(),
                name: method.name.to_string(),
                descriptor: method.descriptor.to_string(),
            };
            let (solver, strategy) = (SolverOptions::default(), Strategy::default());
            let explorer = Explorer::new(program, &id, bounds(), Arith::Java, &solver, strategy);
            finished += explorer.map_or(0, |paths| paths.count());
        }
        Ok(finished)
    })
    .unwrap();
    // Most harm leaves something to explore.
    assert!(finished >= BUILDS / 2, "{finished}");
}
