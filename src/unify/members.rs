//! Members of the old version that its code names and the new file lacks: members, nested types, interfaces, imports.

use super::fields::is_constant;
use super::insertion::{Insertion, Piece, mark};
use super::key::MethodKey;
use super::ladder::{Ladder, Omission};
use crate::align::{RetiredNames, rename_retired};
use crate::bytecode::{RETIRED, Retired, RetiredMember, parameter_descriptors};
use crate::java::{Method, Node, SourceFile, Type};
use crate::model::{Spelling, type_name};

/// The old file with other names for what the new version has by the same name, but not as the same.
pub(super) fn renamed(old: &SourceFile, new: &SourceFile, gone: &Retired) -> SourceFile {
    let other_names = gone.other_names();
    let names = RetiredNames {
        suffix: RETIRED,
        fields: gone.renamed_fields(),
        has: &|class, name| {
            let class = class.name.internal();
            let mut fields = gone.fields_of(&class);
            fields.any(|f| f.clashes && *f.name == *name)
        },
        declares: &|class, method| {
            let key = MethodKey::of(class, method);
            if new.find(&class.name).is_none() {
                return other_names.iter().any(|(n, d)| key.names(n, d));
            }
            gone.declared_in(&class.name.internal())
                .any(|m| m.clashes && key.names(&m.name, &m.descriptor))
        },
        calls: &|line, name| gone.calls(&old.path, line, name),
    };
    rename_retired(old, new, &names)
}

/// Old methods and nested types at the end of their types, old imports behind the new ones. The engine takes no body from these, what
/// only one version has is linked from that version's build: a body that javac refuses can be left out.
pub(super) fn kept(
    old: &SourceFile,
    new: &SourceFile,
    gone: &Retired,
    ladder: &Ladder,
) -> Vec<Insertion> {
    let mut all = Vec::new();
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        for member in gone.methods_of(&b.name.internal()) {
            let key = |m: &Method| MethodKey {
                name: m.name.trim_end_matches(RETIRED).into(),
                ..MethodKey::of(a, m)
            };
            let source = a
                .methods
                .iter()
                .find(|m| key(m).names(&member.name, &member.descriptor));
            let name = format!("{}#{}{}", b.name, member.name, member.descriptor);
            let pieces = match source {
                Some(method) => declaration(method, b, &old.text, ladder.left_out(&name)),
                None if &*member.name == "<init>" => continue,
                None => vec![mark(declared_as(member, b))],
            };
            all.push(Insertion {
                at: b.end,
                pieces,
                member: Some(name),
            });
        }
        all.extend(nested(b, old, new, ladder));
    }
    all.extend(imports(old, new));
    all
}

/// An old method, or its head and a body that does nothing.
fn declaration(method: &Method, holder: &Type, source: &str, out: Omission) -> Vec<Piece> {
    // Protected ones become public: a class may inherit one from its superclass for its interface.
    const KEPT: [&str; 3] = ["public", "private", "static"];
    let node = &method.node;
    let modifiers = node.of_kind("modifiers");
    let words: Vec<&str> = modifiers
        .into_iter()
        .flat_map(|m| &m.children)
        .map(|c| c.text(source))
        .filter(|w| KEPT.contains(w))
        .collect();
    let default = if holder.is_interface && !words.contains(&"static") {
        "default "
    } else if words.iter().all(|w| *w == "static") && method.name != "<init>" {
        "public "
    } else {
        ""
    };
    let start = modifiers.map_or(node.start, |m| m.end);
    let end = method
        .body
        .as_ref()
        .map_or(node.end.saturating_sub(1), |b| b.start);
    let mut pieces = vec![
        mark(format!(" {} {default}", words.join(" "))),
        Piece::Old(start, end),
    ];
    match &method.body {
        Some(body) if out == Omission::Nothing => pieces.push(Piece::Old(body.start, body.end)),
        _ => pieces.extend(hollow(method, out)),
    }
    pieces
}

/// A body that does nothing, or only calls another constructor.
fn hollow(method: &Method, out: Omission) -> Vec<Piece> {
    if method.name != "<init>" {
        return vec![mark(" { throw null; }")];
    }
    let call = method
        .body
        .as_ref()
        .and_then(|b| b.of_kind("explicit_constructor_invocation"))
        .filter(|_| out < Omission::Call);
    let mut pieces = vec![mark(" { ")];
    pieces.extend(call.map(|c| Piece::Old(c.start, c.end)));
    pieces.push(mark(" }"));
    pieces
}

/// A method of which only the class file is known.
fn declared_as(member: &RetiredMember, holder: &Type) -> String {
    let parameters = parameter_descriptors(&member.descriptor);
    let parameters: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(i, d)| format!("{} p{i}", type_name(d)))
        .collect();
    let result = member.descriptor.rsplit(')').next().unwrap_or_default();
    let default = if holder.is_interface { "default " } else { "" };
    let fixed = if member.is_static { "static " } else { default };
    let suffix = if member.clashes { RETIRED } else { "" };
    format!(
        " public {fixed}{} {}{suffix}({}) {{ throw null; }}",
        type_name(result),
        member.name,
        parameters.join(", ")
    )
}

