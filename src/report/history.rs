//! A range of commits, each against its first parent, as one table.

use super::document::Document;
use super::inert::cell;
use super::terminal::verdict;
use crate::model::DivergenceClass;
use crate::options::FailOn;
use crate::util::counted::counted;

/// Longest subject in the table, in characters.
const SUBJECT: usize = 70;

/// A commit of the range.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its hash.
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
    /// What is known of it.
    pub state: State,
}

/// What is known of a commit.
#[derive(Clone, Debug)]
pub enum State {
    /// Its report.
    Judged(Box<Document>),
    /// Why it could not be run.
    Failed(String),
    /// Nothing: no report of it is there.
    Missing,
}

/// The range, newest commit first.
#[derive(Clone, Debug)]
pub struct History {
    /// The commits.
    pub rows: Vec<Row>,
}

impl Row {
    /// The hash as people write it.
    pub fn short(&self) -> &str {
        self.commit.get(..12).unwrap_or(&self.commit)
    }

    /// The report, where there is one.
    pub fn document(&self) -> Option<&Document> {
        match &self.state {
            State::Judged(document) => Some(document),
            _ => None,
        }
    }

    /// The verdict in a word.
    pub fn verdict(&self) -> &'static str {
        match &self.state {
            State::Judged(document) => document
                .verdict()
                .map_or("nothing to compare", |v| verdict(v).0),
            State::Failed(_) => "could not be run",
            State::Missing => "missing",
        }
    }

    /// How many open findings of that class.
    pub fn findings(&self, class: DivergenceClass) -> u64 {
        self.document().map_or(0, |d| d.findings(class))
    }
}

impl History {
    /// Commits whose reports are missing.
    pub fn missing(&self) -> impl Iterator<Item = &Row> {
        let missing = |r: &&Row| matches!(r.state, State::Missing);
        self.rows.iter().filter(missing)
    }

    /// Whether anything in it is what `--fail-on` names. What could not be run or is missing is incomplete.
    pub fn fails(&self, fail_on: &[FailOn]) -> bool {
        let wants = |on: FailOn| fail_on.contains(&on) && !fail_on.contains(&FailOn::Never);
        let documents = || self.rows.iter().filter_map(Row::document);
        let mut findings = documents()
            .flat_map(|d| &d.methods)
            .flat_map(|m| &m.findings);
        let gave_up = |d: &Document| d.methods.iter().any(|m| m.is_incomplete());
        let is_whole = self
            .rows
            .iter()
            .all(|r| r.document().is_some_and(|d| !gave_up(d)));
        findings.any(|f| f.fails(fail_on)) || wants(FailOn::Incomplete) && !is_whole
    }

    /// What it comes to, in a line.
    pub fn headline(&self) -> String {
        let of = |class| self.rows.iter().map(|r| r.findings(class)).sum::<u64>();
        let count = |is: fn(&State) -> bool| self.rows.iter().filter(|r| is(&r.state)).count();
        let mut parts = vec![
            counted(self.rows.len(), "commit", "commits"),
            counted(of(DivergenceClass::Regression), "regression", "regressions"),
            counted(
                of(DivergenceClass::Changed),
                "behaviour change",
                "behaviour changes",
            ),
            counted(of(DivergenceClass::Fix), "fix", "fixes"),
        ];
        let failed = count(|s| matches!(s, State::Failed(_)));
        if failed > 0 {
            parts.push(format!("{failed} could not be run"));
        }
        let missing = count(|s| matches!(s, State::Missing));
        if missing > 0 {
            let verb = if missing == 1 { "is" } else { "are" };
            parts.push(format!(
                "{missing} {verb} missing: the result is incomplete"
            ));
        }
        parts.join(", ")
    }

    /// The table in Markdown, which reads well in a terminal too.
    pub fn table(&self) -> String {
        let mut lines = vec![
            [
                "commit",
                "verdict",
                "methods",
                "regressions",
                "changed",
                "fixes",
                "seconds",
                "subject",
            ]
            .map(str::to_string),
        ];
        for row in &self.rows {
            let document = row.document();
            lines.push([
                row.short().to_string(),
                row.verdict().to_string(),
                document.map_or(String::new(), |d| d.methods.len().to_string()),
                row.findings(DivergenceClass::Regression).to_string(),
                row.findings(DivergenceClass::Changed).to_string(),
                row.findings(DivergenceClass::Fix).to_string(),
                document.map_or(String::new(), |d| format!("{:.1}", d.summary.seconds)),
                cell(&row.subject, SUBJECT),
            ]);
        }
        let widths: Vec<usize> = (0..lines[0].len())
            .map(|i| {
                lines
                    .iter()
                    .map(|l| l[i].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let line = |cells: &[String]| {
            let padded = cells.iter().zip(&widths);
            let padded: Vec<String> = padded.map(|(c, w)| format!("{c:w$}")).collect();
            format!("| {} |\n", padded.join(" | "))
        };
        let rule: Vec<String> = widths.iter().map(|w| "-".repeat(*w)).collect();
        let mut out = line(&lines[0]) + &line(&rule);
        lines[1..].iter().for_each(|l| out.push_str(&line(l)));
        out.push_str(&format!("\n{}\n", self.headline()));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_failed_is_incomplete_and_named() {
        let row = |commit: &str, state| Row {
            commit: commit.repeat(40),
            subject: "a | b".into(),
            state,
        };
        let history = History {
            rows: vec![
                row("a", State::Missing),
                row("b", State::Failed("no JDK".into())),
            ],
        };
        let table = history.table();
        assert!(table.contains("| aaaaaaaaaaaa | missing "), "{table}");
        assert!(table.contains("1 could not be run, 1 is missing: the result is incomplete"));
        assert!(!table.contains("a | b"), "{table}");
        assert!(history.fails(&[FailOn::Incomplete]));
        assert!(!history.fails(&[FailOn::Changed]));
    }
}
