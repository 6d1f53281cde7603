//! Writing of the unified program: change() and execute() placed by the papers' patterns.

mod expression;
mod fields;
mod insertion;
mod key;
mod members;
mod pure;
mod sequence;
mod statement;
mod writer;

pub use insertion::Line;
pub use key::MethodKey;
pub use writer::Grain;

use crate::align::{FileDiff, Matching, rename_locals, rename_retyped};
use crate::bytecode::RETIRED;
use crate::java::{Method, SourceFile, Type};
use crate::verdict::Level;
use insertion::Insertion;
use pure::Scope;
use std::collections::{BTreeMap, BTreeSet};
use writer::{Refusal, Writer};

/// Source of `com.shadowci.Shadow`, which unified programs call.
pub const SHADOW_JAVA: &str = include_str!("Shadow.java");

/// The unified text of a file; its lines are the new version's lines.
#[derive(Clone, Debug)]
pub struct UnifiedFile {
    /// Compilable Java.
    pub source: String,
    /// The changed methods.
    pub methods: Vec<UnifiedMethod>,
    /// Old members that were added, with their byte ranges in the source.
    members: Vec<insertion::Member>,
}

/// A changed method in a unified file.
#[derive(Clone, Debug)]
pub struct UnifiedMethod {
    /// Which.
    pub key: MethodKey,
    /// How finely the versions share it.
    pub level: Level,
    /// Why not more finely; empty at expression level.
    pub reason: String,
    /// Its first line.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Its text for people, with the lines of both versions.
    pub text: Vec<Line>,
}

/// How finely each method may be unified, with the reason; what is not named is unified as finely as possible.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// Where every method starts.
    finest: Grain,
    steps: BTreeMap<MethodKey, (Grain, String)>,
    /// Classes whose shape changed, with the reason.
    apart: BTreeMap<String, String>,
    /// Old members that are not added.
    without: BTreeSet<String>,
    /// Files to which no old members and initialisers are added.
    bare: BTreeSet<String>,
}

impl Ladder {
    /// A ladder on which no method stands on a finer level.
    pub fn below(finest: Level) -> Ladder {
        let finest = match finest {
            Level::Expression => Grain::Deep,
            Level::Statement => Grain::Coarse,
            Level::Method | Level::Class => Grain::Method,
        };
        Ladder {
            finest,
            ..Ladder::default()
        }
    }

    /// Lets a method fall to the next coarser grain.
    pub fn fall(&mut self, key: &MethodKey, reason: &str) {
        let coarser = self.step(key).0.coarser();
        self.steps
            .insert(key.clone(), (coarser, reason.to_string()));
    }

    /// Lets a method fall to the method level.
    pub fn give_up(&mut self, key: &MethodKey, reason: &str) {
        self.steps
            .insert(key.clone(), (Grain::Method, reason.to_string()));
    }

    /// Gives a class (binary name with dots) a body per version throughout.
    pub fn class_per_version(&mut self, class: &str, reason: &str) {
        self.apart.insert(class.to_string(), reason.to_string());
    }

    /// Leaves an old member out; `false` when it is out already.
    pub fn leave_out(&mut self, member: &str) -> bool {
        self.without.insert(member.to_string())
    }

    /// Leaves the old version's members and initialisers out of a file; `false` when they are out already.
    pub fn strip(&mut self, path: &str) -> bool {
        self.bare.insert(path.to_string())
    }

    fn step(&self, key: &MethodKey) -> (Grain, &str) {
        match self.steps.get(key) {
            Some((grain, reason)) => (*grain, reason),
            None if self.finest == Grain::Deep => (Grain::Deep, ""),
            None => (self.finest, "as --finest says"),
        }
    }
}

impl UnifiedMethod {
    /// Whether its body is the unified one.
    pub fn is_fine(&self) -> bool {
        matches!(self.level, Level::Expression | Level::Statement)
    }
}

impl UnifiedFile {
    /// The unified methods that a compiler message on that line may be about.
    pub fn at_line(&self, line: u32) -> Vec<MethodKey> {
        let covers =
            |m: &&UnifiedMethod| m.is_fine() && (m.start_line..=m.end_line).contains(&line);
        self.methods
            .iter()
            .filter(covers)
            .map(|m| m.key.clone())
            .collect()
    }

    /// Whether old members were added.
    pub fn has_members(&self) -> bool {
        !self.members.is_empty()
    }

    /// The added old member that a compiler message is about, by the offset of the message in UTF-16 units.
    pub fn member_at(&self, position: u32) -> Option<&str> {
        let mut units = 0;
        let at = self.source.char_indices().find(|(_, c)| {
            units += c.len_utf16();
            units > position as usize
        });
        let (at, _) = at?;
        self.members
            .iter()
            .find(|m| m.1.contains(&at))
            .map(|m| m.0.as_str())
    }

