//! `shadow-ci schema` describes the reports that runs write: every one is valid, and nothing in it is undescribed.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::{Value, json};
use std::process::Command;

fn schema() -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .arg("schema")
        .output()
        .unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The schema with no properties allowed but those described.
fn closed(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("properties") && map.contains_key("type") {
                map.insert("additionalProperties".into(), json!(false));
            }
            map.values_mut().for_each(closed);
        }
        Value::Array(all) => all.iter_mut().for_each(closed),
        _ => {}
    }
}

#[test]
fn the_schema_is_a_schema() {
    let schema = schema();
    jsonschema::meta::validate(&schema).unwrap();
    assert_eq!(schema["properties"]["format_version"]["const"], 1);
}

#[test]
fn real_reports_are_valid_and_fully_described() {
    let mut schema = schema();
    closed(&mut schema);
    let validator = jsonschema::validator_for(&schema).unwrap();
    for name in [
        "foo",
        "receiver-state",
        "unsupported-native",
        "exception-message",
        "private-method",
        "overload-added",
        "while-system-exit",
        "reformatted",
        "loop-bound",
        "result-type",
        "constructor",
    ] {
        let repo = support::fixture(name);
        let output = support::shadow_ci(repo.path())
            .args(["HEAD~1", "HEAD", "--json", "-"])
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let wrong: Vec<String> = validator
            .iter_errors(&report)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert_eq!(wrong, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_report_of_another_shape_is_refused() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    assert!(!validator.is_valid(&json!({ "format_version": 2 })));
}
