//! `shadow-ci accept`: records an intended finding in the committed file that later runs read.

use crate::check::accepted::{self, Entry, FILE};
use crate::error::Error;
use crate::git::Repo;
use crate::model::{Finding, MethodResult, Version};
use crate::options::Options;
use crate::report::Report;
use crate::report::printable::printable;
use crate::testgen::merge::{self, Home, TestMethod};
use crate::util::toml_text;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What the last run found, in the git folder.
const LAST: &str = "shadow-ci/findings.toml";

/// What is accepted, and why.
#[derive(Clone, Debug, clap::Args)]
pub struct Accept {
    /// The finding as reports print it (`class#method:hash`), or the first characters of its hash if the last run found it
    #[arg(value_name = "FINDING")]
    pub finding: String,
    /// Why the difference is intended
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Also add a test that pins the new behaviour to the class's tests, in their style
    #[arg(long)]
    pub with_test: bool,
    /// A folder in the repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub repo: PathBuf,
}

#[derive(Default, Serialize, Deserialize)]
struct Last {
    #[serde(default)]
    findings: Vec<ReportedFinding>,
}

/// A finding of the last run.
#[derive(Clone, Serialize, Deserialize)]
struct ReportedFinding {
    #[serde(flatten)]
    entry: Entry,
    /// The test that pins the new behaviour, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    test: Option<KnownTest>,
}

/// A test, and where it goes.
#[derive(Clone, Serialize, Deserialize)]
struct KnownTest {
    file: PathBuf,
    package: String,
    method: TestMethod,
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
    let ReportedFinding { mut entry, test } = find(&repo, &wanted.finding)?;
    entry.reason = reason.to_string();
    let tested = match (wanted.with_test, test) {
        (false, _) => None,
        (true, Some(test)) => Some(add_test(repo.root(), &test)?),
        (true, None) => return Err(Error::Accepted(NO_TEST.into())),
    };
    let file = repo.root().join(FILE);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let id = entry.finding.clone();
    write(&file, &accepted::with(&text, entry)?)?;
    Ok(match tested {
        None => format!("{} is accepted in {FILE}: commit it\n", printable(&id)),
        Some(file) => format!(
            "{} is accepted in {FILE}, and a test pins it in {}: commit both\n",
            printable(&id),
            printable(&file.display().to_string())
        ),
    })
}

/// Why `--with-test` has nothing to write.
const NO_TEST: &str = "--with-test has no test for it: the last run here did not find it, or what it does can't be said by public methods and plain values, or there is no folder of tests; accept it without";

/// Writes a test among those of its class; the file, from the root.
fn add_test(root: &Path, test: &KnownTest) -> Result<PathBuf, Error> {
    let file = root.join(&test.file);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => {
            return Err(Error::Io {
                what: format!("cannot read {}", file.display()),
                why: e.to_string(),
            });
        }
    };
    let new = merge::insert(text.as_deref(), &test.file, &test.package, &test.method);
    write(&file, &new)?;
    Ok(test.file.clone())
}

/// The finding of the last run, or one that is only named.
fn find(repo: &Repo, wanted: &str) -> Result<ReportedFinding, Error> {
    let text = std::fs::read_to_string(repo.git_dir().join(LAST)).unwrap_or_default();
    let last: Last = toml_text::read(&text).unwrap_or_default();
    let hash = |id: &str| id.rsplit_once(':').map_or("", |(_, h)| h).to_string();
    let of = |k: &&ReportedFinding| {
        let id = &k.entry.finding;
        *id == wanted || wanted.len() >= 4 && hash(id).starts_with(wanted)
    };
    let found: Vec<&ReportedFinding> = last.findings.iter().filter(of).collect();
    match found.as_slice() {
        [only] => Ok((*only).clone()),
        [] if is_id(wanted) => Ok(ReportedFinding {
            entry: Entry {
                finding: wanted.to_string(),
                reason: String::new(),
                class: None,
                input: None,
                old: None,
                new: None,
            },
            test: None,
        }),
        [] => Err(Error::Accepted(format!(
            "'{}' is neither a full id such as demo.Foo#bar:0123456789ab, nor the first characters of a hash that the last run in this clone found",
            printable(wanted)
        ))),
        several => {
            let ids: Vec<String> = several
                .iter()
                .map(|k| printable(&k.entry.finding))
                .collect();
            Err(Error::Accepted(format!(
                "this matches several findings: {}",
                ids.join(" or ")
            )))
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
    let root = repo.root();
    let mut findings = Vec::new();
    for (i, m) in report.methods.iter().enumerate() {
        for (j, f) in m.findings.iter().enumerate().filter(|(_, f)| f.is_told()) {
            let tried = !report.failed_tests.contains_key(&(i, j));
            findings.push(ReportedFinding {
                entry: accepted::entry(f, ""),
                test: known_test(root, m, f).filter(|_| tried),
            });
        }
    }
    if let Ok(text) = toml::to_string(&Last { findings }) {
        let _ = write(&repo.git_dir().join(LAST), &text);
    }
}

/// The test that pins the new behaviour of a finding, for the class's own tests.
fn known_test(root: &Path, m: &MethodResult, f: &Finding) -> Option<KnownTest> {
    let home = Home::find(root, &m.file, &f.entry.class)?;
    let package = f.entry.class.rsplit_once('.').map_or("", |p| p.0);
    Some(KnownTest {
        method: merge::test(f, Version::New, &home.style)?,
        package: package.to_string(),
        file: home.path,
    })
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
