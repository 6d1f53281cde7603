//! `shadow-ci schema` describes the reports that runs write: a real JSON schema. That real reports keep to it is tested on every fixture.

use crate::support::schema;
use serde_json::json;

#[test]
fn the_schema_is_a_schema() {
    let schema = schema();
    jsonschema::meta::validate(&schema).unwrap();
    assert_eq!(schema["properties"]["format_version"]["const"], 1);
}

#[test]
fn a_report_of_another_shape_is_refused() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    assert!(!validator.is_valid(&json!({ "format_version": 2 })));
}
