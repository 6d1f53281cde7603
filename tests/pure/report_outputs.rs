//! Every output of a small fixed report, by golden files; and of a hostile one: well-formed, and nothing in it is obeyed.

use crate::golden;
use crate::reports::{HOSTILE, fixed, hostile};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;
use shadow_ci::options::FailOn;
use shadow_ci::report::document::Document;
use shadow_ci::report::markdown::{self, Context, MARKER};
use shadow_ci::report::site::Site;
use shadow_ci::report::{Report, annotations, gitlab, json, junit_xml, sarif};
use std::collections::BTreeSet;

fn document(report: &Report) -> Document {
    Document::of(report).unwrap()
}

fn context() -> Context {
    Context {
        site: Site::new("https://github.com", "owner/name", Some(7)),
        full_report: Some("https://github.com/owner/name/actions/runs/1".into()),
    }
}

fn xml(report: &Report) -> String {
    junit_xml::render(&document(report), &[FailOn::Exception]).unwrap()
}

#[test]
fn a_small_report_reads_as_agreed() {
    let report = fixed();
    let d = document(&report);
    golden::compare("report.json", &format!("{:#}\n", json::render(&report)));
    golden::compare("report.sarif", &format!("{:#}\n", sarif::render(&d)));
    golden::compare("report.gitlab.json", &format!("{:#}\n", gitlab::render(&d)));
    golden::compare("report.xml", &xml(&report));
    golden::compare("report.md", &markdown::render(&d, &context()));
    golden::compare("report.annotations.txt", &annotations::render(&d));
    let mut quiet = report.clone();
    quiet.methods.drain(..2);
    golden::compare(
        "clean.md",
        &markdown::render(&document(&quiet), &Context::default()),
    );
}

#[test]
fn json_is_read_back_the_same() {
    for report in [fixed(), hostile()] {
        let text = json::render(&report).to_string();
        let read = Document::read(text.as_bytes()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{:?}", document(&report)));
    }
}

#[test]
fn sarif_has_what_the_format_asks_for() {
    for report in [fixed(), hostile()] {
        let log = sarif::render(&document(&report));
        let typed: serde_sarif::sarif::Sarif = serde_json::from_value(log.clone()).unwrap();
        let run = &typed.runs[0];
        let rules = run.tool.driver.rules.as_ref().unwrap();
        let mut fingerprints = BTreeSet::new();
        for result in run.results.as_ref().unwrap() {
            let rule = &rules[result.rule_index.unwrap() as usize];
            assert_eq!(Some(&rule.id), result.rule_id.as_ref());
            let text = result.message.text.as_ref().unwrap();
            assert_plain(text);
            assert!(!text.contains("]("), "a link: {text}");
            assert!(!text.contains("{0}"), "a placeholder: {text}");
            fingerprints.insert(result.partial_fingerprints.clone().unwrap());
        }
        assert_eq!(fingerprints.len(), run.results.as_ref().unwrap().len());
        for result in log["runs"][0]["results"].as_array().unwrap() {
            let physical = &result["locations"][0]["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
            let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/%".contains(c);
            assert!(uri.chars().all(plain) && !uri.starts_with('/'), "{uri}");
            assert!(physical["region"]["startLine"].as_u64().unwrap() > 0);
        }
    }
}

#[test]
fn fingerprints_do_not_depend_on_lines_and_inputs() {
    let prints = |report: &Report| -> Vec<String> {
        let issues = gitlab::render(&document(report));
        let all = issues.as_array().unwrap().iter();
        all.map(|i| i["fingerprint"].as_str().unwrap().to_string())
            .collect()
    };
    let report = fixed();
    let mut moved = report.clone();
    for m in &mut moved.methods {
        m.line = m.line.map(|l| l + 100);
        for f in &mut m.findings {
            f.diverges_at = None;
            f.path_condition = "other".into();
            f.inputs.args = vec![shadow_ci::model::Input::Int(99)];
            if let shadow_ci::model::End::Threw { at, .. } = &mut f.new.end {
                *at = Some("Foo.java:116".into());
            }
        }
    }
    assert_eq!(prints(&report), prints(&moved));
    let mut renamed = report.clone();
    renamed.methods[0].method.name = "other".into();
    assert_ne!(prints(&report)[0], prints(&renamed)[0]);
}

/// Nothing invisible, nothing that reorders, one line.
fn assert_plain(text: &str) {
    let bad = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{200b}';
    assert!(!text.chars().any(bad), "{text:?}");
}

#[test]
fn code_quality_is_plain_text() {
    let issues = gitlab::render(&document(&hostile()));
    let issues = issues.as_array().unwrap();
    assert!(issues.len() > 2 * HOSTILE.len());
    let mut seen = BTreeSet::new();
    for issue in issues {
        assert_plain(issue["description"].as_str().unwrap());
        assert!(seen.insert(issue["fingerprint"].as_str().unwrap().to_string()));
        assert!(issue["location"]["lines"]["begin"].as_u64().unwrap() > 0);
        let severity = issue["severity"].as_str().unwrap();
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity));
    }
}

