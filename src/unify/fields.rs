//! Fields and initialisers of both versions in one class: javac copies them into the constructors and the class initialiser.

use super::insertion::{Insertion, Piece, mark};
use super::pure::Scope;
use super::writer::{Grain, NEW, OLD, Writer};
use crate::align::Matching;
use crate::bytecode::RETIRED;
use crate::java::{Field, SourceFile, Type};
use crate::verdict::Level;

/// What was written for the fields of a type, and which initialisers hold both versions now.
#[derive(Default)]
pub(super) struct Unified {
    pub insertions: Vec<Insertion>,
    /// The class initialiser changed.
    pub statics: bool,
    /// All constructors changed.
    pub instances: bool,
}

/// Unifies fields and initialiser blocks; old fields that the new version lacks are added at the type's end.
pub(super) fn unify(old: (&SourceFile, &Type), new: (&SourceFile, &Type)) -> Unified {
    let mut out = Unified::default();
    if new.1.is_interface || old.1.is_interface {
        return out;
    }
    let (a, b) = (&old.0.text, &new.0.text);
    for field in &new.1.fields {
        match twin(field, &old.1.fields) {
            Some(twin) if twin.tokens == field.tokens => release(field, b, &mut out),
            Some(twin) => paired((twin, a), (field, b), &mut out),
            None if field.names.is_empty() => {}
            None => added(field, b, &mut out),
        }
    }
    for (i, field) in old
        .1
        .fields
        .iter()
        .enumerate()
        .filter(|(_, f)| !f.names.is_empty())
    {
        let known = |n: &String| {
            new.1.fields.iter().any(|g| g.names.contains(n))
                || new.1.constants.iter().any(|c| c == n)
        };
        if !field.names.iter().any(known) {
            let mut pieces = Vec::new();
            removed(field, a, &mut pieces, &mut out);
            out.insertions
                .push(Insertion::new(place(i, &old.1.fields, new.1), pieces));
        }
    }
    blocks(old, new, &mut out);
    out
}

fn twin<'f>(field: &Field, others: &'f [Field]) -> Option<&'f Field> {
    others
        .iter()
        .find(|f| f.names == field.names && !f.names.is_empty())
}

/// Where the old field belongs among the new ones: initialisers run in the order of the text, and name only what stands before.
fn place(at: usize, olds: &[Field], new: &Type) -> usize {
    let counterpart = |i: usize| {
        let field = &olds[i];
        let retyped = |f: &&Field| {
            field.names.iter().any(|n| {
                n.strip_suffix(RETIRED)
                    .is_some_and(|n| f.names.iter().any(|m| m == n))
            })
        };
        if field.names.is_empty() {
            let of = |fields: &[Field]| {
                fields
                    .iter()
                    .filter(|f| f.node.kind == field.node.kind)
                    .count()
            };
            let nth = of(&olds[..i]);
            let all = of(olds) == of(&new.fields);
            return new
                .fields
                .iter()
                .filter(|f| f.node.kind == field.node.kind)
                .nth(nth)
                .filter(|_| all);
        }
        twin(field, &new.fields).or_else(|| new.fields.iter().find(retyped))
    };
    let next = (at..olds.len()).find_map(counterpart).map(|f| f.node.start);
    let before = || (0..at).rev().find_map(counterpart).map(|f| f.node.end);
    next.or_else(before).unwrap_or(new.end)
}

fn note(field: &Field, source: &str, out: &mut Unified) {
    if field.has_modifier("static", source) {
        out.statics = true;
    } else {
        out.instances = true;
    }
}

fn declarators(field: &Field) -> impl Iterator<Item = &crate::java::Node> {
    field
        .node
        .children
        .iter()
        .filter(|c| c.kind == "variable_declarator")
}

/// A constant variable (JLS §4.12.4), as far as its form tells: javac puts its value wherever it is named.
fn is_constant(field: &Field, source: &str) -> bool {
    let constant = |text: &str| !text.contains('(') && !text.contains('{') && !text.contains("->");
    let values: Vec<_> = declarators(field)
        .filter_map(|d| d.child("value"))
        .collect();
    field.has_modifier("final", source)
        && !values.is_empty()
        && values.iter().all(|v| constant(v.text(source)))
}

/// Takes `final` away where it only keeps one version's constructor from leaving the field to the other.
fn release(field: &Field, source: &str, out: &mut Unified) {
    if is_constant(field, source) {
        return;
    }
    let modifiers = field.node.of_kind("modifiers");
    if let Some(word) =
        modifiers.and_then(|m| m.children.iter().find(|c| c.text(source) == "final"))
    {
        out.insertions
            .push(Insertion::new(word.start, vec![mark("/*")]));
        out.insertions
            .push(Insertion::new(word.end, vec![mark("*/")]));
    }
}

