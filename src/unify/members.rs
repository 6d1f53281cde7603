//! What the old version's code may name and the new file no longer has: members, nested types, imports.

use super::insertion::{Insertion, Piece, mark};
use crate::align::FileDiff;
use crate::bytecode::RETIRED;
use crate::java::{SourceFile, Type};
use std::collections::BTreeSet;

/// Old methods and nested types at the end of their types, old imports behind the new ones.
pub(super) fn kept(old: &SourceFile, new: &SourceFile, diff: &FileDiff) -> Vec<Insertion> {
    let mut all = Vec::new();
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        all.extend(members(a, b, old, new, diff));
    }
    let simple = |i: &str| {
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
        .filter(|i| {
            !new.imports.contains(i)
                && !new
                    .imports
                    .iter()
                    .any(|n| simple(n) == simple(i) && simple(i) != "*")
        })
        .collect();
    if !missing.is_empty() && new.imports_end > 0 {
        let text: String = missing.iter().map(|i| format!(" {i}")).collect();
        all.push(Insertion::new(new.imports_end, vec![mark(text)]));
    }
    all
}

fn members(
    a: &Type,
    b: &Type,
    old: &SourceFile,
    new: &SourceFile,
    diff: &FileDiff,
) -> Vec<Insertion> {
    let mut all = Vec::new();
    let mut keep = |name: String, start: usize, end: usize| {
        let pieces = vec![mark(" "), Piece::Old(start, end)];
        all.push(Insertion {
            at: b.end,
            pieces,
            member: Some(name),
        });
    };
    let removed = diff.removed.iter().map(|(c, i)| (c, *i));
    let moved = diff.moved.iter().map(|(c, i, _, _)| (c, *i));
    let gone = removed
        .chain(moved)
        .filter(|(c, _)| **c == a.name)
        .filter_map(|(_, i)| a.methods.get(i));
    let retired = a.methods.iter().filter(|m| m.name.ends_with(RETIRED));
    let mut seen = BTreeSet::new();
    for method in gone
        .chain(retired)
        .filter(|m| m.body.is_some() && !b.methods.iter().any(|n| n.same_signature(m)))
    {
        if seen.insert(method.node.start) {
            keep(
                format!("{}#{}({})", a.name, method.name, method.erased.join(",")),
                method.node.start,
                method.node.end,
            );
        }
    }
    let nested = format!("{}$", a.name);
    for gone in old.types.iter().filter(|t| {
        t.name
            .strip_prefix(&nested)
            .is_some_and(|rest| !rest.contains('$'))
    }) {
        if new.find(&gone.name).is_none() {
            keep(gone.name.clone(), gone.start, gone.end + 1);
        }
    }
    all
}
