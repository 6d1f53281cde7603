//! The subjects of papers 000 and 002 explored as they stand, our figures beside the papers': see docs/reproduction.md.

mod artefact;
mod brute;
pub mod complete;
pub mod concolic;
mod subject;
mod table;

use clap::Parser;
use shadow_ci::commands::explore::{ExploreOptions, Session};
use shadow_ci::options::Prune;
use std::path::PathBuf;
use std::process::ExitCode;

/// Explores the papers' subjects and compares the counts.
#[derive(Parser)]
pub struct Args {
    /// Checkouts of the public repositories with the subjects (packages jpf2019 for paper 000, jpf2017 for paper 002)
    #[arg(long, value_name = "DIR", num_args = 1.., required = true)]
    subjects: Vec<PathBuf>,
    /// Folder with the papers' tables as CSV
    #[arg(long, value_name = "DIR")]
    reference: PathBuf,
    /// Only subjects whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Instead: in Java's own arithmetic, compare the path conditions with brute force over [-100, 100] on the JVM
    #[arg(long)]
    brute_force: bool,
    /// Explore states, too, that can't diverge any more
    #[arg(long)]
    undirected: bool,
    /// How often one branch of one call may fork, for the two subjects that do not end by themselves
    #[arg(long, default_value_t = 6)]
    loop_bound: u32,
}

impl Args {
    fn wants(&self, subject: &str) -> bool {
        self.only.as_ref().is_none_or(|o| subject.contains(o))
    }

    fn prune(&self) -> Prune {
        if self.undirected {
            Prune::None
        } else {
            Prune::Reach
        }
    }
}

/// What a table's rows came to.
#[derive(Default)]
pub struct Summary {
    equal: u64,
    explained: u64,
    different: u64,
    seconds: f64,
}

impl Summary {
    fn add(&mut self, verdict: &str, seconds: f64) {
        match verdict.split(':').next() {
            Some("equal") => self.equal += 1,
            Some("explained") => self.explained += 1,
            _ => self.different += 1,
        }
        self.seconds += seconds;
    }
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// The session that all subjects share, started with the first.
///
/// # Errors
/// There is no JDK, or it does not start.
pub fn running<'a>(
    session: &'a mut Option<Session>,
    options: &ExploreOptions,
) -> Result<&'a mut Session, String> {
    match session {
        Some(running) => Ok(running),
        None => Ok(session.insert(Session::start(options).map_err(|e| e.to_string())?)),
    }
}

/// Prints the tables; the number of rows that differ without an explanation.
///
/// # Errors
/// A table or a subject can't be read, or an exploration fails.
pub fn run(args: &Args) -> Result<u64, String> {
    let (complete, concolic) = (
        subject::root(&args.subjects, "jpf2019"),
        subject::root(&args.subjects, "jpf2017"),
    );
    if complete.is_none() && concolic.is_none() {
        return Err("there is neither jpf2019 nor jpf2017 below --subjects".into());
    }
    let (mut session, mut different) = (None, 0);
    if let Some(root) = complete {
        println!("## Paper 000, tables 1 to 3\n");
        if args.brute_force {
            return brute::compare(args, &root);
        }
        different += told(&complete::compare(args, &root, &mut session)?);
    }
    if let Some(root) = concolic.filter(|_| !args.brute_force) {
        println!("\n## Paper 002, table 2\n");
        different += told(&concolic::compare(args, &root, &mut session)?);
    }
    Ok(different)
}

fn told(summary: &Summary) -> u64 {
    let Summary {
        equal,
        explained,
        different,
        seconds,
    } = summary;
    println!(
        "\n{equal} rows equal, {explained} explained, {different} different; {seconds:.1} s of exploration, one thread"
    );
    *different
}
