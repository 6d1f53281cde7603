//! Other names for old members that the new version has with another type: no Java class has two of them, but each version's code is
//! to mean its own (JVMS §5.4.3.2).

use super::edits::{Edit, reparsed};
use super::scopes::{locals, member_uses};
use crate::java::{Field, Method, Node, SourceFile, Type};
use std::collections::BTreeSet;

/// What is known of the old members that need another name.
pub struct RetiredNames<'a> {
    /// What stands behind their names from now on.
    pub suffix: &'a str,
    /// Names of fields.
    pub fields: BTreeSet<String>,
    /// Whether a class has a field of that name among them.
    pub has: &'a dyn Fn(&Type, &str) -> bool,
    /// Whether a method is one of them.
    pub declares: &'a dyn Fn(&Type, &Method) -> bool,
    /// Whether each call of a name on a line, in the order in which they run, is of one of them.
    pub calls: &'a dyn Fn(u32, &str) -> &'a [bool],
}

/// The old file with the suffix behind the names of the members, where they are declared and where they are used. Lines stay as they
/// are.
pub fn rename_retired(old: &SourceFile, new: &SourceFile, names: &RetiredNames) -> SourceFile {
    let methods = methods(old, names);
    let renamed = reparsed(old, methods);
    let fields = fields(&renamed, new, names);
    reparsed(&renamed, fields)
}

fn methods(old: &SourceFile, names: &RetiredNames) -> Vec<Edit> {
    let renamed = |n: &Node| {
        let text = format!("{}{}", n.text(&old.text), names.suffix);
        ((n.start, n.end), text)
    };
    let mut edits = Vec::new();
    let mut calls = Vec::new();
    for class in &old.types {
        for method in &class.methods {
            if (names.declares)(class, method) {
                edits.extend(method.node.child("name").map(renamed));
            }
            collect_calls(&method.node, &mut calls);
        }
        for field in &class.fields {
            collect_calls(&field.node, &mut calls);
        }
    }
    for (at, (line, name)) in calls.iter().enumerate() {
        let same = |c: &&(u32, &Node)| c.0 == *line && c.1.text(&old.text) == name.text(&old.text);
        let known = (names.calls)(*line, name.text(&old.text));
        // Code may be in the class file more than once, or not in the order of the text: then all calls have to agree.
        let one = known.first().is_some_and(|f| known.iter().all(|k| k == f));
        let retired = if one {
            known[0]
        } else {
            let alike = calls.iter().filter(same).count();
            let before = calls[..at].iter().filter(same).count();
            alike == known.len() && known[before]
        };
        if retired {
            edits.push(renamed(name));
        }
    }
    edits
}

/// The names of methods that are called or referred to, with the line that javac gives the call, in the order in which they run.
fn collect_calls<'a>(node: &'a Node, out: &mut Vec<(u32, &'a Node)>) {
    node.children.iter().for_each(|c| collect_calls(c, out));
    match node.kind {
        "method_invocation" => {
            let line = node.child("arguments").map_or(node.line, |a| a.line);
            out.extend(node.child("name").map(|n| (line, n)));
        }
        "method_reference" => {
            let name = node.children.last().filter(|n| n.kind == "identifier");
            out.extend(name.map(|n| (node.line, n)));
        }
        _ => {}
    }
}

fn fields(old: &SourceFile, new: &SourceFile, known: &RetiredNames) -> Vec<Edit> {
    let shape = |f: &Field, s: &str| (f.erased_type(s), f.has_modifier("static", s));
    let (mut names, mut kept) = (known.fields.clone(), BTreeSet::new());
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        for field in &a.fields {
            for name in &field.names {
                match b.fields.iter().find(|g| g.names.contains(name)) {
                    Some(g)
                        if shape(g, &new.text) != shape(field, &old.text)
                            || (known.has)(a, name) =>
                    {
                        names.insert(name.clone());
                    }
                    Some(_) => {
                        kept.insert(name.clone());
                    }
                    None => {}
                }
            }
        }
    }
    // What a class of this file still has by that name is not another file's.
    names.retain(|n| !kept.contains(n) || !known.fields.contains(n));
    if names.is_empty() {
        return Vec::new();
    }
    let mut places = Vec::new();
    for class in &old.types {
        for method in &class.methods {
            let bound: BTreeSet<(usize, usize)> = locals(&method.node, &old.text)
                .into_iter()
                .flat_map(|l| l.places)
                .collect();
            member_uses(&method.node, &old.text, &names, &bound, false, &mut places);
        }
        for field in &class.fields {
            let bound = BTreeSet::new();
            member_uses(&field.node, &old.text, &names, &bound, false, &mut places);
        }
    }
    let renamed = |(start, end): (usize, usize)| {
        let text = format!("{}{}", &old.text[start..end], known.suffix);
        ((start, end), text)
    };
    places.into_iter().map(renamed).collect()
}
