//! The subjects of paper 000 (tables 1 to 3) explored as they stand, our counts beside the paper's: see docs/reproduction.md.

mod brute;

use clap::Parser;
use shadow_ci::cli::Environment;
use shadow_ci::error::Error;
use shadow_ci::explore::{Exploration, ExploreOptions, Session, Target};
use shadow_ci::options::{Arithmetic, Oracle, Prune, Search};
use shadow_ci::symex::ExploreMode;
use shadow_ci::verdict::End;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Explores the subjects of paper 000 and compares the counts.
#[derive(Parser)]
struct Args {
    /// Checkout of the public repository with the subjects
    checkout: PathBuf,
    /// The paper's tables as CSV: subject,…,sjplus_time_s,…,sjplus_diff_paths
    table: PathBuf,
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

/// One row of the tables.
struct Row {
    subject: String,
    /// Diff paths in the paper; `None` where its tool did not end.
    diff: Option<u64>,
    seconds: String,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Prints the table; the number of rows that differ without an explanation.
fn run(args: &Args) -> Result<u64, String> {
    let text = std::fs::read_to_string(&args.table)
        .map_err(|e| format!("{}: {e}", args.table.display()))?;
    let rows = rows(&text)?;
    let root = subjects(&args.checkout)
        .ok_or_else(|| format!("{}: there is no jpf2019 below", args.checkout.display()))?;
    if args.brute_force {
        let rows = rows.iter().filter(|r| wanted(args, r));
        return brute::compare(&root, rows.map(|r| r.subject.as_str()));
    }
    let (mut differ, mut seconds) = (0, 0.0);
    let mut session: Option<Session> = None;
    println!("| subject | paper | ours | pruned | states | seconds | paper's | verdict |");
    println!("|---|---|---|---|---|---|---|---|");
    for row in rows.iter().filter(|r| wanted(args, r)) {
        let Some((class, method)) = class_of(&row.subject) else {
            return Err(format!("{}: unknown subject", row.subject));
        };
        let mut options = options(&root, &class, method, args.loop_bound);
        if args.undirected {
            options.prune = Prune::None;
        }
        let explained = |e: Error| format!("{}: {e}", row.subject);
        let running = match &mut session {
            Some(running) => running,
            None => session.insert(Session::start(&options).map_err(explained)?),
        };
        let found = running.run(&options).map_err(explained)?;
        let mut verdict = verdict(row, &found);
        if verdict.starts_with("different") {
            // Cut paths could be what explains it.
            let all = ExploreOptions {
                prune: Prune::None,
                ..options
            };
            verdict = self::verdict(row, &running.run(&all).map_err(explained)?);
        }
        differ += u64::from(verdict.starts_with("different"));
        seconds += found.seconds;
        println!(
            "| {} | {} | {} | {} | {} | {:.3} | {} | {verdict} |",
            row.subject,
            row.diff.map_or("-".into(), |d| d.to_string()),
            found.paths.diff,
            found.paths.pruned,
            found.states,
            found.seconds,
            row.seconds,
        );
    }
    println!("\n{differ} rows differ; {seconds:.1} s of exploration, one thread");
    Ok(differ)
}

fn wanted(args: &Args, row: &Row) -> bool {
    args.only.as_ref().is_none_or(|o| row.subject.contains(o))
}

fn rows(text: &str) -> Result<Vec<Row>, String> {
    let mut lines = text.lines();
    let header: Vec<String> = lines.next().map(fields).unwrap_or_default();
    let column = |name: &str| {
        let at = header.iter().position(|h| h == name);
        at.ok_or_else(|| format!("the table has no column {name}"))
    };
    let (subject, diff, time) = (
        column("subject")?,
        column("sjplus_diff_paths")?,
        column("sjplus_time_s")?,
    );
    Ok(lines
        .map(fields)
        .filter(|f| f.len() == header.len())
        .map(|f| Row {
            subject: f[subject].clone(),
            diff: f[diff].parse().ok(),
            seconds: f[time].clone(),
        })
        .collect())
}

/// Fields of a CSV line; quoted ones may hold commas.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut field, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    all.push(field);
    all
}

/// The folder that holds package `jpf2019`, in either of the repository's two trees.
fn subjects(checkout: &Path) -> Option<PathBuf> {
    ["jpf-shadow-plus/src/examples", "src/examples", "."]
        .iter()
        .map(|d| checkout.join(d))
        .find(|d| d.join("jpf2019").is_dir())
}

/// Class and symbolic method of a row: `simplify` calls `gcd` on fixed fields, and it is `gcd` that gets symbolic arguments.
fn class_of(subject: &str) -> Option<(String, &'static str)> {
    match subject {
        "foo" => return Some(("jpf2019.foo.Foo_1c".into(), "foo")),
        "Joda-Time" => {
            let class = "jpf2019.joda.localToUTC.ZonedChronology_1c";
            return Some((class.into(), "localToUTC"));
        }
        _ => {}
    }
    let (class, row) = subject.split_once('.')?;
    let (method, number) = row.split_once('_')?;
    let package = format!(
        "jpf2019.{}.{method}.{class}_{number}c",
        class.to_lowercase()
    );
    let symbolic = match method {
        "abs" => "abs",
        "gcd" | "simplify" => "gcd",
        "update" => "update",
        "launch" => "launch",
        _ => return None,
    };
    Some((package, symbolic))
}

/// The conditions of the paper's experiments.
fn options(root: &Path, class: &str, method: &str, loop_bound: u32) -> ExploreOptions {
    let environment = Environment {
        java_home: std::env::var_os("JAVA_HOME")
            .filter(|h| !h.is_empty())
            .map(PathBuf::from),
        path: std::env::var_os("PATH"),
        cache: None,
    };
    ExploreOptions {
        target: Target {
            class: class.into(),
            method: method.into(),
            parameters: None,
        },
        sources: vec![root.join(format!("{}.java", class.replace('.', "/")))],
        class_path: Vec::new(),
        from: Some("main".into()),
        mode: ExploreMode::Complete,
        arith: Arithmetic::Unbounded,
        int_range: Some((-100, 100)),
        oracle: Oracle::New,
        prune: Prune::Reach,
        search: Search::Dfs,
        seed: 0,
        loop_bound,
        max_string: 0,
        max_array: 0,
        max_paths: 100_000,
        enumerate: None,
        timeout: Some(Duration::from_secs(600)),
        java_home: environment.java_home,
        path: environment.path,
        cache: environment.cache,
    }
}

/// Equal, explained by a known artefact of the paper's tool, or different.
fn verdict(row: &Row, found: &Exploration) -> String {
    let ours = found.paths.diff;
    let Some(paper) = row.diff else {
        return "equal: endless in the paper, bounded here".into();
    };
    let unfinished: Vec<&str> = found.limits.iter().map(|l| l.reason.as_str()).collect();
    if !unfinished.is_empty() {
        return format!(
            "different: not explored to the end ({})",
            unfinished.join(", ")
        );
    }
    if ours == paper {
        return "equal".into();
    }
    let zero = divisions_by_zero(found);
    if zero > 0 && ours + zero == paper {
        return format!(
            "explained: it counts paths on which both versions divide by zero ({zero})"
        );
    }
    if let Some((_, right, why)) = ARTEFACTS.iter().find(|a| a.0 == row.subject)
        && ours + zero == *right
    {
        return format!("explained: {why}");
    }
    "different".into()
}

/// Known artefacts of the paper's tool: subject, the count without the artefact, what it is.
const ARTEFACTS: [(&str, u64, &str); 5] = [
    (
        "WBS.launch_9",
        9408,
        "a mis-classified `if` corrupts its stack; 9408 with the classification corrected",
    ),
    (
        "Rational.simplify_7",
        3,
        "it counts the path of a = 0, b = 0 twice: when gcd returns, and when the division behind it throws",
    ),
    (
        "Rational.simplify_8",
        3,
        "it counts the path of a = 0, b = 0 twice: when gcd returns, and when the division behind it throws",
    ),
    (
        "Rational.gcd_21",
        32,
        "its division keeps adding the old version's constraints behind a divergence; 32 without",
    ),
    (
        "Rational.simplify_25",
        33,
        "its division keeps adding the old version's constraints behind a divergence; 33 without",
    ),
];

/// Same paths that end with a division by zero, in both versions: the paper's tool counts them as diff paths.
fn divisions_by_zero(found: &Exploration) -> u64 {
    let divides = |end: &End| matches!(end, End::Threw { class, .. } if class == "java.lang.ArithmeticException");
    found
        .finished
        .iter()
        .filter(|p| !p.control && divides(&p.new.end))
        .count() as u64
}
