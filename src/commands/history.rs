//! `shadow-ci history`: every commit of a range against its first parent, a report each, one table and one HTML file of all.
//!
//! A report is written whole or not at all, and a commit that has one is not run again: so a run goes on where it was ended, and
//! the reports of several machines make one history when they are put into one folder.

use crate::check::pipeline;
use crate::check::progress::Progress;
use crate::check::shard::spread;
use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::jvm::Compilers;
use crate::model::{Finding, MethodRef};
use crate::options::{ConfigFile, Options, Revisions};
use crate::report::document::Document;
use crate::report::history::{History, Row, State};
use crate::report::json;
use crate::testgen::{self, JUnit};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

/// What reports of one folder have in common.
const SETTINGS: &str = "history.toml";

/// A commit and its first parent.
type Pair = (String, String);

/// Splits `OLD..NEW`, which stands where the old revision would.
///
/// # Errors
/// It is no range.
pub fn range(old: Option<&str>, new: Option<&str>) -> Result<Revisions, Error> {
    let parts = match (old, new) {
        (Some(range), None) => range.split_once(".."),
        (Some(old), Some(new)) => Some((old, new)),
        (None, _) => None,
    };
    match parts {
        Some((old, new)) if !old.is_empty() && !new.is_empty() && !new.starts_with('.') => {
            Ok(Revisions {
                old: old.to_string(),
                new: new.to_string(),
            })
        }
        _ => Err(Error::Usage(
            "history takes a range of commits: shadow-ci history v1.0..HEAD --out DIR".into(),
        )),
    }
}

/// The commits of the range, newest first.
///
/// # Errors
/// A revision is unknown.
fn pairs(options: &Options, range: &Revisions) -> Result<(Repo, Vec<Pair>), Error> {
    let repo = Repo::open(&options.repo)?;
    let pairs = repo.commits_between(&range.old, &range.new)?;
    Ok((repo, pairs))
}

/// The shard of each commit: by the number of changed source files, dearest first.
fn shards(repo: &Repo, pairs: &[Pair], of: usize) -> Result<BTreeMap<String, usize>, Error> {
    let mut costs = BTreeMap::new();
    for (old, new) in pairs {
        let commit = |id: &String| Commit { id: id.clone() };
        let files = repo.changed_java_files(&commit(old), &commit(new))?;
        costs.insert(new.as_str(), 1 + files.len() as u64);
    }
    let shards = spread(costs, of).into_iter();
    Ok(shards.map(|(id, shard)| (id.to_string(), shard)).collect())
}

/// The shards as the matrix of a CI system, a line of JSON.
///
/// # Errors
/// A revision is unknown.
pub fn plan(options: &Options, range: &Revisions, of: usize) -> Result<String, Error> {
    let (repo, pairs) = pairs(options, range)?;
    let of = of.min(pairs.len()).max(1);
    let shards = shards(&repo, &pairs, of)?;
    let include = (1..=of).map(|index| {
        let mine = pairs.iter().filter(|p| shards.get(&p.1) == Some(&index));
        let commits: Vec<&String> = mine.map(|p| &p.1).collect();
        json!({ "shard": format!("{index}/{of}"), "commits": commits })
    });
    let include: Vec<Value> = include.collect();
    Ok(format!("{}\n", json!({ "include": include })))
}

/// Runs what has no report yet, of the shard if one is asked for.
///
/// # Errors
/// A revision is unknown; the folder can't be written, or holds reports made with other options.
pub fn run(
    options: &Options,
    range: &Revisions,
    out: &Path,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let (repo, pairs) = pairs(options, range)?;
    fix_settings(options, out)?;
    let todo = of_the_shard(options, &repo, pairs)?;
    // A commit is the work of one machine.
    let mut whole = options.clone();
    (whole.selection.shard, whole.builds.handed_over) = (None, None);
    whole.environment.compilers = Compilers::kept();
    for (i, (old, new)) in todo.iter().enumerate() {
        if matches!(state(out, new), State::Judged(_)) {
            continue;
        }
        let short = new.get(..12).unwrap_or(new);
        progress.stage(&format!("commit {} of {}: {short}", i + 1, todo.len()));
        let revisions = Revisions {
            old: old.clone(),
            new: new.clone(),
        };
        check_commit(&whole, &revisions, out, &Quiet(progress))?;
    }
    Ok(())
}

