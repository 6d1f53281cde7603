//! Removal of code that the compiler rejects from a source file, as little as possible, so that the rest compiles.
//!
//! What is cut can't be mistaken for what was there: a body, or the initialiser of an object, becomes a call of
//! `com.shadowci.NotCompiled.reached`, with a number that is another one in the other version. Lines stay where they are.

use super::tree::{JavaError, Node, parse};
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The class whose method stands for what does not compile.
pub const NOT_COMPILED: &str = "com.shadowci.NotCompiled";

/// Its source.
pub const NOT_COMPILED_JAVA: &str = "package com.shadowci;

/** Stands for code that does not compile: whoever comes here has left what can be said of the program. */
public final class NotCompiled {
    private NotCompiled() {}

    public static Error reached(long what) {
        Runtime.getRuntime().halt(86);
        return new Error();
    }
}
";

/// How much of a file a cut takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CutScope {
    /// An import or annotation: what needs it shows in another place.
    Name,
    /// The body of a method or initialiser.
    Body,
    /// A method, or a static field.
    Member,
    /// A type with all its members.
    Type,
    /// All of it.
    File,
}

/// A piece that was cut out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// How much.
    pub part: CutScope,
    /// The type it was in, or was: binary name with dots; empty for the file.
    pub class: String,
    /// The position that made it go.
    pub at: usize,
    /// Its first and last line.
    pub lines: (u32, u32),
    /// What stood there.
    pub gone: String,
    /// Names of the declarations that went: members, types, what an import gives.
    pub names: Vec<String>,
    /// Whether it initialised a static field.
    pub initialises: bool,
    start: usize,
    end: usize,
    text: String,
}

/// Cuts out what stands at these positions (in UTF-16 units, as javac tells them): the new text and what went, by place. Bodies cut
/// for different `owner`s differ, whatever they were: nothing is known of what they do, so nobody may take them for the same.
///
/// # Errors
/// The parser refuses the file.
pub fn cut(
    path: &str,
    text: &str,
    positions: &[usize],
    owner: &str,
) -> Result<(String, Vec<Cut>), JavaError> {
    let (root, _) = parse(path, text)?;
    let file = File {
        text,
        root: &root,
        owner,
    };
    let mut cuts: Vec<Cut> = Vec::new();
    for unit in positions {
        cuts.push(file.cut(*unit, byte_of(text, *unit)));
    }
    // The larger of two that overlap wins.
    cuts.sort_by_key(|c| (c.start, std::cmp::Reverse(c.end)));
    let mut kept: Vec<Cut> = Vec::new();
    for cut in cuts {
        if kept.last().is_none_or(|last| last.end <= cut.start) {
            kept.push(cut);
        }
    }
    let mut out = text.to_string();
    for cut in kept.iter().rev() {
        let gone = text.get(cut.start..cut.end).unwrap_or_default();
        let lines = "\n".repeat(gone.matches('\n').count());
        out.replace_range(cut.start..cut.end, &format!("{}{lines}", cut.text));
    }
    Ok((out, kept))
}

fn byte_of(text: &str, unit: usize) -> usize {
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        if seen >= unit {
            return at;
        }
        seen += c.len_utf16();
    }
    text.len()
}

const TYPES: [&str; 5] = [
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
];

impl Cut {
    /// The number by which the call that stands for a body is told from others.
    pub fn number(&self) -> Option<i64> {
        let (_, rest) = self.text.split_once("reached(0x")?;
        let (digits, _) = rest.split_once('L')?;
        Some(u64::from_str_radix(digits, 16).ok()? as i64)
    }
}

struct File<'a> {
    text: &'a str,
    root: &'a Node,
    owner: &'a str,
}

