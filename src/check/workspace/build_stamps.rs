//! Stamps in generated sources, such as the time and the commit of a build: both versions get the old one's, so that they are no difference.

use super::Side;
use crate::java::{Lexeme, lexemes};
use std::path::{Path, PathBuf};

/// Digits of a number that can be a time: seconds since 1970 have ten.
const LONG: usize = 10;

/// Digits of the shortest name of a commit.
const SHORTEST_HASH: usize = 7;

/// Writes the old version's text over generated sources of the new one that differ in stamps only. Nothing is said of them: whether a
/// time differs depends on when the builds were read.
pub(super) fn make_alike((old, from): (&Side, &Path), (new, to): (&Side, &Path)) {
    // What lies in a root with files of a commit is not generated.
    let holds =
        |side: &Side, root: &Path| side.files.iter().any(|f| Path::new(f).starts_with(root));
    let is_generated = |root: &&PathBuf| {
        let below = root.strip_prefix(to);
        below.is_ok_and(|below| !holds(old, below) && !holds(new, below))
    };
    let mut todo: Vec<PathBuf> = new.roots.iter().filter(is_generated).cloned().collect();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            todo.extend(entries.map(|e| e.path()));
            continue;
        }
        let Some(below) = path.strip_prefix(to).ok().and_then(Path::to_str) else {
            continue;
        };
        if !below.ends_with(".java") {
            continue;
        }
        let texts = [from.join(below), path.clone()].map(std::fs::read_to_string);
        if let [Ok(before), Ok(after)] = texts
            && before != after
            && differ_in_stamps_only(&before, &after)
            && let Err(why) = std::fs::write(&path, before)
        {
            tracing::debug!(%why, below, "a build's stamp stays");
        }
    }
}

/// Whether two sources are the same but for comments, and for literals that tell of a time or a commit in both.
fn differ_in_stamps_only(a: &str, b: &str) -> bool {
    let (a, b) = (tokens(a), tokens(b));
    let alike = |(x, y): (&String, &String)| x == y || is_stamp(x) && is_stamp(y);
    a.len() == b.len() && a.iter().zip(&b).all(alike)
}

/// Words, literals and signs of a source, comments left aside.
fn tokens(text: &str) -> Vec<String> {
    let (mut all, mut word) = (Vec::new(), String::new());
    for lexeme in lexemes(text) {
        let sign = match lexeme {
            Lexeme::Other(c) if c.is_alphanumeric() || c == '_' => {
                word.push(c);
                continue;
            }
            Lexeme::Other(c) => c.to_string(),
            Lexeme::Literal(text) | Lexeme::TextBlock(text) => text.to_string(),
            _ => String::new(),
        };
        all.extend([std::mem::take(&mut word), sign]);
    }
    all.push(word);
    all.retain(|token| !token.is_empty());
    all
}

/// Whether a literal can be a time or the name of a commit.
fn is_stamp(token: &str) -> bool {
    let digits = |run: &str| run.bytes().all(|b| b.is_ascii_digit());
    if !token.starts_with('"') {
        let number = token.trim_end_matches(['L', 'l']);
        return number.len() >= LONG && digits(number);
    }
    let runs: Vec<&str> = token
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|run| !run.is_empty())
        .collect();
    let is_year = |run: &str| run.len() == 4 && run.starts_with("20") && digits(run);
    let is_hash = |run: &str| {
        run.len() >= SHORTEST_HASH
            && run.bytes().all(|b| b.is_ascii_hexdigit())
            && run.bytes().any(|b| b.is_ascii_digit())
    };
    let numbers = runs
        .iter()
        .filter(|run| run.starts_with(|c: char| c.is_ascii_digit()));
    // A year alone may be a law's.
    runs.iter().any(|run| is_hash(run))
        || runs.iter().any(|run| is_year(run)) && numbers.count() > 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_commits_are_stamps_and_other_numbers_are_none() {
        for stamp in [
            "\"2026-11-26 05:31 UTC\"",
            "\"Thu Nov 26 05:31:00 UTC 2026\"",
            "\"6925dea5fd50c6b3fe1e0e6064216939c041c13e\"",
            "\"6925dea\"",
            "1764135060000L",
        ] {
            assert!(is_stamp(stamp), "{stamp}");
        }
        for other in ["\"1.2.3\"", "\"2026\"", "\"facade\"", "12", "\"\"", "word"] {
            assert!(!is_stamp(other), "{other}");
        }
    }

    #[test]
    fn what_differs_otherwise_stays() {
        let info = |date: &str, major: u32| {
            format!("/* {date} */ interface Info {{ int MAJOR={major}; String DATE=\"{date}\"; }}")
        };
        let (one, other) = (info("2026-11-26 05:31", 3), info("2026-11-26 05:32", 3));
        assert!(differ_in_stamps_only(&one, &other));
        assert!(!differ_in_stamps_only(&one, &info("2026-11-26 05:32", 4)));
        assert!(!differ_in_stamps_only(&one, &one.replace("MAJOR", "MINOR")));
    }
}
