//! The thin binary over the library: environment in, exit code out.

use clap::Parser;
use shadow_ci::check;
use shadow_ci::check::pipeline;
use shadow_ci::commands::bar::Bar;
use shadow_ci::commands::cli::{Check, Cli, Command};
use shadow_ci::commands::explore::{self, ExploreArgs};
use shadow_ci::commands::finish::{self, Deliverables, write_json, write_out};
use shadow_ci::commands::inert::Inert;
use shadow_ci::commands::interim::Interim;
use shadow_ci::commands::{
    accept, actions, annotate, comment, conformance, describe, exit_code, history, impact,
    interrupt, merge, plan, project, projection, proofs, replay, select,
};
use shadow_ci::contain;
use shadow_ci::error::Error;
use shadow_ci::impact::Flow;
use shadow_ci::options::{DataFlow, Environment, Options, Revisions, Show};
use shadow_ci::report::{Report, html, terminal};
use shadow_ci::testgen;
use shadow_ci::util::temporary;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// What `RUST_LOG` asks for is written to standard error: `shadow_ci=debug` the stages and methods with their times,
/// `shadow_ci::solver=trace` every query as SMT-LIB, which `z3 FILE` runs again.
fn log() {
    if let Ok(filter) = EnvFilter::try_from_default_env() {
        tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .with_span_events(FmtSpan::CLOSE)
            .with_ansi(false)
            .init();
    }
}

fn main() -> ExitCode {
    if let Some(failed) = contain::enter(std::env::args_os()) {
        return failed;
    }
    std::panic::set_hook(Box::new(|info| {
        eprintln!("shadow-ci: internal error, please report: {info}");
    }));
    log();
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
    if interrupt::is_ending() {
        interrupt::wait_for_end();
    }
    temporary::remove();
    match run {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => {
            let mut text = String::new();
            text.push_str(&format!("error: {error}\n"));
            if let Some(help) = miette::Diagnostic::help(&error) {
                text.push_str(&format!("help: {help}\n"));
            }
            eprint!("{}", actions::for_log(&text));
            ExitCode::from(exit_code::ERROR)
        }
        Err(_) => ExitCode::from(exit_code::ERROR),
    }
}

fn run(cli: &Cli) -> Result<u8, Error> {
    match &cli.command {
        None => check(&cli.check),
        Some(Command::Annotate { out, check }) => printed(check, |options, revisions| {
            annotate::render(options, revisions, out.as_deref())
        }),
        Some(Command::Dump { stage, check, each }) => dump(stage, check, *each),
        Some(Command::Project {
            commit,
            json,
            repo,
            build,
            offline,
        }) => {
            let check = Check {
                repo: repo.clone(),
                build: Some(*build),
                offline: *offline,
                ..Check::of(commit, commit)
            };
            let options = check.options(&Environment::of_process())?;
            print_text(&project::render(&options, commit, *json)?)
        }
        Some(Command::Completions { shell }) => print_bytes(&describe::completions(*shell)),
        Some(Command::Man { command }) => print_bytes(&describe::manual(command.as_deref())?),
        Some(Command::Schema) => print_text(describe::SCHEMA),
        Some(Command::Replay { check, call }) => replay(check, call.as_deref()),
        Some(Command::Plan { shards, check }) => plan(check, usize::from(*shards)),
        Some(Command::Merge(wanted)) => merge_reports(wanted),
        Some(Command::History {
            out,
            shards,
            collect,
            check,
        }) => history(check, out, *shards, *collect),
        Some(Command::Select { generated, check }) => select(check, *generated),
        Some(Command::Impact {
            format,
            data_flow,
            check,
        }) => {
            let flow = match data_flow {
                DataFlow::Paths => Flow::Paths,
                DataFlow::Reaching => Flow::Reaching,
            };
            printed(check, |options, revisions| {
                impact::render(options, revisions, *format, flow)
            })
        }
        Some(Command::Explore(args)) => explore(args),
        Some(Command::Conformance(args)) => {
            let tallies = conformance::run(&args.options(&Environment::of_process()))?;
            print_text(&conformance::text(&tallies, args.verbose))?;
            Ok(u8::from(tallies.iter().any(|t| !t.mismatches.is_empty())))
        }
        Some(Command::Accept(wanted)) => print_text(&accept::run(wanted)?),
        Some(Command::Comment(wanted)) => comment(wanted),
    }
}

