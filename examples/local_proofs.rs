//! `local_proofs OLD NEW`: what local proofs say of the methods that differ between two folders of class files.

use shadow_ci::bytecode::{ClassPath, same_code};
use shadow_ci::impact;
use shadow_ci::jvm::Jdk;
use std::path::PathBuf;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).map(PathBuf::from);
    let (Some(old), Some(new)) = (args.next(), args.next()) else {
        return Err("usage: local_proofs OLD NEW [CLASS PATH ENTRY]…".into());
    };
    let rest: Vec<PathBuf> = args.collect();
    let jdk = Jdk::find(None, std::env::var_os("PATH").as_deref())?;
    let library = Arc::new(ClassPath::of(&rest)?.with_jdk(&jdk.modules())?);
    let read = |dir: PathBuf| -> Result<Vec<_>, Box<dyn std::error::Error>> {
        let path = ClassPath::of(&[dir])?;
        let mut all = Vec::new();
        for name in path.list_dirs() {
            all.extend(path.find(&name)?);
        }
        Ok(all)
    };
    let (a, b) = (read(old)?, read(new)?);
    let mut wanted = Vec::new();
    for class in &b {
        let Some(twin) = a.iter().find(|c| c.name == class.name) else {
            continue;
        };
        for method in &class.methods {
            let same = |m: &&_| {
                let m: &&shadow_ci::bytecode::class_file::Method = m;
                m.name == method.name && m.descriptor == method.descriptor
            };
            let other = twin.methods.iter().find(same);
            if other.is_some_and(|m| !same_code(m, method)) {
                wanted.push(impact::id(class, method));
            }
        }
    }
    let started = std::time::Instant::now();
    let builder = std::thread::Builder::new().stack_size(256 << 20);
    let question = shadow_ci::local::ProofRequest {
        old: a,
        new: b,
        library,
        wanted,
        outside: shadow_ci::local::UncompiledSources::default(),
        fixed: Vec::new(),
        deadline: Default::default(),
    };
    let work = move || shadow_ci::local::prove(&question);
    let proofs = builder.spawn(work)?.join().map_err(|_| "it failed")?;
    for (id, outcome) in proofs {
        let word = if outcome.proved { "proved" } else { "open" };
        let condition = outcome.condition.text.unwrap_or_default();
        println!(
            "{word}\t{}#{}{}\t{}\t{condition}",
            id.class, id.name, id.descriptor, outcome.reason
        );
    }
    eprintln!("{:?}", started.elapsed());
    Ok(())
}
