//! The HTML report: whatever the code under test says stays text, and a long report stays quick to open.

use shadow_ci::commands::cli::Cli;
use shadow_ci::model::reason::Reason;
use shadow_ci::model::tree::{Decision, Leaf, Node, Tree, Way};
use shadow_ci::model::{
    DivergenceClass, End, Finding, Input, Inputs, Kind, Left, LeftContent, Level, Limit, Location,
    MethodRef, MethodResult, Outcome, PathCounts, Replay, Seen, Verdict,
};
use shadow_ci::options::{Environment, Revisions};
use shadow_ci::report::{MethodText, Report, SourceText, html, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// Ways out of text, attributes, comments, scripts, styles and direction.
const HOSTILE: [&str; 10] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "--><svg/onload=alert(1)>",
    "</style><script>alert(1)</script>",
    "</code></pre></details><iframe src=javascript:alert(1)>",
    "&lt;b&gt; &#60;script&#62; &amp;",
    "\u{202e}evil\u{2066}\u{200b}",
    "\0\u{7}\u{1b}[31m\r\n\u{2028}",
    "]]><![CDATA[<a href='javascript:alert(1)'>",
];

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn id(class: &str, name: &str) -> MethodRef {
    MethodRef {
        class: class.into(),
        name: name.into(),
        descriptor: "(Ljava/lang/String;)I".into(),
    }
}

/// The long report is kept there for a look at it.
fn kept(name: &str, page: &str) {
    let _ = std::fs::write(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name), page);
}

/// A finding in which every text is `evil`.
fn finding(evil: &str, class: DivergenceClass) -> Finding {
    let outcome = |end| Outcome {
        end,
        receiver: Some(Seen::Object {
            class: evil.into(),
            fields: vec![(evil.into(), Seen::Str(units(evil)))],
        }),
        args: vec![Seen::Str(units(evil))],
        files: vec![
            Left {
                path: evil.into(),
                content: Some(LeftContent {
                    length: 7,
                    bytes: evil.as_bytes().to_vec(),
                }),
            },
            Left {
                path: format!("{evil}2"),
                content: None,
            },
        ],
        printed: units(evil),
    };
    let at = Location {
        file: "A.java".into(),
        line: 3,
    };
    Finding {
        class,
        kind: Kind::Control,
        entry: id(evil, evil),
        entry_static: false,
        direct: false,
        inputs: Inputs {
            receiver: Some(Input::Enum {
                class: evil.into(),
                constant: evil.into(),
            }),
            args: vec![Input::Str(units(evil))],
        },
        parameter_names: vec![evil.into()],
        old: Outcome {
            receiver: None,
            files: Vec::new(),
            ..outcome(End::Failed(evil.into()))
        },
        new: outcome(End::Threw {
            class: evil.into(),
            message: Some(units(evil)),
            jvm_made: false,
            at: Some("A.java:4".into()),
            held: Vec::new(),
        }),
        path_condition: evil.into(),
        diverges_at: Some((at.clone(), at)),
        replay: Replay::Confirmed,
        represents: 2,
        found_by: Default::default(),
        situation: None,
        telling: Default::default(),
    }
}

fn method(evil: &str, findings: Vec<Finding>) -> MethodResult {
    MethodResult {
        method: id(&format!("a.{evil}"), evil),
        file: evil.into(),
        line: Some(1),
        source: Default::default(),
        level: Level::Statement,
        level_reason: evil.into(),
        verdict: Verdict::Diverges,
        proof: None,
        assumed: Vec::new(),
        local_conditions: Vec::new(),
        limits: vec![Limit {
            reason: Reason::Internal,
            detail: evil.into(),
            bound: false,
            at: Some(Location {
                file: evil.into(),
                line: 1,
            }),
            count: 2,
        }],
        paths: PathCounts::default(),
        states: 1,
        solver_queries: 1,
        predictions: 1,
        predictions_confirmed: 1,
        mismatches: vec![evil.into()],
        seconds: 0.1,
        evidence: None,
        findings,
        calls: Vec::new(),
        rests_on: Vec::new(),
        proved_but_for: Vec::new(),
        trees: Vec::new(),
    }
}