/// Prints what a command on two commits renders.
fn printed(
    check: &Check,
    render: impl FnOnce(&Options, &Revisions) -> Result<String, Error>,
) -> Result<u8, Error> {
    print_text(&render(
        &check.options(&Environment::of_process())?,
        &check.revisions()?,
    )?)
}

fn dump(stage: &str, check: &Check, each: bool) -> Result<u8, Error> {
    match stage {
        "annotate" => printed(check, |o, r| annotate::render(o, r, None)),
        "diff" | "files" => printed(check, |o, r| annotate::dump(stage, o, r)),
        "proofs" => printed(check, proofs::render),
        "projection" => printed(check, |o, r| projection::render(o, r, each)),
        _ => Err(Error::NotSupported(format!(
            "dump {stage} (supported stages: files, diff, annotate, projection, proofs)"
        ))),
    }
}

fn replay(check: &Check, call: Option<&str>) -> Result<u8, Error> {
    let call = call.ok_or_else(|| {
        Error::Replay("the call is missing: shadow-ci replay OLD NEW 'demo.Foo.bar(0)'".into())
    })?;
    let (text, code) = replay::run(
        &check.options(&Environment::of_process())?,
        &check.revisions()?,
        call,
    )?;
    print_text(&text)?;
    Ok(code)
}

fn plan(check: &Check, shards: usize) -> Result<u8, Error> {
    let bar = bar(check, Interim::default())?;
    let options = check.options(&Environment::of_process())?;
    let parts = check::plan::plan(&options, &check.revisions()?, shards, &bar)?;
    bar.clear();
    print_text(&plan::render(&parts))
}

fn comment(wanted: &comment::Comment) -> Result<u8, Error> {
    let api_url = wanted
        .api_url
        .clone()
        .or_else(|| actions::variable("GITHUB_API_URL"));
    let api_url = api_url.as_deref().unwrap_or("https://api.github.com");
    print_text(&comment::run(wanted, api_url, || {
        actions::variable(&wanted.token_env)
    })?)
}

fn check(check: &Check) -> Result<u8, Error> {
    if check.print_config {
        return print_text(&describe::config(
            &check.options(&Environment::of_process())?,
        )?);
    }
    let (options, revisions) = (
        check.options(&Environment::of_process())?,
        check.revisions()?,
    );
    let wanted = Deliverables {
        json: check.json.as_deref(),
        html: check.html.as_deref(),
        tests_dir: options.outputs.tests_dir.as_deref(),
        outputs: &check.outputs,
        fail_on: &options.outputs.fail_on,
        junit: testgen::JUnit::of_repository(&options.repo),
        shard: options.selection.shard,
    };
    wanted.check()?;
    let interim = Interim::default();
    watch(check, (&options, &revisions), &interim);
    temporary::sweep();
    let bar = bar(check, interim)?;
    let mut report = pipeline::run(&options, &revisions, &bar)?;
    bar.clear();
    let mut to_stdout = false;
    if let Some(file) = &check.profile {
        to_stdout |= write_json(file, &bar.profile(&report))?;
    }
    if check.show == Show::All {
        report.want_minor();
    }
    accept::remember(&options, &report);
    let finished = finish::write(&mut report, &wanted)?;
    to_stdout |= finished.to_stdout;
    let commands = finished.commands;
    if !check.quiet && !to_stdout {
        print_text(&actions::for_log(&terminal::render(&report, style(check))))?;
    }
    // The runner reads both streams; standard output may be meant to be JSON only.
    if to_stdout {
        eprint!("{commands}");
    } else {
        print_text(&commands)?;
    }
    Ok(exit_code::of(&report, &options.outputs.fail_on))
}

/// Where a signal ends the run, what was found so far is printed: the methods that are done, and findings of the others.
fn watch(check: &Check, (options, revisions): (&Options, &Revisions), interim: &Interim) {
    let (interim, options) = (interim.clone(), options.clone());
    let revisions = revisions.clone();
    let (quiet, style) = (check.quiet, style(check));
    let started = Instant::now();
    interrupt::watch(move || {
        let known = interim.lock();
        let unfinished = known.unfinished();
        let mut text = String::new();
        if !quiet && !known.methods.is_empty() {
            let mut report = Report::new(&options, &revisions, (&revisions.old, &revisions.new));
            report.methods.clone_from(&known.methods);
            report.seconds = started.elapsed().as_secs_f64();
            text = terminal::render(&report, style);
        }
        if !quiet {
            text += &unfinished;
        }
        if !text.is_empty() {
            text += "ended early: these are the findings so far\n";
        }
        (actions::for_log(&text), known.place())
    });
}

