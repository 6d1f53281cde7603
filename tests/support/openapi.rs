//! GitHub's API as its published OpenAPI description says: requests and answers are checked against it.

use super::http::{Answer, Asked};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A description.
pub struct Description {
    root: Value,
}

/// An operation that a request means, with what stands for its path's parameters.
pub struct Operation<'a> {
    description: &'a Description,
    spec: &'a Value,
    template: &'a str,
}

/// The descriptions; `None` where they can't be had, which is an error on a CI machine and a line elsewhere.
pub fn descriptions() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(fetched).as_deref()
}

fn fetched() -> Option<PathBuf> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/github-openapi");
    let output = Command::new(script).output().unwrap();
    if output.status.success() {
        let dir = String::from_utf8(output.stdout).unwrap();
        return Some(PathBuf::from(dir.trim()));
    }
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(std::env::var_os("CI").is_none(), "{why}");
    eprintln!("NOT CHECKED against GitHub's OpenAPI description: {why}");
    None
}

impl Description {
    /// Reads one.
    pub fn read(file: &Path) -> Description {
        let text = std::fs::read(file).unwrap();
        Description {
            root: serde_json::from_slice(&text).unwrap(),
        }
    }

    /// The operation that a request means; panics where the description has none, or not with these parameters or this body.
    pub fn operation(&self, asked: &Asked) -> Operation<'_> {
        let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
        let parts: Vec<&str> = path.split('/').collect();
        let fits = |template: &str| {
            let wanted: Vec<&str> = template.split('/').collect();
            wanted.len() == parts.len()
                && wanted
                    .iter()
                    .zip(&parts)
                    .all(|(w, p)| w.starts_with('{') || w == p)
        };
        let paths = self.root["paths"].as_object().unwrap();
        // Of several, the one with fewer parameters: /issues/comments/{id} before /issues/{number}/comments.
        let found = paths
            .iter()
            .filter(|(t, _)| fits(t))
            .min_by_key(|(t, _)| t.matches('{').count());
        let (template, methods) = found.unwrap_or_else(|| panic!("GitHub has no {path}"));
        let spec = &methods[asked.method.to_lowercase()];
        assert!(
            spec.is_object(),
            "GitHub has no {} {template}",
            asked.method
        );
        let operation = Operation {
            description: self,
            spec,
            template,
        };
        operation.check_parameters(&parts, query);
        operation.check_body(asked);
        operation
    }

    /// An example of the description, such as `issue-comment`.
    pub fn example(&self, name: &str) -> Value {
        self.root["components"]["examples"][name]["value"].clone()
    }

    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(at) => self.root.pointer(at.trim_start_matches('#')).unwrap(),
            None => value,
        }
    }

    /// A schema without references, with `nullable` in JSON Schema's own words.
    fn schema(&self, schema: &Value, depth: u32) -> Value {
        let schema = self.resolved(schema);
        match schema {
            // Descriptions refer to themselves; so deep nothing of ours is looked at.
            _ if depth > 12 => json!({}),
            Value::Object(map) => {
                let inner = |(k, v): (&String, &Value)| (k.clone(), self.schema(v, depth + 1));
                let mut out: Map<String, Value> = map.iter().map(inner).collect();
                let nullable = out.remove("nullable") == Some(json!(true));
                match out.remove("type") {
                    Some(kind) if nullable => out.insert("type".into(), json!([kind, "null"])),
                    Some(kind) => out.insert("type".into(), kind),
                    None => None,
                };
                if nullable && let Some(Value::Array(all)) = out.get_mut("enum") {
                    all.push(Value::Null);
                }
                match nullable && !out.contains_key("type") {
                    true => json!({ "anyOf": [out, { "type": "null" }] }),
                    false => Value::Object(out),
                }
            }
            Value::Array(all) => all.iter().map(|v| self.schema(v, depth + 1)).collect(),
            other => other.clone(),
        }
    }

    fn check(&self, what: &str, schema: &Value, value: &Value) {
        let validator = jsonschema::validator_for(&self.schema(schema, 0)).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(value)
            .map(|e| format!("{} at {}", e, e.instance_path()))
            .collect();
        assert!(
            errors.is_empty(),
            "{what} is not what GitHub's description says: {errors:#?}\n{value:#}"
        );
    }
}

impl Operation<'_> {
    /// The path's template.
    pub fn template(&self) -> &str {
        self.template
    }

    fn check_parameters(&self, parts: &[&str], query: &str) {
        let given: Vec<(&str, String)> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (name, decoded(value)))
            .collect();
        let parameters: Vec<&Value> = self.spec["parameters"]
            .as_array()
            .map(|all| all.iter().map(|p| self.description.resolved(p)).collect())
            .unwrap_or_default();
        for (name, value) in &given {
            let known = parameters
                .iter()
                .find(|p| p["in"] == "query" && p["name"] == **name);
            let known = known.unwrap_or_else(|| panic!("{} takes no {name}", self.template));
            self.description
                .check(name, &known["schema"], &typed(value, &known["schema"]));
            if *name == "per_page" {
                assert!(
                    value.parse::<u32>().unwrap() <= 100,
                    "GitHub gives 100 a page at most"
                );
            }
        }
        for parameter in parameters
            .iter()
            .filter(|p| p["in"] == "query" && p["required"] == true)
        {
            assert!(
                given.iter().any(|g| parameter["name"] == *g.0),
                "{parameter}"
            );
        }
        for (name, part) in self.template.split('/').zip(parts) {
            if let Some(name) = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')) {
                let known = parameters
                    .iter()
                    .find(|p| p["in"] == "path" && p["name"] == name)
                    .unwrap();
                self.description
                    .check(name, &known["schema"], &typed(part, &known["schema"]));
            }
        }
    }

    fn check_body(&self, asked: &Asked) {
        let body = self.description.resolved(&self.spec["requestBody"]);
        if body.is_null() {
            assert_eq!(asked.body, Value::Null, "{} takes no body", self.template);
            return;
        }
        self.description.check(
            "the body",
            &body["content"]["application/json"]["schema"],
            &asked.body,
        );
        // GitHub ignores what it does not know; we send nothing that it would ignore.
        let known = self
            .description
            .schema(&body["content"]["application/json"]["schema"], 0);
        for name in asked.body.as_object().unwrap().keys() {
            assert!(known["properties"].get(name).is_some(), "{name}");
        }
    }

    /// Checks an answer that a test gives in GitHub's name, where the description has its status.
    pub fn check_answer(&self, answer: &Answer) {
        let response = self
            .description
            .resolved(&self.spec["responses"][answer.status.to_string()]);
        let schema = &response["content"]["application/json"]["schema"];
        if !schema.is_null() {
            let body = serde_json::from_slice(&answer.body).unwrap();
            let what = format!("our answer {} to {}", answer.status, self.template);
            self.description.check(&what, schema, &body);
        }
        assert!(
            answer.status >= 400 || !response.is_null(),
            "{} never answers {}",
            self.template,
            answer.status
        );
    }
}

/// A parameter as the type that its schema asks for.
fn typed(text: &str, schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("integer") => text.parse::<i64>().map_or(json!(text), |n| json!(n)),
        _ => json!(text),
    }
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at] == b'%' {
            out.push(u8::from_str_radix(&text[at + 1..at + 3], 16).unwrap());
            at += 2;
        } else {
            out.push(bytes[at]);
        }
        at += 1;
    }
    String::from_utf8(out).unwrap()
}