/// Nested types that only the old version has.
fn nested(b: &Type, old: &SourceFile, new: &SourceFile, ladder: &Ladder) -> Vec<Insertion> {
    let prefix = format!("{}$", b.name);
    let direct = |t: &&Type| {
        let rest = t.name.strip_prefix(&prefix);
        rest.is_some_and(|rest| !rest.contains('$')) && new.find(&t.name).is_none()
    };
    let insertion = |gone: &Type| {
        let mut pieces = vec![mark(" ")];
        let mut at = gone.start;
        let out = ladder.left_out(&gone.name);
        for (start, end, instead) in left_out(gone, old, out) {
            if start >= at {
                pieces.push(Piece::Old(at, start));
                pieces.extend(instead);
                at = end;
            }
        }
        pieces.push(Piece::Old(at, gone.end + 1));
        Insertion {
            at: b.end,
            pieces,
            member: Some(gone.name.clone()),
        }
    };
    old.types.iter().filter(direct).map(insertion).collect()
}

/// What of a nested type is not kept: bodies, and `final` where these would give the field its value. In the order of the text.
fn left_out(gone: &Type, old: &SourceFile, out: Omission) -> Vec<(usize, usize, Vec<Piece>)> {
    if out == Omission::Nothing {
        return Vec::new();
    }
    let inside = format!("{}$", gone.name);
    let mut all = Vec::new();
    for class in &old.types {
        if class.name != gone.name && !class.name.starts_with(&inside) {
            continue;
        }
        for method in &class.methods {
            if let Some(body) = &method.body
                && method.node.kind != "compact_constructor_declaration"
                && !class.is_record
            {
                all.push((body.start, body.end, hollow(method, out)));
            }
        }
        for field in class.fields.iter().filter(|f| !is_constant(f, &old.text)) {
            let words = field.node.of_kind("modifiers").map(|m| &m.children);
            let word = |c: &&Node| c.text(&old.text) == "final";
            if let Some(found) = words.and_then(|w| w.iter().find(word)) {
                all.push((found.start, found.end, Vec::new()));
            }
        }
    }
    all.sort_by_key(|e| e.0);
    all
}

/// Interfaces that the new version's classes no longer have.
pub(super) fn interfaces(new: &SourceFile, gone: &Retired) -> Vec<Insertion> {
    let mut all = Vec::new();
    for class in &new.types {
        let names: Vec<String> = gone
            .interfaces_of(&class.name.internal())
            .map(|i| i.replace(['/', '$'], "."))
            .collect();
        if names.is_empty() {
            continue;
        }
        let (at, further) = class.interfaces;
        let word = match (further, class.is_interface) {
            (true, _) => ", ",
            (false, true) => " extends ",
            (false, false) => " implements ",
        };
        let text = format!("{word}{} ", names.join(", "));
        all.push(Insertion::new(at, vec![mark(text)]));
    }
    all
}

/// Lets old code name the methods that the new version hides from it.
pub(super) fn opened(new: &SourceFile, gone: &Retired) -> Vec<Insertion> {
    let mut all = Vec::new();
    for class in &new.types {
        for wider in gone.wider_in(&class.name.internal()) {
            let named = |m: &&Method| MethodKey::of(class, m).names(&wider.name, &wider.descriptor);
            let Some(method) = class.methods.iter().find(named) else {
                continue;
            };
            let modifiers = method.node.of_kind("modifiers");
            let word = |c: &&Node| matches!(c.text(&new.text), "private" | "protected");
            let hiding = modifiers.and_then(|m| m.children.iter().find(word));
            let start = modifiers.map_or(method.node.start, |m| m.start);
            match hiding {
                Some(word) => {
                    all.push(Insertion::new(word.start, vec![mark("public /*")]));
                    all.push(Insertion::new(word.end, vec![mark("*/")]));
                }
                None => all.push(Insertion::new(start, vec![mark("public ")])),
            }
        }
    }
    all
}

fn imports(old: &SourceFile, new: &SourceFile) -> Option<Insertion> {
    let simple = |i: &str| {
        i.trim_end_matches(';')
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .trim()
            .to_string()
    };
    let taken = |i: &String| {
        let same = |n: &String| simple(n) == simple(i) && simple(i) != "*";
        new.imports.contains(i) || new.imports.iter().any(same)
    };
    let missing = old.imports.iter().filter(|i| !taken(i));
    let text: String = missing.map(|i| format!(" {i}")).collect();
    (!text.is_empty() && new.imports_end > 0)
        .then(|| Insertion::new(new.imports_end, vec![mark(text)]))
}
