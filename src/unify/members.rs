//! What the old version's code may name and the new file no longer has: members, nested types, imports.

use super::insertion::{Insertion, Piece, mark};
use crate::align::FileDiff;
use crate::java::{SourceFile, Type};

/// Old members at the end of their types, old imports behind the new ones.
pub(super) fn kept(old: &SourceFile, new: &SourceFile, diff: &FileDiff) -> Vec<Insertion> {
    let mut all = Vec::new();
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        let pieces = members(a, b, old, new, diff);
        if !pieces.is_empty() {
            all.push(Insertion { at: b.end, pieces });
        }
    }
    let simple = |i: &str| i.trim_end_matches(';').rsplit('.').next().unwrap_or_default().trim().to_string();
    let missing: Vec<&String> = old
        .imports
        .iter()
        .filter(|i| !new.imports.contains(i) && !new.imports.iter().any(|n| simple(n) == simple(i) && simple(i) != "*"))
        .collect();
    if !missing.is_empty() && new.imports_end > 0 {
        let text: String = missing.iter().map(|i| format!(" {i}")).collect();
        all.push(Insertion { at: new.imports_end, pieces: vec![mark(text)] });
    }
    all
}

fn members(a: &Type, b: &Type, old: &SourceFile, new: &SourceFile, diff: &FileDiff) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut keep = |start: usize, end: usize| pieces.extend([mark(" "), Piece::Old(start, end)]);
    for field in a.fields.iter().filter(|f| !f.names.is_empty()) {
        let known = |n: &String| b.fields.iter().any(|g| g.names.contains(n)) || b.constants.iter().any(|c| c == n);
        let settled = !field.tokens.contains("final") || field.tokens.contains('=');
        if !field.names.iter().any(known) && settled {
            keep(field.start, field.end);
        }
    }
    let removed = diff.removed.iter().map(|(c, i)| (c, *i));
    let moved = diff.moved.iter().map(|(c, i, _, _)| (c, *i));
    for (_, index) in removed.chain(moved).filter(|(c, _)| **c == a.name) {
        if let Some(method) = a.methods.get(index).filter(|m| m.name != "<init>" && m.body.is_some())
            && !b.methods.iter().any(|m| m.same_signature(method))
        {
            keep(method.node.start, method.node.end);
        }
    }
    let nested = format!("{}$", a.name);
    for gone in old.types.iter().filter(|t| t.name.strip_prefix(&nested).is_some_and(|rest| !rest.contains('$'))) {
        if new.find(&gone.name).is_none() {
            keep(gone.start, gone.end + 1);
        }
    }
    pieces
}
