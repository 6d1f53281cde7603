//! Readable conditions: at most three branches of the source that decide a divergence.

mod line;

use crate::check::branches::{self, Test};
use crate::check::java_words::in_java;
use crate::check::patch::{ChangedFile, is_test, stem};
use crate::check::workspace::{Workspace, stand_ins};
use crate::java::{Node, SourceFile};
use crate::model::{Decision, Finding, Location, MethodResult, Version};
use line::{Line, join_bounds, not_null, uses};
use std::collections::{BTreeMap, BTreeSet};

/// Lines told of one condition.
const MOST: usize = 3;

/// Longer conditions are not taken from the source, nor formulas told.
const LONGEST_SOURCE: usize = 100;
const LONGEST_FORMULA: usize = 70;

/// Lines of the source are cut to so many characters: the place stands behind.
const LONGEST_LINE: usize = 68;

/// Says of every finding when it shows; `stand_ins` are the sources of the stand-ins, by class.
pub(super) fn tell(
    files: &[ChangedFile],
    (workspace, stand_ins): (&Workspace, &BTreeMap<String, String>),
    methods: &mut [MethodResult],
) {
    let decisions = methods.iter().flat_map(|m| &m.findings);
    let decisions = decisions.flat_map(|f| &f.telling.decisions);
    let unchanged = unchanged(files, workspace, decisions);
    let sources = Sources::of(files, &unchanged, stand_ins);
    for finding in methods.iter_mut().flat_map(|m| &mut m.findings) {
        finding.telling.when = lines(&sources, finding);
        finding.telling.decisions = Vec::new();
    }
}

/// The unchanged files that decisions are in, parsed once; names that several files share are left out.
fn unchanged<'a>(
    files: &[ChangedFile],
    workspace: &Workspace,
    decisions: impl Iterator<Item = &'a Decision>,
) -> Vec<SourceFile> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_string();
    let changed = files.iter().flat_map(|f| f.old.iter().chain(&f.new));
    let changed: BTreeSet<String> = changed.map(|f| last(&f.path)).collect();
    let wanted: BTreeSet<&str> = decisions.map(|d| d.at.file.as_str()).collect();
    let (paths, read) = workspace.sources(Version::New);
    let parsed = wanted
        .into_iter()
        .filter(|w| !changed.contains(*w))
        .filter_map(|name| {
            let mut of = paths.iter().filter(|p| !is_test(p) && last(p) == name);
            let (path, None) = (of.next()?, of.next()) else {
                return None;
            };
            SourceFile::parse(path, read(path)?.as_bytes()).ok()
        });
    parsed.collect()
}

fn lines(sources: &Sources, finding: &Finding) -> Vec<String> {
    let mut all: Vec<Line> = Vec::new();
    for decision in finding.telling.decisions.iter().filter(|d| !d.is_implied) {
        let Some(line) = line(sources, decision) else {
            continue;
        };
        // The last turn of a loop is the one that matters.
        all.retain(|known| {
            known.text != line.text
                && (known.branch != line.branch || known.branch.1.is_none() || known.differs)
        });
        all.push(line);
    }
    join_bounds(&mut all);
    // That something inside a call decides, tells a reader nothing that the call itself does not.
    all.retain(|l| !l.is_vague || l.differs);
    let texts: Vec<String> = all.iter().map(|l| l.text.clone()).collect();
    let goes_without_saying = |line: &Line| {
        not_null(&line.text).is_some_and(|name| {
            let others = texts.iter().filter(|t| **t != line.text);
            others.into_iter().any(|t| uses(t, name))
        })
    };
    all.retain(|l| l.differs || !goes_without_saying(l));
    let parts = all.iter().position(|l| l.differs);
    // Where the versions part, what was decided last before that, and what comes behind it.
    let last = parts.map_or(all.len(), |i| i + 1);
    let from = last.saturating_sub(MOST);
    let kept = all.into_iter().skip(from).take(MOST);
    kept.map(|l| l.text).collect()
}

