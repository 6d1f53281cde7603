//! A small stand-in for GitHub's runner: the steps of a composite action in order, with its contexts and environment files.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the runner knows before the first step.
pub struct Job {
    /// Where `action.yml` is.
    pub action: PathBuf,
    /// The checkout.
    pub workspace: PathBuf,
    /// The runner's own folder.
    pub temp: PathBuf,
    /// The `github` context, the event in it.
    pub github: Value,
    /// What the workflow's `with` says.
    pub with: Vec<(&'static str, String)>,
    /// The job's own environment.
    pub env: Vec<(String, String)>,
}

/// A step that was run, or an action that was used.
#[derive(Debug)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// The action it uses, empty for a script.
    pub uses: String,
    /// The action's inputs.
    pub with: BTreeMap<String, String>,
    /// Both streams.
    pub log: String,
    /// The exit code; 0 for an action.
    pub code: i32,
}

/// What a run of the action came to.
pub struct Outcome {
    /// The steps as far as they ran.
    pub steps: Vec<Step>,
    /// The action's outputs.
    pub outputs: BTreeMap<String, String>,
    /// What `GITHUB_STEP_SUMMARY` holds.
    pub summary: String,
}

impl Outcome {
    /// The exit code of the last step.
    pub fn code(&self) -> i32 {
        self.steps.last().unwrap().code
    }

    /// The step of that name.
    pub fn step(&self, name: &str) -> &Step {
        let found = self.steps.iter().find(|s| s.name == name);
        found.unwrap_or_else(|| panic!("no step {name} was run: {:?}", self.steps))
    }
}

/// An `action.yml`, as JSON.
pub fn metadata(file: &Path) -> Value {
    serde_yaml_ng::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

impl Job {
    /// Runs the steps until one fails, as the runner does.
    pub fn run(&self) -> Outcome {
        let action = metadata(&self.action.join("action.yml"));
        let mut contexts = self.contexts(&action);
        let mut steps = Vec::new();
        for step in action["runs"]["steps"].as_array().unwrap() {
            let condition = step["if"].as_str().map(str::to_string);
            if condition.is_some_and(|c| !truthy(&evaluate(&c, &contexts))) {
                continue;
            }
            let (done, outputs) = self.step(step, &contexts);
            if let Some(id) = step["id"].as_str() {
                contexts["steps"][id] = json!({ "outputs": outputs });
            }
            let code = done.code;
            steps.push(done);
            if code != 0 {
                break;
            }
        }
        let outputs = action["outputs"].as_object().cloned().unwrap_or_default();
        let value = |o: &Value| text(&expanded(o["value"].as_str().unwrap(), &contexts));
        Outcome {
            steps,
            outputs: outputs.iter().map(|(k, o)| (k.clone(), value(o))).collect(),
            summary: std::fs::read_to_string(self.temp.join("summary")).unwrap_or_default(),
        }
    }

    fn contexts(&self, action: &Value) -> Value {
        let mut contexts = json!({ "github": self.github, "inputs": {}, "steps": {} });
        contexts["github"]["action_path"] = json!(self.action);
        for (name, input) in action["inputs"].as_object().unwrap() {
            let given = self.with.iter().find(|w| w.0 == name);
            let default = || expanded(input["default"].as_str().unwrap_or_default(), &contexts);
            contexts["inputs"][name] = given.map_or_else(default, |w| json!(w.1));
        }
        for (name, _) in &self.with {
            assert!(
                action["inputs"].get(name).is_some(),
                "{name} is no input of the action"
            );
        }
        contexts
    }

    fn step(&self, step: &Value, contexts: &Value) -> (Step, Map<String, Value>) {
        let map = |key: &str| -> BTreeMap<String, String> {
            let all = step[key].as_object().cloned().unwrap_or_default();
            let value = |v: &Value| text(&expanded(&text(v), contexts));
            all.iter().map(|(k, v)| (k.clone(), value(v))).collect()
        };
        let mut done = Step {
            name: step["name"].as_str().unwrap_or_default().to_string(),
            uses: step["uses"].as_str().unwrap_or_default().to_string(),
            with: map("with"),
            log: String::new(),
            code: 0,
        };
        let Some(script) = step["run"].as_str() else {
            return (done, Map::new());
        };
        assert!(
            !script.contains("${{"),
            "an expression in a script: {script}"
        );
        assert_eq!(step["shell"], "bash");
        let outputs = self.temp.join("outputs");
        std::fs::write(&outputs, "").unwrap();
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
        command.current_dir(&self.workspace).env_clear();
        command.envs(self.env.iter().cloned()).envs(map("env"));
        for name in [
            "GITHUB_REPOSITORY",
            "GITHUB_SERVER_URL",
            "GITHUB_API_URL",
            "GITHUB_RUN_ID",
            "GITHUB_REF",
        ] {
            let key = name.trim_start_matches("GITHUB_").to_lowercase();
            command.env(name, text(&self.github[&key]));
        }
        command
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_WORKSPACE", &self.workspace)
            .env("RUNNER_TEMP", &self.temp)
            .env("GITHUB_OUTPUT", &outputs)
            .env("GITHUB_ENV", self.temp.join("env"))
            .env("GITHUB_STEP_SUMMARY", self.temp.join("summary"));
        let output = command.output().unwrap();
        done.log = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        done.code = output.status.code().unwrap();
        let lines = std::fs::read_to_string(&outputs).unwrap();
        let pair = |line: &str| {
            let (name, value) = line.split_once('=').expect("NAME=VALUE");
            (name.to_string(), json!(value))
        };
        (done, lines.lines().map(pair).collect())
    }
}

/// A value in which `${{ … }}` stand for what they evaluate to.
fn expanded(template: &str, contexts: &Value) -> Value {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("${{") {
        let (expression, after) = behind.split_once("}}").unwrap();
        out.push_str(before);
        out.push_str(&text(&evaluate(expression, contexts)));
        rest = after;
    }
    json!(out + rest)
}

/// The expressions that the action uses: names, literals, `==`, `!=`, `&&`, `||`, without parentheses but those of `toJSON`, and
/// `LIST.*.NAME`.
fn evaluate(expression: &str, contexts: &Value) -> Value {
    let expression = expression.trim();
    for operator in ["||", "&&", "!=", "=="] {
        if let Some((left, right)) = expression.split_once(operator) {
            let left = evaluate(left, contexts);
            let right = || evaluate(right, contexts);
            return match operator {
                "||" => Some(left).filter(truthy).unwrap_or_else(right),
                "&&" if truthy(&left) => right(),
                "&&" => left,
                "==" => json!(text(&left) == text(&right())),
                _ => json!(text(&left) != text(&right())),
            };
        }
    }
    if let Some(literal) = expression.strip_prefix('\'') {
        return json!(literal.strip_suffix('\'').unwrap());
    }
    if let Some(value) = expression.strip_prefix("toJSON(") {
        let value = evaluate(value.strip_suffix(')').unwrap(), contexts);
        return json!(value.to_string());
    }
    if let Some((list, name)) = expression.split_once(".*.") {
        let list = evaluate(list, contexts);
        let each = list.as_array().into_iter().flatten();
        return each.map(|item| item[name].clone()).collect();
    }
    let parts = expression.split('.');
    let known = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    assert!(
        expression.chars().all(known),
        "not understood: {expression}"
    );
    parts.fold(contexts.clone(), |value, part| value[part].clone())
}

fn truthy(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false)) && value != ""
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
