//! Local variables of a method: where they are declared and used, and one name for both versions' of the same variable.

use super::tree_match::Matching;
use crate::java::{Method, Node, SourceFile, erased};
use std::collections::BTreeSet;

/// A local variable or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Local {
    name: String,
    /// Kind of the declaring node, and the type as written without type arguments; `var` and inferred types are empty.
    declared_as: (&'static str, String),
    /// Byte ranges of the name, the declaration first.
    places: Vec<(usize, usize)>,
    /// The block, loop or lambda it is declared in: byte range and kind.
    block: (usize, usize, &'static str),
}

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

/// The old file with `suffix` behind the names of fields and methods whose type or result type the new version changed: no Java
/// class has two of them, but each version's code is to mean its own (JVMS §5.4.3.2). Lines stay as they are.
pub fn rename_retyped(old: &SourceFile, new: &SourceFile, suffix: &str) -> SourceFile {
    let fields = retype_fields(old, new, suffix);
    retype_methods(&fields, new, suffix)
}

/// Methods all of whose overloads with as many parameters changed their result type or became static, or no longer are;
/// or whose place was taken by overloads with as many parameters, between which javac could not always choose.
fn retype_methods(old: &SourceFile, new: &SourceFile, suffix: &str) -> SourceFile {
    let mut names = BTreeSet::new();
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        for method in a.methods.iter().filter(|m| m.name != "<init>") {
            let arity = method.params.len();
            let like = |m: &&Method| m.name == method.name && m.params.len() == arity;
            let all = |is: &dyn Fn(&Method) -> bool| a.methods.iter().filter(like).all(is);
            let retyped = |m: &Method| {
                b.methods
                    .iter()
                    .any(|n| n.same_signature(m) && !n.same_kind(m))
            };
            // Others than private ones may be called, or overridden, where the name stays.
            let replaced = |m: &Method| {
                m.head.split(' ').any(|word| word == "private")
                    && !b.methods.iter().any(|n| n.same_signature(m))
                    && b.methods.iter().any(|n| like(&n))
            };
            if all(&retyped) || all(&replaced) {
                names.insert((method.name.clone(), arity));
            }
        }
    }
    let mut edits = Vec::new();
    for class in old.types.iter().filter(|_| !names.is_empty()) {
        for node in class
            .methods
            .iter()
            .map(|m| &m.node)
            .chain(class.fields.iter().map(|f| &f.node))
        {
            node.walk(&mut |n| {
                let name = n
                    .child("name")
                    .filter(|_| matches!(n.kind, "method_invocation" | "method_declaration"));
                let list = n.child("arguments").or(n.child("parameters"));
                let arity = list.map_or(0, |l| l.named().count());
                if let Some(name) =
                    name.filter(|c| names.contains(&(c.text(&old.text).to_string(), arity)))
                {
                    edits.push((
                        (name.start, name.end),
                        format!("{}{suffix}", name.text(&old.text)),
                    ));
                }
            });
        }
    }
    reparsed(old, edits)
}

fn reparsed(old: &SourceFile, edits: Vec<Edit>) -> SourceFile {
    if edits.is_empty() {
        return old.clone();
    }
    SourceFile::parse(&old.path, replaced(&old.text, edits).as_bytes())
        .unwrap_or_else(|_| old.clone())
}

fn retype_fields(old: &SourceFile, new: &SourceFile, suffix: &str) -> SourceFile {
    let mut names = BTreeSet::new();
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        for field in &a.fields {
            let shape =
                |f: &crate::java::Field, s: &str| (f.erased_type(s), f.has_modifier("static", s));
            let retyped = |n: &&String| {
                let twin = b.fields.iter().find(|g| g.names.contains(n));
                twin.is_some_and(|g| shape(g, &new.text) != shape(field, &old.text))
            };
            names.extend(field.names.iter().filter(retyped).cloned());
        }
    }
    if names.is_empty() {
        return old.clone();
    }
    let mut edits = Vec::new();
    for class in &old.types {
        for method in &class.methods {
            let bound: BTreeSet<(usize, usize)> = locals(&method.node, &old.text)
                .into_iter()
                .flat_map(|l| l.places)
                .collect();
            member_uses(&method.node, &old.text, &names, &bound, false, &mut edits);
        }
        for field in &class.fields {
            member_uses(
                &field.node,
                &old.text,
                &names,
                &BTreeSet::new(),
                false,
                &mut edits,
            );
        }
    }
    let edits = edits
        .into_iter()
        .map(|(start, end)| ((start, end), format!("{}{suffix}", &old.text[start..end])))
        .collect();
    reparsed(old, edits)
}