impl File<'_> {
    fn cut(&self, unit: usize, at: usize) -> Cut {
        let package = self.root.package(self.text);
        let found = self.root.children.iter().find(|c| holds(c, at));
        let (part, class, (start, end), text) = match found {
            Some(node) if node.kind == "import_declaration" => (
                CutScope::Name,
                String::new(),
                (node.start, node.end),
                String::new(),
            ),
            Some(node) if TYPES.contains(&node.kind) => self.in_type(node, &package, at),
            _ => {
                let start = self
                    .root
                    .of_kind("package_declaration")
                    .map_or(0, |p| p.end);
                (
                    CutScope::File,
                    String::new(),
                    (start, self.text.len()),
                    String::new(),
                )
            }
        };
        let line = |at: usize| self.text[..at].matches('\n').count() as u32 + 1;
        let (names, is_field) = self.declared(start, end);
        Cut {
            gone: self.text.get(start..end).unwrap_or_default().to_string(),
            names,
            initialises: is_field && part == CutScope::Member,
            part,
            class,
            at: unit,
            lines: (line(start), line(end)),
            start,
            end,
            text,
        }
    }

    /// Names of what a range declares or imports, and whether it declares fields.
    fn declared(&self, start: usize, end: usize) -> (Vec<String>, bool) {
        let (mut names, mut is_field) = (Vec::new(), false);
        self.root.walk(&mut |node: &Node| {
            if (node.start, node.end) != (start, end) {
                return;
            }
            let name = |n: &Node| n.child("name").map(|n| n.text(self.text).to_string());
            match node.kind {
                "import_declaration" => {
                    let text = node.flat(self.text);
                    let last = text.trim_end_matches([';', ' ']).rsplit(['.', ' ']).next();
                    names.extend(last.filter(|n| *n != "*").map(str::to_string));
                }
                "field_declaration" | "constant_declaration" => {
                    names.extend(node.named().filter_map(name));
                    is_field = true;
                }
                _ => names.extend(name(node)),
            }
        });
        (names, is_field)
    }

    fn in_type(&self, node: &Node, outer: &str, at: usize) -> Gone {
        let name = node.child("name").map_or("", |n| n.text(self.text));
        let class = match outer {
            "" => name.to_string(),
            outer if outer.ends_with('$') => format!("{outer}{name}"),
            package => format!("{package}.{name}"),
        };
        let whole = (
            CutScope::Type,
            class.clone(),
            (node.start, node.end),
            String::new(),
        );
        if let Some(annotation) = annotation(node, at) {
            return (CutScope::Name, class, annotation, String::new());
        }
        let members = node.child("body").map_or(Vec::new(), members);
        let Some(member) = members.into_iter().find(|m| holds(m, at)) else {
            return whole;
        };
        if TYPES.contains(&member.kind) {
            return self.in_type(member, &format!("{class}$"), at);
        }
        let in_body = || self.annotation_in_body(member, at);
        if let Some(annotation) = annotation(member, at).or_else(in_body) {
            return (CutScope::Name, class, annotation, String::new());
        }
        let range = (member.start, member.end);
        match member.kind {
            "method_declaration" => match member.child("body").filter(|b| holds(b, at)) {
                Some(body) if !self.is_cut(body) => {
                    let text = format!("{{ throw {}; }}", self.call(body));
                    (CutScope::Body, class, (body.start, body.end), text)
                }
                _ if self.has(member, "Override") => whole,
                _ => (CutScope::Member, class, range, String::new()),
            },
            "constructor_declaration" => match member.child("body") {
                Some(body) if holds(body, at) && !self.is_cut(body) => {
                    let first = body.of_kind("explicit_constructor_invocation");
                    let kept = first.map_or("", |f| f.text(self.text));
                    match first.is_some_and(|f| holds(f, at)) {
                        true => whole,
                        false => {
                            let call = self.call(body);
                            let text = format!("{{ {} throw {call}; }}", kept.replace('\n', " "));
                            (CutScope::Body, class, (body.start, body.end), text)
                        }
                    }
                }
                _ => whole,
            },
            "static_initializer" | "block" if !self.is_cut(member) => {
                let head = if member.kind == "block" {
                    ""
                } else {
                    "static "
                };
                // Behind a condition that always holds, javac takes final fields for assigned.
                let text = format!("{head}{{ if (true) throw {}; }}", self.call(member));
                (CutScope::Body, class, range, text)
            }
            "field_declaration" if !self.has(member, "static") => {
                let text = format!("{{ {}; }}", self.call(member));
                (CutScope::Body, class, range, text)
            }
            "field_declaration" | "constant_declaration" => {
                (CutScope::Member, class, range, String::new())
            }
            _ => whole,
        }
    }

    /// The annotation in a member's body that the position is in: code does the same without one that nobody knows. One that says what
    /// it overrides is none of these.
    fn annotation_in_body(&self, member: &Node, at: usize) -> Option<(usize, usize)> {
        let found = annotation_below(member.child("body")?, at)?;
        let name = found.child("name")?.text(self.text);
        (name != "Override").then_some((found.start, found.end))
    }

    fn is_cut(&self, node: &Node) -> bool {
        node.text(self.text).contains(NOT_COMPILED)
    }

    /// Whether the member has that modifier or annotation.
    fn has(&self, member: &Node, modifier: &str) -> bool {
        let modifiers = member.of_kind("modifiers");
        modifiers.is_some_and(|m| {
            let mut words = m.text(self.text).split_whitespace();
            words.any(|w| w.trim_start_matches('@') == modifier)
        })
    }

    /// The call that stands for a node: another one for other code, and for another owner.
    fn call(&self, node: &Node) -> String {
        let mut hash = DefaultHasher::new();
        self.owner.hash(&mut hash);
        node.flat(self.text).hash(&mut hash);
        format!("{NOT_COMPILED}.reached({:#x}L)", hash.finish())
    }
}

type Gone = (CutScope, String, (usize, usize), String);

fn holds(node: &Node, at: usize) -> bool {
    node.start <= at && at < node.end
}

