//! The places where a source file names a type of another file.

use super::tree::{JavaError, Node, parse};

/// A place where a type is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeUse<'a> {
    /// The type's simple name.
    pub name: &'a str,
    /// The position, in UTF-16 units.
    pub at: usize,
    /// Its line, from 1.
    pub line: u32,
}

/// Where a file names these top-level types of other files, each a package and a name, by a name that can mean no other type. Uses that
/// need javac's scopes to be told, such as `Name.method()`, are not among them.
///
/// # Errors
/// The parser refuses the file.
pub fn uses_of_types<'a>(
    path: &str,
    text: &str,
    types: &[(&'a str, &'a str)],
) -> Result<Vec<TypeUse<'a>>, JavaError> {
    let (root, _) = parse(path, text)?;
    let uses = types.iter().flat_map(|(package, name)| {
        let found = nodes_of_type(&root, text, (package, name)).into_iter();
        found.map(|node| TypeUse {
            name,
            at: text[..node.start].encode_utf16().count(),
            line: node.line,
        })
    });
    Ok(uses.collect())
}

fn nodes_of_type<'a>(root: &'a Node, text: &str, (package, name): (&str, &str)) -> Vec<&'a Node> {
    let whole = match package {
        "" => name.to_string(),
        package => format!("{package}.{name}"),
    };
    let mut imported = false;
    let mut found: Vec<&Node> = Vec::new();
    let parts = root.children.iter();
    let (imports, others): (Vec<&Node>, Vec<&Node>) =
        parts.partition(|c| c.kind == "import_declaration");
    for import in imports {
        let words = import.flat(text).replace(" . ", ".");
        let words = words
            .trim_start_matches("import ")
            .trim_end_matches([';', ' ']);
        let what = words.trim_start_matches("static ");
        let is_of = what
            .strip_prefix(whole.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        if is_of {
            found.push(import);
            imported |= what == whole;
        } else if what.rsplit('.').next() == Some(name) {
            // Another type of that name.
            return Vec::new();
        }
    }
    if (imported || root.package(text) == package) && !declares(root, text, name) {
        for part in others {
            named(part, text, name, &mut found);
        }
    }
    found
}

/// Whether a type or type variable of that name is declared anywhere in the file.
fn declares(root: &Node, text: &str, name: &str) -> bool {
    let mut found = false;
    root.walk(&mut |node: &Node| {
        let declared = match node.kind {
            "type_parameter" => node.of_kind("type_identifier"),
            kind if kind.ends_with("_declaration") => node.child("name"),
            _ => None,
        };
        found |= declared.is_some_and(|n| n.text(text) == name);
    });
    found
}

/// The names of the type in a part of the file: `Name` and the first word of `Name.Inner`, and annotations.
fn named<'a>(node: &'a Node, text: &str, name: &str, found: &mut Vec<&'a Node>) {
    match node.kind {
        "type_identifier" if node.text(text) == name => found.push(node),
        "marker_annotation" | "annotation" => {
            let of = node.child("name");
            found.extend(of.filter(|n| n.kind == "identifier" && n.text(text) == name));
        }
        _ => {}
    }
    let is_scoped = node.kind == "scoped_type_identifier";
    let inside = node.children.iter();
    for child in inside.take(if is_scoped { 1 } else { usize::MAX }) {
        named(child, text, name, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<u32> {
        let found = uses_of_types("A.java", text, &[("p", "Gone")]).unwrap();
        found.iter().map(|f| f.line).collect()
    }

    #[test]
    fn a_type_is_used_where_its_name_means_it() {
        let text = "package q;\nimport p.Gone;\nimport static p.Gone.f;\nimport p.Gone2;\n@Gone\nclass A extends Gone {\n\
            java.util.List<Gone> all;\nGone.Inner inner;\nx.Gone other;\nint n = Gone.size();\nvoid f(Gone gone) { Gone[] a = null; }\n}";
        assert_eq!(lines(text), [2, 3, 5, 6, 7, 8, 11, 11]);
        assert_eq!(lines("package p;\nclass A { Gone gone; }"), [2]);
    }

    #[test]
    fn a_name_that_may_mean_another_type_is_none_of_it() {
        assert!(lines("package q;\nimport p.*;\nclass A { Gone gone; }").is_empty());
        assert!(lines("package p;\nimport q.Gone;\nclass A { Gone gone; }").is_empty());
        assert!(lines("package p;\nclass A<Gone> { Gone gone; }").is_empty());
        assert!(lines("package p;\nclass A { Gone gone; class Gone {} }").is_empty());
    }

    #[test]
    fn positions_are_those_of_javac() {
        let text = "package p; class A { String s = \"\u{1F600}\"; Gone g; }";
        let found = uses_of_types("A.java", text, &[("p", "Gone")]).unwrap();
        let before = text.find("Gone").unwrap() - 2;
        assert_eq!(
            found.iter().map(|f| (f.at, f.line)).collect::<Vec<_>>(),
            [(before, 1)]
        );
    }
}