/// The same field with another initialiser.
fn paired((a, old): (&Field, &str), (b, new): (&Field, &str), out: &mut Unified) {
    release(b, new, out);
    if is_constant(a, old)
        || is_constant(b, new)
        || a.has_modifier("static", old) != b.has_modifier("static", new)
    {
        return;
    }
    let values = |f: &Field, s: &str| {
        declarators(f)
            .map(|d| d.child("value").map(|v| v.flat(s)))
            .collect::<Vec<_>>()
    };
    if values(a, old) == values(b, new) {
        return;
    }
    let mut writer = writer(old, new, (&a.node, &b.node));
    if writer.declaration(&a.node, &b.node).is_ok() {
        out.insertions.extend(writer.insertions);
        note(b, new, out);
    }
}

/// A field of the new version alone: the old one leaves it at its default.
fn added(field: &Field, source: &str, out: &mut Unified) {
    release(field, source, out);
    let plain = declarators(field).all(|d| d.child("value").is_none());
    if plain || is_constant(field, source) {
        return;
    }
    let [declarator] = &declarators(field).collect::<Vec<_>>()[..] else {
        return;
    };
    let (Some(name), Some(value)) = (declarator.child("name"), declarator.child("value")) else {
        return;
    };
    let head = declarator.child("dimensions").map_or(name.end, |d| d.end);
    let before = format!(
        "; {}{{ if ({NEW}) {{ {}",
        of_class(field, source),
        name.text(source)
    );
    out.insertions
        .push(Insertion::new(head, vec![mark(before)]));
    if value.kind == "array_initializer" {
        let ty = field
            .node
            .child("type")
            .map(|t| t.flat(source))
            .unwrap_or_default();
        let dimensions = declarator
            .child("dimensions")
            .map(|d| d.flat(source))
            .unwrap_or_default();
        out.insertions.push(Insertion::new(
            value.start,
            vec![mark(format!("new {ty}{dimensions} "))],
        ));
    }
    out.insertions
        .push(Insertion::new(field.node.end, vec![mark(" } }")]));
    note(field, source, out);
}

fn of_class(field: &Field, source: &str) -> &'static str {
    if field.has_modifier("static", source) {
        "static "
    } else {
        ""
    }
}

/// A field of the old version alone.
fn removed(field: &Field, source: &str, kept: &mut Vec<Piece>, out: &mut Unified) {
    kept.push(mark(" "));
    let (start, end) = (field.node.start, field.node.end);
    if is_constant(field, source) {
        kept.push(Piece::Old(start, end));
        return;
    }
    let Some(ty) = field.node.child("type") else {
        return;
    };
    let modifiers = of_class(field, source);
    for d in declarators(field) {
        let Some(name) = d.child("name") else {
            continue;
        };
        let dimensions = d
            .child("dimensions")
            .map(|d| d.flat(source))
            .unwrap_or_default();
        let head = format!(
            "{modifiers}{} {}{dimensions}",
            ty.flat(source),
            name.text(source)
        );
        let Some(value) = d.child("value") else {
            kept.push(mark(format!("{head}; ")));
            continue;
        };
        note(field, source, out);
        let array = if value.kind == "array_initializer" {
            format!("new {}{dimensions} ", ty.flat(source))
        } else {
            String::new()
        };
        kept.extend([
            mark(format!(
                "{head}; {modifiers}{{ if ({OLD}) {{ {} = {array}",
                name.text(source)
            )),
            Piece::Old(value.start, value.end),
            mark("; } } "),
        ]);
    }
}

/// Initialiser blocks in order, when there are as many in both versions.
fn blocks((old, a): (&SourceFile, &Type), (new, b): (&SourceFile, &Type), out: &mut Unified) {
    for kind in ["static_initializer", "block"] {
        let of = |t: &Type| {
            t.fields
                .iter()
                .filter(|f| f.node.kind == kind)
                .cloned()
                .collect::<Vec<_>>()
        };
        let (xs, ys) = (of(a), of(b));
        if xs.len() != ys.len() {
            continue;
        }
        for (x, y) in xs.iter().zip(&ys).filter(|(x, y)| x.tokens != y.tokens) {
            let inner = |f: &Field| {
                if kind == "block" {
                    Some(f.node.clone())
                } else {
                    f.node.of_kind("block").cloned()
                }
            };
            let (Some(p), Some(q)) = (inner(x), inner(y)) else {
                continue;
            };
            let mut writer = writer(&old.text, &new.text, (&p, &q));
            if writer.attempt(|w: &mut Writer| w.blocks(&p, &q)).is_ok() {
                out.insertions.extend(writer.insertions);
                if kind == "block" {
                    out.instances = true
                } else {
                    out.statics = true
                }
            }
        }
    }
}

fn writer<'a>(
    old: &'a str,
    new: &'a str,
    (a, b): (&crate::java::Node, &crate::java::Node),
) -> Writer<'a> {
    Writer {
        old,
        new,
        scope: Scope::empty(),
        matching: Matching::of((a, old), (b, new)),
        grain: Grain::Deep,
        insertions: Vec::new(),
        level: Level::Expression,
    }
}