    /// All methods with a unified body.
    pub fn fine(&self) -> Vec<MethodKey> {
        self.methods
            .iter()
            .filter(|m| m.is_fine())
            .map(|m| m.key.clone())
            .collect()
    }
}

/// Unifies a file, each method as finely as the ladder lets it.
pub fn unify_file(
    old: &SourceFile,
    new: &SourceFile,
    diff: &FileDiff,
    ladder: &Ladder,
) -> UnifiedFile {
    let original = old;
    let retired = rename_retyped(old, new, RETIRED);
    let pairs: Vec<(&Method, &Method)> = diff
        .changed
        .iter()
        .filter_map(|p| {
            Some((
                retired.find(&p.class)?.methods.get(p.old)?,
                new.find(&p.class)?.methods.get(p.new)?,
            ))
        })
        .collect();
    let old = &rename_locals(&retired, new, &pairs);
    let lines = crate::align::same_lines(&original.text, &new.text);
    let mut insertions: Vec<Insertion> = Vec::new();
    let mut methods = Vec::new();
    for pair in &diff.changed {
        let (Some(a), Some(b)) = (old.find(&pair.class), new.find(&pair.class)) else {
            continue;
        };
        let class = b;
        let (Some(a), Some(b)) = (a.methods.get(pair.old), b.methods.get(pair.new)) else {
            continue;
        };
        let key = MethodKey {
            class: pair.class.clone(),
            name: b.name.clone(),
            params: b.erased.clone(),
            hidden: hidden(b, class),
        };
        let (grain, fallen) = ladder.step(&key);
        let unified = match ladder.apart.get(&pair.class) {
            Some(why) => Err((Level::Class, why.clone())),
            None if grain == Grain::Method => Err((Level::Method, fallen.to_string())),
            None => unify_method((old, a), (new, b), grain)
                .map_err(|why| (Level::Method, why.to_string())),
        };
        let (level, reason, own) = match unified {
            Ok((level, own)) => (level, reason(level, fallen), own),
            Err((level, why)) => (level, why, Vec::new()),
        };
        let range = (b.node.start, b.node.end);
        let old_line = |line: u32| lines.get(line as usize - 1).copied().flatten();
        let count = new.text[range.0..range.1].lines().count() as u32;
        methods.push(UnifiedMethod {
            key,
            level,
            reason,
            start_line: b.node.line,
            end_line: b.node.line + count.saturating_sub(1),
            text: insertion::readable(&new.text, &old.text, range, &own, &old_line),
        });
        insertions.extend(own);
    }
    if !ladder.bare.contains(&new.path) {
        let kept = members::kept(old, new, diff);
        insertions.extend(kept.into_iter().filter(|i| {
            i.member
                .as_ref()
                .is_none_or(|m| !ladder.without.contains(m))
        }));
        for b in &new.types {
            if let Some(a) = old.find(&b.name) {
                let unified = fields::unify((old, a), (new, b));
                initialisers(b, &unified, ladder, &mut methods);
                insertions.extend(unified.insertions);
            }
        }
    }
    let (source, members) = insertion::compact(&new.text, &old.text, &insertions);
    UnifiedFile {
        source,
        methods,
        members,
    }
}

/// The constructors and the class initialiser that hold unified field initialisers.
fn initialisers(
    class: &Type,
    unified: &fields::Unified,
    ladder: &Ladder,
    methods: &mut Vec<UnifiedMethod>,
) {
    let key = |name: &str, params: Vec<String>, hidden| MethodKey {
        class: class.name.clone(),
        name: name.into(),
        params,
        hidden,
    };
    let mut keys = Vec::new();
    if unified.statics {
        keys.push((key("<clinit>", Vec::new(), 0), 0));
    }
    if unified.instances {
        let constructors: Vec<&Method> = class
            .methods
            .iter()
            .filter(|m| m.name == "<init>")
            .collect();
        keys.extend(constructors.iter().map(|m| {
            (
                key("<init>", m.erased.clone(), class.hidden_parameters),
                m.node.line,
            )
        }));
        if constructors.is_empty() {
            keys.push((key("<init>", Vec::new(), class.hidden_parameters), 0));
        }
    }
    for (key, line) in keys {
        if methods.iter().any(|m| m.key == key) {
            continue;
        }
        let (level, reason) = match (ladder.apart.get(&key.class), ladder.step(&key)) {
            (Some(why), _) => (Level::Class, why.clone()),
            (None, (Grain::Deep | Grain::Coarse, "" | "as --finest says")) => {
                (Level::Statement, "initialisers differ".to_string())
            }
            (None, (_, why)) => (Level::Method, why.to_string()),
        };
        methods.push(UnifiedMethod {
            key,
            level,
            reason,
            start_line: line,
            end_line: line,
            text: Vec::new(),
        });
    }
}