/// Places where one of the names may stand for a field.
fn member_uses(
    node: &Node,
    source: &str,
    names: &BTreeSet<String>,
    bound: &BTreeSet<(usize, usize)>,
    simple: bool,
    out: &mut Vec<(usize, usize)>,
) {
    let named = matches!(
        node.kind,
        "method_invocation"
            | "method_declaration"
            | "class_declaration"
            | "constructor_declaration"
    );
    for child in &node.children {
        let skipped = named && child.field == Some("name")
            || simple && child.field == Some("field")
            || matches!(
                node.kind,
                "break_statement"
                    | "continue_statement"
                    | "annotation"
                    | "marker_annotation"
                    | "scoped_identifier"
            );
        if child.kind != "identifier" {
            if !skipped {
                member_uses(child, source, names, bound, simple, out);
            }
            continue;
        }
        let place = (child.start, child.end);
        if !skipped && names.contains(child.text(source)) && !bound.contains(&place) {
            out.push(place);
        }
    }
}

type Edit = ((usize, usize), String);

fn replaced(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort();
    edits.dedup();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for ((start, end), name) in edits {
        if start >= at {
            out.push_str(&text[at..start]);
            out.push_str(&name);
            at = end;
        }
    }
    out.push_str(&text[at..]);
    out
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

/// All identifiers below a node.
fn identifiers(node: &Node, source: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    node.walk(&mut |n| {
        if n.kind == "identifier" {
            all.insert(n.text(source).to_string());
        }
    });
    all
}

/// Parameters and local variables with their uses, in order of declaration (JLS §6.3).
fn locals(method: &Node, source: &str) -> Vec<Local> {
    let mut walker = Walker {
        source,
        all: Vec::new(),
        scope: Vec::new(),
        block: (0, 0, method.kind),
    };
    walker.visit_children(method);
    walker.all
}

struct Walker<'a> {
    source: &'a str,
    all: Vec<Local>,
    /// Names in scope; `None` for a member of a local class, which hides.
    scope: Vec<(String, Option<usize>)>,
    block: (usize, usize, &'static str),
}

impl Walker<'_> {
    fn declare(&mut self, name: &Node, ty: Option<&Node>, kind: &'static str) {
        let text = name.text(self.source).to_string();
        let mut ty = ty.map(|t| erased(&t.flat(self.source))).unwrap_or_default();
        if ty == "var" {
            ty.clear();
        }
        self.scope.push((text.clone(), Some(self.all.len())));
        self.all.push(Local {
            name: text,
            declared_as: (kind, ty),
            places: vec![(name.start, name.end)],
            block: self.block,
        });
    }

    fn scoped(&mut self, node: &Node, inside: impl FnOnce(&mut Self)) {
        let depth = self.scope.len();
        let around = std::mem::replace(&mut self.block, (node.start, node.end, node.kind));
        inside(self);
        self.block = around;
        self.scope.truncate(depth);
    }

    fn visit_children(&mut self, node: &Node) {
        for child in &node.children {
            self.visit(child);
        }
    }

    fn visit(&mut self, node: &Node) {
        match node.kind {
            "identifier" => self.used(node),
            "annotation" | "marker_annotation" | "scoped_identifier" | "break_statement"
            | "continue_statement" => {}
            "block"
            | "constructor_body"
            | "switch_block"
            | "for_statement"
            | "catch_clause"
            | "method_declaration"
            | "constructor_declaration"
            | "try_with_resources_statement"
            | "switch_rule" => {
                self.scoped(node, |w| w.but_name(node));
            }
            "lambda_expression" => self.scoped(node, |w| w.lambda(node)),
            "enhanced_for_statement" => self.scoped(node, |w| w.for_each(node)),
            "local_variable_declaration" => self.declaration(node),
            "formal_parameter" | "catch_formal_parameter" | "resource" => self.parameter(node),
            "spread_parameter" => {
                let name = node
                    .of_kind("variable_declarator")
                    .and_then(|d| d.child("name"));
                if let Some(name) = name {
                    let ty = node
                        .named()
                        .find(|c| c.kind.ends_with("type") || c.kind == "type_identifier");
                    self.declare(name, ty, node.kind);
                }
            }
            "instanceof_expression" => self.instance_of(node),
            "type_pattern" | "record_pattern_component" => {
                let names: Vec<&Node> = node
                    .children
                    .iter()
                    .filter(|c| c.kind == "identifier")
                    .collect();
                if let Some(name) = names.last() {
                    self.declare(name, node.named().next(), node.kind);
                }
            }
            "record_pattern" => node
                .children
                .iter()
                .filter(|c| c.kind != "identifier")
                .for_each(|c| self.visit(c)),
            "class_body" | "enum_body" | "interface_body" => self.scoped(node, |w| w.members(node)),
            "method_reference" => {
                if let Some(first) = node.children.first() {
                    self.visit(first);
                }
            }
            "labeled_statement" => node.children.iter().skip(1).for_each(|c| self.visit(c)),
            _ => self.but_name(node),
        }
    }

    /// Children that are not the name of a member.
    fn but_name(&mut self, node: &Node) {
        let name = |c: &&Node| !matches!(c.field, Some("name" | "field"));
        node.children
            .iter()
            .filter(name)
            .for_each(|c| self.visit(c));
    }

    fn used(&mut self, node: &Node) {
        let text = node.text(self.source);
        if let Some((_, Some(local))) = self.scope.iter().rev().find(|s| s.0 == text) {
            self.all[*local].places.push((node.start, node.end));
        }
    }

    fn lambda(&mut self, node: &Node) {
        for child in &node.children {
            match (child.field, child.kind) {
                (Some("parameters"), "identifier") => self.declare(child, None, "lambda_parameter"),
                (Some("parameters"), "inferred_parameters") => {
                    child
                        .named()
                        .for_each(|c| self.declare(c, None, "lambda_parameter"));
                }
                _ => self.visit(child),
            }
        }
    }

    fn for_each(&mut self, node: &Node) {
        if let Some(value) = node.child("value") {
            self.visit(value);
        }
        if let Some(name) = node.child("name") {
            self.declare(name, node.child("type"), node.kind);
        }
        if let Some(body) = node.child("body") {
            self.visit(body);
        }
    }

    fn declaration(&mut self, node: &Node) {
        for declarator in node
            .children
            .iter()
            .filter(|c| c.kind == "variable_declarator")
        {
            if let Some(name) = declarator.child("name") {
                self.declare(name, node.child("type"), node.kind);
            }
            if let Some(value) = declarator.child("value") {
                self.visit(value);
            }
        }
    }

    fn parameter(&mut self, node: &Node) {
        match node.child("name") {
            Some(name) => {
                let ty = node.child("type").or_else(|| node.of_kind("catch_type"));
                let kind = if node.kind == "catch_formal_parameter" {
                    "catch"
                } else {
                    node.kind
                };
                // A caught type may change without the variable becoming another.
                self.declare(name, ty.filter(|_| kind != "catch"), kind);
                if let Some(value) = node.child("value") {
                    self.visit(value);
                }
            }
            None => self.visit_children(node),
        }
    }

    fn instance_of(&mut self, node: &Node) {
        for child in &node.children {
            match child.field {
                Some("name") => self.declare(child, node.child("right"), node.kind),
                _ => self.visit(child),
            }
        }
    }

    fn members(&mut self, body: &Node) {
        for field in body
            .children
            .iter()
            .filter(|c| c.kind == "field_declaration")
        {
            for name in field.children.iter().filter_map(|d| d.child("name")) {
                self.scope.push((name.text(self.source).to_string(), None));
            }
        }
        for member in &body.children {
            match member.kind {
                "field_declaration" => {
                    member
                        .children
                        .iter()
                        .filter_map(|d| d.child("value"))
                        .for_each(|v| self.visit(v));
                }
                _ => self.visit(member),
            }
        }
    }
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
