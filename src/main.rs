//! The thin binary over the library: environment in, exit code out.

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use shadow_ci::cli::{Check, Cli, Command, Environment};
use shadow_ci::error::Error;
use shadow_ci::explore::{self, ExploreArgs};
use shadow_ci::impact::Flow;
use shadow_ci::options::DataFlow;
use shadow_ci::pipeline::{self, Progress};
use shadow_ci::report::markdown::Context;
use shadow_ci::report::site::Site;
use shadow_ci::report::{annotations, json, terminal};
use shadow_ci::{annotate, comment, exit_code, impacted, projection, testgen};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        eprintln!("shadow-ci: internal error, please report: {info}");
    }));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() {
                exit_code::ERROR
            } else {
                exit_code::CLEAN
            });
        }
    };
    let run = std::panic::catch_unwind(|| run(&cli));
    match run {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => {
            let mut text = String::new();
            text.push_str(&format!("error: {error}\n"));
            if let Some(help) = miette::Diagnostic::help(&error) {
                text.push_str(&format!("help: {help}\n"));
            }
            eprint!("{}", for_log(&text));
            ExitCode::from(exit_code::ERROR)
        }
        Err(_) => ExitCode::from(exit_code::ERROR),
    }
}

fn environment() -> Environment {
    let home = std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".cache"));
    Environment {
        java_home: std::env::var_os("JAVA_HOME")
            .filter(|h| !h.is_empty())
            .map(PathBuf::from),
        path: std::env::var_os("PATH"),
        cache: std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or(home)
            .map(|c| c.join("shadow-ci")),
    }
}

fn run(cli: &Cli) -> Result<u8, Error> {
    match &cli.command {
        None => check(&cli.check),
        Some(Command::Annotate { out, check }) => print_text(&annotate::render(
            &check.options(&environment())?,
            out.as_deref(),
        )?),
        Some(Command::Dump { stage, check, .. }) if stage == "annotate" => {
            print_text(&annotate::render(&check.options(&environment())?, None)?)
        }
        Some(Command::Dump { stage, check, .. }) if stage == "diff" || stage == "files" => {
            print_text(&annotate::dump(stage, &check.options(&environment())?)?)
        }
        Some(Command::Dump { stage, check, each }) if stage == "projection" => {
            print_text(&projection::render(&check.options(&environment())?, *each)?)
        }
        Some(Command::Dump { stage, .. }) => Err(Error::NotSupported(format!(
            "dump {stage} (stages so far: files, diff, annotate, projection)"
        ))),
        Some(Command::Impact {
            format,
            data_flow,
            check,
        }) => {
            let flow = match data_flow {
                DataFlow::Paths => Flow::Paths,
                DataFlow::Reaching => Flow::Reaching,
            };
            print_text(&impacted::render(
                &check.options(&environment())?,
                *format,
                flow,
            )?)
        }
        Some(Command::Explore(args)) => explore(args),
        Some(Command::Comment(wanted)) => {
            let api_url = wanted
                .api_url
                .clone()
                .or_else(|| variable("GITHUB_API_URL"));
            let api_url = api_url.as_deref().unwrap_or("https://api.github.com");
            print_text(&comment::run(wanted, api_url, || {
                variable(&wanted.token_env)
            })?)
        }
    }
}

fn check(check: &Check) -> Result<u8, Error> {
    let options = check.options(&environment())?;
    let bar = Bar::new(check.quiet);
    let mut report = pipeline::run(&options, &bar)?;
    bar.0.finish_and_clear();
    let junit = testgen::JUnit::of_repository(&options.repo);
    testgen::show(&mut report, junit);
    if let Some(dir) = &options.tests_dir {
        testgen::write(&mut report, dir, junit)?;
    }
    let to_stdout = check.json.as_deref() == Some("-");
    if let Some(file) = &check.json {
        write_json(file, &json::render(&report))?;
    }
    let mut outputs = check.outputs.clone();
    outputs.annotations |= on_actions();
    let commands = outputs.write(&report, &options.fail_on, &markdown_context())?;
    if !check.quiet && !to_stdout {
        let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let text = terminal::render(&report, terminal::Style { colour });
        print_text(&for_log(&text))?;
    }
    // The runner reads both streams; standard output may be meant to be JSON only.
    if to_stdout {
        eprint!("{commands}");
    } else {
        print_text(&commands)?;
    }
    Ok(exit_code::of(&report, &options.fail_on))
}

fn explore(args: &ExploreArgs) -> Result<u8, Error> {
    let found = explore::run(&args.options(&environment())?)?;
    if let Some(file) = &args.json {
        write_json(file, &explore::json(&found))?;
    }
    if args.json.as_deref() != Some("-") {
        print_text(&explore::text(&found, args.show))?;
    }
    Ok(exit_code::CLEAN)
}

/// Writes to a file, or to standard output for `-`.
fn write_json(file: &str, value: &serde_json::Value) -> Result<(), Error> {
    let text = format!("{value:#}\n");
    if file == "-" {
        // A runner that logs it obeys `##[command]` anywhere; in JSON that only stands in strings.
        print_text(&text.replace("##[", "\\u0023#["))?;
        return Ok(());
    }
    std::fs::write(file, text).map_err(|e| Error::Io {
        what: format!("cannot write {file}"),
        why: e.to_string(),
    })
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

fn on_actions() -> bool {
    variable("GITHUB_ACTIONS").as_deref() == Some("true")
}

/// What the runner says of where a summary will stand.
fn markdown_context() -> Context {
    let server = variable("GITHUB_SERVER_URL").unwrap_or_default();
    let repository = variable("GITHUB_REPOSITORY").unwrap_or_default();
    let pull = variable("GITHUB_REF").and_then(|r| {
        r.strip_prefix("refs/pull/")?
            .split('/')
            .next()?
            .parse()
            .ok()
    });
    let site = Site::new(&server, &repository, pull);
    let run = variable("GITHUB_RUN_ID").filter(|_| site.is_some());
    Context {
        full_report: run.map(|id| format!("{server}/{repository}/actions/runs/{id}")),
        site,
    }
}

/// Text with parts of the code under test: on GitHub's runner, framed so that no line of it is a command.
fn for_log(text: &str) -> String {
    if !on_actions() {
        return text.to_string();
    }
    // Random keys are all that the standard library has to make a word that nobody can foresee.
    let word = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
    annotations::framed(text, &format!("shadow-ci-{word:016x}"))
}

/// Prints; a reader that went away (`| head`) is no error.
fn print_text(text: &str) -> Result<u8, Error> {
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(exit_code::CLEAN)
}

/// Progress on a terminal, silence elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new(quiet: bool) -> Bar {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new_spinner()
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(std::time::Duration::from_millis(100));
        Bar(bar)
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str) {
        self.0.set_message(name.to_string());
    }

    fn method(&self, done: usize, all: usize, name: &str) {
        self.0
            .set_message(format!("{done} of {all} methods, last {name}"));
    }
}