fn hidden(method: &Method, class: &Type) -> usize {
    if method.name == "<init>" {
        class.hidden_parameters
    } else {
        0
    }
}

fn reason(level: Level, fallen: &str) -> String {
    match level {
        Level::Statement if fallen.is_empty() => "statements differ".into(),
        _ => fallen.to_string(),
    }
}

fn unify_method(
    (old, a): (&SourceFile, &Method),
    (new, b): (&SourceFile, &Method),
    grain: Grain,
) -> Result<(Level, Vec<Insertion>), &'static str> {
    if a.is_unknown || b.is_unknown {
        return Err("its syntax is newer than the parser");
    }
    let (Some(x), Some(y)) = (&a.body, &b.body) else {
        return Err("only one version has a body");
    };
    if a.param_names != b.param_names {
        return Err("a parameter's new name means something else in the old version");
    }
    if !a.same_kind(b) {
        return Err("its result type changed, or it became static or not");
    }
    let mut writer = Writer {
        old: &old.text,
        new: &new.text,
        scope: Scope::of(&old.text, a, &new.text, b),
        matching: Matching::of((x, &old.text), (y, &new.text)),
        grain,
        insertions: Vec::new(),
        level: Level::Expression,
    };
    let parameters = |m: &Method| {
        m.node
            .child("parameters")
            .map(|p| p.named().cloned().collect::<Vec<_>>())
            .unwrap_or_default()
    };
    for (p, q) in parameters(a).iter().zip(&parameters(b)) {
        writer.release(p, q);
    }
    let old_throws = thrown(a, &old.text);
    let added: Vec<String> = old_throws
        .into_iter()
        .filter(|t| !thrown(b, &new.text).contains(t))
        .collect();
    if !added.is_empty() {
        let (at, word) = match b.node.of_kind("throws") {
            Some(throws) => (throws.end, ", "),
            None => (
                b.node.child("parameters").map_or(y.start, |p| p.end),
                " throws ",
            ),
        };
        writer.insert_mark(at, format!("{word}{}", added.join(", ")));
    }
    writer.blocks(x, y).map_err(|refusal| match refusal {
        Refusal::Never(why) => why,
        Refusal::Apart | Refusal::Leaks => "the bodies have no common form",
    })?;
    Ok((writer.level, writer.insertions))
}

fn thrown(method: &Method, source: &str) -> Vec<String> {
    let clause = method.node.of_kind("throws");
    clause
        .into_iter()
        .flat_map(|t| t.named())
        .map(|n| n.flat(source))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::compare;

    fn unified(old: &str, new: &str) -> (Level, String) {
        let wrap = |body: &str| {
            SourceFile::parse("A.java", format!("class A {{ {body} }}").as_bytes()).unwrap()
        };
        let (a, b) = (wrap(old), wrap(new));
        let file = unify_file(&a, &b, &compare(&a, &b), &Ladder::default());
        let method = file.methods.first().unwrap();
        (method.level, file.source.clone())
    }

    #[test]
    fn a_constant_in_a_condition_is_changed_in_place() {
        let (level, text) = unified(
            "int f(int x) { if (x > 10) return 1; return 2; }",
            "int f(int x) { if (x > 20) return 1; return 2; }",
        );
        assert_eq!(level, Level::Expression);
        assert!(
            text.contains("if (x > com.shadowci.Shadow.change(10, 20)) return 1;"),
            "{text}"
        );
    }

    #[test]
    fn foo_of_paper_000_is_unified_as_there() {
        let old = "int f(int x) { int y; if (x < 0) { y = -x; } else { y = 2 * x; } if (y > 1) { return 0; } return 1; }";
        let new = "int f(int x) { int y; if (x < 0) { y = x * x; } else { y = 2 * x; } y = y + 1; if (y > 1) { return 0; } return 1; }";
        let (level, text) = unified(old, new);
        assert_eq!(level, Level::Statement);
        assert!(
            text.contains("y = com.shadowci.Shadow.change(-x, x * x);"),
            "{text}"
        );
        assert!(
            text.contains(
                "if (com.shadowci.Shadow.execute(com.shadowci.Shadow.NEW)) { y = y + 1; }"
            ),
            "{text}"
        );
    }

    #[test]
    fn calls_are_never_arguments_of_change() {
        let (_, text) = unified(
            "int f() { return g(1); } int g(int x) { return x; }",
            "int f() { return g(1) + h(); } int g(int x) { return x; } int h() { return 2; }",
        );
        assert!(!text.contains("change("), "{text}");
    }
}