fn merge_reports(wanted: &merge::Merge) -> Result<u8, Error> {
    let merged = merge::run(wanted)?;
    if let Some(lost) = &merged.lost {
        eprintln!("shadow-ci: {lost}");
    }
    if merged.finished.to_stdout {
        eprint!("{}", merged.finished.commands);
    } else {
        print_text(&actions::for_log(&merged.text))?;
        print_text(&merged.finished.commands)?;
    }
    Ok(merged.code)
}

fn history(
    check: &Check,
    out: &Path,
    shards: Option<u16>,
    is_collected: bool,
) -> Result<u8, Error> {
    let others = check.json.is_some() || check.tests_dir.is_some() || check.events.is_some();
    if others || check.outputs.are_more_than_a_summary() {
        let why = "for a range of commits, outputs other than --html and --summary: the reports are in --out";
        return Err(Error::NotSupported(why.into()));
    }
    let range = history::range(check.old.as_deref(), check.new.as_deref())?;
    let options = check.options(&Environment::of_process())?;
    if let Some(of) = shards {
        return print_text(&history::plan(&options, &range, usize::from(of))?);
    }
    if !is_collected {
        interrupt::watch(Default::default);
        temporary::sweep();
        let bar = bar(check, Interim::default())?;
        history::run(&options, &range, out, &bar)?;
        bar.clear();
    }
    let found = history::collect(&options, &range, out)?;
    let default = out.join("history.html").display().to_string();
    let page = check.html.clone().unwrap_or(default);
    let to_stdout = write_out(&page, &html::history::render(&found))?;
    check.outputs.append_summary(&found.table())?;
    if !check.quiet && !to_stdout {
        print_text(&actions::for_log(&found.table()))?;
    }
    for row in found.missing() {
        eprintln!("shadow-ci: the report of commit {} is missing", row.short());
    }
    Ok(match found.fails(&options.outputs.fail_on) {
        true => exit_code::FINDINGS,
        false => exit_code::CLEAN,
    })
}

fn select(check: &Check, generated: bool) -> Result<u8, Error> {
    let bar = bar(check, Interim::default())?;
    let found = select::run(
        &check.options(&Environment::of_process())?,
        &check.revisions()?,
        generated,
        &bar,
    )?;
    bar.clear();
    let mut to_stdout = false;
    if let Some(file) = &check.json {
        to_stdout = write_json(file, &select::json(&found))?;
    }
    if !check.quiet && !to_stdout {
        print_text(&actions::for_log(&select::text(&found)))?;
    }
    Ok(exit_code::CLEAN)
}

fn explore(args: &ExploreArgs) -> Result<u8, Error> {
    let found = explore::run(&args.options(&Environment::of_process())?)?;
    if let Some(file) = &args.json {
        let write = |out: &mut dyn Write| {
            explore::write_json(&found, &mut *out)?;
            out.write_all(b"\n")
        };
        if file == "-" {
            // A reader that went away is no error.
            let _ = write(&mut Inert::new(std::io::stdout().lock()));
        } else {
            let made = std::fs::File::create(file).map(std::io::BufWriter::new);
            let done = made.and_then(|mut out| write(&mut out).and_then(|()| out.flush()));
            done.map_err(|e| Error::Io {
                what: format!("cannot write {file}"),
                why: e.to_string(),
            })?;
        }
    }
    if args.json.as_deref() != Some("-") {
        print_text(&explore::text(&found, args.show))?;
    }
    Ok(exit_code::CLEAN)
}

/// Colours and line breaks on a terminal only, and as its user wants them.
fn style(check: &Check) -> terminal::Style {
    let terminal = std::io::stdout().is_terminal();
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
    let size = terminal_size::terminal_size_of(std::io::stdout());
    terminal::Style {
        colour: terminal && !no_colour && !dumb,
        width: size.filter(|_| terminal).map(|(w, _)| usize::from(w.0)),
        verbose: check.verbose,
        all: check.show == Show::All,
    }
}

/// Progress as the options ask for it.
fn bar(check: &Check, interim: Interim) -> Result<Bar, Error> {
    Bar::new(
        (check.quiet, check.verbose),
        check.events.as_deref(),
        interim,
    )
}

/// Prints; a reader that went away (`| head`) is no error.
fn print_text(text: &str) -> Result<u8, Error> {
    print_bytes(text.as_bytes())
}

fn print_bytes(bytes: &[u8]) -> Result<u8, Error> {
    let _ = std::io::stdout().write_all(bytes);
    Ok(exit_code::CLEAN)
}
