//! The pull-request comment and job summary: the most serious facts first, always short enough to be posted.

mod finding;

use finding::findings;

use super::document::{Document, Method};
use super::inert::{cell, code};
use super::sentence;
use super::site::Site;
use crate::model::reason::Reason;
use crate::model::{DivergenceClass, Verdict};
use crate::util::counted::counted;

/// First line of every comment, by which the next run finds it.
pub const MARKER: &str = "<!-- shadow-ci -->";

/// GitHub refuses comments with 65,536 characters or more; these parts, in bytes, stay below together.
const TABLE: usize = 16_000;
const FINDINGS: usize = 32_000;
const LEFT_OUT: usize = 8_000;
const ACCEPTED: usize = 4_000;

/// Findings shown outside a fold.
const OPEN: usize = 5;

/// Longest text taken over from the code under test.
const LONG: usize = 400;
const SHORT: usize = 160;

/// Where the text will stand.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The repository, for links.
    pub site: Option<Site>,
    /// Address of the full report; see [`is_address`].
    pub full_report: Option<String>,
}

/// Whether a text can stand as an address in a link.
pub fn is_address(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#&=%+,@!;".contains(c);
    (text.starts_with("https://") || text.starts_with("http://")) && text.chars().all(plain)
}

/// The comment's body.
pub fn render(document: &Document, context: &Context) -> String {
    let mut out = format!("{MARKER}\n### shadow-ci: {}\n\n", headline(document));
    out.push_str(&facts(document, context));
    out.push_str(&not_reached(document));
    let clean = document.is_clean();
    if clean && !document.methods.is_empty() {
        let count = counted(document.methods.len(), "method", "methods");
        out.push_str(&format!("\n<details><summary>{count} compared</summary>\n"));
    }
    if !document.methods.is_empty() {
        out.push_str(&table(document));
    }
    if clean && !document.methods.is_empty() {
        out.push_str("\n</details>\n");
    }
    out.push_str(&findings(document, context));
    out.push_str(&accepted(document));
    out.push_str(&left_out(document));
    out
}

/// Methods whose changed code nothing ran: what a reviewer must know first.
fn not_reached(document: &Document) -> String {
    let missed = |m: &&Method| {
        let mut limits = m.limits.iter();
        m.findings.is_empty() && limits.any(|l| l.reason == Reason::NotReached.name())
    };
    let all = document.methods.iter().filter(missed).take(20);
    let line = |m: &Method| {
        let name = code(&m.name.short(), SHORT);
        format!("\n**Not reached**: no input ran the changed code of {name} in both versions.\n")
    };
    all.map(line).collect()
}

fn headline(document: &Document) -> String {
    let of = |class| document.findings(class);
    let (regressions, changed, fixes) = (
        of(DivergenceClass::Regression),
        of(DivergenceClass::Changed),
        of(DivergenceClass::Fix),
    );
    let incomplete = document.count(Method::is_incomplete);
    let mut parts = Vec::new();
    if regressions > 0 {
        parts.push(counted(regressions, "regression", "regressions"));
    } else if changed > 0 || fixes > 0 {
        parts.push("no regression".into());
    }
    if changed > 0 {
        parts.push(counted(changed, "behaviour change", "behaviour changes"));
    }
    if fixes > 0 {
        parts.push(counted(fixes, "fix", "fixes"));
    }
    if parts.is_empty() {
        parts.push(quiet(document, incomplete));
    }
    if incomplete > 0 {
        parts.push(format!(
            "{incomplete} of {} not analysed completely",
            counted(document.methods.len(), "method", "methods")
        ));
    }
    parts.extend(super::lost(&document.lost_shards));
    parts.join(", ")
}

fn quiet(document: &Document, incomplete: usize) -> String {
    let bounded = document.count(|m| m.verdict != Verdict::Equivalent);
    if !document.lost_shards.is_empty() {
        "no difference found".into()
    } else if document.methods.is_empty() {
        super::terminal::nothing(document.nothing_to_compare.as_deref())
    } else if incomplete > 0 {
        "no difference found".into()
    } else if bounded > 0 {
        "no difference found within the stated bounds".into()
    } else {
        "old and new version are equivalent".into()
    }
}

fn facts(document: &Document, context: &Context) -> String {
    let sum = |of: fn(&Method) -> u64| {
        let all = document.methods.iter().map(of);
        all.fold(0, u64::saturating_add)
    };
    let commit = |id: &str| code(&id.chars().take(10).collect::<String>(), SHORT);
    let mut facts = format!(
        "{} → {} · {} · predictions {}/{} confirmed on the JVM · {:.1} s",
        commit(&document.old),
        commit(&document.new),
        counted(sum(|m| m.paths.finished), "path", "paths"),
        sum(|m| m.predictions_confirmed),
        sum(|m| m.predictions),
        document.summary.seconds.clamp(0.0, 1e9),
    );
    if let Some(address) = context.full_report.as_ref().filter(|a| is_address(a)) {
        facts.push_str(&format!(" · [full report]({address})"));
    }
    facts.push('\n');
    facts
}

