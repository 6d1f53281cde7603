//! Readable conditions: at most three branches of the source that decide a divergence.

use crate::check::patch::ChangedFile;
use crate::java::{Node, SourceFile};
use crate::model::{Decision, Finding, Location, MethodResult, Version};
use std::collections::BTreeMap;

/// Lines told of one condition.
const MOST: usize = 3;

/// Longer conditions are not taken from the source, nor formulas told.
const LONGEST_SOURCE: usize = 100;
const LONGEST_FORMULA: usize = 70;

/// Says of every finding when it shows.
pub(super) fn tell(files: &[ChangedFile], methods: &mut [MethodResult]) {
    let sources = Sources::of(files);
    for finding in methods.iter_mut().flat_map(|m| &mut m.findings) {
        finding.telling.when = lines(&sources, finding);
        finding.telling.decisions = Vec::new();
    }
}

/// A line of a condition, and how much it says.
struct Line {
    text: String,
    differs: bool,
}

fn lines(sources: &Sources, finding: &Finding) -> Vec<String> {
    let mut all: Vec<Line> = Vec::new();
    for decision in &finding.telling.decisions {
        let Some(line) = line(sources, decision) else {
            continue;
        };
        // The last turn of a loop is the one that matters.
        all.retain(|known| known.text != line.text);
        all.push(line);
    }
    let parts = all.iter().position(|l| l.differs);
    // Where the versions part, what was decided last before that, and what comes behind it.
    let last = parts.map_or(all.len(), |i| i + 1);
    let from = last.saturating_sub(MOST);
    let kept = all.into_iter().skip(from).take(MOST);
    kept.map(|l| l.text).collect()
}

fn line(sources: &Sources, d: &Decision) -> Option<Line> {
    let place = format!("{}:{}", d.at.file, d.at.line);
    let condition = sources.condition(d.lines_of, &d.at);
    let formula = d.text.as_deref().filter(|t| is_readable(t));
    let text = match (condition, formula, d.jumped) {
        (Some(c), _, [Some(old), Some(new)]) if c.is_simple => {
            let holds = |jumped: bool| jumped == c.jumps_if_true;
            match (d.differs, d.version) {
                (true, _) => {
                    let (yes, no) = if holds(new) {
                        ("new", "old")
                    } else {
                        ("old", "new")
                    };
                    format!(
                        "{} is true in the {yes} version, not in the {no} ({place})",
                        c.text
                    )
                }
                (false, Some(Version::Old)) if d.lines_of == Version::Old => {
                    format!("{} is {} (old {place})", c.text, holds(old))
                }
                (false, _) => format!("{} is {} ({place})", c.text, holds(new)),
            }
        }
        (_, Some(formula), _) if !d.is_inside => format!("{formula} ({place})"),
        (Some(c), ..) if d.differs => {
            format!("{} goes another way in the two versions ({place})", c.text)
        }
        (Some(c), ..) if c.is_switch => format!("as switch ({}) decides ({place})", c.text),
        (_, Some(formula), _) => format!("{formula} ({place})"),
        // Left out, it would read as if the others said all.
        _ => match sources.line(d.lines_of, &d.at) {
            Some(line) => format!("as `{line}` decides ({place})"),
            None => format!("as {place} decides"),
        },
    };
    Some(Line {
        text,
        differs: d.differs,
    })
}

/// Whether a reader of Java takes it in at once: no arithmetic of bits, hash codes or tables.
fn is_readable(formula: &str) -> bool {
    let hard = [
        "<u", "<=u", "…", ">>", "<<", " ^ ", " | ", " & ", " * 31", "31 * ", "?", "(byte)",
        "(short)",
    ];
    formula.len() <= LONGEST_FORMULA
        && !hard.iter().any(|h| formula.contains(h))
        && formula.matches("&&").count() + formula.matches("||").count() <= 1
}

/// A condition as the source has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    text: String,
    /// Whether one branch decides it.
    is_simple: bool,
    /// Whether `javac` jumps where it is true: behind `do` only.
    jumps_if_true: bool,
    is_switch: bool,
}

/// Changed files by name and version; a name that two of them share is left out.
struct Sources<'a> {
    files: BTreeMap<(Version, &'a str), Option<&'a SourceFile>>,
}

