//! Erased types and type variables of declarations (JLS §4.6).

use super::tree::Node;

/// A type as written, without type arguments and spaces.
pub fn erased(ty: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0);
    for c in ty.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ' ' => {}
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Type variables in scope with the erasure of their bound.
pub(super) type Variables = std::collections::BTreeMap<String, String>;

/// The variables in scope inside a declaration.
pub(super) fn variables(node: &Node, source: &str, outer: &Variables) -> Variables {
    let mut inner = outer.clone();
    let parameters = node
        .children
        .iter()
        .filter(|c| c.kind == "type_parameters")
        .flat_map(|p| p.named());
    for parameter in parameters {
        let name = parameter
            .named()
            .find(|c| c.kind.ends_with("identifier"))
            .map(|n| n.text(source))
            .unwrap_or_default();
        let bound = parameter
            .of_kind("type_bound")
            .and_then(|b| b.named().next())
            .map(|b| erased(&b.flat(source)));
        let bound = bound.unwrap_or_else(|| "Object".into());
        let bound = inner.get(&bound).cloned().unwrap_or(bound);
        inner.insert(name.to_string(), bound);
    }
    inner
}

pub(super) fn erased_in(ty: &str, variables: &Variables) -> String {
    let plain = erased(ty);
    let name = plain.trim_end_matches("[]").trim_end_matches("...");
    match variables.get(name) {
        Some(bound) => format!("{bound}{}", &plain[name.len()..]),
        None => plain,
    }
}