fn report(evil: &str) -> Report {
    use clap::Parser;
    let cli = Cli::parse_from(["shadow-ci", "old", "new", "--repo", "/"]);
    let mut options = cli.check.options(&Environment::default()).unwrap();
    options.outputs.repeated = vec![evil.into()];
    let revisions = Revisions {
        old: evil.into(),
        new: evil.into(),
    };
    let mut report = Report::new(&options, &revisions, (evil, evil));
    report.skipped = vec![(evil.into(), evil.into())];
    report.added = vec![id(evil, evil)];
    report.removed = vec![id(evil, evil)];
    report
}

fn source(evil: &str, path: &str) -> SourceText {
    SourceText {
        file: format!("{path}/A.java"),
        first_line: 2,
        impacted: [4].into(),
        text: format!("int f() {{\n  // {evil}\n  return \"{evil}\"; }}"),
    }
}

/// A tree in which every decision has two ways, and texts are of that kind.
fn tree(evil: &str, depth: u32) -> Node {
    if depth == 0 {
        return Node::Leaf(Leaf::Finished {
            class: Some(DivergenceClass::Regression),
            old: Some(End::Returned(Seen::Str(units(evil)))),
            new: End::Failed(evil.into()),
        });
    }
    let way = |differs| Way {
        differs,
        condition: evil.into(),
        to: tree(evil, depth - 1),
    };
    let at = Location {
        file: evil.into(),
        line: 1,
    };
    Node::Decision(Decision {
        at: Some(at),
        version: None,
        infeasible: 2,
        ways: vec![way(false), way(true)],
    })
}

fn grown(evil: &str, depth: u32) -> Vec<(MethodRef, Tree)> {
    let tree = Tree {
        root: Some(tree(evil, depth)),
        left_out: 7,
    };
    vec![(id(evil, evil), tree)]
}

fn hostile(evil: &str) -> Report {
    let mut report = report(evil);
    report.methods = vec![method(
        evil,
        vec![finding(evil, DivergenceClass::Regression)],
    )];
    report.methods[0].trees = grown(evil, 7);
    report.tests.insert((0, 0), evil.into());
    report.test_texts.insert((0, 0), evil.into());
    report.sources.insert(
        0,
        MethodText {
            old: Some(source(evil, evil)),
            new: Some(source("other", evil)),
        },
    );
    report
}

/// Element and attribute names in the page.
fn markup(page: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut elements, mut attributes) = (BTreeSet::new(), BTreeSet::new());
    for tag in page.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a < that is no tag");
        let mut outside = String::new();
        let mut quoted = false;
        for c in tag.chars() {
            quoted ^= c == '"';
            outside.push(if quoted && c != '"' { '_' } else { c });
        }
        assert!(!quoted, "an open attribute in {tag}");
        let mut words = outside.split_whitespace();
        elements.insert(words.next().unwrap().trim_start_matches('/').to_string());
        attributes.extend(words.map(|w| w.split('=').next().unwrap().to_string()));
    }
    (elements, attributes)
}

#[test]
fn hostile_text_adds_no_markup() {
    let (elements, attributes) = markup(&html::render(&hostile("harmless")));
    assert!(elements.contains("details") && attributes.contains("href"));
    assert!(!elements.contains("script"));
    // What a run leaves, and what it does not.
    let page = html::render(&hostile("harmless"));
    for told in [
        "<code>harmless</code> (7 bytes) <code>\"harmless\"</code>",
        "<code>harmless2/</code>",
        "<b>no <code>harmless</code></b>",
    ] {
        let told = told.replace('"', "&quot;");
        assert!(page.contains(&told), "{told}");
    }
    for evil in HOSTILE {
        let page = html::render(&hostile(evil));
        kept("hostile-report.html", &page);
        let (e, a) = markup(&page);
        // Fewer there may be: what differs throughout has no marks within lines.
        assert!(e.is_subset(&elements), "{e:?}");
        assert!(a.is_subset(&attributes), "{a:?}");
        let links = page.split("href=\"").skip(1);
        for link in links.map(|l| l.split('"').next().unwrap()) {
            assert!(link.starts_with('#') || link == "data:,", "{link}");
        }
        let hidden = |c: char| {
            (c.is_control() && c != '\n') || "\u{202e}\u{2066}\u{200b}\u{2028}".contains(c)
        };
        assert_eq!(page.chars().find(|c| hidden(*c)), None, "{evil}");
    }
}

