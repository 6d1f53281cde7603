//! Writing of the unified program: change() and execute() placed by the papers' patterns.

mod expression;
mod key;
mod statement;

pub use key::MethodKey;

use crate::align::FileDiff;
use crate::java::{Method, SourceFile};
use crate::verdict::Level;
use expression::Scope;
use std::collections::BTreeSet;

/// Source of `com.shadowci.Shadow`, which unified programs call.
pub const SHADOW_JAVA: &str = include_str!("Shadow.java");

/// The unified text of a file; its lines are the new version's lines.
#[derive(Clone, Debug)]
pub struct UnifiedFile {
    /// Compilable Java.
    pub source: String,
    /// The changed methods.
    pub methods: Vec<UnifiedMethod>,
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
    /// Its text.
    pub text: String,
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

    /// All methods with a unified body.
    pub fn fine(&self) -> Vec<MethodKey> {
        self.methods
            .iter()
            .filter(|m| m.is_fine())
            .map(|m| m.key.clone())
            .collect()
    }
}

/// Unifies a file; methods in `fallback`, or all with `coarse`, keep the new body and are joined at their return.
pub fn unify_file(
    old: &SourceFile,
    new: &SourceFile,
    diff: &FileDiff,
    fallback: &BTreeSet<MethodKey>,
    coarse: bool,
) -> UnifiedFile {
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    let mut methods = Vec::new();
    for pair in &diff.changed {
        let (Some(a), Some(b)) = (old.find(&pair.class), new.find(&pair.class)) else {
            continue;
        };
        let (a, b) = (&a.methods[pair.old], &b.methods[pair.new]);
        let key = MethodKey {
            class: pair.class.clone(),
            name: b.name.clone(),
            params: b.params.clone(),
        };
        let reshaped = diff.reshaped.iter().find(|(c, _)| *c == pair.class);
        let mut own = Vec::new();
        let (level, reason) = if let Some((_, why)) = reshaped {
            (Level::Class, why.clone())
        } else if coarse || fallback.contains(&key) {
            (
                Level::Method,
                "the unified method does not compile".to_string(),
            )
        } else {
            match unify_method(old, a, new, b, &mut own) {
                Ok(level) => (
                    level,
                    if level == Level::Statement {
                        "statements differ".into()
                    } else {
                        String::new()
                    },
                ),
                Err(why) => {
                    own.clear();
                    (Level::Method, why.to_string())
                }
            }
        };
        let text = apply(&new.text, b.node.start, b.node.end, &own);
        edits.extend(own);
        let lines = new.text[b.node.start..b.node.end].lines().count() as u32;
        methods.push(UnifiedMethod {
            key,
            level,
            reason,
            start_line: b.node.line,
            end_line: b.node.line + lines.saturating_sub(1),
            text,
        });
    }
    keep_old_members(old, new, diff, &mut edits);
    UnifiedFile {
        source: apply(&new.text, 0, new.text.len(), &edits),
        methods,
    }
}

fn unify_method(
    old: &SourceFile,
    a: &Method,
    new: &SourceFile,
    b: &Method,
    edits: &mut Vec<(usize, usize, String)>,
) -> Result<Level, &'static str> {
    if a.head != b.head {
        return Err("modifiers, result type or exceptions changed");
    }
    if a.param_names != b.param_names {
        return Err("parameters were renamed");
    }
    let (Some(x), Some(y)) = (&a.body, &b.body) else {
        return Err("only one version has a body");
    };
    if b.name == "<init>" {
        let explicit = |m: &Method| {
            m.body
                .as_ref()
                .and_then(|b| b.of_kind("explicit_constructor_invocation").cloned())
        };
        let text = |n: Option<crate::java::Node>, s: &str| n.map(|n| n.flat(s)).unwrap_or_default();
        if text(explicit(a), &old.text) != text(explicit(b), &new.text) {
            return Err("this(…) or super(…) changed");
        }
    }
    let scope = Scope::of(&old.text, a, &new.text, b);
    let mut writer = statement::Writer {
        old: &old.text,
        new: &new.text,
        scope,
        edits,
        level: Level::Expression,
    };
    writer.blocks(x, y)?;
    Ok(writer.level)
}

/// What old snippets may name must still be there: old fields and methods, and old imports.
fn keep_old_members(
    old: &SourceFile,
    new: &SourceFile,
    diff: &FileDiff,
    edits: &mut Vec<(usize, usize, String)>,
) {
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        let mut kept = String::new();
        for field in a.fields.iter().filter(|f| !f.names.is_empty()) {
            let known = |n: &String| b.fields.iter().any(|g| g.names.contains(n));
            if !field.names.iter().any(known) && !field.tokens.contains("final") {
                kept.push(' ');
                kept.push_str(&field.tokens);
            }
        }
        for (_, index) in diff.removed.iter().filter(|(c, _)| *c == a.name) {
            let method = &a.methods[*index];
            if method.name != "<init>" {
                kept.push(' ');
                kept.push_str(&method.node.flat(&old.text));
            }
        }
        if !kept.is_empty() && a.constants.is_empty() {
            edits.push((b.end, b.end, kept));
        }
    }
    let simple = |i: &String| {
        i.trim_end_matches(';')
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .trim()
            .to_string()
    };
    let missing: Vec<&String> = old
        .imports
        .iter()
        .filter(|i| !new.imports.contains(i) && !new.imports.iter().any(|n| simple(n) == simple(i)))
        .collect();
    if !missing.is_empty() && new.imports_end > 0 {
        let text = missing.iter().map(|i| format!(" {i}")).collect();
        edits.push((new.imports_end, new.imports_end, text));
    }
}

/// The text from `start` to `end` with the edits in it; an edit inside another's range is dropped.
fn apply(text: &str, start: usize, end: usize, edits: &[(usize, usize, String)]) -> String {
    let mut sorted: Vec<&(usize, usize, String)> = edits
        .iter()
        .filter(|e| e.0 >= start && e.1 <= end)
        .collect();
    sorted.sort_by_key(|e| (e.0, e.1));
    let (mut out, mut at) = (String::new(), start);
    for (from, to, with) in sorted {
        if *from < at {
            continue;
        }
        out.push_str(&text[at..*from]);
        out.push_str(with);
        at = *to;
    }
    out.push_str(&text[at..end]);
    out
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
        let file = unify_file(&a, &b, &compare(&a, &b), &BTreeSet::new(), false);
        let method = file.methods.first().unwrap();
        (method.level, method.text.clone())
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
            text.contains("y = com.shadowci.Shadow.change(- x, x * x);"),
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
