//! Hostile input, broken byte by byte: class files, jars, calls, reports, settings. Nothing panics, hangs or fills the memory.

use crate::harm::{harmed, harms};
use proptest::prelude::*;
use shadow_ci::bytecode::probe::{Listener, Sites, probe, trace};
use shadow_ci::bytecode::{ClassPath, decode};
use shadow_ci::check::accepted;
use shadow_ci::commands::cli::{Cli, Command};
use shadow_ci::commands::{comment, config, merge};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A text or file that is fine, of which many that are not are made.
fn seed(path: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// A report as the check writes it.
fn written_report() -> Vec<u8> {
    let report = crate::reports::fixed();
    format!("{:#}\n", shadow_ci::report::json::render(&report)).into_bytes()
}

/// More memory than this is a fault of what is tested: the test then ends in an abort that names it.
fn bound_memory() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let (_, hard) = getrlimit(Resource::RLIMIT_AS).unwrap();
    setrlimit(Resource::RLIMIT_AS, (12 << 30).min(hard), hard).unwrap();
}

fn read_class(bytes: &[u8]) {
    let all = |_: &str, _: &str| BTreeSet::from([0, 1, 7]);
    if let Ok(file) = decode(bytes) {
        for method in &file.methods {
            let Some(code) = &method.code else { continue };
            let edges = shadow_ci::impact::edges(code);
            assert_eq!(edges.len(), code.insns.len());
            shadow_ci::bytecode::same_code(method, method);
            shadow_ci::bytecode::parameter_descriptors(&method.descriptor);
        }
    }
    let _ = probe(bytes, &|_, _| Some(1), Listener("a/B"));
    let _ = trace(bytes, &mut Sites::default(), &all);
}

