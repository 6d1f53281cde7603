//! The places where a source file names a type of another file.

use super::tree::{JavaError, Node, parse};

/// Where a file names a top-level type of another file, by a name that can mean no other type: positions in UTF-16 units with their
/// lines, in order. Uses that need javac's scopes to be told, such as `Name.method()`, are not among them.
///
/// # Errors
/// The parser refuses the file.
pub fn uses_of_type(
    path: &str,
    text: &str,
    (package, name): (&str, &str),
) -> Result<Vec<(usize, u32)>, JavaError> {
    let (root, _) = parse(path, text)?;
    let whole = match package {
        "" => name.to_string(),
        package => format!("{package}.{name}"),
    };
    let mut imported = false;
    let mut found: Vec<&Node> = Vec::new();
    for import in root
        .children
        .iter()
        .filter(|c| c.kind == "import_declaration")
    {
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
            return Ok(Vec::new());
        }
    }
    let own = root.of_kind("package_declaration");
    let own = own.and_then(|p| p.named().last());
    let own = own.map_or(String::new(), |p| p.flat(text).replace(' ', ""));
    if (imported || own == package) && !declares(&root, text, name) {
        for part in root
            .children
            .iter()
            .filter(|c| c.kind != "import_declaration")
        {
            named(part, text, name, &mut found);
        }
    }
    let at = |node: &&Node| text[..node.start].encode_utf16().count();
    Ok(found.iter().map(|n| (at(n), n.line)).collect())
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
        let found = uses_of_type("A.java", text, ("p", "Gone")).unwrap();
        found.iter().map(|f| f.1).collect()
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
        let found = uses_of_type("A.java", text, ("p", "Gone")).unwrap();
        let before = text.find("Gone").unwrap() - 2;
        assert_eq!(found, [(before, 1)]);
    }
}
