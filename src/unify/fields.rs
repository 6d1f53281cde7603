//! Unified fields and initialisers: javac copies them into the constructors and the class initialiser.

use super::insertion::{Insertion, Piece, mark};
use super::pure::Scope;
use super::writer::{Grain, NEW, OLD, Writer};
use crate::align::Matching;
use crate::java::{Field, Node, SourceFile, Type};
use crate::model::Level;
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// What was written for the fields of a type, and which initialisers hold both versions now.
#[derive(Default)]
pub(super) struct Unified {
    pub insertions: Vec<Insertion>,
    /// The class initialiser changed.
    pub statics: bool,
    /// All constructors changed.
    pub instances: bool,
}

/// A type's version: its file's text and its fields.
#[derive(Clone, Copy)]
struct Version<'a> {
    source: &'a str,
    fields: &'a [Field],
    class: &'a Type,
}

impl<'a> Version<'a> {
    fn of((file, class): (&'a SourceFile, &'a Type)) -> Version<'a> {
        Version {
            source: &file.text,
            fields: &class.fields,
            class,
        }
    }
}

/// Unifies fields and initialiser blocks: those that both versions run in the same order are one, the others run for their version
/// where it runs them (JLS §12.4.2 and §12.5: in the order of the text).
pub(super) fn unify(old: (&SourceFile, &Type), new: (&SourceFile, &Type)) -> Unified {
    let mut out = Unified::default();
    if new.1.is_interface || old.1.is_interface {
        return out;
    }
    let (a, b) = (Version::of(old), Version::of(new));
    for field in b.fields {
        release(field, b.source, &mut out);
    }
    for statics in [true, false] {
        let pairs = aligned(a, b, statics);
        for (i, j) in &pairs {
            paired(
                (&a.fields[*i], a.source),
                (&b.fields[*j], b.source),
                &mut out,
            );
        }
        for (j, field) in initialisers(b, statics) {
            if !pairs.iter().any(|p| p.1 == j) {
                added(field, b.source, &mut out);
            }
        }
        for (i, field) in a.fields.iter().enumerate() {
            if field.has_modifier("static", a.source) == statics && !pairs.iter().any(|p| p.0 == i)
            {
                let at = place(i, &pairs, b);
                for pieces in removed(field, a.source, b.class, &mut out) {
                    // Javac may refuse what the old version did here, but not the field.
                    let runs = pieces.iter().any(|p| matches!(p, Piece::Old(..)));
                    let member = runs.then(|| format!("{} {}", b.class.name, field.node.start));
                    out.insertions.push(Insertion { at, pieces, member });
                }
            }
        }
    }
    out
}

/// Initialiser blocks and the fields that are given a value when the class or an object is initialised, with their indices.
fn initialisers(of: Version<'_>, statics: bool) -> impl Iterator<Item = (usize, &Field)> {
    let runs = move |f: &Field| {
        f.names.is_empty()
            || !is_constant(f, of.source) && declarators(f).any(|d| d.child("value").is_some())
    };
    of.fields
        .iter()
        .enumerate()
        .filter(move |(_, f)| f.has_modifier("static", of.source) == statics && runs(f))
}

/// Pairs of initialisers that both versions run in the same order: fields by name, blocks by text, then by place.
fn aligned(a: Version<'_>, b: Version<'_>, statics: bool) -> Vec<(usize, usize)> {
    let (xs, ys): (Vec<_>, Vec<_>) = (
        initialisers(a, statics).collect(),
        initialisers(b, statics).collect(),
    );
    let key = |(_, f): &(usize, &Field)| {
        if f.names.is_empty() {
            f.tokens.clone()
        } else {
            f.names.join(",")
        }
    };
    let keys = |items: &[(usize, &Field)]| items.iter().map(key).collect::<Vec<_>>();
    let mut pairs = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &keys(&xs), &keys(&ys)) {
        let (olds, news) = (&xs[op.old_range()], &ys[op.new_range()]);
        let alone = op.tag() != DiffTag::Equal;
        let of_gap = |f: &&(usize, &Field)| !alone || f.1.names.is_empty();
        let both = olds.iter().filter(of_gap).zip(news.iter().filter(of_gap));
        pairs.extend(both.map(|(x, y)| (x.0, y.0)));
    }
    pairs
}