fn line(sources: &Sources, d: &Decision) -> Option<Line> {
    let place = format!("{}:{}", d.at.file, d.at.line);
    let definite = |text: String| Line {
        text,
        differs: d.differs,
        is_vague: false,
        branch: (d.at.clone(), d.branch),
    };
    // What else a stand-in is told to answer is in the call.
    if stand_ins::is_one(stem(&d.at.file)) {
        return sources.failure(d).map(definite);
    }
    if let Some(text) = case(sources, d) {
        return Some(definite(format!("{text} ({place})")));
    }
    if let Some((test, [old, new])) = sources.test(d) {
        return (!test.text.is_empty()).then(|| definite(tested(&test, [old, new], d, &place)));
    }
    let condition = sources.condition(d.lines_of, &d.at);
    let formula = d.text.as_deref().map(in_java);
    let is_told = |t: &&str| is_readable(t) && !(d.is_inside && is_of_far_characters(t));
    let formula = formula.as_deref().filter(is_told);
    let text = match (condition, formula) {
        (_, Some(formula)) if !d.is_inside => format!("{formula} ({place})"),
        (Some(c), _) if d.differs => {
            format!("{} goes another way in the two versions ({place})", c.text)
        }
        (_, Some(formula)) => format!("{formula} ({place})"),
        // Left out where it is all there is, it would read as if nothing decided.
        (c, None) => {
            let text = match (c, sources.line(d.lines_of, &d.at)) {
                (Some(c), _) if c.is_switch => format!("as switch ({}) decides ({place})", c.text),
                (_, Some(line)) => format!("as `{line}` decides ({place})"),
                _ => format!("as {place} decides"),
            };
            // A branch of its own decides for certain, whatever it tests.
            return Some(Line {
                is_vague: d.is_inside || d.jumped == [None; 2],
                ..definite(text)
            });
        }
    };
    Some(definite(text))
}

/// A test of the source, and how it came out in the old and the new version.
fn tested(test: &Test, [old, new]: [bool; 2], d: &Decision, place: &str) -> String {
    let holds = |jumped: bool| jumped == test.jumps_if_true;
    let text = &test.text;
    if test.is_element {
        let turn = |is: bool| {
            if is {
                "has a further turn"
            } else {
                "has ended"
            }
        };
        return format!("{text} {} ({place})", turn(holds(new)));
    }
    match (d.differs, d.version) {
        (true, _) => {
            let (yes, no) = if holds(new) {
                ("new", "old")
            } else {
                ("old", "new")
            };
            format!("{text} is true in the {yes} version, not in the {no} ({place})")
        }
        (false, Some(Version::Old)) if d.lines_of == Version::Old => {
            format!("{text} is {} (old {place})", holds(old))
        }
        (false, Some(Version::New)) => format!("{text} is {} (new {place})", holds(new)),
        (false, _) => format!("{text} is {} ({place})", holds(new)),
    }
}

/// Where a switch goes, by its labels.
fn case(sources: &Sources, d: &Decision) -> Option<String> {
    let [Some(old), Some(new)] = d.goes else {
        return None;
    };
    let file = sources.file(d.lines_of, &d.at)?;
    let of = |goes| branches::case(file, d.at.line, goes);
    let (switch, new_labels) = of(new)?;
    let (_, old_labels) = of(old)?;
    let text = match old_labels == new_labels {
        true => format!("{switch} takes {new_labels}"),
        false => format!("{switch} takes {new_labels} in the new version, {old_labels} in the old"),
    };
    (text.len() <= LONGEST_SOURCE).then_some(text)
}

/// Whether a reader of Java takes it in at once: no arithmetic of bits, hash codes or tables.
fn is_readable(formula: &str) -> bool {
    let hard = [
        "<u", "<=u", "…", ">>", "<<", " ^ ", " | ", " & ", " * 31", "31 * ", "?", "(byte)",
        "(short)",
    ];
    // Parts of inputs have names of ours only: `this.arg0.arg1`.
    let ours = formula.match_indices("arg").any(|(i, _)| {
        let digit = formula[i + 3..].starts_with(|c: char| c.is_ascii_digit());
        digit && formula[..i].ends_with('.')
    });
    formula.len() <= LONGEST_FORMULA
        && !ours
        && !hard.iter().any(|h| formula.contains(h))
        && formula.matches("&&").count() + formula.matches("||").count() <= 1
}