#[test]
fn a_whole_class_file_is_read() {
    let bytes = seed("tests/hostile/Seed.class");
    let file = decode(&bytes).unwrap();
    assert_eq!(&*file.name, "Seed");
    assert!(file.methods.iter().any(|m| &*m.name == "work"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_broken_class_file_is_refused_or_read(harms in harms()) {
        bound_memory();
        read_class(&harmed(&seed("tests/hostile/Seed.class"), &harms));
    }

    #[test]
    fn a_broken_call_is_refused_or_read(which in 0usize..4, harms in harms()) {
        let text = [
            r#"(new demo.Foo(1, -2L, 0x7fL, 1.5f, "a\u00e9\n", 'c') after add(6, null)).f(new int[][] { { 1 }, {} }, demo.E.A)"#,
            r#"demo.Foo.bar((byte) 3, () -> 4, (a, b) -> "x", java.util.List.of(1, 2), Double.longBitsToDouble(1L))"#,
            r#"new demo.Foo<java.lang.String>(String.valueOf(true), Integer.MIN_VALUE, float.class, (java.lang.Object) null)"#,
            "((((((((((a).b()).c()).d())))))))",
        ][which];
        let text = harmed(text.as_bytes(), &harms);
        let _ = shadow_ci::call::parse(&String::from_utf8_lossy(&text));
    }

    #[test]
    fn broken_settings_are_refused_or_read(harms in harms()) {
        let settings = "source-root = ['src']\nclasspath = \"a.jar:b\"\nfail-on = ['assertion']\nint-range = '-1..8'\neffort = 3\n[x]\ny = { z = 1979-05-27T07:32:00Z }\n";
        let _ = config::parse(&String::from_utf8_lossy(&harmed(settings.as_bytes(), &harms)));
        let entries = "# ours\n[[accepted]]\nfinding = 'demo.Foo#bar:12ab-2'\nreason = \"it's meant\"\ninput = \"\"\"a\n\\u00e9\"\"\"\n";
        let text = harmed(entries.as_bytes(), &harms);
        let text = String::from_utf8_lossy(&text);
        if let Ok(all) = accepted::parse(&text, "of a test") {
            for entry in all {
                let _ = accepted::with(&text, entry);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_broken_jar_is_refused_or_read(harms in harms()) {
        bound_memory();
        let dir = tempfile::tempdir().unwrap();
        let class = seed("tests/hostile/Seed.class");
        let whole = jar(&[("Seed.class", &class), ("META-INF/MANIFEST.MF", b"a: b\n"), ("../../Seed.class", &class)]);
        let file = dir.path().join("a.jar");
        std::fs::write(&file, harmed(&whole, &harms)).unwrap();
        if let Ok(path) = ClassPath::of(&[file]) {
            for name in ["Seed", "../../Seed", "/Seed", ""] {
                let _ = path.find(name);
                let _ = path.resource(name);
            }
        }
    }

    #[test]
    fn a_broken_report_is_refused_or_told(harms in harms()) {
        bound_memory();
        let report = written_report();
        tell(&harmed(&report, &harms));
        // The result of a shard, which is in its report as text.
        let whole = shard(1, 1);
        let text = whole["shard"]["whole"].as_str().unwrap().as_bytes().to_vec();
        let mut broken = whole.clone();
        broken["shard"]["whole"] = String::from_utf8_lossy(&harmed(&text, &harms)).into();
        tell(broken.to_string().as_bytes());
    }
}

/// As the comment of a pull request, and as one of two shards.
fn tell(report: &[u8]) -> (bool, bool) {
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = ["a.json", "b.json"].map(|f| dir.path().join(f)).into();
    files
        .iter()
        .for_each(|f| std::fs::write(f, report).unwrap());
    let words = |line: &str, all: &[&PathBuf]| {
        let words = line.split(' ').map(std::ffi::OsString::from);
        let words = words.chain(all.iter().map(|f| f.as_os_str().to_owned()));
        clap::Parser::parse_from(words)
    };
    let line = "shadow-ci comment --repository o/n --pull 1 --dry-run";
    let Cli {
        command: Some(Command::Comment(wanted)),
        ..
    } = words(line, &[&files[0]])
    else {
        unreachable!()
    };
    let told = comment::run(&wanted, "https://api.github.com", || None).is_ok();
    let Cli {
        command: Some(Command::Merge(wanted)),
        ..
    } = words("shadow-ci merge", &[&files[0], &files[1]])
    else {
        unreachable!()
    };
    let _ = merge::run(&wanted);
    let Cli {
        command: Some(Command::Merge(wanted)),
        ..
    } = words("shadow-ci merge", &[&files[0]])
    else {
        unreachable!()
    };
    (told, merge::run(&wanted).is_ok())
}

fn jar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        out.start_file(*name, options).unwrap();
        out.write_all(bytes).unwrap();
    }
    out.finish().unwrap().into_inner()
}

#[test]
fn a_jar_that_unpacks_to_gigabytes_is_refused() {
    bound_memory();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bomb.jar");
    let zeros = vec![0; 200 << 20];
    std::fs::write(&file, jar(&[("Bomb.class", &zeros), ("text", &zeros)])).unwrap();
    let path = ClassPath::of(&[file]).unwrap();
    assert!(path.find("Bomb").is_err());
    assert!(path.resource("text").is_err());
}

#[test]
fn no_name_leads_out_of_a_class_path() {
    let dir = tempfile::tempdir().unwrap();
    let inside = dir.path().join("classes");
    std::fs::create_dir_all(&inside).unwrap();
    let class = seed("tests/hostile/Seed.class");
    std::fs::write(dir.path().join("Seed.class"), &class).unwrap();
    std::fs::write(inside.join("text"), "text").unwrap();
    std::os::unix::fs::symlink(dir.path().join("Seed.class"), inside.join("Link.class")).unwrap();
    let packed = dir.path().join("a.jar");
    std::fs::write(&packed, jar(&[("../Seed.class", &class)])).unwrap();
    for entry in [inside, packed] {
        let path = ClassPath::of(&[entry]).unwrap();
        for name in ["../Seed", "Link", "/Seed", "x/../../Seed"] {
            assert!(path.find(name).unwrap().is_none(), "{name}");
        }
        assert!(path.resource("../Seed.class").unwrap().is_none());
        let whole = dir.path().join("Seed.class");
        assert!(path.resource(&whole.to_string_lossy()).unwrap().is_none());
    }
}

/// A class file whose annotation, attribute or dynamic constant has no end in sight.
#[test]
fn what_is_nested_without_end_is_refused() {
    bound_memory();
    let class = |attributes: &[u8], strings: &[&str]| {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
        bytes.extend((strings.len() as u16 + 2).to_be_bytes());
        for s in strings {
            bytes.push(1);
            bytes.extend((s.len() as u16).to_be_bytes());
            bytes.extend(s.as_bytes());
        }
        bytes.extend([7, 0, 1]);
        let this = (strings.len() as u16 + 1).to_be_bytes();
        bytes.extend([0, 0x21]);
        bytes.extend(this);
        bytes.extend([0; 8]);
        bytes.extend([0, 1]);
        bytes.extend(attributes);
        bytes
    };
    let attribute = |name: u16, info: &[u8]| {
        let mut all = name.to_be_bytes().to_vec();
        all.extend((info.len() as u32).to_be_bytes());
        all.extend(info);
        all
    };
    // One annotation with one element: an array of an array of …
    let mut nested = vec![0, 1, 0, 1, 0, 1, 0, 1];
    nested.extend([b'[', 0, 1].repeat(2_000_000));
    nested.extend([b'I', 0, 1]);
    let deep = class(&attribute(2, &nested), &["A", "RuntimeVisibleAnnotations"]);
    assert!(decode(&deep).is_err());
    // A record with a component whose attribute is a record …
    let mut inner = Vec::new();
    for _ in 0..2_000 {
        let mut component = vec![0, 1, 0, 1, 0, 1, 0, 1];
        component.extend(attribute(2, &inner));
        if inner.is_empty() {
            component = vec![0, 0];
        }
        inner = component;
    }
    assert!(decode(&class(&attribute(2, &inner), &["A", "Record"])).is_err());
    for text in [
        "f(".repeat(100_000),
        format!("a(){}", ".a()".repeat(100_000)),
        "(int)".repeat(100_000),
        "-".repeat(9),
    ] {
        assert!(shadow_ci::call::parse(&text).is_err());
    }
    assert!(config::parse(&"x=".repeat(9)).is_err());
    assert!(config::parse(&format!("method = {}", "[".repeat(100_000))).is_err());
    let deep = format!(
        "{{\"format_version\":1,\"methods\":{}",
        "[".repeat(1_000_000)
    );
    assert_eq!(tell(deep.as_bytes()), (false, false));
}

/// A dynamic constant (JVMS §4.4.10) that is its own argument, and ones that double at each step.
#[test]
fn a_constant_that_is_made_of_itself_is_refused() {
    let utf8 = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
    for steps in [1_u8, 30] {
        let mut pool = [
            utf8("A"),
            vec![7, 0, 1],
            utf8("ConstantValue"),
            utf8("BootstrapMethods"),
            utf8("I"),
            vec![12, 0, 1, 0, 5],
        ]
        .concat();
        for step in 0..steps {
            pool.extend([17, 0, step, 0, 6]);
        }
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 7 + steps];
        bytes.extend(pool);
        bytes.extend([0, 0x21, 0, 2, 0, 0, 0, 0]);
        // One field, its value the first dynamic constant; no methods; the bootstrap methods.
        bytes.extend([0, 1, 0, 0, 0, 1, 0, 5, 0, 1, 0, 3, 0, 0, 0, 2, 0, 7, 0, 0]);
        bytes.extend([0, 1, 0, 4, 0, 0, 0, 2 + 8 * steps, 0, steps]);
        for step in 0..steps {
            let next = if steps == 1 {
                7
            } else {
                7 + (step + 1) % steps
            };
            bytes.extend([0, 0, 0, 2, 0, next, 0, next]);
        }
        let why = decode(&bytes).unwrap_err().to_string();
        assert!(why.contains("no end"), "{why}");
    }
}

/// A report as a shard writes it.
fn shard(index: u64, of: u64) -> serde_json::Value {
    use shadow_ci::commands::shard_file::part;
    let one = shadow_ci::check::shard::Shard { index: 1, of: 1 };
    let report = crate::reports::fixed();
    let mut shard = part(one, &report, shadow_ci::testgen::JUnit::Five).unwrap();
    shard["index"] = index.into();
    shard["of"] = of.into();
    let mut whole: serde_json::Value = serde_json::from_slice(&written_report()).unwrap();
    whole["shard"] = shard;
    whole
}

/// A shard of more shards than there are numbers for.
#[test]
fn a_report_that_promises_endless_shards_is_refused() {
    assert!(tell(shard(1, 1).to_string().as_bytes()).1);
    for (index, of) in [(1, u64::MAX), (1, 1_000_000_000), (0, 2), (3, 2)] {
        assert!(!tell(shard(index, of).to_string().as_bytes()).1, "{of}");
    }
}