/// The annotation of a declaration that the position is in.
fn annotation(node: &Node, at: usize) -> Option<(usize, usize)> {
    let mut parts = node.children.iter().filter(|c| c.field != Some("body"));
    let found = parts.find_map(|part| annotation_below(part, at))?;
    Some((found.start, found.end))
}

/// The outermost annotation in a part of a file that the position is in.
fn annotation_below(node: &Node, at: usize) -> Option<&Node> {
    let is_one = matches!(node.kind, "marker_annotation" | "annotation");
    match holds(node, at) {
        true if is_one => Some(node),
        true => node.children.iter().find_map(|c| annotation_below(c, at)),
        false => None,
    }
}

fn members(body: &Node) -> Vec<&Node> {
    let mut all = Vec::new();
    for node in &body.children {
        match node.kind {
            "enum_body_declarations" => all.extend(node.named()),
            _ if node.named => all.push(node),
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "package p;
import missing.Thing;
@Marked
public class A {
    private static final Thing LOG = null;
    A(int x) { this(); lost(); }
    A() { }
    int f() {
        return lost();
    }
    @Nullable Thing g() { return null; }
    static class B extends Missing { int h() { return 1; } }
}
";

    fn cut_at(words: &[&str]) -> (String, Vec<Cut>) {
        let at = |w: &&str| SOURCE.find(*w).unwrap();
        let positions: Vec<usize> = words.iter().map(at).collect();
        cut("A.java", SOURCE, &positions, "old").unwrap()
    }

    #[test]
    fn as_little_goes_as_can() {
        let (text, cuts) = cut_at(&["lost();\n    }\n", "missing.Thing", "Marked"]);
        assert!(text.contains("int f() { throw com.shadowci.NotCompiled.reached("));
        assert!(!text.contains("import"));
        assert!(!text.contains("@Marked") && text.contains("public class A"));
        assert_eq!(text.lines().count(), SOURCE.lines().count());
        let parts: Vec<CutScope> = cuts.iter().map(|c| c.part).collect();
        assert_eq!(parts, [CutScope::Name, CutScope::Name, CutScope::Body]);
        assert_eq!(cuts[2].class, "p.A");
        assert!(cuts[2].gone.contains("return lost();") && cuts[2].names.is_empty());
        assert_eq!(cuts[0].names, ["Thing"]);
        assert!(text.contains(&format!("{:#x}L", cuts[2].number().unwrap())));
    }

    #[test]
    fn of_an_unknown_annotation_in_a_body_only_itself_goes() {
        let text = "class A { int f() { @Nullable String s = null; return 1; } }";
        let (out, cuts) = cut("A.java", text, &[text.find("Nullable").unwrap()], "old").unwrap();
        assert_eq!(out, text.replace("@Nullable", ""));
        assert_eq!(cuts[0].part, CutScope::Name);
        let text = "class A { Object f() { return new B() { @Override int g() { return 1; } }; } }";
        let (out, _) = cut("A.java", text, &[text.find("@Override").unwrap()], "old").unwrap();
        assert!(
            out.contains(NOT_COMPILED) && !out.contains("return 1"),
            "{out}"
        );
    }

    #[test]
    fn final_fields_of_an_initialiser_stay() {
        let text = "class A { static final int X; static { X = lost(); } }";
        let (out, cuts) = cut("A.java", text, &[text.find("lost").unwrap()], "old").unwrap();
        assert!(out.contains("X; static { if (true) throw com.shadowci.NotCompiled"));
        assert!(cuts[0].number().is_some());
    }

    #[test]
    fn a_constructor_keeps_what_it_calls_first() {
        let (text, _) = cut_at(&["lost(); }"]);
        assert!(text.contains("A(int x) { this(); throw com.shadowci.NotCompiled"));
    }

    #[test]
    fn signatures_fields_and_headers_take_more() {
        let (text, cuts) = cut_at(&["Thing LOG", "Thing g", "Missing {"]);
        assert!(!text.contains("LOG") && !text.contains("g()") && !text.contains("class B"));
        let classes: Vec<&str> = cuts.iter().map(|c| &*c.class).collect();
        assert_eq!(classes, ["p.A", "p.A", "p.A$B"]);
        let names: Vec<&str> = cuts.iter().flat_map(|c| &c.names).map(|n| &**n).collect();
        assert_eq!(names, ["LOG", "g", "B"]);
        assert!(cuts[0].initialises && !cuts[1].initialises);
    }

    #[test]
    fn what_differs_is_cut_differently() {
        let one = cut("A.java", "class A { int f() { return a; } }", &[27], "old").unwrap();
        let two = cut("A.java", "class A { int f() { return b; } }", &[27], "old").unwrap();
        let same = cut(
            "A.java",
            "class A { int f() { /* */ return a; } }",
            &[33],
            "old",
        )
        .unwrap();
        let other = cut("A.java", "class A { int f() { return a; } }", &[27], "new").unwrap();
        assert_ne!(one.0, two.0);
        assert_ne!(one.0, other.0);
        assert_eq!(one.0, same.0);
    }
}
