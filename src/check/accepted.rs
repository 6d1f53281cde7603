//! Accepted differences: `.shadow-ci/accepted.toml`, from the version that the options name.

use crate::error::Error;
use crate::git::{Commit, Repo};
use crate::model::{Acceptance, Finding, MethodRef};
use crate::options::AcceptedFrom;
use crate::report::Report;
use crate::util::toml_text;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The file, from the repository's root.
pub const FILE: &str = ".shadow-ci/accepted.toml";

/// What it begins with.
const HEAD: &str = "# Differences in behaviour that are intended. `shadow-ci accept` writes them; an entry ends when one of the\n# two texts of its method changes.\n";

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The finding's id, `class#method:hash`.
    pub finding: String,
    /// Why it is intended.
    pub reason: String,
    /// The class of the finding, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// An input, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What the old version did on it, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// What the new version did on it, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Entries {
    #[serde(default)]
    accepted: Vec<Entry>,
}

/// Reads the entries of a file's text; `whose` is told where it can't be read.
///
/// # Errors
/// The text is no TOML, or has other fields.
pub fn parse(text: &str, whose: &str) -> Result<Vec<Entry>, Error> {
    let entries: Entries =
        toml_text::read(text).map_err(|e| Error::Accepted(format!("{FILE} {whose}: {e}")))?;
    Ok(entries.accepted)
}

/// The text with an entry, in place of one of the same finding; entries are in the order of their findings, so that two branches
/// that add different ones seldom conflict.
///
/// # Errors
/// The text can't be read.
pub fn with(text: &str, entry: Entry) -> Result<String, Error> {
    let mut all = parse(text, "in the checkout")?;
    all.retain(|e| e.finding != entry.finding);
    all.push(entry);
    all.sort_by(|a, b| a.finding.cmp(&b.finding));
    let first = text.find("[[accepted]]").unwrap_or(text.len());
    let head = text[..first].trim_end();
    let head = if head.is_empty() {
        HEAD.trim_end()
    } else {
        head
    };
    let mut out = format!("{head}\n");
    for entry in all {
        let body = toml::to_string(&entry).map_err(|e| Error::Accepted(e.to_string()))?;
        out.push_str(&format!("\n[[accepted]]\n{body}"));
    }
    Ok(out)
}

/// Marks what is accepted, and what the patch itself would accept; tells entries whose finding is no more.
pub(super) fn mark(
    report: &mut Report,
    repo: &Repo,
    (old, new): (&Commit, &Commit),
    from: AcceptedFrom,
) -> Result<(), Error> {
    let of = |commit: &Commit, whose: &str| -> Result<Vec<Entry>, Error> {
        match repo.read(commit, FILE)? {
            Some(bytes) => parse(&String::from_utf8_lossy(&bytes), whose),
            None => Ok(Vec::new()),
        }
    };
    let (counting, proposed) = match from {
        AcceptedFrom::Checkout => {
            let text = std::fs::read_to_string(repo.root().join(FILE)).unwrap_or_default();
            (parse(&text, "in the checkout")?, Vec::new())
        }
        // What the patch brings must not be able to end the run.
        AcceptedFrom::Old => (
            of(old, "of the old version")?,
            of(new, "of the new version").unwrap_or_default(),
        ),
        AcceptedFrom::New => {
            let both = [
                of(old, "of the old version")?,
                of(new, "of the new version")?,
            ];
            (both.concat(), Vec::new())
        }
    };
    apply(report, &counting, &proposed);
    Ok(())
}

fn apply(report: &mut Report, counting: &[Entry], proposed: &[Entry]) {
    let by_finding = |entries: &[Entry]| -> BTreeMap<String, Acceptance> {
        let pairs = entries.iter().map(|e| {
            let reason = e.reason.clone();
            (e.finding.clone(), Acceptance { reason })
        });
        pairs.collect()
    };
    let (accepted, asked) = (by_finding(counting), by_finding(proposed));
    let mut met: BTreeSet<String> = BTreeSet::new();
    for f in report.methods.iter_mut().flat_map(|m| &mut m.findings) {
        let telling = &mut f.telling;
        met.insert(telling.id.clone());
        telling.accepted = accepted.get(&telling.id).cloned();
        telling.proposed = match telling.accepted {
            None => asked.get(&telling.id).cloned(),
            Some(_) => None,
        };
    }
    // An entry of a method that this patch leaves alone is not concerned.
    let changed: BTreeSet<String> = report.methods.iter().map(|m| name(&m.method)).collect();
    let concerned = |id: &str| {
        id.rsplit_once(':')
            .is_some_and(|(n, _)| changed.contains(n))
    };
    report.stale = accepted
        .keys()
        .filter(|id| concerned(id) && !met.contains(*id))
        .cloned()
        .collect();
}

/// `class#method`, as an id begins.
pub(super) fn name(method: &MethodRef) -> String {
    format!("{}#{}", method.class, method.name)
}

/// An entry for a finding.
pub fn entry(finding: &Finding, reason: &str) -> Entry {
    use crate::report::{sentence, terminal};
    let (old, new) = terminal::sides(finding);
    Entry {
        finding: finding.telling.id.clone(),
        reason: reason.to_string(),
        class: Some(sentence::class(finding.class).to_string()),
        input: Some(terminal::call(finding)),
        old: Some(old),
        new: Some(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(finding: &str, reason: &str) -> Entry {
        Entry {
            finding: finding.into(),
            reason: reason.into(),
            class: None,
            input: None,
            old: None,
            new: None,
        }
    }

    #[test]
    fn entries_stay_sorted_and_comments_before_them_stay() {
        let text = with("# ours\n", entry("b#f:1", "so")).unwrap();
        let text = with(&text, entry("a#f:1", "\"quoted\"\nand more")).unwrap();
        let text = with(&text, entry("b#f:1", "anew")).unwrap();
        assert!(
            text.starts_with("# ours\n\n[[accepted]]\nfinding = \"a#f:1\"\n"),
            "{text}"
        );
        let read = parse(&text, "").unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].reason, "\"quoted\"\nand more");
        assert_eq!(read[1].reason, "anew");
    }
}
