//! `shadow-ci accept`: says that a finding is intended, in the committed file that later runs read.

use crate::check::accepted::{self, Entry, FILE};
use crate::error::Error;
use crate::git::Repo;
use crate::options::Options;
use crate::report::Report;
use crate::report::printable::printable;
use std::path::{Path, PathBuf};

/// What the last run found, in the git folder.
const LAST: &str = "shadow-ci/findings.toml";

/// What is accepted, and why.
#[derive(Clone, Debug, clap::Args)]
pub struct Accept {
    /// The finding, as reports print it (`class#method:hash`), or the beginning of its hash where the last run found it
    #[arg(value_name = "FINDING")]
    pub finding: String,
    /// Why the difference is intended
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// A folder in the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo: PathBuf,
}

#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Last {
    #[serde(default)]
    findings: Vec<Entry>,
}

/// Writes the entry; returns what to tell the user.
///
/// # Errors
/// There is no reason, no such finding, or the file can't be written.
pub fn run(wanted: &Accept) -> Result<String, Error> {
    let reason = wanted.reason.trim();
    if reason.is_empty() || reason == "…" {
        return Err(Error::Accepted("a reason is needed: --reason TEXT".into()));
    }
    let repo = Repo::open(&wanted.repo)?;
    let mut entry = find(&repo, &wanted.finding)?;
    entry.reason = reason.to_string();
    let file = repo.root().join(FILE);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let id = entry.finding.clone();
    write(&file, &accepted::with(&text, entry)?)?;
    Ok(format!(
        "{} is accepted in {FILE}: commit it\n",
        printable(&id)
    ))
}

/// The finding of the last run, or one that is only named.
fn find(repo: &Repo, wanted: &str) -> Result<Entry, Error> {
    let text = std::fs::read_to_string(repo.git_dir().join(LAST)).unwrap_or_default();
    let last: Last = toml::from_str(&text).unwrap_or_default();
    let hash = |id: &str| id.rsplit_once(':').map_or("", |(_, h)| h).to_string();
    let of = |e: &&Entry| {
        e.finding == wanted || wanted.len() >= 4 && hash(&e.finding).starts_with(wanted)
    };
    let found: Vec<&Entry> = last.findings.iter().filter(of).collect();
    match found.as_slice() {
        [only] => Ok((*only).clone()),
        [] if is_id(wanted) => Ok(Entry {
            finding: wanted.to_string(),
            reason: String::new(),
            class: None,
            input: None,
            old: None,
            new: None,
        }),
        [] => Err(Error::Accepted(format!(
            "'{}' is neither a whole id such as demo.Foo#bar:0123456789ab nor the beginning of a hash that the last run here found",
            printable(wanted)
        ))),
        several => {
            let ids: Vec<String> = several.iter().map(|e| printable(&e.finding)).collect();
            Err(Error::Accepted(format!("that may be {}", ids.join(" or "))))
        }
    }
}

/// `class#method:hash`.
fn is_id(text: &str) -> bool {
    let Some((method, hash)) = text.rsplit_once(':') else {
        return false;
    };
    let digits = hash.split('-').next().unwrap_or_default();
    method.contains('#') && digits.len() == 12 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Keeps what a run found for [`run`]; where the git folder can't be written, ids do without.
pub fn remember(options: &Options, report: &Report) {
    let Ok(repo) = Repo::open(&options.repo) else {
        return;
    };
    let findings = report.told().map(|f| accepted::entry(f, "")).collect();
    if let Ok(text) = toml::to_string(&Last { findings }) {
        let _ = write(&repo.git_dir().join(LAST), &text);
    }
}

/// Writes a file whole or not at all, and nothing through a link.
fn write(file: &Path, text: &str) -> Result<(), Error> {
    let failed = |e: std::io::Error| Error::Io {
        what: format!("cannot write {}", file.display()),
        why: e.to_string(),
    };
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    std::io::Write::write_all(&mut new, text.as_bytes()).map_err(failed)?;
    new.persist(file).map_err(|e| failed(e.error))?;
    Ok(())
}
