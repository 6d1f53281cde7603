//! Writing of the unified program: change() and execute() placed by the papers' patterns.

mod conditional;
mod constructor;
mod declaration;
mod expression;
mod fields;
mod file;
mod gap;
mod insertion;
mod key;
mod ladder;
mod members;
mod pure;
mod sequence;
mod statement;
mod statement_runs;
mod writer;

pub use file::{UnifiedFile, UnifiedMethod};
pub use insertion::Line;
pub use key::MethodKey;
pub use ladder::Ladder;
pub use writer::Grain;

use crate::align::{FileDiff, Matching, rename_locals};
use crate::bytecode::Retired;
use crate::java::{Method, Node, SourceFile, Type};
use crate::model::Level;
use insertion::Insertion;
use pure::Scope;
use writer::Writer;

/// Source of `com.shadowci.Shadow`, which unified programs call.
pub const SHADOW_JAVA: &str = include_str!("Shadow.java");

/// Unifies a file, each method as finely as the ladder lets it.
pub fn unify_file(
    old: &SourceFile,
    new: &SourceFile,
    diff: &FileDiff,
    ladder: &Ladder,
    gone: &Retired,
) -> UnifiedFile {
    let original = old;
    let retired = members::renamed(old, new, gone);
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
    let (mut methods, mut insertions) = unify_methods((old, new), &lines, diff, ladder);
    if !ladder.is_bare(&new.path) {
        insertions.extend(unify_members((old, new), gone, ladder, &mut methods));
    }
    let text = hollowed(new, ladder);
    let (source, members) = insertion::compact(&text, &old.text, &insertions);
    UnifiedFile {
        source,
        methods,
        members,
        bodies: bodies(new)
            .map(|(_, b)| (b.line, lines_to(&new.text, b), b.start))
            .collect(),
    }
}

/// The changed methods, each as finely as the ladder lets it, and what that inserts into the new source.
fn unify_methods(
    (old, new): (&SourceFile, &SourceFile),
    lines: &[Option<u32>],
    diff: &FileDiff,
    ladder: &Ladder,
) -> (Vec<UnifiedMethod>, Vec<Insertion>) {
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
        let key = MethodKey::of(class, b);
        let (grain, fallen) = ladder.step(&key);
        let unified = match ladder.class_level(&pair.class) {
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
            is_two: !a.same_kind(b) || a.body.is_some() != b.body.is_some(),
            start_line: b.node.line,
            end_line: b.node.line + count.saturating_sub(1),
            text: insertion::readable(&new.text, &old.text, range, &own, &old_line),
        });
        insertions.extend(own);
    }
    (methods, insertions)
}

/// What is inserted for members that only the old version has, and for fields; static parts and initialisers join the methods.
fn unify_members(
    (old, new): (&SourceFile, &SourceFile),
    gone: &Retired,
    ladder: &Ladder,
    methods: &mut Vec<UnifiedMethod>,
) -> Vec<Insertion> {
    let mut kept = members::kept(old, new, gone, ladder);
    if ladder.is_related(&new.path) {
        kept.extend(members::interfaces(new, gone));
        kept.extend(members::opened(new, gone));
    }
    let adds = |i: &Insertion| {
        i.member
            .as_ref()
            .is_none_or(|m| ladder.left_out(m) != ladder::Omission::All)
    };
    let mut insertions: Vec<Insertion> = kept.into_iter().filter(&adds).collect();
    for b in &new.types {
        if let Some(a) = old.find(&b.name) {
            let unified = fields::unify((old, a), (new, b));
            initialisers(b, &unified, ladder, methods);
            insertions.extend(unified.insertions.into_iter().filter(&adds));
        }
    }
    insertions
}

fn bodies(file: &SourceFile) -> impl Iterator<Item = (&Method, &Node)> {
    let methods = file.types.iter().flat_map(|t| &t.methods);
    methods.filter_map(|m| Some((m, m.body.as_ref()?)))
}

fn lines_to(text: &str, node: &Node) -> u32 {
    node.line + node.text(text).matches('\n').count() as u32
}

/// The new text without the bodies that the ladder leaves out: nobody takes those from the unified build. Offsets and lines stay as
/// they are.
fn hollowed(new: &SourceFile, ladder: &Ladder) -> String {
    let mut text = new.text.clone();
    for (method, body) in bodies(new).filter(|b| ladder.is_hollow(&new.path, b.1.start)) {
        let call = body.of_kind("explicit_constructor_invocation");
        let start = call.map_or(body.start + 1, |c| c.end);
        let inside = body.end.saturating_sub(1).max(start)..body.end;
        let range = start..inside.start;
        let blank = |c: char| match c {
            '\n' => "\n".to_string(),
            c => " ".repeat(c.len_utf8()),
        };
        let mut blanks: String = text[range.clone()].chars().map(blank).collect();
        let thrown = "throw null;";
        if method.name != "<init>" {
            match blanks.find(&" ".repeat(thrown.len())) {
                Some(at) => blanks.replace_range(at..at + thrown.len(), thrown),
                None => continue,
            }
        }
        text.replace_range(range, &blanks);
    }
    text
}

/// The constructors and the class initialiser that hold unified field initialisers.
fn initialisers(
    class: &Type,
    unified: &fields::Unified,
    ladder: &Ladder,
    methods: &mut Vec<UnifiedMethod>,
) {
    let key = |name: &str, params: Vec<String>, hidden| MethodKey {
        class: class.name.as_str().into(),
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
        let (level, reason) = match (ladder.class_level(&key.class), ladder.step(&key)) {
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
            is_two: false,
            start_line: line,
            end_line: line,
            text: Vec::new(),
        });
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
    writer
        .blocks(x, y)
        .map_err(|_| "the bodies have no common form")?;
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
        let file = unify_file(
            &a,
            &b,
            &compare(&a, &b),
            &Ladder::default(),
            &Retired::default(),
        );
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
