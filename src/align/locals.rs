//! Renamed local variables: both versions get the same name.

use super::edits::{Edit, reparsed, replaced};
use super::scopes::{Local, identifiers, locals, member_uses};
use super::tree_match::Matching;
use crate::java::{Method, Node, SourceFile};
use std::collections::BTreeSet;

/// The old file with its local variables named as the new version names them: variables that correspond have one name, and
/// variables of the old version alone have names that the new version does not use. Lines stay as they are.
pub fn rename_locals(
    old: &SourceFile,
    new: &SourceFile,
    pairs: &[(&Method, &Method)],
) -> SourceFile {
    let mut edits = Vec::new();
    for (a, b) in pairs {
        edits.extend(renamings((a, &old.text), (b, &new.text)));
    }
    reparsed(old, edits)
}

/// Edits of the old text; none when a new name would come to mean something else there.
fn renamings((a, old): (&Method, &str), (b, new): (&Method, &str)) -> Vec<Edit> {
    let (xs, ys) = (locals(&a.node, old), locals(&b.node, new));
    let matching = Matching::of((&a.node, old), (&b.node, new));
    let partners = partners(&xs, &ys, &matching);
    let mut taken = identifiers(&b.node, new);
    taken.extend(identifiers(&a.node, old));
    let in_new = identifiers(&b.node, new);
    let mut edits = Vec::new();
    let (mut renamed, mut targets) = (Vec::new(), BTreeSet::new());
    for (x, partner) in xs.iter().zip(&partners) {
        let name = match partner {
            Some(y) => ys[*y].name.clone(),
            None if in_new.contains(&x.name) => fresh(&x.name, &mut taken),
            None => x.name.clone(),
        };
        if name != x.name {
            targets.insert(name.clone());
            edits.extend(x.places.iter().map(|p| (*p, name.clone())));
        }
        renamed.push(name);
    }
    // A field of that name is hidden from now on.
    let bound: BTreeSet<(usize, usize)> = xs.iter().flat_map(|l| l.places.clone()).collect();
    let mut hidden = Vec::new();
    member_uses(&a.node, old, &targets, &bound, true, &mut hidden);
    let is_static = a.head.split(' ').any(|w| w == "static");
    if !is_static {
        edits.extend(
            hidden
                .into_iter()
                .map(|(start, end)| ((start, end), format!("this.{}", &old[start..end]))),
        );
    }
    if edits.is_empty() || keeps_bindings(&a.node, old, &edits, &xs, &renamed) {
        edits
    } else {
        Vec::new()
    }
}

/// Whether every use still belongs to the same declaration under the new names.
fn keeps_bindings(
    node: &Node,
    old: &str,
    edits: &[Edit],
    before: &[Local],
    names: &[String],
) -> bool {
    let mut shifted: Vec<Edit> = edits
        .iter()
        .map(|((s, e), n)| ((s - node.start, e - node.start), n.clone()))
        .collect();
    shifted.sort();
    let wrapped = format!("class A {{ {} }}", replaced(node.text(old), shifted));
    let Ok(file) = SourceFile::parse("A.java", wrapped.as_bytes()) else {
        return false;
    };
    let Some(method) = file.types.first().and_then(|t| t.methods.first()) else {
        return false;
    };
    let after = locals(&method.node, &file.text);
    after.len() == before.len()
        && after
            .iter()
            .zip(before)
            .zip(names)
            .all(|((y, x), name)| y.name == *name && y.places.len() == x.places.len())
}

fn fresh(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = format!("{name}Old");
    while !taken.insert(candidate.clone()) {
        candidate.push('_');
    }
    candidate
}

/// The new variable that each old one is: parameters by position, then matched declarations of the same type, then
/// declarations of the same name and type in order.
fn partners(xs: &[Local], ys: &[Local], matching: &Matching) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; xs.len()];
    let mut used = BTreeSet::new();
    let together = |x: &Local, y: &Local| {
        let (p, q) = (x.block, y.block);
        p.2 == q.2 && (p.0 == p.1 || matching.partner_of((p.0, p.1), p.2) == Some((q.0, q.1)))
    };
    let alike = |x: &Local, y: &Local| {
        let (s, t) = (&x.declared_as, &y.declared_as);
        together(x, y) && s.0 == t.0 && (s.1 == t.1 || s.1.is_empty() || t.1.is_empty())
    };
    for (i, x) in xs.iter().enumerate() {
        let place = matching.partner_of(x.places[0], "identifier");
        let twin = ys.iter().position(|y| Some(y.places[0]) == place);
        if let Some(j) = twin.filter(|j| alike(x, &ys[*j]))
            && used.insert(j)
        {
            found[i] = Some(j);
        }
    }
    for (i, x) in xs.iter().enumerate() {
        if found[i].is_none() {
            let twin = (0..ys.len())
                .find(|j| !used.contains(j) && ys[*j].name == x.name && alike(x, &ys[*j]));
            found[i] = twin;
            used.extend(twin);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(old: &str, new: &str) -> String {
        let file =
            |t: &str| SourceFile::parse("A.java", format!("class A {{ {t} }}").as_bytes()).unwrap();
        let (a, b) = (file(old), file(new));
        let out = rename_locals(&a, &b, &[(&a.types[0].methods[0], &b.types[0].methods[0])]);
        out.text[10..out.text.len() - 2].to_string()
    }

    #[test]
    fn a_renamed_local_takes_the_new_name_everywhere() {
        assert_eq!(
            renamed(
                "int f(int x) { int a = x; return a + this.a; }",
                "int f(int x) { int b = x; return b + this.a; }"
            ),
            "int f(int x) { int b = x; return b + this.a; }"
        );
    }

    #[test]
    fn a_renamed_parameter_is_the_parameter_at_its_place() {
        assert_eq!(
            renamed(
                "int f(int x, int y) { return x - y; }",
                "int f(int a, int b) { return b - a; }"
            ),
            "int f(int a, int b) { return a - b; }"
        );
    }

    #[test]
    fn another_type_makes_another_variable() {
        assert_eq!(
            renamed(
                "long f(int x) { int s = x; return s; }",
                "long f(int x) { long s = x; return s; }"
            ),
            "long f(int x) { int sOld = x; return sOld; }"
        );
    }

    #[test]
    fn hidden_members_and_lambda_parameters_are_told_apart() {
        let text = "void f(int a) { Runnable r = new Runnable() { int a; public void run() { a++; } }; g(b -> b + a); }";
        assert_eq!(
            renamed(
                text,
                &text.replace("int a)", "int c)").replace("b + a", "b + c")
            ),
            text.replace("int a)", "int c)").replace("b + a", "b + c")
        );
    }

    #[test]
    fn swapped_names_are_not_confused() {
        assert_eq!(
            renamed(
                "int f() { int a = 1; int b = 2; return a - b; }",
                "int f() { int b = 1; int a = 2; return b - a; }"
            ),
            "int f() { int b = 1; int a = 2; return b - a; }"
        );
    }
}