/// Those that this machine takes.
fn of_the_shard(options: &Options, repo: &Repo, pairs: Vec<Pair>) -> Result<Vec<Pair>, Error> {
    let Some(shard) = options.selection.shard else {
        return Ok(pairs);
    };
    let shards = shards(repo, &pairs, shard.of)?;
    let is_mine = |pair: &Pair| shards.get(&pair.1) == Some(&shard.index);
    Ok(pairs.into_iter().filter(is_mine).collect())
}

/// Checks a commit, and leaves its report or why there is none.
fn check_commit(
    options: &Options,
    revisions: &Revisions,
    out: &Path,
    progress: &dyn Progress,
) -> Result<(), Error> {
    // A fault of ours costs its own commit only.
    let run = AssertUnwindSafe(|| pipeline::run(options, revisions, progress));
    let result = std::panic::catch_unwind(run);
    let failed = file(out, &revisions.new, "error");
    match result {
        Ok(Ok(mut report)) => {
            testgen::show(&mut report, JUnit::of_repository(&options.repo));
            let text = format!("{:#}\n", json::render(&report));
            put(&file(out, &revisions.new, "json"), &text)?;
            let _ = std::fs::remove_file(failed);
            Ok(())
        }
        Ok(Err(error)) => put(&failed, &format!("{error}\n")),
        Err(_) => put(&failed, "an internal error, please report it\n"),
    }
}

/// What is known of the range, or of the shard that is asked for.
///
/// # Errors
/// A revision is unknown.
pub fn collect(options: &Options, range: &Revisions, out: &Path) -> Result<History, Error> {
    let (repo, pairs) = pairs(options, range)?;
    let pairs = of_the_shard(options, &repo, pairs)?;
    let rows = pairs.into_iter().map(|(_, commit)| {
        Ok(Row {
            subject: repo.subject(&commit)?,
            state: state(out, &commit),
            commit,
        })
    });
    let rows = rows.collect::<Result<_, Error>>()?;
    Ok(History { rows })
}

/// What the folder says of a commit. A report that can't be read is none.
fn state(out: &Path, commit: &str) -> State {
    let report = std::fs::read(file(out, commit, "json")).ok();
    let document = report.and_then(|bytes| Document::read(&bytes).ok());
    if let Some(document) = document.filter(|d| d.new == commit) {
        return State::Judged(Box::new(document));
    }
    match std::fs::read_to_string(file(out, commit, "error")) {
        Ok(why) => State::Failed(why),
        Err(_) => State::Missing,
    }
}

fn file(out: &Path, commit: &str, kind: &str) -> PathBuf {
    out.join(format!("{commit}.{kind}"))
}

/// Makes the folder, for reports of one version of this program with one set of options.
fn fix_settings(options: &Options, out: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(out).map_err(|e| failed(out, &e))?;
    let mut settings = ConfigFile::from(options);
    // What does not show in a report.
    settings.threads = None;
    settings.tests_dir = None;
    settings.fail_on = None;
    let text = toml::to_string(&settings).map_err(|e| Error::Config(e.to_string()))?;
    let version = env!("CARGO_PKG_VERSION");
    let text =
        format!("# The reports in this folder were made by shadow-ci {version} with\n{text}");
    let file = out.join(SETTINGS);
    match std::fs::read_to_string(&file) {
        Err(_) => put(&file, &text),
        Ok(before) if before == text => Ok(()),
        Ok(_) => Err(Error::Usage(format!(
            "{} holds reports of other options or of another version: use another --out",
            out.display()
        ))),
    }
}

/// Writes a file whole or not at all.
fn put(file: &Path, text: &str) -> Result<(), Error> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let write = || {
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.persist(file).map_err(|e| e.error)
    };
    write().map(drop).map_err(|e| failed(file, &e))
}

fn failed(file: &Path, why: &std::io::Error) -> Error {
    Error::Io {
        what: format!("cannot write {}", file.display()),
        why: why.to_string(),
    }
}

/// Tells all but results: those of a long range would fill the memory.
struct Quiet<'a>(&'a dyn Progress);

impl Progress for Quiet<'_> {
    fn stage(&self, name: &str) {
        self.0.stage(name);
    }

    fn method(&self, done: usize, all: usize, name: &str) {
        self.0.method(done, all, name);
    }

    fn finding(&self, method: &MethodRef, finding: &Finding) {
        self.0.finding(method, finding);
    }
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn a_range_is_two_revisions() {
        for (old, new) in [("a..b", None), ("a", Some("b"))] {
            let range = range(Some(old), new).unwrap();
            assert_eq!((&*range.old, &*range.new), ("a", "b"));
        }
        for wrong in ["a", "a..", "..b", "a...b"] {
            assert!(range(Some(wrong), None).is_err(), "{wrong}");
        }
    }
}
