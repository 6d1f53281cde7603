//! Reports made by hand: a small one of every kind of result, and one that tries to break out of every output.

use clap::Parser;
use shadow_ci::commands::cli::Cli;
use shadow_ci::model::reason::Reason;
use shadow_ci::model::{
    DivergenceClass, End, Finding, Input, Inputs, Kind, Level, Limit, Location, MethodRef,
    MethodResult, Outcome, PathCounts, Replay, Seen, Verdict,
};
use shadow_ci::options::Environment;
use shadow_ci::report::Report;

/// Texts that mean something to one reader or another.
pub const HOSTILE: [&str; 22] = [
    "@team",
    "#1",
    "octo/repo#1",
    "GH-1",
    "](http://evil.example)",
    "[x](http://evil.example)",
    "![x](http://evil.example/p.png)",
    "http://evil.example www.evil.example a@evil.example",
    "<script>alert(1)</script><img src=x onerror=y>",
    "```\n# out",
    "`a``b```c````",
    "%0A::error::x",
    "\n::error file=a,line=1::x\n##[add-mask]y",
    "]]>",
    "--> <!-- shadow-ci -->",
    "a|b\\|c\\",
    "**b** _i_ ~~s~~ $x$ :tada:",
    "</code></details></summary>",
    "x\u{202e}y\u{200b}z\u{2028}\u{feff}",
    "nul\u{0}esc\u{1b}[31m\u{fffe}",
    "{0} {{1}} ${{ secrets.X }}",
    "\r\n\t&amp;&#64;team\"'",
];

/// A report of HEAD~1 and HEAD without results.
pub fn empty() -> Report {
    let cli = Cli::parse_from(["shadow-ci", "HEAD~1", "HEAD"]);
    let options = cli.check.options(&Environment::default()).unwrap();
    let (old, new) = (
        "1111111111111111111111111111111111111111",
        "2222222222222222222222222222222222222222",
    );
    Report::new(&options, &cli.check.revisions().unwrap(), (old, new))
}