#[test]
fn junit_xml_is_well_formed() {
    for report in [fixed(), hostile()] {
        let text = xml(&report);
        let bad = |c: char| c.is_control() && !"\t\n\r".contains(c) || c == '\u{fffe}';
        assert!(!text.chars().any(bad));
        let mut reader = quick_xml::Reader::from_str(&text);
        reader.config_mut().check_comments = true;
        let mut counts = std::collections::BTreeMap::<String, usize>::new();
        loop {
            use quick_xml::events::Event;
            match reader.read_event().unwrap() {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => {
                    let name = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
                    *counts.entry(name).or_default() += 1;
                    for attribute in tag.attributes() {
                        attribute
                            .unwrap()
                            .normalized_value(quick_xml::XmlVersion::Explicit1_0)
                            .unwrap();
                    }
                }
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) => panic!("{text}"),
                _ => {}
            }
        }
        let known = [
            "failure",
            "skipped",
            "system-out",
            "testcase",
            "testsuite",
            "testsuites",
        ];
        assert!(
            counts.keys().all(|k| known.contains(&k.as_str())),
            "{counts:?}"
        );
        assert_eq!(counts["testcase"], report.methods.len());
    }
}

#[test]
fn failures_are_what_fail_on_names() {
    let failures = |on: &[FailOn]| {
        let text = junit_xml::render(&document(&fixed()), on).unwrap();
        (
            text.matches("<failure").count(),
            text.matches("<skipped").count(),
        )
    };
    assert_eq!(failures(&[FailOn::Assertion]), (1, 1));
    assert_eq!(failures(&[FailOn::Never]), (0, 1));
    assert_eq!(failures(&[FailOn::Changed, FailOn::Never]), (0, 1));
    assert_eq!(failures(&[FailOn::Incomplete]), (1, 0));
    assert_eq!(failures(&[FailOn::Incomplete, FailOn::Exception]), (2, 0));
}

/// The runner's own reading of a line, as in its ActionCommand: `::name key=value,…::data`.
fn parse_command(line: &str) -> (String, Vec<(String, String)>, String) {
    let rest = line.strip_prefix("::").unwrap();
    let (head, data) = rest.split_once("::").unwrap();
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let unescape = |text: &str| {
        text.replace("%0D", "\r")
            .replace("%0A", "\n")
            .replace("%3A", ":")
            .replace("%2C", ",")
            .replace("%25", "%")
    };
    let properties = properties.split(',').map(|p| {
        let (key, value) = p.split_once('=').unwrap();
        (key.to_string(), unescape(value))
    });
    (name.into(), properties.collect(), unescape(data))
}

#[test]
fn annotations_are_one_command_each() {
    let report = hostile();
    let text = annotations::render(&document(&report));
    let files: BTreeSet<&str> = report.methods.iter().map(|m| m.file.as_str()).collect();
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for line in text.lines() {
        assert!(!line.contains('\r'));
        let (name, properties, data) = parse_command(line);
        assert!(
            ["error", "warning", "notice"].contains(&name.as_str()),
            "{line}"
        );
        let keys: Vec<&str> = properties.iter().map(|p| p.0.as_str()).collect();
        assert_eq!(keys, ["file", "line", "title"], "{line}");
        assert!(files.contains(properties[0].1.as_str()), "{line}");
        assert!(!data.is_empty());
        *counts.entry(name).or_default() += 1;
    }
    assert!(counts.values().all(|n| *n <= 10), "{counts:?}");
    assert_eq!(counts["warning"], 10);
    assert!(text.starts_with("::error"));
    let framed = annotations::framed("::error::x", "w");
    assert_eq!(framed, "::stop-commands::w\n::error::x\n::w::\n");
}

/// Checks that code under test shows up only as code, and that nothing but our own links and tags is there.
fn assert_inert(body: &str) {
    assert!(body.starts_with(MARKER));
    assert_eq!(body.matches('\u{202e}').count(), 0);
    assert!(!body.contains("##["), "a runner's command: {body}");
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let tags = [
        MARKER,
        "</details>",
        "<details><summary>JUnit test</summary>",
    ];
    let (mut code_block, mut columns, mut depth) = (false, 0, 0i32);
    for event in Parser::new_ext(body, options) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                for line in html.lines().map(str::trim).filter(|l| !l.is_empty()) {
                    let folded = line.starts_with("<details><summary>")
                        && line.ends_with("</summary>")
                        && line.matches('<').count() == 3;
                    assert!(tags.contains(&line) || folded, "{line}");
                    depth += line.matches("<details>").count() as i32;
                    depth -= line.matches("</details>").count() as i32;
                    assert!((0..=2).contains(&depth));
                }
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let ours = "https://github.com/owner/name/";
                assert!(dest_url.starts_with(ours), "{dest_url}");
                let rest = &dest_url[ours.len()..];
                let plain = |c: char| c.is_ascii_alphanumeric() || "/#-".contains(c);
                assert!(rest.chars().all(plain), "{dest_url}");
            }
            Event::Start(Tag::Image { .. } | Tag::Strikethrough | Tag::Emphasis) => {
                panic!("{body}")
            }
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => {
                panic!("{body}")
            }
            Event::Start(Tag::CodeBlock(_)) => code_block = true,
            Event::End(TagEnd::CodeBlock) => code_block = false,
            Event::Start(Tag::TableRow | Tag::TableHead) => columns = 0,
            Event::Start(Tag::TableCell) => columns += 1,
            Event::End(TagEnd::TableRow | TagEnd::TableHead) => assert_eq!(columns, 5),
            Event::Start(Tag::Heading { .. }) => {}
            Event::Text(text) if !code_block => {
                let bad = |c: char| "@#<>[]|`\\".contains(c) || c != '\n' && c.is_control();
                assert!(!text.chars().any(bad), "foreign text: {text}");
                assert!(!text.contains("evil"), "foreign text: {text}");
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0, "folds are closed");
    for line in body.lines() {
        assert!(!line.trim_start().starts_with("::"), "{line}");
    }
}

