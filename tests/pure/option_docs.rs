//! One meaning per option: the command line's help, docs/options.md, the Action's inputs, shadow-ci.toml and README say the same.

use clap::{Arg, CommandFactory};
use serde_json::Value;
use shadow_ci::commands::cli::Cli;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The options of the check, in the order of `--help`.
fn options() -> Vec<Arg> {
    let command = Cli::command();
    let all = command.get_arguments().filter(|a| a.get_long().is_some());
    all.cloned().collect()
}

fn name(option: &Arg) -> String {
    option.get_long().unwrap().to_string()
}

fn help(option: &Arg) -> String {
    option.get_help().unwrap().to_string()
}

fn action_inputs() -> serde_json::Map<String, Value> {
    let action: Value = serde_yaml_ng::from_str(&read("action.yml")).unwrap();
    action["inputs"].as_object().unwrap().clone()
}

/// What `shadow-ci.toml` may set, as the reader of that file says when it meets another name.
fn settings() -> BTreeSet<String> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("shadow-ci.toml"), "nonsense = 1\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["--print-config", "--repo"])
        .arg(dir.path())
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    let (_, names) = message.split_once("expected one of ").expect(&message);
    let line = names.lines().next().unwrap();
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.map(str::to_string).collect()
}

/// Inputs of the Action that are no options of the check.
const ACTION_ONLY: [&str; 11] = [
    "report-as",
    "accept-label",
    "old",
    "new",
    "summary",
    "comment",
    "token",
    "artifact",
    "version",
    "sha256",
    "releases",
];

/// Options that the Action sets itself, or that make no sense there.
const COMMAND_LINE_ONLY: [&str; 11] = [
    "builds",
    "events",
    "shard",
    "profile",
    "summary",
    "step-outputs",
    "annotations",
    "gitlab",
    "quiet",
    "print-config",
    "help",
];

#[test]
fn the_action_has_an_input_for_each_option_and_says_the_same_of_it() {
    let inputs = action_inputs();
    for option in options() {
        let name = name(&option);
        if COMMAND_LINE_ONLY.contains(&&*name) {
            continue;
        }
        let input = inputs
            .get(&name)
            .unwrap_or_else(|| panic!("no input {name} in action.yml"));
        // On GitHub there is no standard output to write a report to.
        let meaning = help(&option).replace(" (- for standard output)", "");
        assert_eq!(input["description"], *meaning, "{name}");
    }
    let known: BTreeSet<String> = options().iter().map(name).collect();
    for input in inputs.keys() {
        assert!(
            known.contains(input) || ACTION_ONLY.contains(&&**input),
            "input {input} is no option"
        );
    }
}

/// An input that reaches no script does nothing.
#[test]
fn each_input_of_the_action_is_passed_on() {
    let (action, check) = (read("action.yml"), read("scripts/action/check.sh"));
    for input in action_inputs().keys() {
        assert!(
            action.contains(&format!("${{{{ inputs.{input} }}}}")),
            "{input}"
        );
        if !ACTION_ONLY.contains(&&**input) {
            let variable = format!("INPUT_{}:", input.replace('-', "_").to_uppercase());
            assert!(action.contains(&variable), "{variable}");
            let word = |w: &str| w.trim_matches(|c: char| !c.is_ascii_alphanumeric()) == input;
            assert!(
                check.split_whitespace().any(word),
                "{input} is not read in check.sh"
            );
        }
    }
}

#[test]
fn shadow_ci_toml_names_options() {
    let known: BTreeSet<String> = options().iter().map(name).collect();
    let settings = settings();
    assert!(
        settings.len() > 10 && settings.is_subset(&known),
        "{settings:?}"
    );
}

#[test]
fn readme_and_docs_name_options_that_there_are() {
    let command = Cli::command();
    let mut known: BTreeSet<String> = ["version", "help"].map(String::from).into();
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        known.extend(
            command
                .get_arguments()
                .filter_map(|a| a.get_long().map(String::from)),
        );
    }
    let cell = |line: &str| {
        line.strip_prefix("| ")?
            .split_once(" |")
            .map(|c| c.0.to_string())
    };
    for file in ["README.md", "docs/outputs.md", "docs/options.md"] {
        let text = read(file);
        let mut named = 0;
        for first in text.lines().filter_map(cell) {
            for word in first
                .split(['`', ' ', ','])
                .filter_map(|w| w.strip_prefix("--"))
            {
                assert!(known.contains(word), "{file}: --{word}");
                named += 1;
            }
        }
        assert!(named > 5, "{file}");
    }
}

fn value_name(option: &Arg) -> String {
    if !option.get_action().takes_values() {
        return String::new();
    }
    let possible: Vec<String> = option
        .get_possible_values()
        .iter()
        .map(|v| v.get_name().to_string())
        .collect();
    match option.get_value_names() {
        _ if !possible.is_empty() && name(option) != "fail-on" => {
            format!(" {}", possible.join("\\|"))
        }
        Some(names) => format!(" {}", names.join(" ")),
        None => String::new(),
    }
}

/// docs/options.md is this table: BLESS=1 cargo test --test pure option_docs writes it anew.
#[test]
fn the_table_of_options_is_up_to_date() {
    let (inputs, settings) = (action_inputs(), settings());
    let mut table = String::from(
        "# Options\n\nThese are the options of the check. The command line overrides `shadow-ci.toml` at the repository root, which overrides the defaults.\n\n\
         | option | `shadow-ci.toml` | Action input | meaning |\n|---|---|---|---|\n",
    );
    for option in options() {
        let name = name(&option);
        let tick = |is: bool| if is { "yes" } else { "" };
        let default: Vec<_> = option
            .get_default_values()
            .iter()
            .map(|d| d.to_string_lossy())
            .collect();
        let shown = match default[..] {
            [] => String::new(),
            _ => format!(" [default: {}]", default.join(", ")),
        };
        let mut meaning = help(&option).replace('|', "\\|");
        if option.get_action().takes_values() {
            meaning.push_str(&shown);
        }
        table.push_str(&format!(
            "| `--{name}{}` | {} | {} | {meaning} |\n",
            value_name(&option),
            tick(settings.contains(&name)),
            tick(inputs.contains_key(&name)),
        ));
    }
    table.push_str("\nLists in `shadow-ci.toml` are arrays. In the Action, `source-root`, `method`, `path`, `exclude` and `input` take one value per line.\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/options.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), table);
}