pub fn id(class: &str, name: &str, descriptor: &str) -> MethodRef {
    MethodRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

pub fn outcome(end: End) -> Outcome {
    Outcome {
        end,
        receiver: None,
        args: Vec::new(),
        files: Vec::new(),
        printed: Vec::new(),
    }
}

pub fn threw(class: &str, message: Option<Vec<u16>>, at: &str) -> Outcome {
    outcome(End::Threw {
        class: class.into(),
        message,
        jvm_made: false,
        at: Some(at.into()),
        held: Vec::new(),
    })
}

pub fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

pub fn finding(
    class: DivergenceClass,
    entry: &MethodRef,
    input: Input,
    old: Outcome,
    new: Outcome,
) -> Finding {
    Finding {
        class,
        kind: Kind::Control,
        entry: entry.clone(),
        entry_static: true,
        direct: true,
        inputs: Inputs {
            receiver: None,
            args: vec![input],
        },
        parameter_names: vec!["x".into()],
        old,
        new,
        path_condition: "x >= 0 && x * 2 == 0".into(),
        diverges_at: Some((
            Location {
                file: "Foo.java".into(),
                line: 8,
            },
            Location {
                file: "Foo.java".into(),
                line: 9,
            },
        )),
        replay: Replay::Confirmed,
        represents: 1,
        found_by: Default::default(),
        situation: None,
        telling: Default::default(),
    }
}

pub fn method(method: MethodRef, file: &str, line: u32, verdict: Verdict) -> MethodResult {
    MethodResult {
        method,
        file: file.into(),
        line: Some(line),
        source: Default::default(),
        level: Level::Statement,
        level_reason: String::new(),
        verdict,
        proof: None,
        assumed: Vec::new(),
        local_conditions: Vec::new(),
        limits: Vec::new(),
        paths: PathCounts {
            finished: 4,
            ..PathCounts::default()
        },
        states: 9,
        solver_queries: 5,
        predictions: 4,
        predictions_confirmed: 4,
        mismatches: Vec::new(),
        seconds: 0.5,
        evidence: None,
        findings: Vec::new(),
        calls: Vec::new(),
        rests_on: Vec::new(),
        proved_but_for: Vec::new(),
        trees: Vec::new(),
    }
}

fn limit(reason: &str, detail: &str, bound: bool) -> Limit {
    Limit {
        reason: Reason::named(reason).unwrap(),
        detail: detail.into(),
        bound,
        at: Some(Location {
            file: "Foo.java".into(),
            line: 30,
        }),
        count: 2,
    }
}

/// One result of every kind.
pub fn fixed() -> Report {
    let mut report = empty();
    let file = "src/main/java/demo/Foo.java";
    let changed = id("demo.Foo", "foo", "(I)I");
    let returned = |n: i32| outcome(End::Returned(Seen::Int(n)));
    let mut diverging = method(changed.clone(), file, 7, Verdict::Diverges);
    let failed = threw("java.lang.AssertionError", None, "Foo.java:16");
    let null = threw(
        "java.lang.IllegalStateException",
        Some(units("no, 100% wrong: \"it\"")),
        "Foo.java:17",
    );
    diverging.findings = vec![
        finding(
            DivergenceClass::Regression,
            &changed,
            Input::Int(0),
            returned(1),
            failed.clone(),
        ),
        finding(
            DivergenceClass::Regression,
            &changed,
            Input::Int(7),
            returned(3),
            null,
        ),
        finding(
            DivergenceClass::Changed,
            &changed,
            Input::Int(3),
            returned(1),
            returned(2),
        ),
        finding(
            DivergenceClass::Fix,
            &changed,
            Input::Int(-1),
            failed,
            returned(0),
        ),
    ];
    diverging.findings[2].diverges_at = None;
    diverging.findings[2].represents = 3;
    diverging.limits = vec![limit("loop-bound", "", true)];
    let bar = id("demo.Foo", "bar", "([ILjava/lang/String;)V");
    let mut incomplete = method(bar, file, 28, Verdict::Incomplete);
    incomplete.limits = vec![
        limit("unsupported-native", "java.lang.System.nanoTime()J", false),
        limit("max-array", "", true),
    ];
    let mut bounded = method(
        id("demo.Baz", "<init>", "()V"),
        "src/main/java/demo/Baz.java",
        3,
        Verdict::Bounded,
    );
    bounded.limits = vec![limit("max-string", "", true)];
    let equivalent = method(
        id("demo.Baz", "qux", "(J)Z"),
        "src/main/java/demo/Baz.java",
        12,
        Verdict::Equivalent,
    );
    report.methods = vec![diverging, incomplete, bounded, equivalent];
    report.added = vec![id("demo.Foo", "fresh", "(I)V")];
    report.removed = vec![id("demo.Foo", "gone", "()V")];
    report.skipped = vec![("src/test/java/demo/FooTest.java".into(), "a test".into())];
    report
        .tests
        .insert((0, 0), "shadow-ci/demo/FooShadowTest.java".into());
    report.test_texts.insert(
        (0, 0),
        "@Test\npublic void foo_whenXIs0() {\n    assertEquals(1, Foo.foo(0));\n}".into(),
    );
    report.seconds = 1.25;
    report
}

/// Every text that the code under test decides is hostile.
pub fn hostile() -> Report {
    let mut report = empty();
    for (i, text) in HOSTILE.iter().enumerate() {
        let this = id(&format!("demo.{text}"), text, &format!("(L{text};)I"));
        let mut m = method(
            this.clone(),
            &format!("src/{text}/{text}.java"),
            5,
            Verdict::Diverges,
        );
        m.level_reason = text.to_string();
        let mut lone = units(text);
        lone.extend([0xd800, 0x41, 0xdc00]);
        let mut old = outcome(End::Returned(Seen::Str(lone.clone())));
        old.printed = lone.clone();
        old.receiver = Some(Seen::Object {
            class: text.to_string(),
            fields: vec![(format!("{text}.{text}"), Seen::Str(lone.clone()))],
        });
        let new = threw(text, Some(lone.clone()), &format!("{text}.java:9"));
        let class = [
            DivergenceClass::Regression,
            DivergenceClass::Changed,
            DivergenceClass::Fix,
        ][i % 3];
        let mut f = finding(class, &this, Input::Str(lone), old.clone(), new);
        f.parameter_names = vec![text.to_string()];
        f.path_condition = text.to_string();
        let place = Location {
            file: format!("{text}.java"),
            line: 9,
        };
        f.diverges_at = Some((place.clone(), place.clone()));
        let mut g = f.clone();
        g.new = outcome(End::Failed(text.to_string()));
        g.class = DivergenceClass::Changed;
        m.findings = vec![f, g];
        m.limits = vec![Limit {
            reason: Reason::Internal,
            detail: text.to_string(),
            bound: i % 2 == 0,
            at: Some(place),
            count: 3,
        }];
        m.mismatches = vec![text.to_string()];
        report.methods.push(m);
        report.added.push(this.clone());
        report.removed.push(this);
        report.skipped.push((text.to_string(), text.to_string()));
        report.tests.insert((i, 0), format!("{text}/T.java"));
        report.test_texts.insert((i, 0), format!("{text}\n{text}"));
    }
    report
}