/// Where the old field or block belongs among the new ones.
fn place(at: usize, pairs: &[(usize, usize)], new: Version<'_>) -> usize {
    let next = pairs.iter().find(|p| p.0 > at);
    let before = pairs.iter().rfind(|p| p.0 < at);
    match (next, before) {
        (Some((_, j)), _) => new.fields[*j].node.start,
        (None, Some((_, j))) => new.fields[*j].node.end,
        (None, None) => new.class.end,
    }
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
pub(super) fn is_constant(field: &Field, source: &str) -> bool {
    const TYPES: [&str; 3] = ["integral_type", "floating_point_type", "boolean_type"];
    let ty = field.node.child("type");
    let mut values = declarators(field)
        .map(|d| d.child("value").filter(|_| d.child("dimensions").is_none()))
        .peekable();
    field.has_modifier("final", source)
        && ty.is_some_and(|t| TYPES.contains(&t.kind) || t.text(source) == "String")
        && values.peek().is_some()
        && values.all(|v| v.is_some_and(is_constant_expression))
}

/// A constant expression (JLS §15.29), if the names in it are constants.
pub(super) fn is_constant_expression(node: &Node) -> bool {
    let operands = |n: &Node| n.named().all(is_constant_expression);
    match node.kind {
        "null_literal" => false,
        "true" | "false" | "identifier" => true,
        "parenthesized_expression"
        | "unary_expression"
        | "binary_expression"
        | "ternary_expression" => operands(node),
        "field_access" => node
            .child("object")
            .is_some_and(|o| o.kind != "this" && operands(node)),
        "cast_expression" => {
            let to = node.child("type").map_or("", |t| t.kind);
            to != "generic_type"
                && to != "array_type"
                && node.child("value").is_some_and(is_constant_expression)
        }
        kind => kind.ends_with("_literal"),
    }
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

/// The same field with another initialiser, or blocks at the same place.
fn paired((a, old): (&Field, &str), (b, new): (&Field, &str), out: &mut Unified) {
    if a.tokens == b.tokens {
        return;
    }
    let mut writer = writer(old, new, (&a.node, &b.node));
    let written = match (inner(a), inner(b)) {
        (Some(p), Some(q)) => writer.attempt(|w: &mut Writer| w.blocks(p, q)),
        _ => {
            let values = |f: &Field, s: &str| {
                declarators(f)
                    .map(|d| d.child("value").map(|v| v.flat(s)))
                    .collect::<Vec<_>>()
            };
            if values(a, old) == values(b, new) {
                return;
            }
            writer.declaration(&a.node, &b.node)
        }
    };
    if written.is_ok() {
        out.insertions.extend(writer.insertions);
        note(b, new, out);
    }
}

/// The block of an initialiser block.
fn inner(field: &Field) -> Option<&Node> {
    match field.node.kind {
        "block" => Some(&field.node),
        "static_initializer" => field.node.of_kind("block"),
        _ => None,
    }
}

/// A field or block of the new version alone: the old one leaves the field at its default.
fn added(field: &Field, source: &str, out: &mut Unified) {
    if let Some(block) = inner(field) {
        let open = mark(format!(" if ({NEW}) {{"));
        out.insertions
            .push(Insertion::new(block.start + 1, vec![open]));
        out.insertions
            .push(Insertion::new(block.end - 1, vec![mark("} ")]));
        note(field, source, out);
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
        let flat = |n: Option<&Node>| n.map(|n| n.flat(source)).unwrap_or_default();
        let (ty, dimensions) = (
            flat(field.node.child("type")),
            flat(declarator.child("dimensions")),
        );
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

/// A field or block of the old version alone, or one that the new version initialises elsewhere.
fn removed(field: &Field, source: &str, new: &Type, out: &mut Unified) -> Vec<Vec<Piece>> {
    let mut kept = Vec::new();
    let (start, end) = (field.node.start, field.node.end);
    let modifiers = of_class(field, source);
    if let Some(block) = inner(field) {
        note(field, source, out);
        kept.push(vec![
            mark(format!(" {modifiers}{{ if ({OLD}) ")),
            Piece::Old(block.start, block.end),
            mark(" } "),
        ]);
        return kept;
    }
    let known = |n: &str| {
        new.fields.iter().any(|g| g.names.iter().any(|m| m == n))
            || new.constants.iter().any(|c| c == n)
    };
    if is_constant(field, source) {
        if !field.names.iter().any(|n| known(n)) {
            kept.push(vec![mark(" "), Piece::Old(start, end)]);
        }
        return kept;
    }
    let Some(ty) = field.node.child("type").map(|t| t.flat(source)) else {
        return kept;
    };
    for d in declarators(field) {
        let Some(name) = d.child("name").map(|n| n.text(source)) else {
            continue;
        };
        let dimensions = d.child("dimensions").map(|d| d.flat(source));
        let dimensions = dimensions.unwrap_or_default();
        if !known(name) {
            let declared = format!(" {modifiers}{ty} {name}{dimensions}; ");
            kept.push(vec![mark(declared)]);
        }
        let Some(value) = d.child("value") else {
            continue;
        };
        note(field, source, out);
        let array = if value.kind == "array_initializer" {
            format!("new {ty}{dimensions} ")
        } else {
            String::new()
        };
        kept.push(vec![
            mark(format!(" {modifiers}{{ if ({OLD}) {{ {name} = {array}")),
            Piece::Old(value.start, value.end),
            mark("; } } "),
        ]);
    }
    kept
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
