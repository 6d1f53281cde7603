//! The tool's self-description: shell completions, manual page, schema of the report, options in force.

use crate::commands::cli::Cli;
use crate::error::Error;
use crate::options::{ConfigFile, Options};
use clap::CommandFactory;

/// The schema of the JSON report.
pub const SCHEMA: &str = include_str!("../report/report.schema.json");

/// The completion script for a shell.
pub fn completions(shell: clap_complete::Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "shadow-ci", &mut script);
    script
}

/// The manual page, of the tool or of one of its commands, as troff.
///
/// # Errors
/// There is no such command.
pub fn manual(command: Option<&str>) -> Result<Vec<u8>, Error> {
    let mut cli = Cli::command();
    cli.build();
    let page = match command {
        None => cli,
        // Building has given it its full name, such as shadow-ci-replay.
        Some(name) => cli
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Error::Usage(format!("man {name}: unknown command")))?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .map_err(|e| Error::Io {
            what: "cannot write the manual page".into(),
            why: e.to_string(),
        })?;
    Ok(text)
}

/// The options in force as a `shadow-ci.toml` that would set them.
///
/// # Errors
/// They can't be written as TOML.
pub fn config(options: &Options) -> Result<String, Error> {
    toml::to_string(&ConfigFile::from(options)).map_err(|e| Error::Config(e.to_string()))
}