/// Many findings of many methods, each with its source and test.
fn long() -> Report {
    let mut report = report("HEAD~1");
    for i in 0..100 {
        let name = format!("method{i}");
        let class = if i % 3 == 0 {
            DivergenceClass::Regression
        } else {
            DivergenceClass::Changed
        };
        let findings = vec![finding(&name, class); 10];
        report.methods.push(method(&name, findings));
        report.methods[i].trees = grown(&name, 5);
        let text = MethodText {
            old: Some(source("old", "src")),
            new: Some(source("new", "src")),
        };
        report.sources.insert(i, text);
        for j in 0..10 {
            let test =
                "@Test\nvoid test() {\n    assertEquals(1, new Foo().foo(2));\n}\n".repeat(4);
            report.test_texts.insert((i, j), test);
        }
    }
    report
}

#[test]
fn a_large_tree_is_folded_and_all_of_it_in_a_list() {
    let mut report = report("x > 0");
    report.methods = vec![method("f", vec![finding("f", DivergenceClass::Regression)])];
    report.methods[0].trees = grown("x > 0", 8);
    let page = html::render(&report);
    let (_, tree) = page.split_once("<details class=\"tree\"").unwrap();
    let (picture, rest) = tree.split_once("</svg>").unwrap();
    let ends = picture.matches("<g class=\"end ").count();
    assert!((20..=40).contains(&ends), "{ends}");
    assert!(picture.contains("… 8 ends, 8 regression"));
    let (list, _) = rest.split_once("<p class=\"dim\">7 more ends").unwrap();
    assert_eq!(list.matches("<li class=\"regression\">").count(), 256);
    // A small one is all in the picture, shown at once.
    report.methods[0].trees = grown("x > 0", 3);
    let page = html::render(&report);
    let (_, tree) = page.split_once("<details class=\"tree\" open").unwrap();
    assert!(!tree.contains("class=\"outline\""));
    let picture = tree.split_once("</svg>").unwrap().0;
    assert_eq!(picture.matches("<g class=\"end regression\"").count(), 8);
    assert_eq!(picture.matches("<path class=\"way diff\"").count(), 7);
}

#[test]
fn a_page_is_never_larger_than_a_megabyte() {
    let page = html::render(&long());
    kept("long-report.html", &page);
    assert!(page.len() <= html::MAX_BYTES, "{} bytes", page.len());
    let shown = page.matches("class=\"finding ").count();
    assert!((300..1000).contains(&shown), "{shown}");
    assert!(page.contains("more findings left out"));
    // Each method is there, also where not all of its findings are.
    assert_eq!(page.matches("<details class=\"method\"").count(), 100);
}

#[test]
fn json_is_never_larger_than_a_megabyte() {
    let mut report = long();
    for method in &mut report.methods {
        let one = method.findings[0].clone();
        method.findings = vec![one; 60];
    }
    let json = json::render(&report);
    assert!(json.to_string().len() <= json::MAX_BYTES);
    let first = &json["methods"][0];
    let shown = first["findings"].as_array().unwrap().len();
    assert_eq!(first["findings_left_out"], 60 - shown);
}

/// Chromium, where there is one.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|dir| names.map(|n| dir.join(n)))
        .find(|file| file.is_file())
}

#[test]
fn a_browser_renders_it_without_a_word_in_its_console() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium on the PATH");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let mut pages: Vec<String> = HOSTILE.iter().map(|e| html::render(&hostile(e))).collect();
    pages.push(html::render(&long()));
    for page in pages {
        let file = dir.path().join("report.html");
        std::fs::write(&file, &page).unwrap();
        // Tests of hostile input limit this process' address space; a browser asks for more.
        let output = Command::new("sh")
            .args(["-c", "ulimit -S -v unlimited; exec \"$0\" \"$@\""])
            .arg(&browser)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--enable-logging=stderr",
                "--dump-dom",
            ])
            .arg(format!(
                "--user-data-dir={}",
                dir.path().join("profile").display()
            ))
            .arg(format!("file://{}", file.display()))
            .output()
            .unwrap();
        let dom = String::from_utf8_lossy(&output.stdout);
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(!log.contains("CONSOLE"), "{log}");
        let count = |text: &str| dom.matches(text).count();
        assert_eq!(
            count("class=\"finding "),
            page.matches("class=\"finding ").count()
        );
        assert_eq!(count("<script") + count("<img") + count("<iframe"), 0);
        assert!(dom.contains("</footer>"), "{dom}");
    }
}