fn table(document: &Document) -> String {
    let mut out =
        String::from("\n| Method | Verdict | Level | Findings | Limits |\n|---|---|---|---|---|\n");
    let mut methods: Vec<&Method> = document.methods.iter().collect();
    methods.sort_by_key(|m| {
        let worst = m.findings.iter().map(|f| (f.class, !f.new_only_assertion));
        (
            worst.min().unwrap_or((DivergenceClass::ControlOnly, true)),
            m.verdict,
        )
    });
    for (i, m) in methods.iter().enumerate() {
        let row = row(m);
        if out.len() + row.len() > TABLE {
            let more = counted(methods.len() - i, "more method", "more methods");
            out.push_str(&format!("\n… and {more} in the full report.\n"));
            break;
        }
        out.push_str(&row);
    }
    out
}

fn row(m: &Method) -> String {
    let verdict = match m.verdict {
        Verdict::Diverges | Verdict::Incomplete => {
            format!("**{}**", sentence::verdict(m.verdict))
        }
        quiet => sentence::verdict(quiet).to_string(),
    };
    let level = m.level.name();
    format!(
        "| {} | {verdict} | {level} | {} | {} |\n",
        cell(&m.name.short(), SHORT),
        counts(m),
        limits(m)
    )
}

fn counts(m: &Method) -> String {
    let words = [
        (DivergenceClass::Regression, "regression", "regressions"),
        (DivergenceClass::Changed, "changed", "changed"),
        (DivergenceClass::Fix, "fix", "fixes"),
    ];
    let counted = words.iter().filter_map(|(class, one, many)| {
        let count = m.findings(*class);
        (count > 0).then(|| counted(count, one, many))
    });
    counted.collect::<Vec<_>>().join(", ")
}

/// The names of a method's limits, reasons to give up first; details are in the list below.
fn limits(m: &Method) -> String {
    let names = |bound: bool| {
        let mut names: Vec<&str> = m
            .limits
            .iter()
            .filter(|l| l.bound == bound)
            .map(|l| l.reason.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        let more = if names.len() > 6 { ", …" } else { "" };
        let shown: Vec<String> = names.iter().take(6).map(|n| cell(n, 40)).collect();
        (!names.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
    };
    let gave_up = names(false).map(|n| format!("gave up: {n}"));
    let parts: Vec<String> = gave_up.into_iter().chain(names(true)).collect();
    parts.join("; ")
}

/// What the team has said is intended, in one fold.
fn accepted(document: &Document) -> String {
    let all = document.told(|f| f.accepted.is_some());
    if all.is_empty() {
        return String::new();
    }
    let mut out = format!("\n<details><summary>Accepted ({})</summary>\n\n", all.len());
    for (i, (m, f)) in all.iter().enumerate() {
        let reason = f.accepted.as_ref().map_or("", |a| a.reason.as_str());
        let item = format!(
            "- {} in {}: {}\n",
            sentence::class(f.class),
            code(&m.name.short(), SHORT),
            code(reason, LONG)
        );
        if out.len() + item.len() > ACCEPTED {
            out.push_str(&format!("- … and {} more\n", all.len() - i));
            break;
        }
        out.push_str(&item);
    }
    out.push_str("\n</details>\n");
    out
}

/// What was not analysed and why, in one fold.
fn left_out(document: &Document) -> String {
    let mut items: Vec<String> = Vec::new();
    for id in document.stale.iter().take(20) {
        items.push(format!(
            "{} is accepted, but no longer found: remove its entry",
            code(id, SHORT)
        ));
    }
    let minor = document.told(|f| !f.relevant && f.accepted.is_none()).len();
    if minor > 0 {
        let minor = counted(minor, "minor finding", "minor findings");
        items.push(format!(
            "{minor}, such as another class of list with the same content, in the full report"
        ));
    }
    for m in document.methods.iter().filter(|m| m.is_incomplete()) {
        let reasons: Vec<String> = m
            .limits
            .iter()
            .filter(|l| !l.bound)
            .take(4)
            .map(|l| code(&sentence::limit(l), LONG))
            .collect();
        items.push(format!(
            "{}: some path gave up: {}",
            code(&m.name.short(), SHORT),
            reasons.join(", ")
        ));
        let mismatches = m.mismatches.iter().take(1);
        items
            .extend(mismatches.map(|text| format!("our bug, please report: {}", code(text, LONG))));
    }
    for s in &document.skipped {
        items.push(format!("{}: {}", code(&s.what, SHORT), code(&s.why, LONG)));
    }
    for (names, version) in [(&document.added, "new"), (&document.removed, "old")] {
        items.extend(names.iter().map(|n| {
            let name = code(&format!("{}.{}", n.class, n.signature()), SHORT);
            format!("{name}: only the {version} version has it")
        }));
    }
    if items.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "\n<details><summary>Not analysed, and why ({})</summary>\n\n",
        items.len()
    );
    for (i, item) in items.iter().enumerate() {
        if out.len() + item.len() > LEFT_OUT {
            out.push_str(&format!(
                "- … and {} more in the full report\n",
                items.len() - i
            ));
            break;
        }
        out.push_str(&format!("- {item}\n"));
    }
    out.push_str("\n</details>\n");
    out
}