impl<'a> Sources<'a> {
    fn of(files: &'a [ChangedFile]) -> Sources<'a> {
        let mut all = BTreeMap::new();
        for file in files {
            for (version, source) in [(Version::Old, &file.old), (Version::New, &file.new)] {
                if let Some(source) = source {
                    let name = source.path.rsplit('/').next().unwrap_or_default();
                    let known = all.contains_key(&(version, name));
                    all.insert((version, name), Some(source).filter(|_| !known));
                }
            }
        }
        Sources { files: all }
    }

    /// The text of a line, where it is not too long.
    fn line(&self, version: Version, at: &Location) -> Option<&'a str> {
        let source = (*self.files.get(&(version, at.file.as_str()))?)?;
        let line = source.text.lines().nth(at.line.checked_sub(1)? as usize)?;
        Some(line.trim()).filter(|l| !l.is_empty() && l.len() <= LONGEST_SOURCE)
    }

    /// The only condition that begins on a line.
    fn condition(&self, version: Version, at: &Location) -> Option<Condition> {
        let source = (*self.files.get(&(version, at.file.as_str()))?)?;
        let mut found: Vec<Condition> = Vec::new();
        let types = source.types.iter();
        let nodes = types.flat_map(|t| {
            let methods = t.methods.iter().map(|m| &m.node);
            methods.chain(t.fields.iter().map(|f| &f.node))
        });
        for node in nodes {
            node.walk(&mut |n| found.extend(condition(n, &source.text, at.line)));
        }
        let [only] = found.as_slice() else {
            return None;
        };
        (only.text.len() <= LONGEST_SOURCE).then(|| only.clone())
    }
}

fn condition(node: &Node, source: &str, line: u32) -> Option<Condition> {
    let is_switch = node.kind.starts_with("switch_");
    let decides = is_switch
        || matches!(
            node.kind,
            "if_statement"
                | "while_statement"
                | "do_statement"
                | "for_statement"
                | "ternary_expression"
        );
    let mut expression = node
        .child("condition")
        .filter(|c| decides && c.line == line)?;
    while expression.kind == "parenthesized_expression" {
        expression = expression.named().next()?;
    }
    let mut several = false;
    expression.walk(&mut |n| {
        several |= matches!(
            n.kind,
            "&&" | "||" | "lambda_expression" | "ternary_expression"
        );
    });
    let text = expression.text(source);
    Some(Condition {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        is_simple: !several && !is_switch,
        jumps_if_true: node.kind == "do_statement",
        is_switch,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::compare;

    fn decision(line: u32, text: &str, jumped: [Option<bool>; 2]) -> Decision {
        Decision {
            at: Location {
                file: "A.java".into(),
                line,
            },
            version: None,
            lines_of: Version::New,
            text: Some(text.into()),
            jumped,
            differs: jumped[0] != jumped[1],
            is_inside: false,
        }
    }

    #[test]
    fn a_branch_is_told_as_the_source_has_it_and_a_part_of_one_as_a_formula() {
        let text = "class A { int f(String s, int x) {\n  if (s == null)\n    return 1;\n  while (x > 1 && x < 9)\n    x++;\n  return x; } }";
        let parse = || SourceFile::parse("a/A.java", text.as_bytes()).unwrap();
        let (old, new) = (parse(), parse());
        let files = [ChangedFile {
            diff: compare(&old, &new),
            old: Some(old),
            new: Some(new),
        }];
        let sources = Sources::of(&files);
        let told = |d: Decision| line(&sources, &d).map(|l| l.text);
        let both = |b: bool| [Some(b), Some(b)];
        assert_eq!(
            told(decision(2, "s == null", both(false))).unwrap(),
            "s == null is true (A.java:2)"
        );
        assert_eq!(
            told(decision(2, "…", [Some(false), Some(true)])).unwrap(),
            "s == null is true in the old version, not in the new (A.java:2)"
        );
        assert_eq!(
            told(decision(4, "x < 9", both(false))).unwrap(),
            "x < 9 (A.java:4)"
        );
        assert_eq!(
            told(decision(5, "x <u 9", both(false))).unwrap(),
            "as `x++;` decides (A.java:5)"
        );
    }
}