#[test]
fn markdown_is_inert() {
    for report in [fixed(), hostile()] {
        assert_inert(&markdown::render(&document(&report), &context()));
        // One text at a time comes further up than all together.
        for m in &report.methods {
            let mut one = report.clone();
            let index = report
                .methods
                .iter()
                .position(|o| o.method == m.method)
                .unwrap();
            one.tests = [(
                (0, 0),
                one.tests.get(&(index, 0)).cloned().unwrap_or_default(),
            )]
            .into();
            one.test_texts = [(
                (0, 0),
                one.test_texts.get(&(index, 0)).cloned().unwrap_or_default(),
            )]
            .into();
            one.methods = vec![m.clone()];
            assert_inert(&markdown::render(&document(&one), &context()));
        }
    }
}

#[test]
fn markdown_always_fits_into_a_comment() {
    let mut report = hostile();
    let long: String = HOSTILE.concat().repeat(200);
    for m in &mut report.methods {
        m.method.class = format!("{}{long}", m.method.class).into();
        m.limits[0].detail = "`".repeat(100_000);
        m.findings[0].path_condition = "🙂`".repeat(50_000);
    }
    report
        .test_texts
        .values_mut()
        .for_each(|t| t.push_str(&long));
    let methods = report.methods.clone();
    report.methods = (0..60).flat_map(|_| methods.clone()).collect();
    let body = markdown::render(&document(&report), &context());
    assert!(body.len() < 65_536, "{}", body.len());
    assert!(body.contains("did not fit here") && body.contains("more methods in the full report"));
    assert_inert(&body);
    // The worst findings are those that are shown.
    let first = body.find("**1. Regression**").unwrap();
    assert!(body.find(". Fix**").is_none_or(|fix| fix > first));
}

#[test]
fn untrusted_reports_are_refused_or_rendered_but_never_panic() {
    let good = json::render(&fixed());
    let refused = |text: &str| Document::read(text.as_bytes()).unwrap_err().to_string();
    assert!(refused("").contains("not a shadow-ci report"));
    assert!(refused("[]").contains("not a shadow-ci report"));
    assert!(refused("{\"format_version\":2}").contains("format version 2"));
    assert!(refused("{\"format_version\":1}").contains("missing field"));
    assert!(refused(&"[".repeat(100_000)).contains("not a shadow-ci report"));
    assert!(refused(&" ".repeat(11 << 20)).contains("larger than 10 MB"));
    assert!(
        refused("{\"format_version\":1,\"old\":\"\\ud800\"}").contains("not a shadow-ci report")
    );
    let mut strange = good.clone();
    strange["unknown"] = Value::from(1);
    strange["old"] = Value::from("](x) @team");
    strange["methods"][0]["line"] = Value::from(0);
    strange["methods"][0]["file"] = Value::from("//evil.example/../x");
    strange["methods"][0]["descriptor"] = Value::from("((((L[[[");
    strange["methods"][0]["seconds"] = Value::from(-1e300);
    strange["summary"]["seconds"] = Value::from(1e300);
    for finding in strange["methods"][0]["findings"].as_array_mut().unwrap() {
        finding["represents"] = Value::from(u64::MAX);
        finding["call"] = Value::from("");
        finding["diverges_at"] =
            serde_json::json!({ "old": "", "new": "Foo.java:99999999999999999999" });
        finding["new"]["outcome"] = Value::from("<b>@team</b>");
        finding["test_source"] = Value::from("```\n::error::x");
    }
    let read = Document::read(strange.to_string().as_bytes()).unwrap();
    assert_inert(&markdown::render(&read, &context()));
    sarif::render(&read);
    gitlab::render(&read);
    annotations::render(&read);
    junit_xml::render(&read, &[FailOn::Changed]).unwrap();
    // Cut anywhere, or with a byte changed, it is refused or rendered.
    let text = good.to_string().into_bytes();
    for i in (0..text.len()).step_by(7) {
        assert!(Document::read(&text[..i]).is_err());
        let mut changed = text.clone();
        changed[i] = changed[i].wrapping_add(1);
        if let Ok(read) = Document::read(&changed) {
            markdown::render(&read, &context());
        }
    }
}