/// Whether it speaks of a character behind those of short texts, or of the length of a long one: where called code decides, such as a
/// parser that reads the text, the next input has it somewhere else.
fn is_of_far_characters(formula: &str) -> bool {
    const FAR: u64 = 5;
    let number = |text: &str| {
        let digits = text.find(|c: char| !c.is_ascii_digit());
        text[..digits.unwrap_or(text.len())].parse().unwrap_or(0)
    };
    let behind = |what: &'static str| {
        let found = formula.match_indices(what);
        found.map(move |(at, _)| at + what.len())
    };
    let is_far = |at: usize| number(&formula[at..]) >= FAR;
    let is_long = |at: usize| {
        let rest = formula[at..].trim_start_matches([' ', '=', '!', '<', '>']);
        number(rest) >= FAR
    };
    behind(".charAt(").any(is_far) || behind(".length()").any(is_long)
}

/// A condition as the source has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    text: String,
    is_switch: bool,
}

/// Changed files by name and version; a name that two of them share is left out.
struct Sources<'a> {
    files: BTreeMap<(Version, &'a str), Option<&'a SourceFile>>,
    stand_ins: &'a BTreeMap<String, String>,
}

impl<'a> Sources<'a> {
    fn of(
        files: &'a [ChangedFile],
        unchanged: &'a [SourceFile],
        stand_ins: &'a BTreeMap<String, String>,
    ) -> Sources<'a> {
        let mut all = BTreeMap::new();
        for source in unchanged {
            let name = source.path.rsplit('/').next().unwrap_or_default();
            for version in Version::BOTH {
                all.insert((version, name), Some(source));
            }
        }
        for file in files {
            for (version, source) in [(Version::Old, &file.old), (Version::New, &file.new)] {
                if let Some(source) = source {
                    let name = source.path.rsplit('/').next().unwrap_or_default();
                    let known = all.contains_key(&(version, name));
                    all.insert((version, name), Some(source).filter(|_| !known));
                }
            }
        }
        Sources {
            files: all,
            stand_ins,
        }
    }

    /// That a method of a stand-in throws what it declares.
    fn failure(&self, d: &Decision) -> Option<String> {
        let holds =
            d.branch.is_some_and(|(first, _)| first == 0) && d.jumped.contains(&Some(false));
        let is_named = |class: &&String| class.rsplit('.').next() == Some(stem(&d.at.file));
        let class = self.stand_ins.keys().find(is_named).filter(|_| holds)?;
        let mut lines = self.stand_ins.get(class)?.lines();
        let line = lines.nth((d.at.line as usize).checked_sub(1)?)?;
        let name = stand_ins::failing(line)?;
        Some(format!("{name}(…) throws"))
    }

    fn file(&self, version: Version, at: &Location) -> Option<&'a SourceFile> {
        *self.files.get(&(version, at.file.as_str()))?
    }

    /// What a conditional jump tests, and whether the versions jumped.
    fn test(&self, d: &Decision) -> Option<(Test, [bool; 2])> {
        let (Some(branch), [Some(old), Some(new)]) = (d.branch, d.jumped) else {
            return None;
        };
        let file = self.file(d.lines_of, &d.at)?;
        let test = branches::test(file, d.at.line, branch)?;
        (test.text.len() <= LONGEST_SOURCE).then_some((test, [old, new]))
    }

    /// The text of a line, cut where it is too long.
    fn line(&self, version: Version, at: &Location) -> Option<String> {
        let source = self.file(version, at)?;
        let line = source.text.lines().nth(at.line.checked_sub(1)? as usize)?;
        let line = line.trim();
        let mut kept: String = line.chars().take(LONGEST_LINE).collect();
        if kept.len() < line.len() {
            kept.pop();
            kept.push('…');
        }
        Some(kept).filter(|l| !l.is_empty())
    }

    /// The only condition that begins on a line.
    fn condition(&self, version: Version, at: &Location) -> Option<Condition> {
        let source = self.file(version, at)?;
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
    let text = expression.text(source);
    Some(Condition {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
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
            branch: (line < 4).then_some((0, 1)),
            goes: [None; 2],
            is_implied: false,
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
        let none = BTreeMap::new();
        let sources = Sources::of(&files, &[], &none);
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
        let inside = |text: &str| {
            told(Decision {
                is_inside: true,
                ..decision(5, text, [None; 2])
            })
        };
        assert_eq!(
            inside("s.charAt(1) == 97").unwrap(),
            "s.charAt(1) == 'a' (A.java:5)"
        );
        let vague = "as `x++;` decides (A.java:5)";
        assert_eq!(inside("s.charAt(30) == 10").unwrap(), vague);
        assert_eq!(inside("s.length() != 32").unwrap(), vague);
    }
}
